// KeptSamples: what was read from a motion at the multiples of a spacing, kept from one look to the next. A
// picture that follows the clock computes what came since it looked last, not again what it had.
#pragma once

#include "core/engine/recording.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace casimir {

template <class Sample>
class KeptSamples {
public:
    // `make(k)` reads the sample at the time k·spacing. What was kept is forgotten where the motion, the
    // spacing or `what` (which says what a sample holds) is another, and where the window jumped.
    template <class Make>
    void look(const Recording& recording, double spacing, const std::string& what, double begin, double end,
              Make make)
    {
        if (recording.motion() != motion_ || spacing != spacing_ || what != what_) {
            samples_.clear();
            motion_ = recording.motion();
            spacing_ = spacing;
            what_ = what;
        }
        const auto first = static_cast<std::int64_t>(std::ceil(std::max(begin, recording.begin()) / spacing));
        const auto last = static_cast<std::int64_t>(std::floor(std::min(end, recording.end()) / spacing));
        if (last < first || first > next() || last < first_ - 1)
            samples_.clear();
        if (last < first)
            return;
        if (samples_.empty())
            first_ = first;
        for (; first_ < first && !samples_.empty(); ++first_)
            samples_.pop_front();
        if (samples_.empty())
            first_ = first;
        while (next() - 1 > last)
            samples_.pop_back();
        while (first_ > first) {
            samples_.push_front(make(first_ - 1));
            --first_;
        }
        while (next() <= last)
            samples_.push_back(make(next()));
    }
    void forget() { samples_.clear(); }

    std::int64_t first() const { return first_; } // number of the first sample
    std::deque<Sample>& samples() { return samples_; }
    const std::deque<Sample>& samples() const { return samples_; }

private:
    std::int64_t next() const { return first_ + static_cast<std::int64_t>(samples_.size()); }

    std::uint64_t motion_ = 0;
    double spacing_ = 0;
    std::string what_;
    std::int64_t first_ = 0;
    std::deque<Sample> samples_;
};

// One T for each recording that is looked at; what was not asked for between two calls of tidy() is
// forgotten.
template <class T>
class PerRecording {
public:
    T& of(const Recording& recording)
    {
        Kept& kept = all_[recording.motion()];
        kept.asked = true;
        return kept.value;
    }
    void tidy()
    {
        for (auto it = all_.begin(); it != all_.end();)
            it = std::exchange(it->second.asked, false) ? std::next(it) : all_.erase(it);
    }

private:
    struct Kept {
        T value;
        bool asked = false;
    };
    std::map<std::uint64_t, Kept> all_;
};

} // namespace casimir
