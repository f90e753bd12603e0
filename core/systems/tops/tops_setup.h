// From parameter values to a chain and, where the family has one, its exact motion; the schema of the
// parameters, their aliases and what `--input` reads. Nothing of states or pictures.
#pragma once

#include "core/model/kind.h"
#include "core/systems/tops/families.h"

#include <optional>
#include <string>

namespace casimir::tops {

struct Setup {
    std::string family; // free, single, steady, kharlamov, chebanov
    Chain chain;
    std::vector<AxisAngles> start; // of the free chain
    std::vector<double> phi;
    std::optional<ExactMotion> motion;
    std::optional<double> mu;
    std::vector<Inequality> inequalities;
};

// Throws Error with the sentence that the schema's check gives.
Setup setupFrom(const Values& values);

// Whether a choice parameter has this value.
bool is(const Values& values, const char* id, const char* choice);
FourTopDesign fourTopDesign(const Values& values);

Schema topsSchema();
Input readTopsInput(const Kind& kind, const nlohmann::ordered_json& json);

// The roots of the cubic as the values choose them.
RootChoice rootChoice(const Values& values);
void setRootChoice(Values& values, const RootChoice& choice);

// 1/|mu| for two planes, otherwise 1.
double rootBound(const Values& values);

// What fromConstants() needs of the chain; none where the family is another.
std::optional<FourTopNumbers> fourTopNumbers(const Values& values);

} // namespace casimir::tops
