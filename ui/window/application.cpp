#include "ui/window/application.h"

#include <exception>

namespace casimir {

bool Application::notify(QObject* receiver, QEvent* event)
{
    QString reason;
    try {
        return QApplication::notify(receiver, event);
    } catch (const std::exception& error) {
        reason = QString::fromUtf8(error.what());
    } catch (...) {
        reason = tr("no reason was given");
    }
    // Who hears of it may fail for the same reason.
    try {
        Q_EMIT failed(
            tr("Casimir made a mistake and could not finish this (%1). Your work is kept.").arg(reason));
    } catch (...) {
    }
    return false;
}

} // namespace casimir
