# ORTHANT_SANITIZE=address,undefined compiles and links everything of ours with those sanitizers.
set(ORTHANT_SANITIZE "" CACHE STRING "Sanitizers for our own code, such as address,undefined")
if(ORTHANT_SANITIZE)
  add_compile_options(-fsanitize=${ORTHANT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${ORTHANT_SANITIZE})
endif()
# The fuzzer follows which branches an input takes, in the library too.
if(ORTHANT_BUILD_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
