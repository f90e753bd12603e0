#include "ui/panels/gallery.h"

#include "core/systems/catalogue.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QStandardPaths>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace casimir {

namespace {

constexpr int margin = 8;

// Picture, title and the system's name; the frame shows which one is chosen.
class Card : public QStyledItemDelegate {
public:
    Card(const Theme& theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        const QSize picture = Gallery::pictureSize * 0.75;
        const double text = 2 * QFontMetricsF(theme_.font()).height() + theme_.px(8);
        return {picture.width() + 2 * margin, picture.height() + static_cast<int>(text) + 2 * margin};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        painter->save();
        painter->setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
        const QRectF box = QRectF(option.rect).adjusted(3.5, 3.5, -3.5, -3.5);
        const bool chosen = option.state & QStyle::State_Selected;
        painter->setPen(QPen(chosen ? theme_.accent() : theme_.grid(), chosen ? theme_.px(2) : theme_.px(1)));
        painter->setBrush(theme_.background());
        painter->drawRoundedRect(box, theme_.px(5), theme_.px(5));
        const QSizeF size = QSizeF(Gallery::pictureSize) * 0.75;
        const QRectF picture(box.left() + (box.width() - size.width()) / 2, box.top() + margin / 2.0,
                             size.width(), size.height());
        if (const QPixmap pixmap = index.data(Qt::DecorationRole).value<QPixmap>(); !pixmap.isNull())
            painter->drawPixmap(picture, pixmap, QRectF(pixmap.rect()));
        QFont bold = theme_.font();
        bold.setBold(true);
        const double line = QFontMetricsF(bold).height();
        const QRectF title(box.left() + margin, picture.bottom() + theme_.px(4), box.width() - 2 * margin,
                           line);
        painter->setFont(bold);
        painter->setPen(theme_.text());
        painter->drawText(
            title, Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(bold).elidedText(index.data().toString(), Qt::ElideRight, title.width()));
        const QFont small = theme_.font(Theme::Text::Small);
        painter->setFont(small);
        painter->setPen(theme_.mutedText());
        painter->drawText(title.translated(0, line), Qt::AlignLeft | Qt::AlignVCenter,
                          QFontMetricsF(small).elidedText(index.data(Gallery::WordsRole).toString(),
                                                          Qt::ElideRight, title.width()));
        painter->restore();
    }

private:
    Theme theme_;
};

// Every word typed must occur somewhere in a card's title, system or description.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

    void setWords(const QString& text)
    {
        words_ = text.split(' ', Qt::SkipEmptyParts);
        invalidateFilter();
    }

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override
    {
        const QModelIndex index = sourceModel()->index(row, 0, parent);
        const QString all = index.data().toString() + ' ' + index.data(Gallery::WordsRole).toString() + ' ' +
                            index.data(Gallery::AboutRole).toString();
        return std::all_of(words_.begin(), words_.end(),
                           [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
    }

private:
    QStringList words_;
};

} // namespace

Gallery::Gallery(const Theme& theme, const QStringList& sessions, QWidget* parent)
    : QDialog(parent),
      filter_(new QLineEdit),
      cards_(new QListView),
      model_(new QStandardItemModel(this)),
      shown_(new WordFilter(this))
{
    setObjectName("gallery");
    setWindowTitle(tr("Gallery"));
    resize(1120, 760);

    for (const QString& path : sessions) {
        auto* item = new QStandardItem(QFileInfo(path).completeBaseName());
        item->setData(tr("your session"), WordsRole);
        item->setData(path, PathRole);
        item->setData(path, AboutRole);
        item->setToolTip(path);
        item->setData(QPixmap(thumbnailOf(path)), Qt::DecorationRole);
        model_->appendRow(item);
    }
    for (const Kind* kind : catalogue())
        for (const Preset& preset : presetsOf(kind->id)) {
            const QString kindId = QString::fromStdString(kind->id), id = QString::fromStdString(preset.id);
            auto* item = new QStandardItem(QString::fromStdString(preset.title));
            item->setData(QString::fromStdString(kind->title), WordsRole);
            item->setData(kindId, KindRole);
            item->setData(id, PresetRole);
            item->setData(QString::fromStdString(preset.about), AboutRole);
            item->setToolTip(QString::fromStdString(preset.about));
            item->setData(QPixmap(QString(":/gallery/%1/%2.png").arg(kindId, id)), Qt::DecorationRole);
            model_->appendRow(item);
        }
    shown_->setSourceModel(model_);

    filter_->setObjectName("gallery-filter");
    filter_->setPlaceholderText(tr("Filter: a system, a word of the description"));
    filter_->setClearButtonEnabled(true);
    auto* nothing = new QLabel(tr("No example has these words."));
    nothing->setAlignment(Qt::AlignCenter);
    nothing->hide();
    connect(filter_, &QLineEdit::textChanged, this, [this, nothing](const QString& text) {
        static_cast<WordFilter*>(shown_)->setWords(text);
        nothing->setVisible(shown_->rowCount() == 0);
        cards_->setCurrentIndex(shown_->index(0, 0));
    });

    connect(filter_, &QLineEdit::returnPressed, this, [this] {
        choose(cards_->currentIndex().isValid() ? cards_->currentIndex() : shown_->index(0, 0));
    });

    cards_->setObjectName("gallery-cards");
    cards_->setViewMode(QListView::IconMode);
    cards_->setResizeMode(QListView::Adjust);
    cards_->setMovement(QListView::Static);
    cards_->setUniformItemSizes(true);
    cards_->setSelectionMode(QAbstractItemView::SingleSelection);
    cards_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    cards_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    cards_->setItemDelegate(new Card(theme, this));
    cards_->setModel(shown_);
    connect(cards_, &QListView::activated, this, &Gallery::choose);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(filter_);
    layout->addWidget(nothing);
    layout->addWidget(cards_, 1);
    filter_->setFocus();
}

QString Gallery::thumbnailOf(const QString& path)
{
    const QByteArray name =
        QCryptographicHash::hash(QFileInfo(path).absoluteFilePath().toUtf8(), QCryptographicHash::Sha1)
            .toHex();
    return QStandardPaths::writableLocation(QStandardPaths::CacheLocation) + "/thumbnails/" +
           QString::fromLatin1(name) + ".png";
}

void Gallery::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Down && filter_->hasFocus())
        cards_->setFocus();
    else
        QDialog::keyPressEvent(event);
}

void Gallery::choose(const QModelIndex& index)
{
    if (!index.isValid())
        return;
    const QString path = index.data(PathRole).toString();
    if (!path.isEmpty())
        Q_EMIT sessionChosen(path);
    else
        Q_EMIT presetChosen(index.data(KindRole).toString(), index.data(PresetRole).toString());
    accept();
}

} // namespace casimir
