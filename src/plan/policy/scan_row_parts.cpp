// The part stays in shared memory: registers for it, beside those of who looks back, would leave room for half as many blocks (H200,
// rows of 100,000 floats: 156 us in place of 192).
#include <plan/policy/scan_row_parts.hpp>

namespace kiln::plan {

using nest::value;

void row_part_scan::take_part(value number) {
    take(number);
    totals_ = to_.let("totals", row_ * parts_ + 1);
    if (carry_ == scan_carry::sequence) return;
    if (is_served()) {
        befores_ = to_.let("befores", (outer_ + row_) * parts_ + 1);
        return;
    }
    const value rounds_of_line = to_.let("rounds_of_line", ceiling(parts_, of_round()));
    rounds_ = to_.let("rounds", outer_ * parts_ + row_ * rounds_of_line + 1);
}

value row_part_scan::scan_part() {
    const value total = total_of_block();
    to_.when(thread() == 0 && p_ + 1 < parts_, [&] { to_.publish(to_.at(states_, totals_ + p_), s(total)); });
    const value before = nothing("before");
    scan_of_warp(before);
    return before;
}

value row_part_scan::in_tile(value r) { return warp_ * of_warp() + r * of_round() + lane_ * vector(); }

row_scan::round_elements row_part_scan::open_round(value r) {
    const value loaded = to_.let("loaded", to_.at(tile_, in_tile(r), vectors()));
    const round_elements at = [this](value k) { return to_.at(round_, k); };
    to_.unrolled("k", vector(), [&](value k) { to_.assign(s(at(k)), to_.lane(loaded, k)); });
    return at;
}

void row_part_scan::close_round(value r, const round_elements& at) {
    to_.assign(to_.at(tile_, in_tile(r), vectors()), joined(at));
}

value row_part_scan::joined(const round_elements& at) {
    const value stored = to_.variable("stored", vectors());
    to_.unrolled("k", vector(), [&](value k) { to_.assign(to_.lane(stored, k), s(at(k))); });
    return stored;
}

/// Copies go on in the background as they are: what is cast comes by way of registers, which it needs few of.
void row_part_scan::load() {
    to_.when(
        is_whole() && is_aligned(operand_, begins_read_, read_vector()),
        [&] { of_.reads.type ? load_cast() : load_copies(); }, [&] { load_side_by_side(); });
}

/// By way of registers: of (6001, 10007) floats an H200 took 1.36 of a copy so, 1.45 by asynchronous copies of an element each.
void row_part_scan::load_side_by_side() {
    const value first = first_side_by_side(of_.reads, begins_read_);
    each_element([&](value r, value k) {
        const value element = nothing("element");
        to_.when(side_by_side(r, k) < left_, [&] {
            to_.assign(s(element), as_read(to_.at(operand_, place_side_by_side(of_.reads, first, r, k))));
        });
        to_.assign(in_tile_side_by_side(r, k), s(element));
    });
    to_.wave_barrier();
}

void row_part_scan::load_copies() {
    to_.unrolled("r", rounds(), [&](value r) {
        to_.copy_async(to_.at(tile_, in_tile(r), vectors()),
                       to_.at(operand_, place_of(of_.reads, read_, r), vectors()));
    });
    to_.commit_copies();
    to_.wait_copies(0);
    if (of_.reads.backward) turn();
}

/// Vectors that came from the last element to the first.
void row_part_scan::turn() {
    to_.unrolled("r", rounds(), [&](value r) {
        const value loaded = to_.let("loaded", to_.at(tile_, in_tile(r), vectors()));
        const value turned = to_.variable("turned", vectors());
        to_.unrolled("k", vector(), [&](value k) {
            to_.assign(to_.lane(turned, to_.constant(vector() - 1) - k), to_.lane(loaded, k));
        });
        to_.assign(to_.at(tile_, in_tile(r), vectors()), turned);
    });
}

void row_part_scan::load_cast() {
    to_.unrolled("r", rounds(), [&](value r) {
        const value loaded = to_.let("loaded", to_.at(operand_, place_of(of_.reads, read_, r), read_vector()));
        const value cast = to_.variable("cast", vectors());
        to_.unrolled("k", vector(), [&](value k) {
            to_.assign(to_.lane(cast, k), as_read(to_.lane(loaded, in_vector(of_.reads, k))));
        });
        to_.assign(to_.at(tile_, in_tile(r), vectors()), cast);
    });
}

row_scan::round_elements row_part_scan::finished_round(value r) {
    const round_elements at = open_round(r);
    to_.unrolled("k", vector(), [&](value k) { to_.assign(at(k), to_.combine(before_, at(k))); });
    return at;
}

/// As they are in shared memory.
row_scan::round_elements row_part_scan::round_side_by_side(value r) {
    return [this, r](value k) {
        const value of_lane = to_.variable("of_lane", nest::types::accumulators());
        to_.assign(s(of_lane), in_tile_side_by_side(r, k));
        to_.assign(of_lane, to_.combine(before_, of_lane));
        return s(of_lane);
    };
}

namespace {

/// A block for each part.
class one_part_scan : row_part_scan {
public:
    explicit one_part_scan(const scan_step& of) : row_part_scan(of) {}

    nest::tree run() {
        // As many as have room for their parts; of wide types, for registers.
        to_.resident(bytes_of(of_.type) <= 4 ? 5 : 4);
        begin();
        value number = number_of_block(thread());
        round_ = to_.own("v", nest::types::accumulators(), vector());
        if (is_served()) {
            to_.when(number == 0, [&] {
                serve();
                to_.end();
            });
            number = to_.let("part_number", number - 1);
        }
        take_part(number);
        sums_ = to_.shared("before_warp", nest::types::accumulators(), scan_threads / warp);
        carry_ = to_.shared("carry", element_type_, 1);
        tile_ = to_.shared("tile", element_type_, of_block(), 16);
        place();
        if (is_served()) {
            scan();
            to_.when(thread() == warp && p_ > 0, [&] { await_before(to_.at(carry_, 0)); });
            to_.barrier();
            finish();
        } else {
            const value scans = to_.let("scans", warp_ < scan_threads / warp);
            to_.when(
                scans, [&] { scan(); }, [&] { to_.when(p_ > 0, [&] { look(); }); });
            to_.barrier();
            to_.when(scans, [&] { finish(); });
        }
        return to_.finish();
    }

private:
    void scan() {
        load();
        const value of_warp = scan_part();
        to_.when(lane_ == 0, [&] { to_.assign(to_.at(sums_, warp_), of_warp); });
    }
    void look() {
        const value came = look_back();
        to_.when(lane_ == 0, [&] { to_.assign(to_.at(carry_, 0), s(came)); });
    }
    void finish() {
        before_ = nothing("before");
        to_.when(p_ > 0, [&] { to_.assign(s(before_), to_.at(carry_, 0)); });
        add_warps_before(before_, sums_);
        store();
    }

    nest::id sums_ = nest::none, carry_ = nest::none;
};

}  // namespace

nest::tree row_part_nest(const scan_step& of) { return one_part_scan(of).run(); }

}  // namespace kiln::plan
