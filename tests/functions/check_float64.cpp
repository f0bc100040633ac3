// check_float64 [--count N] [FUNCTION]...: the float64 functions that kiln has itself against MPFR, with every instruction set that this
// machine has. Prints, by function, the largest error in units in the last place and where; fails where that is more than 1, where a
// special value is another, or where two instruction sets, or a block and one element, differ in a bit.
//
// Arguments: special values; N of any bits; N of usual size, half of them of few bits; N where functions are hard: near 1, near
// multiples of ln 2 / 2 and of pi / 4, near whole numbers, and where results leave the normal numbers.
#include "mpfr_made.hpp"

#include <device/cpu/float64_functions.hpp>

#include <mpfr.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using kiln::backend::float64_function;
using kiln::backend::float64_functions;

struct facts {
    const char* name;
    void (*truth)(mpfr_t out, const mpfr_t a);
    double from, to;
};

const facts all_facts[] = {
#define KILN_FLOAT64_FUNCTION(name, by, from, to) \
    {#name, [](mpfr_t out, const mpfr_t a) { by(out, a, MPFR_RNDN); }, from, to},
#include "float64_functions.def"
#undef KILN_FLOAT64_FUNCTION
};

struct pair_facts {
    const char* name;
    int (*truth)(mpfr_t out, const mpfr_t a, const mpfr_t b, mpfr_rnd_t rounding);
};

const pair_facts all_pairs[] = {{"hypot", mpfr_hypot}, {"atan2", mpfr_atan2}, {"pow", mpfr_pow}};

std::uint64_t bits(double a) {
    std::uint64_t out;
    std::memcpy(&out, &a, sizeof out);
    return out;
}

double double_with(std::uint64_t bits) {
    double out;
    std::memcpy(&out, &bits, sizeof out);
    return out;
}

/// NaN is NaN; zeros have signs.
bool same(double a, double b) { return bits(a) == bits(b) || (a != a && b != b); }

std::vector<double> special_values() {
    std::vector<double> out;
    for (const double x : {0.0,
                           0x1p-1074,
                           0x1p-1023,
                           0x1p-1022,
                           0x1p-60,
                           0x1p-30,
                           0x1p-27,
                           0x1p-26,
                           0.25,
                           0.3,
                           0.5,
                           1.0,
                           2.0,
                           3.0,
                           10.0,
                           20.0,
                           40.0,
                           60.0,
                           100.0,
                           700.0,
                           709.782712893384,
                           709.7827128933841,
                           710.475860073944,
                           744.4400719213812,
                           745.1332191019411,
                           745.1332191019412,
                           1022.0,
                           1023.5,
                           1024.0,
                           1074.0,
                           1075.0,
                           0x1p20,
                           0x1p30,
                           0x1p53,
                           0x1p100,
                           1e22,
                           0x1p1023,
                           1.7976931348623157e308,
                           6381956970095103.0 * 0x1p797,
                           static_cast<double>(INFINITY),
                           static_cast<double>(NAN)})
        for (const double y : {x, std::nextafter(x, 0.0), std::nextafter(x, INFINITY)}) {
            out.push_back(y);
            out.push_back(-y);
        }
    for (int k = -20; k <= 20; ++k) out.push_back(std::pow(10.0, k)), out.push_back(std::ldexp(1.0, 50 * k));
    // Of millions of others those at which tan, erfc, normcdf, gelu and lgamma once were off by more than a unit.
    for (const double x : {-0x1.5bb225c69b976p+56, 0x1.920af81461fap-1, 0x1.9fe4bbd100778p-1, -0x1.0c571145782c8p+0,
                           -0x1.24483271c0654p+0, -0x0.0056724d55902p-1022})
        out.push_back(x);
    return out;
}

std::vector<double> hard_arguments(std::size_t count, std::mt19937_64& random) {
    std::vector<double> out;
    const auto off = [&](double x) { return double_with(bits(x) + static_cast<std::uint64_t>(random() % 9) - 4); };
    std::uniform_real_distribution<double> unit(-1, 1);
    while (out.size() < count) {
        const double k = static_cast<double>(static_cast<std::int64_t>(random() % 4001) - 2000);
        out.push_back(1.0 + std::ldexp(unit(random), -static_cast<int>(random() % 54)));
        out.push_back(std::ldexp(unit(random), -static_cast<int>(random() % 60)));
        out.push_back(off(k * 0.34657359027997264));
        out.push_back(off(k * 0.78539816339744831));
        out.push_back(off(k * 0x1p20 * 0.78539816339744831));
        out.push_back(-708.0 - 38.0 * std::fabs(unit(random)));
        out.push_back(unit(random) * 750.0);
        out.push_back(unit(random) * 0x1p21);
        out.push_back(-1.0 + std::ldexp(std::fabs(unit(random)), -static_cast<int>(random() % 54)));
        out.push_back(unit(random) * 1.5);
        const double whole = static_cast<double>(random() % 401) - 200.0;
        out.push_back(off(whole));
        out.push_back(whole + std::ldexp(unit(random), -static_cast<int>(random() % 50)));
        out.push_back(unit(random) * 4);
        out.push_back(unit(random) * 190);
    }
    return out;
}

std::vector<double> arguments_of(double from, double to, std::size_t count) {
    std::mt19937_64 random(1);
    std::vector<double> out = special_values();
    for (std::size_t i = 0; i < count; ++i) out.push_back(double_with(random()));
    std::uniform_real_distribution<double> usual(from, to);
    for (std::size_t i = 0; i < count; ++i) {
        const double x = usual(random);
        out.push_back(i % 2 ? x : static_cast<double>(static_cast<float>(x)));
    }
    const std::vector<double> hard = hard_arguments(count, random);
    out.insert(out.end(), hard.begin(), hard.end());
    return out;
}

/// All pairs of some special values; of any bits; of usual size; of neighbouring exponents.
std::pair<std::vector<double>, std::vector<double>> pairs_of(std::size_t count) {
    std::mt19937_64 random(2);
    std::pair<std::vector<double>, std::vector<double>> out;
    const auto add = [&](double a, double b) { out.first.push_back(a), out.second.push_back(b); };
    const double special[] = {0.0,
                              0x1p-1074,
                              0x1p-1022,
                              0x1p-60,
                              0.5,
                              1.0,
                              1.5,
                              2.0,
                              3.0,
                              1000.0,
                              1001.0,
                              0x1p53,
                              0x1p600,
                              1.7976931348623157e308,
                              static_cast<double>(INFINITY),
                              static_cast<double>(NAN)};
    for (const double a : special)
        for (const double b : special) add(a, b), add(-a, b), add(a, -b), add(-a, -b);
    std::uniform_real_distribution<double> usual(-10, 10);
    for (std::size_t i = 0; i < count; ++i) {
        add(double_with(random()), double_with(random()));
        add(usual(random), usual(random));
        const double a = double_with(random());
        add(a, double_with(bits(a) + random() % (std::uint64_t{8} << 52) - (std::uint64_t{4} << 52)));
        const double near = std::ldexp(usual(random), -static_cast<int>(random() % 50));
        add(1.0 + near, usual(random) * 50 / (std::fabs(near) < 0x1p-30 ? 0x1p-30 : std::fabs(near)));
        add(std::fabs(usual(random)), usual(random) * 70);
    }
    return out;
}

/// Of y, in units in the last place of the truth, which is `truth`; huge where a special value is another.
double error_of(double y, mpfr_t truth, mpfr_t room) {
    constexpr double wrong = 1e9;
    if (mpfr_nan_p(truth)) return y != y ? 0 : wrong;
    const double nearest = mpfr_get_d(truth, MPFR_RNDN);
    if (y != y) return wrong;
    if (mpfr_zero_p(truth) || mpfr_inf_p(truth)) return same(y, nearest) ? 0 : wrong;
    if (std::signbit(y) != std::signbit(nearest)) return wrong;
    if (std::isinf(y) || std::isinf(nearest)) {
        // The largest number and infinity are neighbours.
        if (std::isinf(y) && std::isinf(nearest)) return 0;
        const double largest = 1.7976931348623157e308;
        return std::fabs(std::isinf(y) ? nearest : y) == largest ? 0.99 : wrong;
    }
    const long exponent = std::max(mpfr_get_exp(truth) - 53, -1074L);
    mpfr_sub_d(room, truth, y, MPFR_RNDN);
    mpfr_mul_2si(room, room, -exponent, MPFR_RNDN);
    return std::fabs(mpfr_get_d(room, MPFR_RNDN));
}

std::vector<const float64_functions*> instruction_sets() {
    std::vector<const float64_functions*> out;
    for (const char* name : {"baseline", "avx2", "avx512"})
        if (const float64_functions* const found = kiln::backend::float64_named(name)) out.push_back(found);
    return out;
}

std::vector<double> block_of(const float64_function& of, const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out(a.size());
    if (of.block_of_one) of.block_of_one(a.data(), out.data(), static_cast<long long>(a.size()));
    else of.block_of_two(a.data(), b.data(), out.data(), static_cast<long long>(a.size()));
    return out;
}

/// Of one argument: the same in the order of size, where whole vectors are of one kind and take the shorter forms that there are for it.
bool same_in_order(const float64_function& of, const char* name, const std::vector<double>& a,
                   const std::vector<double>& expected) {
    std::vector<std::size_t> order(a.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return bits(a[i]) < bits(a[j]); });
    std::vector<double> sorted;
    for (const std::size_t i : order) sorted.push_back(a[i]);
    const std::vector<double> got = block_of(of, sorted, sorted);
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (same(got[i], expected[order[i]])) continue;
        std::printf("%s of %a: %a among its like, %a else\n", name, sorted[i], got[i], expected[order[i]]);
        return false;
    }
    return true;
}

/// Every instruction set and one element by itself; the bits of the first are then checked.
bool same_everywhere(int row, const char* name, const std::vector<double>& a, const std::vector<double>& b,
                     const std::vector<double>& expected) {
    for (const float64_functions* const set : instruction_sets()) {
        const float64_function& of = set->rows[row];
        const std::vector<double> blocks = block_of(of, a, b);
        if (of.block_of_one && !same_in_order(of, name, a, expected)) return false;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double one = of.of_one ? of.of_one(a[i]) : of.of_two(a[i], b[i]);
            if (same(blocks[i], expected[i]) && same(one, expected[i])) continue;
            std::printf("%s of %a, %a: %a in a block, %a alone with %s, %a with %s\n", name, a[i], b[i], blocks[i], one,
                        set->instruction_set, expected[i], instruction_sets()[0]->instruction_set);
            return false;
        }
    }
    return true;
}

template <class Truth>
bool check(const char* name, const std::vector<double>& a, const std::vector<double>& b, Truth truth) {
    const int row = kiln::emit::row_of(name);
    const std::vector<double> got = block_of(instruction_sets()[0]->rows[row], a, b);
    if (!same_everywhere(row, name, a, b, got)) return false;
    mpfr_t x, y, out, room;
    mpfr_inits2(53, x, y, nullptr);
    mpfr_inits2(140, out, room, nullptr);
    double largest = 0;
    std::size_t where = 0;
    std::size_t not_nearest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        mpfr_set_d(x, a[i], MPFR_RNDN);
        mpfr_set_d(y, b[i], MPFR_RNDN);
        truth(out, x, y);
        const double error = error_of(got[i], out, room);
        not_nearest += error > 0.5;
        if (error > largest) largest = error, where = i;
    }
    mpfr_clears(x, y, out, room, nullptr);
    std::printf("%-8s %9zu arguments, %8zu not nearest, at most %.4f ulp, at %a", name, a.size(), not_nearest, largest,
                a[where]);
    if (&a != &b) std::printf(", %a", b[where]);
    std::printf("\n");
    std::fflush(stdout);
    return largest <= 1;
}

}  // namespace

int main(int words, char** word) {
    std::size_t count = 20'000;
    std::vector<std::string> asked;
    for (int i = 1; i < words; ++i) {
        if (std::strcmp(word[i], "--count") == 0 && i + 1 < words) count = std::strtoull(word[++i], nullptr, 10);
        else asked.emplace_back(word[i]);
    }
    const auto is_asked = [&](const char* name) {
        bool found = asked.empty();
        for (const std::string& each : asked) found = found || each == name;
        return found;
    };
    bool right = true;
    for (const facts& each : all_facts) {
        if (!is_asked(each.name)) continue;
        const std::vector<double> a = arguments_of(each.from, each.to, count);
        right &= check(each.name, a, a, [&](mpfr_t out, mpfr_t x, mpfr_t) { each.truth(out, x); });
    }
    for (const pair_facts& each : all_pairs) {
        if (!is_asked(each.name)) continue;
        const auto [a, b] = pairs_of(count);
        right &= check(each.name, a, b, [&](mpfr_t out, mpfr_t x, mpfr_t y) { each.truth(out, x, y, MPFR_RNDN); });
    }
    return right ? 0 : 1;
}
