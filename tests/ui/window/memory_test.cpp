// A drag may last as long as it likes: what a document holds after ten thousand changes is what it held after
// a hundred.
#include "core/systems/catalogue.h"
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"

#include <QTest>

#include <malloc.h>

namespace casimir {

class MemoryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tenThousandChangesOfAParameterLeaveNothingBehind_data()
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("parameter");
        QTest::newRow("two bodies") << "two-body"
                                    << "mu";
        QTest::newRow("three bodies") << "three-body"
                                      << "m2";
    }
    void tenThousandChangesOfAParameterLeaveNothingBehind()
    {
        QFETCH(QString, kind);
        QFETCH(QString, parameter);
        Document document;
        document.openPreset(kind.toStdString(), presetsOf(kind.toStdString()).front().id);
        document.simulation().pause();
        for (const PlotInfo& info : document.system()->plots())
            if (!info.longRunning)
                document.wantPlot(info.id);
        const double start = document.session().values.real(parameter.toStdString());
        document.beginGesture();
        // Changes back and forth, so that both counts are taken at the same value.
        const auto change = [&](int from, int to) {
            for (int i = from; i < to; ++i) {
                document.setParameter(parameter.toStdString(), start * (1 + 0.3 * (i % 100) / 100.0));
                QCoreApplication::processEvents();
            }
            const bool answered = QTest::qWaitFor(
                [&] {
                    const auto finding = document.analysis();
                    return finding && finding->final && document.isCurrent(finding->number);
                },
                20000);
            QTest::qWait(300); // the plots, and what the engine lets go of
            return answered;
        };
        QVERIFY(change(0, 100));
        const double early = static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd);
        QVERIFY(change(100, 10000));
        const double late = static_cast<double>(mallinfo2().uordblks + mallinfo2().hblkhd);
        document.endGesture();
        // A system kept by each change would be megabytes; what the allocator and the workers keep is below
        // 400 kB.
        QVERIFY2(late - early < 4e5, qPrintable(QString("%1 kB more").arg((late - early) / 1e3)));
        QCOMPARE(document.undoStack()->count(), 2); // the preset, and one drag
    }
};

} // namespace casimir

QTEST_MAIN(casimir::MemoryTest)
#include "memory_test.moc"
