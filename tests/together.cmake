# Test files compiled several to a program: what they have in common (the precompiled header, expressions of the same types, doctest's
# pieces) is then compiled once. A test file is written to be compiled alone, and its names are its own:
# each stands in a namespace here, behind the headers of all.

# kiln_compile_together(TARGET APART files...): the target's files of tests among them that a namespace may be put around become
# TARGET_together, a library of objects with a precompiled header of its own, which is what all of them include: for the others
# it is too much (2 s of each file, for a compiler instantiates anew what inline functions of a precompiled header ask for). Files
# that include what matches APART stay with those others; empty: none. Options, libraries and folders are those that the target has by
# now. Needs precompiled headers.
function(kiln_compile_together target apart)
    set(headers "")
    set(together "")
    foreach(file IN LISTS ARGN)
        cmake_path(ABSOLUTE_PATH file)
        file(STRINGS ${file} lines REGEX "^#|^namespace [a-z:_]+ *{|^extern|^template <>")
        # A header beside the file, by its path.
        cmake_path(GET file PARENT_PATH folder)
        file(GLOB beside RELATIVE ${folder} ${folder}/*.hpp)
        foreach(header IN LISTS beside)
            list(TRANSFORM lines REPLACE "^#include \"${header}\"" "#include \"${folder}/${header}\"")
        endforeach()
        set(is_header "^#include (<[a-z_/0-9]+(\\.hp*)?>|\".*\\.hpp\")")
        set(own ${lines})
        list(FILTER own INCLUDE REGEX "${is_header}")
        set(other ${lines})
        list(FILTER other EXCLUDE REGEX "${is_header}")
        # Macros would reach the files behind it.
        if(other OR NOT file MATCHES "_test\\.cpp$" OR file MATCHES "/promotion_test"  # which takes 2 GB by itself
           OR (apart AND lines MATCHES "${apart}"))
            continue()
        endif()
        list(APPEND headers ${own})
        list(APPEND together ${file})
    endforeach()
    # Which headers they include is read here.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
    list(REMOVE_DUPLICATES headers)
    list(SORT headers)
    list(JOIN headers "\n" headers)
    set(header ${CMAKE_CURRENT_BINARY_DIR}/headers_of_${target}.hpp)
    file(CONFIGURE OUTPUT ${header} CONTENT "#pragma once\n@headers@\n" @ONLY)

    get_target_property(files ${target} SOURCES)
    set(alone "")
    foreach(file IN LISTS files)
        cmake_path(ABSOLUTE_PATH file)
        if(NOT file IN_LIST together)
            list(APPEND alone ${file})
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES SOURCES "${alone}")
    set(objects ${target}_together)
    add_library(${objects} OBJECT ${together})
    foreach(property IN ITEMS INCLUDE_DIRECTORIES COMPILE_DEFINITIONS COMPILE_OPTIONS LINK_LIBRARIES)
        get_target_property(value ${target} ${property})
        if(value)
            set_target_properties(${objects} PROPERTIES ${property} "${value}")
        endif()
    endforeach()
    target_precompile_headers(${objects} PRIVATE ${header})
    set_target_properties(${objects} PROPERTIES
        UNITY_BUILD ON
        UNITY_BUILD_BATCH_SIZE 20
        UNITY_BUILD_UNIQUE_ID KILN_TEST_FILE
        UNITY_BUILD_CODE_BEFORE_INCLUDE "namespace KILN_TEST_FILE {"
        UNITY_BUILD_CODE_AFTER_INCLUDE "}")
    # CMake counts a precompiled header among the objects.
    target_sources(${target} PRIVATE $<FILTER:$<TARGET_OBJECTS:${objects}>,EXCLUDE,[.][pg]ch$>)
endfunction()
