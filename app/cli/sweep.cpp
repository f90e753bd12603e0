#include "core/analysis/sweep.h"
#include "core/analysis/parameter_axis.h"

#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_from_arguments.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/files/csv.h"
#include "core/files/resumable_file.h"
#include "core/session/command_text.h"
#include "core/systems/catalogue.h"
#include "core/version.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

namespace casimir::cli {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto writeEvery = std::chrono::milliseconds(200); // what a killed run may lose
constexpr auto tellEvery = std::chrono::milliseconds(250);

int threadsFrom(const Arguments& arguments)
{
    const double given = arguments.number("--threads").value_or(0);
    if (given < 0 || given != static_cast<int>(given) || given > 1024)
        throw Error(fmt::format("--threads = {} must be a whole number from 1 to 1024", given));
    return given > 0 ? static_cast<int>(given)
                     : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

// One line on a terminal, written over itself; or, for a program that watches, a line each time on standard
// output.
class Progress {
public:
    Progress(long first, long all, bool lines)
        : shown_(lines || ::isatty(STDERR_FILENO) != 0), asLines_(lines), first_(first), all_(all)
    {
    }
    ~Progress() { clear(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void tell(long done)
    {
        const auto now = Clock::now();
        if (!shown_ || now - told_ < tellEvery)
            return;
        told_ = now;
        if (asLines_) {
            std::fputs(fmt::format("{} {}\n", done, all_).c_str(), stdout);
            std::fflush(stdout);
            return;
        }
        std::string left;
        if (done > first_) {
            const double spent = std::chrono::duration<double>(now - begin_).count();
            left = fmt::format(", {:.0f} s left",
                               spent * static_cast<double>(all_ - done) / static_cast<double>(done - first_));
        }
        std::fputs(fmt::format("\r\x1b[K{} of {} points{}", done, all_, left).c_str(), stderr);
        std::fflush(stderr);
        written_ = true;
    }
    void clear()
    {
        if (written_)
            std::fputs("\r\x1b[K", stderr);
        written_ = false;
    }

private:
    bool shown_, asLines_, written_ = false;
    long first_, all_;
    Clock::time_point begin_ = Clock::now(), told_ = begin_;
};

} // namespace

int sweep(const Arguments& arguments)
{
    const Session session = sessionFromArguments(arguments);
    Sweep asked;
    asked.kind = &kindNamed(session.kind);
    asked.values = valuesOf(*asked.kind, session, session.motions.front());
    const auto system = asked.kind->make(asked.values);
    asked.start = startThatCounts(*system, runsFrom(*system, session.motions.front()));
    for (const std::string& text : arguments.all("--vary"))
        asked.axes.push_back(parseSweepAxis(*asked.kind, text));
    asked.quantities = arguments.all("--quantity");
    if (asked.axes.empty() || asked.quantities.empty())
        throw Error(fmt::format("casimir sweep needs {}",
                                asked.axes.empty() ? "--vary k=lo:hi:n" : "--quantity PATH"));
    const int threads = threadsFrom(arguments);
    const long points = asked.points();
    const std::vector<Quantity> columns = sweepColumns(asked);

    const std::string made = fmt::format("casimir {}\n{}", version, sweepCommand(session, asked));

    std::string pending;
    CsvWriter csv([&pending](std::string_view text) { pending += text; }, made, columns);
    csv.flush();
    std::unique_ptr<ResumableFile> file;
    long done = 0;
    if (const auto path = arguments.one("--output")) {
        file = std::make_unique<ResumableFile>(*path, pending, arguments.has("--force"));
        pending.clear();
        done = std::min(file->rows(), points);
    }
    const auto write = [&] {
        csv.flush();
        if (file)
            file->append(pending);
        else
            print(pending);
        pending.clear();
    };
    Progress progress(done, points, file && arguments.has("--progress"));
    auto written = Clock::now();
    const SweepOutcome outcome = runSweep(
        asked, done, threads,
        [&](long point, std::span<const double> row) {
            csv.row(row);
            done = point + 1;
        },
        [&] {
            if (const auto now = Clock::now(); now - written >= writeEvery) {
                write();
                written = now;
            }
            progress.tell(done);
            return interrupted();
        });
    write();
    progress.clear();
    if (!outcome.finished) {
        std::fputs(
            file ? fmt::format(
                       "casimir: interrupted after {} of {} points; the same command continues from {}\n",
                       done, points, file->growing().string())
                       .c_str()
                 : "casimir: interrupted\n",
            stderr);
        throw Interrupted{};
    }
    if (file)
        file->commit();
    if (outcome.unanswered > 0)
        std::fputs(fmt::format("casimir: {} of {} points have no answer; at the first, {}\n",
                               outcome.unanswered, points, outcome.refusal)
                       .c_str(),
                   stderr);
    return 0;
}

} // namespace casimir::cli
