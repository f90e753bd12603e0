#include "core/session/session.h"

#include "core/model/live_input.h"

#include <algorithm>

namespace casimir {

namespace {

bool sameOptions(const IntegrationOptions& a, const IntegrationOptions& b)
{
    const bool sameInput = a.input == b.input || (a.input && b.input && a.input->live() == b.input->live() &&
                                                  a.input->samples() == b.input->samples());
    return a.rtol == b.rtol && a.atol == b.atol && a.step == b.step && sameInput;
}

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

bool operator==(const Motion& a, const Motion& b)
{
    return a.label == b.label && a.method == b.method && a.state == b.state &&
           sameAssignments(a.overrides, b.overrides) && sameOptions(a.options, b.options) &&
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
