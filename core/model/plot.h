// Plot: a picture in two coordinates (a phase portrait, a potential, a map of parameters), as plain values
// that any renderer can draw without knowing the system. A portrait also has a Surface: the plane, cylinder,
// sphere or torus it lives on.
#pragma once

#include "core/model/colour.h"
#include "core/model/parameter.h"
#include "core/model/quantity.h"
#include "core/model/surface.h"

#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace casimir {

struct PlotAxis {
    Quantity quantity; // symbol, unit and period
    double min = 0, max = 1;
    Scale scale = Scale::Linear;
};

enum class LineStyle { Solid, Dashed, Dotted };

struct Polyline {
    std::vector<double> x, y;
    Colour colour = {};
    LineStyle style = LineStyle::Solid;
    bool emphasised = false; // drawn wide, above the family
    bool past = false;       // what was, beside what is: fainter
    double level = 0;        // the value the colour stands for
    std::string label = {};  // for the legend and hover
    std::string layer = {};  // shown and hidden together
};

struct Region {
    std::vector<double> x, y; // a closed polygon
    Colour colour = {};
    std::string label = {};
};

struct HeatMap {
    int columns = 0, rows = 0;
    std::vector<float> values;       // row by row from the lower left; NaN: no answer there
    std::vector<std::string> labels; // not empty: values are indices into these kinds
    std::string blank = {};          // what is said of a cell without an answer
    Quantity quantity;
    double min = 0, max = 1;
    bool smooth = false; // a field: shades run into each other; otherwise each cell is one answer
};

// The value of a map at (x, y), both axes linear: between cell centres where it is a field, the cell's own
// where each is an answer. Across a period the map goes round.
double valueAt(const PlotAxis& xAxis, const PlotAxis& yAxis, const HeatMap& map, double x, double y);

// A field over a plot's limits, as the heights of a surface.
struct Relief {
    PlotAxis x, y;
    HeatMap map;
};

// Text: the label alone, centred on the point.
enum class MarkShape { Disc, Cross, Diamond, Ring, Square, Text };

struct Mark {
    double x = 0, y = 0;
    MarkShape shape = MarkShape::Disc;
    Colour colour = {};
    std::string label = {}; // shown beside it
    std::string id = {};    // which equilibrium it stands for; selecting it selects that row
};

// Many points of one kind, such as the crossings of an orbit: small discs without rim or label of their own.
struct PointCloud {
    std::vector<double> x, y;
    Colour colour = {};
    double size = 1;        // of a disc, as a share of the usual one
    std::string label = {}; // for the legend
    std::string layer = {};
};

// A point a person may drag. `xTarget` and `yTarget` are parameter addresses or state inputs that follow;
// empty: fixed.
struct Handle {
    std::string id;
    double x = 0, y = 0;
    std::string xTarget, yTarget;
};

struct Plot {
    std::string id;
    std::string title;
    PlotAxis x, y;
    Quantity level = {}; // what Level colours stand for
    double levelMin = 0, levelMax = 1;
    std::vector<HeatMap> maps = {};
    std::vector<Region> regions = {};
    std::vector<Polyline> lines = {};
    std::vector<PointCloud> clouds = {};
    std::vector<Mark> marks = {};
    std::vector<Handle> handles = {};
    std::vector<std::string> layers = {}; // switchable, with the words shown for them
    std::string note = {}; // what the reader should know: "on this leaf every θ is an equilibrium"
    // Of a picture over parameters: the numbers of `analyze` it shows, as paths of number_path.h, so that
    // `casimir sweep` can compute them; the axes are then known by the parameters' addresses.
    std::vector<std::string> swept = {};
    // What stands for the options that were left automatic, by their ids.
    std::vector<std::pair<std::string, double>> automatic = {};
    Surface surface = {};
    bool axes = true;         // false: a table or a diagram without coordinates
    bool equalScales = false; // a unit is as long on either axis
};

// What moves with the state in a plot: the bead on a potential, the line at the present energy, the point on
// the portrait.
struct PlotTrack {
    std::vector<Mark> marks;
    std::vector<Polyline> lines;
    // Of the plot's field: where it is larger, the motion cannot come.
    double reach = std::numeric_limits<double>::infinity();
};

// The surface whose height over the plot is its first field; nothing for a plot without one.
std::optional<Surface> reliefOf(const Plot& plot);

} // namespace casimir
