#include "ui/window/autosave.h"

#include "core/model/error.h"
#include "core/session/output_file.h"
#include "core/session/session_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>

namespace casimir {

namespace {

// Of a drag that never pauses a copy is still written this often.
constexpr int pause = 700; // ms

QString lockOf(const QString& path)
{
    return path + QStringLiteral(".lock");
}

} // namespace

Autosave::Autosave(Document& document, const QString& folder, QObject* parent)
    : QObject(parent), document_(document), folder_(folder)
{
    if (!QDir().mkpath(folder_))
        return; // without a place to write there is nothing to offer later; the work itself goes on
    path_ = QDir(folder_).filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + ".json");
    lock_ = std::make_unique<QLockFile>(lockOf(path_));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
    timer_.setSingleShot(true);
    timer_.setInterval(pause);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write);
    const auto later = [this] {
        if (!timer_.isActive() && !ended_)
            timer_.start();
    };
    connect(&document_, &Document::sessionChanged, this, later);
    connect(&document_, &Document::optionsChanged, this, later);
}

Autosave::~Autosave()
{
    end();
}

void Autosave::end()
{
    if (ended_ || path_.isEmpty())
        return;
    ended_ = true;
    timer_.stop();
    QFile::remove(path_);
    lock_->unlock();
}

void Autosave::write()
{
    try {
        OutputFile file(path_.toStdString(), true);
        file.write(document_.sessionText().toStdString());
        file.commit();
    } catch (const Error&) {
        // A full disk must not disturb the work; the next change tries again.
    }
}

std::vector<Autosave::Remains> Autosave::remains() const
{
    std::vector<Remains> found;
    const QFileInfoList files = QDir(folder_).entryInfoList({"*.json"}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        if (info.filePath() == path_)
            continue;
        QLockFile owner(lockOf(info.filePath()));
        owner.setStaleLockTime(0);
        if (!owner.tryLock(0))
            continue;
        QFile file(info.filePath());
        if (!file.open(QIODevice::ReadOnly))
            continue;
        try {
            const Session session = readSession(file.readAll().toStdString());
            found.push_back({info.filePath(), info.lastModified(), QString::fromStdString(session.title)});
        } catch (const Error&) {
            continue;
        }
    }
    return found;
}

void Autosave::discard(const Remains& remains)
{
    QFile::remove(remains.path);
    QFile::remove(lockOf(remains.path));
}

} // namespace casimir
