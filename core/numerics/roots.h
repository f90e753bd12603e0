// A root of a real function between two points where its signs differ.
#pragma once

#include "core/base/status.h"

#include <boost/math/policies/policy.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

namespace casimir {

struct Root {
    double x = std::numeric_limits<double>::quiet_NaN();
    double value = std::numeric_limits<double>::quiet_NaN();
    Status status;
};

// Brackets by TOMS 748 until the interval is shorter than `tolerance` (or as short as doubles allow) and
// takes the end with the smaller |f|. An end where f vanishes is the answer at once.
template <class F>
Root bracketedRoot(F&& f, double a, double b, double tolerance = 0)
{
    if (a > b)
        std::swap(a, b);
    double fa = f(a);
    double fb = f(b);
    if (fa == 0)
        return {a, fa, {}};
    if (fb == 0)
        return {b, fb, {}};
    if (!std::isfinite(fa) || !std::isfinite(fb))
        return {a, fa,
                Status::failed("not-finite", fmt::format("The function has no finite value at {:.10g}.",
                                                         std::isfinite(fa) ? b : a))};
    if ((fa > 0) == (fb > 0))
        return {a, fa,
                Status::failed("no-bracket",
                               fmt::format("The function has the same sign at {:.10g} and {:.10g}.", a, b))};

    bool finite = true;
    const auto watched = [&](double x) {
        const double y = f(x);
        finite = finite && std::isfinite(y);
        return finite ? y : 0.0;
    };
    const auto close = [tolerance](double l, double r) {
        const double ulps = 2 * std::numeric_limits<double>::epsilon() * std::max(std::abs(l), std::abs(r));
        return r - l <= std::max(tolerance, ulps);
    };
    using namespace boost::math::policies;
    using Quiet = policy<evaluation_error<errno_on_error>, domain_error<errno_on_error>>;
    constexpr std::uintmax_t kLimit = 200;
    std::uintmax_t iterations = kLimit;
    const auto [l, r] = boost::math::tools::toms748_solve(watched, a, b, fa, fb, close, iterations, Quiet());
    if (!finite)
        return {l, std::numeric_limits<double>::quiet_NaN(),
                Status::failed(
                    "not-finite",
                    fmt::format("The function has no finite value between {:.10g} and {:.10g}.", a, b))};
    const double fl = f(l);
    const double fr = f(r);
    Root root = std::abs(fl) <= std::abs(fr) ? Root{l, fl, {}} : Root{r, fr, {}};
    if (iterations >= kLimit && !close(l, r))
        root.status =
            Status::failed("not-converged",
                           fmt::format("The root between {:.10g} and {:.10g} was not narrowed down.", l, r));
    return root;
}

} // namespace casimir
