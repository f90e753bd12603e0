// The mechanics of the chain: reference values, a second formulation, conservation, the exact motions.
#include "core/base/error.h"
#include "core/systems/tops/chain.h"
#include "core/systems/tops/families.h"
#include "core/systems/tops/tangent_mass.h"
#include "tests/core/systems/tops/tops_cases.h"

#include <Eigen/Dense>
#include <gtest/gtest.h>

#include <complex>
#include <numbers>

namespace casimir::tops {
namespace {

using test::Draw;
using test::Json;
using test::number;
using test::reference;
using test::rowsOf;
using test::topsOf;

TEST(TopChain, accelerationsEnergyAndMomentumAgreeWithTheReference)
{
    for (const Json& c : reference()["generic"]) {
        SCOPED_TRACE(c["name"].get<std::string>());
        const Chain chain(topsOf(c), number(c["g"]));
        const Eigen::Matrix3Xd e = rowsOf(c["e0"]), v = rowsOf(c["v0"]), expected = rowsOf(c["acc0"]);
        Eigen::Matrix3Xd acceleration(3, e.cols());
        chain.accelerations(e, v, acceleration);
        EXPECT_LE((acceleration - expected).norm(), 1e-12 * expected.norm());
        EXPECT_NEAR(chain.energy(e, v), number(c["energy"]), 1e-13 * std::abs(number(c["energy"])));
        EXPECT_NEAR(chain.verticalMomentum(e, v), number(c["Lz"]), 1e-13);
        for (int i = 0; i < chain.size(); ++i)
            EXPECT_NEAR(chain.a(i), number(c["a"][static_cast<std::size_t>(i)]), 1e-15);
        EXPECT_LE(chain.residual(e, v, acceleration), 1e-15);
    }
}

// Positions of the mass centres in Euler angles and from them the Lagrangian; its equations of motion by
// complex steps in the velocities and nested differences. Nothing of Chain goes in.
class EulerLagrangian {
public:
    using C = std::complex<double>;
    EulerLagrangian(std::vector<Top> tops, double g) : tops_(std::move(tops)), g_(g) {}

    // Routh's function with the cyclic phi_i removed (k_i = Js_i q_i constant):
    // T_skeleton + sum k_i psi_i' cos theta_i - V.
    C routhian(const std::vector<C>& x, const std::vector<C>& dx) const
    {
        const std::size_t n = tops_.size();
        C total = 0;
        std::array<C, 3> jointRate{}, jointPlace{};
        for (std::size_t i = 0; i < n; ++i) {
            const C st = std::sin(x[2 * i]), ct = std::cos(x[2 * i]), sp = std::sin(x[2 * i + 1]),
                    cp = std::cos(x[2 * i + 1]), dt = dx[2 * i], dp = dx[2 * i + 1];
            const std::array<C, 3> e{st * cp, st * sp, ct};
            const std::array<C, 3> rate{ct * cp * dt - st * sp * dp, ct * sp * dt + st * cp * dp, -st * dt};
            const Top& top = tops_[i];
            C speed2 = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const C centreRate = jointRate[k] + top.c * rate[k];
                speed2 += centreRate * centreRate;
            }
            total += 0.5 * top.m * speed2 + 0.5 * top.J0 * (dt * dt + st * st * dp * dp) +
                     top.Js * top.q * dp * ct - top.m * g_ * (jointPlace[2] + top.c * e[2]);
            for (std::size_t k = 0; k < 3; ++k) {
                jointRate[k] += top.s * rate[k];
                jointPlace[k] += top.s * e[k];
            }
        }
        return total;
    }

    // x'' from d/dt dL/dx' = dL/dx. dL/dx' is linear in x', so a difference of complex-step derivatives over
    // a unit step in x' is exact; along x a symmetric difference of high order is taken.
    Eigen::VectorXd accelerations(const std::vector<double>& x, const std::vector<double>& dx) const
    {
        const std::size_t n = x.size();
        const auto size = static_cast<Eigen::Index>(n);
        const auto momentum = [&](const std::vector<double>& at, const std::vector<double>& rate) {
            Eigen::VectorXd p(size);
            for (std::size_t k = 0; k < n; ++k) {
                std::vector<C> cx(at.begin(), at.end()), cr(rate.begin(), rate.end());
                cr[k] += C(0, 1e-30);
                p[static_cast<Eigen::Index>(k)] = routhian(cx, cr).imag() / 1e-30;
            }
            return p;
        };
        Eigen::MatrixXd mass(size, size);
        Eigen::VectorXd force(size);
        const Eigen::VectorXd p0 = momentum(x, dx);
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<double> shifted = dx;
            shifted[k] += 1;
            mass.col(static_cast<Eigen::Index>(k)) = momentum(x, shifted) - p0;
            std::vector<C> cx(x.begin(), x.end()), cr(dx.begin(), dx.end());
            cx[k] += C(0, 1e-30);
            force[static_cast<Eigen::Index>(k)] = routhian(cx, cr).imag() / 1e-30;
        }
        const auto along = [&](double t) {
            std::vector<double> at = x;
            for (std::size_t k = 0; k < n; ++k)
                at[k] += t * dx[k];
            return momentum(at, dx);
        };
        constexpr double h = 4e-3;
        const Eigen::VectorXd drift =
            (0.8 * (along(h) - along(-h)) - 0.2 * (along(2 * h) - along(-2 * h)) +
             (4.0 / 105) * (along(3 * h) - along(-3 * h)) - (1.0 / 280) * (along(4 * h) - along(-4 * h))) /
            h;
        return mass.llt().solve(force - drift);
    }

private:
    std::vector<Top> tops_;
    double g_;
};

TEST(TopChain, theSphereFormAgreesWithLagrangesEquationsInEulerAngles)
{
    Draw draw(11);
    for (const int n : {1, 2, 3, 5}) {
        for (int repeat = 0; repeat < 5; ++repeat) {
            const std::vector<Top> tops = draw.tops(n);
            const std::vector<AxisAngles> angles = draw.angles(n);
            const Chain chain(tops, 9.81);
            Eigen::Matrix3Xd e(3, n), v(3, n), acceleration(3, n);
            std::vector<double> x, dx;
            for (int i = 0; i < n; ++i) {
                const AxisAngles& at = angles[static_cast<std::size_t>(i)];
                e.col(i) = axisOf(at);
                v.col(i) = axisRateOf(at);
                x.insert(x.end(), {at.theta, at.psi});
                dx.insert(dx.end(), {at.dtheta, at.dpsi});
            }
            chain.accelerations(e, v, acceleration);
            const Eigen::VectorXd ddx = EulerLagrangian(tops, 9.81).accelerations(x, dx);
            for (int i = 0; i < n; ++i) {
                const AxisAngles& at = angles[static_cast<std::size_t>(i)];
                const double s = std::sin(at.theta), c = std::cos(at.theta);
                const auto [eTheta, ePsi] = angleBasis(at.theta, at.psi);
                const double thetaPart = ddx[2 * i] - s * c * at.dpsi * at.dpsi;
                const double psiPart = s * ddx[2 * i + 1] + 2 * c * at.dtheta * at.dpsi;
                const double scale = 1 + acceleration.norm();
                EXPECT_NEAR(eTheta.dot(acceleration.col(i)), thetaPart, 1e-9 * scale);
                EXPECT_NEAR(ePsi.dot(acceleration.col(i)), psiPart, 1e-9 * scale);
            }
        }
    }
}

TEST(TopChain, solvingAlongTheChainAgreesWithTheDenseMassMatrix)
{
    Draw draw(4);
    for (const int n : {1, 2, 7, 32, -32}) { // the last: slender links, light against what they carry
        const std::vector<Top> slender(32, Top{0.2, 0.08, 0.16, 0.0006, 0.0009, 60});
        const Chain chain(n < 0 ? slender : draw.tops(n), 9.81);
        const int size = chain.size();
        Eigen::Matrix3Xd e(3, size), v(3, size), fast(3, size), dense(3, size), force(3, size);
        std::vector<AxisAngles> angles = draw.angles(size);
        for (int i = 0; i < size; ++i) {
            if (n < 0)
                angles[static_cast<std::size_t>(i)] = {2.9 - 0.03 * i, 0.3 * i, 0, 1.5};
            e.col(i) = axisOf(angles[static_cast<std::size_t>(i)]);
            v.col(i) = axisRateOf(angles[static_cast<std::size_t>(i)]);
        }
        const Eigen::Matrix3Xd pulled = e * v.colwise().squaredNorm().asDiagonal();
        force = pulled * chain.inertia();
        for (int i = 0; i < size; ++i)
            force.col(i) += chain.k(i) * Eigen::Vector3d(e.col(i)).cross(Eigen::Vector3d(v.col(i))) -
                            chain.g() * chain.a(i) * Eigen::Vector3d::UnitZ();
        TangentMass mass;
        mass.compute(chain.inertia(), e);
        mass.solve(force, dense);
        dense -= pulled;
        chain.accelerations(e, v, fast);
        EXPECT_LE((fast - dense).norm(), 1e-11 * dense.norm()) << n;
        EXPECT_LE(chain.residual(e, v, fast), 1e-13) << n;
    }
}

TEST(TopChain, refusesWhatIsNoBody)
{
    EXPECT_THROW(Chain({}, 9.81), Error);
    EXPECT_THROW(Chain({{1, 0.1, 0, 0.01, 0.021, 0}}, 9.81), Error);
    EXPECT_THROW(Chain({{-1, 0.1, 0, 0.01, 0.01, 0}}, 9.81), Error);
    EXPECT_THROW(Chain(std::vector<Top>(33, Top{1, 0.1, 0.1, 0.01, 0.01, 0}), 9.81), Error);
}

TEST(TopChain, anglesAndAxesInvertEachOtherUpToTheVertical)
{
    for (const double theta : {0.0, 1e-300, 1e-9, 0.3, 2.0, std::numbers::pi - 1e-9}) {
        const AxisAngles at{theta, 5.0, theta == 0 ? -1.5 : 0.7, theta == 0 ? 0.0 : 2.0};
        const AxisAngles back = anglesOf(axisOf(at), axisRateOf(at), theta == 0 ? 5.0 : 4.0);
        EXPECT_NEAR(back.theta, at.theta, 1e-15);
        EXPECT_NEAR(back.psi, at.psi, theta > 3 ? 1e-6 : 1e-14) << theta;
        EXPECT_NEAR(back.dtheta, at.dtheta, theta > 3 ? 1e-6 : 1e-14);
    }
}

void expectSamples(const ExactMotion& motion, const Json& json, double phase)
{
    const std::vector<double> zero(static_cast<std::size_t>(motion.planes()), 0.0);
    MotionFrame start, now;
    motion.at(phase, zero, start);
    const int last = motion.chain().size() - 1;
    for (const Json& sample : json["samples"]) {
        const double t = number(sample["t"]);
        motion.at(phase + t, zero, now);
        const double psi0 = json.contains("psi1_0") ? number(json["psi1_0"]) : 0;
        EXPECT_NEAR(std::acos(now.e(2, 0)), number(sample["theta1"]), 1e-10) << t;
        EXPECT_NEAR(now.psi[0] - start.psi[0] + psi0, number(sample["psi1"]), 1e-10) << t;
        const AxisAngles at = anglesOf(now.e.col(0), now.v.col(0), 0);
        EXPECT_NEAR(at.dtheta, number(sample["theta1_dot"]), 1e-9) << t;
        EXPECT_NEAR(at.dpsi, number(sample["psi1_dot"]), 1e-9) << t;
        if (!sample.contains("theta4"))
            continue;
        const auto n = static_cast<std::size_t>(last);
        EXPECT_NEAR(std::acos(now.e(2, last)), number(sample["theta4"]), 1e-10) << t;
        EXPECT_NEAR(now.psi[n] - start.psi[n] + number(json["psi4_0"]), number(sample["psi4"]), 1e-10) << t;
        for (std::size_t i = 0; i < sample["phi_minus_phi0"].size(); ++i) {
            const double phi = now.beta[i] - start.beta[i] + motion.chain().tops()[i].q * t;
            const double expected = number(sample["phi_minus_phi0"][i]);
            EXPECT_NEAR(phi, expected, 1e-11 * (1 + std::abs(motion.chain().tops()[i].q * t))) << i;
        }
    }
}

void expectConstants(const ExactMotion& motion, const Json& json)
{
    const auto near = [](const std::vector<double>& x, const Json& expected) {
        for (std::size_t i = 0; i < x.size(); ++i)
            EXPECT_NEAR(x[i], number(expected[i]), 1e-12 * (1 + std::abs(number(expected[i])))) << i;
    };
    std::vector<double> q;
    for (const Top& top : motion.chain().tops())
        q.push_back(top.q);
    near(q, json["q"]);
    near(motion.p(), json["p"]);
    near(motion.h(), json["h"]);
    near(motion.P(), json["P"]);
    EXPECT_NEAR(motion.period(), number(json["period"]), 1e-12);
    MotionFrame frame;
    motion.at(0.123, std::vector<double>(static_cast<std::size_t>(motion.planes()), 0.4), frame);
    EXPECT_NEAR(motion.chain().energy(frame.e, frame.v), number(json["energy"]),
                1e-12 * std::abs(number(json["energy"])));
    EXPECT_NEAR(motion.chain().verticalMomentum(frame.e, frame.v), number(json["Lz"]), 1e-11);
    EXPECT_LE(motion.residual(), 1e-12);
}

TEST(ExactMotion, fourTopsAgreeWithTheReference)
{
    for (const Json& c : reference()["chebanov4"]) {
        SCOPED_TRACE(c["name"].get<std::string>());
        const ExactMotion motion = test::fourTopMotion(c);
        expectConstants(motion, c);
        expectSamples(motion, c, number(c["phase_t0"]));
        EXPECT_NEAR(motion.advance(0), number(c["dpsi1_per_period"]), 1e-12);
        EXPECT_NEAR(motion.advance(1), number(c["dpsi4_per_period"]), 1e-12);
        EXPECT_NEAR(std::acos(motion.nutation().cubic().x2), number(c["theta1_turning"][0]), 1e-12);
        EXPECT_NEAR(std::acos(motion.nutation().cubic().x1), number(c["theta1_turning"][1]), 1e-12);
    }
}

TEST(ExactMotion, kharlamovsPairAgreesWithTheReference)
{
    for (const Json& c : reference()["kharlamov"]) {
        SimilarDesign design; // the reference chain by its construction
        design.s = 0.5;
        design.c = 0.4;
        const DesignedChain made = similarChain(design);
        for (std::size_t i = 0; i < made.tops.size(); ++i) {
            EXPECT_NEAR(made.tops[i].c, number(c["c"][i]), 1e-15);
            EXPECT_NEAR(made.tops[i].J0, number(c["J0"][i]), 1e-15);
        }
        const ExactMotion motion =
            similarMotion(topsOf(c), {0, 1}, number(c["g"]), test::choiceOf(c, {1, 1, 1, 1}, 1));
        expectConstants(motion, c);
        expectSamples(motion, c, 0);
        EXPECT_NEAR(motion.advance(0), number(c["dpsi_per_period"]), 1e-11);
    }
}

TEST(ExactMotion, theSingleTopAgreesWithTheReference)
{
    Json c = reference()["single_top"];
    c["x_turning"] = {c["x_roots"][0], c["x_roots"][1]};
    c["x3"] = c["x_roots"][2];
    const ExactMotion motion =
        singleTop(topsOf(c).front(), number(c["g"]), test::choiceOf(c, {-1, 1, 1, 1}, 1));
    expectConstants(motion, c);
    expectSamples(motion, c, 0);
}

TEST(ExactMotion, steadyPrecessionNeedsTheReferenceSpins)
{
    for (const Json& c : reference()["steady"]) {
        std::vector<Top> tops = topsOf(c);
        const auto theta = c["theta_signed"].get<std::vector<double>>();
        const ExactMotion motion = steadyPrecession(tops, theta, number(c["Omega"]), 9.81);
        for (std::size_t i = 0; i < tops.size(); ++i)
            EXPECT_NEAR(motion.chain().tops()[i].q, number(c["q"][i]), 1e-12 * number(c["q"][i]));
        MotionFrame frame;
        motion.at(0.37, {0.2}, frame);
        Eigen::Matrix3Xd acceleration(3, frame.e.cols());
        motion.chain().accelerations(frame.e, frame.v, acceleration);
        EXPECT_LE((acceleration - frame.acceleration).norm(), 1e-12 * acceleration.norm());
    }
}

// Differences of the closed form itself, of tenth order.
double kinematicError(const ExactMotion& motion, double t)
{
    const std::vector<double> angles(static_cast<std::size_t>(motion.planes()), 0.3);
    const auto at = [&](double time) {
        MotionFrame frame;
        motion.at(time, angles, frame);
        return frame;
    };
    const double h = motion.period() / 300;
    constexpr std::array<double, 5> weights{5.0 / 6, -5.0 / 21, 5.0 / 84, -5.0 / 504, 1.0 / 1260};
    Axes e = Axes::Zero(3, motion.chain().size()), v = e;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        const MotionFrame after = at(t + h * static_cast<double>(k + 1)),
                          before = at(t - h * static_cast<double>(k + 1));
        e += weights[k] / h * (after.e - before.e);
        v += weights[k] / h * (after.v - before.v);
    }
    const MotionFrame frame = at(t);
    return std::max((e - frame.v).norm() / frame.v.norm(),
                    (v - frame.acceleration).norm() / frame.acceleration.norm());
}

TEST(ExactMotion, velocityAndAccelerationAreTheDerivativesOfThePlace)
{
    for (const Json& c : reference()["chebanov4"]) {
        const ExactMotion motion = test::fourTopMotion(c);
        for (const double part : {0.0, 0.13, 0.5, 0.77, 1.9})
            EXPECT_LE(kinematicError(motion, part * motion.period()), 1e-9) << part;
    }
    // Through the vertical: top 4 of the canonical chain reaches cos theta = -1.
    RootChoice through{-0.3, 1.0, 1.5, {1, -1, 1, 1}};
    const ExactMotion motion =
        twoPlanes(topsOf(reference()["chebanov4"][0]), {0, 1, 1, 0}, -3, 9.81, through);
    for (const double part : {0.0, 0.1, 0.45, 0.98, 1.0, 1.4})
        EXPECT_LE(kinematicError(motion, part * motion.period()), 1e-9) << part;
    EXPECT_LE(motion.residual(), 1e-12);
    // A planar pendulum through both verticals.
    const ExactMotion swing = singleTop({1, 0.3, 0, 0.03, 0.02, 0}, 9.81, {-1, 1, 1.5, {1, 1, 1, 1}});
    for (const double part : {0.0, 0.2, 0.5, 1.1})
        EXPECT_LE(kinematicError(swing, part * swing.period()), 1e-9) << part;
}

TEST(ExactMotion, thousandRandomAdmissibleChainsSolveTheFullEquations)
{
    Draw draw(2011);
    int made = 0;
    double worst = 0;
    for (int tries = 0; made < 1000 && tries < 20000; ++tries) {
        FourTopDesign design;
        design.mu = draw.sign() * draw(1.45, 6);
        design.equal = draw(0, 1) < 0.7;
        design.m4 = draw(0.3, 3);
        design.m3 = draw(0.05, 0.95) * (1 - 2 / (design.mu * design.mu)) * design.m4;
        const double least =
            design.m3 * (design.m3 + design.m4) / ((1 - 2 / (design.mu * design.mu)) * design.m4 - design.m3);
        design.m2 = draw(1.05, 6) * least;
        design.J01 = draw(0.01, 1);
        design.J02 = draw(0.005, 0.5);
        design.J04 = draw(0.005, 0.5);
        design.c4 = draw(0.2, 1);
        design.s3 = draw(0.02, 0.9) * design.c4;
        design.part = draw(0.05, 0.95);
        design.roundness = draw(0.1, 2);
        const DesignedChain chain = fourTopChain(design);
        if (!std::all_of(chain.inequalities.begin(), chain.inequalities.end(),
                         [](const Inequality& i) { return i.holds; })) {
            EXPECT_FALSE(design.equal) << "the construction with J03 = J04 always works";
            continue;
        }
        const RootChoice choice{draw(-1, 1),
                                draw(-1, 1),
                                1 + std::pow(10, draw(-3, 1.5)),
                                {draw.sign(), draw.sign(), draw.sign(), draw.sign()}};
        const ExactMotion motion = twoPlanes(chain.tops, chain.delta, design.mu, 9.81, choice);
        worst = std::max(worst, motion.residual(8));
        EXPECT_LE(motion.residual(8), 1e-12) << "mu " << design.mu << " u " << choice.u1 << " " << choice.u2;
        EXPECT_GT(chain.tops[0].m / (design.m2 + design.m3 + design.m4), 8);
        ++made;
    }
    EXPECT_EQ(made, 1000);
    RecordProperty("worst", std::to_string(worst));
}

TEST(ExactMotion, chainsInTwoPlanesWithRSolveTheFullEquations)
{
    Draw draw(7);
    for (int k = 0; k < 300; ++k) {
        LiftedDesign design;
        design.mu = draw.sign() * draw(0.3, 4);
        design.m1 = draw(0.2, 5);
        design.m2 = draw(0.2, 5);
        design.m3 = draw(0.2, 3);
        design.m4 = draw(0.2, 3);
        design.c4 = draw(0.1, 1);
        design.s3 = draw(0.05, 1.5);
        design.ratio = draw(0.2, 3);
        design.spare = draw(0.01, 0.5);
        design.roundness = draw(0.1, 2);
        const DesignedChain chain = liftedChain(design);
        require(chain.inequalities);
        const double beyond = std::max(1.0, 1 / std::abs(design.mu));
        const RootChoice choice{draw(-1, 1),
                                draw(-1, 1),
                                beyond + std::pow(10, draw(-2, 1)),
                                {draw.sign(), draw.sign(), draw.sign(), draw.sign()}};
        const ExactMotion motion = twoPlanes(chain.tops, chain.delta, design.mu, 9.81, choice);
        EXPECT_GT(motion.nutation().R(), 0);
        EXPECT_LE(motion.residual(8), 1e-12) << k << " mu " << design.mu;
        if (k % 10 == 0)
            for (const double part : {0.1, 0.63, 1.4})
                EXPECT_LE(kinematicError(motion, part * motion.period()), 2e-8) << k << " mu " << design.mu;
        // The paper's constants lead back to the roots here too.
        const ConstantsOutcome back =
            fromConstants(fourTopNumbers(motion), motion.p()[0], motion.p()[3], motion.chain().tops()[3].q);
        ASSERT_EQ(back.kind, ConstantsOutcome::Kind::Real) << k;
        EXPECT_NEAR(back.choice.u1, std::min(choice.u1, choice.u2), 1e-7) << k;
        EXPECT_NEAR(back.choice.x3, choice.x3, 1e-8 * choice.x3) << k;
    }
}

TEST(ExactMotion, aThirdRootWithinTheReachOfTheSecondPlaneIsRefused)
{
    LiftedDesign design;
    design.mu = 0.5;
    const DesignedChain chain = liftedChain(design);
    try {
        twoPlanes(chain.tops, chain.delta, design.mu, 9.81, {-0.4, 0.3, 1.5, {1, 1, 1, 1}});
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("|μ x₃| ≥ 1 fails"), std::string::npos) << error.what();
    }
    EXPECT_NO_THROW(twoPlanes(chain.tops, chain.delta, design.mu, 9.81, {-0.4, 0.3, 2, {1, 1, 1, 1}}));
}

TEST(ExactMotion, everySimilarMotionOfTheConstructionSolvesTheFullEquations)
{
    Draw draw(5);
    for (int k = 0; k < 300; ++k) {
        SimilarDesign design;
        design.shape = static_cast<SimilarDesign::Shape>(k % 3);
        design.n = 1 + k % 9;
        design.m1 = draw(0.2, 3);
        design.m2 = draw(0.2, 3);
        design.m3 = draw(0.2, 3);
        design.s = draw(0.1, 1);
        design.c = draw(0.05, 1);
        design.ratio = draw(0.2, 4);
        design.spare = draw(0.005, 0.5);
        design.roundness = draw(0.1, 2);
        const DesignedChain chain = similarChain(design);
        require(chain.inequalities);
        const RootChoice choice{
            draw(-1, 1), draw(-1, 1), 1 + std::pow(10, draw(-2, 1)), {draw.sign(), draw.sign(), 1, 1}};
        const ExactMotion motion = similarMotion(chain.tops, chain.delta, 9.81, choice);
        EXPECT_LE(motion.residual(8), 1e-12) << k;
    }
}

TEST(ExactMotion, constantsAndRootsLeadToEachOther)
{
    const Json& c = reference()["chebanov4"][0];
    Draw draw(3);
    for (int k = 0; k < 300; ++k) {
        RootChoice choice{draw(-1, 1),
                          draw(-1, 1),
                          1 + std::pow(10, draw(-2, 1)),
                          {draw.sign(), draw.sign(), draw.sign(), draw.sign()}};
        if (choice.u1 > choice.u2)
            std::swap(choice.u1, choice.u2);
        const ExactMotion motion = twoPlanes(topsOf(c), {0, 1, 1, 0}, -3, 9.81, choice);
        const ConstantsOutcome back =
            fromConstants(fourTopNumbers(motion), motion.p()[0], motion.p()[3], motion.chain().tops()[3].q);
        ASSERT_EQ(back.kind, ConstantsOutcome::Kind::Real);
        EXPECT_NEAR(back.choice.u1, choice.u1, 1e-9);
        EXPECT_NEAR(back.choice.u2, choice.u2, 1e-9);
        EXPECT_NEAR(back.choice.x3, choice.x3, 1e-9 * choice.x3);
        EXPECT_EQ(back.choice.signs, choice.signs);
    }
}

TEST(ExactMotion, geometryThatDoesNotFitIsRefusedWithTheConditionAndItsResidual)
{
    std::vector<Top> tops = topsOf(reference()["chebanov4"][0]);
    const RootChoice choice;
    tops[1].s = 0.61;
    try {
        twoPlanes(tops, {0, 1, 1, 0}, -3, 9.81, choice);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("(22)"), std::string::npos) << error.what();
    }
    tops[1].s = 0.6;
    EXPECT_THROW(twoPlanes(tops, {0, 1, 1, 0}, -2.9, 9.81, choice), Error);
    tops[0].J0 = 0.08;
    EXPECT_THROW(twoPlanes(tops, {0, 1, 1, 0}, -3, 9.81, choice), Error);
    // With R != 0 and one inertia off.
    DesignedChain lifted = liftedChain({});
    EXPECT_NO_THROW(twoPlanes(lifted.tops, lifted.delta, 1.5, 9.81, choice));
    EXPECT_THROW(twoPlanes(lifted.tops, lifted.delta, 1.6, 9.81, choice), Error);
    for (std::size_t i = 0; i < 4; ++i) {
        std::vector<Top> off = lifted.tops;
        off[i].J0 *= 1.001;
        EXPECT_THROW(twoPlanes(off, lifted.delta, 1.5, 9.81, choice), Error) << i;
    }
    EXPECT_THROW(steadyPrecession(tops, {0.1, 0.2, 0, 0.3}, 2, 9.81), Error);
}

} // namespace
} // namespace casimir::tops
