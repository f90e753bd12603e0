// Sessions as files: opened, saved, dropped, remembered, kept against a crash, and shown in the gallery.
#include "core/base/error.h"
#include "core/files/output_file.h"
#include "core/session/session_json.h"
#include "ui/panels/gallery.h"
#include "ui/views/view.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStandardPaths>
#include <QStatusBar>
#include <QToolBar>
#include <QUrl>

#include <fstream>
#include <sstream>

namespace casimir {

namespace {

constexpr qsizetype mostRecent = 12;

} // namespace

void MainWindow::prepareSessions()
{
    const QString own = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
    autosave_ = std::make_unique<Autosave>(document_, own + "/" + settingsName_.toLower() + "/autosave");

    recent_ = new QMenu(tr("Open &recent"), this);
    recent_->setObjectName("recent");
    connect(recent_, &QMenu::aboutToShow, this, [this] {
        recent_->clear();
        for (const Autosave::Remains& each : autosave_->discarded()) {
            const QString name = each.file.isEmpty() ? each.title : QFileInfo(each.file).fileName();
            recent_->addAction(tr("%1 (discarded)").arg(name), this,
                               [this, each] { restore(each.path, each.title, each.file); });
        }
        for (const QString& path : recentFiles())
            recent_->addAction(QDir::toNativeSeparators(path), this, [this, path] { openFile(path); });
        if (recent_->isEmpty())
            recent_->addAction(tr("No session was saved yet"))->setEnabled(false);
    });
    for (QAction* menu : menuBar()->actions())
        if (menu->menu() && menu->menu()->actions().contains(actions_->action("save")))
            menu->menu()->insertMenu(actions_->action("save"), recent_);

    // Once the window is seen: a question before it would come from nowhere.
    QMetaObject::invokeMethod(this, &MainWindow::offerRemains, Qt::QueuedConnection);
}

QStringList MainWindow::recentFiles() const
{
    QStringList files = QSettings(settingsName_, settingsName_).value("recent").toStringList();
    files.removeIf([](const QString& path) { return !QFileInfo::exists(path); });
    return files;
}

void MainWindow::rememberFile(const QString& path)
{
    QStringList files = recentFiles();
    const QString whole = QFileInfo(path).absoluteFilePath();
    files.removeAll(whole);
    files.prepend(whole);
    QSettings(settingsName_, settingsName_).setValue("recent", files.mid(0, mostRecent));
}

void MainWindow::keepThumbnail(const QString& path)
{
    if (views_.empty())
        return;
    QImage picture(Gallery::pictureSize, QImage::Format_RGB32);
    picture.fill(theme_.background());
    const QPixmap seen = views_.front()->grab();
    const QPixmap scaled =
        seen.scaled(picture.size(), Qt::KeepAspectRatioByExpanding, Qt::SmoothTransformation);
    QPainter painter(&picture);
    painter.drawPixmap((picture.width() - scaled.width()) / 2, (picture.height() - scaled.height()) / 2,
                       scaled);
    painter.end();
    const QString target = Gallery::thumbnailOf(path);
    QDir().mkpath(QFileInfo(target).path());
    picture.save(target);
}

void MainWindow::offerRemains()
{
    const auto remains = autosave_->remains();
    if (remains.empty())
        return;
    const Autosave::Remains newest = remains.front();
    auto* bar = new QToolBar(tr("Restore"));
    bar->setObjectName("bar:restore");
    bar->setMovable(false);
    auto* words =
        new QLabel(tr("  Casimir did not end properly. “%1” as it was on %2 can be restored.  ")
                       .arg(newest.file.isEmpty() ? newest.title : QFileInfo(newest.file).fileName(),
                            QLocale().toString(newest.written, QLocale::ShortFormat)));
    auto* restore = new QPushButton(tr("Restore"));
    restore->setObjectName("restore");
    auto* forget = new QPushButton(tr("Discard"));
    forget->setObjectName("discard");
    bar->addWidget(words);
    bar->addWidget(restore);
    bar->addWidget(forget);
    addToolBarBreak();
    addToolBar(bar);
    const auto done = [this, bar] {
        removeToolBar(bar);
        bar->deleteLater();
    };
    connect(restore, &QPushButton::clicked, this, [this, newest, remains, done] {
        this->restore(newest.path, newest.title, newest.file);
        for (const Autosave::Remains& each : remains)
            Autosave::discard(each);
        done();
    });
    connect(forget, &QPushButton::clicked, this, [this, remains, done] {
        for (const Autosave::Remains& each : remains)
            autosave_->putAside(each);
        done();
    });
}

// What is in no file: a copy that a crash or a person left behind.
void MainWindow::restore(const QString& path, const QString& title, const QString& file)
{
    std::ifstream copy(path.toStdString(), std::ios::binary);
    std::ostringstream text;
    text << copy.rdbuf();
    try {
        document_.openText(text.str(), tr("Restore %1").arg(title), {file, false});
    } catch (const Error& error) {
        QMessageBox::warning(this, tr("Casimir"), QString::fromUtf8(error.what()));
    }
}

void MainWindow::showGallery()
{
    auto* gallery = new Gallery(theme_, recentFiles(), this);
    gallery->setAttribute(Qt::WA_DeleteOnClose);
    connect(gallery, &Gallery::sessionChosen, this, [this](const QString& path) { openFile(path); });
    connect(gallery, &Gallery::presetChosen, this, [this](const QString& kind, const QString& preset) {
        try {
            document_.openPreset(kind.toStdString(), preset.toStdString());
        } catch (const Error& error) {
            QMessageBox::warning(this, tr("Casimir"), QString::fromUtf8(error.what()));
        }
    });
    gallery->setModal(true);
    gallery->show();
}

void MainWindow::chooseFileToOpen()
{
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open session"), QFileInfo(document_.file()).path(),
                                     tr("Casimir sessions (*.casimir *.json);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

bool MainWindow::openFile(const QString& path)
{
    std::ifstream file(path.toStdString(), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    try {
        if (!file)
            throw Error("the file cannot be read");
        document_.openText(text.str(), tr("Open %1").arg(QFileInfo(path).fileName()), {path});
    } catch (const Error& error) {
        QMessageBox::warning(this, tr("Casimir"),
                             tr("%1 was not opened, and nothing here was changed.\n\n%2")
                                 .arg(path, QString::fromUtf8(error.what())));
        return false;
    }
    rememberFile(path);
    return true;
}

bool MainWindow::saveFile(const QString& path)
{
    noteVisibleViews();
    try {
        OutputFile file(path.toStdString(), true);
        file.write(document_.sessionText().toStdString());
        file.commit();
    } catch (const Error& error) {
        QMessageBox::warning(this, tr("Casimir"), QString::fromUtf8(error.what()));
        return false;
    }
    document_.saved(path);
    rememberFile(path);
    keepThumbnail(path);
    statusBar()->showMessage(tr("Saved %1").arg(path), 4000);
    return true;
}

bool MainWindow::save(bool askForName)
{
    QString path = document_.file();
    if (askForName || path.isEmpty())
        path =
            QFileDialog::getSaveFileName(this, tr("Save session"), path.isEmpty() ? "session.casimir" : path,
                                         tr("Casimir sessions (*.casimir *.json)"));
    return !path.isEmpty() && saveFile(isSessionFile(path.toStdString()) ? path : path + ".casimir");
}

// Asks about everything that was changed and not saved, what other sessions were opened over included; false
// where the person wants to stay.
bool MainWindow::settleUnsaved()
{
    QUndoStack* stack = document_.undoStack();
    const int present = stack->index();
    for (;;) {
        if (document_.modified()) {
            const QString name = document_.file().isEmpty()
                                     ? QString::fromStdString(document_.session().title)
                                     : document_.file();
            QMessageBox box(QMessageBox::Question, tr("Casimir"), tr("Save the changes to “%1”?").arg(name),
                            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, this);
            box.setInformativeText(tr("What is discarded can be opened under “Open recent” once more, after "
                                      "the next start."));
            const int answer = box.exec();
            if (answer == QMessageBox::Discard) {
                autosave_->keepDiscarded();
            } else if (answer != QMessageBox::Save || !save(false)) {
                stack->setIndex(present);
                return false;
            }
        }
        const auto left = document_.leftUnsaved();
        if (!left)
            return true;
        stack->setIndex(*left);
    }
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    document_.waitForEdits();
    if (!settleUnsaved()) {
        event->ignore();
        return;
    }
    setLectureMode(false);
    saveLayout();
    QSettings(settingsName_, settingsName_).setValue("geometry", saveGeometry());
    autosave_->end();
    QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (!urls.isEmpty() && urls.front().isLocalFile())
        openFile(urls.front().toLocalFile());
}

} // namespace casimir
