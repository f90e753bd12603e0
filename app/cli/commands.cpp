#include "app/cli/commands.h"

#include "app/cli/output.h"
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/files/output_file.h"
#include "core/version.h"

#include <fmt/format.h>

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

namespace casimir::cli {

namespace {

volatile std::sig_atomic_t interruptSeen = 0;

constexpr int interruptedStatus = 130;
// How long a command that was interrupted may take to end by itself.
constexpr suseconds_t grace = 800'000; // µs

void onInterrupt(int)
{
    interruptSeen = 1;
    const itimerval once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = grace}};
    ::setitimer(ITIMER_REAL, &once, nullptr);
}

// Deep in one computation nobody asks interrupted(): the process ends here, and what it was writing with it.
void onGraceOver(int)
{
    removeGrowingFiles();
    ::_exit(interruptedStatus);
}

} // namespace

bool interrupted()
{
    return interruptSeen != 0;
}

std::span<const Command> commands()
{
    static const std::array table{
        Command{"list",
                "Names the systems; with SYSTEM, its parameters, presets, views and quantities.",
                "[SYSTEM]",
                {{"--json", "", "as JSON"},
                 {"--names", "", "only the ids, each with that of its most telling view"},
                 {"--help", "", "this text"}},
                "list two-body",
                list},
        Command{"analyze",
                "Equilibria, their stability and derived quantities; to FILE.csv, .tex or .md their table.",
                "SYSTEM", joined({{"--json", "", "as JSON"}}, joined(sessionOptions(), outputOptions())),
                "analyze two-body --preset figure-1 --energy 10 --json", analyze, true},
        Command{
            "simulate", "Runs a motion and writes it as CSV, or for NumPy to FILE.npz.", "SYSTEM",
            joined({{"--t-end", "T", "how long, in seconds (required; negative: backwards)"},
                    {"--dt", "D", "spacing of the rows, T/1000 without it"},
                    {"--motion", "M", "a Motion of the session by its label or number; the first without it"},
                    {"--integrator", "I",
                     "dopri5, rkf78, conserving, midpoint, gauss4, gauss6, or the system's own"},
                    {"--rtol", "R", "relative tolerance, 1e-10 without it"},
                    {"--step", "H", "step of a fixed-step method; without it one that meets --rtol at T"},
                    {"--exact", "", "the closed form, where the system has one"},
                    {"--by", "Q",
                     "the reduced form, rows spaced by D in its independent quantity Q instead of time"}},
                   joined(sessionOptions(), outputOptions())),
            "simulate two-body --state theta=1,nu=0 --t-end 10 --dt 0.5", simulate},
        Command{"render", "Draws views as a figure (png, svg, pdf) or writes their data (csv, npz).",
                "SYSTEM",
                joined({{"--t", "T", "the time shown, 0 without it"}},
                       joined(pictureOptions(), joined(sessionOptions(), outputOptions()))),
                "render two-body --preset figure-1 --view portrait -o portrait.svg --force", render},
        Command{
            "animate", "Makes a film of views (mp4, webm, gif, apng) or a folder of numbered PNGs.", "SYSTEM",
            joined({{"--t-end", "T", "where the film ends, in seconds of the motion, 10 without it"},
                    {"--t-begin", "T", "where it begins, 0 without it"},
                    {"--fps", "F", "frames a second, 30 without it"},
                    {"--speed", "X", "seconds of motion in a second of the film, 1 without it"},
                    {"--sweep", "k=a:b", "a parameter goes from a to b while the motion stands at its start"},
                    {"--still", "", "the motion stands at its start"},
                    {"--turntable", "", "the camera goes once around"},
                    {"--turns", "N", "the camera goes N times around"},
                    {"--progress", "", "a line 'done total' on standard output for every frame"}},
                   joined(pictureOptions(), joined(sessionOptions(), outputOptions()))),
            "animate two-body --view stage --t-end 2 --size 480x360 -o film.mp4 --force", animate},
        Command{
            "sweep",
            "Numbers of analyze over one or two parameters, as CSV; an interrupted file is continued.",
            "SYSTEM",
            joined({{"--vary", "k=lo:hi:n",
                     "a parameter or alias from lo to hi in n points; k=log:lo:hi:n "
                     "in equal ratios",
                     true},
                    {"--quantity", "PATH", "a number of the answer, as equilibria.stretched.energy", true},
                    {"--threads", "N", "how many to compute with, all cores without it"},
                    {"--progress", "", "lines 'done total' on standard output meanwhile, where -o is given"}},
                   joined(sessionOptions(), outputOptions())),
            "sweep two-body --vary mu=10:50:5 --quantity equilibria.stretched.energy", sweep},
        Command{"verify",
                "Checks the papers' claims one by one, with the digits reached.",
                "[SYSTEM]",
                {{"--json", "", "as JSON"},
                 {"--seed", "N", "draws other random parameters"},
                 {"--help", "", "this text"}},
                "verify two-body",
                verify},
        Command{"completion",
                "Prints a script for shell completion: source <(casimir completion bash).",
                "[SHELL]",
                {{"--help", "", "this text"}},
                "completion bash",
                completion},
    };
    return table;
}

std::string overview()
{
    std::string text = "Casimir, a laboratory for the mechanics of coupled bodies\n\n"
                       "usage: casimir [SESSION]           opens the window\n"
                       "       casimir COMMAND [options]   answers here; no display is needed\n\ncommands:\n";
    for (const Command& command : commands())
        text += fmt::format("  {:<12} {}\n", command.name, command.summary);
    text += "\n'casimir COMMAND --help' explains one command; 'casimir --version' tells the version.\n"
            "Angles are in radians, everything else in SI units. \"pi/2\", \"2*50\" and \"50 cm\" are "
            "understood as numbers.\n\n"
            "example:\n  casimir analyze two-body --preset figure-1\n";
    return text;
}

int runCommandLine(const std::vector<std::string>& words)
{
    std::signal(SIGINT, onInterrupt);
    std::signal(SIGTERM, onInterrupt);
    std::signal(SIGALRM, onGraceOver);
    try {
        if (words.empty() || words[0] == "--help" || words[0] == "-h" || words[0] == "help") {
            print(overview());
            return 0;
        }
        if (words[0] == "--version") {
            print(fmt::format("casimir {}\n", version));
            return 0;
        }
        if (words[0] == "complete") { // asked by the completion script, not by people
            for (const std::string& candidate : complete({words.begin() + 1, words.end()}))
                print(candidate + "\n");
            return 0;
        }
        const auto table = commands();
        const auto it =
            std::find_if(table.begin(), table.end(), [&](const Command& c) { return c.name == words[0]; });
        if (it == table.end()) {
            std::vector<std::string> known;
            for (const Command& command : table)
                known.push_back(command.name);
            throw Error(fmt::format("unknown command '{}'; {}", words[0], didYouMean(words[0], known)));
        }
        const Arguments arguments(*it, {words.begin() + 1, words.end()});
        if (arguments.has("--help")) {
            print(it->help());
            return 0;
        }
        return it->run(arguments);
    } catch (const Interrupted&) {
        return interruptedStatus;
    } catch (const Error& error) {
        std::fputs(fmt::format("casimir: {}\n", error.what()).c_str(), stderr);
        return 2;
    } catch (const std::bad_alloc&) {
        std::fputs("casimir: there is not enough memory for this\n", stderr);
        return 1;
    } catch (const std::exception& error) {
        std::fputs(fmt::format("casimir: internal error: {}\n", error.what()).c_str(), stderr);
        return 1;
    }
}

} // namespace casimir::cli
