// The panels, used as a person uses them: by mouse and keys on the widgets, with a real Document behind.
#include "tests/ui/support/patience.h"
#include "ui/document/document.h"
#include "ui/panels/equilibria_panel.h"
#include "ui/panels/help_panel.h"
#include "ui/panels/limits_dialog.h"
#include "ui/panels/list_cells.h"
#include "ui/panels/motions_panel.h"
#include "ui/panels/parameter_panel.h"
#include "ui/panels/timeline_panel.h"

#include "core/analysis/equilibria_table.h"
#include "core/analysis/known_digits.h"
#include "core/base/error.h"
#include "core/engine/recording.h"
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QMenu>
#include <QPlainTextEdit>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QWheelEvent>
#include <QtTest>

#include <cmath>

namespace casimir {

class PanelsTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<Document> document_;

    double mu() const { return document_->session().values.real("mu"); }
    double spin() const
    {
        return std::get<double>(document_->kind().schema.read(document_->session().values, "omega_e"));
    }
    template <class W>
    static W* child(QWidget& panel, const char* name)
    {
        W* found = panel.findChild<W*>(QString::fromLatin1(name));
        if (!found)
            qFatal("there is no %s", name);
        return found;
    }
    static void appear(QWidget& panel, QSize size)
    {
        panel.resize(size);
        panel.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        // Nothing manages windows under Xvfb.
        panel.activateWindow();
        QTRY_VERIFY(panel.isActiveWindow());
    }
    static void move(QWidget* widget, QPoint to)
    {
        QMouseEvent event(QEvent::MouseMove, to, widget->mapToGlobal(QPointF(to)), Qt::NoButton,
                          Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(widget, &event);
    }
    static void type(NumberField* field, const char* text)
    {
        QTest::mouseClick(field, Qt::LeftButton, {}, field->rect().center());
        QTRY_VERIFY(field->hasFocus());
        field->selectAll();
        QTest::keyClicks(field, QString::fromUtf8(text));
    }
    // Kept where the environment asks for it, to be looked at.
    static void grab(QWidget& widget, const QString& name)
    {
        const QString place = qEnvironmentVariable("CASIMIR_GRABS");
        if (!place.isEmpty())
            widget.grab().save(QDir(place).filePath(name + QStringLiteral(".png")));
    }

private Q_SLOTS:
    void init()
    {
        document_ = std::make_unique<Document>();
        QTRY_VERIFY(document_->analysis() && document_->analysis()->final);
    }
    void cleanup() { document_.reset(); }

    void aDragOfASliderIsFollowedAndIsOneUndoStep()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* slider = child<ValueSlider>(panel, "slider:mu");
        const Session before = document_->session();
        const int steps = document_->undoStack()->count();
        const QPoint start = slider->handle();
        QTest::mousePress(slider, Qt::LeftButton, {}, start);
        double last = mu();
        for (int i = 1; i <= 20; ++i) {
            move(slider, start - QPoint(4 * i, 0));
            QVERIFY2(mu() < last, "the session follows every move");
            last = mu();
        }
        QTest::mouseRelease(slider, Qt::LeftButton, {}, start - QPoint(80, 0));
        QCOMPARE(document_->undoStack()->count(), steps + 1);
        QVERIFY(std::abs(slider->handle().x() - (start.x() - 80)) <= 1);
        document_->undoStack()->undo();
        QVERIFY(document_->session() == before);
        QCOMPARE(slider->handle(), start);
    }

    void aTableOfBodiesIsEditedAndGrowsAndShrinks()
    {
        document_->openPreset("multibody", "chain-5");
        ParameterPanel panel(*document_);
        appear(panel, {320, 900});
        auto* table = child<QTableWidget>(panel, "value:bodies");
        const auto bodies = [this] { return document_->session().values.list("bodies"); };
        QCOMPARE(table->rowCount(), 5);
        QCOMPARE(table->verticalHeaderItem(0)->text(), QString("1")); // as on the stage
        const int steps = document_->undoStack()->count();

        QTest::mouseClick(child<QWidget>(panel, "add:bodies"), Qt::LeftButton);
        QCOMPARE(table->rowCount(), 6);
        QCOMPARE(bodies().back().integer("parent"), 4L);
        QCOMPARE(document_->undoStack()->count(), steps + 1);

        table->setCurrentCell(2, 0);
        QTest::mouseClick(child<QWidget>(panel, "remove:bodies"), Qt::LeftButton);
        QCOMPARE(table->rowCount(), 5);
        for (long k = 0; k < 5; ++k)
            QCOMPARE(bodies()[static_cast<std::size_t>(k)].integer("parent"), k - 1);

        const auto column = [&](const char* field) {
            const auto& fields = document_->kind().schema.resolve("bodies").fields;
            for (std::size_t j = 0; j < fields.size(); ++j)
                if (fields[j].id == field)
                    return static_cast<int>(j);
            return -1;
        };
        QCOMPARE(table->item(0, column("parent"))->text(), QString("–"));
        QCOMPARE(table->item(4, column("parent"))->text(), QString("4"));
        table->item(4, column("parent"))->setText("2");
        QCOMPARE(bodies()[4].integer("parent"), 1L);
        table->item(4, column("parent"))->setText("4");
        QCOMPARE(bodies()[4].integer("parent"), 3L);
        table->item(1, column("name"))->setText("arm");
        QCOMPARE(bodies()[1].choice("name"), std::string("arm"));
        table->item(1, column("hinge_on_parent"))->setText("0.25, -1");
        QCOMPARE(bodies()[1].vector("hinge_on_parent")[1], -1.0);
        table->item(1, column("mass"))->setText("0.6400000000000001");
        QCOMPARE(bodies()[1].real("mass"), 0.6400000000000001);
        QStyleOptionViewItem shown; // what the delegate paints
        qobject_cast<ListCells*>(table->itemDelegate())
            ->initStyleOption(&shown, table->model()->index(1, column("mass")));
        QCOMPARE(shown.text, QString("0.64"));
        auto* refusal = child<QLabel>(panel, "refusal:bodies");
        table->item(3, column("mass"))->setText("-1");
        QCOMPARE(bodies()[3].real("mass"), 1.0);
        QVERIFY(refusal->isVisible());
        QVERIFY2(refusal->text().startsWith("mass in row 4 = -1"), qPrintable(refusal->text()));
        table->item(2, column("name"))->setText("arm"); // taken
        QVERIFY2(refusal->text().contains("bodies 2 and 3"), qPrintable(refusal->text()));
        QCOMPARE(table->item(2, column("name"))->text(), QString());

        // A joint for each hinge and no more.
        for (int k = 0; k < 4; ++k)
            QTest::mouseClick(child<QWidget>(panel, "add:joints"), Qt::LeftButton);
        QCOMPARE(child<QTableWidget>(panel, "value:joints")->rowCount(), 4);
        QTest::mouseClick(child<QWidget>(panel, "add:joints"), Qt::LeftButton);
        QCOMPARE(child<QTableWidget>(panel, "value:joints")->rowCount(), 4);
        QVERIFY(child<QLabel>(panel, "refusal:joints")->isVisible());

        // Fewer bodies than the start names angles for.
        QVERIFY(document_->setParameter("chain", 2.0));
        QCOMPARE(table->rowCount(), 2);
    }

    void escapeDuringADragPutsEverythingBack()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* slider = child<ValueSlider>(panel, "slider:mu");
        const Session before = document_->session();
        const int steps = document_->undoStack()->count();
        const QPoint start = slider->handle();
        QTest::mousePress(slider, Qt::LeftButton, {}, start);
        move(slider, start - QPoint(60, 0));
        QVERIFY(mu() != before.values.real("mu"));
        QTest::keyClick(slider, Qt::Key_Escape);
        QVERIFY(document_->session() == before);
        move(slider, start - QPoint(30, 0));
        QTest::mouseRelease(slider, Qt::LeftButton, {}, start - QPoint(30, 0));
        QVERIFY(document_->session() == before);
        QCOMPARE(document_->undoStack()->count(), steps);
    }

    void aLinkedAliasFollowsAndLeads()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* alias = child<ValueSlider>(panel, "slider:omega_e");
        auto* linked = child<ValueSlider>(panel, "slider:mu");
        const double ratio = spin() / mu();
        const QPoint start = linked->handle();
        QTest::mousePress(linked, Qt::LeftButton, {}, start);
        move(linked, start - QPoint(25, 0));
        QTest::mouseRelease(linked, Qt::LeftButton, {}, start - QPoint(25, 0));
        QCOMPARE(alias->number(), ratio * mu());
        QTest::mousePress(alias, Qt::LeftButton, {}, alias->handle());
        move(alias, alias->handle() + QPoint(30, 0));
        QTest::mouseRelease(alias, Qt::LeftButton, {}, alias->handle());
        QVERIFY(std::abs(linked->number() - alias->number() / ratio) < 1e-9 * std::abs(linked->number()));
    }

    void typedNumbersTakeCommaAndPointAndPi()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* field = child<NumberField>(panel, "value:d2");
        type(field, "0,5");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("d2"), 0.5);
        type(field, "0.123456789012345");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("d2"), 0.123456789012345);
        auto* angle = child<NumberField>(panel, "value:theta0");
        type(angle, "-pi/2");
        QTest::keyClick(angle, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("theta0"), -std::acos(-1.0) / 2);
        QCOMPARE(field->text(), QStringLiteral("0.123457 m"));
    }

    void typedNumbersAreExpressionsInAnyUnit()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* length = child<NumberField>(panel, "value:d2");
        type(length, "50 cm");
        QTest::keyClick(length, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("d2"), 0.5);
        QCOMPARE(length->text(), QStringLiteral("0.5 m"));
        auto* mass = child<NumberField>(panel, "value:m1");
        type(mass, "2*50");
        QTest::keyClick(mass, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("m1"), 100.0);
        type(mass, "1,5 t");
        QTest::keyClick(mass, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("m1"), 1500.0);
        type(mass, "50 cm");
        QTest::keyClick(mass, Qt::Key_Return);
        QCOMPARE(document_->session().values.real("m1"), 1500.0);
        auto* reason = child<QLabel>(panel, "refusal:m1");
        QVERIFY(reason->isVisible());
        QVERIFY2(reason->text().contains(QStringLiteral("in m; here kg is wanted")),
                 qPrintable(reason->text()));
        auto* start = child<NumberField>(panel, "state:theta");
        type(start, "90°");
        QTest::keyClick(start, Qt::Key_Return);
        QCOMPARE(document_->system()
                     ->inputsOf(document_->system()->start(document_->session().motions[0].state))[0]
                     .second,
                 std::acos(-1.0) / 2);
    }

    void aStepLeftAutomaticShowsTheOneInUse()
    {
        MotionsPanel panel(*document_);
        appear(panel, {280, 460});
        auto* method = child<QComboBox>(panel, "motion0:method");
        const int gauss = method->findData(QStringLiteral("gauss4"));
        method->setCurrentIndex(gauss);
        Q_EMIT method->activated(gauss);
        auto* step = child<NumberField>(panel, "motion0:accuracy");
        QTRY_VERIFY2(step->text().startsWith(QStringLiteral("automatic")), qPrintable(step->text()));
        document_->simulation().step(1);
        QTRY_VERIFY(document_->snapshot()->motions.front().recording->steps() > 0);
        const auto recording = document_->snapshot()->motions.front().recording;
        double length = 0; // from the interpolant of the step that holds a time shortly after the start
        recording->eachStep(1, recording->origin() + 1e-9, [&length](const auto& made) {
            length = made->end() - made->begin();
            return false;
        });
        QTRY_COMPARE(step->text(), QStringLiteral("automatic (%1 s)").arg(fieldText(length)));
        type(step, "0.5");
        QTest::keyClick(step, Qt::Key_Return);
        QCOMPARE(document_->session().motions.front().options.step, 0.5);
        step->setFocus();
        step->selectAll();
        QTest::keyClick(step, Qt::Key_Delete);
        QTest::keyClick(step, Qt::Key_Return);
        QCOMPARE(document_->session().motions.front().options.step, 0.0);
        QTRY_VERIFY(step->text().startsWith(QStringLiteral("automatic")));
    }

    void aRefusedTextSaysWhyAndGivesWayToTheLastGoodValue()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        const Session before = document_->session();
        auto* field = child<NumberField>(panel, "value:m1");
        auto* reason = child<QLabel>(panel, "refusal:m1");
        const QString shown = field->text();
        for (const char* bad : {"nonsense", "-3", "1e400"}) {
            type(field, bad);
            QTest::keyClick(field, Qt::Key_Return);
            QVERIFY(reason->isVisible());
            QVERIFY2(reason->text().startsWith(QStringLiteral("m₁")), qPrintable(reason->text()));
            QCOMPARE(field->text(), QString::fromLatin1(bad));
            QVERIFY(document_->session() == before);
            if (qstrcmp(bad, "-3") == 0)
                grab(panel, QStringLiteral("parameters-refused"));
            child<ValueSlider>(panel, "slider:m1")->setFocus();
            QCOMPARE(field->text(), shown);
        }
        type(field, "120");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(!reason->isVisible());
        QCOMPARE(document_->session().values.real("m1"), 120.0);
    }

    void aDoubleClickOnSliderOrSymbolRestoresTheDefault()
    {
        document_->beginGesture();
        document_->setParameter("mu", 20.0);
        document_->endGesture();
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* slider = child<ValueSlider>(panel, "slider:mu");
        const double standard = std::get<double>(document_->kind().schema.resolve("mu").defaultValue);
        // A double click as the desktop sends it: its first press reaches the slider as a click of its own.
        QTest::mouseClick(slider, Qt::LeftButton, {}, QPoint(30, slider->height() / 2));
        QTest::mouseDClick(slider, Qt::LeftButton, {}, QPoint(30, slider->height() / 2));
        QCOMPARE(mu(), standard);
        document_->undoStack()->undo();
        QCOMPARE(mu(), 20.0);
        auto* symbol = child<QWidget>(panel, "control:mu")->findChild<SymbolLabel*>();
        QTest::mouseDClick(symbol, Qt::LeftButton);
        QCOMPARE(mu(), standard);
    }

    void keysAndTheWheelOverAFocusedSliderMakeFineSteps()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* slider = child<ValueSlider>(panel, "slider:mu");
        const double before = mu();
        const auto wheel = [slider] {
            const QPointF at = slider->rect().center();
            QWheelEvent event(at, slider->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(slider, &event);
        };
        wheel();
        QCOMPARE(mu(), before);
        slider->setFocus();
        wheel();
        const double fine = mu() - before;
        QVERIFY(fine > 0 && fine <= 0.005 * (slider->highest() - slider->lowest()));
        QTest::keyClick(slider, Qt::Key_Left);
        QVERIFY(std::abs(mu() - before) < 1e-12);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QVERIFY(mu() - before > 5 * fine);
        QTest::keyClick(slider, Qt::Key_End);
        QCOMPARE(mu(), slider->highest());
    }

    void aValueBeyondTheSliderWidensIt()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 700});
        auto* slider = child<ValueSlider>(panel, "slider:mu");
        auto* field = child<NumberField>(panel, "value:mu");
        type(field, "-730");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(mu(), -730.0);
        QVERIFY(slider->lowest() <= -730 && slider->highest() >= 100);
    }

    void limitsOfASliderAreCheckedAndKept()
    {
        const Parameter& mass = document_->kind().schema.resolve("m1");
        QVERIFY(limitsComplaint(mass, {1, 200}).isEmpty());
        QVERIFY(!limitsComplaint(mass, {200, 1}).isEmpty());
        QVERIFY(!limitsComplaint(mass, {-5, 1}).isEmpty());
        LimitsDialog dialog(mass, {1, 200}, nullptr);
        dialog.show();
        auto* max = child<QLineEdit>(dialog, "limits:max");
        max->selectAll();
        QTest::keyClicks(max, QStringLiteral("0,5"));
        dialog.accept();
        QVERIFY(dialog.isVisible());
        QVERIFY(child<QLabel>(dialog, "limits:complaint")->isVisible());
        max->selectAll();
        QTest::keyClicks(max, QStringLiteral("500"));
        dialog.accept();
        QVERIFY(!dialog.isVisible());
        ParameterPanel panel(*document_);
        document_->setLimits("m1", dialog.limits());
        QCOMPARE(child<ValueSlider>(panel, "slider:m1")->highest(), 500.0);
    }

    void theStartIsTypedAndRefused()
    {
        ParameterPanel panel(*document_);
        appear(panel, {280, 900});
        auto* field = child<NumberField>(panel, "state:theta");
        type(field, "0,25");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(document_->system()
                     ->inputsOf(document_->system()->start(document_->session().motions[0].state))[0]
                     .second,
                 0.25);
        type(field, "1e30");
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(child<QLabel>(panel, "refusal:state:theta")->isVisible());
    }

    // With the columns the head grows and shrinks, which resizes the table while it is being filled.
    void aTableOfEquilibriaTakesSystemsWithOtherColumns()
    {
        EquilibriaView table;
        table.resize(400, 200);
        static_cast<QWidget&>(table).show();
        QVERIFY(QTest::qWaitForWindowExposed(&table));
        for (int round = 0; round < 2; ++round)
            for (const char* id : {"multibody", "two-body", "three-body", "rod"}) {
                const Kind& kind = kindNamed(id);
                const Analysis analysis = kind.factory(kind, kind.schema.defaults())->analyze({});
                table.show(analysis);
                QCoreApplication::processEvents();
                QCOMPARE(table.model()->rowCount(), static_cast<int>(analysis.equilibria.size()));
            }
    }

    void theTableShowsWhatTheAnalysisSaysAndSharesItsSelection()
    {
        EquilibriaPanel panel(*document_);
        appear(panel, {280, 560});
        auto* table = child<EquilibriaView>(panel, "equilibria-table");
        const auto analysis = document_->analysis()->value;
        QCOMPARE(table->model()->rowCount(), static_cast<int>(analysis->equilibria.size()));
        const QModelIndex second = table->model()->index(1, 0);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(second).center());
        QCOMPARE(document_->selection(), analysis->equilibria[1].name);
        QVERIFY(child<QLabel>(panel, "equilibria-detail")->isVisible());
        document_->setSelection(analysis->equilibria[0].name);
        QCOMPARE(table->selectionModel()
                     ->selectedRows()
                     .front()
                     .data(EquilibriaView::NameRole)
                     .toString()
                     .toStdString(),
                 analysis->equilibria[0].name);
        panel.findChild<QAction*>(QStringLiteral("copy-csv"))->trigger();
        QCOMPARE(QApplication::clipboard()->text().toStdString(), equilibriaCsv(*analysis));
    }

    // Four times the elements stand for the continuum: what is shown of sixteen must be right in every digit.
    void numbersOfTheRodEndWhereTheirErrorBegins()
    {
        Document document(readSession(presetNamed("rod", "radial-disc").text));
        document.setParameter("N", 16L);
        EquilibriaPanel panel(document);
        appear(panel, {700, 560});
        const auto has = [&](const char* field) {
            const auto finding = document.analysis();
            return finding && finding->value && document.isCurrent(finding->number) &&
                   finding->value->more.contains(field);
        };
        QTRY_VERIFY_WITH_TIMEOUT(has("critical_spin_rate"), 20000);
        Values finer = document.session().values;
        finer.set("N", 64L);
        const Equilibrium right = document.kind().make(finer)->analyze({}).equilibria.front();
        const Equilibrium shown = asKnown(*document.analysis()->value).equilibria.front();
        QVERIFY(shown.energy != document.analysis()->value->equilibria.front().energy);
        QVERIFY(std::abs(shown.energy - right.energy) < 1e-3 * std::abs(right.energy));
        const auto* table = child<EquilibriaView>(panel, "equilibria-table")->model();
        int numbers = 0;
        for (int column = 0; column < table->columnCount(); ++column) {
            bool number = false;
            QString text = table->index(0, column).data().toString();
            const double x = text.replace(QChar(0x2212), '-').toDouble(&number);
            if (!number || x == 0)
                continue;
            double best = HUGE_VAL;
            for (const double wanted :
                 {right.energy, right.spinRate.value_or(NAN), std::get<double>(right.state[0].value),
                  std::get<double>(right.state[1].value), std::get<double>(right.state[2].value)})
                if (std::isfinite(wanted))
                    best = std::min(best, std::abs(x - wanted));
            const auto point = text.indexOf('.');
            const double unit = std::pow(10, point < 0 ? 0 : static_cast<double>(point + 1 - text.size()));
            QVERIFY2(best <= 1.01 * unit, qPrintable(text));
            ++numbers;
        }
        QVERIFY(numbers >= 2);
    }

    void startingNearASaddleLeavesItAlongTheChosenDirection()
    {
        EquilibriaPanel panel(*document_);
        appear(panel, {280, 560});
        const auto analysis = document_->analysis()->value;
        const Equilibrium& saddle = analysis->equilibria[1];
        document_->setSelection(saddle.name);
        QMenu* menu = child<QToolButton>(panel, "start-near")->menu();
        Q_EMIT menu->aboutToShow();
        QCOMPARE(static_cast<std::size_t>(menu->actions().size()), 2 * saddle.directions.size());
        menu->actions().front()->trigger();
        const State start = document_->system()->start(document_->session().motions.front().state);
        const Eigen::VectorXd away = start - saddle.point;
        QVERIFY(away.norm() > 0 && away.norm() < 0.1);
        QVERIFY(away.dot(saddle.directions.front()) > 0.99 * away.norm());
    }

    void theTableSortsByTheColumnClicked()
    {
        EquilibriaPanel panel(*document_);
        appear(panel, {700, 560});
        auto* table = child<EquilibriaView>(panel, "equilibria-table");
        const auto energyFirst = [&] {
            return table->model()->index(0, 0).data(EquilibriaView::NameRole).toString();
        };
        const int column = table->model()->columnCount() - 3;
        QHeaderView* header = table->header();
        const QPoint at(header->sectionViewportPosition(column) + 5, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        const QString lowest = energyFirst();
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, at);
        QVERIFY(energyFirst() != lowest);
    }

    void aCircleOfEquilibriaIsSaidInWords()
    {
        EquilibriaPanel panel(*document_);
        appear(panel, {280, 560});
        document_->setParameter("mu", 0.0);
        QTRY_VERIFY(document_->isCurrent(document_->analysis()->number));
        QTRY_VERIFY(child<QLabel>(panel, "equilibria-status")->isVisible());
        grab(panel, QStringLiteral("equilibria-circle"));
    }

    void theClockIsPlayedSteppedAndScrubbed()
    {
        TimelinePanel panel(*document_);
        appear(panel, {900, 50});
        auto* play = child<GlyphButton>(panel, "play");
        QTest::mouseClick(play, Qt::LeftButton);
        QTRY_VERIFY(document_->snapshot()->t > 0.1);
        QTest::mouseClick(play, Qt::LeftButton);
        QTRY_VERIFY(!document_->snapshot()->playing);
        document_->simulation().waitUntilIdle();
        QCoreApplication::processEvents();
        const double paused = document_->snapshot()->t;
        QTest::mouseClick(child<GlyphButton>(panel, "step"), Qt::LeftButton);
        QTRY_VERIFY(document_->snapshot()->t > paused);
        auto* scrub = child<ScrubBar>(panel, "scrub");
        QTest::mouseClick(scrub, Qt::LeftButton, {}, QPoint(scrub->width() / 2, scrub->height() / 2));
        const double asked = scrub->timeAt(scrub->width() / 2);
        QTRY_VERIFY(std::abs(document_->snapshot()->t - asked) < 1e-9);
        QTRY_VERIFY(child<QLabel>(panel, "time")->text().startsWith(QString::number(asked, 'f', 2)));
        grab(panel, QStringLiteral("timeline-scrubbed"));
        QTest::mouseClick(child<GlyphButton>(panel, "to-start"), Qt::LeftButton);
        QTRY_COMPARE(document_->snapshot()->t, 0.0);
    }

    void theSpeedIsTypedWithinItsBounds()
    {
        TimelinePanel panel(*document_);
        appear(panel, {900, 50});
        auto* speed = child<NumberField>(panel, "speed");
        type(speed, "2,5");
        QTest::keyClick(speed, Qt::Key_Return);
        QTRY_COMPARE(document_->snapshot()->speed, 2.5);
        type(speed, "1e9");
        QTest::keyClick(speed, Qt::Key_Return);
        QTRY_COMPARE(document_->snapshot()->speed, Simulation::kFastest);
        QTest::mouseClick(child<GlyphButton>(panel, "loop"), Qt::LeftButton);
        QTRY_VERIFY(document_->snapshot()->loop);
    }

    void motionsAreAddedChangedAndRemoved()
    {
        MotionsPanel panel(*document_);
        appear(panel, {280, 460});
        const std::size_t before = document_->session().motions.size();
        panel.findChild<QAction*>(QStringLiteral("add-other-integrator"))->trigger();
        QCOMPARE(document_->session().motions.size(), before + 1);
        QVERIFY(document_->session().motions.back().method != document_->session().motions.front().method);
        const QByteArray prefix = "motion" + QByteArray::number(static_cast<qulonglong>(before)) + ":";
        auto* overrides = child<QLineEdit>(panel, prefix + "overrides");
        overrides->setFocus();
        QTest::keyClicks(overrides, QStringLiteral("mu=40; m1=0,5"));
        QTest::keyClick(overrides, Qt::Key_Return);
        QCOMPARE(document_->session().motions.back().overrides.size(), std::size_t(2));
        QCOMPARE(document_->system(before)->values().real("m1"), 0.5);
        overrides->selectAll();
        QTest::keyClicks(overrides, QStringLiteral("nu=3"));
        QTest::keyClick(overrides, Qt::Key_Return);
        QTRY_VERIFY(child<QLabel>(panel, prefix + "refusal")->isVisible());
        QCOMPARE(document_->session().motions.back().overrides.size(), std::size_t(2));
        grab(panel, QStringLiteral("motions-refused"));
        QTest::mouseClick(child<QCheckBox>(panel, prefix + "visible"), Qt::LeftButton, {}, QPoint(6, 8));
        QVERIFY(!document_->session().motions.back().visible);
        panel.findChild<QAction*>(QString::fromLatin1(prefix + "remove"))->trigger();
        QCOMPARE(document_->session().motions.size(), before);
    }

    void assignmentsReadBackAsTheyAreWritten()
    {
        const Schema& schema = document_->kind().schema;
        const auto assignments = parseAssignments(schema, QStringLiteral("mu=0,5, m1 = 2;d2=pi/2"));
        QCOMPARE(assignments.size(), std::size_t(3));
        QCOMPARE(std::get<double>(assignments[0].value), 0.5);
        const auto again = parseAssignments(schema, assignmentsText(assignments));
        for (std::size_t i = 0; i < assignments.size(); ++i)
            QVERIFY(equal(again[i].value, assignments[i].value));
        QVERIFY_THROWS_EXCEPTION(Error, parseAssignments(schema, QStringLiteral("mu")));
    }

    void notesAreKeptInTheSession()
    {
        NotesPanel panel(*document_);
        appear(panel, {280, 200});
        QTest::keyClicks(child<QPlainTextEdit>(panel, "notes-text"), QStringLiteral("swings"));
        QTRY_COMPARE(document_->session().notes, std::string("swings"));
    }

    void helpShowsThePageOfTheSystem()
    {
        HelpPanel panel(*document_);
        const QString text = child<QTextBrowser>(panel, "help-text")->toPlainText();
        QVERIFY(text.contains(QString::fromStdString(document_->session().about)));
        QVERIFY(text.contains(QStringLiteral("What to try")));
    }

    // What a person reads; names to be typed, set as code, stay as they are typed.
    void indicesOfHelpPagesStandBelowTheLine()
    {
        int below = 0;
        for (const Kind* kind : catalogue()) {
            document_->openPreset(kind->id, presetsOf(kind->id).front().id);
            HelpPanel panel(*document_);
            const QTextDocument& page = *child<QTextBrowser>(panel, "help-text")->document();
            for (QTextBlock block = page.begin(); block.isValid(); block = block.next())
                for (auto piece = block.begin(); !piece.atEnd(); ++piece) {
                    const QTextCharFormat format = piece.fragment().charFormat();
                    below += format.verticalAlignment() == QTextCharFormat::AlignSubScript;
                    QVERIFY2(format.fontFixedPitch() || !piece.fragment().text().contains(u'_'),
                             qPrintable(QString::fromStdString(kind->id) + ": " + block.text()));
                }
        }
        QVERIFY(below > 100);
    }

    void everyPanelIsDrawnInBothThemesAndScales_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<double>("scale");
        QTest::newRow("light") << static_cast<int>(Theme::Kind::Light) << 1.0;
        QTest::newRow("dark") << static_cast<int>(Theme::Kind::Dark) << 1.0;
        QTest::newRow("light-2") << static_cast<int>(Theme::Kind::Light) << 2.0;
    }

    void everyPanelIsDrawnInBothThemesAndScales()
    {
        QFETCH(int, kind);
        QFETCH(double, scale);
        const Theme theme(static_cast<Theme::Kind>(kind), scale);
        const QString suffix = QStringLiteral("-") + QString::fromLatin1(QTest::currentDataTag());
        document_->setSelection(document_->analysis()->value->equilibria.back().name);
        Motion second = document_->session().motions.front();
        second.label = "Gauss 6";
        second.method = "gauss6";
        second.colour = 1;
        document_->addMotion(second);
        QTRY_VERIFY(document_->orbit() && document_->isCurrent(document_->orbit()->number));
        QTRY_VERIFY(document_->isCurrent(document_->analysis()->number));
        const auto draw = [&](QWidget& panel, const char* name, QSize size) {
            panel.resize(size * scale);
            panel.show();
            QVERIFY(QTest::qWaitForWindowExposed(&panel));
            QVERIFY2(panel.minimumSizeHint().width() <= size.width() * scale, name);
            grab(panel, QString::fromLatin1(name) + suffix);
        };
        ParameterPanel parameters(*document_);
        parameters.setTheme(theme);
        draw(parameters, "parameters", {280, 640});
        EquilibriaPanel equilibria(*document_);
        equilibria.setTheme(theme);
        draw(equilibria, "equilibria", {280, 560});
        MotionsPanel motions(*document_);
        motions.setTheme(theme);
        draw(motions, "motions", {280, 300});
        TimelinePanel timeline(*document_);
        timeline.setTheme(theme);
        draw(timeline, "timeline", {620, 44});
        HelpPanel help(*document_);
        help.setTheme(theme);
        draw(help, "help", {280, 420});
        NotesPanel notes(*document_);
        notes.setTheme(theme);
        draw(notes, "notes", {280, 120});
    }
};

} // namespace casimir

QTEST_MAIN(casimir::PanelsTest)
#include "panels_test.moc"
