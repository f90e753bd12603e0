// The motion within one accepted step as a function of time. Immutable, so that recordings can be read by
// many threads. How steps are made is not here (integration.h); the interpolants that rerun a method stand
// beside that method.
#pragma once

#include <Eigen/Core>

#include <memory>
#include <vector>

namespace casimir {

class Interpolant {
public:
    virtual ~Interpolant();
    Interpolant(const Interpolant&) = delete;
    Interpolant& operator=(const Interpolant&) = delete;

    // begin() > end() where time runs backwards.
    virtual double begin() const { return begin_; }
    virtual double end() const { return end_; }
    Eigen::Index size() const { return size_; }

    // Exact at both ends; outside the step it extrapolates, with no promise of accuracy.
    virtual void at(double t, Eigen::Ref<Eigen::VectorXd> x) const = 0;
    Eigen::VectorXd sample(double t) const;

protected:
    Interpolant(double begin, double end, Eigen::Index size) : begin_(begin), end_(end), size_(size) {}

    // (t - begin)/(end - begin), exactly 0 and 1 at the ends; 0 everywhere if the step has no length.
    double scaled(double t) const;

private:
    double begin_;
    double end_;
    Eigen::Index size_;
};

// Nodes in scaled time with their barycentric weights, shared by all steps of a method.
class InterpolationNodes {
public:
    // Distinct nodes, the first 0 and the last 1 (or the single node 0).
    explicit InterpolationNodes(const Eigen::VectorXd& s);

    const Eigen::VectorXd& s() const { return s_; }
    const Eigen::VectorXd& weights() const { return weights_; }

private:
    Eigen::VectorXd s_;
    Eigen::VectorXd weights_;
};

// The polynomial through the columns of `values`, by the second barycentric formula.
class PolynomialInterpolant : public Interpolant {
public:
    PolynomialInterpolant(double begin, double end, std::shared_ptr<const InterpolationNodes> nodes,
                          Eigen::MatrixXd values);

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override;
    const Eigen::MatrixXd& values() const { return values_; }

private:
    std::shared_ptr<const InterpolationNodes> nodes_;
    Eigen::MatrixXd values_;
};

// What a run shows before its first step.
std::shared_ptr<const Interpolant> constantInterpolant(double t, const Eigen::VectorXd& x);

// The cubic with the given end values and derivatives. Components listed in `quaternions` (the index k of w
// in w,x,y,z) are brought back to unit length; where the two ends lie on opposite hemispheres the cubic would
// pass near zero, and the great arc between them is taken instead.
class HermiteInterpolant : public Interpolant {
public:
    HermiteInterpolant(double begin, double end, Eigen::VectorXd x0, Eigen::VectorXd f0, Eigen::VectorXd x1,
                       Eigen::VectorXd f1, std::vector<Eigen::Index> quaternions = {});

    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override;

private:
    Eigen::VectorXd x0_;
    Eigen::VectorXd f0_;
    Eigen::VectorXd x1_;
    Eigen::VectorXd f1_;
    std::vector<Eigen::Index> quaternions_;
};

} // namespace casimir
