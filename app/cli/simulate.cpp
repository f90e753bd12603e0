#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_from_arguments.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/suggest.h"
#include "core/engine/batch.h"
#include "core/engine/step_choice.h"
#include "core/files/csv.h"
#include "core/files/data_table.h"
#include "core/model/capabilities.h"
#include "core/session/command_text.h"
#include "core/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <optional>

namespace casimir::cli {

namespace {

// A file of more rows than this is a mistake in --dt.
constexpr double mostRows = 1e9;

void chooseMethod(const Arguments& arguments, const System& system, Motion& motion)
{
    const auto methods = system.methods();
    if (arguments.has("--exact")) {
        if (arguments.has("--integrator"))
            throw Error("--exact and --integrator exclude each other");
        if (arguments.has("--by"))
            throw Error("--exact and --by exclude each other");
        motion.method = "exact";
    } else if (arguments.has("--by")) {
        if (arguments.one("--integrator").value_or("reduced") != "reduced")
            throw Error("--by is the reduced form; it excludes another --integrator");
        motion.method = "reduced";
    } else if (const auto id = arguments.one("--integrator")) {
        motion.method = *id;
    } else if (motion.method.empty()) {
        motion.method = methods.front().id;
    }
    const auto chosen = std::find_if(methods.begin(), methods.end(),
                                     [&](const MethodInfo& method) { return method.id == motion.method; });
    if (chosen == methods.end()) {
        if (arguments.has("--exact"))
            throw Error(fmt::format("{} has no closed form of its motion", system.kind().id));
        std::vector<std::string> known;
        for (const MethodInfo& method : methods)
            known.emplace_back(method.id);
        throw Error(
            fmt::format("unknown integrator '{}'; {}", motion.method, didYouMean(motion.method, known)));
    }
    if (const auto rtol = arguments.number("--rtol")) {
        if (*rtol < 1e-15 || *rtol > 0.1)
            throw Error(
                fmt::format("--rtol = {} is out of range; it must be at least 1e-15 and at most 0.1", *rtol));
        motion.options.rtol = *rtol;
    }
    if (const auto step = arguments.number("--step", "s")) {
        if (!chosen->fixedStep)
            throw Error(fmt::format("--step is for fixed-step methods; {} chooses its own, use --rtol",
                                    motion.method));
        if (*step <= 0)
            throw Error(fmt::format("--step = {} is out of range; it must be greater than 0", *step));
        motion.options.step = *step;
    }
}

// The form that --by asks for; null without that option.
const HasReducedForm* reducedForm(const Arguments& arguments, const System& system)
{
    const auto quantity = arguments.one("--by");
    if (!quantity)
        return nullptr;
    const auto* form = capability<HasReducedForm>(system);
    if (!form)
        throw Error(fmt::format("--by {}: {} has no reduced form that runs in anything but time", *quantity,
                                system.kind().id));
    if (form->independentQuantity() != *quantity)
        throw Error(fmt::format("--by {}: the reduced form of {} runs in {}", *quantity, system.kind().id,
                                form->independentQuantity()));
    return form;
}

double checkedSpacing(double dt, double length, const std::string& where)
{
    if (dt <= 0)
        throw Error(fmt::format("--dt = {} is out of range; it must be greater than 0", dt));
    if (length / dt > mostRows)
        throw Error(fmt::format("--dt = {} makes more than {} rows up to {}", dt, mostRows, where));
    return dt;
}

// Of a fixed-step method without --step: the generic ones have no other measure than the tolerance, a
// system's own have a step of their own where no tolerance is asked for.
bool choosesStep(const Arguments& arguments, const System& system, const Motion& motion)
{
    if (motion.options.step > 0 || arguments.has("--by"))
        return false;
    const auto generic = genericMethods();
    const bool isGeneric = std::any_of(generic.begin(), generic.end(),
                                       [&](const MethodInfo& method) { return method.id == motion.method; });
    for (const MethodInfo& method : system.methods())
        if (method.id == motion.method)
            return method.fixedStep && !method.illustration && (isGeneric || arguments.has("--rtol"));
    return false;
}

// Sets the step and says what it reaches, as a comment line.
std::string chooseStep(const System& system, const std::string& method, IntegrationOptions& options,
                       const Recorder::Origin& from, double tEnd)
{
    const StepChoice choice =
        stepForRun(system, method, options, from.t0, from.x0, tEnd, [] { return interrupted(); });
    if (interrupted())
        throw Interrupted{};
    options.step = choice.step;
    if (!std::isfinite(choice.reached))
        return fmt::format("step: {}; no two steps could be compared: {}\n", numberText(choice.step),
                           choice.status.sentence);
    const std::string reached =
        fmt::format("step: {}, with which the end of the run is off by about {:.1e} of its size",
                    numberText(choice.step), choice.reached);
    if (!choice.met)
        std::fputs(
            fmt::format("casimir: the tolerance {} is not reached; {}\n", numberText(options.rtol), reached)
                .c_str(),
            stderr);
    return reached + "\n";
}

} // namespace

int simulate(const Arguments& arguments)
{
    const auto tEnd = arguments.number("--t-end", "s");
    if (!tEnd)
        throw Error("casimir simulate needs --t-end T");
    Session session = sessionFromArguments(arguments);
    Motion& motion = session.motions.front();
    const auto system = systemOf(session);
    const HasReducedForm* form = reducedForm(arguments, *system);
    chooseMethod(arguments, *system, motion);
    const Recorder::Origin from = motion.from
                                      ? Recorder::Origin{motion.from->t, stateOf(*system, *motion.from)}
                                      : Recorder::Origin{0, system->start(motion.state)};
    const State& x0 = from.x0;
    if (*tEnd == from.t0)
        throw Error(fmt::format("--t-end = {} is where the motion begins; it leaves nothing to simulate",
                                numberText(*tEnd)));
    if (form && motion.from)
        throw Error("--by runs from a start; it cannot take up a motion under way (--resume)");
    IntegrationOptions options = integrationOptions(motion);
    double length = std::abs(*tEnd - from.t0);
    std::string where = numberText(*tEnd), by;
    if (form) {
        // How far the independent quantity goes is known once the run was made.
        const std::string id = form->independentQuantity();
        double last = 0;
        (void)runBatchBy(*form, options, x0, *tEnd, std::numeric_limits<double>::max(),
                         [&](double t, const State& x) { last = system->quantity(id, t, x); });
        length = std::abs(last - system->quantity(id, 0, x0));
        where = fmt::format("{} = {}", id, numberText(last));
        by = " --by " + id;
    }
    const double usual = length > 0 ? length / 1000 : 1;
    const double dt = checkedSpacing(arguments.number("--dt", "s").value_or(usual), length, where);

    const std::string step = choosesStep(arguments, *system, motion)
                                 ? chooseStep(*system, motion.method, options, from, *tEnd)
                                 : "";
    std::string made = fmt::format("casimir {}\n{} --dt {}{}\n{}parameters:", version,
                                   simulateCommand(session, motion, *tEnd), numberText(dt), by, step);
    for (const auto& [address, value] : system->values().fields)
        if (const auto* x = std::get_if<double>(&value))
            made += fmt::format(" {}={}", address, numberText(*x));
    std::vector<Quantity> columns{{"t", "t", "time", "s"}};
    columns.insert(columns.end(), system->quantities().begin(), system->quantities().end());

    Output output(arguments);
    const auto sink = [&output](std::string_view text) { output.write(text); };
    const bool numpy = arguments.one("--output").value_or("").ends_with(".npz");
    // An archive is written column by column, which takes all rows in memory.
    DataTable table;
    if (numpy)
        for (Quantity& column : columns)
            table.add(column, {});
    std::optional<CsvWriter> csv;
    if (!numpy)
        csv.emplace(sink, made, columns);
    std::vector<double> row(columns.size());
    const auto writeRow = [&](double t, const State& x) {
        if (interrupted())
            throw Interrupted{};
        row[0] = t;
        system->evaluate(t, x, std::span(row).subspan(1));
        if (csv)
            csv->row(row);
        for (std::size_t i = 0; i < table.values.size(); ++i)
            table.values[i].push_back(row[i]);
    };
    const Status status = form ? runBatchBy(*form, options, x0, *tEnd, dt, writeRow)
                               : runBatch(*system, motion.method, options, from, *tEnd, dt, writeRow);
    if (csv) {
        csv->flush();
    } else {
        table.made = made;
        writeNpz(table, sink);
    }
    output.commit();
    if (!status.ok())
        std::fputs(fmt::format("casimir: {}\n", status.sentence).c_str(), stderr);
    return 0;
}

} // namespace casimir::cli
