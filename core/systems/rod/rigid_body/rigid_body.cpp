#include "core/systems/rod/rigid_body/rigid_body.h"

#include "core/base/error.h"
#include "core/model/analysis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

// A lamina, I_1 + I_2 = I_3, is allowed; so are inertias that miss it by rounding.
constexpr double laminaSlack = 1e-12;

} // namespace

RigidBody::RigidBody(const RigidBodyParameters& parameters) : p_(parameters)
{
    const Vec3& I = p_.I;
    for (int k = 0; k < 3; ++k) {
        if (!(I[k] > 0) || !std::isfinite(I[k]))
            throw Error(fmt::format("I{} = {} is not an inertia; it must be positive.", k + 1, I[k]));
        const double others = I.sum() - I[k];
        if (I[k] > others * (1 + laminaSlack))
            throw Error(fmt::format("No body has I{} = {:.6g} with I{} = {:.6g} and I{} = {:.6g}: a "
                                    "principal inertia is at most the sum of the other two ({:.6g}).",
                                    k + 1, I[k], (k + 1) % 3 + 1, I[(k + 1) % 3], (k + 2) % 3 + 1,
                                    I[(k + 2) % 3], others));
    }
    if (!(p_.mu >= 0) || !std::isfinite(p_.mu))
        throw Error(fmt::format("μ = {} is not the length of a momentum; it must be 0 or more.", p_.mu));
    order_ = {0, 1, 2};
    std::stable_sort(order_.begin(), order_.end(), [&I](int i, int j) { return I[i] < I[j]; });
    parity_ = (order_[1] - order_[0] + 3) % 3 == 1 ? 1 : -1;
}

bool RigidBody::hasMiddleAxis() const
{
    return p_.I[minimum()] < p_.I[middle()] && p_.I[middle()] < p_.I[maximum()];
}

RigidBody::Margin RigidBody::margin(const Vec3& M) const
{
    const double A = p_.I[minimum()], B = p_.I[middle()], C = p_.I[maximum()];
    const double a = M[minimum()], c = M[maximum()];
    const double outer = c * c * (C - B) / C, inner = a * a * (B - A) / A;
    return {outer - inner, outer + inner};
}

std::array<Vec3, 4> RigidBody::heteroclinicDirections() const
{
    const double A = p_.I[minimum()], B = p_.I[middle()], C = p_.I[maximum()];
    // M_c² (C - B)/C = M_a² (B - A)/A
    const double a = std::sqrt(A * (C - B)), c = std::sqrt(C * (B - A)), r = std::hypot(a, c);
    std::array<Vec3, 4> directions;
    std::size_t k = 0;
    for (const double sa : {1.0, -1.0})
        for (const double sc : {1.0, -1.0}) {
            Vec3 d = Vec3::Zero();
            d[minimum()] = sa * a / r;
            d[maximum()] = sc * c / r;
            directions[k++] = d;
        }
    return directions;
}

double RigidBody::heteroclinicRate() const
{
    const double A = p_.I[minimum()], B = p_.I[middle()], C = p_.I[maximum()];
    return p_.mu * std::sqrt((B - A) / A * ((C - B) / C)) / B;
}

const char* name(AxisRole role)
{
    switch (role) {
    case AxisRole::Minimum:
        return "minimum inertia";
    case AxisRole::Middle:
        return "middle inertia";
    case AxisRole::Maximum:
        return "maximum inertia";
    case AxisRole::Symmetry:
        return "axis of symmetry";
    case AxisRole::Equator:
        return "across the axis of symmetry";
    case AxisRole::Any:
        break;
    }
    return "any axis";
}

namespace {

RigidBodyEquilibrium equilibrium(const RigidBody& body, int axis, int sign)
{
    const Vec3& I = body.I();
    const double mu = body.mu();
    RigidBodyEquilibrium e;
    e.name = fmt::format("axis-{}{}", axis + 1, sign < 0 ? "-reversed" : "");
    e.axis = axis;
    e.sign = sign;
    e.M[axis] = sign * mu;
    e.omega = mu / I[axis];
    e.energy = 0.5 * mu * e.omega;

    const int j = (axis + 1) % 3, k = (axis + 2) % 3;
    // 1/I_j - 1/I_i without the cancellation of two reciprocals.
    const double vj = (I[axis] - I[j]) / I[j] / I[axis], vk = (I[axis] - I[k]) / I[k] / I[axis];
    e.secondVariation = {std::min(vj, vk), std::max(vj, vk)};
    // δM_j' = -s μ v_k δM_k, δM_k' = s μ v_j δM_j with s the sign of M on its axis.
    const double up = sign * mu * vj, down = -sign * mu * vk;
    const double square = up * down, rate = std::sqrt(std::abs(up)) * std::sqrt(std::abs(down));
    const auto tangent = [&](double dj, double dk) {
        Vec3 d = Vec3::Zero();
        d[j] = dj;
        d[k] = dk;
        return Vec3(d.normalized());
    };
    if (square > 0) {
        e.eigenvalues = {std::complex<double>(-rate, 0), std::complex<double>(rate, 0)};
        for (const double s : {rate, -rate})
            e.directions.push_back(tangent(down / rate, s / rate));
    } else {
        e.eigenvalues = {std::complex<double>(0, -rate), std::complex<double>(0, rate)};
        e.directions.push_back(tangent(1, 0));
    }

    const double scale = 1 / I[axis];
    const auto quadratic = [&](const char* sign2) {
        return fmt::format("H + Φ(|M|²/2) with Φ' = {:.6g} has the second variation {:.6g}, {:.6g} on "
                           "the leaf: {} definite",
                           -scale, e.secondVariation[0], e.secondVariation[1], sign2);
    };
    if (vj == 0 && vk == 0) {
        e.role = AxisRole::Any;
        e.stability = verdict::stable;
        e.basis = basis::closedForm;
        e.detail =
            "All inertias are equal: H is a function of |M| alone, M never moves, and every state of the "
            "sphere is an equilibrium. The second variation is zero.";
    } else if (vj == 0 || vk == 0) {
        e.role = AxisRole::Equator;
        e.stability = verdict::degenerate;
        e.basis = basis::closedForm;
        e.detail = fmt::format(
            "The inertia {:.6g} belongs to two axes: every direction in their plane is an equilibrium, and "
            "the "
            "second variation is zero along that circle. The slightest momentum along the axis of symmetry "
            "makes M "
            "drift along it, so no single state of the circle is stable; the circle as a whole is.",
            I[axis]);
    } else if (vj > 0 && vk > 0) {
        e.role = vj == vk ? AxisRole::Symmetry : AxisRole::Maximum;
        e.stability = verdict::stable;
        e.basis = basis::energyCasimir;
        e.detail = fmt::format("{}; the energy is least on the leaf at the axis of maximum inertia. Small "
                               "polhodes have the rate {:.6g}.",
                               quadratic("positive"), rate);
    } else if (vj < 0 && vk < 0) {
        e.role = vj == vk ? AxisRole::Symmetry : AxisRole::Minimum;
        e.stability = verdict::stable;
        e.basis = basis::energyCasimir;
        e.detail = fmt::format("{}; the energy is greatest on the leaf at the axis of minimum inertia, so a "
                               "body that loses energy leaves it. Small polhodes have the rate {:.6g}.",
                               quadratic("negative"), rate);
    } else {
        e.role = AxisRole::Middle;
        e.stability = verdict::unstable;
        e.basis = basis::linearisation;
        e.detail =
            fmt::format("The second variation {:.6g}, {:.6g} on the leaf is indefinite whatever Φ is, "
                        "and the linearisation has the real eigenvalue {:.6g} > 0: a saddle, joined to "
                        "its opposite by four heteroclinic orbits.",
                        e.secondVariation[0], e.secondVariation[1], rate);
    }
    return e;
}

} // namespace

RigidBodyEquilibria equilibria(const RigidBody& body)
{
    RigidBodyEquilibria result;
    if (body.mu() == 0) {
        result.status = Status::failed(
            "degenerate", "μ = 0: the leaf is the single point M = 0, and the body rests in any attitude.");
        return result;
    }
    for (int axis = 0; axis < 3; ++axis)
        for (const int sign : {1, -1})
            result.equilibria.push_back(equilibrium(body, axis, sign));
    return result;
}

} // namespace casimir::rod
