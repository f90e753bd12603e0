#include "core/model/morse_count.h"

#include <fmt/format.h>

#include <cmath>

namespace casimir {

void MorseCount::add(int index, int nullity)
{
    ++listed_;
    sum_ += index % 2 ? -1 : 1;
    degenerate_ = degenerate_ || nullity > 0;
}

double MorseCount::least() const
{
    return std::ldexp(1.0, circles_ + spheres_);
}

double MorseCount::indexSumDue() const
{
    return circles_ > 0 ? 0 : std::ldexp(1.0, spheres_);
}

std::string MorseCount::check() const
{
    return degenerate_ ? "degenerate" : fits() ? "fit" : "incomplete";
}

std::string MorseCount::sentence() const
{
    const int even = (listed_ + sum_) / 2, odd = listed_ - even;
    if (degenerate_)
        return "Some are degenerate, so their number cannot be checked.";
    if (sum_ != indexSumDue())
        return fmt::format(
            "The list cannot be complete: {} have an even index and {} an odd one, where {}.", even, odd,
            circles_ > 0 ? "both must be as many"
                         : fmt::format("there must be {:.6g} more of the even", indexSumDue()));
    if (listed_ < least())
        return fmt::format("The list cannot be complete: {} are listed, and there must be at least {:.6g}.",
                           listed_, least());
    return fmt::format("The counts fit: {} of at least {:.6g}, {} of even index and {} of odd.", listed_,
                       least(), even, odd);
}

void addCounts(Analysis& analysis, const MorseCount& count)
{
    addCounts(analysis, count, count.check(), count.sentence());
}

void addCounts(Analysis& analysis, const MorseCount& count, const std::string& check,
               const std::string& sentence)
{
    analysis.more["counts"] = {{"check", check},
                               {"listed", count.listed()},
                               {"least", count.least()},
                               {"index_sum", count.indexSum()},
                               {"index_sum_due", count.indexSumDue()},
                               {"sentence", sentence}};
}

} // namespace casimir
