// The laboratory as a person uses it: mouse and keys on a real window, the answers compared with what core
// says.
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/number_field.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/chart_view.h"
#include "ui/views/invariants_view.h"
#include "ui/views/motion_legend.h"
#include "ui/views/plot_view.h"
#include "ui/views/series_view.h"
#include "ui/views/view3d.h"
#include "ui/window/application.h"

#include <QAbstractScrollArea>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTabBar>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeView>

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace casimir;

namespace {

double parameter(MainWindow& window, const char* id)
{
    return std::get<double>(window.document().session().values.at(id));
}

// Every finding answers the present session.
bool settled(MainWindow& window)
{
    Document& document = window.document();
    const auto analysis = document.analysis();
    const auto plot = document.plot("portrait");
    return analysis && plot && document.isCurrent(analysis->number) && document.isCurrent(plot->number) &&
           plot->final;
}

void drag(QWidget* widget, QPoint from, QPoint to, int steps)
{
    QTest::mousePress(widget, Qt::LeftButton, {}, from);
    for (int i = 1; i <= steps; ++i)
        QTest::mouseMove(widget, from + (to - from) * i / steps);
    QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
}

} // namespace

class WindowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QSettings("CasimirTest", "CasimirTest").clear();
        window_ = test::openWindow();
        QVERIFY(window_);
    }
    void cleanup() { window_.reset(); }

    void draggingASliderChangesPortraitTableAndStageInOneUndoStep()
    {
        auto* slider = window_->findChild<ValueSlider*>("slider:mu");
        QVERIFY(slider);
        QTRY_VERIFY(settled(*window_));
        const double before = parameter(*window_, "mu");
        const auto portrait = window_->document().plot("portrait");
        const QImage stage = window_->view("stage")->grab().toImage();

        drag(slider, slider->handle(), slider->handle() - QPoint(60, 0), 12);
        const double after = parameter(*window_, "mu");
        QVERIFY(after < before - 1);
        QTRY_VERIFY(settled(*window_));

        // What core says for this value, computed here anew.
        const auto system = window_->document().kind().make(window_->document().session().values);
        const Analysis expected = system->analyze({});
        QCOMPARE(window_->document().analysis()->value->equilibria[0].energy, expected.equilibria[0].energy);
        const Plot plot = system->plot("portrait");
        QCOMPARE(window_->document().plot("portrait")->value->y.max, plot.y.max);
        QVERIFY(portrait->value->y.max != plot.y.max);
        const auto* table = window_->findChild<QTreeView*>("equilibria-table");
        QVERIFY(table);
        const QString energy = QString::number(expected.equilibria[0].energy, 'g', 4).left(4);
        const auto shown = [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                for (int column = 0; column < table->model()->columnCount(); ++column)
                    if (table->model()->index(row, column).data().toString().contains(energy))
                        return true;
            return false;
        };
        QTRY_VERIFY2(shown(), qPrintable(energy));
        QTRY_VERIFY(window_->view("stage")->grab().toImage() != stage);

        QCOMPARE(window_->document().undoStack()->count(), 1);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(parameter(*window_, "mu"), before);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(parameter(*window_, "mu"), after);
    }

    void aLinkedParameterFollows()
    {
        auto* slider = window_->findChild<ValueSlider*>("slider:omega_e");
        QVERIFY(slider);
        const double mu = parameter(*window_, "mu");
        drag(slider, slider->handle(), slider->handle() + QPoint(30, 0), 6);
        QVERIFY(parameter(*window_, "mu") > mu);
    }

    void clickingThePortraitStartsTheMotionThere()
    {
        auto* portrait = qobject_cast<PlotView*>(window_->view("portrait"));
        QVERIFY(portrait);
        QTRY_VERIFY(settled(*window_) && portrait->painter().plot());
        const QPoint at = portrait->transform().area().center().toPoint() + QPoint(30, -20);
        const QPointF wanted = portrait->transform().toPlot(at);
        QTest::mouseClick(portrait, Qt::LeftButton, {}, at);
        const auto system = window_->document().system();
        const State start = system->start(window_->document().session().motions.front().state);
        QVERIFY(std::abs(system->quantity("theta", 0, start) - wanted.x()) < 1e-9);
        QVERIFY(std::abs(system->quantity("nu", 0, start) - wanted.y()) < 1e-9);
        QTRY_COMPARE(window_->document().snapshot()->motions.front().recording->initialState(), start);
    }

    void spacePlaysArrowsStepAndZeroReturns()
    {
        window_->view("portrait")->setFocus();
        QTest::keyClick(window_.get(), Qt::Key_Space);
        QTRY_VERIFY(window_->document().snapshot()->t > 0.2);
        QTest::keyClick(window_.get(), Qt::Key_Space);
        QTRY_VERIFY(!window_->document().snapshot()->playing);
        const double t = window_->document().snapshot()->t;
        QTest::keyClick(window_.get(), Qt::Key_0);
        QTRY_COMPARE(window_->document().snapshot()->t, 0.0);
        QVERIFY(t > 0);
        QTest::keyClick(window_.get(), Qt::Key_Right);
        QTRY_VERIFY(window_->document().snapshot()->t > 0);
        QTest::keyClick(window_.get(), Qt::Key_R);
        QTRY_VERIFY(window_->document().snapshot()->reverse);
    }

    void scrubbingShowsWhatWasRecorded()
    {
        auto* scrub = window_->findChild<ScrubBar*>("scrub");
        QVERIFY(scrub);
        const int x = scrub->width() / 2;
        QTest::mouseClick(scrub, Qt::LeftButton, {}, QPoint(x, scrub->height() / 2));
        QTRY_VERIFY(window_->document().snapshot()->t > 1);
        QTRY_VERIFY(window_->document().snapshot()->lag < 1e-9);
        const auto snapshot = window_->document().snapshot();
        // The same motion integrated here, without engine or window.
        const auto system = window_->document().system();
        const auto run = system->integrate(
            "dopri5", 0, system->start(window_->document().session().motions.front().state), {});
        QVERIFY(advanceTo(*run, snapshot->t).ok());
        QVERIFY((run->state() - snapshot->motions.front().state).norm() < 1e-6);
    }

    void aChangeWhileRunningGoesOnFromThePresentStateAndOneUndoRestoresBoth()
    {
        const StateInputs start = window_->document().session().motions.front().state;
        const double mu = parameter(*window_, "mu");
        auto* scrub = window_->findChild<ScrubBar*>("scrub");
        QTest::mouseClick(scrub, Qt::LeftButton, {}, QPoint(scrub->width() / 3, scrub->height() / 2));
        QTRY_VERIFY(window_->document().snapshot()->t > 1 && window_->document().snapshot()->lag < 1e-9);
        const State present = window_->document().snapshot()->motions.front().state;
        const double t = window_->document().snapshot()->t;
        auto* slider = window_->findChild<ValueSlider*>("slider:mu");
        drag(slider, slider->handle(), slider->handle() - QPoint(20, 0), 4);
        // The start stays the person's; the motion is taken up where it was, and the clock goes on.
        const Motion& motion = window_->document().session().motions.front();
        QCOMPARE(motion.state, start);
        QVERIFY(motion.from && motion.from->t == t);
        QCOMPARE(motion.from->state.front().first, std::string("theta"));
        QVERIFY(std::abs(motion.from->state.front().second - present[0]) < 1e-9);
        QTRY_VERIFY(window_->document().snapshot()->session->session->values.real("mu") != mu);
        QCOMPARE(window_->document().snapshot()->t, t);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window_->document().session().motions.front().state, start);
        QVERIFY(!window_->document().session().motions.front().from);
        QCOMPARE(parameter(*window_, "mu"), mu);
        QTRY_VERIFY(window_->document().snapshot()->session->session->values.real("mu") == mu);
        QCOMPARE(window_->document().snapshot()->t, t);
        // "Back to the start" after another change goes to the start that the person gave.
        drag(slider, slider->handle(), slider->handle() - QPoint(20, 0), 4);
        QVERIFY(window_->document().session().motions.front().from);
        QTest::keyClick(window_.get(), Qt::Key_0);
        QVERIFY(!window_->document().session().motions.front().from);
        QTRY_COMPARE(window_->document().snapshot()->t, 0.0);
        QVERIFY(window_->document().snapshot()->motions.front().state ==
                window_->document().system()->start(start));
    }

    void savingAndOpeningGivesTheSameSession()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("one.json");
        auto* slider = window_->findChild<ValueSlider*>("slider:d2");
        drag(slider, slider->handle(), slider->handle() + QPoint(25, 0), 3);
        QVERIFY(window_->saveFile(path)); // notes which views are visible
        const QString text = window_->document().sessionText();
        window_->document().undoStack()->undo();
        QVERIFY(window_->openFile(path));
        QCOMPARE(window_->document().sessionText(), text);
    }

    void shortcutsSheetListsEveryKeyOfTheTable()
    {
        QTest::keyClick(window_.get(), Qt::Key_F1);
        auto* sheet = window_->findChild<QDialog*>("shortcuts");
        QVERIFY(sheet);
        const QString html = window_->actions().sheet();
        for (const ActionSpec& spec : window_->actions().specs())
            for (const QKeySequence& key : spec.keys)
                QVERIFY2(html.contains(key.toString(QKeySequence::NativeText).toHtmlEscaped()),
                         qPrintable(spec.id));
        sheet->close();
    }

    void docksFloatAndReturnThemesAndSizesChangeWithoutHarm()
    {
        for (QDockWidget* dock : window_->findChildren<QDockWidget*>()) {
            dock->setFloating(true);
            QVERIFY(QTest::qWaitForWindowExposed(dock->window()));
            dock->setFloating(false);
        }
        for (const auto choice : {MainWindow::ThemeChoice::Dark, MainWindow::ThemeChoice::Light}) {
            window_->setThemeChoice(choice);
            QCoreApplication::processEvents();
        }
        for (const QSize size : {QSize(640, 480), QSize(1590, 990), QSize(1200, 800)}) {
            window_->resize(size);
            QTRY_COMPARE(window_->size(), size);
        }
        window_->setLectureMode(true);
        QCoreApplication::processEvents();
        window_->setLectureMode(false);
        QTRY_VERIFY(window_->view("stage")->isVisible());
    }

    // Qt calls a dock behind another tab visible; nothing may be computed or drawn for it.
    void whatStandsBehindAnotherTabCostsNothingUntilItIsRaised()
    {
        Document& document = window_->document();
        QTRY_VERIFY(settled(*window_));
        View* map = window_->view("map");
        View* portrait = window_->view("portrait");
        QVERIFY(!map->isSeen() && portrait->isSeen());
        const int mapBefore = map->refreshes(), portraitBefore = portrait->refreshes();
        document.setParameter("mu", 1.1 * document.session().values.real("mu"));
        QTRY_VERIFY(document.answered() && portrait->refreshes() > portraitBefore);
        QCOMPARE(map->refreshes(), mapBefore);
        QVERIFY(!document.plot("map"));

        auto* dock = qobject_cast<QDockWidget*>(map->parentWidget());
        dock->raise();
        QTRY_VERIFY(map->isSeen() && map->refreshes() > mapBefore);
        QTRY_VERIFY(document.plot("map") && document.plot("map")->final);
        // And whatever it covers now is left alone.
        View* covered = nullptr;
        for (QDockWidget* other : window_->tabifiedDockWidgets(dock))
            if (auto* view = qobject_cast<View*>(other->widget()); view && view->refreshes() > 0)
                covered = view;
        QVERIFY(covered && !covered->isSeen());
        const int coveredBefore = covered->refreshes(), raisedBefore = map->refreshes();
        document.setParameter("mu", 1.1 * document.session().values.real("mu"));
        QTRY_VERIFY(document.answered() && map->refreshes() > raisedBefore);
        QCOMPARE(covered->refreshes(), coveredBefore);
    }

    // Prints how long the GUI thread was busy with each event of a drag; the number of analyses is what is
    // tested: none runs on this thread, and each request is answered at most once.
    void aDragOfThreeHundredStepsIsFollowed()
    {
        auto* slider = window_->findChild<ValueSlider*>("slider:mu");
        QTRY_VERIFY(settled(*window_));
        const long before = window_->document().analysesRun();
        std::vector<double> busy;
        QTest::mousePress(slider, Qt::LeftButton, {}, slider->handle());
        const QPoint from = slider->handle();
        int events = 0;
        for (int i = 0; i < 300; ++i) {
            const int x = from.x() - static_cast<int>(70 * std::sin(i * 0.05));
            QElapsedTimer timer;
            timer.start();
            QMouseEvent move(QEvent::MouseMove, QPointF(x, from.y()),
                             slider->mapToGlobal(QPointF(x, from.y())), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(slider, &move);
            busy.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
            ++events;
            if (i % 10 == 0)
                QCoreApplication::processEvents();
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, from);
        std::sort(busy.begin(), busy.end());
        qInfo("slider event to committed session, GUI thread: median %.2f ms, 95th percentile %.2f ms",
              busy[busy.size() / 2], busy[busy.size() * 95 / 100]);
        QTRY_VERIFY(settled(*window_));
        // Analysis, orbit, and each visible plot once per event at the most.
        const long plots = static_cast<long>(plotsOf(*window_->document().system()).size());
        QVERIFY(window_->document().analysesRun() - before <= (2 + plots) * (events + 2));
        QCOMPARE(window_->document().analysesOnThisThread(), 0L);
        QCOMPARE(window_->document().undoStack()->count(), 1);
    }

    void aPressThatBecomesADragNeverMovesTheStartAndAReleaseInPlaceDoes()
    {
        auto* portrait = qobject_cast<PlotView*>(window_->view("portrait"));
        QTRY_VERIFY(settled(*window_) && portrait->painter().plot());
        const auto& motions = window_->document().session().motions;
        const StateInputs start = motions.front().state;
        const QPoint at = portrait->transform().area().center().toPoint() + QPoint(30, -20);
        drag(portrait, at, at + QPoint(50, 10), 8);
        QVERIFY(motions.front().state == start);
        auto& canvas = qobject_cast<View3d*>(window_->view("cylinder"))->canvas();
        drag(&canvas, canvas.rect().center(), canvas.rect().center() + QPoint(40, 5), 8);
        QVERIFY(window_->document().session().motions.front().state == start);
        QCOMPARE(window_->document().undoStack()->count(), 0);
        QTest::mousePress(portrait, Qt::LeftButton, {}, at);
        QVERIFY(window_->document().session().motions.front().state == start);
        QTest::mouseRelease(portrait, Qt::LeftButton, {}, at);
        QVERIFY(window_->document().session().motions.front().state != start);
    }

    // A click that a window manager answers by bringing a floating view to the front.
    void aClickThatRaisesAFloatingViewOrATabLeavesTheStart()
    {
        auto* portrait = qobject_cast<PlotView*>(window_->view("portrait"));
        auto* dock = qobject_cast<QDockWidget*>(portrait->parentWidget());
        dock->setFloating(true);
        QVERIFY(QTest::qWaitForWindowExposed(dock));
        QTRY_VERIFY(settled(*window_) && portrait->painter().plot());
        const StateInputs start = window_->document().session().motions.front().state;
        const auto state = [this] { return window_->document().session().motions.front().state; };
        window_->activateWindow();
        QTRY_VERIFY(window_->isActiveWindow() && !dock->isActiveWindow());
        const QPoint at = portrait->transform().area().center().toPoint() + QPoint(30, -20);
        dock->activateWindow();
        QTRY_VERIFY(dock->isActiveWindow());
        QTest::mouseClick(portrait, Qt::LeftButton, {}, at);
        QVERIFY(state() == start);
        // Once it is in front a click means what it always does.
        QTRY_VERIFY((QTest::mouseClick(portrait, Qt::LeftButton, {}, at), state() != start));
        const StateInputs chosen = state();
        dock->setFloating(false);
        for (QTabBar* tabs : window_->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
            for (int i = 0; i < tabs->count(); ++i)
                QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(i).center());
        QVERIFY(state() == chosen);
    }

    void aDoubleClickDoesNoMoreThanAClick()
    {
        QTRY_VERIFY(settled(*window_));
        const auto twice = [](QWidget* widget, QPoint at) {
            QTest::mouseClick(widget, Qt::LeftButton, {}, at);
            QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
            QTest::mouseRelease(widget, Qt::LeftButton, {}, at);
        };
        for (const char* id : {"portrait", "cylinder", "stage", "series", "invariants"}) {
            View* view = window_->view(id);
            // A picture that has not come yet has nothing to zoom.
            QTRY_VERIFY2((view->zoomBy(1.5), !view->showsAll()), id);
            QWidget* target = view->focusProxy() ? view->focusProxy() : view;
            if (auto* scroll = qobject_cast<QAbstractScrollArea*>(target))
                target = scroll->viewport();
            const QPoint at = target->rect().center() + QPoint(23, 17);
            QTest::mouseClick(target, Qt::LeftButton, {}, at);
            const Session once = window_->document().session();
            const std::string selected = window_->document().selection();
            QTest::mouseDClick(target, Qt::LeftButton, {}, at);
            QTest::mouseRelease(target, Qt::LeftButton, {}, at);
            QVERIFY2(window_->document().session().motions == once.motions, id);
            QCOMPARE(window_->document().selection(), selected);
            QVERIFY2(!view->showsAll(), id);
        }
        // On a mark, where a click selects and a second one would take it back.
        auto* portrait = qobject_cast<PlotView*>(window_->view("portrait"));
        portrait->showAll();
        const Mark mark = portrait->painter().plot()->marks.front();
        twice(portrait, portrait->transform().toPixel(mark.x, mark.y).toPoint());
        QCOMPARE(window_->document().selection(), mark.id);
    }

    void aKeyHasOneMeaningInEveryView()
    {
        QTRY_VERIFY(settled(*window_));
        QList<QKeySequence> all;
        for (const ActionSpec& spec : window_->actions().specs())
            for (const QKeySequence& key : spec.keys) {
                QVERIFY2(!all.contains(key), qPrintable(key.toString()));
                all << key;
            }
        int seen = 0;
        for (View* view : window_->findChildren<View*>()) {
            QWidget* target = view->focusProxy() ? view->focusProxy() : view;
            for (const QKeySequence& key : all) {
                QKeyEvent event(QEvent::KeyPress, key[0].key(), key[0].keyboardModifiers());
                event.accept();
                (void)static_cast<QObject*>(target)->event(&event);
                QVERIFY2(!event.isAccepted(), qPrintable(view->viewId() + " takes " + key.toString()));
            }
            if (!view->isSeen() || view->isHidden())
                continue;
            if (auto* plot = qobject_cast<PlotView*>(view))
                QTRY_VERIFY2(plot->painter().plot(), qPrintable(view->viewId()));
            ++seen;
            target->setFocus();
            auto* button = view->findChild<QToolButton*>("show-all");
            for (const bool byButton : {false, true}) {
                QTest::keyClick(target, Qt::Key_Plus);
                QTRY_VERIFY2(!view->showsAll() && button->isVisible(), qPrintable(view->viewId()));
                if (byButton)
                    QTest::mouseClick(button, Qt::LeftButton);
                else
                    QTest::keyClick(target, Qt::Key_Z);
                QTRY_VERIFY2(view->showsAll() && !button->isVisible(), qPrintable(view->viewId()));
            }
            QTest::keyClick(target, Qt::Key_Right, Qt::ControlModifier);
            QVERIFY2(!view->showsAll(), qPrintable(view->viewId()));
            QTest::keyClick(target, Qt::Key_Z);
        }
        QVERIFY(seen >= 5);
        QCOMPARE(window_->document().snapshot()->t, 0.0);
        QVERIFY(window_->actions().sheet().contains(">Z<"));
    }

    void theClockStopsWhereTheRunEndsAndTheTimeAxesEndThere()
    {
        Document& document = window_->document();
        RunOptions run = document.session().run;
        run.tEnd = 0.4;
        run.loop = false;
        document.setRun(run);
        window_->view("portrait")->setFocus();
        QTest::keyClick(window_.get(), Qt::Key_Space);
        QTRY_VERIFY(document.snapshot()->t > 0 && !document.snapshot()->playing);
        QCOMPARE(document.snapshot()->t, run.tEnd);
        auto& series = qobject_cast<SeriesView*>(window_->view("series"))->chart();
        auto& invariants = qobject_cast<InvariantsView*>(window_->view("invariants"))->chart();
        QTRY_VERIFY(std::abs(series.xAt(series.area().right()) - run.tEnd) < 1e-9);
        QTRY_VERIFY(std::abs(invariants.xAt(invariants.area().right()) - run.tEnd) < 1e-9);
        // Asked again it goes on, and says so.
        QTest::keyClick(window_.get(), Qt::Key_Space);
        QTRY_VERIFY(document.snapshot()->t > run.tEnd + 0.2);
        QVERIFY(document.snapshot()->playing);
        QTRY_VERIFY2(window_->findChild<ScrubBar*>("scrub")->toolTip().contains("beyond"),
                     qPrintable(window_->findChild<ScrubBar*>("scrub")->toolTip()));
        QTRY_VERIFY(series.xAt(series.area().right()) > run.tEnd);
    }

    void motionsAreToldApartByNameAndColourInEveryView()
    {
        Document& document = window_->document();
        qobject_cast<QDockWidget*>(window_->findChild<QDockWidget*>("dock:motions"))->raise();
        window_->findChild<QAction*>("add-other-integrator")->trigger();
        window_->findChild<QAction*>("add-from-present")->trigger();
        QCOMPARE(document.session().motions.size(), std::size_t(3));
        // Called after its method, it is called after the next one it gets.
        const std::string called = document.session().motions[1].label;
        auto* method = window_->findChild<QComboBox*>("motion1:method");
        QCOMPARE(method->currentText().toStdString(), called);
        const int other = method->currentIndex() == 0 ? 1 : method->currentIndex() - 1;
        method->setCurrentIndex(other);
        Q_EMIT method->activated(other);
        QCOMPARE(document.session().motions[1].label, method->itemText(other).toStdString());
        QVERIFY(document.session().motions[1].label != called);
        // A name that a person gave is theirs.
        auto* name = window_->findChild<QLineEdit*>("motion1:label");
        name->selectAll();
        QTest::keyClicks(name, "mine");
        QTest::keyClick(name, Qt::Key_Return);
        Q_EMIT method->activated(method->currentIndex() == 0 ? 1 : 0);
        QCOMPARE(document.session().motions[1].label, std::string("mine"));
        // Names and colours stay apart whatever was removed.
        QVERIFY(document.removeMotion(1));
        window_->findChild<QAction*>("add-from-present")->trigger();
        const auto& motions = document.session().motions;
        for (std::size_t i = 0; i < motions.size(); ++i)
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY(motions[i].label != motions[k].label && motions[i].colour != motions[k].colour);

        std::vector<NamedMotion> expected;
        for (const Motion& motion : motions)
            expected.push_back({QString::fromStdString(motion.label), Colour::motion(motion.colour)});
        for (const char* id : {"stage", "cylinder", "portrait", "series", "invariants"}) {
            View* view = window_->view(id);
            auto* legend = view->findChild<MotionLegend*>();
            auto* chart = view->findChild<ChartView*>();
            QTRY_VERIFY2(legend->motions() == expected || (chart && chart->showsLegend()), id);
            QVERIFY2(legend->isVisible() || chart, id);
        }
        // One alone needs no name.
        QVERIFY(document.removeMotion(2) && document.removeMotion(1));
        for (const char* id : {"stage", "cylinder", "portrait", "series", "invariants"})
            QTRY_VERIFY2(!window_->view(id)->findChild<MotionLegend*>()->isVisible(), id);
    }

    void enterAndEscapeInAFieldGiveTheKeysBackToTheView()
    {
        View* portrait = window_->view("portrait");
        auto* field = window_->findChild<NumberField*>("value:mu");
        qobject_cast<QDockWidget*>(window_->findChild<QDockWidget*>("dock:parameters"))->raise();
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Escape}) {
            portrait->setFocus();
            QTRY_VERIFY(portrait->hasFocus());
            const double before = parameter(*window_, "mu");
            QTest::mouseClick(field, Qt::LeftButton);
            field->selectAll();
            QTest::keyClicks(field, "20");
            QTest::keyClick(field, key);
            QTRY_VERIFY(portrait->hasFocus());
            QCOMPARE(parameter(*window_, "mu"), key == Qt::Key_Return ? 20.0 : before);
            window_->document().setParameter("mu", 33.0);
        }
        const double t = window_->document().snapshot()->t;
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Right);
        QTRY_VERIFY(window_->document().snapshot()->t > t);
        // What is refused stays where it can be mended.
        QTest::mouseClick(field, Qt::LeftButton);
        field->selectAll();
        QTest::keyClicks(field, "nonsense");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->hasFocus());
        QCOMPARE(field->text(), QString("nonsense"));
        QTest::keyClick(field, Qt::Key_Escape);
        QTRY_VERIFY(portrait->hasFocus());

        auto* label = window_->findChild<QLineEdit*>("motion0:label");
        qobject_cast<QDockWidget*>(window_->findChild<QDockWidget*>("dock:motions"))->raise();
        QTest::mouseClick(label, Qt::LeftButton);
        QTest::keyClick(label, Qt::Key_Return);
        QTRY_VERIFY(portrait->hasFocus());
    }

    void everyViewSaysInWordsWhatItShows()
    {
        QTRY_VERIFY(settled(*window_));
        for (const char* id : {"stage", "cylinder", "portrait", "series", "invariants"}) {
            View* view = window_->view(id);
            QTRY_VERIFY2(view->accessibleDescription().contains(QRegularExpression("[0-9]")), id);
            QWidget* focused = view->focusProxy() ? view->focusProxy() : view;
            QCOMPARE(focused->accessibleDescription(), view->accessibleDescription());
            qInfo().noquote() << id << ":" << view->accessibleDescription();
        }
    }

    // Its fields are left by the person and by the Motion at once; what was typed is then nobody's.
    void aMotionMayGoWhileItsNameIsTyped()
    {
        Document& document = window_->document();
        const auto typeInto = [this](const char* name) {
            auto* field = window_->findChild<QLineEdit*>(name);
            qobject_cast<QDockWidget*>(window_->findChild<QDockWidget*>("dock:motions"))->raise();
            QTest::mouseClick(field, Qt::LeftButton);
            QTest::keyClicks(field, "mine");
            return field->hasFocus();
        };
        const auto two = [&] {
            Motion second = document.session().motions.front();
            second.label = "second";
            document.addMotion(second);
            return document.session().motions.size();
        };
        QCOMPARE(two(), std::size_t(2));
        QVERIFY(typeInto("motion1:label"));
        QVERIFY(document.removeMotion(1));
        QCOMPARE(two(), std::size_t(2));
        QVERIFY(typeInto("motion1:overrides"));
        document.undoStack()->undo();
        QCOMPARE(two(), std::size_t(2));
        QVERIFY(typeInto("motion1:label"));
        document.openPreset("two-body", "slender");
        QCOMPARE(document.session().motions.size(), std::size_t(1));
        QVERIFY(document.session().motions.front().label != "mine");
        // The field that stays does not give its text to the Motion that moves up.
        QCOMPARE(two(), std::size_t(2));
        QVERIFY(typeInto("motion0:label"));
        QVERIFY(document.removeMotion(0));
        window_->view("portrait")->setFocus();
        QCOMPARE(document.session().motions.front().label, std::string("second"));
    }

    void anExceptionInAnEventBecomesASentenceAndTheWorkIsKept()
    {
        window_->document().setParameter("mu", 12.5);
        bool after = false;
        QMetaObject::invokeMethod(
            window_.get(), [] { throw std::out_of_range("nothing is at 7"); }, Qt::QueuedConnection);
        QMetaObject::invokeMethod(
            window_.get(), [&after] { after = true; }, Qt::QueuedConnection);
        QTRY_VERIFY(after);
        const QString said = window_->statusBar()->currentMessage();
        QVERIFY2(said.contains("nothing is at 7"), qPrintable(said));
        QDir folder(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                    "/casimirtest/autosave");
        bool kept = false;
        for (const QString& name : folder.entryList({"*.json"})) {
            QFile file(folder.filePath(name));
            kept = kept || (file.open(QIODevice::ReadOnly) && file.readAll().contains("12.5"));
        }
        QVERIFY(kept);
    }

private:
    std::unique_ptr<MainWindow> window_;
};

int main(int argc, char** argv)
{
    prepareOpenGl();
    Application application(argc, argv);
    WindowTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "window_test.moc"
