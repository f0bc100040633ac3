// What comes before a part, of what blocks published of those before it.
#include <plan/policy/scan_row_parts.hpp>

namespace kiln::plan {

using nest::value;

value row_part_scan::look_back() { return carry_ == scan_carry::sequence ? in_sequence() : by_rounds(); }

/// One after the other, as a thread of mapping `columns` takes them.
value row_part_scan::in_sequence() {
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

void row_part_scan::add_published(std::string_view name, value first, int most, value there, value to) {
    const nest::id next = to_.own(name, element_type_, most);
    const value count = to_.let("there", nest::types::small, small(there));
    to_.await(to_.at(next, 0), most, to_.at(states_, first), 1, count);
    to_.unrolled("u", most, [&](value u) { to_.when(u < count, [&] { add_element(to, to_.at(next, u)); }); });
}

/// Of a vector of totals those that are there, of the others nothing.
template <class To>
void row_part_scan::await_vector(value first, value there, To to) {
    const nest::id next = to_.own("next", element_type_, vector());
    const value count = to_.let("there", to_.select(there > 0, at_most(there, vector()), 0));
    to_.await(to_.at(next, 0), vector(), to_.at(states_, first), 1, count);
    to_.unrolled("k", vector(), [&](value k) {
        to_.assign(to(k), to_.identity());
        to_.when(k < count, [&] { to_.assign(s(to(k)), to_.at(next, k)); });
    });
}

/// What mappings `short_rows` and `rows` make of the totals up to that of the part before: its round, the rounds before it that a
/// warp would have, the warps before.
value row_part_scan::by_rounds() {
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

void row_part_scan::await_before(value to) {
    const nest::id came = to_.own("came", element_type_, 1);
    to_.await(to_.at(came, 0), 1, to_.at(states_, befores_ + p_), 1, 1);
    to_.assign(to, to_.at(came, 0));
}

// --- The block that makes it for all: as by_rounds(), whose totals come one after the other ---

void row_part_scan::serve() {
    to_.loop(
        nest::runner::serial, "row", warp_, outer_, scan_threads / warp, [&](value row) { serve_line(row); },
        /*written_out=*/1, nest::types::word);
}

void row_part_scan::serve_line(value row) {
    totals_ = to_.let("totals", row * parts_ + 1);
    befores_ = to_.let("befores", (outer_ + row) * parts_ + 1);
    const value before_warps = nothing("before_warps");
    const value before_round = nothing("before_round");
    // Nobody waits for the last part's.
    to_.loop(
        nest::runner::serial, "first", 0, parts_ - 1, of_round(),
        [&](value first) {
            add(before_round, serve_round(first, parts_ - 1 - first, before_round, before_warps));
            to_.when((first + of_round()) % of_warp() == 0, [&] {
                add(before_warps, before_round);
                to_.assign(before_round, to_.identity());
            });
        },
        /*written_out=*/1, nest::types::word);
}

/// Until all totals of a round were there. Gives what they come to.
value row_part_scan::serve_round(value first, value left, value before, value before_warps) {
    const nest::id next = to_.own("next", element_type_, vector());
    const value mine = to_.let("mine", nest::types::word, left - lane_ * vector());
    const value wanted =
        to_.let("wanted", nest::types::small, small(to_.select(mine > 0, at_most(mine, vector()), to_.constant(0))));
    const value of_round_sum = nothing("of_round");
    to_.loop_while_below("served", 0, of_round(), [&](value served) {
        const value found = to_.variable("found", nest::types::small, 0);
        to_.look(to_.at(next, 0), vector(), to_.at(states_, totals_ + first + lane_ * vector()), wanted, found);
        to_.when(found > small(served), [&] {
            const value of_lane = to_.let("of_lane", found - lane_ * vector());
            const value there = to_.let(
                "there", to_.select(of_lane > 0, to_.select(of_lane < wanted, of_lane, wanted), to_.constant(0)));
            const value served_here = to_.let("served_here", small(served) - lane_ * vector());
            const round_elements at = [this](value k) { return to_.at(round_, k); };
            to_.unrolled("k", vector(), [&](value k) {
                to_.assign(at(k), to_.identity());
                to_.when(k < there, [&] { to_.assign(s(at(k)), to_.at(next, k)); });
            });
            const scanned_round scanned = scan_round(at);
            const value ahead = ahead_of(before, scanned.beside);
            to_.unrolled("k", vector(), [&](value k) {
                to_.when(served_here <= k && k < there, [&] {
                    const value came = to_.variable("came", nest::types::accumulators(), to_.combine(ahead, at(k)));
                    to_.when(parts_ > of_warp(), [&] { to_.assign(came, to_.combine(before_warps, came)); });
                    to_.publish(to_.at(states_, befores_ + first + lane_ * vector() + k + 1), s(came));
                });
            });
            to_.assign(of_round_sum, to_.shuffle(scanned.sum, warp - 1));
            to_.assign(served, found);
        });
    });
    return of_round_sum;
}

}  // namespace kiln::plan
