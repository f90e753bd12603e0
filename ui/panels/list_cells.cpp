#include "ui/panels/list_cells.h"

#include <QComboBox>

namespace casimir {

ListCells::ListCells(std::vector<Parameter> columns, QObject* parent)
    : QStyledItemDelegate(parent), columns_(std::move(columns))
{
}

QWidget* ListCells::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                 const QModelIndex& index) const
{
    const Parameter& field = columns_.at(static_cast<std::size_t>(index.column()));
    if (field.type != ParameterType::Choice)
        return QStyledItemDelegate::createEditor(parent, option, index);
    auto* box = new QComboBox(parent);
    for (const Choice& choice : field.choices)
        box->addItem(QString::fromStdString(choice.id));
    // Picked is done: the cell need not be left first.
    connect(box, &QComboBox::activated, this, [this, box] {
        auto* self = const_cast<ListCells*>(this);
        Q_EMIT self->commitData(box);
        Q_EMIT self->closeEditor(box);
    });
    return box;
}

void ListCells::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    if (auto* box = qobject_cast<QComboBox*>(editor))
        box->setCurrentIndex(box->findText(index.data(Qt::EditRole).toString()));
    else
        QStyledItemDelegate::setEditorData(editor, index);
}

void ListCells::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (auto* box = qobject_cast<QComboBox*>(editor))
        model->setData(index, box->currentText(), Qt::EditRole);
    else
        QStyledItemDelegate::setModelData(editor, model, index);
}

} // namespace casimir
