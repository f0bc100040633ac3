# kiln_rooms: kiln for tests and benchmarks that call its private functions. A shared library hides those: there its objects
# become part of the program.
# out: kiln_rooms; kiln_objects, the files that hold the library's code

add_library(kiln_rooms INTERFACE)
get_target_property(kiln_type kiln TYPE)
if(kiln_type STREQUAL "SHARED_LIBRARY")
    set(kiln_objects $<TARGET_OBJECTS:kiln>)
    target_compile_features(kiln_rooms INTERFACE cxx_std_20)
    target_include_directories(kiln_rooms INTERFACE ${PROJECT_SOURCE_DIR}/include)
    target_link_libraries(kiln_rooms INTERFACE ${kiln_objects} kiln::jit_cache Threads::Threads ${CMAKE_DL_LIBS})
else()
    set(kiln_objects $<TARGET_FILE:kiln>)
    target_link_libraries(kiln_rooms INTERFACE kiln::kiln)
endif()
