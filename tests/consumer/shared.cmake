# A shared kiln, and who uses it: built by the compiler of everything else, and by clang++ 19, which so proves that it builds
# the library. Two minutes of a core each: ctest -C long, ./dev test --all.

# add_shared(name compiler): tests shared_<name>_*; with CONFIGURATIONS long set by the caller as above.
function(add_shared name compiler)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/shared_${name})
    set(prefix ${folder}/prefix)
    set(consumer_options
        -DCMAKE_CXX_COMPILER=${compiler}
        -DCMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER}
        -DCMAKE_BUILD_TYPE=Debug
        -DCMAKE_CXX_FLAGS_DEBUG=-O0)
    add_test(NAME consumer_shared_${name}_empty_prefix CONFIGURATIONS ${configurations}
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${prefix})
    add_test(NAME consumer_shared_${name} CONFIGURATIONS ${configurations} COMMAND ${CMAKE_CTEST_COMMAND}
        --build-and-test ${PROJECT_SOURCE_DIR} ${folder}/kiln
        --build-generator ${CMAKE_GENERATOR} --build-noclean --build-target install
        --build-options ${consumer_options} -DBUILD_SHARED_LIBS=ON -DCMAKE_INSTALL_PREFIX=${prefix}
            -DCMAKE_INSTALL_LIBDIR=lib -DKILN_CUDA=${KILN_CUDA} -DKILN_BUILD_TESTS=OFF -DKILN_BUILD_EXAMPLES=OFF
            -DKILN_BUILD_BENCHMARKS=OFF -DKILN_BUILD_TOOL=OFF -DKILN_UNITY_BUILD=ON)
    set_tests_properties(consumer_shared_${name} PROPERTIES
        FIXTURES_REQUIRED empty_shared_${name} FIXTURES_SETUP shared_${name} COST 120)
    set_tests_properties(consumer_shared_${name}_empty_prefix PROPERTIES LABELS long FIXTURES_SETUP empty_shared_${name})

    set(objects "")
    foreach(program IN LISTS contract_programs)
        list(APPEND objects $<TARGET_OBJECTS:${program}>)
    endforeach()
    list(JOIN objects $<SEMICOLON> objects)
    add_test(NAME symbols_shared_${name} CONFIGURATIONS ${configurations} COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM}
        -DOBJDUMP=${CMAKE_OBJDUMP} -DLIBRARY=${prefix}/lib/libkiln.so "-DOBJECTS=${objects}"
        -DVERSION=${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} -P ${PROJECT_SOURCE_DIR}/tests/exports.cmake)

    foreach(project IN ITEMS find_package boundary)
        add_consumer(consumer_shared_${name}_${project} ${project} shared_${name}/${project} -DCMAKE_PREFIX_PATH=${prefix})
    endforeach()
    add_pkg_config_consumer(consumer_shared_${name}_pkg_config ${prefix} ${CMAKE_CXX_COMPILER})

    set_tests_properties(consumer_shared_${name} symbols_shared_${name} PROPERTIES LABELS long TIMEOUT 600)
    foreach(test IN ITEMS symbols_shared_${name} consumer_shared_${name}_find_package consumer_shared_${name}_boundary
            consumer_shared_${name}_pkg_config)
        if(TEST ${test})
            set_tests_properties(${test} PROPERTIES LABELS long FIXTURES_REQUIRED shared_${name})
        endif()
    endforeach()
endfunction()

set(configurations long)
if(KILN_CLANG_19)
    add_shared(clang ${KILN_CLANG_19})
endif()
add_shared(default ${CMAKE_CXX_COMPILER})
