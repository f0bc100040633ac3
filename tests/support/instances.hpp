// tests/support/instances: vectors of elements, and what fills and compares them, compiled once and optimised: unoptimised, in each
// file of tests that uses them, they were a tenth of all code, and elements are compared by the hundred million.
#pragma once

#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/element_type.hpp>
#include <kiln/float16.hpp>

#include <complex>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// `how`: extern, or nothing where they are compiled.
#define KILN_TEST_INSTANCES(how, T)                                                                   \
    how template class std::vector<T>;                                                                \
    how template std::string tests::noted_difference<T>(const std::vector<T>&, const std::vector<T>&, \
                                                        tests::element_note);                         \
    how template std::string tests::difference<T>(const std::vector<T>&, const std::vector<T>&);      \
    how template std::vector<T> tests::typed<T>(const std::vector<oracle::value>&);                   \
    how template std::vector<oracle::value> oracle::from_all<T>(const std::vector<T>&);               \
    how template std::vector<T> tests::special_values<T>();                                           \
    how template tests::pairs<T> tests::all_pairs<T>(const std::vector<T>&);                          \
    how template std::vector<T> tests::ordinary_values<T>(std::size_t, std::uint64_t);

// std::mt19937 and std::mt19937_64.
#define KILN_TEST_ENGINES(how)                                                                                        \
    how template class std::mersenne_twister_engine<std::uint_fast32_t, 32, 624, 397, 31, 0x9908b0df, 11, 0xffffffff, \
                                                    7, 0x9d2c5680, 15, 0xefc60000, 18, 1812433253>;                   \
    how template class std::mersenne_twister_engine<std::uint_fast64_t, 64, 312, 156, 31, 0xb5026f5aa96619e9, 29,     \
                                                    0x5555555555555555, 17, 0x71d67fffeda60000, 37,                   \
                                                    0xfff7eee000000000, 43, 6364136223846793005>;

KILN_TEST_ENGINES(extern)
#define KILN_ELEMENT_TYPE(name, type, ...) KILN_TEST_INSTANCES(extern, type)
#include <kiln/element_type.def>
