// Autosave: a copy of the Session in the user's data folder, written soon after every change, so that a crash
// loses nothing. A clean end removes the copy; what a run that did not end properly left is offered at the
// next start.
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
    };

    Autosave(Document& document, const QString& folder, QObject* parent = nullptr);
    ~Autosave() override;

    // Copies that no living program owns, newest first. Those that cannot be read are left out.
    std::vector<Remains> remains() const;
    static void discard(const Remains& remains);

    // After this a clean end leaves nothing.
    void end();

private:
    void write();

    Document& document_;
    QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;
    QTimer timer_;
    bool ended_ = false;
};

} // namespace casimir
