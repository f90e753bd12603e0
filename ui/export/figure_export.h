// A view as a file: PNG, SVG or PDF, white and in print colours whatever the screen shows.
#pragma once

#include <QSize>
#include <QString>

namespace casimir {

class View;

// The kind of file by its ending. `size` in pixels of 1/96 inch; empty: that of the view on screen. Throws Error.
void exportFigure(View& view, const QString& path, QSize size = {}, bool replace = true);

} // namespace casimir
