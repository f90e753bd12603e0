// Gallery: the presets of every system and the person's own sessions as cards with pictures, filtered by
// text, opened by double click or Enter.
#pragma once

#include "ui/render/theme.h"

#include <QDialog>
#include <QString>
#include <QStringList>

class QLineEdit;
class QListView;
class QSortFilterProxyModel;
class QStandardItemModel;

namespace casimir {

class Gallery : public QDialog {
    Q_OBJECT
public:
    // `sessions`: files of the person's own, newest first.
    Gallery(const Theme& theme, const QStringList& sessions, QWidget* parent = nullptr);

    // Where the picture of a saved session is kept.
    static QString thumbnailOf(const QString& path);
    static constexpr QSize pictureSize{320, 200};

    enum Data { KindRole = Qt::UserRole, PresetRole, PathRole, WordsRole, AboutRole };

Q_SIGNALS:
    void presetChosen(const QString& kind, const QString& preset);
    void sessionChosen(const QString& path);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(const QModelIndex& index);

    QLineEdit* filter_;
    QListView* cards_;
    QStandardItemModel* model_;
    QSortFilterProxyModel* shown_;
};

} // namespace casimir
