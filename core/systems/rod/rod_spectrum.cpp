// The linearised motion M η'' + (G + τ N) η' + K η = 0 in the frame that turns with ξ, on the reduced space.
#include "core/systems/rod/rod_stability.h"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr KrylovSize spectrumSize{4, 9};
// Real parts below this part of the largest exponent looked at are rounding: a double exponent that should
// be imaginary splits by the root of it.
constexpr double growthFloor = 2e-7;

// Positions of the Krylov space of the shifted inverse of the first-order form, at a real shift where the
// matrix cannot be singular for a stable rod. Velocities lie in the same span.
Eigen::MatrixXd positions(const RodLinearisation& at, const BlockTridiagonal& G)
{
    const double s = 1 + 0.5 * at.omega();
    BlockTridiagonal Q = at.K;
    Q.add(s, G);
    Q.add(s * s, at.M);
    const Eigen::Index n = at.rod->size();
    const BorderedChain inverse(Q, Eigen::MatrixXd(n, 0), Eigen::MatrixXd(0, 0), at.springs);
    const auto step = [&](const Eigen::MatrixXd& pair) {
        const Eigen::MatrixXd eta = pair.topRows(n), rate = pair.bottomRows(n);
        Eigen::MatrixXd next(2 * n, pair.cols());
        next.topRows(n) = inverse.solve(-(at.M * (rate + s * eta)) - G * eta);
        next.bottomRows(n) = eta + s * next.topRows(n);
        return next;
    };
    Eigen::MatrixXd start = Eigen::MatrixXd::Zero(2 * n, spectrumSize.block);
    start.topRows(n) = inverse.solve(at.M * genericColumns(n, spectrumSize.block));
    return krylovBasis(step, start, spectrumSize.depth, nullptr).topRows(n);
}

// M-orthonormal columns that begin with the rigid rotations; the mass centre is held.
Eigen::MatrixXd reducedBasis(const RodLinearisation& at, const Eigen::MatrixXd& eta)
{
    const Eigen::MatrixXd shifts = at.rod->translations();
    Eigen::MatrixXd columns(eta.rows(), 3 + eta.cols());
    columns << at.rotations, eta;
    const Eigen::MatrixXd MShifts = at.M * shifts;
    columns -= shifts * (MShifts.transpose() * columns) / at.rod->mass();
    Eigen::MatrixXd basis(eta.rows(), columns.cols()), MBasis(eta.rows(), columns.cols());
    Eigen::Index filled = 0;
    for (Eigen::Index k = 0; k < columns.cols(); ++k) {
        Eigen::VectorXd x = columns.col(k);
        const double before = std::sqrt(x.dot((at.M * x).col(0)));
        for (int pass = 0; pass < 2; ++pass)
            x -= basis.leftCols(filled) * (MBasis.leftCols(filled).transpose() * x);
        const Eigen::VectorXd Mx = at.M * x;
        const double after = std::sqrt(std::max(0.0, x.dot(Mx)));
        if (!(after > 1e-9 * before))
            continue;
        basis.col(filled) = x / after;
        MBasis.col(filled++) = Mx / after;
    }
    return basis.leftCols(filled);
}

struct Exponents {
    Eigen::VectorXcd values;
    Eigen::MatrixXcd vectors; // columns (δq, velocity) in the basis; empty where not asked for
};

// J z' = H z with J skew and H symmetric positive definite: with H = L Lᵀ the exponents are the inverses of
// the eigenvalues of the skew L⁻¹ J L⁻ᵀ, all imaginary.
Exponents definiteExponents(const Eigen::MatrixXd& J, const Eigen::LLT<Eigen::MatrixXd>& L, bool shapes)
{
    Eigen::MatrixXd W = L.matrixL().solve(J);
    W = L.matrixL().solve(W.transpose().eval()).transpose().eval();
    const Eigen::MatrixXcd hermitian = std::complex<double>(0, 0.5) * (W - W.transpose());
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> solver(
        hermitian, shapes ? Eigen::ComputeEigenvectors : Eigen::EigenvaluesOnly);
    Exponents all;
    // i W w = θ w means W w = -iθ w, exponent 1/(-iθ) = i/θ.
    all.values =
        solver.eigenvalues().unaryExpr([](double theta) { return std::complex<double>(0, 1 / theta); });
    if (shapes) {
        const Eigen::MatrixXd re = solver.eigenvectors().real(), im = solver.eigenvectors().imag();
        all.vectors = L.matrixU().solve(re).cast<std::complex<double>>() +
                      std::complex<double>(0, 1) * L.matrixU().solve(im).cast<std::complex<double>>();
    }
    return all;
}

} // namespace

RodSpectrum spectrumOf(const RodLinearisation& at, int count, double damping, bool shapes, bool definite)
{
    RodSpectrum spectrum;
    if (at.omega() == 0) {
        // At rest the reduced space is what is mass-orthogonal to the six rigid motions.
        Eigen::MatrixXd rigid(at.rod->size(), 6);
        rigid << at.rod->translations(), at.rotations;
        Eigen::MatrixXd conditions = at.M * rigid;
        conditions.colwise().normalize();
        const ConstrainedModes modes(at.A, at.M, conditions, at.springs, -1,
                                     Eigen::MatrixXd(at.rod->size(), 0), {6, 9});
        const LowestModes lowest = modes.lowest(count);
        for (Eigen::Index k = 0; k < lowest.values.size(); ++k) {
            const double square = lowest.values[k];
            RodMode mode{std::sqrt(std::complex<double>(-square)), {}, {}};
            if (shapes) {
                mode.shape = lowest.vectors.col(k) / lowest.vectors.col(k).cwiseAbs().maxCoeff();
                mode.velocity = mode.value * mode.shape;
            }
            spectrum.modes.push_back(std::move(mode));
        }
        return spectrum;
    }

    const BlockTridiagonal G = at.rod->gyroscopic(at.e.at, at.e.xi());
    const Eigen::MatrixXd basis = reducedBasis(at, positions(at, G));
    const Eigen::Index m = basis.cols();
    const auto projected = [&](const BlockTridiagonal& matrix) {
        return Eigen::MatrixXd(basis.transpose() * (matrix * basis));
    };
    const Eigen::MatrixXd Mr = projected(at.M), Gr = projected(G), Kr = projected(at.K);

    // The reduced space: δJ = c(δq) + Σ (η_Q)ᵀ M η' = 0 and no angle about the axis.
    Eigen::MatrixXd conditions = Eigen::MatrixXd::Zero(2 * m, 4);
    conditions.topLeftCorner(m, 3) = (at.omega() * at.unitVariation * basis).transpose();
    conditions.bottomLeftCorner(m, 3) = basis.transpose() * (at.M * at.rotations);
    conditions.topRightCorner(m, 1) = basis.transpose() * (at.M * at.rotations.col(2));
    conditions.colwise().normalize();
    const Eigen::HouseholderQR<Eigen::MatrixXd> qr(conditions);
    Eigen::MatrixXd S = Eigen::MatrixXd::Zero(2 * m, 2 * m - 4);
    S.bottomRows(2 * m - 4).setIdentity();
    S = qr.householderQ() * S;

    Eigen::MatrixXd omegaS(2 * m, S.cols()), hS(2 * m, S.cols());
    omegaS << -Gr * S.topRows(m) - Mr * S.bottomRows(m), Mr * S.topRows(m);
    hS << Kr * S.topRows(m), Mr * S.bottomRows(m);
    Eigen::MatrixXd J = S.transpose() * omegaS, H = S.transpose() * hS;
    J = ((J - J.transpose()) / 2).eval();
    H = ((H + H.transpose()) / 2).eval();

    Exponents all;
    bool done = false;
    if (definite && damping == 0) {
        const Eigen::LLT<Eigen::MatrixXd> L(H);
        if ((done = L.info() == Eigen::Success))
            all = definiteExponents(J, L, shapes);
    }
    if (!done) {
        Eigen::MatrixXd right = H;
        if (damping > 0) {
            const Eigen::MatrixXd N = damping * projected(at.rod->viscosity(at.e.at));
            right += S.topRows(m).transpose() * N * S.bottomRows(m);
        }
        const Eigen::EigenSolver<Eigen::MatrixXd> solver(J.partialPivLu().solve(right), shapes);
        all.values = solver.eigenvalues();
        if (shapes)
            all.vectors = solver.eigenvectors();
    }

    std::vector<Eigen::Index> order;
    // The turn of every section about its own axis is a double zero that rounding splits.
    const double least = at.materialSymmetry ? 1e-4 : 0;
    for (Eigen::Index k = 0; k < all.values.size(); ++k)
        if (std::abs(all.values[k]) < least)
            continue;
        else if (all.values[k].imag() > 0 || (all.values[k].imag() == 0 && all.values[k].real() >= 0))
            order.push_back(k);
    std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
        return std::abs(all.values[a]) < std::abs(all.values[b]);
    });
    if (static_cast<int>(order.size()) > count)
        order.resize(static_cast<std::size_t>(count));
    double largest = 0;
    for (const Eigen::Index k : order)
        largest = std::max(largest, std::abs(all.values[k]));
    double growth = 0;
    for (const Eigen::Index k : order) {
        std::complex<double> value = all.values[k];
        const double floor = damping > 0 ? 1e-13 * largest : growthFloor * std::max(1.0, std::abs(value));
        if (damping == 0 && std::abs(value.real()) < floor)
            value.real(0);
        if (value.real() > floor)
            growth = std::max(growth, value.real());
        RodMode mode{value, {}, {}};
        if (shapes) {
            const Eigen::VectorXcd z = S * all.vectors.col(k);
            mode.velocity = basis * z.tail(m);
            // The displacement from the velocity: it has the swing about the axis that the reduced space
            // leaves out.
            mode.shape = std::abs(value) > 1e-9 ? Eigen::VectorXcd(mode.velocity / value) : basis * z.head(m);
            Eigen::Index most = 0;
            mode.shape.cwiseAbs().maxCoeff(&most);
            const std::complex<double> scale = mode.shape[most];
            mode.velocity /= scale;
            mode.shape /= scale;
        }
        spectrum.modes.push_back(std::move(mode));
    }
    spectrum.growth = growth;
    return spectrum;
}

} // namespace casimir::rod
