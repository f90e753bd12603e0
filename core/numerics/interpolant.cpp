#include "core/numerics/interpolant.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir {

Interpolant::~Interpolant() = default;

Eigen::VectorXd Interpolant::sample(double t) const
{
    Eigen::VectorXd x(size_);
    at(t, x);
    return x;
}

double Interpolant::scaled(double t) const
{
    return end_ == begin_ ? 0.0 : (t - begin_) / (end_ - begin_);
}

InterpolationNodes::InterpolationNodes(const Eigen::VectorXd& s) : s_(s), weights_(s.size())
{
    if (s.size() == 0 || s[0] != 0 || (s.size() > 1 && s[s.size() - 1] != 1))
        throw Error("The nodes of an interpolant begin with 0 and end with 1.");
    for (Eigen::Index i = 0; i < s.size(); ++i) {
        double product = 1;
        for (Eigen::Index j = 0; j < s.size(); ++j)
            if (j != i)
                product *= s[i] - s[j];
        if (product == 0)
            throw Error(fmt::format("Two nodes of an interpolant coincide at {}.", s[i]));
        weights_[i] = 1 / product;
    }
}

PolynomialInterpolant::PolynomialInterpolant(double begin, double end,
                                             std::shared_ptr<const InterpolationNodes> nodes,
                                             Eigen::MatrixXd values)
    : Interpolant(begin, end, values.rows()), nodes_(std::move(nodes)), values_(std::move(values))
{
    if (values_.cols() != nodes_->s().size())
        throw Error(fmt::format("An interpolant with {} nodes was given {} values.", nodes_->s().size(),
                                values_.cols()));
}

void PolynomialInterpolant::at(double t, Eigen::Ref<Eigen::VectorXd> x) const
{
    const double s = scaled(t);
    const Eigen::VectorXd& nodes = nodes_->s();
    x.setZero();
    double sum = 0;
    for (Eigen::Index i = 0; i < nodes.size(); ++i) {
        if (s == nodes[i]) {
            x = values_.col(i);
            return;
        }
        const double w = nodes_->weights()[i] / (s - nodes[i]);
        x += w * values_.col(i);
        sum += w;
    }
    x /= sum;
}

std::shared_ptr<const Interpolant> constantInterpolant(double t, const Eigen::VectorXd& x)
{
    static const auto single = std::make_shared<const InterpolationNodes>(Eigen::VectorXd::Zero(1));
    return std::make_shared<PolynomialInterpolant>(t, t, single, x);
}

HermiteInterpolant::HermiteInterpolant(double begin, double end, Eigen::VectorXd x0, Eigen::VectorXd f0,
                                       Eigen::VectorXd x1, Eigen::VectorXd f1,
                                       std::vector<Eigen::Index> quaternions)
    : Interpolant(begin, end, x0.size()),
      x0_(std::move(x0)),
      f0_(std::move(f0)),
      x1_(std::move(x1)),
      f1_(std::move(f1)),
      quaternions_(std::move(quaternions))
{
    for (const Eigen::Index size : {f0_.size(), x1_.size(), f1_.size()})
        if (size != x0_.size())
            throw Error(fmt::format("A Hermite interpolant was given vectors of {} and {} components.",
                                    x0_.size(), size));
    for (const Eigen::Index k : quaternions_)
        if (k < 0 || k + 4 > x0_.size())
            throw Error(fmt::format("No quaternion fits at component {} of {}.", k, x0_.size()));
}

void HermiteInterpolant::at(double t, Eigen::Ref<Eigen::VectorXd> x) const
{
    const double s = scaled(t);
    if (s == 0 || s == 1) {
        x = s == 0 ? x0_ : x1_;
        return;
    }
    const double h = end() - begin();
    const double r = 1 - s;
    x = r * r * (1 + 2 * s) * x0_ + s * s * (1 + 2 * r) * x1_ + h * s * r * (r * f0_ - s * f1_);
    for (const Eigen::Index k : quaternions_) {
        const Eigen::Vector4d q0 = x0_.segment<4>(k).normalized();
        const Eigen::Vector4d q1 = x1_.segment<4>(k).normalized();
        if (q0.dot(q1) < 0) {
            // The same rotation has two signs; the arc goes to the nearer of them.
            const double angle = 2 * std::atan2((q0 + q1).norm(), (q0 - q1).norm());
            const double sine = std::sin(angle);
            x.segment<4>(k) =
                sine < 1e-8 ? q0 : ((std::sin(r * angle) * q0 - std::sin(s * angle) * q1) / sine).eval();
        }
        x.segment<4>(k).normalize();
    }
}

} // namespace casimir
