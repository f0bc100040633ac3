# Where tests run on a processor that is stood in for: what they find under the usual compilers' names makes code for it.

# kiln_cross_compilers(FOLDER): writes them there, as scripts.
function(kiln_cross_compilers folder)
    # A cross compiler knows no processor of its own.
    set(head "#!/bin/sh\nfor word; do\n    shift\n    [ \"$word\" = -mcpu=native ] || set -- \"$@\" \"$word\"\ndone\n")
    set(command "${CMAKE_CXX_COMPILER}")
    foreach(name IN ITEMS g++ c++ clang++)
        if(name STREQUAL "clang++")
            find_program(KILN_CROSS_CLANG clang++)
            mark_as_advanced(KILN_CROSS_CLANG)
            if(NOT KILN_CROSS_CLANG)
                continue()
            endif()
            set(command "${KILN_CROSS_CLANG} --target=${CMAKE_SYSTEM_PROCESSOR}-linux-gnu")
        endif()
        file(WRITE ${folder}/${name} "${head}exec ${command} \"$@\"\n")
        file(CHMOD ${folder}/${name} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
endfunction()
