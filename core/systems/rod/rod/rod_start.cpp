// Where a motion of the rod starts, which start a state is nearest to, and how a state goes on at other
// values.
#include "core/systems/rod/rod/rod_system.h"

#include "core/numerics/dense.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::rod {

namespace {

constexpr int perNode = 13;
// Deviations below this are rounding.
constexpr double noDeviation = 1e-13;

// The value at a part of the rod's length, between the nodes.
template <typename T, typename Between>
T along(const std::vector<T>& nodes, double part, const Between& between)
{
    const double place = part * static_cast<double>(nodes.size() - 1);
    const std::size_t left = std::min(static_cast<std::size_t>(place), nodes.size() - 2);
    return between(nodes[left], nodes[left + 1], place - static_cast<double>(left));
}

} // namespace

const RodLinearMotion& RodSystem::linearMotion() const
{
    std::call_once(linearised_,
                   [this] { linear_ = std::make_unique<RodLinearMotion>(dynamics_, equilibrium()); });
    return *linear_;
}

const RodSpectrum& RodSystem::movingModes() const
{
    std::call_once(modesSolved_, [this] {
        const RodLinearisation at(dynamics_.rod(), equilibrium());
        modes_ = spectrumOf(at, modesOffered, 0, true);
        std::erase_if(modes_.modes,
                      [](const RodMode& m) { return !m.shape.allFinite() || !m.velocity.allFinite(); });
        std::sort(modes_.modes.begin(), modes_.modes.end(),
                  [](const RodMode& a, const RodMode& b) { return a.value.imag() < b.value.imag(); });
    });
    return modes_;
}

const std::vector<LinearMode>& RodSystem::startingModes() const
{
    std::call_once(splitted_, [this] {
        for (const RodMode& mode : movingModes().modes)
            split_.push_back(linearMotion().split(mode));
    });
    return split_;
}

RodState RodSystem::started(const RodStart& start) const
{
    RodDeviation deviation = linearMotion().none();
    if (start.kick != 0 && !startingModes().empty()) {
        const auto wanted = static_cast<std::size_t>(start.mode) - 1;
        deviation =
            linearMotion().inMode(startingModes()[std::min(wanted, startingModes().size() - 1)], start.kick);
    }
    RodState s = linearMotion().stateAt(deviation);
    if (start.impulse.norm() > 0)
        strike(s, start.impulse);
    return s;
}

// A blow at the tip, seen in the frame of the mass centre after it, so that the picture stays.
void RodSystem::strike(RodState& s, const Vec3& impulse) const
{
    dynamics_.strike(s, impulse);
    for (std::size_t i = 0; i < rod_.nodes(); ++i)
        s.p[i] -= dynamics_.mass(i) / rod_.mass() * impulse;
}

State RodSystem::startAt(const std::vector<double>& inputs) const
{
    const RodStart start{inputs[0], static_cast<int>(std::lround(inputs[1])),
                         Vec3(inputs[2], inputs[3], inputs[4]) *
                             (setup_.units.time / (setup_.units.mass * setup_.units.length))};
    State x = State::Zero(static_cast<Eigen::Index>(coordinates_.size()));
    for (std::size_t i = 0; i < rod_.nodes(); ++i)
        x[perNode * static_cast<Eigen::Index>(i) + 3] = 1;
    pack(started(start), x);
    return x;
}

// The mode and amplitude whose shape is nearest to the deviation.
RodStart RodSystem::nearestKick(const RodDeviation& deviation) const
{
    RodStart start;
    if (deviation.shape.cwiseAbs().maxCoeff() <= noDeviation)
        return start;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < startingModes().size(); ++k) {
        const auto fit = RodLinearMotion::fitShape(startingModes()[k], deviation);
        if (fit.left < least) {
            least = fit.left;
            start.kick = std::clamp(fit.amplitude.real(), -largestKick, largestKick);
            start.mode = static_cast<int>(k) + 1;
        }
    }
    return start;
}

// The blow that leads from a start without one nearest to the velocities of s, which is turned by `angle`.
Vec3 RodSystem::nearestImpulse(const RodState& calm, const RodState& s, double angle) const
{
    const auto stacked = [this](const RodState& of, const Quat& turn) {
        std::vector<Vec3> v, w;
        dynamics_.velocities(of, v, w);
        Eigen::VectorXd all(3 * static_cast<Eigen::Index>(v.size()));
        for (std::size_t i = 0; i < v.size(); ++i)
            all.segment<3>(3 * static_cast<Eigen::Index>(i)) = turn * v[i];
        return all;
    };
    const Eigen::VectorXd before = stacked(calm, Quat::Identity());
    const Eigen::VectorXd change = stacked(s, Quat(Eigen::AngleAxisd(-angle, Vec3::UnitZ()))) - before;
    if (change.cwiseAbs().maxCoeff() <= noDeviation * std::max(1.0, before.cwiseAbs().maxCoeff()))
        return Vec3::Zero();
    Eigen::MatrixXd response(change.size(), 3);
    for (int c = 0; c < 3; ++c) {
        RodState struck = calm;
        strike(struck, Vec3::Unit(c));
        response.col(c) = stacked(struck, Quat::Identity()) - before;
    }
    return dense::leastSquares(response, change);
}

StateInputs RodSystem::inputsOf(const State& x) const
{
    const RodState s = unpacked(x);
    const RodDeviation deviation = linearMotion().deviationOf(s);
    const RodStart kick = nearestKick(deviation);
    const double swing =
        kick.kick == 0 ? 0
                       : kick.kick * startingModes()[static_cast<std::size_t>(kick.mode) - 1].swing.real();
    const Vec3 impulse = (nearestImpulse(started(kick), s, deviation.angle - swing) *
                          (setup_.units.mass * setup_.units.length / setup_.units.time))
                             .cwiseMax(-largestImpulse)
                             .cwiseMin(largestImpulse);
    return {{"kick", kick.kick},
            {"kick_mode", static_cast<double>(kick.mode)},
            {"impulse_x", impulse.x()},
            {"impulse_y", impulse.y()},
            {"impulse_z", impulse.z()}};
}

State RodSystem::carriedFrom(const System& other, double t, const State& x) const
{
    const auto* before = dynamic_cast<const RodSystem*>(&other);
    if (!before)
        return System::carriedFrom(other, t, x);
    const RodState s = before->unpacked(x);
    const RodConfiguration was = before->dynamics().configurationOf(s);
    std::vector<Vec3> v, w;
    before->dynamics().velocities(s, v, w);
    const Vec3 lag = s.chordRate - before->dynamics().stateOf(was, v, w).chordRate;
    // Points of the rod from the clamp on; node 0 of a configuration is the body's mass centre.
    std::vector<Vec3> points = was.x, pointRates = v;
    const Vec3 arm = was.q[0] * before->rod().parameters().r0;
    points[0] += arm;
    pointRates[0] += w[0].cross(arm);

    const double unit = setup_.units.time / before->setup().units.time;
    const auto mixed = [](const Vec3& a, const Vec3& b, double part) -> Vec3 { return a + part * (b - a); };
    RodConfiguration at;
    std::vector<Vec3> rates, turns;
    for (std::size_t i = 0; i < rod_.nodes(); ++i) {
        const double part = static_cast<double>(i) / static_cast<double>(rod_.nodes() - 1);
        at.x.push_back(along(points, part, mixed));
        at.q.push_back(
            along(was.q, part, [](const Quat& a, const Quat& b, double k) { return a.slerp(k, b); }));
        rates.push_back(unit * along(pointRates, part, mixed));
        turns.push_back(unit * along(w, part, mixed));
    }
    const Vec3 newArm = at.q[0] * rod_.parameters().r0;
    at.x[0] -= newArm;
    rates[0] -= turns[0].cross(newArm);
    // The mass centre keeps its velocity.
    const Vec3 wanted = unit * before->dynamics().linearMomentum(s) / before->rod().mass();
    const Vec3 excess = dynamics_.linearMomentum(dynamics_.stateOf(at, rates, turns)) / rod_.mass() - wanted;
    for (Vec3& rate : rates)
        rate -= excess;
    RodState now = dynamics_.stateOf(at, rates, turns);
    now.chordRate += unit * lag;

    State result = State::Zero(static_cast<Eigen::Index>(coordinates_.size()));
    for (std::size_t i = 0; i < rod_.nodes(); ++i) {
        const auto k = static_cast<Eigen::Index>(perNode * i) + 3;
        result[k] = 1;
        if (rod_.nodes() == before->rod().nodes())
            result.segment<4>(k) = x.segment<4>(k);
    }
    pack(now, result);
    result[result.size() - 1] = x[x.size() - 1];
    return result;
}

} // namespace casimir::rod
