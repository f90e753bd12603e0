#include "ui/views/invariants_view.h"

#include "core/base/number_text.h"
#include "ui/render/symbol_text.h"
#include "ui/views/chart_view.h"
#include "ui/views/motion_legend.h"
#include "ui/views/view_text.h"

#include <QAction>
#include <QMenu>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr int pause = 120;      // ms between two readings of the whole history while it grows
constexpr int longestCount = 8; // ms, of the steps of balances in one reading
constexpr int mostPoints = 800; // of one line
constexpr int lowestTop = -8;   // the axis reaches at least up to here, so that rounding looks small
constexpr double shortest = 1e-3;
constexpr double fileLength = 20; // s that a figure shows at least

constexpr std::size_t mostLaws = 3; // of a Motion, in the legend

// The end moves in steps, so that the curves do not creep.
double inSteps(double end)
{
    double step = 1;
    while (step * 10 < end)
        step *= 10;
    return std::ceil(end / (step / 2)) * step / 2;
}

} // namespace

InvariantsView::InvariantsView(Document& document, ViewInfo info, QWidget* parent)
    : View(document, std::move(info), parent), chart_(new ChartView(this)), legend_(new MotionLegend(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(legend_);
    layout->addWidget(chart_, 1);
    setFocusProxy(chart_);
    restoreKept();
    // Nothing here depends on analyses.
    disconnect(&this->document(), &Document::analysesChanged, this, nullptr);
    disconnect(&this->document(), &Document::selectionChanged, this, nullptr);
    later_.setSingleShot(true);
    connect(&later_, &QTimer::timeout, this, &View::scheduleRefresh);
    const auto present = [this] { return range_.value_or(std::pair(0.0, shownEnd_)); };
    connect(chart_, &ChartView::zoomed, this, [this, present](double x, double factor) {
        const auto [begin, end] = present();
        if ((end - begin) / factor > shortest)
            range_ = {x - (x - begin) / factor, x + (end - x) / factor};
        sinceSampled_.invalidate();
        scheduleRefresh();
    });
    connect(chart_, &ChartView::panned, this, [this, present](double by) {
        const auto [begin, end] = present();
        range_ = {begin + by, end + by};
        sinceSampled_.invalidate();
        scheduleRefresh();
    });
    connect(chart_, &ChartView::pointed, this, [this](double x) { this->document().simulation().seek(x); });
    connect(chart_, &ChartView::menuAsked, this, [this](QPoint at) { showMenu(at); });
}

void InvariantsView::setTheme(const Theme& theme)
{
    chart_->setTheme(theme);
    legend_->setTheme(theme);
    View::setTheme(theme);
}

void InvariantsView::zoomBy(double factor)
{
    chart_->zoomBy(factor);
}

void InvariantsView::moveBy(int right, int)
{
    chart_->moveBy(right);
}

void InvariantsView::showAll()
{
    range_.reset();
    highest_ = lowestTop;
    sinceSampled_.invalidate();
    scheduleRefresh();
}

bool InvariantsView::showsAll() const
{
    return !range_;
}

int InvariantsView::rebuilds() const
{
    return chart_->rebuilds();
}

void InvariantsView::paintTo(QPainter& painter, const QRectF& rect)
{
    chart_->setTransparent(transparent());
    sinceSampled_.invalidate();
    refreshNow();
    if (!transparent())
        painter.fillRect(rect, theme().background());
    chart_->paintTo(painter, legend_->paintAbove(painter, rect));
}

bool InvariantsView::count(const Snapshot& snapshot, bool all)
{
    constexpr std::size_t some = 16;
    QElapsedTimer since;
    since.start();
    balances_.resize(snapshot.motions.size());
    bool counted = true;
    for (std::size_t i = 0; i < snapshot.motions.size(); ++i) {
        const MotionTrack& motion = snapshot.motions[i];
        if (!motion.visible)
            continue;
        bool done = false;
        do
            done = balances_[i].count(motion.recording, all ? BalanceDrifts::all : some);
        while (!done && since.elapsed() < longestCount);
        counted = counted && done;
    }
    return counted;
}

std::vector<ChartLine> InvariantsView::lines(double begin, double end, bool all)
{
    const auto snapshot = document().snapshot();
    if (!count(*snapshot, all))
        later_.start(pause);
    const bool several = snapshot->motions.size() > 1;
    const int points = std::clamp(static_cast<int>(chart_->area().width()), 2, mostPoints);
    std::vector<ChartLine> lines;
    for (std::size_t m = 0; m < snapshot->motions.size(); ++m) {
        const MotionTrack& motion = snapshot->motions[m];
        if (!motion.visible || &motion.system->kind() != &document().kind())
            continue;
        std::vector<const Quantity*> monitored;
        for (const Quantity& quantity : motion.system->quantities())
            if (quantity.law.kind != Law::Kind::None)
                monitored.push_back(&quantity);
        std::vector<Drift> drifts = driftsOf(*motion.recording, balances_[m], monitored, begin, end, points);
        // Of many, those that have not changed in any digit are left out.
        const auto changed = [](const Drift& drift) {
            return std::any_of(drift.change.begin(), drift.change.end(),
                               [](double x) { return x != Drift::floor; });
        };
        const bool many = monitored.size() > mostLaws && std::any_of(drifts.begin(), drifts.end(), changed);
        int i = 0;
        for (std::size_t k = 0; k < monitored.size(); ++k) {
            const Quantity& quantity = *monitored[k];
            Drift& drift = drifts[k];
            if (many && !changed(drift))
                continue;
            ChartLine line;
            line.symbol = quantity.symbol;
            line.id = "change_of_" + quantity.id;
            line.label =
                ", " + (several ? motion.label : methodName(*motion.system, motion.method).toStdString());
            if (quantity.law.kind == Law::Kind::Balance && !balances_[m].sinceTheOrigin())
                line.label += tr(", since t = %1 s").arg(balances_[m].since(), 0, 'g', 4).toStdString();
            line.colour = several ? Colour::motion(motion.colour) : Colour::body(i);
            line.style = several ? static_cast<LineStyle>(i % 3) : LineStyle::Solid;
            // Where it began the change is exactly none, which a logarithm would draw as a wall.
            if (!drift.t.empty() && drift.change.front() == Drift::floor) {
                drift.t.erase(drift.t.begin());
                drift.change.erase(drift.change.begin());
            }
            line.x = std::move(drift.t);
            line.y = std::move(drift.change);
            lines.push_back(std::move(line));
            ++i;
        }
    }
    return lines;
}

void InvariantsView::refresh()
{
    const auto snapshot = document().snapshot();
    chart_->setCursor(snapshot->t);
    // The whole history is read again only now and then while it grows.
    const bool same = snapshot->sessionNumber == shownSession_;
    if (same && sinceSampled_.isValid() && sinceSampled_.elapsed() < pause) {
        if (!later_.isActive())
            later_.start(pause);
        return;
    }
    sinceSampled_.start();
    if (!same || forFile())
        highest_ = lowestTop;
    shownSession_ = snapshot->sessionNumber;

    double end = forFile() ? horizon(snapshot->t) : 1;
    if (!forFile())
        for (const MotionTrack& motion : snapshot->motions)
            if (motion.visible)
                end = std::max(end, motion.recording->end());
    shownEnd_ = untilRunEnd(inSteps(end));
    const auto [from, to] = range_.value_or(std::pair(0.0, shownEnd_));
    const std::vector<ChartLine> drifts = lines(from, to, forFile());
    for (const ChartLine& line : drifts)
        for (const double y : line.y)
            if (std::isfinite(y) && y > std::pow(10.0, highest_))
                highest_ = static_cast<int>(std::ceil(std::log10(y)));
    PlotAxis vertical{{"", tr("relative change").toStdString(), "", ""},
                      Drift::floor,
                      std::pow(10.0, highest_),
                      Scale::Logarithmic};
    chart_->setAxes({{"t", "t", "time", "s"}, from, to}, vertical);
    chart_->setLines(drifts);
    chart_->setForgotten(forgottenBefore(*snapshot));
    QStringList parts;
    for (const ChartLine& line : drifts) {
        double most = 0;
        for (const double y : line.y)
            if (std::isfinite(y))
                most = std::max(most, y);
        parts << tr("%1%2: largest relative change %3")
                     .arg(SymbolText::symbol(line.symbol).plain(), SymbolText::upright(line.label).plain(),
                          SymbolText::upright(shownNumber(most, 2)).plain());
    }
    spoken_ = parts.join(QStringLiteral("; "));
    legend_->setMotions(chart_->showsLegend() ? std::vector<NamedMotion>() : namedMotions(*snapshot));
    chart_->setMessage(drifts.empty() ? tr("This system declares nothing that it must keep.") : QString());
}

QString InvariantsView::spoken()
{
    return spoken_;
}

double InvariantsView::horizon(double t) const
{
    return range_ ? std::max(t, range_->second) : untilRunEnd(inSteps(std::max(t, fileLength)));
}

double InvariantsView::untilRunEnd(double end) const
{
    const double runEnd = document().session().run.tEnd;
    return document().snapshot()->t <= runEnd ? std::min(end, runEnd) : end;
}

std::optional<DataTable> InvariantsView::data()
{
    const auto [from, to] = range_.value_or(std::pair(0.0, shownEnd_));
    return tableOf(lines(from, to, true));
}

void InvariantsView::keepNow()
{
    setOption("range", range_ ? numberText(range_->first) + " " + numberText(range_->second) : std::string());
}

void InvariantsView::restoreKept()
{
    range_.reset();
    const QStringList words = QString::fromStdString(option("range")).split(u' ', Qt::SkipEmptyParts);
    if (words.size() != 2)
        return;
    const double begin = words[0].toDouble(), end = words[1].toDouble();
    if (begin < end)
        range_ = {begin, end};
}

bool InvariantsView::compareWith(const std::string& method)
{
    const Session& session = document().session();
    Motion motion = session.motions.front();
    motion.method = method;
    motion.label = methodName(*document().system(), method).toStdString();
    motion.visible = true;
    return document().addMotion(std::move(motion));
}

QList<QAction*> InvariantsView::makeActions(QObject* owner)
{
    QMenu* menu = makeMenu(owner, tr("Compare With Another Method"));
    const auto system = document().system();
    const auto snapshot = document().snapshot();
    for (const MethodInfo& method : system->methods()) {
        const std::string id(method.id);
        if (!snapshot->motions.empty() && snapshot->motions.front().method == id)
            continue;
        QAction* action = makeAction(owner, methodName(*system, id), [this, id] { compareWith(id); });
        action->setToolTip(
            QString::fromUtf8(method.summary.data(), static_cast<qsizetype>(method.summary.size())));
        menu->addAction(action);
    }
    menu->setToolTipsVisible(true);
    menu->setEnabled(!menu->isEmpty());
    return {menu->menuAction()};
}

} // namespace casimir
