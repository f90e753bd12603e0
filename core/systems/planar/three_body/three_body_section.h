// Poincare sections of the reduced flow of three bodies: the plane of a section at one energy, its states,
// and the crossings of an orbit. On a leaf (theta21, -mu1) and (theta32, mu3) are canonical pairs, so a
// section through one angle is drawn in the other pair, where the return map keeps areas.
#pragma once

#include "core/base/status.h"
#include "core/systems/planar/three_body/three_body.h"
#include "core/systems/planar/three_body/three_body_flow.h"

#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace casimir::planar {

// A part of the plane of a section.
struct SectionWindow {
    double qMin, qMax, pMin, pMax;
    // Of an angle between -pi and pi; the window may lie across the seam.
    bool contains(double q, double p) const;
};

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
    // `count` states spread evenly over the section, or over a part of it; always the same ones.
    std::vector<Vector5d> seeds(int count, const std::optional<SectionWindow>& window = {}) const;

    // The crossings of the orbit that starts at z, after the start, until `count` are found, `tMax` has
    // passed, or `found` answers false. The angle of the section is met to rounding.
    Status follow(const Vector5d& z, int count, double tMax, double rtol,
                  const std::function<bool(double t, const Vector5d& crossing)>& found) const;

    // Those of many orbits on all cores: `found` is called by several threads at once, for one orbit by one
    // of them, and ends the orbit by answering false; `goOn`, called on this thread, ends everything. Returns
    // whether all were followed.
    bool followAll(std::span<const Vector5d> starts, double tMax, double rtol, const CrossingFound& found,
                   const std::function<bool()>& goOn = {}) const;

private:
    CrossingSearch search(double tMax, double rtol) const;
    // mu = a + s b with s free and p given
    void line(double p, Eigen::Vector3d& a, Eigen::Vector3d& b) const;

    ThreeBody bodies_;
    Angle angle_;
    double at_, energy_;
};

} // namespace casimir::planar
