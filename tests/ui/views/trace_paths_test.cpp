// Paths of points: fine enough to be curves, and made once.
#include "tests/core/support/pendulum.h"
#include "ui/views/trace_paths.h"

#include <QTest>

#include <cmath>

using namespace casimir;

class TracePathsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aQuickCircleIsRoundAndItsOldPartIsNotAskedForAgain()
    {
        const auto system = test::pendulum().make();
        Recorder recorder(system, system->start({}), "dopri5", {});
        recorder.extendTo(3);
        const auto recording = recorder.recording();
        // 0.8, 6.28 (home again at every sample) and 12.57 rad between two samples.
        for (const double rate : {40.0, 314.159265358979, 628.318530717959}) {
            const auto circle = [rate](double t) {
                return TracePaths::Points{{std::cos(rate * t), std::sin(rate * t), 0}};
            };
            constexpr double tolerance = 1e-3, spacing = 0.02;
            TracePaths paths;
            const auto path = paths.look(*recording, 1, 2, spacing, tolerance, "", circle(2), circle).front();
            double turned = 0;
            for (std::size_t i = 1; i < path.size(); ++i) {
                const Eigen::Vector3d middle = (path[i - 1] + path[i]) / 2;
                QVERIFY2(1 - middle.norm() <= 3 * tolerance, qPrintable(QString::number(1 - middle.norm())));
                turned += std::atan2(path[i - 1].cross(path[i]).z(), path[i - 1].dot(path[i]));
            }
            QVERIFY(std::abs(turned - rate) < 1e-3 * rate);
            const long before = paths.asked();
            (void)paths.look(*recording, 1.01, 2.01, spacing, tolerance, "", circle(2.01), circle);
            QVERIFY(paths.asked() - before < before / 20);
        }
    }

    void aStraightPathTakesOneLookBetweenItsSamples()
    {
        const auto system = test::pendulum().make();
        Recorder recorder(system, system->start({}), "dopri5", {});
        recorder.extendTo(3);
        const auto line = [](double t) { return TracePaths::Points{{t, 2 * t, 0}, {0, 0, 1}}; };
        TracePaths paths;
        const auto both = paths.look(*recorder.recording(), 0, 2, 0.02, 1e-6, "", line(2), line);
        QCOMPARE(both.size(), std::size_t(2));
        QVERIFY(paths.asked() <= 2 * 101);
        QVERIFY((both[0].back() - Eigen::Vector3d(2, 4, 0)).norm() == 0);
    }
};

QTEST_GUILESS_MAIN(TracePathsTest)
#include "trace_paths_test.moc"
