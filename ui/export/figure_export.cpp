#include "ui/export/figure_export.h"

#include "core/model/error.h"
#include "core/session/output_file.h"
#include "core/version.h"
#include "ui/views/view.h"

#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace casimir {

namespace {

constexpr double pngScale = 2; // twice the pixels of the screen, so that a PNG prints at 192 dots per inch
constexpr int dotsPerInch = 96;

// The view in print colours for as long as this lives.
class PrintTheme {
public:
    explicit PrintTheme(View& view) : view_(view), before_(view.theme()) { view.setTheme(Theme::print(before_.scale())); }
    ~PrintTheme() { view_.setTheme(before_); }
    PrintTheme(const PrintTheme&) = delete;
    PrintTheme& operator=(const PrintTheme&) = delete;

private:
    View& view_;
    Theme before_;
};

} // namespace

void exportFigure(View& view, const QString& path, QSize size, bool replace)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending != "png" && ending != "svg" && ending != "pdf")
        throw Error("a figure is a .png, .svg or .pdf file, not '" + path.toStdString() + "'");
    if (size.isEmpty())
        size = view.size();
    OutputFile file(path.toStdString(), replace);
    const QString growing = QString::fromStdString(file.growing().string());
    const PrintTheme print(view);
    const QString title = QString::fromStdString(view.info().title);
    const QString made = QString("Casimir %1").arg(version);
    if (ending == "png") {
        QImage image(size * pngScale, QImage::Format_RGB32);
        image.setDotsPerMeterX(static_cast<int>(pngScale * dotsPerInch / 0.0254));
        image.setDotsPerMeterY(image.dotsPerMeterX());
        image.setText("Software", made);
        image.fill(Qt::white);
        QPainter painter(&image);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(pngScale, pngScale);
        view.paintTo(painter, QRectF(QPointF(), size));
        painter.end();
        if (!image.save(growing, "PNG"))
            throw Error("cannot write " + path.toStdString());
    } else if (ending == "svg") {
        QSvgGenerator generator;
        generator.setFileName(growing);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setResolution(dotsPerInch);
        generator.setTitle(title);
        generator.setDescription(made);
        QPainter painter(&generator);
        view.paintTo(painter, QRectF(QPointF(), size));
    } else {
        QPdfWriter writer(growing);
        writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / dotsPerInch, QPageSize::Point));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(dotsPerInch);
        writer.setTitle(title);
        writer.setCreator(made);
        QPainter painter(&writer);
        view.paintTo(painter, QRectF(QPointF(), size));
    }
    file.commit();
}

} // namespace casimir
