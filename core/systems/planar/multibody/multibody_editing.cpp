// Trees edited by hand: hinges and mass centres dragged on the stage, bodies hung on and taken away.
#include "core/systems/planar/multibody/multibody_system.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace casimir::planar {

namespace {

constexpr double usualArm = 0.5; // m, from a mass centre to a hinge where nothing else says

Eigen::Vector2d turned(double angle, const Eigen::Vector2d& v)
{
    return Eigen::Rotation2Dd(angle) * v;
}

Eigen::VectorXd pair(const Eigen::Vector2d& v)
{
    return v;
}

bool inside(const std::vector<Eigen::Vector2d>& polygon, const Eigen::Vector2d& p)
{
    bool within = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Eigen::Vector2d &a = polygon[i], &b = polygon[j];
        if ((a.y() > p.y()) != (b.y() > p.y()) &&
            p.x() < a.x() + (b.x() - a.x()) * (p.y() - a.y()) / (b.y() - a.y()))
            within = !within;
    }
    return within;
}

// "hinge.3" -> ("hinge", 3)
std::pair<std::string_view, std::size_t> parsed(std::string_view id)
{
    const std::size_t dot = id.find('.');
    std::size_t number = 0;
    if (dot != std::string_view::npos)
        std::from_chars(id.data() + dot + 1, id.data() + id.size(), number);
    return {id.substr(0, dot), number};
}

std::string thetaId(std::size_t body)
{
    return fmt::format("theta_{}", body + 1);
}

std::string muId(std::size_t body)
{
    return fmt::format("mu_{}", body + 1);
}

} // namespace

struct MultibodySystem::Places {
    std::vector<double> theta;
    std::vector<Eigen::Vector2d> r;
    double perMetre = 1000; // steps that a dragged length comes in: far below a pixel, and short in the table

    Eigen::Vector2d inFrame(std::size_t body, const Eigen::Vector2d& point) const
    {
        const Eigen::Vector2d local = perMetre * turned(-theta[body], point - r[body]);
        return {std::round(local.x()) / perMetre, std::round(local.y()) / perMetre};
    }
};

MultibodySystem::Places MultibodySystem::places(double t, const State& x) const
{
    Places now{std::vector<double>(static_cast<std::size_t>(tree_.size())), {}};
    now.perMetre = std::pow(10.0, 3 - std::floor(std::log10(sceneRadius_)));
    tree_.angles(t, x.data(), now.theta.data());
    tree_.centres(t, x.data(), now.r);
    return now;
}

std::size_t MultibodySystem::bodyNear(const Places& now, const Eigen::Vector2d& point) const
{
    const std::vector<PlanarBody> drawn = drawnBodies();
    std::size_t nearest = 0;
    std::pair best{false, 1e300};
    for (std::size_t k = 0; k < now.r.size(); ++k) {
        const bool on = inside(outlineOf(drawn[k]), turned(-now.theta[k], point - now.r[k]));
        const double distance = (point - now.r[k]).norm();
        if (on > best.first || (on == best.first && distance < best.second)) {
            best = {on, distance};
            nearest = k;
        }
    }
    return nearest;
}

std::vector<StageHandle> MultibodySystem::stageHandles(double t, const State& x) const
{
    std::vector<StageHandle> handles;
    if (tree_.size() == 1)
        return handles;
    const Places now = places(t, x);
    const auto add = [&handles](std::string id, std::string name, const Eigen::Vector2d& at) {
        handles.push_back({std::move(id), std::move(name), {at.x(), at.y(), 0}});
    };
    for (std::size_t k = 0; k < now.r.size(); ++k) {
        const TreeBody& body = tree_.bodies()[k];
        if (body.parent >= 0)
            add(fmt::format("hinge.{}", k),
                fmt::format("hinge of {} and {}", label(static_cast<std::size_t>(body.parent)), label(k)),
                now.r[k] + turned(now.theta[k], body.hingeOnBody));
        add(fmt::format("centre.{}", k), fmt::format("mass centre of {}", label(k)), now.r[k]);
    }
    return handles;
}

Outcome<Change> MultibodySystem::dragHandle(std::string_view id, double t, const State& x,
                                            const Eigen::Vector3d& to) const
{
    const Places now = places(t, x);
    const auto [what, k] = parsed(id);
    if (k >= now.r.size())
        return Outcome<Change>::refused(fmt::format("there is no body {}", k + 1));
    const TreeBody& body = tree_.bodies()[k];
    const Eigen::Vector2d point = to.head<2>();
    Change change;
    const auto assign = [&change](std::size_t i, const char* field, const Eigen::Vector2d& value) {
        change.assignments.push_back({fmt::format("bodies.{}.{}", i, field), pair(value)});
    };
    if (what == "hinge" && body.parent >= 0) {
        const auto p = static_cast<std::size_t>(body.parent);
        change.text = fmt::format("Move the hinge of {} and {}", label(p), label(k));
        assign(k, "hinge_on_parent", now.inFrame(p, point));
        assign(k, "hinge_on_body", now.inFrame(k, point));
        return Outcome<Change>::of(std::move(change));
    }
    // A mass centre moves in its body while all hinges stay. The common centre goes part of the way with it
    // and is the origin again: the body must go farther for its centre to arrive at the point.
    const double rest = 1 - body.mass / tree_.mass();
    if (what != "centre" || !(rest > 1e-6))
        return Outcome<Change>::refused(
            fmt::format("body {} holds nearly all the mass: its centre is the common one", k + 1));
    change.text = fmt::format("Move the mass centre of {}", label(k));
    Places after = now;
    after.r[k] += (point - now.r[k]) / rest;
    const auto hinge = [&now, this](std::size_t i) {
        return Eigen::Vector2d(now.r[i] + turned(now.theta[i], tree_.bodies()[i].hingeOnBody));
    };
    if (body.parent >= 0)
        assign(k, "hinge_on_body", after.inFrame(k, hinge(k)));
    for (std::size_t j = 0; j < now.r.size(); ++j)
        if (tree_.bodies()[j].parent == static_cast<int>(k))
            assign(j, "hinge_on_parent", after.inFrame(k, hinge(j)));
    return Outcome<Change>::of(std::move(change));
}

std::vector<StageAction> MultibodySystem::stageActions(double t, const State& x,
                                                       const Eigen::Vector3d& at) const
{
    const std::size_t near = bodyNear(places(t, x), at.head<2>());
    std::vector<StageAction> actions{{"add", fmt::format("Hang a Body on {} Here", label(near))}};
    if (tree_.size() > 1)
        actions.push_back({"remove", fmt::format("Remove Body {}", label(near))});
    actions.push_back(
        {"chain", "Symmetric Chain…",
         integerParameter({"bodies", "N", "number of bodies", "",
                           fmt::format("All like body {}, each hinged at both ends.", label(near)), ""},
                          tree_.size(), 1, mostBodies)});
    return actions;
}

Outcome<Change> MultibodySystem::stageAct(std::string_view id, double t, const State& x,
                                          const Eigen::Vector3d& at, long number) const
{
    const Places now = places(t, x);
    const std::size_t near = bodyNear(now, at.head<2>());
    if (id == "add")
        return hung(near, now.inFrame(near, at.head<2>()), t, x);
    if (id == "remove")
        return without(near, t, x);
    if (id == "chain")
        return symmetricChain(near, number);
    return Outcome<Change>::refused(fmt::format("unknown action '{}'", id));
}

// A body like its parent, on the far side of a hinge of the parent, turned as the parent is.
Outcome<Change> MultibodySystem::hung(std::size_t parent, const Eigen::Vector2d& hinge, double t,
                                      const State& x) const
{
    RecordList bodies = values().list("bodies");
    if (bodies.size() >= static_cast<std::size_t>(mostBodies))
        return Outcome<Change>::refused(fmt::format("there may be {} bodies at most", mostBodies));
    const TreeBody& like = tree_.bodies()[parent];
    const double own = like.parent >= 0 ? like.hingeOnBody.norm() : 0, there = hinge.norm();
    const double arm = own > 0 ? own : there > 0 ? there : usualArm;
    const Eigen::Vector2d outward = there > 0 ? Eigen::Vector2d(hinge / there) : Eigen::Vector2d::UnitX();
    Record record = bodies[parent];
    record.set("name", std::string());
    record.set("parent", static_cast<long>(parent));
    record.set("hinge_on_parent", pair(hinge));
    record.set("hinge_on_body", pair(-arm * outward));
    bodies.push_back(std::move(record));
    const double theta = places(t, x).theta[parent];
    return Outcome<Change>::of({fmt::format("Hang a body on {}", label(parent)),
                                {{"bodies", std::move(bodies)}},
                                {{thetaId(static_cast<std::size_t>(tree_.size())), theta}}});
}

// What hung on the body then hangs where the body hung; of what hung on the root, the first is the new root.
Outcome<Change> MultibodySystem::without(std::size_t body, double t, const State& x) const
{
    const RecordList& present = values().list("bodies");
    const std::size_t n = present.size();
    if (n == 1)
        return Outcome<Change>::refused("the last body stays");
    const auto gone = static_cast<long>(body);
    const Record& removed = present[body];
    long heir = removed.integer("parent");
    Eigen::VectorXd hinge = removed.vector("hinge_on_parent");
    long root = -1;
    if (heir < 0) {
        const auto first = std::find_if(present.begin(), present.end(), [gone](const Record& record) {
            return record.integer("parent") == gone;
        });
        heir = root = first - present.begin();
        hinge = first->vector("hinge_on_body");
    }
    const auto renumbered = [gone](long k) { return k > gone ? k - 1 : k; };
    const Places now = places(t, x);
    RecordList bodies;
    Change change{fmt::format("Remove body {}", label(body))};
    for (std::size_t k = 0; k < n; ++k) {
        if (k == body)
            continue;
        Record record = present[k];
        long parent = record.integer("parent");
        if (static_cast<long>(k) == root) {
            parent = -1;
        } else if (parent == gone) {
            parent = heir;
            record.set("hinge_on_parent", hinge);
        }
        record.set("parent", renumbered(parent));
        change.state.emplace_back(thetaId(bodies.size()), now.theta[k]);
        change.state.emplace_back(muId(bodies.size()), x[static_cast<Eigen::Index>(n + k)]);
        bodies.push_back(std::move(record));
    }
    RecordList joints;
    for (Record joint : values().list("joints"))
        if (const long k = joint.integer("body"); k != gone && k != root) {
            joint.set("body", renumbered(k));
            joints.push_back(std::move(joint));
        }
    change.assignments = {{"bodies", std::move(bodies)}, {"joints", std::move(joints)}};
    return Outcome<Change>::of(std::move(change));
}

Outcome<Change> MultibodySystem::symmetricChain(std::size_t like, long number) const
{
    if (number < 1 || number > mostBodies)
        return Outcome<Change>::refused(
            fmt::format("a chain has a whole number of bodies from 1 to {}", mostBodies));
    double arm = 0;
    const PlanarBody body = drawnBodies()[like];
    for (const Eigen::Vector2d& hinge : body.hinges)
        arm = std::max(arm, hinge.norm());
    if (!(arm > 0))
        arm = usualArm;
    Record record = values().list("bodies")[like];
    record.set("name", std::string());
    record.set("hinge_on_parent", pair({arm, 0}));
    record.set("hinge_on_body", pair({-arm, 0}));
    Change change{fmt::format("Symmetric chain of {}", number)};
    RecordList bodies;
    for (long k = 0; k < number; ++k) {
        record.set("parent", k - 1);
        bodies.push_back(record);
        change.state.emplace_back(thetaId(static_cast<std::size_t>(k)), k % 2 ? startingBend : 0.0);
        change.state.emplace_back(muId(static_cast<std::size_t>(k)), 0.0);
    }
    change.assignments = {{"joints", RecordList{}}, {"bodies", std::move(bodies)}};
    return Outcome<Change>::of(std::move(change));
}

Outcome<Change> MultibodySystem::withJoint() const
{
    RecordList joints = values().list("joints");
    const Schema& schema = kind().schema;
    Record record = joints.empty() ? schema.defaultRecord(schema.resolve("joints")) : joints.back();
    for (const int body : tree_.order()) {
        const bool taken = std::any_of(tree_.joints().begin(), tree_.joints().end(),
                                       [body](const TreeJoint& joint) { return joint.body == body; });
        if (body == tree_.root() || taken)
            continue;
        record.set("body", static_cast<long>(body));
        joints.push_back(std::move(record));
        return Outcome<Change>::of(
            {fmt::format("Add a joint at body {}", body + 1), {{"joints", std::move(joints)}}});
    }
    return Outcome<Change>::refused("every hinge has its entry");
}

Outcome<Change> MultibodySystem::withEntry(std::string_view list, double t, const State& x) const
{
    if (list == "joints")
        return withJoint();
    // On the last body, where its own like would follow in a chain.
    const std::size_t last = static_cast<std::size_t>(tree_.size()) - 1;
    const TreeBody& body = tree_.bodies()[last];
    const Eigen::Vector2d hinge = body.parent >= 0 && body.hingeOnBody.norm() > 0
                                      ? Eigen::Vector2d(-body.hingeOnBody)
                                      : Eigen::Vector2d(usualArm, 0);
    return hung(last, hinge, t, x);
}

Outcome<Change> MultibodySystem::withoutEntry(std::string_view list, std::size_t index, double t,
                                              const State& x) const
{
    if (list == "bodies")
        return without(index, t, x);
    RecordList joints = values().list("joints");
    joints.erase(joints.begin() + static_cast<std::ptrdiff_t>(index));
    return Outcome<Change>::of({"Remove a joint", {{"joints", std::move(joints)}}});
}

} // namespace casimir::planar
