// A recipe's film as a file or a folder of frames: every frame at its exact time, drawn by a Studio while the
// one before is encoded.
#pragma once

#include <functional>
#include <string>

namespace casimir {

struct Recipe;

// `progress(done, total)` is called before the first frame and after each; true from it stops. Returns false,
// with nothing left of the film, where it was stopped. Throws Error.
bool exportFilm(const Recipe& recipe, const std::string& path, bool replace,
                const std::function<bool(int done, int total)>& progress = {});

} // namespace casimir
