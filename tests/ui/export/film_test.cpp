// Films: how many frames they have, that each is the figure of its time, and what is left when they are
// stopped.
#include "core/base/error.h"
#include "core/systems/catalogue.h"
#include "tests/ui/export/program.h"
#include "tests/ui/support/image_compare.h"
#include "tests/ui/support/patience.h"
#include "ui/export/film_encoder.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTest>

#include <csignal>

using namespace casimir;
using casimir::test::Place;
using casimir::test::Ran;

class FilmTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyFormatHasExactlyTheFramesAskedFor();
    void aFrameIsTheFigureOfItsTime();
    void aSweepGoesFromEndToEnd();
    void aTurntableComesAround();
    void withoutFfmpegASentenceNamesThePackageAndPngsWork();
    void aStoppedFilmLeavesNothing();
    void anEncoderThatCannotStartKeepsNothingOpen();
    void onlyTheFramesInAFolderAreReplaced();
};

void FilmTest::everyFormatHasExactlyTheFramesAskedFor()
{
    if (QStandardPaths::findExecutable("ffprobe").isEmpty())
        QSKIP("ffmpeg is not installed");
    const Place place;
    const QString film = "animate two-body --view stage --t-end 0.5 --fps 24 --size 161x121 -o ";
    for (const char* format : {"mp4", "webm", "gif", "apng"}) {
        const Ran ran = place.casimir(film + "f." + format);
        QVERIFY2(ran.status == 0 && ran.err.isEmpty() && ran.out.isEmpty(), qPrintable(ran.err));
        const Ran probe =
            place.run("ffprobe", QString("-v error -count_frames -select_streams v -show_entries "
                                         "stream=codec_name,nb_read_frames -of csv=p=0 f.%1")
                                     .arg(format));
        const QString codec = QString(format) == "mp4" ? "h264" : QString(format) == "webm" ? "vp9" : format;
        QCOMPARE(probe.out.trimmed(), codec + ",12");
    }
    QCOMPARE(place.casimir(film + "frames/ --progress").out.count('\n'), 13);
    QCOMPARE(QDir(place.file("frames")).entryList({"frame-*.png"}).size(), 12);
    QVERIFY(place.casimir(film + "f.avi").err.contains(".mp4, .webm, .gif or .apng"));
}

void FilmTest::aFrameIsTheFigureOfItsTime()
{
    const Place place;
    const QString look = " --view stage,portrait,series --layout composed --size 480x270 ";
    QCOMPARE(place
                 .casimir("animate two-body --preset figure-1 --t-end 3 --t-begin 2 --fps 5 --speed 0.5" +
                          look + "-o frames/")
                 .status,
             0);
    for (const int k : {0, 3, 9}) {
        const QString t = QString::number(2 + k * 0.5 / 5);
        QCOMPARE(
            place.casimir("render two-body --preset figure-1 --force" + look + "-o k.png --t " + t).status,
            0);
        const QImage frame = place.image(QString("frames/frame-%1.png").arg(k + 1, 5, 10, QChar('0')));
        QVERIFY(!frame.isNull());
        QCOMPARE(frame, place.image("k.png"));
    }
    QVERIFY(place.image("frames/frame-00001.png") != place.image("frames/frame-00002.png"));
    if (QStandardPaths::findExecutable("ffmpeg").isEmpty())
        QSKIP("ffmpeg is not installed");
    QCOMPARE(
        place
            .casimir(
                "animate --from frames/frame-00001.png --size 480x270 --t-begin 2 --t-end 3 --fps 5 --speed "
                "0.5 -o f.mp4")
            .status,
        0);
    QCOMPARE(place.run("ffmpeg", "-v error -i f.mp4 -start_number 1 d-%05d.png").status, 0);
    const auto difference =
        testing::compare(place.image("d-00010.png"), place.image("frames/frame-00010.png"));
    QVERIFY2(difference.mean < 0.01 && difference.largest < 0.12,
             qPrintable(QString("%1 %2").arg(difference.mean).arg(difference.largest)));
}

void FilmTest::aSweepGoesFromEndToEnd()
{
    const Place place;
    QCOMPARE(
        place
            .casimir(
                "animate two-body --view portrait --sweep mu=20:60 --t-end 1 --fps 3 --size 320x240 -o s/")
            .status,
        0);
    const std::pair<int, int> ends[] = {{1, 20}, {2, 40}, {3, 60}};
    for (const auto& [frame, mu] : ends) {
        QCOMPARE(
            place
                .casimir(
                    QString("render two-body --view portrait --set mu=%1 --size 320x240 --force -o m.png")
                        .arg(mu))
                .status,
            0);
        QCOMPARE(place.image(QString("s/frame-0000%1.png").arg(frame)), place.image("m.png"));
    }
    const Ran bad = place.casimir("animate two-body --view portrait --sweep m1=1:-1 -o bad/");
    QCOMPARE(bad.status, 2);
    QVERIFY(bad.err.contains("m1"));
    QCOMPARE(place.files().contains("bad"), false);
}

void FilmTest::aTurntableComesAround()
{
    const Place place;
    QCOMPARE(
        place
            .casimir(
                "animate two-body --view cylinder --turntable --still --t-end 1 --fps 4 --size 240x200 -o t/")
            .status,
        0);
    const QImage first = place.image("t/frame-00001.png");
    for (const int k : {2, 3, 4})
        QVERIFY(testing::compare(first, place.image(QString("t/frame-0000%1.png").arg(k))).largest > 0.1);
    // Each frame knows its own camera.
    QCOMPARE(place.casimir("render --from t/frame-00003.png -o again.png").status, 0);
    QCOMPARE(place.image("again.png"), place.image("t/frame-00003.png"));
    QVERIFY(
        place.casimir("animate two-body --view portrait --turntable -o x/").err.contains("view in space"));
}

void FilmTest::withoutFfmpegASentenceNamesThePackageAndPngsWork()
{
    const Place place;
    const QStringList none{"PATH=/nonexistent"};
    const QString film = "animate two-body --view stage --t-end 0.1 --size 160x120 -o ";
    const Ran ran = place.casimir(film + "f.mp4", none);
    QCOMPARE(ran.status, 2);
    QVERIFY2(ran.err.contains("Debian package: ffmpeg") && ran.err.count('\n') == 1, qPrintable(ran.err));
    QCOMPARE(place.casimir(film + "f/", none).status, 0);
    QCOMPARE(place.files(), QStringList{"f"});
}

void FilmTest::anEncoderThatCannotStartKeepsNothingOpen()
{
    const Place place;
    const auto open = [] { return QDir("/proc/self/fd").entryList(QDir::Files | QDir::System).size(); };
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", "/nonexistent");
    Recipe recipe;
    recipe.session = defaultSession(*catalogue().front());
    recipe.spec.format = "mp4";
    recipe.spec.film.emplace();
    const auto before = open();
    for (int i = 0; i < 10; ++i)
        QVERIFY_EXCEPTION_THROWN(makeEncoder(recipe, place.file("f.mp4").toStdString(), false), Error);
    QCOMPARE(open(), before);
    qputenv("PATH", path);
    QVERIFY(place.files().isEmpty());
}

void FilmTest::aStoppedFilmLeavesNothing()
{
    for (const char* name : {"f.mp4", "f/"}) {
        if (QString(name).endsWith("mp4") && QStandardPaths::findExecutable("ffmpeg").isEmpty())
            continue;
        const Place place;
        QProcess process;
        process.setWorkingDirectory(place.file("."));
        process.start(CASIMIR_PROGRAM, {"animate", "two-body", "--view", "stage", "--t-end", "1000", "--size",
                                        "160x120", "--progress", "-o", name});
        QByteArray said;
        while (!said.contains("\n3 ") && process.waitForReadyRead(60'000))
            said += process.readAllStandardOutput();
        QVERIFY(said.contains("\n3 30000"));
        QVERIFY(!place.files().isEmpty()); // it grows beside its place
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(30'000));
        QCOMPARE(process.exitCode(), 130);
        QCOMPARE(place.files(), QStringList());
    }
}

void FilmTest::onlyTheFramesInAFolderAreReplaced()
{
    const Place place;
    const QString film = "animate two-body --view stage --size 100x80 --fps 10 ";
    QCOMPARE(place.casimir(film + "--t-end 0.5 -o f/").status, 0);
    QFile note(place.file("f/note.txt"));
    QVERIFY(note.open(QIODevice::WriteOnly));
    note.write("mine");
    note.close();
    QVERIFY(place.casimir(film + "--t-end 0.2 -o f/").err.contains("--force"));
    QCOMPARE(place.casimir(film + "--t-end 0.2 -o f/ --force").status, 0);
    QCOMPARE(QDir(place.file("f")).entryList(QDir::Files),
             (QStringList{"frame-00001.png", "frame-00002.png", "note.txt"}));
    QCOMPARE(place.bytes("f/note.txt"), QByteArray("mine"));
}

QTEST_GUILESS_MAIN(FilmTest)
#include "film_test.moc"
