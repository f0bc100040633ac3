// kiln/device/cpu/choosing: the least and the largest of elements on the CPU. Included once by each host_reducer_<instruction set>.cpp.
// in: elements   out: one of them   knows nothing of: threads, shapes
#pragma once

#include <device/cpu/best_of_run.hpp>
#include <device/cpu/combining.hpp>
#include <device/cpu/host_lanes.hpp>
#include <device/cpu/library.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace kiln::backend {

namespace {

/// Numbers of few bytes as float.
template <class E>
void widen_numbers(const E* from, float* to, std::int64_t count) {
    if constexpr (is_small_float<E>) widen(from, to, count);
    else
        for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

template <int type, bool largest>
struct choosing : combining<type> {
    static element<type> identity() { return worst<type>(largest); }
    static element<type> combine(element<type> a, element<type> b) {
        using T = element<type>;
        if constexpr (is_small_float<T>) {
            // One of the two, which is not rounded again.
            const float first = computed(a);
            const float chosen = choosing<number_float32, largest>::combine(first, computed(b));
            return __builtin_bit_cast(std::uint32_t, chosen) == __builtin_bit_cast(std::uint32_t, first) ? a : b;
        } else if constexpr (largest) {
            return combining<type>::template by<max_body>(a, b);
        } else {
            return combining<type>::template by<min_body>(a, b);
        }
    }
    /// The same of each lane, of floats and integers.
    template <class Vector>
    [[gnu::always_inline]] static Vector combine_vectors(const Vector& a, const Vector& b) {
        if constexpr (std::is_integral_v<element<type>>) return (largest ? a < b : b < a) ? b : a;
        else return ((a == a) & (largest ? ~(b <= a) : ~(b >= a))) ? b : a;
    }

    /// Of 16-bit floats, rows are taken in float: what is chosen is one of the elements.
    using in_float = choosing<number_float32, largest>;

    /// A run of numbers of which the best is no zero: whatever the order, it has the same bits, and several vectors beside one another do not
    /// wait for the one that has all lanes. False of others.
    static bool takes_run(element<type>& before, const element<type>* value, std::int64_t count, std::int64_t)
        requires(std::is_floating_point_v<element<type>>)
    {
        if (count < std::max(128, woven_elements<element<type>>)) return false;
        const best_of_run<element<type>> best = best_number<largest>(value, count);
        if (!best.is_sure || best.value == 0) return false;
        before = combine(before, best.value);
        return true;
    }

    /// A run's lanes. Not of integers whose comparisons g++ leaves to vectors by itself.
    static void take_lanes(element<type>* lane, const element<type>* value, std::int64_t count, std::int64_t)
        requires(kind_of<element<type>> == kind::floating || sizeof(element<type>) < 4)
    {
        if constexpr (is_small_float<element<type>>) return take_small(lane, value, count);
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            KILN_NOT_UNROLLED
            for (int j = 0; j < lanes; ++j) lane[j] = combine(lane[j], value[i + j]);
        }
        const std::int64_t left = (count - i) % lanes;  // g++ sees that it is less than that
        if (has_masks && left % (lanes / 2) != 0) {
            for (int j = 0; j < lanes; ++j) lane[j] = j < left ? combine(lane[j], value[i + j]) : lane[j];
        } else {
            for (int j = 0; j < left; ++j) lane[j] = combine(lane[j], value[i + j]);
        }
    }

private:
    /// In float, which is left once: what is chosen is one of the elements.
    static void take_small(element<type>* lane, const element<type>* value, std::int64_t count) {
        static_assert(strip % lanes == 0);
        alignas(64) float best[lanes];
        alignas(64) float wide[strip];
        for (int j = 0; j < lanes; ++j) best[j] = computed(lane[j]);
        for (std::int64_t from = 0; from < count; from += strip) {
            const std::int64_t length = count - from < strip ? count - from : strip;
            widen(value + from, wide, length);
            choosing<number_float32, largest>::take_lanes(best, wide, length, 0);
        }
        for (int j = 0; j < lanes; ++j) lane[j] = small_float_from<element<type>>(best[j]);
    }
};

}  // namespace
}  // namespace kiln::backend
