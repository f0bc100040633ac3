# Test files compiled several to a program: what they have in common (the precompiled header, expressions of the same types, doctest's
# pieces) is then compiled once. A test file is written to be compiled alone, and its names are its own:
# each stands in a namespace here, behind the headers of all.

# kiln_compile_together(TARGET files...): the files of tests among them that a namespace may be put around. Needs
# precompiled headers.
function(kiln_compile_together target)
    set(headers "")
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
        if(other OR NOT file MATCHES "_test\\.cpp$" OR file MATCHES "/promotion_test")  # which takes 2 GB by itself
            set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
        else()
            list(APPEND headers ${own})
        endif()
    endforeach()
    # Which headers they include is read here.
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${ARGN})
    list(REMOVE_DUPLICATES headers)
    list(SORT headers)
    list(JOIN headers "\n" headers)
    set(together ${CMAKE_CURRENT_BINARY_DIR}/headers_of_${target}.hpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "#pragma once\n@headers@\n" @ONLY)
    target_precompile_headers(${target} PRIVATE ${together})
    set_target_properties(${target} PROPERTIES
        UNITY_BUILD ON
        UNITY_BUILD_BATCH_SIZE 10
        UNITY_BUILD_UNIQUE_ID KILN_TEST_FILE
        UNITY_BUILD_CODE_BEFORE_INCLUDE "namespace KILN_TEST_FILE {"
        UNITY_BUILD_CODE_AFTER_INCLUDE "}")
endfunction()
