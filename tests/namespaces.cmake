# Public names, and the library's definitions of them, are in the inline namespace of the version. Where a file says
# `namespace kiln::detail` instead, g++ finds the one that is meant (CWG 2061) and clang++ makes another.
#   cmake -DROOT=<sources> -DVERSION=v0_1 -P namespaces.cmake
cmake_minimum_required(VERSION 3.25)

set(wrong "")
set(right 0)
file(GLOB_RECURSE files ${ROOT}/include/kiln/*.hpp ${ROOT}/src/*.hpp ${ROOT}/src/*.cpp)
foreach(path IN LISTS files)
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${ROOT} OUTPUT_VARIABLE name)
    # src/device, emit, ...: the library's own rooms, which no header names, are in kiln itself.
    file(STRINGS ${path} openings REGEX "^namespace kiln( |::detail|::random|::inline)")
    foreach(opening IN LISTS openings)
        if(opening MATCHES "^namespace kiln::inline ${VERSION}( |::)")
            math(EXPR right "${right} + 1")
        else()
            list(APPEND wrong "${name}: ${opening} (meant: namespace kiln::inline ${VERSION}...)")
        endif()
    endforeach()
endforeach()
if(right LESS 50)
    list(APPEND wrong "${right} namespaces of ${VERSION}: the check sees too few")
endif()
if(wrong)
    list(JOIN wrong "\n" wrong)
    message(FATAL_ERROR "${wrong}")
endif()
