// What the tests of the rod share: the free assemblies of the reference values, in natural units
// (L = ρ_A = EI = 1).
#pragma once

#include "core/systems/rod/rod/rod_equilibrium.h"
#include "core/systems/rod/rod/rod_system.h"
#include "tests/core/support/files.h"

#include <nlohmann/json.hpp>

#include <stdexcept>

namespace casimir::rod {

struct RodCase {
    const char* name; // in the reference, where it has one
    RodParameters parameters;
    SpinAxis axis;
};

// A circular section of radius of gyration r and Poisson's ratio 0.3, shear factor 1.2.
inline RodParameters slender(double r, int elements)
{
    RodParameters p;
    const double EA = 1 / (r * r), GA = EA / 3.12;
    p.CN = {GA, GA, EA};
    p.CM = {1, 1, 1 / 1.3};
    p.j = {r * r, r * r, 2 * r * r};
    p.elements = elements;
    p.consistency = 1;
    return p;
}

inline RodCase freeAssembly(int number, int elements)
{
    RodCase c{"", slender(0.05, elements), SpinAxis::Z};
    RodParameters& p = c.parameters;
    const auto set = [&p](double mass, Vec3 J, Vec3 r0, Vec3 d3) {
        p.bodyMass = mass;
        p.bodyInertia = J;
        p.r0 = r0;
        p.d3 = d3;
    };
    switch (number) {
    case 1:
        c.name = "D1_radial_disc";
        set(5, {0.4, 0.4, 0.7}, {0.3, 0, 0}, {1, 0, 0});
        return c;
    case 2:
        c.name = "D2_axial_oblate";
        set(5, {0.4, 0.4, 1.2}, {0, 0, 0.2}, {0, 0, 1});
        return c;
    case 3:
        set(5, {1, 1, 0.3}, {0, 0, 0.2}, {0, 0, 1});
        return c;
    case 4:
        c.name = "D4_tilted_offset";
        c.axis = SpinAxis::Maximum;
        set(5, {0.4, 0.5, 0.9}, {0.2, 0.1, 0.1}, {1, 0, 1});
        return c;
    case 5:
        set(20, {10, 10, 20}, {1, 0, 0}, {-1, 0, 0});
        return c;
    case 6:
        set(5, {0.3, 1.6, 0.5}, {0.3, 0, 0}, {1, 0, 0});
        return c;
    case 7:
        c.name = "D7_flung_out";
        c.axis = SpinAxis::Middle;
        set(5, {0.3, 0.6, 0.66}, {0.2, 0, 0.1}, {1, 0, 1});
        return c;
    default:
        throw std::runtime_error("no such assembly");
    }
}

inline const nlohmann::json& reference()
{
    static const nlohmann::json all = test::referenceFile("rod_body_and_rod.json");
    return all;
}

// The system at its defaults but for these.
inline std::shared_ptr<const RodSystem> made(const std::vector<Assignment>& assignments)
{
    const Kind& kind = rodKind();
    return std::static_pointer_cast<const RodSystem>(
        kind.make(kind.schema.with(kind.schema.defaults(), assignments)));
}

// A body off its principal axes with the rod beside its centre.
inline std::vector<Assignment> tilted(double spin, long elements)
{
    return {
        {"JB1", 0.4}, {"JB2", 0.5}, {"JB3", 0.9},    {"r0x", 0.2},        {"r0y", 0.1},
        {"r0z", 0.1}, {"d3z", 1.0}, {"N", elements}, {"spin_rate", spin}, {"spin_axis", std::string("max")}};
}

} // namespace casimir::rod
