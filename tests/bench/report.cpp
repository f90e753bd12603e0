#include "tests/bench/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <exception>
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
        // What a program says may hold tabs and line ends.
        result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
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
    const auto now = [] {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
    };
    const double begin = now();
    work();
    return now() - begin;
}

double wallTimeOf(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

Comparison compare(int repetitions, const std::function<void()>& work, const std::function<void()>& baseline,
                   double (*clock)(const std::function<void()>&))
{
    work();
    baseline();
    std::vector<double> times, baselines, ratios;
    for (int i = 0; i < repetitions; ++i) {
        times.push_back(clock(work));
        baselines.push_back(clock(baseline));
        ratios.push_back(times.back() / baselines.back());
    }
    return {spreadOf(times), spreadOf(baselines), spreadOf(ratios)};
}

Comparison compare(int repetitions, int workTimes, const std::function<void()>& work, int baselineTimes,
                   const std::function<void()>& baseline)
{
    const auto repeated = [](int times, const std::function<void()>& f) {
        return [times, &f] {
            for (int i = 0; i < times; ++i)
                f();
        };
    };
    const Comparison c = compare(repetitions, repeated(workTimes, work), repeated(baselineTimes, baseline));
    const double share = static_cast<double>(baselineTimes) / workTimes;
    return {scaled(c.time, 1.0 / workTimes), scaled(c.baseline, 1.0 / baselineTimes), scaled(c.ratio, share)};
}

Spread scaled(const Spread& seconds, double perSecond)
{
    return {perSecond * seconds.median, perSecond * seconds.low, perSecond * seconds.high};
}

double fittedExponent(const std::vector<double>& sizes, const std::vector<double>& times)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    const auto count = static_cast<double>(sizes.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double a = std::log(sizes[i]), b = std::log(times[i]);
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
    }
    return (count * xy - x * y) / (count * xx - x * x);
}

Report::Report(int argc, char** argv)
{
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--json" && i + 1 < argc)
            json_ = argv[i + 1];
        if (std::string_view(argv[i]) == "--quick")
            quick_ = true;
    }
}

Report Report::forItem(std::string item) const
{
    Report report = *this;
    report.item_ = std::move(item);
    return report;
}

void Report::add(std::string work, std::string by, const Comparison& c, std::string baseline,
                 std::string note) const
{
    add({std::move(work), "ms", scaled(c.time, 1e3), std::move(baseline), c.ratio, std::move(note),
         std::move(by)});
}

void Report::add(const Row& row) const
{
    const auto range = [](const Spread& s) { return fmt::format("{:.3g}..{:.3g}", s.low, s.high); };
    fmt::print("{:<4} {:<50} {:<9} {:>8.3g} {:<6} {:>8} {:<17} {:<20} {}\n", item_, row.work, row.by,
               row.value.median, row.unit, row.ratio ? fmt::format("{:.3g}", row.ratio->median) : "-",
               range(row.ratio ? *row.ratio : row.value), row.baseline, row.note);
    std::fflush(stdout);
    write(fmt::format(R"({{"item": {}, "work": {}, "by": {}, "unit": {}, "value": {}, "baseline": {}, )"
                      R"("ratio": {}, "note": {}}})",
                      quoted(item_), quoted(row.work), quoted(row.by), quoted(row.unit), json(row.value),
                      quoted(row.baseline), row.ratio ? json(*row.ratio) : "null", quoted(row.note)));
}

void Report::addGrowth(std::string work, const std::vector<double>& sizes, const std::vector<double>& times,
                       std::string note, std::string by) const
{
    const double p = fittedExponent(sizes, times);
    add({std::move(work), "power", {p, p, p}, "", {}, std::move(note), std::move(by)});
}

void Report::addPeer(const std::string& work, const std::string& by,
                     const std::function<void()>& measure) const
{
    try {
        measure();
    } catch (const std::exception& e) {
        fmt::print("{:<4} {:<50} {:<9} failed: {}\n", item_, work, by, e.what());
        std::fflush(stdout);
        write(fmt::format(R"({{"item": {}, "work": {}, "by": {}, "failed": {}}})", quoted(item_),
                          quoted(work), quoted(by), quoted(e.what())));
    }
}

void Report::write(const std::string& object) const
{
    if (!json_.empty())
        std::ofstream(json_, std::ios::app) << object << '\n';
}

} // namespace casimir::bench
