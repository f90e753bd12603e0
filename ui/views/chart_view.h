// ChartView: lines over time. It draws axes, a few lines, a legend and the time cursor, all from what it was
// told last and the size it has now, and turns mouse and keys into wishes for another range of time. What is
// charted is the business of its owner.
#pragma once

#include "core/model/plot.h"
#include "core/session/data_table.h"
#include "ui/render/theme.h"
#include "ui/render/ticks.h"

#include <QWidget>

#include <optional>
#include <string>
#include <vector>

class QPainter;

namespace casimir {

class SymbolText;

struct ChartLine {
    std::string symbol; // of the quantity, for the legend
    std::string label;  // what follows it there, in upright markup
    Colour colour = {};
    LineStyle style = LineStyle::Solid;
    bool right = false; // belongs to the axis on the right
    std::vector<double> x, y;
    std::string id = {}, unit = {}; // of the quantity
};

// Time and the lines in columns; lines of other times have a column of time of their own.
DataTable tableOf(const std::vector<ChartLine>& lines);

class ChartView : public QWidget {
    Q_OBJECT
public:
    explicit ChartView(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setTransparent(bool transparent) { transparent_ = transparent; }
    // Axes: quantity, limits and scale; without a right one there is none.
    void setAxes(const PlotAxis& x, const PlotAxis& left,
                 const std::optional<PlotAxis>& right = std::nullopt);
    void setLines(const std::vector<ChartLine>& lines);
    void setCursor(std::optional<double> x);
    // Before this time nothing is kept any more; the axis says so.
    void setForgotten(std::optional<double> before);
    void setMessage(const QString& text);

    int lineCount() const { return static_cast<int>(lines_.size()); }
    int pointCount(int line) const;
    int rebuilds() const { return rebuilds_; } // how often there were other lines, not merely other points
    QRectF area() const;                       // inside the axes, in the widget's pixels
    double xAt(double pixel) const;
    double pixelOf(double x) const;
    QString forgottenText() const; // what the axis says of the time before; empty where all is kept or seen
    void paintTo(QPainter& painter, const QRectF& rect);

Q_SIGNALS:
    void zoomed(double x, double factor); // > 1: closer, about x
    void panned(double by);               // in units of x, positive: towards later times
    void reset();
    void pointed(double x); // clicked or dragged: the cursor is wanted there
    void menuAsked(QPoint global);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Layout {
        QRectF rect, area;
        Ticks x, left, right;
        bool legend = false; // not where it would leave too little for the curves
    };
    Layout layOut(const QRectF& rect) const;
    void paint(QPainter& painter, const Layout& layout) const;
    void paintAxes(QPainter& painter, const Layout& layout) const;
    void paintForgotten(QPainter& painter, const Layout& layout) const;
    void paintLegend(QPainter& painter, const QRectF& rect) const;
    SymbolText legendText(const ChartLine& line) const;
    double legendHeight(const QRectF& rect) const;
    // A plot of nothing but the axes a line belongs to.
    Plot frame(bool right) const;

    Theme theme_;
    PlotAxis x_, left_;
    std::optional<PlotAxis> right_;
    std::vector<ChartLine> lines_;
    std::optional<double> cursor_, forgotten_;
    QString message_;
    QPointF pressedAt_, lastAt_;
    bool moved_ = false, transparent_ = false;
    int rebuilds_ = 0;
};

} // namespace casimir
