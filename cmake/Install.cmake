# Headers, library, program, scenes and a CMake package for find_package(abut).
include(CMakePackageConfigHelpers)

install(TARGETS abut EXPORT abut-targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS abut_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/abut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY scenes/ DESTINATION ${CMAKE_INSTALL_DATADIR}/abut/scenes)
install(EXPORT abut-targets NAMESPACE abut:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)

configure_package_config_file(cmake/abut-config.cmake.in
  ${PROJECT_BINARY_DIR}/abut-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/abut-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/abut-config.cmake ${PROJECT_BINARY_DIR}/abut-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
