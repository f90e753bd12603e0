// SurfaceRenderer: a Plot on the surface it lives on, in space: cylinder, sphere, torus or plane. The family
// of curves is one actor, a map of the plot colours the surface, emphasised curves are tubes, marks are
// solids (ball: stable, cross: unstable). The surface is translucent, so what lies behind is seen, but
// fainter. The overlay is that of PlotPainter: one description of what moves serves the plane and the
// surface.
#pragma once

#include "core/model/plot.h"
#include "ui/render/drawing3d.h"
#include "ui/render/line_batch.h"
#include "ui/render/plot_painter.h"
#include "ui/render/solid_batch.h"
#include "ui/render/sprite.h"

#include <QPointF>
#include <QSizeF>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

class vtkPolyData;
class vtkActor;

namespace casimir {

class SurfaceRenderer : public Drawing3d {
public:
    SurfaceRenderer();
    ~SurfaceRenderer() override;

    // Curves and marks are filled in place; the surface itself is made again only when its shape or limits
    // changed.
    void setPlot(std::shared_ptr<const Plot> plot);
    const Plot* plot() const { return plot_.get(); }
    void setOverlay(const PlotOverlay& overlay); // hover text and rubber band are not drawn in space
    void setHiddenLayers(const std::set<std::string>& layers);

    // The plot's coordinates of the surface under a pixel of a picture of `size`, counted from the upper
    // left; the nearest sheet.
    std::optional<Eigen::Vector2d> pick(const QPointF& pixel, const QSizeF& size) const;
    // Where a point of the plot appears.
    QPointF pixelOf(double x, double y, const QSizeF& size) const;

protected:
    bool parallel() const override { return false; }
    ViewFrom home() const override;
    double boundingRadius() const override;
    void restyle() override;
    void cameraMoved() override;

private:
    using Path = std::vector<Eigen::Vector3d>;
    double unit() const; // the size that marks and tubes are measured by
    double halfLength() const;
    std::vector<Path> paths(const Polyline& line) const; // on the surface, lifted off it, cut at the limits
    Eigen::Vector3d lifted(double x, double y) const;
    void buildSurface();
    void paintSurface(); // a map of the plot, or the plain colour
    void buildAxes();
    void placeAxes();
    bool isHidden(const Eigen::Vector3d& point) const; // behind the surface
    void fillPlot();
    void fillOverlay();
    void addMark(SolidBatch& batch, const Mark& mark, double scale) const;

    struct AxisLabel {
        std::unique_ptr<Sprite> sprite;
        double value; // along y
    };

    std::shared_ptr<const Plot> plot_;
    PlotOverlay overlay_;
    std::set<std::string> hidden_;
    std::vector<Eigen::Vector2d> surfaceCoordinates_; // of the plot, one a vertex
    vtkSmartPointer<vtkPolyData> surfaceData_;
    vtkSmartPointer<vtkActor> surfaceActor_;
    vtkSmartPointer<vtkActor> ellipsoidActor_;
    LineBatch family_, overlayLines_, axes_, frame_;
    SolidBatch emphasis_, overlaySolids_;
    struct AngleLabel {
        std::unique_ptr<Sprite> sprite;
        Eigen::Vector3d at;
    };
    std::vector<AngleLabel> angleLabels_;
    std::vector<AxisLabel> yLabels_;
    std::unique_ptr<Sprite> ySymbol_;
};

} // namespace casimir
