#include "ui/export/figure_preview.h"

#include "core/base/error.h"
#include "ui/export/studio.h"

#include <QPainter>

#include <algorithm>

namespace casimir {

namespace {

constexpr int calm = 250;  // ms without a change before a picture is begun
constexpr int glance = 25; // ms between two looks whether it is computed
constexpr int margin = 10;
constexpr double leastScale = 0.25;
constexpr int square = 8; // of the board behind a transparent picture

} // namespace

FigurePreview::FigurePreview(QWidget* parent) : QWidget(parent)
{
    setMinimumSize(200, 160);
    later_.setSingleShot(true);
    later_.setInterval(calm);
    connect(&later_, &QTimer::timeout, this, &FigurePreview::begin);
    poll_.setInterval(glance);
    connect(&poll_, &QTimer::timeout, this, &FigurePreview::look);
}

FigurePreview::~FigurePreview() = default;

void FigurePreview::setRecipe(const Recipe& recipe)
{
    message_.clear();
    wish_ = recipe;
    later_.start();
    update();
}

void FigurePreview::setMessage(const QString& message)
{
    message_ = message;
    wish_.reset();
    later_.stop();
    update();
}

void FigurePreview::begin()
{
    if (!wish_)
        return;
    Recipe recipe = *std::exchange(wish_, std::nullopt);
    PictureSize& size = recipe.spec.size;
    const double fit = std::min((width() - 2.0 * margin) / size.layoutWidth(),
                                (height() - 2.0 * margin) / size.layoutHeight());
    size.scale = std::max(leastScale, fit * devicePixelRatioF());
    recipe.spec.film.reset();
    recipe.spec.format = "png";
    // Of several files the first is shown.
    if (recipe.spec.arrangement == Arrangement::Each)
        recipe.spec.views.resize(1);
    transparent_ = recipe.spec.transparent;
    try {
        studio_ = std::make_unique<Studio>(recipe);
        poll_.start();
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
}

void FigurePreview::look()
{
    if (!studio_)
        return poll_.stop();
    try {
        if (!studio_->ready())
            return;
        image_ = studio_->image();
    } catch (const Error& error) {
        setMessage(QString::fromUtf8(error.what()));
    }
    poll_.stop();
    studio_.reset();
    update();
}

void FigurePreview::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!message_.isEmpty() || image_.isNull()) {
        painter.setPen(palette().color(QPalette::PlaceholderText));
        painter.drawText(rect().adjusted(margin, margin, -margin, -margin),
                         Qt::AlignCenter | Qt::TextWordWrap,
                         message_.isEmpty() ? tr("computing…") : message_);
        return;
    }
    const QSizeF room = QSizeF(size()) - QSizeF(2 * margin, 2 * margin);
    const QSizeF shown = QSizeF(image_.size()).scaled(room, Qt::KeepAspectRatio);
    const QRectF place(QPointF((width() - shown.width()) / 2, (height() - shown.height()) / 2), shown);
    if (transparent_) {
        painter.save();
        painter.setClipRect(place);
        for (int y = 0; y * square < height(); ++y)
            for (int x = 0; x * square < width(); ++x)
                painter.fillRect(x * square, y * square, square, square,
                                 (x + y) % 2 ? palette().color(QPalette::Base)
                                             : palette().color(QPalette::AlternateBase));
        painter.restore();
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setOpacity(isCurrent() ? 1 : 0.55); // an older one until the next is there
    painter.drawImage(place, image_);
    painter.setOpacity(1);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawRect(place.adjusted(-1, -1, 0, 0));
}

} // namespace casimir
