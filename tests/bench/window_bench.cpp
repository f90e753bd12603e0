// The main window as a person feels it: how soon it is there, what it costs at rest, and how it follows a
// drag and a running motion. Needs a display. `--part start|drag|spin|sliders|memory` measures one of them.
#include "core/systems/catalogue.h"
#include "tests/bench/every_slider.h"
#include "tests/bench/gui_thread.h"
#include "tests/bench/hand.h"
#include "tests/bench/report.h"
#include "tests/bench/start_up.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/view.h"
#include "ui/window/main_window.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace casimir::bench {

namespace {

double processTime()
{
    rusage use{};
    getrusage(RUSAGE_SELF, &use);
    const auto seconds = [](const timeval& t) {
        return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(use.ru_utime) + seconds(use.ru_stime);
}

void benchIdle(const Report& report)
{
    constexpr int repetitions = 3, duration = 5000;
    std::vector<double> shares;
    for (int i = 0; i < repetitions; ++i) {
        const double before = processTime();
        QEventLoop loop; // leaving the application's own would close the window
        QTimer::singleShot(duration, &loop, &QEventLoop::quit);
        loop.exec();
        shares.push_back(100 * (processTime() - before) / (1e-3 * duration));
    }
    report.add({"paused window at rest, 5 s", "% core", spreadOf(shares), "", {}, "goal: 2"});
}

// Frames a second of each canvas by the name of its view.
class FrameCount {
public:
    explicit FrameCount(const MainWindow& window)
    {
        for (const VtkWidget* canvas : window.findChildren<VtkWidget*>()) {
            const QWidget* widget = canvas;
            while (widget && !qobject_cast<const View*>(widget))
                widget = widget->parentWidget();
            if (widget && canvas->isVisible())
                canvases_.push_back(
                    {qobject_cast<const View*>(widget)->viewId().toStdString(), canvas, 0, {}});
        }
    }
    QList<QSize> sizes() const
    {
        QList<QSize> result;
        for (const Canvas& each : canvases_)
            result << each.widget->size();
        return result;
    }
    void begin()
    {
        for (Canvas& each : canvases_)
            each.before = each.widget->frames();
        timer_.start();
    }
    void end()
    {
        const double seconds = 1e-3 * static_cast<double>(timer_.elapsed());
        for (Canvas& each : canvases_)
            each.rates.push_back((each.widget->frames() - each.before) / seconds);
    }
    void add(const Report& report, const std::string& when, double bareRate) const
    {
        for (const Canvas& each : canvases_) {
            const Spread rate = spreadOf(each.rates);
            report.add({fmt::format("3D frames while {}, {}", when, each.name), "1/s", rate,
                        "bare VTK, same sizes",
                        Spread{rate.median / bareRate, rate.low / bareRate, rate.high / bareRate},
                        "goal: 15 on a software rasteriser"});
        }
    }

private:
    struct Canvas {
        std::string name;
        const VtkWidget* widget;
        int before;
        std::vector<double> rates;
    };
    std::vector<Canvas> canvases_;
    QElapsedTimer timer_;
};

// What Qt and the rasteriser give canvases of these sizes with next to nothing in them, all drawn at once.
double bareFrameRate(const QList<QSize>& sizes)
{
    const auto window = bareVtkWindow(sizes);
    window->show();
    live(500);
    const QList<VtkWidget*> canvases = window->findChildren<VtkWidget*>();
    const int before = canvases.front()->frames();
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 3000) {
        for (VtkWidget* canvas : canvases)
            canvas->update();
        live(pace);
    }
    return (canvases.front()->frames() - before) / (1e-3 * static_cast<double>(timer.elapsed()));
}

void benchDrag(const Report& report, TimedApplication& application, MainWindow& window, double bareRate)
{
    constexpr int repetitions = 3, steps = 300;
    auto* slider = window.findChild<ValueSlider*>("slider:mu");
    if (!slider)
        throw std::runtime_error("The window has no slider for mu.");
    long findings = 0;
    const auto counting =
        QObject::connect(&window.document(), &Document::analysesChanged, [&findings] { ++findings; });
    FrameCount frames(window);
    std::vector<double> outside, painted, inside, published, computed, behind;
    for (int i = 0; i < repetitions; ++i) {
        std::vector<double> outsideSteps, paintSteps, insideSteps;
        const QPointF start = slider->handle();
        mouse(slider, QEvent::MouseButtonPress, start);
        live(100);
        application.take();
        findings = 0;
        const long runs = window.document().analysesRun();
        frames.begin();
        QElapsedTimer timer;
        for (int step = 0; step < steps; ++step) {
            timer.start();
            // To the right end, to the left end and to where it was.
            const double s = 4.0 * step / steps;
            const double swing = s < 1 ? s : s < 3 ? 2 - s : s - 4;
            const double room = swing > 0 ? slider->width() - 12 - start.x() : start.x() - 12;
            mouse(slider, QEvent::MouseMove, start + QPointF(swing * room, 0));
            QCoreApplication::processEvents();
            live(pace - timer.elapsed());
            const BusyTime busy = application.take();
            outsideSteps.push_back(1e3 * busy.outside3d());
            paintSteps.push_back(1e3 * busy.painting2d);
            insideSteps.push_back(1e3 * (busy.frames3d + busy.composing));
        }
        frames.end();
        published.push_back(static_cast<double>(findings));
        computed.push_back(static_cast<double>(window.document().analysesRun() - runs));
        timer.start();
        waitForAnalyses(window);
        behind.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        mouse(slider, QEvent::MouseButtonRelease, start);
        live(200);
        outside.push_back(percentile(outsideSteps, 0.95));
        painted.push_back(percentile(paintSteps, 0.95));
        inside.push_back(percentile(insideSteps, 0.95));
    }
    QObject::disconnect(counting);
    report.add(
        {"drag of mu, 300 steps: GUI thread outside 3D, p95", "ms", spreadOf(outside), "", {}, "goal: 16"});
    report.add({"  of that painting the 2D views and panels, p95", "ms", spreadOf(painted), "", {}, ""});
    report.add({"  and in 3D frames and composing, p95", "ms", spreadOf(inside), "", {}, ""});
    std::vector<double> perStep;
    for (const double n : computed)
        perStep.push_back(n / steps);
    report.add({"  analyses computed", "", spreadOf(computed), "steps", spreadOf(perStep),
                "portrait, equilibria, orbit and other plots count singly"});
    report.add({"  findings announced to the views", "", spreadOf(published), "", {}, ""});
    report.add({"  newest analysis after the last step", "ms", spreadOf(behind), "", {}, ""});
    frames.add(report, "dragging", bareRate);
}

void benchPlay(const Report& report, TimedApplication& application, MainWindow& window, double bareRate)
{
    constexpr int repetitions = 3;
    FrameCount frames(window);
    window.document().simulation().play();
    live(500);
    std::vector<double> shares, cores;
    for (int i = 0; i < repetitions; ++i) {
        application.take();
        const double before = processTime();
        QElapsedTimer timer;
        timer.start();
        frames.begin();
        live(3000);
        frames.end();
        cores.push_back(1e5 * (processTime() - before) / static_cast<double>(timer.elapsed()));
        shares.push_back(1e5 * application.take().total / static_cast<double>(timer.elapsed()));
    }
    window.document().simulation().pause();
    live(200);
    frames.add(report, "playing", bareRate);
    report.add({"  GUI thread busy while playing", "%", spreadOf(shares), "", {}, ""});
    report.add({"  all threads while playing", "% core", spreadOf(cores), "", {}, "the rasteriser included"});
}

// The rod's equilibrium takes longer than a frame to find: the window must not feel it.
void benchSpinRate(const Report& report, TimedApplication& application, MainWindow& window)
{
    constexpr int steps = 300; // 60 a second
    Document& document = window.document();
    document.openPreset("rod", presetsOf("rod").front().id);
    waitForAnalyses(window);
    live(1000);
    const double rate = document.session().values.real("spin_rate");
    document.simulation().play();
    std::vector<double> blocked, handling;
    document.beginGesture();
    for (int step = 1; step <= steps; ++step) {
        QElapsedTimer timer;
        timer.start();
        application.take();
        document.setParameter("spin_rate", rate * (1 + 0.2 * std::sin(0.05 * step)));
        const double edit = 1e-6 * static_cast<double>(timer.nsecsElapsed());
        live(std::max<qint64>(0, pace - timer.elapsed()));
        const BusyTime busy = application.take();
        blocked.push_back(std::max(edit, 1e3 * busy.longest));
        handling.push_back(1e3 * (busy.outside3d() - busy.painting2d));
    }
    document.endGesture();
    document.waitForEdits();
    document.simulation().pause();
    waitForAnalyses(window);
    report.add({"rod's spin rate at 60 changes a second: longest block outside drawing",
                "ms",
                {percentile(blocked, 1), percentile(blocked, 0.5), percentile(blocked, 1)},
                "",
                {},
                fmt::format("goal: 16; handling a change at p95 {:.2g} ms", percentile(handling, 0.95))});
    document.openPreset("two-body", presetsOf("two-body").front().id);
    waitForAnalyses(window);
}

// `part`: "drag", "spin", "sliders" or "memory"; empty: all.
void benchWindow(const Report& report, TimedApplication& application, const QByteArray& part)
{
    const auto wanted = [&](const char* name) { return part.isEmpty() || part == name; };
    MainWindow window("CasimirBench");
    window.show();
    waitForAnalyses(window);
    window.document().simulation().pause();
    live(2000);
    if (wanted("drag")) {
        benchIdle(report);
        const double bareRate = bareFrameRate(FrameCount(window).sizes());
        report.add({"3D frames of bare VTK at the sizes of the views",
                    "1/s",
                    {bareRate, bareRate, bareRate},
                    "",
                    {},
                    ""});
        benchDrag(report, application, window, bareRate);
        benchPlay(report, application, window, bareRate);
    }
    if (wanted("spin"))
        benchSpinRate(report, application, window);
    if (wanted("sliders"))
        benchEverySlider(report, application, window);
    if (wanted("memory"))
        benchMemory(report, window);
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir;
    const QByteArrayList arguments(argv, argv + argc);
    const auto start = arguments.indexOf("--start");
    QTemporaryDir settings;
    if (start < 0)
        qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
    prepareOpenGl();
    bench::TimedApplication application(argc, argv);
    try {
        if (start >= 0 && start + 2 < arguments.size())
            return bench::startAndPrint(application, arguments[start + 1], arguments[start + 2].toDouble());
        QApplication::setStyle("Fusion");
        const bench::Report report(argc, argv);
        const auto at = arguments.indexOf("--part"); // to measure one thing alone
        const QByteArray part = at >= 0 ? arguments.value(at + 1) : QByteArray();
        if (part.isEmpty() || part == "start")
            bench::benchStartUp(report.forItem("W6"));
        if (part != "start")
            bench::benchWindow(report.forItem("W6"), application, part);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_window: %s\n", error.what());
        return 1;
    }
    return 0;
}
