// SymbolText: text in the markup of Quantity ("μ_1", "I_{axis}", "kg m^2") and its three forms: HTML for
// labels and tooltips, plain Unicode where nothing else is possible, and drawn by a painter with real sub-
// and superscripts. Letters that stand for quantities are italic; digits, words of several letters and units
// are upright.
#pragma once

#include "core/model/quantity.h"

#include <QColor>
#include <QFont>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <string_view>
#include <vector>

class QPainter;

namespace casimir {

struct TextRun {
    QString text;
    int script = 0; // -1 subscript, 0 on the line, +1 superscript
    bool italic = false;
    bool operator==(const TextRun&) const = default;
};

class SymbolText {
public:
    SymbolText() = default;
    static SymbolText symbol(std::string_view markup);    // letters italic
    static SymbolText upright(std::string_view markup);   // units, words, tick labels
    static SymbolText quantity(const Quantity& quantity); // "ν (N m s)": symbol italic, unit upright

    bool isEmpty() const { return runs_.empty(); }
    const std::vector<TextRun>& runs() const { return runs_; }
    SymbolText& operator+=(const SymbolText& other);
    friend SymbolText operator+(SymbolText a, const SymbolText& b) { return a += b; }

    QString markup() const; // what the text was made from, braces only where needed
    QString html() const;
    QString plain() const; // "μ₁", "I_axis"

    // The box the text takes, its left end on the base line at (0, 0); the height is that of the font,
    // whatever the letters.
    QRectF boundingRect(const QFont& font) const;
    // Draws with the point `at` at the side or corner of the box that `alignment` names (AlignLeft |
    // AlignBaseline puts the start of the base line there) and returns the box. Text stays text in SVG and
    // PDF.
    QRectF draw(QPainter& painter, QPointF at, Qt::Alignment alignment, const QFont& font,
                const QColor& colour) const;

private:
    static SymbolText parse(std::string_view markup, bool italicLetters);
    // Calls place(run, font, x, baseline shift) for each run and returns the width.
    template <class Place>
    double layOut(const QFont& font, Place place) const;
    std::vector<TextRun> runs_;
};

} // namespace casimir
