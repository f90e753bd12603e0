#include "core/systems/rod/rod/rod_parameters.h"

#include "core/base/error.h"
#include "core/base/recent_answers.h"
#include "core/numerics/pi.h"
#include "core/systems/rod/rod/rod_branch.h"
#include "core/systems/rod/rod/rod_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace casimir::rod {

namespace {

constexpr double shearFactor = 5.0 / 6; // of the cross-section's area, for both shapes
constexpr double largest = 1e9, smallest = 1e-9;
constexpr Range positive{.min = smallest, .max = largest};
constexpr Range coordinate{.min = -1e3, .max = 1e3};

struct Section {
    double rhoA;
    Vec3 CN, CM, j;
    double radius; // of the tube that stands for it
};

Section sectionOf(const Values& v)
{
    const std::string& kind = v.choice("section");
    if (kind == "free") {
        Section s{v.real("rho_A"),
                  {v.real("GA1"), v.real("GA2"), v.real("EA")},
                  {v.real("EI1"), v.real("EI2"), v.real("GJ")},
                  {v.real("j1"), v.real("j2"), v.real("j3")},
                  0};
        s.radius = 2 * std::sqrt(std::max(s.j[0], s.j[1]) / s.rhoA);
        return s;
    }
    const double E = v.real("E"), G = E / (2 * (1 + v.real("poisson"))), density = v.real("density");
    double A, I1, I2, torsion, radius;
    if (kind == "circular") {
        radius = v.real("radius");
        A = pi * radius * radius;
        I1 = I2 = A * radius * radius / 4;
        torsion = I1 + I2;
    } else {
        const double w = v.real("width"), h = v.real("height");
        A = w * h;
        I1 = A * h * h / 12;
        I2 = A * w * w / 12;
        // Saint-Venant's constant of a rectangle.
        const double a = std::max(w, h), b = std::min(w, h), ratio = b / a;
        torsion = a * b * b * b * (1.0 / 3 - 0.21 * ratio * (1 - std::pow(ratio, 4) / 12));
        radius = std::sqrt(A / pi);
    }
    return {density * A,
            {shearFactor * G * A, shearFactor * G * A, E * A},
            {E * I1, E * I2, G * torsion},
            {density * I1, density * I2, density * (I1 + I2)},
            radius};
}

SpinAxis axisOf(const std::string& id)
{
    if (id == "max")
        return SpinAxis::Maximum;
    if (id == "mid")
        return SpinAxis::Middle;
    if (id == "min")
        return SpinAxis::Minimum;
    return id == "x" ? SpinAxis::X : id == "y" ? SpinAxis::Y : SpinAxis::Z;
}

// The angular momentum of the relative equilibrium; setting it sets the spin rate.
Alias angularMomentumAlias()
{
    Alias alias;
    alias.description =
        realParameter({"angular_momentum", "μ", "angular momentum", "N m s",
                       "Angular momentum of the relative equilibrium; dragging it moves the spin "
                       "rate.",
                       "spin"},
                      4, {.min = 0, .max = largest}, 0, 10);
    alias.read = [](const Values& values) -> std::optional<double> {
        const RodSetup setup = setupOf(values);
        if (setup.omega == 0)
            return 0;
        const RodEquilibrium e = equilibriumOf(setup, setup.natural);
        if (!e.status.ok())
            return std::nullopt;
        return angularMomentum(Rod(setup.natural), e) * setup.units.momentum();
    };
    alias.write = [](const Values& values, double mu) {
        if (!(mu >= 0))
            return Outcome<Values>::refused(
                fmt::format("the angular momentum {} is negative; the spin axis points along it", mu));
        RodSetup setup = setupOf(values);
        Values changed = values;
        if (mu == 0) {
            changed.set("spin_rate", 0.0);
            return Outcome<Values>::of(std::move(changed));
        }
        const Rod rod(setup.natural);
        if (setup.omega == 0)
            setup.omega =
                std::min(0.3, mu / setup.units.momentum() / rod.lockedInertia(atRest(rod, setup.axis))(2, 2));
        const RodEquilibrium from = equilibriumOf(setup, setup.natural);
        const RodEquilibrium e = followToMomentum(rod, from, mu / setup.units.momentum());
        if (!e.status.ok())
            return Outcome<Values>::refused(fmt::format(
                "no relative equilibrium with the angular momentum {} was found; the branch was followed "
                "to the spin rate {:.6g}",
                mu, e.omega / setup.units.time));
        changed.set("spin_rate", e.omega / setup.units.time);
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "spin_rate";
    return alias;
}

// The spin rate in the natural unit √(EI/ρ_A L⁴).
Alias naturalSpinAlias()
{
    Alias alias;
    alias.description =
        realParameter({"spin_natural", "ω̂", "spin rate, natural units", "",
                       "The spin rate in units of √(EI/ρ_A L⁴), EI the softer of the two.", "spin"},
                      3, {.min = 0, .max = largest}, 0, 10);
    alias.read = [](const Values& values) -> std::optional<double> { return setupOf(values).omega; };
    alias.write = [](const Values& values, double x) {
        if (!(x >= 0))
            return Outcome<Values>::refused(fmt::format("the spin rate {} is negative", x));
        Values changed = values;
        changed.set("spin_rate", x / setupOf(values).units.time);
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "spin_rate";
    return alias;
}

std::string inconsistency(const Values& values)
{
    try {
        (void)Rod(setupOf(values).natural);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

Parameter shownFor(Parameter parameter, std::string section)
{
    parameter.shown = [section = std::move(section)](const Values& v) {
        const std::string& chosen = v.choice("section");
        return section == "solid" ? chosen != "free" : chosen == section;
    };
    return parameter;
}

void addBody(std::vector<Parameter>& all)
{
    all.push_back(realParameter({"M_B", "M_B", "mass of the body", "kg", "Mass of the rigid body.", "body"},
                                5, positive, 0.1, 100, Scale::Logarithmic));
    const double inertias[] = {0.4, 0.4, 0.7};
    for (int k = 0; k < 3; ++k)
        all.push_back(
            realParameter({fmt::format("JB{}", k + 1), fmt::format("J_{{B{}}}", k + 1),
                           fmt::format("inertia of the body about its axis {}", k + 1), "kg m²",
                           "Principal moment of inertia of the body about its own mass centre.", "body"},
                          inertias[k], positive, 0.05, 20, Scale::Logarithmic));
    const char* letters[] = {"x", "y", "z"};
    const double r0[] = {0.3, 0, 0}, d3[] = {1, 0, 0};
    for (int k = 0; k < 3; ++k)
        all.push_back(
            realParameter({fmt::format("r0{}", letters[k]), fmt::format("r_{{0{}}}", letters[k]),
                           fmt::format("clamp from the mass centre, {}", letters[k]), "m",
                           "Where the rod is clamped, in the body's frame from its mass centre.", "clamp"},
                          r0[k], coordinate, -1, 1));
    for (int k = 0; k < 3; ++k)
        all.push_back(realParameter(
            {fmt::format("d3{}", letters[k]), fmt::format("d_{{3{}}}", letters[k]),
             fmt::format("direction of the rod, {}", letters[k]), "",
             "Direction of the undeformed rod in the body's frame; its length does not matter.", "clamp"},
            d3[k], {.min = -1e3, .max = 1e3}, -1, 1));
}

void addSection(std::vector<Parameter>& all)
{
    const auto real = [](const char* id, const char* symbol, const char* name, const char* unit,
                         const char* meaning, double standard, double low, double high,
                         Range range = positive) {
        return realParameter({id, symbol, name, unit, meaning, "rod"}, standard, range, low, high,
                             Scale::Logarithmic);
    };
    all.push_back(real("L", "L", "length of the rod", "m", "Length of the undeformed rod.", 1, 0.1, 10,
                       {.min = 1e-4, .max = 1e5}));
    all.push_back(choiceParameter(
        {"section", "section", "cross-section", "",
         "Round or rectangular and of one material, or stiffnesses given freely.", "rod"},
        {{"circular", "circular"}, {"rectangular", "rectangular"}, {"free", "free"}}, "free"));
    all.push_back(shownFor(
        real("radius", "a", "radius", "m", "Radius of the circular section.", 0.01, 1e-3, 0.1), "circular"));
    all.push_back(
        shownFor(real("width", "w", "width", "m", "Width of the section, along d_1.", 0.02, 1e-3, 0.1),
                 "rectangular"));
    all.push_back(
        shownFor(real("height", "b", "height", "m", "Height of the section, along d_2.", 0.01, 1e-3, 0.1),
                 "rectangular"));
    all.push_back(shownFor(real("E", "E", "Young's modulus", "Pa", "Stiffness of the material in tension.",
                                1e6, 1e5, 2e11, {.min = 1, .max = 1e13}),
                           "solid"));
    Parameter poisson =
        realParameter({"poisson", "ν", "Poisson's ratio", "",
                       "How much the material narrows when stretched; with it G = E/(2(1+ν)).", "rod"},
                      0.3, {.min = -0.9, .max = 0.5}, 0, 0.5);
    all.push_back(shownFor(std::move(poisson), "solid"));
    all.push_back(shownFor(real("density", "ρ", "density", "kg/m³", "Density of the material.", 1000, 100,
                                2e4, {.min = 1e-3, .max = 1e6}),
                           "solid"));
    all.push_back(shownFor(
        real("rho_A", "ρ_A", "mass per length", "kg/m", "Mass of the rod per length.", 1, 0.05, 20), "free"));
    const auto stiffness = [&](const char* id, const char* symbol, const char* name, const char* unit,
                               double standard, double high) {
        all.push_back(
            shownFor(real(id, symbol, name, unit, "Stiffness of the section.", standard, 0.1, high), "free"));
    };
    stiffness("GA1", "GA_1", "shear stiffness along d_1", "N", 128.205128205128205, 1e4);
    stiffness("GA2", "GA_2", "shear stiffness along d_2", "N", 128.205128205128205, 1e4);
    stiffness("EA", "EA", "stiffness in tension", "N", 400, 1e5);
    stiffness("EI1", "EI_1", "bending stiffness about d_1", "N m²", 1, 100);
    stiffness("EI2", "EI_2", "bending stiffness about d_2", "N m²", 1, 100);
    stiffness("GJ", "GJ", "torsional stiffness", "N m²", 0.76923076923076923, 100);
    for (const auto& [id, symbol, standard] :
         {std::tuple{"j1", "j_1", 0.0025}, std::tuple{"j2", "j_2", 0.0025}, std::tuple{"j3", "j_3", 0.005}})
        all.push_back(
            shownFor(real(id, symbol, "section inertia per length", "kg m",
                          "Moment of inertia of the section per length of the rod.", standard, 1e-4, 0.1),
                     "free"));
    all.push_back(integerParameter(
        {"N", "N", "elements", "", "Number of finite elements along the rod.", "rod"}, 16, 2, 512));
}

void addSpin(std::vector<Parameter>& all)
{
    all.push_back(realParameter({"spin_rate", "ω", "spin rate", "rad/s",
                                 "Rate at which body and rod turn as a whole; continued from rest.", "spin"},
                                3, {.min = 0, .max = 1e6}, 0, 10));
    all.push_back(
        choiceParameter({"spin_axis", "axis", "spin axis", "",
                         "Principal axis of the undeformed whole from which the branch starts: by moment of "
                         "inertia, or the one nearest to an axis of the body.",
                         "spin"},
                        {{"max", "maximum inertia"},
                         {"mid", "middle inertia"},
                         {"min", "minimum inertia"},
                         {"x", "body x"},
                         {"y", "body y"},
                         {"z", "body z"}},
                        "z"));
    all.push_back(
        choiceParameter({"branch", "branch", "branch", "",
                         "The branch that starts at rest, or the one that forks from it first.", "spin"},
                        {{"primary", "from rest"}, {"bent", "bent"}}, "primary"));
    all.push_back(realParameter(
        {"damping", "τ", "damping in the rod", "s",
         "Time constant of the rod's viscosity: stress = C (ε + τ dε/dt). It takes energy and no "
         "momentum.",
         "motion"},
        0, {.min = 0, .max = 1e3}, 0, 0.05));
    all.push_back(
        realParameter({"spin_search_max", "ω_{max}", "critical spin sought up to", "rad/s",
                       "Up to this spin rate the branch is searched for changes of the verdict.", "analysis"},
                      10, {.min = 0, .max = 1e6}, 0, 40));
    all.push_back(choiceParameter(
        {"accuracy", "accuracy", "accuracy", "",
         "Numbers at N elements, or extrapolated from N/4, N/2 and N (N a multiple of 4).", "analysis"},
        {{"plain", "N elements"}, {"extrapolated", "extrapolated"}}, "plain"));
}

struct Asked {
    RodParameters parameters;
    SpinAxis axis;
    double omega;
    bool bent;
    double limit; // of the search for the fork; 0 on the branch from rest, which needs none
    bool operator==(const Asked&) const = default;
};

} // namespace

Schema rodSchema()
{
    std::vector<Parameter> all;
    addBody(all);
    addSection(all);
    addSpin(all);
    return Schema(std::move(all), {angularMomentumAlias(), naturalSpinAlias()}, inconsistency);
}

RodSetup setupOf(const Values& v)
{
    const Section s = sectionOf(v);
    RodSetup setup;
    const double L = v.real("L");
    RodUnits& u = setup.units;
    u.length = L;
    u.mass = s.rhoA * L;
    u.time = L * L * std::sqrt(s.rhoA / std::min(s.CM[0], s.CM[1]));
    RodParameters& p = setup.natural;
    p.bodyMass = v.real("M_B") / u.mass;
    p.bodyInertia = Vec3(v.real("JB1"), v.real("JB2"), v.real("JB3")) / u.inertia();
    p.r0 = Vec3(v.real("r0x"), v.real("r0y"), v.real("r0z")) / L;
    const Vec3 direction(v.real("d3x"), v.real("d3y"), v.real("d3z"));
    if (!(direction.norm() > 1e-12))
        throw Error("the direction of the rod (d3x, d3y, d3z) is zero; it must point somewhere");
    p.d3 = direction.normalized();
    p.length = 1;
    p.rhoA = 1;
    p.CN = s.CN * (u.length / u.energy());
    p.CM = s.CM / (u.energy() * u.length);
    p.j = s.j * (u.length / u.inertia());
    p.elements = static_cast<int>(v.integer("N"));
    setup.axis = axisOf(v.choice("spin_axis"));
    setup.omega = v.real("spin_rate") * u.time;
    setup.searchLimit = v.real("spin_search_max") * u.time;
    setup.damping = v.real("damping") / u.time;
    setup.bent = v.choice("branch") == "bent";
    setup.extrapolated = v.choice("accuracy") == "extrapolated";
    setup.sectionRadius = s.radius;
    if (!std::isfinite(setup.omega) || !p.CN.allFinite() || !p.CM.allFinite() || !p.j.allFinite() ||
        !p.bodyInertia.allFinite())
        throw Error(
            fmt::format("the rod's natural time √(ρ_A L⁴/EI) = {} s is beyond what can be computed", u.time));
    return setup;
}

RodEquilibrium equilibriumOf(const RodSetup& setup, const RodParameters& parameters)
{
    static RecentAnswers<RodEquilibrium, Asked> known(12); // a pure function's last answers
    const Asked asked{parameters, setup.axis, setup.omega, setup.bent, setup.bent ? setup.searchLimit : 0};
    if (const auto answer = known.find(asked))
        return *answer;
    const Rod rod(parameters);
    RodEquilibrium e;
    if (setup.bent) {
        const double limit = std::max(setup.searchLimit, setup.omega);
        if (auto bent = bentBranch(rod, setup.axis, setup.omega, limit))
            e = std::move(*bent);
        else {
            e = followFromRest(rod, setup.axis, setup.omega);
            e.status = Status::failed(
                "no-branch", fmt::format("No branch forks from the one that starts at rest below the spin "
                                         "rate {:.6g}; the last good state shown is on that one.",
                                         limit / setup.units.time));
        }
    } else {
        e = followFromRest(rod, setup.axis, setup.omega);
    }
    RodEquilibrium none;
    none.status = Status::failed("no-branch", "");
    if (e.status.ok())
        e = heldToTheContinuum(rod, e, [&](double omega) {
            return setup.bent ? bentBranch(rod, setup.axis, omega, std::max(setup.searchLimit, setup.omega))
                                    .value_or(none)
                              : followFromRest(rod, setup.axis, omega);
        });
    if (e.status.code == "no-continuum")
        e.status.sentence = fmt::format(
            "At the spin rate {:.6g} rad/s the elements have a state that the rod has not. {} The "
            "last good one has {:.4g} rad/s.",
            setup.omega / setup.units.time, e.status.sentence, e.omega / setup.units.time);
    if (e.status.code == "no-equilibrium" || e.status.code == "not-converged")
        e.status.sentence =
            fmt::format("No relative equilibrium was found at the spin rate {:.6g} rad/s on this branch; the "
                        "last good one has {:.6g} "
                        "rad/s (stretch beyond the linear law, a turning point, or no convergence).",
                        setup.omega / setup.units.time, e.omega / setup.units.time);
    known.add(asked, std::make_shared<RodEquilibrium>(e));
    return e;
}

std::shared_ptr<const std::vector<CriticalSpin>> criticalSpinsOf(const RodSetup& setup)
{
    static RecentAnswers<std::vector<CriticalSpin>, Asked> known(6);
    const Asked asked{setup.natural, setup.axis, setup.bent ? setup.omega : 0, setup.bent, setup.searchLimit};
    if (auto answer = known.find(asked))
        return answer;
    const Rod rod(setup.natural);
    RodEquilibrium from{.at = atRest(rod, setup.axis)};
    if (setup.bent)
        from = equilibriumOf(setup, setup.natural);
    const auto found = std::make_shared<std::vector<CriticalSpin>>();
    constexpr int most = 6;
    for (int k = 0; k < most && from.status.ok(); ++k) {
        const auto next = nextCritical(rod, from, setup.searchLimit);
        if (!next)
            break;
        found->push_back(*next);
        from = follow(rod, next->below, next->omega * (1 + 1e-6));
    }
    known.add(asked, found);
    return found;
}

} // namespace casimir::rod
