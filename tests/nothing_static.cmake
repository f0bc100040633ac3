# No object of the library registers a destructor of a static or thread_local object: expressions are evaluated after they
# would have run (src/process/immortal.hpp, thread_state.hpp).
#   cmake -DNM=<nm> -DLIBRARIES=<archive>... -P nothing_static.cmake
cmake_minimum_required(VERSION 3.25)

set(found "")
foreach(library IN LISTS LIBRARIES)
    execute_process(COMMAND ${NM} -A --undefined-only ${library}
        OUTPUT_VARIABLE symbols RESULT_VARIABLE result ERROR_QUIET)
    if(NOT result EQUAL 0)
        message(FATAL_ERROR "${NM} cannot read ${library}")
    endif()
    string(REGEX MATCHALL "[^\n]*__cxa_(thread_)?atexit[^\n]*" lines "${symbols}")
    foreach(line IN LISTS lines)
        # thread_state.hpp is what such an object is to be replaced by, and has one in each file that uses it.
        if(NOT line MATCHES "__cxa_thread_atexit")
            list(APPEND found "${line}")
        endif()
    endforeach()
endforeach()
if(found)
    list(JOIN found "\n" found)
    message(FATAL_ERROR "static objects with destructors:\n${found}")
endif()
