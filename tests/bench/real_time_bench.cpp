// Whether the window keeps real time: each preset played at 1x, seconds of motion for one of the clock.
// Arguments name the systems; without any, all. Needs a display.
#include "core/systems/catalogue.h"
#include "tests/bench/report.h"
#include "ui/render/gl_host.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QTemporaryDir>
#include <QTimer>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace casimir::bench {

namespace {

void live(int milliseconds)
{
    QEventLoop loop;
    QTimer::singleShot(milliseconds, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

void benchPreset(const Report& report, MainWindow& window, const Kind& kind, const Preset& preset)
{
    constexpr int repetitions = 3, duration = 1000;
    Document& document = window.document();
    document.openPreset(kind.id, preset.id);
    RunOptions run = document.session().run;
    run.speed = 1;
    run.loop = true; // a motion that ends begins again
    document.setRun(run);
    live(1000);
    document.simulation().play();
    live(500);
    std::vector<double> ratios;
    double lag = 0;
    const auto watch = QObject::connect(&document, &Document::snapshotChanged, &window,
                                        [&] { lag = std::max(lag, document.snapshot()->lag); });
    for (int i = 0; i < repetitions; ++i) {
        QElapsedTimer timer;
        timer.start();
        const double before = document.simulation().snapshot()->t;
        live(duration);
        double gone = document.simulation().snapshot()->t - before;
        if (gone < 0)
            gone += run.tEnd;
        ratios.push_back(gone / (1e-3 * static_cast<double>(timer.elapsed())));
    }
    QObject::disconnect(watch);
    document.simulation().pause();
    report.add({fmt::format("{}, {}", kind.id, preset.title),
                "s/s",
                spreadOf(ratios),
                "",
                {},
                fmt::format("goal: 1; farthest behind {:.3f} s", lag)});
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir;
    QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
    prepareOpenGl();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    QStringList chosen = QApplication::arguments();
    chosen.removeIf([](const QString& word) {
        const auto& kinds = catalogue();
        return std::none_of(kinds.begin(), kinds.end(),
                            [&](const Kind* kind) { return word.toStdString() == kind->id; });
    });
    const bench::Report report(argc, argv);
    MainWindow window("CasimirBench");
    window.show();
    for (const Kind* kind : catalogue())
        if (chosen.isEmpty() || chosen.contains(QString::fromStdString(kind->id)))
            for (const Preset& preset : presetsOf(kind->id))
                bench::benchPreset(report, window, *kind, preset);
    return 0;
}
