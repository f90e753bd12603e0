// ListCells: how the cells of a list of records are edited in a table: a choice by picking one, everything
// else by typing. Which field stands in which column is the table's business.
#pragma once

#include "core/model/parameter.h"

#include <QStyledItemDelegate>

#include <vector>

namespace casimir {

class ListCells : public QStyledItemDelegate {
    Q_OBJECT

public:
    ListCells(std::vector<Parameter> columns, QObject* parent);

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    // Numbers rounded, choices by their names; the editor has numbers in full.
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;

private:
    std::vector<Parameter> columns_;
};

} // namespace casimir
