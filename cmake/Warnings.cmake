# orthant_warnings(TARGET): the warnings our own code must be free of.
function(orthant_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion
                                           -Wnon-virtual-dtor -Woverloaded-virtual -Wextra-semi)
  if(ORTHANT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()
