#include "ui/render/symbol_text.h"

#include <QFontMetricsF>
#include <QHash>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

constexpr double scriptSize = 0.72;
constexpr double subscriptDrop = 0.22; // of the font's pixel size
constexpr double superscriptRise = 0.38;

bool isLetter(QChar c)
{
    return c.isLetter();
}

// A run of one letter is a variable; two and more Latin letters in a row are a word (sin, axis).
std::vector<TextRun> split(const QString& text, int script, bool italicLetters)
{
    std::vector<TextRun> runs;
    const auto add = [&](const QString& piece, bool italic) {
        if (!runs.empty() && runs.back().italic == italic)
            runs.back().text += piece;
        else
            runs.push_back({piece, script, italic});
    };
    for (qsizetype i = 0; i < text.size();) {
        qsizetype end = i + 1;
        if (!isLetter(text[i])) {
            while (end < text.size() && !isLetter(text[end]))
                ++end;
            add(text.mid(i, end - i), false);
        } else {
            const bool latin = text[i].unicode() < 0x250;
            qsizetype letters = 1;
            while (end < text.size() &&
                   (text[end].isMark() || (latin && isLetter(text[end]) && text[end].unicode() < 0x250))) {
                letters += text[end].isMark() ? 0 : 1;
                ++end;
            }
            add(text.mid(i, end - i), italicLetters && letters == 1);
        }
        i = end;
    }
    return runs;
}

const QString plainFrom = QStringLiteral("0123456789+-−=()aeoxhklmnpstijruvβγρφχ");
const QString plainSub = QStringLiteral("₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₒₓₕₖₗₘₙₚₛₜᵢⱼᵣᵤᵥᵦᵧᵨᵩᵪ");
const QString plainSuperFrom = QStringLiteral("0123456789+-−=()niTts");
const QString plainSuper = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿⁱᵀᵗˢ");

QString plainScript(const QString& text, int script)
{
    const QString& from = script < 0 ? plainFrom : plainSuperFrom;
    const QString& to = script < 0 ? plainSub : plainSuper;
    QString out;
    for (const QChar c : text) {
        const qsizetype i = from.indexOf(c);
        if (i < 0)
            return (script < 0 ? QStringLiteral("_") : QStringLiteral("^")) + text;
        out += to[i];
    }
    return out;
}

// Runs of one script that differ only in slant belong to one pair of braces.
QString joined(const std::vector<TextRun>& runs, std::size_t& i)
{
    const int script = runs[i].script;
    QString text = runs[i].text;
    while (i + 1 < runs.size() && runs[i + 1].script == script)
        text += runs[++i].text;
    return text;
}

} // namespace

SymbolText SymbolText::parse(std::string_view markup, bool italicLetters)
{
    const QString text = QString::fromUtf8(markup.data(), static_cast<qsizetype>(markup.size()));
    SymbolText result;
    QString line;
    const auto flush = [&](const QString& piece, int script) {
        for (TextRun& run : split(piece, script, italicLetters))
            result.runs_.push_back(std::move(run));
    };
    for (qsizetype i = 0; i < text.size(); ++i) {
        const bool mark = text[i] == u'_' || text[i] == u'^';
        if (!mark || i + 1 == text.size()) {
            line += text[i];
            continue;
        }
        flush(line, 0);
        line.clear();
        const int script = text[i] == u'_' ? -1 : 1;
        if (text[i + 1] == u'{') {
            const qsizetype close = text.indexOf(u'}', i);
            const qsizetype end = close < 0 ? text.size() : close;
            flush(text.mid(i + 2, end - i - 2), script);
            i = end;
        } else {
            flush(text.mid(i + 1, 1), script);
            ++i;
        }
    }
    flush(line, 0);
    return result;
}

SymbolText SymbolText::symbol(std::string_view markup)
{
    return parse(markup, true);
}

SymbolText SymbolText::upright(std::string_view markup)
{
    return parse(markup, false);
}

SymbolText SymbolText::quantity(const Quantity& quantity)
{
    SymbolText text = symbol(quantity.symbol);
    if (!quantity.unit.empty())
        text += upright(" (") + upright(quantity.unit) + upright(")");
    return text;
}

SymbolText& SymbolText::operator+=(const SymbolText& other)
{
    runs_.insert(runs_.end(), other.runs_.begin(), other.runs_.end());
    return *this;
}

QString SymbolText::markup() const
{
    QString out;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const int script = runs_[i].script;
        const QString text = joined(runs_, i);
        if (script == 0)
            out += text;
        else
            out += (script < 0 ? QStringLiteral("_") : QStringLiteral("^")) +
                   (text.size() == 1 ? text : QStringLiteral("{") + text + QStringLiteral("}"));
    }
    return out;
}

QString SymbolText::html() const
{
    QString out;
    for (const TextRun& run : runs_) {
        QString text = run.text.toHtmlEscaped();
        if (run.italic)
            text = QStringLiteral("<i>") + text + QStringLiteral("</i>");
        if (run.script != 0) {
            const QString tag = run.script < 0 ? QStringLiteral("sub") : QStringLiteral("sup");
            text = QStringLiteral("<") + tag + QStringLiteral(">") + text + QStringLiteral("</") + tag +
                   QStringLiteral(">");
        }
        out += text;
    }
    return out;
}

QString SymbolText::plain() const
{
    QString out;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
        const int script = runs_[i].script;
        const QString text = joined(runs_, i);
        out += script == 0 ? text : plainScript(text, script);
    }
    return out;
}

template <class Place>
double SymbolText::layOut(const QFont& font, Place place) const
{
    const double size = font.pixelSize() > 0 ? font.pixelSize() : QFontMetricsF(font).height() * 0.8;
    double x = 0, scriptsStart = 0, scriptsEnd = 0;
    int before = 0;
    for (const TextRun& run : runs_) {
        QFont f = font;
        f.setItalic(run.italic);
        if (run.script != 0)
            f.setPixelSize(std::max(1, static_cast<int>(std::lround(size * scriptSize))));
        // A superscript right after a subscript stands above it, and the other way round.
        if (run.script != 0 && before == 0)
            scriptsStart = x;
        if (run.script != 0 && before == -run.script) {
            scriptsEnd = std::max(scriptsEnd, x);
            x = scriptsStart;
        }
        if (run.script == 0)
            x = std::max(x, scriptsEnd);
        place(run, f, x,
              run.script < 0   ? subscriptDrop * size
              : run.script > 0 ? -superscriptRise * size
                               : 0);
        x += QFontMetricsF(f).horizontalAdvance(run.text);
        if (run.script == 0)
            scriptsEnd = x;
        before = run.script;
    }
    return std::max(x, scriptsEnd);
}

QRectF SymbolText::boundingRect(const QFont& font) const
{
    const QFontMetricsF metrics(font);
    return {0, -metrics.ascent(), layOut(font, [](const TextRun&, const QFont&, double, double) {}),
            metrics.height()};
}

QRectF SymbolText::draw(QPainter& painter, QPointF at, Qt::Alignment alignment, const QFont& font,
                        const QColor& colour) const
{
    const QRectF box = boundingRect(font);
    // Capitals and digits fill the part between the base line and the cap height; centring that, not the
    // font's box, makes tick labels stand level with their ticks.
    const double cap = QFontMetricsF(font).capHeight();
    double x = at.x(), y = at.y();
    if (alignment & Qt::AlignRight)
        x -= box.width();
    else if (alignment & Qt::AlignHCenter)
        x -= box.width() / 2;
    if (alignment & Qt::AlignTop)
        y -= box.top();
    else if (alignment & Qt::AlignBottom)
        y -= box.bottom();
    else if (alignment & Qt::AlignVCenter)
        y += cap / 2;
    painter.save();
    painter.setPen(colour);
    layOut(font, [&](const TextRun& run, const QFont& f, double dx, double dy) {
        painter.setFont(f);
        painter.drawText(QPointF(x + dx, y + dy), run.text);
    });
    painter.restore();
    return box.translated(x, y);
}

} // namespace casimir
