// Studio: the views of a recipe, made for a file and never shown, with a document of their own. It computes
// what they need, brings them to a time or a frame of the film, and paints them, in the window's process as
// without a display. Files are figure_export's and film_export's business.
#pragma once

#include "core/session/export_spec.h"
#include "ui/document/document.h"

#include <QImage>
#include <QRect>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QPainter;

namespace casimir {

class OffscreenGl;
class View;
class View3d;

// Where the views lie in a picture of `size`.
std::vector<QRect> placesOf(std::size_t views, Arrangement arrangement, QSize size);

class Studio {
public:
    explicit Studio(Recipe recipe); // throws Error
    ~Studio();
    Studio(const Studio&) = delete;
    Studio& operator=(const Studio&) = delete;

    const Recipe& recipe() const { return recipe_; }
    const std::vector<std::unique_ptr<View>>& views() const { return views_; }
    // Whether the view is drawn in space and thus becomes a picture inside an SVG or PDF.
    static bool isPicture(const View& view);
    // The recipe of what is shown now as a figure: of a film, that of its frame.
    Recipe figureRecipe() const;

    // What is to be shown; 0 and the recipe's own time at first.
    void showFrame(int frame);
    // True when everything is computed; to be asked again after events were handled.
    bool ready();
    // Handles events until then; throws Error after a long time. False: `cancelled` answered true.
    bool waitUntilReady(const std::function<bool()>& cancelled = {});

    // The picture, or with Arrangement::Each view `only`, in layout pixels from the painter's origin. Views
    // in space have `pixelRatio` device pixels for one of them.
    void paint(QPainter& painter, double pixelRatio, std::size_t only = 0);
    // The same as pixels of the file; what did not move since the last time is not painted anew.
    QImage image(std::size_t only = 0);
    QSize layoutSize() const { return {recipe_.spec.size.layoutWidth(), recipe_.spec.size.layoutHeight()}; }

private:
    void seek(double t);
    bool reached(double t) const;
    void paint(QPainter& painter, double pixelRatio, std::size_t only, bool cached);
    void paintOne(QPainter& painter, std::size_t view, double pixelRatio, bool cached);

    Recipe recipe_;
    Session shown_;
    int frame_ = 0;
    double t_ = 0, turn_ = 0;
    std::optional<double> horizon_; // up to when the motions are, or are being, computed
    bool horizonReached_ = false, prepared_ = false;
    std::unique_ptr<Document> document_;
    std::vector<std::unique_ptr<View>> views_;
    std::vector<std::unique_ptr<OffscreenGl>> hosts_; // one a view in space
    std::vector<QRect> places_;
};

} // namespace casimir
