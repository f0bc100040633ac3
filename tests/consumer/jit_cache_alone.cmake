# What an installed kiln-cache has to bring, and that it runs: cmake -DPREFIX=... -P jit_cache_alone.cmake
cmake_minimum_required(VERSION 3.25)
foreach(file IN ITEMS
        share/man/man1/kiln-cache.1
        share/bash-completion/completions/kiln-cache
        share/zsh/site-functions/_kiln-cache
        include/jit_cache/store.hpp)
    if(NOT EXISTS ${PREFIX}/${file})
        message(FATAL_ERROR "not installed: ${file}")
    endif()
endforeach()
execute_process(COMMAND ${PREFIX}/bin/kiln-cache --dir ${PREFIX}/no-such-folder stats COMMAND_ERROR_IS_FATAL ANY)
