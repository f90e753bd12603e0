// Saves pictures of every view in light and dark, so that a person can look at them.
#include "ui/document/document.h"
#include "ui/render/gl_host.h"
#include "ui/views/view_factory.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>

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
    const QString directory = argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral(".");
    Document document;
    document.setState({{document.system()->inputs().front().quantity.id, 1.2}});
    if (argc > 2) {
        Motion second = document.session().motions.front();
        second.method = "gauss4";
        second.label = "second";
        second.colour = 1;
        second.state.front().second += 0.4;
        document.addMotion(second);
        document.addGhost(second.state);
    }
    document.simulation().seek(12.48);
    document.simulation().waitUntilIdle();
    for (const Theme& theme : {Theme::light(), Theme::dark()}) {
        QApplication::setPalette(theme.palette());
        for (const ViewInfo& info : viewsOf(*document.system())) {
            const auto view = makeView(document, info);
            view->setTheme(theme);
            view->resize(isView3d(*document.system(), info) ? QSize(480, 520) : QSize(460, 320));
            view->show();
            wait(700);
            view->grab().save(QStringLiteral("%1/%2-%3.png")
                                  .arg(directory, view->viewId(),
                                       theme.isDark() ? QStringLiteral("dark") : QStringLiteral("light")));
        }
    }
    return 0;
}
