#include <stage/empty_reductions.hpp>

#include <capture/reduction_table.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <cmath>
#include <complex>
#include <limits>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

/// The value of a reduction of no elements.
handle<term> value_of_empty_reduction(const term& of) {
    const reduction_info& by = info(of.reduces);
    double value = by.identity == reduction_identity::one ? 1 : 0;
    if (by.accumulates == accumulation::mean || by.accumulates == accumulation::moments)
        value = std::numeric_limits<double>::quiet_NaN();
    if (by.identity == reduction_identity::own) return make_scalar_term(of.type, reduction_at(of.bits[0]).identity, 0);
    if (by.identity == reduction_identity::worst)
        throw shape_error(text::format("kiln: {} of no elements, of an operand of shape {}: it has no value there",
                                       by.name, to_string(broadcast_leaves(of.args[0]))));
    handle<term> number = make_scalar_term(element_type::float64, &value, 0);
    return of.type == element_type::float64 ? number : make_operation_term(operation::cast, of.type, std::move(number));
}

/// Of a segment without elements.
handle<term> value_of_empty_segment(const term& of) {
    const bool least = of.segments.what == segment_call::kind::least;
    if (!least && of.segments.what != segment_call::kind::greatest) return value_of_empty_reduction(of);
    if (kind_of(of.type) == element_kind::floating) {
        const double worst = least ? HUGE_VAL : -HUGE_VAL;
        handle<term> number = make_scalar_term(element_type::float64, &worst, 0);
        return of.type == element_type::float64 ? number
                                                : make_operation_term(operation::cast, of.type, std::move(number));
    }
    const int unused = 64 - 8 * bytes_of(of.type);
    const bool sign = is_signed_integer(of.type);
    std::uint64_t worst = of.type == element_type::boolean ? 1 : ~std::uint64_t{0} >> (unused + sign);
    if (!least) worst = sign ? ~worst : 0;
    return make_scalar_term(of.type, &worst, 0);
}

}  // namespace

handle<term> result_of_empty_reduction(const term& of, const shape& extents) {
    if (of.segments.count) return make_full_term(extents, value_of_empty_segment(of));
    static constexpr std::complex<double> unseen = 0;
    return make_full_term(extents, extents.size() != 0 && !of.scans ? value_of_empty_reduction(of)
                                                                    : make_scalar_term(of.type, &unseen, 0));
}

}  // namespace kiln::stage
