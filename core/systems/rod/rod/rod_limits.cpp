#include "core/systems/rod/rod/rod_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace casimir::rod {

namespace {

constexpr double longestBelieved = 2, shortestBelieved = 0.5, shearBelieved = 0.5;
// Strains below this are resolved by any number of elements; above, twice as many must give the same within
// meshTolerance.
constexpr double largeStrain = 0.3, meshTolerance = 0.1;

RodConfiguration refined(const Rod& rod, const Rod& finer, const RodConfiguration& at)
{
    RodConfiguration between;
    between.x.push_back(at.x[0]);
    between.q.push_back(at.q[0]);
    for (std::size_t i = 1; i < rod.nodes(); ++i) {
        between.x.push_back((rod.point(at, i - 1) + at.x[i]) / 2);
        between.q.push_back(at.q[i - 1].slerp(0.5, at.q[i]));
        between.x.push_back(at.x[i]);
        between.q.push_back(at.q[i]);
    }
    finer.centreAtOrigin(between);
    return between;
}

} // namespace

RodStrains strainsOf(const Rod& rod, const RodConfiguration& at)
{
    RodStrains s;
    for (const ElementStrain& e : rod.strains(at)) {
        s.longest = std::max(s.longest, 1 + e.gamma.z());
        s.shortest = std::min(s.shortest, 1 + e.gamma.z());
        s.shear = std::max(s.shear, e.gamma.head<2>().norm());
    }
    return s;
}

std::string beyondTheLaw(const RodStrains& s)
{
    if (s.longest > longestBelieved)
        return fmt::format("The rod is stretched to {:.3g} times its length in places: the linear law is "
                           "beyond its range.",
                           s.longest);
    if (s.shortest < shortestBelieved)
        return fmt::format("The rod is pressed to {:.2g} of its length in places: the linear law is beyond "
                           "its range.",
                           s.shortest);
    if (s.shear > shearBelieved)
        return fmt::format("The rod is sheared by {:.2g} in places: the linear law is beyond its range.",
                           s.shear);
    return {};
}

Status continuumStatus(const Rod& rod, const RodEquilibrium& e)
{
    const RodStrains s = strainsOf(rod, e.at);
    if (!(s.shortest > 0))
        return Status::failed("no-continuum", "An element of the rod is turned inside out, which no rod is.");
    const double strain = std::max({s.longest - 1, 1 - s.shortest, s.shear});
    if (strain < largeStrain)
        return {};
    RodParameters p = rod.parameters();
    p.elements *= 2;
    const Rod finer(p);
    const RodEquilibrium f = solveAtSpin(finer, refined(rod, finer, e.at), e.omega);
    if (!f.status.ok())
        return Status::failed("no-continuum",
                              fmt::format("With {} elements in place of {} there is no such state.",
                                          p.elements, rod.parameters().elements));
    const RodStrains t = strainsOf(finer, f.at);
    const double change = std::max({std::abs(t.longest - s.longest) / t.longest,
                                    std::abs(t.shortest - s.shortest), std::abs(t.shear - s.shear)});
    // At the ends of the rod strains have a slope: the finer elements reach half an element further.
    if (change > meshTolerance + 2 / static_cast<double>(p.elements))
        return Status::failed("no-continuum",
                              fmt::format("With {} elements the stretch is {:.3g}, with {} it is {:.3g}: it "
                                          "is not a state of the continuum.",
                                          rod.parameters().elements, s.longest, p.elements, t.longest));
    return {};
}

RodEquilibrium heldToTheContinuum(const Rod& rod, const RodEquilibrium& e,
                                  const std::function<RodEquilibrium(double)>& at)
{
    const Status status = continuumStatus(rod, e);
    if (status.ok())
        return e;
    RodEquilibrium last{.at = e.at, .omega = 0};
    double low = 0, high = e.omega;
    while (high - low > 1e-3 * e.omega) {
        const double middle = (low + high) / 2;
        const RodEquilibrium found = at(middle);
        if (found.status.ok() && continuumStatus(rod, found).ok()) {
            last = found;
            low = middle;
        } else {
            high = middle;
        }
    }
    if (low == 0)
        last = at(0);
    last.status = status;
    return last;
}

} // namespace casimir::rod
