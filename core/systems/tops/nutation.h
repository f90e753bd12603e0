// The nutation that all exact motions share: x = cos(theta) between two roots of a cubic,
//     x'^2 = f(x) / (1 + R (1 - x^2)),   f(x) = 2 A (x - x1)(x - x2)(x - x3),
// x1 <= x2 the turning points, x3 beyond them (above for A > 0, below for A < 0). With R = 0 by Jacobi's
// elliptic functions and Legendre's integrals; otherwise by quadratures whose integrands are periodic.
#pragma once

#include <vector>

namespace casimir::tops {

struct Cubic {
    double A = 0, x1 = 0, x2 = 0, x3 = 0;

    double operator()(double x) const { return 2 * A * (x - x1) * (x - x2) * (x - x3); }
    double derivative(double x) const
    {
        return 2 * A * ((x - x2) * (x - x3) + (x - x1) * (x - x3) + (x - x1) * (x - x2));
    }
};

// The primitive of an even function of period pi, from its cosine series.
class PeriodicPrimitive {
public:
    PeriodicPrimitive() = default;
    template <class F>
    explicit PeriodicPrimitive(const F& f); // defined in nutation.cpp, used there only
    double operator()(double angle) const;
    double mean() const { return coefficients_.empty() ? 0 : coefficients_.front(); }

private:
    std::vector<double> coefficients_; // of cos 2 k angle
};

class Nutation {
public:
    // Needs A != 0, x1 <= x2, x3 strictly beyond x2 (A > 0) or x1 (A < 0), 1 + R (1 - x^2) > 0 between.
    explicit Nutation(const Cubic& cubic, double R = 0);

    const Cubic& cubic() const { return cubic_; }
    double R() const { return R_; }
    double period() const { return period_; }

    // x = base + direction (x2 - x1) sin^2(amplitude); the base, at t = 0, is x1 for A > 0 and x2 for A < 0.
    struct Point {
        double t = 0;
        double x = 0, dx = 0, ddx = 0;
        double amplitude = 0; // grows by pi in a period
        double sine = 0, cosine = 1;
        double rate = 0; // of the amplitude
    };
    Point at(double t) const;
    // The time in [0, period) at which x and its rate are these; where they belong to another motion, the
    // nearest phase.
    double timeOf(double x, double dx) const;

    // int_0^t dt/(d - x) for a pole d outside the open interval (x1, x2); not for d at a turning point.
    class Pole {
    public:
        Pole(const Nutation& nutation, double d);
        double integral(const Nutation& nutation, const Point& point) const;
        double perPeriod() const { return perPeriod_; }

    private:
        double d_ = 0, n_ = 0, weight_ = 0, perPeriod_ = 0;
        PeriodicPrimitive primitive_;
    };

private:
    double width() const { return cubic_.x2 - cubic_.x1; }
    double xAt(double sineSquared) const;
    double rateAt(double x) const; // of the amplitude

    Cubic cubic_;
    double R_ = 0, L_ = 0, m_ = 0, modulus_ = 0, period_ = 0;
    double base_ = 0, direction_ = 1;
    PeriodicPrimitive time_;
};

} // namespace casimir::tops
