#include "ui/views/stage_view.h"

#include "core/model/error.h"
#include "ui/views/view_text.h"

#include <QAction>
#include <QApplication>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr int tracePoints = 300;
constexpr double reach = 11;       // pixels within which a press means a handle
constexpr double defaultTrace = 6; // s
const Quantity clockTime{"t", "t", "time", "s"};

QString capitalised(const std::string& text)
{
    QString name = QString::fromStdString(text);
    if (!name.isEmpty())
        name.front() = name.front().toUpper();
    return name;
}

} // namespace

StageView::StageView(Document& document, ViewInfo info, QWidget* parent)
    : View3d(document, std::move(info), parent)
{
    // Nothing here depends on analyses, and a frame in space is dear.
    disconnect(&document, &Document::analysesChanged, this, nullptr);
    disconnect(&document, &Document::selectionChanged, this, nullptr);
    connect(&canvas(), &VtkWidget::doubleClicked, this, [this] { resetCamera(); });
    canvas().onPress = [this](QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
        return press(at, button, modifiers);
    };
    canvas().onDrag = [this](QPointF at) { drag(at); };
    canvas().onRelease = [this](QPointF) { endDrag(); };
    connect(&canvas(), &VtkWidget::hovered, this, &StageView::hover);
    connect(&canvas(), &Canvas3d::left, this, [this] { light(std::nullopt); });
    attachDrawing();
}

StageView::~StageView()
{
    detachDrawing();
}

void StageView::updateScene(const System& system)
{
    if (kind_ == &system.kind() && values_ == system.values())
        return;
    const bool otherKind = kind_ != &system.kind();
    kind_ = &system.kind();
    values_ = system.values();
    const Scene scene = system.scene();
    ++scenes_;
    setEmptyText(scene.empty() ? tr("This system has nothing to show on a stage.") : QString());
    renderer_.setScene(scene, held_.has_value()); // a picture that jumps cannot be dragged in
    if (otherKind)
        restoreCamera();
}

const ReferenceFrame* StageView::frame() const
{
    const auto& frames = renderer_.scene().frames;
    const std::string id = option("frame");
    for (const ReferenceFrame& each : frames)
        if (each.id == id)
            return &each;
    return frames.empty() ? nullptr : &frames.front();
}

void StageView::poseOf(const System& system, double t, const State& x, Pose& pose) const
{
    system.pose(t, x, pose);
    const ReferenceFrame* seenFrom = frame();
    if (seenFrom && seenFrom->placement >= 0 &&
        static_cast<std::size_t>(seenFrom->placement) < pose.placements.size()) {
        const Placement held = pose.placements[static_cast<std::size_t>(seenFrom->placement)];
        changeFrame(pose, held);
    }
}

std::vector<std::string> StageView::traced() const
{
    if (!option("traced").empty())
        return idList("traced");
    std::vector<std::string> ids;
    for (const TracePoint& point : renderer_.scene().points)
        if (point.shown)
            ids.push_back(point.id);
    return ids;
}

void StageView::addTraces(const MotionTrack& motion, double t, bool leading, std::vector<Trace>& traces) const
{
    const double end = std::min(t, motion.recording->end());
    const double begin = std::max(end - number("trace", defaultTrace), motion.recording->begin());
    const auto& points = renderer_.scene().points;
    const std::vector<std::string> ids = traced();
    std::vector<std::pair<std::size_t, Trace>> open;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (std::find(ids.begin(), ids.end(), points[i].id) != ids.end())
            open.push_back({i, {{}, leading ? points[i].colour : Colour::motion(motion.colour)}});
    if (open.empty() || !(end > begin))
        return;
    State x;
    Pose pose;
    for (int k = 0; k <= tracePoints; ++k) {
        const double at = begin + (end - begin) * k / tracePoints;
        motion.recording->state(at, x);
        poseOf(*motion.system, at, x, pose);
        for (auto& [i, trace] : open)
            if (i < pose.points.size() && pose.points[i].allFinite())
                trace.points.push_back(pose.points[i]);
    }
    for (auto& [i, trace] : open)
        traces.push_back(std::move(trace));
}

void StageView::refresh()
{
    const auto snapshot = document().snapshot();
    if (snapshot->motions.empty() || &snapshot->motions.front().system->kind() != &document().kind())
        return;
    // The first visible Motion is solid, the others are outlines beside it.
    const auto& motions = snapshot->motions;
    const auto seen =
        std::find_if(motions.begin(), motions.end(), [](const MotionTrack& m) { return m.visible; });
    const MotionTrack& leading = seen == motions.end() ? motions.front() : *seen;
    updateScene(*leading.system);
    const Scene& scene = renderer_.scene();
    if (scene.empty())
        return;
    const std::vector<std::string> hidden = idList("hidden"), shown = idList("shown");
    const auto has = [](const auto& list, const std::string& id) {
        return std::find(list.begin(), list.end(), id) != list.end();
    };
    for (const Layer& layer : scene.layers)
        renderer_.setLayerShown(layer.id, layer.shown ? !has(hidden, layer.id) : has(shown, layer.id));

    Pose pose;
    poseOf(*leading.system, snapshot->t, leading.state, pose);
    renderer_.setPose(pose);
    const std::size_t placements = pose.placements.size(), curves = pose.curves.size();

    std::vector<Trace> traces;
    std::vector<Ghost> ghosts;
    for (const MotionTrack& motion : motions) {
        if (!motion.visible || &motion.system->kind() != kind_)
            continue;
        addTraces(motion, snapshot->t, &motion == &leading, traces);
        if (&motion == &leading)
            continue;
        Ghost ghost;
        poseOf(*motion.system, snapshot->t, motion.state, ghost.pose);
        ghost.colour = Colour::motion(motion.colour);
        // Another number of bodies cannot be drawn with the parts of this scene.
        if (ghost.pose.placements.size() == placements && ghost.pose.curves.size() == curves)
            ghosts.push_back(std::move(ghost));
    }
    if (flag("ghosts", true))
        for (const StateInputs& start : document().session().ghosts) {
            try {
                Ghost ghost;
                poseOf(*leading.system, 0, leading.system->start(start), ghost.pose);
                ghost.colour = {Role::Guide};
                ghosts.push_back(std::move(ghost));
            } catch (const Error&) {
                // A ghost that the present values do not allow is not shown.
            }
        }
    renderer_.setGhosts(ghosts);
    renderer_.setTraces(traces);

    std::vector<std::pair<Quantity, double>> values{{clockTime, snapshot->t}};
    for (const std::string& id : scene.headsUp)
        if (const Quantity* quantity = findQuantity(*leading.system, id))
            values.emplace_back(*quantity, leading.system->quantity(id, snapshot->t, leading.state));
    headsUp().setValues(std::move(values));
    if (!lit_.empty()) // it moves with the bodies
        if (const auto now = edited())
            for (const StageHandle& handle : now->editing->stageHandles(now->t, now->motion->state))
                if (handle.id == lit_)
                    renderer_.setHighlight(now->shown(handle.at));
    canvas().update();
}

Eigen::Vector3d StageView::Edited::shown(const Eigen::Vector3d& p) const
{
    return frame ? Eigen::Vector3d(frame->rotation.conjugate() * (p - frame->translation)) : p;
}

Eigen::Vector3d StageView::Edited::inertial(const Eigen::Vector3d& p) const
{
    return frame ? frame->apply(p) : p;
}

std::optional<StageView::Edited> StageView::edited() const
{
    const auto snapshot = document().snapshot();
    const Motion& first = document().session().motions.front();
    if (!flag("edit", true) || snapshot->motions.empty() || !first.visible || !first.overrides.empty())
        return std::nullopt;
    const MotionTrack& motion = snapshot->motions.front();
    const auto* editing = capability<HasStageEditing>(*motion.system);
    if (&motion.system->kind() != kind_ || !editing || !motion.visible)
        return std::nullopt;
    Edited result{editing, &motion, snapshot->t, snapshot, std::nullopt};
    const ReferenceFrame* seenFrom = frame();
    if (seenFrom && seenFrom->placement >= 0) {
        Pose pose;
        motion.system->pose(snapshot->t, motion.state, pose);
        if (static_cast<std::size_t>(seenFrom->placement) < pose.placements.size())
            result.frame = pose.placements[static_cast<std::size_t>(seenFrom->placement)];
    }
    return result;
}

std::optional<StageHandle> StageView::handleNear(QPointF pixel) const
{
    const auto now = edited();
    if (!now)
        return std::nullopt;
    const QSizeF size = canvas().size();
    std::optional<StageHandle> nearest;
    double least = theme().px(reach);
    for (StageHandle& handle : now->editing->stageHandles(now->t, now->motion->state)) {
        const QPointF at = renderer_.pixelOf(now->shown(handle.at), size);
        const double d = std::hypot(at.x() - pixel.x(), at.y() - pixel.y());
        if (d < least) {
            least = d;
            nearest = std::move(handle);
        }
    }
    return nearest;
}

Eigen::Vector3d StageView::pointUnder(QPointF pixel, const Eigen::Vector3d& at) const
{
    const QSizeF size = canvas().size();
    const Camera& camera = renderer_.camera();
    const Ray ray = rayThrough(camera, 2 * pixel.x() / size.width() - 1, 1 - 2 * pixel.y() / size.height(),
                               size.width() / size.height());
    const Eigen::Vector3d normal = camera.focus - camera.position;
    return ray.origin + ray.direction * ((at - ray.origin).dot(normal) / ray.direction.dot(normal));
}

bool StageView::press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    if (button != Qt::LeftButton || modifiers != Qt::NoModifier)
        return false;
    held_ = handleNear(at);
    if (!held_)
        return false;
    setTurning(false);
    pressedAt_ = at;
    grip_ = renderer_.pixelOf(edited()->shown(held_->at), canvas().size()) - at;
    moved_ = false;
    light(held_);
    document().beginGesture();
    return true;
}

void StageView::drag(QPointF at)
{
    if (!held_)
        return;
    if ((at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        moved_ = true;
    const auto now = edited();
    if (!now || !moved_)
        return;
    const Eigen::Vector3d to = now->inertial(pointUnder(at + grip_, now->shown(held_->at)));
    document().apply(now->editing->dragHandle(held_->id, now->t, now->motion->state, to));
}

void StageView::endDrag()
{
    if (held_)
        document().endGesture();
    held_.reset();
}

void StageView::hover(QPointF at)
{
    light(handleNear(at));
}

void StageView::light(const std::optional<StageHandle>& handle)
{
    const std::string id = handle ? handle->id : std::string();
    if (id == lit_)
        return;
    lit_ = id;
    const auto now = edited();
    renderer_.setHighlight(handle && now ? std::optional(now->shown(handle->at)) : std::nullopt);
    headsUp().setText(handle ? handle->name + tr(": drag to move it").toStdString() : std::string());
    canvas().setCursor(handle ? Qt::OpenHandCursor : Qt::ArrowCursor);
    canvas().update();
}

void StageView::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && held_) {
        held_.reset();
        document().cancelGesture();
        return;
    }
    View3d::keyPressEvent(event);
}

QList<QAction*> StageView::editActions(QObject* owner, QPointF at)
{
    QList<QAction*> actions;
    const auto now = edited();
    if (!now)
        return actions;
    const Eigen::Vector3d point = now->inertial(pointUnder(at, Eigen::Vector3d::Zero()));
    for (const StageAction& action : now->editing->stageActions(now->t, now->motion->state, point))
        actions << makeAction(owner, QString::fromStdString(action.text),
                              [this, action, point] { act(action, point); });
    if (!actions.isEmpty()) {
        auto* line = new QAction(owner);
        line->setSeparator(true);
        actions << line;
    }
    return actions;
}

void StageView::act(const StageAction& action, const Eigen::Vector3d& at)
{
    long number = 0;
    if (action.number) {
        bool chosen = false;
        const Parameter& asked = *action.number;
        QString title = QString::fromStdString(action.text);
        title.remove(u'…');
        number = QInputDialog::getInt(
            this, title,
            capitalised(asked.name) + QStringLiteral(":\n") + QString::fromStdString(asked.meaning),
            static_cast<int>(std::get<long>(asked.defaultValue)), static_cast<int>(asked.range.min),
            static_cast<int>(asked.range.max), 1, &chosen);
        if (!chosen)
            return;
    }
    // The motion may have gone on while a number was chosen.
    if (const auto now = edited())
        document().apply(now->editing->stageAct(action.id, now->t, now->motion->state, at, number));
}

QList<QAction*> StageView::makeActions(QObject* owner)
{
    const Scene& scene = renderer_.scene();
    QList<QAction*> actions;
    if (menuPoint())
        actions << editActions(owner, *menuPoint());
    actions << cameraActions(owner);
    if (scene.frames.size() > 1) {
        QMenu* frames = makeMenu(owner, tr("Seen From"));
        for (const ReferenceFrame& each : scene.frames)
            frames->addAction(makeSwitch(owner, capitalised(each.name), &each == frame(),
                                         [this, id = each.id](bool) { setOption("frame", id); }));
        actions << frames->menuAction();
    }
    if (!scene.points.empty()) {
        QMenu* menu = makeMenu(owner, tr("Traces"));
        const std::vector<std::string> ids = traced();
        for (const TracePoint& point : scene.points) {
            const bool on = std::find(ids.begin(), ids.end(), point.id) != ids.end();
            menu->addAction(
                makeSwitch(owner, capitalised(point.name), on, [this, id = point.id](bool checked) {
                    std::vector<std::string> chosen = traced();
                    std::erase(chosen, id);
                    std::erase(chosen, "none");
                    if (checked)
                        chosen.push_back(id);
                    // An empty option would mean the usual ones.
                    setIdList("traced", chosen.empty() ? std::vector<std::string>{"none"} : chosen);
                }));
        }
        menu->addSeparator();
        for (const int seconds : {2, 6, 20, 60})
            menu->addAction(
                makeSwitch(owner, tr("%1 s").arg(seconds), number("trace", defaultTrace) == seconds,
                           [this, seconds](bool) { setOption("trace", std::to_string(seconds)); }));
        actions << menu->menuAction();
    }
    if (!scene.layers.empty()) {
        QMenu* menu = makeMenu(owner, tr("Layers"));
        for (const Layer& layer : scene.layers) {
            const std::string key = layer.shown ? "hidden" : "shown";
            const std::vector<std::string> ids = idList(key);
            const bool listed = std::find(ids.begin(), ids.end(), layer.id) != ids.end();
            menu->addAction(makeSwitch(owner, capitalised(layer.name), listed != layer.shown,
                                       [this, key, id = layer.id, usual = layer.shown](bool on) {
                                           std::vector<std::string> list = idList(key);
                                           std::erase(list, id);
                                           if (on != usual)
                                               list.push_back(id);
                                           setIdList(key, list);
                                       }));
        }
        actions << menu->menuAction();
    }
    if (capability<HasStageEditing>(*document().system()))
        actions << makeSwitch(owner, tr("Edit by Hand"), flag("edit", true), [this](bool on) {
            light(std::nullopt);
            setOption("edit", on ? "on" : "off");
        });
    if (!document().session().ghosts.empty())
        actions << makeSwitch(owner, tr("Kept Orbits"), flag("ghosts", true),
                              [this](bool on) { setOption("ghosts", on ? "on" : "off"); });
    return actions;
}

} // namespace casimir
