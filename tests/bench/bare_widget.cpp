// The least that shows a window with Qt: prints the seconds from the moment given (on the monotonic clock, in
// seconds) to the end of its first painted frame.
#include "tests/bench/resident.h"

#include <QApplication>
#include <QWidget>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace {

class BareWidget : public QWidget {
public:
    bool painted = false;

protected:
    void paintEvent(QPaintEvent*) override { painted = true; }
};

class Application : public QApplication {
public:
    using QApplication::QApplication;
    const BareWidget* shown = nullptr;
    double origin = 0;

    // The outermost event that painted ends with the flush to the screen.
    bool notify(QObject* receiver, QEvent* event) override
    {
        ++depth_;
        const bool handled = QApplication::notify(receiver, event);
        if (--depth_ == 0 && shown && shown->painted && !std::exchange(done_, true)) {
            const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
            std::printf("%.6f %.2f\n", now.count() - origin, casimir::bench::residentMegabytes());
            QMetaObject::invokeMethod(this, &QCoreApplication::quit, Qt::QueuedConnection);
        }
        return handled;
    }

private:
    int depth_ = 0;
    bool done_ = false;
};

} // namespace

int main(int argc, char** argv)
{
    Application application(argc, argv);
    application.origin = argc > 1 ? std::atof(argv[1]) : 0;
    BareWidget widget;
    widget.resize(1600, 1000);
    application.shown = &widget;
    widget.show();
    return QApplication::exec();
}
