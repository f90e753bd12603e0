// casimir sweep, as a person or a script runs it, interrupts it and continues it.
#include "core/analysis/general_plots.h"
#include "core/analysis/plot_sweep.h"
#include "core/session/command_text.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/app/command_line.h"

namespace {

using namespace casimir::test;
using testing::HasSubstr;
using testing::StartsWith;

class SweepCommand : public CommandLine {
protected:
    // Inertia of two bodies locked as stretched, from their defaults; the energy there is mu^2 over twice
    // that.
    static constexpr double stretched = 50 + 50 + 100.0 * 125 / 225 * (1 + 0.36 + 1.2);

    // The complete rows of a table that may still grow, each checked: the sequence of the grid without a gap.
    long checkedRows(const fs::path& path, double from, double to, double count) const
    {
        std::string text = slurp(path);
        text.erase(text.rfind('\n') + 1);
        std::vector<std::string> head;
        const auto table = rows(text, head);
        for (std::size_t i = 0; i < table.size(); ++i) {
            const double mu = from + (to - from) * static_cast<double>(i) / (count - 1);
            EXPECT_NEAR(table[i].at(0), mu, 1e-12 * mu);
            EXPECT_NEAR(table[i].at(1), mu * mu / (2 * stretched), 1e-13 * mu * mu);
        }
        return static_cast<long>(table.size());
    }
};

} // namespace

TEST_F(SweepCommand, writesTheClosedFormWithUnitsAndNullWhereThereIsNone)
{
    const Outcome outcome = run(
        "sweep two-body --vary mu=-2:2:5 --quantity equilibria.stretched.energy --quantity equilibria.count");
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(outcome.err, ""); // no progress where nobody watches
    EXPECT_THAT(outcome.out,
                HasSubstr("# units: mu N m s, equilibria.stretched.energy J, equilibria.count 1\n"));
    EXPECT_THAT(outcome.out, HasSubstr("\n0,null,0\n"));
    std::vector<std::string> head;
    const auto table = rows(outcome.out, head);
    EXPECT_EQ(head, (std::vector<std::string>{"mu", "equilibria.stretched.energy", "equilibria.count"}));
    ASSERT_EQ(table.size(), 5u);
    for (const auto& row : table)
        if (row[0] != 0) {
            EXPECT_NEAR(row[1], row[0] * row[0] / (2 * stretched), 1e-15);
            EXPECT_EQ(row[2], 2);
        }
}

TEST_F(SweepCommand, theHeadOfATableMakesItAgain)
{
    ASSERT_EQ(run("sweep two-body --set d2=0.4 --vary m1=log:1:100:4 --vary omega_e=0.1:0.3:3 "
                  "--quantity equilibria.0.eigenvalues.1.im -o first.csv")
                  .status,
              0);
    const std::string text = slurp(folder_ / "first.csv");
    const auto begin = text.find("# casimir sweep ");
    ASSERT_NE(begin, std::string::npos);
    std::string command = text.substr(begin + std::string("# casimir ").size());
    command.erase(command.find('\n'));
    ASSERT_EQ(run(command + " -o second.csv").status, 0);
    EXPECT_EQ(slurp(folder_ / "second.csv"), text);
    EXPECT_EQ(files().size(), 2u);
}

TEST_F(SweepCommand, bySignalOrByForceAnInterruptedSweepGoesOnWhereItStopped)
{
    const std::string command =
        "sweep two-body --vary mu=1:2:100000000 --quantity equilibria.stretched.energy -o t.csv";
    long before = 0;
    for (const char* signal : {"KILL", "INT", "KILL", "INT"}) {
        SCOPED_TRACE(signal);
        const Outcome outcome = run(command, std::string("timeout --preserve-status -s ") + signal + " 0.8");
        EXPECT_EQ(outcome.status, std::string(signal) == "INT" ? 130 : 137);
        if (outcome.status == 130)
            EXPECT_THAT(outcome.err, HasSubstr("the same command continues from t.csv.part"));
        const long now = checkedRows(folder_ / "t.csv.part", 1, 2, 1e8);
        EXPECT_GT(now, before);
        before = now;
        EXPECT_EQ(files(), std::vector<std::string>{"t.csv.part"});
    }
}

TEST_F(SweepCommand, aContinuedTableIsThatOfOneRunAndKeepsTheRowsItHad)
{
    const std::string command = "sweep two-body --vary mu=1:2:11 --quantity equilibria.stretched.energy -o ";
    ASSERT_EQ(run(command + "whole.csv").status, 0);
    const std::string whole = slurp(folder_ / "whole.csv");
    // Cut within the eighth row.
    std::size_t cut = whole.find("\n1,") + 1;
    for (int i = 0; i < 7; ++i)
        cut = whole.find('\n', cut) + 1;
    std::ofstream(folder_ / "again.csv.part") << whole.substr(0, cut + 4);
    ASSERT_EQ(run(command + "again.csv").status, 0);
    EXPECT_EQ(slurp(folder_ / "again.csv"), whole);
    // A row that stands is not computed anew: a mark left in it is still there.
    std::string marked = whole.substr(0, cut + 4);
    const std::size_t row = marked.find("\n1.3,") + 5;
    marked.replace(row, marked.find('\n', row) - row, "12345");
    std::ofstream(folder_ / "marked.csv.part") << marked;
    ASSERT_EQ(run(command + "marked.csv").status, 0);
    EXPECT_THAT(slurp(folder_ / "marked.csv"), HasSubstr("1.3,12345\n"));
    EXPECT_FALSE(fs::exists(folder_ / "marked.csv.part"));
}

TEST_F(SweepCommand, anotherSweepIsNotMixedIntoAnUnfinishedOne)
{
    std::ofstream(folder_ / "t.csv.part") << "# casimir of another sweep\n1,2\n";
    const std::string command = "sweep two-body --vary mu=1:2:11 --quantity equilibria.count -o t.csv";
    expectRefused(command, "t.csv.part holds another sweep");
    EXPECT_THAT(slurp(folder_ / "t.csv.part"), StartsWith("# casimir of another sweep"));
    EXPECT_EQ(run(command + " --force").status, 0);
    EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
    expectRefused(command, "use --force");
    EXPECT_EQ(files(), std::vector<std::string>{"t.csv"});
}

TEST_F(SweepCommand, refusesWhatItCannotDoInOneLine)
{
    expectRefused("sweep two-body", "needs --vary");
    expectRefused("sweep two-body --vary mu=1:2:3", "needs --quantity");
    expectRefused("sweep two-body --vary mu=1:2 --quantity equilibria.count", "name=from:to:count");
    expectRefused("sweep two-body --vary nu=1:2:3 --quantity equilibria.count", "did you mean 'mu'");
    expectRefused("sweep two-body --vary mu=1:2:3 --quantity equilibria.streched.energy",
                  "did you mean 'equilibria.stretched.energy'");
    expectRefused("sweep two-body --vary mu=1:2:3 --quantity equilibria.stretched.stability", "is a word");
    expectRefused(
        "sweep two-body --vary mu=1:2:3 --vary m1=1:2:3 --vary m2=1:2:3 --quantity equilibria.count",
        "one or two parameters, not 3");
    expectRefused("sweep two-body --vary mu=1:2:99999 --vary m1=1:2:99999 --quantity equilibria.count",
                  "points");
    expectRefused("sweep two-body --vary mu=1:2:3 --quantity equilibria.count --threads 0.5", "--threads");
    expectRefused("sweep two-body --vary mu=1:2:3 --quantity equilibria.count -o nowhere/t.csv",
                  "no folder nowhere");
    EXPECT_TRUE(files().empty());
}

TEST_F(SweepCommand, aFullDiskKeepsWhatWasWrittenAndTheFileThatStood)
{
    std::ofstream(folder_ / "t.csv") << "precious";
    const Outcome outcome =
        run("sweep two-body --vary mu=1:2:1000000 --quantity equilibria.stretched.energy -o t.csv --force",
            "trap '' XFSZ; ulimit -f 64;");
    EXPECT_EQ(outcome.status, 2);
    EXPECT_THAT(outcome.err, HasSubstr("cannot write t.csv.part"));
    EXPECT_EQ(slurp(folder_ / "t.csv"), "precious");
    EXPECT_GT(checkedRows(folder_ / "t.csv.part", 1, 2, 1e6), 100);
}

namespace {

// The rows of the command that the window gives for a picture over parameters.
class PictureSweep : public SweepCommand {
protected:
    std::vector<std::vector<double>> table(const casimir::System& system, const casimir::Session& session,
                                           const casimir::Plot& plot, std::vector<std::string>& head) const
    {
        const auto sweep = casimir::sweepBehind(system, session.motions.front().state, plot);
        EXPECT_TRUE(sweep);
        std::string command = casimir::sweepCommand(session, *sweep);
        EXPECT_THAT(command, StartsWith("casimir sweep "));
        const Outcome outcome = run(command.substr(8) + " -o sweep.csv --force");
        EXPECT_EQ(outcome.status, 0) << command << "\n" << outcome.err;
        return rows(slurp(folder_ / "sweep.csv"), head);
    }
};

} // namespace

TEST_F(PictureSweep, theCommandOfAMapGivesItsCounts)
{
    // What the words of each cell say against the columns of the sweep.
    for (const auto& [kindId, preset] : {std::pair("three-body", "six"),
                                         {"three-body", "off-line"},
                                         {"two-body", "figure-1"},
                                         {"servo-rod", "three-forces"}}) {
        SCOPED_TRACE(std::string(kindId) + " " + preset);
        const casimir::Session session = casimir::readSession(casimir::presetNamed(kindId, preset).text);
        const casimir::Kind& kind = casimir::kindNamed(kindId);
        const auto system = kind.make(session.values);
        const auto info = casimir::plotInfoOf(*system, "map");
        std::map<std::string, std::string> kinds;
        if (std::any_of(info->options.begin(), info->options.end(),
                        [](const auto& o) { return o.id == "show"; }))
            kinds = {{"show", "kinds"}};
        const casimir::Plot plot = casimir::plotOf(
            *system, casimir::PlotRequest{.id = "map", .options = casimir::plotOptions(*info, kinds)});
        const casimir::HeatMap& map = plot.maps.front();
        std::vector<std::string> head;
        const auto table = this->table(*system, session, plot, head);
        ASSERT_EQ(table.size(), map.values.size());
        int compared = 0;
        for (std::size_t i = 0; i < table.size(); ++i) {
            const auto& row = table[i];
            const int column = static_cast<int>(i) / map.rows, line = static_cast<int>(i) % map.rows;
            const float value = map.values[static_cast<std::size_t>(line * map.columns + column)];
            const auto part = [](const casimir::PlotAxis& axis, double x) {
                return axis.scale == casimir::Scale::Logarithmic
                           ? std::log(x / axis.min) / std::log(axis.max / axis.min)
                           : (x - axis.min) / (axis.max - axis.min);
            };
            ASSERT_NEAR(part(plot.y, row[1]) * map.rows, line + 0.5, 1e-6);
            ASSERT_NEAR(part(plot.x, row[0]) * map.columns, column + 0.5, 1e-6);
            if (!std::isfinite(value)) {
                EXPECT_TRUE(std::isnan(row[2])) << row[0] << " " << row[1];
                continue;
            }
            const std::string& words = map.labels[static_cast<std::size_t>(std::lround(value))];
            const auto says = [&words](const char* piece) { return words.find(piece) != std::string::npos; };
            SCOPED_TRACE(words);
            const double count = row[2], stable = row[3], unstable = row[6];
            if (std::string(kindId) == "three-body") {
                EXPECT_EQ(count, words[0] - '0');
                EXPECT_EQ(stable, says("pair stable") || says("2 stable") ? 2 : 1);
                EXPECT_EQ(unstable < count - stable, says("held"));
            } else if (std::string(kindId) == "two-body") {
                EXPECT_EQ(count, says("degenerate") ? 0 : words[0] - '0');
                EXPECT_EQ(stable, says("1 stable") ? 1 : 0);
                EXPECT_EQ(unstable, says("1 unstable") ? 1 : 0);
            } else {
                EXPECT_EQ(unstable == 0, says("settles"));
            }
            ++compared;
        }
        EXPECT_GT(compared, 2000);
    }
}

// Two bodies have one kind of answer wherever they turn: the map shows the growth rate of the folded state.
TEST_F(PictureSweep, theCommandOfAMapOfANumberGivesIt)
{
    const casimir::Session session = casimir::readSession(casimir::presetNamed("two-body", "figure-1").text);
    const auto system = casimir::kindNamed("two-body").make(session.values);
    const casimir::Plot plot = casimir::plotOf(*system, "map");
    const casimir::HeatMap& map = plot.maps.front();
    EXPECT_EQ(map.quantity.id, "growth_rate");
    std::vector<std::string> head;
    const auto table = this->table(*system, session, plot, head);
    ASSERT_EQ(table.size(), map.values.size());
    int compared = 0;
    for (std::size_t i = 0; i < table.size(); ++i) {
        const int column = static_cast<int>(i) / map.rows, line = static_cast<int>(i) % map.rows;
        const float value = map.values[static_cast<std::size_t>(line * map.columns + column)];
        if (!std::isfinite(value))
            continue;
        double fastest = 0;
        for (std::size_t k = 2; k < table[i].size(); ++k)
            fastest = std::fmax(fastest, table[i][k]);
        EXPECT_NEAR(value, fastest, 1e-5 * (1 + fastest));
        ++compared;
    }
    EXPECT_GT(compared, 2000);
}

TEST_F(PictureSweep, theCommandOfADiagramGivesPointsOnItsBranches)
{
    const casimir::Session session = casimir::readSession(casimir::presetNamed("three-body", "six").text);
    const auto system = casimir::kindNamed("three-body").make(session.values);
    casimir::PlotRequest request{"branch"};
    for (const auto& [x, y] : {std::pair("kappa", "theta21"), {"mu", "energy"}, {"m2", "omega1"}}) {
        SCOPED_TRACE(std::string(x) + " " + y);
        request.options = casimir::plotOptions(*casimir::plotInfoOf(*system, "branch"), {{"x", x}, {"y", y}});
        const casimir::Plot plot = casimir::plotOf(*system, request);
        std::vector<std::string> head;
        const auto table = this->table(*system, session, plot, head);
        ASSERT_EQ(table.size(), 201u);
        // Each number lies on a line of the diagram, drawn in the style of its verdict.
        int compared = 0;
        for (const auto& row : table)
            for (std::size_t i = 1; i + 1 < row.size(); i += 2) {
                EXPECT_EQ(std::isnan(row[i]), std::isnan(row[i + 1]));
                if (std::isnan(row[i]))
                    continue;
                double nearest = HUGE_VAL;
                for (const casimir::Polyline& line : plot.lines)
                    if ((line.style == casimir::LineStyle::Solid) == (row[i + 1] == 1) && line.emphasised)
                        for (std::size_t k = 1; k < line.x.size(); ++k)
                            if (std::min(line.x[k - 1], line.x[k]) <= row[0] &&
                                row[0] <= std::max(line.x[k - 1], line.x[k])) {
                                const double width = line.x[k] - line.x[k - 1];
                                const double part = width == 0 ? 0 : (row[0] - line.x[k - 1]) / width;
                                const double at = line.y[k - 1] + part * (line.y[k] - line.y[k - 1]);
                                const double period = plot.y.quantity.period;
                                const double off =
                                    period > 0 ? std::remainder(at - row[i], period) : at - row[i];
                                nearest = std::min(nearest, std::abs(off));
                            }
                EXPECT_LT(nearest, 0.01 * (plot.y.max - plot.y.min)) << head[i] << " at " << row[0];
                ++compared;
            }
        EXPECT_GT(compared, 500);
    }
}
