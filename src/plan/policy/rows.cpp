// A thread takes vectors of a row, element k of each into its accumulator k.
#include <plan/policy/neighbour_lanes.hpp>
#include <plan/policy/reduction.hpp>

#include <algorithm>
#include <vector>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class rows_policy : public reduction_policy {
public:
    rows_policy(const lower::program& program, const kernel& of)
        : reduction_policy(program, of), innermost_(to_, operands_, threads_, program, of) {
        constexpr int threads_at_once = 2048;  // of a multiprocessor
        if (takes_innermost_rows() && innermost_.needs_all_threads())
            to_.resident(std::max(1, threads_at_once / of.threads_per_block));
    }

private:
    [[nodiscard]] int width() const { return of_.vector_width; }
    value is_whole(value first) override { return first + width() <= threads_.end; }
    value mine(nest::value_or_number) override { return mine_; }
    value moves_in_vectors(std::size_t input) override {
        return begins_as_skewed_.empty() ? value() : begins_as_skewed_[input];
    }

    void take_elements() override {
        if (takes_neighbours(of_)) return take_neighbours();
        if (of_.turns > 1) return take_in_turn();
        lane_ = threads_.lane;
        if (of_.skewed) find_skew();
        take_as_one_thread();
        if (of_.skewed) {
            leave_places();
            to_.barrier();
            take_places();
        }
        mine_ = to_.variable("mine", types::accumulators(), combined_places(to_, [&](int k) { return part(k); }));
    }

    /// What the order's threads have that are one here.
    void take_in_turn() {
        mine_ = to_.variable("mine", types::accumulators(), to_.identity());
        before_ = to_.variable("before", types::accumulators(), to_.identity());
        if (of_.skewed) find_skew();
        each_turn([&](value turn) {
            to_.unrolled("k", width(), [&](value k) { to_.assign(part(k), to_.identity()); });
            take_as_one_thread();
            if (of_.skewed) leave_places();
            else combine_turn(turn);
        });
        if (of_.skewed) {
            to_.barrier();
            each_turn([&](value turn) {
                take_places();
                combine_turn(turn);
            });
        }
        to_.assign(mine_, to_.combine(before_, mine_));
    }

    template <class Each>
    void each_turn(Each each) {
        static_assert(row_turns == 4);
        to_.loop(runner::serial, "turn", 0, row_turns, 1, [&](value turn) {
            lane_ = to_.let("lane_of_turn", types::small, threads_.lane_of_turn(turn % 2 * 2 + turn / 2));
            each(turn);
        });
    }

    /// As threads of a warp are combined: those half of them apart, which follow each other here, then those a quarter apart.
    void combine_turn(value turn) {
        const value of_turn =
            to_.let("of_turn", types::accumulators(), combined_places(to_, [&](int k) { return part(k); }));
        to_.when(
            turn % 2 == 0, [&] { to_.assign(mine_, of_turn); },
            [&] { to_.assign(mine_, to_.combine(mine_, of_turn)); });
        to_.when(turn == 1, [&] { to_.assign(before_, mine_); });
    }

    void take_as_one_thread() {
        const value start = threads_.first + lane_ * width();
        if (of_.skewed) {
            skewed_rounds(start);
        } else if (of_.vectorised) {
            rounds(start);
            rest_of_row();
        } else {
            one_by_one(start);
        }
    }

    /// In the order of vectors.
    void one_by_one(value start) {
        const auto rounds = [&](value from, value end, int written_out, const std::function<void(value)>& take) {
            to_.loop(runner::serial, "next", from, end, threads_.round(), take, written_out, types::number);
        };
        const auto anywhere = [&](value next) { elements_of_vector(next); };
        if (!takes_innermost_rows()) return rounds(start, threads_.end, /*written_out=*/2, anywhere);
        const value whole = whole_rounds(1);
        rounds(start, whole, /*written_out=*/1, [&](value next) {
            innermost_.take(
                next, 1, [&](value k, value one) { append(part(k), one); }, [&] { anywhere(next); });
        });
        rounds(whole + lane_ * width(), threads_.end, /*written_out=*/1, anywhere);
    }

    /// A long body is not written out once more.
    [[nodiscard]] bool takes_innermost_rows() const { return has_innermost_rows(of_) && loads_in_flight() >= 4; }

    /// Where the last begins that has all of its rounds, and those all of their elements.
    value whole_rounds(int at_once) {
        const value count = to_.constant(at_once * threads_.round(), types::number);
        return to_.let("whole", types::number, threads_.first + (threads_.end - threads_.first) / count * count);
    }

    /// A thread's elements of several rounds are asked for before the first of them is needed, as long as all of them are there.
    void take_neighbours() {
        const int rounds = !takes_innermost_rows() && loads_in_flight() >= 4 && of_.loads_in_flight >= 2 ? 2 : 1;
        const value mine = to_.let("own", types::number, first_neighbour(threads_.lane));
        const value whole = whole_rounds(rounds);
        const auto take = [&](value first, value k) { element(first, [&](value one) { append(part(k), one); }); };
        const auto each_neighbour = [&](value next, auto each) {
            to_.unrolled("k", width(), [&](value k) { each(to_.let("first", types::number, next + k * warp), k); });
        };
        to_.loop(
            runner::serial, "next", threads_.first + mine, whole, rounds * threads_.round(),
            [&](value next) {
                if (takes_innermost_rows())
                    return innermost_.take(
                        next, warp, [&](value k, value one) { append(part(k), one); },
                        [&] { each_neighbour(next, take); });
                to_.unrolled("u", rounds, [&](value u) {
                    each_neighbour(to_.let("round", types::number, next + u * threads_.round()), take);
                });
            },
            /*written_out=*/1, types::number);
        to_.loop(
            runner::serial, "next", whole + mine, threads_.end, threads_.round(),
            [&](value next) {
                each_neighbour(next,
                               [&](value first, value k) { to_.when(first < threads_.end, [&] { take(first, k); }); });
            },
            /*written_out=*/1, types::number);
        neighbours_exchange(to_, to_.let("lane_of_warp", types::small, threads_.lane % warp)).turn([&](int k) {
            return part(k);
        });
        mine_ = to_.variable("mine", types::accumulators(), combined_places(to_, [&](int k) { return part(k); }));
    }

    /// Fewer elements than a vector, which belong to the thread whose turn it would be.
    void rest_of_row() {
        const value vectors = to_.let("vectors", types::number, (threads_.end - threads_.first) / width());
        rest_from(vectors, to_.let("rest", types::number, threads_.first + vectors * width()));
    }

    void rest_from(value vectors, value rest) {
        const bool is_long = of_.last_step - of_.first_step > 16;
        to_.when(rest < threads_.end && lane_ == vectors % of_.threads_per_output, [&] {
            if (is_long) elements_in_turn(rest);
            else elements_of_vector(rest);
        });
    }

    // --- Rows that begin anywhere ---

    /// Vectors where memory has them: the first lacks `skew` elements. What comes to a thread's accumulators is then what the order has
    /// for those `skew` places before: all of it, and in turn. So they go there once, and no element does.
    void skewed_rounds(value start) {
        const value skew = skew_;
        const value is_first = lane_ == 0;
        to_.when(is_first, [&] {
            to_.unrolled("k", width(), [&](value k) {
                to_.when(k >= skew, [&] {
                    const value first = to_.let("first", types::number, threads_.first + (k - skew));
                    to_.when(first < threads_.end, [&] { element(first, [&](value one) { append(part(k), one); }); });
                });
            });
        });
        rounds(to_.let("second", types::number, to_.select(is_first, start + threads_.round(), start) - skew));
        const value vectors = to_.let("vectors", types::number, (threads_.end - threads_.first + skew) / width());
        // Of none, all is the first vector's.
        to_.when(vectors > 0, [&] {
            rest_from(vectors, to_.let("rest", types::number, threads_.first + vectors * width() - skew));
        });
    }

    void find_skew() {
        skew_ = to_.let("skew", types::number, skew_of_row());
        begins_as_skewed_.resize(of_.inputs.size());
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            if (i == of_.skewed_input() || each.how == access::uniform) continue;
            value_threads::place at = threads_.place_of(threads_.first);
            const value place = threads_.address(i, at) - to_.convert(skew_, types::index);
            begins_as_skewed_[i] = to_.let("is_skewed_" + operands_.input_name(i),
                                           to_.is_aligned(operands_.memory_of_input(i), place, aligned_bytes(each)));
        }
        const int all = of_.threads_per_output * width();
        places_ = to_.shared("places", types::accumulators(), of_.threads_per_block * of_.turns * width());
        of_row_ = to_.let("of_row", types::small, threads_.thread / of_.threads_of_row() * all);
    }

    [[nodiscard]] int aligned_bytes(const operand& of) const {
        constexpr int widest_access = 16;  // bytes of a thread
        return std::min(bytes_of(of.type) * width(), widest_access);
    }

    /// Elements from where a vector may begin to where the row's, or the split's, do.
    value skew_of_row() {
        const std::size_t input = of_.skewed_input();
        const int bytes = bytes_of(of_.inputs[input].type);
        const int aligned = aligned_bytes(of_.inputs[input]);
        value_threads::place at = threads_.place_of(threads_.first);
        const value place = to_.let("place", types::index, threads_.address(input, at));
        value skew = to_.constant(0, types::number);
        for (int by = aligned / bytes; --by > 0;)
            skew = to_.select(to_.is_aligned(operands_.memory_of_input(input), place - by, aligned),
                              to_.constant(by, types::number), skew);
        return skew;
    }

    /// Accumulators change hands.
    void leave_places() {
        const value mine = to_.let("first_place", types::small, lane_ * width());
        to_.unrolled("k", width(), [&](value k) { to_.assign(to_.at(places_, of_row_ + mine + k), part(k)); });
    }
    void take_places() {
        const int all = of_.threads_per_output * width();
        to_.unrolled("k", width(), [&](value k) {
            const value place = to_.let("place", types::small, lane_ * width() + k + to_.convert(skew_, types::small));
            to_.assign(part(k), to_.at(places_, of_row_ + to_.select(place < all, place, place - all)));
        });
    }

    /// With the body once in the kernel's text: a long one takes its time to compile.
    void elements_in_turn(value from) {
        to_.loop(runner::serial, "k", 0, width() - 1, 1, [&](value k) {
            const value first = to_.let("first", types::number, from + k);
            to_.when(first >= threads_.end, [&] { to_.leave(); });
            element(first, [&](value one) {
                to_.unrolled("each", width() - 1,
                             [&](value each) { to_.when(each == k, [&] { append(part(each), one); }); });
            });
        });
    }

    void elements_of_vector(value from) {
        to_.unrolled("k", width(), [&](value k) {
            const value first = to_.let("first", types::number, from + k);
            to_.when(first < threads_.end, [&] { element(first, [&](value one) { append(part(k), one); }); });
        });
    }

    innermost_rows innermost_;
    value lane_;  // which of the order's threads this is
    value mine_;
    value before_;                         // of turns, what half of them came to
    value skew_, of_row_;                  // of rows that begin anywhere; where the row's accumulators begin
    std::vector<value> begins_as_skewed_;  // of the other inputs
    nest::id places_ = nest::none;
};

}  // namespace

nest::tree rows_nest(const lower::program& program, const kernel& of) { return rows_policy(program, of).run(); }

}  // namespace kiln::plan
