#include "ui/window/main_window.h"

#include "core/base/error.h"
#include "core/session/command_text.h"
#include "core/systems/catalogue.h"
#include "core/version.h"
#include "ui/export/export_dialog.h"
#include "ui/panels/equilibria_panel.h"
#include "ui/panels/help_panel.h"
#include "ui/panels/motions_panel.h"
#include "ui/panels/parameter_panel.h"
#include "ui/panels/timeline_panel.h"
#include "ui/views/view_factory.h"
#include "ui/views/view_text.h"
#include "ui/window/application.h"
#include "ui/window/autosave.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTabBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QVBoxLayout>

namespace casimir {

namespace {

constexpr double lectureScale = 1.6;

bool desktopIsDark()
{
    static const bool dark = QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
    return dark;
}

QString quantityText(double x)
{
    return QString::number(x, 'g', 4);
}

} // namespace

MainWindow::MainWindow(const QString& settings, QWidget* parent)
    : QMainWindow(parent), settingsName_(settings)
{
    (void)desktopIsDark(); // before our own palette replaces the desktop's
    setObjectName("main");
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    resize(QSize(1600, 1000).boundedTo(screen()->availableSize()));
    setMinimumSize(480, 360);

    centre_ = new QSplitter(Qt::Horizontal, this);
    centre_->setObjectName("centre");
    centre_->setChildrenCollapsible(false);
    setCentralWidget(centre_);

    actions_ = std::make_unique<ActionTable>(this, makeActions());
    actions_->fillMenus(menuBar());
    buildBars();

    panelDocks_ = {addPanel("parameters", tr("Parameters"), new ParameterPanel(document_)),
                   addPanel("help", tr("Guide"), new HelpPanel(document_)),
                   addPanel("equilibria", tr("Relative equilibria"), new EquilibriaPanel(document_)),
                   addPanel("motions", tr("Motions"), new MotionsPanel(document_)),
                   addPanel("notes", tr("Notes"), new NotesPanel(document_))};

    connect(&document_, &Document::kindChanged, this, [this] { rebuildViews(); });
    connect(&document_, &Document::opened, this, &MainWindow::showSessionViews);
    connect(&document_, &Document::sessionChanged, this, &MainWindow::refreshTitle);
    connect(&document_, &Document::sessionChanged, this, &MainWindow::refreshHand);
    connect(&document_, &Document::snapshotChanged, this, &MainWindow::refreshStatus);
    connect(&document_, &Document::refused, this, [this](const QString& address, const QString& reason) {
        statusBar()->showMessage(address.isEmpty() ? reason : QString("%1: %2").arg(address, reason), 8000);
    });
    connect(&document_, &Document::originChanged, this, &MainWindow::refreshTitle);
    if (auto* application = qobject_cast<Application*>(QCoreApplication::instance()))
        connect(application, &Application::failed, this, [this](const QString& sentence) {
            statusBar()->showMessage(sentence);
            autosave_->write();
        });

    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (QWidget* widget = now; widget; widget = widget->parentWidget())
            if (auto* found = qobject_cast<View*>(widget))
                lastUsed_ = found;
        if (!now)
            QMetaObject::invokeMethod(this, &MainWindow::giveKeysBack, Qt::QueuedConnection);
    });

    QSettings stored(settingsName_, settingsName_);
    themeChoice_ = static_cast<ThemeChoice>(stored.value("theme", 0).toInt());
    rebuildViews();
    if (const QByteArray geometry = stored.value("geometry").toByteArray(); !geometry.isEmpty())
        restoreGeometry(geometry);
    applyTheme();
    refreshTitle();
    refreshHand();
    prepareSessions();
}

MainWindow::~MainWindow()
{
    delete findChild<ExportDialog*>("export"); // it may be about to write, and draws as views do
    // The document's end is nothing to react to any more.
    document_.disconnect(this);
    document_.undoStack()->disconnect(this);
    // Views draw through contexts and documents that end before the base class deletes children.
    for (QDockWidget* dock : viewDocks_)
        delete dock;
    for (QDockWidget* dock : panelDocks_)
        delete dock;
    delete centre_;
    for (QToolBar* bar : findChildren<QToolBar*>())
        delete bar;
}

void MainWindow::buildBars()
{
    auto* top = addToolBar(tr("System"));
    top->setObjectName("bar:system");
    top->setMovable(false);
    systems_ = new QComboBox;
    systems_->setObjectName("systems");
    systems_->setToolTip(tr("Which system is studied"));
    for (const Kind* kind : catalogue())
        systems_->addItem(QString::fromStdString(kind->title), QString::fromStdString(kind->id));
    presets_ = new QComboBox;
    presets_->setObjectName("presets");
    presets_->setToolTip(tr("Examples worth opening"));
    top->addWidget(new QLabel(tr(" System ")));
    top->addWidget(systems_);
    top->addWidget(new QLabel(tr("  Preset ")));
    top->addWidget(presets_);
    auto* spacer = new QWidget;
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    top->addWidget(spacer);
    for (const char* id : {"gallery", "undo", "redo", "export", "copy-command", "shortcuts"})
        top->addAction(actions_->action(id));

    const auto guarded = [this](const std::function<void()>& open) {
        try {
            open();
        } catch (const Error& error) {
            QMessageBox::warning(this, tr("Casimir"), QString::fromUtf8(error.what()));
        }
    };
    connect(systems_, &QComboBox::activated, this, [this, guarded](int index) {
        const std::string id = systems_->itemData(index).toString().toStdString();
        if (id == document_.kind().id)
            return;
        guarded([&] { document_.openPreset(id, presetsOf(id).front().id); });
    });
    connect(presets_, &QComboBox::activated, this, [this, guarded](int index) {
        const std::string id = presets_->itemData(index).toString().toStdString();
        guarded([&] { document_.openPreset(document_.kind().id, id); });
    });

    auto* bottom = new QToolBar(tr("Timeline"));
    bottom->setObjectName("bar:timeline");
    bottom->setMovable(false);
    bottom->addWidget(new TimelinePanel(document_));
    addToolBar(Qt::BottomToolBarArea, bottom);

    statusText_ = new QLabel;
    runText_ = new QLabel;
    statusBar()->addWidget(statusText_, 1);
    statusBar()->addPermanentWidget(runText_);

    QUndoStack* stack = document_.undoStack();
    const auto follow = [this, stack] {
        actions_->action("undo")->setEnabled(stack->canUndo());
        actions_->action("redo")->setEnabled(stack->canRedo());
        actions_->action("undo")->setText(stack->canUndo() ? tr("&Undo %1").arg(stack->undoText())
                                                           : tr("&Undo"));
        actions_->action("redo")->setText(stack->canRedo() ? tr("&Redo %1").arg(stack->redoText())
                                                           : tr("&Redo"));
        actions_->action("undo")->setIconText(tr("Undo"));
        actions_->action("redo")->setIconText(tr("Redo"));
    };
    connect(stack, &QUndoStack::indexChanged, this, follow);
    follow();
    actions_->action("gallery")->setIconText(tr("Gallery…"));
    actions_->action("export")->setIconText(tr("Export…"));
    actions_->action("copy-command")->setIconText(tr("Copy command"));
}

QDockWidget* MainWindow::addPanel(const QString& id, const QString& title, QWidget* widget)
{
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName("dock:" + id);
    dock->setWidget(widget);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
    return dock;
}

void MainWindow::rebuildViews()
{
    if (!views_.empty())
        saveLayout();
    views_.clear();
    for (QDockWidget* dock : viewDocks_)
        delete dock;
    viewDocks_.clear();
    while (centre_->count() > 0)
        delete centre_->widget(0);

    const auto system = document_.system();
    for (const ViewInfo& info : viewsOf(*system)) {
        View* shown = makeView(document_, info).release();
        shown->setTheme(theme_);
        views_.push_back(shown);
        // A third would leave each too little room.
        if (isView3d(*system, info) && centre_->count() < 2)
            centre_->addWidget(shown);
        else
            viewDocks_.push_back(
                addPanel(QString::fromStdString(info.id), QString::fromStdString(info.title), shown));
    }
    centre_->setVisible(centre_->count() > 0);

    const QSignalBlocker quietSystems(systems_), quietPresets(presets_);
    systems_->setCurrentIndex(systems_->findData(QString::fromStdString(document_.kind().id)));
    presets_->clear();
    for (const Preset& preset : presetsOf(document_.kind().id)) {
        presets_->addItem(QString::fromStdString(preset.title), QString::fromStdString(preset.id));
        presets_->setItemData(presets_->count() - 1, QString::fromStdString(preset.about), Qt::ToolTipRole);
    }
    compact_ = false;
    for (QDockWidget* dock : viewDocks_)
        static_cast<View*>(dock->widget())->setInFront(false); // until the docks have found their places
    if (!restoreLayout())
        placeDocks();
    adaptToSize();
    for (QDockWidget* dock : viewDocks_) {
        auto* shown = static_cast<View*>(dock->widget());
        connect(dock, &QDockWidget::visibilityChanged, shown, &View::setInFront);
        shown->setInFront(!dock->visibleRegion().isEmpty());
    }
}

View* MainWindow::view(const QString& id) const
{
    for (View* each : views_)
        if (each->viewId() == id)
            return each;
    return nullptr;
}

View* MainWindow::presentView() const
{
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (auto* found = qobject_cast<View*>(widget))
            return found;
    if (lastUsed_ && lastUsed_->isSeen())
        return lastUsed_;
    return views_.empty() ? nullptr : views_.front();
}

// A field that was left gives the keys to the view that had them, where they play and step.
void MainWindow::giveKeysBack()
{
    if (QApplication::focusWidget() || !isActiveWindow())
        return;
    if (View* chosen = presentView())
        chosen->setFocus(Qt::OtherFocusReason);
}

void MainWindow::showView(int number)
{
    if (number < 0 || number >= static_cast<int>(views_.size()))
        return;
    View* chosen = views_[static_cast<std::size_t>(number)];
    if (lecture_) {
        for (View* each : views_) {
            QWidget* holder =
                centre_->isAncestorOf(each) ? static_cast<QWidget*>(each) : each->parentWidget();
            holder->setVisible(each == chosen);
        }
        centre_->setVisible(centre_->isAncestorOf(chosen));
    } else if (auto* dock = qobject_cast<QDockWidget*>(chosen->parentWidget())) {
        dock->show();
        dock->raise();
    } else {
        chosen->show();
    }
    chosen->setFocus(Qt::ShortcutFocusReason);
}

void MainWindow::setLectureMode(bool on)
{
    if (on == lecture_)
        return;
    View* chosen = presentView();
    if (on) {
        beforeLecture_ = saveState(layoutVersion);
        lecture_ = true;
        for (QDockWidget* dock : findChildren<QDockWidget*>())
            dock->hide();
        for (std::size_t i = 0; i < views_.size(); ++i)
            if (views_[i] == chosen)
                showView(static_cast<int>(i));
    } else {
        lecture_ = false;
        for (int i = 0; i < centre_->count(); ++i)
            centre_->widget(i)->show();
        centre_->setVisible(centre_->count() > 0);
        restoreState(beforeLecture_, layoutVersion);
    }
    applyTheme();
}

void MainWindow::setThemeChoice(ThemeChoice choice)
{
    themeChoice_ = choice;
    QSettings(settingsName_, settingsName_).setValue("theme", static_cast<int>(choice));
    applyTheme();
}

void MainWindow::applyTheme()
{
    const bool dark =
        themeChoice_ == ThemeChoice::Dark || (themeChoice_ == ThemeChoice::Desktop && desktopIsDark());
    theme_ = Theme(dark ? Theme::Kind::Dark : Theme::Kind::Light, lecture_ ? lectureScale : 1);
    QApplication::setPalette(theme_.palette());
    for (View* each : views_)
        each->setTheme(theme_);
    for (QWidget* panel : findChildren<QWidget*>()) {
        if (auto* p = qobject_cast<ParameterPanel*>(panel))
            p->setTheme(theme_);
        else if (auto* e = qobject_cast<EquilibriaPanel*>(panel))
            e->setTheme(theme_);
        else if (auto* m = qobject_cast<MotionsPanel*>(panel))
            m->setTheme(theme_);
        else if (auto* t = qobject_cast<TimelinePanel*>(panel))
            t->setTheme(theme_);
        else if (auto* h = qobject_cast<HelpPanel*>(panel))
            h->setTheme(theme_);
        else if (auto* n = qobject_cast<NotesPanel*>(panel))
            n->setTheme(theme_);
    }
    actions_->action("theme-desktop")->setChecked(themeChoice_ == ThemeChoice::Desktop);
    actions_->action("theme-light")->setChecked(themeChoice_ == ThemeChoice::Light);
    actions_->action("theme-dark")->setChecked(themeChoice_ == ThemeChoice::Dark);
}

void MainWindow::refreshTitle()
{
    const QString title = QString::fromStdString(document_.session().title);
    const QString name = document_.file().isEmpty() ? title : QFileInfo(document_.file()).fileName();
    setWindowTitle(QString("%1%2 — Casimir").arg(document_.modified() ? "*" : "", name));
    const int preset = presets_->findText(title);
    presets_->setCurrentIndex(preset);
}

void MainWindow::refreshHand()
{
    const auto channel = document_.liveChannel();
    QAction* action = actions_->action("hand");
    action->setEnabled(channel.has_value());
    action->setText(!channel             ? tr("Lead by &hand")
                    : channel->listening ? QString::fromStdString(channel->handOver)
                                         : QString::fromStdString(channel->take));
    action->setToolTip(channel ? QString::fromStdString(channel->instruction) : action->text());
    action->setStatusTip(channel ? action->toolTip() : tr("Nothing in this system is led by hand."));
}

void MainWindow::refreshStatus()
{
    const auto snapshot = document_.snapshot();
    QString text;
    if (!snapshot->status.ok())
        text = QString::fromStdString(snapshot->status.sentence);
    else if (snapshot->lag > 0.1)
        text = tr("The computation is %1 s behind the clock.").arg(quantityText(snapshot->lag));
    QString run;
    if (!snapshot->motions.empty())
        run =
            tr("%1, %2").arg(QString::fromStdString(snapshot->motions.front().label),
                             methodName(*snapshot->motions.front().system, snapshot->motions.front().method));
    switch (document_.lead()) {
    case Document::Lead::None:
        break;
    case Document::Lead::Ready:
        if (text.isEmpty())
            text = QString::fromStdString(document_.liveChannel()->instruction);
        break;
    case Document::Lead::Live:
        run += tr(", led by hand");
        break;
    case Document::Lead::Replayed:
        run += tr(", replay of the hand");
        break;
    }
    if (statusText_->text() != text)
        statusText_->setText(text);
    if (runText_->text() != run)
        runText_->setText(run);
}

void MainWindow::showExport()
{
    if (QWidget* open = findChild<QWidget*>("export")) {
        open->raise();
        return open->activateWindow();
    }
    View* chosen = presentView();
    if (!chosen)
        return;
    for (View* each : views_)
        each->keepNow();
    auto* dialog = new ExportDialog(
        document_, [this] { return views_; }, chosen->info().id, document_.file(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::wrote, this,
            [this](const QString& path) { statusBar()->showMessage(tr("Wrote %1").arg(path), 4000); });
    dialog->show();
}

void MainWindow::copyPresent()
{
    for (QWidget* widget = QApplication::focusWidget(); widget; widget = widget->parentWidget())
        if (auto* panel = qobject_cast<EquilibriaPanel*>(widget)) {
            panel->copyTable();
            statusBar()->showMessage(tr("Copied the equilibria"), 4000);
            return;
        }
    if (View* chosen = presentView()) {
        chosen->copy();
        statusBar()->showMessage(tr("Copied %1").arg(QString::fromStdString(chosen->info().title)), 4000);
    }
}

void MainWindow::copyCommand()
{
    const Session& session = document_.session();
    const QString& file = document_.file();
    const QString command =
        QString::fromStdString(simulateCommand(session, session.motions.front(), session.run.tEnd,
                                               file.isEmpty() ? "SESSION.json" : file.toStdString()));
    QGuiApplication::clipboard()->setText(command);
    statusBar()->showMessage(tr("Copied: %1").arg(command), 8000);
}

void MainWindow::showShortcuts()
{
    auto* sheet = new QDialog(this);
    sheet->setObjectName("shortcuts");
    sheet->setAttribute(Qt::WA_DeleteOnClose);
    sheet->setWindowTitle(tr("Shortcuts"));
    sheet->resize(460, 640);
    auto* text = new QTextBrowser;
    text->setHtml(actions_->sheet());
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, sheet, &QDialog::reject);
    auto* layout = new QVBoxLayout(sheet);
    layout->addWidget(text);
    layout->addWidget(buttons);
    sheet->show();
}

void MainWindow::showAbout()
{
    QMessageBox::about(this, tr("About Casimir"),
                       tr("<h3>Casimir %1</h3><p>A laboratory for the mechanics of coupled bodies.</p>"
                          "<p>Free software under the GNU General Public License, version 3 or later.</p>")
                           .arg(version));
}

} // namespace casimir
