// Application: the QApplication of the program. An exception that an event handler lets through becomes a
// sentence; the window stays open, and what a person made is kept.
#pragma once

#include <QApplication>

namespace casimir {

class Application : public QApplication {
    Q_OBJECT
public:
    using QApplication::QApplication;
    bool notify(QObject* receiver, QEvent* event) override;

Q_SIGNALS:
    void failed(const QString& sentence);
};

} // namespace casimir
