// Poincare sections of the reduced flow of three bodies: the plane of a section at one energy, its states,
// and the crossings of an orbit. On a leaf (theta21, -mu1) and (theta32, mu3) are canonical pairs, so a
// section through one angle is drawn in the other pair, where the return map keeps areas.
#pragma once

#include "core/model/status.h"
#include "core/systems/planar/three_body.h"

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace casimir::planar {

class ThreeBodySection {
public:
    enum class Angle { Theta21, Theta32 };

    // Where `angle` passes the value `at` growing, on the level `energy`.
    ThreeBodySection(const ThreeBody& bodies, Angle angle, double at, double energy);

    Angle angle() const { return angle_; }
    double at() const { return at_; }
    double energy() const { return energy_; }

    // The coordinates (q, p) of the section: (theta32, mu3), or (theta21, -mu1).
    Eigen::Vector2d coordinates(const Vector5d& z) const;
    // The state of the section with these coordinates; none where the energy does not reach it.
    std::optional<Vector5d> state(double q, double p) const;
    // The momenta that the energy allows at q; none where it allows none.
    std::optional<std::pair<double, double>> momenta(double q) const;
    // The largest interval of momenta over all q; none where the section is empty.
    std::optional<std::pair<double, double>> momenta() const;
    // `count` states spread evenly over the section, always the same ones.
    std::vector<Vector5d> seeds(int count) const;

    // The crossings of the orbit that starts at z, after the start, until `count` are found, `tMax` has
    // passed, or `found` answers false; located to 1e-12 in time.
    Status follow(const Vector5d& z, int count, double tMax, double rtol,
                  const std::function<bool(double t, const Vector5d& crossing)>& found) const;

private:
    // mu = a + s b with s free and p given
    void line(double p, Eigen::Vector3d& a, Eigen::Vector3d& b) const;

    ThreeBody bodies_;
    Angle angle_;
    double at_, energy_;
};

} // namespace casimir::planar
