#include "tests/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string_view>

namespace casimir::bench {

namespace {

std::string json(const Spread& s)
{
    return fmt::format(R"({{"median": {:.6g}, "low": {:.6g}, "high": {:.6g}}})", s.median, s.low, s.high);
}

std::string quoted(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result + '"';
}

} // namespace

double percentile(std::vector<double> values, double fraction)
{
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(
                                         std::llround(fraction * static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

Spread spreadOf(std::vector<double> values)
{
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    return {percentile(values, 0.5), *low, *high};
}

double timeOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Comparison compare(int repetitions, const std::function<void()>& work, const std::function<void()>& baseline)
{
    work();
    baseline();
    std::vector<double> times, baselines, ratios;
    for (int i = 0; i < repetitions; ++i) {
        times.push_back(timeOf(work));
        baselines.push_back(timeOf(baseline));
        ratios.push_back(times.back() / baselines.back());
    }
    return {spreadOf(times), spreadOf(baselines), spreadOf(ratios)};
}

Report::Report(int argc, char** argv)
{
    for (int i = 1; i + 1 < argc; ++i)
        if (std::string_view(argv[i]) == "--json")
            json_ = argv[i + 1];
}

void Report::add(const Row& row) const
{
    const std::string range = fmt::format("{:.3g}..{:.3g}", row.value.low, row.value.high);
    fmt::print("{:<50} {:>9.3g} {:<6} {:<17} {:>7}  {:<22} {}\n", row.work, row.value.median, row.unit, range,
               row.ratio ? fmt::format("{:.3g}", row.ratio->median) : "-", row.baseline, row.note);
    std::fflush(stdout);
    if (json_.empty())
        return;
    std::ofstream(json_, std::ios::app)
        << fmt::format(R"({{"work": {}, "unit": {}, "value": {}, "baseline": {}, "ratio": {}, "note": {}}})",
                       quoted(row.work), quoted(row.unit), json(row.value), quoted(row.baseline),
                       row.ratio ? json(*row.ratio) : "null", quoted(row.note))
        << '\n';
}

} // namespace casimir::bench
