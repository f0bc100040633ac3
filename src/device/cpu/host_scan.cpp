#include <device/cpu/host_scan.hpp>

#include <device/cpu/combining.hpp>
#include <plan/ceil_div.hpp>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

using plan::scan_step;

constexpr std::int64_t neighbours = 1024;  // lines that a thread takes together, for the first cache
constexpr int lanes = 8;                   // elements whose sums do not wait for one another
constexpr std::int64_t grain_elements = std::int64_t{1} << 15;

template <class Operation>
class host_scan {
    using value = typename Operation::accumulator;

public:
    explicit host_scan(const launch_arguments& arguments)
        : step_(*arguments.step->scan),
          to_(pointer<value>(arguments, plan::role::scan_result)),
          from_(pointer<const value>(arguments, plan::role::scan_operand)),
          offsets_(pointer<const value>(arguments, plan::role::scan_offsets)),
          blocks_(plan::ceil_div(step_.inner, neighbours)) {}

    void run(thread_pool& threads) const {
        if (step_.walks()) return whole_lines(threads);
        const std::int64_t units = step_.outer * step_.parts() * blocks_;
        const std::int64_t of_unit = std::max<std::int64_t>(1, step_.element_count() / units);
        threads.parallel_for(
            units, std::max<std::int64_t>(1, grain_elements / of_unit),
            [this](std::int64_t begin, std::int64_t end) {
                for (std::int64_t unit = begin; unit < end; ++unit) {
                    if (step_.of_rows()) line(unit);
                    else lines(unit / blocks_, unit % blocks_ * neighbours);
                }
            },
            1);
    }

private:
    template <class T>
    static T* pointer(const launch_arguments& arguments, plan::role what) {
        const int parameter = plan::find_parameter(plan::scan_signature, what);
        return reinterpret_cast<T*>(*static_cast<std::byte**>(arguments.parameters[parameter]));
    }

    [[nodiscard]] bool has_offsets(std::int64_t part) const { return offsets_ && part % step_.parts() > 0; }
    /// Its first element, of inner 0, and how many it has along the line.
    [[nodiscard]] std::int64_t first(std::int64_t part) const {
        return (part / step_.parts() * step_.count + part % step_.parts() * step_.part) * step_.inner;
    }
    [[nodiscard]] std::int64_t length(std::int64_t part) const {
        return std::min(step_.part, step_.count - part % step_.parts() * step_.part);
    }

    /// Parts are numbered through all lines.
    void line(std::int64_t part) const {
        const value* const from = from_ + first(part);
        if (step_.totals_only) to_[part] = total(from, length(part));
        else
            running(has_offsets(part) ? offsets_[part - 1] : Operation::identity(), from, to_ + first(part),
                    length(part));
    }

    static value total(const value* from, std::int64_t count) {
        value lane[lanes];
        for (value& each : lane) each = Operation::identity();
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes)
            for (int j = 0; j < lanes; ++j) lane[j] = Operation::combine(lane[j], from[i + j]);
        for (int j = 0; i < count; ++i, ++j) lane[j] = Operation::combine(lane[j], from[i]);
        for (int apart = lanes / 2; apart > 0; apart /= 2)
            for (int j = 0; j < apart; ++j) lane[j] = Operation::combine(lane[j], lane[j + apart]);
        return lane[0];
    }

    /// Of some elements before anything else, so that each waits for the sum of all before them once.
    static void running(value sum, const value* from, value* to, std::int64_t count) {
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            value own[lanes];
            own[0] = from[i];
#pragma GCC unroll 8
            for (int j = 1; j < lanes; ++j) own[j] = Operation::combine(own[j - 1], from[i + j]);
#pragma GCC unroll 8
            for (int j = 0; j < lanes; ++j) to[i + j] = Operation::combine(sum, own[j]);
            sum = Operation::combine(sum, own[lanes - 1]);
        }
        for (; i < count; ++i) to[i] = sum = Operation::combine(sum, from[i]);
    }

    /// Neighbouring lines from `inner` on.
    void lines(std::int64_t part, std::int64_t inner) const {
        const std::int64_t count = std::min(neighbours, step_.inner - inner);
        value sums[neighbours];
        for (std::int64_t i = 0; i < count; ++i)
            sums[i] = has_offsets(part) ? offsets_[(part - 1) * step_.inner + inner + i] : Operation::identity();
        const std::int64_t end = length(part);
        for (std::int64_t x = 0; x < end; ++x) {
            const std::int64_t row = first(part) + x * step_.inner + inner;
            if (step_.totals_only) add<false>(sums, from_ + row, nullptr, count);
            else add<true>(sums, from_ + row, to_ + row, count);
        }
        if (step_.totals_only) std::copy_n(sums, count, to_ + part * step_.inner + inner);
    }

    /// All parts of a line, one after the other, each on top of what those before it come to.
    void whole_lines(thread_pool& threads) const {
        threads.parallel_for(
            step_.outer * blocks_, 1,
            [this](std::int64_t begin, std::int64_t end) {
                for (std::int64_t unit = begin; unit < end; ++unit) {
                    if (step_.of_rows()) line_of_parts(unit);
                    else lines_of_parts(unit / blocks_, unit % blocks_ * neighbours);
                }
            },
            1);
    }

    void line_of_parts(std::int64_t outer) const {
        value before = Operation::identity();
        for (std::int64_t part = outer * step_.parts(); part < (outer + 1) * step_.parts(); ++part) {
            const value of_part =
                total(from_ + first(part), length(part));  // or a scan in place has taken its elements
            running(before, from_ + first(part), to_ + first(part), length(part));
            before = Operation::combine(before, of_part);
        }
    }

    void lines_of_parts(std::int64_t outer, std::int64_t inner) const {
        const std::int64_t count = std::min(neighbours, step_.inner - inner);
        value before[neighbours], sums[neighbours], of_part[neighbours];
        std::fill_n(before, count, Operation::identity());
        for (std::int64_t part = outer * step_.parts(); part < (outer + 1) * step_.parts(); ++part) {
            std::copy_n(before, count, sums);
            std::fill_n(of_part, count, Operation::identity());
            for (std::int64_t x = 0; x < length(part); ++x) {
                const std::int64_t row = first(part) + x * step_.inner + inner;
                add<false>(of_part, from_ + row, nullptr, count);
                add<true>(sums, from_ + row, to_ + row, count);
            }
            for (std::int64_t i = 0; i < count; ++i) before[i] = Operation::combine(before[i], of_part[i]);
        }
    }

    /// A row to the sums of those above it.
    template <bool writes>
    static void add(value* sums, const value* from, value* to, std::int64_t count) {
        std::int64_t i = 0;
        for (; i + lanes <= count; i += lanes) {
            value next[lanes];
            for (int j = 0; j < lanes; ++j) next[j] = Operation::combine(sums[i + j], from[i + j]);
            for (int j = 0; j < lanes; ++j) sums[i + j] = next[j];
            if constexpr (writes)
                for (int j = 0; j < lanes; ++j) to[i + j] = next[j];
        }
        for (; i < count; ++i) {
            sums[i] = Operation::combine(sums[i], from[i]);
            if constexpr (writes) to[i] = sums[i];
        }
    }

    const scan_step& step_;
    value* to_;
    const value* from_;
    const value* offsets_;
    std::int64_t blocks_;  // of lines
};

template <int type, bool largest>
struct extreme : combining<type> {
    static element<type> identity() { return worst<type>(largest); }
    static element<type> combine(element<type> a, element<type> b) {
        if constexpr (largest) return combining<type>::template by<max_body>(a, b);
        else return combining<type>::template by<min_body>(a, b);
    }
};

template <int type>
void run(const launch_arguments& arguments, thread_pool& threads) {
    if (arguments.step->scan->what == kiln::detail::reduction_kind::prod)
        host_scan<multiplying<type>>(arguments).run(threads);
    else host_scan<adding<type>>(arguments).run(threads);
}

void run_extremes(const launch_arguments& arguments, thread_pool& threads) {
    const bool largest = arguments.step->scan->what == kiln::detail::reduction_kind::max;
    const auto run_if = [&]<int type>(std::integral_constant<int, type>) {
        if constexpr (kind_of<element<type>> != kind::complex) {
            if (static_cast<int>(arguments.step->scan->type) != type) return;
            if (largest) host_scan<extreme<type, true>>(arguments).run(threads);
            else host_scan<extreme<type, false>>(arguments).run(threads);
        }
    };
    [&]<std::size_t... types>(std::index_sequence<types...>) {
        (run_if(std::integral_constant<int, static_cast<int>(types)>()), ...);
    }(std::make_index_sequence<static_cast<std::size_t>(element_type_count)>());
}

/// By a function that is called for so many elements at a time: of a line one after the other, of neighbouring lines a row.
class user_scan {
public:
    user_scan(const launch_arguments& arguments, const host_reducer& by)
        : step_(*arguments.step->scan),
          by_(by),
          bytes_(by.accumulator_bytes()),
          blocks_(plan::ceil_div(step_.inner, neighbours)),
          to_(memory(arguments, plan::role::scan_result)),
          from_(memory(arguments, plan::role::scan_operand)),
          offsets_(memory(arguments, plan::role::scan_offsets)) {}

    void run(thread_pool& threads) const {
        const std::int64_t units = step_.outer * step_.parts() * blocks_;
        const std::int64_t of_unit = std::max<std::int64_t>(1, step_.element_count() / units);
        threads.parallel_for(
            units, std::max<std::int64_t>(1, grain_elements / of_unit),
            [this](std::int64_t begin, std::int64_t end) {
                std::vector<std::byte> sums(static_cast<std::size_t>(std::min(neighbours, step_.inner) * bytes_));
                for (std::int64_t unit = begin; unit < end; ++unit)
                    lines(unit / blocks_, unit % blocks_ * neighbours, sums.data());
            },
            1);
    }

private:
    static std::byte* memory(const launch_arguments& arguments, plan::role what) {
        return *static_cast<std::byte**>(arguments.parameters[plan::find_parameter(plan::scan_signature, what)]);
    }

    void lines(std::int64_t part, std::int64_t inner, std::byte* sums) const {
        const std::int64_t count = std::min(neighbours, step_.inner - inner);
        const auto size = static_cast<std::size_t>(count * bytes_);
        const std::int64_t number = part % step_.parts();
        if (!step_.totals_only && offsets_ && number > 0)
            std::memcpy(sums, offsets_ + ((part - 1) * step_.inner + inner) * bytes_, size);
        else by_.clear(sums, count);
        const std::int64_t first = part / step_.parts() * step_.count + number * step_.part;
        const std::int64_t length = std::min(step_.part, step_.count - number * step_.part);
        for (std::int64_t x = 0; x < length; ++x) {
            const std::int64_t row = ((first + x) * step_.inner + inner) * bytes_;
            by_.merge(sums, from_ + row, count);
            if (!step_.totals_only) std::memcpy(to_ + row, sums, size);
        }
        if (step_.totals_only) std::memcpy(to_ + (part * step_.inner + inner) * bytes_, sums, size);
    }

    const scan_step& step_;
    const host_reducer& by_;
    std::int64_t bytes_;   // of an element
    std::int64_t blocks_;  // of lines
    std::byte* to_;
    const std::byte* from_;
    const std::byte* offsets_;
};

}  // namespace

void scan_on_host(const launch_arguments& arguments, thread_pool& threads, const host_reducer& by) {
    user_scan(arguments, by).run(threads);
}

void scan_on_host(const launch_arguments& arguments, thread_pool& threads) {
    using kiln::detail::reduction_kind;
    if (arguments.step->scan->what == reduction_kind::min || arguments.step->scan->what == reduction_kind::max)
        return run_extremes(arguments, threads);
    switch (arguments.step->scan->type) {
        case element_type::int64: return run<number_int64>(arguments, threads);
        case element_type::uint64: return run<number_uint64>(arguments, threads);
        case element_type::float64: return run<number_float64>(arguments, threads);
        case element_type::complex64: return run<number_complex64>(arguments, threads);
        case element_type::complex128: return run<number_complex128>(arguments, threads);
        default: return run<number_float32>(arguments, threads);
    }
}

}  // namespace kiln::backend
