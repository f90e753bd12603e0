// Stability of what a chain of tops can do: the rests in which every axis is vertical, by their linearisation
// and second variation; and the growth of a disturbance along an exact motion.
#pragma once

#include "core/systems/tops/exact_motion.h"

#include <complex>
#include <functional>
#include <string>
#include <vector>

namespace casimir::tops {

// All axes vertical, e_i = sigma_i e3, every top spinning ("sleeping").
struct VerticalRest {
    std::string name, title;
    std::vector<int> sigma;
    double energy = 0;
    std::vector<std::complex<double>> eigenvalues; // 4n
    std::vector<double>
        amended; // eigenvalues of the amended potential where it is most nearly definite, twice each
    std::vector<double> kinetic; // of the kinetic energy in the velocities of the axes, twice each
    // The fastest departure: horizontal parts of e and e' for each top.
    std::vector<std::complex<double>> departure, departureRate;
    std::string stability, detail;
};
// Upright and hanging; with three tops or fewer also what lies between.
std::vector<VerticalRest> verticalRests(const Chain& chain);

struct Growth {
    std::vector<double> time, size; // in periods; natural logarithm of the disturbance, 0 at the start
    double perPeriod = 0;           // e-folds in a period, over the second half
};
// Follows one disturbance that changes neither energy nor L_z, by the equations of motion linearised along
// the exact motion.
Growth growthAlong(const ExactMotion& motion, int periods, int stepsPerPeriod = 96,
                   const std::function<bool()>& cancelled = {});

} // namespace casimir::tops
