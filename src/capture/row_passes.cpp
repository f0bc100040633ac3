#include <capture/row_passes.hpp>

#include <capture/other_reductions.hpp>
#include <capture/reduced.hpp>

#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

handle<term> cast_term(handle<term> of, element_type to) {
    return of.get()->type == to ? std::move(of) : make_operation_term(operation::cast, to, std::move(of));
}

handle<term> reduced_term(reduction_kind what, const handle<term>& of, const axis_list& over, bool keep) {
    return make_reduction_term(what, reduced_type(what, of.get()->type), of, over, keep);
}

/// The mean first, then the squares of what is left. 16-bit floats are rounded once, at the end: the variance is past the largest of
/// them where the root is not.
handle<term> variance_in_two_passes(const term& variance, handle<term> of) {
    if (is_small_float(of.get()->type)) of = cast_term(std::move(of), element_type::float32);
    handle<term> mean = reduced_term(reduction_kind::mean, of, variance.over, true);
    const element_type type = mean.get()->type;
    const handle<term> squares = make_operation_term(
        operation::square, type, make_operation_term(operation::sub, type, std::move(of), std::move(mean)));
    const bool averages = variance.reduces != reduction_kind::squares_about_mean;
    handle<term> out = reduced_term(averages ? reduction_kind::mean : reduction_kind::sum, squares, variance.over,
                                    variance.keeps_axes);
    if (variance.reduces == reduction_kind::deviation) out = make_operation_term(operation::sqrt, type, std::move(out));
    return cast_term(std::move(out), variance.type);
}

/// The largest is taken out first, so that nothing overflows, unless it is infinite.
handle<term> logarithm_in_two_passes(const term& logarithm, handle<term> of) {
    if (is_small_float(of.get()->type)) of = cast_term(std::move(of), element_type::float32);
    const element_type type = of.get()->type;
    const auto largest = [&](bool keep) {
        const handle<term> one = reduced_term(reduction_kind::max, of, logarithm.over, keep);
        return make_operation_term(operation::where, type,
                                   make_operation_term(operation::isfinite, element_type::boolean, one), one,
                                   make_constant_term(type, 0));
    };
    const handle<term> exponentials =
        make_operation_term(operation::exp, type, make_operation_term(operation::sub, type, of, largest(true)));
    const handle<term> sum = reduced_term(reduction_kind::sum, exponentials, logarithm.over, logarithm.keeps_axes);
    return cast_term(make_operation_term(operation::add, type, make_operation_term(operation::log, type, sum),
                                         largest(logarithm.keeps_axes)),
                     logarithm.type);
}

struct rows_of_shape {
    std::int64_t kept = 1, reduced = 1;
    bool along_rows = true;
};

rows_of_shape rows_of(const shape& of, std::uint8_t axes) {
    rows_of_shape out;
    for (int axis = of.rank(); axis-- > 0;) {
        const bool goes = axes >> axis & 1;
        out.along_rows = out.along_rows && (goes || out.reduced > 1 || of[axis] == 1);
        (goes ? out.reduced : out.kept) *= of[axis];
    }
    return out;
}

handle<term> in_two_passes(const term& reduction, handle<term> of) {
    return reduction.reduces == reduction_kind::logsumexp ? logarithm_in_two_passes(reduction, std::move(of))
                                                          : variance_in_two_passes(reduction, std::move(of));
}

// What a GPU's block keeps of a row (plan/reduction.cpp), or a cluster of columns (plan/column_panels.cpp). A few elements more or
// less decide a figure, not a result.
bool has_short_rows(const shape& of, std::uint8_t axes) {
    constexpr std::int64_t most = 8192;
    constexpr std::int64_t most_of_many = 32768;
    constexpr std::int64_t many = 132;
    const rows_of_shape rows = rows_of(of, axes);
    return rows.reduced <= (rows.along_rows && rows.kept >= many ? most_of_many : most);
}

}  // namespace

bool is_read_twice(reduction_kind what, const shape& of, std::uint8_t axes) {
    if (what != reduction_kind::logsumexp) return has_short_rows(of, axes);
    const rows_of_shape rows = rows_of(of, axes);
    if (rows.reduced == 0) return false;  // it has no value: an error that names it, and not the max of the first pass
    // On an H100 (64, 1024, 1024) over 1 takes 124 us in two passes and 94 in one, but 252 and 351 where the elements less their logsumexp
    // are stored; (4096, 16384) over 0 takes 141 and 97, 305 and 320.
    constexpr std::int64_t most_of_column = 2048;
    if (!rows.along_rows) return rows.reduced <= most_of_column;
    // A row of a block of 1024 threads (plan/reduction.cpp): (2000, 65536) 182 us in two passes and 195 in one, (1300, 100000) 230
    // and 193.
    constexpr std::int64_t many = 264;
    constexpr std::int64_t most = 65536;
    return has_short_rows(of, axes) || (rows.kept >= many && rows.reduced <= most && rows.reduced % 4 == 0);
}

std::vector<handle<term>> with_row_passes(const std::vector<handle<term>>& roots) {
    return with_other_reductions(
        roots, [](const term& of, const shape& extents, std::uint8_t axes, const handle<term>& operand) {
            return keeps_state(of.reduces) && is_read_twice(of.reduces, extents, axes) ? in_two_passes(of, operand)
                                                                                       : handle<term>();
        });
}

}  // namespace kiln::inline v0_1::detail
