// Writes sample pictures of every drawing to a folder, to be looked at: render_demo FOLDER.
#include "tests/ui/support/examples.h"
#include "ui/render/gl_host.h"
#include "ui/render/plot_painter.h"
#include "ui/render/scene_renderer.h"
#include "ui/render/surface_renderer.h"

#include <QGuiApplication>
#include <QPainter>

#include <numbers>

using namespace casimir;

namespace {

PlotOverlay movingState()
{
    PlotOverlay overlay;
    Polyline tail;
    for (int i = 0; i <= 60; ++i) {
        const double theta = -0.6 + 1.6 * i / 60.0;
        tail.x.push_back(theta);
        tail.y.push_back(std::sqrt(2 * (0.7 + std::cos(theta))));
    }
    tail.colour = Colour::motion(0);
    overlay.tracks.push_back(
        {{{tail.x.back(), tail.y.back(), MarkShape::Disc, Colour::motion(0), {}, {}}}, {tail}});
    return overlay;
}

} // namespace

int main(int argc, char** argv)
{
    QGuiApplication app(argc, argv);
    const QString folder = argc > 1 ? argv[1] : ".";
    for (const double ratio : {1.0, 2.0})
        for (const Theme& theme : {Theme::light(), Theme::dark()}) {
            const QString tail = QString("-%1-%2x.png").arg(theme.isDark() ? "dark" : "light").arg(ratio);
            const QSize size(620, 480);
            const QSize device = size * ratio;
            const auto plot = std::make_shared<Plot>(examples::pendulumPortrait());

            PlotPainter painter(theme);
            painter.setPlot(plot);
            QImage image(device, QImage::Format_RGB32);
            image.setDevicePixelRatio(ratio);
            QPainter p(&image);
            PlotOverlay overlay = movingState();
            overlay.hover = QPointF(-1.2, 1.4);
            overlay.hoverText = "θ = −1.20, p_θ = 1.40";
            overlay.selectedMark = "down";
            painter.paint(p, QRectF(QPointF(), size), overlay);
            p.end();
            image.save(folder + "/plot" + tail);

            OffscreenGl gl;
            SurfaceRenderer surface;
            surface.setTheme(theme);
            surface.setPlot(plot);
            surface.setOverlay(movingState());
            gl.render(surface, device, ratio).save(folder + "/cylinder" + tail);

            SceneRenderer stage;
            stage.setTheme(theme);
            stage.setScene(examples::twoPlates());
            stage.setPose(examples::twoPlatesAt(0.5, 1.4));
            stage.setGhosts({{examples::twoPlatesAt(-0.3, 0.6), Colour::motion(1)}});
            Trace trace;
            for (int i = 0; i <= 100; ++i)
                trace.points.push_back(
                    examples::twoPlatesAt(-2 + 0.025 * i, 1.4 - 0.01 * (100 - i)).points[1]);
            trace.colour = Colour::body(1);
            stage.setTraces({trace});
            gl.render(stage, device, ratio).save(folder + "/stage" + tail);

            stage.setScene(examples::bentRod());
            stage.setPose(examples::bentRodAt(0.8));
            gl.render(stage, device, ratio).save(folder + "/rod" + tail);
        }
    return 0;
}
