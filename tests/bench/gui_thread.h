// TimedApplication: a QApplication that knows how long its thread was busy with events, and with which.
// Waiting for events is not counted, nor is waiting for the processor or the rasteriser: processor time.
#pragma once

#include <QApplication>

#include <functional>

namespace casimir::bench {

// Seconds of the thread's processor time.
struct BusyTime {
    double total = 0;
    double frames3d = 0;   // paint events of VtkWidgets
    double painting2d = 0; // of all other widgets
    double composing = 0; // the rest of the window's update: OpenGL draws what frames3d only queued, then all
                          // widgets are laid over each other and sent to the screen
    double longest = 0;   // of one event, its drawing taken away
    double outside3d() const { return total - frames3d - composing; }
};

class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    BusyTime take(); // since it was last taken
    // Called after each outermost event.
    std::function<void()> afterEvent;

    bool notify(QObject* receiver, QEvent* event) override;

private:
    BusyTime busy_;
    double painting_ = 0; // within the present update of a window
    double drawing_ = 0;  // within the present outermost event
    int depth_ = 0;
    bool updating_ = false, inPaint_ = false;
};

} // namespace casimir::bench
