#include <support/sample.hpp>

#include <support/device_under_test.hpp>

#include <cstdlib>

bool tests::tries_every_combination() {
    const char* const every = std::getenv("KILN_TEST_EVERY");
    if (every && *every && *every != '0') return true;
    return device().is_cuda;
}
