// W2, W4 and W5 by CVODE (Adams' methods with functional iteration).
#include "core/base/error.h"
#include "tests/bench/report.h"
#include "tests/bench/section_work.h"
#include "tests/bench/two_body_work.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace casimir::bench {

namespace {

void check(int code, const char* what)
{
    if (code < 0)
        throw Error(fmt::format("{} returned {}.", what, code));
}

class Cvode {
public:
    // x' = field(x) in n numbers.
    using Field = std::function<void(const double* x, double* dxdt)>;
    Cvode(int n, double tolerance, Field field) : field_(std::move(field))
    {
        check(SUNContext_Create(nullptr, &context_), "SUNContext_Create");
        x_ = N_VNew_Serial(n, context_);
        cvode_ = CVodeCreate(CV_ADAMS, context_);
        solver_ = SUNNonlinSol_FixedPoint(x_, 0, context_);
        check(CVodeInit(cvode_, evaluate, 0, x_), "CVodeInit");
        check(CVodeSStolerances(cvode_, tolerance, tolerance), "CVodeSStolerances");
        check(CVodeSetNonlinearSolver(cvode_, solver_), "CVodeSetNonlinearSolver");
        check(CVodeSetUserData(cvode_, this), "CVodeSetUserData");
        check(CVodeSetMaxNumSteps(cvode_, 1'000'000'000), "CVodeSetMaxNumSteps");
    }
    Cvode(const Cvode&) = delete;
    Cvode& operator=(const Cvode&) = delete;
    ~Cvode()
    {
        CVodeFree(&cvode_);
        SUNNonlinSolFree(solver_);
        N_VDestroy(x_);
        SUNContext_Free(&context_);
    }
    // Stops where this rises through 0.
    void watch(std::function<double(const double* x)> height)
    {
        height_ = std::move(height);
        int rising = 1;
        check(CVodeRootInit(cvode_, 1, watched), "CVodeRootInit");
        check(CVodeSetRootDirection(cvode_, &rising), "CVodeSetRootDirection");
    }
    double* state() { return N_VGetArrayPointer(x_); }
    void restart() { check(CVodeReInit(cvode_, 0, x_), "CVodeReInit"); }
    double advance(double t, int task)
    {
        double reached = 0;
        check(CVode(cvode_, t, x_, &reached, task), "CVode");
        return reached;
    }

private:
    static int evaluate(double, N_Vector x, N_Vector dxdt, void* self)
    {
        static_cast<Cvode*>(self)->field_(N_VGetArrayPointer(x), N_VGetArrayPointer(dxdt));
        return 0;
    }
    static int watched(double, N_Vector x, double* out, void* self)
    {
        *out = static_cast<Cvode*>(self)->height_(N_VGetArrayPointer(x));
        return 0;
    }

    Field field_;
    std::function<double(const double*)> height_;
    SUNContext context_ = nullptr;
    N_Vector x_ = nullptr;
    void* cvode_ = nullptr;
    SUNNonlinearSolver solver_ = nullptr;
};

void benchPortrait(const Report& report)
{
    const planar::NuWindow window = planar::usualWindow(bodies());
    const std::vector<Arc> arcs = arcsOf(planar::portrait(bodies(), curves, points, window));
    Curves plain, out(arcs.size());
    double sign = 1;
    Cvode cvode(2, portraitTolerance, [&sign](const double* x, double* dxdt) {
        Eigen::Map<Eigen::Vector2d>{dxdt} = sign * bodies().leafField(x[0], x[1]);
    });
    const Comparison c = compare(
        report.repetitions(11),
        [&] {
            for (std::size_t k = 0; k < arcs.size(); ++k) {
                const Arc& arc = arcs[k];
                sign = arc.duration < 0 ? -1 : 1;
                Eigen::Map<Eigen::Vector2d> x(cvode.state());
                x = arc.start;
                cvode.restart();
                out[k].assign(static_cast<std::size_t>(arc.samples), arc.start);
                for (int i = 1; i < arc.samples; ++i) {
                    cvode.advance(std::abs(arc.duration) * i / (arc.samples - 1), CV_NORMAL);
                    out[k][static_cast<std::size_t>(i)] = x;
                }
            }
        },
        [&] { plainPortrait(arcs, plain); });
    report.add("portrait, 64 x 512 and pair", "CVODE", c, "plain dopri5",
               fmt::format("energy {:.0e}", portraitError(arcs, out)));
}

void benchSection(const Report& report)
{
    const int crossings = sectionCrossings(report);
    // At the tolerance of the others its energy is off by more than theirs.
    constexpr double tolerance = 3e-11;
    Crossings plain, found;
    Cvode cvode(5, tolerance, [](const double* z, double* dxdt) {
        Eigen::Map<planar::Vector5d>{dxdt} = threeBodies().reducedField<double>(planar::Vector5d(z));
    });
    cvode.watch([](const double* z) { return std::sin(z[0]); });
    const Comparison c = compare(
        report.repetitions(3),
        [&] {
            found.assign(sectionOrbits, {});
            Eigen::Map<planar::Vector5d> z(cvode.state());
            for (std::size_t i = 0; i < found.size(); ++i) {
                z = sectionSeeds()[i];
                cvode.restart();
                while (static_cast<int>(found[i].size()) < crossings) {
                    cvode.advance(sectionTime, CV_NORMAL);
                    if (std::cos(z[0]) > 0) // else the angle falls half a turn away
                        found[i].push_back(z);
                }
            }
        },
        [&] { plainSection(crossings, plain); });
    report.add(sectionName(report) + ", Adams", "CVODE", c, "dopri5, dense root",
               fmt::format("{}, at {:.0e} with its root finding; baseline {}", sectionAccuracy(found),
                           tolerance, sectionAccuracy(plain)));
}

void benchLongRun(const Report& report)
{
    const long periods = report.quick() ? 200 : 1000;
    const LongRun& work = longRun();
    LongRunError error;
    const Comparison c = compare(
        report.repetitions(5),
        [&] {
            Cvode cvode(3, 5e-11, [](const double* at, double* dxdt) {
                Eigen::Map<Eigen::Vector3d>{dxdt} = bodies().reducedField(Eigen::Vector3d(at));
            });
            Eigen::Map<Eigen::Vector3d> x(cvode.state());
            x = work.start;
            cvode.restart();
            error = {};
            const double end = static_cast<double>(periods) * work.period;
            double t = 0;
            while (t < end) {
                t = cvode.advance(end, CV_ONE_STEP);
                error.see(t / end, work.errorAt(x));
            }
            error.lag = work.lagAt(t, x);
        },
        [&] { plainLongRun(periods); });
    report.add(fmt::format("{} periods at 0.999 E_h, Adams at 5e-11", periods), "CVODE", c,
               "plain dopri5 1e-10",
               fmt::format("energy {:.1e} {}, late {:.0e} s", error.energy, error.trend(), error.lag));
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir::bench;
    const Report report(argc, argv);
    const auto add = [&](const char* item, const char* work, void (*measure)(const Report&)) {
        const Report rows = report.forItem(item);
        rows.addPeer(work, "CVODE", [&] { measure(rows); });
    };
    add("W2", "portrait", benchPortrait);
    add("W4", "section", benchSection);
    add("W5", "long run", benchLongRun);
}
