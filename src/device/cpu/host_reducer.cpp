// kiln/device/cpu/host_reducer: which instruction set's reducers this processor runs, and what partial sums come to.
#include <device/cpu/host_reducer.hpp>

#include <device/cpu/combining.hpp>
#include <device/instruction_sets.hpp>
#include <plan/host_order.hpp>
#include <plan/partial_sums.hpp>
#include <plan/target.hpp>
#include <process/immortal.hpp>

#include <cstring>

namespace kiln::backend {

namespace {

using kiln::detail::reduction_kind;

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

/// One reduction by two instruction sets: runs by that of `runs`, all else by that of `rest`.
class runs_apart final : public host_reducer {
public:
    runs_apart(const host_reducer& rest, const host_reducer& runs) : rest_(rest), runs_(runs) {}

    [[nodiscard]] std::int64_t accumulator_bytes() const override { return rest_.accumulator_bytes(); }
    void clear(std::byte* accumulators, std::int64_t count) const override { rest_.clear(accumulators, count); }
    void take_run(std::byte* accumulator, const std::byte* values, std::int64_t count,
                  std::int64_t first) const override {
        runs_.take_run(accumulator, values, count, first);
    }
    void take_run_asking(std::byte* accumulator, const std::byte* values, std::int64_t count, std::int64_t first,
                         const wanted_elements& next) const override {
        runs_.take_run_asking(accumulator, values, count, first, next);
    }
    [[nodiscard]] called_run* run() const override { return runs_.run(); }
    void take_rows(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                   std::int64_t extent) const override {
        const host_reducer& by = extent > longest_row_beside ? runs_ : rest_;
        by.take_rows(accumulators, values, rows, extent);
    }
    [[nodiscard]] called_rows* rows() const override { return rest_.rows(); }
    [[nodiscard]] std::int64_t rows_at_once() const override { return rest_.rows_at_once(); }
    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t number) const override {
        rest_.take_each(accumulators, values, count, rows, number);
    }
    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        rest_.merge(into, others, count);
    }
    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t of, std::byte* results) const override {
        rest_.finish(accumulators, count, of, results);
    }

private:
    const host_reducer& rest_;
    const host_reducer& runs_;
};

/// AVX-512 chooses by masks, which a lane's next choice waits for: a max of 2048 floats in the first cache takes 354 ns, and by AVX2 167 (one
/// core of an EPYC, Zen 4, 2026-11). Rows side by side and columns wait for none. Intel's waits less: in lanes it takes 272 ns, and by AVX2 468,
/// in vectors that do not wait for one another 62 and 138 (Xeon, Emerald Rapids).
bool chooses_by_avx2() {
#if defined(__x86_64__)
    return !__builtin_cpu_is("intel");
#else
    return false;
#endif
}

template <reduction_kind what, element_type type>
const host_reducer& chosen_floats(reducer_table& rest, reducer_table& runs) {
    static constinit process::immortal<runs_apart> made;
    return made([&] { return new runs_apart(rest({what, type, type}), runs({what, type, type})); });
}

template <element_type type>
const host_reducer* chosen_floats(reduction_kind what, reducer_table& rest, reducer_table& runs) {
    if (what == reduction_kind::min) return &chosen_floats<reduction_kind::min, type>(rest, runs);
    return what == reduction_kind::max ? &chosen_floats<reduction_kind::max, type>(rest, runs) : nullptr;
}

}  // namespace

void host_reducer::take_run_asking(std::byte* accumulator, const std::byte* values, std::int64_t count,
                                   std::int64_t first, const wanted_elements&) const {
    take_run(accumulator, values, count, first);
}

host_reducer::called_run* host_reducer::run() const { return nullptr; }

void host_reducer::take_rows(std::byte* accumulators, const std::byte* values, std::int64_t count,
                             std::int64_t extent) const {
    rows()(accumulators, values, count, extent);
}

// All but positions are the same wherever a row begins.
void host_reducer::take_rows_from(std::byte* accumulators, const std::byte* values, std::int64_t count,
                                  std::int64_t extent, std::int64_t) const {
    take_rows(accumulators, values, count, extent);
}

host_reducer::called_rows* host_reducer::rows() const { return nullptr; }

std::int64_t host_reducer::rows_at_once() const { return 1; }

const host_reducer& reducer_for(const plan::reduced_output& of) {
    static const reducer_table& best = all_reducers().for_this_processor();
    static reducer_table* const narrower = all_reducers().named("avx2");
    static const bool chooses_apart = narrower && &best != narrower && chooses_by_avx2();
    if (chooses_apart) {
        const host_reducer* const chosen =
            of.accumulated == element_type::float32   ? chosen_floats<element_type::float32>(of.what, best, *narrower)
            : of.accumulated == element_type::float64 ? chosen_floats<element_type::float64>(of.what, best, *narrower)
                                                      : nullptr;
        if (chosen) return *chosen;
    }
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
