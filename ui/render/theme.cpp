#include "ui/render/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir {

namespace {

// Okabe and Ito, "Color universal design" (2008), and the same hues lifted for a dark background.
struct Hues {
    QRgb orange, sky, green, yellow, blue, vermillion, purple;
};
constexpr Hues onLight{0xffe69f00, 0xff56b4e9, 0xff009e73, 0xffd9c400, 0xff0072b2, 0xffd55e00, 0xffcc79a7};
constexpr Hues onDark{0xfff0b030, 0xff6fc3f2, 0xff22b88c, 0xfff0e442, 0xff3d9be0, 0xfff07a2a, 0xffdf95bd};

// Nuñez, Anderton and Renslow's cividis at ten equidistant places, linear between them: an approximation.
constexpr std::array<QRgb, 10> cividis{0xff00224e, 0xff123570, 0xff3b496c, 0xff575d6d, 0xff707173,
                                       0xff8a8678, 0xffa59c74, 0xffc3b369, 0xffe1cc55, 0xfffee838};

QColor fromTable(double t)
{
    const double place = std::clamp(t, 0.0, 1.0) * (cividis.size() - 1);
    const std::size_t i = std::min<std::size_t>(static_cast<std::size_t>(place), cividis.size() - 2);
    return mix(QColor(cividis[i]), QColor(cividis[i + 1]), place - static_cast<double>(i));
}

template <std::size_t N>
QColor pick(const std::array<QRgb, N>& colours, int index)
{
    const int n = static_cast<int>(N);
    return QColor(colours[static_cast<std::size_t>(((index % n) + n) % n)]);
}

} // namespace

QColor mix(const QColor& a, const QColor& b, double t)
{
    const auto blend = [t](float x, float y) {
        return static_cast<float>(std::clamp(x + (y - x) * t, 0.0, 1.0));
    };
    return QColor::fromRgbF(blend(a.redF(), b.redF()), blend(a.greenF(), b.greenF()),
                            blend(a.blueF(), b.blueF()), blend(a.alphaF(), b.alphaF()));
}

QColor fainter(const QColor& colour, const Theme& theme)
{
    return mix(colour, theme.background(), 0.6);
}

Theme::Theme(Kind kind, double scale) : kind_(kind), scale_(scale) {}

QColor Theme::window() const
{
    return isDark()               ? QColor(0x15, 0x18, 0x1e)
           : kind_ == Kind::Print ? QColor(Qt::white)
                                  : QColor(0xee, 0xf0, 0xf3);
}

QColor Theme::background() const
{
    return isDark() ? QColor(0x1c, 0x20, 0x28) : QColor(Qt::white);
}

QColor Theme::panel() const
{
    return isDark() ? QColor(0x24, 0x29, 0x33) : QColor(Qt::white);
}

QColor Theme::text() const
{
    return isDark()               ? QColor(0xe6, 0xe9, 0xee)
           : kind_ == Kind::Print ? QColor(Qt::black)
                                  : QColor(0x1f, 0x24, 0x2e);
}

QColor Theme::mutedText() const
{
    return isDark()               ? QColor(0x9b, 0xa4, 0xb3)
           : kind_ == Kind::Print ? QColor(0x33, 0x33, 0x33)
                                  : QColor(0x63, 0x6b, 0x78);
}

QColor Theme::axis() const
{
    return isDark()               ? QColor(0x6b, 0x75, 0x86)
           : kind_ == Kind::Print ? QColor(0x22, 0x22, 0x22)
                                  : QColor(0x9a, 0xa2, 0xae);
}

QColor Theme::grid() const
{
    return isDark() ? QColor(0x2e, 0x34, 0x3f) : QColor(0xe9, 0xec, 0xf0);
}

QColor Theme::accent() const
{
    return QColor((isDark() ? onDark : onLight).blue);
}

QColor Theme::surface() const
{
    return isDark() ? QColor(0x3c, 0x46, 0x58) : QColor(0xd3, 0xd9, 0xe2);
}

QColor Theme::level(double t) const
{
    if (!std::isfinite(t))
        return mutedText();
    const double x = std::clamp(t, 0.0, 1.0);
    return isDark() ? fromTable(0.38 + 0.62 * x) : fromTable(0.84 * x);
}

QColor Theme::colour(const Colour& colour) const
{
    const Hues& hue = isDark() ? onDark : onLight;
    switch (colour.role) {
    case Role::Neutral:
        return text();
    case Role::Guide:
        return axis();
    case Role::Body:
        return pick(std::array{hue.blue, hue.orange, hue.purple, hue.sky, hue.green, hue.vermillion},
                    colour.index);
    case Role::Motion:
        return colour.index == 0
                   ? text()
                   : pick(std::array{hue.purple, hue.sky, hue.orange, hue.blue, hue.green, hue.vermillion},
                          colour.index - 1);
    case Role::Level:
        return level(colour.value);
    case Role::Separatrix:
        return QColor(hue.vermillion);
    case Role::Stable:
        return QColor(hue.green);
    case Role::Unstable:
        return QColor(hue.vermillion);
    case Role::Undecided:
        return QColor(hue.purple);
    case Role::Force:
        return QColor(hue.vermillion);
    case Role::Momentum:
        return QColor(hue.blue);
    case Role::Region:
        return mix(
            pick(std::array{hue.green, hue.orange, hue.sky, hue.purple, hue.vermillion, hue.blue, hue.yellow},
                 colour.index),
            background(), isDark() ? 0.55 : 0.62);
    }
    return text();
}

QPalette Theme::palette() const
{
    QPalette p;
    p.setColor(QPalette::Window, window());
    p.setColor(QPalette::WindowText, text());
    p.setColor(QPalette::Base, panel());
    p.setColor(QPalette::AlternateBase, mix(panel(), window(), 0.6));
    p.setColor(QPalette::ToolTipBase, panel());
    p.setColor(QPalette::ToolTipText, text());
    p.setColor(QPalette::PlaceholderText, mutedText());
    p.setColor(QPalette::Text, text());
    p.setColor(QPalette::Button, panel());
    p.setColor(QPalette::ButtonText, text());
    p.setColor(QPalette::BrightText, colour({Role::Unstable}));
    p.setColor(QPalette::Link, accent());
    p.setColor(QPalette::LinkVisited, accent());
    p.setColor(QPalette::Highlight, accent());
    p.setColor(QPalette::HighlightedText, isDark() ? QColor(0x0d, 0x11, 0x17) : QColor(Qt::white));
    p.setColor(QPalette::Light, mix(panel(), text(), isDark() ? 0.10 : 0.0));
    p.setColor(QPalette::Midlight, mix(panel(), text(), 0.06));
    p.setColor(QPalette::Mid, mix(panel(), text(), 0.18));
    p.setColor(QPalette::Dark, mix(panel(), text(), 0.32));
    p.setColor(QPalette::Shadow, isDark() ? QColor(Qt::black) : mix(panel(), text(), 0.55));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, mix(mutedText(), window(), 0.4));
    p.setColor(QPalette::Disabled, QPalette::Highlight, mix(accent(), window(), 0.6));
    return p;
}

QFont Theme::font(Text text) const
{
    QFont f(QStringLiteral("DejaVu Sans"));
    f.setStyleHint(QFont::SansSerif);
    double size = 12;
    switch (text) {
    case Text::Small:
        size = 11;
        break;
    case Text::Normal:
        break;
    case Text::Title:
        size = 13.5;
        f.setBold(true);
        break;
    case Text::Symbol:
        size = 13;
        break;
    }
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(size * scale_))));
    f.setHintingPreference(QFont::PreferNoHinting);
    return f;
}

} // namespace casimir
