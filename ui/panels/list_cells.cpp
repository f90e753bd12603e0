#include "ui/panels/list_cells.h"

#include "ui/panels/number_field.h"
#include "ui/render/symbol_text.h"

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
        box->addItem(SymbolText::upright(choice.name).plain(), QString::fromStdString(choice.id));
    // Picked is done: the cell need not be left first.
    connect(box, &QComboBox::activated, this, [this, box] {
        auto* self = const_cast<ListCells*>(this);
        Q_EMIT self->commitData(box);
        Q_EMIT self->closeEditor(box);
    });
    return box;
}

void ListCells::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const
{
    QStyledItemDelegate::initStyleOption(option, index);
    const Parameter& field = columns_.at(static_cast<std::size_t>(index.column()));
    if (field.type == ParameterType::Choice) {
        for (const Choice& choice : field.choices)
            if (choice.id == option->text.toStdString())
                option->text = SymbolText::upright(choice.name).plain();
    } else if (field.type == ParameterType::Real || field.type == ParameterType::Vector) {
        QStringList parts = option->text.split(QStringLiteral(", "));
        for (QString& part : parts) {
            bool number = false;
            const double x = part.toDouble(&number);
            if (number)
                part = fieldText(x);
        }
        option->text = parts.join(QStringLiteral(", "));
    }
}

void ListCells::setEditorData(QWidget* editor, const QModelIndex& index) const
{
    if (auto* box = qobject_cast<QComboBox*>(editor))
        box->setCurrentIndex(box->findData(index.data(Qt::EditRole).toString()));
    else
        QStyledItemDelegate::setEditorData(editor, index);
}

void ListCells::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const
{
    if (auto* box = qobject_cast<QComboBox*>(editor))
        model->setData(index, box->currentData(), Qt::EditRole);
    else
        QStyledItemDelegate::setModelData(editor, model, index);
}

} // namespace casimir
