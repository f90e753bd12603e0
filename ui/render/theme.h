// Theme: which colour, font and width a meaning has, in light, dark and print. Everything that is drawn asks
// here; nothing else in the program names a colour.
#pragma once

#include "core/model/colour.h"

#include <QColor>
#include <QFont>
#include <QPalette>

namespace casimir {

class Theme {
public:
    enum class Kind { Light, Dark, Print };
    enum class Text { Small, Normal, Title, Symbol };

    // `scale` multiplies fonts, widths and mark sizes: lecture mode, figures of another size. It is not the
    // pixel ratio of the screen, which the hosts add.
    explicit Theme(Kind kind = Kind::Light, double scale = 1);
    static Theme light(double scale = 1) { return Theme(Kind::Light, scale); }
    static Theme dark(double scale = 1) { return Theme(Kind::Dark, scale); }
    static Theme print(double scale = 1) { return Theme(Kind::Print, scale); }

    Kind kind() const { return kind_; }
    bool isDark() const { return kind_ == Kind::Dark; }
    double scale() const { return scale_; }

    QColor window() const;     // behind the panels
    QColor background() const; // behind a plot or a stage
    QColor panel() const;      // cards, legends, tooltips
    QColor text() const;
    QColor mutedText() const;
    QColor axis() const;
    QColor grid() const;
    QColor accent() const;  // controls, selection
    QColor surface() const; // the translucent body of a cylinder or sphere

    // Categories are Okabe and Ito's, brightened where the background is dark; magnitudes are cividis, cut so
    // that no end drowns in the background.
    QColor colour(const Colour& colour) const;
    QColor level(double t) const;

    QPalette palette() const; // for the application

    // Fonts have pixel sizes, so that one drawing serves widget, SVG and PDF alike.
    QFont font(Text text = Text::Normal) const;

    double hairline() const { return 1.0 * scale_; }   // the family of curves, grid, axes
    double line() const { return 1.6 * scale_; }       // a chosen curve, a trace
    double emphasis() const { return 2.4 * scale_; }   // separatrices
    double markRadius() const { return 5.0 * scale_; } // of a mark in a plot
    double px(double pixels) const { return pixels * scale_; }

    bool operator==(const Theme&) const = default;

private:
    Kind kind_;
    double scale_;
};

// t = 0 gives a, t = 1 gives b.
QColor mix(const QColor& a, const QColor& b, double t);
// Of what was, beside what is.
QColor fainter(const QColor& colour, const Theme& theme);

} // namespace casimir
