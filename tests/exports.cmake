# What a shared libkiln shows: names of this version's kiln alone, and each that programs ask for. OBJECTS are those of
# programs that use kiln as anybody does, from whatever compiler.
#   cmake -DNM=<nm> -DLIBRARY=<libkiln.so> -DOBJECTS=<object>... -DNAMESPACE=kiln::v0_1 -P exports.cmake
cmake_minimum_required(VERSION 3.25)

# names(variable option... file): what nm says, a list of lines.
function(names variable)
    execute_process(COMMAND ${NM} ${ARGN} OUTPUT_VARIABLE said RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${NM} cannot read what is to be looked at: ${ARGN}")
    endif()
    string(REPLACE "[abi:cxx11]" "" said "${said}")  # brackets keep lines of a list together
    string(REGEX MATCHALL "[^\n]+" lines "${said}")
    set(${variable} ${lines} PARENT_SCOPE)
endfunction()

set(wrong "")
names(shown --dynamic --defined-only --demangle ${LIBRARY})
foreach(line IN LISTS shown)
    if(NOT line MATCHES "^[0-9a-f]+ . ((typeinfo|typeinfo name|vtable) for )?${NAMESPACE}::")
        list(APPEND wrong "shown, and not of ${NAMESPACE}: ${line}")
    endif()
endforeach()

names(shown --dynamic --defined-only --just-symbols ${LIBRARY})
list(LENGTH shown shown_count)
if(shown_count LESS 50)
    list(APPEND wrong "it shows ${shown_count} names: too few to be kiln")
endif()
names(asked_for --undefined-only --just-symbols ${OBJECTS})
list(FILTER asked_for INCLUDE REGEX "^_Z[A-Z]*4kiln")
list(REMOVE_DUPLICATES asked_for)
if(NOT asked_for)
    list(APPEND wrong "the programs ask for nothing of kiln: the check sees nothing")
endif()
list(REMOVE_ITEM asked_for ${shown})
foreach(name IN LISTS asked_for)
    list(APPEND wrong "asked for and not shown (KILN_API, in a header that its source includes?): ${name}")
endforeach()
if(wrong)
    list(JOIN wrong "\n" wrong)
    message(FATAL_ERROR "${wrong}")
endif()
