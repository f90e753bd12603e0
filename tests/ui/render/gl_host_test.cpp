#include "ui/render/gl_host.h"

#include "tests/ui/support/examples.h"
#include "tests/ui/support/image_compare.h"
#include "tests/ui/support/stillness.h"
#include "ui/render/scene_renderer.h"
#include "ui/render/surface_renderer.h"

#include <QApplication>
#include <QDockWidget>
#include <QMainWindow>
#include <QTest>

using namespace casimir;
using casimir::testing::colours;
using casimir::testing::compare;

class GlHostTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theWidgetDrawsAScene();
    void theWidgetSurvivesFloatingDockingAndResizing();
    void widgetAndDisplaylessPathDrawTheSamePicture();
    void nothingIsDrawnWithoutAReason();
    void aDragTurnsTheCameraAndAClickDoesNot();
    void aPlanarSceneIsPannedAndNotTurned();
    void theDrawingMayChangeAndGo();
    void aTransparentPictureHasAnEmptyBackground();
};

namespace {

std::unique_ptr<SceneRenderer> stage()
{
    auto drawing = std::make_unique<SceneRenderer>();
    drawing->setScene(examples::bentRod());
    drawing->setPose(examples::bentRodAt(0.5));
    return drawing;
}

} // namespace

void GlHostTest::theWidgetDrawsAScene()
{
    const auto drawing = stage();
    VtkWidget widget;
    widget.setDrawing(drawing.get());
    widget.resize(320, 240);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTRY_VERIFY(widget.frames() > 0);
    const QImage image = widget.grab3d();
    QVERIFY(colours(image) > 30);
    QCOMPARE(image.pixelColor(2, 2), Theme::light().background());
}

void GlHostTest::theWidgetSurvivesFloatingDockingAndResizing()
{
    const auto drawing = stage();
    QMainWindow window;
    auto* dock = new QDockWidget(&window);
    auto* widget = new VtkWidget;
    widget->setDrawing(drawing.get());
    dock->setWidget(widget);
    window.addDockWidget(Qt::RightDockWidgetArea, dock);
    window.resize(640, 480);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const auto stillness = [&] { return test::untilStill([&] { return widget->frames(); }); };
    for (const bool floating : {true, false, true, false}) {
        dock->setFloating(floating);
        QVERIFY(stillness());
        dock->resize(floating ? 400 : 300, 300);
        window.resize(floating ? 700 : 600, 500);
        QVERIFY(stillness());
        const QImage image = widget->grab3d();
        QVERIFY2(colours(image) > 30, floating ? "floating" : "docked");
        QCOMPARE(image.pixelColor(2, 2), Theme::light().background());
    }
}

void GlHostTest::widgetAndDisplaylessPathDrawTheSamePicture()
{
    const auto plot = std::make_shared<Plot>(examples::pendulumPortrait());
    const auto make = [&](SceneRenderer& scene, SurfaceRenderer& surface) {
        scene.setScene(examples::twoPlates());
        scene.setPose(examples::twoPlatesAt(0.4, 1.2));
        surface.setPlot(plot);
    };
    SceneRenderer scene1, scene2;
    SurfaceRenderer surface1, surface2;
    make(scene1, surface1);
    make(scene2, surface2);
    OffscreenGl gl;
    for (const auto& [shown, offscreen] :
         {std::pair<Drawing3d*, Drawing3d*>{&scene1, &scene2}, {&surface1, &surface2}}) {
        VtkWidget widget;
        widget.setDrawing(shown);
        widget.resize(400, 320);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
        const QImage inWindow = widget.grab3d();
        const QImage without = gl.render(*offscreen, inWindow.size(), widget.devicePixelRatioF());
        const auto difference = compare(inWindow, without);
        QVERIFY2(difference.mean < 0.005 && difference.largest < 0.05,
                 qPrintable(QString("mean %1, largest %2").arg(difference.mean).arg(difference.largest)));
        // The comparison can tell pictures apart.
        offscreen->setCamera(panned(offscreen->camera(), 0.2, 0));
        QVERIFY(compare(inWindow, gl.render(*offscreen, inWindow.size())).largest > 0.1);
        widget.setDrawing(nullptr);
    }
}

void GlHostTest::nothingIsDrawnWithoutAReason()
{
    const auto drawing = stage();
    VtkWidget widget;
    widget.setDrawing(drawing.get());
    widget.resize(320, 240);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QVERIFY(test::untilStill([&] { return widget.frames(); }));
    const int before = widget.frames();
    QTest::qWait(300); // eighteen frames, if they were drawn
    QCOMPARE(widget.frames(), before);
    drawing->setPose(examples::bentRodAt(0.1));
    widget.update();
    QTRY_COMPARE(widget.frames(), before + 1);
    QCOMPARE(drawing->built(), 2); // the empty scene and this one
}

void GlHostTest::aDragTurnsTheCameraAndAClickDoesNot()
{
    const auto drawing = stage();
    VtkWidget widget;
    widget.setDrawing(drawing.get());
    widget.resize(320, 240);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const Camera start = drawing->camera();
    int clicks = 0;
    connect(&widget, &VtkWidget::clicked, this, [&] { ++clicks; });
    QTest::mouseClick(&widget, Qt::LeftButton, {}, {100, 100});
    QCOMPARE(clicks, 1);
    QVERIFY(drawing->camera() == start);
    QTest::mousePress(&widget, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&widget, {160, 100});
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, {160, 100});
    QCOMPARE(clicks, 1);
    const Camera end = drawing->camera();
    QVERIFY((end.position - start.position).norm() > 0.1);
    QVERIFY(std::abs(end.position.norm() - start.position.norm()) < 1e-9);
    QVERIFY(std::abs(end.position.z() - start.position.z()) < 1e-9);
}

void GlHostTest::aPlanarSceneIsPannedAndNotTurned()
{
    SceneRenderer drawing;
    drawing.setScene(examples::twoPlates());
    drawing.setPose(examples::twoPlatesAt(0, 1));
    VtkWidget widget;
    widget.setDrawing(&drawing);
    widget.resize(300, 300);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const Camera start = drawing.camera();
    QTest::mousePress(&widget, Qt::LeftButton, {}, {100, 100});
    QTest::mouseMove(&widget, {130, 100});
    QTest::mouseRelease(&widget, Qt::LeftButton, {}, {130, 100});
    const Camera end = drawing.camera();
    // 30 of 300 pixels to the right is a tenth of the height seen, 2 parallelScale.
    QVERIFY(std::abs(end.focus.x() - start.focus.x() + 0.2 * start.parallelScale) < 1e-9);
    QVERIFY((end.position - end.focus - start.position + start.focus).norm() < 1e-9);
    widget.setDrawing(nullptr);
}

void GlHostTest::theDrawingMayChangeAndGo()
{
    auto first = stage();
    SurfaceRenderer second;
    second.setPlot(std::make_shared<Plot>(examples::pendulumPortrait()));
    VtkWidget widget;
    widget.resize(320, 240);
    widget.setDrawing(first.get());
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    const QImage before = widget.grab3d();
    widget.setDrawing(&second);
    first.reset();
    const QImage after = widget.grab3d();
    QVERIFY(colours(after) > 30);
    QVERIFY(compare(before, after).largest > 0.1);
    widget.setDrawing(nullptr);
    QCOMPARE(colours(widget.grab3d()), 1);
}

void GlHostTest::aTransparentPictureHasAnEmptyBackground()
{
    const auto drawing = stage();
    OffscreenGl gl;
    const QImage image = gl.render(*drawing, {200, 150}, 1, true, 2);
    QCOMPARE(qAlpha(image.pixel(2, 2)), 0);
    int solid = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            solid += qAlpha(image.pixel(x, y)) > 200;
    QVERIFY(solid > 200);
}

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication app(argc, argv);
    GlHostTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "gl_host_test.moc"
