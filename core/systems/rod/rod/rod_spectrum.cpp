// The linearised motion M η'' + (G + τ N) η' + K η = 0 in the frame that turns with ξ, on the reduced space:
// its exponents, each tested in the full pencil, and their number, counted by inertia.
#include "core/numerics/dense.h"
#include "core/systems/rod/rod/rod_reduced.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::rod {

namespace {

// Real parts below this part of an exponent are rounding: a double exponent that should be imaginary splits
// by the root of it.
constexpr double growthFloor = 2e-7;
// Real parts smaller than this part of a damped exponent are taken from the energy instead.
constexpr double dampingFloor = 1e-3;
// In natural units; what grows more slowly is not told from rounding.
constexpr double slowestGrowth = 1e-12;
// A shape that fails by this much belongs to a mode; the exponent is then right to the square of it.
constexpr double residualWanted = 1e-6, residualAllowed = 1e-4, ofNoMode = 0.01;
// Exponents whose sizes differ by less are counted together.
constexpr double apart = 1e-3;
constexpr double gathering = 0.1;         // part of 1/τ
constexpr Eigen::Index mostColumns = 400; // of a space that is not the whole of a short chain
constexpr int mostBeyond = 6;             // exponents looked at beyond those asked for, to find a gap

struct Exponents {
    Eigen::VectorXcd values;
    Eigen::MatrixXcd vectors; // in the coordinates of the pencil
    bool definite = false;
};

// J z' = H z with J skew and H symmetric positive definite: with H = L Lᵀ the exponents are the inverses of
// the eigenvalues of the skew L⁻¹ J L⁻ᵀ, all imaginary.
Exponents definiteExponents(const Eigen::MatrixXd& J, const Eigen::LLT<Eigen::MatrixXd>& L)
{
    Eigen::MatrixXd W = L.matrixL().solve(J);
    W = L.matrixL().solve(W.transpose().eval()).transpose().eval();
    const Eigen::MatrixXcd hermitian = std::complex<double>(0, 0.5) * (W - W.transpose());
    const dense::HermitianSpectrum found = dense::hermitianSpectrum(hermitian);
    // i W w = θ w means W w = -iθ w, exponent 1/(-iθ) = i/θ. Of each pair the positive one.
    const Eigen::Index half = found.values.size() / 2;
    Exponents all;
    all.definite = true;
    all.values =
        found.values.tail(half).unaryExpr([](double theta) { return std::complex<double>(0, 1 / theta); });
    const Eigen::MatrixXd re = found.vectors.rightCols(half).real(),
                          im = found.vectors.rightCols(half).imag();
    all.vectors = L.matrixU().solve(re).cast<std::complex<double>>() +
                  std::complex<double>(0, 1) * L.matrixU().solve(im).cast<std::complex<double>>();
    return all;
}

// The inverse of the pencil, so that the slow exponents are its large ones and exact to rounding, in
// coordinates where H is diagonal with entries ±1: there it is nearly skew and its eigenvectors well apart.
Exponents generalExponents(const ReducedPencil& p)
{
    Exponents all;
    const dense::SymmetricSpectrum principal = dense::symmetricSpectrum(p.H);
    const Eigen::VectorXd sizes = principal.values.cwiseAbs();
    const double floor = 1e-14 * sizes.maxCoeff();
    const Eigen::MatrixXd S =
        principal.vectors * sizes.cwiseMax(floor).cwiseSqrt().cwiseInverse().asDiagonal();
    const Eigen::MatrixXd right = S.transpose() * (p.H + p.D) * S, left = S.transpose() * p.J * S;
    const Eigen::MatrixXd inverse = dense::solve(right, left);
    if (!inverse.allFinite())
        return all;
    const dense::Spectrum found = dense::spectrum(inverse);
    all.values = found.values.cwiseInverse();
    all.vectors = S * found.vectors;
    return all;
}

Exponents exponentsOf(const ReducedPencil& p, double damping)
{
    if (p.H.rows() == 0 || !p.H.allFinite())
        return {};
    if (damping == 0) {
        const Eigen::LLT<Eigen::MatrixXd> L(p.H);
        if (L.info() == Eigen::Success)
            return definiteExponents(p.J, L);
    }
    return generalExponents(p);
}

struct Candidate {
    RodMode mode;
    double residual = 0;
    int sign = 0; // of its energy; 0 of a mode that grows or fades
};

class Search {
public:
    Search(const RodLinearisation& at, int count, double damping)
        : at_(at), space_(at, damping), count_(count), damping_(damping), negative_(negativeDirections(at))
    {
    }

    RodSpectrum found(bool shapes)
    {
        double before = std::numeric_limits<double>::infinity();
        // A mode takes two pairs; the rest is what the slow ones need to be exact.
        for (Eigen::Index columns = 2 * count_ + 32;; columns += columns / 4) {
            space_.grow(columns);
            look();
            const double worst = worstResidual();
            const bool last = space_.whole() || columns > mostColumns;
            // What a larger space does not lower is rounding.
            const bool settled = worst <= residualWanted || (worst <= residualAllowed && worst > before / 2);
            if (settled || last)
                count();
            if ((settled && missing_ == 0) || last)
                break;
            before = worst;
        }
        return result(shapes);
    }

private:
    void look()
    {
        const ReducedPencil p = space_.pencil();
        const Exponents all = exponentsOf(p, damping_);
        std::vector<Eigen::Index> order;
        for (Eigen::Index k = 0; k < all.values.size(); ++k) {
            const std::complex<double> s = all.values[k];
            if (std::isfinite(std::abs(s)) && (s.imag() > 0 || (s.imag() == 0 && s.real() >= 0)) &&
                !overdamped(s))
                order.push_back(k);
        }
        std::sort(order.begin(), order.end(), [&](Eigen::Index a, Eigen::Index b) {
            return std::abs(all.values[a]) < std::abs(all.values[b]);
        });
        candidates_.clear();
        const std::size_t most = static_cast<std::size_t>(count_ + mostBeyond);
        for (std::size_t k = 0; k < std::min(order.size(), most); ++k)
            candidates_.push_back(candidate(p, all.values[order[k]], all.vectors.col(order[k])));
        test();
        // Projected damping is not dissipation to rounding: values of no mode, some of them growing, fail
        // widely.
        if (damping_ > 0)
            std::erase_if(candidates_, [](const Candidate& c) { return !(c.residual < ofNoMode); });
        chooseGap();
    }

    // Of overdamped vibrations, s² + sτω² + ω² = 0 with τω > 2, one exponent gathers at -1/τ, without end as
    // the elements become finer, and the other is beyond -2/τ.
    bool overdamped(std::complex<double> s) const
    {
        return damping_ > 0 &&
               (std::abs(1.0 + damping_ * s) < gathering || 1 + damping_ * s.real() < -1 - gathering);
    }

    // In the full pencil.
    void test()
    {
        const auto count = static_cast<Eigen::Index>(candidates_.size());
        Eigen::VectorXcd values(count);
        Eigen::MatrixXcd shapes(at_.rod->size(), count);
        for (Eigen::Index k = 0; k < count; ++k) {
            values[k] = candidates_[static_cast<std::size_t>(k)].mode.value;
            shapes.col(k) = candidates_[static_cast<std::size_t>(k)].mode.shape;
        }
        const Eigen::VectorXd residuals = space_.residuals(values, shapes);
        for (Eigen::Index k = 0; k < count; ++k)
            candidates_[static_cast<std::size_t>(k)].residual = residuals[k];
    }

    Candidate candidate(const ReducedPencil& p, std::complex<double> value, const Eigen::VectorXcd& z) const
    {
        Candidate c;
        RodMode& mode = c.mode;
        const double energy = z.dot(p.H * z).real();
        if (damping_ == 0 && std::abs(value.real()) < growthFloor * std::max(1.0, std::abs(value)))
            value.real(0);
        else if (damping_ > 0 && (negative_ == 0 || std::abs(value.real()) < dampingFloor * std::abs(value)))
            // The energy ½ z·H z falls by η'·τN η', which has no cancellation; nor has a definite energy.
            value.real(-z.dot(p.loss * z).real() / energy);
        mode.value = value;
        mode.velocity = p.rates * z;
        mode.shape = space_.shape(value, p.shapes * z, mode.velocity);
        if (damping_ == 0 && value.real() == 0)
            c.sign = energy > 0 ? 1 : -1;
        Eigen::Index most = 0;
        mode.shape.cwiseAbs().maxCoeff(&most);
        const std::complex<double> scale = mode.shape[most];
        mode.velocity /= scale;
        mode.shape /= scale;
        return c;
    }

    // The first place, from the number asked for on, where the exponents have a gap to be counted in.
    void chooseGap()
    {
        const auto size = [&](std::size_t k) { return std::abs(candidates_[k].mode.value); };
        gap_ = std::min(static_cast<std::size_t>(count_), candidates_.size());
        while (gap_ > 0 && gap_ < candidates_.size() && size(gap_) < (1 + apart) * size(gap_ - 1))
            ++gap_;
        above_ = gap_ == 0 ? 0
                 : gap_ == candidates_.size()
                     ? (1 + apart) * size(gap_ - 1)
                     : std::min((size(gap_) + size(gap_ - 1)) / 2, 1.1 * size(gap_ - 1));
    }

    double worstResidual() const
    {
        double worst = gap_ > 0 ? 0 : std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < gap_; ++k)
            worst = std::max(worst, candidates_[k].residual);
        return worst;
    }

    // How many more exponents inertia says are below the gap; with damping it does not say.
    void count()
    {
        if (damping_ > 0 || worstResidual() > residualAllowed)
            return;
        int signs = 0;
        for (std::size_t k = 0; k < gap_; ++k)
            signs += candidates_[k].sign;
        missing_ = frequenciesBelow(at_, space_.gyroscopic(), above_) - negative_ - signs;
    }

    RodSpectrum result(bool shapes)
    {
        RodSpectrum spectrum;
        const std::size_t count = std::min(static_cast<std::size_t>(count_), candidates_.size());
        for (std::size_t k = 0; k < count; ++k) {
            Candidate& c = candidates_[k];
            spectrum.residual = std::max(spectrum.residual, c.residual);
            const double real = c.mode.value.real();
            if (real > slowestGrowth)
                spectrum.growth = std::max(spectrum.growth, real);
            c.mode.energy = c.sign;
            if (!shapes)
                c.mode.shape = c.mode.velocity = {};
            spectrum.modes.push_back(std::move(c.mode));
        }
        spectrum.status = judged(spectrum);
        return spectrum;
    }

    Status judged(const RodSpectrum& spectrum)
    {
        if (spectrum.modes.empty() || !(spectrum.residual <= residualAllowed))
            return Status::failed("not-converged",
                                  fmt::format("The vibrations could not be computed: one of them fails the "
                                              "equations of motion by {:.1g} of itself.",
                                              spectrum.residual));
        if (missing_ != 0)
            return Status::failed(
                "incomplete",
                fmt::format("The list of vibrations is not complete: by inertia {} {} below {:.6g}.",
                            std::abs(missing_), missing_ > 0 ? "are missing" : "are too many", above_));
        return {};
    }

    const RodLinearisation& at_;
    ReducedSpace space_;
    int count_;
    double damping_;
    int negative_; // directions at ω = 0
    std::vector<Candidate> candidates_;
    std::size_t gap_ = 0;
    double above_ = 0;
    int missing_ = 0;
};

} // namespace

RodSpectrum spectrumOf(const RodLinearisation& at, int count, double damping, bool shapes)
{
    return Search(at, count, damping).found(shapes);
}

} // namespace casimir::rod
