// Trees edited by hand. What a change does is read off the pose of the system made with it: positions that no
// formula of the editing gives.
#include "core/base/error.h"
#include "core/session/session_json.h"
#include "core/systems/planar/multibody/multibody_system.h"
#include "tests/core/systems/planar/multibody_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

namespace casimir::planar {
namespace {

using ::testing::HasSubstr;

Values valuesOf(const std::vector<TreeBody>& bodies, double mu = 1)
{
    RecordList list;
    for (const TreeBody& b : bodies) {
        Record record;
        record.set("name", std::string());
        record.set("mass", b.mass);
        record.set("inertia", b.inertia);
        record.set("parent", static_cast<long>(b.parent));
        record.set("hinge_on_parent", Eigen::VectorXd(b.hingeOnParent));
        record.set("hinge_on_body", Eigen::VectorXd(b.hingeOnBody));
        list.push_back(record);
    }
    Values values = multibodyKind().schema.defaults();
    values.set("bodies", list);
    values.set("mu", mu);
    return values;
}

struct Stage {
    std::shared_ptr<const System> system;
    State x;
    Pose pose;

    explicit Stage(const Values& values, const StateInputs& start = {}) : system(multibodyKind().make(values))
    {
        x = system->start(start);
        system->pose(0, x, pose);
    }
    const HasStageEditing& editing() const { return dynamic_cast<const HasStageEditing&>(*system); }
    const HasListEditing& lists() const { return dynamic_cast<const HasListEditing&>(*system); }
    // Bodies come first among the placements, then the hinges in the order of the bodies that hang on them.
    Eigen::Vector3d centre(std::size_t k) const { return pose.placements[k].translation; }
    Eigen::Vector3d hinge(std::size_t k) const
    {
        const RecordList& list = system->values().list("bodies");
        std::size_t place = list.size();
        for (std::size_t i = 0; i < k; ++i)
            place += list[i].integer("parent") >= 0;
        return pose.placements[place].translation;
    }
    Stage after(const Outcome<Change>& edit) const
    {
        if (!edit)
            throw Error(edit.refusal);
        // As the Document does: the start that was, where it still fits, and what the change adds.
        Session session = defaultSession(multibodyKind());
        session.values = multibodyKind().schema.with(system->values(), edit.value->assignments);
        session.motions.front().state = system->inputsOf(x);
        forgetLostStarts(multibodyKind(), session, system->values());
        StateInputs start = session.motions.front().state;
        for (const auto& given : edit.value->state) {
            std::erase_if(start, [&](const auto& old) { return old.first == given.first; });
            start.push_back(given);
        }
        return Stage(session.values, start);
    }
};

Stage randomStage(int n, std::mt19937_64& engine)
{
    StateInputs start;
    for (int k = 0; k < n; ++k)
        start.emplace_back(fmt::format("theta_{}", k + 1), std::uniform_real_distribution(-3.0, 3.0)(engine));
    return Stage(valuesOf(randomBodies(n, engine)), start);
}

// Dragged lengths come in steps below a pixel: a thousandth of the size's power of ten.
constexpr double step = 0.01;

TEST(MultibodyEditing, ADraggedHingeGoesToThePointAndNoBodyMoves)
{
    std::mt19937_64 engine(1);
    for (int n = 2; n < 8; ++n) {
        const Stage before = randomStage(n, engine);
        for (const StageHandle& handle : before.editing().stageHandles(0, before.x)) {
            if (!handle.id.starts_with("hinge."))
                continue;
            const auto k = static_cast<std::size_t>(std::stoi(handle.id.substr(6)));
            EXPECT_LT((handle.at - before.hinge(k)).norm(), 1e-12);
            const Eigen::Vector3d to = handle.at + Eigen::Vector3d(0.37, -0.21, 0);
            const Stage after = before.after(before.editing().dragHandle(handle.id, 0, before.x, to));
            EXPECT_LT((after.hinge(k) - to).norm(), 2 * step);
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
                EXPECT_LT((after.centre(i) - before.centre(i)).norm(), 2 * step) << handle.id << " " << i;
        }
    }
}

TEST(MultibodyEditing, ADraggedMassCentreGoesToThePointAndTheHingesKeepTheirDistances)
{
    std::mt19937_64 engine(2);
    for (int n = 2; n < 8; ++n) {
        const Stage before = randomStage(n, engine);
        for (const StageHandle& handle : before.editing().stageHandles(0, before.x)) {
            if (!handle.id.starts_with("centre."))
                continue;
            const auto k = static_cast<std::size_t>(std::stoi(handle.id.substr(7)));
            const Eigen::Vector3d to = handle.at + Eigen::Vector3d(-0.3, 0.4, 0);
            const Stage after = before.after(before.editing().dragHandle(handle.id, 0, before.x, to));
            EXPECT_LT((after.centre(k) - to).norm(), 4 * step);
            std::vector<std::size_t> hung;
            for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i)
                if (before.system->values().list("bodies")[i].integer("parent") >= 0)
                    hung.push_back(i);
            for (const std::size_t i : hung)
                for (const std::size_t j : hung)
                    EXPECT_NEAR((after.hinge(i) - after.hinge(j)).norm(),
                                (before.hinge(i) - before.hinge(j)).norm(), 8 * step);
        }
    }
}

TEST(MultibodyEditing, ABodyIsHungOnTheOneUnderThePointAndTurnsWithIt)
{
    std::mt19937_64 engine(3);
    const Stage before = randomStage(4, engine);
    const Eigen::Vector3d at = before.centre(2) + Eigen::Vector3d(0.01, 0.02, 0);
    const Stage after = before.after(before.editing().stageAct("add", 0, before.x, at, 0));
    const RecordList& bodies = after.system->values().list("bodies");
    ASSERT_EQ(bodies.size(), 5u);
    EXPECT_EQ(bodies.back().integer("parent"), 2);
    EXPECT_EQ(bodies.back().real("mass"), bodies[2].real("mass"));
    EXPECT_EQ(after.x[4], before.x[2]);
    // The common centre has moved; distances have not.
    EXPECT_NEAR((after.hinge(4) - after.centre(2)).norm(), (at - before.centre(2)).norm(), step);
    EXPECT_NEAR(after.x.tail(5).sum(), 1, 1e-12); // the momentum is the parameter
}

TEST(MultibodyEditing, AnyBodyOfAnyTreeCanBeTakenAwayAndTheOthersKeepTheirAngles)
{
    std::mt19937_64 engine(4);
    for (int n = 2; n < 9; ++n) {
        const Stage before = randomStage(n, engine);
        for (std::size_t gone = 0; gone < static_cast<std::size_t>(n); ++gone) {
            const Stage after = before.after(before.lists().withoutEntry("bodies", gone, 0, before.x));
            ASSERT_EQ(after.x.size(), 2 * (n - 1));
            for (Eigen::Index i = 0, j = 0; i < n; ++i)
                if (i != static_cast<Eigen::Index>(gone))
                    EXPECT_EQ(after.x[j++], before.x[i]);
        }
    }
    const Stage one(valuesOf({TreeBody{}}));
    EXPECT_THAT(one.lists().withoutEntry("bodies", 0, 0, one.x).refusal, HasSubstr("last body"));
}

TEST(MultibodyEditing, WhatHungOnARemovedBodyHangsWhereItHung)
{
    std::mt19937_64 engine(5);
    const Stage chain(valuesOf(randomBodies(4, engine, true)));
    const RecordList before = chain.system->values().list("bodies");
    const RecordList after =
        chain.after(chain.lists().withoutEntry("bodies", 1, 0, chain.x)).system->values().list("bodies");
    EXPECT_EQ(after[1].integer("parent"), 0);
    EXPECT_EQ(after[1].vector("hinge_on_parent"), before[1].vector("hinge_on_parent"));
    EXPECT_EQ(after[1].vector("hinge_on_body"), before[2].vector("hinge_on_body"));
    EXPECT_EQ(after[2].integer("parent"), 1);
}

TEST(MultibodyEditing, JointsFollowTheirBodiesAndOneIsAddedWhereNoneIs)
{
    std::mt19937_64 engine(6);
    const Stage chain(valuesOf(randomBodies(4, engine, true)));
    Stage now = chain;
    for (int k = 0; k < 3; ++k)
        now = now.after(now.lists().withEntry("joints", 0, now.x));
    ASSERT_EQ(now.system->values().list("joints").size(), 3u);
    EXPECT_THAT(now.lists().withEntry("joints", 0, now.x).refusal, HasSubstr("every hinge"));
    Values stiff = now.system->values();
    for (std::size_t i = 0; i < 3; ++i)
        stiff.setAt(fmt::format("joints.{}.stiffness", i),
                    static_cast<double>(stiff.list("joints")[i].integer("body")));
    const Stage springs(stiff);
    const Stage less = springs.after(springs.lists().withoutEntry("bodies", 2, 0, springs.x));
    const RecordList& joints = less.system->values().list("joints");
    ASSERT_EQ(joints.size(), 2u);
    EXPECT_EQ(joints[0].integer("body"), 1);
    EXPECT_EQ(joints[0].real("stiffness"), 1);
    EXPECT_EQ(joints[1].integer("body"), 2);
    EXPECT_EQ(joints[1].real("stiffness"), 3); // it was that of body 3
}

TEST(MultibodyEditing, ASymmetricChainIsMadeInOneStepUpToTheMostBodies)
{
    std::mt19937_64 engine(7);
    const Stage before = randomStage(5, engine);
    for (const long n : {1L, 2L, 20L, mostBodies}) {
        const Stage after = before.after(before.editing().stageAct("chain", 0, before.x, {0, 0, 0}, n));
        const RecordList& bodies = after.system->values().list("bodies");
        ASSERT_EQ(static_cast<long>(bodies.size()), n);
        for (std::size_t k = 1; k < bodies.size(); ++k) {
            EXPECT_EQ(bodies[k].integer("parent"), static_cast<long>(k) - 1);
            EXPECT_EQ(bodies[k].vector("hinge_on_parent"),
                      Eigen::VectorXd(-bodies[k].vector("hinge_on_body")));
        }
    }
    EXPECT_THAT(before.editing().stageAct("chain", 0, before.x, {0, 0, 0}, mostBodies + 1).refusal,
                HasSubstr("from 1 to 512"));
}

TEST(MultibodyEditing, ATableRowMoreContinuesAChain)
{
    const Kind& kind = multibodyKind();
    const Stage before(kind.schema.with(kind.schema.defaults(), {{"chain", 5.0}}));
    const Stage after = before.after(before.lists().withEntry("bodies", 0, before.x));
    EXPECT_EQ(std::get<double>(kind.schema.read(after.system->values(), "chain")), 6);
}

TEST(MultibodyNames, AreKeptInSessionsAndShownOnTheStage)
{
    const Kind& kind = multibodyKind();
    Session session = defaultSession(kind);
    session.values = kind.schema.with(session.values, {{"bodies.1.name", std::string("left_panel")}});
    const Session again = readSession(writeSession(session));
    EXPECT_EQ(again.values.list("bodies")[1].choice("name"), "left_panel");
    const auto system = kind.make(again.values);
    std::vector<std::string> labels;
    for (const Part& part : system->scene().parts)
        if (const Label* label = std::get_if<Label>(&part.shape))
            labels.push_back(label->text);
    EXPECT_EQ(labels, (std::vector<std::string>{"1", "left panel", "3"})); // _ would begin a subscript
    EXPECT_THAT(system->coordinates()[1].name, HasSubstr("left panel"));
}

TEST(MultibodyNames, EqualOnesAndUnprintableOnesAreRefused)
{
    const Schema& schema = multibodyKind().schema;
    const auto refusal = [&](const std::string& second) {
        const Values named = schema.with(schema.defaults(), {{"bodies.0.name", std::string("a")}});
        return schema.tryWith(named, {"bodies.2.name", second}).refusal;
    };
    EXPECT_EQ(refusal("b"), "");
    EXPECT_THAT(refusal("a"), HasSubstr("bodies 1 and 3 are both called 'a'"));
    EXPECT_THAT(refusal("b\n"), HasSubstr("bodies.2.name"));
    EXPECT_THAT(refusal(std::string(100, 'x')), HasSubstr("60 at most"));
}

} // namespace
} // namespace casimir::planar
