// Whether the numbers of one answer agree with each other as theory demands: verdict, second variation, index
// and spectrum of every equilibrium. They come from different computations, so a contradiction shows that one
// of them is wrong; which one is not decided here.
#pragma once

#include "core/model/analysis.h"

#include <string>
#include <vector>

namespace casimir {

// What contradicts itself in one equilibrium, a sentence each; empty: nothing.
std::vector<std::string> contradictions(const Equilibrium& equilibrium);

// The same answer, every state with a title: those without a word of their own are "state 1" to "state n" by
// energy. Or, where something in it contradicts itself, one without the equilibria concerned, of
// status "inconsistent" and with a sentence. Every answer that a person or a file receives went through this.
Analysis consistent(Analysis analysis);

} // namespace casimir
