// Parts of lines that are read once: each block publishes what its part comes to, and makes of what others published what comes before
// it, in the order in which a scan of all those totals would come to it: any block can, since that order is a tree of few levels.
// Nobody waits for what a predecessor makes of its own predecessors, but for the sums of whole rounds, which one block for each makes.
// The part stays in shared memory: registers for it, beside those of who looks back, would leave room for half as many blocks (H200,
// rows of 100,000 floats: 156 us in place of 192).
#include <plan/policy/scan_rows.hpp>

namespace kiln::plan {

namespace {

using nest::value;

class row_part_scan : row_scan {
public:
    explicit row_part_scan(const scan_step& of) : row_scan(of), carry_(carry_of(of)) {}

    nest::tree run() {
        // As many as have room for their parts; of wide types, for registers.
        to_.resident(bytes_of(of_.type) <= 4 ? 5 : 4);
        begin();
        take(number_of_block(thread()));
        totals_ = to_.let("totals", row_ * parts_ + 1);
        if (carry_ != scan_carry::sequence) {
            const value rounds_of_line = to_.let("rounds_of_line", ceiling(parts_, of_round()));
            rounds_ = to_.let("rounds", outer_ * parts_ + row_ * rounds_of_line + 1);
        }
        const nest::id sums = to_.shared("before_warp", nest::types::accumulators(), scan_threads / warp);
        const nest::id carry = to_.shared("carry", element_type_, 1);
        tile_ = to_.shared("tile", element_type_, of_block(), 16);
        round_ = to_.own("v", nest::types::accumulators(), vector());
        place();
        const value scans = to_.let("scans", warp_ < scan_threads / warp);
        to_.when(
            scans, [&] { scan_part(sums); },
            [&] {
                to_.when(p_ > 0, [&] {
                    const value came = carry_ == scan_carry::sequence ? in_sequence() : by_rounds();
                    to_.when(lane_ == 0, [&] { to_.assign(to_.at(carry, 0), s(came)); });
                });
            });
        to_.barrier();
        to_.when(scans, [&] {
            const value before = nothing("before");
            to_.when(p_ > 0, [&] { to_.assign(s(before), to_.at(carry, 0)); });
            add_warps_before(before, sums);
            store(before);
        });
        return to_.finish();
    }

private:
    // --- Warps that have a part: in shared memory, where each thread's vectors are its own ---

    void scan_part(nest::id sums) {
        load();
        const value total = total_of_block();
        to_.when(thread() == 0 && p_ + 1 < parts_, [&] { to_.publish(to_.at(states_, totals_ + p_), s(total)); });
        const value of_warp = scan_of_warp();
        to_.when(lane_ == 0, [&] { to_.assign(to_.at(sums, warp_), of_warp); });
    }

    [[nodiscard]] nest::type vectors() const { return nest::types::vector(of_.type, vector()); }
    [[nodiscard]] value in_tile(value r) { return warp_ * of_warp() + r * of_round() + lane_ * vector(); }

    round_elements open_round(value r) override {
        const value loaded = to_.let("loaded", to_.at(tile_, in_tile(r), vectors()));
        const round_elements at = [this](value k) { return to_.at(round_, k); };
        to_.unrolled("k", vector(), [&](value k) { to_.assign(s(at(k)), to_.lane(loaded, k)); });
        return at;
    }
    void close_round(value r, const round_elements& at) override {
        to_.assign(to_.at(tile_, in_tile(r), vectors()), joined(at));
    }
    [[nodiscard]] value joined(const round_elements& at) {
        const value stored = to_.variable("stored", vectors());
        to_.unrolled("k", vector(), [&](value k) { to_.assign(to_.lane(stored, k), s(at(k))); });
        return stored;
    }
    void meet() override { to_.barrier_of(scan_threads); }

    void load() {
        to_.when(
            is_whole() && to_.is_aligned(operand_, at_, 16),
            [&] {
                to_.unrolled("r", rounds(), [&](value r) {
                    to_.copy_async(to_.at(tile_, in_tile(r), vectors()),
                                   to_.at(operand_, at_ + r * of_round(), vectors()));
                });
                to_.commit_copies();
                to_.wait_copies(0);
            },
            [&] {
                each_element([&](value r, value k) {
                    const value element = nothing("element");
                    to_.when(is_there(r, k),
                             [&] { to_.assign(s(element), to_.at(operand_, at_ + r * of_round() + k)); });
                    to_.assign(to_.at(tile_, in_tile(r) + k), s(element));
                });
            });
    }

    void store(value before) {
        const auto finished = [&](value r) {
            const round_elements at = open_round(r);
            to_.unrolled("k", vector(), [&](value k) { to_.assign(at(k), to_.combine(before, at(k))); });
            return at;
        };
        to_.when(
            is_whole() && to_.is_aligned(result_, at_, 16),
            [&] {
                to_.unrolled("r", rounds(), [&](value r) {
                    const round_elements at = finished(r);
                    to_.assign(to_.at(result_, at_ + r * of_round(), vectors()), joined(at));
                });
            },
            [&] {
                to_.unrolled("r", rounds(), [&](value r) {
                    const round_elements at = finished(r);
                    to_.unrolled("k", vector(), [&](value k) {
                        to_.when(is_there(r, k),
                                 [&] { to_.assign(to_.at(result_, at_ + r * of_round() + k), s(at(k))); });
                    });
                });
            });
    }

    // --- The warp that looks at what others published ---

    /// One after the other, as a thread of mapping `columns` takes them.
    value in_sequence() {
        const nest::id total = to_.own("total", element_type_, 1);
        const value mine = nothing("mine");
        const value is_there = to_.let("there", to_.select(lane_ < p_, to_.constant(1), 0));
        to_.await(to_.at(total, 0), 1, to_.at(states_, totals_ + lane_), 1, is_there);
        to_.when(is_there > 0, [&] { to_.assign(s(mine), to_.at(total, 0)); });
        const value came = nothing("came");
        to_.loop(
            nest::runner::serial, "i", 0, small(p_), 1, [&](value i) { add(came, to_.shuffle(mine, i)); },
            /*written_out=*/0);
        return came;
    }

    void add_published(std::string_view name, value first, int most, value there, value to) {
        const nest::id next = to_.own(name, element_type_, most);
        const value count = to_.let("there", nest::types::small, small(there));
        to_.await(to_.at(next, 0), most, to_.at(states_, first), 1, count);
        to_.unrolled("u", most, [&](value u) { to_.when(u < count, [&] { add_element(to, to_.at(next, u)); }); });
    }

    /// What mappings `short_rows` and `rows` make of the totals up to that of the part before: its round, the rounds before it that a
    /// warp would have, the warps before.
    value by_rounds() {
        const value last = to_.let("last", p_ - 1);
        const value round = to_.let("round", last / of_round());
        const value in_round = to_.let("in_round", nest::types::small, small(last - round * of_round()));
        const nest::id totals = to_.own("total", nest::types::accumulators(), vector());
        await_vector(totals_ + round * of_round() + lane_ * vector(), in_round + 1 - lane_ * vector(),
                     [&](value k) { return to_.at(totals, k); });
        const scanned_round scanned = scan_round([&](value k) { return to_.at(totals, k); });
        to_.when(in_round == of_round() - 1 && lane_ == warp - 1,
                 [&] { to_.publish(to_.at(states_, rounds_ + round), s(scanned.sum)); });

        // A lane for each warp that would have rounds.
        const value of_line = to_.let("of_line", nest::types::small, small(round));
        const value w = to_.let("w", of_line / rounds());
        const value mine = nothing("of_rounds");
        const value there = to_.select(lane_ < w, rounds(), to_.select(lane_ == w, of_line % rounds(), 0));
        add_published("of_round", rounds_ + at_most(lane_, scan_threads / warp - 1) * rounds(), rounds(), there, mine);
        const value ahead = ahead_of(to_.let("before_round", to_.shuffle(mine, w)), scanned.beside);
        const value came = to_.variable("came", nest::types::accumulators(), ahead);
        to_.unrolled("k", vector(), [&](value k) {
            to_.when(k == in_round % vector(), [&] { to_.assign(came, to_.combine(ahead, to_.at(totals, k))); });
        });
        to_.assign(came, to_.shuffle(came, in_round / vector()));
        to_.when(parts_ > of_warp(), [&] {
            const value before = nothing("before_warps");
            to_.loop(
                nest::runner::serial, "i", 0, w, 1, [&](value i) { add(before, to_.shuffle(mine, i)); },
                /*written_out=*/0);
            to_.assign(came, to_.combine(before, came));
        });
        return came;
    }

    /// Of a vector of totals those that are there, of the others nothing.
    template <class To>
    void await_vector(value first, value there, To to) {
        const nest::id next = to_.own("next", element_type_, vector());
        const value count = to_.let("there", to_.select(there > 0, at_most(there, vector()), 0));
        to_.await(to_.at(next, 0), vector(), to_.at(states_, first), 1, count);
        to_.unrolled("k", vector(), [&](value k) {
            to_.assign(to(k), to_.identity());
            to_.when(k < count, [&] { to_.assign(s(to(k)), to_.at(next, k)); });
        });
    }

    const scan_carry carry_;
    nest::id tile_ = nest::none, round_ = nest::none;
    value totals_, rounds_;  // where they are among what is published
};

}  // namespace

nest::tree row_part_nest(const scan_step& of) { return row_part_scan(of).run(); }

}  // namespace kiln::plan
