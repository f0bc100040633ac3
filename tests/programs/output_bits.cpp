// The bits of many programs' results, a line for each: two builds of kiln, an older and a newer one, give the same lines on one
// device, or one of them says what changed.
//
//     output_bits [programs [first]] > lines
//
// Programs are random but for their number: expressions of one type built at run time from arrays, numbers, operations, views,
// reductions and cumulative sums, evaluated as one, as two results of one call, in place, and as a function that is looked at
// once. Public names alone, and of those what every version has.
#include <kiln/kiln.hpp>

#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <tuple>
#include <type_traits>
#include <vector>

namespace k = kiln;

namespace {

/// FNV-1a.
class digest {
public:
    void add(const void* bytes, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            sum_ = (sum_ ^ static_cast<const unsigned char*>(bytes)[i]) * 0x100000001b3u;
    }
    template <class T>
    void add(const k::array<T>& of) {
        for (int axis = 0; axis < of.rank(); ++axis) {
            const std::int64_t extent = of.shape()[axis];
            add(&extent, sizeof extent);
        }
        const std::vector<T> elements = of.to_host();
        for (const T each : elements) {
            T plain = each;
            if (each != each) std::memset(static_cast<void*>(&plain), 0xff, sizeof plain);  // a NaN's sign and payload are nobody's
            add(&plain, sizeof plain);
        }
    }
    [[nodiscard]] std::uint64_t value() const { return sum_; }

private:
    std::uint64_t sum_ = 0xcbf29ce484222325u;
};

class choices {
public:
    explicit choices(std::uint64_t seed) : engine_(seed * 0x9e3779b97f4a7c15u + 1) {}
    /// In [0, count).
    std::int64_t below(std::int64_t count) { return static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(count)); }
    bool one_in(std::int64_t count) { return below(count) == 0; }

private:
    std::mt19937_64 engine_;
};

template <class T>
constexpr bool is_complex = false;
template <class T>
constexpr bool is_complex<std::complex<T>> = true;

template <class T>
T number(choices& choose) {
    const auto small = static_cast<double>(choose.below(4001) - 2000) / 256;
    if constexpr (is_complex<T>) return T(static_cast<typename T::value_type>(small), static_cast<typename T::value_type>(choose.below(64)) / 8);
    else return static_cast<T>(small);
}

template <class T>
class random_program {
public:
    explicit random_program(std::uint64_t seed) : choose_(seed) {
        static constexpr std::int64_t sides[] = {1, 2, 3, 5, 8, 17, 33, 64, 100, 257};
        const auto side = [&] { return sides[choose_.below(10)]; };
        switch (choose_.below(5)) {
            case 0: whole_ = k::shape{1 + choose_.below(70000)}; break;
            case 1: whole_ = k::shape{side(), 1 + choose_.below(300)}; break;
            case 2: whole_ = k::shape{side(), side(), 1 + choose_.below(40)}; break;
            case 3: whole_ = k::shape{1 + choose_.below(300), 4 * side()}; break;
            default: whole_ = k::shape{2, side(), 1, side()}; break;
        }
        for (int i = 0; i < 3; ++i) arrays_.push_back(some(i == 2 ? stretched() : whole_));
    }

    std::uint64_t run() {
        digest out;
        const k::expr<T> first = made(2 + static_cast<int>(choose_.below(9)));
        const k::expr<T> second = made(2 + static_cast<int>(choose_.below(4)));
        k::array<T> one = first;
        out.add(one);
        const auto [left, right] = k::eval(first, second);
        out.add(left);
        out.add(right);
        one = one + second;
        out.add(one);
        const int axis = static_cast<int>(choose_.below(whole_.rank()));
        out.add(k::array<T>(k::cast<T>(k::sum(first, k::axis(axis)))));
        out.add(k::array<T>(k::cast<T>(k::sum(first * second))));
        out.add(k::array<T>(k::broadcast_to(first, whole_) - k::cast<T>(k::sum(k::broadcast_to(second, whole_), k::axis(axis), k::keep_dims))));
        out.add(k::array<T>(k::cast<T>(k::cumsum(k::broadcast_to(first, whole_), k::axis(axis)))));
        if constexpr (!is_complex<T>) {
            out.add(k::array<T>(k::max(first, k::axis(axis))));
            out.add(k::array<std::int64_t>(k::argmin(first)));
        }
        if constexpr (std::is_floating_point_v<T>) {
            const auto softmax = k::fuse([axis](auto x) {
                const k::expr<T> powers = k::exp(x - k::max(x, k::axis(axis), k::keep_dims));
                return std::tuple(k::expr<T>(powers / k::sum(powers, k::axis(axis), k::keep_dims)), k::sum(powers));
            });
            const auto [rows, total] = softmax(arrays_[0]);
            out.add(rows);
            out.add(total);
        }
        return out.value();
    }

private:
    k::array<T> some(const k::shape& extents) {
        std::vector<T> elements;
        for (std::int64_t i = 0; i < extents.size(); ++i) elements.push_back(number<T>(choose_));
        if constexpr (std::is_floating_point_v<T>)
            for (T& each : elements)
                if (choose_.one_in(200)) each = choose_.one_in(2) ? -T(0) : std::numeric_limits<T>::infinity();
        return k::from_host(elements, extents);
    }
    /// With extents of 1.
    k::shape stretched() {
        std::vector<std::int64_t> extents;
        for (int axis = 0; axis < whole_.rank(); ++axis) extents.push_back(choose_.one_in(2) ? 1 : whole_[axis]);
        switch (extents.size()) {
            case 1: return k::shape{extents[0]};
            case 2: return k::shape{extents[0], extents[1]};
            case 3: return k::shape{extents[0], extents[1], extents[2]};
            default: return k::shape{extents[0], extents[1], extents[2], extents[3]};
        }
    }

    /// Broadcasts to the whole.
    k::expr<T> made(int depth) {
        if (depth == 0) {
            if (choose_.one_in(6)) return k::expr<T>(arrays_[0] * number<T>(choose_));
            return k::expr<T>(arrays_[static_cast<std::size_t>(choose_.below(3))]);
        }
        const k::expr<T> a = made(depth - 1);
        const int axis = static_cast<int>(choose_.below(whole_.rank()));
        switch (choose_.below(10)) {
            case 0: return a + made(static_cast<int>(choose_.below(depth)));
            case 1: return a - made(static_cast<int>(choose_.below(depth)));
            case 2: return a * made(static_cast<int>(choose_.below(depth)));
            case 3: return a / made(static_cast<int>(choose_.below(depth)));
            case 4: return -a;
            case 5: return a * number<T>(choose_) + number<T>(choose_);
            case 6: return k::flip(k::broadcast_to(a, whole_), k::axis(axis));
            case 7: return a - k::cast<T>(k::sum(k::broadcast_to(a, whole_), k::axis(axis), k::keep_dims));
            case 8: return k::where(a == made(0), a, made(0));
            default: return ordered(a);
        }
    }
    /// What complex numbers have not.
    k::expr<T> ordered(const k::expr<T>& a) {
        if constexpr (is_complex<T>) {
            return k::conj(a);
        } else {
            switch (choose_.below(4)) {
                case 0: return k::max(k::min(a, made(0)), number<T>(choose_));
                case 1: return k::where(a > number<T>(choose_), a, made(0));
                case 2: return k::abs(a);
                default: return function_of(a);
            }
        }
    }
    k::expr<T> function_of(const k::expr<T>& a) {
        if constexpr (std::is_floating_point_v<T>) {
            switch (choose_.below(6)) {
                case 0: return k::sqrt(k::abs(a));
                case 1: return k::exp(a / 64);
                case 2: return k::sin(a);
                case 3: return k::log(k::abs(a) + 1);
                case 4: return k::tanh(a);
                default: return k::floor(a);
            }
        } else {
            return a % made(0);
        }
    }

    choices choose_;
    k::shape whole_;
    std::vector<k::array<T>> arrays_;
};

std::uint64_t bits_of(std::uint64_t seed) {
    switch (seed % 8) {
        case 0: return random_program<float>(seed).run();
        case 1: return random_program<double>(seed).run();
        case 2: return random_program<std::int32_t>(seed).run();
        case 3: return random_program<std::complex<float>>(seed).run();
        case 4: return random_program<std::int64_t>(seed).run();
        case 5: return random_program<float>(seed).run();
        case 6: return random_program<std::uint32_t>(seed).run();
        default: return random_program<std::complex<double>>(seed).run();
    }
}

}  // namespace

int main(int count, char** arguments) {
    const long programs = count > 1 ? std::atol(arguments[1]) : 500;
    const long first = count > 2 ? std::atol(arguments[2]) : 0;
    for (long i = first; i < first + programs; ++i) {
        try {
            std::printf("%ld %016llx\n", i, static_cast<unsigned long long>(bits_of(static_cast<std::uint64_t>(i))));
        } catch (const k::error& thrown) {
            std::printf("%ld %s\n", i, thrown.what());
        }
    }
}
