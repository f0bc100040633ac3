// What threads hold of their columns, and what phases do with it.
#include <plan/policy/persistent_columns.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

persistent_columns_policy::persistent_columns_policy(const lower::program& program, const kernel& of, nest::builder& to,
                                                     nest::operands& operands)
    : phased_rows(program, of, to, operands),
      threads_(to, operands, of),
      kept_(kept_elements_of(program, phases_, arrays_read_in_place(program, of), /*make_again=*/true)),
      in_registers_(phases_.phase.size(), nest::none) {
    phases_.made_again = kept_.made_again;
    for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
    if (of.panel.resident) to_.resident(of.panel.resident);
}

void persistent_columns_policy::run() {
    for (int set = 0; set < set_count(); ++set) exchanges_.push_back(exchange_of(set));
    for (const element_type each : kept_.slots)
        slots_.push_back(of_.panel.slots == 0
                             ? nest::none
                             : to_.dynamic_shared("slots" + std::to_string(slots_.size()), types::element(each),
                                                  of_.panel.slots * of_.threads_per_block));
    threads_.begin();
    first_ = to_.let("mine", types::number, threads_.first + threads_.lane);
    count_elements();
    if (of_.panel.overlap > 0)
        stored_columns_ =
            to_.let("stored_columns", types::small,
                    to_.select(threads_.is_there, to_.constant(columns() - of_.panel.overlap), to_.constant(0)));
    if (moved() > 1) begin_vectors();
    begin_exchanges();
    if (blocks() > 1) to_.say_begun();
    compute_row(0);
    for (int phase = 0; phase < phases_.count; ++phase) {
        load(phase);
        compute(phase);
        // Not before the cluster's other blocks have begun can anything be sent to them.
        if (phase == 0 && blocks() > 1) to_.await_begun();
        if (reduces(phase)) finish(phase);
    }
    store_row();
}

void persistent_columns_policy::count_elements() {
    const value none = to_.constant(0, types::number);
    const auto turns_from = [&](value from) {
        return to_.select(from < threads_.end, (threads_.end - from + (lanes() - 1)) / lanes(), none);
    };
    const int slots_before = slots_first() ? of_.panel.slots : 0;
    if (of_.panel.items + slots_before > whole_items()) {
        const value from =
            slots_before > 0 ? to_.let("first_item", types::number, first_ + slots_before * lanes()) : first_;
        item_count_ = to_.let("item_count", types::small, turns_from(from));
    }
    if (of_.panel.slots == 0) return;
    if (of_.panel.whole) {
        slot_count_ = to_.constant(of_.panel.slots);
        return;
    }
    const value from = slots_first() ? first_ : to_.let("beyond", types::number, first_ + of_.panel.items * lanes());
    const value there = turns_from(from);
    slot_count_ = to_.let("slot_count", types::small,
                          slots_first() ? to_.least(there, to_.constant(of_.panel.slots, types::number)) : there);
}

std::vector<std::size_t> persistent_columns_policy::loaded_in(int phase) const {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        if (is_kept(of_.inputs[i].value) && phase_of(of_.inputs[i].value) == phase) out.push_back(i);
    return out;
}

/// What later phases need, too. Copies to the slots go out first: they need no register while they are underway.
void persistent_columns_policy::load(int phase) {
    const std::vector<std::size_t> inputs = loaded_in(phase);
    if (inputs.empty()) return;
    if (of_.panel.slots > 0) {
        if (moved() > 1) {
            underway_ = copied_groups(phase);
            copy_vectors(inputs);
        } else {
            copy_own(inputs);
        }
    }
    for (const std::size_t i : inputs) keep(of_.inputs[i].value);
    each_item([&](const item& each) {
        value_threads::place place = place_read(each);
        for (const std::size_t i : inputs) to_.assign(in_register(of_.inputs[i].value, each.at), read(i, place));
    });
}

void persistent_columns_policy::copy_own(const std::vector<std::size_t>& inputs) {
    constexpr int at_once = 8;
    each_slot(at_once, all_slots(), [&](const item& each) {
        value_threads::place place = place_read(each);
        for (const std::size_t i : inputs) {
            const value to = in_slot(of_.inputs[i].value, each.at);
            if (is_copied(i)) to_.copy_async(to, read(i, place));
            else to_.assign(to, read(i, place));
        }
    });
    if (std::none_of(inputs.begin(), inputs.end(), [&](std::size_t i) { return is_copied(i); })) return;
    to_.commit_copies();
    underway_ = {all_slots()};
}

/// What is added up as it comes is so from the first half of the slots on, while the other half is still underway.
std::vector<persistent_columns_policy::slot_group> persistent_columns_policy::copied_groups(int phase) const {
    const int half = of_.panel.slots / 2 / moved() * moved();  // whole turns of the threads that copy
    if (!reduces(phase) || written_out(phase) < 8 || half == 0) return {all_slots()};
    return {{0, half}, {half, of_.panel.slots}};
}

void persistent_columns_policy::compute(int phase) {
    const std::optional<int> body = body_of_phase(phase);
    bool stores = false;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i) stores = stores || is_stored(i, phase);
    if (reduces(phase))
        part_ = to_.variable("part" + set(phase).suffix, types::accumulators(phase), to_.identity(phase));
    const bool has_work = reduces(phase) || stores || body;
    if (has_work) {
        each_step([&](const step& each, value_id result, int) {
            if (each.code != operation::reduce && is_kept(result) && phase_of(result) == phase) keep(result);
        });
        needed_ = needed_in(phase, program_, of_, phases_);
    }
    const auto take_items = [&] {
        if (has_work)
            each_item([&](const item& each) {
                take(phase, body, each, [&](value_id of) { return in_register(of, each.at); });
            });
    };
    const auto take_slots = [&](slot_group which) {
        if (has_work)
            each_slot(written_out(phase), which, [&](const item& each) {
                take(phase, body, each, [&](value_id of) { return in_slot(of, each.at); });
            });
    };
    if (!slots_first()) take_items();
    if (underway_.empty() && has_work && slots_first() && !reduces(phase)) store_vectors(phase, body);
    else if (underway_.empty()) take_slots(all_slots());
    for (std::size_t group = 0; group < underway_.size(); ++group) {
        to_.wait_copies(static_cast<int>(underway_.size() - 1 - group));
        if (slots_first()) to_.barrier();
        take_slots(underway_[group]);
    }
    underway_.clear();
    if (slots_first()) take_items();
}

/// Turns of a phase's loop that stand one after the other: loads of several are then on their way at once.
int persistent_columns_policy::written_out(int phase) const {
    int steps = 0;
    each_step([&](const step&, value_id result, int) { steps += !of_row(result) && phase_of(result) == phase; });
    return steps <= 8 ? (of_.panel.whole ? 16 : 8) : steps <= 32 ? 4 : 1;
}

/// All of a phase for an element. What shares a slot with what this makes is read before.
void persistent_columns_policy::take(int phase, std::optional<int> body, const item& each,
                                     const std::function<value(value_id)>& kept) {
    value_threads::place read_from;
    const auto here = [&]() -> value_threads::place& {
        if (read_from.positions.empty()) read_from = place_read(each);
        return read_from;
    };
    std::vector<value> at_hand(phases_.phase.size());
    for (value_id one = 0; at(one) < at_hand.size(); ++one) {
        if (!needed_[at(one)] || of_row(one) || program_.is_constant(one)) continue;
        const bool is_made_here = is_step(one) && phase_of(one) == phase;
        if (is_made_here) continue;
        if (is_kept(one)) at_hand[at(one)] = to_.let("v_" + name_of(one), type_of(one), kept(one));
        else if (const operand* const from = input(one)) {
            const auto i = static_cast<std::size_t>(from - of_.inputs.data());
            at_hand[at(one)] = to_.let("v_" + name_of(one), type_of(one), read(i, here()));
        }
    }
    element_places places;
    places.held = [&](value_id of) { return at_hand[at(of)]; };
    places.keep = [&](value_id of) { return is_kept(of) ? kept(of) : value(); };
    const auto append = [&](value one) { to_.assign(part_, to_.append(part_, one)); };
    places.append = [&](value one) {
        if (each.is_there.is_there()) to_.when(each.is_there, [&] { append(one); });
        else append(one);
    };
    value_threads::place own;
    places.store = [&](std::size_t output, value element) {
        // By its own number, not by that which was read: a compiler would hold all of those until then.
        if (each.is_there.is_there() && own.positions.empty()) own = threads_.place_of(each.number);
        value_threads::place& to = each.is_there.is_there() ? own : here();
        const value i = threads_.number(to);
        const value is_mine = is_stored_here(of_.outputs[output].type, to);
        to_.when(each.is_there.is_there() ? is_mine && each.is_there : is_mine,
                 [&] { to_.assign(operands_.output(output, i), element); });
    };
    take_element(phase, body, each.number, places);
}

/// Of two panels that have an element's column, by that which stores the column where the element's sector begins, or its row.
persistent_columns_policy::value persistent_columns_policy::is_stored_here(element_type is,
                                                                           value_threads::place& element) {
    if (of_.panel.overlap == 0) return threads_.is_there;
    const value number = threads_.number(element);
    // Of narrower elements than the panels were made for, as much of a sector.
    const int of_sector = std::min(sector_bytes / bytes_of(is), of_.panel.overlap);
    const value in_sector = to_.make(nest::operation::convert, types::small, number & (of_sector - 1));
    const value begin = to_.let("sector_begin", types::small,
                                threads_.thread % columns() - to_.least(in_sector, element.positions.back()));
    return begin >= 0 && begin < stored_columns_;
}

nest::tree persistent_columns_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    persistent_columns_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
