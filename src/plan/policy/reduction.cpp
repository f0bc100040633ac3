#include <plan/policy/reduction.hpp>

#include <plan/partial_sums.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

using nest::runner;
using nest::value;
namespace types = nest::types;

value reduced_element(nest::builder& to, nest::operands& operands, const kernel& of,
                      const std::function<value(std::size_t)>& input, const std::vector<value>& positions,
                      value number_of_element, const std::function<void(std::size_t, value)>& store, value is_right) {
    std::vector<value> results;
    for (std::size_t i = 0; i < of.outputs.size(); ++i)
        results.push_back(to.variable("one_" + operands.output_name(i), types::element(of.reduced[i].accumulated)));
    operands.compute(
        input, [&](std::size_t i) { return results[i]; }, positions, is_right);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (of.stores_elements(i)) store(i, results[i]);
    const value one = to.variable("one", types::accumulators());
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!of.stores_elements(i)) to.assign_one(to.member(one, i), results[i], number_of_element);
    return one;
}

reduction_policy::reduction_policy(const lower::program& program, const kernel& of)
    : of_(of),
      to_({}, of.threads_per_block, of.wide_index),
      operands_(to_, program, of),
      threads_(to_, operands_, of),
      loaded_(of.inputs.size(), nest::none) {
    to_.set(reductions_of_outputs(of));
}

nest::tree reduction_policy::run() {
    shared_ = threads_.shared("shared", 0);
    threads_.begin();
    const int count = accumulators();
    parts_ = to_.own("part", types::accumulators(), count);
    make_room(count);
    to_.unrolled("k", count, [&](value k) { to_.assign(part(k), to_.identity()); });
    take_elements();
    combine_values();
    if (of_.ends_in_partial_sums) store_partial_sums();
    else {
        if (of_.splits) finalize_in_last_block();
        store();
    }
    return to_.finish();
}

/// Of a thread: of rows one for each place of the order's vectors, of columns one for each.
int reduction_policy::accumulators() const {
    return threads_.along_rows() ? reduction_sizes::widest : threads_.width();
}

/// Several values of each element: a compiler that is not told spends registers on elements it converts ahead of time, and leaves
/// room for a quarter of the warps.
void reduction_policy::make_room(int accumulators) {
    constexpr int registers_of_state = 7, registers_at_most = 34;
    int registers = 0;
    bool has_state = false;
    for (const reduced_output& each : of_.reduced) {
        has_state = has_state || each.keeps_state();
        const bool has_moments = each.keeps_state() && !each.sums_exponentials();
        // exp of double takes what registers there are: with 64 a thread the sum of 32M doubles 424 us on an H100.
        if (each.sums_exponentials() && each.accumulated == element_type::float64) return;
        registers += has_moments ? registers_of_state : accumulator_bytes(each) / 4;
    }
    if (!has_state || accumulators * registers > registers_at_most) return;
    // Of a multiprocessor: as many as 64 or 80 registers leave room for.
    // Of few columns there are not as many (plan/reduction.cpp), and each asks for more at once.
    const int threads = has_few_columns() ? 512 : accumulators * registers <= registers_of_state * 4 ? 1024 : 768;
    // As near to it as blocks come: of 288 threads four, so that all blocks of a reduction (`at_once`) have room.
    to_.resident(std::max(1, (threads + of_.threads_per_block / 2) / of_.threads_per_block));
}

/// Then a block has few threads (reduction_mapping.cpp).
bool reduction_policy::has_few_columns() const {
    constexpr int few_threads = 128;
    return !threads_.along_rows() && of_.threads_per_block <= few_threads;
}

// --- A thread's elements ---

/// Long bodies are longer to wait for anyway, and each round holds the body once per element.
int reduction_policy::loads_in_flight() const {
    const int steps = (of_.last_step - of_.first_step) * of_.elements_per_thread;
    // Of columns that do not move in vectors, twice as many are as many bytes on their way as elsewhere.
    const int most = of_.loads_in_flight == 4 && !of_.vectorised ? 8 : of_.loads_in_flight;
    return std::min(most, steps <= 32 ? 16 : steps <= 64 ? 8 : steps <= 128 ? 2 : 1);
}

bool reduction_policy::is_loaded(std::size_t input) const {
    const operand& of = of_.inputs[input];
    return !of.is_position && !of.gathered && !of.is_partial;
}

bool reduction_policy::is_vector(std::size_t input) const {
    return of_.vectorised && of_.inputs[input].how != access::uniform;
}

void reduction_policy::rounds(value start) {
    const int in_flight = loads_in_flight();
    to_.loop(
        runner::serial, "next", start, threads_.end, in_flight * threads_.round(),
        [&](value next) {
            for (std::size_t i = 0; i < of_.inputs.size(); ++i)
                if (is_loaded(i))
                    loaded_[i] = to_.own("v_" + operands_.input_name(i),
                                         is_vector(i) ? types::vector(of_.inputs[i].type, of_.elements_per_thread)
                                                      : types::element(of_.inputs[i].type),
                                         in_flight);
            const auto each_round = [&](auto what) {
                to_.unrolled("u", in_flight, [&](value u) {
                    const value first = to_.let("first", types::number, next + u * threads_.round());
                    to_.when(is_whole(first), [&] { what(u, first); });
                });
            };
            const auto guarded = [&] { each_round([&](value u, value first) { load(u, first); }); };
            // A compiler has loads wait for what is made of those before them where each is behind a condition of its own: the trapezoids
            // of (8209, 4099) floats over their first axis 112 us on an H100, so 58. Rows gain nothing.
            if (in_flight == 1 || threads_.along_rows()) guarded();
            else
                to_.when(
                    is_whole(to_.let("last", types::number, next + (in_flight - 1) * threads_.round())),
                    [&] {
                        to_.unrolled("u", in_flight, [&](value u) {
                            load(u, to_.let("first", types::number, next + u * threads_.round()));
                        });
                    },
                    guarded);
            each_round([&](value u, value first) { compute(u, first); });
        },
        /*written_out=*/1, types::number);
}

void reduction_policy::load(value u, value first) {
    value_threads::place at = threads_.place_of(first);
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        if (!is_loaded(i)) continue;
        const value place = threads_.address(i, at);
        const value to = to_.at(loaded_[i], u);
        if (!is_vector(i)) {
            to_.assign(to, operands_.element(i, place));
            continue;
        }
        const auto whole = [&] { operands_.load_vector(to, i, place); };
        const value moves = moves_in_vectors(i);
        if (!moves.is_there()) {
            whole();
            continue;
        }
        to_.when(moves, whole, [&] {
            to_.unrolled("k", of_.elements_per_thread,
                         [&](value k) { to_.assign(to_.lane(to, k), operands_.element(i, place + k)); });
        });
    }
}

void reduction_policy::compute(value u, value first) {
    value_threads::place at = threads_.place_of(first);
    std::vector<value> places(of_.inputs.size());
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        if (of_.inputs[i].is_position && !of_.inputs[i].gathered) places[i] = threads_.address(i, at);
    std::vector<value> results(of_.outputs.size());
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (of_.stores_elements(i)) {
            threads_.number(at);
            if (of_.vectorised)
                results[i] = to_.variable("v_" + operands_.output_name(i),
                                          types::vector(of_.outputs[i].type, of_.elements_per_thread));
        }
    to_.unrolled("k", of_.vectorised ? of_.elements_per_thread : 1, [&](value k) {
        const auto input = [&](std::size_t i) {
            if (is_loaded(i)) return is_vector(i) ? to_.lane(to_.at(loaded_[i], u), k) : to_.at(loaded_[i], u);
            const value element = operands_.element(i, places[i]);
            return of_.inputs[i].is_position && is_vector(i) ? element + k : element;
        };
        // A gather reads where the value is, of several the k-th.
        std::vector<value> positions = at.positions;
        if (of_.vectorised && of_.gathers()) positions.back() = positions.back() + k;
        const value one = reduced_element(
            to_, operands_, of_, input, positions, threads_.along_rows() ? first + k : first,
            [&](std::size_t i, value element) {
                if (results[i].is_there()) to_.assign(to_.lane(results[i], k), element);
                else to_.when(threads_.is_there, [&] { to_.assign(operands_.output(i, at.number), element); });
            });
        append(part(of_.elements_per_thread > accumulators() ? k % accumulators() : k), one);
    });
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].is_there())
            to_.when(threads_.is_there, [&] {
                to_.assign(to_.at(operands_.memory_of_output(i), at.number, results[i].is()), results[i]);
            });
}

void reduction_policy::element(value number_of_element, const std::function<void(value)>& append) {
    value_threads::place at = threads_.place_of(number_of_element);
    std::vector<value> places(of_.inputs.size());
    for (std::size_t i = 0; i < of_.inputs.size(); ++i)
        if (!of_.inputs[i].gathered && !of_.inputs[i].is_partial) places[i] = threads_.address(i, at);
    append(reduced_element(
        to_, operands_, of_, [&](std::size_t i) { return operands_.element(i, places[i]); }, at.positions,
        number_of_element,
        [&](std::size_t i, value element) {
            threads_.number(at);
            to_.when(threads_.is_there, [&] { to_.assign(operands_.output(i, at.number), element); });
        }));
}

// --- What they come to ---

template <class Each>
void reduction_policy::each_value(Each each) {
    to_.unrolled("k", threads_.width(), each);
}

void reduction_policy::combine_values() {
    if (of_.threads_per_output > 1) each_value([&](value k) { threads_.combine(mine(k), shared_); });
}

/// What a thread asks for at once of what the blocks have left of a value. Of moments one at a time: eight are more registers than the
/// elements' loop takes, and cost that a block in four.
int reduction_policy::splits_of_value() const {
    int out = 8;
    for (const reduced_output& each : of_.reduced)
        if (each.keeps_state()) out = std::min(out, each.sums_exponentials() ? 4 : 1);
    return out;
}

/// The same of all of its neighbouring values: each round waits as long for one as for all. Of 32 columns of floats, 528 blocks leave 66 for
/// each thread. 0: there is no room for them.
int reduction_policy::splits_together() const {
    if (threads_.width() == 1 || (splits_of_value() < 8 && !has_few_columns())) return 0;
    const int most = has_few_columns() ? 16 : 8;
    int bytes = 0;  // of what is known of a value
    for (const reduced_output& each : of_.reduced) bytes += accumulator_bytes(each);
    const int room = 4 * most * static_cast<int>(sizeof(float)) / (bytes * threads_.width());
    return std::min(most, static_cast<int>(std::bit_floor(static_cast<unsigned>(room))));
}

/// The last of a value's blocks to end combines what all of them have left, in the order of the splits.
void reduction_policy::finalize_in_last_block() {
    const nest::id workspace = operands_.workspace();
    const auto left = [&](value split, value k) {
        return to_.at(workspace, split * threads_.kept + threads_.which + k);
    };
    to_.when(threads_.lane == 0 && threads_.is_there,
             [&] { each_value([&](value k) { to_.assign(left(threads_.split, k), mine(k)); }); });
    // Who counts the block must come after who leaves its results: of one value that is one thread.
    if (threads_.outputs_per_block() > 1) to_.barrier();
    const value is_last = to_.at(to_.shared("is_last", types::boolean, 1), 0);
    const nest::id counters = operands_.counters();
    to_.when(threads_.thread == 0,
             [&] { to_.assign(is_last, to_.count_block(counters, threads_.group, threads_.splits)); });
    to_.barrier();
    to_.when(!is_last, [&] { to_.end(); });
    const auto take = [&](int values, value first, int in_flight) {
        to_.loop(
            runner::serial, "next", threads_.lane, threads_.splits, in_flight * of_.threads_per_output,
            [&](value next) {
                const nest::id others = to_.own("other", types::accumulators(), in_flight * values);
                const auto each_of_others = [&](auto what) {
                    to_.unrolled("u", in_flight, [&](value u) {
                        const value split = to_.let("split", types::number, next + u * of_.threads_per_output);
                        to_.when(split < threads_.splits, [&] {
                            to_.unrolled("k", values,
                                         [&](value k) { what(to_.at(others, u * values + k), split, first + k); });
                        });
                    });
                };
                each_of_others([&](value other, value split, value of) { to_.assign(other, left(split, of)); });
                each_of_others(
                    [&](value other, value, value of) { to_.assign(mine(of), to_.combine(mine(of), other)); });
            },
            /*written_out=*/0, types::number);
    };
    each_value([&](value k) { to_.assign(mine(k), to_.identity()); });
    if (const int together = splits_together(); together > 0) take(threads_.width(), to_.constant(0), together);
    else each_value([&](value k) { take(1, k, splits_of_value()); });
    combine_values();
    to_.when(threads_.thread == 0, [&] { to_.assign(to_.at(counters, threads_.group), 0); });
}

/// The block's part of each sum, behind the place of the sum itself.
void reduction_policy::store_partial_sums() {
    for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
        if (of_.stores_elements(i)) continue;
        const auto offset = static_cast<std::int64_t>(partial_sums_offset) / bytes_of(of_.outputs[i].type);
        to_.when(threads_.lane == 0,
                 [&] { to_.assign(operands_.output(i, threads_.split + offset), to_.member(mine(0), i)); });
    }
}

void reduction_policy::store() {
    const auto result = [&](std::size_t i, nest::value_or_number k) {
        return to_.finish(to_.member(mine(k), i), i, threads_.reduced);
    };
    to_.when(of_.threads_per_output > 1 ? threads_.lane == 0 && threads_.is_there : threads_.is_there, [&] {
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            if (of_.stores_elements(i)) continue;
            if (threads_.width() == 1) {
                to_.assign(operands_.output(i, threads_.which), result(i, 0));
                continue;
            }
            const nest::type vector = types::vector(of_.reduced[i].result, threads_.width());
            const value results = to_.variable("v_" + operands_.output_name(i), vector);
            each_value([&](value k) { to_.assign(to_.lane(results, k), result(i, k)); });
            if (of_.vectorised) to_.assign(to_.at(operands_.memory_of_output(i), threads_.which, vector), results);
            else
                each_value([&](value k) { to_.assign(operands_.output(i, threads_.which + k), to_.lane(results, k)); });
        }
    });
}

}  // namespace kiln::plan
