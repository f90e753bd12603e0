// The export dialog as a person uses it, in a real window.
#include "core/files/file_recipe.h"
#include "core/session/export_spec.h"
#include "tests/ui/export/program.h"
#include "tests/ui/support/image_compare.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/window/window_fixture.h"
#include "ui/export/export_dialog.h"
#include "ui/export/figure_preview.h"
#include "ui/render/gl_host.h"
#include "ui/views/plot_view.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QStandardPaths>
#include <QTabWidget>

using namespace casimir;
using casimir::test::Place;

class DialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QStandardPaths::setTestModeEnabled(true); }
    void init();
    void cleanup();
    void aFigureIsPreviewedWrittenAndMadeAgainByItsCommand();
    void aNameThatExistsAsksAndNoKeepsIt();
    void aFolderThatCannotBeWrittenIsSaid();
    void aFilmIsMadeWhileTheWindowLivesAndCanBeCancelled();
    void dataOfTheViewsAndTheRunIsWritten();
    void ofSeveralMotionsEachIsWrittenAndTheDataSayHow();
    void aMapIsWrittenAsTheSweepThatMakesIt();
    void copyGivesPictureAndNumbers();

private:
    template <class T>
    T* part(const char* name) const
    {
        return dialog_->findChild<T*>(QString::fromLatin1(name));
    }
    void choose(const char* box, const QString& data) const
    {
        auto* combo = part<QComboBox>(box);
        QVERIFY2(combo->findData(data) >= 0, qPrintable(data));
        activate(combo);
        // By the keyboard, as the popup of a combo box has no stable place.
        QTest::keyClick(combo, Qt::Key_Home);
        for (int i = 0; i < combo->count() && combo->currentData() != data; ++i)
            QTest::keyClick(combo, Qt::Key_Down);
        QCOMPARE(combo->currentData().toString(), data);
    }
    // A shortcut is heard once its window has the keyboard.
    void open()
    {
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_E, Qt::ControlModifier);
        dialog_ = window_->findChild<ExportDialog*>("export");
        QVERIFY(dialog_);
    }
    // Without a window manager the main window may come back to the front, and its shortcuts with it.
    void activate(QWidget* widget) const
    {
        QVERIFY(QTest::qWaitFor([&] {
            if (QApplication::activeWindow() != dialog_)
                dialog_->activateWindow();
            widget->setFocus();
            QCoreApplication::processEvents();
            return QApplication::activeWindow() == dialog_ && widget->hasFocus();
        }));
    }
    void typePath(const QString& path) const
    {
        auto* line = part<QLineEdit>("export:path");
        activate(line);
        line->selectAll();
        QTest::keyClicks(line, path);
    }
    void press(const char* button) const { QTest::mouseClick(part<QPushButton>(button), Qt::LeftButton); }
    QString status() const { return part<QLabel>("export:status")->text(); }

    std::unique_ptr<MainWindow> window_;
    ExportDialog* dialog_ = nullptr;
};

void DialogTest::init()
{
    QSettings("CasimirTest", "CasimirTest").clear();
    window_ = test::openWindow();
    QVERIFY(window_);
    window_->view("portrait")->setFocus();
    open();
    dialog_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(dialog_));
}

void DialogTest::cleanup()
{
    window_.reset();
}

void DialogTest::aFigureIsPreviewedWrittenAndMadeAgainByItsCommand()
{
    const Place place;
    QVERIFY(QTest::qWaitFor(
        [&] { return dialog_->preview().isCurrent() && !dialog_->preview().image().isNull(); }, 20000));
    QVERIFY(testing::colours(dialog_->preview().image()) > 20);
    if (const QByteArray shots = qgetenv("CASIMIR_SCREENSHOTS"); !shots.isEmpty())
        dialog_->grab().save(QString::fromLocal8Bit(shots) + "/export-figure.png");
    choose("figure:format", "svg");
    QVERIFY(part<QLabel>("figure:note")->text().contains("vectors"));
    choose("figure:view", "stage");
    QVERIFY(part<QLabel>("figure:note")->text().contains("vectors"));
    choose("figure:view", "cylinder");
    QVERIFY(part<QLabel>("figure:note")->text().contains("as a picture"));
    choose("figure:view", "portrait");
    typePath(place.file("p.svg"));
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 20000));
    const QByteArray svg = place.bytes("p.svg");
    QCOMPARE(readRecipe(recipeIn(svg.toStdString())).spec.views.front(), std::string("portrait"));

    // The command shown makes the same bytes; the preset's start is said by arguments.
    const QString command = dialog_->command();
    QVERIFY(command.startsWith("casimir render two-body "));
    QVERIFY(QFile::rename(place.file("p.svg"), place.file("by-hand.svg")));
    const auto ran = place.casimir(command.mid(8));
    QVERIFY2(ran.status == 0, qPrintable(ran.err));
    const auto drawing = [](QByteArray bytes) { return bytes.mid(bytes.indexOf("</metadata>")); };
    QVERIFY(drawing(place.bytes("p.svg")) == drawing(place.bytes("by-hand.svg")));
}

void DialogTest::aNameThatExistsAsksAndNoKeepsIt()
{
    const Place place;
    QFile mine(place.file("p.svg"));
    QVERIFY(mine.open(QIODevice::WriteOnly));
    mine.write("mine");
    mine.close();
    typePath(place.file("p.svg"));
    QStringList said;
    test::answerQuestion(this, QMessageBox::No, said);
    press("export:start");
    QCOMPARE(said.size(), 1);
    QVERIFY(part<QPushButton>("export:start")->isEnabled()); // nothing is under way
    QCOMPARE(place.bytes("p.svg"), QByteArray("mine"));
    test::answerQuestion(this, QMessageBox::Yes, said);
    press("export:start");
    QCOMPARE(said.size(), 2);
    QVERIFY(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 20000));
    QVERIFY(place.bytes("p.svg").contains("<svg"));
}

void DialogTest::aFolderThatCannotBeWrittenIsSaid()
{
    typePath("/proc/p.svg");
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return status().contains("cannot write"); }, 10000));
    QVERIFY(part<QPushButton>("export:start")->isEnabled());
}

void DialogTest::aFilmIsMadeWhileTheWindowLivesAndCanBeCancelled()
{
    const Place place;
    part<QTabWidget>("export:tabs")->setCurrentIndex(1);
    choose("film:view", "stage");
    choose("film:format", "frames");
    auto* end = part<QDoubleSpinBox>("film:end");
    activate(end);
    end->selectAll();
    QTest::keyClicks(end, "0.2\t");
    typePath(place.file("film") + "/");
    if (const QByteArray shots = qgetenv("CASIMIR_SCREENSHOTS"); !shots.isEmpty()) {
        QTest::qWait(1500); // for the eye only
        dialog_->grab().save(QString::fromLocal8Bit(shots) + "/export-film.png");
    }
    // The window goes on drawing meanwhile.
    window_->document().simulation().play();
    const double before = window_->document().snapshot()->t;
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 60000));
    QVERIFY(window_->document().snapshot()->t > before);
    QCOMPARE(QDir(place.file("film")).entryList({"frame-*.png"}).size(), 6);
    window_->document().simulation().pause();

    activate(end);
    end->selectAll();
    QTest::keyClicks(end, "500\t");
    typePath(place.file("long") + "/");
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return place.files().size() == 2; }, 30000));
    press("export:cancel");
    QVERIFY(QTest::qWaitFor([&] { return status().startsWith("Cancelled"); }, 30000));
    QTRY_COMPARE(place.files(), QStringList{"film"});
}

void DialogTest::dataOfTheViewsAndTheRunIsWritten()
{
    const Place place;
    part<QTabWidget>("export:tabs")->setCurrentIndex(2);
    choose("data:what", "portrait");
    typePath(place.file("p.csv"));
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 10000));
    QVERIFY(place.bytes("p.csv").contains("\ncurve,H,theta,nu\n"));
    choose("data:what", "equilibria");
    choose("data:format", "md");
    typePath(place.file("e.md"));
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return !place.bytes("e.md").isEmpty(); }, 10000));
    QVERIFY(place.bytes("e.md").contains("stretched"));
    choose("data:what", "trajectory");
    choose("data:format", "npz");
    typePath(place.file("run.npz"));
    press("export:start");
    QVERIFY(QTest::qWaitFor([&] { return place.bytes("run.npz").startsWith("PK"); }, 20000));
}

// With two Motions arguments cannot say the session: the data say it themselves, and their command makes them
// again.
void DialogTest::ofSeveralMotionsEachIsWrittenAndTheDataSayHow()
{
    const Place place;
    dialog_->close();
    QTRY_VERIFY(!window_->findChild<ExportDialog*>("export"));
    Document& document = window_->document();
    Motion other = document.session().motions.front();
    other.label = "the other";
    other.state = {{"theta", 0.5}, {"nu", 0.25}};
    QVERIFY(document.addMotion(other));
    document.simulation().seek(2);
    document.waitForEdits();
    open();
    part<QTabWidget>("export:tabs")->setCurrentIndex(2);
    choose("data:what", "trajectory");
    auto* motion = part<QComboBox>("data:motion");
    QVERIFY(motion->isVisible() && motion->isEnabled());
    activate(motion);
    QTest::keyClick(motion, Qt::Key_End);
    QCOMPARE(motion->currentText(), QString("the other"));
    typePath(place.file("second.csv"));
    const QString command = dialog_->command();
    press("export:start");
    QVERIFY2(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 20000), qPrintable(status()));
    QCOMPARE(place.casimir(command.mid(8) + " --force").status, 0); // the same place: its own words
    const QByteArray second = place.bytes("second.csv");
    QVERIFY(second.contains("theta"));

    choose("data:what", "series");
    typePath(place.file("seen.csv"));
    press("export:start");
    QVERIFY2(QTest::qWaitFor([&] { return !place.bytes("seen.csv").isEmpty(); }, 20000),
             qPrintable(status()));
    const QByteArray seen = place.bytes("seen.csv");
    const QString made = QString::fromUtf8(seen).section('\n', 1, 1).mid(2);
    QVERIFY2(made.startsWith("casimir render --from seen.csv"), qPrintable(made));
    QCOMPARE(place.casimir(made.mid(8)).status, 0);
    const auto body = [](const QByteArray& bytes) {
        QList<QByteArray> lines = bytes.split('\n');
        lines.removeIf([](const QByteArray& line) { return line.startsWith('#'); });
        return lines;
    };
    const QList<QByteArray> was = body(seen), again = body(place.bytes("seen-again.csv"));
    QVERIFY(was.size() > 10 && again.size() > 10);
    for (const QByteArray& column : was[0].split(','))
        QVERIFY2(column == "t_2" || again[0].split(',').contains(column), column.constData());
    QCOMPARE(again[1].split(',').mid(0, 3), was[1].split(',').mid(0, 3)); // where both begin
}

void DialogTest::aMapIsWrittenAsTheSweepThatMakesIt()
{
    const Place place;
    dialog_->close();
    QTRY_VERIFY(!window_->findChild<ExportDialog*>("export"));
    View* map = window_->view("map");
    window_->actions().action("reset-layout")->trigger();
    qobject_cast<QDockWidget*>(map->parentWidget())->raise();
    QVERIFY(QTest::qWaitFor(
        [&] {
            const auto finding = window_->document().plot("map");
            return finding && finding->final;
        },
        30000));
    // The command is that of what is shown, so the finest is waited for.
    const int refreshes = map->refreshes();
    map->scheduleRefresh();
    QTRY_VERIFY(map->refreshes() > refreshes);
    // The command is also in the view's own menu.
    const QList<QAction*> actions = map->viewActions();
    const auto copy = std::find_if(actions.begin(), actions.end(),
                                   [](QAction* action) { return action->text() == "Copy Sweep Command"; });
    QVERIFY(copy != actions.end());
    (*copy)->trigger();
    const QString copied = QApplication::clipboard()->text();
    QVERIFY2(copied.startsWith("casimir sweep two-body "), qPrintable(copied));

    open();
    part<QTabWidget>("export:tabs")->setCurrentIndex(2);
    choose("data:what", "sweep:map");
    typePath(place.file("map.csv"));
    QCOMPARE(dialog_->command(), copied + " -o " + place.file("map.csv"));
    press("export:start");
    QVERIFY2(QTest::qWaitFor([&] { return status().startsWith("Wrote"); }, 60000), qPrintable(status()));
    const QByteArray written = place.bytes("map.csv");
    QCOMPARE(written.count('\n'), 81 * 81 + written.count("\n#") + 2);
    QVERIFY(QFile::rename(place.file("map.csv"), place.file("by-hand.csv")));
    QCOMPARE(place.casimir(copied.mid(8) + " -o map.csv").status, 0);
    QVERIFY(place.bytes("map.csv") == written);
}

void DialogTest::copyGivesPictureAndNumbers()
{
    dialog_->close();
    window_->activateWindow();
    View* portrait = window_->view("portrait");
    portrait->setFocus();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
    QTest::keyClick(portrait, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    QVERIFY(copied->hasImage());
    QVERIFY(copied->text().contains("curve,H,theta,nu"));
    const QImage image = qvariant_cast<QImage>(copied->imageData());
    QCOMPARE(image.size(), portrait->size() * 2);
    QVERIFY(testing::colours(image) > 20);
}

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication app(argc, argv);
    QApplication::setStyle("Fusion");
    DialogTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "dialog_test.moc"
