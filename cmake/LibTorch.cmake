# The target orthant_torch: LibTorch as a system library, so that our warnings stop at its door.
# ORTHANT_LEARN says whether to build what needs it; by default, if LibTorch is there.
find_package(Torch QUIET)
option(ORTHANT_LEARN "Build the networks and their training (needs LibTorch)" ${Torch_FOUND})
if(ORTHANT_LEARN AND NOT Torch_FOUND)
  message(FATAL_ERROR "ORTHANT_LEARN=ON needs LibTorch, which was not found. Debian: apt-get install libtorch-dev; "
                      "elsewhere: -DCMAKE_PREFIX_PATH=/path/to/libtorch; or configure with -DORTHANT_LEARN=OFF")
endif()
if(NOT ORTHANT_LEARN)
  message(STATUS "Orthant without training: LibTorch not found or ORTHANT_LEARN=OFF")
  return()
endif()

add_library(orthant_torch INTERFACE)
# /usr/include is the compiler's own; naming it again as a system folder would break #include_next.
set(orthant_torch_includes ${TORCH_INCLUDE_DIRS})
list(REMOVE_ITEM orthant_torch_includes /usr/include)
target_include_directories(orthant_torch SYSTEM INTERFACE ${orthant_torch_includes})
find_library(ORTHANT_TORCH_LIBRARY torch HINTS ${TORCH_INSTALL_PREFIX}/lib REQUIRED)
find_library(ORTHANT_TORCH_CPU_LIBRARY torch_cpu HINTS ${TORCH_INSTALL_PREFIX}/lib REQUIRED)
find_library(ORTHANT_C10_LIBRARY c10 HINTS ${TORCH_INSTALL_PREFIX}/lib REQUIRED)
target_link_libraries(orthant_torch INTERFACE ${ORTHANT_TORCH_LIBRARY} ${ORTHANT_TORCH_CPU_LIBRARY}
                                              ${ORTHANT_C10_LIBRARY})
# c10d's headers include those of Gloo.
find_path(ORTHANT_GLOO_INCLUDE gloo/context.h HINTS ${TORCH_INSTALL_PREFIX}/include)
if(NOT ORTHANT_GLOO_INCLUDE)
  message(FATAL_ERROR "ORTHANT_LEARN=ON needs the headers of Gloo, which were not found. Debian: apt-get install "
                      "libgloo-dev")
endif()
separate_arguments(orthant_torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
target_compile_options(orthant_torch INTERFACE ${orthant_torch_flags})
