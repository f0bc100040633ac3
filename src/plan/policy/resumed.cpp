#include <plan/policy/resumed.hpp>

#include <capture/reduction_table.hpp>
#include <plan/nest/builder.hpp>
#include <plan/policy/value_threads.hpp>
#include <plan/reduction.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::runner;
using nest::value;
namespace types = nest::types;

class resumed_policy {
public:
    explicit resumed_policy(const resumed_step& of)
        : of_(of),
          threads_(of.order.threads_per_output),
          lanes_of_split_(of.order.lanes()),
          to_(resumed_name(of), block_threads(of), /*wide=*/true) {
        to_.set({{{0, of.of}}});
        elements_ = to_.memory_parameter(resumed_signature[0], "elements", types::element(of.of.accumulated), false);
        lanes_ = to_.memory_parameter(resumed_signature[1], "lanes", types::accumulators(), true);
        splits_known_ = to_.memory_parameter(resumed_signature[2], "known", types::accumulators(), true);
        results_ = to_.memory_parameter(resumed_signature[3], "to", types::element(of.of.result), true);
        value* const numbers[] = {&kept_,        &reduced_,     &part_,   &begin_, &count_,
                                  &first_split_, &split_count_, &splits_, &turns_};
        static constexpr const char* names[] = {"kept",        "reduced",     "part",   "begin", "count",
                                                "first_split", "split_count", "splits", "turns"};
        for (std::size_t i = 0; i < std::size(numbers); ++i)
            *numbers[i] = to_.number_parameter(resumed_signature[4 + i], names[i], types::word);
        block_ = to_.loop_of(runner::grid, "block");
        thread_ = to_.loop_of(runner::thread, "thread", block_threads(of));
    }

    nest::tree run() {
        switch (of_.what) {
            case resumed_step::kind::take: take(); break;
            case resumed_step::kind::close: close(); break;
            case resumed_step::kind::end: end(); break;
        }
        return to_.finish();
    }

private:
    /// Neighbouring threads on neighbouring elements in memory.
    void take() {
        const value number = to_.let("number", block_ * block_threads(of_) + thread_);
        to_.when(number >= kept_ * split_count_ * lanes_of_split_, [&] { to_.end(); });
        const bool rows = of_.order.along_rows;
        const value which = to_.let("value", rows ? number / lanes_of_split_ / split_count_ : number % kept_);
        const value lane = to_.let("lane", rows ? number % lanes_of_split_ : number / kept_ % lanes_of_split_);
        const value split = to_.let("split", first_split_ + (rows ? number / lanes_of_split_ % split_count_
                                                                  : number / kept_ / lanes_of_split_));
        const value start = to_.let("start", split * part_);
        const value from = to_.let("from", to_.select(start < begin_, begin_, start));
        const value limit = to_.let("limit", begin_ + count_);
        const value to = to_.let("end", to_.select(start + part_ < limit, start + part_, limit));
        const value before = to_.let("before", from - start);
        const value rounds_before = to_.let("rounds_before", to_.select(before > lane, rounds(before - lane), word(0)));
        const value first = to_.let("first", start + rounds_before * lanes_of_split_ + lane);
        const value place = to_.let("place", first_of_split(which, split) + lane * lane_stride());
        const value known = to_.variable("mine", types::accumulators(), to_.identity());
        to_.when(start < begin_, [&] { to_.assign(known, to_.at(lanes_, place)); });
        const value turns = to_.let("rounds", to_.select(first < to, rounds(to - first), word(0)));
        const value at = to_.let("at", rows ? which * count_ + (first - begin_) : (first - begin_) * kept_ + which);
        const value apart = rows ? word(lanes_of_split_) : to_.let("apart", kept_ * lanes_of_split_);
        append_rounds(known, first, turns, at, apart);
        to_.assign(to_.at(lanes_, place), known);
    }

    /// Of an array far larger than a chunk, the chunk has lanes of one split alone, 1024 of them, which wait for memory: elements come to
    /// shared memory in the background, groups of rounds ahead. (Of loads to registers the assembler leaves few under way, however many
    /// are written out: a chunk of 32 MB took an H100 764 us.) What appends in many steps takes NVRTC its time for each that is written out.
    void append_rounds(value known, value first, value rounds, value at, value apart) {
        const int bytes = bytes_of(of_.of.accumulated);
        const bool in_many_steps = of_.of.appends_apart() || of_.of.definition != 0;
        const int at_once = std::clamp(64 / bytes, 4, 16);
        constexpr int groups = 8;  // under way
        const bool in_background = bytes >= 4;
        const nest::type element = types::element(of_.of.accumulated);
        const nest::id next = in_background ? to_.shared("next", element, groups * at_once * block_threads(of_))
                                            : to_.own("next", element, at_once);
        const value whole = to_.let("whole", rounds / at_once);
        const auto in_memory = [&](value x) { return to_.at(elements_, at + x * apart); };
        const auto append = [&](value of, value x) {
            const value one = to_.variable("one", types::accumulators());
            to_.assign_one(to_.member(one, 0), of, first + x * lanes_of_split_);
            to_.assign(known, to_.append(known, one));
        };
        const auto append_group = [&](value group, auto element_of) {
            const auto each = [&](value u) { append(element_of(u), group * at_once + u); };
            if (in_background && in_many_steps) to_.loop(runner::serial, "u", 0, at_once, 1, each);
            else to_.unrolled("u", at_once, each);
        };
        const auto each_group = [&](const char* name, value from, value to, auto take) {
            to_.loop(runner::serial, name, from, to, 1, take, /*written_out=*/1, types::word);
        };
        if (in_background) {
            // Each thread copies what it appends itself.
            const auto place = [&](value group, value u) {
                return to_.at(next,
                              to_.convert((group % groups * at_once + u) * block_threads(of_) + thread_, types::small));
            };
            const auto copy_group = [&](value group) {
                to_.when(group < whole, [&] {
                    to_.unrolled("u", at_once,
                                 [&](value u) { to_.copy_async(place(group, u), in_memory(group * at_once + u)); });
                });
                to_.commit_copies();
            };
            each_group("ahead", word(0), word(groups - 1), copy_group);
            each_group("group", word(0), whole, [&](value group) {
                copy_group(group + (groups - 1));
                to_.wait_copies(groups - 1);
                append_group(group, [&](value u) { return place(group, u); });
            });
        } else {
            each_group("group", word(0), whole, [&](value group) {
                to_.unrolled("u", at_once,
                             [&](value u) { to_.assign(to_.at(next, u), in_memory(group * at_once + u)); });
                append_group(group, [&](value u) { return to_.at(next, u); });
            });
        }
        to_.loop(
            runner::serial, "x", whole * at_once, rounds, 1, [&](value x) { append(in_memory(x), x); },
            /*written_out=*/1, types::word);
    }

    void close() {
        const value which = to_.let("value", block_ % kept_);
        const value split = to_.let("split", first_split_ + block_ / kept_);
        const value first = to_.let("first", first_of_split(which, split));
        const value known = combined_threads([&](value thread) {
            if (!of_.order.along_rows) return to_.at(lanes_, first + thread * kept_);
            const value own = to_.let("own", first + thread * reduction_sizes::widest);
            return combined_places(to_, [&](int k) { return to_.at(lanes_, own + k); });
        });
        to_.when(thread_ == 0, [&] { to_.assign(to_.at(splits_known_, split * kept_ + which), known); });
    }

    /// As the last block of a value: its threads take the splits in turns.
    void end() {
        const value which = to_.let("value", block_);
        if (of_.order.splits == 1) {
            to_.when(thread_ == 0, [&] { store(which, to_.at(splits_known_, which)); });
            return;
        }
        const value known = combined_threads([&](value thread) {
            const value mine = to_.variable("mine", types::accumulators(), to_.identity());
            to_.loop(
                runner::serial, "split", thread, splits_, threads_,
                [&](value split) { to_.assign(mine, to_.combine(mine, to_.at(splits_known_, split * kept_ + which))); },
                /*written_out=*/1, types::word);
            return mine;
        });
        to_.when(thread_ == 0, [&] { store(which, known); });
    }

    void store(value which, value known) {
        const value mine = to_.variable("all", types::accumulators(), known);
        to_.assign(to_.at(results_, which), to_.finish(to_.member(mine, 0), 0, reduced_));
    }

    /// What a value's threads have, in the pairs of value_threads: of rows those of a warp first, then the warps.
    template <class Known>
    value combined_threads(Known known_by) {
        const nest::id shared = to_.shared("shared", types::accumulators(), threads_);
        each_of_block(word(threads_), [&](value thread) { to_.assign(to_.at(shared, thread), known_by(thread)); });
        const int of_group = of_.order.along_rows ? std::min(threads_, warp) : threads_;
        halve(shared, 1, threads_ / of_group, of_group);
        halve(shared, of_group, 1, threads_ / of_group);
        to_.barrier();
        return to_.at(shared, 0);
    }

    /// Groups of `count`, which are `apart` from each other, as are those of a group.
    void halve(nest::id shared, int apart, int groups, int count) {
        if (count == 1) return;
        to_.halving(
            "half", count / 2,
            [&](value half) {
                to_.barrier();
                const value pairs = to_.let("pairs", to_.convert(half, types::word) * groups);
                each_of_block(pairs, [&](value pair) {
                    const value left = to_.let("left", (pair / half * count + pair % half) * apart);
                    to_.assign(to_.at(shared, left),
                               to_.combine(to_.at(shared, left), to_.at(shared, left + half * apart)));
                });
            },
            runner::serial);
    }

    template <class Each>
    void each_of_block(value count, Each each) {
        to_.loop(runner::serial, "turn", thread_, count, block_threads(of_), each, /*written_out=*/1, types::word);
    }

    // --- Places ---

    [[nodiscard]] value word(std::int64_t number) { return to_.constant(number, types::word); }
    [[nodiscard]] value rounds(value elements) { return (elements + (lanes_of_split_ - 1)) / lanes_of_split_; }
    [[nodiscard]] value lane_stride() { return of_.order.along_rows ? word(1) : kept_; }
    [[nodiscard]] value first_of_split(value which, value split) {
        if (of_.order.along_rows) return (which * turns_ + split % turns_) * lanes_of_split_;
        return split % turns_ * lanes_of_split_ * kept_ + which;
    }

    const resumed_step& of_;
    const int threads_;
    const int lanes_of_split_;
    nest::builder to_;
    nest::id elements_ = nest::none, lanes_ = nest::none, splits_known_ = nest::none, results_ = nest::none;
    value kept_, reduced_, part_, begin_, count_, first_split_, split_count_, splits_, turns_;
    value block_, thread_;
};

}  // namespace

std::string resumed_name(const resumed_step& of) {
    std::string types(info(of.of.accumulated).suffix);
    if (of.of.result != of.of.accumulated) types += text::format("_to_{}", info(of.of.result).suffix);
    const char* const what = of.what == resumed_step::kind::take    ? "taken"
                             : of.what == resumed_step::kind::close ? "closed"
                             : of.order.splits > 1                  ? "ended"
                                                                    : "stored";
    return text::format("kiln_{}_{}_{}{}_{}", detail::name_of(of.of.what, of.of.definition), types,
                        of.order.along_rows ? "row" : "column", of.order.threads_per_output, what);
}

std::string resumed_text(const resumed_step& of) {
    const char* const which = of.what == resumed_step::kind::take    ? "of a chunk"
                              : of.what == resumed_step::kind::close ? "of a split's lanes"
                                                                     : "of all splits";
    return text::format("{} of {}, {}", detail::name_of(of.of.what, of.of.definition), info(of.of.accumulated).name,
                        which);
}

nest::tree resumed_nest(const resumed_step& of) { return resumed_policy(of).run(); }

}  // namespace kiln::plan
