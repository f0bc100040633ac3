# What `cmake --install` lays down, and what find_package(kiln CONFIG) and pkg-config find there: kiln::kiln and
# kiln::jit_cache, kiln.
# jit_cache installs its library, headers and tool itself, into the same export set.

set(kiln_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/kiln)

install(TARGETS kiln EXPORT kilnTargets
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    FILE_SET companions DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# The manual and what it points to. Laid out as in the source tree, so that the links hold.
set(kiln_documentation_dir ${CMAKE_INSTALL_DATAROOTDIR}/doc/kiln)
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
    DESTINATION ${kiln_documentation_dir})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/kiln DESTINATION ${kiln_documentation_dir}/include
    FILES_MATCHING PATTERN "*.md")
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${kiln_documentation_dir}
    FILES_MATCHING PATTERN "*.cpp" PATTERN "*.cu" PATTERN "*.hpp")
foreach(linked IN ITEMS
        jit_cache/FORMAT.md
        src/README.md
        tests/bench/results/README.md
        tests/bench/results/h200-2026-11-27-peers.svg
        tests/bench/results/epyc-2-cores-2026-11-28-peers.svg
        tests/bench/results/h200-2026-11-23-break-even.svg
        tests/bench/results/profile-page.png)
    cmake_path(GET linked PARENT_PATH folder)
    install(FILES ${PROJECT_SOURCE_DIR}/${linked} DESTINATION ${kiln_documentation_dir}/${folder})
endforeach()

install(FILES ${PROJECT_SOURCE_DIR}/src/debug/kiln_gdb.py DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/kiln)

install(EXPORT kilnTargets NAMESPACE kiln:: DESTINATION ${kiln_package_dir})
configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/kilnConfig.cmake.in ${PROJECT_BINARY_DIR}/kilnConfig.cmake
    INSTALL_DESTINATION ${kiln_package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kilnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kilnConfig.cmake ${PROJECT_BINARY_DIR}/kilnConfigVersion.cmake
    DESTINATION ${kiln_package_dir})

include(${CMAKE_CURRENT_LIST_DIR}/pkg_config.cmake)
