#include "ui/export/export_dialog.h"

#include "core/analysis/equilibria_table.h"
#include "core/analysis/known_digits.h"
#include "core/base/error.h"
#include "core/base/number_text.h"
#include "core/files/output_file.h"
#include "core/files/resumable_file.h"
#include "core/session/command_text.h"
#include "core/version.h"
#include "ui/document/document.h"
#include "ui/export/export_pages.h"
#include "ui/export/figure_export.h"
#include "ui/export/figure_preview.h"
#include "ui/export/studio.h"
#include "ui/panels/panel_parts.h"
#include "ui/views/view.h"

#include <QApplication>
#include <QClipboard>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QStandardPaths>
#include <QTabWidget>
#include <QVBoxLayout>

#include <cmath>

namespace casimir {

namespace {

constexpr int glance = 25; // ms between two looks whether a figure is computed

QString timeLeft(double seconds)
{
    if (seconds < 0)
        return {};
    return seconds < 90 ? ExportDialog::tr(", %1 s left").arg(std::ceil(seconds))
                        : ExportDialog::tr(", %1 min left").arg(std::ceil(seconds / 60));
}

} // namespace

ExportDialog::ExportDialog(Document& document, std::function<std::vector<View*>()> views,
                           const std::string& present, QString sessionFile, QWidget* parent)
    : QDialog(parent),
      document_(document),
      views_(std::move(views)),
      sessionFile_(std::move(sessionFile)),
      tabs_(new QTabWidget),
      figure_(new FigurePage(document, present, [this](const std::string& id) { return viewNamed(id); })),
      film_(new FilmPage(document, present)),
      data_(new DataPage(document, present)),
      preview_(new FigurePreview),
      path_(new QLineEdit),
      command_(new QLineEdit),
      status_(new QLabel),
      progress_(new QProgressBar),
      export_(new QPushButton(tr("&Export"))),
      cancel_(new QPushButton(tr("Cancel")))
{
    setObjectName("export");
    setWindowTitle(tr("Export"));
    resize(980, 620);
    folder_ = sessionFile_.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation)
                                     : QFileInfo(sessionFile_).absolutePath();
    if (folder_.isEmpty() || !QFileInfo(folder_).isDir())
        folder_ = QDir::homePath();

    tabs_->setObjectName("export:tabs");
    tabs_->addTab(figure_, tr("Figure"));
    tabs_->addTab(film_, tr("Film"));
    tabs_->addTab(data_, tr("Data"));
    preview_->setObjectName("export:preview");
    path_->setObjectName("export:path");
    command_->setObjectName("export:command");
    command_->setReadOnly(true);
    command_->setToolTip(tr("Makes the same from a terminal or a script"));
    status_->setObjectName("export:status");
    status_->setWordWrap(true);
    progress_->setObjectName("export:progress");
    progress_->hide();
    export_->setObjectName("export:start");
    export_->setDefault(true);
    cancel_->setObjectName("export:cancel");
    cancel_->hide();
    auto* choose = new QPushButton(tr("Choose…"));
    auto* copy = new QPushButton(tr("Copy"));
    copy->setObjectName("export:copy-command");
    auto* close = new QPushButton(tr("Close"));
    for (QPushButton* button : {choose, copy, close})
        button->setAutoDefault(false);

    auto* grid = new QGridLayout;
    grid->addWidget(new QLabel(tr("File")), 0, 0);
    grid->addWidget(path_, 0, 1);
    grid->addWidget(choose, 0, 2);
    grid->addWidget(new QLabel(tr("Command")), 1, 0);
    grid->addWidget(command_, 1, 1);
    grid->addWidget(copy, 1, 2);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(status_, 1);
    buttons->addWidget(progress_, 1);
    buttons->addWidget(cancel_);
    buttons->addWidget(export_);
    buttons->addWidget(close);
    auto* upper = new QHBoxLayout;
    tabs_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    upper->addWidget(tabs_);
    upper->addWidget(preview_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(upper, 1);
    layout->addLayout(grid);
    layout->addLayout(buttons);

    connect(tabs_, &QTabWidget::currentChanged, this, &ExportDialog::refresh);
    connect(figure_, &FigurePage::changed, this, &ExportDialog::refresh);
    connect(film_, &FilmPage::changed, this, &ExportDialog::refresh);
    connect(data_, &DataPage::changed, this, &ExportDialog::refresh);
    connect(&document_, &Document::sessionChanged, this, &ExportDialog::refresh);
    connect(&document_, &Document::optionsChanged, this, &ExportDialog::refresh);
    connect(&document_, &Document::kindChanged, this, &QDialog::close); // its views are no more
    connect(path_, &QLineEdit::textEdited, this, &ExportDialog::refresh);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::browse);
    connect(copy, &QPushButton::clicked, this, [this] {
        QApplication::clipboard()->setText(command());
        tell(tr("Copied."));
    });
    connect(export_, &QPushButton::clicked, this, &ExportDialog::begin);
    connect(close, &QPushButton::clicked, this, &ExportDialog::reject);
    connect(cancel_, &QPushButton::clicked, this, [this] {
        studio_.reset();
        if (job_.running())
            job_.cancel();
        else
            setBusy(false);
    });
    poll_.setInterval(glance);
    connect(&poll_, &QTimer::timeout, this, &ExportDialog::finishFigure);
    connect(&job_, &ExportJob::progressed, this, [this](int done, int total, double left) {
        progress_->setRange(0, total);
        progress_->setValue(done);
        const bool film = tabs_->currentIndex() == Film;
        progress_->setFormat((film ? tr("frame %1 of %2%3") : tr("point %1 of %2%3"))
                                 .arg(done)
                                 .arg(total)
                                 .arg(timeLeft(left)));
    });
    connect(&job_, &ExportJob::cancelled, this, [this] {
        if (tabs_->currentIndex() == Data && data_->wish().sweep)
            QFile::remove(QString::fromStdString(growingName(path().toStdString()).string()));
        setBusy(false);
        tell(tr("Cancelled; nothing was written."));
    });
    connect(&job_, &ExportJob::finished, this, [this](const QString& complaint) {
        setBusy(false);
        tell(complaint.isEmpty() ? tr("Wrote %1").arg(path()) : complaint, !complaint.isEmpty());
        if (complaint.isEmpty())
            Q_EMIT wrote(path());
    });
    refresh();
}

ExportDialog::~ExportDialog()
{
    document_.disconnect(this);
}

View* ExportDialog::viewNamed(const std::string& id) const
{
    for (View* view : views_())
        if (view->info().id == id)
            return view;
    return nullptr;
}

Recipe ExportDialog::recipe() const
{
    return {document_.session(), tabs_->currentIndex() == Film ? film_->spec() : figure_->spec()};
}

Recipe ExportDialog::dataRecipe(const DataWish& wish) const
{
    ExportSpec spec;
    spec.views = {wish.what};
    spec.format = wish.format;
    spec.t = document_.snapshot()->t;
    return {document_.session(), spec};
}

QString ExportDialog::path() const
{
    return path_->text();
}

QString ExportDialog::command() const
{
    return command_->text();
}

void ExportDialog::suggestName()
{
    const QString name = tabs_->currentIndex() == Figure ? figure_->suggestedName()
                         : tabs_->currentIndex() == Film ? film_->suggestedName()
                                                         : data_->suggestedName();
    // A name that the person gave keeps all but its ending.
    if (!suggested_.isEmpty() && path_->text() != suggested_) {
        const QFileInfo given(path_->text());
        const QString ending = QFileInfo(name).suffix();
        if (ending.isEmpty() || given.suffix().isEmpty() || given.suffix() == ending)
            return;
        suggested_.clear();
        path_->setText(QDir(given.path()).filePath(given.completeBaseName() + "." + ending));
        suggested_ = " "; // from now on the person's
        return;
    }
    suggested_ = QDir(folder_).filePath(name);
    path_->setText(suggested_);
}

void ExportDialog::refresh()
{
    suggestName();
    const std::string place = path_->text().toStdString();
    const QString saved = sessionFile_.isEmpty() ? QStringLiteral("session.json") : sessionFile_;
    const Session& session = document_.session();
    QString complaint;
    try {
        if (tabs_->currentIndex() == Data) {
            const DataWish wish = data_->wish();
            std::string command;
            if (wish.what == "trajectory") {
                command = simulateCommand(session, session.motions.at(wish.motion), wish.tEnd) + " --dt " +
                          numberText(wish.dt);
            } else if (wish.what == "equilibria") {
                command = "casimir analyze " + sessionArguments(session, session.motions.front());
            } else if (wish.sweep) {
                command = sweepCommand(session, *wish.sweep);
            } else {
                command = exportCommand(dataRecipe(wish), place, saved.toStdString());
            }
            if (wish.what == "trajectory" || wish.what == "equilibria" || wish.sweep)
                command += " -o " + shellWord(place);
            command_->setText(QString::fromStdString(command));
            preview_->setMessage(tr("Numbers in full precision, with their units and how they were made."));
        } else {
            const Recipe wanted = recipe();
            command_->setText(QString::fromStdString(exportCommand(wanted, place, saved.toStdString())));
            checkExport(wanted.spec, wanted.session);
            Recipe shown = wanted;
            if (shown.spec.film) {
                shown.session = sessionAt(wanted, 0);
                shown.spec.t = shown.spec.film->timeAt(0);
            }
            preview_->setRecipe(shown);
            if (!saidByArguments(session) && sessionFile_.isEmpty())
                tell(tr("For the command, save the session as session.json first; the exported figure itself "
                        "also "
                        "holds everything: casimir render --from FILE."));
            else
                tell({});
        }
    } catch (const Error& error) {
        complaint = QString::fromUtf8(error.what());
        preview_->setMessage(complaint);
    }
    command_->setCursorPosition(0);
    export_->setEnabled(complaint.isEmpty() && !path_->text().isEmpty() && !job_.running() && !studio_);
}

void ExportDialog::browse()
{
    const QString chosen = QFileDialog::getSaveFileName(this, tr("Export to"), path_->text(), {}, nullptr,
                                                        QFileDialog::DontConfirmOverwrite);
    if (chosen.isEmpty())
        return;
    folder_ = QFileInfo(chosen).absolutePath();
    path_->setText(path_->text().endsWith('/') ? chosen + "/" : chosen);
    refresh();
}

bool ExportDialog::mayWrite(const QStringList& files)
{
    QStringList there;
    for (const QString& file : files) {
        const QFileInfo info(file);
        if (info.isDir() ? !QDir(file).isEmpty() : info.exists())
            there << QDir(file).dirName();
    }
    if (there.isEmpty())
        return true;
    return QMessageBox::question(this, tr("Casimir"),
                                 there.size() == 1
                                     ? tr("%1 exists already. Replace it?").arg(there.front())
                                     : tr("These exist already: %1. Replace them?").arg(there.join(", ")),
                                 QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes;
}

void ExportDialog::begin()
{
    for (View* view : views_())
        view->keepNow();
    QStringList files{path()};
    if (tabs_->currentIndex() == Figure) {
        files.clear();
        for (const std::string& file : filesOf(figure_->spec(), path().toStdString()))
            files << QString::fromStdString(file);
    }
    if (!mayWrite(files))
        return;
    tell({});
    try {
        if (tabs_->currentIndex() == Figure)
            writeFigure();
        else if (tabs_->currentIndex() == Data)
            writeData();
        else {
            const Recipe wanted = recipe();
            if (formatOf(path().toStdString(), true) != wanted.spec.format)
                throw Error("the name of the file and the chosen format differ");
            setBusy(true);
            job_.makeFilm(wanted, path());
        }
    } catch (const Error& error) {
        setBusy(false);
        tell(QString::fromUtf8(error.what()), true);
    }
}

void ExportDialog::writeFigure()
{
    const Recipe wanted = recipe();
    if (formatOf(path().toStdString(), false) != wanted.spec.format)
        throw Error("the name of the file and the chosen format differ");
    // The place is tried before anything is computed.
    for (const std::string& file : filesOf(wanted.spec, path().toStdString()))
        OutputFile(file, true);
    studio_ = std::make_unique<Studio>(wanted);
    setBusy(true);
    progress_->setRange(0, 0);
    poll_.start();
}

void ExportDialog::finishFigure()
{
    if (!studio_)
        return poll_.stop();
    try {
        if (!studio_->ready())
            return;
        casimir::exportFigure(*studio_, path().toStdString(), true);
        tell(tr("Wrote %1").arg(path()));
        Q_EMIT wrote(path());
    } catch (const Error& error) {
        tell(QString::fromUtf8(error.what()), true);
    }
    poll_.stop();
    studio_.reset();
    setBusy(false);
}

void ExportDialog::writeData()
{
    const DataWish wish = data_->wish();
    if (wish.what == "trajectory") {
        setBusy(true);
        progress_->setRange(0, 0);
        job_.run({document_.session(), {}},
                 {"simulate", "--motion", QString::number(wish.motion + 1), "--t-end",
                  QString::fromStdString(numberText(wish.tEnd)), "--dt",
                  QString::fromStdString(numberText(wish.dt)), "-o", path(), "--force"});
        return;
    }
    if (wish.sweep) {
        QStringList words{"sweep", "-o", path(), "--force", "--progress"};
        for (const SweepAxis& axis : wish.sweep->axes)
            words << "--vary" << QString::fromStdString(axis.text());
        for (const std::string& quantity : wish.sweep->quantities)
            words << "--quantity" << QString::fromStdString(quantity);
        setBusy(true);
        progress_->setRange(0, 0);
        job_.run({document_.session(), {}}, words);
        return;
    }
    OutputFile file(path().toStdString(), true);
    if (wish.what == "equilibria") {
        const auto finding = document_.analysis();
        if (!finding || !finding->value)
            throw Error("the equilibria are not computed yet");
        file.write(wish.format == "tex"  ? equilibriaLatex(asKnown(*finding->value))
                   : wish.format == "md" ? equilibriaMarkdown(asKnown(*finding->value))
                                         : equilibriaCsv(*finding->value));
    } else {
        View* view = viewNamed(wish.what);
        auto table = view ? view->data() : std::nullopt;
        if (!table || table->rows() == 0)
            throw Error("there are no numbers to be seen in '" + wish.what + "' yet");
        casimir::writeData(asMade(std::move(*table), dataRecipe(wish), path().toStdString()), wish.format,
                           [&file](std::string_view text) { file.write(text); });
    }
    file.commit();
    tell(tr("Wrote %1").arg(path()));
    Q_EMIT wrote(path());
}

void ExportDialog::setBusy(bool busy)
{
    progress_->setVisible(busy);
    progress_->setValue(0);
    progress_->setFormat(QString());
    status_->setVisible(!busy);
    cancel_->setVisible(busy);
    tabs_->setEnabled(!busy);
    path_->setEnabled(!busy);
    export_->setEnabled(!busy);
}

void ExportDialog::tell(const QString& text, bool complaint)
{
    status_->setProperty("refusal", complaint);
    if (const auto views = views_(); !views.empty())
        dress(*this, views.front()->theme());
    status_->setText(text);
}

void ExportDialog::reject()
{
    if (job_.running() &&
        QMessageBox::question(this, tr("Casimir"), tr("An export is under way. Stop it?"),
                              QMessageBox::Yes | QMessageBox::No, QMessageBox::No) != QMessageBox::Yes)
        return;
    job_.cancel();
    QDialog::reject();
}

} // namespace casimir
