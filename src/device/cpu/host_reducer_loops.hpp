// kiln/device/cpu/host_reducer_loops: what the rows of reduction_table.def are on the CPU. Included once by each
// host_reducer_<instruction set>.cpp: the loops are the same, and so is each result, to the last bit.
// in: what is reduced   out: its reducer   knows nothing of: threads, shapes
#pragma once

#include <device/cpu/host_reducer.hpp>

#include <device/cpu/best_of_run.hpp>
#include <device/cpu/choosing.hpp>
#include <device/cpu/combining.hpp>
#include <device/cpu/exponentials_reducer.hpp>
#include <device/cpu/host_lanes.hpp>
#include <device/cpu/moments_reducer.hpp>
#include <device/cpu/rows_beside.hpp>

#include <algorithm>
#include <limits>
#include <type_traits>

namespace kiln::backend {

namespace {

// Of rows of so few, what is done for each takes longer than its elements.
constexpr std::int64_t few_elements = 4;

template <bool all>
struct testing : combining<number_boolean> {
    static bool identity() { return all; }
    static bool combine(bool a, bool b) { return all ? by<logical_and_body>(a, b) : by<logical_or_body>(a, b); }
};

template <int type, bool largest>
struct finding {
    struct accumulator {
        element<type> value;
        std::int64_t at;
    };
    static accumulator identity() { return {worst<type>(largest), none}; }
    static accumulator of(element<type> value, std::int64_t at) { return {value, at}; }
    static accumulator combine(const accumulator& x0, const accumulator& x1) {
        const bool is_better = largest ? conditions<type>::is_greater(x0, x1) : conditions<type>::is_less(x0, x1);
        return is_better || conditions<type>::is_earlier(x0, x1) ? x1 : x0;
    }
    static accumulator append(const accumulator& x0, const accumulator& x1) {
        const bool is_better =
            largest ? conditions<type>::is_next_greater(x0, x1) : conditions<type>::is_next_less(x0, x1);
        return is_better || x0.at == none ? x1 : x0;
    }

    /// A run of numbers: its best one is known before anybody asks where it is, and of most runs of a long row nobody does. Not of integers
    /// of 32 bits, whose places beside them cost less, nor where vectors cannot compare those of 64.
    static bool takes_run(accumulator& before, const element<type>* value, std::int64_t count, std::int64_t first)
        requires(std::is_floating_point_v<element<type>> ||
                 (std::is_integral_v<element<type>> && !std::is_same_v<element<type>, bool> &&
                  (sizeof(element<type>) < 4 || (sizeof(element<type>) == 8 && vector_bytes > 16))))
    {
        if (count < std::max(128, woven_elements<element<type>>)) return false;
        const best_of_run<element<type>> best = best_number<largest>(value, count);
        if (!best.is_sure) return false;
        if (before.at < first && !is_next(before.value, best.value)) return true;
        const std::int64_t place = first_place_of(best.value, value, count);
        before = combine(before, of(value[place], first + place));
        return true;
    }

    /// What a run of all lanes comes to. Values and places stand apart and are of one width, as vectors want them: what a lane has is
    /// known by how many lanes came before.
    static accumulator of_run(const element<type>* value, std::int64_t count, std::int64_t first)
        requires(kind_of<element<type>> == kind::floating || sizeof(element<type>) < 8)
    {
        using turns = std::conditional_t<sizeof(element<type>) == 8, std::int64_t, std::int32_t>;
        struct known {
            element<type> value;
            turns at;
        };
        element<type> best[lanes];
        turns at[lanes] = {};
        for (int j = 0; j < lanes; ++j) best[j] = value[j];
        const auto take = [&](int j, element<type> next, turns turn) {
            const bool is_better = is_next(best[j], next);
            best[j] = is_better ? next : best[j];
            at[j] = is_better ? turn : at[j];
        };
        std::int64_t i = lanes;
        turns turn = 1;
        for (; i + lanes <= count; i += lanes, ++turn) {
            KILN_NOT_UNROLLED
            for (int j = 0; j < lanes; ++j) take(j, value[i + j], turn);
        }
        for (int j = 0; i < count; ++i, ++j) take(j, value[i], turn);
        for (int j = 0; j < lanes; ++j) at[j] = at[j] * lanes + j;
        in_pairs<lanes / 2>([&](int j, int other) {
            const known x0{best[j], at[j]}, x1{best[other], at[other]};
            bool is_better = largest ? conditions<type>::is_greater(x0, x1) : conditions<type>::is_less(x0, x1);
            is_better |= conditions<type>::is_earlier(x0, x1);  // not ||, which would be a branch
            best[j] = is_better ? x1.value : x0.value;
            at[j] = is_better ? x1.at : x0.at;
        });
        return of(best[0], first + std::int64_t{at[0]});
    }

    /// Rows of few_elements at most, one element after the other: lanes would have accumulators, which are no vectors.
    static void take_few(accumulator* into, const element<type>* value, std::int64_t rows, std::int64_t extent) {
        switch (extent) {
            case 1: return take_rows_of<1>(into, value, rows);
            case 2: return take_rows_of<2>(into, value, rows);
            case 3: return take_rows_of<3>(into, value, rows);
            default: return take_rows_of<few_elements>(into, value, rows);
        }
    }

    /// Rows of numbers, the best of each first, and then its place. Of few bytes they are compared as floats, which they are exactly.
    static void take_short_rows(accumulator* into, const element<type>* value, std::int64_t rows, std::int64_t extent)
        requires(has_rows_beside && !std::is_same_v<element<type>, bool>)
    {
        constexpr std::int64_t block = 1024;
        constexpr bool is_wide = sizeof(element<type>) >= 4;
        constexpr int as = is_wide ? type : number_float32;
        alignas(64) element<as> wide[is_wide ? 1 : block];
        element<as> best[block];
        const std::int64_t at_once = block / extent;
        for (std::int64_t first = 0; first < rows; first += at_once) {
            const std::int64_t count = std::min(at_once, rows - first);
            const element<type>* const from = value + first * extent;
            const element<as>* compared = wide;
            if constexpr (is_wide) compared = from;
            else widen_numbers(from, wide, count * extent);
            combined_rows<choosing<as, largest>, element<as>>(compared, count, extent)
                .each([&](std::int64_t row, element<as> made) { best[row] = made; });
            rows_beside<element<as>, place_lanes<element<as>>>(compared, count, extent, {best})
                .each([&](std::int64_t row, std::int64_t place) {
                    into[first + row] = combine(into[first + row], of(from[row * extent + place], place));
                });
        }
    }

private:
    static constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();

    template <int extent>
    [[gnu::noinline]] static void take_rows_of(accumulator* into, const element<type>* value, std::int64_t rows) {
        for (std::int64_t row = 0; row < rows; ++row, value += extent) {
            element<type> best = value[0];
            std::int64_t at = 0;
            for (int j = 1; j < extent; ++j) {
                const bool is_better = is_next(best, value[j]);
                best = is_better ? value[j] : best;
                at = is_better ? j : at;
            }
            into[row] = combine(into[row], of(best, at));
        }
    }

    struct value_alone {
        element<type> value;
    };
    static bool is_next(element<type> a, element<type> b) {
        return largest ? conditions<type>::is_next_greater(value_alone{a}, value_alone{b})
                       : conditions<type>::is_next_less(value_alone{a}, value_alone{b});
    }
};

/// What is known of some elements, and one further on than all of them.
template <class Operation>
typename Operation::accumulator append(const typename Operation::accumulator& x0,
                                       const typename Operation::accumulator& x1) {
    if constexpr (requires { Operation::append(x0, x1); }) return Operation::append(x0, x1);
    else return Operation::combine(x0, x1);
}

/// All but what accumulators come to in the end: a sum's loops are the same of a mean, and of one that becomes 16 bits.
template <class Operation, class Value>
class reducer_loops : public host_reducer {
public:
    [[nodiscard]] std::int64_t accumulator_bytes() const override { return sizeof(accumulator); }

    void clear(std::byte* accumulators, std::int64_t count) const override {
        for (std::int64_t i = 0; i < count; ++i) as_accumulators(accumulators)[i] = Operation::identity();
    }

    void take_run(std::byte* into, const std::byte* values, std::int64_t count, std::int64_t first) const override {
        take(into, values, count, first);
    }

    void take_run_asking(std::byte* into, const std::byte* values, std::int64_t count, std::int64_t first,
                         const wanted_elements& next) const override {
        const auto* const value = reinterpret_cast<const Value*>(values);
        if constexpr (requires { Operation::of_run(value, count, first); }) {
            ask_for(next, 0, count);
            return take(into, values, count, first);
        }
        accumulator lane[lanes];
        for (accumulator& each : lane) each = Operation::identity();
        for (std::int64_t from = 0; from < count; from += asked_for_at_once) {
            const std::int64_t length = count - from < asked_for_at_once ? count - from : asked_for_at_once;
            ask_for(next, from, length);
            take_lanes<false>(lane, value + from, length, first + from);
        }
        put_together(into, lane);
    }

    [[nodiscard]] called_run* run() const override { return take; }

    [[nodiscard]] called_rows* rows() const override { return take_all_rows; }

    void take_rows_from(std::byte* accumulators, const std::byte* values, std::int64_t rows, std::int64_t extent,
                        std::int64_t first) const override {
        if constexpr (requires(accumulator each) { each.at; }) {
            if (first > 0) return take_rows_further_on(as_accumulators(accumulators), values, rows, extent, first);
        }
        take_all_rows(accumulators, values, rows, extent);
    }

    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t number) const override {
        const auto* value = reinterpret_cast<const Value*>(values);
        accumulator* const into = as_accumulators(accumulators);
        if constexpr (fewest_narrow_columns < most_narrow_columns)
            if (rows > 1 && count >= fewest_narrow_columns && count <= most_narrow_columns)
                return take_narrow(into, value, count, rows, number);
        for (std::int64_t row = 0; row < rows; ++row, value += count)
            for (std::int64_t i = 0; i < count; ++i)
                into[i] = append<Operation>(into[i], Operation::of(value[i], number + row));
    }

    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        const auto* const other = reinterpret_cast<const accumulator*>(others);
        for (std::int64_t i = 0; i < count; ++i)
            as_accumulators(into)[i] = Operation::combine(as_accumulators(into)[i], other[i]);
    }

protected:
    using accumulator = typename Operation::accumulator;

private:
    template <class, class>
    friend class reducer_loops;

    static accumulator* as_accumulators(std::byte* accumulators) {
        return reinterpret_cast<accumulator*>(accumulators);
    }

    static void take(void* into, const void* values, long long count, long long first) {
        const auto* const value = static_cast<const Value*>(values);
        accumulator& before = *static_cast<accumulator*>(into);
        if constexpr (requires { Operation::takes_run(before, value, count, first); })
            if (Operation::takes_run(before, value, count, first)) return;
        if constexpr (requires { Operation::of_run(value, count, first); }) {
            if (count >= lanes) {
                before = Operation::combine(before, Operation::of_run(value, count, first));
                return;
            }
        }
        if (has_masks && count % (lanes / 2) != 0) take_in_lanes<has_masks>(into, value, count, first);
        else take_in_lanes<false>(into, value, count, first);
    }

    static void take_all_rows(void* accumulators, const void* values, long long rows, long long extent) {
        auto* const into = static_cast<accumulator*>(accumulators);
        const auto* const value = static_cast<const Value*>(values);
        if constexpr (requires { Operation::take_few(into, value, rows, extent); })
            if (extent <= few_elements) return Operation::take_few(into, value, rows, extent);
        if constexpr (requires { Operation::take_short_rows(into, value, rows, extent); })
            if (extent > few_elements && extent <= longest_row_beside)
                return Operation::take_short_rows(into, value, rows, extent);
        if constexpr (is_small_float<Value> && requires { typename Operation::in_float; })
            if (extent <= longest_row_beside) return take_rows_in_float(into, value, rows, extent);
        std::int64_t row = 0;
        if (extent <= (may_be_beside() ? lanes / 2 : lanes)) {
            row = rows - rows % rows_together;
            switch (extent) {
                case 2: take_short_rows<2>(into, value, row, extent); break;
                case 3: take_short_rows<3>(into, value, row, extent); break;
                case 4: take_short_rows<4>(into, value, row, extent); break;
                default: take_short_rows<0>(into, value, row, extent);
            }
        }
        if constexpr (may_be_beside())
            if (extent <= longest_row_beside)
                return combined_rows<Operation, Value>(value + row * extent, rows - row, extent)
                    .each([into = into + row](std::int64_t which, Value made) {
                        into[which] = Operation::combine(into[which], made);
                    });
        for (; row < rows; ++row) take(into + row, value + row * extent, extent, 0);
    }

    /// Of positions: where the best is of each row alone, and then of all.
    static void take_rows_further_on(accumulator* into, const std::byte* values, std::int64_t rows, std::int64_t extent,
                                     std::int64_t first) {
        constexpr std::int64_t most = 256;
        accumulator made[most];
        const auto* const value = reinterpret_cast<const Value*>(values);
        for (std::int64_t row = 0; row < rows; row += most) {
            const std::int64_t count = rows - row < most ? rows - row : most;
            for (std::int64_t i = 0; i < count; ++i) made[i] = Operation::identity();
            take_all_rows(made, value + row * extent, count, extent);
            for (std::int64_t i = 0; i < count; ++i) {
                made[i].at += first;
                into[row + i] = Operation::combine(into[row + i], made[i]);
            }
        }
    }

    static void take_rows_in_float(accumulator* into, const Value* value, std::int64_t rows, std::int64_t extent) {
        constexpr std::int64_t block = 1024;
        alignas(64) float wide[block];
        alignas(64) float made[block];
        std::int64_t at_once = block / extent;
        if (at_once > rows_together) at_once -= at_once % rows_together;
        for (std::int64_t first = 0; first < rows; first += at_once) {
            const std::int64_t count = rows - first < at_once ? rows - first : at_once;
            widen(value + first * extent, wide, count * extent);
            widen(into + first, made, count);
            reducer_loops<typename Operation::in_float, float>::take_all_rows(made, wide, count, extent);
            narrow(made, into + first, count);
        }
    }

    template <bool by_mask>
    [[gnu::always_inline]] static void take_in_lanes(void* into, const Value* value, std::int64_t count,
                                                     std::int64_t first) {
        accumulator lane[lanes];
        for (accumulator& each : lane) each = Operation::identity();
        take_lanes<by_mask>(lane, value, count, first);
        put_together(into, lane);
    }

    template <bool by_mask>
    [[gnu::always_inline]] static void take_lanes(accumulator* lane, const Value* value, std::int64_t count,
                                                  std::int64_t first) {
        if constexpr (requires { Operation::take_lanes(lane, value, count, first); }) {
            Operation::take_lanes(lane, value, count, first);
        } else {
            std::int64_t i = 0;
            for (; i + lanes <= count; i += lanes)
                for (int j = 0; j < lanes; ++j)
                    lane[j] = append<Operation>(lane[j], Operation::of(value[i + j], first + i + j));
            if constexpr (by_mask) {
                const std::int64_t left = count - i;
                for (int j = 0; j < lanes; ++j)
                    lane[j] =
                        j < left ? append<Operation>(lane[j], Operation::of(value[i + j], first + i + j)) : lane[j];
            } else {
                for (int j = 0; i < count; ++i, ++j)
                    lane[j] = append<Operation>(lane[j], Operation::of(value[i], first + i));
            }
        }
    }

    [[gnu::always_inline]] static void put_together(void* into, accumulator* lane) {
        in_pairs<lanes / 2>([lane](int j, int other) { lane[j] = Operation::combine(lane[j], lane[other]); });
        *static_cast<accumulator*>(into) = Operation::combine(*static_cast<accumulator*>(into), lane[0]);
    }

    // Of so few columns, what one has come to would be stored for the next row and read again before it is there: 64 rows of 32 floats take
    // 0.028 ns an element for 0.12, of 5 0.17 for 0.64; from 100 columns on they would take longer (one core of an EPYC, Zen 4, 2026-11).
    // A choice of floats has more than one condition: of few lanes g++ makes branches of them, and none pays where no instruction chooses.
    static constexpr bool is_in_registers = std::is_arithmetic_v<accumulator> && std::is_same_v<accumulator, Value>;
    static constexpr bool chooses_floats =
        std::is_floating_point_v<Value> && requires(accumulator lane) { Operation::take_lanes(&lane, nullptr, 0, 0); };
    static constexpr std::int64_t fewest_narrow_columns = chooses_floats ? 5 : 1;
    static constexpr std::int64_t most_narrow_columns =
        !is_in_registers || (chooses_floats && vector_bytes == 16) ? 0 : 64;

    [[gnu::noinline]] static void take_narrow(accumulator* into, const Value* value, std::int64_t count,
                                              std::int64_t rows, std::int64_t number) {
        constexpr int most_wide = 32, least_wide = chooses_floats ? most_wide : 8;
        for (std::int64_t first = 0; first < count;) {
            if (count - first > 2 * least_wide) {
                take_columns<most_wide>(into, value, first, count, rows, number);
                first += most_wide;
            } else {
                take_columns<least_wide>(into, value, first, count, rows, number);
                first += least_wide;
            }
        }
    }

    /// take_each where columns stay in registers from row to row. Lanes beyond the last column take what lies there, the next row, and are
    /// left; of the last rows, where nothing does, none does.
    template <int wide>
    static void take_columns(accumulator* into, const Value* value, std::int64_t first, std::int64_t count,
                             std::int64_t rows, std::int64_t number) {
        const std::int64_t columns = count - first < wide ? count - first : wide;
        const std::int64_t in_front = rows * count - first - wide;
        const std::int64_t whole = in_front < 0 ? 0 : in_front / count + 1;
        accumulator lane[wide];
        for (accumulator& each : lane) each = Operation::identity();
        for (std::int64_t j = 0; j < columns; ++j) lane[j] = into[first + j];
        for (std::int64_t row = 0; row < whole; ++row)
            for (int j = 0; j < wide; ++j)
                lane[j] = append<Operation>(lane[j], Operation::of(value[row * count + first + j], number + row));
        for (std::int64_t row = whole; row < rows; ++row)
            for (std::int64_t j = 0; j < columns; ++j)
                lane[j] = append<Operation>(lane[j], Operation::of(value[row * count + first + j], number + row));
        for (std::int64_t j = 0; j < columns; ++j) into[first + j] = lane[j];
    }

    // As many lines of floats as a core has on their way; not among the lanes' steps, which g++ then would not keep in registers.
    static constexpr std::int64_t asked_for_at_once = 16 * lanes;

    static void ask_for(const wanted_elements& next, std::int64_t from, std::int64_t count) {
        for (const wanted_elements::array& each : next.of)
            for (std::int64_t at = from * each.bytes; at < (from + count) * each.bytes; at += 64)
                __builtin_prefetch(each.first + at);
    }

    static constexpr bool may_be_beside() {
        constexpr bool is_number = std::is_floating_point_v<Value> || (std::is_integral_v<Value> && sizeof(Value) >= 4);
        if constexpr (has_rows_beside && is_number && std::is_same_v<accumulator, Value>)
            return requires(numbers<Value> of) { Operation::combine_vectors(of, of); };
        else return false;
    }
    static constexpr int rows_together = 64;

    /// A row has an element for each of its first lanes. What the other lanes have of nothing changes nothing: these meet
    /// as take_run's do without them, but rows side by side. `known`: of how many elements they are, where elements so few apart are shuffles
    /// of vectors; 0: of `extent`.
    template <int known>
    static void take_short_rows(accumulator* into, const Value* value, std::int64_t rows, std::int64_t extent) {
        for (std::int64_t row = 0; row < rows; row += rows_together)
            take_rows_together(into + row, value + row * extent, known > 0 ? known : extent);
    }

    [[gnu::always_inline]] static void take_rows_together(accumulator* into, const Value* value, std::int64_t extent) {
        accumulator lane[lanes][rows_together];
        for (std::int64_t j = 0; j < extent; ++j)
            for (int row = 0; row < rows_together; ++row) lane[j][row] = Operation::of(value[row * extent + j], j);
        for (std::int64_t apart = lanes / 2; apart > 0; apart /= 2)
            for (std::int64_t j = 0; j < apart && j + apart < extent; ++j)
                for (int row = 0; row < rows_together; ++row)
                    lane[j][row] = Operation::combine(lane[j][row], lane[j + apart][row]);
        for (int row = 0; row < rows_together; ++row) into[row] = Operation::combine(into[row], lane[0][row]);
    }
};

enum class ending : std::uint8_t { plain, mean, position };

template <class Operation, class Value, class Result, ending end>
class reducer_of final : public reducer_loops<Operation, Value> {
    using accumulator = typename Operation::accumulator;

public:
    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t of, std::byte* results) const override {
        const auto* const from = reinterpret_cast<const accumulator*>(accumulators);
        auto* const to = reinterpret_cast<Result*>(results);
        for (std::int64_t i = 0; i < count; ++i) to[i] = finished(from[i], of);
    }

private:
    static Result finished(const accumulator& from, [[maybe_unused]] std::int64_t of) {
        if constexpr (end == ending::position) {
            return from.at;
        } else if constexpr (end == ending::mean && kind_of<accumulator> == kind::complex) {
            using R = typename component<accumulator>::type;
            return {from.re / static_cast<R>(of), from.im / static_cast<R>(of)};
        } else if constexpr (end == ending::mean) {
            return result_of(from / static_cast<accumulator>(of));
        } else {
            return result_of(from);
        }
    }

    static Result result_of(const accumulator& value) {
        if constexpr (is_small_float<Result> && !is_small_float<accumulator>) return small_float_from<Result>(value);
        else return Result(value);
    }
};

template <class Operation, class Value, class Result, ending end>
const host_reducer& instance() {
    static constexpr reducer_of<Operation, Value, Result, end> one{};
    return one;
}

template <class Result>
const host_reducer& moments_instance(kiln::detail::reduction_kind what) {
    using kiln::detail::reduction_kind;
    static constexpr moments_reducer<Result, reduction_kind::variance> variance{};
    static constexpr moments_reducer<Result, reduction_kind::deviation> deviation{};
    static constexpr moments_reducer<Result, reduction_kind::squares_about_mean> squares{};
    if (what == reduction_kind::variance) return variance;
    if (what == reduction_kind::deviation) return deviation;
    return squares;
}

const host_reducer& of_moments(const plan::reduced_output& of) {
    switch (of.result) {
        case element_type::float64: return moments_instance<double>(of.what);
        case element_type::float16: return moments_instance<f16>(of.what);
        case element_type::bfloat16: return moments_instance<bf16>(of.what);
        default: return moments_instance<float>(of.what);
    }
}

template <class Value, class Result>
const host_reducer& exponentials_instance() {
    static constexpr exponentials_reducer<Value, Result> one{};
    return one;
}

const host_reducer& of_exponentials(const plan::reduced_output& of) {
    switch (of.result) {
        case element_type::float64: return exponentials_instance<double, double>();
        case element_type::float16: return exponentials_instance<float, f16>();
        case element_type::bfloat16: return exponentials_instance<float, bf16>();
        default: return exponentials_instance<float, float>();
    }
}

template <template <int> class Operation, ending end>
const host_reducer& of_sums(const plan::reduced_output& of) {
    switch (of.accumulated) {
        case element_type::int64: return instance<Operation<number_int64>, std::int64_t, std::int64_t, ending::plain>();
        case element_type::uint64:
            return instance<Operation<number_uint64>, std::uint64_t, std::uint64_t, ending::plain>();
        case element_type::float64: return instance<Operation<number_float64>, double, double, end>();
        case element_type::complex64: return instance<Operation<number_complex64>, c64, c64, end>();
        case element_type::complex128: return instance<Operation<number_complex128>, c128, c128, end>();
        default: break;
    }
    if (of.result == element_type::float16) return instance<Operation<number_float32>, float, f16, end>();
    if (of.result == element_type::bfloat16) return instance<Operation<number_float32>, float, bf16, end>();
    return instance<Operation<number_float32>, float, float, end>();
}

/// The better of two, or where it is.
template <int type>
const host_reducer& of_choice(kiln::operation combine) {
    using T = element<type>;
    if constexpr (kind_of<T> != kind::complex) {
        switch (combine) {
            case kiln::operation::min: return instance<choosing<type, false>, T, T, ending::plain>();
            case kiln::operation::max: return instance<choosing<type, true>, T, T, ending::plain>();
            case kiln::operation::lt: return instance<finding<type, false>, T, std::int64_t, ending::position>();
            default: return instance<finding<type, true>, T, std::int64_t, ending::position>();
        }
    } else {
        return instance<adding<type>, T, T, ending::plain>();  // has no order: cannot be asked for
    }
}

const host_reducer& made_reducer(const plan::reduced_output& of) {
    const kiln::detail::reduction_info& by = kiln::detail::info(of.what);
    if (of.sums_exponentials()) return of_exponentials(of);
    if (of.keeps_state()) return of_moments(of);
    const bool averages = by.accumulates == kiln::detail::accumulation::mean;
    switch (by.combine) {
        case kiln::operation::add:
            return averages ? of_sums<adding, ending::mean>(of) : of_sums<adding, ending::plain>(of);
        case kiln::operation::mul: return of_sums<multiplying, ending::plain>(of);
        case kiln::operation::logical_or: return instance<testing<false>, bool, bool, ending::plain>();
        case kiln::operation::logical_and: return instance<testing<true>, bool, bool, ending::plain>();
        default: break;  // of a function of the user's: compiled_reducer
    }
    switch (of.accumulated) {
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) \
    case element_type::name: return of_choice<number_##name>(by.combine);
#include <kiln/element_type.def>
    }
    return of_choice<number_float32>(by.combine);
}

}  // namespace
}  // namespace kiln::backend
