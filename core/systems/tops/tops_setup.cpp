#include "core/systems/tops/tops_setup.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::tops {

bool is(const Values& values, const char* id, const char* choice)
{
    return values.choice(id) == choice;
}

namespace {

std::vector<Top> topsFrom(const RecordList& bodies)
{
    std::vector<Top> tops;
    for (const Record& body : bodies)
        tops.push_back({body.real("m"), body.real("c"), body.real("s"), body.real("J0"), body.real("Js"),
                        body.real("q")});
    return tops;
}

std::vector<int> deltasFrom(const RecordList& bodies)
{
    std::vector<int> delta;
    for (const Record& body : bodies)
        delta.push_back(static_cast<int>(body.integer("delta")));
    return delta;
}

} // namespace

FourTopDesign fourTopDesign(const Values& v)
{
    FourTopDesign d;
    d.mu = v.real("mu");
    d.equal = is(v, "coupling", "equal");
    d.m2 = v.real("m2");
    d.m3 = v.real("m3");
    d.m4 = v.real("m4");
    d.J01 = v.real("J01");
    d.J02 = v.real("J02");
    d.J04 = v.real("J04");
    d.c4 = v.real("c4");
    d.s3 = v.real("s3");
    d.part = v.real("c1_part");
    d.roundness = v.real("roundness");
    return d;
}

namespace {

SimilarDesign similarDesign(const Values& v)
{
    using Shape = SimilarDesign::Shape;
    SimilarDesign d;
    d.shape = is(v, "shape", "folded")   ? Shape::Folded
              : is(v, "shape", "zigzag") ? Shape::Zigzag
                                         : Shape::Straight;
    d.n = static_cast<int>(v.integer("links"));
    d.m1 = v.real("link_m1");
    d.m2 = v.real("link_m2");
    d.m3 = v.real("link_m3");
    d.s = v.real("link_s");
    d.c = v.real("link_c");
    d.ratio = v.real("lever_ratio");
    d.spare = v.real("least_J0");
    d.roundness = v.real("roundness");
    return d;
}

LiftedDesign liftedDesign(const Values& v)
{
    LiftedDesign d;
    d.mu = v.real("mu");
    d.m1 = v.real("mass_1");
    d.m2 = v.real("m2");
    d.m3 = v.real("m3");
    d.m4 = v.real("m4");
    d.c4 = v.real("c4");
    d.s3 = v.real("s3");
    d.ratio = v.real("s_ratio");
    d.spare = v.real("least_J0");
    d.roundness = v.real("roundness");
    return d;
}

void addMotionInequalities(const ExactMotion& motion, std::vector<Inequality>& list)
{
    if (motion.steady())
        return;
    const Cubic& f = motion.nutation().cubic();
    const auto atMost = [&](std::string name, double value) {
        list.push_back({std::move(name), value, value <= 1e-12 * std::abs(f.A)});
    };
    atMost("f(1) ≤ 0", f(1));
    atMost("f(−1) ≤ 0", f(-1));
    if (motion.groups().size() > 1) {
        const double mu = motion.groups()[1].mu;
        atMost("f(1/μ) ≤ 0", f(1 / mu));
        atMost("f(−1/μ) ≤ 0", f(-1 / mu));
        if (std::abs(mu) < 1)
            list.push_back({"|μ x₃| − 1 ≥ 0", std::abs(mu * f.x3) - 1, std::abs(mu * f.x3) >= 1 - 1e-12});
        list.push_back({"1 − |μ| max(|x₁|, |x₂|) ≥ 0",
                        1 - std::abs(mu) * std::max(std::abs(f.x1), std::abs(f.x2)),
                        std::abs(mu) * std::max(std::abs(f.x1), std::abs(f.x2)) <= 1 + 1e-15});
    }
    list.push_back({"|x₃| − 1 ≥ 0", std::abs(f.x3) - 1, std::abs(f.x3) >= 1});
    if (const double R = motion.nutation().R(); R != 0) {
        const double farthest = std::max(f.x1 * f.x1, f.x2 * f.x2);
        const double nearest = f.x1 < 0 && f.x2 > 0 ? 0 : std::min(f.x1 * f.x1, f.x2 * f.x2);
        const double least = 1 + std::min(R * (1 - farthest), R * (1 - nearest));
        list.push_back({"1 + R (1 - x^2) > 0", least, least > 0});
    }
}

} // namespace

RootChoice rootChoice(const Values& values)
{
    RootChoice choice;
    choice.u1 = values.real("u1");
    choice.u2 = values.real("u2");
    choice.x3 = values.real("x3_size");
    for (std::size_t i = 0; i < 4; ++i)
        choice.signs[i] = values.choice(fmt::format("sign{}", i + 1)) == "-" ? -1 : 1;
    return choice;
}

void setRootChoice(Values& values, const RootChoice& choice)
{
    values.set("u1", choice.u1);
    values.set("u2", choice.u2);
    values.set("x3_size", choice.x3);
    for (std::size_t i = 0; i < 4; ++i)
        values.set(fmt::format("sign{}", i + 1), std::string(choice.signs[i] < 0 ? "-" : "+"));
}

double rootBound(const Values& values)
{
    return is(values, "family", "chebanov") ? std::min(1.0, 1 / std::abs(values.real("mu"))) : 1;
}

std::optional<FourTopNumbers> fourTopNumbers(const Values& values)
{
    if (!is(values, "family", "chebanov"))
        return std::nullopt;
    const Setup setup = setupFrom(values);
    const ExactMotion& motion = *setup.motion;
    if (motion.chain().size() != 4)
        return std::nullopt;
    return fourTopNumbers(motion);
}

Setup setupFrom(const Values& values)
{
    const std::string& family = values.choice("family");
    const double g = values.real("g");
    const RecordList& bodies = values.list("bodies");
    std::vector<Inequality> inequalities;
    const auto exact = [&](ExactMotion motion, std::optional<double> mu) {
        addMotionInequalities(motion, inequalities);
        Chain chain = motion.chain();
        return Setup{family, std::move(chain), {}, {}, std::move(motion), mu, inequalities};
    };
    if (family == "single")
        return exact(singleTop({values.real("top_m"), values.real("top_c"), 0, values.real("top_J0"),
                                values.real("top_Js"), 0},
                               g, rootChoice(values)),
                     std::nullopt);
    if (family == "steady") {
        std::vector<double> theta;
        for (const Record& body : bodies)
            theta.push_back(body.real("theta"));
        return exact(steadyPrecession(topsFrom(bodies), theta, values.real("Omega"), g), std::nullopt);
    }
    const bool given = is(values, "geometry", "given");
    if (family == "kharlamov") {
        if (given)
            return exact(similarMotion(topsFrom(bodies), deltasFrom(bodies), g, rootChoice(values)),
                         std::nullopt);
        const DesignedChain made = similarChain(similarDesign(values));
        inequalities = made.inequalities;
        require(inequalities);
        return exact(similarMotion(made.tops, made.delta, g, rootChoice(values)), std::nullopt);
    }
    if (family == "chebanov") {
        const double mu = values.real("mu");
        if (given)
            return exact(twoPlanes(topsFrom(bodies), deltasFrom(bodies), mu, g, rootChoice(values)), mu);
        const DesignedChain made = is(values, "coupling", "lifted") ? liftedChain(liftedDesign(values))
                                                                    : fourTopChain(fourTopDesign(values));
        inequalities = made.inequalities;
        require(inequalities);
        return exact(twoPlanes(made.tops, made.delta, mu, g, rootChoice(values)), mu);
    }
    Setup setup{family, Chain(topsFrom(bodies), g), {}, {}, std::nullopt, std::nullopt, {}};
    for (const Record& body : bodies)
        setup.start.push_back({body.real("theta"), body.real("psi"), body.real("dtheta"), body.real("dpsi")});
    return setup;
}

} // namespace casimir::tops
