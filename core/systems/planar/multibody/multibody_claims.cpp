#include "core/systems/planar/multibody/multibody_claims.h"

#include "core/model/claims.h"
#include "core/systems/planar/multibody/multibody_shape.h"

#include <Eigen/Geometry>
#include <Eigen/LU>

#include <cmath>
#include <numbers>
#include <random>

namespace casimir::planar {

namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;

constexpr int sampleCount = 6;

// A random tree in a random state.
struct Sample {
    Tree tree;
    VectorXd theta, omega, other; // `other`: angular velocities for test functions

    int n() const { return tree.size(); }
    const TreeBody& body(int k) const { return tree.bodies()[static_cast<std::size_t>(k)]; }

    // From the hinges alone, in the frame of the centre of mass.
    std::vector<Vector2d> velocities(const VectorXd& w) const
    {
        std::vector<Vector2d> v(static_cast<std::size_t>(n()), Vector2d::Zero());
        Vector2d mean = Vector2d::Zero();
        for (const int k : tree.order()) {
            const TreeBody& b = body(k);
            if (b.parent >= 0) {
                const Vector2d A = Eigen::Rotation2Dd(theta[b.parent]) * b.hingeOnParent;
                const Vector2d B = Eigen::Rotation2Dd(theta[k]) * b.hingeOnBody;
                v[static_cast<std::size_t>(k)] = v[static_cast<std::size_t>(b.parent)] +
                                                 w[b.parent] * Vector2d(-A.y(), A.x()) -
                                                 w[k] * Vector2d(-B.y(), B.x());
            }
            mean += b.mass / tree.mass() * v[static_cast<std::size_t>(k)];
        }
        for (Vector2d& x : v)
            x -= mean;
        return v;
    }
    double embeddedEnergy(const VectorXd& w) const
    {
        const auto v = velocities(w);
        double twice = 0;
        for (int k = 0; k < n(); ++k)
            twice +=
                body(k).mass * v[static_cast<std::size_t>(k)].squaredNorm() + body(k).inertia * w[k] * w[k];
        return 0.5 * twice;
    }
    // dT/domega; exact for a quadratic form.
    VectorXd embeddedMomenta(const VectorXd& w) const
    {
        VectorXd mu(n());
        for (int k = 0; k < n(); ++k)
            mu[k] = 0.5 *
                    (embeddedEnergy(w + VectorXd::Unit(n(), k)) - embeddedEnergy(w - VectorXd::Unit(n(), k)));
        return mu;
    }
    // omega' of Newton's and Euler's laws, the hinge forces as unknowns.
    VectorXd newtonEuler(const VectorXd& w) const
    {
        const int size = 3 * n() + 2 * (n() - 1);
        MatrixXd A = MatrixXd::Zero(size, size);
        VectorXd rhs = VectorXd::Zero(size);
        int row = 3 * n();
        for (int k = 0; k < n(); ++k) {
            const TreeBody& b = body(k);
            A(3 * k, 3 * k) = A(3 * k + 1, 3 * k + 1) = b.mass;
            A(3 * k + 2, 3 * k + 2) = b.inertia;
            if (b.parent < 0)
                continue;
            const int p = b.parent;
            const Vector2d P = Eigen::Rotation2Dd(theta[p]) * b.hingeOnParent;
            const Vector2d B = Eigen::Rotation2Dd(theta[k]) * b.hingeOnBody;
            MatrixXd C = MatrixXd::Zero(2, size);
            C(0, 3 * k) = C(1, 3 * k + 1) = 1;
            C(0, 3 * p) = C(1, 3 * p + 1) = -1;
            C(0, 3 * k + 2) = -B.y();
            C(1, 3 * k + 2) = B.x();
            C(0, 3 * p + 2) = P.y();
            C(1, 3 * p + 2) = -P.x();
            A.middleRows(row, 2) = C;
            A.middleCols(row, 2) = C.transpose();
            rhs.segment<2>(row) = w[k] * w[k] * B - w[p] * w[p] * P;
            row += 2;
        }
        const VectorXd x = A.partialPivLu().solve(rhs);
        VectorXd alpha(n());
        for (int k = 0; k < n(); ++k)
            alpha[k] = x[3 * k + 2];
        return alpha;
    }
};

Tree randomTree(std::mt19937_64& engine, int n, bool chain, bool aligned)
{
    std::uniform_real_distribution<double> positive(0.4, 2), hinge(-1, 1);
    std::vector<TreeBody> bodies(static_cast<std::size_t>(n));
    for (int k = 0; k < n; ++k) {
        TreeBody& b = bodies[static_cast<std::size_t>(k)];
        b.mass = positive(engine);
        b.inertia = 0.3 * positive(engine);
        b.parent = chain || k < 2 ? k - 1 : std::uniform_int_distribution<int>(0, k - 1)(engine);
        b.hingeOnParent = {hinge(engine), aligned ? 0 : hinge(engine)};
        b.hingeOnBody = {hinge(engine), aligned ? 0 : hinge(engine)};
    }
    return Tree(bodies);
}

VectorXd randomVector(std::mt19937_64& engine, int n, double size)
{
    std::uniform_real_distribution<double> number(-size, size);
    return VectorXd::NullaryExpr(n, [&](Eigen::Index) { return number(engine); });
}

// Minus dH/dtheta at fixed mu, from the kinetic energy of the positions: -dH/dtheta = +dT/dtheta at fixed
// omega, by central differences whose error is of sixth order.
VectorXd torqueOfShape(const Sample& s)
{
    constexpr double h = 2e-2;
    VectorXd rate(s.n());
    for (int k = 0; k < s.n(); ++k) {
        const auto at = [&](double by) {
            Sample moved = s;
            moved.theta[k] += by;
            return moved.embeddedEnergy(s.omega);
        };
        const auto slope = [&](double step) { return (at(step) - at(-step)) / (2 * step); };
        const double a = slope(h), b = slope(h / 2), c = slope(h / 4), d = slope(h / 8);
        const double ab = (4 * b - a) / 3, bc = (4 * c - b) / 3, cd = (4 * d - c) / 3;
        const double abc = (16 * bc - ab) / 15, bcd = (16 * cd - bc) / 15;
        rate[k] = (64 * bcd - abc) / 63;
    }
    return rate;
}

// d/dt of a smooth test function f(beta, mu) = sin(a . beta + b . mu) by the bracket with H and along the
// field.
double theorem3(const Sample& s, const TreeFormulas& f, std::mt19937_64& engine)
{
    const VectorXd mu = s.embeddedMomenta(s.omega);
    const VectorXd a = randomVector(engine, s.n() - 1, 1), b = randomVector(engine, s.n(), 1);
    const VectorXd beta = jointAngles(s.tree, s.theta);
    const double slope = std::cos(a.dot(beta) + b.dot(mu));
    // dH/dbeta_j: of all bodies that hinge j carries.
    const VectorXd hBeta = -jointMatrix(s.tree).transpose() * torqueOfShape(s);
    const double byBracket = f.bracket(s.tree, slope * a, slope * b, hBeta, s.omega);
    const VectorXd muRate = [&] { // along Newton's and Euler's laws
        constexpr double h = 1e-3;
        const auto momentaAt = [&](double t) {
            Sample later = s;
            const VectorXd alpha = s.newtonEuler(s.omega);
            later.theta += t * s.omega + 0.5 * t * t * alpha;
            return VectorXd(later.embeddedMomenta(s.omega + t * alpha));
        };
        const auto difference = [&](double t) { return VectorXd((momentaAt(t) - momentaAt(-t)) / (2 * t)); };
        return VectorXd((4 * difference(h / 2) - difference(h)) / 3);
    }();
    const double alongMotion = slope * (a.dot(jointAngles(s.tree, s.omega)) + b.dot(muRate));
    return std::abs(byBracket - alongMotion) / (a.norm() * s.omega.norm() + b.norm() * muRate.norm());
}

double fieldOff(const Sample& s, const TreeFormulas& f)
{
    const VectorXd mu = s.embeddedMomenta(s.omega);
    const VectorXd rates = f.field(s.tree, s.theta, mu);
    const VectorXd shape = torqueOfShape(s);
    return off(rates.head(s.n()), s.omega) +
           (rates.tail(s.n()) - shape).norm() / (shape.norm() + 2 * s.embeddedEnergy(s.omega));
}

double casimirs(const Sample& s, const TreeFormulas& f, std::mt19937_64& engine)
{
    const VectorXd a = randomVector(engine, s.n() - 1, 1), b = randomVector(engine, s.n(), 1),
                   c = randomVector(engine, s.n() - 1, 1), d = randomVector(engine, s.n(), 1);
    const VectorXd none = VectorXd::Zero(s.n() - 1), ones = VectorXd::Ones(s.n());
    const double swapped = f.bracket(s.tree, a, b, c, d) + f.bracket(s.tree, c, d, a, b);
    const VectorXd mu = s.embeddedMomenta(s.omega);
    const VectorXd rates = f.field(s.tree, s.theta, mu).tail(s.n());
    return std::abs(f.bracket(s.tree, a, b, none, ones)) / (a.norm() * ones.norm()) + std::abs(swapped) +
           std::abs(rates.sum()) / (rates.norm() + 2 * s.embeddedEnergy(s.omega));
}

// H - mu^2/(2 I_L) is the energy of the motion that remains when the common spin is taken out.
double amended(const Sample& s, const TreeFormulas& f)
{
    const VectorXd mu = s.embeddedMomenta(s.omega);
    const double total = mu.sum(), inertia = 2 * s.embeddedEnergy(VectorXd::Ones(s.n()));
    const VectorXd left = s.omega - VectorXd::Constant(s.n(), total / inertia);
    return off(f.hamiltonian(s.tree, s.theta, mu),
               f.amendedPotential(s.tree, s.theta, total) + s.embeddedEnergy(left));
}

double straightStates(const TreeFormulas& f, unsigned seed)
{
    std::mt19937_64 engine(seed);
    double most = 0;
    for (const int n : {3, 4, 5}) {
        const Tree tree = randomTree(engine, n, true, true);
        for (int pattern = 0; pattern < 1 << (n - 1); ++pattern) {
            VectorXd theta = VectorXd::Zero(n);
            for (int k = 1; k < n; ++k)
                theta[k] = (pattern >> (k - 1)) & 1 ? std::numbers::pi : 0;
            const Sample s{tree, theta, VectorXd::Constant(n, 1.3), {}};
            const VectorXd mu = s.embeddedMomenta(s.omega);
            const VectorXd rates = f.field(tree, theta, mu);
            most = std::max(most, off(rates.head(n), s.omega) + rates.tail(n).norm() / mu.norm());
        }
    }
    return most;
}

// A chain of three with both joints prescribed, mu = 0: the turn by the equations of motion, and by the
// connection handed in.
double fallingCat(const TreeFormulas& f, unsigned seed)
{
    std::mt19937_64 engine(seed);
    const Tree free = randomTree(engine, 3, true, false);
    std::vector<TreeJoint> joints(2);
    for (int j = 0; j < 2; ++j)
        joints[static_cast<std::size_t>(j)] = {.body = j + 1,
                                               .restAngle = 0.4 * j,
                                               .drive = TreeJoint::Drive::Motion,
                                               .amplitude = 0.8 + 0.2 * j,
                                               .frequency = 1.5,
                                               .phase = j * std::numbers::pi / 2};
    const Tree tree(free.bodies(), joints);
    const double period = 2 * std::numbers::pi / 1.5;
    constexpr int points = 256; // of the trapezoidal rule, which converges geometrically here
    double turn = 0;
    for (int i = 0; i < points; ++i) {
        const double t = period * i / points;
        turn -= period / points * f.connection(tree, prescribedShape(tree, t), prescribedRates(tree, t));
    }
    return off(turn, measuredRotation(tree, 0, period));
}

} // namespace

TreeFormulas treeFormulas()
{
    TreeFormulas f;
    f.J = [](const Tree& tree, const VectorXd& theta) { return TreeMatrices(tree).at(theta).J; };
    f.K = [](const Tree& tree, const VectorXd& theta) { return TreeMatrices(tree).at(theta).K; };
    f.hamiltonian = [](const Tree& tree, const VectorXd& theta, const VectorXd& mu) {
        Tree::Workspace w;
        return tree.energy(0, theta.data(), mu.data(), w);
    };
    f.field = [](const Tree& tree, const VectorXd& theta, const VectorXd& mu) {
        Tree::Workspace w;
        VectorXd rates(2 * tree.size());
        tree.field(0, theta.data(), mu.data(), rates.data(), rates.data() + tree.size(), w);
        return rates;
    };
    f.bracket = treeBracket;
    f.amendedPotential = [](const Tree& tree, const VectorXd& theta, double mu) {
        return mu * mu / (2 * tree.lockedInertia(theta.data()));
    };
    f.connection = connection;
    return f;
}

std::vector<Claim> multibodyClaims(unsigned seed, const TreeFormulas& f)
{
    std::mt19937_64 engine(seed);
    std::vector<Sample> samples;
    for (int i = 0; i < sampleCount; ++i) {
        const int n = 2 + i;
        Tree tree = randomTree(engine, n, i % 2 == 0, false);
        samples.push_back({std::move(tree), randomVector(engine, n, 3), randomVector(engine, n, 1.5), {}});
    }
    const auto over = [&samples](auto deviation) {
        return std::function<double()>([&samples, deviation] { return worst(samples, deviation); });
    };
    const std::vector<ClaimCheck> checks{
        {"(6.4), N bodies",
         "The kinetic energy is (1/2) ω·Jω with J_kl = Re(Γ_kl e^{i(θ_l − θ_k)}) + I_k δ_kl.",
         "From the velocities of the hinged bodies, at random chains and trees of two to seven bodies.",
         over([&f](const Sample& s) {
             return off(0.5 * s.omega.dot(f.J(s.tree, s.theta) * s.omega), s.embeddedEnergy(s.omega)) +
                    off(f.J(s.tree, s.theta) * s.omega, s.embeddedMomenta(s.omega));
         })},
        {"(6.1)", "H = (1/2) μ·J⁻¹μ.", "From the velocities of the hinged bodies, momenta as dT/dω.",
         over([&f](const Sample& s) {
             return off(f.hamiltonian(s.tree, s.theta, s.embeddedMomenta(s.omega)),
                        s.embeddedEnergy(s.omega));
         }),
         over([](const Sample& s) {
             const VectorXd mu = s.embeddedMomenta(s.omega);
             return off(mu.dot(s.omega), s.embeddedEnergy(s.omega));
         }),
         "(6.1) lacks the factor 1/2; (6.9), its value at equilibria, has it."},
        {"Theorem 3, bracket",
         "{f, g} = Σ_j [(f_μp(j) − f_μj) g_βj − f_βj (g_μp(j) − g_μj)], and f' = {f, H}; the sign and order "
         "make "
         "β' = {β, H}.",
         "Against the rate of a random function along Newton's and Euler's laws with hinge forces.",
         over([&f, &engine](const Sample& s) { return theorem3(s, f, engine); }),
         {},
         {},
         8},
        {"Theorem 3, field",
         "θ_k' = ω_k and μ_k' = ω_k Σ_l K_kl ω_l, by a recursion over the tree.",
         "Against the derivative of the kinetic energy of the positions, by extrapolated differences.",
         over([&f](const Sample& s) { return fieldOff(s, f); }),
         {},
         {},
         9},
        {"Theorem 3, Casimirs",
         "The bracket is antisymmetric, functions of μ = Σμ_k commute with all, and μ is constant.",
         "With random gradients, and along the field.",
         over([&f, &engine](const Sample& s) { return casimirs(s, f, engine); })},
        {"(1.5), N bodies", "Σ_l J_kl ω_l' = Σ_l K_kl ω_l².",
         "Against Newton's and Euler's laws with the hinge forces as unknowns.", over([&f](const Sample& s) {
             const VectorXd squares = s.omega.cwiseProduct(s.omega);
             return off(f.J(s.tree, s.theta) * s.newtonEuler(s.omega), f.K(s.tree, s.theta) * squares);
         })},
        {"Section 5, end",
         "On each leaf H = V(shape) + a positive definite form of what the joints do, V = μ²/(2 1·J1).",
         "The energy of the motion without the common spin, from velocities of the bodies. So a strict "
         "minimum of V "
         "is stable for any number of bodies.",
         over([&f](const Sample& s) { return amended(s, f); }),
         {},
         "The paper says that minima of the potential will not do for three or more bodies because of "
         "magnetic terms; "
         "those change the bracket, not H."},
        {"Section 6, straight states",
         "All 2^(N−1) straight states of an aligned chain are relative equilibria.",
         "The rates of the momenta at each of them, for random chains of three, four and five bodies.",
         [&f, seed] { return straightStates(f, seed); }},
        {"Reconstruction, falling cat",
         "With μ = 0 a closed loop of shapes turns the bodies by minus the integral of the connection around "
         "it.",
         "Against the equations of motion with both joints of three bodies prescribed, over one loop.",
         [&f, seed] { return fallingCat(f, seed); },
         {},
         {},
         9},
    };
    return judge(checks);
}

} // namespace casimir::planar
