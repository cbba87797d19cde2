# After `make install`, find_package(orthant) gives another project the target orthant::orthant and, where it was built,
# orthant::learn.
include(CMakePackageConfigHelpers)
include(PublicHeaders)

# orthant_install_headers(DESTINATION HEADERS...): each under its path from the top.
function(orthant_install_headers destination)
  foreach(header IN LISTS ARGN)
    get_filename_component(folder ${header} DIRECTORY)
    install(FILES ${header} DESTINATION ${destination}/${folder})
  endforeach()
endfunction()

set(orthant_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/orthant)
install(TARGETS orthant EXPORT orthantTargets)
install(TARGETS orthant_program)
orthant_install_headers(${CMAKE_INSTALL_INCLUDEDIR} ${ORTHANT_PUBLIC_HEADERS})
install(EXPORT orthantTargets NAMESPACE orthant:: DESTINATION ${orthant_package_dir})
if(ORTHANT_LEARN)
  install(TARGETS orthant_learn orthant_torch EXPORT orthantLearnTargets)
  install(TARGETS orthant_learn_program DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/orthant)
  orthant_install_headers(${CMAKE_INSTALL_INCLUDEDIR}/orthant_learn ${ORTHANT_LEARN_PUBLIC_HEADERS})
  install(EXPORT orthantLearnTargets NAMESPACE orthant:: DESTINATION ${orthant_package_dir})
endif()
configure_package_config_file(cmake/orthantConfig.cmake.in ${PROJECT_BINARY_DIR}/orthantConfig.cmake
                              INSTALL_DESTINATION ${orthant_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orthantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orthantConfig.cmake ${PROJECT_BINARY_DIR}/orthantConfigVersion.cmake
        DESTINATION ${orthant_package_dir})
