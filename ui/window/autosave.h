// Autosave: a copy of the Session in the user's data folder, written soon after every change, so that a crash
// loses nothing. A clean end removes the copy; what a run that did not end properly left is offered at the
// next start. What a person discards is kept here for one more run of the program.
#pragma once

#include "ui/document/document.h"

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace casimir {

class Autosave : public QObject {
    Q_OBJECT
public:
    // What another run left behind.
    struct Remains {
        QString path;
        QDateTime written;
        QString title;
        QString file = {}; // the Session's own; empty: it had none
    };

    Autosave(Document& document, const QString& folder, QObject* parent = nullptr);
    ~Autosave() override;

    // Copies that no living program owns, newest first. Those that cannot be read are left out.
    std::vector<Remains> remains() const;
    static void discard(const Remains& remains);

    // Puts a copy of the Session in place, or what another run left, among what was discarded.
    void keepDiscarded();
    void putAside(const Remains& remains);
    std::vector<Remains> discarded() const; // newest first

    // Now, not soon.
    void write();

    // After this a clean end leaves nothing.
    void end();

private:
    std::vector<Remains> readable(const QString& folder) const;
    QString discardedFolder() const;
    void writeTo(const QString& path) const;

    Document& document_;
    QString folder_, path_;
    std::vector<Remains> expiring_; // discarded by runs before this one
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
    bool ended_ = false;
};

} // namespace casimir
