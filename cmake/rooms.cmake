# The rooms of src/ as libraries of objects, and what the linker says of them: each room, linked with those before it and
# nothing else, may leave no symbol undefined.

# What every room is compiled with.
add_library(kiln_room_settings INTERFACE)
target_compile_features(kiln_room_settings INTERFACE cxx_std_20)
# Bits must not depend on what the host compiler fuses; -ffast-math is refused by the headers.
target_compile_options(kiln_room_settings INTERFACE -ffp-contract=off)
# At -O3 g++ 12 sees strings of impossible lengths in `"text" + std::string` and in the growth of a std::vector, and says so 30
# times, also to whoever builds kiln as a part of a project. (-O2 does not, and so is compiled with these warnings.)
set(is_gcc_12_release "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>,$<CONFIG:Release>>")
target_compile_options(kiln_room_settings INTERFACE
    $<${is_gcc_12_release}:-Wno-stringop-overflow>
    $<${is_gcc_12_release}:-Wno-stringop-overread>
    $<${is_gcc_12_release}:-Wno-array-bounds>)
target_compile_definitions(kiln_room_settings INTERFACE KILN_HAS_CUDA=${KILN_HAS_CUDA})
target_include_directories(kiln_room_settings INTERFACE
    ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/src/generated)
target_include_directories(kiln_room_settings SYSTEM INTERFACE ${KILN_CUDA_INCLUDE_DIRS})
target_link_libraries(kiln_room_settings INTERFACE kiln::jit_cache Threads::Threads ${CMAKE_DL_LIBS} fmt::fmt-header-only)

if(BUILD_SHARED_LIBS)
    target_compile_definitions(kiln_room_settings INTERFACE KILN_SHARED)
endif()

set(kiln_rooms "")

# kiln_room(NAME sources...): the next one.
macro(kiln_room name)
    add_library(kiln_${name} OBJECT ${ARGN})
    target_link_libraries(kiln_${name} PRIVATE kiln_room_settings)
    # Static libraries end up in users' shared ones too, which then show nothing of kiln.
    set_target_properties(kiln_${name} PROPERTIES
        POSITION_INDEPENDENT_CODE ON
        CXX_VISIBILITY_PRESET hidden
        VISIBILITY_INLINES_HIDDEN ON)
    # CMake counts a precompiled header among the objects.
    set(kiln_room_objects $<FILTER:$<TARGET_OBJECTS:kiln_${name}>,EXCLUDE,[.][pg]ch$>)
    target_sources(kiln PRIVATE ${kiln_room_objects})
    set_property(GLOBAL APPEND PROPERTY KILN_ROOM_OBJECTS ${kiln_room_objects})
    list(APPEND kiln_rooms ${name})
endmacro()

# One link for each room, when everything is built.
function(kiln_link_rooms)
    set(objects "")
    list(TRANSFORM CMAKE_DL_LIBS PREPEND -l OUTPUT_VARIABLE system_libraries)
    set(linked "")
    foreach(name IN LISTS kiln_rooms)
        list(APPEND objects $<FILTER:$<TARGET_OBJECTS:kiln_${name}>,EXCLUDE,[.][pg]ch$>)
        set(up_to ${CMAKE_CURRENT_BINARY_DIR}/rooms/${name})
        add_custom_command(OUTPUT ${up_to}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/rooms
            COMMAND ${CMAKE_CXX_COMPILER} -shared -Wl,-z,defs,-s -o ${up_to} ${objects}
                    $<TARGET_FILE:kiln_jit_cache> -pthread ${system_libraries}
            DEPENDS ${objects} kiln_jit_cache
            COMMENT "Linking the rooms up to ${name}"
            COMMAND_EXPAND_LISTS VERBATIM)
        list(APPEND linked ${up_to})
    endforeach()
    add_custom_target(kiln_linked_rooms ALL DEPENDS ${linked})
    # Makefiles know how to make an object in its own target alone.
    list(TRANSFORM kiln_rooms PREPEND kiln_ OUTPUT_VARIABLE room_targets)
    add_dependencies(kiln_linked_rooms ${room_targets} kiln_jit_cache)
endfunction()
