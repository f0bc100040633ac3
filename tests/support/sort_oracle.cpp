#include <support/sort_oracle.hpp>

#include <support/values.hpp>

#include <kiln/element_type.hpp>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>
#include <type_traits>

namespace tests {

namespace {

template <class T>
T of_bits(std::uint64_t bits) {
    if constexpr (std::is_same_v<T, bool>) {
        return bits & 1;
    } else {
        T out;
        std::memcpy(static_cast<void*>(&out), &bits, sizeof out);
        return out;
    }
}

/// Every type's numbers are long doubles: one sort is compiled, not one for each type.
template <class T>
long double number_of(T x) {
    if constexpr (kiln::detail::small_float<T>) return static_cast<float>(x);
    else return static_cast<long double>(x);
}

/// Positions in the order of numbers.
void put_in_order(std::vector<std::int64_t>& line, const std::vector<long double>& numbers, bool descending) {
    std::iota(line.begin(), line.end(), std::int64_t{0});
    std::stable_sort(line.begin(), line.end(), [&](std::int64_t left, std::int64_t right) {
        const long double a = numbers[static_cast<std::size_t>(left)];
        const long double b = numbers[static_cast<std::size_t>(right)];
        return descending ? comes_before(b, a) : comes_before(a, b);
    });
}

}  // namespace

template <class T>
in_order<T> by_stable_sort(const std::vector<T>& of, const kiln::shape& extents, int axis, bool descending) {
    std::int64_t stride = 1;
    for (int i = axis + 1; i < extents.rank(); ++i) stride *= extents[i];
    const std::int64_t count = extents[axis];
    in_order<T> out{of, std::vector<std::int64_t>(of.size())};
    std::vector<std::int64_t> line(static_cast<std::size_t>(count));
    std::vector<long double> numbers(line.size());
    for (std::int64_t i = 0; i < extents.size(); ++i) {
        if (i / stride % count != 0) continue;
        const auto at = [&](std::int64_t n) { return static_cast<std::size_t>(i + n * stride); };
        for (std::int64_t n = 0; n < count; ++n) numbers[static_cast<std::size_t>(n)] = number_of<T>(of[at(n)]);
        put_in_order(line, numbers, descending);
        for (std::int64_t n = 0; n < count; ++n) {
            out.values[at(n)] = of[at(line[static_cast<std::size_t>(n)])];
            out.positions[at(n)] = line[static_cast<std::size_t>(n)];
        }
    }
    return out;
}

template <class T>
std::vector<T> elements(std::int64_t count, pattern how, unsigned seed) {
    std::mt19937_64 random(seed + static_cast<unsigned>(how));
    const std::vector<T> special = tests::special_values<T>();
    std::vector<T> out;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::uint64_t bits = random();
        switch (how) {
            case pattern::special: out.push_back(special[bits % special.size()]); break;
            case pattern::equal: out.push_back(special[0]); break;
            case pattern::few: out.push_back(of_bits<T>(bits & 3)); break;
            default: out.push_back(of_bits<T>(bits)); break;
        }
    }
    if (how == pattern::ascending || how == pattern::descending) out = by_stable_sort(out, {count}, 0, false).values;
    if (how == pattern::descending) std::reverse(out.begin(), out.end());
    return out;
}

template <class T>
std::int64_t wrong_bits(const std::vector<T>& got, const std::vector<T>& expected) {
    if (got.size() != expected.size()) return -1;
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < got.size(); ++i) {
        const T a = got[i];
        const T b = expected[i];
        wrong += std::memcmp(&a, &b, sizeof(T)) != 0;
    }
    return wrong;
}

#define KILN_ORDERED_logical(T)                                                                   \
    template std::vector<T> elements<T>(std::int64_t, pattern, unsigned);                         \
    template in_order<T> by_stable_sort<T>(const std::vector<T>&, const kiln::shape&, int, bool); \
    template std::int64_t wrong_bits<T>(const std::vector<T>&, const std::vector<T>&);
#define KILN_ORDERED_integer(T) KILN_ORDERED_logical(T)
#define KILN_ORDERED_floating(T) KILN_ORDERED_logical(T)
#define KILN_ORDERED_complex(T)
#define KILN_ELEMENT_TYPE(name, type, suffix, kind, spelling) KILN_ORDERED_##kind(type)
#include <kiln/element_type.def>

}  // namespace tests
