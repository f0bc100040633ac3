// Each thread combines its elements in a table of its own; tables come together in any order, since words are integers.
#include <device/cpu/host_segments.hpp>

#include <device/cpu/combining.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <type_traits>
#include <vector>

namespace kiln::backend {

namespace {

#include <emit/helpers/segments.inc>

using plan::segment_pass;
using plan::segment_step;

using word = long long;

// Elements that are worth a thread, and a table of so many segments.
constexpr std::int64_t segment_grain = std::int64_t{1} << 15;

struct segment_arrays {
    segment_arrays(const launch_arguments& arguments, std::span<const plan::parameter> takes)
        : result(address(arguments, takes, plan::role::segment_result)),
          words(reinterpret_cast<word*>(address(arguments, takes, plan::role::segment_table))),
          numbers(address(arguments, takes, plan::role::segment_numbers)),
          values(address(arguments, takes, plan::role::segment_values)) {}

    static std::byte* address(const launch_arguments& arguments, std::span<const plan::parameter> takes,
                              plan::role what) {
        return *static_cast<std::byte**>(arguments.parameters[plan::find_parameter(takes, what)]);
    }

    std::byte* result;
    word* words;
    const std::byte* numbers;
    const std::byte* values;
};

template <int type>
double real_number(element<type> of) {
    if constexpr (kind_of<element<type>> == kind::floating) return segment_real(of);
    else return static_cast<double>(of);
}

template <segment_pass pass>
void combine(word& into, word with) {
    if constexpr (pass == segment_pass::least) into = std::min(into, with);
    else if constexpr (pass == segment_pass::greatest || pass == segment_pass::magnitude) into = std::max(into, with);
    else into = static_cast<word>(static_cast<unsigned long long>(into) + static_cast<unsigned long long>(with));
}

/// Of floats of 32 bits and fewer, whose magnitudes, but for some, are their exponents, and whose products with powers of two are exact.
template <int type>
constexpr bool is_short = kind_of<element<type>> == kind::floating && !std::is_same_v<element<type>, double>;
template <int type>
float short_number(element<type> of) {
    if constexpr (std::is_same_v<element<type>, float>) return of;
    else if constexpr (std::is_same_v<element<type>, f16>) return f32_from_f16(of);
    else return f32_from_bf16(of);
}
word short_magnitude(float of) {
    const auto bits = std::bit_cast<std::uint32_t>(of) & 0x7fffffffu;
    if (bits - 0x00800000u < 0x7f000000u) return static_cast<word>(bits >> 23) + 1873;
    return segment_magnitude(static_cast<double>(of));
}

/// What an element is to its segment; of the pass.
template <segment_pass pass, int type>
struct segment_word {
    static constexpr bool is_float = kind_of<element<type>> == kind::floating;
    /// segment_ordered_least or segment_ordered_greatest, without a branch for the sign, which is as likely either.
    static word ordered(double a) {
        constexpr word most = std::numeric_limits<word>::max();
        const auto bits = std::bit_cast<word>(a);
        if (a != a) return pass == segment_pass::least ? -most - 1 : most;
        return bits ^ (bits >> 63 & most);
    }
    static word of(element<type> x) {
        if constexpr (is_short<type> && pass == segment_pass::magnitude) return short_magnitude(short_number<type>(x));
        else if constexpr (pass == segment_pass::magnitude) return segment_magnitude(real_number<type>(x));
        else if constexpr (pass == segment_pass::number) return 1;
        else if constexpr (is_float && (pass == segment_pass::least || pass == segment_pass::greatest))
            return ordered(real_number<type>(x));
        else if constexpr (std::is_same_v<element<type>, std::uint64_t> && pass != segment_pass::sum)
            return segment_signed(x);
        else return static_cast<word>(x);
    }
};

/// Over elements whose segments are of one type, and that are of another.
template <segment_pass pass, int number_type, int value_type>
class host_segments {
    using of_element = segment_word<pass, value_type>;

public:
    host_segments(const segment_step& step, const segment_arrays& arrays) : step_(step), arrays_(arrays) {}

    void take(word* table, std::int64_t begin, std::int64_t end) const {
        if constexpr (pass == segment_pass::number) {
            count(table, begin, end);
        } else if constexpr (pass == segment_pass::parts) {
            if constexpr (is_short<value_type>)
                if (take_parts_by_scales(table, begin, end)) return;
            take_parts(table, begin, end);
        } else {
            each_of(begin, end,
                    [table](std::int64_t s, element<value_type> x) { combine<pass>(table[s], of_element::of(x)); });
        }
    }

private:
    void count(word* table, std::int64_t begin, std::int64_t end) const {
        const auto* const numbers = reinterpret_cast<const element<number_type>*>(arrays_.numbers);
        const auto each_in = [&](auto segment_of) {
            for (std::int64_t i = begin; i < end; ++i)
                if (const std::int64_t s = segment_of(numbers[i]); s >= 0 && s < step_.count) ++table[s];
        };
        if (step_.by_bins) {
            const double width = (step_.high - step_.low) / static_cast<double>(step_.count);
            const double rate = bin_rate(step_.low, step_.high, step_.count);
            const double margin = bin_margin(step_.low, step_.high, width, step_.count);
            each_in([&](element<number_type> x) -> std::int64_t {
                return bin_of(real_number<number_type>(x), step_.low, step_.high, width, step_.count, rate, margin);
            });
        } else if constexpr (kind_of<element<number_type>> != kind::floating) {  // which histograms of bins alone have
            each_in([](element<number_type> x) { return static_cast<std::int64_t>(x); });
        }
    }

    /// Calls with each element that has a segment, and its word's place.
    template <class Each>
    void each_of(std::int64_t begin, std::int64_t end, Each each) const {
        const auto* const numbers = reinterpret_cast<const element<number_type>*>(arrays_.numbers);
        const auto* const values = reinterpret_cast<const element<value_type>*>(arrays_.values);
        const std::int64_t inside = step_.inside;
        const auto count = static_cast<std::uint64_t>(step_.count / inside);
        const auto segment_of = [numbers](std::int64_t row) {
            return static_cast<std::uint64_t>(static_cast<std::int64_t>(numbers[row]));
        };
        if (inside == 1) {
            for (std::int64_t i = begin; i < end; ++i)
                if (const std::uint64_t s = segment_of(i); s < count) each(static_cast<std::int64_t>(s), values[i]);
            return;
        }
        std::int64_t row = begin / inside;
        for (std::int64_t i = begin; i < end; ++row) {
            const std::int64_t row_begin = row * inside, row_end = std::min(end, row_begin + inside);
            if (const std::uint64_t s = segment_of(row); s < count) {
                const std::int64_t first = static_cast<std::int64_t>(s) * inside - row_begin;
                for (; i < row_end; ++i) each(first + i, values[i]);
            }
            i = row_end;
        }
    }

    void take_parts(word* table, std::int64_t begin, std::int64_t end) const {
        each_of(begin, end, [&](std::int64_t s, element<value_type> x) {
            const double value = real_number<value_type>(x);
            const word magnitude = arrays_.words[s];
            combine<pass>(table[s], segment_part(value, magnitude, step_.setting));
            if constexpr (std::is_same_v<element<value_type>, double>)
                combine<pass>(table[step_.count + s], segment_rest(value, magnitude, step_.setting));
        });
    }

    /// By the power of two of each segment, made once, where there are as many elements. What 1.5 2^52 is added to is rounded to an
    /// integer, as segment_nearest rounds, in the low bits of the sum. Not where a segment is infinite.
    bool take_parts_by_scales(word* table, std::int64_t begin, std::int64_t end) const {
        constexpr int most_digits = 49;  // less than 2^51, with a sign
        if (step_.setting > most_digits || step_.count > end - begin) return false;
        std::vector<double> scales(static_cast<std::size_t>(step_.count));
        for (std::int64_t s = 0; s < step_.count; ++s) {
            const word magnitude = arrays_.words[s];
            if (magnitude >= 5000) return false;
            if (magnitude > 0) scales[static_cast<std::size_t>(s)] = segment_power(step_.setting - (magnitude - 2000));
        }
        const double* const scale_of = scales.data();
        each_of(begin, end, [table, scale_of](std::int64_t s, element<value_type> x) {
            constexpr double shift = 6755399441055744.0;
            const double shifted = static_cast<double>(short_number<value_type>(x)) * scale_of[s] + shift;
            table[s] += std::bit_cast<word>(shifted) - std::bit_cast<word>(shift);
        });
        return true;
    }

    const segment_step& step_;
    const segment_arrays& arrays_;
};

using take_elements = void (*)(const segment_step& step, const segment_arrays& arrays, word* table, std::int64_t begin,
                               std::int64_t end);

template <segment_pass pass, int number_type, int value_type>
void take_of_types(const segment_step& step, const segment_arrays& arrays, word* table, std::int64_t begin,
                   std::int64_t end) {
    host_segments<pass, number_type, value_type>(step, arrays).take(table, begin, end);
}

/// By threads. Compiled for each pass, and not once more for every two types.
template <segment_pass pass>
void run(const segment_step& step, const segment_arrays& arrays, take_elements take, thread_pool& threads) {
    word* const table = arrays.words + (pass == segment_pass::parts ? step.count : 0);
    const std::int64_t table_words = step.count * (pass == segment_pass::parts && step.has_rests() ? 2 : 1);
    // A table of each thread's own pays where it has more elements than segments.
    if (table_words * threads.thread_count() > step.elements) return take(step, arrays, table, 0, step.elements);
    constexpr bool begins_with_setting = pass == segment_pass::least || pass == segment_pass::greatest;
    std::mutex together;
    threads.parallel_for(
        step.elements, std::max(segment_grain, 2 * table_words), [&](std::int64_t begin, std::int64_t end) {
            std::vector<word> mine(static_cast<std::size_t>(table_words), begins_with_setting ? step.setting : 0);
            take(step, arrays, mine.data(), begin, end);
            const std::lock_guard held(together);
            for (std::int64_t i = 0; i < table_words; ++i) combine<pass>(table[i], mine[static_cast<std::size_t>(i)]);
        });
}

/// Calls with a number that is the type, of those that `which` has.
template <bool (*which)(kind), class Call>
void with_type(element_type type, Call call) {
    const auto one = [&]<int number>(std::integral_constant<int, number> is) {
        if constexpr (which(kind_of<element<number>>))
            if (static_cast<int>(type) == number) call(is);
    };
    [&]<std::size_t... numbers>(std::index_sequence<numbers...>) {
        (one(std::integral_constant<int, static_cast<int>(numbers)>()), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(element_type_count)>());
}

constexpr bool is_real(kind of) { return of != kind::complex; }
constexpr bool is_whole(kind of) { return of == kind::integer || of == kind::logical; }
constexpr bool is_integer(kind of) { return of == kind::integer; }
constexpr bool is_floating(kind of) { return of == kind::floating; }

template <segment_pass pass, bool (*which)(kind)>
void over_values(const segment_step& step, const segment_arrays& arrays, thread_pool& threads) {
    take_elements take = nullptr;
    with_type<is_integer>(step.numbers, [&](auto number) {
        with_type<which>(step.values, [&](auto value) { take = take_of_types<pass, number(), value()>; });
    });
    if (take) run<pass>(step, arrays, take, threads);
}

void over_segments(const segment_step& step, const segment_arrays& arrays) {
    const word* const words = arrays.words;
    const std::int64_t count = step.count;
    with_type<is_real>(step.values, [&](auto type) {
        using T = element<type()>;
        auto* const result = reinterpret_cast<T*>(arrays.result);
        const auto from_real = [](double value) {
            if constexpr (std::is_same_v<T, f16>) return f16_from_f64(value);
            else if constexpr (std::is_same_v<T, bf16>) return bf16_from_f64(value);
            else return static_cast<T>(value);
        };
        for (std::int64_t s = 0; s < count; ++s) {
            if constexpr (kind_of<T> == kind::floating) {
                if (step.pass == segment_pass::total)
                    result[s] = from_real(segment_total(words[s], words[count + s],
                                                        step.has_rests() ? words[2 * count + s] : 0, step.setting));
                else result[s] = from_real(segment_extreme_f64(words[s]));
            } else if constexpr (std::is_same_v<T, std::uint64_t>) {
                result[s] = segment_extreme_u64(words[s]);
            } else {
                result[s] = static_cast<T>(words[s]);
            }
        }
    });
}

}  // namespace

namespace {

void take_step(const segment_step& step, const segment_arrays& arrays, thread_pool& threads) {
    switch (step.pass) {
        case segment_pass::clear: std::fill_n(arrays.words, step.count, step.setting); break;
        case segment_pass::number:
            with_type<is_real>(step.numbers, [&](auto number) {
                run<segment_pass::number>(
                    step, arrays, take_of_types<segment_pass::number, number(), static_cast<int>(element_type::int64)>,
                    threads);
            });
            break;
        case segment_pass::sum: over_values<segment_pass::sum, is_whole>(step, arrays, threads); break;
        case segment_pass::magnitude: over_values<segment_pass::magnitude, is_floating>(step, arrays, threads); break;
        case segment_pass::parts: over_values<segment_pass::parts, is_floating>(step, arrays, threads); break;
        case segment_pass::least: over_values<segment_pass::least, is_real>(step, arrays, threads); break;
        case segment_pass::greatest: over_values<segment_pass::greatest, is_real>(step, arrays, threads); break;
        case segment_pass::total:
        case segment_pass::extreme: over_segments(step, arrays); break;
    }
}

/// As planned for a GPU, too: words of 32 bits.
void take_narrow_step(const segment_step& step, segment_arrays arrays, thread_pool& threads) {
    auto* const narrow = reinterpret_cast<std::int32_t*>(arrays.words);
    std::vector<word> wide(static_cast<std::size_t>(step.count), step.setting);
    if (step.pass != segment_pass::clear) std::copy_n(narrow, step.count, wide.begin());
    arrays.words = wide.data();
    take_step(step, arrays, threads);
    std::transform(wide.begin(), wide.end(), narrow, [](word each) { return static_cast<std::int32_t>(each); });
}

/// As planned for a GPU, whose threads add floats where the result is: here by the steps whose result no order changes.
void take_step_in_any_order(const segment_step& step, segment_arrays arrays, thread_pool& threads) {
    kiln::detail::segment_call by{kiln::detail::segment_call::kind::sum, step.count};
    by.inside = step.inside;
    const plan::segment_plan exact =
        plan::plan_segments(by, step.elements, step.numbers, step.values, plan::host_target);
    std::vector<word> words(static_cast<std::size_t>(exact.words));
    arrays.words = words.data();
    for (const segment_step& each : exact.steps) take_step(each, arrays, threads);
}

}  // namespace

void segments_on_host(const launch_arguments& arguments, thread_pool& threads) {
    const segment_step& step = *arguments.step->segments;
    segment_arrays arrays(arguments, plan::segment_signature);
    // As planned for a GPU, where this one step counts in the stream's counters, which no step before it has cleared.
    if (!arrays.words) {
        arrays.words = reinterpret_cast<word*>(arrays.result);
        std::fill_n(arrays.words, step.count, word{0});
    }
    if (step.any_order) take_step_in_any_order(step, arrays, threads);
    else if (step.narrow) take_narrow_step(step, arrays, threads);
    else take_step(step, arrays, threads);
}

void segment_rows_on_host(const launch_arguments& arguments, thread_pool& threads) {
    const plan::segment_row_step& rows = *arguments.step->segment_rows;
    if (rows.pass != plan::segment_row_pass::finish_short) return;
    segment_arrays arrays(arguments, plan::segment_row_signature);
    const bool is_result_word = rows.makes == segment_pass::sum;
    if (is_result_word) arrays.words = reinterpret_cast<word*>(arrays.result);
    segment_step step{.numbers = rows.numbers,
                      .values = rows.values,
                      .elements = rows.rows * rows.inside,
                      .count = rows.segments * rows.inside,
                      .inside = rows.inside};
    const auto take = [&](segment_pass pass, std::int64_t setting) {
        step.pass = pass;
        step.setting = setting;
        take_step(step, arrays, threads);
    };
    std::fill_n(arrays.words, step.count * rows.words_of_each(), rows.has_magnitudes() ? word{0} : word{rows.setting});
    if (rows.has_magnitudes()) take(segment_pass::magnitude, 0);
    take(rows.makes, rows.setting);
    if (!is_result_word) take(rows.has_magnitudes() ? segment_pass::total : segment_pass::extreme, rows.setting);
}

}  // namespace kiln::backend
