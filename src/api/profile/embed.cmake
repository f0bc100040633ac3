# The page of a profile as a string literal.
set(path ${CMAKE_CURRENT_SOURCE_DIR}/api/profile/page.html)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
file(READ ${path} KILN_PROFILE_PAGE)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/profile_page.def
    CONTENT "R\"kiln(@KILN_PROFILE_PAGE@)kiln\"\n" @ONLY)
