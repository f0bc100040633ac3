# kiln_with_rooms: kiln for tests and benchmarks that call its private functions. A shared library hides those: there its
# objects become part of the program.
# out: kiln_with_rooms; kiln_objects, the files that hold the library's code; kiln_link_first(TARGET)

add_library(kiln_with_rooms INTERFACE)
get_target_property(kiln_type kiln TYPE)
if(kiln_type STREQUAL "SHARED_LIBRARY")
    get_property(kiln_objects GLOBAL PROPERTY KILN_ROOM_OBJECTS)
    target_compile_features(kiln_with_rooms INTERFACE cxx_std_20)
    target_include_directories(kiln_with_rooms INTERFACE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(kiln_with_rooms INTERFACE ${kiln_objects} kiln::jit_cache Threads::Threads ${CMAKE_DL_LIBS})
else()
    set(kiln_objects $<TARGET_FILE:kiln>)
    target_link_libraries(kiln_with_rooms INTERFACE kiln::kiln)
endif()

# The library's code stands before the target's own: of an inline function that both have, the linker keeps the library's, which is
# optimised. Where it is shared its objects come behind, and nothing but time is lost.
function(kiln_link_first target)
    if(NOT kiln_type STREQUAL "SHARED_LIBRARY")
        target_link_options(${target} BEFORE PRIVATE
            LINKER:--whole-archive $<TARGET_FILE:kiln> $<TARGET_FILE:kiln_jit_cache> LINKER:--no-whole-archive)
    endif()
endfunction()
