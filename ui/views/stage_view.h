// StageView: the bodies as they move: the scene of the leading system, the poses of all visible Motions, the
// paths of chosen points, seen from a chosen frame, and the numbers that the scene names above it. What a
// person may take hold of there belongs to StageHand and StageEditor.
#pragma once

#include "ui/render/scene_renderer.h"
#include "ui/views/stage_editor.h"
#include "ui/views/stage_hand.h"
#include "ui/views/trace_paths.h"
#include "ui/views/view3d.h"

#include <vector>

namespace casimir {

class StageView : public View3d {
    Q_OBJECT
public:
    StageView(Document& document, ViewInfo info, QWidget* parent = nullptr);
    ~StageView() override;

    Drawing3d& drawing() override { return renderer_; }
    const SceneRenderer& renderer() const { return renderer_; }
    int rebuilds() const override { return scenes_; }
    const StageHand& hand() const { return hand_; }
    long tracePoints() const { return tracePoints_; } // asked for so far

protected:
    void refresh() override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    QList<QAction*> makeActions(QObject* owner) override;

private:
    void updateScene(const System& system);
    const ReferenceFrame* frame() const;
    // What the chosen frame rides on; none in the inertial one.
    std::optional<Placement> heldIn(const Pose& pose) const;
    void follow(const Pose& pose);
    void refreshHand(const MotionTrack& leading, const std::optional<Placement>& held);
    void refreshHint();
    void poseOf(const System& system, double t, const State& x, Pose& pose) const;
    std::vector<std::string> traced() const;
    // `now` is the Motion's pose at the time t, as seen from the chosen frame.
    void addTraces(const MotionTrack& motion, double t, bool alone, const Pose& now,
                   std::vector<Trace>& traces);
    double traceTolerance() const;

    SceneRenderer renderer_;
    StageHand hand_;
    StageEditor editor_;
    const Kind* kind_ = nullptr;
    Values values_;
    int scenes_ = 0;
    PerRecording<TracePaths> paths_;
    long tracePoints_ = 0;
};

} // namespace casimir
