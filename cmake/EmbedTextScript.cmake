string(REPLACE "," ";" FILES "${FILES}")
set(entries "")
foreach(file IN LISTS FILES)
  file(RELATIVE_PATH name ${BASE} ${file})
  file(READ ${file} text)
  # A string literal may not exceed 64 KiB everywhere, so long texts are cut into adjacent ones, which
  # a space keeps apart: a letter right after a literal would be its suffix.
  string(LENGTH "${text}" length)
  set(literal "")
  set(at 0)
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 8000 piece)
    string(APPEND literal "R\"~~~(${piece})~~~\" ")
    math(EXPR at "${at} + 8000")
  endwhile()
  string(APPEND entries "    {\"${name}\", ${literal}},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"core/model/embedded_text.h\"

namespace {
constexpr casimir::EmbeddedText texts[] = {
${entries}};
} // namespace

std::span<const casimir::EmbeddedText> casimir::embeddedResources()
{
    return texts;
}
")
