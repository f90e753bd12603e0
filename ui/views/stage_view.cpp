#include "ui/views/stage_view.h"

#include "core/base/number_text.h"
#include "ui/views/view_text.h"

#include <QAction>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace casimir {

namespace {

constexpr int traceSamples = 300;  // of a path, before it is made finer where it bends
constexpr double defaultTrace = 6; // s
const Quantity clockTime{"t", "t", "time", "s"};

} // namespace

StageView::StageView(Document& document, ViewInfo info, QWidget* parent)
    : View3d(document, std::move(info), parent),
      hand_(document, renderer_, canvas()),
      editor_(document, renderer_, canvas())
{
    // Nothing here depends on analyses, and a frame in space is dear.
    disconnect(&document, &Document::analysesChanged, this, nullptr);
    disconnect(&document, &Document::selectionChanged, this, nullptr);
    canvas().onPress = [this](QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers) {
        if (hand_.press(at, button, modifiers))
            return true;
        if (!editor_.press(at, button, modifiers))
            return false;
        setTurning(false);
        return true;
    };
    canvas().onDrag = [this](QPointF at) {
        hand_.drag(at);
        editor_.drag(at);
    };
    canvas().onRelease = [this](QPointF) {
        hand_.release();
        editor_.release();
    };
    connect(&canvas(), &VtkWidget::hovered, &editor_, &StageEditor::hover);
    connect(&canvas(), &VtkWidget::hovered, &hand_, &StageHand::hover);
    connect(&canvas(), &Canvas3d::left, &editor_, &StageEditor::leave);
    connect(&editor_, &StageEditor::hintChanged, this, &StageView::refreshHint);
    connect(&headsUp(), &HeadsUp::actionAsked, this, [this] { this->document().handOver(); });
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
    renderer_.setScene(scene, editor_.dragging()); // a picture that jumps cannot be dragged in
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

std::optional<Placement> StageView::heldIn(const Pose& pose) const
{
    const ReferenceFrame* seenFrom = frame();
    if (!seenFrom || seenFrom->placement < 0 ||
        static_cast<std::size_t>(seenFrom->placement) >= pose.placements.size())
        return std::nullopt;
    return pose.placements[static_cast<std::size_t>(seenFrom->placement)];
}

void StageView::poseOf(const System& system, double t, const State& x, Pose& pose) const
{
    system.pose(t, x, pose);
    if (const auto held = heldIn(pose))
        changeFrame(pose, *held);
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

// A third of a pixel, in steps of two so that a slow zoom does not compute all paths at each turn of the
// wheel.
double StageView::traceTolerance() const
{
    const Camera camera = renderer_.shownCamera();
    constexpr double degree = std::numbers::pi / 180;
    const double seen =
        camera.parallel ? 2 * camera.parallelScale
                        : 2 * (camera.position - camera.focus).norm() * std::tan(camera.angle / 2 * degree);
    const double pixel = seen / std::max(1, canvas().height());
    return std::exp2(std::floor(std::log2(pixel / (forFile() ? 12 : 3)))); // files are larger than the widget
}

void StageView::addTraces(const MotionTrack& motion, double t, bool alone, const Pose& now,
                          std::vector<Trace>& traces)
{
    const double length = number("trace", defaultTrace);
    const double from = t - length;
    const auto& points = renderer_.scene().points;
    const std::vector<std::string> ids = traced();
    std::vector<std::size_t> chosen;
    std::string what = option("frame") + " " + numberText(traceTolerance());
    for (std::size_t i = 0; i < std::min(points.size(), now.points.size()); ++i)
        if (std::find(ids.begin(), ids.end(), points[i].id) != ids.end()) {
            chosen.push_back(i);
            what += " " + points[i].id;
        }
    if (chosen.empty())
        return;
    const auto pick = [&chosen](const Pose& pose) {
        TracePaths::Points picked;
        for (const std::size_t i : chosen)
            picked.push_back(i < pose.points.size() ? pose.points[i]
                                                    : Eigen::Vector3d::Constant(std::nan("")));
        return picked;
    };
    State x;
    Pose pose;
    const auto add = [&](const Recording& recording, double end, bool past) {
        const double begin = std::max(from, recording.begin());
        if (!(end > begin))
            return;
        const auto at = [&](double time) {
            ++tracePoints_;
            recording.glimpse(time, x);
            poseOf(*recording.system(), time, x, pose);
            return pick(pose);
        };
        TracePaths& kept = paths_.of(recording);
        const double spacing = length / traceSamples, tolerance = traceTolerance();
        auto paths = past ? kept.lookBack(recording, begin, end, spacing, tolerance, what, at)
                          : kept.look(recording, begin, end, spacing, tolerance, what, pick(now), at);
        for (std::size_t k = 0; k < chosen.size(); ++k)
            traces.push_back({std::move(paths[k]),
                              alone ? points[chosen[k]].colour : Colour::motion(motion.colour), !past, past});
    };
    for (const EarlierTrack& piece : motion.earlier)
        add(*piece.recording, std::min(t, piece.until), true);
    add(*motion.recording, std::min(t, motion.recording->end()), false);
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
    leading.system->pose(snapshot->t, leading.state, pose);
    const auto held = heldIn(pose);
    if (held)
        changeFrame(pose, *held);
    follow(pose);
    renderer_.setPose(pose);
    refreshHand(leading, held);
    editor_.setAllowed(!forFile() && flag("edit", true));
    const ReferenceFrame* seenFrom = frame();
    editor_.setFrame(seenFrom && seenFrom->placement >= 0
                         ? std::optional(static_cast<std::size_t>(seenFrom->placement))
                         : std::nullopt);
    const std::size_t placements = pose.placements.size(), curves = pose.curves.size();

    std::vector<Trace> traces;
    std::vector<Ghost> ghosts;
    for (std::size_t i = 0; i < motions.size(); ++i) {
        const MotionTrack& motion = motions[i];
        if (!motion.visible || &motion.system->kind() != kind_)
            continue;
        if (&motion == &leading) {
            addTraces(motion, snapshot->t, motions.size() == 1, pose, traces);
            continue;
        }
        Ghost ghost;
        poseOf(*motion.system, snapshot->t, motion.state, ghost.pose);
        ghost.colour = Colour::motion(motion.colour);
        addTraces(motion, snapshot->t, false, ghost.pose, traces);
        // Another number of bodies cannot be drawn with the parts of this scene.
        if (ghost.pose.placements.size() == placements && ghost.pose.curves.size() == curves)
            ghosts.push_back(std::move(ghost));
    }
    if (flag("ghosts", true))
        for (const auto& start : snapshot->session->ghosts)
            if (start) {
                Ghost ghost;
                poseOf(*leading.system, 0, *start, ghost.pose);
                ghost.colour = {Role::Guide};
                ghosts.push_back(std::move(ghost));
            }
    legend().setMotions(namedMotions(*snapshot));
    renderer_.setGhosts(ghosts);
    paths_.tidy();
    renderer_.setTraces(traces);

    std::vector<std::pair<Quantity, double>> values{{clockTime, snapshot->t}};
    for (const std::string& id : scene.headsUp)
        if (const Quantity* quantity = findQuantity(*leading.system, id))
            values.emplace_back(*quantity, valueOf(leading, id));
    headsUp().setValues(std::move(values));
    canvas().update();
}

void StageView::follow(const Pose& pose)
{
    // What travels stays in the middle half of the picture. A function of the pose alone: a film shows the
    // same.
    const Scene& scene = renderer_.scene();
    Eigen::Vector3d offset = Eigen::Vector3d::Zero();
    if (scene.follow && *scene.follow < pose.points.size() && flag("follow", true)) {
        const Eigen::Vector3d& at = pose.points[*scene.follow];
        const double free = scene.radius / 2, distance = at.norm();
        if (std::isfinite(distance) && distance > free)
            offset = at * (1 - free / distance);
    }
    renderer_.setOffset(offset);
}

void StageView::refreshHand(const MotionTrack& leading, const std::optional<Placement>& held)
{
    // The handle is a thing of the window; and only the first Motion is led.
    const auto snapshot = document().snapshot();
    if (forFile() || leading.recording != snapshot->motions.front().recording)
        hand_.hide();
    else
        hand_.refresh(leading, held);
    const auto lead = hand_.ready() ? document().lead() : Document::Lead::None;
    headsUp().setNote(lead == Document::Lead::Live       ? tr("led by hand")
                      : lead == Document::Lead::Replayed ? tr("replay of the hand")
                                                         : QString());
    headsUp().setAction(hand_.ready() ? QString::fromStdString(hand_.channel()->handOver) : QString());
    refreshHint();
}

void StageView::refreshHint()
{
    const bool toLead = hand_.ready() && document().lead() == Document::Lead::Ready;
    headsUp().setText(!editor_.hint().empty() ? editor_.hint()
                      : toLead                ? hand_.channel()->instruction
                                              : std::string());
}

bool StageView::event(QEvent* event)
{
    // The keys that lead are otherwise those that step through time.
    if (event->type() == QEvent::ShortcutOverride && hand_.wants(*static_cast<QKeyEvent*>(event))) {
        event->accept();
        return true;
    }
    return View3d::event(event);
}

void StageView::keyPressEvent(QKeyEvent* event)
{
    if (hand_.wants(*event))
        return hand_.key(*event, true);
    if (event->key() == Qt::Key_Escape && editor_.dragging())
        return editor_.cancel();
    View3d::keyPressEvent(event);
}

void StageView::keyReleaseEvent(QKeyEvent* event)
{
    if (hand_.wants(*event))
        return hand_.key(*event, false);
    View3d::keyReleaseEvent(event);
}

QList<QAction*> StageView::makeActions(QObject* owner)
{
    const Scene& scene = renderer_.scene();
    QList<QAction*> actions;
    if (menuPoint()) {
        const QPointF at = *menuPoint();
        for (const StageAction& action : editor_.actionsAt(at))
            actions << makeAction(owner, QString::fromStdString(action.text),
                                  [this, action, at] { editor_.act(action, at, this); });
        if (!actions.isEmpty()) {
            auto* line = new QAction(owner);
            line->setSeparator(true);
            actions << line;
        }
    }
    actions << cameraActions(owner);
    if (const auto channel = document().liveChannel())
        actions << makeAction(owner,
                              QString::fromStdString(channel->listening ? channel->handOver : channel->take),
                              [this, listening = channel->listening] {
                                  listening ? document().handOver() : document().takeLead();
                              });
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
    if (scene.follow)
        actions << makeSwitch(owner, tr("Keep in Sight"), flag("follow", true),
                              [this](bool on) { setOption("follow", on ? "on" : "off"); });
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
            editor_.leave();
            setOption("edit", on ? "on" : "off");
        });
    if (!document().session().ghosts.empty())
        actions << makeSwitch(owner, tr("Kept Orbits"), flag("ghosts", true),
                              [this](bool on) { setOption("ghosts", on ? "on" : "off"); });
    return actions;
}

} // namespace casimir
