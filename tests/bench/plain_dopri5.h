// Dormand and Prince's pair as one plain loop on small vectors, with its own dense output: the baseline of
// the portrait and of the long run. Not used by the program.
#pragma once

#include <algorithm>
#include <cmath>

namespace casimir::bench {

template <class Vector, class Field>
class PlainDopri5 {
public:
    // field(x) -> dx/dt
    PlainDopri5(const Field& field, double tolerance, const Vector& x, double h)
        : field_(field),
          tolerance_(tolerance),
          h_(h),
          x_(x),
          k1_(field(x)),
          r1_(x),
          r2_(x),
          r3_(x),
          r4_(x),
          r5_(x)
    {
    }

    double time() const { return t_; }
    const Vector& state() const { return x_; }

    // One accepted step.
    void step()
    {
        while (true) {
            const double h = h_;
            const Vector k2 = field_(x_ + h * (1. / 5 * k1_));
            const Vector k3 = field_(x_ + h * (3. / 40 * k1_ + 9. / 40 * k2));
            const Vector k4 = field_(x_ + h * (44. / 45 * k1_ - 56. / 15 * k2 + 32. / 9 * k3));
            const Vector k5 = field_(
                x_ + h * (19372. / 6561 * k1_ - 25360. / 2187 * k2 + 64448. / 6561 * k3 - 212. / 729 * k4));
            const Vector k6 = field_(x_ + h * (9017. / 3168 * k1_ - 355. / 33 * k2 + 46732. / 5247 * k3 +
                                               49. / 176 * k4 - 5103. / 18656 * k5));
            const Vector y = x_ + h * (35. / 384 * k1_ + 500. / 1113 * k3 + 125. / 192 * k4 -
                                       2187. / 6784 * k5 + 11. / 84 * k6);
            const Vector k7 = field_(y);
            const Vector e = h * (71. / 57600 * k1_ - 71. / 16695 * k3 + 71. / 1920 * k4 -
                                  17253. / 339200 * k5 + 22. / 525 * k6 - 1. / 40 * k7);
            double worst = 0;
            for (int i = 0; i < static_cast<int>(e.size()); ++i)
                worst = std::max(worst, std::abs(e[i]) /
                                            (tolerance_ * (1 + std::max(std::abs(x_[i]), std::abs(y[i])))));
            h_ *= std::clamp(0.9 * std::pow(worst, -0.2), 0.2, 5.0);
            if (!(worst <= 1))
                continue;
            const Vector change = y - x_;
            r1_ = x_;
            r2_ = change;
            r3_ = h * k1_ - change;
            r4_ = change - h * k7 - r3_;
            r5_ = h * (-12715105075. / 11282082432 * k1_ + 87487479700. / 32700410799 * k3 -
                       10690763975. / 1880347072 * k4 + 701980252875. / 199316789632 * k5 -
                       1453857185. / 822651844 * k6 + 69997945. / 29380423 * k7);
            before_ = t_;
            length_ = h;
            t_ += h;
            x_ = y;
            k1_ = k7;
            return;
        }
    }

    // Inside the last step.
    Vector at(double t) const
    {
        const double s = (t - before_) / length_, r = 1 - s;
        return r1_ + s * (r2_ + r * (r3_ + s * (r4_ + r * r5_)));
    }

private:
    const Field& field_;
    double tolerance_, h_, t_ = 0, before_ = 0, length_ = 1;
    Vector x_, k1_, r1_, r2_, r3_, r4_, r5_;
};

} // namespace casimir::bench
