// What Morse theory asks of a list of critical points before it can be complete. For a function on a torus of
// c circles, or on one times lines along which it grows without bound, all critical points nondegenerate:
// the sum of (-1)^index is the Euler number, 0 for c > 0 and 1 for c = 0, and there are at least 2^c. On a
// product of s spheres both are 2^s. Lists that keep both may still lack some.
#pragma once

#include "core/model/analysis.h"

#include <string>

namespace casimir {

class MorseCount {
public:
    explicit MorseCount(int circles, int spheres = 0) : circles_(circles), spheres_(spheres) {}
    void add(int index, int nullity);

    int circles() const { return circles_; }
    int listed() const { return listed_; }
    int indexSum() const { return sum_; }
    double indexSumDue() const;
    double least() const;
    bool degenerate() const { return degenerate_; }
    bool fits() const { return !degenerate_ && sum_ == indexSumDue() && listed_ >= least(); }

    // "fit", "incomplete" or, where some are degenerate and nothing is due, "degenerate"; and in words.
    std::string check() const;
    std::string sentence() const;

private:
    int circles_, spheres_;
    int listed_ = 0, sum_ = 0;
    bool degenerate_ = false;
};

// The key "counts" of an analysis; `check` and `sentence` of the count itself unless others are given.
void addCounts(Analysis& analysis, const MorseCount& count);
void addCounts(Analysis& analysis, const MorseCount& count, const std::string& check,
               const std::string& sentence);

} // namespace casimir
