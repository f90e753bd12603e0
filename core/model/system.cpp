#include "core/model/system.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/model/keeps_invariants.h"
#include "core/model/kind.h"
#include "core/numerics/held_invariants.h"

#include <fmt/format.h>

#include <algorithm>

namespace casimir {

namespace {

bool keepsInvariants(const System& system)
{
    const auto* capable = dynamic_cast<const KeepsInvariants*>(&system);
    return capable && capable->keepsInvariants();
}

auto inputNamed(const std::vector<StateInput>& inputs, std::string_view id)
{
    return std::find_if(inputs.begin(), inputs.end(),
                        [id](const StateInput& input) { return input.quantity.id == id; });
}

} // namespace

Work& workOfThisThread()
{
    thread_local Work work;
    return work;
}

System::System(const Kind& kind, Values values) : kind_(&kind), values_(std::move(values))
{
    ++workOfThisThread().systems;
}

System::~System() = default;

State System::start(const StateInputs& given) const
{
    std::vector<double> numbers(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        numbers[i] = inputs_[i].defaultValue;
    for (const auto& [id, x] : given) {
        const auto it = inputNamed(inputs_, id);
        if (it == inputs_.end()) {
            std::vector<std::string> known;
            for (const StateInput& input : inputs_)
                known.push_back(input.quantity.id);
            throw Error(fmt::format("unknown state '{}' of {}; {}", id, kind_->id, didYouMean(id, known)));
        }
        if (!it->range.contains(x))
            throw Error(
                fmt::format("state {} = {} is out of range; it must be {}", id, x, it->range.describe()));
        numbers[static_cast<std::size_t>(it - inputs_.begin())] = x;
    }
    ++workOfThisThread().starts;
    return startAt(numbers);
}

std::vector<double> System::inputsFrom(const System& other, const State& x) const
{
    std::vector<double> numbers(inputs_.size());
    for (std::size_t i = 0; i < inputs_.size(); ++i)
        numbers[i] = inputs_[i].defaultValue;
    for (const auto& [id, value] : other.inputsOf(x)) {
        const auto it = inputNamed(inputs_, id);
        if (it == inputs_.end())
            continue;
        if (!it->range.contains(value))
            throw Error(
                fmt::format("state {} = {} is out of range; it must be {}", id, value, it->range.describe()));
        numbers[static_cast<std::size_t>(it - inputs_.begin())] = value;
    }
    return numbers;
}

State System::carriedFrom(const System& other, double, const State& x) const
{
    return startAt(inputsFrom(other, x));
}

double System::quantity(std::string_view id, double t, const State& x) const
{
    const auto it =
        std::find_if(quantities_.begin(), quantities_.end(), [id](const Quantity& q) { return q.id == id; });
    if (it == quantities_.end())
        throw Error(fmt::format("{} has no quantity '{}'", kind_->id, id));
    std::vector<double> all(quantities_.size());
    evaluate(t, x, all);
    return all[static_cast<std::size_t>(it - quantities_.begin())];
}

void System::field(double, const State&, State&) const
{
    throw Error(fmt::format("{} has no vector field; its motion comes from a method of its own", kind_->id));
}

void System::project(State&) const {}

std::vector<MethodInfo> System::methods() const
{
    if (!hasField())
        return {};
    const auto generic = genericMethods();
    std::vector<MethodInfo> all{generic.begin(), generic.end()};
    if (keepsInvariants(*this))
        all.push_back(conservingMethod());
    return all;
}

std::unique_ptr<Integration> System::integrate(std::string_view method, double t0, const State& x0,
                                               const IntegrationOptions& options) const
{
    // Interpolants may outlive every other user of the system, so the callbacks keep it alive.
    const auto self = weak_from_this().lock();
    IntegrationOptions scaled = options;
    if (scaled.scale.size() == 0) {
        // An angle is known to the same absolute precision however often it has wound.
        scaled.scale = State::Zero(x0.size());
        for (std::size_t i = 0; i < coordinates_.size(); ++i)
            if (coordinates_[i].period > 0)
                scaled.scale[static_cast<Eigen::Index>(i)] = 1;
    }
    const bool holds = keepsInvariants(*this) && method == conservingMethod().id;
    auto run = startIntegration(
        holds ? "rkf78" : method, [this, self](double t, const State& x, State& dxdt) { field(t, x, dxdt); },
        t0, x0, scaled);
    if (holds) {
        std::vector<std::size_t> constant;
        for (std::size_t i = 0; i < quantities_.size(); ++i)
            if (quantities_[i].law == Law::constant())
                constant.push_back(i);
        const auto count = static_cast<Eigen::Index>(constant.size());
        const auto invariants = [this, self, constant = std::move(constant)](double t, const State& x,
                                                                             Eigen::VectorXd& out) {
            std::vector<double> all(quantities_.size());
            evaluate(t, x, all);
            for (std::size_t k = 0; k < constant.size(); ++k)
                out[static_cast<Eigen::Index>(k)] = all[constant[k]];
        };
        const auto gradients = [self, capable = dynamic_cast<const KeepsInvariants*>(this)](
                                   double t, const State& x, Eigen::MatrixXd& out) {
            return capable->invariantGradients(t, x, out);
        };
        run = withInvariants(std::move(run), invariants, count, 0.1 * options.rtol, scaled.scale, gradients);
    }
    if (projects())
        run = withProjection(std::move(run), [this, self](State& x) { project(x); });
    if (auto terminal = events(); !terminal.empty())
        run = withEvents(std::move(run), std::move(terminal));
    return run;
}

void System::pose(double t, const State& x, Pose& out) const
{
    ++workOfThisThread().poses;
    poseAt(t, x, out);
}

void System::poseAt(double, const State&, Pose&) const {}

Plot System::plot(const PlotRequest& request) const
{
    throw Error(fmt::format("{} has no plot '{}'", kind_->id, request.id));
}

Plot System::plot(std::string_view id) const
{
    PlotRequest request{std::string(id)};
    for (const PlotInfo& info : plots())
        if (info.id == id)
            request.options = plotOptions(info, {});
    return plot(request);
}

Values plotOptions(const PlotInfo& info, const std::map<std::string, std::string>& given)
{
    const Schema schema(info.options);
    std::vector<Assignment> assignments;
    for (const auto& [id, text] : given)
        assignments.push_back({id, schema.parse(id, text)});
    return schema.with(schema.defaults(), assignments);
}

std::optional<PlotWindow> plotWindow(std::string_view text)
{
    double x[4];
    std::size_t count = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(' ', begin), text.size());
        if (end > begin) {
            if (count == 4)
                return std::nullopt;
            try {
                x[count++] = parseNumber(text.substr(begin, end - begin));
            } catch (const Error&) {
                return std::nullopt;
            }
        }
        begin = end + 1;
    }
    if (count != 4 || !(x[0] < x[1]) || !(x[2] < x[3]))
        return std::nullopt;
    return PlotWindow{x[0], x[1], x[2], x[3]};
}

Analysis System::analyzeFrom(const StateInputs&, const Answers& answers) const
{
    return analyze(answers);
}

void System::track(std::string_view, double, const State&, PlotTrack&) const {}

StateInputs System::pick(std::string_view, double, double, const StateInputs&) const
{
    return {};
}

StateInputs System::pickFrom(const PlotRequest& request, double x, double y) const
{
    return pick(request.id, x, y, request.start);
}

} // namespace casimir
