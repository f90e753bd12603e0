#include "ui/render/symbol_text.h"

#include <QImage>
#include <QPainter>
#include <QTest>

using namespace casimir;

class SymbolTextTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void markupSurvivesTheRoundTrip_data();
    void markupSurvivesTheRoundTrip();
    void htmlHasRealSubscriptsAndItalicLetters();
    void plainTextUsesSubscriptDigitsWhereUnicodeHasThem();
    void lettersAreItalicAndUnitsAreNot();
    void subscriptAndSuperscriptShareTheirPlace();
    void drawnTextStaysInItsBox();
};

void SymbolTextTest::markupSurvivesTheRoundTrip_data()
{
    QTest::addColumn<QString>("markup");
    for (const char* text :
         {"θ", "μ_1", "I_{axis}", "kg m^2", "10^{−9}", "x_1^2", "δ^2H", "sin θ", "ν_{12}+λ", "", "a_"})
        QTest::newRow(text) << QString::fromUtf8(text);
}

void SymbolTextTest::markupSurvivesTheRoundTrip()
{
    QFETCH(QString, markup);
    QCOMPARE(SymbolText::symbol(markup.toStdString()).markup(), markup);
}

void SymbolTextTest::htmlHasRealSubscriptsAndItalicLetters()
{
    QCOMPARE(SymbolText::symbol("μ_1").html(), QString::fromUtf8("<i>μ</i><sub>1</sub>"));
    QCOMPARE(SymbolText::upright("kg m^2").html(), QString("kg m<sup>2</sup>"));
    QCOMPARE(SymbolText::symbol("a<b").html(), QString("<i>a</i>&lt;<i>b</i>"));
}

void SymbolTextTest::plainTextUsesSubscriptDigitsWhereUnicodeHasThem()
{
    QCOMPARE(SymbolText::symbol("μ_1").plain(), QString::fromUtf8("μ₁"));
    QCOMPARE(SymbolText::symbol("I_{axis}").plain(), QString::fromUtf8("Iₐₓᵢₛ"));
    QCOMPARE(SymbolText::symbol("θ_{G}").plain(), QString::fromUtf8("θ_G"));
    QCOMPARE(SymbolText::upright("10^{−12}").plain(), QString::fromUtf8("10⁻¹²"));
}

void SymbolTextTest::lettersAreItalicAndUnitsAreNot()
{
    const SymbolText text = SymbolText::quantity({"nu", "ν", "", "N m s", 0, {}});
    QCOMPARE(text.plain(), QString::fromUtf8("ν (N m s)"));
    QVERIFY(text.runs().front().italic);
    for (std::size_t i = 1; i < text.runs().size(); ++i)
        QVERIFY(!text.runs()[i].italic);
    QVERIFY(!SymbolText::symbol("sin").runs().front().italic);
}

void SymbolTextTest::subscriptAndSuperscriptShareTheirPlace()
{
    QFont font("DejaVu Sans");
    font.setPixelSize(40);
    const double both = SymbolText::symbol("x_1^2").boundingRect(font).width();
    const double one = SymbolText::symbol("x_1").boundingRect(font).width();
    QCOMPARE(both, one);
}

void SymbolTextTest::drawnTextStaysInItsBox()
{
    QImage image(300, 120, QImage::Format_RGB32);
    image.fill(Qt::white);
    QFont font("DejaVu Sans");
    font.setPixelSize(40);
    QPainter painter(&image);
    const QRectF box = SymbolText::symbol("I_{ax}^2")
                           .draw(painter, {150, 60}, Qt::AlignHCenter | Qt::AlignVCenter, font, Qt::black);
    painter.end();
    QVERIFY(std::abs(box.center().x() - 150) < 1);
    int inside = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (qGray(image.pixel(x, y)) < 128) {
                QVERIFY2(box.adjusted(-2, -2, 4, 6).contains(QPointF(x, y)),
                         qPrintable(QString("%1 %2").arg(x).arg(y)));
                ++inside;
            }
    QVERIFY(inside > 100);
}

QTEST_MAIN(SymbolTextTest)
#include "symbol_text_test.moc"
