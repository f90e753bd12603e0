#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/ui/support/image_compare.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/stillness.h"
#include "ui/document/document.h"
#include "ui/views/stage_view.h"
#include "ui/views/surface_view.h"
#include "ui/views/view_factory.h"

#include <QApplication>
#include <QMenu>
#include <QTest>

#include <cmath>
#include <functional>

using namespace casimir;
using casimir::test::untilStill;
using casimir::testing::colours;
using casimir::testing::compare;

namespace {

ViewInfo embeddedView(const Document& document)
{
    for (const PlotInfo& plot : plotsOf(*document.system()))
        if (!plot.embeddedView.empty() && plot.picksState)
            return {plot.embeddedView, plot.title, plot.id};
    return {};
}

double input(const Document& document, const std::string& id)
{
    for (const auto& [name, x] : document.session().motions.front().state)
        if (name == id)
            return x;
    return std::nan("");
}

void seek(Document& document, double t)
{
    document.simulation().seek(t);
    QTRY_VERIFY_WITH_TIMEOUT(document.snapshot()->t == t && document.snapshot()->lag == 0, 20000);
}

void moveTo(QWidget& widget, QPoint at, Qt::MouseButtons buttons)
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

// Where the camera shows a point of the plot, from the embedding and the pinhole alone.
QPoint pixelOf(const SurfaceView& view, double x, double y)
{
    const QSizeF size = view.canvas().size();
    const Camera& c = view.renderer().camera();
    const Eigen::Vector3d p = view.renderer().plot()->surface.embed(x, y);
    const Eigen::Vector3d forward = (c.focus - c.position).normalized();
    const Eigen::Vector3d right = forward.cross(c.up).normalized(), up = right.cross(forward);
    const Eigen::Vector3d d = p - c.position;
    const double f = size.height() / 2 / std::tan(c.angle * 3.14159265358979323846 / 360);
    return {static_cast<int>(std::lround(size.width() / 2 + f * d.dot(right) / d.dot(forward))),
            static_cast<int>(std::lround(size.height() / 2 - f * d.dot(up) / d.dot(forward)))};
}

// An angle in the middle of the side that faces the viewer.
double facingAngle(const SurfaceView& view)
{
    const Eigen::Vector3d away = view.renderer().camera().position - view.renderer().camera().focus;
    double best = 0, most = -1e9;
    for (int i = 0; i < 360; ++i) {
        const double angle = -3.14 + 6.28 * i / 360;
        if (const double d = view.renderer().plot()->surface.normal(angle, 0).dot(away); d > most) {
            most = d;
            best = angle;
        }
    }
    return best;
}

} // namespace

class Views3dTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theStageChangesItsPictureAsTimeGoesOn();
    void theStageIsRebuiltForValuesOnly();
    void aClickOnALandscapeChoosesTheStateThere();
    void theFrameOfABodyHoldsItStill();
    void aClickOnTheSurfaceChoosesTheStateThere();
    void aDragThatBeginsOnTheStateTurnsTheSurfaceAsAnyOther();
    void aDragElsewhereTurnsTheSurface();
    void wishesOfTheWindowMoveAndResetTheCamera();
    void pausedViewsDrawNoFrames();
    void everyViewInSpaceIsMade();
    void aSlopeIsSeenWithDownhillDown();
    void aHandleOnTheStageIsDraggedAsOneStepAndEscRestores();
    void whatCanBeDoneAtAPointIsInTheMenuOfTheStage();
    void withoutHandlesADragMovesThePicture();
};

void Views3dTest::theStageChangesItsPictureAsTimeGoesOn()
{
    Document document;
    StageView view(document, {"stage", "Stage"});
    view.resize(420, 460);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.rebuilds() == 1);
    const QImage before = view.canvas().grab3d();
    seek(document, 7);
    QVERIFY(untilStill(view));
    const QImage after = view.canvas().grab3d();
    QVERIFY(compare(before, after).largest > 0.2);
    seek(document, 0);
    QVERIFY(untilStill(view));
    QVERIFY(compare(before, view.canvas().grab3d()).mean < 0.01);
}

void Views3dTest::theStageIsRebuiltForValuesOnly()
{
    Document document;
    StageView view(document, {"stage", "Stage"});
    view.resize(420, 460);
    view.show();
    QTRY_VERIFY(view.rebuilds() == 1);
    seek(document, 2);
    QVERIFY(document.setState({{document.system()->inputs().front().quantity.id, 0.3}}));
    document.simulation().waitUntilIdle();
    QVERIFY(untilStill(view));
    QCOMPARE(view.rebuilds(), 1);
    const Parameter& parameter = document.kind().schema.parameters().front();
    QVERIFY(document.setParameter(parameter.id,
                                  1.5 * std::get<double>(document.session().values.at(parameter.id))));
    QTRY_COMPARE(view.rebuilds(), 2);
}

void Views3dTest::theFrameOfABodyHoldsItStill()
{
    Document document;
    StageView view(document, {"stage", "Stage"});
    view.resize(420, 460);
    view.show();
    QTRY_VERIFY(view.rebuilds() == 1);
    const auto& frames = view.renderer().scene().frames;
    if (frames.size() < 2)
        QSKIP("this scene has one frame");
    seek(document, 3);
    QVERIFY(untilStill(view));
    const QImage inertial = view.canvas().grab3d();
    document.setOption("stage.frame", frames[1].id);
    QVERIFY(untilStill(view));
    QVERIFY(compare(inertial, view.canvas().grab3d()).largest > 0.2);
}

void Views3dTest::aClickOnTheSurfaceChoosesTheStateThere()
{
    Document document;
    SurfaceView view(document, embeddedView(document));
    view.resize(500, 560);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.renderer().plot(), 10000);
    QVERIFY(untilStill(view));
    const Plot& plot = *view.renderer().plot();
    const double x = facingAngle(view) + 0.3, y = plot.y.min + 0.7 * (plot.y.max - plot.y.min);
    const QPoint at = pixelOf(view, x, y);
    QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, at);
    // A pixel is about 1/150 of the radius.
    QVERIFY(std::abs(std::remainder(input(document, plot.x.quantity.id) - x, plot.x.quantity.period)) < 0.02);
    QVERIFY(std::abs(input(document, plot.y.quantity.id) - y) < 0.01 * (plot.y.max - plot.y.min));
}

// Whatever system has a field that is drawn as heights.
void Views3dTest::aClickOnALandscapeChoosesTheStateThere()
{
    Document document;
    document.openPreset("three-body", "six");
    std::optional<ViewInfo> info;
    for (const PlotInfo& plot : plotsOf(*document.system()))
        if (!plot.reliefView.empty() && plot.picksState)
            info = ViewInfo{plot.reliefView, plot.title, plot.id};
    QVERIFY(info && isView3d(*document.system(), *info));
    SurfaceView view(document, *info);
    view.resize(560, 500);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.renderer().plot(), 10000);
    QVERIFY(untilStill(view));
    const Plot& plot = *view.renderer().plot();
    QCOMPARE(plot.surface.shape, Surface::Shape::Relief);
    // In the valley, which is seen from above, but neither on the equilibrium nor on the state.
    const double x = 0.8, y = 0.5;
    QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, pixelOf(view, x, y));
    QVERIFY(std::abs(input(document, plot.x.quantity.id) - x) < 0.04);
    QVERIFY(std::abs(input(document, plot.y.quantity.id) - y) < 0.04);
}

void Views3dTest::aDragThatBeginsOnTheStateTurnsTheSurfaceAsAnyOther()
{
    Document document;
    SurfaceView view(document, embeddedView(document));
    view.resize(500, 560);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.renderer().plot(), 10000);
    const Plot plot = *view.renderer().plot();
    const double y = plot.y.min + 0.6 * (plot.y.max - plot.y.min);
    const QPoint from = pixelOf(view, facingAngle(view), y), to = from + QPoint(40, 0);
    QTest::mouseClick(&view.canvas(), Qt::LeftButton, {}, from);
    const int steps = document.undoStack()->count();
    const auto state = document.session().motions.front().state;
    const Camera camera = view.renderer().camera();
    QTest::mousePress(&view.canvas(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i)
        moveTo(view.canvas(), from + (to - from) * i / 10, Qt::LeftButton);
    QTest::mouseRelease(&view.canvas(), Qt::LeftButton, {}, to);
    QVERIFY(!(view.renderer().camera() == camera));
    QCOMPARE(document.undoStack()->count(), steps);
    QVERIFY(document.session().motions.front().state == state);
}

void Views3dTest::aDragElsewhereTurnsTheSurface()
{
    Document document;
    SurfaceView view(document, embeddedView(document));
    view.resize(500, 560);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.renderer().plot(), 10000);
    QVERIFY(untilStill(view));
    const auto state = document.session().motions.front().state;
    const Camera camera = view.renderer().camera();
    const QPoint from(12, 12);
    QTest::mousePress(&view.canvas(), Qt::LeftButton, {}, from);
    moveTo(view.canvas(), from + QPoint(40, 10), Qt::LeftButton);
    QTest::mouseRelease(&view.canvas(), Qt::LeftButton, {}, from + QPoint(40, 10));
    QVERIFY(!(view.renderer().camera() == camera));
    QVERIFY(document.session().motions.front().state == state);
    // The camera becomes part of the Session when it has come to rest.
    QTRY_VERIFY(!document.option(view.info().id + ".camera").empty());
    view.resetCamera();
    QVERIFY(document.option(view.info().id + ".camera").empty());
}

void Views3dTest::wishesOfTheWindowMoveAndResetTheCamera()
{
    Document document;
    SurfaceView view(document, embeddedView(document));
    view.resize(500, 560);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.renderer().plot(), 10000);
    QVERIFY(untilStill(view));
    const Camera home = view.renderer().camera();
    const std::function<void()> wishes[] = {[&] { view.moveBy(-1, 0); }, [&] { view.moveBy(0, 1); },
                                            [&] { view.zoomBy(View::keyZoom); }};
    for (const auto& wish : wishes) {
        const Camera before = view.renderer().camera();
        wish();
        QVERIFY(!(view.renderer().camera() == before));
        QVERIFY(!view.showsAll());
    }
    view.showAll();
    QVERIFY(view.renderer().camera() == home && view.showsAll());
    view.setTurning(true);
    QTRY_VERIFY(!(view.renderer().camera() == home));
    view.setTurning(false);
}

void Views3dTest::pausedViewsDrawNoFrames()
{
    Document document;
    StageView stage(document, {"stage", "Stage"});
    SurfaceView surface(document, embeddedView(document));
    for (View3d* view : {static_cast<View3d*>(&stage), static_cast<View3d*>(&surface)}) {
        view->resize(300, 300);
        view->show();
    }
    QTRY_VERIFY_WITH_TIMEOUT(surface.renderer().plot(), 10000);
    QVERIFY(untilStill(stage) && untilStill(surface));
    const int before = stage.canvas().frames() + surface.canvas().frames();
    QTest::qWait(500); // thirty frames, if they were drawn
    QCOMPARE(stage.canvas().frames() + surface.canvas().frames(), before);
}

namespace {

// A point of the planar stage, from the orthographic camera alone.
QPoint pixelOf(const StageView& view, const Eigen::Vector3d& p)
{
    const QSizeF size = view.canvas().size();
    const Camera& c = view.renderer().camera();
    const double scale = size.height() / (2 * c.parallelScale);
    return {static_cast<int>(std::lround(size.width() / 2 + scale * (p - c.focus).x())),
            static_cast<int>(std::lround(size.height() / 2 - scale * (p - c.focus).y()))};
}

// Some system of the catalogue that can be edited on its stage.
Session editable()
{
    for (const Kind* kind : catalogue())
        if (capability<HasStageEditing>(*kind->make()))
            return defaultSession(*kind);
    return {};
}

StageHandle someHandle(const Document& document, std::size_t index)
{
    const MotionTrack& motion = document.snapshot()->motions.front();
    return capability<HasStageEditing>(*motion.system)
        ->stageHandles(document.snapshot()->t, motion.state)
        .at(index);
}

} // namespace

void Views3dTest::aSlopeIsSeenWithDownhillDown()
{
    Document document(readSession(presetNamed("knife-edge", "cycloid").text));
    StageView view(document, {"stage", "Stage"});
    view.resize(500, 400);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.rebuilds() == 1);
    const QSizeF size = view.canvas().size();
    const QPointF here = view.renderer().pixelOf({0, 0, 0}, size),
                  downhill = view.renderer().pixelOf({0.5, 0, 0}, size),
                  across = view.renderer().pixelOf({0, 0.5, 0}, size);
    QVERIFY(downhill.y() > here.y() + 20 && std::abs(downhill.x() - here.x()) < 1);
    QVERIFY(across.x() > here.x() + 20 && std::abs(across.y() - here.y()) < 1);
}

void Views3dTest::aHandleOnTheStageIsDraggedAsOneStepAndEscRestores()
{
    Document document(editable());
    StageView view(document, {"stage", "Stage"});
    view.resize(500, 520);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.rebuilds() == 1);
    QVERIFY(untilStill(view));
    const StageHandle handle = someHandle(document, 1);
    const Values before = document.session().values;
    const Camera camera = view.renderer().camera();
    const QPoint from = pixelOf(view, handle.at);
    // A ring in the colour of selection where the pointer may take hold, and nowhere else.
    const auto ringed = [&view](QPoint about) {
        const QImage image = view.canvas().grab3d();
        const QColor accent = view.theme().accent();
        int count = 0;
        for (int y = -12; y <= 12; ++y)
            for (int x = -12; x <= 12; ++x) {
                const QColor c = image.pixelColor(about + QPoint(x, y));
                const int off = std::abs(c.red() - accent.red()) + std::abs(c.green() - accent.green()) +
                                std::abs(c.blue() - accent.blue());
                count += off < 12;
            }
        return count > 20;
    };
    QVERIFY(!ringed(pixelOf(view, Eigen::Vector3d::Zero())));
    moveTo(view.canvas(), from + QPoint(2, 1), Qt::NoButton);
    QTRY_VERIFY(ringed(from));
    QCOMPARE(view.canvas().cursor().shape(), Qt::OpenHandCursor);
    QTest::mousePress(&view.canvas(), Qt::LeftButton, {}, from);
    for (int k = 1; k <= 6; ++k) {
        moveTo(view.canvas(), from + QPoint(8 * k, -5 * k), Qt::LeftButton);
        QCoreApplication::processEvents();
    }
    QVERIFY(!(document.session().values == before));
    QTRY_VERIFY(document.snapshot()->motions.front().system->values() == document.session().values);
    QVERIFY(untilStill(view));
    // The handle is under the pointer, to the pixel, in a picture that did not move.
    QVERIFY(view.renderer().camera() == camera);
    const QPoint there = pixelOf(view, someHandle(document, 1).at) - (from + QPoint(48, -30));
    QVERIFY2(there.manhattanLength() <= 3, qPrintable(QString("%1 %2").arg(there.x()).arg(there.y())));
    QTest::mouseRelease(&view.canvas(), Qt::LeftButton, {}, from + QPoint(48, -30));
    QCOMPARE(document.undoStack()->count(), 1);
    const Values moved = document.session().values;
    document.undoStack()->undo();
    QVERIFY(document.session().values == before);
    document.undoStack()->redo();
    QVERIFY(document.session().values == moved);
    document.undoStack()->undo();

    QTRY_VERIFY(document.snapshot()->motions.front().system->values() == before);
    QVERIFY(untilStill(view));
    const QPoint again = pixelOf(view, someHandle(document, 1).at);
    QTest::mousePress(&view.canvas(), Qt::LeftButton, {}, again);
    moveTo(view.canvas(), again + QPoint(30, 30), Qt::LeftButton);
    QVERIFY(!(document.session().values == before));
    QTest::keyClick(&view.canvas(), Qt::Key_Escape);
    QVERIFY(document.session().values == before);
    moveTo(view.canvas(), again + QPoint(60, 30), Qt::LeftButton);
    QTest::mouseRelease(&view.canvas(), Qt::LeftButton, {}, again + QPoint(60, 30));
    QVERIFY(document.session().values == before);
}

void Views3dTest::whatCanBeDoneAtAPointIsInTheMenuOfTheStage()
{
    Document document(editable());
    StageView view(document, {"stage", "Stage"});
    view.resize(500, 520);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.rebuilds() == 1);
    QVERIFY(untilStill(view));
    const MotionTrack& motion = document.snapshot()->motions.front();
    const auto offered =
        capability<HasStageEditing>(*motion.system)->stageActions(0, motion.state, Eigen::Vector3d::Zero());
    QVERIFY(!offered.empty());
    const std::size_t inputs = document.system()->inputs().size();
    QStringList seen;
    // The menu runs a loop of its own: whoever looks at it must come from a timer.
    QTimer::singleShot(200, &view, [&] {
        auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
        if (!menu)
            return;
        for (QAction* action : menu->actions())
            seen << action->text();
        menu->setActiveAction(menu->actions().front());
        QTest::keyClick(menu, Qt::Key_Return);
    });
    const QPoint middle(view.canvas().width() / 2, view.canvas().height() / 2);
    QTest::mouseClick(&view.canvas(), Qt::RightButton, {}, middle);
    for (const StageAction& action : offered)
        QVERIFY2(seen.contains(QString::fromStdString(action.text)), action.text.c_str());
    QVERIFY(document.system()->inputs().size() > inputs); // the first adds a body
    QCOMPARE(document.undoStack()->count(), 1);
    document.undoStack()->undo();
    QCOMPARE(document.system()->inputs().size(), inputs);
}

void Views3dTest::withoutHandlesADragMovesThePicture()
{
    Document document(editable());
    document.setOption("stage.edit", "off");
    StageView view(document, {"stage", "Stage"});
    view.resize(500, 520);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_VERIFY(view.rebuilds() == 1);
    QVERIFY(untilStill(view));
    const Values before = document.session().values;
    const Camera camera = view.renderer().camera();
    const QPoint from = pixelOf(view, someHandle(document, 1).at);
    QTest::mousePress(&view.canvas(), Qt::LeftButton, {}, from);
    moveTo(view.canvas(), from + QPoint(30, 30), Qt::LeftButton);
    QTest::mouseRelease(&view.canvas(), Qt::LeftButton, {}, from + QPoint(30, 30));
    QVERIFY(document.session().values == before);
    QVERIFY(!(view.renderer().camera() == camera));
}

void Views3dTest::everyViewInSpaceIsMade()
{
    Document document;
    int made = 0;
    for (const ViewInfo& info : viewsOf(*document.system())) {
        if (!isView3d(*document.system(), info))
            continue;
        const auto view = makeView(document, info);
        QCOMPARE(view->viewId(), QString::fromStdString(info.id));
        view->resize(300, 300);
        view->show();
        for (const Theme& theme : {Theme::light(), Theme::dark(2)}) {
            view->setTheme(theme);
            QVERIFY(untilStill(*view));
            const QImage picture = view->grab().toImage();
            QVERIFY2(colours(picture) > 10, info.id.c_str());
        }
        QVERIFY(!view->viewActions().isEmpty());
        ++made;
    }
    QVERIFY(made >= 2);
}

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication application(argc, argv);
    Views3dTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "views_3d_test.moc"
