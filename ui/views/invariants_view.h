// InvariantsView: how well the computed motions keep what they must keep. For a constant, its relative change
// since the motion began; for a balance, what is left of it (core/engine/drift.h); on a logarithmic axis, for
// every visible Motion with the name of its method.
#pragma once

#include "core/engine/drift.h"
#include "ui/views/view.h"

#include <QElapsedTimer>

#include <optional>

namespace casimir {

class ChartView;
class MotionLegend;
struct ChartLine;
struct MotionTrack;

class InvariantsView : public View {
    Q_OBJECT
public:
    InvariantsView(Document& document, ViewInfo info, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void paintTo(QPainter& painter, const QRectF& rect) override;
    void zoomBy(double factor) override;
    void moveBy(int right, int up) override;
    void showAll() override;
    bool showsAll() const override;
    int rebuilds() const override;
    std::optional<DataTable> data() override;
    double horizon(double t) const override;
    void keepNow() override;
    void restoreKept() override;
    QSize sizeHint() const override { return {320, 260}; }

    ChartView& chart() { return *chart_; }
    // A Motion with the same start and another method, so that both drifts are seen.
    bool compareWith(const std::string& method);

protected:
    void refresh() override;
    QString spoken() override;
    QList<QAction*> makeActions(QObject* owner) override;

private:
    double untilRunEnd(double end) const; // where the clock is not beyond it
    // With all steps of the balances, or with those that were counted in time for the next picture.
    std::vector<ChartLine> lines(double begin, double end, bool all);
    bool count(const Snapshot& snapshot, bool all); // whether those of all Motions are

    ChartView* chart_;
    MotionLegend* legend_;                           // where the chart has no room for its own
    std::vector<BalanceDrifts> balances_;            // of the Motions, in their order
    std::optional<std::pair<double, double>> range_; // of time, where a person chose one
    QElapsedTimer sinceSampled_;
    QTimer later_;
    double shownEnd_ = 0;
    QString spoken_;
    std::uint64_t shownSession_ = 0;
    int highest_ = -8; // exponent at the top of the axis
};

} // namespace casimir
