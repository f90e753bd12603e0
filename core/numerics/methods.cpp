#include "core/numerics/methods.h"

#include "core/base/error.h"
#include "core/base/suggest.h"
#include "core/numerics/gauss_integration.h"
#include "core/numerics/odeint_integration.h"

#include <fmt/format.h>

#include <array>

namespace casimir {

namespace {

using Start = std::unique_ptr<Integration> (*)(Field, double, const State&, const IntegrationOptions&);

template <int Stages>
std::unique_ptr<Integration> startGaussOf(Field field, double t0, const State& x0,
                                          const IntegrationOptions& options)
{
    return startGauss(Stages, std::move(field), t0, x0, options);
}

constexpr std::array<MethodInfo, 5> kMethods{{
    {"dopri5", "Dormand-Prince 5", 5, false,
     "Adapts its step to the tolerance at six evaluations a step; energy and Casimirs drift slowly, by about "
     "the "
     "tolerance in each step."},
    {"rkf78", "Runge-Kutta-Fehlberg 7(8)", 8, false,
     "Adapts its step and takes long ones at thirteen evaluations each, for tight tolerances; energy and "
     "Casimirs drift "
     "as with Dormand-Prince."},
    {"midpoint", "Implicit midpoint", 2, true,
     "Keeps linear and quadratic Casimirs to rounding and the energy within a band of width h²; short steps "
     "are needed "
     "for accuracy."},
    {"gauss4", "Gauss-Legendre 4", 4, true,
     "Keeps linear and quadratic Casimirs to rounding and the energy within a band of width h⁴; some twenty "
     "evaluations "
     "a step."},
    {"gauss6", "Gauss-Legendre 6", 6, true,
     "Keeps linear and quadratic Casimirs to rounding and the energy within a band of width h⁶; some thirty "
     "evaluations "
     "a step, for the longest runs."},
}};

constexpr std::array<Start, kMethods.size()> kStarts{startDormandPrince5, startFehlberg78, startGaussOf<1>,
                                                     startGaussOf<2>, startGaussOf<3>};

std::size_t indexOf(std::string_view id)
{
    std::vector<std::string> known;
    for (std::size_t i = 0; i < kMethods.size(); ++i) {
        if (kMethods[i].id == id)
            return i;
        known.emplace_back(kMethods[i].id);
    }
    throw Error(fmt::format("unknown integrator '{}'; {}", id, didYouMean(id, known)));
}

} // namespace

std::span<const MethodInfo> genericMethods()
{
    return kMethods;
}

const MethodInfo& genericMethod(std::string_view id)
{
    return kMethods[indexOf(id)];
}

std::unique_ptr<Integration> startIntegration(std::string_view methodId, Field field, double t0,
                                              const State& x0, const IntegrationOptions& options)
{
    return kStarts[indexOf(methodId)](std::move(field), t0, x0, options);
}

} // namespace casimir
