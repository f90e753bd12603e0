// The small parts that panels are made of: labels that typeset or shorten, buttons with drawn signs, aligned
// lists of facts, and the one way a panel takes on a Theme. Nothing here knows the Document.
#pragma once

#include "core/model/analysis.h"
#include "ui/render/symbol_text.h"
#include "ui/render/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>
#include <QWidget>

#include <functional>
#include <vector>

namespace casimir {

// Palette and font of a panel and everything in it; labels with the property "muted" or "refusal" take that
// colour. To be called again when labels were added.
void dress(QWidget& panel, const Theme& theme);

// A line of typeset text.
class SymbolLabel : public QWidget {
    Q_OBJECT

public:
    explicit SymbolLabel(QWidget* parent = nullptr);
    void setText(const SymbolText& text);
    void setTheme(const Theme& theme, Theme::Text size = Theme::Text::Symbol);
    void setMuted(bool muted);
    QSize sizeHint() const override;

Q_SIGNALS:
    void doubleClicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    SymbolText text_;
    Theme theme_;
    QFont font_;
    bool muted_ = false;
};

// One line of text that shows as much of itself as there is room for.
class ElidedLabel : public QLabel {
    Q_OBJECT

public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

// Boxes that leave the wheel to the panel's scrolling until they have the focus.
class CalmComboBox : public QComboBox {
    Q_OBJECT

public:
    explicit CalmComboBox(QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

protected:
    void wheelEvent(QWheelEvent* event) override;
};

class WholeNumberBox : public QSpinBox {
    Q_OBJECT

public:
    explicit WholeNumberBox(QWidget* parent = nullptr);

protected:
    void wheelEvent(QWheelEvent* event) override;
};

// Enter leaves the line unless what was typed is refused and can be mended there, Escape too, after `restore`
// has brought back what was there before; the window gives the keys to the view that had them.
void leaveOnEnterOrEscape(QLineEdit& line, std::function<void()> restore, std::function<bool()> refused = {});

enum class Glyph {
    ToStart,
    StepBack,
    PlayBack,
    Play,
    Pause,
    Step,
    Loop,
    Plus,
    Minus,
    Copy,
    More,
    Link,
    Near
};

void drawGlyph(QPainter& painter, Glyph glyph, const QRectF& box, const QColor& colour);

// A flat button with a sign that stays sharp at every scale.
class GlyphButton : public QToolButton {
    Q_OBJECT

public:
    GlyphButton(Glyph glyph, const QString& name, QWidget* parent = nullptr);
    void setGlyph(Glyph glyph);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Glyph glyph_;
    Theme theme_;
};

// Names left, values right of them, in two aligned columns.
class FactList : public QWidget {
    Q_OBJECT

public:
    explicit FactList(QWidget* parent = nullptr);
    void setSymbols(bool symbols); // in the place of names, from the next facts on
    void setFacts(const std::vector<Fact>& facts);
    void setTheme(const Theme& theme);
    void setDimmed(bool dimmed);
    QString text() const; // one fact a line, in full precision
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Row {
        SymbolText name, value;
        QString full;
    };
    double lineHeight() const;

    bool symbols_ = false;
    std::vector<Row> rows_;
    Theme theme_;
    bool dimmed_ = false;
};

// "unstable" and its like: the shape and colour that stand for it in every view.
Role verdictRole(const std::string& stability);
void drawVerdict(QPainter& painter, Role role, QPointF centre, double radius, const QColor& colour);

} // namespace casimir
