#include "core/systems/rod/rod/rod_reduced.h"

#include "core/numerics/dense.h"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr int blockSize = 2; // modes of symmetric rods come in pairs
// A direction shorter than this part of what it was before it was made orthogonal is rounding.
constexpr double lost = 1e-10;
// Exponents below this part of the shift have shapes that their velocities give only to rounding.
constexpr double slow = 1e-2;
// Chains of so few free directions are taken whole.
constexpr Eigen::Index shortChain = 74;

BlockTridiagonal shifted(const RodLinearisation& at, const BlockTridiagonal& G, const BlockTridiagonal& N,
                         double s)
{
    BlockTridiagonal Q = at.K;
    Q.add(s, G);
    Q.add(s, N);
    Q.add(s * s, at.M);
    return Q;
}

BlockTridiagonal viscous(const RodLinearisation& at, double damping)
{
    BlockTridiagonal N(at.rod->nodes());
    if (damping > 0)
        N.add(damping, at.rod->viscosity(at.e.at));
    return N;
}

double massNorm(const BlockTridiagonal& M, const Eigen::MatrixXd& x)
{
    return std::sqrt(std::max(0.0, x.cwiseProduct(M * x).sum()));
}

} // namespace

ReducedSpace::ReducedSpace(const RodLinearisation& at, double damping)
    : at_(at),
      damping_(damping),
      shift_(1 + 0.5 * at.omega()),
      G_(at.rod->gyroscopic(at.e.at, at.e.xi())),
      N_(viscous(at, damping)),
      inverse_(shifted(at, G_, N_, shift_), Eigen::MatrixXd(at.rod->size(), 0), Eigen::MatrixXd(0, 0),
               at.springs),
      MR_(at.M * at.rotations),
      MT_(at.M * at.rod->translations()),
      c_(at.omega() * at.unitVariation),
      inverseInertia_(at.II.inverse()),
      pairs_(2 * at.rod->size(), 0),
      MPairs_(2 * at.rod->size(), 0)
{
    if (!at.materialSymmetry || at.omega() == 0)
        return;
    // The turn of the sections as a rigid motion R a and what is left, k times a unit vector: of a bent rod
    // something, of a straight one across the axis nothing.
    freeTurn_ = at.sectionTurn;
    Vec3 a = Vec3::Zero();
    for (int pass = 0; pass < 2; ++pass) {
        freeTurn_ -= at.rod->translations() * (MT_.transpose() * freeTurn_) / at.rod->mass();
        const Vec3 part = inverseInertia_ * (MR_.transpose() * freeTurn_);
        freeTurn_ -= at.rotations * part;
        a += part;
    }
    const double k = massNorm(at.M, freeTurn_);
    turnMomentum_ = G_ * at.sectionTurn + c_.transpose() * a;
    if (k > 1e-6 * massNorm(at.M, at.sectionTurn)) {
        freeTurn_ /= k;
        turnMomentum_ /= k;
    } else {
        freeTurn_ = at.rotations * a;
        freeTurn_ /= massNorm(at.M, freeTurn_);
        acrossTurn_ = at.rotations * Vec3::UnitZ().cross(a);
        acrossTurn_ /= turnMomentum_.dot(acrossTurn_);
    }
    MFreeTurn_ = at.M * freeTurn_;
}

// Pairs that the reduced space has: centre and angle about the axis held, no momentum.
void ReducedSpace::holdRigid(Eigen::MatrixXd& positions, Eigen::MatrixXd& rates) const
{
    const Eigen::MatrixXd shifts = at_.rod->translations();
    const double mass = at_.rod->mass();
    positions -= shifts * (MT_.transpose() * positions) / mass;
    // Turning every section about its own axis changes nothing: its angle is held.
    if (freeTurn_.size() > 0)
        positions -= at_.sectionTurn * (MFreeTurn_.transpose() * positions) / MFreeTurn_.dot(at_.sectionTurn);
    positions -= at_.rotations.col(2) * (MR_.col(2).transpose() * positions) / at_.lambda();
    rates -= shifts * (MT_.transpose() * rates) / mass;
    rates -= at_.rotations * (inverseInertia_ * (MR_.transpose() * rates + c_ * positions));
    if (freeTurn_.size() == 0)
        return;
    // Its momentum s·(M η' + Gᵀ δq) is none. Where that turn is rigid, δJ = 0 makes it a condition on δq
    // alone.
    if (acrossTurn_.size() > 0)
        positions -= acrossTurn_ * (turnMomentum_.transpose() * positions);
    rates -= at_.rotations * (inverseInertia_ * (c_ * positions + MR_.transpose() * rates));
    if (acrossTurn_.size() == 0)
        rates -= freeTurn_ * (MFreeTurn_.transpose() * rates - turnMomentum_.transpose() * positions);
}

Eigen::MatrixXd ReducedSpace::start()
{
    const Eigen::Index n = at_.rod->size();
    Eigen::MatrixXd positions = inverse_.solve(at_.M * genericColumns(n, blockSize, starts_++));
    Eigen::MatrixXd rates = Eigen::MatrixXd::Zero(n, positions.cols());
    holdRigid(positions, rates);
    Eigen::MatrixXd pairs(2 * n, positions.cols());
    pairs << positions, rates;
    return pairs;
}

// (L - s)⁻¹ of the first-order form.
Eigen::MatrixXd ReducedSpace::advance(const Eigen::MatrixXd& pairs) const
{
    const Eigen::Index n = at_.rod->size();
    const Eigen::MatrixXd eta = pairs.topRows(n), rate = pairs.bottomRows(n);
    Eigen::MatrixXd load = at_.M * Eigen::MatrixXd(rate + shift_ * eta) + G_ * eta;
    if (damping_ > 0)
        load += N_ * eta;
    Eigen::MatrixXd positions = -inverse_.solve(load);
    Eigen::MatrixXd rates = eta + shift_ * positions;
    holdRigid(positions, rates);
    Eigen::MatrixXd next(2 * n, pairs.cols());
    next << positions, rates;
    return next;
}

Eigen::MatrixXd ReducedSpace::massTimes(const Eigen::MatrixXd& pairs) const
{
    const Eigen::Index n = at_.rod->size();
    Eigen::MatrixXd product(pairs.rows(), pairs.cols());
    product.topRows(n) = at_.M * pairs.topRows(n);
    product.bottomRows(n) = at_.M * pairs.bottomRows(n);
    return product;
}

// Adds what the pairs have that is not in the space yet; returns how many directions that is.
Eigen::Index ReducedSpace::add(Eigen::MatrixXd pairs)
{
    const Eigen::Index before = pairs_.cols();
    Eigen::VectorXd lengths = pairs.cwiseProduct(massTimes(pairs)).colwise().sum().cwiseSqrt();
    for (int pass = 0; pass < 2 && before > 0; ++pass)
        pairs -= pairs_ * (MPairs_.transpose() * pairs);
    pairs_.conservativeResize(Eigen::NoChange, before + pairs.cols());
    MPairs_.conservativeResize(Eigen::NoChange, before + pairs.cols());
    Eigen::Index filled = before;
    for (Eigen::Index k = 0; k < pairs.cols(); ++k) {
        Eigen::MatrixXd x = pairs.col(k);
        for (int pass = 0; pass < 2; ++pass)
            x -= pairs_.middleCols(before, filled - before) *
                 (MPairs_.middleCols(before, filled - before).transpose() * x);
        const Eigen::MatrixXd Mx = massTimes(x);
        const double length = std::sqrt(std::max(0.0, x.cwiseProduct(Mx).sum()));
        if (!(length > lost * std::max(lengths[k], 1e-6 * lengths.maxCoeff())))
            continue;
        pairs_.col(filled) = x / length;
        MPairs_.col(filled++) = Mx / length;
    }
    pairs_.conservativeResize(Eigen::NoChange, filled);
    MPairs_.conservativeResize(Eigen::NoChange, filled);
    return filled - before;
}

void ReducedSpace::grow(Eigen::Index columns)
{
    if (whole_)
        return;
    if (most() <= shortChain || 2 * columns >= most()) {
        pairs_ = everything();
        MPairs_ = massTimes(pairs_);
        if (freeTurn_.size() > 0) {
            // The conditions of that turn leave fewer directions than columns.
            const Eigen::MatrixXd all = pairs_;
            pairs_.resize(Eigen::NoChange, 0);
            MPairs_.resize(Eigen::NoChange, 0);
            add(all);
        }
        whole_ = true;
        return;
    }
    // A block that adds nothing means that its Krylov space is invariant: another start finds the rest.
    constexpr int mostStarts = 6;
    while (pairs_.cols() < columns && starts_ <= mostStarts)
        last_ = add(last_ > 0 ? advance(pairs_.rightCols(last_)) : start());
}

// Of short chains the rigid turns across the axis, the columns of X, and X again as rates.
Eigen::MatrixXd ReducedSpace::everything() const
{
    // M = L Lᵀ; of the columns of L⁻ᵀ those that are orthogonal to the rigid motions.
    const Eigen::Index n = at_.rod->size(), m = n - 6, turns = at_.omega() > 0 ? 2 : 0;
    const Eigen::LLT<Eigen::MatrixXd> factors(at_.M.dense());
    Eigen::MatrixXd rigid(n, 6);
    rigid << at_.rod->translations(), at_.rotations;
    const Eigen::MatrixXd apart = dense::orthogonalFactor(factors.matrixU() * rigid).rightCols(m);
    const Eigen::MatrixXd X = factors.matrixU().solve(apart);
    Eigen::MatrixXd positions = Eigen::MatrixXd::Zero(n, turns + 2 * m), rates = positions;
    positions.leftCols(turns) = at_.rotations.leftCols(turns);
    for (Eigen::Index k = 0; k < turns; ++k)
        positions.col(k) /= std::sqrt(at_.II(k, k));
    positions.middleCols(turns, m) = X;
    rates.rightCols(m) = X;
    holdRigid(positions, rates);
    Eigen::MatrixXd pairs(2 * n, positions.cols());
    pairs << positions, rates;
    return pairs;
}

ReducedPencil ReducedSpace::pencil() const
{
    const Eigen::Index n = at_.rod->size();
    ReducedPencil p;
    p.shapes = pairs_.topRows(n);
    p.rates = pairs_.bottomRows(n);
    const Eigen::MatrixXd mixed = p.shapes.transpose() * MPairs_.bottomRows(n);
    p.H = p.shapes.transpose() * (at_.K * p.shapes) + p.rates.transpose() * MPairs_.bottomRows(n);
    p.H = ((p.H + p.H.transpose()) / 2).eval();
    p.J = -p.shapes.transpose() * (G_ * p.shapes) - mixed + mixed.transpose();
    p.J = ((p.J - p.J.transpose()) / 2).eval();
    p.D = p.loss = Eigen::MatrixXd::Zero(p.H.rows(), p.H.cols());
    if (damping_ > 0) {
        const Eigen::MatrixXd viscous = N_ * p.rates;
        p.D = p.shapes.transpose() * viscous;
        p.loss = p.rates.transpose() * viscous;
    }
    return p;
}

Eigen::VectorXcd ReducedSpace::shape(std::complex<double> value, const Eigen::VectorXcd& position,
                                     const Eigen::VectorXcd& velocity) const
{
    if (std::abs(value) > slow * shift_)
        return velocity / value;
    Eigen::VectorXcd all = position;
    if (std::abs(value) < 1e-9)
        return all;
    const auto part = [](const Eigen::VectorXd& along, const Eigen::VectorXcd& of) {
        return along.cast<std::complex<double>>().dot(of);
    };
    if (freeTurn_.size() > 0)
        all += at_.sectionTurn * (part(MFreeTurn_, velocity) / value / MFreeTurn_.dot(at_.sectionTurn));
    all += at_.rotations.col(2) * (part(MR_.col(2), velocity / value - all) / at_.lambda());
    return all;
}

Eigen::VectorXd ReducedSpace::residuals(const Eigen::VectorXcd& values, const Eigen::MatrixXcd& shapes) const
{
    // Q(λ) = Q(s) + (λ - s)(G + τN + (λ + s) M): what Q(s)⁻¹ answers is smooth. Real parts, then imaginary.
    const Eigen::Index count = shapes.cols();
    const auto apart = [count](const Eigen::MatrixXcd& x) {
        Eigen::MatrixXd parts(x.rows(), 2 * count);
        parts << x.real(), x.imag();
        return parts;
    };
    const Eigen::MatrixXd eta = apart(shapes);
    const Eigen::VectorXcd sums = values.array() + shift_, differences = values.array() - shift_;
    Eigen::MatrixXd load = G_ * eta + at_.M * apart(shapes * sums.asDiagonal());
    if (damping_ > 0)
        load += N_ * eta;
    const Eigen::MatrixXd answer = inverse_.solve(load);
    const Eigen::MatrixXcd joined = answer.leftCols(count).cast<std::complex<double>>() +
                                    std::complex<double>(0, 1) * answer.rightCols(count);
    const Eigen::MatrixXd rest = apart(shapes + joined * differences.asDiagonal());
    const auto squares = [&](const Eigen::MatrixXd& x) {
        const Eigen::VectorXd each = x.cwiseProduct(at_.M * x).colwise().sum();
        return Eigen::VectorXd(each.head(count) + each.tail(count));
    };
    return squares(rest).cwiseQuotient(squares(eta)).cwiseAbs().cwiseSqrt();
}

int frequenciesBelow(const RodLinearisation& at, const BlockTridiagonal& gyroscopic, double omega)
{
    // The rates eliminated from H - iωJ with the conditions: K + iωG - ω²M bordered by those of the momentum
    // (c - iωMR, with -RᵀMR), of the centre and of the angle.
    BlockTridiagonal even = at.K, odd(at.rod->nodes());
    even.add(-omega * omega, at.M);
    odd.add(omega, gyroscopic);
    const std::complex<double> i(0, 1);
    const bool resting = at.omega() == 0;
    const Eigen::Index extra = at.materialSymmetry && !resting ? 1 : 0, momenta = 3 + extra;
    Eigen::MatrixXd motions(at.rod->size(), momenta);
    motions.leftCols<3>() = at.rotations;
    if (extra)
        motions.col(3) = at.sectionTurn;
    const Eigen::MatrixXd M = at.M * motions;
    // At rest no turn has a momentum, and all of them are held.
    Eigen::MatrixXd held = at.centred;
    if (resting) {
        held.conservativeResize(Eigen::NoChange, 6);
        held.rightCols<2>() = M.leftCols<2>();
    }
    Eigen::MatrixXcd U(at.rod->size(), momenta + held.cols());
    U.leftCols<3>() = (at.omega() * at.unitVariation).transpose().cast<std::complex<double>>();
    if (extra)
        U.col(3) = -(gyroscopic * at.sectionTurn).cast<std::complex<double>>();
    U.leftCols(momenta) -= i * omega * M;
    U.rightCols(held.cols()) = held.cast<std::complex<double>>();
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(U.cols(), U.cols());
    D.topLeftCorner(momenta, momenta) = -motions.transpose() * M;
    // Of equal length, so that a heavy body's rows do not drown the others in rounding.
    const Eigen::VectorXd scale = U.colwise().norm().cwiseInverse();
    U = U * scale.asDiagonal();
    D = scale.asDiagonal() * D * scale.asDiagonal();
    return negativeDirections(even, odd, U, D, at.springs) - static_cast<int>(U.cols());
}

} // namespace casimir::rod
