#include "ui/panels/panel_parts.h"

#include "core/analysis/equilibria_table.h"
#include "core/base/number_text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace casimir {

void dress(QWidget& panel, const Theme& theme)
{
    QPalette palette = theme.palette();
    palette.setColor(QPalette::Window, theme.panel());
    panel.setPalette(palette);
    panel.setFont(theme.font());
    panel.setAutoFillBackground(true);
    for (QLabel* label : panel.findChildren<QLabel*>()) {
        const bool refusal = label->property("refusal").toBool(), muted = label->property("muted").toBool();
        if (!refusal && !muted)
            continue;
        QPalette own = palette;
        own.setColor(QPalette::WindowText, refusal ? theme.colour({Role::Unstable}) : theme.mutedText());
        label->setPalette(own);
    }
}

SymbolLabel::SymbolLabel(QWidget* parent) : QWidget(parent)
{
    setTheme(theme_);
}

void SymbolLabel::setText(const SymbolText& text)
{
    text_ = text;
    updateGeometry();
    update();
}

void SymbolLabel::setTheme(const Theme& theme, Theme::Text size)
{
    theme_ = theme;
    font_ = theme.font(size);
    updateGeometry();
    update();
}

void SymbolLabel::setMuted(bool muted)
{
    muted_ = muted;
    update();
}

QSize SymbolLabel::sizeHint() const
{
    const QRectF box = text_.boundingRect(font_);
    return {static_cast<int>(std::ceil(box.width())) + 2, static_cast<int>(std::ceil(box.height()))};
}

void SymbolLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    text_.draw(painter, QPointF(0, height() / 2.0), Qt::AlignLeft | Qt::AlignVCenter, font_,
               muted_ ? theme_.mutedText() : theme_.text());
}

void SymbolLabel::mouseDoubleClickEvent(QMouseEvent*)
{
    Q_EMIT doubleClicked();
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(text, parent)
{
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

QSize ElidedLabel::minimumSizeHint() const
{
    return {0, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(rect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, width()));
}

CalmComboBox::CalmComboBox(QWidget* parent) : QComboBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
}

QSize CalmComboBox::minimumSizeHint() const
{
    return {fontMetrics().horizontalAdvance(QStringLiteral("00000000")),
            QComboBox::minimumSizeHint().height()};
}

void CalmComboBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QComboBox::wheelEvent(event);
    else
        event->ignore();
}

WholeNumberBox::WholeNumberBox(QWidget* parent) : QSpinBox(parent)
{
    setFocusPolicy(Qt::StrongFocus);
}

void WholeNumberBox::wheelEvent(QWheelEvent* event)
{
    if (hasFocus())
        QSpinBox::wheelEvent(event);
    else
        event->ignore();
}

void drawGlyph(QPainter& painter, Glyph glyph, const QRectF& box, const QColor& colour)
{
    // Drawn on a square from 0 to 16.
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(box.topLeft());
    painter.scale(box.width() / 16, box.height() / 16);
    QPen pen(colour, 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin);
    const auto triangle = [&](double base, double tip) {
        painter.setPen(QPen(colour, 1, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF({{base, 3.5}, {base, 12.5}, {tip, 8}}));
    };
    const auto bar = [&](double x) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(x - 1, 3, 2, 10), 0.6, 0.6);
    };
    painter.setBrush(Qt::NoBrush);
    painter.setPen(pen);
    switch (glyph) {
    case Glyph::ToStart:
        bar(4);
        triangle(12.5, 6);
        break;
    case Glyph::StepBack:
        bar(12);
        triangle(9.5, 3);
        break;
    case Glyph::PlayBack:
        triangle(12, 4);
        break;
    case Glyph::Play:
        triangle(4, 12);
        break;
    case Glyph::Pause:
        bar(5.5);
        bar(10.5);
        break;
    case Glyph::Step:
        bar(4);
        triangle(6.5, 13);
        break;
    case Glyph::Loop: {
        painter.drawArc(QRectF(3, 3, 10, 10), 35 * 16, 290 * 16);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawPolygon(QPolygonF({{14.6, 8.6}, {9.6, 7.4}, {13.2, 3.6}}));
        break;
    }
    case Glyph::Plus:
        painter.drawLine(QPointF(8, 3.5), QPointF(8, 12.5));
        painter.drawLine(QPointF(3.5, 8), QPointF(12.5, 8));
        break;
    case Glyph::Minus:
        painter.drawLine(QPointF(3.5, 8), QPointF(12.5, 8));
        break;
    case Glyph::Copy:
        pen.setWidthF(1.2);
        painter.setPen(pen);
        painter.drawRoundedRect(QRectF(5.5, 2.5, 8, 9), 1.2, 1.2);
        painter.drawPolyline(QPolygonF({{3, 5}, {3, 13.5}, {10.5, 13.5}}));
        break;
    case Glyph::More:
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        for (const double x : {3.5, 8.0, 12.5})
            painter.drawEllipse(QPointF(x, 8), 1.3, 1.3);
        break;
    case Glyph::Link:
        pen.setWidthF(1.3);
        painter.setPen(pen);
        painter.drawRoundedRect(QRectF(1.5, 5.5, 7.5, 5), 2.5, 2.5);
        painter.drawRoundedRect(QRectF(7, 5.5, 7.5, 5), 2.5, 2.5);
        break;
    case Glyph::Near:
        pen.setWidthF(1.3);
        painter.setPen(pen);
        painter.drawLine(QPointF(3, 13), QPointF(12, 4));
        painter.drawPolyline(QPolygonF({{7.5, 3.5}, {12.5, 3.5}, {12.5, 8.5}}));
        break;
    }
    painter.restore();
}

GlyphButton::GlyphButton(Glyph glyph, const QString& name, QWidget* parent)
    : QToolButton(parent), glyph_(glyph)
{
    setToolTip(name);
    setAccessibleName(name);
    setAutoRaise(true);
}

void GlyphButton::setGlyph(Glyph glyph)
{
    if (glyph_ == glyph)
        return;
    glyph_ = glyph;
    update();
}

void GlyphButton::setTheme(const Theme& theme)
{
    theme_ = theme;
    updateGeometry();
    update();
}

QSize GlyphButton::sizeHint() const
{
    const int side = static_cast<int>(std::lround(theme_.px(26)));
    return {side, side};
}

void GlyphButton::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor ink = !isEnabled() ? theme_.axis() : isChecked() ? theme_.accent() : theme_.text();
    if (isDown() || isChecked() || (underMouse() && isEnabled()) || hasFocus()) {
        painter.setPen(hasFocus() ? QPen(theme_.accent(), theme_.px(1)) : QPen(Qt::NoPen));
        painter.setBrush(
            mix(theme_.panel(), isChecked() ? theme_.accent() : theme_.text(), isDown() ? 0.18 : 0.09));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), theme_.px(4), theme_.px(4));
    }
    const double side = theme_.px(16);
    drawGlyph(painter, glyph_, QRectF((width() - side) / 2, (height() - side) / 2, side, side), ink);
}

FactList::FactList(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void FactList::setSymbols(bool symbols)
{
    symbols_ = symbols;
}

void FactList::setFacts(const std::vector<Fact>& facts)
{
    const std::size_t before = rows_.size();
    rows_.clear();
    QStringList full;
    for (const Fact& fact : facts) {
        Row row;
        const SymbolText name = SymbolText::upright(fact.quantity.name);
        row.name =
            symbols_ && !fact.quantity.symbol.empty() ? SymbolText::symbol(fact.quantity.symbol) : name;
        row.value = SymbolText::upright(factText(fact, 5) +
                                        (fact.quantity.unit.empty() ? "" : " " + fact.quantity.unit));
        row.full = name.plain() + QStringLiteral(" = ") + QString::fromStdString(factText(fact, 0)) +
                   QLatin1Char(' ') + QString::fromStdString(fact.quantity.unit);
        rows_.push_back(std::move(row));
        full += rows_.back().full.trimmed();
    }
    setToolTip(full.join(QLatin1Char('\n')));
    if (rows_.size() != before)
        updateGeometry();
    update();
}

void FactList::setTheme(const Theme& theme)
{
    theme_ = theme;
    updateGeometry();
    update();
}

void FactList::setDimmed(bool dimmed)
{
    if (dimmed_ == dimmed)
        return;
    dimmed_ = dimmed;
    update();
}

QString FactList::text() const
{
    return toolTip();
}

double FactList::lineHeight() const
{
    return std::ceil(QFontMetricsF(theme_.font()).height() + theme_.px(3));
}

QSize FactList::sizeHint() const
{
    return {static_cast<int>(theme_.px(220)),
            static_cast<int>(lineHeight() * static_cast<double>(rows_.size()))};
}

QSize FactList::minimumSizeHint() const
{
    return {static_cast<int>(theme_.px(160)), sizeHint().height()};
}

void FactList::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (dimmed_)
        painter.setOpacity(0.45);
    const QFont font = theme_.font();
    const QFontMetricsF metrics(font);
    double widest = 0, widestValue = 0;
    for (const Row& row : rows_) {
        widest = std::max(widest, row.name.boundingRect(font).width());
        widestValue = std::max(widestValue, row.value.boundingRect(font).width());
    }
    const double gap = theme_.px(12);
    const double column = std::max(0.0, std::min(widest + gap, width() - widestValue));
    double y = 0;
    painter.setFont(font);
    for (const Row& row : rows_) {
        const double room = std::max(0.0, column - theme_.px(6)), middle = y + lineHeight() / 2;
        if (row.name.boundingRect(font).width() <= room)
            row.name.draw(painter, QPointF(0, middle), Qt::AlignLeft | Qt::AlignVCenter, font,
                          theme_.mutedText());
        else
            SymbolText::upright(metrics.elidedText(row.name.plain(), Qt::ElideRight, room).toStdString())
                .draw(painter, QPointF(0, middle), Qt::AlignLeft | Qt::AlignVCenter, font,
                      theme_.mutedText());
        row.value.draw(painter, QPointF(column, middle), Qt::AlignLeft | Qt::AlignVCenter, font,
                       theme_.text());
        y += lineHeight();
    }
}

Role verdictRole(const std::string& stability)
{
    if (stability == verdict::stable || stability == verdict::asymptoticallyStable)
        return Role::Stable;
    return stability == verdict::unstable ? Role::Unstable : Role::Undecided;
}

void drawVerdict(QPainter& painter, Role role, QPointF centre, double radius, const QColor& colour)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.translate(centre);
    if (role == Role::Stable) {
        painter.drawEllipse(QPointF(), radius, radius);
    } else if (role == Role::Unstable) {
        painter.setPen(QPen(colour, radius * 0.75, Qt::SolidLine, Qt::FlatCap));
        const double r = radius * 0.85;
        painter.drawLine(QPointF(-r, -r), QPointF(r, r));
        painter.drawLine(QPointF(-r, r), QPointF(r, -r));
    } else {
        painter.rotate(45);
        const double r = radius * 0.85;
        painter.drawRect(QRectF(-r, -r, 2 * r, 2 * r));
    }
    painter.restore();
}

namespace {

class EscapeFilter : public QObject {
public:
    EscapeFilter(QLineEdit& line, std::function<void()> restore)
        : QObject(&line), line_(line), restore_(std::move(restore))
    {
        line.installEventFilter(this);
    }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::KeyPress || static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape)
            return false;
        line_.setModified(false);
        restore_();
        line_.clearFocus();
        return true;
    }

private:
    QLineEdit& line_;
    std::function<void()> restore_;
};

} // namespace

void leaveOnEnterOrEscape(QLineEdit& line, std::function<void()> restore, std::function<bool()> refused)
{
    new EscapeFilter(line, std::move(restore));
    QObject::connect(&line, &QLineEdit::returnPressed, &line, [&line, refused = std::move(refused)] {
        if (!refused || !refused())
            line.clearFocus();
    });
}

} // namespace casimir
