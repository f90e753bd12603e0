#include "ui/views/view_factory.h"

#include "core/base/error.h"
#include "ui/views/invariants_view.h"
#include "ui/views/motion_pictures.h"
#include "ui/views/plot_view.h"
#include "ui/views/series_view.h"
#include "ui/views/stage_view.h"
#include "ui/views/surface_view.h"

#include <fmt/format.h>

namespace casimir {

namespace {

bool isEmbedded(const System& system, const ViewInfo& info)
{
    const auto plot = plotInfoOf(system, info.plot);
    return plot && (plot->embeddedView == info.id || plot->reliefView == info.id);
}

} // namespace

bool isView3d(const System& system, const ViewInfo& info)
{
    return info.id == "stage" || isEmbedded(system, info);
}

std::unique_ptr<View> makeView(Document& document, const ViewInfo& info)
{
    if (!info.plot.empty()) {
        if (isEmbedded(*document.system(), info))
            return std::make_unique<SurfaceView>(document, info);
        return std::make_unique<PlotView>(document, info);
    }
    if (info.id == "stage")
        return std::make_unique<StageView>(document, info);
    if (info.id == "series")
        return std::make_unique<SeriesView>(document, info);
    if (info.id == "invariants")
        return std::make_unique<InvariantsView>(document, info);
    throw Error(fmt::format("there is no view '{}'", info.id));
}

} // namespace casimir
