// Makes the widget for a view that viewsOf() lists. The only place that knows which class shows what.
#pragma once

#include "ui/views/view.h"

#include <memory>

namespace casimir {

// Throws Error for a view that the system does not have.
std::unique_ptr<View> makeView(Document& document, const ViewInfo& info);

// A view that needs OpenGL; the window keeps those central.
bool isView3d(const System& system, const ViewInfo& info);

} // namespace casimir
