# tests/failures.awk, which ./dev test ends with where tests failed: of the right tests what is to be seen of them, no more.
#   cmake -DAWK=<awk> -DROOT=<source tree> -DFOLDER=<for a log> -P failures.cmake
cmake_minimum_required(VERSION 3.25)

set(rule "----------------------------------------------------------\n")
set(test_case "===============================================================================\n/sums_test.cpp:")
# of_ctest(OUT NAME RESULT OUTPUT): as CTest writes it.
function(of_ctest out name result output)
    set(${out} "1/4 Testing: ${name}\n1/4 Test: ${name}\nCommand: \"${name}\"\nOutput:\n${rule}${output}<end of output>\n${rule}Test ${result}.\n\n"
        PARENT_SCOPE)
endfunction()

of_ctest(passed fine Passed "/sums_test.cpp:1: ERROR: of one that passed\n")
of_ctest(asserting kiln_test Failed "${test_case}3:\nTEST CASE:  skipped\n\n/sums_test.cpp:4: MESSAGE: skipped\n
${test_case}7:\nTEST CASE:  sums\n  of rows\n\n/sums_test.cpp:9: ERROR: CHECK( a == b ) is NOT correct!\n  values: CHECK( 1 == 2 )\n
[doctest] Status: FAILURE!\n")
string(REPEAT "/sums_test.cpp:9: ERROR: CHECK( c ) is NOT correct!\n\n" 50 many)
of_ctest(often often "Fail Reason:\nError" "${test_case}8:\nTEST CASE:  often\n\n${many}")
of_ctest(crashing program Failed "segmentation fault\n")
file(WRITE ${FOLDER}/failures.log "${passed}${asserting}${often}${crashing}")

execute_process(COMMAND ${AWK} -f ${ROOT}/tests/failures.awk ${FOLDER}/failures.log
    OUTPUT_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
string(REPEAT "/sums_test.cpp:9: ERROR: CHECK( c ) is NOT correct!\n" 38 many)
string(REPEAT "/sums_test.cpp:9: ERROR: CHECK( c ) is NOT correct!\n\n" 5 last)
set(expected "--- kiln_test failed:
/sums_test.cpp:7:\nTEST CASE:  sums\n  of rows\n/sums_test.cpp:9: ERROR: CHECK( a == b ) is NOT correct!\n  values: CHECK( 1 == 2 )
--- its last lines:

${test_case}7:\nTEST CASE:  sums\n  of rows\n\n/sums_test.cpp:9: ERROR: CHECK( a == b ) is NOT correct!\n  values: CHECK( 1 == 2 )\n
[doctest] Status: FAILURE!
--- often failed:
/sums_test.cpp:8:\nTEST CASE:  often
${many}... and 12 lines more
--- its last lines:
${last}--- program failed; its last lines:\nsegmentation fault\n")
if(NOT said STREQUAL expected)
    message(FATAL_ERROR "failures.awk says\n${said}\nand not\n${expected}")
endif()
message("four tests, three of them failed, as they are shown")
