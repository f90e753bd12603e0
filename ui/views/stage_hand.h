// StageHand: leads the quantity that a system lets a person lead, by a handle on the stage or by the arrow
// keys. Where the handle is and what it moves the system says; what the motion then does is the engine's.
#pragma once

#include "core/model/scene.h"
#include "ui/document/document.h"
#include "ui/render/camera.h"

#include <QElapsedTimer>
#include <QObject>
#include <QPointF>
#include <QTimer>

#include <optional>

class QKeyEvent;

namespace casimir {

class Canvas3d;
class SceneRenderer;

class StageHand : public QObject {
    Q_OBJECT
public:
    StageHand(Document& document, SceneRenderer& renderer, Canvas3d& canvas);

    // Puts the handle where the leading Motion has it, seen from the frame that rides on `held`.
    void refresh(const MotionTrack& leading, const std::optional<Placement>& held);
    void hide();

    // Whether there is something to lead; else nothing below does anything.
    bool ready() const { return channel_.has_value(); }
    const std::optional<LiveChannel>& channel() const { return channel_; }
    bool dragging() const { return grip_.has_value(); }
    QPointF handlePixel() const; // on the canvas

    bool press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void drag(QPointF at);
    void release();
    void hover(QPointF at);
    // True where the key is one that leads; it is held until it is released.
    bool wants(const QKeyEvent& event) const;
    void key(const QKeyEvent& event, bool down);

private:
    // When the handle was taken: the value, where the handle was, how it was seen, and where the pointer was
    // on its line.
    struct Grip {
        double value;
        Eigen::Vector3d at;
        Camera camera;
        double parameter = 0;
    };
    Grip gripAt(QPointF at) const;
    bool reaches(QPointF at) const;
    // Of the point nearest to the pointer's ray on the handle's line.
    double parameterAt(QPointF at, const Grip& grip) const;
    bool take(); // false where it cannot be led
    void showHeld(bool held);
    void step();

    Document& document_;
    SceneRenderer& renderer_;
    Canvas3d& canvas_;
    std::optional<LiveChannel> channel_;
    Eigen::Vector3d at_ = Eigen::Vector3d::Zero(), along_ = Eigen::Vector3d::UnitX();
    double value_ = 0; // of the quantity, as last shown
    double asked_ = 0; // by the keys
    bool held_ = false;
    std::optional<Grip> grip_;
    int direction_ = 0; // of the key held
    QTimer keys_;
    QElapsedTimer keyClock_;
};

} // namespace casimir
