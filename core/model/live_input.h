// A number that a person leads while a motion runs (the position of the finger under the rod), as
// time-stamped samples. Appended to while running, replayed from its samples afterwards: what it said about
// the past never changes, so a replay is the same motion. Who moves it, and who listens, is not here.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <vector>

namespace casimir {

struct InputSample {
    double t = 0, value = 0;
    bool operator==(const InputSample&) const = default;
};

// One cubic between two knots; `end` is infinite where the value stays for ever.
struct InputPiece {
    double begin = 0, end = 0;
    double x0 = 0, v0 = 0, x1 = 0, v1 = 0;

    double value(double t) const;
    double rate(double t) const;
    double acceleration(double t) const;
};

// Continuous with its rate: at each sample the rate is that of the way there from the one before, known when
// the sample comes. Before the first sample it rests; after the last of a finished recording it comes to rest
// within kStop. Safe to use from several threads.
class LiveInput {
public:
    static constexpr double kStop = 0.05; // s

    // A finished recording, or what is to be led on from its last sample; throws Error.
    explicit LiveInput(const std::vector<InputSample>& samples, bool live = false);

    // Throws Error for a time that is not after the last sample's, for a number that is none, or when
    // finished.
    void append(double t, double value);
    // Led on to the time t, by the value or, without one, by the last; nothing happens where it is there
    // already, or is a recording.
    void leadTo(double t, std::optional<double> value);

    bool live() const;
    double end() const;  // the time of the last sample
    double last() const; // and its value
    std::vector<InputSample> samples() const;

    // The piece that a motion standing at t enters, forward or backward in time. While live there is none
    // after the last sample: begin == end then.
    InputPiece piece(double t, int direction) const;

private:
    double rateAt(std::size_t i) const;
    void check(const InputSample& sample) const;

    mutable std::mutex mutex_;
    std::vector<InputSample> samples_;
    const bool live_;
};

} // namespace casimir
