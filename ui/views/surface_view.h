// SurfaceView: a Plot on the surface it lives on. Turned like any body in space; clicked to choose a state,
// which can also be held and dragged over the surface. Drawing is SurfaceRenderer's.
#pragma once

#include "ui/render/surface_renderer.h"
#include "ui/views/motion_pictures.h"
#include "ui/views/view3d.h"

#include <optional>

namespace casimir {

class SurfaceView : public View3d {
    Q_OBJECT
public:
    SurfaceView(Document& document, ViewInfo info, QWidget* parent = nullptr);
    ~SurfaceView() override;

    Drawing3d& drawing() override { return renderer_; }
    const SurfaceRenderer& renderer() const { return renderer_; }
    int rebuilds() const override { return plots_; }
    std::optional<DataTable> data() override;
    bool settled() const override { return !ghosts_.busy(); }

protected:
    void refresh() override;
    void becameVisible() override;
    void becameHidden() override { wantPlot({}); }
    QList<QAction*> makeActions(QObject* owner) override;

private:
    void lookUp();
    void updateNumbers();
    void click(QPointF at, Qt::KeyboardModifiers modifiers);
    void hover(QPointF at);
    std::optional<StateInputs> inputsAt(QPointF at) const;
    // How far from `at` a point of the plot appears, if it is not on the far side.
    std::optional<double> distanceOnScreen(double x, double y, QPointF at) const;
    std::string markNear(QPointF at) const;

    SurfaceRenderer renderer_;
    PlotOverlay overlay_;
    std::optional<PlotInfo> plotInfo_; // none: the system has no such plot
    const Kind* kind_ = nullptr;
    GhostOrbits ghosts_;
    Tails tails_;
    std::shared_ptr<const Plot> shown_; // as computed; a relief is drawn from a copy
    int plots_ = 0;
};

} // namespace casimir
