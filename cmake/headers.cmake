# The public headers: what is installed, and found by whoever links kiln. Globbed, unlike the sources: a header that lies there
# and is not installed would be missed by users alone.

file(GLOB kiln_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/kiln/*.hpp)
file(GLOB kiln_companions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/kiln/*.def)
# No target of kiln's brings fmt: this header is for who has it.
list(REMOVE_ITEM kiln_headers ${PROJECT_SOURCE_DIR}/include/kiln/format.hpp)
list(APPEND kiln_companions ${PROJECT_SOURCE_DIR}/include/kiln/format.hpp)

target_sources(kiln PUBLIC
    FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${kiln_headers}
    FILE_SET companions TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/include FILES ${kiln_companions})
# With CMAKE_VERIFY_INTERFACE_HEADER_SETS the target all_verify_interface_header_sets compiles each header alone; but tables,
# which headers include in the middle of things, are no headers that anybody could.
set_target_properties(kiln PROPERTIES INTERFACE_HEADER_SETS_TO_VERIFY HEADERS)
