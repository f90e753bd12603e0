#include "core/session/command_text.h"

#include "core/files/value_json.h"

#include "core/analysis/sweep.h"
#include "core/base/number_text.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <functional>

namespace casimir {

namespace {

constexpr std::size_t mostCoordinatesInALine = 64;

std::string valueText(const Value& value)
{
    if (const auto* x = std::get_if<double>(&value))
        return numberText(*x);
    if (const auto* vector = std::get_if<Eigen::VectorXd>(&value)) {
        std::string text;
        for (Eigen::Index i = 0; i < vector->size(); ++i)
            text += (i ? "," : "") + numberText((*vector)(i));
        return text;
    }
    if (const auto* word = std::get_if<std::string>(&value))
        return *word;
    return toJson(value).dump();
}

// Calls `visit(address, value)` for every scalar or vector of `record` that differs from `standard`; lists go
// field by field.
void differences(const Record& record, const Record& standard, const std::string& prefix,
                 const std::function<void(const std::string&, const Value&)>& visit)
{
    for (const auto& [id, value] : record.fields) {
        const Value* usual = standard.find(id);
        if (usual && equal(*usual, value))
            continue;
        if (const auto* text = std::get_if<std::string>(&value); text && text->empty())
            continue; // a name that was not given
        if (const auto* list = std::get_if<RecordList>(&value)) {
            for (std::size_t i = 0; i < list->size(); ++i)
                differences((*list)[i], {}, fmt::format("{}{}.{}.", prefix, id, i), visit);
        } else if (const auto* matrix = std::get_if<Eigen::MatrixXd>(&value)) {
            for (Eigen::Index i = 0; i < matrix->rows(); ++i)
                for (Eigen::Index j = 0; j < matrix->cols(); ++j)
                    visit(fmt::format("{}{}.{}.{}", prefix, id, i, j), (*matrix)(i, j));
        } else {
            visit(prefix + id, value);
        }
    }
}

} // namespace

std::string shellWord(const std::string& word)
{
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/") ==
        std::string::npos)
        return word;
    std::string result = "'";
    for (const char c : word)
        result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result + "'";
}

std::string sessionArguments(const Session& session, const Motion& motion)
{
    const Kind& kind = kindNamed(session.kind);
    std::string text = session.kind;
    differences(valuesOf(kind, session, motion), kind.schema.defaults(), "",
                [&text](const std::string& address, const Value& value) {
                    text += " --set " + shellWord(address + "=" + valueText(value));
                });
    std::string state;
    for (const auto& [id, x] : motion.state)
        state += (state.empty() ? "" : ",") + id + "=" + numberText(x);
    if (!state.empty())
        text += " --state " + shellWord(state);
    if (motion.from) {
        std::string from = "t=" + numberText(motion.from->t);
        for (const auto& [id, x] : motion.from->state)
            from += "," + id + "=" + numberText(x);
        text += " --resume " + shellWord(from);
    }
    return text;
}

bool needsSavedSession(const Motion& motion)
{
    return motion.input || (motion.from && motion.from->state.size() > mostCoordinatesInALine);
}

std::string simulateCommand(const Session& session, const Motion& motion, double tEnd,
                            const std::string& file)
{
    std::string text =
        "casimir simulate " +
        (needsSavedSession(motion) ? "--session " + shellWord(file) : sessionArguments(session, motion)) +
        " --t-end " + numberText(tEnd);
    if (!motion.method.empty())
        text += " --integrator " + motion.method;
    const Accuracy standard;
    if (motion.options.rtol != standard.rtol)
        text += " --rtol " + numberText(motion.options.rtol);
    if (motion.options.step != standard.step)
        text += " --step " + numberText(motion.options.step);
    return text;
}

std::string sweepCommand(const Session& session, const Sweep& sweep)
{
    Motion still = session.motions.front();
    still.state = sweep.start; // most equilibria do not depend on where a motion starts
    still.from.reset();
    std::string text = "casimir sweep " + sessionArguments(session, still);
    for (const SweepAxis& axis : sweep.axes)
        text += " --vary " + shellWord(axis.text());
    for (const std::string& path : sweep.quantities)
        text += " --quantity " + shellWord(path);
    return text;
}

} // namespace casimir
