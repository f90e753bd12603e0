// The rows that benchmarks print: a median with its spread over repetitions, beside a baseline of the same
// run. What is measured is not here.
#pragma once

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

// Seconds that the work takes by the wall clock.
double timeOf(const std::function<void()>& work);

struct Comparison {
    Spread time, baseline, ratio;
};
// Runs the two in turn, so that whatever else the machine does falls on both; the ratio is that of
// neighbours.
Comparison compare(int repetitions, const std::function<void()>& work, const std::function<void()>& baseline);

struct Row {
    std::string work;
    std::string unit;
    Spread value;
    std::string baseline;        // what the ratio refers to; empty: nothing
    std::optional<Spread> ratio; // value / baseline
    std::string note;
};

// Prints each row as it comes; with `--json FILE` among the arguments appends it there too, one object a
// line.
class Report {
public:
    Report(int argc, char** argv);
    void add(const Row& row) const;

private:
    std::string json_;
};

} // namespace casimir::bench
