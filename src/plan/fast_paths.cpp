#include <plan/fast_paths.hpp>

#include <lower/ranges.hpp>
#include <lower/value_list.hpp>
#include <plan/row_phases.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace kiln::plan {

namespace {

using lower::add_once;
using lower::holds;
using lower::range;
using lower::ranges;
using lower::step;
using lower::value_id;

constexpr double largest_float = std::numeric_limits<float>::max();
constexpr double least_normal = std::numeric_limits<float>::min();
// As emit/helpers/roots_cuda.inc has them.
constexpr double least_with_remainder = 0x1p-100;  // of what a root or a quotient is of
constexpr double least_quotient = 0x1p-125;
constexpr double largest_with_reciprocal = 0x1p125;
constexpr double largest_scalar = 0x1p60;  // a dividend, and the reciprocal of the least

/// `portable`: the reciprocal of a root is a quotient of what is rounded, as on the host.
bool has_fast_path(const step& of, bool portable) {
    if (of.operands != element_type::float32) return false;
    return of.code == operation::sqrt || (of.code == operation::rsqrt && !portable) ||
           of.code == operation::reciprocal || of.code == operation::div;
}

bool has_test(path of) { return of == path::tested || of == path::follows; }

/// The least and the largest magnitude.
struct magnitudes {
    double least, most;
};

magnitudes magnitudes_of(const range& of) {
    const double low = std::abs(of.low);
    const double high = std::abs(of.high);
    return {of.low > 0 || of.high < 0 ? std::min(low, high) : 0.0, std::max(low, high)};
}

bool has_normal_reciprocal(const range& of) {
    const magnitudes sizes = magnitudes_of(of);
    return !of.may_be_nan && sizes.least >= least_normal && sizes.most <= largest_with_reciprocal;
}

bool is_in_range(const step& of, const ranges& known) {
    const range& first = known[of.args[0]];
    switch (of.code) {
        case operation::sqrt: return first.is_within(least_with_remainder, largest_float);
        case operation::rsqrt: return first.low >= least_normal;
        case operation::reciprocal: return has_normal_reciprocal(first);
        default: break;
    }
    const range& second = known[of.args[1]];
    if (first.may_be_nan || !has_normal_reciprocal(second)) return false;
    const magnitudes dividend = magnitudes_of(first);
    const magnitudes divisor = magnitudes_of(second);
    return dividend.least >= least_with_remainder && dividend.least >= least_quotient * divisor.most &&
           dividend.most <= largest_float / 2 * std::min(divisor.least, 1.0);
}

/// 0, or from 1 to 2^64.
bool is_whole(const lower::program& program, value_id value) {
    const step* const made_by = program.step_of(value);
    if (!made_by || made_by->code != operation::cast || made_by->result != element_type::float32) return false;
    const element_kind from = kind_of(made_by->operands);
    return from == element_kind::integer || from == element_kind::logical;
}

/// What a test that did not fail says.
void narrow(ranges& known, const step& of, value_id result) {
    if (of.code == operation::sqrt) known.narrow(of.args[0], {least_with_remainder, largest_float, false});
    known.follow(result);
    if (of.code == operation::div) known.narrow(result, {-range::infinity, range::infinity, false});
    if (of.code == operation::reciprocal) known.narrow(result, {-largest_float, largest_float, false});
}

class chooser {
public:
    chooser(const lower::program& program, const std::vector<int>& steps, const std::vector<value_id>& outputs)
        : program_(program), steps_(steps), outputs_(outputs) {
        out_.paths.resize(steps.size(), path::usual);
        out_.quotient_tests.resize(steps.size());
        out_.by_positive.resize(steps.size());
        out_.by_column.resize(steps.size());
        out_.not_negative.resize(steps.size());
        out_.repeated.resize(steps.size());
        out_.has_any.resize(steps.size());
    }

    fast_paths run() {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (has_fast_path(step_at(i), program_.portable)) {
                choose();
                find_repeated();
                break;
            }
        return std::move(out_);
    }

private:
    [[nodiscard]] const step& step_at(std::size_t i) const {
        return program_.steps[static_cast<std::size_t>(steps_[i])];
    }
    [[nodiscard]] value_id value_at(std::size_t i) const { return program_.step_value(steps_[i]); }

    void choose() {
        const ranges known(program_);
        ranges if_right = known;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const step& each = step_at(i);
            path& way = out_.paths[i];
            if (has_fast_path(each, program_.portable)) {
                if (is_in_range(each, known)) way = path::proved;
                else if (is_whole_by_scalar(each)) way = path::by_scalar;
                else if (is_by_root(each)) way = path::tested;
                else if (is_in_range(each, if_right) || is_seen_later(i)) way = path::follows;
                else way = each.code == operation::rsqrt ? path::unbranched : path::tested;
                if (way == path::tested) out_.quotient_tests[i] = test_of(each, known);
                if (each.code == operation::div)
                    out_.by_positive[i] = (way == path::proved ? known : if_right)[each.args[1]].low >= 0;
                if (each.code == operation::sqrt) out_.not_negative[i] = known[each.args[0]].low >= 0;
                out_.has_any[i] = each.code == operation::sqrt || is_reciprocal_of_root(each);
            }
            if (has_test(way)) narrow(if_right, each, value_at(i));
            else if_right.follow(value_at(i));
        }
    }

    [[nodiscard]] bool is_scalar(value_id value) const {
        return value >= program_.scalar_value(0) && value < program_.constant_value(0);
    }

    /// Bytes that become fractions, most often.
    [[nodiscard]] bool is_whole_by_scalar(const step& of) const {
        return of.code == operation::div && is_scalar(of.args[1]) && is_whole(program_, of.args[0]);
    }

    [[nodiscard]] quotient_test test_of(const step& of, const ranges& known) const {
        if (of.code == operation::reciprocal) return is_by_root(of) ? quotient_test::by_root : quotient_test::usual;
        if (of.code != operation::div || !is_scalar(of.args[0])) return quotient_test::usual;
        if (is_by_root(of)) return quotient_test::by_root;
        const range& divisor = known[of.args[1]];
        return divisor.is_within(1 / largest_scalar, largest_scalar) ? quotient_test::by_scalar : quotient_test::usual;
    }

    [[nodiscard]] bool is_reciprocal_of_root(const step& of) const {
        if (of.code != operation::reciprocal) return false;
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (value_at(i) == of.args[0]) return step_at(i).code == operation::sqrt;
        return false;
    }

    /// By a root that is seen later, by this quotient or reciprocal.
    [[nodiscard]] bool is_by_root(const step& of) const {
        const value_id divisor = of.args[of.code == operation::div ? 1 : 0];
        for (std::size_t i = 0; i < steps_.size(); ++i)
            if (value_at(i) == divisor) return out_.paths[i] == path::follows && makes_only_scalar_quotient(i);
        return false;
    }

    /// A root that is only the divisor of what is the same for all elements.
    [[nodiscard]] bool makes_only_scalar_quotient(std::size_t i) const {
        return step_at(i).code == operation::sqrt && is_only_used(value_at(i), [&](const step& by, value_id) {
                   return by.code == operation::reciprocal || (by.code == operation::div && is_scalar(by.args[0]));
               });
    }

    /// Of the root of x, which only makes the divisor x * sqrt(x): where it is wrong, the divisor is NaN, infinite or denormal, and
    /// so the quotient's test fails. Or it is only the divisor of a scalar: where it is wrong, the quotient is NaN or larger than one
    /// by a root in range.
    [[nodiscard]] bool is_seen_later(std::size_t i) const {
        const step& root = step_at(i);
        if (root.code != operation::sqrt) return false;
        if (makes_only_scalar_quotient(i)) return true;
        value_id product = -1;
        if (!is_only_used(value_at(i), [&](const step& by, value_id made) {
                const bool is_product =
                    by.code == operation::mul && ((by.args[0] == root.args[0]) != (by.args[1] == root.args[0]));
                if (is_product) product = made;
                return is_product;
            }))
            return false;
        return is_only_used(product, [&](const step& by, value_id) {
            return by.code == operation::div && by.args[1] == product && by.args[0] != product;
        });
    }

    /// Whether a value has one use in these steps, of that kind, and no other.
    template <class Is>
    [[nodiscard]] bool is_only_used(value_id value, Is is) const {
        int uses = 0;
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            const step& each = step_at(i);
            if (std::find(each.args.begin(), each.args.end(), value) == each.args.end()) continue;
            if (!is(each, value_at(i))) return false;
            ++uses;
        }
        return uses == 1 && !holds(outputs_, value);
    }

    /// From the first step with a test to the last one all that is made of them.
    void find_repeated() {
        std::vector<path>& paths = out_.paths;
        const auto first = std::find_if(paths.begin(), paths.end(), has_test);
        if (first == paths.end()) return;
        out_.first = static_cast<std::size_t>(first - paths.begin());
        out_.last = static_cast<std::size_t>(paths.rend() - std::find_if(paths.rbegin(), paths.rend(), has_test)) - 1;

        std::vector<value_id> made;
        for (std::size_t i = out_.first; i <= out_.last; ++i) {
            const step& each = step_at(i);
            const bool is_made_of =
                std::any_of(each.args.begin(), each.args.end(), [&](value_id arg) { return holds(made, arg); });
            if (!is_made_of && !has_test(paths[i])) continue;
            if (each.code == operation::gather || each.code == operation::reduce) {
                std::replace_if(paths.begin(), paths.end(), has_test, path::usual);
                out_.repeated.assign(steps_.size(), false);
                return;
            }
            out_.repeated[i] = true;
            made.push_back(value_at(i));
        }
        find_operands(made);
    }

    void find_operands(const std::vector<value_id>& made) {
        for (std::size_t i = out_.first; i < steps_.size(); ++i)
            for (const value_id arg : step_at(i).args) {
                if (arg < 0) continue;
                if (out_.repeated[i] && !holds(made, arg) && !program_.is_constant(arg)) add_once(out_.read, arg);
                if (i > out_.last && holds(made, arg)) add_once(out_.results, arg);
            }
        for (const value_id output : outputs_)
            if (holds(made, output)) add_once(out_.results, output);
    }

    const lower::program& program_;
    const std::vector<int>& steps_;
    const std::vector<value_id>& outputs_;
    fast_paths out_;
};

}  // namespace

fast_paths fast_paths::proved_alone() const {
    fast_paths out = *this;
    std::replace_if(out.paths.begin(), out.paths.end(), has_test, path::usual);
    out.repeated.assign(out.repeated.size(), false);
    out.read.clear();
    out.results.clear();
    return out;
}

bool fast_paths::have_any() const {
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (has_test(paths[i]) && !has_any[i]) return false;
    return true;
}

fast_paths fast_paths::for_any() const {
    fast_paths out = proved_alone();
    for (std::size_t i = 0; i < paths.size(); ++i)
        if (has_test(paths[i]) && has_any[i]) out.paths[i] = path::any;
    return out;
}

bool branches_pay(const kernel& of) { return of.persistent_rows && of.row_extent == 0 && of.panel.items == 0; }

fast_paths choose_fast_paths(const lower::program& program, const std::vector<int>& steps,
                             const std::vector<value_id>& outputs) {
    return chooser(program, steps, outputs).run();
}

fast_paths choose_fast_paths_of_columns(const lower::program& program, const std::vector<int>& steps,
                                        const std::vector<value_id>& outputs) {
    fast_paths out = choose_fast_paths(program, steps, outputs);
    const std::vector<bool> of_row = phases_of(program).of_row;
    const auto is_of_row = [&](value_id value) { return of_row[static_cast<std::size_t>(value)]; };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const step& each = program.steps[static_cast<std::size_t>(steps[i])];
        out.by_column[i] =
            each.code == operation::div && is_of_row(each.args[1]) && !is_of_row(program.step_value(steps[i]));
    }
    return out;
}

fast_paths choose_fast_paths(const lower::program& program, const kernel& of) {
    std::vector<int> steps(static_cast<std::size_t>(of.last_step - of.first_step));
    std::iota(steps.begin(), steps.end(), of.first_step);
    std::vector<value_id> outputs;
    for (const operand& each : of.outputs) outputs.push_back(each.value);
    return choose_fast_paths(program, steps, outputs);
}

}  // namespace kiln::plan
