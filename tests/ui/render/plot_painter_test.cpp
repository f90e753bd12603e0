#include "tests/ui/support/examples.h"
#include "ui/render/plot_lines.h"
#include "ui/render/plot_painter.h"
#include "ui/render/ticks.h"

#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgGenerator>
#include <QTest>
#include <QXmlStreamReader>

#include <numbers>

using namespace casimir;
using std::numbers::pi;

namespace {

Plot emptyPlot(double xMin, double xMax, double yMin, double yMax)
{
    Plot plot;
    plot.x = {{"x", "x", "", "", 0, {}}, xMin, xMax, Scale::Linear};
    plot.y = {{"y", "y", "", "", 0, {}}, yMin, yMax, Scale::Linear};
    return plot;
}

std::vector<std::string> labels(const Ticks& ticks)
{
    std::vector<std::string> out;
    for (const Tick& tick : ticks.major)
        out.push_back(tick.label);
    return out;
}

using Labels = std::vector<std::string>;
const QRectF page(0, 0, 640, 420);

} // namespace

class PlotPainterTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCurveLiesWithinAPixelOfItsClosedForm();
    void transformAndInverseAgree();
    void zoomKeepsTheValueUnderThePointer();
    void ticksStepByOneTwoFive();
    void angleTicksAreFractionsOfPi();
    void logarithmicTicksAreDecades();
    void tinyValuesShareAPowerOfTen();
    void aLineIsCutWhereTheAngleJumps();
    void anUnwrappedLineIsFoldedIntoThePeriod();
    void nanBreaksALine();
    void nothingIsDrawnOutsideTheArea();
    void svgHasPathsAndTextAndNoImage();
    void theOverlayDoesNotRepaintThePlot();
    void aMarkIsFoundUnderThePointer();
    void namesOfMarksAreNotWrittenOneOverTheOther();
    void theNameOfAMarkAtTheTopIsWrittenWhole();
    void levelColoursStandOutFromTheBackground();
    void degenerateLimitsAreMadeUsable();
    void anAxisSharedInScaleKeepsCirclesRoundAtAnySize();
    void aStateOutsideTheWindowIsShownAtTheEdgeWithItsValue();
};

// Whatever the shape of the picture and wherever a person zooms.
void PlotPainterTest::anAxisSharedInScaleKeepsCirclesRoundAtAnySize()
{
    Plot plot = emptyPlot(-1, 1, -0.2, 0.2);
    plot.equalScales = true;
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(plot));
    for (const auto& window : {std::optional<PlotWindow>(), std::optional(PlotWindow{-1e5, 1e5, 3, 4}),
                               std::optional(PlotWindow{0.1, 0.2, -8, 9})}) {
        painter.setWindow(window);
        for (const QRectF& rect : {page, QRectF(0, 0, 300, 700), QRectF(0, 0, 1500, 200)}) {
            const PlotTransform t = painter.transform(rect);
            const QPointF middle = t.toPixel(0, 0), right = t.toPixel(1, 0), up = t.toPixel(0, 1);
            QVERIFY(std::abs((right.x() - middle.x()) - (middle.y() - up.y())) <
                    1e-9 * (right.x() - middle.x()));
            const PlotWindow wanted = window.value_or(fullWindow(plot)), seen = t.window();
            QVERIFY(seen.xMin <= wanted.xMin && seen.xMax >= wanted.xMax);
            QVERIFY(seen.yMin <= wanted.yMin && seen.yMax >= wanted.yMax);
        }
    }
}

void PlotPainterTest::aStateOutsideTheWindowIsShownAtTheEdgeWithItsValue()
{
    Plot plot = emptyPlot(0, 10, -2, 2);
    plot.y.quantity.unit = "J";
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(plot));
    const auto written = [&](double x, double y) {
        PlotOverlay overlay;
        overlay.tracks.push_back({.marks = {{.x = x, .y = y, .colour = Colour::motion(0)}}, .lines = {}});
        QBuffer buffer;
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setViewBox(page);
        QPainter p(&svg);
        painter.paint(p, page, overlay);
        p.end();
        return QString::fromUtf8(buffer.data());
    };
    QVERIFY(!written(5, 1.375).contains(QStringLiteral("1.375"))); // it is seen where it is
    QVERIFY(written(5, -7.375).contains(QStringLiteral("−7.375 J")));
    QVERIFY(written(11.25, 0).contains(QStringLiteral("11.25")));

    // The arrow lies at the upper edge, above the state's place on the other axis.
    PlotOverlay overlay;
    overlay.tracks.push_back({.marks = {{.x = 5, .y = 40, .colour = Colour::motion(0)}}, .lines = {}});
    const auto picture = [&](const PlotOverlay& over) {
        QImage image(640, 420, QImage::Format_RGB32);
        QPainter p(&image);
        painter.paint(p, page, over);
        return image;
    };
    const QImage with = picture(overlay), without = picture({});
    const PlotTransform t = painter.transform(page);
    const QColor colour = painter.theme().colour(Colour::motion(0));
    QVERIFY(with.pixelColor(t.toPixel(5, 0).x(), static_cast<int>(t.area().top()) + 6) == colour);
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            if (with.pixel(x, y) != without.pixel(x, y))
                QVERIFY(t.area().adjusted(-1, -1, 1, 1).contains(QPointF(x, y)));
}

void PlotPainterTest::aCurveLiesWithinAPixelOfItsClosedForm()
{
    Plot plot = emptyPlot(0, 10, -2, 2);
    Polyline line;
    for (int i = 0; i <= 400; ++i) {
        line.x.push_back(i / 40.0);
        line.y.push_back(std::sin(i / 40.0));
    }
    line.colour = {Role::Separatrix};
    plot.lines.push_back(line);
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(plot));
    QImage image(640, 420, QImage::Format_RGB32);
    QPainter p(&image);
    painter.paint(p, page);
    p.end();
    const QRectF area = painter.transform(page).area();
    int columns = 0;
    for (int x = static_cast<int>(area.left()) + 3; x < area.right() - 3; ++x) {
        const double value = std::sin((x + 0.5 - area.left()) / area.width() * 10);
        const double expected = area.bottom() - (value + 2) / 4 * area.height();
        double weight = 0, sum = 0;
        for (int y = static_cast<int>(area.top()) + 2; y < area.bottom() - 2; ++y) {
            // Vermillion has little blue; white, grey grid and text have as much blue as red.
            const double w = std::max(0, qRed(image.pixel(x, y)) - qBlue(image.pixel(x, y)));
            weight += w;
            sum += w * (y + 0.5);
        }
        QVERIFY(weight > 0);
        QVERIFY2(std::abs(sum / weight - expected) < 1,
                 qPrintable(QString("column %1: %2").arg(x).arg(sum / weight - expected)));
        ++columns;
    }
    QVERIFY(columns > 400);
}

void PlotPainterTest::transformAndInverseAgree()
{
    Plot plot = emptyPlot(-3, 5, 1e-9, 1e3);
    plot.y.scale = Scale::Logarithmic;
    const PlotTransform t(plot, fullWindow(plot), QRectF(50, 10, 500, 300));
    const QPointF middle = t.toPixel(1, 1e-3);
    QCOMPARE(middle, QPointF(300, 160));
    const QPointF back = t.toPlot(middle);
    QVERIFY(std::abs(back.x() - 1) < 1e-12);
    QVERIFY(std::abs(back.y() / 1e-3 - 1) < 1e-12);
    QVERIFY(std::isnan(t.yPixel(0)));
}

void PlotPainterTest::zoomKeepsTheValueUnderThePointer()
{
    const Plot plot = emptyPlot(-1, 1, 0, 10);
    const PlotTransform t(plot, fullWindow(plot), QRectF(0, 0, 400, 200));
    const QPointF pointer(100, 50);
    const PlotWindow w = t.zoomed(pointer, 4);
    QVERIFY(std::abs((w.xMax - w.xMin) - 0.5) < 1e-12);
    const PlotTransform closer(plot, w, QRectF(0, 0, 400, 200));
    const QPointF same = closer.toPixel(t.toPlot(pointer).x(), t.toPlot(pointer).y());
    QVERIFY(std::abs(same.x() - 100) < 1e-9 && std::abs(same.y() - 50) < 1e-9);
}

void PlotPainterTest::ticksStepByOneTwoFive()
{
    const Plot plot = emptyPlot(0, 1, 0, 1);
    QCOMPARE(labels(makeTicks(plot.x, -40, 20, 6)), (Labels{"−40", "−30", "−20", "−10", "0", "10", "20"}));
    QCOMPARE(labels(makeTicks(plot.x, 0, 1, 5)), (Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
    QCOMPARE(labels(makeTicks(plot.x, 5.1, 5.13, 3)), (Labels{"5.10", "5.11", "5.12", "5.13"}));
    QVERIFY(makeTicks(plot.x, 1, 1, 5).major.empty());
    QVERIFY(makeTicks(plot.x, 0, std::nan(""), 5).major.empty());
}

void PlotPainterTest::angleTicksAreFractionsOfPi()
{
    Plot plot = emptyPlot(-pi, pi, 0, 1);
    plot.x.quantity.period = 2 * pi;
    QCOMPARE(labels(makeTicks(plot.x, -pi, pi, 5)), (Labels{"−π", "−π/2", "0", "π/2", "π"}));
    QCOMPARE(labels(makeTicks(plot.x, 0, pi, 4)), (Labels{"0", "π/4", "π/2", "3π/4", "π"}));
    QCOMPARE(labels(makeTicks(plot.x, -4 * pi, 4 * pi, 4)), (Labels{"−4π", "−2π", "0", "2π", "4π"}));
    QCOMPARE(labels(makeTicks(plot.x, 0, 0.3, 3)), (Labels{"0.0", "0.1", "0.2", "0.3"}));
}

void PlotPainterTest::logarithmicTicksAreDecades()
{
    Plot plot = emptyPlot(1e-17, 1e-9, 0, 1);
    plot.x.scale = Scale::Logarithmic;
    QCOMPARE(labels(makeTicks(plot.x, 1e-17, 1e-9, 4)),
             (Labels{"10^{−16}", "10^{−14}", "10^{−12}", "10^{−10}"}));
    const Ticks few = makeTicks(plot.x, 1, 100, 4);
    QCOMPARE(labels(few), (Labels{"10^{0}", "10^{1}", "10^{2}"}));
    QCOMPARE(few.minor.size(), std::size_t(16));
}

void PlotPainterTest::tinyValuesShareAPowerOfTen()
{
    const Ticks ticks = makeTicks(emptyPlot(0, 1, 0, 1).x, 0, 4e-7, 4);
    QCOMPARE(ticks.factor, std::string("×10^{−7}"));
    QCOMPARE(labels(ticks), (Labels{"0", "1", "2", "3", "4"}));
}

void PlotPainterTest::aLineIsCutWhereTheAngleJumps()
{
    Plot plot = emptyPlot(-pi, pi, -1, 1);
    plot.x.quantity.period = 2 * pi;
    const PlotTransform t(plot, fullWindow(plot), QRectF(0, 0, 200, 100));
    const auto pieces = visiblePieces(plot, t, {3.0, -3.0}, {0, 0.2});
    QCOMPARE(pieces.size(), std::size_t(2));
    QVERIFY(std::abs(pieces[0].back().x() - 200) < 1e-6);
    QVERIFY(std::abs(pieces[1].front().x() - 0) < 1e-6);
    // Both ends meet the edge at the height of the straight line between the points: halfway, y = 0.1.
    QVERIFY(std::abs(pieces[0].back().y() - 45) < 1e-6);
    QVERIFY(std::abs(pieces[1].front().y() - 45) < 1e-6);
}

void PlotPainterTest::anUnwrappedLineIsFoldedIntoThePeriod()
{
    Plot plot = emptyPlot(-pi, pi, 0, 20);
    plot.x.quantity.period = 2 * pi;
    const PlotTransform t(plot, fullWindow(plot), QRectF(0, 0, 200, 100));
    std::vector<double> x, y;
    for (int i = 0; i <= 600; ++i) {
        x.push_back(0.03 * i);
        y.push_back(0.03 * i);
    }
    // 18 rad from 0: edges are crossed at π, 3π, 5π.
    const auto pieces = visiblePieces(plot, t, x, y);
    QCOMPARE(pieces.size(), std::size_t(4));
    for (const QPolygonF& piece : pieces)
        QVERIFY(piece.boundingRect().left() >= -1e-6 && piece.boundingRect().right() <= 200 + 1e-6);
    // A curve that runs once around, edge to edge, stays in one piece.
    QCOMPARE(visiblePieces(plot, t, {-pi, 0, pi}, {1, 2, 1}).size(), std::size_t(1));
}

void PlotPainterTest::nanBreaksALine()
{
    const Plot plot = emptyPlot(0, 4, 0, 1);
    const PlotTransform t(plot, fullWindow(plot), QRectF(0, 0, 400, 100));
    const auto pieces = visiblePieces(plot, t, {0, 1, 2, 3, 4}, {0.5, 0.5, std::nan(""), 0.5, 0.5});
    QCOMPARE(pieces.size(), std::size_t(2));
    QCOMPARE(pieces[0].back(), QPointF(100, 50));
    QCOMPARE(pieces[1].front(), QPointF(300, 50));
}

void PlotPainterTest::nothingIsDrawnOutsideTheArea()
{
    const Plot plot = emptyPlot(0, 1, 0, 1);
    const PlotTransform t(plot, fullWindow(plot), QRectF(0, 0, 100, 100));
    for (const QPolygonF& piece : visiblePieces(plot, t, {-1, 0.5, 2}, {0.5, 3, 0.5}))
        QVERIFY(QRectF(-1e-9, -1e-9, 100 + 2e-9, 100 + 2e-9).contains(piece.boundingRect()));
    QVERIFY(visiblePieces(plot, t, {2, 3}, {0, 1}).empty());
}

void PlotPainterTest::svgHasPathsAndTextAndNoImage()
{
    PlotPainter painter(Theme::print());
    painter.setPlot(std::make_shared<Plot>(examples::pendulumPortrait()));
    QBuffer buffer;
    QSvgGenerator svg;
    svg.setOutputDevice(&buffer);
    svg.setViewBox(page);
    QPainter p(&svg);
    painter.paint(p, page);
    p.end();
    const QByteArray xml = buffer.data();
    QXmlStreamReader reader(xml);
    int paths = 0, texts = 0, images = 0;
    while (!reader.atEnd())
        if (reader.readNext() == QXmlStreamReader::StartElement) {
            paths += reader.name() == u"path";
            texts += reader.name() == u"text";
            images += reader.name() == u"image";
        }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(paths >= 50);
    QVERIFY(texts >= 12);
    QCOMPARE(images, 0);
    QVERIFY(xml.contains("π/2"));
    QVERIFY(xml.size() < 2'000'000);
}

void PlotPainterTest::theOverlayDoesNotRepaintThePlot()
{
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(examples::pendulumPortrait()));
    QImage image(640, 420, QImage::Format_RGB32);
    QPainter p(&image);
    PlotOverlay overlay;
    for (int i = 0; i < 20; ++i) {
        overlay.marks = {{0.1 * i, 0.5, MarkShape::Disc, Colour::motion(0), {}, {}}};
        painter.paintCached(p, page, 1, overlay);
    }
    QCOMPARE(painter.cacheMisses(), 1);
    QCOMPARE(painter.layouts(), 1);
    painter.setWindow(PlotWindow{-1, 1, -1, 1});
    painter.paintCached(p, page, 1, overlay);
    painter.paintCached(p, page, 2, overlay);
    QCOMPARE(painter.cacheMisses(), 3);
}

void PlotPainterTest::aMarkIsFoundUnderThePointer()
{
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(examples::pendulumPortrait()));
    const PlotTransform t = painter.transform(page);
    QCOMPARE(painter.markAt(page, t.toPixel(0, 0) + QPointF(2, 2)), std::string("down"));
    QCOMPARE(painter.markAt(page, t.toPixel(-pi, 0) + QPointF(2, 0)), std::string("up"));
    QCOMPARE(painter.markAt(page, t.toPixel(1, 1)), std::string());
}

void PlotPainterTest::namesOfMarksAreNotWrittenOneOverTheOther()
{
    const auto drawn = [](double x, const std::string& second) {
        Plot plot = emptyPlot(0, 10, -2, 2);
        plot.marks = {{1, 0, MarkShape::Disc, {Role::Stable}, "first", "a"},
                      {x, 0.02, MarkShape::Disc, {Role::Unstable}, second, "b"}};
        PlotPainter painter;
        painter.setPlot(std::make_shared<Plot>(plot));
        QImage image(page.size().toSize(), QImage::Format_RGB32);
        QPainter onto(&image);
        painter.paint(onto, page);
        return image;
    };
    QCOMPARE(drawn(1.1, "second"), drawn(1.1, ""));
    QVERIFY(drawn(6, "second") != drawn(6, ""));
}

void PlotPainterTest::theNameOfAMarkAtTheTopIsWrittenWhole()
{
    // As much ink as in the middle of the plot, less where a grid line runs beneath it.
    const auto ink = [](double y) {
        const auto drawn = [y](const std::string& label) {
            Plot plot = emptyPlot(0, 10, -2, 2);
            plot.marks = {{1.2, y, MarkShape::Disc, {Role::Stable}, label, "a"}};
            PlotPainter painter;
            painter.setPlot(std::make_shared<Plot>(plot));
            QImage image(page.size().toSize(), QImage::Format_RGB32);
            QPainter onto(&image);
            painter.paint(onto, page);
            return image;
        };
        const QImage with = drawn("name"), without = drawn("");
        int count = 0;
        for (int row = 0; row < with.height(); ++row)
            for (int column = 0; column < with.width(); ++column)
                count += qGray(with.pixel(column, row)) < qGray(without.pixel(column, row)) - 60;
        return count;
    };
    QVERIFY(ink(0.3) > 40);
    QVERIFY(ink(2) > 0.8 * ink(0.3));
}

void PlotPainterTest::levelColoursStandOutFromTheBackground()
{
    // Relative luminance and contrast as WCAG defines them; 1.8 keeps a hairline visible.
    const auto luminance = [](const QColor& c) {
        const auto linear = [](double v) {
            return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(c.redF()) + 0.7152 * linear(c.greenF()) + 0.0722 * linear(c.blueF());
    };
    for (const Theme& theme : {Theme::light(), Theme::dark(), Theme::print()})
        for (int i = 0; i <= 20; ++i) {
            const double a = luminance(theme.level(i / 20.0)) + 0.05,
                         b = luminance(theme.background()) + 0.05;
            QVERIFY(std::max(a / b, b / a) > 1.8);
        }
}

void PlotPainterTest::degenerateLimitsAreMadeUsable()
{
    Plot plot = emptyPlot(2, 2, std::nan(""), 1);
    plot.lines.push_back({{2, 2}, {0, 1}, {}, {}, false, 0, {}, {}});
    PlotPainter painter;
    painter.setPlot(std::make_shared<Plot>(plot));
    QImage image(640, 420, QImage::Format_RGB32);
    QPainter p(&image);
    painter.paint(p, page);
    painter.paint(p, QRectF(0, 0, 20, 10));
    const PlotWindow w = painter.window();
    QVERIFY(w.xMax > w.xMin && w.yMax > w.yMin);
}

QTEST_MAIN(PlotPainterTest)
#include "plot_painter_test.moc"
