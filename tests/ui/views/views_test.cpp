#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/stillness.h"
#include "ui/document/document.h"
#include "ui/panels/number_field.h"
#include "ui/views/chart_view.h"
#include "ui/views/invariants_view.h"
#include "ui/views/plot_view.h"
#include "ui/views/series_view.h"
#include "ui/views/view_factory.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QImage>
#include <QMenu>
#include <QPainter>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

using namespace casimir;
using test::untilStill;

namespace {

// How much of a picture is its ground, and how much stands out against it.
std::pair<double, double> shareOf(const QImage& image, const QColor& ground)
{
    int same = 0, apart = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QColor seen = image.pixelColor(x, y);
            const int difference =
                std::max({std::abs(seen.red() - ground.red()), std::abs(seen.green() - ground.green()),
                          std::abs(seen.blue() - ground.blue())});
            same += difference <= 2;
            apart += difference > 60;
        }
    const double all = image.width() * image.height();
    return {same / all, apart / all};
}

// The first plot in which a click chooses the state, of whatever system comes first.
ViewInfo pickingView(const Document& document)
{
    for (const PlotInfo& plot : plotsOf(*document.system()))
        if (plot.picksState)
            return {plot.id, plot.title, plot.id};
    return {};
}

std::unique_ptr<PlotView> shownPlot(Document& document)
{
    auto view = std::make_unique<PlotView>(document, pickingView(document));
    view->resize(520, 380);
    view->show();
    return view;
}

#define WAIT_FOR_PLOT(view)                                                                                  \
    QTRY_VERIFY_WITH_TIMEOUT((view)->painter().plot() && QTest::qWaitForWindowExposed(view.get()), 10000)

double input(const Document& document, const std::string& id)
{
    for (const auto& [name, x] : document.session().motions.front().state)
        if (name == id)
            return x;
    return std::nan("");
}

void wheel(QWidget& widget, QPointF at, int delta)
{
    QWheelEvent event(at, widget.mapToGlobal(at), {}, {0, delta}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

void moveTo(QWidget& widget, QPoint at, Qt::MouseButtons buttons, Qt::KeyboardModifiers modifiers = {})
{
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, buttons, modifiers);
    QApplication::sendEvent(&widget, &event);
}

void seek(Document& document, double t)
{
    document.simulation().seek(t);
    QTRY_VERIFY_WITH_TIMEOUT(document.snapshot()->t == t && document.snapshot()->lag == 0, 20000);
}

QAction* findAction(const QList<QAction*>& actions, const QString& text)
{
    for (QAction* action : actions) {
        if (action->text() == text)
            return action;
        if (action->menu())
            if (QAction* inside = findAction(action->menu()->actions(), text))
                return inside;
    }
    return nullptr;
}

} // namespace

class ViewsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOptionLeftAutomaticShowsWhatIsTaken();
    void aClickOnABranchGoesThere();
    void aClickChoosesTheStateUnderThePointer();
    void aDragMovesThePictureAndNeverTheStart();
    void escapeBeforeTheReleaseSetsNothing();
    void shiftClickKeepsAnOrbit();
    void aClickOnAMarkSelectsItsEquilibrium();
    void theWheelKeepsThePointUnderThePointer();
    void aRectangleBecomesTheWindow();
    void viewsLeaveTheKeysToTheWindow();
    void hoverSaysCoordinatesAndLevel();
    void aMovingStateDoesNotRepaintThePlot();
    void aLayerCanBeHidden();
    void aParameterChangesThePicture();
    void thePlotPaintsOntoAnyPainter();
    void theSeriesHasAPointForEachPixelOfTheRecording();
    void theSeriesFollowsTheClockUntilPanned();
    void aDifferenceOfEqualMotionsIsZero();
    void aLogarithmicScaleChartsSizesAndLeavesZeroOut();
    void aHandleStaysUnderThePointerWhileTheLimitsFollowIt();
    void aPictureThatTheValuesTookAwayComesBackWithThem();
    void invariantsStayAboveTheFloorAndNearRounding();
    void driftIsTheChangeOfTheQuantity();
    void aBalanceIsShownWithTheErrorOfTheRun();
    void anotherMethodAddsALineForEachInvariant();
    void everyViewOfTheSystemIsMade();
    void anOpenedSessionBringsItsZoomAndDropsOtherOptions();
    void aPlotWithOldOptionsIsNotCurrent();
    void afterAResizeEveryPictureIsThatOfAFreshView();
    void theTimeAxisSaysWhereARecordingLostItsBeginning();
    void whatRanBeforeAParameterWasChangedStaysVisibleFainter();
    void aViewThatOutlivesItsSystemIsAnsweredByTheNext();
};

void ViewsTest::anOpenedSessionBringsItsZoomAndDropsOtherOptions()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const std::string id = view->info().id;
    const PlotWindow whole = view->painter().window(), part{0.1, 0.9, -1, 1};
    const Session plain = document.session();
    Session zoomed = plain;
    zoomed.options[id + ".window"] = "0.1 0.9 -1 1";
    zoomed.options[id + ".grid"] = "off";
    document.openSession(zoomed, "zoomed");
    QVERIFY(view->painter().window() == part);
    document.openSession(plain, "plain");
    QVERIFY(view->painter().window() == whole);
    QCOMPARE(document.option(id + ".grid"), std::string());
    document.undoStack()->undo();
    QVERIFY(view->painter().window() == part);
    QCOMPARE(document.option(id + ".grid"), std::string("off"));
}

// While the motion is paused nothing but the resize asks for another picture.
void ViewsTest::afterAResizeEveryPictureIsThatOfAFreshView()
{
    Document document;
    seek(document, 10.65);
    const auto shown = [](QWidget& widget) { return widget.grab().toImage(); };
    const QSize last(420, 260);
    for (const ViewInfo& info : viewsOf(*document.system())) {
        if (isView3d(*document.system(), info))
            continue;
        const auto view = makeView(document, info);
        const auto fresh = makeView(document, info);
        fresh->resize(last);
        fresh->show();
        QVERIFY(QTest::qWaitForWindowExposed(fresh.get()));
        for (const QSize size : {QSize(260, 150), QSize(700, 420), QSize(180, 360)}) {
            view->resize(size);
            view->show();
            QVERIFY(QTest::qWaitForWindowExposed(view.get()));
            QTRY_COMPARE(shown(*view).size(), size);
        }
        view->resize(last);
        QTRY_VERIFY2_WITH_TIMEOUT(shown(*view) == shown(*fresh), info.id.c_str(), 20000);
    }
}

void ViewsTest::whatRanBeforeAParameterWasChangedStaysVisibleFainter()
{
    Document document;
    const auto portrait = shownPlot(document);
    WAIT_FOR_PLOT(portrait);
    SeriesView series(document, {"series", "Series"});
    series.resize(500, 300);
    series.show();
    seek(document, 2);
    const auto past = [&] {
        const auto& lines = portrait->overlay().lines;
        return std::count_if(lines.begin(), lines.end(), [](const Polyline& line) { return line.past; });
    };
    QVERIFY(untilStill(*portrait));
    QCOMPARE(past(), 0);
    const int lines = series.chart().lineCount();
    const std::string id = document.kind().schema.parameters().front().id;
    document.setParameter(id, 1.1 * document.session().values.real(id));
    document.waitForEdits();
    seek(document, 3);
    QTRY_COMPARE(past(), 1);
    QTRY_COMPARE(series.chart().lineCount(), 2 * lines);
    // It ends where the present path begins, at the time of the change.
    const auto& both = portrait->overlay().lines;
    const auto was = std::find_if(both.begin(), both.end(), [](const Polyline& line) { return line.past; });
    const auto is = std::next(was);
    QVERIFY(is != both.end() && !is->past);
    const PlotWindow window = portrait->painter().window();
    const double step = std::hypot((was->x.back() - is->x.front()) / (window.xMax - window.xMin),
                                   (was->y.back() - is->y.front()) / (window.yMax - window.yMin));
    QVERIFY2(step < 0.02, qPrintable(QString::number(step)));
    // What is said of the orbit is said of the motion that is seen, not of the start under other values.
    QTRY_VERIFY(document.orbit() && document.orbit()->final && document.isCurrent(document.orbit()->number));
    const auto& facts = document.orbit()->value->facts;
    const auto energy = std::find_if(facts.begin(), facts.end(),
                                     [](const Fact& fact) { return fact.quantity.id == "energy"; });
    QVERIFY(energy != facts.end());
    const double said = std::get<double>(energy->value),
                 present = valueOf(document.snapshot()->motions.front(), "H");
    QVERIFY2(std::abs(said - present) < 1e-6 * present,
             qPrintable(QString("%1 and %2").arg(said).arg(present)));
    document.undoStack()->undo();
    document.waitForEdits();
    QTRY_COMPARE(past(), 0);
    QTRY_COMPARE(series.chart().lineCount(), lines);
}

void ViewsTest::theTimeAxisSaysWhereARecordingLostItsBeginning()
{
    ChartView chart;
    chart.resize(400, 300);
    chart.setAxes({{"t", "t", "time", "s"}, 0, 20}, {{"q", "q", "", ""}, 0, 1});
    QVERIFY(chart.forgottenText().isEmpty());
    const QImage whole = chart.grab().toImage();
    chart.setForgotten(5.25);
    QVERIFY(chart.forgottenText().contains(QStringLiteral("5.25 s")));
    const QImage cut = chart.grab().toImage();
    // Only the part before is marked.
    const auto differs = [&](double from, double to) {
        for (int y = static_cast<int>(chart.area().top()) + 2; y < chart.area().bottom() - 30; ++y)
            for (int x = static_cast<int>(chart.pixelOf(from)) + 2; x < chart.pixelOf(to) - 2; ++x)
                if (whole.pixel(x, y) != cut.pixel(x, y))
                    return true;
        return false;
    };
    QVERIFY(differs(0, 5.25));
    QVERIFY(!differs(5.25, 20));
    chart.setAxes({{"t", "t", "time", "s"}, 6, 26}, {{"q", "q", "", ""}, 0, 1});
    QVERIFY(chart.forgottenText().isEmpty());
    QVERIFY(chart.grab().toImage() != cut);
}

void ViewsTest::aPlotWithOldOptionsIsNotCurrent()
{
    Document document;
    PlotView view(document, {"branch", "Branch", "branch"});
    view.resize(520, 380);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(document.isCurrent("branch"), 20000);
    const auto old = document.plot("branch");
    document.setOption("branch.y", document.option("branch.y") == "energy" ? "spin_rate" : "energy");
    QVERIFY(!document.isCurrent("branch") ||
            document.plot("branch")->value != old->value); // a quick answer is new
    QTRY_VERIFY_WITH_TIMEOUT(document.isCurrent("branch"), 20000);
    QVERIFY(document.plot("branch")->value != old->value);
}

void ViewsTest::aViewThatOutlivesItsSystemIsAnsweredByTheNext()
{
    Document document;
    PlotView view(document, {"spectrum", "Spectrum", "spectrum"});
    view.resize(520, 380);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(document.isCurrent("spectrum"), 20000);
    const auto before = view.painter().plot();
    document.openPreset("three-body", presetsOf("three-body").front().id);
    QTRY_VERIFY_WITH_TIMEOUT(document.isCurrent("spectrum"), 20000);
    QTRY_VERIFY(view.painter().plot() && view.painter().plot() != before);
}

void ViewsTest::aClickChoosesTheStateUnderThePointer()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const QRectF area = view->transform().area();
    const QPoint at(static_cast<int>(area.left() + 0.62 * area.width()),
                    static_cast<int>(area.top() + 0.4 * area.height()));
    // From the area and the limits alone: linear axes.
    const Plot& plot = *view->painter().plot();
    const double x = plot.x.min + (at.x() - area.left()) / area.width() * (plot.x.max - plot.x.min);
    const double y = plot.y.min + (area.bottom() - at.y()) / area.height() * (plot.y.max - plot.y.min);
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, at);
    QVERIFY(std::abs(input(document, plot.x.quantity.id) - x) < 1e-12 * (1 + std::abs(x)));
    QVERIFY(std::abs(input(document, plot.y.quantity.id) - y) < 1e-12 * (1 + std::abs(y)));
    // The state that moves is drawn there.
    QTRY_VERIFY(!view->overlay().tracks.empty() &&
                std::abs(view->overlay().tracks.back().marks.front().x - x) < 1e-9);
}

void ViewsTest::aDragMovesThePictureAndNeverTheStart()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const Session before = document.session();
    const int steps = document.undoStack()->count();
    // Wherever it begins: in the field, on the state, on a mark.
    const Mark mark = view->painter().plot()->marks.front();
    for (const QPoint from : {view->transform().area().center().toPoint() + QPoint(60, 30),
                              view->transform().toPixel(mark.x, mark.y).toPoint()}) {
        const QPointF held = view->transform().toPlot(from);
        QTest::mousePress(view.get(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 20; ++i)
            moveTo(*view, from + QPoint(2 * i, -i), Qt::LeftButton);
        QTest::mouseRelease(view.get(), Qt::LeftButton, {}, from + QPoint(40, -20));
        const QPointF now = view->transform().toPixel(held.x(), held.y());
        QVERIFY(std::hypot(now.x() - from.x() - 40, now.y() - from.y() + 20) < 2);
    }
    // A release alone, of a press that was elsewhere, is nothing.
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, view->transform().area().center().toPoint());
    // Nor is one outside the picture.
    const QPoint inside = view->transform().area().center().toPoint();
    QTest::mousePress(view.get(), Qt::LeftButton, {}, inside);
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, QPoint(1, 1));
    QCOMPARE(document.undoStack()->count(), steps);
    QVERIFY(document.session().motions == before.motions);
}

void ViewsTest::escapeBeforeTheReleaseSetsNothing()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const Session before = document.session();
    const QPoint from = view->transform().area().center().toPoint() + QPoint(60, 30);
    QTest::mousePress(view.get(), Qt::LeftButton, {}, from);
    QTest::keyClick(view.get(), Qt::Key_Escape);
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, from);
    QVERIFY(document.session().motions == before.motions);
}

void ViewsTest::shiftClickKeepsAnOrbit()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const auto state = document.session().motions.front().state;
    const QPoint at = view->transform().area().center().toPoint() + QPoint(70, 20);
    QTest::mouseClick(view.get(), Qt::LeftButton, Qt::ShiftModifier, at);
    QCOMPARE(document.session().ghosts.size(), std::size_t(1));
    QVERIFY(document.session().motions.front().state == state);
    // Its orbit passes through the point that was clicked: some vertex lies within a few pixels of it.
    const auto nearest = [&] {
        double least = 1e9;
        for (const PlotTrack& track : view->overlay().tracks)
            for (const Polyline& line : track.lines)
                for (std::size_t i = 0; i < line.x.size(); ++i) {
                    const QPointF d = view->transform().toPixel(line.x[i], line.y[i]) - at;
                    least = std::min(least, std::hypot(d.x(), d.y()));
                }
        return least;
    };
    QTRY_VERIFY(nearest() < 4);
}

void ViewsTest::aClickOnAMarkSelectsItsEquilibrium()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const auto state = document.session().motions.front().state;
    const Mark mark = view->painter().plot()->marks.front();
    const QPoint at = view->transform().toPixel(mark.x, mark.y).toPoint();
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, at);
    QCOMPARE(document.selection(), mark.id);
    QVERIFY(document.session().motions.front().state == state);
    QTRY_COMPARE(view->overlay().selectedMark, mark.id);
}

void ViewsTest::theWheelKeepsThePointUnderThePointer()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const QPointF at = view->transform().area().center() + QPointF(55, -35);
    const QPointF before = view->transform().toPlot(at);
    const PlotWindow full = view->painter().window();
    wheel(*view, at, 240);
    const PlotWindow closer = view->painter().window();
    QVERIFY(closer.xMax - closer.xMin < 0.8 * (full.xMax - full.xMin));
    const QPointF shown = view->transform().toPixel(before.x(), before.y());
    QVERIFY2(std::hypot(shown.x() - at.x(), shown.y() - at.y()) < 1,
             qPrintable(QString::number(shown.x() - at.x())));
    wheel(*view, at, -240);
    const PlotWindow back = view->painter().window();
    QVERIFY(std::abs((back.xMax - back.xMin) / (full.xMax - full.xMin) - 1) < 1e-9);
    wheel(*view, at, 120);
    QVERIFY(!view->showsAll());
    view->showAll();
    QVERIFY(view->painter().window() == full && view->showsAll());
}

void ViewsTest::aRectangleBecomesTheWindow()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const auto state = document.session().motions.front().state;
    for (const auto& [button, modifiers] :
         {std::pair(Qt::RightButton, Qt::NoModifier), std::pair(Qt::LeftButton, Qt::ControlModifier)}) {
        view->resetWindow();
        const QPoint a = view->transform().area().center().toPoint() - QPoint(80, 50),
                     b = a + QPoint(120, 90);
        const QPointF lower = view->transform().toPlot(QPointF(a.x(), b.y())),
                      upper = view->transform().toPlot(QPointF(b.x(), a.y()));
        QTest::mousePress(view.get(), button, modifiers, a);
        moveTo(*view, b, button, modifiers);
        QTest::mouseRelease(view.get(), button, modifiers, b);
        const PlotWindow w = view->painter().window();
        QVERIFY(std::abs(w.xMin - lower.x()) < 1e-9 && std::abs(w.xMax - upper.x()) < 1e-9);
        QVERIFY(std::abs(w.yMin - lower.y()) < 1e-9 && std::abs(w.yMax - upper.y()) < 1e-9);
    }
    QVERIFY(document.session().motions.front().state == state);
}

void ViewsTest::viewsLeaveTheKeysToTheWindow()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const PlotWindow full = view->painter().window();
    for (const Qt::Key key : {Qt::Key_Plus, Qt::Key_Minus, Qt::Key_0, Qt::Key_Home, Qt::Key_Left, Qt::Key_Up,
                              Qt::Key_Space, Qt::Key_Z}) {
        QKeyEvent event(QEvent::KeyPress, key, Qt::NoModifier);
        QApplication::sendEvent(view.get(), &event);
        QVERIFY(!event.isAccepted());
    }
    QVERIFY(view->painter().window() == full);
    view->zoomBy(2);
    const PlotWindow closer = view->painter().window();
    QVERIFY(closer.xMax - closer.xMin < full.xMax - full.xMin);
    view->moveBy(1, 0);
    QVERIFY(view->painter().window().xMin > closer.xMin);
    view->moveBy(0, 1);
    QVERIFY(view->painter().window().yMin > closer.yMin);
    view->showAll();
    QVERIFY(view->painter().window() == full);
}

void ViewsTest::hoverSaysCoordinatesAndLevel()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const Plot& plot = *view->painter().plot();
    // At a mark the level is that of an equilibrium, which analyze() gives independently.
    const Analysis analysis = document.system()->analyze({});
    const Equilibrium& e = analysis.equilibria.front();
    const auto mark =
        std::find_if(plot.marks.begin(), plot.marks.end(), [&](auto& m) { return m.id == e.name; });
    QVERIFY(mark != plot.marks.end());
    moveTo(*view, view->transform().toPixel(mark->x, mark->y).toPoint(), Qt::NoButton);
    QVERIFY(view->overlay().hover.has_value());
    const QString text = QString::fromStdString(view->overlay().hoverText);
    QVERIFY2(text.contains(QString::fromStdString(plot.x.quantity.symbol + " = ")), qPrintable(text));
    const QString level = text.mid(text.lastIndexOf(u'=') + 2).section(u' ', 0, 0);
    QVERIFY2(std::abs(level.toDouble() - e.energy) < 2e-2 * std::abs(e.energy), qPrintable(text));
}

void ViewsTest::aMovingStateDoesNotRepaintThePlot()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    QVERIFY(untilStill(*view));
    const int before = view->rebuilds();
    const int refreshes = view->refreshes();
    seek(document, 3);
    QTRY_VERIFY(view->refreshes() > refreshes);
    QVERIFY(untilStill(*view));
    QVERIFY(!view->overlay().lines.empty()); // the tail
    QCOMPARE(view->rebuilds(), before);
}

void ViewsTest::aLayerCanBeHidden()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    if (view->painter().plot()->layers.empty())
        QSKIP("this plot has no layers");
    const std::string layer = view->painter().plot()->layers.front();
    QString name = QString::fromStdString(layer);
    name.front() = name.front().toUpper();
    const QImage before = view->grab().toImage();
    findAction(view->viewActions(), name)->trigger();
    QTRY_VERIFY(view->painter().options().hiddenLayers.contains(layer));
    QVERIFY(view->grab().toImage() != before);
    QCOMPARE(document.option(view->info().id + ".hidden"), layer);
    QVERIFY(!findAction(view->viewActions(), name)->isChecked());
}

void ViewsTest::aParameterChangesThePicture()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    const Plot* before = view->painter().plot();
    const Parameter& parameter = document.kind().schema.parameters().front();
    const double value = std::get<double>(document.session().values.at(parameter.id));
    QVERIFY(document.setParameter(parameter.id, 1.3 * value));
    QTRY_VERIFY(view->painter().plot() != before);
    // What is shown in the end is what core says.
    const Plot expected = document.system()->plot(view->info().plot);
    QTRY_VERIFY(view->painter().plot()->marks.front().y == expected.marks.front().y);
}

void ViewsTest::thePlotPaintsOntoAnyPainter()
{
    Document document;
    const auto view = shownPlot(document);
    WAIT_FOR_PLOT(view);
    QImage image(800, 600, QImage::Format_RGB32);
    image.fill(Qt::red);
    QPainter painter(&image);
    view->paintTo(painter, image.rect());
    QVERIFY(image.pixelColor(2, 2) == view->theme().background());
}

void ViewsTest::theSeriesHasAPointForEachPixelOfTheRecording()
{
    Document document;
    SeriesView view(document, {"series", "Time series"});
    view.resize(500, 320);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    seek(document, 10);
    QTRY_COMPARE(view.chart().lineCount(), 2);
    // The window is 20 s long and more than 10 s are recorded (steps are whole): that part of the pixels.
    const double end = document.snapshot()->motions.front().recording->end();
    // They stand on a grid that does not move with the clock; the ends are beside it.
    const double expected = std::ceil(view.chart().area().width()) * std::min(end, 20.0) / 20;
    QTRY_VERIFY(std::abs(view.chart().pointCount(0) - expected) <= 2);
    QCOMPARE(view.chart().pointCount(1), view.chart().pointCount(0));
    QVERIFY(expected <= SeriesView::mostPoints);

    const QString name =
        findAction(view.viewActions(), QStringLiteral("Quantities"))->menu()->actions().at(2)->text();
    QAction* action = findAction(view.viewActions(), name);
    const int lines = action->isChecked() ? 1 : 3;
    action->trigger();
    QTRY_COMPARE(view.chart().lineCount(), lines);
}

void ViewsTest::theSeriesFollowsTheClockUntilPanned()
{
    Document document;
    SeriesView view(document, {"series", "Time series"});
    view.resize(500, 320);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    seek(document, 50);
    QTRY_VERIFY(view.chart().pixelOf(50) > view.chart().area().left() &&
                view.chart().pixelOf(50) < view.chart().area().right());
    QVERIFY(view.follows());
    QWidget* inside = view.chart().viewport();
    const QPoint at = view.chart().area().center().toPoint();
    const double before = view.chart().xAt(at.x());
    QTest::mousePress(inside, Qt::LeftButton, {}, at);
    for (int i = 1; i <= 10; ++i)
        moveTo(*inside, at + QPoint(10 * i, 0), Qt::LeftButton);
    QTest::mouseRelease(inside, Qt::LeftButton, {}, at + QPoint(100, 0));
    QVERIFY(!view.follows());
    QTRY_VERIFY(std::abs(view.chart().xAt(at.x() + 100) - before) < 0.5);
    view.showAll();
    QVERIFY(view.follows());
    // A click brings the clock there.
    QTRY_VERIFY(view.chart().pixelOf(50) < view.chart().area().right());
    const double wanted = view.chart().xAt(at.x());
    QTest::mouseClick(inside, Qt::LeftButton, {}, at);
    QTRY_VERIFY(std::abs(document.snapshot()->t - wanted) < 1e-9);
}

void ViewsTest::aDifferenceOfEqualMotionsIsZero()
{
    Document document;
    Motion same = document.session().motions.front();
    same.label = "same";
    same.colour = 1;
    document.addMotion(same);
    SeriesView view(document, {"series", "Time series"});
    view.resize(500, 320);
    view.show();
    seek(document, 5);
    QTRY_COMPARE(view.chart().lineCount(), 4);
    document.setOption("series.difference", "1");
    QTRY_COMPARE(view.chart().lineCount(), 2);
    QVERIFY(view.chart().pointCount(0) > 50);
}

void ViewsTest::aLogarithmicScaleChartsSizesAndLeavesZeroOut()
{
    Document document;
    Motion same = document.session().motions.front();
    same.colour = 1;
    document.addMotion(same);
    SeriesView view(document, {"series", "Time series"});
    view.resize(500, 320);
    view.show();
    seek(document, 5);
    document.setOption("series.difference", "1");
    QTRY_COMPARE(view.chart().lineCount(), 2);
    QTRY_VERIFY(view.chart().pointCount(0) > 50);
    findAction(view.viewActions(), QStringLiteral("Logarithmic Scale"))->trigger();
    QTRY_COMPARE(view.chart().pointCount(0), 0); // equal motions: 0 has no logarithm
    document.setOption("series.difference", "0");
    QTRY_COMPARE(view.chart().lineCount(), 4);
    QTRY_VERIFY(view.chart().pointCount(0) > 50);
    const auto table = view.data();
    QVERIFY(table.has_value());
    for (const auto& column : table->values)
        for (const double value : column)
            QVERIFY(!(value < 0));
}

// The limits of this plot follow its third root; the pointer decides by the limits it saw at first.
void ViewsTest::aHandleStaysUnderThePointerWhileTheLimitsFollowIt()
{
    Document document;
    document.openPreset("tops", "canonical");
    PlotView view(document, {"cubic", "Cubic", "cubic"});
    view.resize(700, 380);
    view.show();
    QTRY_VERIFY_WITH_TIMEOUT(view.painter().plot() && QTest::qWaitForWindowExposed(&view), 10000);
    const auto third = [&] {
        return std::get<double>(document.kind().schema.read(document.session().values, "x3"));
    };
    const double before = third();
    const PlotTransform seen = view.transform();
    const QPoint from = seen.toPixel(before, 0).toPoint(),
                 to(static_cast<int>(seen.area().left()) - 60, from.y());
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 12; ++i) {
        moveTo(view, from + (to - from) * i / 12, Qt::LeftButton);
        QVERIFY(untilStill(view));
    }
    QVERIFY(std::abs(third() - seen.toPlot(to).x()) < 1e-9);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
    // Let go, the picture holds the root again.
    QTRY_VERIFY(view.painter().window().xMin < third() &&
                view.painter().window() == fullWindow(*view.painter().plot()));
    QVERIFY(third() < before - 0.1);
}

// A free chain has no cubic; the canonical one of the same system has.
void ViewsTest::aPictureThatTheValuesTookAwayComesBackWithThem()
{
    Document document;
    document.openPreset("tops", "sleeping-top");
    PlotView view(document, {"cubic", "Cubic", "cubic"});
    view.resize(700, 380);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QVERIFY(!view.painter().plot());
    document.openPreset("tops", "canonical");
    QTRY_VERIFY_WITH_TIMEOUT(view.painter().plot(), 10000);
    QCOMPARE(QString::fromStdString(view.painter().plot()->id), QString("cubic"));
    document.openPreset("tops", "sleeping-top");
    QTRY_VERIFY_WITH_TIMEOUT(!view.painter().plot(), 10000);
}

void ViewsTest::invariantsStayAboveTheFloorAndNearRounding()
{
    Document document;
    seek(document, 20);
    const MotionTrack& motion = document.snapshot()->motions.front();
    int laws = 0;
    for (const Quantity& quantity : document.system()->quantities()) {
        if (quantity.law.kind != Law::Kind::Constant)
            continue;
        ++laws;
        const Drift drift = driftOf(motion.recording, quantity, 0, 20, 300);
        QCOMPARE(drift.t.size(), std::size_t(300));
        QCOMPARE(drift.change.front(), Drift::floor); // at t = 0 nothing has changed
        for (const double change : drift.change) {
            QVERIFY(change >= Drift::floor);
            QVERIFY(change < 1e-6); // the default tolerance is 1e-10 a step
        }
    }
    InvariantsView view(document, {"invariants", "Invariants"});
    view.resize(400, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    QTRY_COMPARE(view.chart().lineCount(), laws);
    // Twelve spins that are constant by construction do not crowd out energy and momentum.
    document.openPreset("tops", "twelve-tops");
    QTRY_COMPARE(view.chart().lineCount(), 14);
    seek(document, 0.2);
    QTRY_COMPARE(view.chart().lineCount(), 2);
}

void ViewsTest::driftIsTheChangeOfTheQuantity()
{
    Document document;
    seek(document, 4);
    const auto recording = document.snapshot()->motions.front().recording;
    // A coordinate is not constant; pretending it were, its drift is its relative change.
    Quantity quantity = document.system()->coordinates().front();
    const double q0 = document.system()->quantity(quantity.id, 0, recording->initialState());
    const double q1 = document.system()->quantity(quantity.id, 4, recording->state(4));
    quantity.law = Law::constant();
    const Drift drift = driftOf(recording, quantity, 0, 4, 11);
    const double expected = std::abs(q1 - q0) / (q0 != 0 ? std::abs(q0) : 1);
    QVERIFY(std::abs(drift.change.back() - expected) < 1e-12 * (1 + expected));
}

// Energy less the work of the servo: the run keeps it to its tolerance of 1e-10 a step.
void ViewsTest::aBalanceIsShownWithTheErrorOfTheRun()
{
    Document document;
    document.openPreset("servo-rod", "centre");
    seek(document, 60);
    InvariantsView view(document, {"invariants", "Invariants"});
    view.resize(200, 150); // few points, far apart
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const auto table = view.data();
    QVERIFY(table.has_value());
    int values = 0;
    for (std::size_t c = 0; c < table->columns.size(); ++c)
        for (const double change : table->values[c])
            if (table->columns[c].id.starts_with("change_of_") && std::isfinite(change)) {
                QVERIFY2(change < 1e-8, qPrintable(QString::number(change)));
                ++values;
            }
    QVERIFY(values > 50);
}

void ViewsTest::anotherMethodAddsALineForEachInvariant()
{
    Document document;
    InvariantsView view(document, {"invariants", "Invariants"});
    view.resize(400, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    seek(document, 5);
    QTRY_VERIFY(view.chart().lineCount() > 0);
    const int before = view.chart().lineCount();
    const auto methods =
        findAction(view.viewActions(), QStringLiteral("Compare With Another Method"))->menu()->actions();
    QVERIFY(!methods.isEmpty());
    methods.back()->trigger();
    QCOMPARE(document.session().motions.size(), std::size_t(2));
    QVERIFY(document.session().motions[0].state == document.session().motions[1].state);
    QVERIFY(document.session().motions[0].colour != document.session().motions[1].colour);
    QTRY_COMPARE(view.chart().lineCount(), 2 * before);
}

void ViewsTest::everyViewOfTheSystemIsMade()
{
    Document document;
    for (const ViewInfo& info : viewsOf(*document.system())) {
        if (isView3d(*document.system(), info))
            continue; // in the test with OpenGL
        const auto view = makeView(document, info);
        QCOMPARE(view->viewId(), QString::fromStdString(info.id));
        view->resize(640, 480);
        view->show();
        for (const Theme& theme : {Theme::light(), Theme::dark(2), Theme::print()}) {
            view->setTheme(theme);
            QVERIFY2(untilStill(*view), info.id.c_str());
            for (const QSize size : {QSize(640, 480), QSize(160, 120)}) {
                view->resize(size);
                QVERIFY2(untilStill(*view), info.id.c_str());
                const auto [ground, ink] = shareOf(view->grab().toImage(), theme.background());
                QVERIFY2(ground > 0.2 && ink > 0.005, qPrintable(QString("%1: %2 of ground, %3 of ink")
                                                                     .arg(QString::fromStdString(info.id))
                                                                     .arg(ground)
                                                                     .arg(ink)));
            }
        }
    }
    QVERIFY_EXCEPTION_THROWN(makeView(document, {"nonsense", ""}), std::exception);
}

void ViewsTest::anOptionLeftAutomaticShowsWhatIsTaken()
{
    Document document(readSession(presetNamed("three-body", "six").text));
    document.setOption("branch.x", "tau");
    auto view = std::make_unique<PlotView>(document, ViewInfo{"branch", "Branches", "branch"});
    view->resize(700, 500);
    view->show();
    WAIT_FOR_PLOT(view);
    auto* from = view->findChild<NumberField*>(QStringLiteral("option.from"));
    QVERIFY(from);
    const double least = document.kind().schema.resolve("tau").sliderMin;
    QTRY_COMPARE(from->text(), QStringLiteral("automatic (%1)").arg(fieldText(least)));
    auto* along = view->findChild<QComboBox*>(QStringLiteral("option.x"));
    QCOMPARE(along->currentText(), QStringLiteral("τ = B₁/A₁")); // no markup
    const auto enter = [&](const char* text) {
        from->setFocus();
        from->selectAll();
        QTest::keyClick(from, Qt::Key_Delete);
        QTest::keyClicks(from, QString::fromUtf8(text));
        QTest::keyClick(from, Qt::Key_Return);
    };
    enter("1/2");
    QCOMPARE(document.option("branch.from"), std::string("1/2"));
    QTRY_COMPARE(document.plot("branch")->value->x.min, 0.5);
    QTRY_COMPARE(from->text(), QStringLiteral("0.5"));
    enter("");
    QTRY_COMPARE(document.plot("branch")->value->x.min, least);
    QTRY_COMPARE(from->text(), QStringLiteral("automatic (%1)").arg(fieldText(least)));
}

// Three bodies in line: the bent pair has cos θ21 = (1 - κ² - τ²) / (2 κ τ), equation (6.33) of the paper.
void ViewsTest::aClickOnABranchGoesThere()
{
    Document document(readSession(presetNamed("three-body", "six").text));
    document.setOption("branch.x", "tau");
    document.setOption("branch.y", "theta21");
    auto view = std::make_unique<PlotView>(document, ViewInfo{"branch", "Branches", "branch"});
    view->resize(700, 500);
    view->show();
    WAIT_FOR_PLOT(view);
    QTRY_VERIFY_WITH_TIMEOUT(document.plot("branch") && document.plot("branch")->final, 20000);
    QVERIFY(untilStill(*view));
    const auto read = [&](const char* id) {
        return std::get<double>(document.kind().schema.read(document.session().values, id));
    };
    const double kappa = read("kappa"), tau = 1.0;
    const double theta21 = std::acos((1 - kappa * kappa - tau * tau) / (2 * kappa * tau));
    // Between the branches nothing happens.
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, view->transform().toPixel(tau, 0.6).toPoint());
    QVERIFY(untilStill(*view));
    QCOMPARE(read("tau"), 1.5);
    const QPoint at = view->transform().toPixel(tau, theta21).toPoint();
    QTest::mouseClick(view.get(), Qt::LeftButton, {}, at);
    QTRY_VERIFY(read("tau") != 1.5);
    const double clicked = view->transform().toPlot(at).x();
    QVERIFY(std::abs(read("tau") - clicked) < 1e-9);
    QVERIFY(std::abs(std::abs(input(document, "theta21")) -
                     std::acos((1 - kappa * kappa - clicked * clicked) / (2 * kappa * clicked))) < 1e-9);
    QVERIFY(document.selection().starts_with("extra"));
    document.undoStack()->undo(); // one step for both
    QVERIFY(std::abs(read("tau") - 1.5) < 1e-12);
    QVERIFY(std::abs(input(document, "theta21") - 0.9) < 1e-12);
}

QTEST_MAIN(ViewsTest)
#include "views_test.moc"
