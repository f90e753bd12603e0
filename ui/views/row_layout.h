// RowLayout: widgets beside each other as they fit, the rest in further rows below; each at the size it would
// like, none squeezed.
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace casimir {

class RowLayout : public QLayout {
public:
    explicit RowLayout(QWidget* parent);
    ~RowLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override;
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;

    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override;
    QSize minimumSize() const override;

private:
    int placed(const QRect& rect, bool move) const; // the height taken

    std::vector<std::unique_ptr<QLayoutItem>> items_;
};

} // namespace casimir
