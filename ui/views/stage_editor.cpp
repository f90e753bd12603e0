#include "ui/views/stage_editor.h"

#include "ui/render/scene_renderer.h"
#include "ui/views/view3d.h"
#include "ui/views/view_text.h"

#include <QApplication>
#include <QInputDialog>

#include <cmath>

namespace casimir {

namespace {
constexpr double handleReach = 11; // pixels within which a press means a handle
} // namespace

StageEditor::StageEditor(Document& document, SceneRenderer& renderer, Canvas3d& canvas)
    : document_(document), renderer_(renderer), canvas_(canvas)
{
}

Eigen::Vector3d StageEditor::Edited::shown(const Eigen::Vector3d& p) const
{
    return frame ? Eigen::Vector3d(frame->rotation.conjugate() * (p - frame->translation)) : p;
}

Eigen::Vector3d StageEditor::Edited::inertial(const Eigen::Vector3d& p) const
{
    return frame ? frame->apply(p) : p;
}

std::optional<StageEditor::Edited> StageEditor::edited() const
{
    const auto snapshot = document_.snapshot();
    const Motion& first = document_.session().motions.front();
    if (!allowed_ || snapshot->motions.empty() || !first.visible || !first.overrides.empty())
        return std::nullopt;
    const MotionTrack& motion = snapshot->motions.front();
    const auto* editing = capability<HasStageEditing>(*motion.system);
    if (&motion.system->kind() != &document_.kind() || !editing || !motion.visible)
        return std::nullopt;
    Edited result{editing, &motion, snapshot->t, snapshot, std::nullopt};
    if (frame_) {
        Pose pose;
        motion.system->pose(snapshot->t, motion.state, pose);
        if (*frame_ < pose.placements.size())
            result.frame = pose.placements[*frame_];
    }
    return result;
}

std::optional<StageHandle> StageEditor::handleNear(QPointF pixel) const
{
    const auto now = edited();
    if (!now)
        return std::nullopt;
    const QSizeF size = canvas_.size();
    std::optional<StageHandle> nearest;
    double least = renderer_.theme().px(handleReach);
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

Eigen::Vector3d StageEditor::pointUnder(QPointF pixel, const Eigen::Vector3d& at) const
{
    const QSizeF size = canvas_.size();
    const Camera& camera = renderer_.camera();
    const Ray ray = rayThrough(camera, 2 * pixel.x() / size.width() - 1, 1 - 2 * pixel.y() / size.height(),
                               size.width() / size.height());
    const Eigen::Vector3d normal = camera.focus - camera.position;
    return ray.origin + ray.direction * ((at - ray.origin).dot(normal) / ray.direction.dot(normal));
}

bool StageEditor::press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    if (button != Qt::LeftButton || modifiers != Qt::NoModifier)
        return false;
    held_ = handleNear(at);
    if (!held_)
        return false;
    pressedAt_ = at;
    grip_ = renderer_.pixelOf(edited()->shown(held_->at), canvas_.size()) - at;
    moved_ = false;
    light(held_);
    document_.beginGesture();
    return true;
}

void StageEditor::drag(QPointF at)
{
    if (!held_)
        return;
    if ((at - pressedAt_).manhattanLength() >= QApplication::startDragDistance())
        moved_ = true;
    const auto now = edited();
    if (!now || !moved_)
        return;
    const Eigen::Vector3d to = now->inertial(pointUnder(at + grip_, now->shown(held_->at)));
    document_.apply(now->editing->dragHandle(held_->id, now->t, now->motion->state, to));
}

void StageEditor::release()
{
    if (held_)
        document_.endGesture();
    held_.reset();
}

void StageEditor::cancel()
{
    if (!held_)
        return;
    held_.reset();
    document_.cancelGesture();
}

void StageEditor::hover(QPointF at)
{
    light(handleNear(at));
}

void StageEditor::leave()
{
    light(std::nullopt);
}

void StageEditor::light(const std::optional<StageHandle>& handle)
{
    const std::string id = handle ? handle->id : std::string();
    if (id == lit_)
        return;
    lit_ = id;
    const auto now = edited();
    renderer_.setHighlight(handle && now ? std::optional(now->shown(handle->at)) : std::nullopt);
    hint_ = handle ? handle->name + tr(": drag to move it").toStdString() : std::string();
    Q_EMIT hintChanged();
    canvas_.setCursor(handle ? Qt::OpenHandCursor : Qt::ArrowCursor);
    canvas_.update();
}

std::vector<StageAction> StageEditor::actionsAt(QPointF pixel) const
{
    const auto now = edited();
    if (!now)
        return {};
    const Eigen::Vector3d point = now->inertial(pointUnder(pixel, Eigen::Vector3d::Zero()));
    return now->editing->stageActions(now->t, now->motion->state, point);
}

void StageEditor::act(const StageAction& action, QPointF pixel, QWidget* asker)
{
    const auto asked = edited();
    if (!asked)
        return;
    const Eigen::Vector3d at = asked->inertial(pointUnder(pixel, Eigen::Vector3d::Zero()));
    long number = 0;
    if (action.number) {
        bool chosen = false;
        const Parameter& wanted = *action.number;
        QString title = QString::fromStdString(action.text);
        title.remove(u'…');
        number = QInputDialog::getInt(
            asker, title,
            capitalised(wanted.name) + QStringLiteral(":\n") + QString::fromStdString(wanted.meaning),
            static_cast<int>(std::get<long>(wanted.defaultValue)), static_cast<int>(wanted.range.min),
            static_cast<int>(wanted.range.max), 1, &chosen);
        if (!chosen)
            return;
    }
    // The motion may have gone on while a number was chosen.
    if (const auto now = edited())
        document_.apply(now->editing->stageAct(action.id, now->t, now->motion->state, at, number));
}

} // namespace casimir
