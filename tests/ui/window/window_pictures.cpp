// Makes the README's pictures from the program itself: window_pictures FOLDER.
#include "ui/render/gl_host.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSettings>
#include <QStandardPaths>

using namespace casimir;

namespace {

void wait(int milliseconds)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < milliseconds)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

} // namespace

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication application(argc, argv);
    QApplication::setStyle("Fusion");
    QStandardPaths::setTestModeEnabled(true);
    QSettings("CasimirPictures", "CasimirPictures").clear();
    if (argc != 2)
        return 2;
    const QDir folder(argv[1]);
    if (!folder.mkpath("."))
        return 1;
    MainWindow window("CasimirPictures");
    window.resize(1500, 940);
    window.show();
    Motion twin = window.document().session().motions.front();
    twin.label = "Gauss 6";
    twin.method = "gauss6";
    twin.options.step = 0.2;
    twin.colour = 1;
    window.document().addMotion(twin);
    wait(1500);
    window.document().simulation().seek(22.1);
    wait(3000);
    for (const auto& [choice, name] : {std::pair(MainWindow::ThemeChoice::Light, "window-light.png"),
                                       std::pair(MainWindow::ThemeChoice::Dark, "window-dark.png")}) {
        window.setThemeChoice(choice);
        wait(1500);
        if (!window.grab().save(folder.filePath(name), "PNG"))
            return 1;
    }
    return 0;
}
