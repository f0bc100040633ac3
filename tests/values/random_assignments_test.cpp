// Random assignments in place: x = view of x, op, x. kiln may reuse x's buffer only where nobody can see it.
#include <support/check.hpp>
#include <support/positions.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <rapidcheck.h>

#include <algorithm>

namespace k = kiln;
using tests::position;

namespace {

constexpr k::range backwards{k::range::open, k::range::open, -1};

struct assignment {
    std::int64_t side = 1;  // x is a square, so that its transpose has its shape
    std::int64_t down = 0;
    std::int64_t right = 0;
    int form = 0;
    bool adds = false;    // x += view, else x = view - x
    bool shared = false;  // another array holds x's buffer
    bool fuse = true;
};

std::int64_t clamped(std::int64_t i, std::int64_t n) { return std::clamp<std::int64_t>(i, 0, n - 1); }
std::int64_t wrapped(std::int64_t i, std::int64_t n) { return ((i % n) + n) % n; }

template <class T>
void kiln_side(k::array<T>& x, const assignment& of) {
    const auto run = [&](auto view) {
        if (of.adds) x += std::move(view);
        else x = std::move(view) - x;
    };
    switch (of.form) {
        case 0: return run(k::flip(x));
        case 1: return run(k::transpose(x));
        case 2: return run(k::shift(x, {of.down, of.right}, k::boundary::clamp));
        case 3: return run(k::roll(x, of.right, k::axis(1)));
        case 4: return run(x(k::range(0, 1)));
        case 5: return run(x(k::all, backwards) * k::transpose(x));
        case 6: return run(k::take(x, k::flip(k::arange<std::int32_t>(of.side)), k::axis(0)));
        default: return run(x * x);
    }
}

template <class T>
std::vector<T> expected_of(const tests::host_array<T>& x, const assignment& of) {
    const std::int64_t n = of.side;
    return tests::each_position(x.extents, [&](const position& p) {
        const auto at = [&](std::int64_t i, std::int64_t j) { return x.at({i, j}, 2); };
        const auto times = [](T a, T b) {
            // Integers wrap, and two of 16 bits would be multiplied as ints.
            if constexpr (std::is_integral_v<T>)
                return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
            else return static_cast<T>(a * b);
        };
        T view{};
        switch (of.form) {
            case 0: view = at(n - 1 - p[0], n - 1 - p[1]); break;
            case 1: view = at(p[1], p[0]); break;
            case 2: view = at(clamped(p[0] - of.down, n), clamped(p[1] - of.right, n)); break;
            case 3: view = at(p[0], wrapped(p[1] - of.right, n)); break;
            case 4: view = at(0, p[1]); break;
            case 5: view = times(at(p[0], n - 1 - p[1]), at(p[1], p[0])); break;
            case 6: view = at(n - 1 - p[0], p[1]); break;
            default: view = times(at(p[0], p[1]), at(p[0], p[1]));
        }
        const T own = at(p[0], p[1]);
        return static_cast<T>(of.adds ? own + view : view - own);
    });
}

template <class T>
void check(const assignment& of) {
    const auto count = static_cast<std::size_t>(of.side * of.side);
    const tests::host_array<T> before{{of.side, of.side}, tests::ordinary_values<T>(count, 5)};
    const k::scoped_options how({.fuse = of.fuse});
    k::array<T> x = before.on_device();
    const k::array<T> other = of.shared ? x : k::array<T>(k::zeros<T>({1}));
    kiln_side(x, of);
    RC_ASSERT(tests::difference(x.to_host(), expected_of(before, of)) == "");
    if (of.shared) RC_ASSERT(tests::difference(other.to_host(), before.values) == "");
}

}  // namespace

TEST_CASE("random assignments in place read what x held before, and leave other owners their values") {
    CHECK(rc::check("x = f(x, views of x)", [] {
        assignment of;
        of.side = *rc::gen::inRange<std::int64_t>(1, 70);
        of.down = *rc::gen::inRange<std::int64_t>(-3, 4);
        of.right = *rc::gen::inRange<std::int64_t>(-80, 80);
        of.form = *rc::gen::inRange(0, 8);
        of.adds = *rc::gen::arbitrary<bool>();
        of.shared = *rc::gen::arbitrary<bool>();
        of.fuse = *rc::gen::arbitrary<bool>();
        switch (*rc::gen::inRange(0, 3)) {
            case 0: return check<float>(of);
            case 1: return check<std::uint16_t>(of);
            default: return check<double>(of);
        }
    }));
}
