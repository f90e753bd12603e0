#include "ui/export/exports.h"

#include "core/base/error.h"
#include "ui/export/figure_export.h"
#include "ui/export/film_export.h"
#include "ui/export/studio.h"
#include "ui/render/gl_host.h"

#include <QApplication>

#include <cstdio>
#include <exception>

namespace {

using namespace casimir;

// False where it was stopped.
bool perform(const CasimirExport& wish)
{
    const Recipe recipe = readRecipe(wish.recipe);
    const auto progress = [&wish](int done, int total) {
        return wish.progress && wish.progress(done, total) != 0;
    };
    if (recipe.spec.film)
        return exportFilm(recipe, wish.path, wish.replace != 0, progress);
    Studio studio(recipe);
    if (!studio.waitUntilReady([&] { return progress(0, 1); }))
        return false;
    exportFigure(studio, wish.path, wish.replace != 0);
    return true;
}

} // namespace

extern "C" int casimirExport(const CasimirExport* wish, char* complaint, int complaintSize)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type == QtFatalMsg || type == QtCriticalMsg)
            std::fputs(qPrintable(message + "\n"), stderr);
    });
    prepareOpenGl();
    int argc = 1;
    char name[] = "casimir";
    char* argv[] = {name, nullptr};
    QApplication application(argc, argv);
    try {
        return perform(*wish) ? 0 : 2;
    } catch (const std::exception& error) {
        std::snprintf(complaint, static_cast<std::size_t>(complaintSize), "%s", error.what());
        return 1;
    }
}
