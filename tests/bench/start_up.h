// From the start of a process to its first painted frame: the main window beside a bare widget and a bare
// window with VTK, each in a process of its own.
#pragma once

#include "tests/bench/gui_thread.h"
#include "tests/bench/report.h"

#include <QWidget>

#include <memory>

namespace casimir::bench {

// One VtkWidget for each size, side by side, with a ball in it, in a window of the main window's size.
std::unique_ptr<QWidget> bareVtkWindow(const QList<QSize>& sizes);

// In the child: `what` is "vtk", "window", or "picture" for the window with its first analyses drawn;
// `origin` is the monotonic clock at the start. Prints the seconds.
int startAndPrint(TimedApplication& application, const QString& what, double origin);

void benchStartUp(const Report& report);

} // namespace casimir::bench
