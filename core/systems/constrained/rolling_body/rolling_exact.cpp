// The homogeneous sphere in closed form. Its path and spin are known as functions of time; the attitude is
// what that spin turns it to, a linear equation that has no simpler answer.
#include "core/numerics/methods.h"
#include "core/systems/constrained/rolling_body/rolling_body_system.h"

namespace casimir::constrained {

namespace {

struct Sphere {
    RollingBody body;
    RollingBody::State10 start;
    double t0;

    State at(double t, const Eigen::Vector4d& q) const
    {
        const auto motion = body.sphereAt(start, t - t0);
        RollingBody::State10 x;
        x << motion.X, q.normalized(), Eigen::Vector3d::Zero();
        x.tail<3>() = RollingBody::rotation(x).transpose() * motion.spin;
        return x;
    }
};

class SphereInterpolant final : public Interpolant {
public:
    SphereInterpolant(std::shared_ptr<const Interpolant> attitude, std::shared_ptr<const Sphere> sphere)
        : Interpolant(attitude->begin(), attitude->end(), 10),
          attitude_(std::move(attitude)),
          sphere_(std::move(sphere))
    {
    }
    void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override
    {
        x = sphere_->at(t, Eigen::Vector4d(attitude_->sample(t)));
    }

private:
    std::shared_ptr<const Interpolant> attitude_;
    std::shared_ptr<const Sphere> sphere_;
};

class SphereIntegration final : public Integration {
public:
    SphereIntegration(std::unique_ptr<Integration> attitude, std::shared_ptr<const Sphere> sphere)
        : attitude_(std::move(attitude)), sphere_(std::move(sphere)), x_(sphere_->start)
    {
    }
    double time() const override { return attitude_->time(); }
    const State& state() const override { return x_; }
    long evaluations() const override { return attitude_->evaluations(); }
    std::shared_ptr<const Interpolant> interpolant() const override
    {
        return std::make_shared<SphereInterpolant>(attitude_->interpolant(), sphere_);
    }
    Status advance(double tLimit) override
    {
        Status status = attitude_->advance(tLimit);
        x_ = sphere_->at(attitude_->time(), Eigen::Vector4d(attitude_->state()));
        return status;
    }

private:
    std::unique_ptr<Integration> attitude_;
    std::shared_ptr<const Sphere> sphere_;
    State x_;
};

} // namespace

std::unique_ptr<Integration> startExactSphere(const RollingBody& body, double t0, const State& x0,
                                              const IntegrationOptions& options)
{
    const auto sphere = std::make_shared<const Sphere>(Sphere{body, RollingBody::State10(x0), t0});
    const Field field = [sphere](double t, const State& q, State& dqdt) {
        const Eigen::Vector3d w = sphere->body.sphereAt(sphere->start, t - sphere->t0).spin, v = q.tail<3>();
        dqdt[0] = -w.dot(v) / 2;
        dqdt.tail<3>() = (q[0] * w + w.cross(v)) / 2;
    };
    IntegrationOptions own = options;
    own.scale = State::Ones(4);
    return std::make_unique<SphereIntegration>(
        startIntegration(kDefaultMethod, field, t0, State(x0.segment<4>(3)), own), sphere);
}

} // namespace casimir::constrained
