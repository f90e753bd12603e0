// What a Studio shows as files: PNG, SVG and PDF with the recipe inside, or the numbers as CSV and .npz.
// White and in print colours unless the recipe says otherwise, whatever the screen shows.
#pragma once

#include "core/session/export_spec.h"

#include <QImage>

#include <string>
#include <vector>

namespace casimir {

class Studio;

// The files an export to `path` writes: several for Arrangement::Each.
std::vector<std::string> filesOf(const ExportSpec& spec, const std::string& path);

// Writes them all or none; the studio must be ready. Throws Error.
void exportFigure(Studio& studio, const std::string& path, bool replace);

// One view or the page as the bytes of the file `path`, whose name data tell.
std::string figureBytes(Studio& studio, std::size_t only, const std::string& path);

std::string pngBytes(QImage image, const Recipe& recipe);

} // namespace casimir
