// EquilibriaView: the table itself: one row an equilibrium with its verdict on a second line, the head in
// symbols, the figure of the configuration at the end. Columns that find no room are left out, the least
// important first. The figure under the pointer turns.
#pragma once

#include "core/model/analysis.h"
#include "ui/render/symbol_text.h"
#include "ui/render/theme.h"

#include <QElapsedTimer>
#include <QHeaderView>
#include <QStandardItemModel>
#include <QTimer>
#include <QTreeView>

#include <map>
#include <string>
#include <vector>

namespace casimir {

class SymbolHeader : public QHeaderView {
    Q_OBJECT

public:
    explicit SymbolHeader(QWidget* parent);
    void setHeads(std::vector<SymbolText> heads);
    void setTheme(const Theme& theme);
    QSize sizeHint() const override;
    double headWidth(int column) const;

protected:
    void paintSection(QPainter* painter, const QRect& rect, int column) const override;

private:
    std::vector<SymbolText> heads_;
    Theme theme_;
};

class EquilibriaView : public QTreeView {
    Q_OBJECT

public:
    // Of each row's first item.
    enum Data { SortRole = Qt::UserRole, NameRole, StabilityRole };

    explicit EquilibriaView(QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    void show(const Analysis& analysis);
    void setDimmed(bool dimmed);
    void choose(const std::string& name); // empty: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(const QString& name);

protected:
    void drawRow(QPainter* painter, const QStyleOptionViewItem& option,
                 const QModelIndex& index) const override;
    void resizeEvent(QResizeEvent* event) override;
    void selectionChanged(const QItemSelection& now, const QItemSelection& before) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    // The figure of an equilibrium and the sense in which it turns; +1, 0 or -1.
    struct Figure {
        Sketch sketch;
        int sense = 0;
    };
    void fit();
    int rowHeight() const;
    int figureWidth() const { return figures_.empty() ? 0 : rowHeight(); }
    void paintFigure(QPainter& painter, const QRectF& box, const Figure& figure, double angle) const;
    void hover(const QString& name);

    QStandardItemModel model_;
    SymbolHeader* header_;
    Theme theme_;
    std::vector<int> importance_; // by column; the greater, the longer it stays
    std::map<QString, Figure> figures_;
    double figureSize_ = 1; // m, of the widest
    QString hovered_;
    QElapsedTimer hoverClock_;
    QTimer turning_;
    bool dimmed_ = false;
    bool updating_ = false;
};

} // namespace casimir
