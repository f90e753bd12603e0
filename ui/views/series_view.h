// SeriesView: chosen quantities of all visible Motions over time, read from the recordings; a window of time
// that follows the clock until a person moves it. Two Motions can be charted as their difference, and what
// spans many powers of ten by its size on a logarithmic scale.
#pragma once

#include "core/engine/kept_samples.h"
#include "ui/views/view.h"

#include <optional>
#include <string>
#include <vector>

namespace casimir {

class ChartView;
class MotionLegend;
struct ChartLine;

class SeriesView : public View {
    Q_OBJECT
public:
    static constexpr int mostPoints = 2000; // of one line

    SeriesView(Document& document, ViewInfo info, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void paintTo(QPainter& painter, const QRectF& rect) override;
    void zoomBy(double factor) override;
    void moveBy(int right, int up) override;
    void showAll() override;
    bool showsAll() const override;
    int rebuilds() const override;
    std::optional<DataTable> data() override;
    double horizon(double t) const override { return windowEnd(t); }
    void keepNow() override;
    void restoreKept() override;
    QSize sizeHint() const override { return {360, 260}; }

    ChartView& chart() { return *chart_; }
    // What is charted now: the person's choice, or what the stage writes first.
    std::vector<std::string> quantities() const;
    bool follows() const { return !begin_; }

protected:
    void refresh() override;
    QString spoken() override;
    QList<QAction*> makeActions(QObject* owner) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Limits {
        double lo = 0, hi = 1;
        bool set = false;
        void include(const std::vector<ChartLine>& lines, bool right, Scale scale);
        PlotAxis axis(Quantity quantity, Scale scale) const;
    };

    double windowLength() const;
    double windowBegin(double t) const;
    double windowEnd(double t) const;
    bool showsDifference() const;
    Scale scale() const { return option("scale") == "log" ? Scale::Logarithmic : Scale::Linear; }
    std::vector<ChartLine> charted(double begin, double end);
    std::vector<ChartLine> sampled(double begin, double end);
    std::vector<ChartLine> differences(double begin, double end);
    // Of what is recorded from one time to another, about as many as fit into the picture of [begin, end].
    Samples samples(const Recording& recording, double begin, double end, double from, double to,
                    const std::vector<std::string>& ids);
    Samples earlierSamples(const MotionTrack& motion, double begin, double end,
                           const std::vector<std::string>& ids);
    void toggleQuantity(const std::string& id, bool on);

    ChartView* chart_;
    MotionLegend* legend_;        // where the chart has no room for its own
    std::optional<double> begin_; // where a person put the window; none: it follows
    Limits left_, right_;
    struct Row {
        double t = 0;
        std::vector<double> values;
    };
    PerRecording<KeptSamples<Row>> kept_;
    std::string scaled_; // what the limits belong to
};

} // namespace casimir
