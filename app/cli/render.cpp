#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_from_arguments.h"
#include "app/window_library.h"
#include "core/analysis/general_plots.h"
#include "core/base/error.h"
#include "core/files/file_recipe.h"
#include "core/session/export_spec.h"
#include "core/session/session_json.h"
#include "ui/export/exports.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

namespace casimir::cli {

namespace {

constexpr double dotsPerInch = 96;
constexpr double usualDpi = 300; // of a size in millimetres
constexpr double usualFilmLength = 10;
const PictureSize filmSize{960, 540, false, 2};

// From the file or the session, before the other arguments change it.
Recipe baseRecipe(const Arguments& arguments, bool film)
{
    Recipe recipe;
    if (const auto path = arguments.one("--from")) {
        if (!arguments.system().empty() || arguments.has("--session") || arguments.has("--preset"))
            throw Error("--from says the system and its session already; give no other");
        try {
            recipe = readRecipe(recipeIn(readTextFile(*path)));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", *path, error.what()));
        }
        if (film && !recipe.spec.film) {
            recipe.spec.film = Film{};
            recipe.spec.size = filmSize;
        } else if (!film) {
            recipe.spec.film.reset();
        }
        recipe.session = sessionFromArguments(arguments, recipe.session);
        return recipe;
    }
    recipe.session = sessionFromArguments(arguments);
    if (film) {
        recipe.spec.film = Film{};
        recipe.spec.size = filmSize;
    }
    return recipe;
}

void chooseViews(const Arguments& arguments, Recipe& recipe, bool film)
{
    std::vector<std::string> views;
    for (const std::string& text : arguments.all("--view")) {
        std::stringstream stream(text);
        for (std::string view; std::getline(stream, view, ',');)
            views.push_back(view);
    }
    const auto system = systemOf(recipe.session);
    if (std::find(views.begin(), views.end(), "all") != views.end()) {
        views.clear();
        for (const ViewInfo& info : viewsOf(*system))
            views.push_back(info.id);
    }
    const auto layout = arguments.one("--layout");
    const bool given = !views.empty();
    if (given)
        recipe.spec.views = views;
    else if (recipe.spec.views.empty() && layout == "composed")
        recipe.spec.views = usualViews(*system);
    else if (recipe.spec.views.empty() && film)
        recipe.spec.views = {viewsOf(*system).front().id};
    if (layout)
        recipe.spec.arrangement = parseArrangement(*layout);
    else if (given)
        recipe.spec.arrangement = film && views.size() > 1 ? Arrangement::Composed : Arrangement::Page;
}

void chooseSize(const Arguments& arguments, PictureSize& size)
{
    const auto scale = arguments.number("--scale"), dpi = arguments.number("--dpi");
    if (scale && dpi)
        throw Error("--scale and --dpi say the same; give one");
    if (const auto text = arguments.one("--size")) {
        size = parseSize(*text);
        size.scale = size.millimetres ? usualDpi / dotsPerInch : 1;
    }
    if (scale)
        size.scale = *scale;
    if (dpi)
        size.scale = *dpi / dotsPerInch;
}

void chooseLook(const Arguments& arguments, ExportSpec& spec)
{
    chooseSize(arguments, spec.size);
    spec.theme = arguments.one("--theme").value_or(spec.theme);
    if (arguments.has("--transparent"))
        spec.transparent = true;
}

void chooseFilm(const Arguments& arguments, Film& film)
{
    film.begin = arguments.number("--t-begin", "s").value_or(film.begin);
    if (const auto end = arguments.number("--t-end", "s"))
        film.end = *end;
    else if (arguments.has("--t-begin"))
        film.end = film.begin + usualFilmLength;
    film.fps = arguments.number("--fps").value_or(film.fps);
    film.speed = arguments.number("--speed").value_or(film.speed);
    if (arguments.has("--still"))
        film.still = true;
    if (const auto turns = arguments.number("--turns"))
        film.turns = *turns;
    else if (arguments.has("--turntable"))
        film.turns = 1;
    if (const auto sweep = arguments.one("--sweep"))
        film.sweep = parseFilmSweep(*sweep);
}

// Where a figure is made again without a name of its own: at its old place.
std::string placeOf(const Arguments& arguments)
{
    if (const auto path = arguments.one("--output"))
        return *path;
    if (const auto from = arguments.one("--from"); from && !isSessionFile(*from))
        return *from;
    throw Error(fmt::format("casimir {} needs -o {}", arguments.command().name,
                            arguments.command().name == "render" ? "FILE.{png,svg,pdf,csv,npz}"
                                                                 : "FILE.{mp4,webm,gif,apng} or FOLDER/"));
}

int perform(const Arguments& arguments, const Recipe& recipe, const std::string& path,
            int (*progress)(int, int))
{
    checkExport(recipe.spec, recipe.session);
    const std::string text = writeRecipe(recipe);
    if (!performExport({.recipe = text.c_str(),
                        .path = path.c_str(),
                        .replace = arguments.has("--force"),
                        .progress = progress}))
        throw Interrupted{};
    return 0;
}

std::chrono::steady_clock::time_point began;
bool onTerminal = false, asLines = false;
int told = -1; // frames; asked again while one is computed, nothing new is said

int tellProgress(int done, int total)
{
    using namespace std::chrono;
    if (done == 0)
        began = steady_clock::now();
    if (asLines && done != std::exchange(told, done)) {
        std::fputs(fmt::format("{} {}\n", done, total).c_str(), stdout);
        std::fflush(stdout);
    } else if (!asLines && onTerminal) {
        const double spent = duration<double>(steady_clock::now() - began).count();
        const std::string left =
            done == 0 || spent < 1 ? ""
                                   : fmt::format(", {:.0f} s left", std::ceil(spent / done * (total - done)));
        std::fputs(
            fmt::format("\rframe {} of {}{}\033[K{}", done, total, left, done == total ? "\n" : "").c_str(),
            stderr);
    }
    return interrupted();
}

} // namespace

int render(const Arguments& arguments)
{
    Recipe recipe = baseRecipe(arguments, false);
    const std::string path = placeOf(arguments);
    chooseViews(arguments, recipe, false);
    if (recipe.spec.views.empty())
        throw Error("casimir render needs --view V; 'casimir list " + recipe.session.kind + "' names them");
    chooseLook(arguments, recipe.spec);
    recipe.spec.t = arguments.number("--t", "s").value_or(recipe.spec.t);
    recipe.spec.format = formatOf(path, false);
    return perform(arguments, recipe, path, [](int, int) { return static_cast<int>(interrupted()); });
}

int animate(const Arguments& arguments)
{
    Recipe recipe = baseRecipe(arguments, true);
    const std::string path = placeOf(arguments);
    chooseViews(arguments, recipe, true);
    chooseLook(arguments, recipe.spec);
    chooseFilm(arguments, *recipe.spec.film);
    recipe.spec.format = formatOf(path, true);
    onTerminal = ::isatty(STDERR_FILENO) != 0;
    asLines = arguments.has("--progress");
    return perform(arguments, recipe, path, tellProgress);
}

} // namespace casimir::cli
