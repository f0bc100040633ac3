#include <capture/row_variances.hpp>

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
handle<term> in_two_passes(const term& variance, handle<term> of) {
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

}  // namespace

// What a GPU's block keeps of a row (plan/reduction.cpp), or a cluster of columns (plan/column_panels.cpp). A few elements more or
// less decide a figure, not a result.
bool has_short_rows(const shape& of, std::uint8_t axes) {
    constexpr std::int64_t most = 8192;
    constexpr std::int64_t most_of_many = 32768;
    constexpr std::int64_t many = 132;
    std::int64_t kept = 1, reduced = 1;
    bool along_rows = true;
    for (int axis = of.rank(); axis-- > 0;) {
        const bool goes = axes >> axis & 1;
        along_rows = along_rows && (goes || reduced > 1 || of[axis] == 1);
        (goes ? reduced : kept) *= of[axis];
    }
    return reduced <= (along_rows && kept >= many ? most_of_many : most);
}

std::vector<handle<term>> with_row_variances(const std::vector<handle<term>>& roots) {
    return with_other_reductions(roots, [](const term& of, const shape& extents, std::uint8_t axes,
                                           const handle<term>& operand) {
        return keeps_state(of.reduces) && has_short_rows(extents, axes) ? in_two_passes(of, operand) : handle<term>();
    });
}

}  // namespace kiln::inline v0_1::detail
