#include "ui/views/surface_view.h"

#include "ui/views/view_text.h"

#include <QAction>
#include <QMenu>

#include <cmath>

namespace casimir {

namespace {
constexpr double reach = 14; // pixels within which a press means a mark
} // namespace

SurfaceView::SurfaceView(Document& document, ViewInfo info, QWidget* parent)
    : View3d(document, std::move(info), parent)
{
    connect(&canvas(), &VtkWidget::clicked, this, &SurfaceView::click);
    connect(&canvas(), &VtkWidget::hovered, this, &SurfaceView::hover);
    connect(&canvas(), &Canvas3d::left, this, [this] { headsUp().setText({}); });
    connect(&ghosts_, &GhostOrbits::changed, this, &View::scheduleRefresh);
    connect(&ghosts_, &GhostOrbits::failed, this, [this](const QString& reason) { tell(reason); });
    lookUp();
    attachDrawing();
    restoreCamera();
}

SurfaceView::~SurfaceView()
{
    detachDrawing();
}

void SurfaceView::lookUp()
{
    kind_ = &document().kind();
    plotInfo_ = document().plotInfo(info().plot);
    setEmptyText(plotInfo_ ? QString() : tr("This system has no such picture."));
}

void SurfaceView::becameVisible()
{
    if (plotInfo_)
        wantPlot(info().plot);
}

void SurfaceView::refresh()
{
    const bool otherKind = kind_ != &document().kind(), before = plotInfo_.has_value();
    lookUp(); // which plots there are may depend on the values
    if (otherKind || (plotInfo_ && !before))
        becameVisible();
    if (otherKind)
        restoreCamera();
    if (!plotInfo_)
        return;
    const auto finding = document().plot(info().plot);
    if (finding && finding->value && finding->value != shown_) {
        const bool first = !renderer_.plot();
        shown_ = finding->value;
        auto drawn = shown_;
        if (info().id == plotInfo_->reliefView)
            if (const auto relief = reliefOf(*shown_)) {
                auto raised = std::make_shared<Plot>(*shown_);
                raised->surface = *relief;
                drawn = std::move(raised);
            }
        renderer_.setPlot(std::move(drawn));
        ++plots_;
        if (first)
            restoreCamera(); // a new surface brings a camera of its own
    }
    setBehind(!document().isCurrent(info().plot));
    std::set<std::string> hidden;
    for (const std::string& layer : idList("hidden"))
        hidden.insert(layer);
    renderer_.setHiddenLayers(hidden);
    fillOverlay(overlay_, document(), *plotInfo_, {number("tail", MovingParts().tail), flag("orbit", true)},
                ghosts_, tails_);
    renderer_.setOverlay(overlay_);
    legend().setMotions(plotInfo_->followsState ? namedMotions(*document().snapshot())
                                                : std::vector<NamedMotion>());
    updateNumbers();
    canvas().update();
}

void SurfaceView::updateNumbers()
{
    const Plot* plot = renderer_.plot();
    const auto snapshot = document().snapshot();
    if (!plot || snapshot->motions.empty() || overlay_.tracks.empty())
        return;
    std::vector<std::pair<Quantity, double>> values;
    for (const Mark& mark : overlay_.tracks.back().marks)
        if (mark.shape == MarkShape::Disc) {
            values = {{plot->x.quantity, mark.x}, {plot->y.quantity, mark.y}};
            break;
        }
    const MotionTrack& leading = snapshot->motions.front();
    if (findQuantity(*leading.system, plot->level.id))
        values.emplace_back(plot->level, valueOf(leading, plot->level.id));
    headsUp().setValues(std::move(values));
}

std::optional<double> SurfaceView::distanceOnScreen(double x, double y, QPointF at) const
{
    const QSizeF size = canvas().size();
    const QPointF pixel = renderer_.pixelOf(x, y, size);
    const auto front = renderer_.pick(pixel, size);
    const Surface& surface = renderer_.plot()->surface;
    if (!front || (surface.embed(front->x(), front->y()) - surface.embed(x, y)).norm() > 0.2 * surface.radius)
        return std::nullopt;
    return std::hypot(pixel.x() - at.x(), pixel.y() - at.y());
}

std::string SurfaceView::markNear(QPointF at) const
{
    std::string nearest;
    double least = theme().px(reach);
    for (const Mark& mark : renderer_.plot()->marks)
        if (const auto d = distanceOnScreen(mark.x, mark.y, at); d && *d < least && !mark.id.empty()) {
            least = *d;
            nearest = mark.id;
        }
    return nearest;
}

std::optional<StateInputs> SurfaceView::inputsAt(QPointF at) const
{
    if (!plotInfo_ || !plotInfo_->picksState || !renderer_.plot())
        return std::nullopt;
    const auto point = renderer_.pick(at, canvas().size());
    if (!point)
        return std::nullopt;
    StateInputs inputs = pickedInputs(document(), info().plot, point->x(), point->y());
    return inputs.empty() ? std::nullopt : std::optional(std::move(inputs));
}

void SurfaceView::click(QPointF at, Qt::KeyboardModifiers modifiers)
{
    if (!renderer_.plot() || wasJustRaised())
        return;
    if (const std::string mark = markNear(at); !mark.empty() && modifiers == Qt::NoModifier) {
        document().setSelection(mark == document().selection() ? std::string() : mark);
        return;
    }
    const auto inputs = inputsAt(at);
    if (!inputs)
        return;
    if (modifiers & Qt::ShiftModifier)
        document().addGhost(*inputs);
    else
        document().setState(*inputs);
}

void SurfaceView::hover(QPointF at)
{
    const auto point = renderer_.plot() ? renderer_.pick(at, canvas().size()) : std::nullopt;
    headsUp().setText(point && plotInfo_
                          ? readOut(document(), *renderer_.plot(), *plotInfo_, point->x(), point->y())
                          : std::string());
}

std::optional<DataTable> SurfaceView::data()
{
    if (!renderer_.plot())
        return std::nullopt;
    return tableOf(*renderer_.plot(), idList("hidden"));
}

QList<QAction*> SurfaceView::makeActions(QObject* owner)
{
    QList<QAction*> actions = cameraActions(owner);
    if (const Plot* plot = renderer_.plot(); plot && !plot->layers.empty())
        actions << makeLayerMenu(owner, plot->layers)->menuAction();
    actions << movingPartActions(owner, plotInfo_);
    return actions;
}

} // namespace casimir
