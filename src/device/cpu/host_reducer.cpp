// kiln/device/cpu/host_reducer: which instruction set's reducers this processor runs, and what partial sums come to.
#include <device/cpu/host_reducer.hpp>

#include <device/cpu/combining.hpp>
#include <device/instruction_sets.hpp>
#include <plan/partial_sums.hpp>
#include <plan/target.hpp>

#include <cstring>

namespace kiln::backend {

namespace {

by_instruction_set<reducer_table> all_reducers() { return {reducers_avx512, reducers_avx2, reducers_baseline}; }

/// As the lanes of a block add up: each every 256th part, those of a warp in pairs, then the warps.
template <int type>
void add_up(const std::byte* partial_sums, int count, void* to) {
    using sum = adding<type>;
    using plan::warp;
    constexpr int block = plan::partial_sum_lanes;
    element<type> mine[block];
    for (int lane = 0; lane < block; ++lane) {
        mine[lane] = sum::identity();
        for (int i = lane; i < count; i += block) {
            element<type> part;
            std::memcpy(&part, partial_sums + static_cast<std::size_t>(i) * sizeof part, sizeof part);
            mine[lane] = sum::combine(mine[lane], part);
        }
    }
    for (int begin = 0; begin < block; begin += warp)
        for (int apart = warp / 2; apart > 0; apart /= 2)
            for (int i = 0; i < apart; ++i) mine[begin + i] = sum::combine(mine[begin + i], mine[begin + i + apart]);
    for (int apart = block / warp / 2; apart > 0; apart /= 2)
        for (int i = 0; i < apart; ++i) mine[i * warp] = sum::combine(mine[i * warp], mine[(i + apart) * warp]);
    std::memcpy(to, &mine[0], sizeof mine[0]);
}

}  // namespace

std::int64_t host_reducer::rows_at_once() const { return 1; }

const host_reducer& reducer_for(const plan::reduced_output& of) {
    static const reducer_table& best = all_reducers().for_this_processor();
    return best(of);
}

reducer_table* reducers_named(const char* name) { return all_reducers().named(name); }

void add_up_partial_sums(element_type type, const std::byte* partial_sums, int count, void* to) {
    switch (type) {
        case element_type::int64: return add_up<number_int64>(partial_sums, count, to);
        case element_type::uint64: return add_up<number_uint64>(partial_sums, count, to);
        case element_type::float64: return add_up<number_float64>(partial_sums, count, to);
        case element_type::complex64: return add_up<number_complex64>(partial_sums, count, to);
        case element_type::complex128: return add_up<number_complex128>(partial_sums, count, to);
        default: return add_up<number_float32>(partial_sums, count, to);
    }
}

}  // namespace kiln::backend
