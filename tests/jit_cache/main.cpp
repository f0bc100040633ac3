// tests/jit_cache: doctest's main(), with the environment that could lead a test to the user's own cache taken away.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdlib>

int main(int count, char** arguments) {
    for (const char* name : {"KILN_CACHE_DIR", "KILN_CACHE_MAX_SIZE", "XDG_CACHE_HOME", "HOME"}) ::unsetenv(name);
    return doctest::Context(count, arguments).run();
}
