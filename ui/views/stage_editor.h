// StageEditor: edits the system by hand on the stage: the handles that it offers are dragged, and what can be
// done at a point is a list of actions for the context menu. What an edit means the system says; every edit
// is one step of the history.
#pragma once

#include "core/model/editing.h"
#include "core/model/scene.h"
#include "ui/document/document.h"

#include <QObject>
#include <QPointF>

#include <memory>
#include <optional>
#include <string>

namespace casimir {

class Canvas3d;
class SceneRenderer;

class StageEditor : public QObject {
    Q_OBJECT
public:
    StageEditor(Document& document, SceneRenderer& renderer, Canvas3d& canvas);

    // Whether editing is wanted, and the placement on which the frame of the stage rides; none: inertial.
    void setAllowed(bool allowed) { allowed_ = allowed; }
    void setFrame(std::optional<std::size_t> placement) { frame_ = placement; }

    bool dragging() const { return held_.has_value(); }
    const std::string& hint() const { return hint_; } // about the handle under the pointer

    bool press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void drag(QPointF at);
    void release();
    void cancel(); // gives back what was dragged
    void hover(QPointF at);
    void leave();

    // What can be done at a pixel; act() asks for the number that some need, in a dialog above `asker`.
    std::vector<StageAction> actionsAt(QPointF pixel) const;
    void act(const StageAction& action, QPointF pixel, QWidget* asker);

Q_SIGNALS:
    void hintChanged();

private:
    // The Motion that is edited, where there is one; its points of the inertial frame as the stage shows
    // them.
    struct Edited {
        const HasStageEditing* editing;
        const MotionTrack* motion;
        double t;
        std::shared_ptr<const Snapshot> snapshot; // keeps the two alive
        std::optional<Placement> frame;           // that is held still

        Eigen::Vector3d shown(const Eigen::Vector3d& p) const;
        Eigen::Vector3d inertial(const Eigen::Vector3d& p) const;
    };
    std::optional<Edited> edited() const;
    std::optional<StageHandle> handleNear(QPointF pixel) const;
    // The point of space under a pixel, as far away as `at`.
    Eigen::Vector3d pointUnder(QPointF pixel, const Eigen::Vector3d& at) const;
    void light(const std::optional<StageHandle>& handle);

    Document& document_;
    SceneRenderer& renderer_;
    Canvas3d& canvas_;
    bool allowed_ = true;
    std::optional<std::size_t> frame_;
    std::optional<StageHandle> held_; // by the pointer, where it was taken
    QPointF pressedAt_, grip_;        // the latter from the pointer to the handle
    bool moved_ = false;
    std::string lit_; // the handle that is ringed
    std::string hint_;
};

} // namespace casimir
