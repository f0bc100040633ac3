# cmake -DPROGRAM= -DKEPT= -DMADE= -P same_plot.cmake: KEPT.svg is what PROGRAM makes of KEPT.json.

execute_process(COMMAND ${PROGRAM} --from ${KEPT}.json --svg ${MADE} RESULT_VARIABLE result OUTPUT_QUIET)
if(NOT result EQUAL 0)
    message(FATAL_ERROR "${PROGRAM} --from ${KEPT}.json failed: ${result}")
endif()
file(READ ${MADE} made)
file(READ ${KEPT}.svg kept)
if(NOT made STREQUAL kept)
    message(FATAL_ERROR "${KEPT}.svg is not the plot of ${KEPT}.json: make it with --from and --svg")
endif()
