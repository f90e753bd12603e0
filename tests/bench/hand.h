// A hand at the window: lets time pass, waits for answers, moves the mouse.
#pragma once

#include "ui/window/main_window.h"

#include <QEvent>
#include <QPointF>

namespace casimir::bench {

inline constexpr int pace = 16; // ms between the events of a hand that drags

// Lets events come in for so many milliseconds, at least once.
void live(qint64 milliseconds);

// Until everything shown but long-running plots belongs to the present values. False if the answers did not come within `most` milliseconds.
bool waitForAnalyses(MainWindow& window, qint64 most = 10000);

void mouse(QWidget* widget, QEvent::Type type, QPointF at);

} // namespace casimir::bench
