# kiln_with_rooms: kiln for tests and benchmarks that call its private functions. A shared library hides those: there its
# objects become part of the program.
# out: kiln_with_rooms; kiln_objects, the files that hold the library's code

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
