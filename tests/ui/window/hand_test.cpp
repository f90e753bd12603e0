// The hand on the stage, by mouse and keys on a real window: leading, handing over, undoing, replaying,
// saving. The finger under the rod is the example; the stage does not know it.
#include "core/model/live_input.h"
#include "core/session/session_json.h"
#include "tests/ui/support/stillness.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/render/gl_host.h"
#include "ui/views/heads_up.h"
#include "ui/views/stage_view.h"

#include <QApplication>
#include <QLabel>
#include <QSettings>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolButton>

#include <cmath>

using namespace casimir;

class HandTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QSettings("CasimirTest", "CasimirTest").clear();
        window_ = test::openWindow();
        QVERIFY(window_);
        document().openPreset("servo-rod", "by-hand");
        QTRY_VERIFY(stage() && stage()->hand().ready() &&
                    document().snapshot()->session->session->kind == "servo-rod");
        QTRY_VERIFY(stage()->canvas().frames() > 0);
    }
    void cleanup() { window_.reset(); }

    void theStageSaysWhatToDoBeforeAnythingIsLed()
    {
        QCOMPARE(document().lead(), Document::Lead::Ready);
        const QString sentence = QString::fromStdString(document().liveChannel()->instruction);
        const auto labels = window_->statusBar()->findChildren<QLabel*>();
        QTRY_VERIFY(std::any_of(labels.begin(), labels.end(),
                                [&](const QLabel* label) { return label->text() == sentence; }));
        // On the handle: another cursor and the sentence as a tip; beside it: neither.
        QTest::mouseMove(&stage()->canvas(), handle());
        QTRY_COMPARE(stage()->canvas().cursor().shape(), Qt::OpenHandCursor);
        QCOMPARE(stage()->canvas().toolTip(), sentence);
        QTest::mouseMove(&stage()->canvas(), handle() + QPoint(0, -150));
        QTRY_COMPARE(stage()->canvas().cursor().shape(), Qt::ArrowCursor);
        QVERIFY(stage()->canvas().toolTip().isEmpty());
    }

    void theFingerFollowsThePointerAndStaysWhereItIsLeft()
    {
        const double start = finger();
        QPoint at = handle();
        take(at);
        QCOMPARE(stage()->canvas().cursor().shape(), Qt::ClosedHandCursor);
        at = move(at, 120);
        const double expected = start + 120 * metresPerPixel();
        QTRY_VERIFY2(std::abs(finger() - expected) < 1e-9, qPrintable(QString::number(finger() - expected)));
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
        QVERIFY(timeGoesOn());
        QVERIFY(std::abs(finger() - expected) < 1e-9);
        QCOMPARE(document().lead(), Document::Lead::Live);
        // Taken again it goes on in the same recording.
        const auto input = document().session().motions.front().input;
        QTest::mousePress(&stage()->canvas(), Qt::LeftButton, {}, handle());
        at = move(handle(), -40);
        QTRY_VERIFY(std::abs(finger() - (expected - 40 * metresPerPixel())) < 1e-9);
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
        QVERIFY(document().session().motions.front().input == input);
        QCOMPARE(document().undoStack()->count(), 2); // the preset, and the lead
    }

    void theHandLeadsTheSameInTheFrameThatMovesAlong()
    {
        document().setOption("stage.frame", "finger");
        QVERIFY(test::untilStill(*stage()));
        const double start = finger();
        QPoint at = handle();
        take(at);
        at = move(at, 90);
        QTRY_VERIFY(std::abs(finger() - start - 90 * metresPerPixel()) < 1e-9);
        QVERIFY(timeGoesOn());
        QVERIFY(std::abs(finger() - start - 90 * metresPerPixel()) < 1e-9);
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
    }

    void oneKeyHandsOverWithTheStateCarriedAndUndoingReplaysTheHand()
    {
        QPoint at = handle();
        take(at);
        for (int i = 0; i < 8; ++i) {
            at = move(at, 6);
            const double t = document().snapshot()->t;
            QTRY_VERIFY(document().snapshot()->t > t + 0.02);
        }
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
        const StateInputs start = document().session().motions.front().state;
        window_->document().simulation().pause();
        QTRY_VERIFY(!document().snapshot()->playing);
        const double t = document().snapshot()->t;
        const MotionTrack before = document().snapshot()->motions.front();
        QVERIFY(t > 0.1);
        const HandInput led{before.recording->options().input->samples(), false};
        QVERIFY(led.samples.size() > 3);

        QTest::keyClick(&stage()->canvas(), Qt::Key_H);
        QCOMPARE(std::get<std::string>(document().session().values.at("force")), std::string("finger"));
        // The start stays the person's; the motion is taken up where the hand left it.
        const Motion& motion = document().session().motions.front();
        QCOMPARE(motion.state, start);
        QVERIFY(motion.from && motion.from->t == t);
        const auto servo = document().system();
        QVERIFY(stateOf(*servo, *motion.from) == servo->carriedFrom(*before.system, t, before.state));
        QVERIFY(!motion.input);
        QCOMPARE(document().lead(), Document::Lead::None);
        QTRY_VERIFY(!stage()->hand().ready());

        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(document().session().motions.front().input == led);
        QTRY_VERIFY(document().snapshot()->session->session->motions.front().input == led);
        QTRY_VERIFY(document().snapshot()->t == t && document().snapshot()->lag == 0);
        QCOMPARE(document().snapshot()->motions.front().state, before.state);
        QCOMPARE(document().lead(), Document::Lead::Replayed);

        // What is saved holds every sample, and read again it is the same session.
        const Session saved = readSession(document().sessionText().toStdString());
        QVERIFY(saved.motions.front().input == led);
    }

    void theButtonOnTheStageHandsOver()
    {
        auto* button = stage()->findChild<QToolButton*>("heads-up-action");
        QTRY_VERIFY(button && button->isVisible());
        QCOMPARE(button->text(), QString::fromStdString(document().liveChannel()->handOver));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(std::get<std::string>(document().session().values.at("force")), std::string("finger"));
        QTRY_VERIFY(!button->isVisible());
        // And H takes it back into the hand.
        QTest::keyClick(window_.get(), Qt::Key_H);
        QCOMPARE(std::get<std::string>(document().session().values.at("force")), std::string("hand"));
        QTRY_COMPARE(document().lead(), Document::Lead::Live);
        QTRY_VERIFY(document().snapshot()->playing);
    }

    void heldArrowKeysLeadAndDoNotStepThroughTime()
    {
        stage()->canvas().setFocus();
        QTRY_VERIFY(stage()->canvas().hasFocus());
        const double start = finger();
        QTest::keyPress(&stage()->canvas(), Qt::Key_Right);
        QTRY_VERIFY(finger() > start + 0.05);
        QTest::keyRelease(&stage()->canvas(), Qt::Key_Right);
        QVERIFY(document().snapshot()->playing); // a step would have paused
        const double reached = finger();
        QTest::keyPress(&stage()->canvas(), Qt::Key_Left);
        QTRY_VERIFY(finger() < reached - 0.05);
        QTest::keyRelease(&stage()->canvas(), Qt::Key_Left);
        const auto rests = [this] {
            const double there = finger();
            return timeGoesOn() && finger() == there;
        };
        QTRY_VERIFY(rests());
        // Where nothing is led they step as everywhere.
        QTest::keyClick(window_.get(), Qt::Key_H);
        QTRY_VERIFY(!stage()->hand().ready());
        const double t = document().snapshot()->t;
        QTest::keyClick(&stage()->canvas(), Qt::Key_Right);
        QTRY_VERIFY(!document().snapshot()->playing && document().snapshot()->t >= t);
    }

    void whatTravelsStaysInSightUnlessToldNotTo()
    {
        const auto place = [this] {
            const auto snapshot = document().snapshot();
            Pose pose;
            snapshot->motions.front().system->pose(snapshot->t, snapshot->motions.front().state, pose);
            const QSizeF size = stage()->canvas().size();
            return imageOf(stage()->drawing().shownCamera(), pose.points.front(),
                           size.width() / size.height());
        };
        const Camera camera = stage()->drawing().camera();
        QVERIFY(document().setState({{"x", 60.0}}));
        QTRY_VERIFY(finger() == 60);
        QTRY_VERIFY(std::abs(place().x()) < 0.6);
        QVERIFY(stage()->drawing().camera() == camera); // what is kept in the Session is not moved
        // The handle went along, and is taken hold of there.
        QPoint at = handle();
        take(at);
        at = move(at, 50);
        QTRY_VERIFY(std::abs(finger() - 60 - 50 * metresPerPixel()) < 1e-9);
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
        document().setOption("stage.follow", "off");
        QTRY_VERIFY(place().x() > 1);
    }

    void aParameterChangedWhileLedKeepsTheFingerInTheHand()
    {
        QPoint at = handle();
        take(at);
        at = move(at, 60);
        QTRY_VERIFY(finger() > 30 * metresPerPixel());
        const double reached = finger();
        QVERIFY(document().setParameter("m", 2.0));
        QTRY_VERIFY(document().snapshot()->sessionNumber > 0 &&
                    document().isCurrent(document().snapshot()->sessionNumber));
        QCOMPARE(document().lead(), Document::Lead::Live);
        QVERIFY(std::abs(finger() - reached) < 1e-9);
        QTest::mouseRelease(&stage()->canvas(), Qt::LeftButton, {}, at);
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(std::get<double>(document().session().values.at("m")), 1.0);
    }

private:
    Document& document() { return window_->document(); }
    StageView* stage() { return qobject_cast<StageView*>(window_->view("stage")); }
    QPoint handle() { return stage()->hand().handlePixel().toPoint(); }
    double finger()
    {
        const auto snapshot = document().snapshot();
        const MotionTrack& leading = snapshot->motions.front();
        return leading.system->quantity(document().liveChannel()->quantity, snapshot->t, leading.state);
    }
    // For a tenth of a second of the motion, whatever the clock on the wall says.
    bool timeGoesOn()
    {
        const double t = document().snapshot()->t;
        return QTest::qWaitFor([&] { return document().snapshot()->t > t + 0.1; });
    }
    double metresPerPixel()
    {
        return 2 * stage()->drawing().camera().parallelScale / stage()->canvas().height();
    }
    void take(QPoint at)
    {
        QTest::mousePress(&stage()->canvas(), Qt::LeftButton, {}, at);
        QTRY_VERIFY(document().snapshot()->playing);
        QTRY_COMPARE(document().lead(), Document::Lead::Live);
    }
    QPoint move(QPoint from, int pixels)
    {
        const QPoint to = from + QPoint(pixels, 0);
        for (int i = 1; i <= 4; ++i)
            QTest::mouseMove(&stage()->canvas(), from + (to - from) * i / 4);
        return to;
    }

    std::unique_ptr<MainWindow> window_;
};

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication application(argc, argv);
    HandTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "hand_test.moc"
