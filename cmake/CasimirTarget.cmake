# What every target of the project has in common.
option(CASIMIR_TOGETHER "Compile related sources as one unit: three times quicker from nothing" ON)

function(casimir_target target)
  target_compile_features(${target} PUBLIC cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor
                         $<$<BOOL:${CASIMIR_WARNINGS_AS_ERRORS}>:-Werror>)
  # g++ 12 raises it falsely on std::string concatenation (GCC bug 105651).
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
  # Results must not depend on how the compiler contracts a*b+c.
  target_compile_options(${target} PRIVATE -ffp-contract=off)
  # Eigen's expressions keep g++ collecting its own garbage; later collections cost a quarter more memory and save a twelfth of
  # the time.
  target_compile_options(${target} PRIVATE
    $<$<CXX_COMPILER_ID:GNU>:SHELL:--param=ggc-min-expand=300 --param=ggc-min-heapsize=1048576>)
  if(CASIMIR_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${CASIMIR_SANITIZE} -fno-omit-frame-pointer)
    # g++ 12 warns of uninitialised values inside the standard library's inlined code when sanitizers are on.
    target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    target_link_options(${target} PUBLIC -fsanitize=${CASIMIR_SANITIZE})
  endif()
endfunction()

# casimir_headers(target header... | REUSE_FROM other): what nearly every source of it includes, read once.
function(casimir_headers target)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  # Behind a precompiled header g++ 12 forgets what is a system's and warns falsely of code inlined from std::string and Eigen;
  # scripts/check compiles without one and with these warnings on.
  if(NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow -Wno-stringop-overread
                           -Wno-array-bounds -Wno-maybe-uninitialized -Wno-free-nonheap-object>)
  endif()
endfunction()

# casimir_together(target group source...): these sources are one unit of compilation, so that the headers they share are
# read once. Their unnamed namespaces become one: two helpers of the same name are one helper in a header, or get two names.
function(casimir_together target group)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CASIMIR_TOGETHER} UNITY_BUILD_MODE GROUP)
  set_source_files_properties(${ARGN} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
  # A class private to its source looks to g++ as if it stood in a header.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endfunction()
