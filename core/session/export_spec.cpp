#include "core/session/export_spec.h"

#include "core/analysis/general_plots.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/suggest.h"
#include "core/files/object_reader.h"
#include "core/session/command_text.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "core/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>

namespace casimir {

using Json = nlohmann::ordered_json;

namespace {

constexpr double perInch = 96, millimetresPerInch = 25.4;
constexpr int smallest = 64, largest = 8192; // layout pixels a side
constexpr int largestFile = 16384;           // file pixels a side
constexpr double leastScale = 0.25, mostScale = 16;
constexpr double mostFrames = 200'000;
constexpr double mostFps = 240, mostGifFps = 50; // a GIF counts hundredths of a second, players two at least

const std::vector<std::string> figureFormats{"png", "svg", "pdf", "csv", "npz"};
const std::vector<std::string> filmFormats{"mp4", "webm", "gif", "apng", "frames"};
const std::vector<std::string> themes{"print", "light", "dark"};
const std::pair<Arrangement, const char*> arrangements[] = {
    {Arrangement::Page, "page"}, {Arrangement::Composed, "composed"}, {Arrangement::Each, "each"}};

bool has(const std::vector<std::string>& list, const std::string& word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

double layout(double length, bool millimetres)
{
    return millimetres ? length / millimetresPerInch * perInch : length;
}

void checkFilm(const ExportSpec& spec, const Session& session)
{
    const Film& film = *spec.film;
    if (!(film.end > film.begin))
        throw Error(fmt::format("a film from {} to {} s has no length", numberText(film.begin),
                                numberText(film.end)));
    if (!(film.fps > 0 && film.fps <= mostFps))
        throw Error(fmt::format("{} frames a second are out of range; more than 0 and at most {}",
                                numberText(film.fps), mostFps));
    if (spec.format == "gif" && film.fps > mostGifFps)
        throw Error(
            fmt::format("a GIF shows at most {} frames a second, not {}; .mp4, .webm and .apng show more",
                        mostGifFps, numberText(film.fps)));
    if (!(film.speed > 0))
        throw Error(
            fmt::format("a speed of {} is out of range; it must be greater than 0", numberText(film.speed)));
    const double frames = (film.end - film.begin) / film.speed * film.fps;
    if (!(frames <= mostFrames))
        throw Error(
            fmt::format("the film would have {:.0f} frames; at most {:.0f} are made", frames, mostFrames));
    if (spec.arrangement == Arrangement::Each && spec.views.size() > 1)
        throw Error("a film shows its views together; several films are made one by one");
    if (spec.transparent && (spec.format == "mp4" || spec.format == "gif"))
        throw Error(fmt::format("{} has no transparency; .webm, .apng and numbered PNGs have",
                                spec.format == "mp4" ? "MP4" : "a GIF of many colours"));
    if (film.sweep) {
        (void)sessionAt({session, spec}, 0);
        (void)sessionAt({session, spec}, film.frames() - 1);
    }
}

Json filmJson(const Film& film)
{
    Json json;
    json["begin"] = film.begin;
    json["end"] = film.end;
    json["fps"] = film.fps;
    json["speed"] = film.speed;
    if (film.still)
        json["still"] = true;
    if (film.turns != 0)
        json["turns"] = film.turns;
    if (film.sweep)
        json["sweep"] = {
            {"parameter", film.sweep->address}, {"from", film.sweep->from}, {"to", film.sweep->to}};
    return json;
}

Film readFilm(const Json& json)
{
    ObjectReader reader(json, "export.film");
    Film film;
    film.begin = reader.number("begin", film.begin);
    film.end = reader.number("end", film.end);
    film.fps = reader.number("fps", film.fps);
    film.speed = reader.number("speed", film.speed);
    film.still = reader.flag("still", film.still);
    film.turns = reader.number("turns", film.turns);
    if (const Json* sweep = reader.take("sweep")) {
        ObjectReader ends(*sweep, "export.film.sweep");
        film.sweep = FilmSweep{ends.text("parameter"), ends.number("from", 0), ends.number("to", 1)};
        ends.finish();
    }
    reader.finish();
    return film;
}

Json specJson(const ExportSpec& spec)
{
    Json json;
    json["views"] = spec.views;
    json["layout"] = arrangementText(spec.arrangement);
    json["format"] = spec.format;
    json["size"] = {{"width", spec.size.width},
                    {"height", spec.size.height},
                    {"unit", spec.size.millimetres ? "mm" : "px"},
                    {"scale", spec.size.scale}};
    json["transparent"] = spec.transparent;
    json["theme"] = spec.theme;
    if (spec.film)
        json["film"] = filmJson(*spec.film);
    else
        json["t"] = spec.t;
    return json;
}

ExportSpec readSpec(const Json& json)
{
    ObjectReader reader(json, "export");
    ExportSpec spec;
    if (const Json* views = reader.take("views"))
        for (const Json& view : *views) {
            if (!view.is_string())
                refuse("export.views", "the name of a view was expected");
            spec.views.push_back(view.get<std::string>());
        }
    spec.arrangement = parseArrangement(reader.text("layout", "page"));
    spec.format = reader.text("format", spec.format);
    if (const Json* size = reader.take("size")) {
        ObjectReader sides(*size, "export.size");
        spec.size.width = sides.number("width", spec.size.width);
        spec.size.height = sides.number("height", spec.size.height);
        const std::string unit = sides.text("unit", "px");
        if (unit != "px" && unit != "mm")
            refuse("export.size.unit", fmt::format("'{}' is neither px nor mm", unit));
        spec.size.millimetres = unit == "mm";
        spec.size.scale = sides.number("scale", spec.size.scale);
        sides.finish();
    }
    spec.transparent = reader.flag("transparent", spec.transparent);
    spec.theme = reader.text("theme", spec.theme);
    spec.t = reader.number("t", spec.t);
    if (const Json* film = reader.take("film"))
        spec.film = readFilm(*film);
    reader.finish();
    return spec;
}

} // namespace

int PictureSize::layoutWidth() const
{
    return static_cast<int>(std::lround(layout(width, millimetres)));
}

int PictureSize::layoutHeight() const
{
    return static_cast<int>(std::lround(layout(height, millimetres)));
}

int PictureSize::pixelWidth() const
{
    return static_cast<int>(std::lround(layout(width, millimetres) * scale));
}

int PictureSize::pixelHeight() const
{
    return static_cast<int>(std::lround(layout(height, millimetres) * scale));
}

int Film::frames() const
{
    // A length that is a whole number of frames but for rounding is taken as that.
    const double exact = (end - begin) / speed * fps;
    return std::max(1, static_cast<int>(std::ceil(exact * (1 - 1e-12) - 1e-9)));
}

double Film::timeAt(int frame) const
{
    return still || sweep ? begin : begin + frame * speed / fps;
}

double Film::sweepAt(int frame) const
{
    const int last = frames() - 1;
    if (frame >= last)
        return last == 0 ? sweep->from : sweep->to;
    return sweep->from + (sweep->to - sweep->from) * frame / last;
}

double Film::angleAt(int frame) const
{
    return 2 * 3.14159265358979323846 * turns * frame / frames();
}

std::string formatOf(std::string_view path, bool film)
{
    const auto slash = path.find_last_of('/');
    const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
    if (film && name.empty() && !path.empty())
        return "frames";
    const auto dot = name.find_last_of('.');
    std::string ending(dot == std::string_view::npos ? "" : name.substr(dot + 1));
    std::transform(ending.begin(), ending.end(), ending.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (film && has({"mp4", "webm", "gif", "apng"}, ending))
        return ending;
    if (!film && has(figureFormats, ending))
        return ending;
    const char* known = film ? "a film is a .mp4, .webm, .gif or .apng file or a FOLDER/ of PNGs"
                             : "a figure is a .png, .svg or .pdf file, its data .csv or .npz";
    throw Error(fmt::format("{}, not '{}'", known, path));
}

bool isData(const ExportSpec& spec)
{
    return spec.format == "csv" || spec.format == "npz";
}

PictureSize parseSize(const std::string& text)
{
    const auto bad = [&text] {
        return Error(
            fmt::format("--size {} should be WIDTHxHEIGHT in pixels as in 1200x900, in millimetres as in "
                        "90x60mm, or a column: single ({} mm), double ({} mm)",
                        text, singleColumn, doubleColumn));
    };
    PictureSize size;
    std::string rest = text;
    if (rest.ends_with("mm")) {
        size.millimetres = true;
        rest.resize(rest.size() - 2);
    }
    const auto x = rest.find('x');
    const std::string first = rest.substr(0, x);
    const bool column = first == "single" || first == "double";
    if (column) {
        if (x != std::string::npos && !size.millimetres)
            throw bad();
        size.millimetres = true;
        size.width = first == "single" ? singleColumn : doubleColumn;
        size.height = size.width * 3 / 4;
    }
    try {
        if (!column)
            size.width = parseNumber(first);
        if (x != std::string::npos)
            size.height = parseNumber(rest.substr(x + 1));
        else if (!column)
            throw bad();
    } catch (const Error&) {
        throw bad();
    }
    if (!size.millimetres && (size.width != std::floor(size.width) || size.height != std::floor(size.height)))
        throw bad();
    return size;
}

std::string sizeText(const PictureSize& size)
{
    return numberText(size.width) + "x" + numberText(size.height) + (size.millimetres ? "mm" : "");
}

FilmSweep parseFilmSweep(const std::string& text)
{
    const auto equals = text.find('='), colon = text.find(':', equals == std::string::npos ? 0 : equals);
    if (equals == std::string::npos || colon == std::string::npos || equals == 0)
        throw Error(fmt::format("--sweep {} should be name=from:to, as in mu=1:5", text));
    try {
        return {text.substr(0, equals), parseNumber(text.substr(equals + 1, colon - equals - 1)),
                parseNumber(text.substr(colon + 1))};
    } catch (const Error& error) {
        throw Error(fmt::format("--sweep {}: {}", text, error.what()));
    }
}

Arrangement parseArrangement(const std::string& text)
{
    std::vector<std::string> known;
    for (const auto& [arrangement, name] : arrangements) {
        if (text == name)
            return arrangement;
        known.emplace_back(name);
    }
    throw Error(fmt::format("unknown layout '{}'; {}", text, didYouMean(text, known)));
}

std::string arrangementText(Arrangement arrangement)
{
    return std::find_if(std::begin(arrangements), std::end(arrangements),
                        [&](const auto& pair) { return pair.first == arrangement; })
        ->second;
}

void checkExport(const ExportSpec& spec, const Session& session)
{
    const Kind& kind = kindNamed(session.kind);
    const auto system = kind.make(valuesOf(kind, session, session.motions.front()));
    const std::vector<ViewInfo> views = viewsOf(*system);
    std::vector<std::string> known;
    for (const ViewInfo& view : views)
        known.push_back(view.id);
    if (spec.views.empty())
        throw Error(fmt::format("an export needs a view; {} has {}", session.kind, fmt::join(known, ", ")));
    for (const std::string& view : spec.views)
        if (!has(known, view))
            throw Error(
                fmt::format("unknown view '{}' of {}; {}", view, session.kind, didYouMean(view, known)));
    if (!has(themes, spec.theme))
        throw Error(fmt::format("unknown theme '{}'; {}", spec.theme, didYouMean(spec.theme, themes)));
    const auto& formats = spec.film ? filmFormats : figureFormats;
    if (!has(formats, spec.format))
        throw Error(fmt::format("{} cannot be written as '{}'; {}", spec.film ? "a film" : "a figure",
                                spec.format, didYouMean(spec.format, formats)));
    const PictureSize& size = spec.size;
    if (!(size.scale >= leastScale && size.scale <= mostScale))
        throw Error(fmt::format(
            "a scale of {} is out of range; it must be {} to {} ({:.0f} to {:.0f} dots per inch)",
            numberText(size.scale), leastScale, mostScale, leastScale * perInch, mostScale * perInch));
    const bool finite = std::isfinite(size.width) && std::isfinite(size.height);
    if (!finite || !(layout(std::min(size.width, size.height), size.millimetres) >= smallest) ||
        !(layout(std::max(size.width, size.height), size.millimetres) <= largest))
        throw Error(fmt::format(
            "the size {} is out of range; each side must be {} to {} pixels ({:.0f} to {:.0f} mm)",
            sizeText(size), smallest, largest, std::ceil(smallest / perInch * millimetresPerInch),
            std::floor(largest / perInch * millimetresPerInch)));
    if (std::max(size.pixelWidth(), size.pixelHeight()) > largestFile)
        throw Error(fmt::format("{} x {} pixels are too many; each side may have {}", size.pixelWidth(),
                                size.pixelHeight(), largestFile));
    if (!std::isfinite(spec.t))
        throw Error("the time of a figure must be finite");
    if (isData(spec) && spec.views.size() > 1 && spec.arrangement != Arrangement::Each)
        throw Error("data is written for one view at a time, or for each with the layout 'each'");
    if (spec.film)
        checkFilm(spec, session);
}

std::vector<std::string> usualViews(const System& system)
{
    std::vector<std::string> chosen;
    const std::vector<ViewInfo> views = viewsOf(system);
    const auto add = [&](auto&& wanted) {
        const auto it = std::find_if(views.begin(), views.end(), [&](const ViewInfo& view) {
            return wanted(view) && !has(chosen, view.id);
        });
        if (it != views.end())
            chosen.push_back(it->id);
    };
    add([](const ViewInfo& view) { return view.id == "stage"; });
    std::vector<std::string> portraits;
    for (const PlotInfo& plot : system.plots())
        if (plot.followsState)
            portraits.push_back(plot.id);
    add([&](const ViewInfo& view) { return has(portraits, view.id); });
    add([](const ViewInfo& view) { return view.id == "series"; });
    return chosen;
}

std::string writeRecipe(const Recipe& recipe)
{
    Json json;
    json["casimir_export"] = ExportSpec::formatVersion;
    json["made_by"] = std::string("casimir ") + version;
    json["export"] = specJson(recipe.spec);
    json["session"] = Json::parse(writeSession(recipe.session));
    std::string text;
    for (const char c : json.dump(-1, ' ', true))
        if (c == '<' || c == '>' || c == '&')
            text += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            text += c;
    return text;
}

Recipe readRecipe(std::string_view text)
{
    const Json json = parseJson(text);
    ObjectReader reader(json, "");
    const Json* format = reader.take("casimir_export");
    if (!format || !format->is_number_integer())
        refuse("casimir_export", "the format version is missing; this is not a recipe of Casimir");
    if (format->get<int>() > ExportSpec::formatVersion)
        refuse("casimir_export",
               fmt::format("the figure was made by a newer program (format {}); this one reads up to {}",
                           format->get<int>(), ExportSpec::formatVersion));
    (void)reader.text("made_by");
    Recipe recipe;
    if (const Json* spec = reader.take("export"))
        recipe.spec = readSpec(*spec);
    const Json* session = reader.take("session");
    if (!session)
        refuse("session", "the session is missing");
    recipe.session = readSession(session->dump());
    reader.finish();
    checkExport(recipe.spec, recipe.session);
    return recipe;
}

Session sessionAt(const Recipe& recipe, int frame)
{
    Session session = recipe.session;
    if (!recipe.spec.film || !recipe.spec.film->sweep)
        return session;
    const FilmSweep& sweep = *recipe.spec.film->sweep;
    const Kind& kind = kindNamed(session.kind);
    const double x = recipe.spec.film->sweepAt(frame);
    Value value = x;
    if (kind.schema.resolve(sweep.address).type == ParameterType::Integer)
        value = static_cast<long>(std::lround(x));
    session.values = kind.schema.with(session.values, {{sweep.address, value}});
    for (Motion& motion : session.motions) {
        motion.from.reset(); // where a run stood at other values says nothing about these
        (void)kind.make(valuesOf(kind, session, motion))->start(motion.state);
    }
    return session;
}

bool saidByArguments(const Session& session)
{
    const Motion& motion = session.motions.front();
    const Accuracy standard;
    return session.motions.size() == 1 && session.options.empty() && session.ghosts.empty() &&
           motion.method.empty() && motion.overrides.empty() && motion.visible && motion.colour == 0 &&
           motion.options == standard && !needsSavedSession(motion);
}

DataTable asMade(DataTable table, const Recipe& recipe, const std::string& path)
{
    const std::filesystem::path file(path);
    const std::string again = file.stem().string() + "-again" + file.extension().string();
    const std::string command =
        saidByArguments(recipe.session)
            ? exportCommand(recipe, path, {})
            : "casimir render --from " + shellWord(file.filename().string()) + " -o " + shellWord(again);
    table.made =
        fmt::format("casimir {}\n{}{}{}", version, command, table.made.empty() ? "" : "\n", table.made);
    table.recipe = writeRecipe(recipe);
    return table;
}

std::string exportCommand(const Recipe& recipe, const std::string& path, const std::string& sessionFile)
{
    const ExportSpec& spec = recipe.spec;
    std::string text = spec.film ? "casimir animate " : "casimir render ";
    text += saidByArguments(recipe.session) ? sessionArguments(recipe.session, recipe.session.motions.front())
                                            : "--session " + shellWord(sessionFile);
    for (const std::string& view : spec.views)
        text += " --view " + shellWord(view);
    if (spec.views.size() > 1)
        text += " --layout " + arrangementText(spec.arrangement);
    if (!isData(spec)) {
        text += " --size " + sizeText(spec.size);
        if (spec.size.millimetres)
            text += " --dpi " + numberText(std::round(spec.size.scale * perInch * 1e6) / 1e6);
        else if (spec.size.scale != 1)
            text += " --scale " + numberText(spec.size.scale);
        if (spec.theme != "print")
            text += " --theme " + spec.theme;
        if (spec.transparent)
            text += " --transparent";
    }
    if (!spec.film) {
        if (spec.t != 0)
            text += " --t " + numberText(spec.t);
    } else {
        const Film& film = *spec.film;
        if (film.begin != 0)
            text += " --t-begin " + numberText(film.begin);
        text += " --t-end " + numberText(film.end) + " --fps " + numberText(film.fps);
        if (film.speed != 1)
            text += " --speed " + numberText(film.speed);
        if (film.still && !film.sweep)
            text += " --still";
        if (film.turns == 1)
            text += " --turntable";
        else if (film.turns != 0)
            text += " --turns " + numberText(film.turns);
        if (film.sweep)
            text += " --sweep " + shellWord(film.sweep->address + "=" + numberText(film.sweep->from) + ":" +
                                            numberText(film.sweep->to));
    }
    return text + " -o " + shellWord(path);
}

} // namespace casimir
