#include "core/analysis/sweep.h"

#include "core/analysis/consistency.h"
#include "core/analysis/number_path.h"
#include "core/analysis/parameter_axis.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/base/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <exception>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>

namespace casimir {

namespace {

constexpr double mostPoints = 1e9; // more is a mistake in a count
constexpr long mostAtOnce = 256;   // points a thread takes at a time
constexpr long shareOut = 64;      // pieces for each thread, so that none waits long for another
constexpr std::size_t lead = 8;    // pieces for each thread that may wait to be written
constexpr long probes = 64;        // points at which an unknown path is looked for
constexpr auto askEvery = std::chrono::milliseconds(50);

std::vector<std::string_view> split(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0;;) {
        const std::size_t end = text.find(separator, begin);
        parts.push_back(text.substr(begin, end - begin));
        if (end == std::string_view::npos)
            return parts;
        begin = end + 1;
    }
}

// The points of the grid that stand for it where not all can be tried: the corners and what lies between.
std::vector<long> probePoints(long points)
{
    std::set<long> chosen;
    for (long i = 0; i < probes; ++i)
        chosen.insert(
            static_cast<long>(static_cast<double>(points - 1) * static_cast<double>(i) / (probes - 1)));
    return {chosen.begin(), chosen.end()};
}

class Workers {
public:
    Workers(const Sweep& sweep, long first, int threads)
        : sweep_(sweep),
          first_(first),
          points_(sweep.points()),
          piece_(std::clamp((points_ - first) / (std::max(threads, 1) * shareOut), 1L, mostAtOnce)),
          mostWaiting_(lead * static_cast<std::size_t>(std::max(threads, 1)))
    {
        for (int i = 0; i < std::max(threads, 1); ++i)
            threads_.emplace_back([this] { work(); });
    }
    ~Workers()
    {
        {
            const std::lock_guard lock(mutex_);
            stop_ = true;
        }
        room_.notify_all();
        for (std::thread& thread : threads_)
            thread.join();
    }
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;

    struct Piece {
        std::vector<double> numbers; // of the quantities, point by point
        long unanswered = 0;
        std::string refusal;
    };

    long pieces() const { return (points_ - first_ + piece_ - 1) / piece_; }
    long begin(long piece) const { return first_ + piece * piece_; }
    long end(long piece) const { return std::min(points_, begin(piece) + piece_); }

    // The piece, once it is there; nothing after a short while, so that the caller can look around.
    std::optional<Piece> take(long piece)
    {
        std::unique_lock lock(mutex_);
        if (!ready_.wait_for(lock, askEvery, [&] { return failure_ || done_.contains(piece); }))
            return std::nullopt;
        if (failure_)
            std::rethrow_exception(failure_);
        Piece taken = std::move(done_.extract(piece).mapped());
        ++written_;
        lock.unlock();
        room_.notify_all();
        return taken;
    }

private:
    void work()
    {
        for (;;) {
            long piece = 0;
            {
                std::unique_lock lock(mutex_);
                room_.wait(lock, [&] {
                    return stop_ || next_ >= pieces() || next_ < written_ + static_cast<long>(mostWaiting_);
                });
                if (stop_ || next_ >= pieces())
                    return;
                piece = next_++;
            }
            try {
                Piece answer = compute(piece);
                const std::lock_guard lock(mutex_);
                done_.emplace(piece, std::move(answer));
            } catch (...) {
                const std::lock_guard lock(mutex_);
                failure_ = std::current_exception();
                stop_ = true;
            }
            ready_.notify_all();
        }
    }

    Piece compute(long piece)
    {
        Piece answer;
        for (long point = begin(piece); point < end(piece); ++point) {
            {
                const std::lock_guard lock(mutex_);
                if (stop_)
                    return answer;
            }
            try {
                const auto system = sweep_.kind->make(sweep_.valuesAt(point));
                const Analysis analysis = consistent(system->analyzeFrom(sweep_.start, {}));
                for (const std::string& path : sweep_.quantities)
                    answer.numbers.push_back(valueAt(*system, analysis, path));
            } catch (const Error& error) {
                if (answer.unanswered++ == 0)
                    answer.refusal = error.what();
                answer.numbers.insert(answer.numbers.end(), sweep_.quantities.size(),
                                      std::numeric_limits<double>::quiet_NaN());
            }
        }
        return answer;
    }

    static double valueAt(const System& system, const Analysis& analysis, const std::string& path)
    {
        const auto number = numberAt(system, analysis, path);
        return number ? number->value : std::numeric_limits<double>::quiet_NaN();
    }

    const Sweep& sweep_;
    const long first_, points_, piece_;
    const std::size_t mostWaiting_;
    std::mutex mutex_;
    std::condition_variable room_, ready_;
    bool stop_ = false;
    long next_ = 0, written_ = 0;
    std::map<long, Piece> done_;
    std::exception_ptr failure_;
    std::vector<std::thread> threads_;
};

} // namespace

double SweepAxis::at(long i) const
{
    if (i <= 0)
        return from;
    if (i >= count - 1)
        return to;
    const double part = static_cast<double>(i) / static_cast<double>(count - 1);
    if (scale == Scale::Logarithmic)
        return std::copysign(
            std::exp(std::log(std::abs(from)) + part * (std::log(std::abs(to)) - std::log(std::abs(from)))),
            from);
    return from + part * (to - from);
}

std::string SweepAxis::text() const
{
    return fmt::format("{}={}{}:{}:{}", address, scale == Scale::Logarithmic ? "log:" : "", numberText(from),
                       numberText(to), count);
}

SweepAxis parseSweepAxis(const Kind& kind, std::string_view text)
{
    const auto malformed = [&] {
        return Error(fmt::format("--vary {} should be name=from:to:count, as in mu=0:10:11, or "
                                 "name=log:from:to:count",
                                 text));
    };
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0)
        throw malformed();
    SweepAxis axis;
    axis.address = text.substr(0, equals);
    auto parts = split(text.substr(equals + 1), ':');
    if (parts.size() == 4 && parts.front() == "log") {
        axis.scale = Scale::Logarithmic;
        parts.erase(parts.begin());
    }
    if (parts.size() != 3)
        throw malformed();
    double count = 0;
    const Parameter& parameter = kind.schema.resolve(axis.address);
    try {
        axis.from = parseNumber(parts[0], parameter.unit);
        axis.to = parseNumber(parts[1], parameter.unit);
        count = parseNumber(parts[2]);
    } catch (const Error& error) {
        throw Error(fmt::format("--vary {}: {}", text, error.what()));
    }
    if (parameter.type == ParameterType::Choice || parameter.type == ParameterType::Text ||
        parameter.type == ParameterType::List ||
        (parameter.type != ParameterType::Real && parameter.type != ParameterType::Integer &&
         axis.address == parameter.id))
        throw Error(fmt::format("--vary {}: {} is not a number that can be varied", text, axis.address));
    for (const double end : {axis.from, axis.to})
        if (!parameter.range.contains(end))
            throw Error(fmt::format("--vary {}: {} = {} is out of range; it must be {}", text, axis.address,
                                    numberText(end), parameter.range.describe()));
    if (!(count >= 1 && count <= mostPoints) || count != std::floor(count))
        throw Error(
            fmt::format("--vary {}: the count must be a whole number from 1 to {}", text, mostPoints));
    axis.count = static_cast<long>(count);
    if (axis.count == 1 && axis.from != axis.to)
        throw Error(fmt::format("--vary {}: one point cannot reach from {} to {}; give two or more", text,
                                numberText(axis.from), numberText(axis.to)));
    if (axis.scale == Scale::Logarithmic && !(axis.from * axis.to > 0))
        throw Error(fmt::format("--vary {}: equal ratios need two ends of the same sign, neither 0", text));
    if (parameter.type == ParameterType::Integer)
        for (long i = 0; i < std::min(axis.count, 3L); ++i)
            if (axis.at(i) != std::floor(axis.at(i)))
                throw Error(fmt::format("--vary {}: {} takes whole numbers, and this gives {}", text,
                                        axis.address, numberText(axis.at(i))));
    return axis;
}

long Sweep::points() const
{
    double all = 1;
    for (const SweepAxis& axis : axes)
        all *= static_cast<double>(axis.count);
    if (all > mostPoints)
        throw Error(fmt::format("this sweep has {} points; at most {} are computed", all, mostPoints));
    return static_cast<long>(all);
}

Values Sweep::valuesAt(long point) const
{
    std::vector<Assignment> assignments;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        assignments.push_back({axis->address, axis->at(point % axis->count)});
        point /= axis->count;
    }
    std::reverse(assignments.begin(), assignments.end());
    return valuesWith(kind->schema, values, assignments);
}

std::vector<Quantity> sweepColumns(const Sweep& sweep)
{
    if (sweep.axes.empty() || sweep.axes.size() > 2)
        throw Error(fmt::format("a sweep varies one or two parameters, not {}", sweep.axes.size()));
    if (sweep.axes.size() == 2 && sweep.axes[0].address == sweep.axes[1].address)
        throw Error(fmt::format("{} is varied twice", sweep.axes[0].address));
    if (sweep.quantities.empty())
        throw Error("a sweep needs at least one quantity");
    std::vector<Quantity> columns;
    for (const SweepAxis& axis : sweep.axes) {
        const Parameter& parameter = sweep.kind->schema.resolve(axis.address);
        columns.push_back({axis.address, parameter.symbol, parameter.name, parameter.unit});
    }

    const auto system = sweep.kind->make(sweep.values);
    const Analysis present = consistent(system->analyzeFrom(sweep.start, {}));
    std::vector<std::string> units(sweep.quantities.size()), unknown;
    std::vector<bool> found(sweep.quantities.size(), false);
    const auto look = [&](const System& s, const Analysis& a) {
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!found[i])
                if (const auto number = numberAt(s, a, sweep.quantities[i])) {
                    found[i] = true;
                    units[i] = number->unit;
                }
        return std::find(found.begin(), found.end(), false) == found.end();
    };
    if (!look(*system, present)) {
        std::vector<std::string> known = numberPaths(*system, present);
        for (const long point : probePoints(sweep.points())) {
            try {
                const auto there = sweep.kind->make(sweep.valuesAt(point));
                const Analysis analysis = consistent(there->analyzeFrom(sweep.start, {}));
                if (look(*there, analysis))
                    break;
                for (std::string& path : numberPaths(*there, analysis))
                    if (std::find(known.begin(), known.end(), path) == known.end())
                        known.push_back(std::move(path));
            } catch (const Error&) {
                continue; // a point without an answer knows no paths
            }
        }
        for (std::size_t i = 0; i < found.size(); ++i)
            if (!found[i])
                throw Error(fmt::format("unknown quantity '{}' of analyze {}; {}", sweep.quantities[i],
                                        sweep.kind->id, didYouMean(sweep.quantities[i], known)));
    }
    for (std::size_t i = 0; i < units.size(); ++i)
        columns.push_back({sweep.quantities[i], "", "", units[i]});
    return columns;
}

SweepOutcome runSweep(const Sweep& sweep, long first, int threads,
                      const std::function<void(long, std::span<const double>)>& row,
                      const std::function<bool()>& waiting)
{
    SweepOutcome outcome;
    if (first >= sweep.points())
        return outcome;
    Workers workers(sweep, first, threads);
    const std::size_t width = sweep.quantities.size();
    std::vector<double> numbers(sweep.axes.size() + width);
    for (long piece = 0; piece < workers.pieces();) {
        if (waiting()) {
            outcome.finished = false;
            return outcome;
        }
        const auto taken = workers.take(piece);
        if (!taken)
            continue;
        if (outcome.unanswered == 0)
            outcome.refusal = taken->refusal;
        outcome.unanswered += taken->unanswered;
        for (long point = workers.begin(piece); point < workers.end(piece); ++point) {
            long rest = point;
            for (std::size_t i = sweep.axes.size(); i-- > 0; rest /= sweep.axes[i].count)
                numbers[i] = sweep.axes[i].at(rest % sweep.axes[i].count);
            const auto from =
                taken->numbers.begin() + (point - workers.begin(piece)) * static_cast<long>(width);
            std::copy_n(from, width, numbers.begin() + static_cast<long>(sweep.axes.size()));
            row(point, numbers);
        }
        ++piece;
    }
    return outcome;
}

} // namespace casimir
