// A line's elements are neighbours: a warp, or a block, for each part of each line.
#include <plan/policy/scan_rows.hpp>

namespace kiln::plan {

using nest::runner;
using nest::value;

nest::tree row_scan::run() {
    begin();
    elements_ = to_.own("v", nest::types::accumulators(), rounds() * vector());
    if (of_.mapping == scan_mapping::walked_rows) return walk();
    if (by_blocks()) take(block_);
    else take(to_.let("number", block_ * (scan_threads / warp) + warp_));
    place();
    load();
    if (of_.totals_only) {
        const value sum = total_of_block();
        to_.when(thread() == 0, [&] { to_.assign(to_.at(result_, number_), s(sum)); });
        return to_.finish();
    }
    const value before = nothing("before");
    scan_of_warp(before);
    if (by_blocks()) {
        const nest::id sums = of_warps("of_warp", before);
        to_.barrier();
        to_.assign(before, to_.identity());
        to_.when(!to_.is_null(offsets_) && p_ > 0, [&] { to_.assign(s(before), to_.at(offsets_, number_ - 1)); });
        put_before(before, sums);
    }
    store();
    return to_.finish();
}

/// What comes before a part each thread adds up, in the order in which one of mapping `columns` would.
nest::tree row_scan::walk() {
    row_ = block_;
    const value came = nothing("came");
    const auto each_part = [&](value p) {
        p_ = p;
        const value goes_on = p + 1 < parts_;
        place();
        const value before = nothing("before");
        nest::id totals = nest::none;
        to_.when(left_ > 0, [&] {
            load();
            to_.when(goes_on, [&] { totals = of_warps("total_of_warp", total_of_warp()); });
            scan_of_warp(before);
        });
        const nest::id sums = of_warps("of_warp", before);
        to_.barrier();
        to_.assign(before, came);
        to_.when(left_ > 0, [&] {
            put_before(before, sums);
            store();
        });
        to_.when(goes_on, [&] {
            const value total = to_.variable("total", nest::types::accumulators(), to_.at(totals, 0));
            add_other_warps(total, totals);
            add(came, total);
            to_.barrier();
        });
    };
    to_.loop(runner::serial, "p", 0, parts_, 1, each_part, 1, nest::types::word);
    return to_.finish();
}

void row_scan::begin() {
    block_ = to_.loop_of(runner::grid, "block");
    warp_ = to_.loop_of(runner::thread, "warp", threads_per_block(of_) / warp);
    lane_ = to_.loop_of(runner::thread, "lane", warp);
}

void row_scan::take(value number) {
    number_ = number;
    if (!by_blocks()) to_.when(number_ >= outer_, [&] { to_.end(); });
    row_ = to_.let("row", number_ / parts_);
    p_ = to_.let("p", number_ - row_ * parts_);
}

void row_scan::place() {
    const value first = to_.let("first", by_blocks() ? p_ * of_block() + warp_ * of_warp() : p_ * of_warp());
    left_ = to_.let("left", count_ - first);
    begins_read_ = begin_of(of_.reads, first);
    read_ = lane_in(of_.reads, begins_read_);
    const bool as_read = of_.writes.backward == of_.reads.backward;
    begins_written_ = as_read ? begins_read_ : begin_of(of_.writes, first);
    written_ = as_read ? read_ : lane_in(of_.writes, begins_written_);
    if (!finisher_->is_there()) return;
    line_ = to_.let("line", row_ * count_);
    finisher_->begin_line(row_);
}

value row_scan::begin_of(const scan_access& how, value first) {
    if (!how.backward) return to_.let("begin", row_ * count_ + first);
    return to_.let("back_begin", row_ * count_ + (count_ - vector() - first));
}

value row_scan::lane_in(const scan_access& how, value begin) {
    if (!how.backward) return to_.let("at", begin + lane_ * vector());
    return to_.let("back_at", begin - lane_ * vector());
}

/// A thread's elements into v. What is past the line's end changes nothing.
void row_scan::load() {
    to_.when(
        is_whole() && is_aligned(operand_, begins_read_, read_vector()),
        [&] {
            to_.unrolled("r", rounds(), [&](value r) {
                const value loaded = to_.let("loaded", to_.at(operand_, place_of(of_.reads, read_, r), read_vector()));
                to_.unrolled("k", vector(), [&](value k) {
                    to_.assign(s(element(r, k)), as_read(to_.lane(loaded, in_vector(of_.reads, k))));
                });
            });
        },
        [&] {
            each_element([&](value r, value k) {
                to_.assign(element(r, k), to_.identity());
                to_.when(is_there(r, k), [&] { to_.assign(s(element(r, k)), read(r, k)); });
            });
        });
}

value row_scan::read(value r, value k) {
    return as_read(to_.at(operand_, place_of(of_.reads, read_, r) + in_vector(of_.reads, k)));
}

void row_scan::store() {
    const auto store = [&](bool in_vectors) {
        if (finisher_->is_there()) return finish_rounds(in_vectors);
        to_.unrolled("r", rounds(), [&](value r) {
            if (in_vectors) store_vector(r, {}, to_.constant(0));
            else store_side_by_side(r, {}, to_.constant(0));
        });
    };
    to_.when(
        is_whole() && are_aligned(), [&] { store(true); },
        [&] {
            written_side_by_side_ = first_side_by_side(of_.writes, begins_written_);
            store(false);
        });
}

value row_scan::are_aligned() {
    value out = is_aligned(result_, begins_written_, written_vector());
    if (!finisher_->is_there()) return out;
    for (std::size_t i = 1; i < finisher_->results().size(); ++i)
        out = out && is_aligned(finisher_->results()[i], begins_written_, written_vector(i));
    const value beside = finisher_->are_aligned(begins_written_ - line_, vector());
    return beside.is_there() ? out && beside : out;
}

/// What is read for some rounds is asked for before the first of them is stored.
void row_scan::finish_rounds(bool in_vectors) {
    int together = std::clamp(bytes_together() / std::max(1, finisher_->bytes_along()), 1, 4);
    while (rounds() % together != 0) --together;
    to_.unrolled("b", rounds() / together, [&](value b) {
        const scan_finisher::elements beside = finisher_->room(together * vector());
        const auto each_round = [&](auto each) {
            to_.unrolled("u", together, [&](value u) { each(b * together + u, u * vector()); });
        };
        if (finisher_->reads_along())
            each_round([&](value r, value first) { load_beside(r, beside, first, in_vectors); });
        each_round([&](value r, value first) {
            if (in_vectors) store_vector(r, beside, first);
            else store_side_by_side(r, beside, first);
        });
    });
}

/// By elements, past the line's end its first: no load waits for a condition.
void row_scan::load_beside(value r, const scan_finisher::elements& beside, value first, bool in_vectors) {
    if (in_vectors) return finisher_->load_vector(beside, first, place_of(of_.writes, written_, r) - line_, vector());
    to_.unrolled("k", vector(), [&](value k) {
        const value place = to_.select(side_by_side(r, k) < left_,
                                       place_side_by_side(of_.writes, written_side_by_side_, r, k) - line_, 0);
        finisher_->load(beside, first + k, to_.let("place", place));
    });
}

/// `first`: of what is loaded beside, the round's first.
void row_scan::store_vector(value r, const scan_finisher::elements& beside, value first) {
    const round_elements at = finished_round(r);
    std::vector<value> stored;
    for (std::size_t i = 0; i < finisher_->results().size(); ++i)
        stored.push_back(to_.variable("stored", written_vector(i)));
    to_.unrolled("k", vector(), [&](value k) {
        const value in_memory = in_vector(of_.writes, k);
        const std::vector<value> made = finisher_->results_of(as_written(s(at(k))), beside, first + in_memory);
        for (std::size_t i = 0; i < made.size(); ++i) to_.assign(to_.lane(stored[i], in_memory), made[i]);
    });
    for (std::size_t i = 0; i < stored.size(); ++i)
        to_.assign(to_.at(finisher_->results()[i], place_of(of_.writes, written_, r), written_vector(i)), stored[i]);
}

/// Where each lane stored its own vector by elements, each store would have an element of every 16 bytes (H200, 65536 rows of 1025 floats:
/// 2.97 times a copy, and 1.07 so). What is made of elements that are not there is not stored; where it is made under a condition, stores
/// wait for branches: of rows of 8191 floats an H200 took 108 us for 2 cumsum(x) + 1, and 84 for the scan alone.
void row_scan::store_side_by_side(value r, const scan_finisher::elements& beside, value first) {
    const round_elements at = round_side_by_side(r);
    to_.unrolled("k", vector(), [&](value k) {
        const std::vector<value> made = finisher_->results_of(as_written(at(k)), beside, first + k);
        to_.when(side_by_side(r, k) < left_, [&] {
            const value place = place_side_by_side(of_.writes, written_side_by_side_, r, k);
            for (std::size_t i = 0; i < made.size(); ++i) to_.assign(to_.at(finisher_->results()[i], place), made[i]);
        });
    });
}

value row_scan::first_side_by_side(const scan_access& how, value begin) {
    return to_.let("side_by_side", how.backward ? begin + (vector() - 1) - lane_ : begin + lane_);
}

value row_scan::place_side_by_side(const scan_access& how, value first, value r, value k) {
    const value further = r * of_round() + k * warp;
    return how.backward ? first - further : first + further;
}

/// By way of the warp's own memory: of types whose vector is one element, as they are.
row_scan::round_elements row_scan::round_side_by_side(value r) {
    if (vector() == 1) return [this, at = finished_round(r)](value k) { return s(at(k)); };
    if (turned_ == nest::none)
        turned_ = to_.shared("turned", element_type_, threads_per_block(of_) / warp * of_round(), 16);
    const nest::type vectors = nest::types::vector(of_.type, vector());
    const round_elements at = finished_round(r);
    const value joined = to_.variable("joined", vectors);
    to_.unrolled("k", vector(), [&](value k) { to_.assign(to_.lane(joined, k), s(at(k))); });
    to_.wave_barrier();
    to_.assign(to_.at(turned_, warp_ * of_round() + lane_ * vector(), vectors), joined);
    to_.wave_barrier();
    return [this](value k) { return to_.at(turned_, warp_ * of_round() + k * warp + lane_); };
}

/// A thread's elements in order, the lanes' sums in pairs; of a block, the warps' in order. In the first lane.
value row_scan::total_of_warp() {
    const value sum = nothing("sum");
    if (of_.definition) {
        total_in_order(sum);
    } else {
        each_round([&](value r) {
            const round_elements at = open_round(r);
            to_.unrolled("k", vector(), [&](value k) { add(sum, at(k)); });
        });
        to_.halving("apart", warp / 2, [&](value apart) { add(sum, to_.shuffle_down(sum, apart)); });
    }
    return sum;
}

/// In the first thread.
value row_scan::total_of_block() {
    const value sum = total_of_warp();
    const nest::id sums = of_warps("of_warp", sum);
    meet();
    to_.when(thread() == 0, [&] { add_other_warps(sum, sums); });
    return sum;
}

/// To what the first has.
void row_scan::add_other_warps(value sum, nest::id sums) {
    to_.loop(
        runner::serial, "w", 1, scan_threads / warp, 1, [&](value w) { add(sum, to_.at(sums, w)); },
        /*written_out=*/0);
}

void row_scan::each_round(const std::function<void(value)>& round) {
    if (const int written_out = rounds_written_out()) to_.loop(runner::serial, "r", 0, rounds(), 1, round, written_out);
    else to_.unrolled("r", rounds(), round);
}

/// Of what users combine: no element comes before one that is on its left.
void row_scan::total_in_order(value sum) {
    each_round([&](value r) {
        const round_elements at = open_round(r);
        const value round = to_.variable("round", nest::types::accumulators(), at(to_.constant(0)));
        to_.loop(runner::unrolled, "k", 1, vector(), 1, [&](value k) { add(round, at(k)); });
        to_.doubling("apart", warp, [&](value apart) { add(round, to_.shuffle_down(round, apart)); });
        add(sum, round);
    });
}

/// A thread's vector of a round, and the vectors of the lanes before it.
row_scan::scanned_round row_scan::scan_round(const round_elements& at) {
    to_.loop(runner::unrolled, "k", 1, vector(), 1, [&](value k) { to_.assign(at(k), to_.combine(at(k - 1), at(k))); });
    const value sum = to_.variable("sum", nest::types::accumulators(), at(to_.constant(vector() - 1)));
    to_.doubling("apart", warp, [&](value apart) {
        const value other = to_.let("other", to_.shuffle(sum, (lane_ - apart) & (warp - 1)));
        to_.when(lane_ >= apart, [&] { to_.assign(sum, to_.combine(other, sum)); });
    });
    return {sum, to_.let("beside", to_.shuffle(sum, (lane_ - 1) & (warp - 1)))};
}

/// What comes before a lane's vector: what came before the round, and the lanes before it.
value row_scan::ahead_of(value before, value beside) {
    const value ahead = to_.variable("ahead", nest::types::accumulators(), before);
    to_.when(lane_ > 0, [&] { to_.assign(ahead, to_.combine(before, beside)); });
    return ahead;
}

/// A thread's vector, then the vectors of the lanes before it, the rounds before. `before` becomes what the warp's elements come to.
void row_scan::scan_of_warp(value before) {
    each_round([&](value r) {
        const round_elements at = open_round(r);
        const scanned_round round = scan_round(at);
        const value ahead = ahead_of(before, round.beside);
        to_.unrolled("k", vector(), [&](value k) { to_.assign(at(k), to_.combine(ahead, at(k))); });
        close_round(r, at);
        add(before, to_.shuffle(round.sum, warp - 1));
    });
}

/// On top of what all parts before come to.
void row_scan::add_warps_before(value before, nest::id sums) {
    to_.loop(
        runner::serial, "w", 0, warp_, 1, [&](value w) { add(before, to_.at(sums, w)); }, /*written_out=*/0);
}

void row_scan::put_before(value before, nest::id sums) {
    add_warps_before(before, sums);
    each_element([&](value r, value k) { to_.assign(element(r, k), to_.combine(before, element(r, k))); });
}

/// What each warp has, for the whole block once it has met.
nest::id row_scan::of_warps(std::string_view name, value mine) {
    const nest::id sums = to_.shared(name, nest::types::accumulators(), row_warps(of_));
    to_.when(lane_ == 0, [&] { to_.assign(to_.at(sums, warp_), mine); });
    return sums;
}

nest::tree row_scan_nest(const scan_step& of) {
    const bool by_parts = of.mapping == scan_mapping::row_parts || of.mapping == scan_mapping::served_parts;
    return by_parts ? row_part_nest(of) : row_scan(of).run();
}

}  // namespace kiln::plan
