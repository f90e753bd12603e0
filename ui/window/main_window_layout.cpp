// Where the docks of the window stand: at first, when the window is small, and as a person left them.
#include "core/systems/catalogue.h"
#include "ui/views/view.h"
#include "ui/window/main_window.h"

#include <QDockWidget>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>

#include <algorithm>
#include <map>

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

namespace {

struct NamedArea {
    Qt::DockWidgetArea area;
    const char* name;
};
constexpr NamedArea namedAreas[] = {{Qt::LeftDockWidgetArea, "left"},
                                    {Qt::RightDockWidgetArea, "right"},
                                    {Qt::TopDockWidgetArea, "top"},
                                    {Qt::BottomDockWidgetArea, "bottom"}};

QDockWidget* dockOf(const View& view)
{
    return qobject_cast<QDockWidget*>(view.parentWidget());
}

} // namespace

std::string MainWindow::placeOf(const View& view, const std::vector<ShownView>& before) const
{
    QDockWidget* dock = dockOf(view);
    if (!dock)
        return "centre";
    if (dock->isFloating())
        return "floating";
    const QList<QDockWidget*> sharing = tabifiedDockWidgets(dock);
    for (const ShownView& earlier : before)
        if (const auto* other = this->view(QString::fromStdString(earlier.id));
            other && sharing.contains(dockOf(*other)))
            return "with " + earlier.id;
    for (const auto& [area, name] : namedAreas)
        if (dockWidgetArea(dock) == area)
            return name;
    return {};
}

std::vector<ShownView> MainWindow::shownViews() const
{
    std::vector<ShownView> shown;
    for (View* each : views_) {
        const QDockWidget* dock = dockOf(*each);
        if (dock ? dock->toggleViewAction()->isChecked() : !each->isHidden())
            shown.push_back({each->info().id, placeOf(*each, shown)});
    }
    return shown;
}

void MainWindow::noteVisibleViews()
{
    std::vector<ShownView> shown = shownViews();
    // In a small window and in a lecture the views stand where they find room, not where they were put.
    if (compact_ || lecture_)
        for (ShownView& view : shown) {
            const auto& kept = document_.session().views;
            const auto before =
                std::find_if(kept.begin(), kept.end(), [&](const ShownView& v) { return v.id == view.id; });
            view.place = before == kept.end() ? std::string() : before->place;
        }
    document_.setViews(shown);
}

void MainWindow::showSessionViews()
{
    const std::vector<ShownView>& wanted = document_.session().views;
    if (wanted.empty() || lecture_)
        return;
    for (View* each : views_) {
        const bool show = std::any_of(wanted.begin(), wanted.end(),
                                      [&](const ShownView& view) { return view.id == each->info().id; });
        if (QDockWidget* dock = dockOf(*each))
            dock->setVisible(show);
        else
            each->setVisible(show);
    }
    if (!compact_ && shownViews() != wanted)
        placeViews(wanted);
    if (const View* first = view(QString::fromStdString(wanted.front().id)); first && dockOf(*first))
        dockOf(*first)->raise();
}

void MainWindow::placeViews(const std::vector<ShownView>& wanted)
{
    std::map<Qt::DockWidgetArea, QDockWidget*> last; // of the views placed so far, one beside the other
    for (const auto& [id, place] : wanted) {
        View* shown = view(QString::fromStdString(id));
        QDockWidget* dock = shown ? dockOf(*shown) : nullptr;
        if (!dock)
            continue;
        if (place == "floating") {
            dock->setFloating(true);
            continue;
        }
        if (place.starts_with("with ")) {
            const View* other = view(QString::fromStdString(place.substr(5)));
            if (QDockWidget* holder = other ? dockOf(*other) : nullptr) {
                dock->setFloating(false);
                tabifyDockWidget(holder, dock);
            }
            continue;
        }
        for (const auto& [area, name] : namedAreas)
            if (place == name) {
                dock->setFloating(false);
                const bool side = area == Qt::LeftDockWidgetArea || area == Qt::RightDockWidgetArea;
                if (last.contains(area))
                    splitDockWidget(last[area], dock, side ? Qt::Vertical : Qt::Horizontal);
                else
                    addDockWidget(area, dock);
                last[area] = dock;
            }
    }
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
