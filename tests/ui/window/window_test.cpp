// The laboratory as a person uses it: mouse and keys on a real window, the answers compared with what core
// says.
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/timeline_panel.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/plot_view.h"
#include "ui/window/application.h"

#include <QDialog>
#include <QDir>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QStatusBar>
#include <QTemporaryDir>
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
            QTest::qWait(20);
            dock->setFloating(false);
        }
        for (const auto choice : {MainWindow::ThemeChoice::Dark, MainWindow::ThemeChoice::Light}) {
            window_->setThemeChoice(choice);
            QTest::qWait(50);
        }
        for (const QSize size : {QSize(640, 480), QSize(1590, 990), QSize(1200, 800)}) {
            window_->resize(size);
            QTest::qWait(50);
            QCOMPARE(window_->size(), size);
        }
        window_->setLectureMode(true);
        QTest::qWait(50);
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
