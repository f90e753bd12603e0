#include "core/analysis/consistency.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir {

namespace {

// Of a real part beside the largest eigenvalue: rounding parts a double eigenvalue by the root of its own
// size, a threefold one by the cube root.
constexpr double noise = 1e-5;
// Of a second derivative beside the largest one: what is nearer to zero may be zero or of either sign, since
// the eigenvalues of a matrix are known to the rounding of the largest.
constexpr double vanishing = 1e-6;

struct Spectrum {
    double growth = 0;  // largest real part
    double largest = 0; // magnitude
};

Spectrum spectrumOf(const Equilibrium& e)
{
    Spectrum s;
    s.growth = e.eigenvalues.empty() ? 0 : e.eigenvalues.front().real();
    for (const auto& z : e.eigenvalues) {
        s.growth = std::max(s.growth, z.real());
        s.largest = std::max(s.largest, std::abs(z));
    }
    return s;
}

const double* numberNamed(const std::vector<Fact>& facts, const char* id)
{
    for (const Fact& fact : facts)
        if (fact.quantity.id == id)
            return std::get_if<double>(&fact.value);
    return nullptr;
}

bool finite(const Equilibrium& e)
{
    return std::isfinite(e.energy) && e.point.allFinite() &&
           std::all_of(e.eigenvalues.begin(), e.eigenvalues.end(), [](const std::complex<double>& z) {
               return std::isfinite(z.real()) && std::isfinite(z.imag());
           });
}

void compareVariation(const Equilibrium& e, const SecondVariation& v, std::vector<std::string>& out)
{
    // Where there are very many squares, those that decide may be given alone; their number is that of all.
    const auto count = static_cast<int>(v.eigenvalues.size());
    const int signs = v.positive + v.negative + v.zero;
    if (count > signs)
        out.push_back(fmt::format("the second variation has {} values but {} signs", count, signs));
    double largest = 0;
    for (const double x : v.eigenvalues)
        largest = std::max(largest, std::abs(x));
    const auto below = [&](double limit) {
        return static_cast<int>(
            std::count_if(v.eigenvalues.begin(), v.eigenvalues.end(), [&](double x) { return x < limit; }));
    };
    if ((count == signs && below(vanishing * largest) < v.negative) ||
        below(-vanishing * largest) > v.negative)
        out.push_back(
            fmt::format("{} negative squares are counted, but {} values are negative", v.negative, below(0)));
    if (const double* index = numberNamed(e.more, "index"); index && *index != v.negative)
        out.push_back(fmt::format("the index is {} but {} squares are negative", *index, v.negative));

    const bool definite = v.zero == 0 && (v.negative == 0 || v.positive == 0);
    if (definite && signs > 0 &&
        (e.stability == verdict::unstable || e.stability == verdict::spectrallyStable))
        out.push_back(fmt::format("the second variation is definite but the verdict is {}", e.stability));
    if (v.negative > 0 && v.positive > 0 && v.zero == 0 && e.stability == verdict::stable)
        out.push_back("the second variation is indefinite but the verdict is stable");
    if (v.zero == 0 && v.negative % 2 == 1 && v.positive > 0 && e.stability != verdict::unstable)
        out.push_back(fmt::format("{} negative squares, an odd number, but the verdict is {}", v.negative,
                                  e.stability));
}

bool calledCalm(const Equilibrium& e)
{
    return e.stability != verdict::unstable && e.stability != verdict::degenerate;
}

// Of an answer about one equilibrium: what is said of it beside the list.
std::vector<std::string> contradictionsBeside(const Analysis& analysis)
{
    std::vector<std::string> out;
    const Equilibrium& e = analysis.equilibria.front();
    const auto& more = analysis.more;
    if (const Entry* given = more.find("growth_rate"); given && !given->isNull()) {
        const double rate = given->number();
        if (rate > noise * spectrumOf(e).largest && calledCalm(e))
            out.push_back(fmt::format("the growth rate is {:.6g} but the verdict is {}", rate, e.stability));
    }
    if (const Entry* given = more.find("stability");
        given && !given->isNull() && given->word() != e.stability)
        out.push_back("the verdict is given twice and not the same");
    return out;
}

} // namespace

std::vector<std::string> contradictions(const Equilibrium& e)
{
    std::vector<std::string> out;
    if (!finite(e)) {
        out.push_back("a number is not finite");
        return out;
    }
    static const std::string words[] = {verdict::stable, verdict::asymptoticallyStable,
                                        verdict::spectrallyStable, verdict::unstable, verdict::degenerate};
    if (std::find(std::begin(words), std::end(words), e.stability) == std::end(words))
        out.push_back(fmt::format("the verdict '{}' is none", e.stability));
    const Spectrum s = spectrumOf(e);
    if (s.growth > noise * s.largest && calledCalm(e))
        out.push_back(fmt::format("an eigenvalue has the real part {:.6g} but the verdict is {}", s.growth,
                                  e.stability));
    if (!e.eigenvalues.empty() && e.stability == verdict::unstable && e.basis == basis::linearisation &&
        !(s.growth > 0))
        out.push_back("no eigenvalue grows but the linearisation is called unstable");
    if (const double* rate = numberNamed(e.more, "growth_rate");
        rate && !e.eigenvalues.empty() && std::abs(*rate - std::max(0.0, s.growth)) > noise * s.largest)
        out.push_back(
            fmt::format("the growth rate is {:.6g} but the largest real part {:.6g}", *rate, s.growth));
    if (e.secondVariation)
        compareVariation(e, *e.secondVariation, out);
    return out;
}

namespace {

void titleByEnergy(std::vector<Equilibrium>& equilibria)
{
    std::vector<Equilibrium*> without;
    for (Equilibrium& e : equilibria)
        if (e.title.empty())
            without.push_back(&e);
    std::stable_sort(without.begin(), without.end(),
                     [](const Equilibrium* a, const Equilibrium* b) { return a->energy < b->energy; });
    for (std::size_t i = 0; i < without.size(); ++i)
        without[i]->title = fmt::format("state {}", i + 1);
}

} // namespace

Analysis consistent(Analysis analysis)
{
    titleByEnergy(analysis.equilibria);
    std::string sentence;
    const bool single = analysis.equilibria.size() == 1;
    const std::vector<std::string> beside =
        single ? contradictionsBeside(analysis) : std::vector<std::string>();
    std::erase_if(analysis.equilibria, [&](const Equilibrium& e) {
        std::vector<std::string> found = contradictions(e);
        found.insert(found.end(), beside.begin(), beside.end());
        if (!found.empty() && sentence.empty())
            sentence = fmt::format("The answer for {} contradicts itself and is withheld: {}.", e.title,
                                   fmt::join(found, "; "));
        return !found.empty();
    });
    if (!sentence.empty())
        analysis.status = Status::failed("inconsistent", sentence);
    return analysis;
}

} // namespace casimir
