#include "core/systems/planar/three_body/three_body_chaos.h"

#include "core/base/error.h"
#include "core/numerics/lyapunov.h"
#include "core/numerics/parallel.h"
#include "core/numerics/pi.h"
#include "core/systems/planar/chaos_plots.h"
#include "core/systems/planar/splitting/attached_body.h"
#include "core/systems/planar/splitting/splitting_plot.h"
#include "core/systems/planar/three_body/three_body_section.h"
#include "core/systems/planar/three_body/three_body_system.h"
#include "core/systems/planar/two_body/two_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

namespace casimir::planar {

namespace {

constexpr double crossingAccuracy = 1e-10; // relative, of the integration between crossings
constexpr int rareVisits = 10;             // crossings of an orbit for one in the part that is seen, at most
constexpr int rimColumns = 360;
constexpr int mapCells = 96; // a side

std::vector<Parameter> sectionOptions()
{
    Parameter energy =
        realParameter({"energy", "H", "energy", "J",
                       "Of every orbit in the picture; left automatic, that of the start.", ""},
                      automaticValue, {.min = 0, .max = 1e300}, 0, 10);
    energy.automatic = true;
    return {choiceParameter({"angle", "", "section through", "",
                             "The joint angle that a point of the section has passed.", ""},
                            {{"theta21", "θ₂₁"}, {"theta32", "θ₃₂"}}, "theta21"),
            choiceParameter({"at", "", "at", "", "The value at which that angle passes, growing.", ""},
                            {{"0", "0"}, {"pi", "π"}}, "0"),
            std::move(energy)};
}

// The largest mean inertia of the shapes, so that a turn is rather long than short.
double turnRate(const ThreeBody& bodies, double energy)
{
    return std::sqrt(2 * energy / bodies.augmentedInertias().sum());
}

ThreeBodySection sectionOf(const ThreeBody& bodies, const Vector5d& start, const Values& options)
{
    const double given = options.real("energy");
    return {bodies,
            options.choice("angle") == "theta21" ? ThreeBodySection::Angle::Theta21
                                                 : ThreeBodySection::Angle::Theta32,
            options.choice("at") == "0" ? 0 : pi, given > 0 ? given : bodies.hamiltonian<double>(start)};
}

// The frame of a section: axes, and the rim of what the energy allows.
Plot framed(const ThreeBodySection& section)
{
    const bool first = section.angle() == ThreeBodySection::Angle::Theta21;
    Plot plot;
    plot.x = {first ? three_body::theta32 : three_body::theta21, -pi, pi};
    plot.automatic = {{"energy", section.energy()}};
    const auto all = section.momenta();
    const double margin = all ? 0.04 * (all->second - all->first) : 0;
    plot.y.quantity = first ? Quantity{"mu3", "μ_3", "momentum conjugate to the angle of body 3", "N m s"}
                            : Quantity{"minus_mu1", "−μ_1", "momentum conjugate to θ_{21}", "N m s"};
    if (!all || !(margin > 0)) {
        plot.y.min = -1;
        plot.note = fmt::format("No state of this section has the energy {:.6g} J.", section.energy());
        return plot;
    }
    plot.y.min = all->first - margin;
    plot.y.max = all->second + margin;

    const auto inside = [&](double q) { return section.momenta(q).has_value(); };
    // Where the section ends between two columns, to rounding.
    const auto edge = [&](double in, double out) {
        for (int k = 0; k < 50; ++k) {
            const double middle = 0.5 * (in + out);
            (inside(middle) ? in : out) = middle;
        }
        return in;
    };
    Polyline upper, lower;
    const auto add = [&](double q) {
        const auto range = section.momenta(q);
        upper.x.push_back(q);
        upper.y.push_back(range->second);
        lower.x.push_back(q);
        lower.y.push_back(range->first);
    };
    const auto finish = [&](bool closed) {
        if (closed) {
            upper.x.insert(upper.x.end(), lower.x.rbegin(), lower.x.rend());
            upper.y.insert(upper.y.end(), lower.y.rbegin(), lower.y.rend());
            lower = {};
        }
        for (Polyline* line : {&upper, &lower})
            if (line->x.size() > 1) {
                line->label = "limit of the energy";
                line->level = section.energy();
                plot.lines.push_back(std::move(*line));
            }
        upper = lower = {};
    };
    // From a column outside, so that every piece is met whole; where there is none both sides run around.
    int begin = 0;
    const auto column = [](int k) { return -pi + 2 * pi * k / rimColumns; };
    while (begin < rimColumns && inside(column(begin)))
        ++begin;
    if (begin == rimColumns) {
        for (int k = 0; k <= rimColumns; ++k)
            add(column(k));
        finish(false);
        return plot;
    }
    for (int k = begin; k < begin + rimColumns; ++k) {
        const double q = column(k), next = column(k + 1);
        if (inside(q))
            add(q);
        if (inside(q) && !inside(next)) {
            add(edge(q, next));
            finish(true);
        } else if (!inside(q) && inside(next)) {
            add(edge(next, q));
        }
    }
    // The axis shows what there is, unless that lies across the seam.
    if (!inside(column(0))) {
        double low = pi, high = -pi;
        for (const Polyline& line : plot.lines)
            for (const double q : line.x) {
                low = std::min(low, q);
                high = std::max(high, q);
            }
        const double around = 0.05 * (high - low);
        plot.x.min = std::max(low - around, -pi);
        plot.x.max = std::min(high + around, pi);
    }
    return plot;
}

Plot sectionPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request)
{
    const Values& options = request.options;
    const ThreeBodySection section = sectionOf(bodies, start, options);
    Plot plot = framed(section);
    plot.id = "section";
    plot.title = "Poincaré section";
    if (!plot.note.empty())
        return plot;
    const int orbits = static_cast<int>(options.integer("orbits")),
              crossings = static_cast<int>(options.integer("crossings"));
    // A part that is looked at closely has orbits of its own, each followed until it has come by often enough
    // or has shown that it seldom does.
    std::optional<SectionWindow> window;
    if (request.window)
        window = {request.window->xMin, request.window->xMax, request.window->yMin, request.window->yMax};
    const int mostCrossings = window ? rareVisits * crossings : crossings;
    std::vector<Vector5d> seeds = section.seeds(orbits, window);
    const bool own = !(options.real("energy") > 0);
    if (own) // the present orbit first: it is looked for first
        seeds.insert(seeds.begin(), start);
    if (window && seeds.size() == (own ? 1u : 0u))
        plot.note = "The energy does not reach this part of the section.";
    plot.clouds.resize(seeds.size());
    for (std::size_t k = 0; k < seeds.size(); ++k) {
        const bool present = own && k == 0;
        plot.clouds[k].colour =
            present ? Colour::motion(0)
                    : Colour::motion(1 + static_cast<int>(k)); // neighbours in hues that are told apart
        plot.clouds[k].size = present ? 1.5 : 1;
        plot.clouds[k].label = present ? "orbit of the start" : "";
    }

    const double tMax = (200.0 + 10.0 * mostCrossings) * typicalTurn(bodies, section.energy());
    std::mutex mutex;
    struct Count {
        int all = 0, seen = 0;
    };
    std::vector<Count> counts(seeds.size());
    const auto found = [&](int i, double, const Vector5d& z) {
        const Eigen::Vector2d c = section.coordinates(z);
        const double q = principalAngle(c.x());
        Count& count = counts[static_cast<std::size_t>(i)];
        const std::lock_guard lock(mutex);
        ++count.all;
        if (!window || window->contains(q, c.y())) {
            ++count.seen;
            PointCloud& cloud = plot.clouds[static_cast<std::size_t>(i)];
            cloud.x.push_back(q);
            cloud.y.push_back(c.y());
        }
        return count.seen < crossings && count.all < mostCrossings;
    };
    (void)section.followAll(seeds, tMax, crossingAccuracy, found, [&] {
        if (request.cancelled && request.cancelled())
            return false;
        if (request.publish) {
            std::unique_lock lock(mutex);
            Plot now = plot;
            double done = 0;
            for (const Count& count : counts)
                done += std::max(static_cast<double>(count.seen) / crossings,
                                 static_cast<double>(count.all) / mostCrossings);
            lock.unlock();
            request.publish(std::move(now), done / static_cast<double>(counts.size()));
        }
        return true;
    });
    // The present orbit is drawn over the others.
    if (own) {
        std::rotate(plot.clouds.begin(), plot.clouds.begin() + 1, plot.clouds.end());
        if (counts.front().all == 0)
            plot.note = "The orbit of the start does not cross this section.";
    }
    return plot;
}

Plot exponentPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request)
{
    const double energy = bodies.hamiltonian<double>(start), turns = request.options.real("turns");
    return lyapunovPlot(
        request, energy > 0 ? typicalTurn(bodies, energy) : 0, turns, 1, [&](const LyapunovSample& sample) {
            return !std::isnan(lyapunovExponent(
                bodies, start, turns, 0, [&](double t, double mean) { return sample(t, {mean}); },
                [&] { return !(request.cancelled && request.cancelled()); }));
        });
}

Plot lyapunovMapPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request)
{
    const ThreeBodySection section = sectionOf(bodies, start, request.options);
    const double turns = request.options.real("turns");
    Plot plot = framed(section);
    plot.id = "lyapunov-map";
    plot.title = "Largest Lyapunov exponent over a section";
    if (!plot.note.empty())
        return plot;
    HeatMap map;
    map.quantity = {"lambda", "λ", "largest Lyapunov exponent", "1/s"};
    refineMap(plot, request, map, mapCells, [&](int side, std::vector<float>& values, const auto& report) {
        const auto tile = [&](int i, const std::atomic<bool>& stop) {
            const int column = i % side, row = i / side;
            const double q = plot.x.min + (column + 0.5) / side * (plot.x.max - plot.x.min),
                         p = plot.y.min + (row + 0.5) / side * (plot.y.max - plot.y.min);
            if (const auto z = section.state(q, p))
                values[static_cast<std::size_t>(i)] =
                    static_cast<float>(lyapunovExponent(bodies, *z, turns, 0.1, {}, [&] { return !stop; }));
        };
        return runOnAllCores(side * side, tile, report);
    });
    return plot;
}

// The third body as the disturbance: eps is d1, and the rotor has the momentum mu3 of the start.
Plot attachedPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request)
{
    SplittingPicture picture;
    picture.phase = {"phase", "y_0", "angle θ_{32} where bodies 1 and 2 are stretched", "rad"};
    picture.distance = {"dmu3", "μ_{3u} − μ_{3s}", "distance of the manifolds at equal energy", "N m s"};
    picture.period = 2 * pi;
    picture.eps = bodies.parameters().d1; // the distance at which body 3 is hinged
    if (!(picture.eps > 0))
        return noSplitting(picture,
                           "With d_1 = 0 body 3 is a free rotor, and the homoclinic orbit stays whole.");
    try {
        const AttachedBody attached(bodies.parameters(), start[4],
                                    request.options.choice("branch") == "growing" ? 1 : -1,
                                    request.cancelled);
        const double sign = attached.saddleRate() > 0 ? 1 : -1;
        picture.predicted = [&](double phase) { return picture.eps * attached.melnikov(sign * phase); };
        picture.measure = [&attached](double eps, int samples, const auto& goOn) {
            return attached.splitting(eps, samples, goOn);
        };
        return splittingPlot(picture, request);
    } catch (const Error& error) {
        return noSplitting(picture, error.what());
    }
}

} // namespace

double typicalTurn(const ThreeBody& bodies, double energy)
{
    return 2 * pi / turnRate(bodies, energy);
}

double lyapunovExponent(const ThreeBody& bodies, const Vector5d& start, double turns, double settling,
                        const std::function<bool(double, double)>& sample, const std::function<bool()>& goOn)
{
    const double turn = typicalTurn(bodies, bodies.hamiltonian<double>(start));
    const VariationalFlow flow{
        [&bodies](double, const State& x, State& rate) { rate = bodies.reducedField<double>(Vector5d(x)); },
        // The derivative along v by a complex step, exact to rounding.
        [&bodies](double, const State& x, const State& v, State& rate) {
            constexpr double h = 1e-30;
            Vec5<std::complex<double>> z;
            for (Eigen::Index k = 0; k < 5; ++k)
                z[k] = {x[k], h * v[k]};
            rate = bodies.reducedField<std::complex<double>>(z).imag() / h;
        }};
    return largestLyapunov(flow, State(start),
                           {.tEnd = turns * turn, .interval = turn / 4, .settling = settling, .goOn = goOn},
                           sample);
}

std::vector<PlotInfo> chaosPlots()
{
    std::vector<Parameter> section = sectionOptions(), map = sectionOptions();
    section.push_back(integerParameter(
        {"orbits", "", "orbits", "", "Orbits spread over the section, beside that of the start.", ""}, 20, 0,
        200));
    section.push_back(
        integerParameter({"crossings", "", "crossings", "", "Of each orbit.", ""}, 300, 1, 5000));
    map.push_back(turnsOption(60));
    return {{.id = "section",
             .title = "Section",
             .picksState = true,
             .longRunning = true,
             .followsStart = true,
             .followsWindow = true,
             .options = std::move(section)},
            {.id = "lyapunov",
             .title = "Lyapunov exponent",
             .longRunning = true,
             .followsStart = true,
             .options = {turnsOption(500)}},
            {.id = "lyapunov-map",
             .title = "Map of exponents",
             .picksState = true,
             .longRunning = true,
             .followsStart = true,
             .options = std::move(map)},
            {.id = "splitting",
             .title = "Attached body",
             .longRunning = true,
             .followsStart = true,
             .options = splittingOptions()}};
}

std::optional<Plot> chaosPlot(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request)
{
    if (request.id == "section")
        return sectionPlot(bodies, start, request);
    if (request.id == "lyapunov")
        return exponentPlot(bodies, start, request);
    if (request.id == "lyapunov-map")
        return lyapunovMapPlot(bodies, start, request);
    if (request.id == "splitting")
        return attachedPlot(bodies, start, request);
    return std::nullopt;
}

std::optional<Vector5d> chaosPick(const ThreeBody& bodies, const Vector5d& start, const PlotRequest& request,
                                  double x, double y)
{
    if ((request.id != "section" && request.id != "lyapunov-map") || !std::isfinite(x) || !std::isfinite(y))
        return std::nullopt;
    return sectionOf(bodies, start, request.options).state(principalAngle(x), y);
}

} // namespace casimir::planar
