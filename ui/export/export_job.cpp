#include "ui/export/export_job.h"

#include "core/session/export_spec.h"
#include "core/session/session_json.h"
#include "ui/export/exports.h"

#include <QDir>
#include <QFileInfo>

#include <dlfcn.h>

namespace casimir {

namespace {

constexpr int tidying = 5000; // ms for the process to remove what it began

// The program beside this library in a build tree, or below bin/ in an installation.
QString program()
{
    Dl_info info;
    if (dladdr(reinterpret_cast<void*>(&casimirExport), &info) != 0) {
        const QDir folder = QFileInfo(QString::fromLocal8Bit(info.dli_fname)).absoluteDir();
        for (const char* place : {"casimir", "../../bin/casimir"})
            if (const QFileInfo file(folder.filePath(QString::fromLatin1(place))); file.isExecutable())
                return file.absoluteFilePath();
    }
    return QStringLiteral("casimir");
}

} // namespace

ExportJob::ExportJob(QObject* parent) : QObject(parent)
{
    patience_.setSingleShot(true);
    patience_.setInterval(tidying);
    connect(&patience_, &QTimer::timeout, &process_, &QProcess::kill);
    connect(&process_, &QProcess::readyReadStandardOutput, this, &ExportJob::readProgress);
    connect(&process_, &QProcess::finished, this, &ExportJob::end);
    connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT finished(
                tr("The program that makes films could not be started: %1").arg(process_.errorString()));
    });
}

ExportJob::~ExportJob()
{
    process_.disconnect(this);
    if (!running())
        return;
    process_.terminate();
    if (!process_.waitForFinished(tidying))
        process_.kill();
}

void ExportJob::makeFilm(const Recipe& recipe, const QString& path)
{
    start(writeRecipe(recipe), QStringLiteral("--from"), {"animate", "-o", path, "--force", "--progress"});
}

void ExportJob::run(const Recipe& recipe, const QStringList& words)
{
    start(writeSession(recipe.session), QStringLiteral("--session"), words);
}

void ExportJob::start(const std::string& text, const QString& option, QStringList words)
{
    cancelling_ = false;
    if (input_.isOpen())
        input_.close();
    input_.setFileTemplate(QDir::temp().filePath("casimir-XXXXXX.json"));
    if (!input_.open() || input_.write(text.data(), static_cast<qint64>(text.size())) < 0 ||
        !input_.flush()) {
        Q_EMIT finished(tr("A file for the export could not be written in %1: %2")
                            .arg(QDir::tempPath(), input_.errorString()));
        return;
    }
    words << option << input_.fileName();
    clock_.start();
    process_.start(program(), words);
}

void ExportJob::cancel()
{
    if (!running())
        return;
    cancelling_ = true;
    process_.terminate();
    patience_.start();
}

void ExportJob::readProgress()
{
    QList<QByteArray> words;
    while (process_.canReadLine())
        words = process_.readLine().trimmed().split(' ');
    if (words.size() != 2)
        return;
    const int done = words[0].toInt(), total = words[1].toInt();
    if (done == 0)
        clock_.start();
    const double spent = static_cast<double>(clock_.elapsed()) / 1000;
    Q_EMIT progressed(done, total, done > 0 && spent > 0.5 ? spent / done * (total - done) : -1);
}

void ExportJob::end()
{
    patience_.stop();
    input_.resize(0);
    if (process_.exitStatus() == QProcess::NormalExit && process_.exitCode() == 0)
        return Q_EMIT finished({});
    if (cancelling_)
        return Q_EMIT cancelled();
    QString said = QString::fromUtf8(process_.readAllStandardError()).trimmed().section('\n', -1);
    if (said.startsWith("casimir: "))
        said.remove(0, 9);
    Q_EMIT finished(said.isEmpty() ? tr("The export ended without a word.") : said);
}

} // namespace casimir
