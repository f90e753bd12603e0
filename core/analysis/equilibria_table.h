// The equilibria of an Analysis as people read them: numbers in symbols, and the whole table as CSV, LaTeX or Markdown.
#pragma once

#include "core/model/analysis.h"

#include <complex>
#include <string>
#include <vector>

namespace casimir {

// Rounded, with a true minus sign; an angle that is a multiple of π/4 as such ("π", "−π/2"); digits = 0: in full.
std::string factText(const Fact& fact, int digits);

// "±0.234i, −0.1 ± 2i, 3": pairs taken together, in the order of their first member.
std::string eigenvalueText(const std::vector<std::complex<double>>& eigenvalues, int digits);

// One sign an eigenvalue, the negative ones first: "−++".
std::string signatureText(const SecondVariation& variation);

// Bare ids in the head, numbers in full, eigenvalues as re and im columns; words in quotes where they need them.
std::string equilibriaCsv(const Analysis& analysis);
// A booktabs-free tabular, usable as it stands in any article.
std::string equilibriaLatex(const Analysis& analysis, int digits = 5);
std::string equilibriaMarkdown(const Analysis& analysis, int digits = 5);

} // namespace casimir
