#include "core/analysis/equilibria_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>
#include <sstream>

namespace casimir {
namespace {

using Complex = std::complex<double>;

Analysis example()
{
    const Quantity theta{"theta", "θ", "joint angle", "rad", 2 * std::numbers::pi};
    const Quantity mu1{"mu1", "μ_1", "momentum", "N m s"};
    Equilibrium stretched;
    stretched.name = stretched.title = "stretched";
    stretched.state = {{theta, 0.0}, {mu1, 1.0 / 3}};
    stretched.energy = 0.1;
    stretched.spinRate = -0.25;
    stretched.eigenvalues = {Complex(0, 0.234), Complex(0, -0.234)};
    stretched.secondVariation = SecondVariation{{1.5, 2.5}, 2, 0, 0};
    stretched.stability = verdict::stable;
    stretched.basis = basis::energyCasimir;
    Equilibrium folded = stretched;
    folded.name = folded.title = "folded, \"twice\"";
    folded.state = {{theta, std::numbers::pi}, {mu1, -2.0}};
    folded.eigenvalues = {0.349, -0.349};
    folded.secondVariation = SecondVariation{{-1.0, 2.5}, 1, 1, 0};
    folded.stability = verdict::unstable;
    Analysis analysis;
    analysis.equilibria = {stretched, folded};
    return analysis;
}

std::vector<std::string> lines(const std::string& text)
{
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        all.push_back(line);
    return all;
}

TEST(EquilibriaTable, OppositePairsAreWrittenOnceWithBothSigns)
{
    EXPECT_EQ(eigenvalueText({Complex(0, 0.234), Complex(0, -0.234)}, 3), "±0.234i");
    EXPECT_EQ(eigenvalueText({0.349, -0.349}, 3), "±0.349");
}

TEST(EquilibriaTable, ConjugatePairsAndQuadruplesAreWrittenOnce)
{
    EXPECT_EQ(eigenvalueText({Complex(-0.1, 2), Complex(-0.1, -2)}, 3), "−0.1 ± 2i");
    EXPECT_EQ(eigenvalueText({Complex(0.5, 2), Complex(0.5, -2), Complex(-0.5, 2), Complex(-0.5, -2)}, 3),
              "±0.5 ± 2i");
}

TEST(EquilibriaTable, UnpairedEigenvaluesAreAllListed)
{
    EXPECT_EQ(eigenvalueText({-1.0, -2.0, 0.0}, 3), "−1, −2, 0");
    EXPECT_EQ(eigenvalueText({Complex(1, 2)}, 3), "1 + 2i");
    EXPECT_EQ(eigenvalueText({}, 3), "");
}

TEST(EquilibriaTable, PartsThatAreRoundingAreLeftOut)
{
    EXPECT_EQ(eigenvalueText({Complex(1e-17, 0.5), Complex(-1e-17, -0.5)}, 3), "±0.5i");
}

TEST(EquilibriaTable, EqualEigenvaluesAreNotTakenForAPair)
{
    EXPECT_EQ(eigenvalueText({2.0, 2.0, -2.0}, 3), "±2, 2");
}

TEST(EquilibriaTable, TheSignatureCountsEveryDirection)
{
    EXPECT_EQ(signatureText({{-1, 0, 2, 3}, 2, 1, 1}), "−0++");
}

TEST(EquilibriaTable, AnglesThatArePartsOfPiAreSaidSo)
{
    const Quantity angle{"a", "a", "angle", "rad", 2 * std::numbers::pi};
    EXPECT_EQ(factText({angle, std::numbers::pi}, 5), "π");
    EXPECT_EQ(factText({angle, -std::numbers::pi / 2}, 5), "−π/2");
    EXPECT_EQ(factText({angle, 3 * std::numbers::pi / 4}, 5), "3π/4");
    EXPECT_EQ(factText({angle, 0.0}, 5), "0");
    EXPECT_EQ(factText({angle, 3.14159}, 5), "3.1416");
    EXPECT_EQ(factText({angle, std::numeric_limits<double>::quiet_NaN()}, 5), "–");
}

TEST(EquilibriaTable, CsvKeepsEveryDigitAndItsShape)
{
    const auto rows = lines(equilibriaCsv(example()));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0], "name,theta,mu1,spin_rate,energy,s1_re,s1_im,s2_re,s2_im,d2H_1,d2H_2,stability,basis");
    std::istringstream first(rows[1]);
    std::vector<std::string> cells;
    for (std::string cell; std::getline(first, cell, ',');)
        cells.push_back(cell);
    ASSERT_EQ(cells.size(), 13u);
    EXPECT_EQ(std::strtod(cells[2].c_str(), nullptr), 1.0 / 3);
    EXPECT_EQ(rows[2].substr(0, 21), "\"folded, \"\"twice\"\"\",3");
}

TEST(EquilibriaTable, MarkdownHasOneCellForEachColumnInEveryRow)
{
    const auto rows = lines(equilibriaMarkdown(example()));
    ASSERT_EQ(rows.size(), 4u);
    for (const std::string& row : rows)
        EXPECT_EQ(std::count(row.begin(), row.end(), '|'), 9) << row;
    EXPECT_EQ(rows[3], "| folded, \"twice\" | π | −2 | −0.25 | 0.1 | ±0.349 | −+ | unstable |");
}

TEST(EquilibriaTable, LatexIsBalancedAndSetsSymbolsAsMathematics)
{
    const std::string text = equilibriaLatex(example());
    EXPECT_NE(text.find("$\\theta$ (rad) & $\\mu_1$ (N m s)"), std::string::npos) << text;
    EXPECT_NE(text.find("$\\pi$ & $-2$"), std::string::npos) << text;
    EXPECT_NE(text.find("$\\pm0.234i$"), std::string::npos) << text;
    EXPECT_EQ(std::count(text.begin(), text.end(), '$') % 2, 0);
    EXPECT_EQ(std::count(text.begin(), text.end(), '{'), std::count(text.begin(), text.end(), '}'));
    for (const std::string& row : lines(text))
        if (row.ends_with("\\\\")) {
            EXPECT_EQ(std::count(row.begin(), row.end(), '&'), 7) << row;
        }
    for (const char c : text)
        EXPECT_LT(static_cast<unsigned char>(c), 128) << "a letter that LaTeX does not know";
}

} // namespace
} // namespace casimir
