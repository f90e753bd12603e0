// HeadsUp: one quiet row of numbers above a picture, each in a place of fixed width so that nothing moves
// while they change; or a line of text in the same place.
#pragma once

#include "core/model/quantity.h"
#include "ui/render/theme.h"

#include <QWidget>

#include <string>
#include <utility>
#include <vector>

class QToolButton;

namespace casimir {

class HeadsUp : public QWidget {
    Q_OBJECT
public:
    explicit HeadsUp(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setValues(std::vector<std::pair<Quantity, double>> values);
    void setText(const std::string& markup); // shown instead of the values while not empty
    void setNote(const QString& note);       // quietly at the right end, on screen only
    // A button at the right end, on screen only; an empty text: none.
    void setAction(const QString& text);
    QString spoken() const; // the values as text
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

    void paint(QPainter& painter, const QRectF& rect) const;

Q_SIGNALS:
    void actionAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void placeAction();

    Theme theme_;
    QToolButton* action_;
    std::vector<std::pair<Quantity, double>> values_;
    std::string text_;
    QString note_;
};

} // namespace casimir
