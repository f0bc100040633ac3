// What threads hold of their columns, and what phases do with it.
#include <plan/policy/vector_columns.hpp>

#include <plan/compile_weight.hpp>
#include <plan/fast_paths.hpp>

#include <algorithm>

namespace kiln::plan {

using lower::step;
namespace types = nest::types;

vector_columns_policy::vector_columns_policy(const lower::program& program, const kernel& of, nest::builder& to,
                                             nest::operands& operands)
    : phased_rows(program, of, to, operands),
      threads_(to, operands, of),
      kept_(kept_elements_of(program, phases_, arrays_read_in_place(program, of))),
      in_registers_(phases_.phase.size(), nest::none),
      of_columns_(phases_.phase.size(), nest::none) {
    for (reduction_set& each : reductions_of_rows(program)) to_.set(std::move(each));
    if (of.panel.resident) to_.resident(of.panel.resident);
}

void vector_columns_policy::run() {
    for (int set = 0; set < set_count(); ++set) exchanges_.push_back(exchange_of(set));
    for (const element_type each : kept_.slots)
        slots_.push_back(of_.panel.slots == 0
                             ? nest::none
                             : to_.dynamic_shared("slots" + std::to_string(slots_.size()), types::element(each),
                                                  of_.panel.slots * of_.threads_per_block * width()));
    threads_.begin();
    begin_parts();
    compute_row(0);
    for (int phase = 0; phase < phases_.count; ++phase) {
        load(phase);
        compute(phase);
        if (reduces(phase)) finish(phase);
    }
    store_columns();
}

bool vector_columns_policy::in_any_order(int phase) {
    const auto& members = set(phase).members;
    return std::all_of(members.begin(), members.end(),
                       [](const reduction_set::member& each) { return is_orderless(each.of); });
}

void vector_columns_policy::begin_parts() {
    lane_ = to_.let("lane_of_column", types::small, threads_.lane % lanes());
    part_ = to_.let("part_of_column", types::small, threads_.lane / lanes());
    first_column_ = to_.let("first_column", types::small, threads_.thread % threads_.outputs_per_block() * width());
    const value mine = to_.let("mine", types::number, threads_.first + lane_);
    if (of_.panel.whole) {
        const int count = of_.panel.items + of_.panel.slots;
        count_ = to_.constant(count);
        slot_count_ = to_.constant(of_.panel.slots);
        first_ = to_.let("first_of_part", types::number, mine + part_ * (count * lanes()));
        return;
    }
    const value of_lane = to_.let("of_lane", types::number,
                                  to_.select(mine < threads_.end, (threads_.end - mine + (lanes() - 1)) / lanes(),
                                             to_.constant(0, types::number)));
    const value most = to_.let("of_part", types::number, (of_lane + (width() - 1)) / width());
    const value before = to_.let("before", types::number, most * part_);
    const value left =
        to_.let("left", types::number, to_.select(before < of_lane, of_lane - before, to_.constant(0, types::number)));
    count_ = to_.let("count", types::small, to_.least(left, most));
    if (of_.panel.slots > 0)
        slot_count_ = to_.let("slot_count", types::small,
                              to_.select(count_ > of_.panel.items, count_ - of_.panel.items, to_.constant(0)));
    first_ = to_.let("first_of_part", types::number, mine + before * lanes());
}

void vector_columns_policy::keep(value_id of) {
    in_registers_[at(of)] = to_.own("columns_" + name_of(of), type_of(of), of_.panel.items * width());
}

bool vector_columns_policy::is_vector(std::size_t input) const {
    const operand& of = of_.inputs[input];
    return !of.is_position && !of.is_partial && (of.how == access::contiguous || of.how == access::row);
}

/// What later phases need, too. Copies to the slots go out first: they need no register while they are underway.
void vector_columns_policy::load(int phase) {
    std::vector<std::size_t> inputs;
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        if (is_kept(of_.inputs[i].value) && phase_of(of_.inputs[i].value) == phase) inputs.push_back(i);
    if (inputs.empty()) return;
    each_in_slots(calls_functions() ? 2 : 8, [&](const item& each) {
        value_threads::place place = threads_.place_of(each.number);
        for (const std::size_t i : inputs) copy(i, each.at, place);
    });
    is_underway_ = of_.panel.slots > 0;
    if (is_underway_) to_.commit_copies();
    for (const std::size_t i : inputs) keep(of_.inputs[i].value);
    each_in_registers([&](const item& each) {
        value_threads::place place = threads_.place_of(each.number);
        for (const std::size_t i : inputs) {
            const value vector =
                to_.let("v_" + operands_.input_name(i), operands_.vector(i, threads_.address(i, place)));
            to_.unrolled("k", width(), [&](value k) {
                to_.assign(in_register(of_.inputs[i].value, each.at, k), to_.lane(vector, k));
            });
        }
    });
}

/// In pieces of 16 bytes at most.
void vector_columns_policy::copy(std::size_t input, value slot, value_threads::place& place) {
    const operand& each = of_.inputs[input];
    const int lanes_at_once = std::min(width(), 16 / bytes_of(each.type));
    const value from = threads_.address(input, place);
    const value to = place_of_slot(slot);
    const auto is = lanes_at_once == 1 ? types::element(each.type) : types::vector(each.type, lanes_at_once);
    for (int lane = 0; lane < width(); lane += lanes_at_once)
        to_.copy_async(to_.at(slots_of_value(each.value), lane ? to + lane : to, is),
                       to_.at(operands_.memory_of_input(input), lane ? from + lane : from, is));
}

// --- What a phase does with an item ---

void vector_columns_policy::take(int phase, const work& of, const item& each) {
    value_threads::place place = threads_.place_of(each.number);
    const at_hand read = read_vectors(phase, of, each, place);
    at_hand made(phases_.phase.size());
    if (of.makes && each.in_slot)
        each_step([&](const step& one, value_id result, int) {
            if (one.code != operation::reduce && is_kept(result) && phase_of(result) == phase)
                made[at(result)] = to_.variable("v_" + name_of(result), vector_of(result));
        });
    at_hand results(of_.outputs.size());
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (of.makes && is_stored(i, phase)) {
            threads_.number(place);
            results[i] = to_.variable("v_" + operands_.output_name(i), types::vector(of_.outputs[i].type, width()));
        }
    const auto take_elements = [&](value is_right) {
        to_.unrolled("k", width(),
                     [&](value k) { take_element_of(phase, of, each, k, place, read, made, results, is_right); });
    };
    if (of.tests) {
        // By fast paths without a branch between them; all once more where a result was not right.
        to_.made().bodies[static_cast<std::size_t>(*of.body)].is_rare = true;
        const value is_right = to_.variable("in_range", types::boolean, to_.constant(1, types::boolean));
        take_elements(is_right);
        to_.when(!is_right, [&] { take_elements({}); });
    } else {
        take_elements({});
    }
    for (value_id one = 0; at(one) < made.size(); ++one)
        if (made[at(one)].is_there()) to_.assign(in_slot(one, each.at), made[at(one)]);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].is_there())
            to_.when(threads_.is_there, [&] {
                to_.assign(to_.at(operands_.memory_of_output(i), place.number, results[i].is()), results[i]);
            });
}

/// What one element has needs no more than its item's place: vectors, and what is the same for all of their elements.
vector_columns_policy::at_hand vector_columns_policy::read_vectors(int phase, const work& of, const item& each,
                                                                   value_threads::place& place) {
    at_hand out(phases_.phase.size());
    for (value_id one = 0; at(one) < out.size(); ++one) {
        if (!of.needed[at(one)] || of_row(one) || program_.is_constant(one) || is_made(phase, of, one)) continue;
        if (is_kept(one)) {
            if (each.in_slot) out[at(one)] = to_.let("v_" + name_of(one), in_slot(one, each.at));
        } else if (const operand* const from = input(one)) {
            const auto i = static_cast<std::size_t>(from - of_.inputs.data());
            if (is_vector(i))
                out[at(one)] = to_.let("v_" + name_of(one), operands_.vector(i, threads_.address(i, place)));
            else if (from->is_partial) out[at(one)] = operands_.element(i, value());
            else if (from->how == access::uniform)
                out[at(one)] = to_.let("v_" + name_of(one), operands_.element(i, threads_.address(i, place)));
        }
    }
    return out;
}
void vector_columns_policy::take_element_of(int phase, const work& of, const item& each, value k,
                                            const value_threads::place& place, const at_hand& read, const at_hand& made,
                                            const at_hand& results, value is_right) {
    of_column(k);
    value_threads::place here{place.positions};
    here.positions.back() = here.positions.back() + k;
    at_hand alone(phases_.phase.size());  // elements that are in no vector
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& one = of_.inputs[i];
        if (!of.needed[at(one.value)] || is_kept(one.value) || read[at(one.value)].is_there()) continue;
        alone[at(one.value)] = to_.let("v_" + operands_.input_name(i), operands_.element(i, threads_.address(i, here)));
    }
    element_places places;
    places.is_right = is_right;
    places.held = [&](value_id which) {
        if (alone[at(which)].is_there()) return alone[at(which)];
        const value vector = read[at(which)];
        if (!vector.is_there()) return in_register(which, each.at, k);
        return vector.is().what == nest::type::kind::vector ? to_.lane(vector, k) : vector;
    };
    places.keep = [&](value_id which) {
        if (!of.makes || !is_kept(which)) return value();
        return each.in_slot ? to_.lane(made[at(which)], k) : in_register(which, each.at, k);
    };
    if (of.appends)
        places.append = [&](value one) {
            const value sum = to_.at(sums_, k);
            to_.assign(sum, to_.append(sum, one));
        };
    if (of.makes)
        places.store = [&](std::size_t output, value element) { to_.assign(to_.lane(results[output], k), element); };
    take_element(phase, of.body, each.number, places);
}

/// What reductions came to, and what is made of them, of the thread's column k.
void vector_columns_policy::of_column(value k) {
    for (value_id each = 0; at(each) < of_columns_.size(); ++each)
        if (of_columns_[at(each)] != nest::none) row_value(each) = to_.at(of_columns_[at(each)], k);
}

// --- A phase ---

void vector_columns_policy::compute(int phase) {
    work all{body_of_phase(phase), needed_in(phase, program_, of_, phases_)};
    bool makes = all.body.has_value();
    for (std::size_t i = 0; i < of_.outputs.size(); ++i) makes = makes || is_stored(i, phase);
    each_step([&](const step& each, value_id result, int) {
        if (each.code != operation::reduce && is_kept(result) && phase_of(result) == phase) keep(result);
    });
    if (!reduces(phase)) {
        all.tests = has_tests(all.body);
        if (makes) take_all(phase, all);
        return;
    }
    sums_ = to_.own("sum" + set(phase).suffix, types::accumulators(phase), width());
    if (in_any_order(phase)) {
        to_.unrolled("k", width(), [&](value k) { to_.assign(to_.at(sums_, k), to_.identity(phase)); });
        take_all(phase, all);
        leave_sums(phase, threads_.lane);
        to_.barrier();
        return;
    }
    work appends = all;
    if (const std::vector<bool> reduced = kept_operands(phase); !reduced.empty()) {
        appends = {{}, reduced, /*makes=*/false};
        all.appends = false;
        all.tests = has_tests(all.body);
        if (makes) take_all(phase, all);
    }
    take_in_turns(phase, appends);
}

bool vector_columns_policy::has_tests(const std::optional<int>& body) {
    if (!body) return false;
    const nest::body& of = to_.made().bodies[static_cast<std::size_t>(*body)];
    return choose_fast_paths(program_, of.steps, of.outputs).has_tests();
}

/// Of a phase's reductions, where all of their operands are kept; none: not all are.
std::vector<bool> vector_columns_policy::kept_operands(int phase) {
    std::vector<bool> out(phases_.phase.size());
    bool are_kept = true;
    each_reduction(phase, [&](const step& each, value_id, std::size_t) {
        are_kept = are_kept && is_kept(each.args[0]);
        out[at(each.args[0])] = true;
    });
    return are_kept ? out : std::vector<bool>();
}

void vector_columns_policy::take_all(int phase, const work& of) {
    each_in_registers([&](const item& each) { take(phase, of, each); });
    wait();
    each_in_slots(written_out(phase, of), [&](const item& each) { take(phase, of, each); });
}

void vector_columns_policy::wait() {
    if (!is_underway_) return;
    to_.reads_underway();
    to_.wait_copies(0);
    is_underway_ = false;
}

/// Turns of a phase's loop that stand one after the other: loads of several are then on their way at once. What calls functions, which are
/// long in themselves, is there once: a softmax takes NVRTC a fifth less so, and an H100 as long.
int vector_columns_policy::written_out(int phase, const work& of) const {
    int steps = 0;
    each_step([&](const step&, value_id result, int) { steps += !of_row(result) && phase_of(result) == phase; });
    if (of.body && calls_functions()) return 1;
    return steps <= 8 ? 4 : steps <= 32 ? 2 : 1;
}

bool vector_columns_policy::calls_functions() const {
    const auto first = program_.steps.begin();
    return std::any_of(first + of_.first_step, first + of_.last_step,
                       [](const step& each) { return is_function(each.code); });
}

nest::tree vector_columns_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, of.threads_per_block, of.wide_index);
    nest::operands operands(to, program, of);
    vector_columns_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
