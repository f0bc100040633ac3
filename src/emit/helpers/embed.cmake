# The helpers' files as string literals in a header that the emitter includes. Order counts: a piece uses only pieces
# before it.
set(helper_files c_names_host c_names_cuda bits_host saturated_host bits_cuda bits_odd integers_cuda divisors_cuda threads_cuda atomics_cuda copies_cuda published_cuda stages_cuda clusters_cuda tiles_cuda groups_cuda sort_cuda sort_network_cuda selection_cuda rows_host roots_cuda library_cuda float16_host rounded_host vectors_host float16_cuda float16 segments segment_rows_cuda complex functions normal_table random moments exponentials)

# The functions of float32, of which portable kernels take what they call; in the order that their C++ has them in.
set(float32_texts ${CMAKE_CURRENT_SOURCE_DIR}/device/cpu/float32_texts.hpp)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${float32_texts})
file(STRINGS ${float32_texts} lines REGEX "emit/helpers/float32/.*\\.inc")
foreach(line IN LISTS lines)
    string(REGEX REPLACE ".*/(float32/.*)\\.inc.*" "\\1" name "${line}")
    list(APPEND helper_files ${name})
endforeach()
list(APPEND helper_files float32/portable)

set(KILN_HELPER_ROWS "")
foreach(name IN LISTS helper_files)
    set(path ${CMAKE_CURRENT_SOURCE_DIR}/emit/helpers/${name}.inc)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    string(APPEND KILN_HELPER_ROWS "    {\"${name}\", R\"kiln(${text})kiln\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/generated/helper_text.def CONTENT "@KILN_HELPER_ROWS@" @ONLY)
