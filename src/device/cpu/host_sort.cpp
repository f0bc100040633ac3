#include <device/cpu/host_sort.hpp>

#include <plan/ceil_div.hpp>

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>
#include <vector>

namespace kiln::backend {

namespace {

using plan::sort_step;

constexpr std::int64_t elements_of_grain = std::int64_t{1} << 13;
constexpr std::int64_t least_part = std::int64_t{1} << 14;  // of a row that threads divide

/// What elements of one type are compared by: unsigned, NaN past all others, -0 as 0.
template <class Bits, element_type type>
struct sort_key {
    bool descending;

    Bits operator()(Bits x) const noexcept { return static_cast<Bits>(descending ? ~ascending(x) : ascending(x)); }

private:
    static constexpr Bits sign = static_cast<Bits>(Bits{1} << (8 * sizeof(Bits) - 1));
    static constexpr std::uint64_t infinity = type == element_type::float16    ? 0x7c00
                                              : type == element_type::bfloat16 ? 0x7f80
                                              : type == element_type::float32  ? 0x7f800000
                                                                               : 0x7ff0000000000000;

    static Bits ascending(Bits x) noexcept {
        if constexpr (kiln::kind_of(type) == element_kind::floating) {
            const auto magnitude = static_cast<Bits>(x & ~sign);
            const auto negative = static_cast<Bits>(~x);
            const auto number = magnitude == 0 ? sign : x & sign ? negative : static_cast<Bits>(x | sign);
            return magnitude > static_cast<Bits>(infinity) ? static_cast<Bits>(~Bits{0}) : number;
        } else if constexpr (kiln::detail::is_signed_integer(type)) {
            return static_cast<Bits>(x ^ sign);
        } else {
            return x;
        }
    }
};

template <class Bits, element_type type, class Place>
class host_sort {
    using key_function = sort_key<Bits, type>;

public:
    explicit host_sort(const launch_arguments& arguments)
        : step_(*arguments.step->sort),
          key_{step_.descending},
          to_(pointer<Bits>(arguments, plan::role::sort_to)),
          from_(pointer<const Bits>(arguments, plan::role::sort_from)),
          places_to_(pointer<std::byte>(arguments, plan::role::sort_places_to)),
          places_from_(pointer<const Place>(arguments, plan::role::sort_places_from)) {}

    void run(thread_pool& threads) const {
        switch (step_.what) {
            case plan::sort_kind::network:
            case plan::sort_kind::block: return sort_rows(threads);
            case plan::sort_kind::select: return select(threads);
            case plan::sort_kind::pass: return pass(threads);
            case plan::sort_kind::clear:
            case plan::sort_kind::count: return;  // passes count for themselves here
        }
    }

private:
    struct element {
        Bits key;
        std::uint32_t at;
    };
    using digit_counts = std::array<std::int64_t, 256>;

    template <class T>
    static T* pointer(const launch_arguments& arguments, plan::role what) {
        const int parameter = plan::find_parameter(plan::sort_signature, what);
        return reinterpret_cast<T*>(*static_cast<std::byte**>(arguments.parameters[parameter]));
    }

    // --- Rows that a thread sorts where its first caches are ---

    void sort_rows(thread_pool& threads) const {
        threads.parallel_for(
            step_.rows, std::max<std::int64_t>(1, elements_of_grain / step_.count),
            [this](std::int64_t begin, std::int64_t end) {
                const auto count = static_cast<std::size_t>(step_.count);
                std::vector<element> row(count);
                std::vector<element> other(count);
                std::vector<Bits> values(count);
                for (std::int64_t i = begin; i < end; ++i) sort_row(i, row, other, values);
            },
            1);
    }

    void sort_row(std::int64_t number, std::vector<element>& row, std::vector<element>& other,
                  std::vector<Bits>& values) const {
        std::copy_n(from_ + number * step_.count, values.size(), values.begin());  // the result may be in their place
        for (std::size_t i = 0; i < row.size(); ++i) row[i] = {key_(values[i]), static_cast<std::uint32_t>(i)};
        if (step_.count <= few()) insert(row);
        else by_digits(row, other);
        for (std::int64_t i = 0; i < step_.kept; ++i) {
            const std::uint32_t at = row[static_cast<std::size_t>(i)].at;
            if (to_) to_[number * step_.kept + i] = values[at];
            if (places_to_) positions()[number * step_.kept + i] = at;
        }
    }

    /// Elements that are put in order one by one: a digit takes its counters' time, of rows however short. Of 32 doubles two cores of a Xeon
    /// (Emerald Rapids) take 12 ns an element so and 66 by digits, of 32 floats 9 and 28.
    static constexpr std::int64_t few() { return sizeof(Bits) == 8 ? 80 : sizeof(Bits) == 4 ? 40 : 20; }

    static void insert(std::vector<element>& row) {
        for (std::size_t i = 1; i < row.size(); ++i) {
            const element next = row[i];
            std::size_t at = i;
            for (; at > 0 && next.key < row[at - 1].key; --at) row[at] = row[at - 1];
            row[at] = next;
        }
    }

    /// The digits that all elements share are passed by.
    static void by_digits(std::vector<element>& row, std::vector<element>& other) {
        for (int digit = 0; digit < static_cast<int>(sizeof(Bits)); ++digit) {
            std::array<std::uint32_t, 256> next{};
            for (const element& each : row) ++next[each.key >> 8 * digit & 255];
            if (next[row[0].key >> 8 * digit & 255] == row.size()) continue;
            std::uint32_t before = 0;
            for (std::uint32_t& each : next) before += std::exchange(each, before);
            for (const element& each : row) other[next[each.key >> 8 * digit & 255]++] = each;
            row.swap(other);
        }
    }

    // --- The first few elements of each part of a row ---

    void select(thread_pool& threads) const {
        threads.parallel_for(
            step_.rows * step_.parts, std::max<std::int64_t>(1, elements_of_grain / step_.longest_part()),
            [this](std::int64_t begin, std::int64_t end) {
                std::vector<element> first;
                for (std::int64_t part = begin; part < end; ++part) select_part(part, first);
            },
            1);
    }

    /// Keeps what may be among the first, of which there are twice as many at most as are wanted: then the first of these are found.
    void select_part(std::int64_t part, std::vector<element>& first) const {
        const std::int64_t row = part / step_.parts;
        const auto begins = [this](std::int64_t p) {
            return p * (step_.count / step_.parts) + std::min(p, step_.count % step_.parts);
        };
        const std::int64_t begin = begins(part % step_.parts);
        const std::int64_t length = begins(part % step_.parts + 1) - begin;
        const std::int64_t from = row * step_.count + begin;
        const auto kept = static_cast<std::size_t>(step_.kept);
        const auto comes_before = [](const element& a, const element& b) {
            return a.key != b.key ? a.key < b.key : a.at < b.at;
        };
        const auto last = static_cast<std::ptrdiff_t>(kept) - 1;
        first.clear();
        Bits bound = 0;  // of equal elements those that come later are behind it
        bool is_bound = false;
        for (std::int64_t i = 0; i < length; ++i) {
            const element next{key_(from_[from + i]), static_cast<std::uint32_t>(i)};
            if (is_bound && next.key >= bound) continue;
            first.push_back(next);
            if (first.size() < 2 * kept) continue;
            std::nth_element(first.begin(), first.begin() + last, first.end(), comes_before);
            first.resize(kept);
            bound = first.back().key;
            is_bound = true;
        }
        std::sort(first.begin(), first.end(), comes_before);
        const auto* const earlier = reinterpret_cast<const std::int64_t*>(places_from_);
        for (std::size_t i = 0; i < kept; ++i) {
            const std::int64_t goes = part * step_.kept + static_cast<std::int64_t>(i);
            if (to_) to_[goes] = from_[from + first[i].at];
            if (places_to_) positions()[goes] = earlier ? earlier[from + first[i].at] : begin + first[i].at;
        }
    }

    // --- One digit of rows that are longer: each by one thread where there are many, else in parts ---

    void pass(thread_pool& threads) const {
        if (step_.rows >= 2 * threads.thread_count() || step_.count < 2 * least_part) {
            threads.parallel_for(
                step_.rows, std::max<std::int64_t>(1, elements_of_grain / step_.count),
                [this](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t row = begin; row < end; ++row) {
                        digit_counts next = counted(row * step_.count, step_.count);
                        std::int64_t before = 0;
                        for (std::int64_t& each : next) before += std::exchange(each, before);
                        scatter(row, 0, step_.count, next);
                    }
                },
                1);
            return;
        }
        const std::int64_t parts = std::min<std::int64_t>(threads.thread_count(), step_.count / least_part);
        const std::int64_t part = plan::ceil_div(step_.count, parts);
        std::vector<digit_counts> next(static_cast<std::size_t>(parts));
        const auto length = [&](std::int64_t p) {
            return std::max<std::int64_t>(0, std::min(part, step_.count - p * part));
        };
        const auto each_part = [&](auto run) {
            threads.parallel_for(
                parts, 1,
                [&](std::int64_t begin, std::int64_t end) {
                    for (std::int64_t p = begin; p < end; ++p) run(p);
                },
                1);
        };
        for (std::int64_t row = 0; row < step_.rows; ++row) {
            each_part([&](std::int64_t p) {
                next[static_cast<std::size_t>(p)] = counted(row * step_.count + p * part, length(p));
            });
            std::int64_t before = 0;
            for (std::size_t digit = 0; digit < 256; ++digit)
                for (digit_counts& each : next) before += std::exchange(each[digit], before);
            each_part([&](std::int64_t p) { scatter(row, p * part, length(p), next[static_cast<std::size_t>(p)]); });
        }
    }

    [[nodiscard]] std::size_t digit_of(Bits x) const { return key_(x) >> 8 * step_.digit & 255; }

    [[nodiscard]] digit_counts counted(std::int64_t first, std::int64_t length) const {
        digit_counts out{};
        for (std::int64_t i = first; i < first + length; ++i) ++out[digit_of(from_[i])];
        return out;
    }

    void scatter(std::int64_t row, std::int64_t first, std::int64_t length, digit_counts& next) const {
        const std::int64_t base = row * step_.count;
        for (std::int64_t i = first; i < first + length; ++i) {
            const Bits x = from_[base + i];
            const std::int64_t goes = base + next[digit_of(x)]++;
            if (to_) to_[goes] = x;
            if (!places_to_) continue;
            const Place place = places_from_ ? places_from_[base + i] : static_cast<Place>(i);
            if (step_.is_last()) positions()[goes] = static_cast<std::int64_t>(place);
            else reinterpret_cast<Place*>(places_to_)[goes] = place;
        }
    }

    [[nodiscard]] std::int64_t* positions() const { return reinterpret_cast<std::int64_t*>(places_to_); }

    const sort_step& step_;
    const key_function key_;
    Bits* to_;
    const Bits* from_;
    std::byte* places_to_;
    const Place* places_from_;
};

template <class Bits, element_type type>
void run_sort(const launch_arguments& arguments, thread_pool& threads) {
    if (arguments.step->sort->wide) host_sort<Bits, type, std::uint64_t>(arguments).run(threads);
    else host_sort<Bits, type, std::uint32_t>(arguments).run(threads);
}

}  // namespace

void sort_on_host(const launch_arguments& arguments, thread_pool& threads) {
    switch (arguments.step->sort->type) {
        case element_type::boolean:
        case element_type::uint8: return run_sort<std::uint8_t, element_type::uint8>(arguments, threads);
        case element_type::int8: return run_sort<std::uint8_t, element_type::int8>(arguments, threads);
        case element_type::uint16: return run_sort<std::uint16_t, element_type::uint16>(arguments, threads);
        case element_type::int16: return run_sort<std::uint16_t, element_type::int16>(arguments, threads);
        case element_type::float16: return run_sort<std::uint16_t, element_type::float16>(arguments, threads);
        case element_type::bfloat16: return run_sort<std::uint16_t, element_type::bfloat16>(arguments, threads);
        case element_type::uint32: return run_sort<std::uint32_t, element_type::uint32>(arguments, threads);
        case element_type::int32: return run_sort<std::uint32_t, element_type::int32>(arguments, threads);
        case element_type::float32: return run_sort<std::uint32_t, element_type::float32>(arguments, threads);
        case element_type::uint64: return run_sort<std::uint64_t, element_type::uint64>(arguments, threads);
        case element_type::int64: return run_sort<std::uint64_t, element_type::int64>(arguments, threads);
        default: return run_sort<std::uint64_t, element_type::float64>(arguments, threads);
    }
}

}  // namespace kiln::backend
