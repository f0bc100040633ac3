#include <support/reduction_oracle.hpp>

#include <support/any_order.hpp>

#include <algorithm>
#include <cmath>

namespace oracle {

namespace {

bool is_whole(type of) { return !is_float(of) && !is_complex(of); }
wide number(const value& x) { return is_whole(x.of) ? static_cast<wide>(x.whole) : x.real; }
bool is_true(const value& x) { return is_whole(x.of) ? x.whole != 0 : x.real != 0 || x.imag != 0; }

expectation whole(type result, int128 exact) { return {result, make_whole(result, exact).whole, {}, {}}; }
expectation part(type result, type computed, const range& of) { return {result, 0, stored(of, computed, result), {}}; }

range mean_of(const total& sum, const format& in, bool rounds_elements) {
    if (sum.count() == 0) return not_a_number();
    range out = sum.value();
    if (out.any || out.nan || !finite(out.least)) return out;
    const auto n = static_cast<long double>(sum.count());
    // Each int64 is rounded to a double before it is added.
    const long double elements = rounds_elements && !sum.is_exact() ? sum.size() * in.u() : 0;
    const int zero = out.zero;
    out = {false, false, (out.least - elements) / n, (out.most + elements) / n, zero};
    return sum.is_exact() ? out : grown(out, in, 1);
}

/// The mean of the squared distances from the mean, in two passes.
range var_of(const std::vector<total>& sums, const std::vector<value>& elements, const format& in) {
    const auto n = static_cast<long double>(elements.size());
    if (elements.empty()) return not_a_number();
    long double squares = 0, off = 0, farthest = 0, converted = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const total& sum = sums[i];
        if (!sum.all_finite()) return sum.overflows() ? anything() : not_a_number();
        if (sum.overflows()) return anything();
        const wide mean = sum.exact_sum() / n;
        const long double mean_off = (n + 2) * in.u() * sum.size() / n + in.lowest;
        for (const value& each : elements) {
            const wide x = i == 0 ? number(each) : each.imag;
            // An int64 is rounded to a double before anything is taken from it.
            const long double lost = magnitude(x - rounded(type::f64, x));
            converted += lost * lost;
            const long double distance = magnitude(x - mean);
            farthest = std::max(farthest, distance);
            squares += distance * distance;
        }
        off += mean_off * mean_off;
    }
    if (farthest * farthest * 4 * n >= std::ldexp(1.0L, in.top - 1)) return anything();
    const long double exact = squares / n;
    const long double bound =
        (n + 8) * in.u() * (exact + off) + off + 4 * in.lowest + 2 * std::sqrt(exact * converted / n) + converted / n;
    return {false, false, std::max(0.0L, exact - bound), exact + bound, 0};
}

range norm_squared(const std::vector<value>& elements, const format& in) {
    wide squares = 0;
    bool nans = false, infinite = false;
    for (const value& each : elements) {
        for (const wide x : {number(each), each.imag}) {
            nans = nans || is_nan(x);
            infinite = infinite || (!is_nan(x) && !finite(x));
            if (finite(x)) squares += x * x;
        }
    }
    if (nans) return not_a_number();
    if (infinite) return exactly(infinity);
    if (static_cast<long double>(squares) >= std::ldexp(1.0L, in.top - 1)) return anything();
    const auto n = static_cast<long double>(elements.size());
    const long double bound = (2 * n + 4) * in.u() * static_cast<long double>(squares) + 2 * n * in.lowest;
    return {false, false, std::max(wide(0), squares - bound), squares + bound, 0};
}

range root(const range& of, const format& in) {
    if (of.any || of.nan || !finite(of.most)) return of;
    return grown(
        {false, false, std::sqrt(static_cast<long double>(of.least)), std::sqrt(static_cast<long double>(of.most)), 0},
        in, 2);
}

range log_of_sum(const std::vector<value>& elements, const format& in) {
    long double most = -infinity;
    for (const value& each : elements) {
        if (is_nan(each.real)) return not_a_number();
        most = std::max(most, static_cast<long double>(each.real));
    }
    if (std::isinf(most)) return exactly(most);
    long double sum = 0;
    for (const value& each : elements) sum += std::exp(static_cast<long double>(each.real) - most);
    const auto n = static_cast<long double>(elements.size());
    const long double logarithm = std::log(sum);
    // exp is right to a few units, and its argument to u of itself, of which e^-t leaves less than u / e.
    const long double bound = in.u() * (2 * n + 20 + 8 * (std::fabs(most) + logarithm));
    return around(most + logarithm, bound);
}

/// The first that nothing is better than; a NaN is better than any number.
std::size_t best(const std::vector<value>& elements, bool greatest) {
    std::size_t out = 0;
    for (std::size_t i = 1; i < elements.size(); ++i) {
        const wide x = number(elements[i]);
        const wide held = number(elements[out]);
        if (is_nan(held)) break;
        if (is_nan(x) || (greatest ? x > held : x < held)) out = i;
    }
    return out;
}

expectation extreme(type of, const std::vector<value>& elements, bool greatest) {
    const value& at = elements[best(elements, greatest)];
    if (is_whole(of)) return whole(of, at.whole);
    if (is_nan(at.real)) return {of, 0, not_a_number(), {}};
    range out = exactly(at.real);
    for (const value& each : elements)
        if (each.real == 0 && negative(each.real) != negative(at.real)) out.zero = 0;  // either is as great
    return {of, 0, out, {}};
}

}  // namespace

const char* name_of(reduction what) {
    static constexpr const char* names[] = {"sum", "max", "argmax", "mean", "min",    "argmin", "prod",
                                            "any", "all", "count",  "var",  "stddev", "norm",   "logsumexp"};
    return names[static_cast<int>(what)];
}

bool needs_elements(reduction what) {
    return what == reduction::min || what == reduction::max || what == reduction::argmin || what == reduction::argmax ||
           what == reduction::logsumexp;
}

type accumulated(reduction what, type of) {
    if (of == type::f16 || of == type::bf16) return type::f32;
    if (!is_whole(of)) return of;
    if (what != reduction::sum && what != reduction::prod) return type::f64;
    return of == type::b8 || of == type::i8 || of == type::i16 || of == type::i32 || of == type::i64 ? type::i64
                                                                                                     : type::u64;
}

type result_type(reduction what, type of) {
    switch (what) {
        case reduction::min:
        case reduction::max: return of;
        case reduction::any:
        case reduction::all: return type::b8;
        case reduction::argmin:
        case reduction::argmax:
        case reduction::count: return type::i64;
        case reduction::sum:
        case reduction::prod:
        case reduction::mean: return is_whole(of) ? accumulated(what, of) : of;
        default: return is_whole(of) ? type::f64 : part_of(of);
    }
}

bool range::holds(wide value) const {
    if (any) return true;
    if (nan || is_nan(value)) return nan && is_nan(value);
    if (value == 0 && zero && negative(value) != (zero < 0)) return false;
    return least <= value && value <= most;
}

bool expectation::holds(const value& got) const {
    if (got.of != of) return false;
    if (is_whole(of)) return got.whole == whole;
    return real.holds(got.real) && (!is_complex(of) || imag.holds(got.imag));
}

std::string to_string(const expectation& shown) {
    if (is_whole(shown.of)) return to_string(make_whole(shown.of, shown.whole));
    const auto of_part = [&](const range& each) -> std::string {
        if (each.any) return "anything";
        if (each.nan) return "NaN";
        const std::string least = to_string(make_real(part_of(shown.of), each.least));
        const std::string most = to_string(make_real(part_of(shown.of), each.most));
        return least == most ? least : least + " to " + most;
    };
    return of_part(shown.real) + (is_complex(shown.of) ? " and " + of_part(shown.imag) + " i" : "");
}

expectation reduced(reduction what, type of, const std::vector<value>& elements) {
    const type in = accumulated(what, of);
    const type result = result_type(what, of);
    const format with = format_of(in);
    const auto true_ones = static_cast<std::int64_t>(
        std::count_if(elements.begin(), elements.end(), [](const value& x) { return is_true(x); }));
    switch (what) {
        case reduction::any: return whole(result, true_ones > 0);
        case reduction::all: return whole(result, true_ones == static_cast<std::int64_t>(elements.size()));
        case reduction::count: return whole(result, true_ones);
        case reduction::min:
        case reduction::max: return extreme(of, elements, what == reduction::max);
        case reduction::argmin:
        case reduction::argmax: return whole(result, static_cast<int128>(best(elements, what == reduction::argmax)));
        case reduction::norm: return part(result, part_of(in), root(norm_squared(elements, with), with));
        case reduction::logsumexp: return part(result, in, log_of_sum(elements, with));
        default: break;
    }
    if (is_whole(in) || what == reduction::prod) {
        const std::vector<expectation> all = cumulated(what, of, elements);
        if (!all.empty() && !is_float(of)) return all.back();
        if (all.empty() && is_whole(in)) return whole(result, what == reduction::prod);
        if (all.empty()) return {result, 0, exactly(what == reduction::prod), exactly(0)};
        return part(result, in, all.back().real);
    }
    std::vector<total> sums(is_complex(of) ? 2 : 1, total(false, in));
    for (const value& each : elements) {
        sums[0].add(number(each));
        if (is_complex(of)) sums[1].add(each.imag);
    }
    if (what == reduction::var) return part(result, part_of(in), var_of(sums, elements, with));
    if (what == reduction::stddev) return part(result, part_of(in), root(var_of(sums, elements, with), with));
    const auto one = [&](const total& sum) {
        return what == reduction::sum ? sum.value() : mean_of(sum, with, is_whole(of));
    };
    expectation out = part(result, in, one(sums[0]));
    if (is_complex(of)) {
        out.imag = stored(one(sums[1]), in, result);
        // What an infinite part does to the other one in a division is the division's affair.
        if (what == reduction::mean && !(sums[0].all_finite() && sums[1].all_finite()))
            out.real = out.imag = anything();
        if (what == reduction::mean && elements.empty()) out.imag = anything();  // one part is NaN, and so it is one
    }
    return out;
}

std::vector<expectation> cumulated(reduction sum_or_prod, type of, const std::vector<value>& elements) {
    const bool product = sum_or_prod == reduction::prod;
    const type in = accumulated(sum_or_prod, of);
    std::vector<expectation> out;
    if (is_whole(in)) {
        std::uint64_t held = product;
        for (const value& each : elements) {
            const auto wrapped = static_cast<std::uint64_t>(each.whole);
            held = product ? held * wrapped : held + wrapped;
            out.push_back(whole(in, static_cast<int128>(held)));
        }
        return out;
    }
    if (is_complex(in) && product) {
        complex_total held(in);
        for (const value& each : elements) {
            held.add(each);
            out.push_back(held.value_in(in));
        }
        return out;
    }
    total real(product, in), imag(product, in);
    for (const value& each : elements) {
        real.add(each.real);
        imag.add(each.imag);
        out.push_back({in, 0, stored(real.value(), in, in), {}});
        if (is_complex(in)) out.back().imag = stored(imag.value(), in, in);
    }
    return out;
}

}  // namespace oracle
