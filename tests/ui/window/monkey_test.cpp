// A thousand random actions: no crash, no complaint from Qt or VTK, no NaN on screen.
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
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

#include <random>

using namespace casimir;

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
        }
        QTest::qWait(200);
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
