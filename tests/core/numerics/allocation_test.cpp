// In an executable of its own, as Eigen is compiled here to throw where it would allocate.
#define EIGEN_RUNTIME_NO_MALLOC
#include <stdexcept>
#define eigen_assert(condition)                                                                              \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            throw std::logic_error(#condition);                                                              \
    } while (false)

#include "core/numerics/gauss.h"

#include <gtest/gtest.h>

#include <cmath>

namespace casimir {
namespace {

template <class Vector>
void makeSteps()
{
    GaussStepper<3, Vector> stepper;
    Vector x = Vector::Ones(2);
    const auto system = [](const Vector& y, Vector& dydt, double) {
        dydt[0] = y[1];
        dydt[1] = -std::sin(y[0]);
    };
    Eigen::internal::set_is_malloc_allowed(false);
    try {
        for (int i = 0; i < 100; ++i)
            stepper.do_step(system, x, 0, 0.1);
    } catch (...) {
        Eigen::internal::set_is_malloc_allowed(true);
        throw;
    }
    Eigen::internal::set_is_malloc_allowed(true);
}

TEST(GaussStepper, AllocatesNothingForVectorsOfFixedSize)
{
    EXPECT_NO_THROW(makeSteps<Eigen::Vector2d>());
    EXPECT_THROW(makeSteps<Eigen::VectorXd>(), std::logic_error) << "the detector is off";
}

} // namespace
} // namespace casimir
