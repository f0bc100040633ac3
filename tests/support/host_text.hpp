// tests/support/host_text: what the CPU is given of an expression that is one kernel.
#pragma once

#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tests {

template <class E>
std::string host_text(const E& e) {
    const std::vector<kiln::emit::source> made =
        sources({.on = kiln::plan::host_target, .fuse = true, .outputs = {}}, e);
    REQUIRE(made.size() == 1);
    return made[0].text;
}

}  // namespace tests
