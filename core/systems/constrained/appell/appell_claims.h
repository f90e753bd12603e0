// What is said of Appell's point and machine, each statement computed when asked from random machines by a
// route of its own. The formulas under test are handed in, so that an altered one can be seen to fail.
#pragma once

#include "core/model/claims.h"
#include "core/systems/constrained/appell/appell.h"

namespace casimir::constrained {

struct AppellFormulas {
    using State6 = Appell::State6;
    std::function<State6(const Appell&, const State6&)> field = [](const Appell& a, const State6& s) {
        return a.field(s);
    };
    std::function<double(const Appell&, const State6&)> energy = [](const Appell& a, const State6& s) {
        return a.energy(s);
    };
    std::function<State6(const Appell&, const State6&, double)> closedForm =
        [](const Appell& a, const State6& s, double t) { return a.closedForm(s, t); };
};

std::vector<ClaimCheck> appellClaims(unsigned seed, const AppellFormulas& formulas = {});

} // namespace casimir::constrained
