// A hundred thousand periods close to the separatrix, where an integrator's faults show: energy and Casimir
// of the Gauss method.
#include "core/base/number_text.h"
#include "core/numerics/gauss.h"
#include "core/systems/planar/two_body/two_body.h"
#include "core/systems/planar/two_body/two_body_orbits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace casimir::planar {

TEST(TwoBodyLongRun, gauss6KeepsEnergyWithoutDriftAndTheCasimirToRounding)
{
    const TwoBody bodies(
        {.m1 = 100, .m2 = 125, .I1 = 50, .I2 = 50, .d1 = 1, .d2 = 0.6, .theta0 = 0, .mu = 50});
    const double separatrix = HomoclinicPair(bodies).energy();
    const double energy = separatrix * (1 - 1e-3);
    const double period = orbitOfEnergy(bodies, energy).period.value();
    // At the stretched angle nu follows from the energy: H = S (nu - nu0)^2/(2 Delta) + V.
    const double s = bodies.lockedInertia(0.0), delta = bodies.delta(0.0);
    const double nu = bodies.nu0(0.0) + std::sqrt(2 * delta * (energy - bodies.amendedPotential(0.0)) / s);

    constexpr long periods = 100'000, stepsAPeriod = 100;
    const double h = period / stepsAPeriod;
    GaussStepper<3, Eigen::Vector3d> stepper;
    const auto field = [&bodies](const Eigen::Vector3d& x, Eigen::Vector3d& dxdt, double) {
        dxdt = bodies.reducedField(x);
    };
    Eigen::Vector3d x = bodies.onLeaf(0.0, nu);
    const double h0 = bodies.hamiltonian(x);

    // The error oscillates within a period; its mean over each block of periods shows whether it drifts.
    constexpr long blocks = 1000, blockSteps = periods / blocks * stepsAPeriod;
    std::vector<double> means;
    double largest = 0, casimir = 0;
    for (long block = 0; block < blocks; ++block) {
        double sum = 0;
        for (long i = 0; i < blockSteps; ++i) {
            stepper.do_step(field, x, 0.0, h);
            const double error = (bodies.hamiltonian(x) - h0) / h0;
            sum += error;
            largest = std::max(largest, std::abs(error));
        }
        means.push_back(sum / blockSteps);
        casimir = std::max(casimir, std::abs((x[1] + x[2]) / 50 - 1));
    }
    double slope = 0, norm = 0;
    for (long i = 0; i < blocks; ++i) {
        const double t = (static_cast<double>(i) + 0.5) / blocks - 0.5;
        slope += t * means[static_cast<std::size_t>(i)];
        norm += t * t;
    }
    slope /= norm; // change of the mean error over the whole run
    RecordProperty("largest_relative_energy_error", numberText(largest));
    EXPECT_LT(largest, 1e-5);
    EXPECT_LT(std::abs(slope), largest);
    EXPECT_LT(casimir, 1e-12);
}

} // namespace casimir::planar
