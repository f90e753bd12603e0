// The rows that benchmarks print: a median with its spread over repetitions, beside a baseline of the same
// run. What is measured is not here.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace casimir::bench {

struct Spread {
    double median = 0, low = 0, high = 0;
};

Spread spreadOf(std::vector<double> values);
double percentile(std::vector<double> values, double fraction);

// Seconds that the work takes: of the calling thread's processor time, on which other programs have little
// influence, or by the wall clock, for work of several threads and processes.
double timeOf(const std::function<void()>& work);
double wallTimeOf(const std::function<void()>& work);

struct Comparison {
    Spread time, baseline, ratio;
};
// Runs the two in turn, so that whatever else the machine does falls on both; the ratio is that of
// neighbours.
Comparison compare(int repetitions, const std::function<void()>& work, const std::function<void()>& baseline,
                   double (*clock)(const std::function<void()>&) = timeOf);

// The same with both sides repeated inside, so that short work can be timed: seconds for one of each.
Comparison compare(int repetitions, int workTimes, const std::function<void()>& work, int baselineTimes,
                   const std::function<void()>& baseline);

// In units of which `perSecond` make a second.
Spread scaled(const Spread& seconds, double perSecond);

// The exponent p of the power law c n^p that fits best, in logarithms.
double fittedExponent(const std::vector<double>& sizes, const std::vector<double>& times);

struct Row {
    std::string work;
    std::string unit;
    Spread value;
    std::string baseline = {};        // what the ratio refers to; empty: nothing
    std::optional<Spread> ratio = {}; // value / baseline
    std::string note = {};            // accuracy reached, goal
    std::string by = "Casimir";       // or the peer that was measured
};

// Prints each row as it comes; with `--json FILE` among the arguments appends it there too, one object a
// line. `--quick` asks for few repetitions.
class Report {
public:
    Report(int argc, char** argv);
    Report forItem(std::string item) const; // a work item: W1 to W6, or a system's name
    bool quick() const { return quick_; }
    int repetitions(int usual) const { return quick_ ? std::max(3, usual / 4) : usual; }
    void add(const Row& row) const;
    // A comparison in milliseconds.
    void add(std::string work, std::string by, const Comparison& c, std::string baseline,
             std::string note) const;
    // How a time grows with a size: the exponent over the range measured.
    void addGrowth(std::string work, const std::vector<double>& sizes, const std::vector<double>& times,
                   std::string note, std::string by = "Casimir") const;
    // Measures a peer that is there; where it throws, a line says why in place of its rows.
    void addPeer(const std::string& work, const std::string& by, const std::function<void()>& measure) const;

private:
    void write(const std::string& object) const;

    std::string json_, item_;
    bool quick_ = false;
};

} // namespace casimir::bench
