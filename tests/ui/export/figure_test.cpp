// Figures as files: what is in them, and that they show what the window and the formulas say.
#include "core/session/export_spec.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/ui/export/program.h"
#include "tests/ui/support/image_compare.h"
#include "tests/ui/support/patience.h"
#include "tests/ui/support/stillness.h"
#include "ui/export/studio.h"
#include "ui/render/gl_host.h"
#include "ui/views/plot_view.h"
#include "ui/views/view3d.h"
#include "ui/views/view_factory.h"

#include <QApplication>
#include <QDir>
#include <QPainter>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>
#include <map>

using namespace casimir;
using casimir::test::Place;
using casimir::test::Ran;

namespace {

bool isInstalled(const char* program)
{
    return !QStandardPaths::findExecutable(program).isEmpty();
}

// How often each element occurs; empty where the text is not XML.
std::map<QString, int> elements(const QByteArray& xml)
{
    std::map<QString, int> counts;
    QXmlStreamReader reader(xml);
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement)
            ++counts[reader.name().toString()];
    return reader.hasError() ? std::map<QString, int>() : counts;
}

} // namespace

class FigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void thePortraitsSvgIsVectorsAndTextThatASecondRendererDrawsAlike();
    void aViewInSpaceIsAPictureInsideTheSvgAndItsNumbersAreText();
    void aFlatStageIsVectorsThatShowWhatThePictureShows();
    void theCurveOfTheFigureIsTheClosedForm();
    void aFigureIsMadeAgainFromItsOwnFile();
    void thePixelsOfAPngAreThoseAskedFor();
    void aTransparentFigureCoversOnlyWhatIsDrawn();
    void theWindowAndTheCommandLineDrawTheSame();
    void allViewsAreWrittenAtOnceOrOnOnePage();
    void theDataOfAViewIsWrittenInFull();
    void numPyReadsEveryNumberAsTheCsvHasIt();
    void whatCannotBeWrittenIsSaidAndNothingIsLost();
};

void FigureTest::thePortraitsSvgIsVectorsAndTextThatASecondRendererDrawsAlike()
{
    const Place place;
    const QString figure = "render two-body --preset figure-1 --view portrait --t 3 --size 800x600 ";
    QCOMPARE(place.casimir(figure + "-o p.svg").status, 0);
    const QByteArray svg = place.bytes("p.svg");
    QVERIFY(svg.size() < 2'000'000);
    auto count = elements(svg);
    QVERIFY(!count.empty());
    QCOMPARE(count["image"], 0);
    QVERIFY(count["path"] + count["polyline"] > 30);
    QVERIFY(count["text"] > 10);
    QVERIFY(svg.contains(">homoclinic orbits<"));
    if (!isInstalled("rsvg-convert"))
        QSKIP("rsvg-convert (Debian package librsvg2-bin) is not installed");
    QCOMPARE(place.run("rsvg-convert", "-w 800 -h 600 p.svg -o second.png").status, 0);
    QCOMPARE(place.casimir(figure + "-o p.png").status, 0);
    const auto difference = testing::compare(place.image("p.png"), place.image("second.png"));
    QVERIFY2(difference.mean < 0.02, qPrintable(QString::number(difference.mean)));
    QVERIFY2(difference.largest < 0.35, qPrintable(QString::number(difference.largest)));
    // The comparison can tell: the same figure at another μ is another picture.
    QCOMPARE(place.casimir(figure + "--set mu=20 -o other.png").status, 0);
    QVERIFY(testing::compare(place.image("p.png"), place.image("other.png")).largest > 0.5);
}

void FigureTest::aViewInSpaceIsAPictureInsideTheSvgAndItsNumbersAreText()
{
    const Place place;
    QCOMPARE(place.casimir("render two-body --view cylinder --size 300x200 -o s.svg").status, 0);
    auto count = elements(place.bytes("s.svg"));
    QCOMPARE(count["image"], 1);
    QVERIFY(count["text"] > 3);
}

// Bodies in the plane are opaque and flat, which vectors can say.
void FigureTest::aFlatStageIsVectorsThatShowWhatThePictureShows()
{
    const Place place;
    for (const char* scene : {"two-body --preset figure-1 --t 3", "three-body --preset six --t 2",
                              "multibody --preset star --t 1", "servo-rod --preset overdamped --t 1"}) {
        const QString figure = QString("render %1 --view stage --size 600x500 --force ").arg(scene);
        const QString other = QString(figure).replace(QRegularExpression("--t [0-9.]+"), "--t 4.7");
        QVERIFY2(place.casimir(figure + "-o s.svg").status == 0, scene);
        auto count = elements(place.bytes("s.svg"));
        QCOMPARE(count["image"], 0);
        QVERIFY(count["text"] > 3);
        QVERIFY(place.bytes("s.svg").size() < 2'000'000);
        QCOMPARE(place.casimir(figure + "-o s.png").status, 0);
        QCOMPARE(place.run("rsvg-convert", "-w 600 -h 500 s.svg -o second.png").status, 0);
        const auto difference = testing::compare(place.image("s.png"), place.image("second.png"));
        QVERIFY2(
            difference.mean < 0.01 && difference.largest < 0.3,
            qPrintable(
                QString("%1: mean %2, largest %3").arg(scene).arg(difference.mean).arg(difference.largest)));
        QCOMPARE(place.casimir(other + "-o other.png").status, 0);
        QVERIFY2(testing::compare(place.image("s.png"), place.image("other.png")).largest > 0.3, scene);
    }
}

// The amended potential of two bodies, V = μ² / (2 (Ĩ1 + Ĩ2 + 2 ε d1 d2 cos θ)), from the masses and lengths
// of the preset; the figure's pixels are searched for it.
void FigureTest::theCurveOfTheFigureIsTheClosedForm()
{
    const double m1 = 100, m2 = 125, I1 = 50, I2 = 50, d1 = 1, d2 = 0.6, mu = 50;
    const double eps = m1 * m2 / (m1 + m2);
    const auto potential = [&](double theta) {
        return mu * mu /
               (2 * (I1 + eps * d1 * d1 + I2 + eps * d2 * d2 + 2 * eps * d1 * d2 * std::cos(theta)));
    };
    Recipe recipe;
    recipe.session = readSession(presetNamed("two-body", "figure-1").text);
    recipe.spec.views = {"potential"};
    recipe.spec.size = {800, 600, false, 1};
    Studio studio(recipe);
    QVERIFY(studio.waitUntilReady());
    const QImage image = studio.image();
    auto* view = qobject_cast<PlotView*>(studio.views().front().get());
    const PlotTransform transform = view->painter().transform(QRectF(0, 0, 800, 600));
    int checked = 0;
    for (double theta = -3; theta <= 3; theta += 0.05) {
        // Labels and the lines at the present energy cross the curve elsewhere.
        const QPointF at = transform.toPixel(theta, potential(theta));
        int darkest = 255;
        for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
                darkest = std::min(darkest, qGray(image.pixel(static_cast<int>(at.x()) + dx,
                                                              static_cast<int>(at.y()) + dy)));
        QVERIFY2(darkest < 200, qPrintable(QString("θ = %1: %2").arg(theta).arg(darkest)));
        // A tenth of the curve's height away there is paper, but for the few crossings.
        const QPointF off = transform.toPixel(theta, potential(theta) - 0.3);
        checked += qGray(image.pixel(static_cast<int>(off.x()), static_cast<int>(off.y()))) > 200;
    }
    QVERIFY2(checked > 90, qPrintable(QString::number(checked)));
}

void FigureTest::aFigureIsMadeAgainFromItsOwnFile()
{
    const Place place;
    const QString figure = "render two-body --set mu=33,d1=0.9 --state theta=1 --t 2 --theme light ";
    for (const char* format : {"png", "svg", "pdf"}) {
        for (const QString& what :
             {QString("--view portrait --size 60x45mm"), QString("--view stage,series --size 400x300")}) {
            const QString first = QString("a.%1").arg(format), again = QString("b.%1").arg(format);
            QCOMPARE(place.casimir(figure + what + " --force -o " + first).status, 0);
            const Ran ran = place.casimir("render --from " + first + " --force -o " + again);
            QVERIFY2(ran.status == 0, qPrintable(ran.err));
            QByteArray p = place.bytes(first), q = place.bytes(again);
            // A PDF carries the second in which it was made.
            if (QString(format) == "pdf") {
                QCOMPARE(p.size(), q.size());
                QVERIFY(p.contains("/CasimirRecipe"));
                if (isInstalled("pdfinfo"))
                    QCOMPARE(place.run("pdfinfo", again).status, 0);
            } else {
                QVERIFY(p == q);
            }
        }
    }
    // Options beside it change what they name.
    QCOMPARE(place.casimir("render --from a.svg --set mu=10 -o c.svg").status, 0);
    QVERIFY(place.bytes("c.svg").contains("\"mu\":10.0"));
    const Ran none = place.casimir("render --from missing.png -o d.png");
    QCOMPARE(none.status, 2);
    QFile plain(place.file("plain.svg"));
    QVERIFY(plain.open(QIODevice::WriteOnly));
    plain.write("<svg/>");
    plain.close();
    QVERIFY(place.casimir("render --from plain.svg -o d.png").err.contains("no recipe"));
}

void FigureTest::thePixelsOfAPngAreThoseAskedFor()
{
    const Place place;
    const std::pair<QString, QSize> sizes[] = {{"--size 641x377", {641, 377}},
                                               {"--size 320x240 --scale 4", {1280, 960}},
                                               {"--size single --dpi 150", {531, 399}}, // 90 and 67.5 mm
                                               {"--size 40x30mm", {472, 354}}};
    for (const auto& [options, size] : sizes) {
        QCOMPARE(place.casimir("render two-body --view potential --force -o p.png " + options).status, 0);
        const QImage image = place.image("p.png");
        QCOMPARE(image.size(), size);
        if (options.contains("single"))
            QVERIFY(std::abs(image.dotsPerMeterX() * 0.0254 - 150) < 0.1);
    }
}

void FigureTest::aTransparentFigureCoversOnlyWhatIsDrawn()
{
    for (const char* id : {"stage", "portrait", "series"}) {
        Recipe recipe;
        recipe.session = readSession(presetNamed("two-body", "figure-1").text);
        recipe.spec.views = {id};
        recipe.spec.size = {400, 300, false, 1};
        Studio opaque(recipe);
        QVERIFY(opaque.waitUntilReady());
        recipe.spec.transparent = true;
        Studio clear(recipe);
        QVERIFY(clear.waitUntilReady());
        const QImage image = clear.image();
        QCOMPARE(qAlpha(image.pixel(398, 2)), 0);
        // Laid on white it is the opaque figure.
        QImage paper(image.size(), QImage::Format_RGB32);
        paper.fill(Qt::white);
        QPainter painter(&paper);
        painter.drawImage(0, 0, image);
        painter.end();
        const auto difference = testing::compare(paper, opaque.image());
        QVERIFY2(difference.largest < 0.06, qPrintable(QString("%1: %2").arg(id).arg(difference.largest)));
    }
}

void FigureTest::theWindowAndTheCommandLineDrawTheSame()
{
    const Place place;
    Document document(readSession(presetNamed("two-body", "figure-1").text));
    const double t = 2.5;
    document.simulation().seek(t);
    for (const ViewInfo& info : viewsOf(*document.system())) {
        if (info.id == "series" || info.id == "invariants")
            continue; // in the window they depend on how far the motion ran
        const auto view = makeView(document, info);
        view->resize(480, 360);
        view->setTheme(Theme::light());
        view->show();
        QVERIFY(QTest::qWaitForWindowExposed(view.get()));
        QVERIFY(QTest::qWaitFor([&] {
            const auto plot = document.plot(info.plot);
            return document.snapshot()->t == t && document.orbit() && document.orbit()->final &&
                   (info.plot.empty() || (plot && plot->final));
        }));
        QVERIFY(test::untilStill(*view)); // what is drawn roughly while things change is drawn in full
        QImage seen(view->size(), QImage::Format_RGB32);
        QPainter painter(&seen);
        view->paintTo(painter, QRectF(QPointF(), view->size()));
        painter.end();
        const Ran ran =
            place.casimir(QString("render two-body --preset figure-1 --t 2.5 --theme light --size 480x360 "
                                  "--view %1 --force -o v.png")
                              .arg(QString::fromStdString(info.id)));
        QVERIFY2(ran.status == 0, qPrintable(ran.err));
        const auto difference = testing::compare(seen, place.image("v.png"));
        QVERIFY2(difference.mean < 0.01 && difference.largest < 0.2,
                 qPrintable(QString("%1: mean %2, largest %3")
                                .arg(QString::fromStdString(info.id))
                                .arg(difference.mean)
                                .arg(difference.largest)));
    }
}

void FigureTest::allViewsAreWrittenAtOnceOrOnOnePage()
{
    const Place place;
    const auto views = viewsOf(*kindNamed("two-body").make());
    QCOMPARE(place.casimir("render two-body --view all --layout each --size 200x150 -o all.png").status, 0);
    QCOMPARE(place.files().size(), static_cast<qsizetype>(views.size()));
    for (const ViewInfo& info : views)
        QCOMPARE(place.image(QString("all-%1.png").arg(QString::fromStdString(info.id))).size(),
                 QSize(200, 150));
    QCOMPARE(place.casimir("render two-body --view all --size 600x600 -o page.svg").status, 0);
    auto count = elements(place.bytes("page.svg"));
    QCOMPARE(count["image"], 2); // the cylinder, and the cells of the map
    QVERIFY(count["polyline"] + count["path"] > 60);
    // Cells cover the page without overlap.
    for (const auto arrangement : {Arrangement::Page, Arrangement::Composed})
        for (std::size_t n = 1; n < 12; ++n) {
            const auto cells = placesOf(n, arrangement, {1000, 700});
            QCOMPARE(cells.size(), n);
            for (std::size_t i = 0; i < n; ++i) {
                QVERIFY(QRect(0, 0, 1000, 700).contains(cells[i]));
                QVERIFY(cells[i].width() > 100 && cells[i].height() > 50);
                for (std::size_t k = 0; k < i; ++k)
                    QVERIFY(!cells[i].intersects(cells[k]));
            }
        }
}

void FigureTest::theDataOfAViewIsWrittenInFull()
{
    const Place place;
    QCOMPARE(place.casimir("render two-body --view series -o s.csv").status, 0);
    const QByteArray csv = place.bytes("s.csv");
    QVERIFY(csv.startsWith("# casimir"));
    QVERIFY(csv.contains("\nt,theta,nu\n"));
    QVERIFY(csv.contains("\n0,1,0\n"));
    QCOMPARE(place.casimir("render two-body --view portrait -o p.npz").status, 0);
    QVERIFY(place.bytes("p.npz").startsWith("PK\x03\x04"));
    const Ran none = place.casimir("render two-body --view stage -o s2.csv");
    QCOMPARE(none.status, 2);
    QVERIFY(none.err.contains("stage"));
}

void FigureTest::numPyReadsEveryNumberAsTheCsvHasIt()
{
    const Place place;
    const QString run = "simulate two-body --preset figure-1 --t-end 1 --dt 0.25 -o ";
    QCOMPARE(place.casimir(run + "run.npz").status, 0);
    QCOMPARE(place.casimir(run + "run.csv").status, 0);
    QCOMPARE(place.casimir("render two-body --view portrait -o p.npz").status, 0);
    QCOMPARE(place.casimir("render two-body --view portrait -o p.csv").status, 0);
    QFile script(place.file("check.py"));
    QVERIFY(script.open(QIODevice::WriteOnly));
    // As the help page tells, and then bit by bit.
    script.write(R"(import numpy
run = numpy.load("run.npz")
print(run["t"].tolist(), len(run["theta"]), str(run["made"]).splitlines()[1].split(" -")[0])
for name in ("run", "p"):
    archive = numpy.load(name + ".npz")
    rows = (line for line in open(name + ".csv") if line[0] != "#")
    table = numpy.genfromtxt(rows, names=True, delimiter=",")
    assert set(table.dtype.names) == set(archive.files) - {"made", "recipe"}, (table.dtype.names, archive.files)
    for column in table.dtype.names:
        assert archive[column].dtype == numpy.float64 and len(archive[column]) > 3
        assert numpy.array_equal(archive[column], table[column], equal_nan=True), column
print("equal")
)");
    script.close();
    const Ran ran = place.run("/usr/bin/python3", "check.py");
    QVERIFY2(ran.out == "[0.0, 0.25, 0.5, 0.75, 1.0] 5 casimir simulate two-body\nequal\n",
             qPrintable(ran.out + ran.err));
}

void FigureTest::whatCannotBeWrittenIsSaidAndNothingIsLost()
{
    const Place place;
    const auto refused = [&](const QString& arguments, const QString& sentence) {
        const Ran ran = place.casimir(arguments);
        return ran.status == 2 && ran.err.count('\n') == 1 && ran.err.contains(sentence);
    };
    QCOMPARE(place.casimir("render two-body --view potential --size 200x150 -o p.png").status, 0);
    const QByteArray before = place.bytes("p.png");
    QVERIFY(refused("render two-body --view portrait -o p.png", "--force"));
    QVERIFY(refused("render two-body --view portrait -o p.gif", ".png, .svg or .pdf"));
    QVERIFY(refused("render two-body --view portrait -o nowhere/p.png", "no folder"));
    QVERIFY(refused("render two-body --view portrait --size 10x10 -o q.png", "out of range"));
    QVERIFY(refused("render two-body --view portrait --scale 2 --dpi 200 -o q.png", "--dpi"));
    // A disk that is full: the shell lets no file grow beyond a few kB.
    const Ran full = place.run("bash", "-c \"trap '' XFSZ; ulimit -f 4; exec '" CASIMIR_PROGRAM
                                       "' render two-body --view portrait --force -o p.png\"");
    QCOMPARE(full.status, 2);
    QVERIFY2(full.err.contains("cannot write p.png"), qPrintable(full.err));
    QVERIFY(place.bytes("p.png") == before);
    QCOMPARE(place.files(), QStringList{"p.png"});
}

int main(int argc, char** argv)
{
    prepareOpenGl();
    QApplication app(argc, argv);
    FigureTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "figure_test.moc"
