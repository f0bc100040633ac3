# cmake -DCOMPILER= -DINCLUDE_DIR= [-DHEADERS=] -DSOURCE= [-DMOST_LINES=] -P check.cmake: SOURCE must fail to compile, and
# the compiler's words must contain what its `// expect: ` lines say, and be no more than so many lines; where SOURCE says why
# it takes more, as many as its `// most lines: ` says. HEADERS is included first: a header that was precompiled beside it.

# A FATAL_ERROR of many words is wrapped; these stay on their line.
macro(fail words)
    message("${SOURCE}:1: ${words}")
    message(FATAL_ERROR "not the compile error that was expected")
endmacro()

file(STRINGS ${SOURCE} expectations REGEX "^// expect: ")
if(NOT expectations)
    fail("says nothing after '// expect: '")
endif()

set(first "")
if(HEADERS)
    set(first -include ${HEADERS})
endif()
set(ENV{LC_ALL} C)
execute_process(
    COMMAND ${COMPILER} -std=c++20 -fsyntax-only -fdiagnostics-color=never -I ${INCLUDE_DIR} ${first} ${SOURCE}
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0)
    fail("compiles, and should not")
endif()

if(MOST_LINES)
    file(STRINGS ${SOURCE} own_most REGEX "^// most lines: ")
    if(own_most)
        string(REGEX REPLACE "^// most lines: " "" MOST_LINES "${own_most}")
    endif()
    string(REGEX MATCHALL "\n" line_ends "${output}")
    list(LENGTH line_ends lines)
    if(lines GREATER MOST_LINES)
        fail("is said in ${lines} lines, and ${MOST_LINES} are the most:\n${output}")
    endif()
endif()

# Messages only: the compiler echoes source lines, in which the expected words may stand by chance, and so may they in
# the file's own name.
string(REGEX REPLACE "\n *[0-9]* \\|[^\n]*" "" output "${output}")
string(REPLACE "${SOURCE}" "" words "${output}")
foreach(line IN LISTS expectations)
    string(REGEX REPLACE "^// expect: " "" expected "${line}")
    string(FIND "${words}" "${expected}" found)
    if(found EQUAL -1)
        fail("fails to compile, but the compiler does not say '${expected}':\n${output}")
    endif()
endforeach()
