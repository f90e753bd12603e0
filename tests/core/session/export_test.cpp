// Exports as values: what a specification says, how a figure carries it, and archives as NumPy's format asks.
#include "core/analysis/spectrum.h"
#include "core/base/error.h"
#include "core/files/crc32.h"
#include "core/files/data_table.h"
#include "core/files/file_recipe.h"
#include "core/files/npz.h"
#include "core/session/export_spec.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>

namespace {

using namespace casimir;
using testing::HasSubstr;
using testing::Not;

Recipe exampleRecipe()
{
    Recipe recipe;
    recipe.session = readSession(presetNamed("two-body", "figure-1").text);
    recipe.session.notes = "a < b && c > d, θ (half), \"quoted\"\n]]>";
    recipe.spec.views = {"portrait", "stage"};
    recipe.spec.arrangement = Arrangement::Composed;
    recipe.spec.format = "svg";
    recipe.spec.size = {90, 60, true, 300.0 / 96};
    recipe.spec.transparent = true;
    recipe.spec.theme = "light";
    recipe.spec.t = 1.0 / 3;
    return recipe;
}

// What numpy.load() sees, read by the specifications of ZIP and NPY alone.
struct Array {
    std::string header;
    std::string body;
};

template <class T>
T at(const std::string& bytes, std::size_t place)
{
    T x;
    EXPECT_LE(place + sizeof x, bytes.size());
    std::memcpy(&x, bytes.data() + place, sizeof x);
    return x;
}

// Bit by bit, as the standard defines the checksum.
std::uint32_t slowCrc(const std::string& bytes)
{
    std::uint32_t c = 0xFFFFFFFF;
    for (const char byte : bytes) {
        c ^= static_cast<unsigned char>(byte);
        for (int k = 0; k < 8; ++k)
            c = c & 1 ? (c >> 1) ^ 0xEDB88320u : c >> 1;
    }
    return ~c;
}

std::map<std::string, Array> unpacked(const std::string& zip)
{
    std::map<std::string, Array> arrays;
    const std::size_t end = zip.rfind("PK\x05\x06");
    EXPECT_EQ(end + 22, zip.size());
    std::size_t entry = at<std::uint32_t>(zip, end + 16);
    EXPECT_EQ(entry + at<std::uint32_t>(zip, end + 12), end);
    for (int i = at<std::uint16_t>(zip, end + 10); i > 0; --i) {
        EXPECT_EQ(zip.substr(entry, 4), "PK\x01\x02");
        const std::size_t size = at<std::uint32_t>(zip, entry + 20),
                          nameSize = at<std::uint16_t>(zip, entry + 28);
        const std::string name = zip.substr(entry + 46, nameSize);
        const std::size_t local = at<std::uint32_t>(zip, entry + 42);
        EXPECT_EQ(zip.substr(local, 4), "PK\x03\x04");
        EXPECT_EQ(zip.substr(local + 30, nameSize), name);
        const std::string npy = zip.substr(local + 30 + nameSize, size);
        EXPECT_EQ(slowCrc(npy), at<std::uint32_t>(zip, entry + 16)) << name;
        EXPECT_EQ(npy.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
        const std::size_t header = at<std::uint16_t>(npy, 8);
        EXPECT_EQ((10 + header) % 64, 0u);
        EXPECT_EQ(npy[9 + header], '\n');
        EXPECT_TRUE(name.ends_with(".npy"));
        arrays[name.substr(0, name.size() - 4)] = {npy.substr(10, header), npy.substr(10 + header)};
        entry += 46 + nameSize;
    }
    return arrays;
}

TEST(Recipe, comesBackEqualAndWithTheSameBytes)
{
    Recipe recipe = exampleRecipe();
    const std::string text = writeRecipe(recipe);
    EXPECT_EQ(readRecipe(text), recipe);
    EXPECT_EQ(writeRecipe(readRecipe(text)), text);

    recipe.spec.format = "webm";
    recipe.spec.t = 0;
    recipe.spec.film = Film{1, 4, 24, 0.5, true, 2, FilmSweep{"mu", 10, 60}};
    EXPECT_EQ(readRecipe(writeRecipe(recipe)), recipe);
}

TEST(Recipe, refusesWhatItDoesNotUnderstandByName)
{
    const std::string text = writeRecipe(exampleRecipe());
    const auto refusal = [](std::string changed) {
        try {
            (void)readRecipe(changed);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    const auto replaced = [&](const std::string& a, const std::string& b) {
        std::string changed = text;
        return changed.replace(changed.find(a), a.size(), b);
    };
    EXPECT_THAT(refusal(replaced("\"theme\"", "\"thème\"")), HasSubstr("th"));
    EXPECT_THAT(refusal(replaced("\"theme\"", "\"teme\"")), HasSubstr("did you mean 'theme'"));
    EXPECT_THAT(refusal(replaced("\"casimir_export\":1", "\"casimir_export\":99")), HasSubstr("newer"));
    EXPECT_THAT(refusal(replaced("\"portrait\"", "\"portait\"")), HasSubstr("portrait"));
    EXPECT_THAT(refusal(text.substr(0, text.size() / 2)), HasSubstr("JSON"));
    EXPECT_THAT(refusal("{}"), HasSubstr("not a recipe"));
}

TEST(Recipe, liesInsideFiguresAndTheRestOfTheFileStays)
{
    const std::string recipe = writeRecipe(exampleRecipe());
    EXPECT_THAT(recipe, Not(HasSubstr("<")));
    for (const char c : recipe)
        EXPECT_TRUE(c >= 32 && c < 127);

    const std::string svg =
        "<?xml version=\"1.0\"?>\n<svg width=\"3\"\n height=\"4\">\n<path d=\"M0 0\"/></svg>\n";
    const std::string svgWith = withRecipe(svg, "svg", recipe);
    EXPECT_EQ(recipeIn(svgWith), recipe);
    EXPECT_LT(svgWith.find("height=\"4\">"), svgWith.find("<metadata"));

    const std::string png = std::string("\x89PNG\r\n\x1a\n", 8) + std::string("\0\0\0\x0dIHDR", 8) +
                            std::string(13 + 4, 'x') + std::string("\0\0\0\0IEND", 8) + "crc.";
    const std::string pngWith = withRecipe(png, "png", recipe);
    EXPECT_EQ(recipeIn(pngWith), recipe);
    EXPECT_EQ(pngWith.substr(0, 33), png.substr(0, 33));
    EXPECT_TRUE(pngWith.ends_with(png.substr(33)));
    // The chunk: length, name, body, checksum of name and body.
    const std::size_t length = pngWith.size() - png.size() - 12;
    const std::string chunk = pngWith.substr(33 + 4, 4 + length);
    std::uint32_t crc = 0;
    for (const char byte : pngWith.substr(33 + 8 + length, 4))
        crc = crc << 8 | static_cast<unsigned char>(byte);
    EXPECT_EQ(crc, slowCrc(chunk));

    EXPECT_THROW(recipeIn(svg), Error);
    EXPECT_THROW(recipeIn(png), Error);
    EXPECT_THROW(recipeIn(""), Error);
    EXPECT_THROW(withRecipe("no picture", "png", recipe), Error);
    EXPECT_THROW(withRecipe("no picture", "svg", recipe), Error);
    EXPECT_THROW(withRecipe("no picture", "pdf", recipe), Error);
}

TEST(FileRecipe, dataCarryTheRecipeAndACommandThatMakesThemAgain)
{
    Recipe recipe = exampleRecipe();
    recipe.session.motions.resize(1);
    recipe.session.options.clear();
    recipe.session.ghosts.clear();
    recipe.spec.views = {"series"};
    DataTable plain;
    plain.add({"t", "t", "time", "s"}, {0, 1});
    plain.made = "something else";
    for (const char* format : {"csv", "npz"}) {
        recipe.spec.format = format;
        const std::string name = std::string("my numbers.") + format;
        const auto written = [&](const Recipe& of) {
            std::string bytes;
            writeData(asMade(plain, of, name), format, [&](std::string_view piece) { bytes += piece; });
            return bytes;
        };
        const std::string bytes = written(recipe);
        EXPECT_EQ(readRecipe(recipeIn(bytes)), recipe) << format;
        // Two Motions cannot be said by arguments: the file says them.
        Recipe two = recipe;
        two.session.motions.push_back(two.session.motions.front());
        two.session.motions.back().label = "Motion 2 (é)";
        EXPECT_EQ(readRecipe(recipeIn(written(two))), two) << format;
        EXPECT_NE(asMade(plain, two, "some where/" + name)
                      .made.find("casimir render --from 'my numbers." + std::string(format) + "' -o "),
                  std::string::npos)
            << asMade(plain, two, name).made;
        std::string without;
        writeData(plain, format, [&](std::string_view piece) { without += piece; });
        EXPECT_THROW(recipeIn(without), Error);
        EXPECT_THROW(recipeIn(std::string_view(bytes).substr(0, 40)), Error);
    }
}

TEST(Film, hasAFrameForEveryFrameOfItsLength)
{
    EXPECT_EQ((Film{0, 10, 30, 1}).frames(), 300);
    EXPECT_EQ((Film{0, 10, 30, 2}).frames(), 150);
    EXPECT_EQ((Film{0.1, 0.4, 10, 1}).frames(), 3); // 0.4 - 0.1 is not 0.3 in binary
    EXPECT_EQ((Film{0, 0.25, 10, 1}).frames(), 3);
    EXPECT_EQ((Film{0, 1e-9, 30, 1}).frames(), 1);
    const Film film{2, 12, 25, 0.5};
    EXPECT_DOUBLE_EQ(film.timeAt(0), 2);
    EXPECT_DOUBLE_EQ(film.timeAt(50), 3);
    const Film sweep{1, 2, 10, 1, false, 0, FilmSweep{"mu", 3, 12}};
    EXPECT_EQ(sweep.timeAt(7), 1);
    EXPECT_EQ(sweep.sweepAt(0), 3);
    EXPECT_EQ(sweep.sweepAt(9), 12);
    EXPECT_DOUBLE_EQ(sweep.sweepAt(1), 4);
    const Film turning{0, 2, 10, 1, false, 1};
    EXPECT_EQ(turning.angleAt(0), 0);
    EXPECT_DOUBLE_EQ(turning.angleAt(10), M_PI);
}

TEST(ExportSpec, sizesAreReadInPixelsMillimetresAndColumns)
{
    const PictureSize pixels = parseSize("1200x900");
    EXPECT_EQ(pixels.layoutWidth(), 1200);
    EXPECT_FALSE(pixels.millimetres);
    PictureSize column = parseSize("single");
    EXPECT_EQ(column.width, 90);
    EXPECT_EQ(column.height, 67.5);
    column.scale = 300.0 / 96;
    EXPECT_EQ(column.pixelWidth(), 1063); // 90 mm / 25.4 * 300
    EXPECT_EQ(parseSize("doublex50mm").height, 50);
    EXPECT_EQ(parseSize("double").width, 180);
    EXPECT_EQ(parseSize("120.5x60mm").width, 120.5);
    for (const char* bad : {"", "10", "10x", "x10", "10x10cm", "10.5x10", "axb", "singlex50"})
        EXPECT_THROW(parseSize(bad), Error) << bad;
    EXPECT_EQ(parseSize(sizeText(column)).height, column.height);
}

TEST(ExportSpec, whatCannotBeMadeIsRefusedBeforeItIsTried)
{
    const auto refusal = [](auto change) {
        Recipe recipe;
        recipe.session = defaultSession(kindNamed("two-body"));
        recipe.spec.views = {"portrait"};
        change(recipe.spec);
        try {
            checkExport(recipe.spec, recipe.session);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refusal([](ExportSpec&) {}), "accepted");
    EXPECT_THAT(refusal([](ExportSpec& s) { s.views = {"portait"}; }), HasSubstr("portrait"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.views = {}; }), HasSubstr("needs a view"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.theme = "blue"; }), HasSubstr("print"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.size.width = 1e9; }), HasSubstr("out of range"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.size.height = NAN; }), HasSubstr("out of range"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.size = {8000, 100, false, 4}; }), HasSubstr("too many"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.size.scale = 0; }), HasSubstr("scale"));
    EXPECT_THAT(refusal([](ExportSpec& s) { s.format = "mp4"; }), HasSubstr("mp4"));
    const auto film = [&](auto change) {
        return refusal([&](ExportSpec& s) {
            s.format = "mp4";
            s.film = Film{};
            change(s);
        });
    };
    EXPECT_EQ(film([](ExportSpec&) {}), "accepted");
    EXPECT_THAT(film([](ExportSpec& s) { s.film->end = 0; }), HasSubstr("no length"));
    EXPECT_THAT(film([](ExportSpec& s) { s.film->fps = 1e6; }), HasSubstr("frames a second"));
    EXPECT_THAT(film([](ExportSpec& s) { s.film->speed = 1e-9; }), HasSubstr("frames"));
    EXPECT_THAT(film([](ExportSpec& s) { s.transparent = true; }), HasSubstr("transparency"));
    EXPECT_THAT(film([](ExportSpec& s) { s.film->sweep = FilmSweep{"muu", 1, 2}; }), HasSubstr("mu"));
    EXPECT_THAT(film([](ExportSpec& s) { s.film->sweep = FilmSweep{"m1", 1, -2}; }), HasSubstr("m1"));
    EXPECT_THAT(film([](ExportSpec& s) {
                    s.format = "gif";
                    s.film->fps = 60;
                }),
                HasSubstr("GIF"));
}

TEST(ExportSpec, itsCommandLineNamesEverythingThatIsNotUsual)
{
    Recipe recipe;
    recipe.session = defaultSession(kindNamed("two-body"));
    recipe.spec.views = {"portrait"};
    recipe.spec.size = {800, 600, false, 1};
    EXPECT_EQ(exportCommand(recipe, "a b.png", "s.json"),
              "casimir render two-body --view portrait --size 800x600 -o 'a b.png'");
    recipe.session.ghosts.push_back({{"theta", 1.0}});
    recipe.spec.film = Film{0, 5, 25, 1, false, 1, FilmSweep{"mu", 1, 8}};
    EXPECT_EQ(
        exportCommand(recipe, "f.mp4", "s.json"),
        "casimir animate --session s.json --view portrait --size 800x600 --t-end 5 --fps 25 --turntable "
        "--sweep mu=1:8 -o f.mp4");
}

TEST(Npz, isReadByTheFormatsOwnRules)
{
    EXPECT_EQ(crc32("123456789"), 0xCBF43926u); // the check value of the standard
    EXPECT_EQ(crc32("56789", crc32("1234")), crc32("123456789"));

    std::string zip;
    NpzWriter writer([&zip](std::string_view bytes) { zip += bytes; });
    const std::vector<double> t{0, 0.1, 1e-300}, grid{1, 2, 3, 4, 5, 6};
    writer.array("t", t);
    writer.array("grid", grid, {2, 3});
    writer.text("made", "θ = 1 rad, 𝕏");
    writer.finish();
    const auto arrays = unpacked(zip);
    ASSERT_EQ(arrays.size(), 3u);
    EXPECT_THAT(arrays.at("t").header,
                HasSubstr("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"));
    EXPECT_THAT(arrays.at("grid").header, HasSubstr("'shape': (2, 3), }"));
    EXPECT_THAT(arrays.at("made").header,
                HasSubstr("{'descr': '<U12', 'fortran_order': False, 'shape': (), }"));
    ASSERT_EQ(arrays.at("t").body.size(), 24u);
    EXPECT_EQ(at<double>(arrays.at("t").body, 16), 1e-300);
    ASSERT_EQ(arrays.at("made").body.size(), 48u);
    EXPECT_EQ(at<char32_t>(arrays.at("made").body, 0), U'θ');
    EXPECT_EQ(at<char32_t>(arrays.at("made").body, 44), U'𝕏');
}

TEST(DataTable, aPortraitsCurvesLieOnTheirLevels)
{
    const auto system = kindNamed("two-body").make();
    const Plot plot = system->plot("portrait");
    const DataTable table = tableOf(plot);
    ASSERT_EQ(table.columns.size(), 4u);
    EXPECT_EQ(table.columns[0].id, "curve");
    EXPECT_EQ(table.columns[1].id, "H");
    std::size_t points = 0;
    for (const Polyline& line : plot.lines)
        points += line.x.size();
    EXPECT_EQ(table.rows(), points);
    // The level of each point is the energy of the state there.
    for (std::size_t i = 0; i < table.rows(); i += 97) {
        const State x = system->start({{"theta", table.values[2][i]}, {"nu", table.values[3][i]}});
        EXPECT_NEAR(system->quantity("H", 0, x), table.values[1][i], 1e-6 * std::abs(table.values[1][i]));
    }
    DataTable twice;
    twice.add({"t", "t", "time", "s"}, {1, 2});
    twice.add({"t", "t", "time", "s"}, {3, NAN});
    EXPECT_THAT(csvText(twice), HasSubstr("t,t_2\n1,3\n2,null\n"));
}

// What a spectrum shows are eigenvalues, not the two lines through its origin; those of a Hamiltonian system
// come in pairs ±s.
TEST(DataTable, ASpectrumIsWrittenAsItsEigenvalues)
{
    const auto system = kindNamed("two-body").make();
    const DataTable table = tableOf(spectrumPlot(*system));
    ASSERT_EQ(table.columns.size(), 3u);
    EXPECT_EQ(table.columns[1].id, "re");
    EXPECT_EQ(table.columns[2].id, "im");
    EXPECT_THAT(table.made, testing::AllOf(HasSubstr("stretched"), HasSubstr("folded")));
    ASSERT_EQ(table.rows(), 4u);
    double re = 0, im = 0, sizes = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        re += table.values[1][i];
        im += table.values[2][i];
        sizes += std::hypot(table.values[1][i], table.values[2][i]);
        // The centre swings, the saddle does not.
        EXPECT_NEAR(table.values[1][i] * table.values[2][i], 0, 1e-12);
    }
    EXPECT_GT(sizes, 0);
    EXPECT_NEAR(re, 0, 1e-9 * sizes);
    EXPECT_NEAR(im, 0, 1e-9 * sizes);
}

// Of three bodies in line six equilibria exist where 1, |κ|, |τ| are the sides of a triangle, four elsewhere.
TEST(DataTable, aMapIsWrittenCellByCellThoughLinesLieOverIt)
{
    const auto system = kindNamed("three-body").make(kindNamed("three-body").schema.defaults());
    const Plot plot = system->plot("map");
    ASSERT_FALSE(plot.lines.empty());
    const DataTable table = tableOf(plot);
    ASSERT_EQ(table.columns.size(), 3u);
    EXPECT_EQ(table.columns[0].id, "kappa");
    EXPECT_EQ(table.columns[1].id, "tau");
    ASSERT_EQ(table.rows(), plot.maps.front().values.size());
    int inside = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) {
        const double k = std::abs(table.values[0][i]), t = std::abs(table.values[1][i]),
                     kind = table.values[2][i];
        if (!std::isfinite(kind))
            continue;
        const bool triangle = k + t > 1 && std::abs(k - t) < 1;
        const std::string& words = plot.maps.front().labels[static_cast<std::size_t>(kind)];
        EXPECT_THAT(words, testing::StartsWith(triangle ? "6" : "4")) << k << " " << t;
        inside += triangle;
    }
    EXPECT_GT(inside, 1000);
    EXPECT_THAT(table.made, HasSubstr("6 equilibria"));
}

} // namespace
