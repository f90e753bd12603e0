# embed_text(OUTPUT name.cpp BASE dir FILES a b ...)
#
# Writes a source file that defines  casimir::embeddedResources()  with the path (relative to
# BASE) and the text of each file, so that presets and help pages travel inside the library.
function(embed_text)
  cmake_parse_arguments(ARG "" "OUTPUT;BASE" "FILES" ${ARGN})
  set(generated "${CMAKE_CURRENT_BINARY_DIR}/${ARG_OUTPUT}")
  string(REPLACE ";" "," files "${ARG_FILES}")
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} -DBASE=${ARG_BASE} -DFILES=${files}
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    DEPENDS ${ARG_FILES} ${PROJECT_SOURCE_DIR}/cmake/EmbedTextScript.cmake
    VERBATIM)
endfunction()
