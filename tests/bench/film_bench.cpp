// A film of 10 s in full HD, against drawing its frames and encoding as many one after the other.
#include "core/session/session_json.h"
#include "core/systems/catalogue.h"
#include "tests/bench/report.h"
#include "ui/export/film_encoder.h"
#include "ui/export/film_export.h"
#include "ui/export/studio.h"
#include "ui/render/gl_host.h"

#include <QApplication>
#include <QTemporaryDir>

#include <cstdio>
#include <exception>

namespace casimir::bench {

namespace {

constexpr std::size_t kept = 30; // frames in memory, encoded again and again

void benchFilm(const Report& report, const std::string& view)
{
    const QTemporaryDir folder;
    const std::string path = folder.filePath("film.mp4").toStdString();
    Recipe recipe;
    recipe.session = readSession(presetNamed("two-body", "figure-1").text);
    recipe.spec.views = {view};
    recipe.spec.format = "mp4";
    recipe.spec.size = {960, 540, false, 2};
    recipe.spec.film = Film{};
    const int frames = recipe.spec.film->frames();

    const double whole = wallTimeOf([&] { exportFilm(recipe, path, true); });
    std::vector<QImage> some;
    const double drawing = wallTimeOf([&] {
        Studio studio(recipe);
        for (int k = 0; k < frames; ++k) {
            studio.showFrame(k);
            studio.waitUntilReady();
            QImage image = studio.image();
            if (some.size() < kept)
                some.push_back(std::move(image));
        }
    });
    const double encoding = wallTimeOf([&] {
        const auto encoder = makeEncoder(recipe, path, true);
        for (int k = 0; k < frames; ++k)
            encoder->add(some[static_cast<std::size_t>(k) % some.size()], recipe);
        encoder->finish();
    });
    const double ratio = whole / (drawing + encoding);
    report.add({"film of 10 s, 1920 x 1080, 30 fps, " + view,
                "s",
                {whole, whole, whole},
                "draw, then encode",
                Spread{ratio, ratio, ratio},
                "goal: at most 3"});
}

} // namespace

} // namespace casimir::bench

int main(int argc, char** argv)
{
    using namespace casimir;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    prepareOpenGl();
    QApplication application(argc, argv);
    try {
        const bench::Report report(argc, argv);
        for (const char* view : {"stage", "portrait"})
            bench::benchFilm(report.forItem("film"), view);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench_film: %s\n", error.what());
        return 1;
    }
    return 0;
}
