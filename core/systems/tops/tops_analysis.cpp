// What `analyze` says of a chain of tops.
#include "core/base/error.h"
#include "core/model/morse_count.h"
#include "core/systems/tops/stability.h"
#include "core/systems/tops/tops_system.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace casimir::tops {

namespace {

constexpr int growthSteps = 64; // in a period

// The growth swings with a beat of several periods; long chains make each of them dear.
int usualGrowthPeriods(int n)
{
    return n <= 8 ? 24 : 8;
}

template <class F>
Entry listOf(int n, F&& f)
{
    Entry list = Entry::array();
    for (int i = 0; i < n; ++i)
        list.push_back(f(i));
    return list;
}

Sketch sketchOf(const Chain& chain, const std::vector<int>& sigma)
{
    Sketch sketch;
    Polyline line;
    double z = 0;
    line.x = {0};
    line.y = {0};
    for (std::size_t i = 0; i < sigma.size(); ++i) {
        const Top& top = chain.tops()[i];
        sketch.marks.push_back(
            {.x = 0, .y = z + sigma[i] * top.c, .colour = Colour::body(static_cast<int>(i))});
        z += sigma[i] * (i + 1 < sigma.size() ? top.s : top.c);
        line.x.push_back(0);
        line.y.push_back(z);
    }
    sketch.lines.push_back(std::move(line));
    return sketch;
}

} // namespace

System::UsualAxes TopsSystem::usualAxes() const
{
    if (setup_.family == "free")
        return {"bodies.0.q", "growth_rate", "bodies.0.q", "g"};
    return {};
}

bool TopsSystem::hasEquilibria() const
{
    return setup_.family == "free" || setup_.family == "single";
}

std::vector<Question> TopsSystem::questions() const
{
    if (!setup_.motion)
        return {};
    return {{{"periods", "N", "periods over which the growth of a disturbance is averaged", ""}, false}};
}

Analysis TopsSystem::analyze(const Answers& answers) const
{
    Analysis analysis;
    const int n = size();
    const auto top = [this](int i) -> const Top& { return chain().tops()[static_cast<std::size_t>(i)]; };
    Entry& more = analysis.more;
    more["m"] = listOf(n, [&](int i) { return top(i).m; });
    more["s"] = listOf(n - 1, [&](int i) { return top(i).s; });
    more["c"] = listOf(n, [&](int i) { return top(i).c; });
    more["a"] = listOf(n, [&](int i) { return chain().a(i); });
    const ExactMotion* motion = setup_.motion ? &*setup_.motion : nullptr;
    const bool nutating = motion && !motion->steady();
    more["P"] = nutating ? Entry(motion->P()) : Entry(nullptr);
    more["J0"] = listOf(n, [&](int i) { return top(i).J0; });
    more["Js"] = listOf(n, [&](int i) { return top(i).Js; });
    more["q"] = listOf(n, [&](int i) { return top(i).q; });
    more["p"] = nutating ? Entry(motion->p()) : Entry(nullptr);
    more["h"] = nutating ? Entry(motion->h()) : Entry(nullptr);
    more["mu"] = setup_.mu ? Entry(*setup_.mu) : Entry(nullptr);
    if (nutating) {
        const Cubic& f = motion->nutation().cubic();
        more["roots"] = {f.x1, f.x2, f.x3};
        more["turning_points"] = {f.x1, f.x2};
    } else {
        more["turning_points"] = nullptr;
    }
    more["period"] = motion ? Entry(motion->period()) : Entry(nullptr);
    more["advance_psi1"] = motion ? Entry(motion->advance(0)) : Entry(nullptr);
    more["advance_psi4"] = motion && motion->planes() > 1 ? Entry(motion->advance(1)) : Entry(nullptr);
    const State start = this->start({});
    const double energy = chain().energy(axes(start), rates(start));
    const double momentum = chain().verticalMomentum(axes(start), rates(start));
    more["energy"] = energy;
    more["Lz"] = momentum;
    const double residual = motion ? motion->residual(32) : std::numeric_limits<double>::quiet_NaN();
    more["residual"] = motion ? Entry(residual) : Entry(nullptr);
    more["inequalities"] = Entry::array();
    for (const Inequality& inequality : setup_.inequalities)
        more["inequalities"].push_back(
            {{"name", inequality.name}, {"value", inequality.value}, {"holds", inequality.holds}});

    analysis.derived = {{{"energy", "H", "energy at the start", "J"}, energy},
                        {{"Lz", "L_z", "vertical angular momentum at the start", "N m s"}, momentum}};
    if (motion) {
        int periods = usualGrowthPeriods(n);
        for (const auto& [id, given] : answers)
            if (id == "periods" && !given.empty()) {
                if (!(given.back() >= 2 && given.back() <= 1000))
                    throw Error(
                        fmt::format("periods = {} is out of range; it must be at least 2 and at most 1000",
                                    given.back()));
                periods = static_cast<int>(given.back());
            }
        const Growth growth = growthAlong(*motion, periods, growthSteps);
        more["growth"] = growth.perPeriod;
        more["growth_periods"] = periods;
        // From rounding to a distance that is seen; slower growth is not told from that along the motion.
        constexpr double rounding = 1e-16, seen = 0.1, slowest = 0.1;
        const bool leaves = growth.perPeriod > slowest;
        const double followed = std::log(seen / rounding) / growth.perPeriod;
        more["followed_periods"] = leaves ? Entry(followed) : Entry(nullptr);
        more["curves"] = listOf(motion->planes(), [&](int g) { return motion->curveName(g); });
        const auto add = [&](Quantity quantity, double value) {
            analysis.derived.push_back({std::move(quantity), value});
        };
        add({"period", "T", nutating ? "period of the nutation" : "period of the precession", "s"},
            motion->period());
        add({"advance_psi1", "Δψ_1", "turn of the first plane in a period", "rad"}, motion->advance(0));
        if (motion->planes() > 1)
            add({"advance_psi4", "Δψ_4", "turn of the second plane in a period", "rad"}, motion->advance(1));
        add({"residual", "", "residual of the full equations", ""}, residual);
        add({"growth", "", "e-folds of a disturbance in T", ""}, growth.perPeriod);
        analysis.derived.push_back({{"followed_periods", "", "periods from rounding to 0.1", ""},
                                    leaves ? std::variant<double, std::string>(followed) : "no end seen"});
        for (int g = 0; g < motion->planes(); ++g)
            analysis.derived.push_back({{g == 0 ? "curve_1" : "curve_4", "",
                                         g == 0 ? "axis 1 draws on its sphere" : "the last axis draws", ""},
                                        motion->curveName(g)});
    } else {
        more["growth"] = nullptr;
    }

    if (!hasEquilibria())
        return analysis;
    // Of the potential, a sum over the axes' spheres; the second variation is that beside a turn, in pairs.
    MorseCount count(0, n);
    int weightless = 0;
    for (int i = 0; i < n; ++i)
        weightless += chain().a(i) == 0;
    for (const VerticalRest& rest : verticalRests(chain())) {
        Equilibrium entry;
        entry.name = rest.name;
        entry.title = rest.title;
        entry.point = State::Zero(stateSize());
        State departure = State::Zero(stateSize());
        for (int i = 0; i < n; ++i) {
            const auto k = static_cast<std::size_t>(i);
            const bool up = rest.sigma[k] > 0;
            entry.state.push_back(
                {{fmt::format("theta_{}", i + 1), fmt::format("θ_{{{}}}", i + 1), "inclination", "rad"},
                 up ? 0.0 : std::numbers::pi});
            entry.point[3 * i + 2] = rest.sigma[k];
            entry.point[6 * n + 3 * i] = rest.sigma[k]; // e_theta at psi = 0
            departure.segment<2>(3 * i) << rest.departure[k].real(), rest.departure[k].imag();
            departure.segment<2>(3 * n + 3 * i) << rest.departureRate[k].real(), rest.departureRate[k].imag();
        }
        entry.energy = rest.energy;
        entry.eigenvalues = rest.eigenvalues;
        if (departure.norm() > 0)
            entry.directions.push_back(departure / departure.norm());
        SecondVariation variation;
        const double scale = std::abs(rest.amended.front()) + std::abs(rest.amended.back());
        for (const double x : rest.amended) {
            variation.eigenvalues.push_back(x);
            ++(x > 1e-12 * scale    ? variation.positive
               : x < -1e-12 * scale ? variation.negative
                                    : variation.zero);
        }
        // H - rate L_z is this potential and the kinetic energy of the motion beside the turn, all positive.
        variation.eigenvalues.insert(variation.eigenvalues.end(), rest.kinetic.begin(), rest.kinetic.end());
        variation.positive += static_cast<int>(rest.kinetic.size());
        entry.secondVariation = variation;
        count.add(variation.negative, variation.zero + weightless);
        entry.stability = rest.stability;
        entry.basis = rest.stability == verdict::stable ? basis::energyMomentum : basis::linearisation;
        entry.detail = rest.detail;
        entry.sketch = sketchOf(chain(), rest.sigma);
        analysis.equilibria.push_back(std::move(entry));
    }
    if (count.listed() < count.least())
        addCounts(analysis, count, "choice",
                  fmt::format("A choice: upright and hanging, of the {:.6g} states in which every axis is "
                              "vertical.",
                              count.least()));
    else
        addCounts(analysis, count);
    return analysis;
}

} // namespace casimir::tops
