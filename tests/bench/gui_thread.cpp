#include "tests/bench/gui_thread.h"

#include "ui/render/gl_host.h"

#include <QEvent>
#include <QThread>

#include <algorithm>
#include <ctime>
#include <utility>

namespace casimir::bench {

namespace {

double threadTime()
{
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

} // namespace

BusyTime TimedApplication::take()
{
    return std::exchange(busy_, {});
}

bool TimedApplication::notify(QObject* receiver, QEvent* event)
{
    if (QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    // The receiver and the event may be gone afterwards.
    const bool paint = event->type() == QEvent::Paint && !inPaint_;
    const bool frame = paint && qobject_cast<VtkWidget*>(receiver);
    const bool update = !updating_ && (receiver->isWidgetType() || receiver->isWindowType()) &&
                        (event->type() == QEvent::UpdateRequest || event->type() == QEvent::Expose);
    if (update) {
        updating_ = true;
        painting_ = 0;
    }
    inPaint_ = inPaint_ || paint;
    if (depth_++ == 0)
        drawing_ = 0;
    const double begin = threadTime();
    const bool handled = QApplication::notify(receiver, event);
    const double time = threadTime() - begin;
    --depth_;
    if (paint) {
        inPaint_ = false;
        painting_ += time;
        if (!updating_)
            drawing_ += time;
        (frame ? busy_.frames3d : busy_.painting2d) += time;
    }
    if (update) {
        updating_ = false;
        busy_.composing += time - painting_;
        drawing_ += time;
    }
    if (depth_ == 0) {
        busy_.total += time;
        busy_.longest = std::max(busy_.longest, time - drawing_);
        if (afterEvent)
            afterEvent();
    }
    return handled;
}

} // namespace casimir::bench
