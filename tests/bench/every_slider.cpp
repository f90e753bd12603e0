#include "tests/bench/every_slider.h"

#include "core/systems/catalogue.h"
#include "tests/bench/hand.h"
#include "tests/bench/resident.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPointer>

#include <fmt/format.h>

#include <malloc.h>

#include <algorithm>
#include <cstdio>

namespace casimir::bench {

namespace {

constexpr int stepsOfASlider = 12;
constexpr qint64 patience = 2000; // ms that a step waits for its answer

struct Steps {
    // ms; `uploading`: what a frame with new data takes more than the same frame drawn again
    std::vector<double> answered, drawn, handling, painting, computing, uploading, drawing;
    int sliders = 0, late = 0;
};

// All 3D pictures once more with nothing changed: what drawing alone takes of this thread, in ms.
double drawAgain(TimedApplication& application, const MainWindow& window)
{
    application.take();
    for (VtkWidget* canvas : window.findChildren<VtkWidget*>())
        if (canvas->isVisible())
            canvas->update();
    live(0);
    const BusyTime busy = application.take();
    return 1e3 * (busy.frames3d + busy.composing);
}

// A change may build the panel anew, with other sliders in it: then the drag is over.
void dragOnce(TimedApplication& application, MainWindow& window, const QPointer<ValueSlider>& slider,
              Steps& steps)
{
    const QPointF start = slider->handle();
    mouse(slider, QEvent::MouseButtonPress, start);
    live(pace);
    application.take();
    for (int step = 1; step <= stepsOfASlider && slider; ++step) {
        QElapsedTimer timer;
        timer.start();
        const auto begin = std::chrono::steady_clock::now();
        const double computed = window.document().analysisSeconds();
        // From where it stands to both ends.
        const double left = 12, right = slider->width() - 12,
                     x = step <= stepsOfASlider / 2
                             ? start.x() + (right - start.x()) * step / (stepsOfASlider / 2)
                             : right + (left - right) * (step - stepsOfASlider / 2) / (stepsOfASlider / 2);
        mouse(slider, QEvent::MouseMove, QPointF(x, start.y()));
        steps.late += !waitForAnalyses(window, patience);
        const std::chrono::duration<double, std::milli> answered = window.document().published() - begin;
        steps.answered.push_back(std::max(0.0, answered.count())); // 0: a change that changes no answer
        steps.drawn.push_back(1e-6 * static_cast<double>(timer.nsecsElapsed()));
        live(pace - timer.elapsed());
        const BusyTime busy = application.take();
        steps.computing.push_back(1e3 * (window.document().analysisSeconds() - computed));
        steps.handling.push_back(1e3 * (busy.outside3d() - busy.painting2d));
        steps.painting.push_back(1e3 * busy.painting2d);
        const double drawing = drawAgain(application, window);
        steps.uploading.push_back(std::max(0.0, 1e3 * (busy.frames3d + busy.composing) - drawing));
        steps.drawing.push_back(drawing);
    }
    if (slider)
        mouse(slider, QEvent::MouseButtonRelease, start);
    live(pace);
    ++steps.sliders;
}

struct Memory {
    double allocated, resident; // MB
};

Memory memoryNow()
{
    malloc_trim(0);
    return {1e-6 * static_cast<double>(mallinfo2().uordblks), residentMegabytes()};
}

} // namespace

void benchEverySlider(const Report& report, TimedApplication& application, MainWindow& window)
{
    for (const Kind* kind : catalogue()) {
        const auto presets = presetsOf(kind->id);
        if (presets.empty())
            continue;
        window.document().openPreset(kind->id, presets.front().id);
        window.document().simulation().pause();
        waitForAnalyses(window);
        live(300);
        Steps steps;
        QStringList names; // the panel may build its sliders anew while one is dragged
        for (const ValueSlider* slider : window.findChildren<ValueSlider*>())
            if (slider->isVisible() && slider->isEnabled() && slider->width() > 40 &&
                slider->objectName().startsWith("slider:"))
                names << slider->objectName();
        for (const QString& name : names) {
            auto* slider = window.findChild<ValueSlider*>(name);
            if (slider && slider->isVisible())
                dragOnce(application, window, slider, steps);
            // Back to the preset, so that every slider starts from the same system.
            window.document().undoStack()->undo();
            waitForAnalyses(window);
        }
        if (steps.answered.empty())
            continue;
        const auto p95 = [](const std::vector<double>& values) { return percentile(values, 0.95); };
        const Spread answered{p95(steps.answered), percentile(steps.answered, 0.5),
                              percentile(steps.answered, 1)};
        report.add(
            {fmt::format("{}: event to answer, p95 of {} sliders", kind->id, steps.sliders),
             "ms",
             answered,
             "",
             {},
             fmt::format("p95 a step: seen {:.2g}, handling {:.2g}, 2D painting {:.2g}, compute {:.2g}, "
                         "upload {:.2g}, draw {:.2g} ms{}",
                         p95(steps.drawn), p95(steps.handling), p95(steps.painting), p95(steps.computing),
                         p95(steps.uploading), p95(steps.drawing),
                         steps.late ? fmt::format("; {} steps waited over 2 s", steps.late) : "")});
    }
    window.document().openPreset("two-body", presetsOf("two-body").front().id);
    waitForAnalyses(window);
}

void benchMemory(const Report& report, MainWindow& window)
{
    constexpr int few = 100, many = 10000;
    Document& document = window.document();
    document.simulation().pause();
    const double mu = document.session().values.real("mu");
    Memory early{};
    document.beginGesture(); // one drag, one undo step
    for (int i = 1; i <= many; ++i) {
        document.setParameter("mu", mu * (1 + 0.3 * (i % 97) / 97.0));
        if (i % 10 == 0) // a quick hand: several changes to a frame
            QCoreApplication::processEvents();
        if (i == few) {
            waitForAnalyses(window);
            live(500);
            early = memoryNow();
        }
    }
    document.endGesture();
    waitForAnalyses(window);
    live(500);
    const Memory late = memoryNow();
    const auto add = [&](const char* what, double before, double after) {
        report.add({what,
                    "MB",
                    {after, before, after},
                    "after 100",
                    Spread{after / before, after / before, after / before},
                    fmt::format("after 100: {:.2f} MB", before)});
    };
    add("memory in use after 10 000 changes of mu", early.allocated, late.allocated);
    add("  resident", early.resident, late.resident);
}

} // namespace casimir::bench
