#include "tests/core/support/stand_ins.h"

#include "core/base/error.h"

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <numbers>

namespace casimir::test {

namespace {

Parameter real(const char* id, double standard, Range range = {})
{
    Parameter p;
    p.id = p.symbol = p.name = id;
    p.defaultValue = standard;
    p.range = range;
    p.sliderMin = range.min > -1e300 ? range.min + 0.1 : -1;
    p.sliderMax = 2;
    return p;
}

template <class T>
Kind kindOf(const char* id, Schema schema)
{
    Kind kind;
    kind.id = id;
    kind.title = id;
    kind.schema = std::move(schema);
    kind.factory = [](const Kind& self, const Values& values) -> std::shared_ptr<const System> {
        return std::make_shared<T>(self, values);
    };
    return kind;
}

class Beads final : public System {
public:
    Beads(const Kind& kind, const Values& values) : System(kind, values)
    {
        for (const Record& bead : values.list("beads")) {
            omega2_.push_back(bead.real("stiffness") / bead.real("mass"));
            mass_.push_back(bead.real("mass"));
            const auto i = std::to_string(mass_.size());
            coordinates_.push_back({"x" + i, "x_" + i, "place", "m"});
            coordinates_.push_back({"v" + i, "v_" + i, "speed", "m/s"});
        }
        for (const Quantity& coordinate : coordinates_)
            inputs_.push_back({coordinate, 0.5, {.min = -1e6, .max = 1e6}});
        quantities_ = coordinates_;
        quantities_.push_back({"H", "H", "energy", "J", 0, Law::constant()});
    }
    StateInputs inputsOf(const State& x) const override
    {
        StateInputs inputs;
        for (std::size_t i = 0; i < coordinates_.size(); ++i)
            inputs.emplace_back(coordinates_[i].id, x[static_cast<Eigen::Index>(i)]);
        return inputs;
    }
    void evaluate(double, const State& x, std::span<double> out) const override
    {
        double energy = 0;
        for (std::size_t i = 0; i < mass_.size(); ++i) {
            const double q = x[static_cast<Eigen::Index>(2 * i)], v = x[static_cast<Eigen::Index>(2 * i + 1)];
            out[2 * i] = q;
            out[2 * i + 1] = v;
            energy += mass_[i] * (v * v + omega2_[i] * q * q) / 2;
        }
        out[2 * mass_.size()] = energy;
    }
    void field(double, const State& x, State& dxdt) const override
    {
        for (std::size_t i = 0; i < mass_.size(); ++i) {
            const auto k = static_cast<Eigen::Index>(2 * i);
            dxdt[k] = x[k + 1];
            dxdt[k + 1] = -omega2_[i] * x[k];
        }
    }
    Analysis analyze(const Answers&) const override { return {}; }

protected:
    State startAt(const std::vector<double>& inputs) const override
    {
        return Eigen::Map<const State>(inputs.data(), static_cast<Eigen::Index>(inputs.size()));
    }

private:
    std::vector<double> omega2_, mass_;
};

// One degree of freedom q' = v with a force of its own; what the simpler stand-ins share.
class OneDegree : public System {
public:
    OneDegree(const Kind& kind, const Values& values) : System(kind, values)
    {
        coordinates_ = {{"q", "q", "place", "m"}, {"v", "v", "speed", "m/s"}};
        inputs_ = {{coordinates_[0], 0.7, {.min = -1e6, .max = 1e6}},
                   {coordinates_[1], 0, {.min = -1e6, .max = 1e6}}};
        quantities_ = coordinates_;
    }
    StateInputs inputsOf(const State& x) const override { return {{"q", x[0]}, {"v", x[1]}}; }
    Analysis analyze(const Answers&) const override { return {}; }

protected:
    State startAt(const std::vector<double>& inputs) const override { return State{{inputs[0], inputs[1]}}; }
};

class Implicit final : public OneDegree {
public:
    Implicit(const Kind& kind, const Values& values) : OneDegree(kind, values)
    {
        // The implicit midpoint rule keeps energy to the square of its step only, so no law is declared for
        // it.
        quantities_.push_back({"H", "H", "energy", "J"});
    }
    void evaluate(double, const State& x, std::span<double> out) const override
    {
        out[0] = x[0];
        out[1] = x[1];
        out[2] = x[1] * x[1] / 2 - std::cos(x[0]);
    }
    bool hasField() const override { return false; }
    std::vector<MethodInfo> methods() const override
    {
        return {{"own", "Implicit midpoint of its own", 2, true, "Second order, by Newton's method."}};
    }
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override
    {
        if (method != "own")
            throw Error(fmt::format("unknown integrator '{}'", method));
        return std::make_unique<Stepper>(t0, x0, options.step > 0 ? options.step : 1e-3);
    }

private:
    class Stepper final : public Integration {
    public:
        Stepper(double t0, State x0, double step)
            : t_(t0), begin_(t0), step_(step), x_(std::move(x0)), before_(x_)
        {
        }
        double time() const override { return t_; }
        const State& state() const override { return x_; }
        long evaluations() const override { return evaluations_; }
        Status advance(double tLimit) override
        {
            const double rest = tLimit - t_;
            if (rest == 0)
                return {};
            const bool last = std::abs(rest) <= step_ * (1 + 1e-12);
            const double h = last ? rest : std::copysign(step_, rest);
            double next = x_[0] + h * x_[1];
            for (int i = 0; i < 20; ++i, ++evaluations_) {
                const double middle = (x_[0] + next) / 2;
                const double f = next - x_[0] - h * (x_[1] - h / 2 * std::sin(middle));
                const double slope = 1 + h * h / 4 * std::cos(middle);
                next -= f / slope;
                if (std::abs(f) < 1e-15)
                    break;
            }
            before_ = x_;
            begin_ = t_;
            const double v = x_[1] - h * std::sin((x_[0] + next) / 2);
            x_ = State{{next, v}};
            t_ = last ? tLimit : t_ + h;
            return {};
        }
        std::shared_ptr<const Interpolant> interpolant() const override
        {
            return std::make_shared<HermiteInterpolant>(begin_, t_, before_, rate(before_), x_, rate(x_));
        }

    private:
        static State rate(const State& x) { return State{{x[1], -std::sin(x[0])}}; }
        double t_, begin_, step_;
        State x_, before_;
        long evaluations_ = 0;
    };
};

class Driven final : public OneDegree {
public:
    Driven(const Kind& kind, const Values& values) : OneDegree(kind, values), force_(values.real("force"))
    {
        quantities_.push_back({"power", "P", "power of the drive", "W"});
        quantities_.push_back({"H", "H", "energy", "J", 0, Law::balance("power")});
    }
    void evaluate(double t, const State& x, std::span<double> out) const override
    {
        out[0] = x[0];
        out[1] = x[1];
        out[2] = force_ * std::cos(2 * t) * x[1];
        out[3] = (x[0] * x[0] + x[1] * x[1]) / 2;
    }
    bool hasEquilibria() const override { return false; }
    void field(double t, const State& x, State& dxdt) const override
    {
        dxdt[0] = x[1];
        dxdt[1] = -x[0] + force_ * std::cos(2 * t);
    }

private:
    double force_;
};

class Exact final : public OneDegree {
public:
    Exact(const Kind& kind, const Values& values) : OneDegree(kind, values)
    {
        quantities_.push_back({"H", "H", "energy", "J", 0, Law::constant()});
    }
    void evaluate(double, const State& x, std::span<double> out) const override
    {
        out[0] = x[0];
        out[1] = x[1];
        out[2] = (x[0] * x[0] + x[1] * x[1]) / 2;
    }
    void field(double, const State& x, State& dxdt) const override
    {
        dxdt[0] = x[1];
        dxdt[1] = -x[0];
    }
    std::vector<MethodInfo> methods() const override
    {
        auto all = System::methods();
        all.push_back({"exact", "Closed form", 0, false, "The solution itself."});
        return all;
    }
    std::unique_ptr<Integration> integrate(std::string_view method, double t0, const State& x0,
                                           const IntegrationOptions& options) const override
    {
        if (method == "exact")
            return std::make_unique<Solution>(t0, x0);
        return System::integrate(method, t0, x0, options);
    }

private:
    static State at(double t, const State& x0)
    {
        return State{{x0[0] * std::cos(t) + x0[1] * std::sin(t), x0[1] * std::cos(t) - x0[0] * std::sin(t)}};
    }
    class Curve final : public Interpolant {
    public:
        Curve(double t0, State x0, double begin, double end)
            : Interpolant(begin, end, x0.size()), t0_(t0), x0_(std::move(x0))
        {
        }
        void at(double t, Eigen::Ref<Eigen::VectorXd> x) const override { x = Exact::at(t - t0_, x0_); }

    private:
        double t0_;
        State x0_;
    };
    class Solution final : public Integration {
    public:
        Solution(double t0, const State& x0) : t0_(t0), t_(t0), begin_(t0), x0_(x0), x_(x0) {}
        double time() const override { return t_; }
        const State& state() const override { return x_; }
        long evaluations() const override { return 0; }
        Status advance(double tLimit) override
        {
            begin_ = t_;
            t_ = std::abs(tLimit - t_) <= 1 ? tLimit : t_ + std::copysign(1.0, tLimit - t_);
            x_ = Exact::at(t_ - t0_, x0_);
            return {};
        }
        std::shared_ptr<const Interpolant> interpolant() const override
        {
            return std::make_shared<Curve>(t0_, x0_, begin_, t_);
        }

    private:
        double t0_, t_, begin_;
        State x0_, x_;
    };
};

// q'' = f(q, q'; s) with s = r - shift.
class NormalForm final : public OneDegree {
public:
    NormalForm(const Kind& kind, const Values& values)
        : OneDegree(kind, values),
          form_(values.choice("form")),
          s_(values.real("r") - values.real("shift")),
          fuzz_(values.real("fuzz"))
    {
        if (form_ == "hoop")
            coordinates_[0].period = inputs_[0].quantity.period = 2 * std::numbers::pi;
        quantities_ = coordinates_;
    }
    void evaluate(double, const State& x, std::span<double> out) const override
    {
        out[0] = x[0];
        out[1] = x[1];
    }
    void field(double, const State& x, State& dxdt) const override
    {
        const double q = x[0];
        dxdt[0] = x[1];
        dxdt[1] = form_ == "pitchfork"       ? s_ * q - q * q * q
                  : form_ == "fold"          ? s_ - q * q
                  : form_ == "transcritical" ? s_ * q - q * q
                  : form_ == "hopf"          ? -q + s_ * x[1] * (1 - q * q)
                                             : std::sin(q) * (s_ * std::cos(q) - 1);
    }
    Analysis analyze(const Answers&) const override
    {
        Analysis analysis;
        const auto add = [&](const char* name, double q, double slope) {
            Equilibrium e;
            e.name = name;
            e.state = {{coordinates_[0], q}};
            e.point = State{{q, 0}};
            e.energy = q;
            if (form_ == "hopf") {
                // Roots of s^2 - s_ s + 1, for |s_| < 2.
                const double im = std::sqrt(std::max(0.0, 1 - s_ * s_ / 4));
                e.eigenvalues = {{s_ / 2, im}, {s_ / 2, -im}};
                e.stability = s_ < 0   ? verdict::asymptoticallyStable
                              : s_ > 0 ? verdict::unstable
                                       : verdict::degenerate;
            } else {
                const std::complex<double> rate = std::sqrt(std::complex<double>(slope));
                e.eigenvalues = {rate, -rate};
                e.stability = slope < -fuzz_  ? verdict::stable
                              : slope > fuzz_ ? verdict::unstable
                                              : verdict::degenerate;
            }
            e.basis = basis::closedForm;
            e.detail = "By the sign of the slope of the force.";
            analysis.equilibria.push_back(std::move(e));
        };
        const double root = std::sqrt(std::max(s_, 0.0));
        if (form_ == "pitchfork") {
            add("middle", 0, s_);
            if (s_ > 0) {
                add("upper", root, -2 * s_);
                add("lower", -root, -2 * s_);
            }
        } else if (form_ == "fold") {
            if (s_ >= 0)
                add("upper", root, -2 * root);
            if (s_ > 0)
                add("lower", -root, 2 * root);
        } else if (form_ == "transcritical") {
            add("rest", 0, s_);
            if (s_ != 0)
                add("other", s_, -s_);
        } else if (form_ == "hopf") {
            add("rest", 0, -1);
        } else {
            add("bottom", 0, s_ - 1);
            add("top", std::numbers::pi, s_ + 1);
            if (std::abs(s_) > 1) {
                const double angle = std::acos(1 / s_), slope = 1 / s_ - s_;
                add("left", angle, slope);
                add("right", -angle, slope);
            }
        }
        return analysis;
    }

private:
    std::string form_;
    double s_, fuzz_;
};

class RigidBody final : public System {
public:
    RigidBody(const Kind& kind, const Values& values) : System(kind, values), inertia_(values.vector("I"))
    {
        for (const char* i : {"1", "2", "3"})
            coordinates_.push_back(
                {std::string("M") + i, std::string("M_") + i, "momentum in body axes", "N m s"});
        inputs_ = {{{"longitude", "φ", "longitude on the sphere", "rad", 2 * std::numbers::pi},
                    0.4,
                    {.min = -1e6, .max = 1e6}},
                   {{"height", "z", "height on the sphere", ""}, 0.3, {.min = -1, .max = 1}}};
        quantities_ = coordinates_;
        quantities_.push_back({"H", "H", "energy", "J", 0, Law::constant()});
        quantities_.push_back({"C", "C", "square of the momentum", "", 0, Law::constant()});
    }
    StateInputs inputsOf(const State& x) const override
    {
        return {{"longitude", std::atan2(x[1], x[0])}, {"height", x[2] / x.norm()}};
    }
    void evaluate(double, const State& x, std::span<double> out) const override
    {
        for (int i = 0; i < 3; ++i)
            out[static_cast<std::size_t>(i)] = x[i];
        out[3] = (x.array().square() / inertia_.array()).sum() / 2;
        out[4] = x.squaredNorm();
    }
    void field(double, const State& x, State& dxdt) const override
    {
        const Eigen::Vector3d m = x, omega = x.array() / inertia_.array();
        dxdt = m.cross(omega);
    }
    bool projects() const override { return true; }
    void project(State& x) const override { x.normalize(); }
    std::vector<PlotInfo> plots() const override
    {
        return {{.id = "portrait",
                 .title = "Portrait",
                 .embeddedView = "sphere",
                 .followsState = true,
                 .picksState = true}};
    }
    using System::plot;
    Plot plot(const PlotRequest& request) const override
    {
        if (request.id != "portrait")
            return System::plot(request);
        Plot plot;
        plot.id = "portrait";
        plot.x = {inputs_[0].quantity, -std::numbers::pi, std::numbers::pi};
        plot.y = {inputs_[1].quantity, -1, 1};
        plot.surface.shape = Surface::Shape::Sphere;
        return plot;
    }
    void track(std::string_view, double, const State& x, PlotTrack& out) const override
    {
        out.marks.push_back({.x = std::atan2(x[1], x[0]), .y = x[2] / x.norm()});
    }
    StateInputs pick(std::string_view, double x, double y, const StateInputs&) const override
    {
        return {{"longitude", x}, {"height", std::clamp(y, -1.0, 1.0)}};
    }
    Analysis analyze(const Answers&) const override { return {}; }

protected:
    State startAt(const std::vector<double>& inputs) const override
    {
        Surface sphere;
        sphere.shape = Surface::Shape::Sphere;
        return sphere.embed(inputs[0], inputs[1]);
    }

private:
    Eigen::VectorXd inertia_;
};

} // namespace

const Kind& beadsKind()
{
    static const Kind kind = [] {
        Parameter beads;
        beads.id = beads.symbol = beads.name = "beads";
        beads.type = ParameterType::List;
        beads.fields = {real("mass", 1, Range::positive()), real("stiffness", 1, Range::nonNegative())};
        Record first, second;
        first.fields = {{"mass", 1.0}, {"stiffness", 4.0}};
        second.fields = {{"mass", 2.0}, {"stiffness", 1.0}};
        beads.defaultValue = RecordList{first, second};
        beads.minCount = 1;
        beads.maxCount = 8;
        return kindOf<Beads>("beads", Schema(std::vector{beads}));
    }();
    return kind;
}

const Kind& implicitKind()
{
    static const Kind kind = kindOf<Implicit>("implicit", Schema());
    return kind;
}

const Kind& drivenKind()
{
    static const Kind kind =
        kindOf<Driven>("driven", Schema(std::vector{real("force", 1, {.min = -10, .max = 10})}));
    return kind;
}

const Kind& exactKind()
{
    static const Kind kind = kindOf<Exact>("exact", Schema());
    return kind;
}

const Kind& rigidBodyKind()
{
    static const Kind kind = [] {
        Parameter inertia;
        inertia.id = inertia.symbol = "I";
        inertia.name = "principal inertias";
        inertia.type = ParameterType::Vector;
        inertia.components = {"I_1", "I_2", "I_3"};
        inertia.range = Range::positive();
        inertia.defaultValue = Eigen::VectorXd(Eigen::Vector3d(1, 2, 3));
        return kindOf<RigidBody>("rigid-body-stand-in", Schema(std::vector{inertia}));
    }();
    return kind;
}

const Kind& normalFormKind()
{
    static const Kind kind = [] {
        Alias beyond;
        beyond.description = real("beyond", 0, {.min = -10, .max = 10});
        beyond.description.sliderMin = -1;
        beyond.read = [](const Values& values) -> std::optional<double> {
            return values.real("r") - values.real("shift");
        };
        beyond.write = [](const Values& values, double x) {
            Values changed = values;
            changed.set("r", values.real("shift") + x);
            return casimir::Outcome<Values>::of(std::move(changed));
        };
        beyond.linked = "r";
        constexpr Range bounded{.min = -100, .max = 100};
        std::vector<Parameter> parameters{real("r", 0.5, bounded), real("shift", 0.3, bounded)};
        for (Parameter& parameter : parameters)
            parameter.sliderMin = -1;
        parameters.push_back(real("fuzz", 0, {.min = 0, .max = 1}));
        parameters.push_back(choiceParameter({"form", "f", "normal form", "", "", ""},
                                             {{"pitchfork", "pitchfork"},
                                              {"fold", "fold"},
                                              {"transcritical", "transcritical"},
                                              {"hopf", "Hopf"},
                                              {"hoop", "bead on a hoop"}},
                                             "pitchfork"));
        return kindOf<NormalForm>("normal-form", Schema(parameters, {beyond}));
    }();
    return kind;
}

} // namespace casimir::test
