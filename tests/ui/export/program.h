// The real program, run as a person would in a folder of its own.
#pragma once

#include <QDir>
#include <QImage>
#include <QProcess>
#include <QTemporaryDir>

namespace casimir::test {

struct Ran {
    int status = -1;
    QString out, err;
};

class Place {
public:
    QString file(const QString& name) const { return folder_.filePath(name); }
    QStringList files() const
    {
        return QDir(folder_.path()).entryList(QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
    }

    Ran run(const QString& program, const QString& arguments, const QStringList& environment = {}) const
    {
        QProcess process;
        process.setWorkingDirectory(folder_.path());
        QStringList own = QProcess::systemEnvironment();
        // Nothing that could lead to a display.
        own.removeIf([](const QString& entry) {
            return entry.startsWith("DISPLAY=") || entry.startsWith("WAYLAND") || entry.startsWith("QT_QPA");
        });
        process.setEnvironment(own + environment);
        process.start(program, QProcess::splitCommand(arguments));
        process.waitForFinished(120'000);
        return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
                QString::fromUtf8(process.readAllStandardOutput()),
                QString::fromUtf8(process.readAllStandardError())};
    }
    Ran casimir(const QString& arguments, const QStringList& environment = {}) const
    {
        return run(CASIMIR_PROGRAM, arguments, environment);
    }

    QByteArray bytes(const QString& name) const
    {
        QFile opened(file(name));
        return opened.open(QIODevice::ReadOnly) ? opened.readAll() : QByteArray();
    }
    QImage image(const QString& name) const { return QImage(file(name)); }

private:
    QTemporaryDir folder_;
};

} // namespace casimir::test
