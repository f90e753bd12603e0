#include "ui/window/window_main.h"

#include "core/version.h"
#include "ui/render/gl_host.h"
#include "ui/window/application.h"
#include "ui/window/main_window.h"

#include <QTimer>

#include <cstdio>
#include <cstdlib>

extern "C" int casimirWindowMain(int argc, char** argv)
{
    if (!std::getenv("DISPLAY") && !std::getenv("WAYLAND_DISPLAY") && !std::getenv("QT_QPA_PLATFORM")) {
        std::fputs(
            "casimir: there is no display to open a window on; the command line works: casimir --help\n",
            stderr);
        return 2;
    }
    casimir::prepareOpenGl();
    casimir::Application application(argc, argv);
    QApplication::setApplicationName("Casimir");
    QApplication::setApplicationVersion(casimir::version);
    QApplication::setStyle("Fusion");
    casimir::MainWindow window;
    window.show();
    const QStringList arguments = QApplication::arguments();
    if (arguments.size() > 1)
        QTimer::singleShot(0, &window, [&] { window.openFile(arguments[1]); });
    return QApplication::exec();
}
