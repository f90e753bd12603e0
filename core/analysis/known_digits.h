// An answer as it may be shown: its numbers rounded to the digits that are right. Where an object has a field
// "error", its other fields are known to the errors that have their names there, or its "value" to the one
// that "error" is. Of an answer about one equilibrium, its field "equilibrium" has the errors of the energy,
// the facts by their ids, the eigenvalues (re, im) and the second variation. Files for machines keep every
// digit beside its error.
#pragma once

#include "core/model/analysis.h"

namespace casimir {

// x with its last digit where twice the error is less than a unit of it; 0 where no digit is known, three
// digits where the error is not (NaN).
double known(double x, double error);

Analysis asKnown(Analysis analysis);

} // namespace casimir
