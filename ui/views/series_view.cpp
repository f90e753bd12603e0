#include "ui/views/series_view.h"

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
#include <limits>

namespace casimir {

namespace {

constexpr double defaultLength = 20; // s
constexpr double shortest = 1e-3, longest = 1e5;
constexpr double lead = 0.9; // where in the window the clock stands while it follows

PlotAxis timeAxis(double begin, double end)
{
    return {{"t", "t", "time", "s"}, begin, end};
}

LineStyle dash(std::size_t i)
{
    return static_cast<LineStyle>(i % 3);
}

// The quantity of an axis that carries several: their common unit, and their symbols in a row.
Quantity axisQuantity(const std::vector<const Quantity*>& quantities, const std::string& prefix)
{
    Quantity q;
    for (const Quantity* each : quantities) {
        q.symbol += (q.symbol.empty() ? "" : ", ") + prefix + each->symbol;
        q.unit = each->unit;
    }
    const bool mixed = std::any_of(quantities.begin(), quantities.end(),
                                   [&](const Quantity* each) { return each->unit != q.unit; });
    if (mixed)
        q.unit.clear();
    return q;
}

// Of drawn samples, whose times may be those of another method's steps: a straight line between two.
double drawnAt(const Samples& samples, std::size_t column, double t)
{
    const std::vector<double>&times = samples.t, &values = samples.columns[column];
    const auto right =
        static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
    if (right == times.size())
        return values.back();
    if (right == 0 || times[right] == t)
        return values[right];
    const double part = (t - times[right - 1]) / (times[right] - times[right - 1]);
    return values[right - 1] + part * (values[right] - values[right - 1]);
}

} // namespace

SeriesView::SeriesView(Document& document, ViewInfo info, QWidget* parent)
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
    connect(chart_, &ChartView::zoomed, this, [this](double x, double factor) {
        const double t = this->document().snapshot()->t, length = windowEnd(t) - windowBegin(t);
        const double wanted = std::clamp(length / factor, shortest, longest);
        if (!follows())
            begin_ = x - (x - windowBegin(t)) * wanted / length;
        setOption("window", numberText(wanted));
    });
    connect(chart_, &ChartView::panned, this, [this](double by) {
        begin_ = windowBegin(this->document().snapshot()->t) + by;
        scheduleRefresh();
    });
    connect(chart_, &ChartView::pointed, this, [this](double x) { this->document().simulation().seek(x); });
    connect(chart_, &ChartView::menuAsked, this, [this](QPoint at) { showMenu(at); });
}

void SeriesView::setTheme(const Theme& theme)
{
    chart_->setTheme(theme);
    legend_->setTheme(theme);
    View::setTheme(theme);
}

void SeriesView::zoomBy(double factor)
{
    chart_->zoomBy(factor);
}

void SeriesView::moveBy(int right, int)
{
    chart_->moveBy(right);
}

void SeriesView::showAll()
{
    begin_.reset();
    left_ = right_ = {};
    setOption("window", {});
}

bool SeriesView::showsAll() const
{
    return !begin_ && windowLength() == defaultLength;
}

int SeriesView::rebuilds() const
{
    return chart_->rebuilds();
}

void SeriesView::paintTo(QPainter& painter, const QRectF& rect)
{
    chart_->setTransparent(transparent());
    refreshNow();
    if (!transparent())
        painter.fillRect(rect, theme().background());
    chart_->paintTo(painter, legend_->paintAbove(painter, rect));
}

std::vector<std::string> SeriesView::quantities() const
{
    const System& system = *document().system();
    std::vector<std::string> chosen = idList("quantities");
    std::erase_if(chosen, [&](const std::string& id) { return !findQuantity(system, id); });
    if (!chosen.empty())
        return chosen;
    // What is constant says little over time; it has a view of its own.
    const auto add = [&](const std::string& id, bool constantToo) {
        const Quantity* q = findQuantity(system, id);
        if (q && chosen.size() < 2 && (constantToo || q->law.kind != Law::Kind::Constant) &&
            std::find(chosen.begin(), chosen.end(), id) == chosen.end())
            chosen.push_back(id);
    };
    for (const bool constantToo : {false, true}) {
        for (const std::string& id : system.scene().headsUp)
            add(id, constantToo);
        for (const Quantity& q : system.quantities())
            add(q.id, constantToo);
    }
    return chosen;
}

double SeriesView::windowLength() const
{
    return std::clamp(number("window", defaultLength), shortest, longest);
}

double SeriesView::windowBegin(double t) const
{
    if (begin_)
        return *begin_;
    const double length = windowLength(), runEnd = document().session().run.tEnd;
    const double begin = t < 0 ? t : std::max(0.0, t - lead * length);
    return t <= runEnd ? std::min(begin, std::max(0.0, runEnd - length)) : begin;
}

// While it follows, time ends with the run, as long as the clock is not beyond.
double SeriesView::windowEnd(double t) const
{
    const double begin = windowBegin(t), end = begin + windowLength();
    const double runEnd = document().session().run.tEnd;
    return !begin_ && t <= runEnd && begin < runEnd ? std::min(end, runEnd) : end;
}

std::vector<ChartLine> SeriesView::sampled(double begin, double end)
{
    const auto snapshot = document().snapshot();
    const std::vector<std::string> ids = quantities();
    const bool several = snapshot->motions.size() > 1;
    std::vector<ChartLine> lines;
    for (std::size_t index = 0; index < snapshot->motions.size(); ++index) {
        const MotionTrack& motion = snapshot->motions[index];
        if (!motion.visible || &motion.system->kind() != &document().kind())
            continue;
        std::vector<std::string> known;
        for (const std::string& id : ids)
            if (findQuantity(*motion.system, id))
                known.push_back(id);
        const double from = std::max(begin, motion.recording->begin());
        const double to = std::min(end, motion.recording->end());
        Samples samples = this->samples(*motion.recording, begin, end, from, to, known);
        Samples earlier = earlierSamples(motion, begin, end, known);
        const Quantity* first = known.empty() ? nullptr : findQuantity(*motion.system, known.front());
        for (std::size_t i = 0; i < known.size(); ++i) {
            const Quantity& quantity = *findQuantity(*motion.system, known[i]);
            ChartLine line;
            line.symbol = quantity.symbol;
            line.right = quantity.unit != first->unit;
            // Alone, a Motion lends its colours to the quantities; among others it keeps its own.
            line.colour = several ? Colour::motion(motion.colour) : Colour::body(static_cast<int>(i));
            line.style = several ? dash(i) : LineStyle::Solid;
            if (several)
                line.label = ", " + motion.label;
            line.id = quantity.id;
            line.unit = quantity.unit;
            if (!earlier.t.empty()) {
                ChartLine past = line;
                past.past = true;
                past.id += "_before";
                past.x = earlier.t;
                past.y = std::move(earlier.columns[i]);
                lines.push_back(std::move(past));
            }
            line.x = samples.t;
            line.y = std::move(samples.columns[i]);
            lines.push_back(std::move(line));
        }
    }
    kept_.tidy();
    return lines;
}

// One piece after the other: states go on where parameters are changed, other quantities may jump.
Samples SeriesView::earlierSamples(const MotionTrack& motion, double begin, double end,
                                   const std::vector<std::string>& ids)
{
    Samples all;
    all.columns.resize(ids.size());
    for (const EarlierTrack& piece : motion.earlier) {
        const Recording& recording = *piece.recording;
        const Samples some = samples(recording, begin, end, std::max(begin, recording.begin()),
                                     std::min(end, piece.until), ids);
        all.t.insert(all.t.end(), some.t.begin(), some.t.end());
        for (std::size_t i = 0; i < ids.size(); ++i)
            all.columns[i].insert(all.columns[i].end(), some.columns[i].begin(), some.columns[i].end());
    }
    return all;
}

Samples SeriesView::samples(const Recording& recording, double begin, double end, double from, double to,
                            const std::vector<std::string>& ids)
{
    Samples samples;
    samples.columns.resize(ids.size());
    if (!(to > from) || ids.empty())
        return samples;
    const double pixels = std::clamp(chart_->area().width(), 2.0, static_cast<double>(mostPoints));
    // The length of the window alone decides the spacing, to the last digit, however it moves.
    const bool wider = end - begin > (1 + 1e-9) * windowLength();
    const double spacing = (wider ? end - begin : windowLength()) / std::max(1.0, std::ceil(pixels) - 1);
    const auto& quantities = recording.system()->quantities();
    std::vector<std::size_t> columns;
    std::string what;
    for (const std::string& id : ids) {
        columns.push_back(
            static_cast<std::size_t>(findQuantity(*recording.system(), id) - quantities.data()));
        what += id + " ";
    }
    State x;
    std::vector<double> all(quantities.size());
    const auto read = [&](double t) {
        Row row{recording.readable(t), {}};
        recording.glimpse(row.t, x);
        recording.system()->evaluate(row.t, x, all);
        for (const std::size_t column : columns)
            row.values.push_back(all[column]);
        return row;
    };
    auto& kept = kept_.of(recording);
    kept.look(recording, spacing, what, from, to,
              [&](std::int64_t k) { return read(static_cast<double>(k) * spacing); });
    const auto add = [&](const Row& row) {
        if (!samples.t.empty() && row.t <= samples.t.back())
            return;
        samples.t.push_back(row.t);
        for (std::size_t c = 0; c < columns.size(); ++c)
            samples.columns[c].push_back(row.values[c]);
    };
    add(read(from));
    for (const Row& row : kept.samples())
        add(row);
    add(read(to));
    return samples;
}

std::vector<ChartLine> SeriesView::differences(double begin, double end)
{
    const auto snapshot = document().snapshot();
    const auto& motions = snapshot->motions;
    const auto other = static_cast<std::size_t>(number("difference", 0));
    std::vector<ChartLine> lines;
    if (other >= motions.size())
        return lines;
    const MotionTrack &a = motions.front(), &b = motions[other];
    const double from = std::max({begin, a.recording->begin(), b.recording->begin()});
    const double to = std::min({end, a.recording->end(), b.recording->end()});
    if (!(to > from))
        return lines;
    std::vector<std::string> ids;
    for (const std::string& id : quantities())
        if (findQuantity(*a.system, id) && findQuantity(*b.system, id))
            ids.push_back(id);
    const Samples p = samples(*a.recording, begin, end, from, to, ids),
                  q = samples(*b.recording, begin, end, from, to, ids);
    kept_.tidy();
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const Quantity& quantity = *findQuantity(*a.system, ids[i]);
        ChartLine line;
        line.symbol = "Δ" + quantity.symbol;
        line.id = "delta_" + quantity.id;
        line.unit = quantity.unit;
        line.colour = Colour::body(static_cast<int>(i));
        line.right = quantity.unit != findQuantity(*a.system, ids.front())->unit;
        line.x = p.t;
        for (std::size_t k = 0; k < p.t.size(); ++k)
            line.y.push_back(wrappedValue(quantity, drawnAt(q, i, p.t[k]) - p.columns[i][k]));
        lines.push_back(std::move(line));
    }
    return lines;
}

// Grows at once, shrinks only when half of it is empty, so that the scale is calm.
void SeriesView::Limits::include(const std::vector<ChartLine>& lines, bool right, Scale scale)
{
    const bool logarithmic = scale == Scale::Logarithmic; // then the limits are exponents
    double least = std::numeric_limits<double>::infinity(), greatest = -least;
    for (const ChartLine& line : lines)
        if (line.right == right)
            for (const double value : line.y)
                if (const double y = logarithmic ? std::log10(value) : value; std::isfinite(y)) {
                    least = std::min(least, y);
                    greatest = std::max(greatest, y);
                }
    if (!(greatest >= least))
        return;
    if (logarithmic) {
        least = std::floor(least);
        greatest = std::max(std::ceil(greatest), least + 1);
        lo = set ? std::min(lo, least) : least;
        hi = set ? std::max(hi, greatest) : greatest;
        set = true;
        return;
    }
    const double size = std::max(std::abs(least), std::abs(greatest));
    const double span = std::max({greatest - least, 1e-3 * size, 1e-12});
    if (set && least >= lo && greatest <= hi && span > 0.45 * (hi - lo))
        return;
    const double pad = 0.08 * span, middle = (least + greatest) / 2;
    lo = middle - span / 2 - pad;
    hi = middle + span / 2 + pad;
    set = true;
}

PlotAxis SeriesView::Limits::axis(Quantity quantity, Scale scale) const
{
    if (scale == Scale::Linear)
        return {std::move(quantity), lo, hi};
    return {std::move(quantity), std::pow(10.0, lo), std::pow(10.0, hi), scale};
}

std::vector<ChartLine> SeriesView::charted(double begin, double end)
{
    std::vector<ChartLine> all = showsDifference() ? differences(begin, end) : sampled(begin, end);
    if (scale() == Scale::Logarithmic)
        for (ChartLine& line : all) {
            line.symbol = "|" + line.symbol + "|";
            for (double& y : line.y)
                y = std::abs(y);
        }
    return all;
}

bool SeriesView::showsDifference() const
{
    return number("difference", 0) >= 1 &&
           number("difference", 0) < static_cast<double>(document().snapshot()->motions.size());
}

std::optional<DataTable> SeriesView::data()
{
    const double t = document().snapshot()->t;
    const double begin = windowBegin(t), end = windowEnd(t);
    return tableOf(charted(begin, end));
}

void SeriesView::keepNow()
{
    setOption("begin", begin_ ? numberText(*begin_) : std::string());
}

void SeriesView::restoreKept()
{
    begin_.reset();
    if (!option("begin").empty())
        begin_ = number("begin", 0);
}

void SeriesView::refresh()
{
    const auto snapshot = document().snapshot();
    const bool difference = showsDifference();
    const double begin = windowBegin(snapshot->t), end = windowEnd(snapshot->t);
    const Scale scale = this->scale();

    std::string key = std::string(difference ? "Δ" : "") + (scale == Scale::Logarithmic ? "log" : "");
    std::vector<const Quantity*> left, right;
    const std::vector<std::string> ids = quantities();
    for (const std::string& id : ids) {
        const Quantity* quantity = findQuantity(*document().system(), id);
        (left.empty() || quantity->unit == left.front()->unit ? left : right).push_back(quantity);
        key += " " + id;
    }
    if (key != scaled_ || forFile()) {
        left_ = right_ = {};
        scaled_ = key;
    }
    const auto setAxes = [&] {
        const std::string prefix = difference ? "Δ" : "";
        std::optional<PlotAxis> rightAxis;
        if (!right.empty())
            rightAxis = right_.axis(axisQuantity(right, prefix), scale);
        chart_->setAxes(timeAxis(begin, end), left_.axis(axisQuantity(left, prefix), scale), rightAxis);
    };
    // How many points are charted follows from the width that the axes leave.
    layout()->activate();
    setAxes();
    const std::vector<ChartLine> lines = charted(begin, end);
    // In a film the scale may grow from frame to frame, but it follows from the time alone.
    if (forFile() && begin > 0) {
        const std::vector<ChartLine> earlier = charted(0, end);
        left_.include(earlier, false, scale);
        right_.include(earlier, true, scale);
    }
    left_.include(lines, false, scale);
    right_.include(lines, true, scale);
    setAxes();
    chart_->setLines(lines);
    legend_->setMotions(chart_->showsLegend() ? std::vector<NamedMotion>() : namedMotions(*snapshot));
    chart_->setCursor(snapshot->t);
    chart_->setForgotten(forgottenBefore(*snapshot));
    chart_->setMessage(ids.empty() ? tr("This system has no quantities to chart.") : QString());
}

// The limits are calm while the clock runs; another size begins anew, as a picture seen for the first time.
void SeriesView::resizeEvent(QResizeEvent* event)
{
    left_ = right_ = {};
    View::resizeEvent(event);
}

QString SeriesView::spoken()
{
    const auto snapshot = document().snapshot();
    QStringList parts{SymbolText::upright(shownValue({"t", "t", "time", "s"}, snapshot->t)).plain()};
    for (const MotionTrack& motion : snapshot->motions) {
        if (!motion.visible || &motion.system->kind() != &document().kind())
            continue;
        QStringList values;
        for (const std::string& id : quantities())
            if (const Quantity* quantity = findQuantity(*motion.system, id))
                values << SymbolText::upright(shownValue(*quantity, valueOf(motion, id))).plain();
        const QString all = values.join(QStringLiteral(", "));
        parts << (snapshot->motions.size() > 1 ? tr("%1: %2").arg(QString::fromStdString(motion.label), all)
                                               : all);
    }
    return parts.join(QStringLiteral("; "));
}

void SeriesView::toggleQuantity(const std::string& id, bool on)
{
    std::vector<std::string> chosen = quantities();
    std::erase(chosen, id);
    if (on)
        chosen.push_back(id);
    setIdList("quantities", chosen);
}

QList<QAction*> SeriesView::makeActions(QObject* owner)
{
    QList<QAction*> actions;
    QMenu* menu = makeMenu(owner, tr("Quantities"));
    const std::vector<std::string> chosen = quantities();
    for (const Quantity& q : document().system()->quantities()) {
        const bool on = std::find(chosen.begin(), chosen.end(), q.id) != chosen.end();
        const QString text =
            tr("%1  %2").arg(SymbolText::symbol(q.symbol).plain(), SymbolText::upright(q.name).plain());
        menu->addAction(
            makeSwitch(owner, text, on, [this, id = q.id](bool checked) { toggleQuantity(id, checked); }));
    }
    actions << menu->menuAction();

    const auto snapshot = document().snapshot();
    if (snapshot->motions.size() > 1) {
        QMenu* difference = makeMenu(owner, tr("Δ Difference"));
        for (std::size_t i = 0; i < snapshot->motions.size(); ++i) {
            const QString text = i == 0
                                     ? tr("None")
                                     : tr("%1 − %2").arg(QString::fromStdString(snapshot->motions[i].label),
                                                         QString::fromStdString(snapshot->motions[0].label));
            difference->addAction(
                makeSwitch(owner, text, number("difference", 0) == static_cast<double>(i),
                           [this, i](bool) { setOption("difference", std::to_string(i)); }));
        }
        actions << difference->menuAction();
    }
    actions << makeSwitch(owner, tr("Logarithmic Scale"), scale() == Scale::Logarithmic,
                          [this](bool on) { setOption("scale", on ? "log" : ""); });
    actions << makeSwitch(owner, tr("Follow the Clock"), follows(), [this](bool on) {
        begin_ = on ? std::nullopt : std::optional(windowBegin(document().snapshot()->t));
        scheduleRefresh();
    });
    QMenu* lengths = makeMenu(owner, tr("Window"));
    for (const int seconds : {2, 5, 10, 20, 60, 200})
        lengths->addAction(
            makeSwitch(owner, tr("%1 s").arg(seconds), windowLength() == seconds,
                       [this, seconds](bool) { setOption("window", std::to_string(seconds)); }));
    actions << lengths->menuAction();
    return actions;
}

} // namespace casimir
