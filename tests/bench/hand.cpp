#include "tests/bench/hand.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QThread>

namespace casimir::bench {

void live(qint64 milliseconds)
{
    QElapsedTimer timer;
    timer.start();
    do {
        QCoreApplication::processEvents();
        if (timer.elapsed() < milliseconds)
            QThread::usleep(300);
    } while (timer.elapsed() < milliseconds);
}

bool waitForAnalyses(MainWindow& window, qint64 most)
{
    QElapsedTimer timer;
    timer.start();
    while (!window.document().answered()) {
        if (timer.elapsed() > most)
            return false;
        live(0);
    }
    return true;
}

void mouse(QWidget* widget, QEvent::Type type, QPointF at)
{
    const Qt::MouseButton button = type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton;
    const Qt::MouseButtons held = type == QEvent::MouseButtonRelease ? Qt::NoButton : Qt::LeftButton;
    QMouseEvent event(type, at, widget->mapToGlobal(at), button, held, Qt::NoModifier);
    QCoreApplication::sendEvent(widget, &event);
}

} // namespace casimir::bench
