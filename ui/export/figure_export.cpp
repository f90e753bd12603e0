#include "ui/export/figure_export.h"

#include "core/model/error.h"
#include "core/model/suggest.h"
#include "core/session/output_file.h"
#include "core/version.h"
#include "ui/export/figure.h"
#include "ui/render/gl_host.h"
#include "ui/views/view3d.h"
#include "ui/views/view_factory.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cstdio>
#include <exception>

namespace casimir {

namespace {

constexpr double pngScale = 2; // twice the pixels of the screen, so that a PNG prints at 192 dots per inch
constexpr int dotsPerInch = 96;

// The view in print colours for as long as this lives; a view that is not on screen keeps the theme it was
// given.
class PrintTheme {
public:
    PrintTheme(View& view, bool onScreen) : view_(view), before_(view.theme())
    {
        if (onScreen)
            view.setTheme(Theme::print(before_.scale()));
    }
    ~PrintTheme() { view_.setTheme(before_); }
    PrintTheme(const PrintTheme&) = delete;
    PrintTheme& operator=(const PrintTheme&) = delete;

private:
    View& view_;
    Theme before_;
};

} // namespace

void exportFigure(View& view, const QString& path, QSize size, bool replace, OffscreenGl* gl)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending != "png" && ending != "svg" && ending != "pdf")
        throw Error("a figure is a .png, .svg or .pdf file, not '" + path.toStdString() + "'");
    if (size.isEmpty())
        size = view.size();
    OutputFile file(path.toStdString(), replace);
    const QString growing = QString::fromStdString(file.growing().string());
    const PrintTheme print(view, gl == nullptr);
    auto* view3d = gl ? qobject_cast<View3d*>(&view) : nullptr;
    const auto paint = [&](QPainter& painter) {
        if (view3d)
            view3d->paintOffscreen(*gl, painter, QRectF(QPointF(), size), pngScale);
        else
            view.paintTo(painter, QRectF(QPointF(), size));
    };
    const QString title = QString::fromStdString(view.info().title);
    const QString made = QString("Casimir %1").arg(version);
    if (ending == "png") {
        QImage image(size * pngScale, QImage::Format_RGB32);
        image.setDotsPerMeterX(static_cast<int>(pngScale * dotsPerInch / 0.0254));
        image.setDotsPerMeterY(image.dotsPerMeterX());
        image.setText("Software", made);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(pngScale, pngScale);
        paint(painter);
        painter.end();
        if (!image.save(growing, "PNG"))
            throw Error("cannot write " + path.toStdString());
    } else if (ending == "svg") {
        QSvgGenerator generator;
        generator.setFileName(growing);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setResolution(dotsPerInch);
        generator.setTitle(title);
        generator.setDescription(made);
        QPainter painter(&generator);
        paint(painter);
    } else {
        QPdfWriter writer(growing);
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / dotsPerInch, QPageSize::Point));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(dotsPerInch);
        writer.setTitle(title);
        writer.setCreator(made);
        QPainter painter(&writer);
        paint(painter);
    }
    file.commit();
}

} // namespace casimir

namespace {

using namespace casimir;

constexpr qint64 patience = 120'000; // ms until a picture must have been computed

void render(const CasimirFigure& figure)
{
    Document document;
    document.openText(figure.session, {});
    const auto views = viewsOf(*document.system());
    const auto info =
        std::find_if(views.begin(), views.end(), [&](const ViewInfo& v) { return v.id == figure.view; });
    if (info == views.end()) {
        std::vector<std::string> known;
        for (const ViewInfo& v : views)
            known.push_back(v.id);
        throw Error("unknown view '" + std::string(figure.view) + "'; " + didYouMean(figure.view, known));
    }
    if (!info->plot.empty())
        document.wantPlot(info->plot);
    document.simulation().seek(figure.t);
    document.simulation().waitUntilIdle();

    QElapsedTimer clock;
    clock.start();
    const auto ready = [&] {
        const auto plot = info->plot.empty() ? nullptr : document.plot(info->plot);
        const auto orbit = document.orbit();
        return (info->plot.empty() || (plot && plot->final)) && (!orbit || orbit->final) &&
               document.analysis() && document.snapshot()->t == figure.t;
    };
    while (!ready() && clock.elapsed() < patience)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 50);
    if (!ready())
        throw Error("the picture was not computed within " + std::to_string(patience / 1000) + " s");

    const std::string theme = figure.theme;
    const QSize size(figure.width, figure.height);
    const auto view = makeView(document, *info);
    view->setTheme(theme == "dark" ? Theme::dark() : theme == "light" ? Theme::light() : Theme::print());
    view->resize(size);
    if (!qobject_cast<View3d*>(view.get())) {
        // Charts lay themselves out when shown; this platform has no screen. A view in space would ask it for
        // OpenGL in vain.
        view->show();
        QCoreApplication::processEvents();
    }
    OffscreenGl gl;
    exportFigure(*view, QString::fromUtf8(figure.path), size, figure.replace != 0, &gl);
}

} // namespace

extern "C" int casimirRenderFigure(const CasimirFigure* figure, char* complaint, int complaintSize)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type == QtFatalMsg || type == QtCriticalMsg)
            std::fputs(qPrintable(message + "\n"), stderr);
    });
    prepareOpenGl();
    int argc = 1;
    char name[] = "casimir";
    char* argv[] = {name, nullptr};
    QApplication application(argc, argv);
    try {
        render(*figure);
        return 0;
    } catch (const std::exception& error) {
        std::snprintf(complaint, static_cast<std::size_t>(complaintSize), "%s", error.what());
        return 1;
    }
}
