# What keeps a clean build short: the standard library is parsed once for each kind of target, and code whose speed does
# not matter is optimised less.

# orthant_light_code(TARGET): translates flags or tests; nothing in it is worth -O3. GCC 12 sees bounds overrun in the
# concatenation of strings at -O1 where there is none.
function(orthant_light_code target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds>)
endfunction()

# orthant_standard_headers(TARGET): the standard library as a precompiled header.
function(orthant_standard_headers target)
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/standard.pch.h>")
endfunction()
