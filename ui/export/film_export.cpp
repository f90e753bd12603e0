#include "ui/export/film_export.h"

#include "ui/export/film_encoder.h"
#include "ui/export/studio.h"

namespace casimir {

bool exportFilm(const Recipe& recipe, const std::string& path, bool replace,
                const std::function<bool(int done, int total)>& progress)
{
    const auto encoder = makeEncoder(recipe, path, replace);
    Studio studio(recipe);
    const int total = recipe.spec.film->frames();
    bool stop = progress && progress(0, total);
    for (int frame = 0; frame < total && !stop; ++frame) {
        studio.showFrame(frame);
        if (!studio.waitUntilReady([&] { return progress && progress(frame, total); }))
            return false;
        const QImage image = studio.image();
        encoder->add(image, studio.figureRecipe());
        stop = progress && progress(frame + 1, total);
    }
    if (stop)
        return false;
    encoder->finish();
    return true;
}

} // namespace casimir
