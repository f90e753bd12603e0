// A view as a file: PNG, SVG or PDF. From the window it is white and in print colours whatever the screen
// shows; without a display the same view is made for the purpose and drawn without ever being shown.
#pragma once

#include <QSize>
#include <QString>

namespace casimir {

class OffscreenGl;
class View;

// The kind of file by its ending. `size` in pixels of 1/96 inch; empty: that of the view on screen. Throws
// Error. With `gl`, views in space are drawn by it instead of the widget.
void exportFigure(View& view, const QString& path, QSize size = {}, bool replace = true,
                  OffscreenGl* gl = nullptr);

} // namespace casimir
