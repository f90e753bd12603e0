#include "core/numerics/sincos.h"

#include "core/numerics/lanes.h"

#include <cmath>
#include <cstdint>

namespace casimir {

namespace {

CASIMIR_INLINE bool all(const double* __restrict angle, double* __restrict sine, double* __restrict cosine,
                        std::size_t n)
{
    std::uint64_t beyond = 0;
    for (std::size_t i = 0; i < n; ++i) {
        std::uint64_t here;
        sineAndCosine<double, std::uint64_t>(angle[i], sine[i], cosine[i], here);
        beyond |= here;
    }
    return beyond == 0;
}

CASIMIR_WIDE bool allWide(const double* angle, double* sine, double* cosine, std::size_t n)
{
    return all(angle, sine, cosine, n);
}
bool allNarrow(const double* angle, double* sine, double* cosine, std::size_t n)
{
    return all(angle, sine, cosine, n);
}

} // namespace

void sinesAndCosines(const double* angle, double* sine, double* cosine, std::size_t n)
{
    if ((machineIsWide() ? allWide : allNarrow)(angle, sine, cosine, n))
        return;
    for (std::size_t i = 0; i < n; ++i)
        if (!(std::abs(angle[i]) <= kLargestReduced)) {
            sine[i] = std::sin(angle[i]);
            cosine[i] = std::cos(angle[i]);
        }
}

} // namespace casimir
