#include "core/numerics/side_step.h"

namespace casimir {

void glimpse(const Interpolant& step, double t, Eigen::Ref<Eigen::VectorXd> x)
{
    if (const auto* side = dynamic_cast<const SideStep*>(&step))
        side->glimpse(t, x);
    else
        step.at(t, x);
}

bool glimpseIsReadable(const Interpolant& step)
{
    const auto* side = dynamic_cast<const SideStep*>(&step);
    return side == nullptr || side->glimpseIsReadable();
}

} // namespace casimir
