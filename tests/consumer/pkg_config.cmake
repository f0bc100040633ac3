# A project that has pkg-config and a compiler, and takes kiln from where it was moved to after it was installed.
#   cmake -DPKG_CONFIG=... -DCXX=... -DPREFIX=<of the installation> -DFOLDER=<to work in> -P pkg_config.cmake
cmake_minimum_required(VERSION 3.25)

set(moved ${FOLDER}/moved)
file(REMOVE_RECURSE ${FOLDER})
file(COPY ${PREFIX}/ DESTINATION ${moved} PATTERN "share" EXCLUDE)
file(GLOB_RECURSE description ${moved}/kiln.pc)
cmake_path(GET description PARENT_PATH description_folder)
set(ENV{PKG_CONFIG_LIBDIR} ${description_folder})
unset(ENV{PKG_CONFIG_PATH})

# asked(variable option...): pkg-config's answer, as a list.
function(asked variable)
    execute_process(COMMAND ${PKG_CONFIG} ${ARGN} kiln OUTPUT_VARIABLE answer COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(answer UNIX_COMMAND "${answer}")
    set(${variable} ${answer} PARENT_SCOPE)
endfunction()
asked(flags --cflags)
asked(libraries --libs)
asked(static_libraries --static --libs)

set(sources ${CMAKE_CURRENT_LIST_DIR}/boundary)
set(compile ${CXX} -std=c++20 -O0 ${flags})
file(GLOB_RECURSE shared ${moved}/libkiln.so)
if(shared)
    cmake_path(GET shared PARENT_PATH shared_folder)
    execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${compile} -fvisibility=hidden -fPIC -shared ${sources}/part.cpp
        -o ${FOLDER}/libpart.so ${libraries})
    execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${compile} -fvisibility=hidden ${sources}/program.cpp
        -o ${FOLDER}/consumer -L${FOLDER} -lpart ${libraries} -Wl,-rpath,${FOLDER} -Wl,-rpath,${shared_folder})
else()
    if(NOT libraries STREQUAL static_libraries)
        message(FATAL_ERROR "kiln is static, and must be linked with ${static_libraries}, not with ${libraries}")
    endif()
    execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND ${compile} ${sources}/program.cpp ${sources}/part.cpp
        -o ${FOLDER}/consumer ${static_libraries})
endif()
execute_process(COMMAND ${FOLDER}/consumer COMMAND_ERROR_IS_FATAL ANY)
