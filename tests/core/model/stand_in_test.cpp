// The contract carries systems unlike those registered so far.
#include "core/base/error.h"
#include "core/engine/simulation.h"
#include "tests/core/support/contract.h"
#include "tests/core/support/stand_ins.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {

namespace {

const std::vector<const Kind*>& standIns()
{
    static const std::vector<const Kind*> all{&test::beadsKind(),     &test::implicitKind(),
                                              &test::drivenKind(),    &test::exactKind(),
                                              &test::rigidBodyKind(), &test::normalFormKind()};
    return all;
}

} // namespace

TEST(StandIns, allKeepTheContract)
{
    for (const Kind* kind : standIns())
        test::checkContract(*kind, kind->schema.defaults(), {}, "defaults");
}

TEST(StandIns, aListThatGrowsGivesMoreCoordinatesAndQuantities)
{
    const Kind& kind = test::beadsKind();
    Values values = kind.schema.defaults();
    auto beads = values.list("beads");
    beads.push_back(kind.schema.defaultRecord(kind.schema.parameters().front()));
    values.set("beads", beads);
    const auto three = kind.make(values);
    EXPECT_EQ(three->coordinates().size(), 6u);
    EXPECT_EQ(three->quantities().back().id, "H");
    test::checkContract(kind, values, {{"x3", 1.0}}, "three beads");

    // What both know is carried over, the rest starts at its default.
    const auto two = kind.make();
    const State carried = three->carriedFrom(*two, 0, two->start({{"x1", 0.25}}));
    EXPECT_EQ(carried[0], 0.25);
    EXPECT_EQ(carried[4], 0.5);
}

TEST(StandIns, elementsOfAListHaveAddresses)
{
    const Schema& schema = test::beadsKind().schema;
    const Values values = schema.with(schema.defaults(), {{"beads.1.mass", 7.0}});
    EXPECT_EQ(std::get<double>(schema.read(values, "beads.1.mass")), 7);
    EXPECT_THROW((void)schema.with(values, {{"beads.2.mass", 1.0}}), Error);
    EXPECT_THROW((void)schema.with(values, {{"beads.0.mass", -1.0}}), Error);
    EXPECT_THROW((void)schema.with(values, {{"beads.0.weight", 1.0}}), Error);
    EXPECT_THROW((void)schema.with(values, {{"beads", RecordList{}}}), Error);
    EXPECT_EQ(schema.parse("beads.0.mass", "2.5"), Value(2.5));
}

TEST(StandIns, aStepperOfItsOwnIsOfSecondOrder)
{
    const auto system = test::implicitKind().make();
    const State start = system->start({});
    const auto endAt = [&](double step) {
        IntegrationOptions options;
        options.step = step;
        const auto run = system->integrate("own", 0, start, options);
        EXPECT_TRUE(advanceTo(*run, 1).ok());
        return run->state();
    };
    const State fine = endAt(1e-4);
    const double ratio = (endAt(0.02) - fine).norm() / (endAt(0.01) - fine).norm();
    EXPECT_NEAR(ratio, 4, 0.05);
}

TEST(StandIns, exactAndIntegratedMotionsRunSideBySide)
{
    Session session = defaultSession(test::exactKind());
    session.motions.front().method = "dopri5";
    Motion twin = session.motions.front();
    twin.method = "exact";
    session.motions.push_back(twin);
    Simulation simulation([] {});
    simulation.setSession(realise(test::exactKind(), session));
    simulation.seek(10);
    simulation.waitUntilIdle();
    const auto snapshot = simulation.snapshot();
    ASSERT_EQ(snapshot->motions.size(), 2u);
    EXPECT_EQ(snapshot->t, 10);
    EXPECT_EQ(snapshot->motions[1].method, "exact");
    EXPECT_NEAR(snapshot->motions[1].state[0], 0.7 * std::cos(10.0), 1e-15);
    EXPECT_NEAR(snapshot->motions[0].state[0], snapshot->motions[1].state[0], 1e-8);
    EXPECT_NE(snapshot->motions[0].state[0], snapshot->motions[1].state[0]);
}

TEST(StandIns, thePowerOfTheDriveAccountsForAllEnergy)
{
    const auto system = test::drivenKind().make();
    const State start = system->start({});
    const auto run = system->integrate("dopri5", 0, start, {});
    ASSERT_TRUE(advanceTo(*run, 3).ok());
    EXPECT_GT(std::abs(system->quantity("H", 3, run->state()) - system->quantity("H", 0, start)), 0.01);
}

} // namespace casimir
