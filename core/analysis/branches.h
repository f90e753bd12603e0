// Equilibria followed along one parameter: the answers of `analyze` at many values, linked by continuity,
// refined until every birth, death and change of verdict is located, and those points told apart. Needs no
// continuation, since analyze lists all equilibria at each value. How it is drawn is in branch_plot.h.
#pragma once

#include "core/analysis/parameter_axis.h"
#include "core/model/analysis.h"
#include "core/model/system.h"

#include <Eigen/Core>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace casimir {

// What of an equilibrium may be drawn against a parameter: coordinates, inputs and quantities of its state,
// then energy, spin_rate, growth_rate and frequency.
std::vector<Quantity> branchQuantities(const System& system);
// In their order; NaN where the equilibrium has no such number.
std::vector<double> branchValues(const System& system, const std::vector<Quantity>& quantities,
                                 const Equilibrium& equilibrium);

struct BranchState {
    std::string name;
    std::string stability;
    Eigen::VectorXd point;      // without coordinates along the symmetry
    std::vector<double> values; // branchValues
};

struct BranchSample {
    double part = 0; // place on the axis, 0 to 1
    double parameter = 0;
    bool answered = false;
    Status status = {};
    std::vector<BranchState> states = {};
};

// Where a branch goes: sample by sample, which state.
struct Branch {
    std::size_t first = 0;                // sample
    std::vector<std::size_t> states = {}; // of the samples first, first + 1, ...
};

struct SpecialPoint {
    enum class Kind {
        Fold,            // two branches meet and end
        Pitchfork,       // two branches meet on a third and end
        Exchange,        // two branches cross and exchange their stability
        StabilityChange, // one branch changes its verdict
        End,             // one branch ends alone
        Degenerate       // one value at which the test does not decide or the equilibria are not isolated
    };
    Kind kind;
    double parameter;
    std::size_t sample; // beside it, where `state` is on
    std::size_t state;
    std::string label; // "fold", "loss of stability"
};

struct BranchDiagram {
    std::shared_ptr<const std::vector<BranchSample>> made; // all that were, to go on from
    ParameterAxis axis;
    std::vector<Quantity> quantities;
    std::vector<BranchSample> samples; // in the order of the axis
    std::vector<Branch> branches;
    std::vector<SpecialPoint> specials;
};

// Where on the axis, from 0 to 1, a drawing of the diagram wants more samples; empty: it is smooth.
using Wanted = std::function<std::vector<double>(const BranchDiagram&)>;

// The equilibria are those that analyzeFrom(start) lists. `publish` gets coarser diagrams meanwhile. Where
// `cancelled` says so, what there is by then is returned.
BranchDiagram followBranches(const System& system, const ParameterAxis& axis, const StateInputs& start = {},
                             const std::function<bool()>& cancelled = {},
                             const std::function<void(const BranchDiagram&, double progress)>& publish = {},
                             const Wanted& wanted = {});
// The same diagram with what `wanted` asks for.
BranchDiagram refined(const System& system, const BranchDiagram& diagram, const StateInputs& start,
                      const std::function<bool()>& cancelled, const Wanted& wanted);

} // namespace casimir
