#include "ui/window/autosave.h"

#include "core/base/error.h"
#include "core/files/output_file.h"
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

// Beside the copy: the name of the file that the Session belongs to.
QString nameOf(const QString& path)
{
    return path + QStringLiteral(".name");
}

QByteArray contentsOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
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
    connect(&document_, &Document::originChanged, this, later);
    expiring_ = discarded();
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
    QFile::remove(nameOf(path_));
    lock_->unlock();
    for (const Remains& each : expiring_)
        discard(each);
}

void Autosave::write()
{
    if (!ended_ && !path_.isEmpty())
        writeTo(path_);
}

void Autosave::writeTo(const QString& path) const
{
    try {
        if (document_.file().isEmpty()) {
            QFile::remove(nameOf(path));
        } else {
            OutputFile name(nameOf(path).toStdString(), true);
            name.write(document_.file().toStdString());
            name.commit();
        }
        OutputFile file(path.toStdString(), true);
        file.write(document_.sessionText().toStdString());
        file.commit();
    } catch (const Error&) {
        // A full disk must not disturb the work; the next change tries again.
    }
}

QString Autosave::discardedFolder() const
{
    return QDir(folder_).filePath(QStringLiteral("discarded"));
}

void Autosave::keepDiscarded()
{
    if (path_.isEmpty() || !QDir().mkpath(discardedFolder()))
        return;
    writeTo(QDir(discardedFolder())
                .filePath(QUuid::createUuid().toString(QUuid::WithoutBraces) + QStringLiteral(".json")));
}

void Autosave::putAside(const Remains& remains)
{
    if (!QDir().mkpath(discardedFolder()))
        return;
    const QString aside = QDir(discardedFolder()).filePath(QFileInfo(remains.path).fileName());
    QFile::rename(nameOf(remains.path), nameOf(aside));
    QFile::rename(remains.path, aside);
    QFile::remove(lockOf(remains.path));
}

std::vector<Autosave::Remains> Autosave::discarded() const
{
    return readable(discardedFolder());
}

std::vector<Autosave::Remains> Autosave::remains() const
{
    std::vector<Remains> found = readable(folder_);
    std::erase_if(found, [this](const Remains& each) {
        if (each.path == path_)
            return true;
        QLockFile owner(lockOf(each.path));
        owner.setStaleLockTime(0);
        return !owner.tryLock(0);
    });
    return found;
}

// Newest first.
std::vector<Autosave::Remains> Autosave::readable(const QString& folder) const
{
    std::vector<Remains> found;
    const QFileInfoList files = QDir(folder).entryInfoList({"*.json"}, QDir::Files, QDir::Time);
    for (const QFileInfo& info : files) {
        try {
            const Session session = readSession(contentsOf(info.filePath()).toStdString());
            found.push_back({info.filePath(), info.lastModified(), QString::fromStdString(session.title),
                             QString::fromUtf8(contentsOf(nameOf(info.filePath())))});
        } catch (const Error&) {
            continue;
        }
    }
    return found;
}

void Autosave::discard(const Remains& remains)
{
    QFile::remove(remains.path);
    QFile::remove(nameOf(remains.path));
    QFile::remove(lockOf(remains.path));
}

} // namespace casimir
