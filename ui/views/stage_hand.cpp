#include "ui/views/stage_hand.h"

#include "ui/render/scene_renderer.h"
#include "ui/views/view3d.h"

#include <QKeyEvent>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {
constexpr double handReach = 34;             // pixels about the handle within which a press means it
constexpr int keyFrame = 16;                 // ms between the moves of a held key
constexpr qint64 longestMove = 3 * keyFrame; // a window that stood still does not throw what it leads
} // namespace

StageHand::StageHand(Document& document, SceneRenderer& renderer, Canvas3d& canvas)
    : document_(document), renderer_(renderer), canvas_(canvas)
{
    keys_.setInterval(keyFrame);
    keys_.setTimerType(Qt::PreciseTimer);
    connect(&keys_, &QTimer::timeout, this, &StageHand::step);
}

void StageHand::refresh(const MotionTrack& leading, const std::optional<Placement>& held)
{
    const auto* led = capability<HasLiveInput>(*leading.system);
    channel_ = led ? std::optional(led->liveChannel()) : std::nullopt;
    if (!channel_ || !channel_->listening)
        return hide();
    value_ = valueOf(leading, channel_->quantity);
    at_ = channel_->origin + value_ * channel_->along;
    along_ = channel_->along;
    if (held) {
        const Eigen::Quaterniond back = held->rotation.conjugate();
        at_ = back * (at_ - held->translation);
        along_ = back * along_;
    }
    renderer_.setHandle(GripMark{at_, along_.normalized(), held_});
}

void StageHand::hide()
{
    channel_.reset();
    grip_.reset();
    keys_.stop();
    direction_ = 0;
    renderer_.setHandle(std::nullopt);
    if (held_)
        canvas_.unsetCursor();
    held_ = false;
    canvas_.setToolTip({});
}

QPointF StageHand::handlePixel() const
{
    const QSizeF size = canvas_.size();
    const Eigen::Vector3d p = imageOf(renderer_.shownCamera(), at_, size.width() / size.height());
    return {(p.x() + 1) / 2 * size.width(), (1 - p.y()) / 2 * size.height()};
}

double StageHand::parameterAt(QPointF at, const Grip& grip) const
{
    const QSizeF size = canvas_.size();
    const Ray ray = rayThrough(grip.camera, 2 * at.x() / size.width() - 1, 1 - 2 * at.y() / size.height(),
                               size.width() / size.height());
    // The shortest way from the line to the ray is normal to both.
    const Eigen::Vector3d d = ray.direction.normalized();
    const Eigen::Vector3d across = along_ - along_.dot(d) * d;
    const double square = across.squaredNorm();
    return square > 1e-12 * along_.squaredNorm() ? (ray.origin - grip.at).dot(across) / square : 0;
}

StageHand::Grip StageHand::gripAt(QPointF at) const
{
    Grip grip{value_, at_, renderer_.shownCamera()};
    grip.parameter = parameterAt(at, grip);
    return grip;
}

bool StageHand::reaches(QPointF at) const
{
    const QPointF d = at - handlePixel();
    return std::hypot(d.x(), d.y()) <= renderer_.theme().px(handReach);
}

bool StageHand::take()
{
    if (document_.lead() != Document::Lead::Live)
        return document_.takeLead();
    if (!document_.snapshot()->playing)
        document_.simulation().play();
    return true;
}

void StageHand::showHeld(bool held)
{
    if (held_ == held)
        return;
    held_ = held;
    renderer_.setHandle(GripMark{at_, along_.normalized(), held_});
    canvas_.setToolTip(held && channel_ ? QString::fromStdString(channel_->instruction) : QString());
    canvas_.update();
}

bool StageHand::press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    if (!channel_ || button != Qt::LeftButton || modifiers != Qt::NoModifier || !reaches(at) || !take())
        return false;
    grip_ = gripAt(at);
    document_.leadTo(value_);
    canvas_.setCursor(Qt::ClosedHandCursor);
    showHeld(true);
    return true;
}

void StageHand::drag(QPointF at)
{
    if (!grip_ || !channel_)
        return;
    // Nothing is led while time stands still; it goes on from where it is then.
    if (!document_.snapshot()->playing) {
        grip_ = gripAt(at);
        return;
    }
    // Counted from where it was taken: the same in a frame, or with a camera, that moves along.
    document_.leadTo(grip_->value + parameterAt(at, *grip_) - grip_->parameter);
}

void StageHand::release()
{
    if (!grip_)
        return;
    grip_.reset();
    canvas_.setCursor(Qt::OpenHandCursor);
}

void StageHand::hover(QPointF at)
{
    if (!channel_ || grip_)
        return;
    const bool near = reaches(at);
    if (near != held_)
        canvas_.setCursor(near ? Qt::OpenHandCursor : Qt::ArrowCursor);
    showHeld(near);
}

bool StageHand::wants(const QKeyEvent& event) const
{
    return channel_ && (event.key() == Qt::Key_Left || event.key() == Qt::Key_Right) &&
           !(event.modifiers() & ~Qt::KeypadModifier);
}

void StageHand::key(const QKeyEvent& event, bool down)
{
    if (event.isAutoRepeat())
        return;
    const int direction = event.key() == Qt::Key_Right ? 1 : -1;
    if (!down) {
        if (direction == direction_) {
            step();
            direction_ = 0;
            keys_.stop();
        }
        return;
    }
    if (direction_ == 0) {
        if (!take())
            return;
        asked_ = value_;
    }
    direction_ = direction;
    keyClock_.start();
    keys_.start();
}

void StageHand::step()
{
    if (!channel_ || direction_ == 0)
        return;
    if (!canvas_.hasFocus()) { // its release would never be heard
        direction_ = 0;
        keys_.stop();
        return;
    }
    asked_ +=
        direction_ * channel_->pace * 1e-3 * static_cast<double>(std::min(keyClock_.restart(), longestMove));
    document_.leadTo(asked_);
}

} // namespace casimir
