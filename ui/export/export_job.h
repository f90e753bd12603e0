// ExportJob: an export that takes its time, made by the program itself in a process of its own, so that the
// window stays alive and a cancelled film leaves nothing behind.
#pragma once

#include <QElapsedTimer>
#include <QProcess>
#include <QTemporaryFile>
#include <QTimer>

#include <string>

namespace casimir {

struct Recipe;

class ExportJob : public QObject {
    Q_OBJECT
public:
    explicit ExportJob(QObject* parent = nullptr);
    ~ExportJob() override; // cancels, and waits for the process to tidy up

    // One at a time. An existing file is replaced.
    void makeFilm(const Recipe& recipe, const QString& path);
    // `casimir words...`, with the session of the recipe as its --session.
    void run(const Recipe& recipe, const QStringList& words);
    void cancel();
    bool running() const { return process_.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void progressed(int done, int total, double secondsLeft); // negative: not known yet
    void finished(const QString& complaint);                  // empty: it is there
    void cancelled();

private:
    void start(const std::string& text, const QString& option, QStringList words);
    void readProgress();
    void end();

    QProcess process_;
    QTemporaryFile input_;
    QTimer patience_;
    QElapsedTimer clock_;
    bool cancelling_ = false;
};

} // namespace casimir
