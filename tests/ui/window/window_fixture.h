// A real main window for tests, with settings of its own, and a count of what Qt and VTK complained about.
#pragma once

#include "tests/ui/support/patience.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTest>
#include <QTimer>

#include <memory>

namespace casimir::test {

// Everything that was logged since the start; a calm program logs nothing.
inline QStringList& complaints()
{
    static QStringList list;
    return list;
}

inline void recordComplaints(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    // Xvfb has no window manager and no session bus; what Qt says of that is not ours.
    if (type == QtDebugMsg || message.contains("XDG_RUNTIME_DIR") || message.contains("does not support"))
        return;
    complaints() << message;
}

inline std::unique_ptr<MainWindow> openWindow()
{
    auto window = std::make_unique<MainWindow>("CasimirTest");
    window->resize(1500, 950);
    window->show();
    window->activateWindow();
    if (!QTest::qWaitForWindowExposed(window.get()))
        return nullptr;
    // The first analyses have arrived.
    const bool ready = QTest::qWaitFor(
        [&] { return window->document().analysis() && window->document().analysis()->final; }, 10000);
    return ready ? std::move(window) : nullptr;
}

// Presses a button of the next question, as soon as it is asked, and tells what it said.
inline void answerQuestion(QObject* context, QMessageBox::StandardButton button, QStringList& said)
{
    auto* timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, context, [timer, button, &said] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!box || !box->isVisible())
            return;
        timer->deleteLater();
        timer->stop();
        said << box->text();
        QTest::mouseClick(static_cast<QWidget*>(box->button(button)), Qt::LeftButton);
    });
    timer->start(5);
}

// Types a name into the next dialog that asks for one, and accepts it.
inline void nameFile(QObject* context, const QString& path, int& asked)
{
    auto* timer = new QTimer(context);
    QObject::connect(timer, &QTimer::timeout, context, [timer, path, &asked] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog || !dialog->isVisible())
            return;
        timer->deleteLater();
        timer->stop();
        ++asked;
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
    });
    timer->start(5);
}

} // namespace casimir::test
