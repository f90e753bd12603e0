#include "tests/bench/start_up.h"

#include "tests/bench/resident.h"
#include "ui/render/drawing3d.h"
#include "ui/render/gl_host.h"
#include "ui/window/main_window.h"

#include <QHBoxLayout>
#include <QProcess>

#include <vtkActor.h>
#include <vtkNew.h>
#include <vtkPolyDataMapper.h>
#include <vtkRenderer.h>
#include <vtkSphereSource.h>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <utility>
#include <vector>

namespace casimir::bench {

namespace {

double monotonic()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class Ball : public Drawing3d {
public:
    Ball()
    {
        const vtkNew<vtkSphereSource> source;
        const vtkNew<vtkPolyDataMapper> mapper;
        const vtkNew<vtkActor> actor;
        mapper->SetInputConnection(source->GetOutputPort());
        actor->SetMapper(mapper);
        renderer()->AddActor(actor);
        refresh();
    }

protected:
    double boundingRadius() const override { return 1; }
    void restyle() override {}
};

// Owns what its VtkWidgets show, and outlives them by a moment.
class BareWindow : public QWidget {
public:
    explicit BareWindow(const QList<QSize>& sizes)
    {
        resize(1600, 1000);
        auto* layout = new QHBoxLayout(this);
        for (const QSize& size : sizes) {
            auto* canvas = new VtkWidget;
            canvas->setFixedSize(size);
            canvas->setDrawing(balls_.emplace_back(std::make_unique<Ball>()).get());
            layout->addWidget(canvas);
        }
    }
    ~BareWindow() override { qDeleteAll(findChildren<VtkWidget*>()); }

private:
    std::vector<std::unique_ptr<Ball>> balls_;
};

struct Start {
    double seconds, megabytes;
};

Start startOnce(const QString& program, const QStringList& arguments)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::SeparateChannels);
    process.start(program, arguments + QStringList{QString::number(monotonic(), 'f', 6)});
    if (!process.waitForFinished(60000) || process.exitCode() != 0)
        throw std::runtime_error("The start of " + program.toStdString() + " was not measured.");
    const QList<QByteArray> numbers = process.readAllStandardOutput().trimmed().split(' ');
    return {numbers.value(0).toDouble(), numbers.value(1).toDouble()};
}

} // namespace

std::unique_ptr<QWidget> bareVtkWindow(const QList<QSize>& sizes)
{
    return std::make_unique<BareWindow>(sizes);
}

int startAndPrint(TimedApplication& application, const QString& what, double origin)
{
    std::unique_ptr<QWidget> window;
    const Document* document = nullptr;
    if (what == "vtk") {
        window = bareVtkWindow({QSize(500, 500)});
    } else if (what == "two-vtk") { // as many and as large as the main window has at first
        window = bareVtkWindow({QSize(466, 530), QSize(466, 530)});
    } else {
        QApplication::setStyle("Fusion"); // as the program does
        auto main = std::make_unique<MainWindow>("CasimirBench");
        document = what == "picture" ? &main->document() : nullptr;
        window = std::move(main);
    }
    const QList<VtkWidget*> canvases = window->findChildren<VtkWidget*>();
    if (canvases.isEmpty())
        throw std::runtime_error("The window has no 3D view.");
    const auto framesOf = [](const VtkWidget* canvas) { return canvas->frames(); };
    std::vector<int> before(static_cast<std::size_t>(canvases.size()), 0);
    bool waiting = document != nullptr, done = false;
    application.afterEvent = [&] {
        if (waiting) {
            const auto analysis = document->analysis();
            const auto portrait = document->plot("portrait");
            waiting = !(analysis && analysis->final && portrait && portrait->final);
            std::transform(canvases.begin(), canvases.end(), before.begin(), framesOf);
            return;
        }
        const auto later = [&](const VtkWidget* canvas, int frames) { return canvas->frames() > frames; };
        if (done || !std::equal(canvases.begin(), canvases.end(), before.begin(), later))
            return;
        done = true;
        std::printf("%.6f %.2f\n", monotonic() - origin, residentMegabytes());
        std::fflush(stdout);
        // Some frames are painted by show(), before there is a loop to leave.
        QMetaObject::invokeMethod(&application, &QCoreApplication::quit, Qt::QueuedConnection);
    };
    window->show();
    const int result = QApplication::exec();
    application.afterEvent = nullptr;
    return result;
}

void benchStartUp(const Report& report)
{
    constexpr int repetitions = 7;
    const QString self = QCoreApplication::applicationFilePath();
    const QString bare = QCoreApplication::applicationDirPath() + "/bench_bare_widget";
    std::vector<double> widget, vtk, twoVtk, window, picture, vtkToWidget, twoVtkToVtk, windowToTwoVtk,
        windowToVtk, windowToWidget, pictureToVtk, memory, vtkMemory, memoryToVtk;
    double widgetMemory = 0;
    for (int i = -1; i < repetitions; ++i) {
        const Start a = startOnce(bare, {}), b = startOnce(self, {"--start", "vtk"}),
                    c = startOnce(self, {"--start", "window"}), d = startOnce(self, {"--start", "picture"}),
                    e = startOnce(self, {"--start", "two-vtk"});
        if (i < 0)
            continue; // fills the caches of files
        widget.push_back(a.seconds);
        vtk.push_back(b.seconds);
        twoVtk.push_back(e.seconds);
        twoVtkToVtk.push_back(e.seconds / b.seconds);
        windowToTwoVtk.push_back(c.seconds / e.seconds);
        window.push_back(c.seconds);
        picture.push_back(d.seconds);
        pictureToVtk.push_back(d.seconds / b.seconds);
        vtkToWidget.push_back(b.seconds / a.seconds);
        windowToVtk.push_back(c.seconds / b.seconds);
        windowToWidget.push_back(c.seconds / a.seconds);
        memory.push_back(d.megabytes);
        vtkMemory.push_back(b.megabytes);
        memoryToVtk.push_back(d.megabytes / b.megabytes);
        widgetMemory = a.megabytes;
    }
    report.add({"first frame of a bare QWidget", "s", spreadOf(widget), "", {}, ""});
    report.add({"first frame of a bare Qt + VTK window", "s", spreadOf(vtk), "bare QWidget",
                spreadOf(vtkToWidget), ""});
    report.add({"  with two VTK views, as the main window has", "s", spreadOf(twoVtk), "bare Qt + VTK window",
                spreadOf(twoVtkToVtk), ""});
    report.add({"first frame of the main window", "s", spreadOf(window), "bare Qt + VTK window",
                spreadOf(windowToVtk), "goal: ratio 1.5"});
    report.add({"  the same", "s", spreadOf(window), "bare, two VTK views", spreadOf(windowToTwoVtk), ""});
    report.add({"  the same", "s", spreadOf(window), "bare QWidget", spreadOf(windowToWidget), ""});
    report.add({"  its first frame with the analyses drawn", "s", spreadOf(picture), "bare Qt + VTK window",
                spreadOf(pictureToVtk), ""});
    report.add({"  memory resident then", "MB", spreadOf(memory), "bare Qt + VTK window",
                spreadOf(memoryToVtk),
                fmt::format("bare Qt + VTK {:.0f} MB, bare QWidget {:.0f} MB", spreadOf(vtkMemory).median,
                            widgetMemory)});
}

} // namespace casimir::bench
