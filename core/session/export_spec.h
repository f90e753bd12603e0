// ExportSpec: one picture, page, film or table to be taken home, as a plain value shared by the dialog and
// the command line. Together with the Session it is a Recipe, which every exported figure carries inside it.
// What the views look like is the Session's business; drawing is ui/export's.
#pragma once

#include "core/files/data_table.h"
#include "core/session/session.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace casimir {

// How several views share the picture.
enum class Arrangement {
    Page,     // beside and below each other, all of one size; a single view fills it
    Composed, // the first large at the left, the others stacked at its right
    Each,     // a file each: "name-stage.svg", "name-portrait.svg"
};

struct PictureSize {
    double width = 900, height = 675;
    bool millimetres = false; // otherwise pixels of 1/96 inch
    double scale = 2;         // device pixels for one pixel of 1/96 inch; 96 times it are the dots per inch

    // In pixels of 1/96 inch, which is what views are laid out in, and in pixels of the file.
    int layoutWidth() const;
    int layoutHeight() const;
    int pixelWidth() const;
    int pixelHeight() const;
    bool operator==(const PictureSize&) const = default;
};

// Widths of a journal's columns, mm.
inline constexpr double singleColumn = 90, doubleColumn = 180;

// A parameter, or an alias, that goes evenly from one value to another.
struct FilmSweep {
    std::string address;
    double from = 0, to = 1;
    bool operator==(const FilmSweep&) const = default;
};

// Frame k shows the time begin + k speed / fps; in a still film, as every sweep is one, the time begin. Its
// length is that of the time from begin to end at the given speed either way.
struct Film {
    double begin = 0, end = 10; // s
    double fps = 30;
    double speed = 1; // seconds of motion in a second of the film
    bool still = false;
    double turns = 0; // of the camera about the vertical, for a turntable
    std::optional<FilmSweep> sweep = {};

    int frames() const;
    double timeAt(int frame) const;
    double sweepAt(int frame) const; // the first and the last frame show the ends
    double angleAt(int frame) const; // rad; the frame after the last would be the first again
    bool operator==(const Film&) const = default;
};

struct ExportSpec {
    static constexpr int formatVersion = 1;

    std::vector<std::string> views; // ids, in the order of the picture
    Arrangement arrangement = Arrangement::Page;
    // png svg pdf, csv npz, and with a film: mp4 webm gif apng frames (numbered PNGs in a folder)
    std::string format = "png";
    PictureSize size;
    bool transparent = false;
    std::string theme = "print";
    double t = 0; // of a figure, s
    std::optional<Film> film = {};
    bool operator==(const ExportSpec&) const = default;
};

// By the ending of the name, or of a folder "frames"; throws Error naming what there is. With `film` the
// formats of films, otherwise those of figures and data.
std::string formatOf(std::string_view path, bool film);
bool isData(const ExportSpec& spec);

// "1200x900" in pixels, "90x60mm", or a column "single", "double" (three quarters as high), "single x 50mm"
// as "singlex50mm"; sets no scale. Throws Error.
PictureSize parseSize(const std::string& text);
std::string sizeText(const PictureSize& size);

// "mu=1:5".
FilmSweep parseFilmSweep(const std::string& text);

Arrangement parseArrangement(const std::string& text);
std::string arrangementText(Arrangement arrangement);

// Refuses a view the system does not have, a size or a time out of range, a sweep it cannot take, what the
// format cannot hold (Error).
void checkExport(const ExportSpec& spec, const Session& session);

// Views of the composed film where none are named: the stage, the picture it goes with, the time series.
std::vector<std::string> usualViews(const System& system);

struct Recipe {
    Session session;
    ExportSpec spec;
    bool operator==(const Recipe&) const = default;
};

// One line of ASCII JSON with stable keys, free of the characters that XML reserves.
std::string writeRecipe(const Recipe& recipe);
// Refuses what is damaged, unknown or newer with the place and the reason (Error).
Recipe readRecipe(std::string_view text);

// The session as frame k of the film sees it: the swept parameter at its value. Throws Error.
Session sessionAt(const Recipe& recipe, int frame);

// The command line that makes the export again. Where the session says more than arguments can,
// `sessionFile` stands for it.
std::string exportCommand(const Recipe& recipe, const std::string& path, const std::string& sessionFile);
// What a view showed, with the command that makes it again and the recipe inside: where arguments cannot say
// it all, the command reads the recipe from the file itself.
DataTable asMade(DataTable table, const Recipe& recipe, const std::string& path);
// Whether `sessionArguments()` say all that the picture depends on.
bool saidByArguments(const Session& session);

} // namespace casimir
