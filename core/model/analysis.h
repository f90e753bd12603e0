// What can be said of a system at given values without running it: derived numbers, equilibria with their
// stability, and what the system itself adds. The words and the shape are the same for every system.
#pragma once

#include "core/base/status.h"
#include "core/model/entry.h"
#include "core/model/plot.h"
#include "core/model/quantity.h"

#include <Eigen/Core>

#include <algorithm>
#include <complex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace casimir {

namespace verdict {
inline constexpr const char* stable = "stable"; // the second variation is definite on the leaf
inline constexpr const char* asymptoticallyStable = "asymptotically stable";
inline constexpr const char* spectrallyStable =
    "spectrally stable"; // indefinite, but nothing grows exponentially
inline constexpr const char* unstable = "unstable";
inline constexpr const char* degenerate = "degenerate"; // the test does not decide
inline constexpr const char* all[] = {stable, asymptoticallyStable, spectrallyStable, unstable, degenerate};
// "asymptotically_stable" for "asymptotically stable": a word of a path.
inline std::string key(std::string verdict)
{
    std::replace(verdict.begin(), verdict.end(), ' ', '_');
    return verdict;
}
} // namespace verdict

namespace basis {
inline constexpr const char* energyCasimir = "energy-Casimir";
inline constexpr const char* energyMomentum = "energy-momentum";
inline constexpr const char* linearisation = "linearisation";
inline constexpr const char* closedForm = "closed form";
} // namespace basis

// A number (or word) with what it is. A number that does not exist is NaN.
struct Fact {
    Quantity quantity;
    std::variant<double, std::string> value;
    std::string title = {}; // what people read where the word is an id
};

struct SecondVariation {
    std::vector<double> eigenvalues;
    int positive = 0, negative = 0, zero = 0;
};

// A small figure of a configuration, in metres about the point that stays at rest; it turns with the spin
// rate.
struct Sketch {
    std::vector<Polyline> lines;
    std::vector<Mark> marks;
    bool empty() const { return lines.empty() && marks.empty(); }
};

struct Equilibrium {
    std::string name;  // in JSON, CSV and paths
    std::string title; // what people read; empty, where a system has no word: one is given by consistent()
    std::vector<Fact> state; // by the keys of the system's analyze output
    Eigen::VectorXd point;   // the same as a state vector of the system
    double energy = 0;
    std::optional<double> spinRate;
    std::vector<std::complex<double>> eigenvalues; // without the structural zero along each Casimir
    std::vector<Eigen::VectorXd>
        directions; // real directions of departure in the state space, most unstable first
    std::optional<SecondVariation> secondVariation;
    std::string stability;
    std::string basis;
    std::string detail;
    std::vector<Fact> more; // what this system adds: kind, index
    Sketch sketch = {};
};

struct Analysis {
    Status status;
    std::vector<Fact> derived;
    std::vector<Equilibrium> equilibria;
    Entry more = Entry::object(); // the system's own keys, e.g. "homoclinic"
};

// Paths (number_path.h) to how many equilibria there are, and to how many of each verdict.
inline std::vector<std::string> countPaths()
{
    std::vector<std::string> paths{"equilibria.count"};
    for (const char* word : verdict::all)
        paths.push_back("equilibria.count." + verdict::key(word));
    return paths;
}

// A further question `analyze` may be asked: `--energy E`, repeatable.
struct Question {
    Quantity quantity;
    bool repeatable = false;
};

using Answers = std::vector<std::pair<std::string, std::vector<double>>>;

// One statement of a paper, checked when asked.
struct Claim {
    std::string id; // equation, theorem, figure
    std::string statement;
    std::string computed;
    double digits = 0;   // of agreement; infinite where the agreement is exact
    std::string verdict; // "holds", "holds as corrected", "fails as printed"
    std::string erratum = {};
    bool expected = true; // false: the claim came out otherwise than our statement of the theory says
};

} // namespace casimir
