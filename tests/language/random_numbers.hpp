// tests/language/random_numbers: multiples of 1/64 about 0, whose products and sums all types hold closely.
#pragma once

#include <kiln/kiln.hpp>

#include <random>
#include <vector>

namespace tests {

template <class T>
kiln::array<T> random_numbers(std::mt19937& random, const kiln::shape& of) {
    std::vector<T> out(static_cast<std::size_t>(of.size()));
    for (T& each : out) each = static_cast<T>(static_cast<float>(random() % 2001) / 64.0f - 15.0f);
    return kiln::from_host<T>(out, of);
}

}  // namespace tests
