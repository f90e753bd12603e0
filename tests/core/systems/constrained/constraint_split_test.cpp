// The split X_H = X_D + X_W against seven unit cases computed elsewhere (tests/reference/README.md), and
// against the second way, by bases.
#include "core/systems/constrained/constraint_split.h"
#include "tests/core/support/files.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace casimir::constrained {
namespace {

using nlohmann::json;

const json& cases()
{
    static const json all = test::referenceFile("constrained_split.json").at("cases");
    return all;
}

Eigen::VectorXd vectorOf(const json& j)
{
    const auto v = j.get<std::vector<double>>();
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

Eigen::MatrixXd rowsOf(const json& j)
{
    Eigen::MatrixXd m(static_cast<Eigen::Index>(j.size()), static_cast<Eigen::Index>(j.at(0).size()));
    for (Eigen::Index i = 0; i < m.rows(); ++i)
        m.row(i) = vectorOf(j.at(static_cast<std::size_t>(i))).transpose();
    return m;
}

class SplitCase : public testing::TestWithParam<int> {
protected:
    const json& ref() const { return cases().at(static_cast<std::size_t>(GetParam())); }
    SplitProblem problem() const
    {
        // X_H from the bracket and dH, not from the reference's own.
        return {rowsOf(ref().at("Lambda")) * vectorOf(ref().at("dH")), rowsOf(ref().at("dphi")),
                rowsOf(ref().at("W_columns")).transpose()};
    }
};

TEST_P(SplitCase, AgreesWithTheReference)
{
    SCOPED_TRACE(ref().at("name").get<std::string>());
    const ConstraintSplit found = split(problem());
    EXPECT_LE((problem().XH - vectorOf(ref().at("X_H"))).norm(), 1e-13 * (1 + problem().XH.norm()));
    ASSERT_EQ(found.regular(), ref().at("regular").get<bool>());
    if (!found.regular()) {
        EXPECT_LT(found.smallestSingularValue, 1e-15);
        EXPECT_EQ(found.status.code, "irregular");
        return;
    }
    EXPECT_GT(found.smallestSingularValue, 1e-3);
    const double scale = problem().XH.norm();
    EXPECT_LE((found.XD - vectorOf(ref().at("X_D"))).norm(), 1e-10 * scale);
    EXPECT_LE((found.XW - vectorOf(ref().at("X_W"))).norm(), 1e-10 * scale);
    EXPECT_LE((found.force() - vectorOf(ref().at("constraint_force"))).norm(), 1e-10 * scale);
    EXPECT_NEAR(found.balance(vectorOf(ref().at("dH"))), ref().at("dH_along_X_D").get<double>(),
                1e-10 * scale);
    EXPECT_LE((found.XW - problem().W * found.lambda).norm(), 1e-13 * scale);
}

TEST_P(SplitCase, BasesOfTDAndWGiveTheSameMotion)
{
    const ConstraintSplit found = split(problem());
    if (found.regular())
        EXPECT_LE((found.XD - splitByBases(problem())).norm(), 1e-12 * problem().XH.norm());
}

INSTANTIATE_TEST_SUITE_P(Reference, SplitCase, testing::Range(0, 7));

TEST(ConstraintSplit, AGeometricConstraintWhoseForceCannotHoldItIsIrregular)
{
    // The pendulum of the reference with the velocity not along the circle: the position leaves it whatever
    // the tension.
    const json& ref = cases().at(3);
    SplitProblem problem{rowsOf(ref.at("Lambda")) * vectorOf(ref.at("dH")), rowsOf(ref.at("dphi")),
                         rowsOf(ref.at("W_columns")).transpose()};
    problem.XH.head<2>() = Eigen::Vector2d(0.6, -0.8);
    const ConstraintSplit found = split(problem);
    EXPECT_FALSE(found.regular());
    EXPECT_GT(found.mismatch, 0.01);
    EXPECT_EQ(found.XD, problem.XH);
}

TEST(ConstraintSplit, NewtonsStepAlongWLeadsBackOntoALinearConstraint)
{
    const json& ref = cases().at(5); // affine: px - 2 py - 3/2 + x/4
    const SplitProblem problem{rowsOf(ref.at("Lambda")) * vectorOf(ref.at("dH")), rowsOf(ref.at("dphi")),
                               rowsOf(ref.at("W_columns")).transpose()};
    Eigen::VectorXd z = vectorOf(ref.at("z"));
    z[2] += 0.3;
    z[3] -= 0.1;
    const auto phi = [](const Eigen::VectorXd& y) { return y[2] - 2 * y[3] - 1.5 + y[0] / 4; };
    Eigen::VectorXd residual(1);
    residual << phi(z);
    const Eigen::VectorXd step = stepTowards(problem, residual);
    EXPECT_NEAR(phi(z + step), 0, 1e-15);
    EXPECT_NEAR(step[3] / step[2], -2, 1e-14);
    EXPECT_EQ(step.head<2>().norm(), 0);
}

} // namespace
} // namespace casimir::constrained
