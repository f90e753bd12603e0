#include "app/cli/session_from_arguments.h"

#include "core/analysis/general_plots.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace casimir::cli {

namespace {

// "a=1,b=2" -> {a, 1}, {b, 2}; a piece without '=' belongs to the one before it, so that vectors "r=1,2,3"
// pass.
std::vector<std::pair<std::string, std::string>> pairs(const std::string& option, const std::string& text)
{
    std::vector<std::pair<std::string, std::string>> result;
    std::stringstream stream(text);
    for (std::string piece; std::getline(stream, piece, ',');) {
        const auto equals = piece.find('=');
        if (equals != std::string::npos)
            result.emplace_back(piece.substr(0, equals), piece.substr(equals + 1));
        else if (!result.empty())
            result.back().second += "," + piece;
        else
            throw Error(fmt::format("{} {} should be name=value", option, text));
    }
    if (result.empty())
        throw Error(fmt::format("{} {} should be name=value", option, text));
    return result;
}

std::string unitOf(const System& system, const std::string& input)
{
    for (const StateInput& known : system.inputs())
        if (known.quantity.id == input)
            return known.quantity.unit;
    return input == "t" ? "s" : "";
}

StateInputs numbers(const System& system, const std::string& option, const std::string& text)
{
    StateInputs result;
    for (const auto& [id, value] : pairs(option, text))
        try {
            result.emplace_back(id, parseNumber(value, unitOf(system, id)));
        } catch (const Error& error) {
            throw Error(fmt::format("{} {}: {}", option, id, error.what()));
        }
    return result;
}

void merge(StateInputs& state, const std::string& id, double x)
{
    const auto it =
        std::find_if(state.begin(), state.end(), [&id](const auto& pair) { return pair.first == id; });
    if (it == state.end())
        state.emplace_back(id, x);
    else
        it->second = x;
}

Session baseSession(const Arguments& arguments)
{
    if (const auto path = arguments.one("--session")) {
        if (arguments.has("--preset"))
            throw Error("--session and --preset cannot both be the start; give one");
        Session session;
        try {
            session = readSession(readTextFile(*path));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", *path, error.what()));
        }
        if (!arguments.system().empty() && arguments.system() != session.kind)
            throw Error(
                fmt::format("{} is a session of {}, not of {}", *path, session.kind, arguments.system()));
        return session;
    }
    const Kind& kind = kindNamed(arguments.system());
    if (const auto preset = arguments.one("--preset"))
        return readSession(presetNamed(kind.id, *preset).text);
    return defaultSession(kind);
}

// The Motion of this label, or of this number counted from 1, alone and with its own values.
void chooseMotion(const Kind& kind, Session& session, const std::string& name)
{
    auto& motions = session.motions;
    auto chosen =
        std::find_if(motions.begin(), motions.end(), [&](const Motion& m) { return m.label == name; });
    for (std::size_t i = 0; chosen == motions.end() && i < motions.size(); ++i)
        if (std::to_string(i + 1) == name)
            chosen = motions.begin() + static_cast<std::ptrdiff_t>(i);
    if (chosen == motions.end()) {
        std::vector<std::string> labels;
        for (const Motion& motion : motions)
            labels.push_back(motion.label);
        throw Error(fmt::format("--motion: there is no Motion '{}' among the {} of this session; {}", name,
                                motions.size(), didYouMean(name, labels)));
    }
    Motion alone = *chosen;
    session.values = valuesOf(kind, session, alone);
    alone.overrides.clear();
    motions = {std::move(alone)};
}

} // namespace

std::string readTextFile(const std::string& path)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        throw Error(fmt::format("{} is a folder, not a file", path));
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Session sessionFromArguments(const Arguments& arguments)
{
    return sessionFromArguments(arguments, baseSession(arguments));
}

Session sessionFromArguments(const Arguments& arguments, Session session)
{
    const Kind& kind = kindNamed(session.kind);
    if (const auto name = arguments.one("--motion"))
        chooseMotion(kind, session, *name);
    Motion& motion = session.motions.front();
    std::vector<Assignment> assignments;
    Input input;
    if (const auto path = arguments.one("--input")) {
        try {
            input = readInput(kind, readTextFile(*path));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", *path, error.what()));
        }
        assignments = input.assignments;
    }
    for (const std::string& text : arguments.all("--set"))
        for (const auto& [address, value] : pairs("--set", text))
            assignments.push_back({address, kind.schema.parse(address, value)});
    const Values before = session.values;
    const auto was = motion.from && !assignments.empty() ? systemOf(session) : nullptr;
    session.values = kind.schema.with(session.values, assignments);
    forgetLostStarts(kind, session, before);
    for (const auto& [id, x] : input.state)
        merge(motion.state, id, x);
    const auto system = systemOf(session);
    for (const std::string& text : arguments.all("--state"))
        for (const auto& [id, x] : numbers(*system, "--state", text))
            merge(motion.state, id, x);
    // Another start is run from; at other values a run that was under way goes on from where it stood.
    if (arguments.has("--state") || !input.state.empty())
        motion.from.reset();
    (void)system->start(motion.state);
    if (const auto text = arguments.one("--resume")) {
        motion.from = Segment{0, numbers(*system, "--resume", *text)};
        const auto time = std::find_if(motion.from->state.begin(), motion.from->state.end(),
                                       [](const auto& given) { return given.first == "t"; });
        if (time == motion.from->state.end())
            throw Error("--resume needs t=T, the time at which the motion is taken up");
        motion.from->t = time->second;
        motion.from->state.erase(time);
        try {
            (void)stateOf(*system, *motion.from);
        } catch (const Error& error) {
            throw Error(fmt::format("--resume: {}", error.what()));
        }
    } else if (motion.from && was) {
        const double t = motion.from->t;
        motion.from = segmentAt(*system, t, system->carriedFrom(*was, t, stateOf(*was, *motion.from)));
    }
    std::map<std::string, std::string> options;
    for (const std::string& text : arguments.all("--option")) {
        const auto equals = text.find('=');
        if (equals == std::string::npos)
            throw Error(fmt::format("--option {} should be plot.option=value, as in branch.x=mu", text));
        options[text.substr(0, equals)] = text.substr(equals + 1);
    }
    checkPlotOptions(*system, options);
    for (const auto& [key, value] : options)
        session.options[key] = value;
    return session;
}

std::shared_ptr<const System> systemOf(const Session& session)
{
    const Kind& kind = kindNamed(session.kind);
    return kind.make(valuesOf(kind, session, session.motions.front()));
}

} // namespace casimir::cli
