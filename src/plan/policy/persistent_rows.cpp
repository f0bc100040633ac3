// In registers: which memory a thread has, and what each phase does with it.
#include <plan/policy/persistent_rows.hpp>

#include <plan/fast_paths.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

namespace {

bool draws_numbers(const lower::program& of) {
    return std::any_of(of.steps.begin(), of.steps.end(),
                       [](const step& each) { return kiln::detail::is_draw(each.code); });
}

}  // namespace

persistent_rows_policy::persistent_rows_policy(const lower::program& program, const kernel& of, nest::builder& to,
                                               nest::operands& operands)
    : phased_rows(program, of, to, operands, narrow_phases_of(program, of)),
      threads_(to, operands, of),
      of_row_inputs_(phases_.phase.size()),
      looked_up_(phases_.phase.size()),
      kept_(phases_.phase.size(), nest::none) {
    for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
    set_count_ = static_cast<int>(to_.made().sets.size());
    set_scans();
}

void persistent_rows_policy::run() {
    to_.resident(of_.resident);
    std::vector<nest::id> shared;
    for (int set = 0; set < set_count(); ++set)
        shared.push_back(reduces(set) ? threads_.shared("shared" + suffix(set), set) : nest::none);
    if (has_slots()) make_slots();
    if (moves_by_warps()) make_tiles();
    if (moves_by_blocks()) make_block_tiles();
    threads_.begin();
    if (of_.has_neighbour_lanes) find_neighbours();
    compute_row(0);
    if (of_.gathers()) look_up();
    load_of_rows();
    for (int phase = 0; phase < phases_.count; ++phase) {
        compute(phase);
        if (reduces(phase)) finish(phase, shared[static_cast<std::size_t>(phase)]);
        each_scan(phase, [&](const step&, value_id scan) { scan_row(scan); });
    }
    store_row();
}

void persistent_rows_policy::keep(value_id of) {
    kept_[at(of)] = to_.own("row_" + name_of(of), type_of(of), std::max(1, of_.items_in_registers) * width());
}

std::vector<persistent_rows_policy::source> persistent_rows_policy::first_read_in(int phase) const {
    std::vector<source> out;
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (!each.gathered && !read_in_place(of_, each) && phase_of(each.value) == phase)
            out.push_back({each.value, i});
    }
    each_step([&](const step& each, value_id result, int) {
        if (each.code != operation::gather || phase_of(result) != phase) return;
        out.push_back({result, static_cast<std::size_t>(input(each.args[0]) - of_.inputs.data()), &each});
    });
    return out;
}

nest::value persistent_rows_policy::address(const source& of, value_threads::place& at) {
    if (!of.gather) return threads_.address(of.input, at);
    return operands_.address(of_.inputs[of.input], name_of(of.kept), at.positions, lookups_of(*of.gather));
}

void persistent_rows_policy::load(int phase) {
    if (!has_registers()) return;
    std::vector<source> sources = first_read_in(phase);
    for (const source& each : sources) keep(each.kept);
    if (moves_by_warps()) {
        const auto moved = std::stable_partition(
            sources.begin(), sources.end(), [this](const source& each) { return !is_moved(of_.inputs[each.input]); });
        std::for_each(moved, sources.end(), [this](const source& each) { load_rows(each); });
        sources.erase(moved, sources.end());
    }
    if (moves_by_blocks()) {
        const auto of_blocks = std::stable_partition(sources.begin(), sources.end(), [this](const source& each) {
            return !is_of_block(of_.inputs[each.input]);
        });
        load_blocks({of_blocks, sources.end()});
        sources.erase(of_blocks, sources.end());
    }
    if (!of_.vectorised && !of_.has_neighbour_lanes) {
        const auto skewed = std::stable_partition(sources.begin(), sources.end(), [this](const source& each) {
            return each.gather || !is_skewed(of_, of_.inputs[each.input]);
        });
        load_skewed({skewed, sources.end()});
        sources.erase(skewed, sources.end());
    }
    if (sources.empty()) return;
    if (!of_.vectorised) {
        each_element(in_registers(), [&](value u, value k, value first) {
            value_threads::place at = place_of(u, k, first);
            for (const source& each : sources)
                to_.assign(kept(each.kept, u, k), operands_.element(each.input, address(each, at)));
        });
        return;
    }
    each_vector(in_registers(), [&](value u, value first) {
        value_threads::place at = threads_.place_of(first);
        for (const source& each : sources) {
            const bool is_one = of_.inputs[each.input].how == access::uniform;
            const value from = address(each, at);
            const value read = to_.let("v_" + name_of(each.kept), is_one ? operands_.element(each.input, from)
                                                                         : operands_.vector(each.input, from));
            to_.unrolled("k", width(),
                         [&](value k) { to_.assign(kept(each.kept, u, k), is_one ? read : to_.lane(read, k)); });
        }
    });
}

/// Of what phases need, before any of them waits for its row: behind a barrier a later one would wait for memory once more.
void persistent_rows_policy::load_of_rows() {
    for (int phase = 0; phase < phases_.count; ++phase) load_of_row(needed_in(phase, program_, of_, phases_));
}

void persistent_rows_policy::load_of_row(const std::vector<bool>& needed) {
    value_threads::place at_row = threads_.place_of_row();
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (each.how != access::uniform || each.is_position || each.is_partial || !each.steps.empty() ||
            (each.address.axes & of_.reduced_axes) != 0)
            continue;
        value& here = of_row_inputs_[at(each.value)];
        if (needed[at(each.value)] && !here.is_there())
            here = to_.let("v_" + operands_.input_name(i), operands_.element(i, threads_.address(i, at_row)));
    }
}

/// Copies go out first: they need no register while they are underway. Of the longest rows, whose elements take most registers, what copies need
/// would take some of those that have been read, and wait for them: cross-entropy of 1342 rows of 100000 floats takes an H100 217 us so, 256
/// with copies first, and of 4096 of 32000 189 for 176.
bool persistent_rows_policy::begin_reads(int phase) {
    const std::vector<std::size_t> copied = has_slots() ? copied_in(phase) : std::vector<std::size_t>();
    if (of_.shares_slots) {
        copy_rows(copied);
        return !copied.empty();
    }
    if (!are_longest()) copy_to_slots(copied);
    load(phase);
    if (are_longest() && !copied.empty()) {
        to_.reads_underway();
        copy_to_slots(copied);
    }
    return !copied.empty();
}

void persistent_rows_policy::compute(int phase) {
    const bool waits = begin_reads(phase);
    work here{phase, false, {}, {}, needed_in(phase, program_, of_, phases_)};
    if (has_registers() || !of_.recomputes) here.body = body_of_phase(phase);
    here.tests = tests_quotients(phase, here.body);
    each_step([&](const step& each, value_id result, int) {
        const bool is_made = each.code != operation::reduce && each.code != operation::gather;
        if (has_registers() && is_made && phases_.kept[at(result)] && !phases_.made_again[at(result)] &&
            phase_of(result) == phase)
            keep(result);
    });
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (is_stored(i, phase)) here.stored.push_back(i);
    each_scan(phase, [&](const step&, value_id scan) { begin_scan(scan); });
    if (reduces(phase)) {
        parts_ = to_.own("part" + suffix(phase), types::accumulators(phase), width());
        to_.unrolled("k", width(), [&](value k) { to_.assign(to_.at(parts_, k), to_.identity(phase)); });
    }
    take(here, in_registers());
    if (waits) {
        if (!are_longest() && !of_.shares_slots) to_.reads_underway();
        to_.wait_copies(0);
        if (of_.shares_slots) to_.barrier();
    }
    if (!has_slots()) return;
    const work slots = of_slots(here);
    load_of_row(slots.needed);
    take(slots, in_slots());
}

void persistent_rows_policy::take(const work& of, items which) {
    const bool is_idle = !reduces(of.phase) && !scans(of.phase) && of.stored.empty() && !of.body;
    if (which.begin == which.end || is_idle) return;
    // The elements of items that every row has whole are not asked for, one by one, where a loop's turns cannot be told apart.
    if (const int whole = whole_items(); of_.shares_slots && which.begin < whole && whole < which.end) {
        take(of, {which.in_slots, which.begin, whole});
        return take(of, {which.in_slots, whole, which.end});
    }
    if (of_.vectorised) take_vectors(of, which);
    else take_elements(of, which);
}

void persistent_rows_policy::take_elements(const work& of, items which) {
    if (!of.stored.empty() && !reduces(of.phase) && !scans(of.phase) && moves_by_warps()) return store_rows(of, which);
    if (!of.stored.empty() && !reduces(of.phase) && !scans(of.phase) && moves_by_blocks())
        return store_blocks(of, which);
    if (of_.has_neighbour_lanes && !of.stored.empty() && !reduces(of.phase)) return store_neighbours(of, which);
    if (stores_skewed(of)) return store_skewed(of, which);
    if (turns_stores(of)) return store_turned(of, which);
    std::map<value_id, skewed_row> skewed = skewed_in_place(of, which);
    each_item(which, [&](value u) {
        const value vector = to_.let("vector", nest::types::number, first_of(u));
        const at_hand vectors = read_skewed(skewed, u, vector);
        each_element_of(which, u, vector, [&](value k, value first) {
            take_element_at(of, which, u, k, first, vectors, {},
                            [&](std::size_t output, value element, value_threads::place& place) {
                                const value number = threads_.number(place);
                                to_.when(threads_.is_there,
                                         [&] { to_.assign(operands_.output(output, number), element); });
                            });
        });
    });
}

bool persistent_rows_policy::tests_quotients(int phase, const std::optional<int>& body) {
    if (!body || reduces(phase) || scans(phase)) return false;
    const nest::body& of = to_.made().bodies[static_cast<std::size_t>(*body)];
    return choose_fast_paths(program_, of.steps, of.outputs).has_tests();
}

void persistent_rows_policy::take_tested(const work& of, const std::function<void(value is_right)>& take) {
    if (!of.tests) return take({});
    to_.made().bodies[static_cast<std::size_t>(*of.body)].is_rare = true;
    const value is_right = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
    take(is_right);
    to_.when(!is_right, [&] { take({}); });
}

void persistent_rows_policy::take_element_at(
    const work& of, items which, value u, value k, value first, const at_hand& vectors, value is_right,
    const std::function<void(std::size_t, value, value_threads::place&)>& store) {
    at_hand read(phases_.phase.size());
    value_threads::place place;
    const auto place_of_element = [&]() -> value_threads::place& {
        if (place.positions.empty()) place = place_of(u, k, first);
        return place;
    };
    if (!of.stored.empty()) place_of_element();
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (each.gathered) continue;
        if (!is_read_at(of, which, each)) continue;
        if (const value vector = vectors[at(each.value)]; vector.is_there()) {
            read[at(each.value)] = to_.lane(vector, k);
            continue;
        }
        const value from = each.is_partial ? value() : threads_.address(i, place_of_element());
        read[at(each.value)] = to_.let("v_" + operands_.input_name(i), operands_.element(i, from));
    }
    if (which.in_slots) read_slots(of, u, k, read);
    one_element(of, u, k, first, read, {}, is_right,
                [&](std::size_t output, value element) { store(output, element, place); });
}

bool persistent_rows_policy::is_read_at(const work& of, items which, const operand& each) const {
    const bool is_held = which.in_slots ? slots_.holds(each.value) : !read_in_place(of_, each);
    return !is_held && of.needed[at(each.value)] && !of_row_inputs_[at(each.value)].is_there();
}

/// Whether neighbouring lanes store neighbouring elements, where a thread's own neighbours do not move in vectors: its stores would
/// reach a quarter of each sector, and go to the second cache one by one. Of wider elements a thread would hold too much.
bool persistent_rows_policy::turns_stores(const work& of) const {
    constexpr int widest = 8;  // bytes; layer norm of rows of 769 doubles takes an H200 41 us so, 72 without
    const auto is_narrow = [this](std::size_t output) { return bytes_of(of_.outputs[output].type) <= widest; };
    return !of.stored.empty() && !of.in_slots && of_.threads_per_output % warp == 0 && !reduces(of.phase) &&
           !scans(of.phase) && std::all_of(of.stored.begin(), of.stored.end(), is_narrow);
}

std::vector<nest::id> persistent_rows_policy::make_item(const work& of, items which, value u, value vector,
                                                        const at_hand& vectors) {
    std::vector<nest::id> made(of_.outputs.size(), nest::none);
    for (const std::size_t i : of.stored)
        made[i] = to_.own("made_" + operands_.output_name(i), types::element(of_.outputs[i].type), width());
    take_tested(of, [&](value is_right) {
        each_element_of(which, u, vector, [&](value k, value first) {
            take_element_at(of, which, u, k, first, vectors, is_right,
                            [&](std::size_t output, value element, value_threads::place&) {
                                to_.assign(to_.at(made[output], k), element);
                            });
        });
    });
    return made;
}

/// Layer norm of (60000, 1023) floats on an H100: 179 us in place of 379; a copy takes 168. Of loads, which the first cache brings
/// together, it took longer.
void persistent_rows_policy::store_turned(const work& of, items which) {
    const value lane = to_.let("lane_of_warp", types::small, threads_.lane % warp);
    const value turned = to_.let("turned", types::small, lane % 8 * width() + lane / 8);
    const neighbours_exchange exchange(to_, lane);
    each_item(which, [&](value u) {
        const value vector = to_.let("vector", nest::types::number, first_of(u));
        const std::vector<nest::id> made = make_item(of, which, u, vector, none_at_hand());
        for (const std::size_t i : of.stored) exchange.turn([&](int k) { return to_.at(made[i], k); });
        const value begin = to_.let("begin", nest::types::number, vector - lane * width() + turned);
        to_.unrolled("j", width(), [&](value j) {
            const value first = to_.let("first", nest::types::number, begin + j * warp);
            when_in_row(which, u, first, [&] {
                to_.when(threads_.is_there, [&] {
                    value_threads::place place = threads_.place_of(first);
                    for (const std::size_t i : of.stored)
                        to_.assign(operands_.output(i, threads_.number(place)), to_.at(made[i], j));
                });
            });
        });
    });
}

void persistent_rows_policy::take_vectors(const work& of, items which) {
    each_vector(which, [&](value u, value first) {
        at_hand read(phases_.phase.size());
        at_hand made(phases_.phase.size());
        std::vector<value> results(of_.outputs.size());
        value_threads::place place = threads_.place_of(first);
        for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
            const operand& each = of_.inputs[i];
            if (each.gathered) continue;
            if (!is_read_at(of, which, each)) continue;
            const bool is_one = each.is_position || each.how == access::uniform;
            const value from = each.is_partial ? value() : threads_.address(i, place);
            read[at(each.value)] = to_.let("v_" + operands_.input_name(i),
                                           is_one ? operands_.element(i, from) : operands_.vector(i, from));
        }
        if (which.in_slots) {
            read_slots(of, u, {}, read);
            each_step([&](const step&, value_id result, int) {
                if (leaves(of, result))
                    made[at(result)] =
                        to_.variable("v_" + name_of(result), types::vector(program_.type_of(result), width()));
            });
        }
        if (!of.stored.empty()) threads_.number(place);
        for (const std::size_t i : of.stored)
            results[i] = to_.variable("v_" + operands_.output_name(i),
                                      types::vector(of_.outputs[i].type, of_.elements_per_thread));
        take_tested(of, [&](value is_right) {
            to_.unrolled("k", width(), [&](value k) {
                one_element(of, u, k, first + k, read, made, is_right, [&](std::size_t output, value element) {
                    to_.assign(to_.lane(results[output], k), element);
                });
            });
        });
        for (value_id each = 0; at(each) < made.size(); ++each)
            if (made[at(each)].is_there())
                to_.assign(to_.at(slot_memory(each), slot_of(u), made[at(each)].is()), made[at(each)]);
        for (const std::size_t i : of.stored)
            to_.when(threads_.is_there, [&] {
                to_.assign(to_.at(operands_.memory_of_output(i), place.number, results[i].is()), results[i]);
            });
    });
}

void persistent_rows_policy::one_element(const work& of, value u, value k, value number, const at_hand& read,
                                         const at_hand& made, value is_right,
                                         const std::function<void(std::size_t output, value element)>& store) {
    element_places places;
    places.is_right = is_right;
    places.held = [&](value_id which) {
        if (of_row_inputs_[at(which)].is_there()) return of_row_inputs_[at(which)];
        const value here = read[at(which)];
        if (!here.is_there()) return is_converted_anew(which, of.phase) ? anew(which, u, k) : kept(which, u, k);
        const operand* const from = input(which);
        if (!of_.vectorised || (from && from->how == access::uniform)) return here;
        return from && from->is_position ? position_of_lane(*from, here, k) : to_.lane(here, k);
    };
    places.keep = [&](value_id which) {
        if (!of.in_slots) return kept_[at(which)] != nest::none ? kept(which, u, k) : value();
        if (!leaves(of, which)) return value();
        return of_.vectorised ? to_.lane(made[at(which)], k) : slot(which, slot_of(which, u, k));
    };
    places.append = [&](value one) {
        const value part = to_.at(parts_, k);
        to_.assign(part, to_.append(part, one));
    };
    places.begin_scan = [&](value_id scan, value element) { to_.assign(kept(scan, u, k), element); };
    places.store = store;
    take_element(of.phase, of.body, number, places);
}

/// Of contiguous positions the first of a vector is a multiple of its length. Said like this, the compiler sees it too, and makes one
/// block of random numbers for all that share it.
nest::value persistent_rows_policy::position_of_lane(const operand& of, value first, value k) {
    const bool shares_blocks = of.how == access::contiguous && draws_numbers(program_);
    return shares_blocks ? (first & -width()) | k : first + k;
}

// --- What the reductions come to ---

/// For every thread of the row.
void persistent_rows_policy::finish(int phase, nest::id shared) {
    if (of_.has_neighbour_lanes)
        neighbours_exchange(to_, to_.let("lane_of_warp", types::small, threads_.lane % warp)).turn([&](int k) {
            return to_.at(parts_, k);
        });
    const value mine = to_.variable("mine" + suffix(phase), types::accumulators(phase),
                                    combined_places(to_, [&](int k) { return to_.at(parts_, k); }));
    threads_.combine(mine, shared);
    threads_.give_to_all(mine);
    each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
        row_value(result) = to_.let(name_of(result), to_.finish(to_.member(mine, number), number, threads_.reduced));
    });
    compute_row(phase + 1);
}

/// What is stored once for each row.
void persistent_rows_policy::store_row() {
    std::vector<std::size_t> stored;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (!of_.stores_elements(i)) stored.push_back(i);
    if (stored.empty()) return;
    to_.when(threads_.lane == 0 && threads_.is_there, [&] {
        for (const std::size_t i : stored)
            to_.assign(operands_.output(i, threads_.which), row_value(of_.outputs[i].value));
    });
}

nest::tree persistent_rows_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    persistent_rows_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
