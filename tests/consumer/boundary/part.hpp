// A library of a user's that passes kiln's types on, built with everything hidden but these.
#pragma once

#include <kiln/forward.hpp>

#include <cstdint>
#include <typeinfo>

#define PART_API __attribute__((visibility("default")))

namespace part {

/// 3 x, lazy: the number is captured here.
PART_API kiln::expr<float> tripled(const kiln::array<float>& x);
/// x + x + x, evaluated here.
PART_API kiln::array<float> sum_of_three(const kiln::array<float>& x);

/// Throws it as the library does, and as this one does.
PART_API void throw_librarys_shape_error();
PART_API void throw_own_shape_error();
/// Whether it is caught here, as what it is.
PART_API bool catches(void (*thrower)());
PART_API const std::type_info& type_of_shape_error();

PART_API const kiln::options* thread_options();
PART_API const std::uint32_t* capture_counter();
PART_API std::int64_t launches();

}  // namespace part
