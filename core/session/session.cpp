#include "core/session/session.h"

#include "core/base/error.h"
#include "core/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir {

namespace {

bool sameAssignments(const std::vector<Assignment>& a, const std::vector<Assignment>& b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Assignment& x, const Assignment& y) {
        return x.address == y.address && equal(x.value, y.value);
    });
}

// Whether two sets of values differ in real numbers at most, so that their systems have the same inputs.
bool sameButForNumbers(const Record& a, const Record& b)
{
    const auto alike = [](const Value& x, const Value& y) {
        if (x.index() != y.index())
            return false;
        const auto* list = std::get_if<RecordList>(&x);
        if (list) {
            const RecordList& other = std::get<RecordList>(y);
            return std::equal(list->begin(), list->end(), other.begin(), other.end(), sameButForNumbers);
        }
        return std::holds_alternative<std::string>(x) || std::holds_alternative<long>(x) ? equal(x, y) : true;
    };
    return std::equal(
        a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
        [&alike](const auto& x, const auto& y) { return x.first == y.first && alike(x.second, y.second); });
}

} // namespace

IntegrationOptions integrationOptions(const Motion& motion)
{
    IntegrationOptions options;
    options.rtol = motion.options.rtol;
    options.step = motion.options.step;
    if (motion.input && !motion.input->live)
        options.input = std::make_shared<LiveInput>(motion.input->samples);
    return options;
}

Segment segmentAt(const System& system, double t, const State& x)
{
    Segment segment{t, {}};
    segment.state.reserve(system.coordinates().size());
    for (std::size_t i = 0; i < system.coordinates().size(); ++i)
        segment.state.emplace_back(system.coordinates()[i].id, x[static_cast<Eigen::Index>(i)]);
    return segment;
}

State stateOf(const System& system, const Segment& segment)
{
    const auto& coordinates = system.coordinates();
    if (segment.state.size() != coordinates.size())
        throw Error(fmt::format("a state of {} numbers was given where the system has {} coordinates",
                                segment.state.size(), coordinates.size()));
    State x(static_cast<Eigen::Index>(coordinates.size()));
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
        const auto& id = coordinates[i].id;
        // As written by segmentAt() they stand in their places; by hand they may come in any order.
        const auto it = segment.state[i].first == id
                            ? segment.state.begin() + static_cast<std::ptrdiff_t>(i)
                            : std::find_if(segment.state.begin(), segment.state.end(),
                                           [&id](const auto& given) { return given.first == id; });
        if (it == segment.state.end()) {
            std::vector<std::string> known;
            for (const Quantity& coordinate : coordinates)
                known.push_back(coordinate.id);
            const auto stranger =
                std::find_if(segment.state.begin(), segment.state.end(), [&](const auto& given) {
                    return std::find(known.begin(), known.end(), given.first) == known.end();
                });
            throw Error(stranger == segment.state.end()
                            ? fmt::format("the coordinate {} is missing", id)
                            : fmt::format("unknown coordinate '{}'; {}", stranger->first,
                                          didYouMean(stranger->first, known)));
        }
        x[static_cast<Eigen::Index>(i)] = it->second;
    }
    return x;
}

StateInputs runsFrom(const System& system, const Motion& motion)
{
    return motion.from ? system.inputsOf(stateOf(system, *motion.from)) : motion.state;
}

bool operator==(const Motion& a, const Motion& b)
{
    return a.label == b.label && a.method == b.method && a.state == b.state && a.from == b.from &&
           sameAssignments(a.overrides, b.overrides) && a.options == b.options && a.input == b.input &&
           a.visible == b.visible && a.colour == b.colour;
}

bool operator==(const Session& a, const Session& b)
{
    return a.kind == b.kind && a.title == b.title && a.about == b.about && a.values == b.values &&
           a.motions == b.motions && a.run.tEnd == b.run.tEnd && a.run.speed == b.run.speed &&
           a.run.loop == b.run.loop && a.views == b.views && a.options == b.options && a.limits == b.limits &&
           a.ghosts == b.ghosts && a.notes == b.notes;
}

Session defaultSession(const Kind& kind)
{
    Session session;
    session.kind = kind.id;
    session.title = kind.title;
    session.values = kind.schema.defaults();
    session.motions.push_back({.label = "Motion 1", .method = {}, .state = {}, .overrides = {}});
    return session;
}

Values valuesOf(const Kind& kind, const Session& session, const Motion& motion)
{
    return motion.overrides.empty() ? session.values : kind.schema.with(session.values, motion.overrides);
}

void forgetLostStarts(const Kind& kind, Session& session, const Values& before)
{
    if (sameButForNumbers(before, session.values))
        return;
    for (Motion& motion : session.motions) {
        const auto system = kind.make(valuesOf(kind, session, motion));
        std::erase_if(motion.state, [&system](const auto& given) {
            return std::none_of(
                system->inputs().begin(), system->inputs().end(),
                [&given](const StateInput& input) { return input.quantity.id == given.first; });
        });
    }
}

} // namespace casimir
