#include "core/systems/planar/multibody/multibody_system.h"

#include "core/base/error.h"
#include "core/systems/planar/multibody/multibody_claims.h"
#include "core/systems/planar/splitting/splitting_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

namespace casimir::planar {

namespace {

constexpr double turn = 2 * std::numbers::pi;
// Bounds within which every product of the mechanics stays far from overflow and underflow.
constexpr double largest = 1e12, smallest = 1e-12;
constexpr Range positive{.min = smallest, .max = largest};
constexpr Range length{.min = -1e6, .max = 1e6};
constexpr Range anyMomentum{.min = -largest, .max = largest};
constexpr Range anyAngle{.min = -1e5, .max = 1e5};

Tree::Workspace& workspace()
{
    thread_local Tree::Workspace w;
    return w;
}

Parameter vectorParameter(ParameterWords words, const Eigen::Vector2d& standard)
{
    Parameter p = realParameter(std::move(words), 0, length, -1, 1);
    p.type = ParameterType::Vector;
    p.defaultValue = Eigen::VectorXd(standard);
    p.components = {"x", "y"};
    return p;
}

std::vector<Parameter> bodyFields()
{
    return {
        textParameter({"name", "", "name", "", "Written on the body in place of its number; may be left out.",
                       "bodies"}),
        realParameter({"mass", "m", "mass", "kg", "Mass of the body.", "bodies"}, 1, positive, 0.1, 10,
                      Scale::Logarithmic),
        realParameter({"inertia", "I", "inertia", "kg m²",
                       "Moment of inertia about the body's own centre of mass.", "bodies"},
                      0.1, positive, 0.01, 10, Scale::Logarithmic),
        entryParameter({"parent", "p", "parent", "",
                        "The body it hangs on; the one body that hangs on none is the root.", "bodies"},
                       -1, -1, mostBodies - 1),
        vectorParameter({"hinge_on_parent", "a", "hinge on the parent", "m",
                         "Where the hinge sits on the parent, from the parent's centre of mass in its frame.",
                         "bodies"},
                        {0.5, 0}),
        vectorParameter({"hinge_on_body", "b", "hinge on the body", "m",
                         "Where the hinge sits on the body, from its own centre of mass in its frame.",
                         "bodies"},
                        {-0.5, 0}),
    };
}

std::vector<Parameter> jointFields()
{
    const Range nonNegative{.min = 0, .max = largest};
    return {
        entryParameter({"body", "k", "body", "", "The joint between this body and its parent.", "joints"}, 1,
                       0, mostBodies - 1),
        realParameter({"stiffness", "k_s", "stiffness", "N m/rad", "Of a spring in the joint.", "joints"}, 0,
                      nonNegative, 0, 10),
        realParameter({"rest_angle", "β_0", "rest angle", "rad",
                       "Joint angle at which the spring rests, or about which the joint is moved.", "joints"},
                      0, {.min = -100, .max = 100}, -std::numbers::pi, std::numbers::pi),
        realParameter({"damping", "c", "damping", "N m s/rad", "Of a damper in the joint.", "joints"}, 0,
                      nonNegative, 0, 1),
        choiceParameter({"drive", "", "drive", "",
                         "Whether the drive is a torque or moves the joint angle whatever it takes.",
                         "joints"},
                        {{"torque", "torque"}, {"motion", "prescribed motion"}}, "torque"),
        realParameter({"amplitude", "A", "amplitude", "",
                       "Of the drive A cos(Ωt + φ): N m of a torque, rad of a prescribed motion.", "joints"},
                      0, {.min = -1e9, .max = 1e9}, 0, 2),
        realParameter({"frequency", "Ω", "frequency", "rad/s", "Angular frequency of the drive.", "joints"},
                      0, {.min = -1e4, .max = 1e4}, 0, 5),
        realParameter({"phase", "φ", "phase", "rad", "Phase of the drive.", "joints"}, 0,
                      {.min = -1e4, .max = 1e4}, 0, turn),
    };
}

Record bodyRecord(double mass, double inertia, long parent, const Eigen::Vector2d& a,
                  const Eigen::Vector2d& b)
{
    Record record;
    record.set("name", std::string());
    record.set("mass", mass);
    record.set("inertia", inertia);
    record.set("parent", parent);
    record.set("hinge_on_parent", Eigen::VectorXd(a));
    record.set("hinge_on_body", Eigen::VectorXd(b));
    return record;
}

// The number of bodies of a chain of equal ones; setting it makes such a chain of the first hanging body.
Alias chainLength()
{
    Alias alias;
    alias.description = realParameter({"chain", "N", "bodies of a uniform chain", "",
                                       "Number of bodies where all are equal and each hangs on the one "
                                       "before; setting it makes such a chain.",
                                       "bodies"},
                                      3, {.min = 1, .max = static_cast<double>(mostBodies)}, 1, 50);
    alias.read = [](const Values& values) -> std::optional<double> {
        const RecordList& bodies = values.list("bodies");
        for (std::size_t k = 0; k < bodies.size(); ++k) {
            Record like = bodies[bodies.size() > 1 ? 1 : 0];
            like.set("parent", static_cast<long>(k) - 1);
            like.set("name", *bodies[k].find("name"));
            if (k == 0) {
                like.set("hinge_on_parent", *bodies[0].find("hinge_on_parent"));
                like.set("hinge_on_body", *bodies[0].find("hinge_on_body"));
            }
            if (!(bodies[k] == like))
                return std::nullopt;
        }
        return static_cast<double>(bodies.size());
    };
    alias.write = [](const Values& values, double n) {
        if (n != std::floor(n) || n < 1 || n > static_cast<double>(mostBodies))
            return Outcome<Values>::refused(
                fmt::format("a chain has a whole number of bodies from 1 to {}", mostBodies));
        const RecordList& present = values.list("bodies");
        Record like = present[present.size() > 1 ? 1 : 0];
        like.set("name", std::string());
        RecordList bodies;
        for (long k = 0; k < static_cast<long>(n); ++k) {
            like.set("parent", k - 1);
            bodies.push_back(like);
        }
        Values changed = values;
        changed.set("bodies", bodies);
        RecordList joints;
        for (const Record& joint : values.list("joints"))
            if (const long body = joint.integer("body"); body > 0 && body < static_cast<long>(n))
                joints.push_back(joint);
        changed.set("joints", joints);
        return Outcome<Values>::of(std::move(changed));
    };
    alias.linked = "bodies";
    return alias;
}

std::string inconsistency(const Values& values)
{
    try {
        (void)treeFrom(values);
        return {};
    } catch (const std::exception& error) {
        return error.what();
    }
}

Schema makeSchema()
{
    Parameter bodies;
    bodies.id = "bodies";
    bodies.symbol = "k";
    bodies.name = "bodies";
    bodies.meaning = "The bodies, each with the hinge it hangs on.";
    bodies.group = "bodies";
    bodies.type = ParameterType::List;
    bodies.fields = bodyFields();
    bodies.minCount = 1;
    bodies.maxCount = static_cast<std::size_t>(mostBodies);
    RecordList chain;
    for (long k = 0; k < 3; ++k)
        chain.push_back(bodyRecord(1, 0.1, k - 1, {0.5, 0}, {-0.5, 0}));
    bodies.defaultValue = chain;

    Parameter joints;
    joints.id = "joints";
    joints.symbol = "β";
    joints.name = "joints";
    joints.meaning = "Springs, dampers and drives; a hinge without an entry is free.";
    joints.group = "joints";
    joints.type = ParameterType::List;
    joints.fields = jointFields();
    joints.maxCount = static_cast<std::size_t>(mostBodies);
    joints.defaultValue = RecordList{};

    return Schema(
        {std::move(bodies), std::move(joints),
         realParameter({"mu", "μ", "angular momentum", "N m s",
                        "Total angular momentum, the Casimir that picks the leaf; the start is given "
                        "the common spin that makes it so.",
                        "momentum"},
                       1, anyMomentum, -5, 5)},
        {chainLength()}, inconsistency);
}

Fact fact(Quantity quantity, double value)
{
    return {std::move(quantity), value};
}

// Of body k, counted from 1.
Quantity numbered(const char* id, const char* symbol, int k, const std::string& name, const char* unit,
                  double period = 0)
{
    return {fmt::format("{}_{}", id, k), fmt::format("{}_{{{}}}", symbol, k), name, unit, period};
}

// A person's text where a markup is expected: what would be read as a script is a space.
std::string asMarkup(std::string text)
{
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c == '_' || c == '^'; }, ' ');
    return text;
}

} // namespace

Tree treeFrom(const Values& values)
{
    std::map<std::string, std::size_t> names;
    std::vector<TreeBody> bodies;
    for (const Record& record : values.list("bodies")) {
        if (const std::string& name = record.choice("name"); !name.empty())
            if (const auto [it, fresh] = names.emplace(name, bodies.size()); !fresh)
                throw Error(fmt::format("bodies {} and {} are both called '{}'", it->second + 1,
                                        bodies.size() + 1, name));
        bodies.push_back(
            {record.real("mass"), record.real("inertia"), static_cast<int>(record.integer("parent")),
             record.vector("hinge_on_parent").head<2>(), record.vector("hinge_on_body").head<2>()});
    }
    std::vector<TreeJoint> joints;
    for (const Record& record : values.list("joints"))
        joints.push_back(
            {static_cast<int>(record.integer("body")), record.real("stiffness"), record.real("rest_angle"),
             record.real("damping"),
             record.choice("drive") == "motion" ? TreeJoint::Drive::Motion : TreeJoint::Drive::Torque,
             record.real("amplitude"), record.real("frequency"), record.real("phase")});
    return Tree(std::move(bodies), std::move(joints));
}

const Kind& multibodyKind()
{
    static const Kind kind = [] {
        Kind k;
        k.id = "multibody";
        k.title = "Trees of coupled planar rigid bodies";
        k.paper = "N. Sreenath, Y. G. Oh, P. S. Krishnaprasad, J. E. Marsden, The dynamics of coupled planar "
                  "rigid bodies. "
                  "Part I: reduction, equilibria and stability, Dynamics and Stability of Systems 3 (1988)";
        k.summary =
            "Any number of bodies hinged into a chain or a tree, free in the plane: Theorem 3's dynamics, "
            "equilibria, joint springs and drives, and the falling cat.";
        k.schema = makeSchema();
        k.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
            return std::make_shared<MultibodySystem>(self, values);
        };
        k.claims = [](unsigned seed) {
            std::vector<Claim> claims = multibodyClaims(seed);
            for (Claim& claim : splittingClaims())
                claims.push_back(std::move(claim));
            return claims;
        };
        k.readInput = readMultibodyInput;
        return k;
    }();
    return kind;
}

MultibodySystem::MultibodySystem(const Kind& kind, const Values& values)
    : System(kind, values), tree_(treeFrom(values)), mu_(values.real("mu"))
{
    const int n = tree_.size();
    for (const Record& record : values.list("bodies"))
        names_.push_back(asMarkup(record.choice("name")));
    std::vector<Quantity> theta, mu, centres;
    for (int k = 1; k <= n; ++k) {
        const std::string& name = names_[static_cast<std::size_t>(k - 1)];
        const std::string body =
            name.empty() ? fmt::format("body {}", k) : fmt::format("body {}, {}", k, name);
        Quantity angle = numbered("theta", "θ", k, "angle of " + body, "rad", turn);
        angle.reconstructed = true;
        theta.push_back(angle);
        mu.push_back(numbered("mu", "μ", k, "momentum conjugate to the angle of " + body, "N m s"));
        centres.push_back(numbered("x", "x", k, "mass centre of " + body + ", first coordinate", "m"));
        centres.push_back(numbered("y", "y", k, "mass centre of " + body + ", second coordinate", "m"));
    }
    for (const Quantity& q : theta)
        inputs_.push_back({q, inputs_.size() % 2 ? startingBend : 0.0, anyAngle});
    for (const Quantity& q : mu)
        inputs_.push_back({q, 0, anyMomentum});
    coordinates_ = theta;
    coordinates_.insert(coordinates_.end(), mu.begin(), mu.end());
    quantities_ = coordinates_;
    quantities_.insert(quantities_.end(), centres.begin(), centres.end());
    Quantity energy{"H", "H", "energy of motion", "J"};
    energy.law = tree_.hasTorques() ? Law::balance("power") : Law::constant();
    quantities_.push_back(energy);
    quantities_.push_back({"mu", "μ", "angular momentum", "N m s", 0, Law::constant()});
    if (tree_.hasTorques())
        quantities_.push_back({"power", "P", "power of the joint torques", "W"});
    measure();
}

State MultibodySystem::startAt(const std::vector<double>& inputs) const
{
    return admitted(0, inputs);
}

State MultibodySystem::carriedFrom(const System& other, double t, const State& x) const
{
    return admitted(t, inputsFrom(other, x));
}

// The state nearest to these angles and momenta that the drives at the time t and the given μ allow.
State MultibodySystem::admitted(double t, const std::vector<double>& inputs) const
{
    const int n = tree_.size();
    State x = Eigen::Map<const State>(inputs.data(), 2 * n);
    State momenta(n);
    tree_.angles(t, inputs.data(), x.data());
    const double inertia = tree_.lockedInertia(x.data(), momenta.data());
    // The sum in the order in which a file's momenta are summed, so that those are taken to the last digit.
    double total = 0;
    for (int k = 0; k < n; ++k)
        total += x[n + k];
    if (total != mu_)
        x.tail(n) += ((mu_ - total) / inertia) * momenta;
    if (tree_.hasPrescribed()) {
        Tree::Workspace& w = workspace();
        tree_.velocities(t, x.data(), x.data() + n, w);
        std::copy(w.momenta().begin(), w.momenta().end(), x.data() + n);
    }
    return x;
}

StateInputs MultibodySystem::inputsOf(const State& x) const
{
    StateInputs result;
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        result.emplace_back(inputs_[i].quantity.id, x[static_cast<Eigen::Index>(i)]);
    return result;
}

void MultibodySystem::evaluate(double t, const State& x, std::span<double> out) const
{
    const int n = tree_.size();
    const auto count = static_cast<std::size_t>(n);
    Tree::Workspace& w = workspace();
    tree_.angles(t, x.data(), out.data());
    thread_local std::vector<Eigen::Vector2d> r;
    tree_.centres(t, x.data(), r);
    const double energy = tree_.energy(t, x.data(), x.data() + n, w);
    double total = 0;
    for (std::size_t k = 0; k < count; ++k) {
        out[count + k] = w.momenta()[k];
        out[2 * count + 2 * k] = r[k].x();
        out[2 * count + 2 * k + 1] = r[k].y();
        total += w.momenta()[k];
    }
    out[4 * count] = energy;
    out[4 * count + 1] = total;
    if (tree_.hasTorques())
        out[4 * count + 2] = tree_.power(t, x.data(), x.data() + n, w);
}

void MultibodySystem::field(double t, const State& x, State& dxdt) const
{
    const int n = tree_.size();
    tree_.field(t, x.data(), x.data() + n, dxdt.data(), dxdt.data() + n, workspace());
}

// Energy and total momentum: the equations of motion are theta' = dH/dmu, mu' = -dH/dtheta.
bool MultibodySystem::invariantGradients(double t, const Eigen::VectorXd& x, Eigen::MatrixXd& out) const
{
    const int n = tree_.size();
    State rate(2 * n);
    field(t, x, rate);
    out.row(0) << -rate.tail(n).transpose(), rate.head(n).transpose();
    out.row(1) << Eigen::RowVectorXd::Zero(n), Eigen::RowVectorXd::Ones(n);
    return true;
}

std::vector<MethodInfo> MultibodySystem::methods() const
{
    std::vector<MethodInfo> all = System::methods();
    // Fehlberg's estimate of the error compares stages at the same times: it does not see what a drive does.
    if (tree_.driven())
        std::erase_if(all, [](const MethodInfo& method) { return method.id == "rkf78"; });
    return all;
}

const TreeEquilibria& MultibodySystem::equilibria(const std::function<bool()>& cancelled) const
{
    std::call_once(equilibriaOnce_, [&] { equilibria_ = treeEquilibria(tree_, mu_, cancelled); });
    return equilibria_;
}

Analysis MultibodySystem::analyzeUnless(const std::function<bool()>& cancelled) const
{
    (void)equilibria(cancelled);
    return analyze({});
}

Analysis MultibodySystem::analyzeFrom(const StateInputs& given, const Answers& answers) const
{
    Analysis analysis = analyze(answers);
    analysis.more.update(analyzeState(start(given)));
    return analysis;
}

Entry MultibodySystem::analyzeState(const State& x) const
{
    const int n = tree_.size();
    State rate(2 * n);
    field(0, x, rate);
    Entry json;
    json["energy"] = tree_.energy(0, x.data(), x.data() + n, workspace());
    json["field"] = {{"theta_dot", std::vector<double>(rate.data(), rate.data() + n)},
                     {"mu_dot", std::vector<double>(rate.data() + n, rate.data() + 2 * n)}};
    return json;
}

// Springs against the spin that pulls them open; without springs, where the first joint sits in its bodies.
System::UsualAxes MultibodySystem::usualAxes() const
{
    for (std::size_t i = 0; i < tree_.joints().size(); ++i)
        if (tree_.joints()[i].stiffness > 0)
            return {"mu", "", fmt::format("joints.{}.stiffness", i), "mu"};
    for (std::size_t k = 0; k < tree_.bodies().size(); ++k)
        if (tree_.bodies()[k].parent >= 0) {
            const std::string parent = fmt::format("bodies.{}.hinge_on_parent.0", k);
            return {"mu", "", parent, fmt::format("bodies.{}.hinge_on_body.0", k)};
        }
    return {};
}

Analysis MultibodySystem::analyze(const Answers&) const
{
    Analysis analysis;
    const TreeEquilibria& found = equilibria();
    const int n = tree_.size();
    analysis.status = found.status;
    if (found.status.ok())
        analysis.status.sentence = found.note;
    analysis.derived = {fact({"bodies", "N", "number of bodies", ""}, n),
                        fact({"mass", "M", "mass of all bodies", "kg"}, tree_.mass())};
    for (const TreeEquilibrium& e : found.list) {
        Equilibrium entry;
        entry.name = e.name;
        entry.title = e.title;
        for (int k = 0; k < n; ++k)
            entry.state.push_back(fact(coordinates_[static_cast<std::size_t>(k)], e.theta[k]));
        for (int k = 0; k < n; ++k)
            entry.state.push_back(fact(coordinates_[static_cast<std::size_t>(n + k)], e.mu[k]));
        entry.point = State(2 * n);
        entry.point << e.theta, e.mu;
        entry.energy = e.energy;
        entry.spinRate = e.omega;
        entry.eigenvalues = e.eigenvalues;
        if (e.direction.size() > 0)
            entry.directions.push_back(e.direction);
        SecondVariation variation;
        for (const Eigen::VectorXd* part : {&e.potentialEigenvalues, &e.kineticEigenvalues})
            variation.eigenvalues.insert(variation.eigenvalues.end(), part->begin(), part->end());
        variation.negative = e.index;
        variation.zero = e.nullity;
        variation.positive = static_cast<int>(variation.eigenvalues.size()) - e.index - e.nullity;
        entry.secondVariation = variation;
        entry.stability = e.stability;
        entry.basis = e.basis;
        entry.detail = e.detail;
        entry.more = {
            {{"kind", "", "kind", ""}, std::string(e.straight ? "straight" : "bent")},
            fact({"index", "", "negative squares of the amended potential", ""}, e.index),
            fact({"locked_inertia", "I_L", "inertia with the joints locked", "kg m²"}, e.lockedInertia)};
        entry.sketch = sketch(e.theta, e.stability != verdict::unstable);
        analysis.equilibria.push_back(std::move(entry));
    }
    if (!found.list.empty()) {
        analysis.more["search"] = {{"straight", found.straightCount},
                                   {"straight_listed", found.straightListed},
                                   {"starts", found.starts},
                                   {"found", found.found},
                                   {"spring_range", found.springRange},
                                   {"sentence", found.note}};
        addCounts(analysis, found.count, found.check, found.note);
    }
    if (tree_.allPrescribed()) {
        const ShapeLoop loop = shapeLoop(tree_, mu_);
        Entry shape;
        shape["status"] = loop.status.code;
        if (loop.status.ok()) {
            const double measured = measuredRotation(tree_, mu_, loop.period);
            shape["period"] = loop.period;
            shape["geometric"] = loop.geometric;
            shape["curvature_integral"] = loop.curvature ? Entry(*loop.curvature) : Entry(nullptr);
            shape["dynamic"] = loop.dynamic;
            shape["predicted"] = loop.predicted();
            shape["measured"] = measured;
            analysis.derived.push_back(
                fact({"loop_period", "T", "period of the loop of shapes", "s"}, loop.period));
            analysis.derived.push_back(
                fact({"holonomy", "Δθ_g", "turn by the loop alone, in one period", "rad"}, loop.geometric));
            analysis.derived.push_back(
                fact({"predicted", "Δθ", "turn in one period, predicted", "rad"}, loop.predicted()));
            analysis.derived.push_back(
                fact({"measured", "Δθ", "turn in one period, measured", "rad"}, measured));
        } else {
            shape["sentence"] = loop.status.sentence;
        }
        analysis.more["shape"] = shape;
    }
    return analysis;
}

} // namespace casimir::planar
