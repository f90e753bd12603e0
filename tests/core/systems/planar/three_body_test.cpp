// Three bodies against other formulations: Newton's and Euler's laws with hinge forces, differences of the
// energy, numerical eigenvalues, two bodies as a limit; and the equilibria of random systems.
#include "core/base/error.h"
#include "core/systems/planar/three_body/three_body_cases.h"
#include "core/systems/planar/three_body/three_body_map.h"
#include "core/systems/planar/three_body/three_body_system.h"
#include "tests/core/systems/planar/three_body_random.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

namespace casimir::planar {
namespace {

using std::numbers::pi;
using C = std::complex<double>;

Vector5d randomState(RandomSystems& random, double mu)
{
    const double mu2 = random.uniform(-2, 2), mu3 = random.uniform(-2, 2);
    return {random.uniform(-3, 3), random.uniform(-3, 3), mu - mu2 - mu3, mu2, mu3};
}

// Nine accelerations (positions and angles) and the forces at two hinges from Newton's and Euler's laws.
Eigen::Vector3d angularAccelerations(const ThreeBodyParameters& p, const Eigen::Vector3d& theta,
                                     const Eigen::Vector3d& omega)
{
    const C i(0, 1);
    const double m[] = {p.m1, p.m2, p.m3}, inertia[] = {p.I1, p.I2, p.I3};
    Eigen::Matrix<double, 13, 13> a = Eigen::Matrix<double, 13, 13>::Zero();
    Eigen::Matrix<double, 13, 1> right = Eigen::Matrix<double, 13, 1>::Zero();
    for (int k = 0; k < 3; ++k) {
        a(3 * k, 3 * k) = a(3 * k + 1, 3 * k + 1) = m[k];
        a(3 * k + 2, 3 * k + 2) = inertia[k];
    }
    const auto hinge = [&](int number, int lower, C dLower, int upper, C dUpper) {
        const int row = 9 + 2 * number;
        // r + e^{i theta} d of both bodies agree: second derivatives
        for (const auto& [body, d, sign] :
             {std::tuple(lower, dLower, 1.0), std::tuple(upper, dUpper, -1.0)}) {
            const C arm = std::polar(1.0, theta[body]) * d, turned = i * arm;
            a(row, 3 * body) = a(row + 1, 3 * body + 1) = sign;
            a(row, 3 * body + 2) = sign * turned.real();
            a(row + 1, 3 * body + 2) = sign * turned.imag();
            right[row] += sign * omega[body] * omega[body] * arm.real();
            right[row + 1] += sign * omega[body] * omega[body] * arm.imag();
        }
        a.block(0, row, 9, 2) = a.block(row, 0, 2, 9).transpose();
    };
    hinge(0, 0, p.c1, 1, -p.b1);
    hinge(1, 1, C(p.e1, p.e2), 2, -p.d1);
    const Eigen::Matrix<double, 13, 1> solution = a.fullPivLu().solve(right);
    return {solution[2], solution[5], solution[8]};
}

TEST(ThreeBody, TheFieldIsThatOfNewtonsAndEulersLawsWithHingeForces)
{
    RandomSystems random(3);
    for (int i = 0; i < 50; ++i) {
        const ThreeBody bodies(random.physical(i % 2 == 0));
        const Vector5d z = randomState(random, bodies.mu());
        Eigen::Vector3d omega;
        const Vector5d rate = bodies.reducedField(z, omega);
        const Eigen::Vector3d theta{0.3, 0.3 + z[0], 0.3 + z[0] + z[1]};
        // mu = J omega along the motion, so J omega' = mu' - J' omega
        constexpr double h = 1e-30;
        const Eigen::Matrix3d change = bodies.J(C(z[0], h * rate[0]), C(z[1], h * rate[1])).imag() / h;
        const Eigen::Vector3d expected = angularAccelerations(bodies.parameters(), theta, omega);
        const Eigen::Vector3d residual = bodies.J(z[0], z[1]) * expected + change * omega - rate.tail<3>();
        EXPECT_LE(residual.norm(), 1e-12 * (rate.norm() + (bodies.J(z[0], z[1]) * expected).norm())) << i;
    }
}

TEST(ThreeBody, TheVelocityFormOfTheTreeTheoryHolds)
{
    // sum J omega' = sum K omega^2, with omega' from Newton's and Euler's laws
    RandomSystems random(4);
    for (int i = 0; i < 50; ++i) {
        const ThreeBody bodies(random.physical(false));
        const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
        const Eigen::Vector3d omega{random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)};
        const Eigen::Vector3d acceleration = angularAccelerations(bodies.parameters(), {0, x, x + y}, omega);
        const Eigen::Vector3d left = bodies.J(x, y) * acceleration,
                              right = bodies.K(x, y) * omega.cwiseAbs2();
        EXPECT_LE((left - right).norm(), 1e-12 * (left.norm() + bodies.J(x, y).norm() * acceleration.norm()));
    }
}

TEST(ThreeBody, GradientAndHessianAreDerivativesOfTheEnergy)
{
    RandomSystems random(5);
    for (int i = 0; i < 20; ++i) {
        const ThreeBody bodies(random.physical(false));
        const Vector5d z = randomState(random, bodies.mu());
        constexpr double h = 1e-30, step = 1e-5;
        Vector5d gradient;
        Matrix5d hessian;
        for (int k = 0; k < 5; ++k) {
            Vec5<C> shifted = z.cast<C>();
            shifted[k] += C(0, h);
            gradient[k] = bodies.hamiltonian(shifted).imag() / h;
            const Vector5d e = step * Vector5d::Unit(k);
            hessian.col(k) =
                (bodies.hamiltonianGradient(z + e) - bodies.hamiltonianGradient(z - e)) / (2 * step);
        }
        EXPECT_LE((bodies.hamiltonianGradient(z) - gradient).norm(), 1e-12 * gradient.norm());
        EXPECT_LE((bodies.hamiltonianHessian(z) - hessian).norm(), 1e-6 * hessian.norm());
        // z' = {z, H}
        for (int k = 0; k < 5; ++k)
            EXPECT_NEAR(bodies.bracket(Vector5d(Vector5d::Unit(k)), gradient), bodies.reducedField(z)[k],
                        1e-11 * gradient.norm());
        EXPECT_LE((ThreeBody::structure() * gradient - bodies.reducedField(z)).norm(),
                  1e-11 * gradient.norm());
    }
}

TEST(ThreeBody, LockedInertiaIsTheSumOverTheInertiaMatrix)
{
    RandomSystems random(6);
    for (int i = 0; i < 50; ++i) {
        const ThreeBody bodies(random.physical(i % 2 == 0));
        const double x = random.uniform(-3, 3), y = random.uniform(-3, 3);
        EXPECT_NEAR(bodies.lockedInertia(x, y), bodies.J(x, y).sum(), 1e-12 * bodies.J(x, y).norm());
        // The polar inertia of the placed bodies about the origin, which must be their centre of mass
        const ThreeBodyPlacement at = bodies.placement(0.7, x, y);
        const ThreeBodyParameters& p = bodies.parameters();
        EXPECT_LE((p.m1 * at.r1 + p.m2 * at.r2 + p.m3 * at.r3).norm(),
                  1e-13 * bodies.mass() * (p.c1 + p.d1 + 4));
        const double polar = p.I1 + p.I2 + p.I3 + p.m1 * at.r1.squaredNorm() + p.m2 * at.r2.squaredNorm() +
                             p.m3 * at.r3.squaredNorm();
        EXPECT_NEAR(bodies.lockedInertia(x, y), polar, 1e-12 * polar);
    }
}

TEST(ThreeBody, EigenvaluesAreThoseOfTheLinearisedField)
{
    RandomSystems random(7);
    for (int i = 0; i < 60; ++i) {
        const ThreeBody bodies(random.physical(i % 2 == 0));
        for (const ThreeBodyEquilibrium& e : equilibria(bodies).equilibria) {
            if (e.zero > 0)
                continue;
            const Matrix5d jacobian = bodies.reducedJacobian(e.state());
            const Vec5<C> numerical = Eigen::EigenSolver<Matrix5d>(jacobian, false).eigenvalues();
            const double size = numerical.cwiseAbs().maxCoeff();
            for (const C& s : e.eigenvalues) {
                EXPECT_LE((numerical.array() - s).abs().minCoeff(), 1e-7 * size) << e.name;
                const Vec5<C> v = departure(bodies, e, s);
                EXPECT_LE((jacobian.cast<C>() * v - s * v).norm(), 1e-8 * size * v.norm()) << e.name;
            }
        }
    }
}

TEST(ThreeBody, AThirdBodyHingedCentreToCentreOnlyAddsItsMassToTheSecond)
{
    RandomSystems random(8);
    for (int i = 0; i < 20; ++i) {
        ThreeBodyParameters p = random.physical(true);
        p.e1 = p.d1 = 0;
        p.b1 = std::abs(p.b1);
        const ThreeBody three(p);
        const TwoBody two({.m1 = p.m1, .m2 = p.m2 + p.m3, .I1 = p.I1, .I2 = p.I2, .d1 = p.c1, .d2 = p.b1});
        const Vector5d z = randomState(random, p.mu);
        const Vector5d rate = three.reducedField(z);
        const Eigen::Vector3d pair = two.reducedField(Eigen::Vector3d(z[0], z[2], z[3]));
        EXPECT_NEAR(rate[0], pair[0], 1e-12 * (1 + rate.norm()));
        EXPECT_NEAR(rate[2], pair[1], 1e-12 * (1 + rate.norm()));
        EXPECT_NEAR(rate[3], pair[2], 1e-12 * (1 + rate.norm()));
        EXPECT_EQ(rate[4], 0);
    }
}

TEST(ThreeBody, AMasslessThirdBodyLeavesTwoBodies)
{
    ThreeBodyParameters p{
        .m1 = 2, .m2 = 3, .m3 = 1e-9, .I1 = 0.4, .I2 = 0.6, .I3 = 1e-9, .c1 = 1.1, .b1 = 0.7, .mu = 3};
    const ThreeBody three(p);
    const TwoBody two({.m1 = 2, .m2 = 3, .I1 = 0.4, .I2 = 0.6, .d1 = 1.1, .d2 = 0.7, .mu = 3});
    const TwoBodyEquilibria pair = equilibria(two);
    for (const ThreeBodyEquilibrium& e : equilibria(three).equilibria) {
        const TwoBodyEquilibrium& of = pair.equilibria[std::cos(e.x) > 0 ? 0 : 1];
        EXPECT_NEAR(e.energy, of.energy, 1e-8 * of.energy);
        EXPECT_NEAR(e.omega, of.omega, 1e-8 * of.omega);
        // One pair of eigenvalues is that of the two bodies.
        double nearest = 1e300;
        for (const C& s : e.eigenvalues)
            nearest = std::min(nearest, std::abs(s - of.eigenvalues[1]));
        EXPECT_LE(nearest, 1e-7 * std::abs(of.eigenvalues[1])) << e.name;
    }
}

TEST(ThreeBodyEquilibria, RandomSystemsHaveFourOrSixThatKeepTheMorseRelation)
{
    const RandomTally tally = checkRandomSystems(11, 20'000);
    EXPECT_GT(tally.four, 10'000);
    EXPECT_GT(tally.six, 400);
    EXPECT_LT(tally.near, 10);
}

TEST(ThreeBodyEquilibria, ThePolynomialFindsWhatTheClosedFormGives)
{
    RandomSystems random(12);
    for (int i = 0; i < 3000; ++i) {
        const ThreeBodyCoefficients f = coefficientsOf(random.physical(true));
        const auto closed = criticalPoints(f).points, polynomial = criticalPointsByPolynomial(f).points;
        ASSERT_EQ(closed.size(), polynomial.size()) << i;
        for (const CriticalPoint& p : closed) {
            double nearest = 1e300;
            for (const CriticalPoint& q : polynomial)
                nearest = std::min(nearest, std::hypot(principalAngle(p.x - q.x), principalAngle(p.y - q.y)));
            const double flattest = std::min(std::abs(p.curvature[0]), std::abs(p.curvature[1]));
            EXPECT_LE(nearest, 1e-14 / flattest) << i;
        }
    }
}

TEST(ThreeBodyEquilibria, ExtremeRatiosOfTheAmplitudesAreFoundToo)
{
    RandomSystems random(13);
    for (int i = 0; i < 3000; ++i) {
        const auto amplitude = [&] { return std::pow(10.0, random.uniform(-12, 12)); };
        const C p1 = std::polar(amplitude(), random.uniform(-3, 3)),
                p2 = std::polar(amplitude(), random.uniform(-3, 3));
        const ThreeBodyCoefficients f{
            .A1 = amplitude(), .B1 = p1.real(), .B2 = p2.real(), .C1 = p1.imag(), .C2 = -p2.imag()};
        ASSERT_EQ(criticalPoints(f).points.size(), 4u) << i;
        ASSERT_EQ(countCriticalPoints(f), 4) << i;
    }
    // One amplitude far above two that are equal, where six remain possible
    for (const double large : {10.0, 1e3, 1e5}) {
        for (int i = 0; i < 300; ++i) {
            const double phi = random.uniform(-2, 2) / large, b = 1 + random.uniform(-1, 1) / large;
            const C p1 = std::polar(large, 0.3), p2 = std::polar(b, phi - 0.3 + pi * (i % 2));
            const ThreeBodyCoefficients f{
                .A1 = 1, .B1 = p1.real(), .B2 = p2.real(), .C1 = p1.imag(), .C2 = -p2.imag()};
            const auto points = criticalPoints(f).points;
            int sum = 0;
            for (const CriticalPoint& p : points)
                sum += (p.curvature[0] < 0) == (p.curvature[1] < 0) ? 1 : -1;
            EXPECT_TRUE(points.size() == 4 || points.size() == 6) << points.size();
            EXPECT_EQ(sum, 0);
        }
    }
}

TEST(ThreeBodyEquilibria, OnABifurcationLineFourRemainAndTheTripleIsNamed)
{
    const std::pair<KappaTau, const char*> lines[] = {
        {{0.4, 0.6}, "0-pi"}, {{-0.4, -0.6}, "0-0"}, {{1.75, 0.75}, "pi-0"}, {{0.5, 1.5}, "pi-pi"}};
    for (const auto& [at, name] : lines) {
        const auto p = withKappaTau({}, at, 1e12);
        ASSERT_TRUE(p) << p.refusal;
        EXPECT_EQ(regionOf(at), Region::Line);
        const ThreeBodyEquilibria found = equilibria(ThreeBody(*p.value));
        ASSERT_EQ(found.equilibria.size(), 4u);
        for (const ThreeBodyEquilibrium& e : found.equilibria)
            EXPECT_EQ(e.stability == "degenerate", e.name == name) << e.name;
        // A little inside the strip the triple is three, and each names the others.
        const auto inside = withKappaTau(
            {}, {at.kappa * (1 + 1e-8), at.tau * (1 + (at.kappa * at.tau > 0 ? 1e-8 : 0))}, 1e12);
        const ThreeBodyEquilibria split = equilibria(ThreeBody(*inside.value));
        if (split.equilibria.size() == 6) {
            EXPECT_EQ(split.equilibria[4].stability, "degenerate");
            EXPECT_NE(split.equilibria[4].detail.find(name), std::string::npos) << split.equilibria[4].detail;
        }
    }
}

TEST(ThreeBodyEquilibria, HingesAtACentreOfMassGiveCircles)
{
    const auto statusOf = [](ThreeBodyParameters p) { return equilibria(ThreeBody(p)); };
    for (const ThreeBodyParameters& p :
         {ThreeBodyParameters{.c1 = 0}, ThreeBodyParameters{.d1 = 0}, ThreeBodyParameters{.b1 = 0, .e1 = 0},
          ThreeBodyParameters{.c1 = 0, .e2 = 0.3}, ThreeBodyParameters{.e2 = 0.3, .d1 = 0}}) {
        const ThreeBodyEquilibria found = statusOf(p);
        EXPECT_EQ(found.status.code, "degenerate");
        EXPECT_TRUE(found.equilibria.empty());
        ASSERT_EQ(found.families.size(), 2u);
        EXPECT_LT(found.families[0].energy, found.families[1].energy);
    }
    EXPECT_EQ(statusOf({.c1 = 0, .d1 = 0}).families.size(), 1u);
    EXPECT_EQ(statusOf({.mu = 0}).families.size(), 1u);
}

TEST(ThreeBodyEquilibria, TheTableOfStabilityIsTheIndexOfEveryStraightStateAndOfThePair)
{
    RandomSystems random(14);
    int seen[5][7] = {};
    for (int i = 0; i < 4000; ++i) {
        const ThreeBodyParameters p = random.physical(true);
        const ThreeBodyCoefficients f = coefficientsOf(p);
        const KappaTau at{*kappaOf(f), *tauOf(f)};
        const int sign = signCase(at);
        const Region region = regionOf(at);
        ++seen[sign][static_cast<int>(region)];
        const auto points = criticalPoints(f).points;
        ASSERT_EQ(points.size(), insideStrip(region) ? 6u : 4u);
        for (const CriticalPoint& q : points) {
            if (q.degenerate())
                continue;
            const SignPair signs{q.straight ? (q.x == 0 ? 1 : -1) : (std::cos(q.x) > 0 ? 1 : -1),
                                 q.straight ? (q.y == 0 ? 1 : -1) : (std::cos(q.y) > 0 ? 1 : -1)};
            if (q.straight)
                EXPECT_EQ(q.index, tableIndex(sign, region, signs)) << sign << " " << name(region);
            else {
                EXPECT_EQ(q.index, tableExtraIndex(sign));
                EXPECT_EQ(signs, tableSigns(sign, region)) << sign << " " << name(region);
            }
        }
    }
    for (int sign = 1; sign <= 4; ++sign)
        for (int region = 0; region < 6; ++region)
            EXPECT_GT(seen[sign][region], 0) << sign << " " << name(static_cast<Region>(region));
}

// The kind of a map cell, from the equilibria with all their verdicts.
std::vector<int> tallyOf(const ThreeBodyParameters& p)
{
    int stable = 0, held = 0, count = 0;
    for (const ThreeBodyEquilibrium& e : equilibria(ThreeBody(p)).equilibria) {
        ++count;
        stable += e.stability == "stable";
        held += e.stability == "spectrally stable";
    }
    return {count, stable, held > 0};
}

std::vector<int> tallyOf(MapKind kind)
{
    switch (kind) {
    case MapKind::FourWith00:
    case MapKind::FourWith0Pi:
    case MapKind::FourWithPi0:
    case MapKind::FourWithPiPi:
    case MapKind::Four:
        return {4, 1, 0};
    case MapKind::FourHeld:
        return {4, 1, 1};
    case MapKind::SixWith00:
    case MapKind::SixWithPiPi:
    case MapKind::SixOne:
        return {6, 1, 0};
    case MapKind::SixOneHeld:
        return {6, 1, 1};
    case MapKind::SixWithPair:
    case MapKind::SixTwo:
        return {6, 2, 0};
    case MapKind::SixTwoHeld:
        return {6, 2, 1};
    default:
        return {};
    }
}

TEST(ThreeBodyMap, EveryCellIsWhatTheEquilibriaThereSay)
{
    const ThreeBodyParameters aligned, bent{.e2 = 0.5},
        gyroscopic{.I1 = 0.3, .I2 = 0.3, .I3 = 0.3, .b1 = -0.932, .e1 = 0.451, .e2 = 0.5, .d1 = 1.5, .mu = 5};
    struct Case {
        ThreeBodyParameters base;
        MapAxis x, y;
    };
    int held = 0;
    for (const Case& c :
         {Case{aligned, {"kappa", -3, 3, Scale::Linear, 40}, {"tau", -3, 3, Scale::Linear, 40}},
          Case{aligned, {"tau", -3, 3, Scale::Linear, 40}, {"m2", 0.1, 10, Scale::Logarithmic, 40}},
          Case{aligned, {"b1", -2, 2, Scale::Linear, 40}, {"c1", 0.01, 4, Scale::Linear, 40}},
          Case{bent, {"kappa", -3, 3, Scale::Linear, 40}, {"tau", -3, 3, Scale::Linear, 40}},
          Case{gyroscopic, {"b1", -1.3, -0.6, Scale::Linear, 40}, {"e1", 0.2, 0.8, Scale::Linear, 40}}}) {
        const std::vector<MapKind> kinds = equilibriumMap(c.base, c.x, c.y);
        for (int j = 0; j < 40; ++j)
            for (int i = 0; i < 40; ++i) {
                const MapKind kind = kinds[static_cast<std::size_t>(40 * j + i)];
                Values values = threeBodyKind().schema.defaults();
                values.set("e2", c.base.e2);
                for (const auto& [id, x] :
                     {std::pair("b1", c.base.b1), std::pair("e1", c.base.e1), std::pair("d1", c.base.d1),
                      std::pair("mu", c.base.mu), std::pair("I1", c.base.I1), std::pair("I2", c.base.I2),
                      std::pair("I3", c.base.I3)})
                    values.set(id, x);
                // The physical one first, the aliases as the schema writes them.
                std::vector<Assignment> set{{c.y.id, c.y.at(j)}, {c.x.id, c.x.at(i)}};
                Outcome<Values> outcome = Outcome<Values>::of(values);
                if (c.x.id == "kappa" && c.y.id == "tau") {
                    const auto p = withKappaTau(c.base, {c.x.at(i), c.y.at(j)}, 1e12);
                    EXPECT_EQ(kind == MapKind::Impossible, !p);
                    if (p)
                        EXPECT_EQ(tallyOf(kind), tallyOf(*p.value)) << i << " " << j;
                    continue;
                }
                for (const Assignment& a : set)
                    if (outcome)
                        outcome = threeBodyKind().schema.tryWith(*outcome.value, a);
                EXPECT_EQ(kind == MapKind::Impossible, !outcome) << c.x.id << " " << i << " " << j;
                if (outcome)
                    EXPECT_EQ(tallyOf(kind), tallyOf(three_body::parametersFrom(*outcome.value)))
                        << c.x.id << " " << i << " " << j;
                held += kind == MapKind::SixOneHeld;
            }
    }
    EXPECT_GT(held, 3);
}

TEST(ThreeBodyMap, ThePresentPointIsAHandleAndTheQuadrantWithoutBodiesSaysWhy)
{
    const auto system = threeBodyKind().make();
    const Plot plot = system->plot("map");
    ASSERT_EQ(plot.handles.size(), 1u);
    EXPECT_EQ(plot.handles[0].xTarget, "kappa");
    EXPECT_EQ(plot.handles[0].yTarget, "tau");
    EXPECT_DOUBLE_EQ(plot.handles[0].x, 1);
    EXPECT_DOUBLE_EQ(plot.handles[0].y, 1.5);
    bool said = false;
    for (const Mark& mark : plot.marks)
        said = said || (mark.x < 0 && mark.y > 0 && mark.label == "needs e_1 < 0");
    EXPECT_TRUE(said);
    // Every bifurcation line satisfies one of the four equations.
    for (const Polyline& line : plot.lines)
        if (line.label == "pitchforks")
            for (std::size_t k = 0; k < line.x.size(); ++k)
                EXPECT_NEAR(std::min(std::abs(std::abs(line.x[k] + line.y[k]) - 1),
                                     std::abs(std::abs(line.x[k] - line.y[k]) - 1)),
                            0, 1e-12);
}

TEST(ThreeBodyPotential, TheRimOfTheAllowedRegionHasTheEnergyOfTheState)
{
    const auto system = threeBodyKind().make();
    const auto& bodies = dynamic_cast<const ThreeBodySystem&>(*system).bodies();
    const State x = system->start({});
    PlotTrack track;
    system->track("potential", 0, x, track);
    ASSERT_FALSE(track.lines.empty());
    const double energy = system->quantity("H", 0, x);
    for (const Polyline& line : track.lines)
        for (std::size_t k = 0; k < line.x.size(); ++k)
            EXPECT_NEAR(bodies.amendedPotential(line.x[k], line.y[k]), energy, 3e-3 * energy);
}

TEST(ThreeBodyAliases, KappaAndTauAreReachedInEverySignCaseThatTheSignOfE1Allows)
{
    const Schema& schema = threeBodyKind().schema;
    for (const double e1 : {0.5, -0.5})
        for (const double kappa : {-2.0, -0.3, 0.3, 2.0})
            for (const double tau : {-2.0, -0.4, 0.4, 2.0}) {
                Values values = schema.with(schema.defaults(), {{"e1", e1}, {"m2", 2.0}});
                const bool impossible = kappa < 0 && (tau > 0) == (e1 > 0);
                const auto p = withKappaTau(three_body::parametersFrom(values), {kappa, tau}, 1e12);
                EXPECT_EQ(static_cast<bool>(p), !impossible) << kappa << " " << tau << " " << p.refusal;
                if (impossible) {
                    EXPECT_NE(p.refusal.find("needs e₁"), std::string::npos) << p.refusal;
                    continue;
                }
                const ThreeBodyCoefficients f = coefficientsOf(*p.value);
                EXPECT_NEAR(*kappaOf(f), kappa, 1e-13 * std::abs(kappa));
                EXPECT_NEAR(*tauOf(f), tau, 1e-13 * std::abs(tau));
                EXPECT_EQ(p.value->m2, 2.0);
            }
    const Values set = schema.with(schema.defaults(), {{"kappa", 1.8}, {"tau", 1.2}});
    EXPECT_NEAR(std::get<double>(schema.read(set, "kappa")), 1.8, 1e-14);
    EXPECT_NEAR(std::get<double>(schema.read(set, "tau")), 1.2, 1e-14);
    EXPECT_THROW((void)schema.with(schema.defaults(), {{"kappa", 1.8}, {"c1", 3.0}}), Error);
}

} // namespace
} // namespace casimir::planar
