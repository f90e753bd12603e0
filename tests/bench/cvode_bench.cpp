// W2 and W5 by CVODE (Adams' methods with functional iteration).
#include "tests/bench/report.h"
#include "tests/bench/two_body_work.h"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <fmt/format.h>

namespace casimir::bench {

namespace {

// x' = sign f(x) on the leaf (two numbers) or in (theta, mu1, mu2).
class Cvode {
public:
    Cvode(int n, double sign, double tolerance) : sign_(sign)
    {
        SUNContext_Create(nullptr, &context_);
        x_ = N_VNew_Serial(n, context_);
        cvode_ = CVodeCreate(CV_ADAMS, context_);
        CVodeInit(cvode_, n == 2 ? onLeaf : reduced, 0, x_);
        CVodeSStolerances(cvode_, tolerance, tolerance);
        solver_ = SUNNonlinSol_FixedPoint(x_, 0, context_);
        CVodeSetNonlinearSolver(cvode_, solver_);
        CVodeSetUserData(cvode_, &sign_);
        CVodeSetMaxNumSteps(cvode_, 1'000'000'000);
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
    double* state() { return N_VGetArrayPointer(x_); }
    void restart() { CVodeReInit(cvode_, 0, x_); }
    double advance(double t, int task)
    {
        double reached = 0;
        CVode(cvode_, t, x_, &reached, task);
        return reached;
    }
    void setSign(double sign) { sign_ = sign; }

private:
    static int onLeaf(double, N_Vector x, N_Vector dxdt, void* sign)
    {
        const double* a = N_VGetArrayPointer(x);
        Eigen::Map<Eigen::Vector2d>(N_VGetArrayPointer(dxdt)) =
            *static_cast<double*>(sign) * bodies().leafField(a[0], a[1]);
        return 0;
    }
    static int reduced(double, N_Vector x, N_Vector dxdt, void*)
    {
        const Eigen::Vector3d at = Eigen::Map<Eigen::Vector3d>(N_VGetArrayPointer(x));
        Eigen::Map<Eigen::Vector3d>(N_VGetArrayPointer(dxdt)) = bodies().reducedField(at);
        return 0;
    }

    double sign_;
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
    Cvode cvode(2, 1, portraitTolerance);
    const Comparison c = compare(
        report.repetitions(11),
        [&] {
            for (std::size_t k = 0; k < arcs.size(); ++k) {
                const Arc& arc = arcs[k];
                cvode.setSign(arc.duration < 0 ? -1 : 1);
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
    report.forItem("W2").add("portrait, 64 x 512 and pair", "CVODE", c, "plain dopri5",
                             fmt::format("energy {:.0e}", portraitError(arcs, out)));
}

void benchLongRun(const Report& report)
{
    const long periods = report.quick() ? 200 : 1000;
    const LongRun& work = longRun();
    double worst = 0;
    const Comparison c = compare(
        report.repetitions(5),
        [&] {
            Cvode cvode(3, 1, 1e-11);
            Eigen::Map<Eigen::Vector3d> x(cvode.state());
            x = work.start;
            cvode.restart();
            worst = 0;
            const double end = static_cast<double>(periods) * work.period;
            while (cvode.advance(end, CV_ONE_STEP) < end)
                worst = std::max(worst, work.errorAt(x));
        },
        [&] { plainLongRun(periods); });
    report.forItem("W5").add(fmt::format("{} periods at 0.999 E_h, Adams at 1e-11", periods), "CVODE", c,
                             "plain dopri5 1e-10", fmt::format("energy {:.1e}, grows", worst));
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    const casimir::bench::Report report(argc, argv);
    casimir::bench::benchPortrait(report);
    casimir::bench::benchLongRun(report);
}
