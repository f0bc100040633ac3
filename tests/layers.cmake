# Checks the rule of the rooms from the #include lines: a room includes rooms already walked, never later ones.
#   cmake -DROOT=<source tree> -P layers.cmake            prints each offending line as file:line, fails if there is one
#   cmake -DSELF_TEST=<empty folder> -P layers.cmake      breaks every rule in a tree of its own, fails if one goes unseen
cmake_minimum_required(VERSION 3.25)

# The way of an expression; data walks from left to right and never back. The spine, src/evaluate.*, calls them; above it
# stand streamed and api.
set(rooms capture lower stage plan emit compile device run evaluate streamed api)
# Rooms from which the kernel store may be reached: none knows of files before its source text is written.
set(rooms_with_store compile device run evaluate streamed api)
# What all of src/ may use of it.
set(store_headers_for_all "^jit_cache/(trust|printable|write_signals)\\.hpp$")
set(standard_header "^[a-z_0-9]+$")
set(posix_header "^(sys|net|netinet|arpa)/[a-z_]+\\.h$|^(aio|cpio|dirent|dlfcn|errno|fcntl|fnmatch|ftw|glob|grp|iconv|inttypes|langinfo|libgen|limits|locale|math|nl_types|poll|pthread|pwd|regex|sched|search|semaphore|setjmp|signal|spawn|stdarg|stddef|stdint|stdio|stdlib|string|strings|syslog|termios|time|unistd|utime|wchar)\\.h$")

# complaint(file name out): why `file` (relative to ROOT) may not include `name`; empty when it may.
function(complaint file name out)
    set(${out} "" PARENT_SCOPE)
    cmake_path(GET file PARENT_PATH folder)
    string(REGEX MATCH "^[^/]+" top "${name}")
    if(NOT name MATCHES "/")
        set(top "")
        if(EXISTS ${ROOT}/${folder}/${name})
            return()  # a neighbour
        endif()
    endif()

    # Each CUDA header has one door.
    if(name MATCHES "^(cuda|cu[A-Z]|nvrtc|nvtx|nvml)")
        if(NOT (name STREQUAL "cuda.h" AND file MATCHES "^src/device/cuda/driver\\.")
                AND NOT (name STREQUAL "nvrtc.h" AND file MATCHES "^src/compile/nvrtc\\.")
                AND NOT (name STREQUAL "cupti.h" AND file STREQUAL "src/device/cuda/cupti_times.cpp")
                AND NOT (top STREQUAL "nvtx3" AND file STREQUAL "src/record/nvtx.cpp"))
            set(${out} "only device/cuda/driver.* includes cuda.h, compile/nvrtc.* nvrtc.h, device/cuda/cupti_times.cpp CUPTI, record/nvtx.cpp NVTX" PARENT_SCOPE)
        endif()
        return()
    endif()

    if(file MATCHES "^include/kiln/")
        if(top STREQUAL "kiln" OR name MATCHES "${standard_header}")
            return()
        endif()
        if(top STREQUAL "fmt" AND file STREQUAL "include/kiln/format.hpp")
            return()
        endif()
        set(${out} "public headers include public headers and the C++ standard library" PARENT_SCOPE)

    elseif(file MATCHES "^jit_cache/")
        if(top STREQUAL "jit_cache" OR name STREQUAL "xxhash.h" OR name MATCHES "${standard_header}|${posix_header}")
            return()
        endif()
        if(file MATCHES "^jit_cache/tool/" AND top MATCHES "^(CLI|nlohmann|fmt)$")
            return()
        endif()
        set(${out} "jit_cache includes itself, the standard library, POSIX and xxhash (its tool: CLI11, nlohmann, fmt)"
            PARENT_SCOPE)

    elseif(file MATCHES "^src/" AND top STREQUAL "fmt" AND NOT file MATCHES "^src/text/")
        set(${out} "only text/format.hpp includes fmt" PARENT_SCOPE)

    elseif(file MATCHES "^src/text/" OR (file MATCHES "^src/" AND top STREQUAL "text"))
        if(NOT top MATCHES "^(text|fmt)$" AND NOT name MATCHES "${standard_header}")
            set(${out} "src/text knows nothing of the rooms" PARENT_SCOPE)
        endif()

    elseif(file MATCHES "^src/" AND name MATCHES "${store_headers_for_all}")

    elseif(file MATCHES "^src/process/" OR (file MATCHES "^src/" AND top STREQUAL "process"))
        if(file MATCHES "^src/process/" AND NOT top STREQUAL "process"
                AND NOT name MATCHES "${standard_header}|${posix_header}")
            set(${out} "src/process knows nothing of the rooms" PARENT_SCOPE)
        endif()

    elseif(file MATCHES "^src/record/" OR (file MATCHES "^src/" AND top STREQUAL "record"))
        if(file MATCHES "^src/record/" AND NOT top MATCHES "^(record|kiln)$"
                AND NOT name MATCHES "${standard_header}|${posix_header}")
            set(${out} "src/record knows nothing of the rooms" PARENT_SCOPE)
        endif()

    elseif(file MATCHES "^src/([a-z_]+)(/|\\.[ch]pp$)")
        set(room ${CMAKE_MATCH_1})
        set(entered "${top}")
        if(name STREQUAL "evaluate.hpp")
            set(entered evaluate)
        endif()
        list(FIND rooms "${room}" position)
        list(FIND rooms "${entered}" included)
        if(position EQUAL -1)
            set(${out} "src/${room} is none of the rooms: ${rooms}" PARENT_SCOPE)
        elseif(included GREATER position)
            set(${out} "src/${room} comes before src/${entered}" PARENT_SCOPE)
        elseif(top STREQUAL "jit_cache" AND NOT room IN_LIST rooms_with_store)
            set(${out} "src/${room} knows nothing of the kernel store" PARENT_SCOPE)
        elseif(name MATCHES "^(chrono|ctime|time\\.h|sys/time\\.h)$")
            set(${out} "only src/record reads clocks" PARENT_SCOPE)
        elseif(EXISTS ${ROOT}/src/${name} AND included EQUAL -1)
            set(${out} "src/${name} is in none of the rooms: ${rooms}" PARENT_SCOPE)
        endif()
    endif()
endfunction()

# Prints the offending lines of one file; counts them in the caller's `offences`.
function(check_file file)
    file(READ ${ROOT}/${file} text)
    # A list item in CMake knows no semicolon, bracket or trailing backslash; none of them matters in an #include.
    string(REPLACE ";" "," text "${text}")
    string(REPLACE "[" "<" text "${text}")
    string(REPLACE "]" ">" text "${text}")
    string(REPLACE "\\" "/" text "${text}")
    string(REPLACE "\n" ";" lines "${text}")
    set(number 0)
    set(raw_end "")
    foreach(line IN LISTS lines)
        math(EXPR number "${number} + 1")
        if(raw_end)
            # Inside a raw string: generated source, whose includes are not this file's.
            string(FIND "${line}" "${raw_end}" at)
            if(NOT at EQUAL -1)
                set(raw_end "")
            endif()
        elseif(line MATCHES "^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"]+)[>\"]")
            complaint(${file} "${CMAKE_MATCH_1}" why)
            if(why)
                message("${file}:${number}: ${CMAKE_MATCH_1}: ${why}")
                math(EXPR offences "${offences} + 1")
            endif()
        elseif(line MATCHES "R\"([^(]*)\\((.*)$")
            set(raw_end ")${CMAKE_MATCH_1}\"")
            string(FIND "${CMAKE_MATCH_2}" "${raw_end}" at)
            if(NOT at EQUAL -1)
                set(raw_end "")
            endif()
        endif()
    endforeach()
    set(offences ${offences} PARENT_SCOPE)
endfunction()

function(check_tree)
    file(GLOB_RECURSE files RELATIVE ${ROOT}
        ${ROOT}/include/*.hpp ${ROOT}/include/*.def ${ROOT}/src/*.hpp ${ROOT}/src/*.cpp ${ROOT}/src/*.def
        ${ROOT}/jit_cache/*.hpp ${ROOT}/jit_cache/*.cpp)
    list(LENGTH files count)
    if(count EQUAL 0)
        message(FATAL_ERROR "no sources under '${ROOT}'")
    endif()
    set(offences 0)
    foreach(file IN LISTS files)
        check_file(${file})
    endforeach()
    if(offences)
        message(FATAL_ERROR "${offences} of the #include lines break the rule of the rooms")
    endif()
    message("${count} files keep the rule of the rooms")
endfunction()

# --- Self-test ----------------------------------------------------------------------------------------------------------

# Each file of the tree: name | its includes, comma-separated | the lines of them that break a rule, comma-separated.
set(self_test_tree
    "include/kiln/array.hpp|<kiln/shape.hpp>,<vector>,<cuda_runtime.h>,<unistd.h>,<fmt/format.h>,<plan/plan.hpp>|3,4,5,6"
    "include/kiln/format.hpp|<fmt/format.h>,<kiln/array.hpp>|"
    "include/kiln/shape.hpp|<cstdint>|"
    "src/evaluate.hpp|<plan/plan.hpp>|"
    "src/evaluate.cpp|<chrono>,<capture/graph.hpp>,<record/marks.hpp>,<jit_cache/store.hpp>,<cuda.h>,<evaluate.hpp>,<api/fused.hpp>|1,5,7"
    "src/options.cpp|<kiln/shape.hpp>|1"
    "src/capture/graph.hpp|<kiln/array.hpp>,\"term.hpp\",<lower/lower.hpp>,<jit_cache/store.hpp>|3,4"
    "src/capture/term.hpp|<memory>,<record/marks.hpp>,<evaluate.hpp>|3"
    "src/lower/lower.hpp|<capture/graph.hpp>,<text/format.hpp>,<fmt/format.h>|3"
    "src/stage/stages.hpp|<capture/graph.hpp>,<plan/plan.hpp>|2"
    "src/plan/plan.hpp|<lower/lower.hpp>,\"emit/emit.hpp\",<chrono>,<stage/stages.hpp>|2,3"
    "src/emit/emit.hpp|<jit_cache/key.hpp>,<plan/plan.hpp>,<jit_cache/printable.hpp>|1"
    "src/compile/nvrtc.cpp|<nvrtc.h>,<jit_cache/store.hpp>,<cuda.h>,<device/cuda/driver.hpp>|3,4"
    "src/device/cuda/driver.hpp|<cuda.h>,<compile/toolchain.hpp>,<nvrtc.h>,<run/executable.hpp>|3,4"
    "src/device/cuda/memory.hpp|<device/cuda/driver.hpp>,<cuda.h>|2"
    "src/run/executable.hpp|<device/cuda/driver.hpp>,<jit_cache/store.hpp>,<evaluate.hpp>|3"
    "src/api/fused.hpp|<evaluate.hpp>,<run/executable.hpp>,<chrono>|3"
    "src/record/marks.hpp|<chrono>,<kiln/shape.hpp>,<device/cuda/driver.hpp>,<nvtx3/nvToolsExt.h>|3,4"
    "src/record/nvtx.cpp|<nvtx3/nvToolsExt.h>,<jit_cache/trust.hpp>|"
    "src/helpers/text.hpp|<string>|1"
    "src/process/fork.hpp|<mutex>,<pthread.h>,<process/immortal.hpp>,<jit_cache/trust.hpp>,<jit_cache/store.hpp>,<text/format.hpp>|5"
    "src/capture/table.cpp|<process/fork.hpp>,<jit_cache/trust.hpp>,<jit_cache/key.hpp>|3"
    "src/text/format.hpp|<fmt/format.h>,<string>,<kiln/shape.hpp>,<capture/graph.hpp>|3,4"
    "jit_cache/include/jit_cache/key.hpp|<string>,<kiln/shape.hpp>|2"
    "jit_cache/src/store.cpp|<jit_cache/key.hpp>,<sys/stat.h>,<unistd.h>,<xxhash.h>,<fmt/format.h>|5"
    "jit_cache/tool/main.cpp|<CLI/CLI.hpp>,<nlohmann/json.hpp>,<fmt/format.h>,<kiln/array.hpp>|4")

function(self_test)
    file(REMOVE_RECURSE ${SELF_TEST})
    set(expected "")
    foreach(entry IN LISTS self_test_tree)
        string(REPLACE "|" ";" parts "${entry}")
        list(GET parts 0 name)
        list(GET parts 1 includes)
        list(GET parts 2 bad_lines)
        string(REPLACE "," "\n#include " includes "${includes}")
        file(WRITE ${SELF_TEST}/${name} "#include ${includes}\n"
            "const char* generated = R\"(\n#include <cuda.h>\n)\";  // text, not an include of this file\n"
            "// #include <cuda.h>\n")
        string(REPLACE "," ";" bad_lines "${bad_lines}")
        foreach(line IN LISTS bad_lines)
            list(APPEND expected "${name}:${line}:")
        endforeach()
    endforeach()

    execute_process(COMMAND ${CMAKE_COMMAND} -DROOT=${SELF_TEST} -P ${CMAKE_CURRENT_LIST_FILE}
        RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
    string(REGEX MATCHALL "[a-z_/]+\\.[ch]pp:[0-9]+:" seen "${output}")
    list(SORT expected)
    list(SORT seen)
    if(result EQUAL 0 OR NOT seen STREQUAL expected)
        message(FATAL_ERROR "the check ended with ${result}\nsaw      ${seen}\nexpected ${expected}\n${output}")
    endif()
    list(LENGTH expected count)
    message("all ${count} broken lines seen, no other")
endfunction()

if(SELF_TEST)
    self_test()
elseif(ROOT)
    check_tree()
else()
    message(FATAL_ERROR "usage: cmake -DROOT=<source tree> -P layers.cmake")
endif()
