# After `make install`, find_package(orthant) gives another project the target orthant::orthant.
include(CMakePackageConfigHelpers)

install(TARGETS orthant EXPORT orthantTargets)
install(TARGETS orthant_program)
install(DIRECTORY orthant DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT orthantTargets NAMESPACE orthant:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orthant)
configure_package_config_file(cmake/orthantConfig.cmake.in ${PROJECT_BINARY_DIR}/orthantConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orthant)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/orthantConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/orthantConfig.cmake ${PROJECT_BINARY_DIR}/orthantConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/orthant)
