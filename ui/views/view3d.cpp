#include "ui/views/view3d.h"

#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/model/parameter.h"
#include "ui/render/vector_drawing.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QPainter>
#include <QVBoxLayout>

#include <optional>

namespace casimir {

namespace {

constexpr int frame = 33;                     // ms between frames of the turntable
constexpr double turnRate = 0.4;              // rad/s
constexpr int keepAfter = 500;                // ms of rest after which the camera is kept
constexpr double keyTurn = 0.1;               // rad of one key press
constexpr double keyPan = 0.05;               // of the picture's height
constexpr qint64 mostOversampled = 1'500'000; // pixels; in larger pictures smoothing alone suffices

std::string cameraText(const Camera& c)
{
    std::string text;
    for (const double x : {c.position.x(), c.position.y(), c.position.z(), c.focus.x(), c.focus.y(),
                           c.focus.z(), c.up.x(), c.up.y(), c.up.z(), c.parallelScale})
        text += (text.empty() ? "" : " ") + numberText(x);
    return text;
}

std::optional<Camera> readCamera(const std::string& text, const Camera& like)
{
    double x[10];
    const QStringList words = QString::fromStdString(text).split(u' ', Qt::SkipEmptyParts);
    if (words.size() != 10)
        return std::nullopt;
    try {
        for (int i = 0; i < 10; ++i)
            x[i] = parseNumber(words[i].toStdString());
    } catch (const Error&) {
        return std::nullopt; // a session edited by hand
    }
    Camera c = like;
    c.position = {x[0], x[1], x[2]};
    c.focus = {x[3], x[4], x[5]};
    c.up = {x[6], x[7], x[8]};
    c.parallelScale = x[9];
    const bool usable = (c.position - c.focus).cross(c.up).norm() > 1e-9 && c.parallelScale > 0;
    return usable ? std::optional(c) : std::nullopt;
}

} // namespace

bool Canvas3d::pressed(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    return onPress && onPress(at, button, modifiers);
}

void Canvas3d::dragged(QPointF at)
{
    if (onDrag)
        onDrag(at);
}

void Canvas3d::released(QPointF at)
{
    if (onRelease)
        onRelease(at);
}

void Canvas3d::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::RightButton)
        rightPress_ = event->position();
    VtkWidget::mousePressEvent(event);
}

void Canvas3d::mouseReleaseEvent(QMouseEvent* event)
{
    VtkWidget::mouseReleaseEvent(event);
    if (event->button() == Qt::RightButton &&
        (event->position() - rightPress_).manhattanLength() < QApplication::startDragDistance())
        Q_EMIT menuAsked(event->globalPosition().toPoint());
}

void Canvas3d::leaveEvent(QEvent* event)
{
    VtkWidget::leaveEvent(event);
    Q_EMIT left();
}

View3d::View3d(Document& document, ViewInfo info, QWidget* parent)
    : View(document, std::move(info), parent),
      headsUp_(new HeadsUp(this)),
      legend_(new MotionLegend(this)),
      canvas_(new Canvas3d(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(headsUp_);
    layout->addWidget(legend_);
    layout->addWidget(canvas_, 1);
    setFocusProxy(canvas_);
    setAttribute(Qt::WA_OpaquePaintEvent);
    turntable_.setInterval(frame);
    turntable_.setTimerType(Qt::PreciseTimer);
    connect(&turntable_, &QTimer::timeout, this, &View3d::turn);
    keep_.setSingleShot(true);
    keep_.setInterval(keepAfter);
    connect(&keep_, &QTimer::timeout, this, &View3d::keepCamera);
    connect(canvas_, &VtkWidget::cameraChanged, this, [this] {
        setTurning(false);
        keep_.start();
        partChanged();
    });
    connect(canvas_, &Canvas3d::menuAsked, this, [this](QPoint at) {
        menuPoint_ = canvas_->mapFromGlobal(at);
        showMenu(at);
        menuPoint_.reset();
    });
}

View3d::~View3d() = default;

void View3d::attachDrawing()
{
    drawing().setTheme(theme());
    canvas_->setDrawing(&drawing());
}

void View3d::detachDrawing()
{
    delete canvas_; // frees what the drawing keeps in its context while both exist
    canvas_ = nullptr;
}

void View3d::setTheme(const Theme& theme)
{
    drawing().setTheme(theme);
    headsUp_->setTheme(theme);
    legend_->setTheme(theme);
    canvas_->update();
    View::setTheme(theme);
}

void View3d::setEmptyText(const QString& text)
{
    emptyText_ = text;
    const bool empty = !text.isEmpty();
    canvas_->setVisible(!empty);
    headsUp_->setVisible(!empty);
    legend_->setVisible(!empty && !legend_->motions().empty());
    update();
}

QString View3d::spoken()
{
    if (!emptyText_.isEmpty())
        return emptyText_;
    QStringList parts{headsUp_->spoken()};
    for (const NamedMotion& motion : legend_->motions())
        parts << motion.name;
    return parts.join(QStringLiteral("; "));
}

void View3d::ageChanged()
{
    headsUp_->setNote(showsAge() ? tr("computing…") : QString());
}

void View3d::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme().background());
    if (!emptyText_.isEmpty())
        paintMessage(painter, rect(), emptyText_);
}

void View3d::paintTo(QPainter& painter, const QRectF& rect)
{
    refreshNow();
    painter.fillRect(rect, theme().background());
    if (!emptyText_.isEmpty())
        return paintMessage(painter, rect, emptyText_);
    const double top = headsUp_->height();
    headsUp_->paint(painter, QRectF(rect.left(), rect.top(), rect.width(), top));
    const QRectF below = legend_->paintAbove(painter, rect.adjusted(0, top, 0, 0));
    const QImage image = canvas_->grab3d();
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(below, image);
}

void View3d::paintOffscreen(OffscreenGl& gl, QPainter& painter, const QRectF& rect, double pixelRatio,
                            double turn)
{
    const auto below = paintAround(painter, rect);
    if (!below)
        return;
    const QSize pixels = (below->size() * pixelRatio).toSize();
    if (turn != 0 || turnedFrom_) {
        drawing().setAspect(static_cast<double>(pixels.width()) / pixels.height());
        if (!turnedFrom_)
            turnedFrom_ = drawing().camera();
        drawing().turnFrom(*turnedFrom_, turn);
    }
    const int oversampling = static_cast<qint64>(pixels.width()) * pixels.height() <= mostOversampled ? 2 : 1;
    const QImage image = gl.render(drawing(), pixels, pixelRatio, transparent(), oversampling);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.drawImage(*below, image);
}

std::optional<QRectF> View3d::paintAround(QPainter& painter, const QRectF& rect)
{
    refreshNow();
    canvas_->setDrawing(nullptr);
    if (!transparent())
        painter.fillRect(rect, theme().background());
    if (!emptyText_.isEmpty()) {
        paintMessage(painter, rect, emptyText_);
        return std::nullopt;
    }
    const double top = headsUp_->sizeHint().height();
    headsUp_->paint(painter, QRectF(rect.left(), rect.top(), rect.width(), top));
    return legend_->paintAbove(painter, rect.adjusted(0, top, 0, 0));
}

void View3d::paintAsVectors(QPainter& painter, const QRectF& rect)
{
    if (const auto below = paintAround(painter, rect))
        paintVectors(drawing(), painter, *below);
}

QString View3d::pixelsBecause()
{
    return whyNoVectors(drawing());
}

std::string View3d::cameraOption()
{
    return cameraText(drawing().camera());
}

void View3d::keepNow()
{
    if (!keep_.isActive())
        return;
    keep_.stop();
    keepCamera();
}

void View3d::restoreKept()
{
    keep_.stop();
    setTurning(false);
    restoreCamera();
}

void View3d::restoreCamera()
{
    const std::optional<Camera> kept = readCamera(option("camera"), drawing().camera());
    if (kept)
        drawing().setCamera(*kept);
    else
        drawing().resetCamera();
    canvas_->update();
}

void View3d::keepCamera()
{
    setOption("camera", cameraText(drawing().camera()));
}

void View3d::moveCamera(const Camera& camera)
{
    drawing().setCamera(camera);
    canvas_->update();
    keep_.start();
    partChanged();
}

void View3d::resetCamera()
{
    setTurning(false);
    keep_.stop();
    drawing().resetCamera();
    setOption("camera", {});
    partChanged();
    canvas_->update();
}

void View3d::lookFrom(ViewFrom from)
{
    setTurning(false);
    drawing().lookFrom(from);
    canvas_->update();
    keep_.start();
    partChanged();
}

void View3d::setTurning(bool on)
{
    if (on && drawing().turnable())
        turntable_.start();
    else
        turntable_.stop();
}

void View3d::turn()
{
    drawing().setCamera(turned(drawing().camera(), turnRate * frame / 1000, 0));
    canvas_->update();
}

void View3d::hideEvent(QHideEvent* event)
{
    setTurning(false);
    View::hideEvent(event);
}

void View3d::zoomBy(double factor)
{
    moveCamera(zoomed(drawing().camera(), factor));
}

void View3d::moveBy(int right, int up)
{
    setTurning(false);
    const Camera& camera = drawing().camera();
    if (drawing().turnable())
        moveCamera(turned(camera, -right * keyTurn, up * keyTurn));
    else
        moveCamera(panned(camera, right * keyPan, up * keyPan));
}

bool View3d::showsAll() const
{
    return option("camera").empty() && !keep_.isActive();
}

QList<QAction*> View3d::cameraActions(QObject* owner)
{
    QList<QAction*> actions;
    actions << makeAction(owner, tr("Reset View"), [this] { resetCamera(); });
    if (!drawing().turnable())
        return actions;
    QMenu* from = makeMenu(owner, tr("View From"));
    const std::pair<QString, ViewFrom> sides[] = {
        {tr("Oblique"), ViewFrom::Oblique}, {tr("Front"), ViewFrom::Front}, {tr("Back"), ViewFrom::Back},
        {tr("Left"), ViewFrom::Left},       {tr("Right"), ViewFrom::Right}, {tr("Top"), ViewFrom::Top}};
    for (const auto& [name, side] : sides)
        from->addAction(makeAction(owner, name, [this, side = side] { lookFrom(side); }));
    actions << from->menuAction();
    actions << makeSwitch(owner, tr("Turntable"), turning(), [this](bool on) { setTurning(on); });
    return actions;
}

} // namespace casimir
