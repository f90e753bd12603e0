// Where the docks of the window stand: at first, when the window is small, and as a person left them.
#include "core/systems/catalogue.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>

namespace casimir {

namespace {

constexpr QSize roomy(1100, 720);    // from here on the docks stand side by side
constexpr qsizetype plotColumns = 2; // beside the time series

} // namespace

void MainWindow::placeDocks()
{
    const auto dock = [this](const QString& id) { return findChild<QDockWidget*>("dock:" + id); };
    for (QDockWidget* each : findChildren<QDockWidget*>()) {
        each->setFloating(false);
        each->show();
    }
    addDockWidget(Qt::LeftDockWidgetArea, dock("parameters"));
    splitDockWidget(dock("parameters"), dock("help"), Qt::Vertical);
    tabifyDockWidget(dock("help"), dock("motions"));
    tabifyDockWidget(dock("help"), dock("notes"));
    dock("help")->raise();
    addDockWidget(Qt::RightDockWidgetArea, dock("equilibria"));

    // The first plot gets the most room; further ones than find room share a place; what every system has
    // goes last, the invariants below the table.
    QList<QDockWidget*> bottom;
    for (QDockWidget* each : viewDocks_) {
        if (each->objectName() == "dock:invariants") {
            splitDockWidget(dock("equilibria"), each, Qt::Vertical);
            continue;
        }
        if (bottom.isEmpty())
            addDockWidget(Qt::BottomDockWidgetArea, each);
        else if (bottom.size() < plotColumns || each->objectName() == "dock:series")
            splitDockWidget(bottom.back(), each, Qt::Horizontal);
        else {
            tabifyDockWidget(bottom.back(), each);
            continue;
        }
        bottom << each;
    }
    for (QDockWidget* each : bottom)
        each->raise();
    for (QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        tabs->setElideMode(Qt::ElideNone);
    QList<int> widths;
    for (qsizetype i = 0; i < bottom.size(); ++i)
        widths << (i == 0 ? 480 : 280);
    resizeDocks(bottom, widths, Qt::Horizontal);
    if (!bottom.isEmpty())
        resizeDocks({bottom.front()}, {height() * 34 / 100}, Qt::Vertical);
    resizeDocks({dock("parameters"), dock("equilibria")}, {320, 330}, Qt::Horizontal);
    resizeDocks({dock("parameters"), dock("help")}, {height() * 58 / 100, height() * 30 / 100}, Qt::Vertical);
    centre_->setSizes(QList<int>(centre_->count(), 1000));
}

void MainWindow::adaptToSize()
{
    const bool small = width() < roomy.width() || height() < roomy.height();
    if (small == compact_ || lecture_ || views_.empty())
        return;
    compact_ = small;
    if (!small) {
        restoreState(beforeCompact_, layoutVersion);
        return;
    }
    beforeCompact_ = saveState(layoutVersion);
    for (QDockWidget* dock : viewDocks_)
        if (!dock->isFloating() && dock != viewDocks_.front())
            tabifyDockWidget(viewDocks_.front(), dock);
    for (QDockWidget* dock : panelDocks_)
        if (!dock->isFloating() && dock != panelDocks_.front())
            tabifyDockWidget(panelDocks_.front(), dock);
    panelDocks_.front()->raise();
    if (viewDocks_.empty())
        return;
    viewDocks_.front()->raise();
    for (QTabBar* tabs : findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly))
        tabs->setElideMode(Qt::ElideNone);
    resizeDocks({panelDocks_.front()}, {width() * 36 / 100}, Qt::Horizontal);
    resizeDocks({viewDocks_.front()}, {height() * 40 / 100}, Qt::Vertical);
}

void MainWindow::resizeEvent(QResizeEvent* event)
{
    QMainWindow::resizeEvent(event);
    // After this event, when the docks have their new sizes.
    QMetaObject::invokeMethod(this, &MainWindow::adaptToSize, Qt::QueuedConnection);
}

void MainWindow::resetLayout()
{
    QSettings(settingsName_, settingsName_).remove("layout/" + QString::fromStdString(document_.kind().id));
    setLectureMode(false);
    compact_ = false;
    placeDocks();
    adaptToSize();
}

void MainWindow::saveLayout() const
{
    if (lecture_)
        return;
    // The kind whose views stand here; the document may already be at the next.
    QSettings stored(settingsName_, settingsName_);
    stored.setValue("layout/" + property("kind").toString(),
                    compact_ ? beforeCompact_ : saveState(layoutVersion));
    stored.setValue("centre/" + property("kind").toString(), centre_->saveState());
}

bool MainWindow::restoreLayout()
{
    const QString kind = QString::fromStdString(document_.kind().id);
    setProperty("kind", kind);
    const QSettings stored(settingsName_, settingsName_);
    const QByteArray state = stored.value("layout/" + kind).toByteArray();
    if (state.isEmpty() || !restoreState(state, layoutVersion))
        return false;
    centre_->restoreState(stored.value("centre/" + kind).toByteArray());
    return true;
}

} // namespace casimir
