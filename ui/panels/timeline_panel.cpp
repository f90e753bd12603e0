#include "ui/panels/timeline_panel.h"

#include "core/base/error.h"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

// A lag that a person would notice; less is the rhythm of publication.
constexpr double noticeableLag = 0.1;

const QString speedUnit = QStringLiteral("×");

QString clockText(double t)
{
    return QString::number(t + 0.0, 'f', 2).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

ScrubBar::ScrubBar(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("scrub"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setCursor(Qt::PointingHandCursor);
}

void ScrubBar::setTheme(const Theme& theme)
{
    theme_ = theme;
    updateGeometry();
    update();
}

QSize ScrubBar::sizeHint() const
{
    return {static_cast<int>(theme_.px(400)), static_cast<int>(theme_.px(40))};
}

QSize ScrubBar::minimumSizeHint() const
{
    return {static_cast<int>(theme_.px(90)), sizeHint().height()};
}

void ScrubBar::setTimes(double first, double last, double recordedFrom, double recordedTo, double now)
{
    now_ = now;
    from_ = recordedFrom;
    to_ = recordedTo;
    // Under the hand the bar keeps its ends, or the time below the pointer would run away.
    if (!dragging_) {
        first_ = first;
        last_ = last > first ? last : first + 1;
    }
    update();
}

void ScrubBar::setMessage(const QString& message, bool warning)
{
    if (message_ == message && warning_ == warning)
        return;
    message_ = message;
    warning_ = warning;
    setToolTip(message);
    update();
}

double ScrubBar::timeAt(double x) const
{
    const double r = theme_.px(7);
    return first_ + std::clamp((x - r) / std::max(1.0, width() - 2 * r), 0.0, 1.0) * (last_ - first_);
}

double ScrubBar::placeOf(double t) const
{
    const double r = theme_.px(7);
    return r + std::clamp((t - first_) / (last_ - first_), 0.0, 1.0) * (width() - 2 * r);
}

double ScrubBar::grooveY() const
{
    return height() / 2.0;
}

void ScrubBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double y = grooveY();
    const auto bar = [&](double from, double to, const QColor& colour) {
        painter.setPen(QPen(colour, theme_.px(4), Qt::SolidLine, Qt::RoundCap));
        painter.drawLine(QPointF(placeOf(from), y), QPointF(placeOf(to), y));
    };
    bar(first_, last_, mix(theme_.panel(), theme_.text(), theme_.isDark() ? 0.20 : 0.12));
    if (to_ > from_)
        bar(from_, to_, mix(theme_.panel(), theme_.accent(), 0.40));
    if (now_ != 0)
        bar(std::min(0.0, now_), std::max(0.0, now_), theme_.accent());
    if (first_ < 0) {
        painter.setPen(QPen(theme_.mutedText(), theme_.px(1)));
        painter.drawLine(QPointF(placeOf(0), y - theme_.px(7)), QPointF(placeOf(0), y + theme_.px(7)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(dragging_ || underMouse() ? mix(theme_.accent(), theme_.text(), 0.18) : theme_.accent());
    painter.drawEllipse(QPointF(placeOf(now_), y), theme_.px(6), theme_.px(6));
    if (message_.isEmpty())
        return;
    const QFont font = theme_.font(Theme::Text::Small);
    painter.setFont(font);
    painter.setPen(warning_ ? theme_.colour({Role::Unstable}) : theme_.mutedText());
    const QRectF line(theme_.px(4), y + theme_.px(6), width() - theme_.px(8), height() - y - theme_.px(6));
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter,
                     QFontMetricsF(font).elidedText(message_, Qt::ElideRight, line.width()));
}

void ScrubBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return event->ignore();
    dragging_ = true;
    Q_EMIT grabbed();
    Q_EMIT scrubbed(timeAt(event->position().x()));
    update();
}

void ScrubBar::mouseMoveEvent(QMouseEvent* event)
{
    if (dragging_)
        Q_EMIT scrubbed(timeAt(event->position().x()));
}

void ScrubBar::mouseReleaseEvent(QMouseEvent* event)
{
    if (!dragging_ || event->button() != Qt::LeftButton)
        return;
    dragging_ = false;
    update();
    Q_EMIT released();
}

TimelinePanel::TimelinePanel(Document& document, QWidget* parent) : QWidget(parent), document_(document)
{
    setObjectName(QStringLiteral("timeline"));
    const auto button = [this](Glyph glyph, const QString& tip, const char* name) {
        auto* b = new GlyphButton(glyph, tip, this);
        b->setObjectName(QString::fromLatin1(name));
        b->setFocusPolicy(Qt::TabFocus);
        return b;
    };
    toStart_ = button(Glyph::ToStart, tr("To the start"), "to-start");
    back_ = button(Glyph::StepBack, tr("Step back"), "step-back");
    reverse_ = button(Glyph::PlayBack, tr("Play backwards in time"), "play-reverse");
    play_ = button(Glyph::Play, tr("Play"), "play");
    forward_ = button(Glyph::Step, tr("Step"), "step");
    loop_ = button(Glyph::Loop, tr("Begin again at the end"), "loop");
    loop_->setCheckable(true);

    speedSlider_ = new ValueSlider(this);
    speedSlider_->setObjectName(QStringLiteral("speed-slider"));
    speedSlider_->setAccessibleName(tr("Speed"));
    speedSlider_->setLimits(Simulation::kSlowest, Simulation::kFastest, Scale::Logarithmic);
    speedSlider_->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    speedSlider_->setToolTip(tr("Seconds of motion per second of clock; double-click for 1"));
    speed_ = new NumberField(this);
    speed_->setObjectName(QStringLiteral("speed"));
    speed_->setAccessibleName(tr("Speed"));
    speed_->setUnit(speedUnit);
    speed_->setDigits(3);
    speed_->setToolTip(speedSlider_->toolTip());
    scrub_ = new ScrubBar(this);
    time_ = new QLabel(this);
    time_->setObjectName(QStringLiteral("time"));
    time_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    end_ = new NumberField(this);
    end_->setObjectName(QStringLiteral("time-end"));
    end_->setUnit(QStringLiteral("s"));
    end_->setDigits(4);
    end_->setAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    end_->setAccessibleName(tr("End of the loop"));
    end_->setToolTip(tr("How far the timeline reaches, and where a loop begins again"));

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 2, 10, 2);
    layout->setSpacing(2);
    for (GlyphButton* b : {toStart_, back_, reverse_, play_, forward_})
        layout->addWidget(b);
    layout->addSpacing(10);
    layout->addWidget(speed_);
    layout->addWidget(speedSlider_);
    layout->addSpacing(8);
    layout->addWidget(scrub_, 1);
    layout->addSpacing(6);
    layout->addWidget(time_);
    layout->addWidget(new QLabel(QStringLiteral(" /"), this));
    layout->addWidget(end_);
    layout->addWidget(loop_);

    connect(toStart_, &QToolButton::clicked, this, [this] { document_.backToStart(); });
    connect(back_, &QToolButton::clicked, this, [this] { document_.simulation().step(-1); });
    connect(forward_, &QToolButton::clicked, this, [this] { document_.simulation().step(1); });
    connect(reverse_, &QToolButton::clicked, this, [this] { play(true); });
    connect(play_, &QToolButton::clicked, this, [this] { play(false); });
    for (GlyphButton* b : {back_, forward_}) {
        b->setAutoRepeat(true);
        b->setAutoRepeatInterval(40);
    }
    connect(loop_, &QToolButton::clicked, this, [this](bool on) {
        RunOptions run = document_.session().run;
        run.loop = on;
        document_.setRun(run);
    });
    connect(speedSlider_, &ValueSlider::dragged, this, [this](double x) {
        // The natural pace is easy to hit.
        setSpeed(std::abs(std::log(x)) < 0.12 ? 1 : x);
    });
    connect(speedSlider_, &ValueSlider::stepped, this, &TimelinePanel::setSpeed);
    connect(speedSlider_, &ValueSlider::defaultAsked, this, [this] { setSpeed(1); });
    connect(speed_, &NumberField::committed, this, [this](const QString& text) {
        try {
            const double x = parseNumber(QString(text).remove(speedUnit).toStdString());
            setSpeed(std::clamp(x, Simulation::kSlowest, Simulation::kFastest));
        } catch (const Error&) {
            speed_->restore();
        }
    });
    connect(end_, &NumberField::committed, this, [this](const QString& text) {
        try {
            const double x = parseNumber(text.toStdString(), "s");
            if (!(x > 0))
                return end_->restore();
            RunOptions run = document_.session().run;
            run.tEnd = x;
            document_.setRun(run);
            end_->restore();
        } catch (const Error&) {
            end_->restore();
        }
    });
    connect(scrub_, &ScrubBar::grabbed, this, [this] {
        resume_ = document_.snapshot()->playing;
        if (resume_)
            document_.simulation().pause();
    });
    connect(scrub_, &ScrubBar::scrubbed, this, [this](double t) { document_.simulation().seek(t); });
    connect(scrub_, &ScrubBar::released, this, [this] {
        if (resume_)
            document_.simulation().play();
    });
    connect(&document_, &Document::snapshotChanged, this, &TimelinePanel::refresh);
    connect(&document_, &Document::sessionChanged, this, &TimelinePanel::refreshRun);
    connect(&document_, &Document::optionsChanged, this, &TimelinePanel::refreshRun);
    setTheme(theme_);
    refreshRun();
}

void TimelinePanel::setTheme(const Theme& theme)
{
    theme_ = theme;
    dress(*this, theme);
    for (GlyphButton* b : {toStart_, back_, reverse_, play_, forward_, loop_})
        b->setTheme(theme);
    speedSlider_->setTheme(theme);
    speedSlider_->setFixedWidth(static_cast<int>(theme.px(72)));
    scrub_->setTheme(theme);
    const QFontMetrics metrics(theme.font());
    time_->setFont(theme.font());
    time_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("−0000.00 s")) + 2);
    speed_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("0.001 ×")) + 10);
    end_->setFixedWidth(metrics.horizontalAdvance(QStringLiteral("1000 s")) + 12);
}

void TimelinePanel::play(bool reverse)
{
    const auto snapshot = document_.snapshot();
    if (snapshot->playing && snapshot->reverse == reverse)
        return document_.simulation().pause();
    document_.simulation().setReverse(reverse);
    document_.simulation().play();
}

void TimelinePanel::setSpeed(double speed)
{
    RunOptions run = document_.session().run;
    run.speed = speed;
    document_.setRun(run);
    speed_->restore();
}

void TimelinePanel::refreshRun()
{
    loop_->setChecked(document_.session().run.loop);
    end_->setValue(document_.session().run.tEnd);
    refresh();
}

void TimelinePanel::refresh()
{
    const auto snapshot = document_.snapshot();
    reverse_->setGlyph(snapshot->playing && snapshot->reverse ? Glyph::Pause : Glyph::PlayBack);
    play_->setGlyph(snapshot->playing && !snapshot->reverse ? Glyph::Pause : Glyph::Play);
    speedSlider_->setNumber(document_.session().run.speed);
    speed_->setValue(document_.session().run.speed);
    time_->setText(clockText(snapshot->t) + QStringLiteral(" s"));

    double begin = 0, end = 0;
    QString ended;
    for (const MotionTrack& track : snapshot->motions) {
        if (track.recording) {
            begin = std::min(begin, track.recording->begin());
            end = std::max(end, track.recording->end());
        }
        if (!track.status.ok() && ended.isEmpty())
            ended = snapshot->motions.size() > 1
                        ? tr("%1: %2").arg(QString::fromStdString(track.label),
                                           QString::fromStdString(track.status.sentence))
                        : QString::fromStdString(track.status.sentence);
    }
    // An integration looks ahead of the clock; the timeline reaches as far as somebody has been or asked to
    // go.
    const double last = std::max({document_.session().run.tEnd, snapshot->t});
    scrub_->setTimes(std::min(begin, snapshot->t), last, begin, std::min(end, last), snapshot->t);
    if (!ended.isEmpty())
        scrub_->setMessage(SymbolText::upright(ended.toStdString()).plain(), true);
    else if (!snapshot->status.ok())
        scrub_->setMessage(QString::fromStdString(snapshot->status.sentence), true);
    else if (snapshot->lag > noticeableLag)
        scrub_->setMessage(tr("behind by %1 s").arg(snapshot->lag, 0, 'f', 1), true);
    else if (snapshot->t > document_.session().run.tEnd)
        scrub_->setMessage(tr("beyond the end of the run"), false);
    else
        scrub_->setMessage({}, false);
}

} // namespace casimir
