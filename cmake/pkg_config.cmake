# kiln.pc, for whoever builds without CMake: c++ -std=c++20 app.cpp $(pkg-config --cflags --libs kiln)
# The folders are relative to the file, so that what is installed may be moved.

# kiln_pc_folder(variable folder): the folder as kiln.pc says it.
function(kiln_pc_folder variable folder)
    if(IS_ABSOLUTE ${folder})
        set(${variable} ${folder} PARENT_SCOPE)
    else()
        set(${variable} "\${prefix}/${folder}" PARENT_SCOPE)
    endif()
endfunction()

set(kiln_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(kiln_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH kiln_pc_prefix /prefix/${kiln_pc_dir} /prefix)
    string(REGEX REPLACE "/$" "" kiln_pc_prefix "\${pcfiledir}/${kiln_pc_prefix}")
endif()
kiln_pc_folder(kiln_pc_libdir ${CMAKE_INSTALL_LIBDIR})
kiln_pc_folder(kiln_pc_includedir ${CMAKE_INSTALL_INCLUDEDIR})

# What a static libkiln.a is linked with. Where it is the only one, nobody should have to ask for it with --static.
set(kiln_pc_libs "")
set(kiln_pc_libs_private " -lkiln_jit_cache -pthread")
foreach(library IN LISTS CMAKE_DL_LIBS)
    string(APPEND kiln_pc_libs_private " -l${library}")
endforeach()
set(kiln_pc_definitions " -DKILN_SHARED")
get_target_property(kiln_type kiln TYPE)
if(NOT kiln_type STREQUAL "SHARED_LIBRARY")
    set(kiln_pc_libs ${kiln_pc_libs_private})
    set(kiln_pc_libs_private "")
    set(kiln_pc_definitions "")
endif()

configure_file(${PROJECT_SOURCE_DIR}/cmake/kiln.pc.in ${PROJECT_BINARY_DIR}/kiln.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/kiln.pc DESTINATION ${kiln_pc_dir})
