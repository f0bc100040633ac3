# What a kiln built with BUILD_SHARED_LIBS=ON has beside a static one: libkiln.so, which holds jit_cache too and shows what
# kiln's headers declare and nothing else.

# Before 1.0 a minor version may change the interface, and with it the inline namespace that is in every name: kiln::v0_1.
set(kiln_interface_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(kiln PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${kiln_interface_version})

get_target_property(kiln_type kiln TYPE)
if(kiln_type STREQUAL "SHARED_LIBRARY")
    target_compile_definitions(kiln PUBLIC KILN_SHARED)
    set(kiln_exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
    set_property(TARGET kiln APPEND PROPERTY LINK_DEPENDS ${kiln_exports})
    # Its threads and its hooks of fork() and exit() run code of its own: dlclose() of what brought it must not take that away.
    target_link_options(kiln PRIVATE LINKER:--version-script=${kiln_exports} LINKER:-z,nodelete)
    if(NOT KILN_SANITIZER)
        target_link_options(kiln PRIVATE LINKER:-z,defs)  # sanitisers' own functions are the program's
    endif()
endif()
