# embed_text(OUTPUT name.cpp FUNCTION qualified::name BASE dir FILES a b ...)
#
# Writes a source file that defines  std::span<const casimir::EmbeddedText> FUNCTION()  with the path (relative to
# BASE) and the text of each file, so that presets and help pages travel inside the library.
function(embed_text)
  cmake_parse_arguments(ARG "" "OUTPUT;FUNCTION;BASE" "FILES" ${ARGN})
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/${ARG_OUTPUT}")
  string(REPLACE ";" "," files "${ARG_FILES}")
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} -DFUNCTION=${ARG_FUNCTION} -DBASE=${ARG_BASE} -DFILES=${files}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    DEPENDS ${ARG_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    VERBATIM)
endfunction()
