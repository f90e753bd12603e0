// How an exported file carries its recipe inside it: a tEXt chunk of a PNG, <metadata> of an SVG, an entry of
// a PDF's information, a comment of a CSV, an array of an NPZ. All of it is ASCII of one line; what it says
// is export_spec.h's business.
#pragma once

#include <string>
#include <string_view>

namespace casimir {

// Data carry it as they are written: as a line of comment that begins so, or as an array of this name.
inline constexpr std::string_view recipeLine = "recipe: ";
inline constexpr char recipeMember[] = "recipe";

// The file's bytes with the recipe in them. `format` is png, svg or pdf; throws Error where the bytes are not
// such a file.
std::string withRecipe(std::string bytes, const std::string& format, const std::string& recipe);

// The recipe found in a PNG, SVG, PDF, CSV or NPZ, or the text itself where it is JSON. Throws Error where
// there is none.
std::string recipeIn(std::string_view bytes);

} // namespace casimir
