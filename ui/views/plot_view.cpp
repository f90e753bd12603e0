#include "ui/views/plot_view.h"

#include "core/analysis/branch_plot.h"
#include "core/analysis/plot_sweep.h"
#include "core/base/number_text.h"
#include "core/session/command_text.h"
#include "ui/render/symbol_text.h"
#include "ui/views/motion_legend.h"
#include "ui/views/option_bar.h"
#include "ui/views/view_text.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QThreadPool>

#include <algorithm>
#include <cmath>
#include <utility>

namespace casimir {

namespace {

constexpr int draftPause = 180;    // ms between plots below which a person is dragging
constexpr double keyPan = 40;      // pixels of one key press
constexpr double closest = 1e-7;   // smallest part of the plot that can be seen, as a factor
constexpr double farthest = 20;    // largest
constexpr double smallestBand = 6; // pixels of a rectangle that is meant
constexpr double branchReach = 12; // pixels above or below a branch within which a click means it
constexpr int keepAfter = 500;     // ms of rest after which the part that is seen is kept

double spanRatio(double lo, double hi, double fullLo, double fullHi, Scale scale)
{
    if (scale == Scale::Logarithmic)
        return std::log(hi / lo) / std::log(fullHi / fullLo);
    return (hi - lo) / (fullHi - fullLo);
}

} // namespace

PlotView::PlotView(Document& document, ViewInfo info, QWidget* parent)
    : View(document, std::move(info), parent),
      painter_(theme()),
      options_(new OptionBar(document, this)),
      legend_(new MotionLegend(this))
{
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    options_->installEventFilter(this);
    finish_.setSingleShot(true);
    finish_.setInterval(draftPause);
    connect(&finish_, &QTimer::timeout, this, [this] {
        PlotOptions options = painter_.options();
        options.draft = false;
        painter_.setOptions(options);
        update();
    });
    connect(&ghosts_, &GhostOrbits::changed, this, &View::scheduleRefresh);
    connect(&ghosts_, &GhostOrbits::failed, this, [this](const QString& reason) { tell(reason); });
    keep_.setSingleShot(true);
    keep_.setInterval(keepAfter);
    connect(&keep_, &QTimer::timeout, this, &PlotView::keepNow);
    lookUp();
    restoreWindow();
}

void PlotView::keepNow()
{
    keep_.stop();
    const Plot* plot = painter_.plot();
    if (!plot)
        return;
    const PlotWindow seen = painter_.window();
    std::string text;
    if (seen != fullWindow(*plot))
        for (const double x : {seen.xMin, seen.xMax, seen.yMin, seen.yMax})
            text += (text.empty() ? "" : " ") + numberText(x);
    setOption("window", text);
}

void PlotView::restoreKept()
{
    keep_.stop();
    restoreWindow();
}

void PlotView::restoreWindow()
{
    painter_.setWindow(plotWindow(option("window"))); // a text edited by hand shows all
}

void PlotView::lookUp()
{
    kind_ = &document().kind();
    plotInfo_ = document().plotInfo(info().plot);
}

void PlotView::becameVisible()
{
    if (plotInfo_)
        wantPlot(info().plot);
}

void PlotView::setTheme(const Theme& theme)
{
    painter_.setTheme(theme);
    legend_->setTheme(theme);
    View::setTheme(theme);
}

void PlotView::refresh()
{
    if (kind_ != &document().kind()) {
        lookUp();
        painter_.setPlot(nullptr);
        restoreWindow();
        becameVisible();
    } else {
        // Which plots there are, and what may be chosen about them, may depend on the values.
        const bool before = plotInfo_.has_value();
        lookUp();
        if (!plotInfo_)
            painter_.setPlot(nullptr);
        else if (!before)
            becameVisible();
    }
    options_->show(plotInfo_);
    legend_->setMotions(plotInfo_ && plotInfo_->followsState ? namedMotions(*document().snapshot())
                                                             : std::vector<NamedMotion>());
    placeOptions();
    updatePlot();
    updateOverlay();
    update();
}

QRect PlotView::plotRect() const
{
    const QRect below = options_->isHidden() ? rect() : rect().adjusted(0, options_->height(), 0, 0);
    return legend_->isHidden() ? below : below.adjusted(0, legend_->height(), 0, 0);
}

void PlotView::resizeEvent(QResizeEvent* event)
{
    placeOptions();
    View::resizeEvent(event);
}

// The value that is used in place of "automatic" comes with the plot, and may need another row.
bool PlotView::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == options_ && event->type() == QEvent::LayoutRequest) {
        placeOptions();
        update();
    }
    return View::eventFilter(watched, event);
}

void PlotView::placeOptions()
{
    options_->setGeometry(0, 0, width(), options_->heightForWidth(width()));
    legend_->setGeometry(0, options_->isHidden() ? 0 : options_->height(), width(),
                         legend_->heightForWidth(width()));
}

void PlotView::updatePlot()
{
    error_.clear();
    if (!plotInfo_) {
        setBehind(false);
        return;
    }
    PlotOptions options = painter_.options();
    options.hiddenLayers.clear();
    for (const std::string& layer : idList("hidden"))
        options.hiddenLayers.insert(layer);
    options.legend = flag("legend", true);
    options.colourBar = flag("scale", true) && width() > 260;
    options.grid = flag("grid", true);
    options.background = !transparent();
    if (const auto finding = document().plot(info().plot)) {
        setBehind(!document().isCurrent(info().plot));
        error_ = QString::fromStdString(finding->error);
        if (finding->value && finding->value.get() != painter_.plot()) {
            options.draft = !forFile() && sincePlot_.isValid() && sincePlot_.elapsed() < draftPause;
            if (options.draft)
                finish_.start();
            sincePlot_.start();
            painter_.setPlot(finding->value);
        }
    } else {
        setBehind(true);
    }
    painter_.setOptions(options);
}

void PlotView::updateOverlay()
{
    if (plotInfo_)
        fillOverlay(overlay_, document(), *plotInfo_,
                    {number("tail", MovingParts().tail), flag("orbit", true)}, ghosts_, tails_);
    else
        overlay_ = {};
}

void PlotView::updateHover(const QPointF& pixel)
{
    overlay_.hover.reset();
    overlay_.hoverText.clear();
    const Plot* plot = painter_.plot();
    if (!plot || !plotInfo_)
        return;
    const PlotTransform t = transform();
    if (!t.area().contains(pixel))
        return;
    const QPointF at = t.toPlot(pixel);
    overlay_.hover = at;
    overlay_.hoverText = readOut(document(), *plot, *plotInfo_, at.x(), at.y());
}

StateInputs PlotView::pickedAt(const QPointF& pixel) const
{
    const QPointF at = transform().toPlot(pixel);
    return pickedInputs(document(), info().plot, at.x(), at.y());
}

void PlotView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (plotRect() != rect())
        painter.fillRect(rect(), theme().background());
    painter_.paintCached(painter, plotRect(), devicePixelRatioF(), overlay_);
    if (!plotInfo_)
        paintMessage(painter, rect(), tr("This system has no such picture."));
    else if (!error_.isEmpty())
        paintMessage(painter, rect(), error_);
    paintAge(painter, rect());
}

void PlotView::paintTo(QPainter& painter, const QRectF& rect)
{
    becameVisible();
    refreshNow();
    PlotPainter whole = painter_;
    PlotOptions options = whole.options();
    options.draft = false;
    whole.setOptions(options);
    PlotOverlay overlay = overlay_;
    overlay.hover.reset();
    overlay.rubberBand.reset();
    whole.paint(painter, belowLegend(painter, rect), overlay);
    if (!error_.isEmpty())
        paintMessage(painter, rect, error_);
}

void PlotView::paintFrame(QPainter& painter, const QRectF& rect, double pixelRatio)
{
    prepare();
    painter_.paintCached(painter, belowLegend(painter, rect), pixelRatio, overlay_);
    if (!error_.isEmpty())
        paintMessage(painter, rect, error_);
}

QString PlotView::spoken()
{
    const Plot* plot = painter_.plot();
    if (!plotInfo_ || !plot)
        return plotInfo_ ? QString() : tr("This system has no such picture.");
    if (!error_.isEmpty())
        return error_;
    const auto plain = [](const std::string& markup) { return SymbolText::upright(markup).plain(); };
    const auto place = [&](double x, double y) {
        return plain(shownValue(plot->x.quantity, x) + ", " + shownValue(plot->y.quantity, y));
    };
    QStringList parts;
    if (plot->axes)
        parts << tr("%1 over %2").arg(plain(plot->y.quantity.name), plain(plot->x.quantity.name));
    // The leading Motion's track is the last.
    if (!overlay_.tracks.empty())
        for (const Mark& mark : overlay_.tracks.back().marks)
            if (mark.shape == MarkShape::Disc) {
                parts << tr("state at %1").arg(place(mark.x, mark.y));
                break;
            }
    for (const Mark& mark : plot->marks) {
        const std::string words = mark.label.empty() ? document().titleOf(mark.id) : mark.label;
        if (!words.empty())
            parts << tr("%1 at %2").arg(plain(words), place(mark.x, mark.y));
    }
    return parts.join(QStringLiteral("; "));
}

QRectF PlotView::belowLegend(QPainter& painter, const QRectF& rect) const
{
    if (legend_->motions().empty())
        return rect;
    if (!transparent())
        painter.fillRect(rect, theme().background());
    return legend_->paintAbove(painter, rect);
}

std::optional<DataTable> PlotView::data()
{
    if (!painter_.plot())
        return std::nullopt;
    return tableOf(*painter_.plot(), idList("hidden"));
}

void PlotView::setWindow(const PlotWindow& window)
{
    const Plot& plot = *painter_.plot();
    const PlotWindow full = fullWindow(plot);
    const double x = spanRatio(window.xMin, window.xMax, full.xMin, full.xMax, plot.x.scale);
    const double y = spanRatio(window.yMin, window.yMax, full.yMin, full.yMax, plot.y.scale);
    if (!(x > closest && y > closest && x < farthest && y < farthest))
        return;
    painter_.setWindow(window);
    keep_.start();
    partChanged();
    update();
}

void PlotView::resetWindow()
{
    painter_.setWindow(std::nullopt);
    keep_.start();
    partChanged();
    update();
}

bool PlotView::showsAll() const
{
    return held_ || !painter_.plot() || painter_.window() == fullWindow(*painter_.plot());
}

void PlotView::zoomBy(double factor)
{
    if (painter_.plot())
        zoom(transform().area().center(), factor);
}

void PlotView::moveBy(int right, int up)
{
    pan({-keyPan * right, keyPan * up});
}

void PlotView::zoom(const QPointF& pixel, double factor)
{
    if (!painter_.plot())
        return;
    const PlotTransform before = transform();
    const QPointF value = before.toPlot(pixel);
    setWindow(before.zoomed(pixel, factor));
    // Labels of another width may have moved the axes: the value goes back under the pointer.
    const PlotTransform after = transform();
    if (after.area() != before.area())
        setWindow(after.panned(pixel - after.toPixel(value.x(), value.y())));
}

void PlotView::pan(const QPointF& pixels)
{
    if (painter_.plot())
        setWindow(transform().panned(pixels));
}

void PlotView::mousePressEvent(QMouseEvent* event)
{
    if (drag_ != Drag::None)
        return;
    pressedAt_ = lastAt_ = event->position();
    pressedWith_ = event->modifiers();
    moved_ = second_ = false;
    const bool inside = painter_.plot() && transform().area().contains(event->position());
    if (!inside)
        return;
    const bool left = event->button() == Qt::LeftButton;
    if (event->button() == Qt::MiddleButton) {
        drag_ = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::RightButton || (left && event->modifiers() & Qt::ControlModifier)) {
        drag_ = Drag::Rectangle;
    } else if (!left) {
        return;
    } else if (handle_ = event->modifiers() & Qt::ShiftModifier
                             ? std::string()
                             : painter_.handleAt(plotRect(), event->position());
               !handle_.empty()) {
        drag_ = Drag::MoveHandle;
        holdWindow();
        document().beginGesture();
    } else {
        drag_ = Drag::Click; // until it moves
    }
}

// Pressed and released in place.
void PlotView::click(const QPointF& pixel)
{
    if (pressedWith_ & Qt::ShiftModifier) {
        if (picks())
            if (const StateInputs inputs = pickedAt(pixel); !inputs.empty())
                document().addGhost(inputs);
        return;
    }
    if (const std::string mark = painter_.markAt(plotRect(), pixel); !mark.empty()) {
        document().setSelection(mark == document().selection() ? std::string() : mark);
    } else if (picks()) {
        updateHover(pixel);
        if (const StateInputs inputs = pickedAt(pixel); !inputs.empty())
            document().setState(inputs);
    } else {
        document().setSelection({});
        goToBranch(pixel);
    }
}

// What is computed for one value may take long enough to be felt, so it is asked for aside.
void PlotView::goToBranch(const QPointF& pixel)
{
    if (painter_.plot()->swept.empty() || !painter_.plot()->maps.empty())
        return;
    const QPointF at = transform().toPlot(pixel);
    const double slack = theme().px(branchReach);
    QThreadPool::globalInstance()->start(
        [self = QPointer<PlotView>(this), system = document().system(),
         start = runsFrom(*document().system(), document().session().motions.front()),
         plot = *painter_.plot(), at, pixel, slack] {
            std::optional<BranchPoint> point;
            try {
                point = branchPointAt(*system, start, plot, at.x(), at.y());
            } catch (const std::exception& error) {
                QMetaObject::invokeMethod(
                    QThreadPool::globalInstance(),
                    [self, reason = std::string(error.what())] {
                        if (self)
                            self->tell(QString::fromStdString(reason));
                    },
                    Qt::QueuedConnection);
            }
            if (!point)
                return;
            QMetaObject::invokeMethod(
                QThreadPool::globalInstance(),
                [self, system, point, pixel, slack, x = at.x()] {
                    if (!self || self->document().system() != system ||
                        std::abs(self->transform().toPixel(x, point->y).y() - pixel.y()) > slack)
                        return;
                    Document& document = self->document();
                    document.setParametersAndState({point->parameter}, point->state);
                    document.setSelection(point->name);
                },
                Qt::QueuedConnection);
        });
}

// Limits that follow what is dragged would move the handle away from the pointer.
void PlotView::holdWindow()
{
    const PlotWindow seen = painter_.window();
    held_ = seen == fullWindow(*painter_.plot());
    painter_.setWindow(seen);
}

void PlotView::releaseWindow()
{
    if (std::exchange(held_, false))
        painter_.setWindow(std::nullopt);
}

void PlotView::moveHandle(const QPointF& pixel)
{
    const Plot& plot = *painter_.plot();
    const auto handle = std::find_if(plot.handles.begin(), plot.handles.end(),
                                     [this](const Handle& h) { return h.id == handle_; });
    if (handle == plot.handles.end())
        return;
    const QPointF at = transform().toPlot(pixel);
    const auto& inputs = document().system()->inputs();
    StateInputs state;
    std::vector<Assignment> parameters;
    const auto follow = [&](const std::string& target, double value) {
        if (target.empty())
            return;
        const bool isInput = std::any_of(inputs.begin(), inputs.end(),
                                         [&](const StateInput& i) { return i.quantity.id == target; });
        if (isInput)
            state.emplace_back(target, value);
        else
            parameters.push_back({target, value});
    };
    follow(handle->xTarget, at.x());
    follow(handle->yTarget, at.y());
    if (!parameters.empty())
        document().setParameters(parameters);
    if (state.empty())
        return;
    for (const auto& input : presentInputs(document()))
        if (std::none_of(state.begin(), state.end(), [&](auto& s) { return s.first == input.first; }))
            state.push_back(input);
    document().setState(state);
}

void PlotView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF at = event->position();
    const QPointF by = at - lastAt_;
    lastAt_ = at;
    if ((at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        moved_ = true;
    switch (drag_) {
    case Drag::None:
        updateHover(at);
        break;
    case Drag::Click:
        if (!moved_)
            break;
        // As in every view, a drag moves the picture.
        drag_ = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
        pan(at - pressedAt_);
        break;
    case Drag::MoveHandle:
        moveHandle(at);
        break;
    case Drag::Pan:
        pan(by);
        break;
    case Drag::Rectangle:
        if (moved_)
            overlay_.rubberBand = QRectF(pressedAt_, at).normalized();
        break;
    }
    update();
}

void PlotView::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag was = drag_;
    const bool menu = event->button() == Qt::RightButton && !moved_;
    if (was == Drag::Click && event->button() == Qt::LeftButton && !second_ && !wasJustRaised() &&
        transform().area().contains(event->position()))
        click(pressedAt_);
    if (was == Drag::Rectangle && overlay_.rubberBand) {
        const QRectF band = overlay_.rubberBand->intersected(transform().area());
        if (band.width() >= smallestBand && band.height() >= smallestBand)
            setWindow(transform().within(band));
    }
    endDrag();
    if (menu)
        showMenu(event->globalPosition().toPoint());
}

void PlotView::endDrag()
{
    if (drag_ == Drag::MoveHandle)
        document().endGesture();
    if (drag_ == Drag::Pan)
        unsetCursor();
    releaseWindow();
    drag_ = Drag::None;
    overlay_.rubberBand.reset();
    update();
}

void PlotView::mouseDoubleClickEvent(QMouseEvent* event)
{
    mousePressEvent(event);
    second_ = event->button() == Qt::LeftButton;
}

void PlotView::wheelEvent(QWheelEvent* event)
{
    if (event->angleDelta().y() == 0)
        return;
    zoom(event->position(), std::pow(1.0015, event->angleDelta().y()));
    updateHover(event->position());
    event->accept();
}

void PlotView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape || drag_ == Drag::None)
        return View::keyPressEvent(event);
    if (drag_ == Drag::MoveHandle) {
        document().cancelGesture();
        releaseWindow();
        drag_ = Drag::None;
    }
    endDrag();
}

void PlotView::leaveEvent(QEvent*)
{
    overlay_.hover.reset();
    overlay_.hoverText.clear();
    update();
}

QList<QAction*> PlotView::makeActions(QObject* owner)
{
    QList<QAction*> actions;
    actions << makeAction(owner, tr("Show All"), [this] { resetWindow(); });
    actions << makeAction(owner, tr("Zoom In"), [this] { zoomBy(keyZoom); });
    actions << makeAction(owner, tr("Zoom Out"), [this] { zoomBy(1 / keyZoom); });
    if (const Plot* plot = painter_.plot(); plot && !plot->layers.empty())
        actions << makeLayerMenu(owner, plot->layers)->menuAction();
    const auto toggle = [&](const QString& text, const char* key) {
        actions << makeSwitch(owner, text, flag(key, true),
                              [this, key](bool on) { setOption(key, on ? "on" : "off"); });
    };
    toggle(tr("Grid"), "grid");
    toggle(tr("Legend"), "legend");
    toggle(tr("Colour Scale"), "scale");
    actions << movingPartActions(owner, plotInfo_);
    if (const Plot* plot = painter_.plot())
        if (const auto sweep =
                sweepBehind(*document().system(),
                            runsFrom(*document().system(), document().session().motions.front()), *plot)) {
            const auto command = QString::fromStdString(sweepCommand(document().session(), *sweep));
            actions << makeAction(owner, tr("Copy Sweep Command"),
                                  [command] { QApplication::clipboard()->setText(command); });
        }
    return actions;
}

} // namespace casimir
