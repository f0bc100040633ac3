// tests/support/check: elements against elements, to the last bit: any NaN is any NaN, and -0 is not 0.
#pragma once

#include <support/noted.hpp>
#include <support/oracle.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace tests {

/// Elements compared since the program started; printed at its end.
extern std::atomic<std::int64_t> compared_elements;

template <class T>
bool same_bits(T left, T right) {
    if constexpr (requires { left.imag(); })
        return same_bits(left.real(), right.real()) && same_bits(left.imag(), right.imag());
    if constexpr (std::numeric_limits<T>::has_quiet_NaN)
        if (left != left || right != right) return left != left && right != right;
    return std::memcmp(&left, &right, sizeof(T)) == 0;
}

/// What is said of an element besides its place: `object`, whatever it is, knows.
struct element_note {
    const void* object = nullptr;
    std::string (*text)(const void* object, std::size_t element) = nullptr;
};

/// Empty when all are the same; else how many differ and the first of them.
template <class T>
std::string noted_difference(const std::vector<T>& got, const std::vector<T>& expected, element_note note) {
    compared_elements += static_cast<std::int64_t>(expected.size());
    if (got.size() != expected.size())
        return std::to_string(got.size()) + " elements instead of " + std::to_string(expected.size());
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < got.size(); ++i) {
        if (same_bits<T>(got[i], expected[i])) continue;
        if (++wrong == 1)
            first = "element " + std::to_string(i) + (note.text ? note.text(note.object, i) : "") + " is " +
                    oracle::to_string(oracle::from<T>(got[i])) + " instead of " +
                    oracle::to_string(oracle::from<T>(expected[i]));
    }
    return wrong ? std::to_string(wrong) + " of " + std::to_string(got.size()) + " differ; " + first : "";
}

template <class T>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected) {
    return noted_difference(got, expected, {});
}

/// `where` says how element i came about.
template <class T, class Where>
std::string difference(const std::vector<T>& got, const std::vector<T>& expected, const Where& where) {
    return noted_difference<T>(got, expected, {&where, [](const void* object, std::size_t element) -> std::string {
                                                   return (*static_cast<const Where*>(object))(element);
                                               }});
}

template <class T>
std::vector<T> typed(const std::vector<oracle::value>& from) {
    std::vector<T> out;
    out.reserve(from.size());
    for (const oracle::value& each : from) out.push_back(oracle::to<T>(each));
    return out;
}

}  // namespace tests

/// One assertion for all elements.
#define CHECK_SAME(got, ...) CHECK_EQ(::tests::difference(got, __VA_ARGS__), "")
