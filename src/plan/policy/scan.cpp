// The result and the operand may be one array: what a thread writes, it or its block has read before, and nobody else reads.
#include <plan/policy/scan.hpp>

#include <capture/reduction_table.hpp>
#include <plan/nest/builder.hpp>
#include <text/format.hpp>

#include <kiln/element_type.hpp>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::runner;
using nest::value;

class scan_policy {
public:
    explicit scan_policy(const scan_step& of) : of_(of), to_(scan_name(of), scan_threads, /*wide=*/true) {
        to_.made().aliased = true;
        plan::reduced_output combined{of.what, of.type, of.type};
        combined.definition = of.definition;
        to_.set({{{0, combined}}});
        const nest::type element = nest::types::element(of.type);
        result_ = to_.memory_parameter(scan_signature[0], "to", element, true);
        operand_ = to_.memory_parameter(scan_signature[1], "from", element, false);
        offsets_ = to_.memory_parameter(scan_signature[2], "offsets", element, false);
        outer_ = to_.number_parameter(scan_signature[3], "outer", nest::types::word);
        count_ = to_.number_parameter(scan_signature[4], "count", nest::types::word);
        inner_ = to_.number_parameter(scan_signature[5], "inner", nest::types::word);
        part_ = to_.number_parameter(scan_signature[6], "part", nest::types::word);
        parts_ = to_.number_parameter(scan_signature[7], "parts", nest::types::word);
    }

    nest::tree run() {
        if (of_.mapping == scan_mapping::columns) {
            columns();
        } else {
            load_row();
            if (of_.totals_only) total_of_row();
            else scan_of_row();
        }
        return to_.finish();
    }

private:
    // --- A line's elements are apart: a thread for each part of each line ---

    void columns() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", scan_threads);
        number_ = to_.let("number", block * scan_threads + thread);
        to_.when(number_ >= outer_ * parts_ * inner_, [&] { to_.end(); });
        const value i = to_.let("i", number_ % inner_);
        const value p = to_.let("p", number_ / inner_ % parts_);
        const value o = to_.let("o", number_ / inner_ / parts_);
        const value left = to_.let("left", count_ - p * part_);
        const value length = to_.let("length", to_.select(left < part_, left, part_));
        const value first = to_.let("first", (o * count_ + p * part_) * inner_ + i);
        const value sum = to_.variable("sum", nest::types::accumulators(), to_.identity());
        if (!of_.totals_only)
            to_.when(has_offsets() && p > 0, [&] { to_.assign(s(sum), to_.at(offsets_, number_ - inner_)); });

        const auto add = [&](value x, value element) {
            to_.assign(sum, to_.combine(sum, element));
            if (!of_.totals_only) to_.assign(to_.at(result_, first + x * inner_), s(sum));
        };
        // Eight loads go out before the first is needed.
        constexpr int in_flight = 8;
        const value whole = to_.let("whole", length / in_flight * in_flight);
        const nest::id next = to_.own("next", nest::types::accumulators(), in_flight);
        to_.loop(
            runner::serial, "x", 0, whole, in_flight,
            [&](value x) {
                to_.unrolled("u", in_flight, [&](value u) {
                    to_.assign(s(to_.at(next, u)), to_.at(operand_, first + (x + u) * inner_));
                });
                to_.unrolled("u", in_flight, [&](value u) { add(x + u, to_.at(next, u)); });
            },
            /*written_out=*/0, nest::types::word);
        to_.loop(
            runner::serial, "x", whole, length, 1,
            [&](value x) {
                to_.assign(s(to_.at(next, 0)), to_.at(operand_, first + x * inner_));
                add(x, to_.at(next, 0));
            },
            /*written_out=*/0, nest::types::word);
        if (of_.totals_only) to_.assign(to_.at(result_, number_), s(sum));
    }

    // --- A line's elements are neighbours: a warp, or a block, for each part of each line ---

    [[nodiscard]] bool by_blocks() const { return of_.mapping == scan_mapping::rows; }
    [[nodiscard]] int vector() const { return 16 / bytes_of(of_.type); }
    [[nodiscard]] int rounds() const { return scan_elements(of_.type) / vector(); }
    /// Elements of a warp in one round, and in all.
    [[nodiscard]] int of_round() const { return warp * vector(); }
    [[nodiscard]] int of_warp() const { return rounds() * of_round(); }

    /// A thread's elements into v. What is past the line's end changes nothing.
    void load_row() {
        const value block = to_.loop_of(runner::grid, "block");
        warp_ = to_.loop_of(runner::thread, "warp", scan_threads / warp);
        lane_ = to_.loop_of(runner::thread, "lane", warp);
        number_ = by_blocks() ? block : to_.let("number", block * (scan_threads / warp) + warp_);
        if (!by_blocks()) to_.when(number_ >= outer_, [&] { to_.end(); });
        const value row = to_.let("row", number_ / parts_);
        p_ = to_.let("p", number_ - row * parts_);
        const value first = to_.let(
            "first", by_blocks() ? p_ * (of_warp() * (scan_threads / warp)) + warp_ * of_warp() : p_ * of_warp());
        left_ = to_.let("left", count_ - first);
        at_ = to_.let("at", row * count_ + first + lane_ * vector());
        elements_ = to_.own("v", nest::types::accumulators(), scan_elements(of_.type));
        to_.when(
            is_whole() && to_.is_aligned(operand_, at_, 16),
            [&] {
                to_.unrolled("r", rounds(), [&](value r) {
                    const value loaded = to_.let(
                        "loaded", to_.at(operand_, at_ + r * of_round(), nest::types::vector(of_.type, vector())));
                    to_.unrolled("k", vector(), [&](value k) { to_.assign(s(element(r, k)), to_.lane(loaded, k)); });
                });
            },
            [&] {
                each_element([&](value r, value k) {
                    to_.assign(element(r, k), to_.identity());
                    to_.when(is_there(r, k),
                             [&] { to_.assign(s(element(r, k)), to_.at(operand_, at_ + r * of_round() + k)); });
                });
            });
    }

    /// A thread's elements in order, the lanes' sums in pairs, the warps' in order.
    void total_of_row() {
        const value sum = to_.variable("sum", nest::types::accumulators(), to_.identity());
        if (of_.definition) {
            total_in_order(sum);
        } else {
            each_element([&](value r, value k) { to_.assign(sum, to_.combine(sum, element(r, k))); });
            to_.halving("apart", warp / 2,
                        [&](value apart) { to_.assign(sum, to_.combine(sum, to_.shuffle_down(sum, apart))); });
        }
        const nest::id sums = sums_of_warps(sum);
        to_.when(warp_ * warp + lane_ == 0, [&] {
            to_.loop(
                runner::serial, "w", 1, scan_threads / warp, 1,
                [&](value w) { to_.assign(sum, to_.combine(sum, to_.at(sums, w))); }, /*written_out=*/0);
            to_.assign(to_.at(result_, number_), s(sum));
        });
    }

    /// Of what users combine: no element comes before one that is on its left.
    void total_in_order(value sum) {
        to_.unrolled("r", rounds(), [&](value r) {
            const value round = to_.variable("round", nest::types::accumulators(), element(r, to_.constant(0)));
            to_.loop(runner::unrolled, "k", 1, vector(), 1,
                     [&](value k) { to_.assign(round, to_.combine(round, element(r, k))); });
            to_.doubling("apart", warp,
                         [&](value apart) { to_.assign(round, to_.combine(round, to_.shuffle_down(round, apart))); });
            to_.assign(sum, to_.combine(sum, round));
        });
    }

    /// A thread's vector, then the vectors of the lanes before it, the rounds before, the warps before, the parts before.
    void scan_of_row() {
        const value before = to_.variable("before", nest::types::accumulators(), to_.identity());
        to_.unrolled("r", rounds(), [&](value r) {
            to_.loop(runner::unrolled, "k", 1, vector(), 1,
                     [&](value k) { to_.assign(element(r, k), to_.combine(element(r, k - 1), element(r, k))); });
            const value sum = to_.variable("sum", nest::types::accumulators(), element(r, to_.constant(vector() - 1)));
            to_.doubling("apart", warp, [&](value apart) {
                const value other = to_.let("other", to_.shuffle(sum, (lane_ - apart) & (warp - 1)));
                to_.when(lane_ >= apart, [&] { to_.assign(sum, to_.combine(other, sum)); });
            });
            const value beside = to_.let("beside", to_.shuffle(sum, (lane_ - 1) & (warp - 1)));
            const value ahead = to_.variable("ahead", nest::types::accumulators(), before);
            to_.when(lane_ > 0, [&] { to_.assign(ahead, to_.combine(before, beside)); });
            to_.unrolled("k", vector(), [&](value k) { to_.assign(element(r, k), to_.combine(ahead, element(r, k))); });
            to_.assign(before, to_.combine(before, to_.shuffle(sum, warp - 1)));
        });
        if (by_blocks()) after_warps_before(before);
        to_.when(
            is_whole() && to_.is_aligned(result_, at_, 16),
            [&] {
                to_.unrolled("r", rounds(), [&](value r) {
                    const value stored = to_.variable("stored", nest::types::vector(of_.type, vector()));
                    to_.unrolled("k", vector(), [&](value k) { to_.assign(to_.lane(stored, k), s(element(r, k))); });
                    to_.assign(to_.at(result_, at_ + r * of_round(), nest::types::vector(of_.type, vector())), stored);
                });
            },
            [&] {
                each_element([&](value r, value k) {
                    to_.when(is_there(r, k),
                             [&] { to_.assign(to_.at(result_, at_ + r * of_round() + k), s(element(r, k))); });
                });
            });
    }

    void after_warps_before(value before) {
        const nest::id sums = sums_of_warps(before);
        to_.assign(before, to_.identity());
        to_.when(has_offsets() && p_ > 0, [&] { to_.assign(s(before), to_.at(offsets_, number_ - 1)); });
        to_.loop(
            runner::serial, "w", 0, warp_, 1,
            [&](value w) { to_.assign(before, to_.combine(before, to_.at(sums, w))); }, /*written_out=*/0);
        each_element([&](value r, value k) { to_.assign(element(r, k), to_.combine(before, element(r, k))); });
    }

    /// What each warp has, for the whole block.
    [[nodiscard]] nest::id sums_of_warps(value mine) {
        const nest::id sums = to_.shared("of_warp", nest::types::accumulators(), scan_threads / warp);
        to_.when(lane_ == 0, [&] { to_.assign(to_.at(sums, warp_), mine); });
        to_.barrier();
        return sums;
    }

    // --- Names for what is above ---

    [[nodiscard]] value s(value accumulators) { return to_.member(accumulators, 0); }
    [[nodiscard]] value element(value r, value k) { return to_.at(elements_, r * vector() + k); }
    template <class Each>
    void each_element(Each each) {
        to_.unrolled("r", rounds(), [&](value r) { to_.unrolled("k", vector(), [&](value k) { each(r, k); }); });
    }
    [[nodiscard]] value has_offsets() { return !to_.is_null(offsets_); }
    [[nodiscard]] value is_whole() { return left_ >= of_warp(); }
    [[nodiscard]] value is_there(value r, value k) { return r * of_round() + lane_ * vector() + k < left_; }

    const scan_step& of_;
    builder to_;
    nest::id result_ = nest::none, operand_ = nest::none, offsets_ = nest::none, elements_ = nest::none;
    value outer_, count_, inner_, part_, parts_;
    value warp_, lane_, number_, p_, left_, at_;
};

}  // namespace

std::string scan_word(const scan_step& of) {
    return std::string(of.definition ? "scan_" : "cum") + detail::name_of(of.what, of.definition);
}

std::string scan_name(const scan_step& of) {
    const char* const mapping = of.mapping == scan_mapping::columns ? "column"
                                : of.mapping == scan_mapping::rows  ? "row"
                                                                    : "short_row";
    return text::format("kiln_{}_{}_{}{}", scan_word(of), info(of.type).suffix, mapping,
                        of.totals_only ? "_totals" : "s");
}

std::string scan_text(const scan_step& of) { return text::format("{} of {}", scan_word(of), info(of.type).name); }

nest::tree scan_nest(const scan_step& of) { return scan_policy(of).run(); }

}  // namespace kiln::plan
