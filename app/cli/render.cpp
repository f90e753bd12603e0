#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/session_from_arguments.h"
#include "app/window_library.h"
#include "core/analysis/general_plots.h"
#include "core/model/error.h"
#include "core/model/suggest.h"
#include "core/session/session_json.h"
#include "ui/export/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace casimir::cli {

namespace {

constexpr int smallest = 64, largest = 8192; // pixels a side

void readSize(const std::string& text, int& width, int& height)
{
    char rest = 0;
    if (std::sscanf(text.c_str(), "%dx%d%c", &width, &height, &rest) != 2)
        throw Error(fmt::format("--size {} should be WIDTHxHEIGHT, as in 1200x900", text));
    if (std::min(width, height) < smallest || std::max(width, height) > largest)
        throw Error(
            fmt::format("--size {} is out of range; each side must be {} to {}", text, smallest, largest));
}

} // namespace

int render(const Arguments& arguments)
{
    const auto path = arguments.one("--output");
    const auto view = arguments.one("--view");
    if (!path || !view)
        throw Error(fmt::format("casimir render needs {}", path ? "--view V" : "-o FILE.{png,svg,pdf}"));
    const Session session = sessionFromArguments(arguments);
    std::vector<std::string> views;
    for (const ViewInfo& info : viewsOf(*systemOf(session)))
        views.push_back(info.id);
    if (std::find(views.begin(), views.end(), *view) == views.end())
        throw Error(
            fmt::format("unknown view '{}' of {}; {}", *view, session.kind, didYouMean(*view, views)));
    const std::string theme = arguments.one("--theme").value_or("print");
    if (theme != "print" && theme != "light" && theme != "dark")
        throw Error(
            fmt::format("unknown theme '{}'; {}", theme, didYouMean(theme, {"print", "light", "dark"})));
    int width = 900, height = 675;
    if (const auto size = arguments.one("--size"))
        readSize(*size, width, height);

    const std::string text = writeSession(session);
    const CasimirFigure figure{.session = text.c_str(),
                               .view = view->c_str(),
                               .path = path->c_str(),
                               .theme = theme.c_str(),
                               .width = width,
                               .height = height,
                               .t = arguments.number("--t").value_or(0),
                               .replace = arguments.has("--force")};
    renderFigure(figure);
    return 0;
}

} // namespace casimir::cli
