// SurfaceRenderer: a Plot on the surface it lives on, in space: cylinder, sphere, torus, plane or the relief
// of its field. The family of curves is one actor, a map of the plot colours the surface, emphasised curves
// are tubes, marks are solids (ball: stable, cross: unstable). The surface is translucent, so what lies
// behind is seen, but fainter. The overlay is that of PlotPainter: one description of what moves serves the
// plane and the surface.
#pragma once

#include "core/model/plot.h"
#include "ui/render/drawing3d.h"
#include "ui/render/line_batch.h"
#include "ui/render/plot_painter.h"
#include "ui/render/solid_batch.h"
#include "ui/render/sprite.h"

#include <QPointF>
#include <QSizeF>

#include <limits>
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
    const HeatMap* shownMap() const;
    void placeSea();
    bool isHidden(const Eigen::Vector3d& point) const; // behind the surface
    void fillPlot();
    void fillOverlay();
    void addMark(SolidBatch& batch, const Mark& mark, double scale) const;

    struct AngleLabel {
        std::unique_ptr<Sprite> sprite;
        Eigen::Vector3d at;
    };
    struct AxisLabel {
        std::unique_ptr<Sprite> sprite;
        double value; // along the axis
    };
    struct AxisLabels {
        std::vector<AxisLabel> labels;
        std::unique_ptr<Sprite> symbol;
    };
    static constexpr double axisDistance = 1.16; // of the y-axis from the middle of a round surface
    // In surface_axes.cpp.
    void buildAxes();
    void placeAxes();
    void placeReliefAxes();
    std::unique_ptr<Sprite> newLabel(const SymbolText& text, Qt::Alignment alignment, const QColor& colour,
                                     Theme::Text size);
    void fillAxis(AxisLabels& axis, const PlotAxis& shown, int count, Qt::Alignment labels,
                  Qt::Alignment symbol);
    void removeLabels();

    std::shared_ptr<const Plot> plot_;
    PlotOverlay overlay_;
    std::set<std::string> hidden_;
    std::vector<Eigen::Vector2d> surfaceCoordinates_; // of the plot, one a vertex
    vtkSmartPointer<vtkPolyData> surfaceData_;
    vtkSmartPointer<vtkActor> surfaceActor_;
    vtkSmartPointer<vtkActor> ellipsoidActor_;
    LineBatch family_, overlayLines_, axes_, frame_;
    SolidBatch emphasis_, overlaySolids_;
    std::vector<AngleLabel> angleLabels_;
    AxisLabels xAxis_, yAxis_, zAxis_;
    vtkSmartPointer<vtkActor> seaActor_;
    double reach_ = std::numeric_limits<double>::infinity();
};

} // namespace casimir
