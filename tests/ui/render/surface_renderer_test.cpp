#include "ui/render/surface_renderer.h"

#include "tests/ui/support/examples.h"
#include "tests/ui/support/image_compare.h"
#include "ui/render/gl_host.h"
#include "ui/render/scene_renderer.h"

#include <QTest>

#include <numbers>

using namespace casimir;
using std::numbers::pi;

namespace {

// A field over the plot's limits with a top at (0, 0): cos θ cos(y/2) at the centres of the cells.
HeatMap hills(const Plot& plot)
{
    HeatMap map;
    map.columns = map.rows = 120;
    map.smooth = true;
    map.quantity = {"V", "V", "potential", "J"};
    map.min = -1;
    map.max = 1;
    for (int row = 0; row < map.rows; ++row)
        for (int column = 0; column < map.columns; ++column) {
            const double x = plot.x.min + (plot.x.max - plot.x.min) * (column + 0.5) / map.columns;
            const double y = plot.y.min + (plot.y.max - plot.y.min) * (row + 0.5) / map.rows;
            map.values.push_back(static_cast<float>(std::cos(x) * std::cos(y / 2)));
        }
    return map;
}

} // namespace

class SurfaceRendererTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pickIsTheInverseOfEmbedThroughTheCamera_data();
    void pickIsTheInverseOfEmbedThroughTheCamera();
    void aMarkAppearsWhereTheCameraPutsIt();
    void aClickBesideTheSurfaceHitsNothing();
    void missingAndHugeValuesAreHarmless();
    void aGhostIsFainterThanTheBody();
    void aHiddenLayerIsNotDrawn();
    void aReliefShowsHowFarTheMotionReaches();
    void anEllipsoidThroughTheSphereIsShownWholeAndHiddenWithItsLayer();
};

void SurfaceRendererTest::pickIsTheInverseOfEmbedThroughTheCamera_data()
{
    QTest::addColumn<int>("shape");
    QTest::newRow("plane") << static_cast<int>(Surface::Shape::Plane);
    QTest::newRow("cylinder") << static_cast<int>(Surface::Shape::Cylinder);
    QTest::newRow("sphere") << static_cast<int>(Surface::Shape::Sphere);
    QTest::newRow("torus") << static_cast<int>(Surface::Shape::Torus);
    QTest::newRow("relief") << static_cast<int>(Surface::Shape::Relief);
}

void SurfaceRendererTest::pickIsTheInverseOfEmbedThroughTheCamera()
{
    QFETCH(int, shape);
    Plot plot = examples::pendulumPortrait(4);
    plot.surface.shape = static_cast<Surface::Shape>(shape);
    const bool torus = plot.surface.shape == Surface::Shape::Torus;
    const bool folded = torus || plot.surface.shape == Surface::Shape::Relief;
    plot.y.min = plot.surface.shape == Surface::Shape::Sphere ? -1 : -3;
    plot.y.max = -plot.y.min;
    if (plot.surface.shape == Surface::Shape::Relief) {
        plot.maps = {hills(plot)};
        plot.surface = *reliefOf(plot);
    }
    SurfaceRenderer drawing;
    drawing.setPlot(std::make_shared<Plot>(plot));
    drawing.setAspect(4.0 / 3);
    drawing.setCamera(
        turned(drawing.camera(), 0.3, plot.surface.shape == Surface::Shape::Plane ? -0.5 : 0.1));
    const QSizeF size(640, 480);
    int front = 0;
    for (int i = 0; i < 24; ++i)
        for (int j = 1; j < 8; ++j) {
            const double x = -pi + 0.01 + 2 * pi * i / 24, y = plot.y.min + (plot.y.max - plot.y.min) * j / 8;
            const Eigen::Vector3d view = drawing.camera().position - plot.surface.embed(x, y);
            const double facing = plot.surface.normal(x, y).dot(view.normalized());
            const QPointF pixel = drawing.pixelOf(x, y, size);
            const auto hit = drawing.pick(pixel, size);
            // What faces the viewer is seen; of a torus or hills, part of that is hidden by what is nearer.
            if (facing < 0.05 ||
                (folded && hit &&
                 (plot.surface.embed(hit->x(), hit->y()) - plot.surface.embed(x, y)).norm() > 0.1))
                continue;
            QVERIFY(hit.has_value());
            QVERIFY(std::abs(std::remainder(hit->x() - x, 2 * pi)) < 1e-3);
            QVERIFY(std::abs(torus ? std::remainder(hit->y() - y, 2 * pi) : hit->y() - y) < 1e-3);
            ++front;
        }
    QVERIFY(front > 30);
}

void SurfaceRendererTest::aMarkAppearsWhereTheCameraPutsIt()
{
    Plot plot = examples::pendulumPortrait(0);
    plot.lines.clear();
    plot.marks = {{-0.6, 0.7, MarkShape::Disc, {Role::Unstable}, {}, {}}};
    SurfaceRenderer drawing;
    drawing.setPlot(std::make_shared<Plot>(plot));
    OffscreenGl gl;
    const QSize size(400, 300);
    const QImage image = gl.render(drawing, size);
    double weight = 0, x = 0, y = 0;
    for (int row = 0; row < image.height(); ++row)
        for (int column = 0; column < image.width(); ++column)
            if (const double w = qRed(image.pixel(column, row)) - qBlue(image.pixel(column, row)); w > 60) {
                weight += w;
                x += w * (column + 0.5);
                y += w * (row + 0.5);
            }
    QVERIFY(weight > 0);
    const QPointF expected = drawing.pixelOf(-0.6, 0.7, size);
    QVERIFY2(std::hypot(x / weight - expected.x(), y / weight - expected.y()) < 1.5,
             qPrintable(QString("%1 %2").arg(x / weight - expected.x()).arg(y / weight - expected.y())));
}

void SurfaceRendererTest::aClickBesideTheSurfaceHitsNothing()
{
    SurfaceRenderer drawing;
    QVERIFY(!drawing.pick({10, 10}, {100, 100}));
    drawing.setPlot(std::make_shared<Plot>(examples::pendulumPortrait(2)));
    QVERIFY(!drawing.pick({2, 2}, {640, 480}));
    QVERIFY(drawing.pick({320, 240}, {640, 480}));
}

void SurfaceRendererTest::missingAndHugeValuesAreHarmless()
{
    Plot plot = examples::pendulumPortrait(2);
    plot.lines.push_back({{0, std::nan(""), 1, 2, 1e300}, {0, 1, -1e300, 1e300, 0}, {}, {}, true, 0, {}, {}});
    plot.marks.push_back({std::nan(""), 0, MarkShape::Ring, {}, {}, {}});
    SurfaceRenderer drawing;
    drawing.setPlot(std::make_shared<Plot>(plot));
    OffscreenGl gl;
    QVERIFY(casimir::testing::colours(gl.render(drawing, {200, 150})) > 10);
}

void SurfaceRendererTest::aGhostIsFainterThanTheBody()
{
    SceneRenderer drawing;
    drawing.setScene(examples::twoPlates());
    drawing.setLayerShown("arrows", false);
    drawing.setPose(examples::twoPlatesAt(0, 0));
    OffscreenGl gl;
    const QSize size(300, 300);
    const Eigen::Vector3d spot = examples::twoPlatesAt(0, pi / 2).placements[1].apply({0.4, 0.1, 0});
    const Eigen::Vector3d at = imageOf(drawing.camera(), spot, 1);
    const QPoint pixel(static_cast<int>((at.x() + 1) * 150), static_cast<int>((1 - at.y()) * 150));
    const auto blueAt = [&] { return qBlue(gl.render(drawing, size).pixel(pixel)); };
    QCOMPARE(blueAt(), 255);
    drawing.setGhosts({{examples::twoPlatesAt(0, pi / 2), Colour::motion(1)}});
    const int ghost = blueAt();
    drawing.setGhosts({});
    QCOMPARE(blueAt(), 255);
    drawing.setPose(examples::twoPlatesAt(0, pi / 2));
    const int body = blueAt(); // orange takes the blue away
    QVERIFY(body < ghost && ghost < 250);
}

void SurfaceRendererTest::aHiddenLayerIsNotDrawn()
{
    SceneRenderer drawing;
    drawing.setScene(examples::twoPlates());
    drawing.setPose(examples::twoPlatesAt(0, 1));
    OffscreenGl gl;
    const QImage with = gl.render(drawing, {300, 300});
    drawing.setLayerShown("arrows", false);
    const QImage without = gl.render(drawing, {300, 300});
    drawing.setPose(examples::twoPlatesAt(0, 1));
    QCOMPARE(gl.render(drawing, {300, 300}), without);
    QVERIFY(casimir::testing::compare(with, without).largest > 0.1);
    drawing.setLayerShown("arrows", true);
    QCOMPARE(gl.render(drawing, {300, 300}), with);
}

void SurfaceRendererTest::aReliefShowsHowFarTheMotionReaches()
{
    Plot plot = examples::pendulumPortrait(0);
    plot.lines.clear();
    plot.marks.clear();
    plot.maps = {hills(plot)};
    plot.surface = *reliefOf(plot);
    SurfaceRenderer drawing;
    drawing.setPlot(std::make_shared<Plot>(plot));
    drawing.lookFrom(ViewFrom::Top);
    OffscreenGl gl;
    const QSize size(400, 400);
    const QImage all = gl.render(drawing, size);
    PlotOverlay overlay;
    overlay.tracks.emplace_back();
    overlay.tracks.back().reach = 0.5;
    drawing.setOverlay(overlay);
    const QImage reached = gl.render(drawing, size);
    const auto saturation = [](const QImage& image, QPointF at) {
        return QColor(image.pixel(at.toPoint())).saturationF();
    };
    const QPointF top = drawing.pixelOf(0, 0, size), slope = drawing.pixelOf(1.5, 0.3, size);
    QVERIFY(saturation(reached, top) < 0.6 * saturation(all, top));
    QVERIFY(saturation(reached, slope) > 0.6 * saturation(all, slope));
    overlay.tracks.back().reach = 2; // above every hill
    drawing.setOverlay(overlay);
    QCOMPARE(gl.render(drawing, size), all);
}

void SurfaceRendererTest::anEllipsoidThroughTheSphereIsShownWholeAndHiddenWithItsLayer()
{
    Plot plot = examples::pendulumPortrait(0);
    plot.lines.clear();
    plot.marks.clear();
    plot.surface.shape = Surface::Shape::Sphere;
    plot.y.min = -1;
    plot.y.max = 1;
    plot.layers = {"energy"};
    SurfaceRenderer drawing;
    drawing.setPlot(std::make_shared<Plot>(plot));
    OffscreenGl gl;
    const QSize size(400, 300);
    const auto reddish = [&] {
        const QImage image = gl.render(drawing, size);
        int count = 0;
        for (int row = 0; row < image.height(); ++row)
            for (int column = 0; column < image.width(); ++column)
                count += qRed(image.pixel(column, row)) - qBlue(image.pixel(column, row)) > 25;
        return count;
    };
    QCOMPARE(reddish(), 0);
    const double before = (drawing.camera().position - drawing.camera().focus).norm();
    PlotOverlay overlay;
    overlay.ellipsoid = Ellipsoid{{0.6, 0.8, 1.5}, {Role::Unstable}, "energy"};
    drawing.setOverlay(overlay);
    // A camera that nobody moved steps back, so that the longest half axis is in the picture.
    QVERIFY((drawing.camera().position - drawing.camera().focus).norm() > 1.1 * before);
    QVERIFY(reddish() > 500);
    drawing.setHiddenLayers({"energy"});
    QCOMPARE(reddish(), 0);
}

QTEST_MAIN(SurfaceRendererTest)
#include "surface_renderer_test.moc"
