// Every slider of every system dragged once through its range, and what ten thousand changes leave behind.
#pragma once

#include "tests/bench/gui_thread.h"
#include "tests/bench/report.h"
#include "ui/window/main_window.h"

namespace casimir::bench {

// For each system, over all steps of all its sliders: from the slider's event to the published analysis, and
// what the thread of the widgets did meanwhile.
void benchEverySlider(const Report& report, TimedApplication& application, MainWindow& window);

// Memory in use after 100 changes of a parameter and after 10 000.
void benchMemory(const Report& report, MainWindow& window);

} // namespace casimir::bench
