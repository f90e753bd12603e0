// The parameters of a chain of tops and the aliases among them: roots of the cubic, the flywheel's mass, the
// paper's constants.
#include "core/base/error.h"
#include "core/numerics/pi.h"
#include "core/systems/tops/tops_setup.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::tops {

namespace {

constexpr Range anyMass{.min = 1e-6, .max = 1e6};
constexpr Range anyInertia{.min = 1e-9, .max = 1e6};
constexpr Range anyLength{.min = -1e3, .max = 1e3};
constexpr Range someLength{.min = 1e-4, .max = 1e3};
constexpr Range anySpin{.min = -1e6, .max = 1e6};
constexpr Range anyAngle{.min = -1e4, .max = 1e4};
constexpr Range anyRate{.min = -1e4, .max = 1e4};

bool nutates(const Values& values)
{
    return is(values, "family", "single") || is(values, "family", "kharlamov") ||
           is(values, "family", "chebanov");
}
bool built(const Values& values, const char* family)
{
    return is(values, "family", family) && is(values, "geometry", "constructed");
}
bool fourTops(const Values& values)
{
    return built(values, "chebanov");
}
bool lifted(const Values& values)
{
    return fourTops(values) && is(values, "coupling", "lifted");
}
// Four tops with R = 0, as in the paper.
bool flywheel(const Values& values)
{
    return fourTops(values) && !is(values, "coupling", "lifted");
}
bool similar(const Values& values)
{
    return built(values, "kharlamov");
}

std::vector<Parameter> bodyFields()
{
    const auto real = [](const char* id, const char* symbol, const char* name, const char* unit,
                         const char* meaning, double standard, Range range, double low, double high,
                         Scale scale = Scale::Linear) {
        return realParameter({id, symbol, name, unit, meaning, ""}, standard, range, low, high, scale);
    };
    return {
        real("m", "m", "mass", "kg", "Mass of the top.", 1, anyMass, 0.1, 10, Scale::Logarithmic),
        real("c", "c", "mass centre", "m",
             "From the lower joint to the centre of mass, signed along the axis.", 0.3, anyLength, -1, 1),
        real("s", "s", "next joint", "m", "From the lower joint to the next one, signed along the axis.", 0.5,
             anyLength, -1, 1),
        real("J0", "J^0", "equatorial inertia", "kg m²",
             "Central moment of inertia about a line across the axis.", 0.02, anyInertia, 0.001, 1,
             Scale::Logarithmic),
        real("Js", "J^s", "axial inertia", "kg m²", "Moment of inertia about the axis; at most twice J^0.",
             0.03, anyInertia, 0.001, 1, Scale::Logarithmic),
        real("q", "q", "spin", "rad/s",
             "Angular velocity about the axis, constant; computed where the family needs a "
             "certain one.",
             60, anySpin, -100, 100),
        real("theta", "θ", "inclination", "rad",
             "Angle of the axis against the upward vertical at the start.", 0.6, anyAngle, -pi, pi),
        real("psi", "ψ", "azimuth", "rad", "Angle of the axis about the vertical at the start.", 0, anyAngle,
             -pi, pi),
        real("dtheta", "θ'", "rate of inclination", "rad/s", "At the start.", 0, anyRate, -5, 5),
        real("dpsi", "ψ'", "rate of azimuth", "rad/s", "At the start.", 0, anyRate, -5, 5),
        integerParameter({"delta", "δ", "side", "",
                          "1 where the top lies opposite in its plane, ψ + π; for a given "
                          "geometry of similar tops or two planes.",
                          ""},
                         0, -1, 1),
    };
}

// One of the three roots: read from the motion, written as a part of the allowed interval.
Alias rootAlias(int which)
{
    const std::string id = fmt::format("x{}", which);
    Alias alias;
    alias.description = realParameter(
        {id, fmt::format("x_{}", which), which < 3 ? "turning point" : "third root", "",
         which < 3 ? "cos θ_1 where the nutation turns; |μ cos θ_1| stays below 1."
                   : "The third root of the cubic, beyond ±1 on the side that gravity pulls to.",
         "roots"},
        0, {.min = -1e4, .max = 1e4}, which < 3 ? -1 : -10, which < 3 ? 1 : 10);
    alias.description.shown = nutates;
    alias.read = [which](const Values& values) -> std::optional<double> {
        if (!nutates(values))
            return std::nullopt;
        try {
            const Setup setup = setupFrom(values);
            const Cubic& f = setup.motion->nutation().cubic();
            return which == 1 ? f.x1 : which == 2 ? f.x2 : f.x3;
        } catch (const Error&) {
            return std::nullopt;
        }
    };
    alias.write = [which](const Values& values, double x) {
        if (!nutates(values))
            return Outcome<Values>::refused("only nutating families have a cubic");
        RootChoice choice = rootChoice(values);
        if (choice.u1 > choice.u2)
            std::swap(choice.u1, choice.u2);
        if (which == 3) {
            const double A = setupFrom(values).motion->nutation().cubic().A;
            if (!(x * A > 0 && std::abs(x) >= 1))
                return Outcome<Values>::refused(
                    fmt::format("the third root must be {}", A > 0 ? "at least 1" : "at most -1"));
            choice.x3 = std::abs(x);
        } else {
            double u = x / rootBound(values);
            if (std::abs(u) > 1 && std::abs(u) < 1 + 1e-12)
                u = std::copysign(1, u);
            if (!(std::abs(u) <= 1))
                return Outcome<Values>::refused(
                    fmt::format("|cos θ_1| must stay below {}, or an angle is not real", rootBound(values)));
            if (which == 1 && u > choice.u2)
                return Outcome<Values>::refused("x_1 must stay below x_2");
            if (which == 2 && u < choice.u1)
                return Outcome<Values>::refused("x_2 must stay above x_1");
            (which == 1 ? choice.u1 : choice.u2) = u;
        }
        Values changed = values;
        setRootChoice(changed, choice);
        return Outcome<Values>::of(std::move(changed));
    };
    return alias;
}

// c1 and m1 are two faces of one number, the part of the interval that c1 may lie in.
Alias flywheelAlias(bool mass)
{
    Alias alias;
    alias.description =
        mass ? realParameter({"m1", "m_1", "mass of top 1", "kg",
                              "Computed so that the class exists; it has a least value, and moves c_1.",
                              "four tops"},
                             225, {.min = 1e-9, .max = 1e15}, 100, 1000, Scale::Logarithmic)
             : realParameter({"c1", "c_1", "mass centre of top 1", "m",
                              "Between −P_4/a_2 and 0: top 1 is a heavy counterweight.", "four tops"},
                             -0.1, anyLength, -0.2, 0.2);
    alias.description.shown = flywheel;
    alias.linked = "c1_part";
    alias.read = [mass](const Values& values) -> std::optional<double> {
        if (!flywheel(values))
            return std::nullopt;
        const DesignedChain made = fourTopChain(fourTopDesign(values));
        if (made.tops.empty())
            return std::nullopt;
        return mass ? made.tops[0].m : made.tops[0].c;
    };
    alias.write = [mass](const Values& values, double x) {
        if (!flywheel(values))
            return Outcome<Values>::refused("only the constructed chain of four tops with R = 0 has it");
        FourTopDesign design = fourTopDesign(values);
        const double present = design.part;
        design.part = 0.5; // c1 and m1 at the least mass
        const DesignedChain half = fourTopChain(design);
        if (half.tops.empty())
            return Outcome<Values>::refused("the chain does not exist at these values");
        double part = x / half.tops[0].c * 0.5;
        if (mass) {
            // m1 = m1min/(4 part (1 - part)).
            const double ratio = half.tops[0].m / x;
            if (!(ratio <= 1))
                return Outcome<Values>::refused(fmt::format("m_1 must be at least {:.10g}", half.tops[0].m));
            const double away = std::sqrt(1 - ratio) / 2;
            // Of the two solutions the one on the present side, without loss of digits for the smaller.
            part = present >= 0.5 ? 0.5 + away : ratio / 4 / (0.5 + away);
        }
        if (!(part > 0 && part < 1))
            return Outcome<Values>::refused(
                fmt::format("c_1 must lie between {:.10g} and 0", 2 * half.tops[0].c));
        Values changed = values;
        changed.set("c1_part", part);
        return Outcome<Values>::of(std::move(changed));
    };
    return alias;
}

// The paper's constants of integration; writing one keeps the other two and looks for the roots.
Alias constantAlias(int which)
{
    static constexpr std::array ids{"p1", "p4", "q4"};
    static constexpr std::array symbols{"p_1", "p_4", "q_4"};
    const auto index = static_cast<std::size_t>(which);
    Alias alias;
    alias.description = realParameter(
        {ids[index], symbols[index], which < 2 ? "momentum constant" : "spin of top 4",
         which < 2 ? "N m s" : "rad/s",
         "One of the three constants that the paper chooses freely; not every choice leaves a real motion.",
         "constants"},
        0, {.min = -1e9, .max = 1e9}, -100, 100);
    const auto here = [](const Values& values) {
        return is(values, "family", "chebanov") &&
               (is(values, "geometry", "constructed") || values.list("bodies").size() == 4);
    };
    alias.description.shown = here;
    const auto constants = [](const Values& values) {
        const Setup setup = setupFrom(values);
        const ExactMotion& motion = *setup.motion;
        return std::array{motion.p()[0], motion.p()[3], motion.chain().tops()[3].q};
    };
    alias.read = [here, constants, index](const Values& values) -> std::optional<double> {
        if (!here(values))
            return std::nullopt;
        try {
            return constants(values)[index];
        } catch (const Error&) {
            return std::nullopt;
        }
    };
    alias.write = [here, constants, index](const Values& values, double x) {
        if (!here(values))
            return Outcome<Values>::refused("only four tops in two planes have it");
        auto three = constants(values);
        three[index] = x;
        const ConstantsOutcome found = fromConstants(*fourTopNumbers(values), three[0], three[1], three[2]);
        using Kind = ConstantsOutcome::Kind;
        switch (found.kind) {
        case Kind::Real:
            break;
        case Kind::ComplexPair:
            return Outcome<Values>::refused(
                "two roots of the cubic are a complex pair: there is no real motion");
        case Kind::AngleNotReal:
            return Outcome<Values>::refused("|μ cos θ_1| > 1 at a turning point: θ_4 is not real");
        case Kind::NoThirdRoot:
            return Outcome<Values>::refused("the third root lies within [−1, 1]: there is no real motion");
        case Kind::Undefined:
            return Outcome<Values>::refused("p_1 must not be 0: it would leave q_1 undetermined");
        }
        Values changed = values;
        setRootChoice(changed, found.choice);
        return Outcome<Values>::of(std::move(changed));
    };
    return alias;
}

std::string inconsistency(const Values& values)
{
    try {
        (void)setupFrom(values);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

} // namespace

Schema topsSchema()
{
    std::vector<Parameter> all;
    const auto add = [&all](Parameter parameter, std::function<bool(const Values&)> shown = {}) {
        parameter.shown = std::move(shown);
        all.push_back(std::move(parameter));
    };
    const auto single = [](const Values& v) { return is(v, "family", "single"); };
    const auto chebanov = [](const Values& v) { return is(v, "family", "chebanov"); };
    add(choiceParameter({"family", "family", "motion", "",
                         "Which motion of which chain: free, or exact (a single top, steady precession, "
                         "Kharlamov's similar motions, "
                         "Chebanov's two planes).",
                         "motion"},
                        {{"free", "Free chain"},
                         {"single", "Single top"},
                         {"steady", "Steady precession"},
                         {"kharlamov", "Similar motions"},
                         {"chebanov", "Two planes"}},
                        "chebanov"));
    add(realParameter({"g", "g", "gravity", "m/s²", "Acceleration of free fall.", "motion"}, 9.81,
                      {.min = 0, .max = 1e4}, 0.1, 20));
    add(choiceParameter({"geometry", "geometry", "geometry", "",
                         "Constructed so that the motion exists, or the table of bodies, checked; the table "
                         "is filled as that of "
                         "a free chain.",
                         "motion"},
                        {{"constructed", "Constructed"}, {"given", "From the table"}}, "constructed"),
        [](const Values& v) { return is(v, "family", "kharlamov") || is(v, "family", "chebanov"); });

    Parameter bodies;
    bodies.id = "bodies";
    bodies.symbol = "B_i";
    bodies.name = "tops";
    bodies.meaning = "The tops from the fixed point O_1 outwards.";
    bodies.group = "bodies";
    bodies.type = ParameterType::List;
    bodies.fields = bodyFields();
    bodies.minCount = 1;
    bodies.maxCount = maxTops;
    RecordList standard;
    for (const double theta : {0.5, -0.7, 0.4}) {
        Record record;
        for (const Parameter& field : bodies.fields)
            record.set(field.id, field.defaultValue);
        record.set("theta", theta);
        standard.push_back(record);
    }
    bodies.defaultValue = standard;
    add(bodies, [](const Values& v) {
        return is(v, "family", "free") || is(v, "family", "steady") ||
               (!is(v, "family", "single") && is(v, "geometry", "given"));
    });
    add(realParameter({"Omega", "Ω", "rate of precession", "rad/s",
                       "The whole planar shape turns about the vertical at this rate; the spins follow.",
                       "motion"},
                      3, anyRate, -10, 10),
        [](const Values& v) { return is(v, "family", "steady"); });

    add(realParameter({"top_m", "m", "mass", "kg", "Mass of the top.", "top"}, 1, anyMass, 0.1, 10,
                      Scale::Logarithmic),
        single);
    add(realParameter(
            {"top_c", "c", "mass centre", "m", "From the fixed point to the centre of mass, signed.", "top"},
            0.3, anyLength, -1, 1),
        single);
    add(realParameter({"top_J0", "J^0", "equatorial inertia", "kg m²", "Central, across the axis.", "top"},
                      0.03, anyInertia, 0.001, 1, Scale::Logarithmic),
        single);
    add(realParameter(
            {"top_Js", "J^s", "axial inertia", "kg m²", "About the axis; at most twice J^0.", "top"}, 0.02,
            anyInertia, 0.001, 1, Scale::Logarithmic),
        single);

    add(choiceParameter({"shape", "shape", "shape of the skeleton", "",
                         "How similar tops lie in their plane.", "similar tops"},
                        {{"folded", "Two, folded"}, {"zigzag", "Three, zigzag"}, {"straight", "Straight"}},
                        "folded"),
        similar);
    add(integerParameter({"links", "n", "number of tops", "", "Of the straight chain.", "similar tops"}, 4, 1,
                         maxTops),
        [](const Values& v) { return similar(v) && is(v, "shape", "straight"); });
    const auto link = [&](const char* id, const char* symbol, const char* name, double value,
                          std::function<bool(const Values&)> shown) {
        add(realParameter({id, symbol, name, "kg", "Mass of the top.", "similar tops"}, value, anyMass, 0.1,
                          10, Scale::Logarithmic),
            std::move(shown));
    };
    link("link_m1", "m_1", "mass of top 1", 2, similar);
    link("link_m2", "m_2", "mass of top 2", 1,
         [](const Values& v) { return similar(v) && !is(v, "shape", "straight"); });
    link("link_m3", "m_3", "mass of top 3", 1,
         [](const Values& v) { return similar(v) && is(v, "shape", "zigzag"); });
    add(realParameter({"link_s", "s", "distance of joints", "m",
                       "s_1 of the folded pair, s_2 of the zigzag, every s of the straight chain.",
                       "similar tops"},
                      0.5, someLength, 0.05, 1),
        similar);
    add(realParameter({"link_c", "c", "mass centre", "m",
                       "c_2 of the folded pair, c_3 of the zigzag, every c of the straight chain.",
                       "similar tops"},
                      0.4, someLength, 0.05, 1),
        similar);
    add(realParameter({"lever_ratio", "a_1/a_3", "ratio of the levers", "",
                       "Of the first and last top of the zigzag; the middle one carries both.",
                       "similar tops"},
                      1, {.min = 1e-3, .max = 1e3}, 0.1, 10, Scale::Logarithmic),
        [](const Values& v) { return similar(v) && is(v, "shape", "zigzag"); });
    add(realParameter({"least_J0", "J^0_{min}", "least inertia", "kg m²",
                       "The smallest equatorial inertia in the chain; the others follow.", "motion"},
                      0.05, anyInertia, 0.005, 1, Scale::Logarithmic),
        [](const Values& v) { return similar(v) || lifted(v); });

    add(realParameter(
            {"mu", "μ", "ratio of the cosines", "",
             "cos θ_4 = μ cos θ_1; with R = 0 it needs μ² > 2. Both signs are the same mechanism with axes "
             "relabelled.",
             "four tops"},
            -3, {.min = -100, .max = 100}, -6, 6),
        chebanov);
    add(choiceParameter(
            {"coupling", "coupling", "kind of chain", "",
             "Equal inertias as in the paper, general ones with c_4 and s_3 chosen, or a chain with "
             "R_i ≠ 0, whose nutation is not elliptic.",
             "four tops"},
            {{"equal", "J⁰₃ = J⁰₄"}, {"general", "General"}, {"lifted", "R ≠ 0"}}, "equal"),
        fourTops);
    const auto four = [&](const char* id, const char* symbol, const char* name, const char* unit,
                          const char* meaning, double value, Range range, double low, double high,
                          std::function<bool(const Values&)> shown) {
        add(realParameter({id, symbol, name, unit, meaning, "four tops"}, value, range, low, high,
                          Scale::Logarithmic),
            std::move(shown));
    };
    const auto equal = [](const Values& v) { return fourTops(v) && is(v, "coupling", "equal"); };
    const auto placed = [](const Values& v) { return fourTops(v) && !is(v, "coupling", "equal"); };
    four("mass_1", "m_1", "mass of top 1", "kg", "Any, where R ≠ 0; c_1 follows.", 2, anyMass, 0.1, 10,
         lifted);
    four("m2", "m_2", "mass of top 2", "kg", "With R = 0 large enough that α_2 > 0, (41).", 3, anyMass, 0.5,
         30, fourTops);
    four("m3", "m_3", "mass of top 3", "kg", "With R = 0 below (1 − 2/μ²) m_4, (41).", 0.5, anyMass, 0.05, 2,
         fourTops);
    four("m4", "m_4", "mass of top 4", "kg", "Any.", 1, anyMass, 0.1, 10, fourTops);
    four("J01", "J^0_1", "inertia of top 1", "kg m²", "Any; m_1 follows.", 0.07, anyInertia, 0.001, 1,
         flywheel);
    four("J02", "J^0_2", "inertia of top 2", "kg m²", "Any; c_4 follows.", 0.01, anyInertia, 0.001, 1, equal);
    four("J04", "J^0_4", "inertia of top 4", "kg m²", "Any; c_4 follows where J^0_3 = J^0_4.", 0.02,
         anyInertia, 0.001, 1, flywheel);
    four("c4", "c_4", "mass centre of top 4", "m", "Chosen where the inertias are not equal.", 0.6,
         someLength, 0.1, 2, placed);
    four("s3", "s_3", "length of top 3", "m", "Chosen where the inertias are not equal.", 0.2, someLength,
         0.02, 1, placed);
    four("s_ratio", "|s_1/s_3|", "ratio of the lengths", "", "Any, where R ≠ 0; the levers follow it.", 1,
         {.min = 1e-2, .max = 1e2}, 0.1, 10, lifted);
    add(realParameter({"c1_part", "−c_1 a_2/P_4", "place of c_1", "",
                       "Where c_1 lies between 0 and −P_4/a_2; every place inside gives a chain.",
                       "four tops"},
                      9.0 / 13, {.min = 0, .max = 1, .openMin = true, .openMax = true}, 0.05, 0.95),
        flywheel);
    add(realParameter({"roundness", "J^s/J^0", "axial against equatorial inertia", "",
                       "2 for a flat disc, less for a long body; the same for all constructed tops.",
                       "motion"},
                      2, {.min = 1e-3, .max = 2}, 0.1, 2),
        [](const Values& v) { return similar(v) || fourTops(v); });

    const auto part = [&](const char* id, const char* symbol, double value) {
        add(realParameter(
                {id, symbol, "turning point", "",
                 "Where the nutation turns, as a part of the interval in which every angle is real.",
                 "roots"},
                value, {.min = -1, .max = 1}, -1, 1),
            nutates);
    };
    part("u1", "u_1", -0.6);
    part("u2", "u_2", 0.75);
    add(realParameter({"x3_size", "|x_3|", "third root", "",
                       "How far from 0 the third root of the cubic lies: beyond ±1.", "roots"},
                      1.5, {.min = 1, .max = 1e4}, 1, 30, Scale::Logarithmic),
        nutates);
    const std::array words{"sign of p_1 − k_1", "sign of p_1 + k_1", "sign of p_4 − k_4",
                           "sign of p_4 + k_4"};
    for (std::size_t i = 0; i < 4; ++i)
        add(choiceParameter(
                {fmt::format("sign{}", i + 1), fmt::format("σ_{}", i + 1), words[i], "",
                 "Equal signs of a plane: its azimuth goes one way; opposite ones: it may turn back.",
                 "roots"},
                {{"+", "plus"}, {"-", "minus"}}, "+"),
            i < 2 ? std::function<bool(const Values&)>(nutates) : chebanov);

    std::vector<Alias> aliases{rootAlias(1),        rootAlias(2),     rootAlias(3),     flywheelAlias(false),
                               flywheelAlias(true), constantAlias(0), constantAlias(1), constantAlias(2)};
    return Schema(std::move(all), std::move(aliases), inconsistency);
}

} // namespace casimir::tops
