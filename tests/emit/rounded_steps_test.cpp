// Steps of float16 on the host that take what another has rounded: emit/rounded_steps, and what they call.
#include <support/device_under_test.hpp>
#include <support/host_text.hpp>

#include <doctest/doctest.h>

#include <emit/rounded_steps.hpp>
#include <kiln/kiln.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace k = kiln;

namespace {

// As kernels have them.
#define KILN_HELPER [[maybe_unused]] static inline
#define KILN_SMALL_HELPER static inline
#include "../../src/emit/helpers/bits_host.inc"
#include "../../src/emit/helpers/float16_host.inc"
#include "../../src/emit/helpers/rounded_host.inc"
#undef KILN_SMALL_HELPER
#undef KILN_HELPER

}  // namespace

TEST_CASE("a float rounded to float16 in float is what its float16 is") {
    // All signs and exponents; of what they round, the places where it changes are among them.
    std::uint64_t wrong = 0;
    const auto check = [&wrong](std::uint32_t bits) {
        const float a = std::bit_cast<float>(bits);
        const float made = f16_rounded(a);
        const float expected = f32_from_f16(f16_from_f32(a));
        if (a != a) wrong += f16_from_f32(made) != f16_from_f32(expected);
        else wrong += std::bit_cast<std::uint32_t>(made) != std::bit_cast<std::uint32_t>(expected);
    };
    for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 1021) check(static_cast<std::uint32_t>(bits));
    for (std::uint32_t half = 0; half < 1u << 16; ++half) {
        // Ties, and their neighbours.
        const std::uint32_t at = half << 16;
        for (const std::uint32_t low : {0u, 1u, 0xfffu, 0x1000u, 0x1001u, 0x2fffu, 0x3000u, 0x3001u, 0xffffu})
            check(at | low);
    }
    CHECK(wrong == 0);
}

TEST_CASE("what a step of float16 takes from another stays a float") {
    CHECK(k::emit::round_in_float("    const f16 t0 = f16_from_f32(f32_from_f16(x0) + f32_from_f16(x1));\n"
                                  "    const f16 t1 = f16_from_f32(f32_from_f16(t0) * f32_from_f16(x1));\n") ==
          "    const float t0_in_float = f16_rounded(f32_from_f16(x0) + f32_from_f16(x1));\n"
          "    const f16 t0 = f16_from_f32(t0_in_float);\n"
          "    const f16 t1 = f16_from_f32(t0_in_float * f32_from_f16(x1));\n");
    const k::array<k::float16> x = k::ones<k::float16>({100});
    const k::array<k::bfloat16> b = k::ones<k::bfloat16>({100});
    // round() has no vectors of its own: its body is one of elements.
    CHECK(tests::host_text(k::round(x * x + x)).find("t0_in_float * ") == std::string::npos);
    CHECK(tests::host_text(k::round(x * x + x)).find("t0_in_float + ") != std::string::npos);
    CHECK(tests::host_text(x * x).find("in_float") == std::string::npos);
    CHECK(tests::host_text(k::round(b * b + b)).find("in_float") == std::string::npos);
}

TEST_CASE(
    "a step of float16 that rounds nothing takes the float16, and so does one of which the text is more than one "
    "rounding") {
    const std::string compares =
        "    const f16 t0 = f16_from_f32(f32_from_f16(x0) + f32_from_f16(x1));\n"
        "    const bool t1 = f32_from_f16(t0) < f32_from_f16(x1);\n";
    CHECK(k::emit::round_in_float(compares) == compares);
    const std::string chooses =
        "    const f16 t0 = f16_from_f32(a) < b ? c : f16_from_f32(d);\n"
        "    const f16 t1 = f16_from_f32(f32_from_f16(t0) * 2.0f);\n";
    CHECK(k::emit::round_in_float(chooses) == chooses);
}
