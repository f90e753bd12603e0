// ChartView: lines over time, the only place that knows Qt Charts. It draws axes with the program's own
// ticks, a few series, a legend and the time cursor, and turns mouse and keys into wishes for another range
// of time. What is charted is the business of its owner.
#pragma once

#include "core/files/data_table.h"
#include "core/model/plot.h"
#include "ui/render/theme.h"

#include <QtCharts/QChartView>

#include <optional>
#include <string>
#include <vector>

class QCategoryAxis;
class QChart;
class QLineSeries;

namespace casimir {

class SymbolText;

struct ChartLine {
    std::string symbol; // of the quantity, for the legend
    std::string label;  // what follows it there, in upright markup
    Colour colour = {};
    LineStyle style = LineStyle::Solid;
    bool right = false; // belongs to the axis on the right
    bool past = false;  // what was, before parameters were changed: fainter, not in the legend
    std::vector<double> x, y;
    std::string id = {}, unit = {}; // of the quantity
};

// Time and the lines in columns; lines of other times have a column of time of their own.
DataTable tableOf(const std::vector<ChartLine>& lines);

class ChartView : public QChartView {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);
    ~ChartView() override;

    void setTheme(const Theme& theme);
    void setTransparent(bool transparent) { transparent_ = transparent; }
    // Axes: quantity, limits and scale; without a right one there is none.
    void setAxes(const PlotAxis& x, const PlotAxis& left,
                 const std::optional<PlotAxis>& right = std::nullopt);
    void setLines(const std::vector<ChartLine>& lines);
    void setCursor(std::optional<double> x);
    std::optional<double> cursor() const { return cursor_; }
    // Before this time the recording was given up; none: it has its beginning.
    void setForgotten(std::optional<double> before);
    QString forgottenText() const; // what it says of that; empty where nothing is missing
    void setMessage(const QString& text);

    int lineCount() const { return static_cast<int>(lines_.size()); }
    int pointCount(int line) const;
    int rebuilds() const { return rebuilds_; } // how often series were made, not merely filled
    bool showsLegend() const;                  // not where it would leave too little for the curves
    QRectF area() const;                       // inside the axes, in the widget's pixels
    double xAt(double pixel) const;
    double pixelOf(double x) const;
    void paintTo(QPainter& painter, const QRectF& rect);

    // The same wishes, of keys: about the middle, and by a tenth of what is seen.
    void zoomBy(double factor);
    void moveBy(int right);

Q_SIGNALS:
    void zoomed(double x, double factor); // > 1: closer, about x
    void panned(double by);               // in units of x, positive: towards later times
    void pointed(double x);               // clicked or dragged: the cursor is wanted there
    void menuAsked(QPoint global);

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Axis;
    void layOut();
    void repaintSoon();
    void restyle();
    void fill(Axis& axis, int target);
    SymbolText legendText(const ChartLine& line) const;
    QPen penOf(const ChartLine& line) const;
    double legendHeight() const;
    void drawLegend(QPainter& painter) const;

    Theme theme_;
    QChart* chart_;
    std::unique_ptr<Axis> x_, left_, right_;
    bool hasRight_ = false;
    std::vector<QLineSeries*> series_;
    std::vector<ChartLine> lines_; // without their points
    std::optional<double> cursor_, forgotten_;
    QString message_;
    QRectF area_;
    QPointF pressedAt_, lastAt_;
    bool moved_ = false, transparent_ = false;
    bool second_ = false; // the press is the second one of a double click
    int rebuilds_ = 0;
};

} // namespace casimir
