// What `analyze` says of the rod: equilibrium, blocks, spectrum, critical spin rates, verdict, each number
// with an estimate of what the elements leave wrong of it.
#include "core/systems/rod/rod/rod_analysis.h"

#include "core/base/recent_answers.h"
#include "core/systems/rod/rod/rod_limits.h"
#include "core/systems/rod/rod/rod_system.h"
#include "core/systems/rod/rod/rod_tracking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace casimir::rod {

namespace {

constexpr std::size_t reportedFrequencies = 6;
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
// Errors are even in the length of an element. The difference from twice as many elements is three quarters
// of the error's leading term; the blend of masses makes that term small, so that half as much again is for
// the next.
constexpr double fromTwice = 2, fromHalf = 0.67;
constexpr int manyElements = 64; // so many are compared with half of them, fewer with twice as many
constexpr double rounding = 1e-10;

Fact fact(Quantity quantity, double value)
{
    return {std::move(quantity), value};
}

Entry number(double x)
{
    return std::isfinite(x) ? Entry(x) : Entry(nullptr);
}

Entry array(const Vec3& v, double unit = 1)
{
    return {v.x() * unit + 0.0, v.y() * unit + 0.0, v.z() * unit + 0.0};
}

// The vibrations of the rod whose mass suits frequencies, natural units.
struct Vibrations {
    std::shared_ptr<const Rod> rod;
    RodEquilibrium e;
    std::shared_ptr<const RodLinearisation> around;
    RodSpectrum spectrum; // by ascending frequency
};

Vibrations vibrationsOf(const RodSetup& setup, int elements)
{
    RodParameters still = setup.natural;
    still.elements = elements;
    const RodParameters p = withVibrationMass(still);
    Vibrations v;
    v.rod = std::make_shared<const Rod>(p);
    // The two masses part by the order of the elements' errors: on the bent branch, where one may be followed
    // farther than the other, the equilibrium of one leads to that of the other.
    const RodEquilibrium near = setup.bent ? equilibriumOf(setup, still) : RodEquilibrium();
    v.e =
        setup.bent && near.status.ok() ? solveAtSpin(*v.rod, near.at, setup.omega) : equilibriumOf(setup, p);
    if (!v.e.status.ok())
        return v;
    v.around = std::make_shared<const RodLinearisation>(*v.rod, v.e);
    v.spectrum = spectrumOf(*v.around, modesOffered, setup.damping, true);
    std::sort(v.spectrum.modes.begin(), v.spectrum.modes.end(),
              [](const RodMode& x, const RodMode& y) { return x.value.imag() < y.value.imag(); });
    return v;
}

// The numbers of one analysis, as the discretisation gives them; natural units.
struct Finding {
    enum Place {
        Tip = 0,
        Axis = 3,
        Moments = 6,
        Lambda = 9,
        Mu,
        Rigid,
        Momentum = 13,
        Spin,
        Lambda0,
        Energy,
        Bound,
        Count
    };

    RodEquilibrium e;
    Vec3 tip, axis;
    RodBlocks blocks;
    double energy = 0;
    Vibrations shaken;
    int negativeShaken = 0; // directions of d²V_μ of the rod that vibrates

    bool ok() const { return e.status.ok() && shaken.e.status.ok(); }
    const RodSpectrum& spectrum() const { return shaken.spectrum; }
    std::vector<double> numbers() const
    {
        const RodBlocks& b = blocks;
        return {tip.x(),
                tip.y(),
                tip.z(),
                axis.x(),
                axis.y(),
                axis.z(),
                b.moments[0],
                b.moments[1],
                b.moments[2],
                b.lambda,
                b.mu,
                b.rigid[0],
                b.rigid[1],
                b.internalFixedMomentum,
                b.internalFixedSpin,
                b.lambda0,
                energy,
                b.bound()};
    }
    void take(const std::vector<double>& n)
    {
        tip = {n[Tip], n[Tip + 1], n[Tip + 2]};
        axis = Vec3(n[Axis], n[Axis + 1], n[Axis + 2]).normalized();
        blocks.moments = {n[Moments], n[Moments + 1], n[Moments + 2]};
        blocks.lambda = n[Lambda];
        blocks.mu = n[Mu];
        blocks.rigid = {n[Rigid], n[Rigid + 1]};
        blocks.internalFixedMomentum = n[Momentum];
        blocks.internalFixedSpin = n[Spin];
        blocks.lambda0 = n[Lambda0];
        energy = n[Energy];
    }
};

Finding findingOf(const RodSetup& setup, int elements)
{
    RodParameters p = setup.natural;
    p.elements = elements;
    const Rod rod(p);
    Finding f;
    f.e = equilibriumOf(setup, p);
    f.shaken = vibrationsOf(setup, elements);
    if (!f.ok())
        return f;
    f.tip = f.e.at.q[0].conjugate() * (f.e.at.x.back() - f.e.at.x[0]);
    f.axis = f.e.at.q[0].conjugate() * Vec3::UnitZ();
    f.blocks = blocksOf(RodLinearisation(rod, f.e));
    f.energy = rod.strainEnergy(f.e.at) + 0.5 * f.blocks.mu * f.e.omega;
    f.negativeShaken = negativeDirections(*f.shaken.around);
    return f;
}

// What the elements leave wrong, number by number; NaN where it is not known.
struct Errors {
    std::vector<double> numbers = std::vector<double>(Finding::Count, unknown);
    std::vector<std::complex<double>> exponents; // of real and imaginary part
    std::string reason;                          // where something is not known

    std::complex<double> exponent(std::size_t k) const
    {
        return k < exponents.size() ? exponents[k] : std::complex<double>(unknown, unknown);
    }
};

std::complex<double> apart(std::complex<double> x, std::complex<double> y, double factor)
{
    const double floor = rounding * std::abs(x);
    return {factor * std::abs(x.real() - y.real()) + floor, factor * std::abs(x.imag() - y.imag()) + floor};
}

int partnerOf(int elements)
{
    return elements >= manyElements && elements % 2 == 0 ? elements / 2 : 2 * elements;
}

double factorOf(int elements, int others)
{
    return others > elements ? fromTwice : fromHalf;
}

// By comparison with another number of elements, modes paired by their shapes.
void compareVibrations(Errors& errors, const Vibrations& v, const Vibrations& other)
{
    const int elements = v.rod->parameters().elements, others = other.rod->parameters().elements;
    const std::vector<RodMode>& modes = v.spectrum.modes;
    errors.exponents.assign(modes.size(), {unknown, unknown});
    if (!other.e.status.ok() || !other.spectrum.status.ok()) {
        errors.reason = fmt::format("With {} elements there are no vibrations to compare with.", others);
        return;
    }
    const ModePairs pairs = pairModes(*v.around, modes, *other.around, other.spectrum.modes);
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (pairs.partner[k] < 0)
            errors.reason =
                fmt::format("With {} elements a mode has another shape than with {}.", elements, others);
        else
            errors.exponents[k] =
                apart(modes[k].value, other.spectrum.modes[static_cast<std::size_t>(pairs.partner[k])].value,
                      factorOf(elements, others));
}

Errors errorsOf(const Finding& f, const Finding& other, int elements, int others)
{
    Errors errors;
    compareVibrations(errors, f.shaken, other.shaken);
    if (!other.ok()) {
        errors.reason = fmt::format("With {} elements there is no equilibrium to compare with.", others);
        return errors;
    }
    const std::vector<double> here = f.numbers(), there = other.numbers();
    for (std::size_t k = 0; k < here.size(); ++k)
        errors.numbers[k] =
            factorOf(elements, others) * std::abs(here[k] - there[k]) + rounding * std::abs(here[k]);
    return errors;
}

// From N/4, N/2 and N to the limit, modes followed from one to the next.
Errors extrapolateFrom(Finding& f, const Finding& quarter, const Finding& half)
{
    Errors errors;
    errors.exponents.assign(f.spectrum().modes.size(), {unknown, unknown});
    const std::vector<double> coarse = quarter.numbers(), middle = half.numbers(), fine = f.numbers();
    std::vector<double> limit(fine.size());
    for (std::size_t k = 0; k < fine.size(); ++k) {
        const Extrapolated x = extrapolate(coarse[k], middle[k], fine[k]);
        limit[k] = x.value;
        errors.numbers[k] = fromTwice * x.error + rounding * std::abs(x.value);
    }
    std::vector<RodMode>& modes = f.shaken.spectrum.modes;
    const std::vector<RodMode>&halves = half.spectrum().modes, &quarters = quarter.spectrum().modes;
    const ModePairs first = pairModes(*f.shaken.around, modes, *half.shaken.around, halves),
                    second = pairModes(*half.shaken.around, halves, *quarter.shaken.around, quarters);
    for (std::size_t k = 0; k < modes.size(); ++k) {
        const int x = first.partner[k], y = x < 0 ? -1 : second.partner[static_cast<std::size_t>(x)];
        if (y < 0) {
            errors.reason = "A mode has another shape with fewer elements; it is given for N elements.";
            continue;
        }
        std::complex<double>& value = modes[k].value;
        const std::complex<double> middling = halves[static_cast<std::size_t>(x)].value;
        const Extrapolated im =
            extrapolate(quarters[static_cast<std::size_t>(y)].value.imag(), middling.imag(), value.imag());
        errors.exponents[k] = {apart(value, middling, fromHalf).real(),
                               fromTwice * im.error + rounding * std::abs(value)};
        value.imag(im.value);
    }
    f.take(limit);
    return errors;
}

// A critical spin rate beside the present one, natural units.
struct Beside {
    double value = unknown, error = unknown;
    std::string reason; // why there is none, or no error
};

// The same critical spin rate with another number of elements.
double criticalWith(const RodSetup& setup, const CriticalSpin& c, int elements)
{
    RodSetup other = setup;
    other.natural.elements = elements;
    const Rod rod(other.natural);
    return sameCritical(rod, c,
                        [&](double omega) {
                            other.omega = omega;
                            return equilibriumOf(other, other.natural);
                        })
        .value_or(unknown);
}

Beside besideOf(const RodSetup& setup, const CriticalSpin& c, bool extrapolated)
{
    Beside b{c.omega, criticalError(setup, c), {}};
    if (extrapolated) {
        const int N = setup.natural.elements;
        const Extrapolated x =
            extrapolate(criticalWith(setup, c, N / 4), criticalWith(setup, c, N / 2), c.omega);
        if (std::isfinite(x.value))
            b = {x.value, fromTwice * x.error + rounding * x.value, {}};
    }
    if (!std::isfinite(b.error))
        b.reason = "It was not found with another number of elements, and its error is not known.";
    return b;
}

std::pair<Beside, Beside> criticalBeside(const RodSetup& setup, const RodEquilibrium& present,
                                         bool extrapolated)
{
    RodSetup sought = setup;
    sought.searchLimit = std::max(setup.searchLimit, setup.omega);
    const double rate = setup.units.rate();
    const auto all = criticalSpinsOf(sought);
    const auto next =
        std::find_if(all->begin(), all->end(), [&](const CriticalSpin& c) { return c.omega > setup.omega; });
    Beside below, above;
    if (next != all->begin())
        below = besideOf(setup, *std::prev(next), extrapolated);
    else
        below.reason = setup.bent ? "On the bent branch only spin rates above the present one are searched."
                                  : "From rest to the present spin rate the verdict does not change.";
    if (next != all->end()) {
        above = besideOf(setup, *next, extrapolated);
    } else if (setup.searchLimit <= setup.omega) {
        above.reason =
            fmt::format("The search ends at {:.6g} rad/s, which is not above the present spin rate.",
                        setup.searchLimit * rate);
    } else {
        const Rod rod(setup.natural);
        const RodEquilibrium last = follow(rod, present, setup.searchLimit);
        above.reason =
            last.status.ok()
                ? fmt::format("Up to {:.6g} rad/s, where the search ends, the verdict does not change.",
                              setup.searchLimit * rate)
                : fmt::format(
                      "The branch could be followed to {:.6g} rad/s; up to there the verdict does not "
                      "change.",
                      last.omega * rate);
    }
    return {below, above};
}

Entry besideEntry(const Beside& b, double rate)
{
    Entry json{{"value", number(b.value * rate)}, {"error", number(b.error * rate)}};
    if (!b.reason.empty())
        json["reason"] = b.reason;
    return json;
}

Sketch sketchOf(const Rod& rod, const RodEquilibrium& e, double length)
{
    // Seen along the axis where the rod lies flat, from the side where it rises.
    double flat = 0, tall = 0;
    for (const Vec3& x : e.at.x) {
        flat = std::max(flat, std::hypot(x.x(), x.y()));
        tall = std::max(tall, std::abs(x.z()));
    }
    Polyline line;
    line.emphasised = true;
    line.colour = Colour::body(1);
    for (std::size_t i = 0; i < rod.nodes(); ++i) {
        const Vec3 p = length * rod.point(e.at, i);
        line.x.push_back(p.x());
        line.y.push_back(tall > 0.3 * flat ? p.z() : p.y());
    }
    const Vec3 body = length * e.at.x[0];
    Sketch sketch;
    sketch.marks.push_back({.x = body.x(),
                            .y = tall > 0.3 * flat ? body.z() : body.y(),
                            .shape = MarkShape::Square,
                            .colour = Colour::body(0)});
    sketch.lines.push_back(std::move(line));
    return sketch;
}

// The verdict, withheld where two masses of the same elements disagree about the signs.
RodVerdict verdictFor(const Finding& f, double damping, double rate)
{
    if (f.blocks.mu > 0 && f.negativeShaken != f.blocks.negative)
        return {
            verdict::degenerate, basis::energyMomentum,
            fmt::format("Too near to a critical spin rate for so few elements: with one distribution of the "
                        "rod's mass on the nodes there are {} negative directions, with another {}.",
                        f.blocks.negative, f.negativeShaken)};
    return verdictOf(f.blocks, f.spectrum(), damping, rate);
}

// In the order of addEigenvalues.
Entry eigenvalueErrors(const Errors& errors, const RodSpectrum& spectrum, double rate, bool damped)
{
    Entry list = Entry::array();
    for (std::size_t k = 0; k < spectrum.modes.size(); ++k) {
        const std::complex<double> value = spectrum.modes[k].value, error = errors.exponent(k) * rate;
        // Without damping a vibration that neither grows nor fades does so exactly, and what grows without
        // turning exactly so.
        const Entry own{damped || value.real() != 0 ? number(error.real()) : Entry(0.0),
                        value.imag() != 0 ? number(error.imag()) : Entry(0.0)};
        list.push_back(own);
        if (value.imag() != 0 || (!damped && value.real() != 0))
            list.push_back(own);
    }
    return list;
}

Entry errorEntry(const Errors& errors, const Finding& f, const RodUnits& u, bool damped)
{
    const double square = u.rate() * u.rate();
    const auto& n = errors.numbers;
    Entry frequencies = Entry::array();
    double growth = f.spectrum().growth > 0 ? unknown : 0;
    for (std::size_t k = 0; k < f.spectrum().modes.size(); ++k) {
        if (k < reportedFrequencies)
            frequencies.push_back(number(errors.exponent(k).imag() * u.rate()));
        if (f.spectrum().growth > 0 && f.spectrum().modes[k].value.real() == f.spectrum().growth)
            growth = errors.exponent(k).real();
    }
    Entry json{
        {"energy", number(n[Finding::Energy] * u.energy())},
        {"rigid_block", {number(n[Finding::Rigid] * u.energy()), number(n[Finding::Rigid + 1] * u.energy())}},
        {"internal_min_fixed_momentum", number(n[Finding::Momentum] * square)},
        {"internal_min_fixed_spin", number(n[Finding::Spin] * square)},
        {"lambda0", number(n[Finding::Lambda0] * square)},
        {"bound", number(n[Finding::Bound] * square)},
        {"frequencies", frequencies},
        {"growth_rate", number(growth * u.rate())}};
    // The same, in the order of the equilibrium's own numbers.
    Entry own{{"energy", number(n[Finding::Energy] * u.energy())},
              {"tip_x", number(n[Finding::Tip] * u.length)},
              {"tip_y", number(n[Finding::Tip + 1] * u.length)},
              {"tip_z", number(n[Finding::Tip + 2] * u.length)},
              {"angular_momentum", number(n[Finding::Mu] * u.momentum())}};
    own["eigenvalues"] = eigenvalueErrors(errors, f.spectrum(), u.rate(), damped);
    own["second_variation"] = {number(n[Finding::Rigid] * u.energy()),
                               number(n[Finding::Rigid + 1] * u.energy()),
                               number(n[Finding::Momentum] * square)};
    json["equilibrium"] = own;
    if (!errors.reason.empty())
        json["reason"] = errors.reason;
    return json;
}

Entry equilibriumErrorEntry(const Errors& errors, const RodUnits& u)
{
    const auto three = [&](int place, double unit) {
        Entry list = Entry::array();
        for (int k = 0; k < 3; ++k)
            list.push_back(number(errors.numbers[static_cast<std::size_t>(place + k)] * unit));
        return list;
    };
    return {{"tip_body", three(Finding::Tip, u.length)},
            {"axis_body", three(Finding::Axis, 1)},
            {"inertia", three(Finding::Moments, u.inertia())},
            {"I_axis", number(errors.numbers[Finding::Lambda] * u.inertia())},
            {"angular_momentum", number(errors.numbers[Finding::Mu] * u.momentum())}};
}

// Relative, the largest of the moment of the axis, the internal block and the first frequency.
double overallError(const Errors& errors, const Finding& f)
{
    const auto& n = errors.numbers;
    double error = n[Finding::Lambda] / std::abs(f.blocks.lambda);
    error = std::max(error, n[Finding::Momentum] / std::max(std::abs(f.blocks.internalFixedMomentum), 1.0));
    if (!f.spectrum().modes.empty())
        error = std::max(error, errors.exponent(0).imag() /
                                    std::max(std::abs(f.spectrum().modes[0].value.imag()), 1.0));
    return error;
}

void addEigenvalues(Equilibrium& entry, const RodSpectrum& spectrum, double rate, bool damped)
{
    for (const RodMode& mode : spectrum.modes) {
        entry.eigenvalues.push_back(mode.value * rate);
        if (mode.value.imag() != 0)
            entry.eigenvalues.push_back(std::conj(mode.value) * rate);
        else if (!damped && mode.value.real() != 0)
            entry.eigenvalues.push_back(-mode.value * rate);
    }
}

} // namespace

KnownVibrations knownVibrations(const RodSetup& setup)
{
    const int N = setup.natural.elements;
    const Vibrations v = vibrationsOf(setup, N);
    Errors errors;
    if (v.e.status.ok())
        compareVibrations(errors, v, vibrationsOf(setup, partnerOf(N)));
    return {v.spectrum, errors.exponents};
}

double criticalError(const RodSetup& setup, const CriticalSpin& c)
{
    struct Asked {
        RodParameters parameters;
        SpinAxis axis;
        bool bent;
        double limit, omega;
        bool operator==(const Asked&) const = default;
    };
    static RecentAnswers<double, Asked> known(24);
    const Asked asked{setup.natural, setup.axis, setup.bent, setup.bent ? setup.searchLimit : 0, c.omega};
    if (const auto answer = known.find(asked))
        return *answer;
    const int N = setup.natural.elements, partner = partnerOf(N);
    // Where growth begins is found less sharply.
    const double sharp = c.growth ? 1e-6 : rounding;
    const double error =
        factorOf(N, partner) * std::abs(c.omega - criticalWith(setup, c, partner)) + sharp * c.omega;
    known.add(asked, std::make_shared<double>(error));
    return error;
}

std::string knownText(double value, double error)
{
    if (!std::isfinite(error))
        return fmt::format("{:.3g}", value);
    // The last digit is right where twice the error is less than a unit of it.
    const double size = std::log10(std::max(std::abs(value), 1e-300));
    const double digits = std::floor(size) - std::ceil(std::log10(std::max(2 * error, 1e-300))) + 1;
    return fmt::format("{:.{}g}", value, static_cast<int>(std::clamp(digits, 1.0, 6.0)));
}

Analysis RodSystem::analyze(const Answers&) const
{
    return analysis(true);
}

Analysis RodSystem::analyzeQuickly() const
{
    return analysis(false);
}

Analysis RodSystem::analysis(bool complete) const
{
    const RodUnits& u = setup_.units;
    const double rate = u.rate(), square = rate * rate;
    Analysis result;
    const RodEquilibrium& e = equilibrium();
    result.derived = {fact({"natural_rate", "ω_0", "natural rate √(EI/ρ_A L⁴)", "rad/s"}, rate),
                      fact({"mass", "M", "mass of the whole", "kg"}, rod_.mass() * u.mass),
                      fact({"rho_A", "ρ_A", "mass of the rod per length", "kg/m"}, u.mass / u.length)};
    const int N = rod_.parameters().elements;
    Finding f = findingOf(setup_, N);
    result.status = f.ok() ? f.spectrum().status : e.status.ok() ? f.shaken.e.status : e.status;
    if (!f.ok()) {
        result.more["relative_equilibrium"] = nullptr;
        result.more["last_good_spin_rate"] = std::min(e.omega, f.shaken.e.omega) * rate;
        return result;
    }
    const RodVerdict verdict = verdictFor(f, setup_.damping, rate);
    if (const std::string sentence = contradiction(f.blocks, f.spectrum(), verdict); !sentence.empty())
        result.status = Status::failed("inconsistent", sentence);

    const bool extrapolates = setup_.extrapolated && N % 4 == 0 && N >= 8;
    Errors errors;
    bool extrapolated = false;
    if (extrapolates) {
        const Finding quarter = findingOf(setup_, N / 4), half = findingOf(setup_, N / 2);
        if ((extrapolated = quarter.ok() && half.ok()))
            errors = extrapolateFrom(f, quarter, half);
    }
    if (complete && !extrapolated)
        errors = errorsOf(f, findingOf(setup_, partnerOf(N)), N, partnerOf(N));

    const RodBlocks& b = f.blocks;
    Equilibrium entry;
    entry.name = setup_.bent ? "bent" : "primary";
    entry.title = setup_.bent ? "bent" : "";
    entry.state = {fact({"tip_x", "t_x", "tip, body x", "m"}, f.tip.x() * u.length),
                   fact({"tip_y", "t_y", "tip, body y", "m"}, f.tip.y() * u.length),
                   fact({"tip_z", "t_z", "tip, body z", "m"}, f.tip.z() * u.length)};
    entry.point = start({});
    entry.energy = f.energy * u.energy();
    entry.spinRate = e.omega * rate;
    addEigenvalues(entry, f.spectrum(), rate, setup_.damping > 0);
    entry.secondVariation =
        SecondVariation{{b.rigid[0] * u.energy(), b.rigid[1] * u.energy(), b.internalFixedMomentum * square},
                        static_cast<int>(rod_.size()) - 4 - b.negative,
                        b.negative,
                        0};
    entry.stability = verdict.stability;
    entry.basis = verdict.basis;
    const std::string strained = beyondTheLaw(strainsOf(rod_, e.at));
    entry.detail = strained.empty() ? verdict.detail : verdict.detail + " " + strained;
    entry.more = {fact({"angular_momentum", "μ", "angular momentum", "N m s"}, b.mu * u.momentum())};
    entry.sketch = sketchOf(rod_, e, u.length);
    result.equilibria.push_back(std::move(entry));

    Entry& more = result.more;
    more["relative_equilibrium"] = {
        {"tip_body", array(f.tip, u.length)},       {"axis_body", array(f.axis)},
        {"inertia", array(b.moments, u.inertia())}, {"I_axis", b.lambda * u.inertia()},
        {"angular_momentum", b.mu * u.momentum()},  {"residual", e.residual}};
    more["rigid_block"] = {b.rigid[0] * u.energy(), b.rigid[1] * u.energy()};
    more["internal_min_fixed_momentum"] = b.internalFixedMomentum * square;
    more["internal_min_fixed_spin"] = b.internalFixedSpin * square;
    more["lambda0"] = b.lambda0 * square;
    more["bound"] = b.bound() * square;
    more["off_diagonal"] = b.offDiagonal;
    more["frequencies"] = Entry::array();
    for (std::size_t k = 0; k < std::min(f.spectrum().modes.size(), reportedFrequencies); ++k)
        more["frequencies"].push_back(f.spectrum().modes[k].value.imag() * rate);
    // Those of overdamped vibrations, without end; what is there and beyond twice as much is not listed.
    if (setup_.damping > 0)
        more["exponents_gather_at"] = -rate / setup_.damping;
    more["growth_rate"] = f.spectrum().growth * rate;
    more["spectrum_residual"] = f.spectrum().residual;
    more["negative_directions"] = b.negative;
    more["beyond_the_law"] = strained.empty() ? Entry(nullptr) : Entry(strained);
    more["stability"] = verdict.stability;
    more["elements"] = N;
    more["extrapolated"] = extrapolated;
    more["relative_equilibrium"]["error"] = equilibriumErrorEntry(errors, u);
    more["error"] = errorEntry(errors, f, u, setup_.damping > 0);
    if (complete) {
        const auto [below, above] = criticalBeside(setup_, e, extrapolated);
        more["critical_spin_rate"] = number(above.value * rate);
        more["critical_spin_rates"] = {{"below", besideEntry(below, rate)},
                                       {"above", besideEntry(above, rate)}};
        more["error"]["critical_spin_rate"] = number(above.error * rate);
        more["error_estimate"] = number(overallError(errors, f));
    }
    return result;
}

} // namespace casimir::rod
