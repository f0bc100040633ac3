# GDB with kiln's printer shows an array's type, shape, device and elements.
#   cmake -DGDB=<gdb> -DPRINTER=<kiln_gdb.py> -DPROGRAM=<debugged> -P debugger.cmake
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${GDB} --batch --nx -iex "set auto-load off" -ex "source ${PRINTER}" -ex "break stop_here" -ex run
    -ex "print table" -ex "print none" ${PROGRAM}
    OUTPUT_VARIABLE said ERROR_VARIABLE trouble)
if(said MATCHES "ptrace|not permitted" OR trouble MATCHES "ptrace|not permitted|personality")
    message("skipped: this machine lets no debugger at a process: ${trouble}")
    return()
endif()
foreach(expected IN ITEMS "= float32 (2, 3) on cpu = {0, 0.5, 1, 1.5, 2, 2.5}" "= an array without a value")
    string(FIND "${said}" "${expected}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "GDB does not print \"${expected}\":\n${said}\n${trouble}")
    endif()
endforeach()
