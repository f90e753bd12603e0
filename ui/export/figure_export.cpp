#include "ui/export/figure_export.h"

#include "core/base/error.h"
#include "core/files/file_recipe.h"
#include "core/files/output_file.h"
#include "core/version.h"
#include "ui/export/studio.h"
#include "ui/views/view.h"

#include <QBuffer>
#include <QFileInfo>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <filesystem>
#include <memory>

namespace casimir {

namespace {

constexpr int dotsPerInch = 96;
constexpr double leastPictureRatio = 300.0 / dotsPerInch; // of a view in space inside an SVG or PDF

QString titleOf(const Studio& studio, std::size_t only)
{
    if (studio.recipe().spec.arrangement == Arrangement::Each || studio.views().size() == 1)
        return QString::fromStdString(studio.views()[only]->info().title);
    return QString::fromStdString(studio.recipe().session.title);
}

Recipe recipeOf(const Studio& studio, std::size_t only)
{
    Recipe recipe = studio.figureRecipe();
    if (recipe.spec.arrangement == Arrangement::Each) {
        recipe.spec.views = {recipe.spec.views[only]};
        recipe.spec.arrangement = Arrangement::Page;
    }
    return recipe;
}

std::string dataBytes(Studio& studio, std::size_t only, const std::string& path)
{
    View& view = *studio.views()[only];
    auto table = view.data();
    if (!table || table->rows() == 0)
        throw Error("the view '" + view.info().id + "' has no numbers that fit a table");
    std::string bytes;
    writeData(asMade(std::move(*table), recipeOf(studio, only), path), studio.recipe().spec.format,
              [&bytes](std::string_view piece) { bytes += piece; });
    return bytes;
}

} // namespace

std::vector<std::string> filesOf(const ExportSpec& spec, const std::string& path)
{
    if (spec.arrangement != Arrangement::Each || spec.views.size() == 1)
        return {path};
    std::vector<std::string> files;
    const std::filesystem::path whole(path);
    for (const std::string& view : spec.views)
        files.push_back(
            (whole.parent_path() / (whole.stem().string() + "-" + view + whole.extension().string()))
                .string());
    return files;
}

std::string pngBytes(QImage image, const Recipe& recipe)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.setDotsPerMeterX(static_cast<int>(std::lround(recipe.spec.size.scale * dotsPerInch / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.setText("Software", QString("Casimir %1").arg(version));
    if (!image.save(&buffer, "PNG"))
        throw Error("the picture could not be written as PNG");
    return withRecipe(buffer.data().toStdString(), "png", writeRecipe(recipe));
}

std::string figureBytes(Studio& studio, std::size_t only, const std::string& path)
{
    const ExportSpec& spec = studio.recipe().spec;
    if (isData(spec))
        return dataBytes(studio, only, path);
    const QString made = QString("Casimir %1").arg(version);
    const QSize size = studio.layoutSize();
    const double pictureRatio = std::max(spec.size.scale, leastPictureRatio);
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (spec.format == "png") {
        return pngBytes(studio.image(only), recipeOf(studio, only));
    } else if (spec.format == "svg") {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setSize(size);
        generator.setViewBox(QRect(QPoint(), size));
        generator.setResolution(dotsPerInch);
        generator.setTitle(titleOf(studio, only));
        generator.setDescription(made);
        QPainter painter(&generator);
        studio.paint(painter, pictureRatio, only);
    } else {
        QPdfWriter writer(&buffer);
        writer.setPageSize(
            QPageSize(QSizeF(size) * 72.0 / dotsPerInch, QPageSize::Point, {}, QPageSize::ExactMatch));
        writer.setPageMargins(QMarginsF());
        writer.setResolution(dotsPerInch);
        writer.setTitle(titleOf(studio, only));
        writer.setCreator(made);
        QPainter painter(&writer);
        studio.paint(painter, pictureRatio, only);
    }
    return withRecipe(buffer.data().toStdString(), spec.format, writeRecipe(recipeOf(studio, only)));
}

void exportFigure(Studio& studio, const std::string& path, bool replace)
{
    const std::vector<std::string> names = filesOf(studio.recipe().spec, path);
    std::vector<std::unique_ptr<OutputFile>> files;
    for (const std::string& name : names)
        files.push_back(std::make_unique<OutputFile>(name, replace));
    for (std::size_t i = 0; i < files.size(); ++i)
        files[i]->write(figureBytes(studio, i, names[i]));
    for (const auto& file : files)
        file->commit();
}

} // namespace casimir
