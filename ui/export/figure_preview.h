// FigurePreview: what a figure will look like, made by the same Studio that writes it, some time after the
// last change and without holding up the window.
#pragma once

#include "core/session/export_spec.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <memory>
#include <optional>

namespace casimir {

class Studio;

class FigurePreview : public QWidget {
    Q_OBJECT
public:
    explicit FigurePreview(QWidget* parent = nullptr);
    ~FigurePreview() override;

    void setRecipe(const Recipe& recipe);
    void setMessage(const QString& message); // instead of a picture
    const QImage& image() const { return image_; }
    bool isCurrent() const { return !wish_ && !studio_; }
    QSize sizeHint() const override { return {420, 340}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void begin();
    void look();

    std::optional<Recipe> wish_;
    std::unique_ptr<Studio> studio_;
    QTimer later_, poll_;
    QImage image_;
    QString message_;
    bool transparent_ = false;
};

} // namespace casimir
