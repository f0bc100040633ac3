# What the libraries' objects may ask of the C library, by their symbols:
# - None registers a destructor of a static object: expressions are evaluated after it would have run
#   (src/process/immortal.hpp, thread_state.hpp).
# - One alone reads variables of the environment, so that one rule says which count (jit_cache/trust.hpp); NVTX's header, in
#   a file of its own, reads NVTX_INJECTION64_PATH when that rule has said that it counts.
#   cmake -DNM=<nm> -DLIBRARIES=<archive>... -P symbols.cmake
cmake_minimum_required(VERSION 3.25)

set(found "")
set(readers "")
foreach(library IN LISTS LIBRARIES)
    execute_process(COMMAND ${NM} -A --undefined-only ${library}
        OUTPUT_VARIABLE symbols RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${NM} cannot read ${library}")
    endif()
    # __cxa_thread_atexit: thread_state.hpp is what such an object is to be replaced by, and has one in each file that uses it.
    string(REGEX MATCHALL "[^\n]*__cxa_atexit[^\n]*" lines "${symbols}")
    foreach(line IN LISTS lines)
        list(APPEND found "a static object with a destructor: ${line}")
    endforeach()
    string(REGEX MATCHALL "[^\n]*[ _]getenv[^\n]*" lines "${symbols}")
    foreach(line IN LISTS lines)
        if(line MATCHES ":trust\\.cpp\\.o:")
            set(readers ${line})
        elseif(line MATCHES ":nvtx\\.cpp\\.o:")
            # NVTX's
        else()
            list(APPEND found "it reads the environment past trust.hpp: ${line}")
        endif()
    endforeach()
endforeach()
if(NOT readers)
    list(APPEND found "trust.cpp reads no environment: the check sees nothing")
endif()
if(found)
    list(JOIN found "\n" found)
    message(FATAL_ERROR "${found}")
endif()
