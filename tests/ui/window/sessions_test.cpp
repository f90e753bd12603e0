// Sessions in the window: saved and opened, remembered, offered after a kill, refused when damaged; the
// gallery. Run with the argument `victim`, the program is the window that gets killed.
#include "core/systems/catalogue.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/panels/gallery.h"
#include "ui/panels/value_slider.h"
#include "ui/render/gl_host.h"
#include "ui/views/view.h"
#include "ui/window/application.h"
#include "ui/window/autosave.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <csignal>
#include <cstdio>

using namespace casimir;

namespace {

constexpr const char* settings = "CasimirTest";

QString autosaveFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) + "/casimirtest/autosave";
}

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// A window whose slider is dragged without end, until somebody kills it.
int victim(int argc, char** argv)
{
    QApplication application(argc, argv);
    QStandardPaths::setTestModeEnabled(true);
    MainWindow window(settings);
    window.show();
    int step = 0;
    QTimer drag;
    QObject::connect(&drag, &QTimer::timeout, &window, [&] {
        if (step == 0)
            window.document().beginGesture();
        window.document().setParameter("mu", 60 + 0.001 * ++step);
        if (!QDir(autosaveFolder()).entryList({"*.json"}).isEmpty()) {
            std::puts("saved");
            std::fflush(stdout);
        }
    });
    drag.start(5);
    return QApplication::exec();
}

// Answers the next message box and tells what it said.
void answerMessage(QString& said)
{
    QTimer::singleShot(0, [&said] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
            said = box->text();
            box->accept();
        }
    });
}

} // namespace

class SessionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init()
    {
        QSettings(settings, settings).clear();
        QDir(autosaveFolder()).removeRecursively();
        window_ = test::openWindow();
        QVERIFY(window_);
    }
    void cleanup() { window_.reset(); }

    void saveOpenSaveGivesTheSameBytesAndTheSameViews()
    {
        QTemporaryDir folder;
        const QString first = folder.filePath("a.json"), second = folder.filePath("b.json");
        window_->view("potential")->parentWidget()->hide();
        window_->document().setParameter("mu", 33.25);
        QVERIFY(window_->saveFile(first));
        window_->view("potential")->parentWidget()->show();
        window_->document().setParameter("mu", 1.0);
        QVERIFY(window_->openFile(first));
        QVERIFY(window_->view("potential")->parentWidget()->isHidden());
        QVERIFY(window_->saveFile(second));
        QCOMPARE(contents(second), contents(first));
    }

    void aSessionBringsItsViewsBackToTheirPlaces()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("places.json"), again = folder.filePath("again.json");
        const auto dock = [this](const char* id) { return window_->findChild<QDockWidget*>(id); };
        window_->addDockWidget(Qt::TopDockWidgetArea, dock("dock:potential"));
        window_->tabifyDockWidget(dock("dock:potential"), dock("dock:spectrum"));
        dock("dock:series")->setFloating(true);
        QVERIFY(window_->saveFile(file));
        QVERIFY2(contents(file).contains("\"potential\": \"top\""), contents(file).constData());
        QVERIFY(contents(file).contains("\"spectrum\": \"with potential\""));
        QVERIFY(contents(file).contains("\"series\": \"floating\""));
        QVERIFY(contents(file).contains("\"stage\": \"centre\""));

        window_->actions().action("reset-layout")->trigger();
        QVERIFY(!dock("dock:series")->isFloating());
        QCOMPARE(window_->dockWidgetArea(dock("dock:potential")), Qt::BottomDockWidgetArea);
        QVERIFY(window_->openFile(file));
        QVERIFY(dock("dock:series")->isFloating());
        QCOMPARE(window_->dockWidgetArea(dock("dock:potential")), Qt::TopDockWidgetArea);
        QVERIFY(window_->tabifiedDockWidgets(dock("dock:potential")).contains(dock("dock:spectrum")));
        QVERIFY(window_->saveFile(again));
        QCOMPARE(contents(again), contents(file));
    }

    void aSavedSessionIsAmongTheRecentOnesAndOpensFromThere()
    {
        QTemporaryDir folder;
        window_->document().setParameter("mu", 12.5);
        QVERIFY(window_->saveFile(folder.filePath("mine.json")));
        window_->document().setParameter("mu", 40.0);
        auto* recent = window_->findChild<QMenu*>("recent");
        QVERIFY(recent);
        Q_EMIT recent->aboutToShow();
        QCOMPARE(recent->actions().size(), 1);
        recent->actions().front()->trigger();
        QCOMPARE(std::get<double>(window_->document().session().values.at("mu")), 12.5);
    }

    void aDamagedOrNewerSessionIsRefusedAndNothingIsLost()
    {
        QTemporaryDir folder;
        QVERIFY(window_->saveFile(folder.filePath("good.json")));
        window_->document().setParameter("mu", 21.0);
        const QByteArray good = contents(folder.filePath("good.json"));
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            (void)file.open(QIODevice::WriteOnly);
            file.write(text);
            return file.fileName();
        };
        QString said;
        answerMessage(said);
        QVERIFY(!window_->openFile(write("half.json", good.left(good.size() / 2))));
        QVERIFY2(said.contains("nothing here was changed"), qPrintable(said));
        answerMessage(said);
        QVERIFY(!window_->openFile(
            write("newer.json", QByteArray(good).replace("\"casimir\": 2", "\"casimir\": 99"))));
        QVERIFY2(said.contains("99"), qPrintable(said));
        QCOMPARE(std::get<double>(window_->document().session().values.at("mu")), 21.0);
    }

    void aFileDroppedOnTheWindowIsOpened()
    {
        QTemporaryDir folder;
        window_->document().setParameter("mu", 17.0);
        QVERIFY(window_->saveFile(folder.filePath("dropped.json")));
        window_->document().setParameter("mu", 3.0);
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(folder.filePath("dropped.json"))});
        QDragEnterEvent enter(QPoint(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(50, 50), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &drop);
        QCOMPARE(std::get<double>(window_->document().session().values.at("mu")), 17.0);
    }

    void whatWasThereWhenTheProgramWasKilledIsOfferedAtTheNextStart()
    {
        window_.reset();
        QProcess victim;
        victim.start(QCoreApplication::applicationFilePath(), {"victim"});
        QVERIFY(victim.waitForReadyRead(20000)); // it has written a copy, and goes on dragging
        ::kill(static_cast<pid_t>(victim.processId()), SIGKILL);
        QVERIFY(victim.waitForFinished());

        window_ = test::openWindow();
        QVERIFY(window_);
        QTRY_VERIFY(window_->findChild<QPushButton*>("restore"));
        QVERIFY(std::get<double>(window_->document().session().values.at("mu")) < 60);
        QTest::mouseClick(window_->findChild<QPushButton*>("restore"), Qt::LeftButton);
        const double mu = std::get<double>(window_->document().session().values.at("mu"));
        QVERIFY2(mu > 60 && mu < 100, qPrintable(QString::number(mu)));
        QTRY_VERIFY(!window_->findChild<QPushButton*>("restore"));
        window_->document().undoStack()->undo();
        QVERIFY(std::get<double>(window_->document().session().values.at("mu")) < 60);
    }

    void anotherSystemIsUntitledAndTheFileStaysTheOldOnes()
    {
        QTemporaryDir folder;
        const QString lecture = folder.filePath("lecture.casimir"), other = folder.filePath("other.casimir");
        window_->document().setNotes("dear notes");
        QVERIFY(window_->saveFile(lecture));
        const QByteArray kept = contents(lecture);
        const std::string kind = window_->document().kind().id;
        auto* systems = window_->findChild<QComboBox*>("systems");
        systems->setFocus();
        QTest::keyClick(systems, Qt::Key_Down);
        QVERIFY(window_->document().kind().id != kind);
        QVERIFY(window_->document().file().isEmpty());
        QVERIFY2(!window_->windowTitle().contains("lecture"), qPrintable(window_->windowTitle()));

        int asked = 0;
        test::nameFile(window_.get(), other, asked);
        QTest::keyClick(window_.get(), Qt::Key_S, Qt::ControlModifier);
        QCOMPARE(asked, 1);
        QCOMPARE(contents(lecture), kept);
        QVERIFY(!contents(other).isEmpty());
        QCOMPARE(window_->document().file(), other);

        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(window_->document().kind().id, kind);
        QCOMPARE(window_->document().file(), lecture);
        QVERIFY2(window_->windowTitle().startsWith("lecture.casimir"), qPrintable(window_->windowTitle()));
        QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(window_->document().file(), other);
        QVERIFY(!window_->document().modified());
    }

    void recoveryKeepsTheNameOfTheFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath("lecture.casimir");
        window_.reset();
        {
            Document document;
            Autosave crashed(document, autosaveFolder());
            document.saved(path);
            document.setParameter("mu", 44.0);
            crashed.write();
            // What a killed program leaves: the copies, and nobody who holds their lock.
            QDir().mkpath(folder.filePath("left"));
            for (const QString& name : QDir(autosaveFolder()).entryList(QDir::Files))
                if (!name.endsWith(".lock"))
                    QFile::copy(autosaveFolder() + "/" + name, folder.filePath("left/" + name));
        }
        for (const QString& name : QDir(folder.filePath("left")).entryList(QDir::Files))
            QVERIFY(QFile::copy(folder.filePath("left/" + name), autosaveFolder() + "/" + name));
        window_ = test::openWindow();
        QVERIFY(window_);
        QTRY_VERIFY(window_->findChild<QPushButton*>("restore"));
        QTest::mouseClick(window_->findChild<QPushButton*>("restore"), Qt::LeftButton);
        QCOMPARE(window_->document().file(), path);
        QVERIFY(window_->document().modified());
        QVERIFY2(window_->windowTitle().startsWith("*lecture.casimir"), qPrintable(window_->windowTitle()));
    }

    void closingAsksAboutWhatIsNotSavedAndKeepsWhatIsDiscardedForOneStart()
    {
        QStringList said;
        window_->document().setParameter("mu", 61.0);
        QTRY_VERIFY(!QDir(autosaveFolder()).entryList({"*.json"}).isEmpty());
        test::answerQuestion(window_.get(), QMessageBox::Cancel, said);
        QVERIFY(!window_->close());
        QCOMPARE(said.size(), 1);
        QVERIFY(window_->isVisible());
        test::answerQuestion(window_.get(), QMessageBox::Discard, said);
        QVERIFY(window_->close());
        QCOMPARE(said.size(), 2);
        QVERIFY(QDir(autosaveFolder()).entryList({"*.json"}).isEmpty());

        const auto discarded = [this] {
            auto* recent = window_->findChild<QMenu*>("recent");
            Q_EMIT recent->aboutToShow();
            QAction* found = nullptr;
            for (QAction* action : recent->actions())
                if (action->text().contains("discarded"))
                    found = action;
            return found;
        };
        window_ = test::openWindow();
        QVERIFY(!window_->findChild<QPushButton*>("restore"));
        QVERIFY(discarded());
        discarded()->trigger();
        QCOMPARE(std::get<double>(window_->document().session().values.at("mu")), 61.0);
        QVERIFY(window_->document().modified());
        window_->document().undoStack()->undo();
        QVERIFY(window_->close());
        window_ = test::openWindow();
        QVERIFY(!discarded());
    }

    // Another session opened over it does not make what is unsaved forgotten.
    void closingAsksAboutWhatAnotherSystemWasOpenedOver()
    {
        QTemporaryDir folder;
        window_->document().setParameter("mu", 62.0);
        window_->document().openPreset(catalogue().back()->id, presetsOf(catalogue().back()->id).front().id);
        QVERIFY(!window_->document().modified());
        QStringList said;
        int asked = 0;
        const QString path = folder.filePath("first.casimir");
        test::answerQuestion(window_.get(), QMessageBox::Save, said);
        test::nameFile(window_.get(), path, asked);
        QVERIFY(window_->close());
        QCOMPARE(said.size(), 1);
        QCOMPARE(asked, 1);
        QVERIFY(contents(path).contains("62"));
    }

    void browsingExamplesIsNothingToAskAbout()
    {
        for (const Kind* kind : {catalogue().front(), catalogue().back()})
            window_->document().openPreset(kind->id, presetsOf(kind->id).front().id);
        QVERIFY(window_->document().undoStack()->isClean());
        QVERIFY(window_->close());
    }

    void aCleanEndLeavesNothingToRestore()
    {
        QTemporaryDir folder;
        window_->document().setParameter("mu", 61.0);
        QTRY_VERIFY(!QDir(autosaveFolder()).entryList({"*.json"}).isEmpty());
        QVERIFY(window_->saveFile(folder.filePath("kept.json")));
        window_->close();
        QVERIFY(QDir(autosaveFolder()).entryList({"*.json"}).isEmpty());
    }

    void theGalleryHasACardForEveryPresetAndFindsOneByItsWords()
    {
        window_->actions().action("gallery")->trigger();
        auto* gallery = window_->findChild<Gallery*>();
        QVERIFY(gallery);
        auto* cards = gallery->findChild<QListView*>("gallery-cards");
        std::size_t presets = 0;
        for (const Kind* kind : catalogue())
            presets += presetsOf(kind->id).size();
        QCOMPARE(static_cast<std::size_t>(cards->model()->rowCount()), presets);
        for (int row = 0; row < cards->model()->rowCount(); ++row) {
            const QModelIndex card = cards->model()->index(row, 0);
            QVERIFY2(!card.data(Qt::DecorationRole).value<QPixmap>().isNull(),
                     qPrintable(card.data(Gallery::KindRole).toString() + " " +
                                card.data(Gallery::PresetRole).toString() +
                                " has no picture; scripts/pictures makes it"));
        }
        auto* filter = gallery->findChild<QLineEdit*>("gallery-filter");
        QTest::keyClicks(filter, "slender two");
        QCOMPARE(cards->model()->rowCount(), 1);
        QTest::keyClick(filter, Qt::Key_Return);
        QTRY_COMPARE(window_->document().session().title,
                     QString::fromStdString(presetNamed("two-body", "slender").title).toStdString());
    }

private:
    std::unique_ptr<MainWindow> window_;
};

int main(int argc, char** argv)
{
    prepareOpenGl();
    if (argc > 1 && std::string_view(argv[1]) == "victim")
        return victim(argc, argv);
    Application application(argc, argv);
    SessionsTest tests;
    return QTest::qExec(&tests, argc, argv);
}

#include "sessions_test.moc"
