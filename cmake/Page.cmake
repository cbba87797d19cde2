# The page that `orthant report` and `orthant explore` share: web/ is bundled into one HTML file by esbuild and becomes
# a source of liborthant. Packages are installed into the build tree only, by name and checksum (web/package-lock.json).
#   orthant_page(TARGET)    adds the page to TARGET, which must exist
find_program(ORTHANT_NODE NAMES node nodejs DOC "Node.js, 18 or newer")
find_program(ORTHANT_NPM NAMES npm DOC "npm, 9 or newer")
foreach(tool IN ITEMS NODE NPM)
  set(version none)
  if(ORTHANT_${tool})
    execute_process(COMMAND ${ORTHANT_${tool}} --version OUTPUT_VARIABLE version ERROR_QUIET
                    OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  string(REGEX REPLACE "^v" "" version "${version}")
  set(least 18)
  if(tool STREQUAL NPM)
    set(least 9)
  endif()
  if(NOT version VERSION_GREATER_EQUAL least)
    message(FATAL_ERROR "expected node (18 or newer) and npm (9 or newer) to bundle the page of web/, got ${tool} "
                        "${version}; run scripts/setup.sh")
  endif()
endforeach()

set(ORTHANT_PAGE_DIR ${PROJECT_BINARY_DIR}/web)
file(GLOB_RECURSE ORTHANT_PAGE_SOURCES CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/web
     ${PROJECT_SOURCE_DIR}/web/src/*)

function(orthant_page target)
  set(source_dir ${PROJECT_SOURCE_DIR}/web)
  set(packages ${ORTHANT_PAGE_DIR}/packages.stamp)
  set(generated ${ORTHANT_PAGE_DIR}/dist/page_html.cpp)
  set(omit --omit=dev)
  if(ORTHANT_BUILD_TESTS OR ORTHANT_BUILD_BENCH)
    set(omit)
  endif()
  add_custom_command(
    OUTPUT ${packages}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${ORTHANT_PAGE_DIR}
    COMMAND ${CMAKE_COMMAND} -E copy ${source_dir}/package.json ${source_dir}/package-lock.json ${source_dir}/.npmrc
            ${ORTHANT_PAGE_DIR}
    COMMAND ${CMAKE_COMMAND} -E chdir ${ORTHANT_PAGE_DIR} ${ORTHANT_NPM} ci --ignore-scripts --no-audit --no-fund
            --loglevel=error ${omit}
    COMMAND ${CMAKE_COMMAND} -E touch ${packages}
    DEPENDS ${source_dir}/package.json ${source_dir}/package-lock.json ${source_dir}/.npmrc
    COMMENT "Installing the packages of the page"
    VERBATIM)
  list(TRANSFORM ORTHANT_PAGE_SOURCES PREPEND ${source_dir}/ OUTPUT_VARIABLE sources)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${ORTHANT_PAGE_DIR}/src
    COMMAND ${CMAKE_COMMAND} -E copy_directory ${source_dir}/src ${ORTHANT_PAGE_DIR}/src
    COMMAND ${CMAKE_COMMAND} -E copy ${source_dir}/build.mjs ${source_dir}/tsconfig.json ${ORTHANT_PAGE_DIR}
    COMMAND ${ORTHANT_NODE} ${ORTHANT_PAGE_DIR}/build.mjs ${ORTHANT_PAGE_DIR}/dist
    DEPENDS ${packages} ${source_dir}/build.mjs ${source_dir}/tsconfig.json ${sources}
    COMMENT "Bundling the page"
    VERBATIM)
  # A target of its own carries the rule, so that this may be called from any folder.
  add_custom_target(orthant_page DEPENDS ${generated})
  set_source_files_properties(${generated} TARGET_DIRECTORY ${target} PROPERTIES GENERATED TRUE)
  add_dependencies(${target} orthant_page)
  target_sources(${target} PRIVATE ${generated})
endfunction()
