# What makes a mistake in the program harder to use against whoever runs it, in optimised builds: checks of indices in
# the standard library, of sizes in the C library, of the stack on return; tables of addresses that cannot be written.
# Sanitizers have checks of their own.
set(ORTHANT_HARDENED OFF)
if(NOT ORTHANT_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(ORTHANT_HARDENED ON)
  add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -D_GLIBCXX_ASSERTIONS)
  add_link_options(-Wl,-z,relro,-z,now)
endif()

# Libraries are looked for beside the program and where they were when it was linked, built or installed. CMake would
# rewrite this on installation, and for that leave an empty entry, which stands for the folder one happens to be in.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
