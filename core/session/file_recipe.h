// How an exported figure carries its recipe inside it: a tEXt chunk of a PNG, <metadata> of an SVG, an entry
// of a PDF's information. All of it is text of one line; what it says is export_spec.h's business.
#pragma once

#include <string>
#include <string_view>

namespace casimir {

// The file's bytes with the recipe in them. `format` is png, svg or pdf; throws Error where the bytes are not
// such a file.
std::string withRecipe(std::string bytes, const std::string& format, const std::string& recipe);

// The recipe found in a PNG, SVG or PDF, or the text itself where it is JSON. Throws Error where there is
// none.
std::string recipeIn(std::string_view bytes);

} // namespace casimir
