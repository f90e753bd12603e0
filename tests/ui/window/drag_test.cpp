// What a drag costs the thread of the widgets, counted in every system: it makes no system, solves for no
// start, and poses bodies once a frame and Motion beside what new samples of the paths take.
#include "core/systems/catalogue.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/stage_view.h"

#include <QApplication>
#include <QDockWidget>
#include <QPointer>
#include <QSettings>
#include <QSignalSpy>
#include <QStandardPaths>

#include <cmath>

using namespace casimir;

class DragTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings("CasimirTest", "CasimirTest").clear();
        // Nobody waits here for what an edit makes: a slow one comes later, as in a busy window.
        Document::patience = std::chrono::milliseconds(0);
        window_ = test::openWindow();
        QVERIFY(window_);
    }
    void cleanupTestCase() { window_.reset(); }

    void makesOneSystemATickAndNoneOnTheThreadOfTheWidgets_data()
    {
        QTest::addColumn<QString>("system");
        for (const Kind* kind : catalogue())
            QTest::newRow(kind->id.c_str()) << QString::fromStdString(kind->id);
    }
    void makesOneSystemATickAndNoneOnTheThreadOfTheWidgets()
    {
        QFETCH(const QString, system);
        Document& document = window_->document();
        const std::string id = system.toStdString();
        document.openPreset(id, presetsOf(id).front().id);
        auto* stage = qobject_cast<StageView*>(window_->view("stage"));
        QVERIFY(stage);
        if (auto* dock = qobject_cast<QDockWidget*>(stage->parentWidget()); dock && !stage->isSeen())
            dock->raise();
        QTRY_VERIFY(document.answered());
        document.simulation().play();
        QTRY_VERIFY(document.snapshot()->t > 0.1);

        ValueSlider* slider = nullptr;
        for (ValueSlider* each : window_->findChildren<ValueSlider*>())
            if (!slider && each->isVisible() && each->isEnabled() && each->width() > 40 &&
                each->objectName().startsWith("slider:"))
                slider = each;
        QVERIFY(slider);
        const QPointer<ValueSlider> alive = slider;
        QSignalSpy accepted(&document, &Document::accepted), refused(&document, &Document::refused);
        const Work before = workOfThisThread();
        const long made = document.systemsMade(), traced = stage->tracePoints();
        const int frames = stage->refreshes();
        std::size_t motions = 1;
        const QPoint handle = slider->handle();
        QTest::mousePress(slider, Qt::LeftButton, {}, handle);
        constexpr int ticks = 40;
        int moved = 0;
        for (int i = 0; i < ticks && alive; ++i) {
            const double part = std::sin(0.3 * i);
            const int x = handle.x() + static_cast<int>(part > 0 ? part * (slider->width() - 12 - handle.x())
                                                                 : part * (handle.x() - 12));
            QMouseEvent move(QEvent::MouseMove, QPointF(x, handle.y()),
                             slider->mapToGlobal(QPointF(x, handle.y())), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(slider, &move);
            ++moved;
            QTest::qWait(8);
            motions = std::max(motions, document.snapshot()->motions.size());
        }
        if (alive)
            QTest::mouseRelease(slider, Qt::LeftButton, {}, handle);
        document.waitForEdits();
        QTRY_VERIFY(document.answered());
        document.simulation().pause();

        const Work after = workOfThisThread();
        QCOMPARE(after.systems - before.systems, 0L);
        QCOMPARE(after.starts - before.starts, 0L);
        // The release of the mouse is a tick too.
        const long changes = moved + 1, systems = document.systemsMade() - made;
        QVERIFY(systems > 0 || refused.count() > 0);
        QVERIFY2(systems <= changes * static_cast<long>(motions),
                 qPrintable(QString("%1 systems in %2 changes").arg(systems).arg(changes)));
        const long poses = after.poses - before.poses, drawn = stage->refreshes() - frames;
        const long samples = stage->tracePoints() - traced;
        const auto ghosts = static_cast<long>(document.session().ghosts.size());
        QVERIFY(drawn > 0);
        QVERIFY2(poses <= drawn * (static_cast<long>(motions) + ghosts) + samples,
                 qPrintable(QString("%1 poses in %2 frames of %3 Motions, %4 new samples of paths")
                                .arg(poses)
                                .arg(drawn)
                                .arg(motions)
                                .arg(samples)));
        // Over a drag the paths are short and new; what they ask for is bounded too.
        qInfo("%s: %ld changes, %ld systems, %ld frames, %ld poses, %ld samples of paths", qPrintable(system),
              changes, systems, drawn, poses, samples);
    }

    void staysAtWhatWasAskedLastHoweverSlowTheSystem()
    {
        Document& document = window_->document();
        document.openPreset("rod", presetsOf("rod").front().id);
        QTRY_VERIFY(document.answered());
        const int steps = document.undoStack()->count();
        const double first = std::get<double>(document.value("EA"));
        document.beginGesture();
        for (int i = 1; i <= 300; ++i)
            document.setParameter("EA", first * (1 + 0.001 * i));
        document.endGesture();
        document.waitForEdits();
        QCOMPARE(std::get<double>(document.value("EA")), first * 1.3);
        QCOMPARE(document.undoStack()->count(), steps + 1);
        document.undoStack()->undo();
        QCOMPARE(std::get<double>(document.value("EA")), first);
    }

    void aSlowEditThatIsOvertakenByAnotherSystemIsForgotten()
    {
        Document& document = window_->document();
        document.openPreset("rod", presetsOf("rod").front().id);
        document.setParameter("spin_rate", 1.5);
        document.openPreset("two-body", presetsOf("two-body").front().id);
        const Session opened = document.session();
        document.waitForEdits();
        QCoreApplication::processEvents();
        QVERIFY(document.session().values == opened.values);
        QCOMPARE(document.session().kind, std::string("two-body"));
    }

private:
    std::unique_ptr<MainWindow> window_;
};

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication application(argc, argv);
    DragTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "drag_test.moc"
