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

} // namespace casimir
