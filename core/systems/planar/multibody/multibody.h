// N planar rigid bodies joined by hinges into a tree: the mechanics of section 6 and Theorem 3 of Sreenath,
// Oh, Krishnaprasad and Marsden, "The dynamics of coupled planar rigid bodies, Part I", in the frame of the
// common centre of mass. State: absolute angles theta_k and their momenta mu_k. Everything here takes a time
// that grows in proportion to N; matrices are in multibody_matrices.h, equilibria in multibody_equilibria.h.
//
// The momenta mu = J omega are the angular impulses that set the resting bodies going. With F_i the impulse
// that hinge i passes to body i (which is also the linear momentum of all that hangs on the hinge),
//     m_i v_i = F_i - sum_j F_j,     I_i omega_i = mu_i + B_i x F_i - sum_j A_j x F_j      (j: children of i)
// where A_j and B_i are the hinge vectors turned into space. Leaves to root, each body's spin is eliminated,
// which leaves a 2 x 2 mass at its hinge; root to leaves the velocities follow. Then
//     dH/dtheta_k = -omega_k (B_k . F_k - sum_j A_j . F_j),
// the second half of Theorem 3's vector field, costs nothing more.
#pragma once

#include "core/numerics/wide.h"

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <iterator>
#include <vector>

namespace casimir::planar {

struct TreeBody {
    double mass = 1, inertia = 1;
    int parent = -1;                                         // -1: the root
    Eigen::Vector2d hingeOnParent = Eigen::Vector2d::Zero(); // from the parent's centre of mass, its frame
    Eigen::Vector2d hingeOnBody = Eigen::Vector2d::Zero();   // from the body's own
};

// What acts in the hinge that carries a body, on the joint angle beta = theta_body - theta_parent.
struct TreeJoint {
    enum class Drive { Torque, Motion };

    int body = 1;
    double stiffness = 0, restAngle = 0, damping = 0;
    Drive drive = Drive::Torque;
    double amplitude = 0, frequency = 0, phase = 0; // of the drive; frequency in rad/s

    // Drive::Motion prescribes beta(t) = restAngle + amplitude cos(frequency t + phase), whatever it takes.
    bool prescribed() const { return drive == Drive::Motion; }
    double angle(double t) const;
    double rate(double t) const;
    // Drive::Torque: -stiffness (beta - restAngle) - damping beta' + amplitude cos(frequency t + phase)
    double torque(double t, double beta, double betaRate) const;

    // The same for any kind of number (multibody_recursion.h), from the drive's cosine and sine.
    template <class T>
    CASIMIR_INLINE T angleAt(const T& cosine) const
    {
        return restAngle + amplitude * cosine;
    }
    template <class T>
    CASIMIR_INLINE T rateAt(const T& sine) const
    {
        return -amplitude * frequency * sine;
    }
    template <class T>
    CASIMIR_INLINE T accelerationAt(const T& cosine) const
    {
        return -amplitude * frequency * frequency * cosine;
    }
    template <class T>
    CASIMIR_INLINE T torqueAt(const T& cosine, const T& beta, const T& betaRate) const
    {
        return -stiffness * (beta - restAngle) - damping * betaRate + amplitude * cosine;
    }
};

// A body in the order of the recursion: parents before children, bodies of one depth together, since they do
// not wait for each other. Unless joints are prescribed the recursion begins in the middle of the tree, so a
// body's parent may be one that hangs on it.
struct TreePlace {
    int body, parent;                      // whose place it is, where its parent is
    int firstChild = -1, nextSibling = -1; // places, or -1
    int joint = -1;                        // the index of the joint of this hinge, or -1
    double jointSign = 1;                  // -1: the parent hangs on the body
    double m = 0, hingeInertia = 0;        // mass, I + m|b|^2
    double ax = 0, ay = 0, bx = 0, by = 0; // hinge vectors on the parent and on the body
};

// What the recursion keeps of each place; T is the kind of number it runs on. Capitals: turned into space.
// (sx, sy) is i A - i B of the parent: the velocity of hinge i by a unit spin of the parent about the
// parent's own hinge.
template <class T>
struct TreeKept {
    T theta, mu, sine, cosine, Ax, Ay, Bx, By, sx, sy;
    T Mxx, Mxy, Myy, Px, Py; // F = M u + P at hinge i
    T hx, hy, g;             // omega = g - h . u
    T ux, uy, omega, Fx, Fy, muDot;
    T downhx, downhy, downD, downPx, downPy, downTau; // what the body hands to its parent, beside M
    T driveSine, driveCosine;                         // of the drive of the joint at that place
    T D, rate, gx, gy, torque, reaction, alpha, none; // where joints are prescribed; none: 0
};

class Tree {
public:
    // Throws casimir::Error with the number of the body (from 0): values that are not finite, a mass or
    // inertia that is not positive, a missing parent, a cycle, a second root, an inertia that rounding would
    // lose, a joint at the root or two at one hinge.
    explicit Tree(std::vector<TreeBody> bodies, std::vector<TreeJoint> joints = {});

    int size() const { return n_; }
    const std::vector<TreeBody>& bodies() const { return bodies_; }
    const std::vector<TreeJoint>& joints() const { return joints_; }
    int root() const { return order().front(); }
    // Parents before children.
    const std::vector<int>& order() const { return order_; }
    const std::vector<TreePlace>& places() const { return places_; }
    double mass() const { return mass_; }
    bool hasTorques() const { return !joints_.empty(); }
    bool hasPrescribed() const { return prescribed_; }
    bool allPrescribed() const; // every hinge has a prescribed motion
    bool driven() const;        // the field depends on time

    // Room for one evaluation; may be used again for the next, by one thread at a time.
    class Workspace {
    public:
        Workspace() = default;
        Workspace(const Workspace&) = delete;
        Workspace& operator=(const Workspace&) = delete;

        // Of the evaluation just made, in the order of the bodies.
        const std::vector<double>& omega() const { return omega_; }
        const std::vector<double>& momenta() const { return momenta_; } // mu, put right at prescribed joints
        const std::vector<double>& reaction() const { return reaction_; } // torque of prescribed joints

    private:
        friend class Tree;
        // Of two or three bodies and of paths, by body or by position; capitals as in TreeKept.
        struct Columns {
            double *theta, *mu, *sine, *cosine, *Ax, *Ay, *Bx, *By, *sx, *sy;
            double *Mxx, *Mxy, *Myy, *Px, *Py, *hx, *hy, *g, *ux, *uy, *Fx, *Fy, *omega, *rate;
        };
        Columns columns_ = {};
        std::vector<TreeKept<double>> kept_; // of other trees
        int bodies_ = 0;
        std::vector<double> numbers_, omega_, momenta_, reaction_;
    };

    // theta' = omega = J^-1 mu and mu' = -dH/dtheta + torques. Where a joint is prescribed, its angle and
    // rate count, not the state's, and the torque that it takes is found; the total of mu stays.
    void field(double t, const double* theta, const double* mu, double* thetaDot, double* muDot,
               Workspace& w) const;
    // The velocities alone (and momenta() where joints are prescribed).
    void velocities(double t, const double* theta, const double* mu, Workspace& w) const;
    // (1/2) mu . omega; (6.1) lacks the 1/2, (6.9) has it.
    double energy(double t, const double* theta, const double* mu, Workspace& w) const;
    // The power of all joint torques, the rate of energy().
    double power(double t, const double* theta, const double* mu, Workspace& w) const;

    // theta with the prescribed joints at their angles; else theta itself.
    void angles(double t, const double* theta, double* out) const;
    // The centres of mass, the common one at the origin.
    void centres(double t, const double* theta, std::vector<Eigen::Vector2d>& out) const;
    // J omega, without forming J.
    void momentaOf(const double* theta, const double* omega, double* mu) const;
    // 1^T J 1, the inertia with all joints locked, and the momenta J 1 of a unit spin.
    double lockedInertia(const double* theta, double* unitMomenta = nullptr) const;

private:
    using Columns = Workspace::Columns;
    const Columns& columns(Workspace& w) const;
    void solveSmall(const double* theta, const double* mu, const Columns& c) const;
    void solvePath(const double* theta, const double* mu, const Columns& c) const;
    void pathRates(const Columns& c, double* thetaDot, double* muDot) const;
    const Columns& solve(double t, const double* theta, const double* mu, Workspace& w) const;
    void arrangePlaces();
    void findSmall();
    void findPath();
    bool small() const { return small_.invFirst != 0; }
    static constexpr std::size_t padded(std::size_t n) { return (n + 3) / 4 * 4; } // to whole vectors

    int n_ = 0;
    std::size_t stride_ = 0; // room for n + 1, in whole vectors
    std::vector<TreeBody> bodies_;
    std::vector<TreeJoint> joints_;
    std::vector<int> order_;
    std::vector<TreePlace> places_;
    bool prescribed_ = false;
    double mass_ = 0;

    // Two or three bodies: the diagonal of J, and Gamma_01, Gamma_12, Gamma_02.
    struct Small {
        std::array<double, 3> diagonal{}, re{}, im{};
        double invFirst = 0; // 1/J_00; 0: there are not so few
    };
    Small small_;
    // A tree whose bodies have two neighbours at most, in a row: then the elimination runs from both ends to
    // the middle at once, whichever body is the root, and the two do not wait for each other.
    struct Path {
        std::vector<int> at; // position -> body; empty: the tree is no path
        bool identity = true;
        // By position: mass, I + m|hinge towards the middle|^2, hinges towards the neighbours.
        std::vector<double> m, hingeInertia, lowerX, lowerY, upperX, upperY;
    };
    Path path_;
};

} // namespace casimir::planar
