// The kind of the rolling bodies: parameters, what they may not be together, and the format of `--input`.
#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/numerics/dense.h"
#include "core/systems/constrained/rolling_body/rolling_body_system.h"
#include "core/systems/constrained/rolling_body/rolling_claims.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace casimir::constrained {

using Json = nlohmann::ordered_json;
using Vec3 = Eigen::Vector3d;

namespace {

const std::array<std::pair<const char*, std::pair<int, int>>, 6> inertiaEntries{
    {{"I11", {0, 0}}, {"I22", {1, 1}}, {"I33", {2, 2}}, {"I12", {0, 1}}, {"I13", {0, 2}}, {"I23", {1, 2}}}};

bool shapeIs(const Values& values, const char* id)
{
    return values.choice("shape") == id;
}

// Of the figure about its own middle: a uniform solid, or a shell between similar surfaces.
Eigen::Matrix3d figureInertia(const RollingParameters& p, bool solid)
{
    Vec3 squares = Vec3::Zero();
    switch (p.shape) {
    case RollingShape::Ellipsoid:
        squares = (p.axes.array() + p.rounding).square();
        break;
    case RollingShape::Sphere:
        squares = Vec3::Constant(p.radius * p.radius);
        break;
    case RollingShape::Disk: {
        const double r = p.radius + p.rounding, I = p.m * r * r * (solid ? 0.25 : 0.5);
        return Vec3(I, I, 2 * I).asDiagonal();
    }
    }
    const double factor = p.m * (solid ? 0.2 : 1.0 / 3);
    return (factor * (Vec3::Constant(squares.sum()) - squares)).asDiagonal();
}

} // namespace

RollingParameters rollingParameters(const Values& values)
{
    RollingParameters p;
    p.m = values.real("m");
    p.g = values.real("g");
    p.omega = values.real("omega");
    p.shape = shapeIs(values, "sphere") ? RollingShape::Sphere
              : shapeIs(values, "disk") ? RollingShape::Disk
                                        : RollingShape::Ellipsoid;
    p.axes = {values.real("a1"), values.real("a2"), values.real("a3")};
    p.radius = values.real("radius");
    p.rounding = values.real("rounding");
    p.centre = {values.real("d1"), values.real("d2"), values.real("d3")};
    if (values.choice("inertia") == "given") {
        for (const auto& [id, at] : inertiaEntries)
            p.inertia(at.first, at.second) = p.inertia(at.second, at.first) = values.real(id);
    } else {
        p.inertia = figureInertia(p, values.choice("inertia") == "solid");
    }
    return p;
}

namespace {

std::string inconsistency(const Values& values)
{
    const RollingParameters p = rollingParameters(values);
    const Vec3 least = dense::symmetricValues(p.inertia);
    if (!(least[0] > 1e-12 * least[2]))
        return fmt::format(
            "the inertia matrix must be positive definite; its smallest principal value is {:.6g}", least[0]);
    bool inside = true;
    switch (p.shape) {
    case RollingShape::Ellipsoid:
        inside = (p.centre.array() / (p.axes.array() + p.rounding)).matrix().norm() < 1;
        break;
    case RollingShape::Sphere:
        inside = p.centre.norm() < p.radius;
        break;
    case RollingShape::Disk:
        inside = std::hypot(std::max(p.centre.head<2>().norm() - p.radius, 0.0), p.centre[2]) <= p.rounding;
        break;
    }
    if (!inside)
        return fmt::format(
            "the mass centre must lie inside the body; the centre ({:.6g}, {:.6g}, {:.6g}) of the "
            "figure is too far from it",
            p.centre[0], p.centre[1], p.centre[2]);
    return {};
}

Schema makeSchema()
{
    constexpr Range length{.min = 1e-3, .max = 1e3}, offset{.min = -1e3, .max = 1e3};
    const auto shownIf = [](Parameter parameter, std::function<bool(const Values&)> condition) {
        parameter.shown = std::move(condition);
        return parameter;
    };
    const auto ellipsoid = [](const Values& v) { return shapeIs(v, "ellipsoid"); };
    const auto round = [](const Values& v) { return !shapeIs(v, "ellipsoid"); };
    const auto edged = [](const Values& v) { return !shapeIs(v, "sphere"); };
    const auto given = [](const Values& v) { return v.choice("inertia") == "given"; };
    std::vector<Parameter> list{choiceParameter(
        {"shape", "S", "shape", "", "Surface of the body.", "shape"},
        {{"ellipsoid", "ellipsoid"}, {"sphere", "sphere"}, {"disk", "disk with a rounded rim"}},
        "ellipsoid")};
    const double axes[] = {0.5, 0.4, 0.3};
    for (int i = 0; i < 3; ++i)
        list.push_back(shownIf(realParameter({fmt::format("a{}", i + 1), fmt::format("a_{}", i + 1),
                                              fmt::format("semi-axis {}", i + 1), "m",
                                              "Semi-axis of the ellipsoid along this body axis.", "shape"},
                                             axes[i], length, 0.02, 1, Scale::Logarithmic),
                               ellipsoid));
    list.push_back(
        shownIf(realParameter({"radius", "r", "radius", "m",
                               "Of the sphere; of the circle in the middle of the disk's rim.", "shape"},
                              0.3, length, 0.02, 1, Scale::Logarithmic),
                round));
    list.push_back(
        shownIf(realParameter({"rounding", "e", "rounding", "m", "Added to the surface all round.", "shape"},
                              0, {.min = 0, .max = 1e3}, 0, 0.2),
                edged));
    for (int i = 0; i < 3; ++i)
        list.push_back(realParameter({fmt::format("d{}", i + 1), fmt::format("d_{}", i + 1),
                                      fmt::format("middle of the figure, axis {}", i + 1), "m",
                                      "Where the middle of the figure lies, from the mass centre.", "mass"},
                                     0, offset, -0.2, 0.2));
    list.push_back(realParameter({"m", "m", "mass", "kg", "Mass of the body.", "mass"}, 1,
                                 {.min = 1e-3, .max = 1e3}, 0.1, 10, Scale::Logarithmic));
    list.push_back(choiceParameter(
        {"inertia", "I", "inertia", "", "That of the figure, solid or a shell, about its middle; or given.",
         "mass"},
        {{"solid", "of a uniform solid"}, {"shell", "of a shell"}, {"given", "given"}}, "solid"));
    const double standard[] = {0.05, 0.068, 0.082, 0, 0, 0};
    for (std::size_t k = 0; k < inertiaEntries.size(); ++k) {
        const std::string id = inertiaEntries[k].first;
        const bool diagonal = k < 3;
        list.push_back(shownIf(
            realParameter({id, "I_{" + id.substr(1) + "}", "inertia matrix, entry " + id.substr(1), "kg m²",
                           "Entry of the inertia matrix about the mass centre in body axes.", "mass"},
                          standard[k],
                          diagonal ? Range{.min = 1e-9, .max = 1e6} : Range{.min = -1e6, .max = 1e6},
                          diagonal ? 0.001 : -0.02, diagonal ? 0.2 : 0.02),
            given));
    }
    list.push_back(realParameter({"g", "g", "gravity", "m/s²", "Acceleration of gravity.", "plane"}, 9.81,
                                 {.min = 0, .max = 1e3}, 0, 20));
    list.push_back(realParameter({"omega", "ω", "rate of the plane", "rad/s",
                                  "The plane turns about the vertical through the origin.", "plane"},
                                 0, {.min = -100, .max = 100}, -3, 3));
    return Schema(std::move(list), {}, inconsistency);
}

std::vector<double> numbersOf(const Json& json, const std::string& key, std::size_t count)
{
    if (!json.is_array() || json.size() != count)
        throw Error(fmt::format("{}: a list of {} numbers was expected", key, count));
    std::vector<double> numbers;
    for (const Json& entry : json) {
        if (!entry.is_number())
            throw Error(fmt::format("{}: a number was expected, not {}", key, entry.dump()));
        numbers.push_back(entry.get<double>());
    }
    return numbers;
}

Input readInput(const Kind&, const Json& json)
{
    if (!json.is_object())
        throw Error("an object {...} was expected");
    static const std::vector<std::string> known{
        "m", "g", "omega", "semi_axes", "centre", "rounding", "disk_radius", "inertia", "X", "q", "Omega"};
    Input input;
    const auto set = [&](const std::string& address, Value value) {
        input.assignments.push_back({address, std::move(value)});
    };
    if (json.contains("semi_axes") && json.contains("disk_radius"))
        throw Error("semi_axes and disk_radius are two shapes; only one can be given");
    for (const auto& [key, value] : json.items()) {
        if (key == "m" || key == "g" || key == "omega" || key == "rounding" || key == "disk_radius") {
            if (!value.is_number())
                throw Error(fmt::format("{}: a number was expected, not {}", key, value.dump()));
            set(key == "disk_radius" ? "radius" : key, value.get<double>());
            if (key == "disk_radius")
                set("shape", std::string("disk"));
        } else if (key == "semi_axes") {
            const auto axes = numbersOf(value, key, 3);
            set("shape", std::string("ellipsoid"));
            for (std::size_t i = 0; i < 3; ++i)
                set(fmt::format("a{}", i + 1), axes[i]);
        } else if (key == "centre") {
            const auto centre = numbersOf(value, key, 3);
            for (std::size_t i = 0; i < 3; ++i)
                set(fmt::format("d{}", i + 1), centre[i]);
        } else if (key == "inertia") {
            if (!value.is_array() || value.size() != 3)
                throw Error("inertia: three rows of three numbers were expected");
            Eigen::Matrix3d I;
            for (int i = 0; i < 3; ++i) {
                const auto row = numbersOf(value.at(static_cast<std::size_t>(i)), key, 3);
                I.row(i) << row[0], row[1], row[2];
            }
            if (!I.isApprox(I.transpose(), 1e-12))
                throw Error("inertia: the matrix must be symmetric");
            set("inertia", std::string("given"));
            for (const auto& [id, at] : inertiaEntries)
                set(id, I(at.first, at.second));
        } else if (key == "X") {
            const auto X = numbersOf(value, key, 2);
            input.state.emplace_back("X", X[0]);
            input.state.emplace_back("Y", X[1]);
        } else if (key == "q") {
            const auto q = numbersOf(value, key, 4);
            for (std::size_t i = 0; i < 4; ++i)
                input.state.emplace_back(std::array{"qw", "qx", "qy", "qz"}[i], q[i]);
        } else if (key == "Omega") {
            const auto Omega = numbersOf(value, key, 3);
            for (std::size_t i = 0; i < 3; ++i)
                input.state.emplace_back(fmt::format("Omega{}", i + 1), Omega[i]);
        } else {
            throw Error(fmt::format("unknown key '{}'; {}", key, didYouMean(key, known)));
        }
    }
    return input;
}

} // namespace

const Kind& rollingBodyKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "rolling-body";
        k.title = "Rolling body";
        k.paper =
            "C.-M. Marle, Kinematic and geometric constraints, servomechanisms and control of mechanical "
            "systems, Rendiconti del Seminario Matematico, Università e Politecnico di Torino 54 (1996)";
        k.summary =
            "A convex body rolls without slipping on a plane at rest or turning: what the rolling conserves, "
            "and what it does not.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<RollingBodySystem>(self, values);
        };
        k.claims = [](unsigned seed) { return judge(rollingClaims(seed)); };
        k.readInput = readInput;
        return k;
    }();
    return kind;
}

} // namespace casimir::constrained
