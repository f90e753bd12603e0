// Where the frames of a film go: into ffmpeg through a pipe, or into a folder as numbered PNGs. Either is
// written beside its place and put there at the end; without finish() nothing remains.
#pragma once

#include "core/session/export_spec.h"

#include <QImage>

#include <memory>
#include <string>

namespace casimir {

class FilmEncoder {
public:
    virtual ~FilmEncoder() = default;
    // `recipe` is that of the frame as a figure; throws Error.
    virtual void add(const QImage& frame, const Recipe& recipe) = 0;
    virtual void finish() = 0; // throws Error
};

// Throws Error: the place cannot be written, ffmpeg is not installed.
std::unique_ptr<FilmEncoder> makeEncoder(const Recipe& recipe, const std::string& path, bool replace);

// Empty where ffmpeg is there; otherwise a sentence that names the package.
std::string ffmpegComplaint();

} // namespace casimir
