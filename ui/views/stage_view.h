// StageView: the bodies as they move: the scene of the leading system, the poses of all visible Motions, the
// paths of chosen points, seen from a chosen frame, and the numbers that the scene names above it. Where the
// system can be edited by hand, its handles are dragged here and its actions offered by the context menu.
#pragma once

#include "core/model/editing.h"
#include "ui/render/scene_renderer.h"
#include "ui/views/view3d.h"

#include <memory>
#include <optional>

namespace casimir {

class StageView : public View3d {
    Q_OBJECT
public:
    StageView(Document& document, ViewInfo info, QWidget* parent = nullptr);
    ~StageView() override;

    Drawing3d& drawing() override { return renderer_; }
    const SceneRenderer& renderer() const { return renderer_; }
    int rebuilds() const override { return scenes_; }

protected:
    void refresh() override;
    QList<QAction*> makeActions(QObject* owner) override;
    void keyPressEvent(QKeyEvent* event) override;

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
    bool press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers);
    void drag(QPointF at);
    void endDrag();
    void hover(QPointF at);
    void light(const std::optional<StageHandle>& handle);
    QList<QAction*> editActions(QObject* owner, QPointF at);
    void act(const StageAction& action, const Eigen::Vector3d& at);

    void updateScene(const System& system);
    const ReferenceFrame* frame() const;
    void poseOf(const System& system, double t, const State& x, Pose& pose) const;
    std::vector<std::string> traced() const;
    void addTraces(const MotionTrack& motion, double t, bool leading, std::vector<Trace>& traces) const;

    SceneRenderer renderer_;
    std::optional<StageHandle> held_; // by the pointer, where it was taken
    QPointF pressedAt_, grip_;        // the latter from the pointer to the handle
    bool moved_ = false;
    std::string lit_; // the handle that is ringed
    const Kind* kind_ = nullptr;
    Values values_;
    int scenes_ = 0;
};

} // namespace casimir
