// A thousand random actions: no crash, no complaint from Qt or VTK, no NaN on screen.
#include "core/session/session_json.h"
#include "tests/ui/support/stillness.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/chart_view.h"
#include "ui/views/view.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QSettings>
#include <QStandardPaths>
#include <QUndoStack>

#include <cmath>
#include <optional>
#include <random>
#include <set>
#include <sstream>

using namespace casimir;

namespace {

// At rest everything seen is true: no view is blank, curves are drawn where the axes are, the cursors show
// the clock, and undo to the first change and redo to the last lead back to the same Session.
void checkAtRest(MainWindow& window)
{
    Document& document = window.document();
    document.simulation().pause();
    document.waitForEdits();
    const auto calm = [&document] {
        const auto snapshot = document.snapshot();
        return !snapshot->playing && snapshot->lag == 0 && document.isCurrent(snapshot->sessionNumber);
    };
    QTRY_VERIFY_WITH_TIMEOUT(calm(), 60000);
    for (View* view : window.findChildren<View*>()) {
        if (!view->isSeen() || view->width() < 120 || view->height() < 90)
            continue;
        const QByteArray id = view->viewId().toUtf8();
        QVERIFY2(test::untilStill(*view), id);
        const QImage seen = view->grab().toImage();
        std::set<QRgb> colours;
        for (int y = 0; y < seen.height(); y += 2)
            for (int x = 0; x < seen.width(); x += 2)
                colours.insert(seen.pixel(x, y));
        QVERIFY2(colours.size() > 4, id + " is blank");
        for (ChartView* chart : view->findChildren<ChartView*>()) {
            const QRectF drawn = chart->chart()->plotArea(), axes = chart->area();
            QVERIFY2(axes.width() < 20 || axes.height() < 20 ||
                         (std::abs(drawn.left() - axes.left()) <= 1 &&
                          std::abs(drawn.top() - axes.top()) <= 1 &&
                          std::abs(drawn.right() - axes.right()) <= 1 &&
                          std::abs(drawn.bottom() - axes.bottom()) <= 1),
                     id + " draws beside its axes");
            const auto agree = [&] { return chart->cursor() == std::optional(document.snapshot()->t); };
            QVERIFY2(QTest::qWaitFor(agree), qPrintable(QString("the cursor of %1 is at %2, the clock at %3")
                                                            .arg(view->viewId())
                                                            .arg(chart->cursor().value_or(std::nan("")), 0, 'g', 17)
                                                            .arg(document.snapshot()->t, 0, 'g', 17)));
        }
    }
    QUndoStack& stack = *document.undoStack();
    const Session last = document.session();
    const int top = stack.index();
    while (stack.canUndo())
        stack.undo();
    document.waitForEdits();
    while (stack.index() < top)
        stack.redo();
    document.waitForEdits();
    const std::string was = writeSession(last), is = writeSession(document.session());
    std::string first;
    for (std::istringstream a(was), b(is); first.empty() && (a || b);) {
        std::string before, after;
        std::getline(a, before);
        std::getline(b, after);
        if (before != after)
            first = before + "  is now  " + after;
    }
    QVERIFY2(is == was, first.c_str());
}

} // namespace

class MonkeyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aThousandRandomActionsLeaveTheProgramCalm()
    {
        QStandardPaths::setTestModeEnabled(true);
        QSettings("CasimirTest", "CasimirTest").clear();
        const QtMessageHandler before = qInstallMessageHandler(test::recordComplaints);
        auto window = test::openWindow();
        QVERIFY(window);
        std::mt19937 random(20261116);
        const auto pick = [&random](auto n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
        // Those that wait for a person to answer a dialog, or end the program.
        const QStringList modal{"open", "save", "save-as", "quit", "about"};

        for (int i = 0; i < 1000; ++i) {
            switch (pick(8)) {
            case 0: {
                const auto sliders = window->findChildren<ValueSlider*>();
                ValueSlider* slider = sliders[pick(sliders.size())];
                const int y = slider->height() / 2;
                QTest::mousePress(slider, Qt::LeftButton, {}, slider->handle());
                for (const int x : {0, slider->width() - 1, pick(std::max(1, slider->width()))})
                    QTest::mouseMove(slider, QPoint(x, y));
                QTest::mouseRelease(slider, Qt::LeftButton, {},
                                    QPoint(pick(std::max(1, slider->width())), y));
                break;
            }
            case 1: {
                const auto& specs = window->actions().specs();
                const ActionSpec& spec = specs[static_cast<std::size_t>(pick(specs.size()))];
                if (!modal.contains(spec.id))
                    window->actions().action(spec.id)->trigger();
                break;
            }
            case 2: {
                const auto views = window->findChildren<View*>();
                View* view = views[pick(views.size())];
                const QPoint at(pick(std::max(1, view->width())), pick(std::max(1, view->height())));
                QWidget* child = view->childAt(at);
                QWidget* target = child ? child : view;
                const QPoint local = child ? child->mapFrom(view, at) : at;
                QTest::mouseClick(target, Qt::LeftButton, pick(3) == 0 ? Qt::ShiftModifier : Qt::NoModifier,
                                  local);
                break;
            }
            case 3:
                window->resize(500 + pick(1090), 400 + pick(590));
                break;
            case 4: {
                const auto docks = window->findChildren<QDockWidget*>();
                QDockWidget* dock = docks[pick(docks.size())];
                pick(2) ? dock->setFloating(!dock->isFloating()) : dock->setVisible(!dock->isVisible());
                break;
            }
            case 5: {
                const auto fields = window->findChildren<QLineEdit*>();
                QLineEdit* field = fields[pick(fields.size())];
                if (!field->isVisible())
                    break;
                const QStringList texts{"0", "-1", "1e300", "abc", "0,5", "", "nan", "pi", "1e-300"};
                field->setFocus();
                field->selectAll();
                QTest::keyClicks(field, texts[pick(texts.size())]);
                QTest::keyClick(field, Qt::Key_Return);
                break;
            }
            case 6: {
                auto* presets = window->findChild<QComboBox*>("presets");
                presets->setFocus();
                QTest::keyClick(presets, pick(2) ? Qt::Key_Down : Qt::Key_Up);
                break;
            }
            case 7:
                QTest::qWait(pick(30));
                break;
            }
            QCoreApplication::processEvents();
            for (QDialog* dialog : window->findChildren<QDialog*>())
                dialog->close();
            if (QWidget* popup = QApplication::activePopupWidget())
                popup->close();
            if (i % 100 == 99) {
                checkAtRest(*window);
                if (QTest::currentTestFailed())
                    QFAIL(qPrintable(QString("after %1 actions").arg(i + 1)));
            }
        }
        for (const QLabel* label : window->findChildren<QLabel*>())
            if (!label->property("refusal").toBool()) // which quotes what was typed
                QVERIFY2(!label->text().contains("nan"), qPrintable(label->text()));
        for (const QLineEdit* field : window->findChildren<QLineEdit*>())
            QVERIFY2(!field->text().contains("nan") || field->hasFocus(), qPrintable(field->objectName()));
        window.reset();
        qInstallMessageHandler(before);
        QVERIFY2(test::complaints().isEmpty(), qPrintable(test::complaints().join("\n")));
    }
};

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication application(argc, argv);
    MonkeyTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "monkey_test.moc"
