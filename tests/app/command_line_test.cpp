// Runs the real program, as a person or a script would.
#include "core/systems/catalogue.h"
#include "tests/app/command_line.h"
#include "tests/core/support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using namespace casimir::test;

} // namespace

TEST_F(CommandLine, helpListAndVersionAnswer)
{
    EXPECT_THAT(run("--help").out, HasSubstr("simulate"));
    EXPECT_THAT(run("--version").out, StartsWith("casimir "));
    EXPECT_THAT(run("list").out, HasSubstr("two-body"));
    const auto systems = json("list --json")["systems"];
    EXPECT_EQ(systems.size(), casimir::catalogue().size());
    for (const auto& system : systems) {
        for (const auto& view : system["views"])
            if (view["id"] == "branch" && system["id"] == "two-body")
                EXPECT_EQ(view["options"][0]["id"], "x") << system["id"];
        for (const char* key : {"parameters", "presets", "views", "quantities", "methods"})
            EXPECT_FALSE(system[key].empty()) << system["id"] << " " << key;
    }
}

TEST_F(CommandLine, everyCommandHasHelpWithAnExampleThatWorks)
{
    for (const std::string command : {"list", "analyze", "simulate", "sweep", "verify", "completion"}) {
        SCOPED_TRACE(command);
        const Outcome help = run(command + " --help");
        EXPECT_EQ(help.status, 0);
        const auto at = help.out.find("example:\n  casimir ");
        ASSERT_NE(at, std::string::npos);
        std::string example = help.out.substr(at + std::string("example:\n  casimir ").size());
        example.erase(example.find('\n'));
        const Outcome outcome = run(example);
        EXPECT_EQ(outcome.status, 0) << example << ": " << outcome.err;
        EXPECT_FALSE(outcome.out.empty());
    }
}

TEST_F(CommandLine, analyzeTellsTheEquilibriaOfFigure1)
{
    const auto answer = json("analyze two-body --preset figure-1 --energy 7 --energy 20 --energy 1 --json");
    EXPECT_EQ(answer["status"], "ok");
    EXPECT_NEAR(answer["derived"]["I1_augmented"].get<double>(), 105.55, 0.01);
    EXPECT_EQ(answer["derived"]["I2_augmented"], 70.0);
    // Closed form: the spin rate of the stretched state is mu/(I1~ + I2~ + 2 eps d1 d2), eps = 500/9.
    const double eps = 500.0 / 9, spin = 50 / (100 + eps * (1 + 0.36 + 1.2));
    EXPECT_NEAR(answer["equilibria"][0]["spin_rate"].get<double>(), spin, 1e-15);
    EXPECT_EQ(answer["equilibria"][0]["name"], "stretched");
    EXPECT_EQ(answer["equilibria"][0]["stability"], "stable");
    EXPECT_EQ(answer["equilibria"][1]["stability"], "unstable");
    for (const char* key : {"energy", "nu_min", "nu_max", "growth_rate"})
        EXPECT_TRUE(answer["homoclinic"][key].is_number()) << key;
    EXPECT_EQ(answer["orbits"][0]["kind"], "libration");
    EXPECT_EQ(answer["orbits"][1]["kind"], "rotation");
    EXPECT_EQ(answer["orbits"][2]["kind"], "none");
    EXPECT_TRUE(answer["orbits"][2]["period"].is_null());
}

TEST_F(CommandLine, whatHasNoAnswerIsSaidInTheStatus)
{
    for (const char* set : {"mu=0", "d2=0", "d1=0"}) {
        const auto answer = json(std::string("analyze two-body --json --set ") + set);
        EXPECT_NE(answer["status"], "ok") << set;
        EXPECT_FALSE(answer["sentence"].get<std::string>().empty());
        EXPECT_TRUE(answer["equilibria"].empty());
        EXPECT_TRUE(answer["circle"].is_object());
    }
}

// On a plane that turns at ω the velocity of a solid ball turns at 2ω/7, that of a hollow one at 2ω/5.
TEST_F(CommandLine, eachMotionOfASessionCanBeSimulated)
{
    const auto turned = [this](const std::string& motion) {
        const Outcome outcome =
            run("simulate rolling-body --preset turntable --t-end 1 --dt 0.001 --motion " + motion);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        std::vector<std::string> head;
        const auto table = rows(outcome.out, head);
        const auto column = [&](const char* id) {
            return static_cast<std::size_t>(std::find(head.begin(), head.end(), id) - head.begin());
        };
        const std::size_t x = column("X"), y = column("Y"), last = table.size() - 1;
        const auto direction = [&](std::size_t i) {
            return std::atan2(table[i + 1][y] - table[i][y], table[i + 1][x] - table[i][x]);
        };
        return std::remainder(direction(last - 1) - direction(0), 2 * std::acos(-1.0));
    };
    EXPECT_NEAR(turned("solid"), 1.5 * 2 / 7, 1e-3);
    EXPECT_NEAR(turned("hollow"), 1.5 * 2 / 5, 1e-3);
    EXPECT_NEAR(turned("3"), 1.5 * 2 / 5, 1e-3);
    const Outcome wrong = run("simulate rolling-body --preset turntable --t-end 1 --motion holow");
    EXPECT_EQ(wrong.status, 2);
    EXPECT_THAT(wrong.err, testing::HasSubstr("hollow"));
}

TEST_F(CommandLine, simulateWritesTheColumnsAndEndsExactly)
{
    const Outcome outcome = run("simulate two-body --state theta=0.7,nu=-5 --t-end 1 --dt 0.3");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    std::vector<std::string> head;
    const auto table = rows(outcome.out, head);
    const std::vector<std::string> expected{"t",      "theta",  "nu",     "mu1",    "mu2",
                                            "omega1", "omega2", "theta1", "theta2", "x1",
                                            "y1",     "x2",     "y2",     "H",      "mu"};
    EXPECT_EQ(head, expected);
    ASSERT_EQ(table.size(), 5u);
    EXPECT_EQ(table[4][0], 1.0);
    EXPECT_EQ(table[3][0], 0.3 * 3);
    for (const auto& row : table) {
        EXPECT_NEAR(row[13], table[0][13], 1e-8);
        // The centre of mass rests at the origin.
        EXPECT_NEAR(100 * row[9] + 125 * row[11], 0, 1e-12);
        EXPECT_NEAR(row[8] - row[7], row[1], 1e-14);
    }
}

TEST_F(CommandLine, theHeaderOfAFileMakesItAgain)
{
    ASSERT_EQ(run("simulate two-body --set mu=20,d2=0.4 --state theta=pi/3 --t-end 2 --dt 0.5 --integrator "
                  "gauss4 --step 0.01 "
                  "-o first.csv")
                  .status,
              0);
    const std::string text = slurp(folder_ / "first.csv");
    const auto begin = text.find("# casimir simulate ");
    ASSERT_NE(begin, std::string::npos);
    std::string command = text.substr(begin + std::string("# casimir ").size());
    command.erase(command.find('\n'));
    ASSERT_EQ(run(command + " -o second.csv").status, 0);
    EXPECT_EQ(slurp(folder_ / "second.csv"), text);
}

TEST_F(CommandLine, integratorsAgreeAndBackwardsReturns)
{
    std::vector<std::string> head;
    const auto end = [&](const std::string& options) {
        head.clear();
        const Outcome outcome = run("simulate two-body --state theta=1,nu=3 --dt 1 " + options);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        return rows(outcome.out, head).back();
    };
    const auto reference = end("--t-end 10 --integrator rkf78 --rtol 1e-13");
    for (const char* method : {"dopri5", "gauss6", "gauss4", "midpoint"}) {
        const auto row = end(std::string("--t-end 10 --rtol 1e-9 --integrator ") + method);
        for (std::size_t i = 0; i < row.size(); ++i)
            EXPECT_NEAR(row[i], reference[i], 1e-6 * (1 + std::abs(reference[i])))
                << method << " " << head[i];
    }
    EXPECT_EQ(end("--t-end -10")[0], -10);
}

TEST_F(CommandLine, aFixedStepMethodKeepsTheToleranceAtTheEndAndSaysSo)
{
    const std::string motion = "simulate two-body --preset figure-1 --t-end 20 --dt 20 ";
    std::vector<std::string> head;
    const auto exact = rows(run(motion + "--exact").out, head).back();
    for (const auto& [method, rtol] : {std::pair{"gauss6", 1e-10}, {"gauss4", 1e-9}, {"midpoint", 1e-6}}) {
        std::ostringstream command;
        command << motion << "--integrator " << method << " --rtol " << rtol;
        const Outcome outcome = run(command.str());
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_THAT(outcome.out, HasSubstr("\n# step: "));
        EXPECT_THAT(outcome.out, HasSubstr("the end of the run is off by about"));
        head.clear();
        const auto row = rows(outcome.out, head).back();
        for (std::size_t i = 0; i < row.size(); ++i)
            if (head[i] == "theta" || head[i] == "mu1" || head[i] == "mu2" || head[i] == "theta1")
                EXPECT_NEAR(row[i], exact[i], 2 * rtol * std::max(1.0, std::abs(exact[i])))
                    << method << " " << head[i];
    }
    // Beyond reach it is a sentence.
    EXPECT_THAT(
        run("simulate two-body --preset figure-1 --t-end 200 --dt 200 --integrator midpoint --rtol 1e-13")
            .err,
        HasSubstr("the tolerance 1e-13 is not reached"));
    EXPECT_THAT(run(motion + "--integrator gauss6 --step 0.01").out, Not(HasSubstr("# step: ")));
}

TEST_F(CommandLine, theDefaultsReachTheReferenceStatesAtAHundredSeconds)
{
    const auto reference = referenceFile("planar_two_body.json");
    int cases = 0;
    for (const auto& each : reference["cases"]) {
        const auto& input = each["input"];
        const std::complex<double> d12(input["d12"][0], input["d12"][1]),
            d21(input["d21"][0], input["d21"][1]);
        std::ostringstream arguments;
        arguments.precision(17);
        for (const char* id : {"m1", "m2", "I1", "I2", "mu"})
            arguments << " --set " << id << "=" << input[id].get<double>();
        arguments << " --set d1=" << std::abs(d12) << " --set d2=" << std::abs(d21)
                  << " --set theta0=" << std::arg(-d12 * std::conj(d21));
        for (const char* id : {"theta", "nu", "theta1"})
            arguments << " --state " << id << "=" << each["initial_state"][id].get<double>();
        const Outcome outcome = run("simulate two-body --t-end 100 --dt 50" + arguments.str());
        ASSERT_EQ(outcome.status, 0) << outcome.err;
        std::vector<std::string> head;
        const auto last = rows(outcome.out, head).back();
        for (const char* id : {"theta", "nu", "mu1", "mu2", "theta1"}) {
            const auto column =
                static_cast<std::size_t>(std::find(head.begin(), head.end(), id) - head.begin());
            const double expected = each["state_at"]["100"][id];
            EXPECT_NEAR(last[column], expected, 1e-8 * std::max(1.0, std::abs(expected)))
                << each["name"] << " " << id;
        }
        ++cases;
    }
    EXPECT_GE(cases, 4);
}

TEST_F(CommandLine, theCommandsOfTheReadmeWork)
{
    std::istringstream readme(slurp(sourceFolder() / "README.md"));
    int commands = 0;
    for (std::string line; std::getline(readme, line);) {
        if (!line.starts_with("    casimir "))
            continue;
        std::string arguments = line.substr(std::string("    casimir ").size());
        arguments = arguments.substr(0, arguments.find('#'));
#ifndef CASIMIR_WITH_GUI
        if (arguments.starts_with("render ") || arguments.starts_with("animate "))
            continue;
#endif
        const Outcome outcome = run(arguments);
        EXPECT_EQ(outcome.status, 0) << line << ": " << outcome.err;
        ++commands;
    }
    EXPECT_GE(commands, 4);
}

TEST_F(CommandLine, badInputIsRefusedInOneLine)
{
    expectRefused("frobnicate", "unknown command 'frobnicate'");
    expectRefused("simulat two-body", "did you mean 'simulate'");
    expectRefused("analyze", "needs a system");
    expectRefused("analyze two-bodies", "did you mean 'two-body'");
    expectRefused("analyze two-body three-body", "one argument too many");
    expectRefused("analyze two-body --set mm1=3", "did you mean 'm1'");
    expectRefused("analyze two-body --set m1=-3", "out of range");
    expectRefused("analyze two-body --set m1=nan", "NaN");
    expectRefused("analyze two-body --set m1=inf", "out of range");
    expectRefused("analyze two-body --set m1=abc", "'abc' is not a number");
    expectRefused("analyze two-body --set m1", "name=value");
    expectRefused("analyze two-body --set m1=1e999", "too large");
    expectRefused("analyze two-body --set omega_e=1 --set mu=3", "contradict");
    expectRefused("analyze two-body --energy nan", "finite");
    expectRefused("analyze two-body --energie 3", "did you mean '--energy'");
    expectRefused("analyze two-body --preset figure-2", "did you mean 'figure-1'");
    expectRefused("analyze two-body --input nowhere.json", "cannot read nowhere.json");
    expectRefused("analyze two-body --session .", "is a folder");
    expectRefused("simulate two-body", "needs --t-end");
    expectRefused("simulate two-body --t-end 0", "nothing to simulate");
    expectRefused("simulate two-body --t-end inf", "finite");
    expectRefused("simulate two-body --t-end 1 --dt 0", "greater than 0");
    expectRefused("simulate two-body --t-end 1 --dt 1e-300", "rows");
    expectRefused("simulate two-body --t-end 1 --integrator euler", "unknown integrator 'euler'");
    expectRefused("simulate two-body --t-end 1 --step 0.1", "fixed-step");
    expectRefused("simulate two-body --t-end 1 --rtol 2", "--rtol = 2");
    expectRefused("simulate three-body --t-end 1 --exact", "no closed form");
    expectRefused("simulate two-body --t-end 1 --by theta", "no reduced form");
    expectRefused("simulate sleigh --t-end 1 --by x", "runs in phi");
    expectRefused("simulate sleigh --t-end 1 --by phi --exact", "exclude each other");
    expectRefused("simulate sleigh --t-end 1 --by phi --integrator dopri5", "reduced form");
    expectRefused("simulate sleigh --t-end 1 --by phi --state phidot=0", "divides by phidot");
    expectRefused("simulate two-body --t-end 1 --t-end 2", "given twice");
    expectRefused("simulate two-body --t-end 1 --state thet=1", "did you mean 'theta'");
    expectRefused("simulate two-body --t-end 1 --state theta=nan", "out of range");
    expectRefused("simulate two-body --t-end", "needs a value");
    expectRefused("verify two-body --seed x", "is not a number");
    EXPECT_TRUE(files().empty());
}

TEST_F(CommandLine, brokenSessionsAndInputsAreRefusedWithThePlace)
{
    const auto write = [this](const char* name, const char* text) { std::ofstream(folder_ / name) << text; };
    write("broken.json", "{\n  \"casimir\": 1,\n  \"system\": \"two-body\",\n  oops\n}\n");
    expectRefused("analyze --session broken.json", "broken.json: line 4");
    write("newer.json", R"({"casimir": 99, "system": "two-body"})");
    expectRefused("analyze --session newer.json", "newer program");
    write("unknown.json", R"({"casimir": 1, "system": "two-body", "paramters": {}})");
    expectRefused("analyze --session unknown.json", "did you mean 'parameters'");
    write("range.json", R"({"casimir": 1, "system": "two-body", "parameters": {"m1": -1}})");
    expectRefused("analyze --session range.json", "m1 = -1 is out of range");
    write("method.json", R"({"casimir": 1, "system": "two-body", "motions": [{"method": "eulr"}]})");
    expectRefused("analyze --session method.json", "motions.0: unknown method 'eulr'");
    write("input.json", R"({"m1": 2, "mass2": 3})");
    expectRefused("analyze two-body --input input.json", "unknown key 'mass2'");
    write("good.json", R"({"m1": 2, "state": {"theta": 0.5}})");
    EXPECT_EQ(json("analyze two-body --input good.json --json")["parameters"]["m1"], 2.0);
}

TEST_F(CommandLine, anExistingFileIsKeptUnlessForced)
{
    std::ofstream(folder_ / "mine.csv") << "precious";
    expectRefused("simulate two-body --t-end 1 -o mine.csv", "use --force");
    EXPECT_EQ(slurp(folder_ / "mine.csv"), "precious");
    EXPECT_EQ(run("simulate two-body --t-end 1 -o mine.csv --force").status, 0);
    EXPECT_THAT(slurp(folder_ / "mine.csv"), Not(HasSubstr("precious")));
    expectRefused("simulate two-body --t-end 1 -o nowhere/file.csv", "there is no folder nowhere");
    EXPECT_EQ(files(), std::vector<std::string>{"mine.csv"});
}

TEST_F(CommandLine, aFullDiskLosesNothing)
{
    std::ofstream(folder_ / "mine.csv") << "precious";
    // A limit on the size of files stands in for a full disk; SIGXFSZ ignored, the write itself fails.
    const Outcome outcome =
        run("simulate two-body --t-end 100 --dt 0.001 -o mine.csv --force", "trap '' XFSZ; ulimit -f 64;");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot write mine.csv"));
    EXPECT_EQ(slurp(folder_ / "mine.csv"), "precious");
    EXPECT_EQ(files(), std::vector<std::string>{"mine.csv"});
}

TEST_F(CommandLine, interruptionLeavesNoHalfFile)
{
    const Outcome outcome =
        run("simulate two-body --t-end 1e7 --dt 0.01 -o long.csv", "timeout --preserve-status -s INT 1");
    EXPECT_EQ(outcome.status, 130);
    EXPECT_TRUE(files().empty());
}

TEST_F(CommandLine, aSignalEndsACommandThatNeverAsksForIt)
{
    // Hours without a row: nothing polls. -k would end it with 137.
    for (const char* signal : {"INT", "TERM"}) {
        const Outcome outcome = run("simulate two-body --t-end 1e9 --dt 1e9 -o run.csv",
                                    std::string("timeout --preserve-status -k 20 -s ") + signal + " 0.5");
        EXPECT_EQ(outcome.status, 130) << signal;
        EXPECT_TRUE(files().empty()) << "what it was writing is gone";
    }
}

TEST_F(CommandLine, aMotionThatRunsAwayEndsWithASentence)
{
    const Outcome outcome =
        run("simulate servo-rod --preset comes-home --set ko=0.6 --t-end 10", "timeout -k 1 120");
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("The motion runs away"));
    EXPECT_EQ(outcome.lines(), 1);
}

TEST_F(CommandLine, verifyFindsEveryClaimAsStated)
{
    const auto claims = json("verify two-body --json --seed 7")["two-body"];
    EXPECT_GE(claims.size(), 30u);
    for (const auto& claim : claims) {
        EXPECT_TRUE(claim["expected"].get<bool>()) << claim["id"];
        EXPECT_GE(claim["digits"].get<double>(), 8) << claim["id"];
    }
}

#ifdef CASIMIR_WITH_GUI
TEST_F(CommandLine, everyViewIsDrawnWithoutADisplay)
{
    const auto views = json("list two-body --json")["systems"][0]["views"];
    for (const auto& view : views) {
        const std::string id = view["id"];
        const Outcome outcome =
            run("render two-body --t 5 --size 400x300 --view " + id + " -o " + id + ".png",
                "env -u DISPLAY -u WAYLAND_DISPLAY");
        EXPECT_EQ(outcome.status, 0) << id << ": " << outcome.err;
        EXPECT_EQ(outcome.err, "") << id;
        EXPECT_THAT(slurp(folder_ / (id + ".png")), HasSubstr("PNG")) << id;
    }
    EXPECT_GE(views.size(), 6u);
}

TEST_F(CommandLine, anOptionChangesWhatAPlotShows)
{
    ASSERT_EQ(run("render two-body --view branch --option branch.x=d1 --option branch.y=growth_rate -o b.svg")
                  .status,
              0);
    const std::string svg = slurp(folder_ / "b.svg");
    // The axes' units, set as pieces of text of their own.
    EXPECT_THAT(svg, HasSubstr(">m</text>"));
    EXPECT_THAT(svg, HasSubstr(">rad/s</text>"));
}

TEST_F(CommandLine, thePortraitAsSvgHasPathsAndTextAndNoRaster)
{
    ASSERT_EQ(run("render two-body --view portrait -o p.svg").status, 0);
    const std::string svg = slurp(folder_ / "p.svg");
    EXPECT_THAT(svg, HasSubstr("<text"));
    EXPECT_TRUE(svg.find("<path") != std::string::npos || svg.find("<polyline") != std::string::npos);
    EXPECT_THAT(svg, Not(HasSubstr("<image")));
    EXPECT_LT(svg.size(), 2'000'000u);
    expectRefused("render two-body --view portrait -o p.svg", "use --force");
    expectRefused("render two-body --view portait -o q.svg", "did you mean 'portrait'");
    expectRefused("render two-body --view portrait -o q.gif", ".png, .svg or .pdf");
    expectRefused("render two-body --view portrait --size 10 -o q.png", "WIDTHxHEIGHT");
    expectRefused("render two-body --view branch --option brnch.x=mu -o q.svg", "did you mean 'branch.x'");
    expectRefused("render two-body --view branch --option branch.x -o q.svg", "plot.option=value");
}
#endif

TEST_F(CommandLine, completionKnowsCommandsSystemsAndParameters)
{
    EXPECT_THAT(run("completion bash").out, HasSubstr("complete -F _casimir casimir"));
    EXPECT_THAT(run("complete sim").out, HasSubstr("simulate"));
    EXPECT_THAT(run("complete analyze two").out, HasSubstr("two-body"));
    EXPECT_THAT(run("complete analyze two-body --set the").out, HasSubstr("theta0="));
    EXPECT_THAT(run("complete simulate two-body --preset ''").out, HasSubstr("slender"));
    EXPECT_THAT(run("complete analyze two-body --en").out, HasSubstr("--energy"));
    EXPECT_THAT(run("complete sw").out, HasSubstr("sweep"));
    EXPECT_THAT(run("complete sweep two-body --vary m").out, HasSubstr("mu="));
    EXPECT_THAT(run("complete sweep two-body --quantity equilibria.str").out,
                HasSubstr("equilibria.stretched.energy"));
    EXPECT_THAT(run("complete render two-body --option br").out, HasSubstr("branch.x="));
}

TEST_F(CommandLine, theCommandLineLoadsNeitherQtNorVtk)
{
    const Outcome outcome = run("list", "LD_DEBUG=files");
    EXPECT_THAT(outcome.err, HasSubstr("libstdc++"));
    EXPECT_THAT(outcome.err, Not(HasSubstr("libQt6")));
    EXPECT_THAT(outcome.err, Not(HasSubstr("libvtk")));
}
