// Columns as host_persistent_rows.cpp has rows: a softmax over a middle axis. Ranges are of columns; neighbours are taken together, so
// that lines of memory are read whole and loops over them are vectors, and what later phases need of them stays in a thread's caches.
// In which order a column is put together is what device/cpu/host_reduction.cpp does of columns: parts of rows, one row after the other,
// and the parts in pairs.
#include <plan/policy/host_elementwise.hpp>

#include <lower/value_list.hpp>
#include <plan/column_panels.hpp>
#include <plan/host_order.hpp>
#include <plan/policy/host_column_parts.hpp>
#include <plan/policy/phased_rows.hpp>

#include <algorithm>
#include <map>
#include <optional>

namespace kiln::plan {

namespace {

using lower::step;
using lower::value_id;
using nest::runner;
using nest::value;
using nest::value_or_number;
namespace types = nest::types;

constexpr int most_columns = 128;  // taken together
constexpr int least_columns = 64;
constexpr int most_parts = static_cast<int>(longest_host_column / host_order::least_rows_of_part);
// Of accumulators that stay in registers while rows go by: four vectors of 512 bits, eight of 256.
constexpr int bytes_of_tile = 256;

class host_columns_policy : phased_rows {
public:
    host_columns_policy(const lower::program& program, const kernel& of, nest::builder& to, nest::operands& operands)
        : phased_rows(program, of, to, operands),
          range_(to.call_range()),
          row_pieces_(phases_.phase.size(), nest::none) {
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id, std::size_t number) {
                sets_.resize(std::max(sets_.size(), number + 1));
                sets_[number].members.push_back({number, {each.reduces, each.operands, each.result}});
            });
        for (reduction_set& each : sets_) {
            each.side_by_side = true;
            to_.set(each);
        }
        kept_ = kept_elements_of(program, phases_, arrays_read_in_place(), /*make_again=*/true);
        phases_.made_again = kept_.made_again;
    }

    void run() {
        reduced_ = to_.let("reduced", types::index, operands_.extent(across()));
        columns_ = to_.let("columns", types::index, operands_.extent(inner()));
        part_ = to_.let("part", types::index, rows_of_column_part(to_, columns_));
        memory();
        // Where each tile begins with a line.
        if (stores_lines())
            nontemporal_ = to_.let("nontemporal", to_.make(nest::operation::past_caches, types::boolean) &&
                                                      columns_ % line_bytes == 0 && range_.begin % line_bytes == 0);
        compute_row(0);
        to_.loop_while_below("value", range_.begin, range_.end, [&](value number) { take_columns(number); });
    }

private:
    [[nodiscard]] int inner() const { return of_.rank - 1; }
    [[nodiscard]] int across() const { return of_.rank - 2; }
    [[nodiscard]] bool is_kept(value_id of) const { return kept_.slot_of[at(of)] >= 0; }
    /// Arrays that are read in several phases are kept, too: rows of few columns are far apart in memory, where no prefetcher finds them, and
    /// lines of the second cache that are read again have often left it, whose sets they share. But not 16-bit floats, which would be
    /// converted each time.
    [[nodiscard]] std::vector<bool> arrays_read_in_place() const {
        std::vector<bool> out(program_.arrays.size());
        for (const operand& each : of_.inputs)
            out[at(each.value)] = !is_array_in_order(each.value) || is_small_float(each.type);
        return out;
    }
    [[nodiscard]] bool is_array_in_order(value_id of) const {
        const operand* const array = input(of);
        return array && !array->is_position && array->how == access::contiguous;
    }
    [[nodiscard]] nest::id memory_of(value_id of) const {
        return slots_[static_cast<std::size_t>(kept_.slot_of[at(of)])];
    }
    /// Columns that are taken together: as many as leave the longest in a second cache of 1 MiB. A number that is known where the text is
    /// lets its compiler count rows of what is kept: a softmax takes 0.88 of the time so (EPYC, Zen 5, 2026-11).
    [[nodiscard]] int width() const {
        constexpr int bytes_of_most = 1024 * 1024;
        int bytes = 0;
        for (const element_type each : kept_.slots) bytes += bytes_of(each);
        int out = most_columns;
        while (out > least_columns && out * bytes > bytes_of_most / longest_host_column) out /= 2;
        return out;
    }

    /// Whether there are elements that leave the kernel a tile at a time, and where nobody has read them.
    [[nodiscard]] bool stores_lines() const {
        bool elements = false;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            if (of_.stores_elements(i) && of_.outputs[i].how != access::contiguous) return false;
            elements = elements || of_.stores_elements(i);
        }
        return elements && !of_.aliased;
    }

    void memory() {
        slots_.assign(kept_.slots.size(), nest::none);
        for (value_id each = 0; at(each) < kept_.slot_of.size(); ++each) {
            if (!is_kept(each)) continue;
            nest::id& slot = slots_[static_cast<std::size_t>(kept_.slot_of[at(each)])];
            if (slot == nest::none) slot = to_.scratch("columns_" + name_of(each), type_of(each));
        }
        if (!slots_.empty()) to_.allocate(to_.let("room", types::index, reduced_ * width()));
        for (int phase = 1; phase <= phases_.count; ++phase)
            for (const value_id each : made_of_row(phase)) of_column(each);
        for (int phase = 0; phase < phases_.count; ++phase)
            each_reduction(phase, [&](const step& each, value_id result, std::size_t number) {
                all_.resize(sets_.size(), nest::none);
                all_[number] = to_.own("all_" + std::to_string(number), types::accumulators(static_cast<int>(number)),
                                       most_parts * most_columns, line_bytes);
                of_column(result);
                nest::id& piece = row_pieces_[at(each.args[0])];
                if (!is_made_side_by_side(phase) && !is_in_memory(each.args[0], phase) && piece == nest::none)
                    piece = to_.own("row_" + name_of(each.args[0]), type_of(each.args[0]), most_columns, line_bytes);
            });
    }
    void of_column(value_id of) {
        of_column_[of] = to_.own("of_column_" + name_of(of), type_of(of), most_columns, line_bytes);
    }

    /// Of all columns that are taken together, from the one with that number on.
    void take_columns(value number) {
        const value outer = to_.let("outer", types::index, number / columns_);
        first_ = to_.let("first", types::index, number % columns_);
        count_ = to_.let(
            "count", types::index,
            to_.least(to_.let("most", types::index, to_.least(columns_ - first_, width())), range_.end - number));
        before_ = to_.let("before", types::index, outer * reduced_);
        positions_.assign(static_cast<std::size_t>(of_.rank), value());
        if (across() > 0) operands_.first_positions(outer, 0, across() - 1, positions_);
        for (int phase = 0; phase < phases_.count; ++phase) take_phase(phase);
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (!of_.stores_elements(i))
                each_column([&](value j) {
                    to_.assign(operands_.output(i, number + j), column_value(of_.outputs[i].value, j));
                });
        to_.assign(number, number + count_);
    }

    template <class Take>
    void each_column(Take take) {
        each_column_from(to_.constant(0, types::index), take);
    }
    template <class Take>
    void each_column_from(value first, Take take) {
        to_.loop(runner::simd, "j", first, count_, 1, take, /*written_out=*/0, types::index);
    }
    template <class Take>
    void each_of_width(value_or_number first, Take take) {
        to_.loop(runner::simd, "j", first, width(), 1, take, /*written_out=*/0, types::index);
    }
    /// What is known of a column; of what is the same for all, that.
    value column_value(value_id of, value j) {
        const auto found = of_column_.find(of);
        return found == of_column_.end() ? row_value(of) : to_.at(found->second, j);
    }

    void take_phase(int phase) {
        if (!reduces(phase)) return store_rows(phase);
        const value parts = to_.let("parts", types::index, (reduced_ + part_ - 1) / part_);
        to_.loop(
            runner::serial, "number", 0, parts, 1,
            [&](value number) {
                const value to_part = to_.let("to_part", types::index, number * most_columns);
                const value begin = to_.let("part_begin", types::index, number * part_);
                const value end = to_.let("part_end", types::index, to_.least(begin + part_, reduced_));
                if (is_made_side_by_side(phase)) return take_tiles(phase, begin, end, to_part);
                if (is_reduced_from_memory(phase)) {
                    each_row(begin, end, [&](const row_place& here) { compute(phase, here); });
                    return take_tiles(phase, begin, end, to_part);
                }
                begin_parts(phase, to_part, 0);
                take_rows(phase, begin, end, to_part);
            },
            /*written_out=*/0, types::index);
        to_.loop_while_below("apart", to_.constant(1, types::index), parts, [&](value apart) {
            to_.loop_while_below("left", to_.constant(0, types::index), parts - apart, [&](value left) {
                const value to_left = to_.let("to_left", types::index, left * most_columns);
                const value to_right = to_.let("to_right", types::index, (left + apart) * most_columns);
                each_all(phase, [&](nest::id all, std::size_t) {
                    each_of_width(0, [&](value j) {
                        const value mine = to_.at(all, to_left + j);
                        to_.assign(mine, to_.combine(mine, to_.at(all, to_right + j)));
                    });
                });
                to_.assign(left, left + apart * 2);
            });
            to_.assign(apart, apart * 2);
        });
        each_reduction(phase, [&](const step&, value_id result, std::size_t number) {
            each_of_width(0, [&](value j) {
                to_.assign(to_.at(of_column_.at(result), j),
                           to_.finish(to_.member(to_.at(all_[number], j), number), number, reduced_));
            });
        });
        make_of_columns(phase + 1);
    }
    template <class Take>
    void each_all(int phase, Take take) {
        each_reduction(phase, [&](const step&, value_id, std::size_t number) { take(all_[number], number); });
    }

    /// Also of columns beyond the last, so that loops over what parts come to need not know how many there are.
    void begin_parts(int phase, value to_part, value_or_number first) {
        each_all(phase, [&](nest::id all, std::size_t set) {
            each_of_width(first,
                          [&](value j) { to_.assign(to_.at(all, to_part + j), to_.identity(static_cast<int>(set))); });
        });
    }

    /// A row of the columns: the element at i of what is contiguous is at linear + i, and what is kept of it at kept + i.
    struct row_place {
        value linear, kept, row;
    };
    template <class Take>
    void each_row(value begin, value end, Take take) {
        to_.loop(
            runner::serial, "row", begin, end, 1,
            [&](value row) {
                take(row_place{to_.let("linear", types::index, (before_ + row) * columns_),
                               to_.let("kept", types::index, row * width() - first_), row});
            },
            /*written_out=*/0, types::index);
    }

    /// Rows of the columns: their elements, and those to the accumulators.
    void take_rows(int phase, value begin, value end, value to_part) {
        each_row(begin, end, [&](const row_place& here) {
            compute(phase, here);
            each_reduction(phase, [&](const step& each, value_id, std::size_t set) {
                each_column([&](value j) {
                    const value mine = to_.at(all_[set], to_part + j);
                    to_.assign(mine, to_.combine(mine, element_of(each.args[0], phase, here, first_ + j)));
                });
            });
        });
    }

    // --- Tiles: as many columns as have room in registers. Their number is known where the text is, so that loops over them end as vectors
    // without what is left over, and accumulators stay where they are while all rows of a part go by ---

    /// Whether a phase's elements need no row of their own: they are made of what lies side by side.
    [[nodiscard]] bool is_made_side_by_side(int phase) {
        const nest::body body = elements_body(phase, values_of(results_of(phase, {})));
        return strips_of(program_, body, scalars_of(body)).phases.empty() &&
               std::all_of(body.inputs.begin(), body.inputs.end(), [this](value_id each) {
                   return is_all_along(each) || of_column_.count(each) || is_step(each) || is_array_in_order(each);
               });
    }
    /// Whether they find them in memory once those of all rows are there.
    [[nodiscard]] bool is_reduced_from_memory(int phase) {
        bool out = true;
        each_reduction(
            phase, [&](const step& each, value_id, std::size_t) { out = out && is_in_memory(each.args[0], phase); });
        return out;
    }
    [[nodiscard]] int columns_of_tile(int phase) const {
        int bytes = 1;
        each_reduction(phase, [&](const step& each, value_id, std::size_t) {
            bytes = std::max({bytes, bytes_of(each.operands), bytes_of(each.result)});
        });
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase)) bytes = std::max(bytes, bytes_of(of_.outputs[i].type));
        return bytes_of_tile / bytes;
    }
    value whole_tiles(int tile) { return to_.let("whole", types::index, count_ / tile * tile); }
    /// The body of a phase's elements, where it makes any.
    [[nodiscard]] std::optional<int> body_of_elements(int phase) {
        const std::vector<value_id> made = values_of(results_of(phase, {}));
        if (made.empty()) return {};
        return to_.body(elements_body(phase, made));
    }

    /// A phase that reduces nothing.
    void store_rows(int phase) {
        const value none = to_.constant(0, types::index);
        if (!is_made_side_by_side(phase))
            return each_row(none, reduced_, [&](const row_place& here) { compute(phase, here); });
        const std::optional<int> body = body_of_elements(phase);
        if (!body) return;
        const int tile = columns_of_tile(phase);
        const value whole = whole_tiles(tile);
        each_row(none, reduced_, [&](const row_place& here) {
            to_.loop(
                runner::serial, "tile", 0, whole, tile, [&](value from) { store_tile(phase, *body, here, from, tile); },
                /*written_out=*/0, types::index);
            each_column_from(whole, [&](value j) { make_element(phase, *body, here, j); });
        });
    }

    /// Columns of a row, by way of a tile of their own where they may leave past the caches.
    void store_tile(int phase, int body, const row_place& here, value from, int tile) {
        const auto each = [&](const auto& take) {
            to_.loop(runner::simd, "j", 0, tile, 1, take, /*written_out=*/0, types::index);
        };
        if (!nontemporal_.is_there() || phase + 1 < phases_.count)
            return each([&](value j) { make_element(phase, body, here, from + j); });
        std::vector<nest::id> made;
        std::vector<std::size_t> outputs;
        for (std::size_t i = 0; i < of_.outputs.size(); ++i) {
            if (!is_stored(i, phase)) continue;
            outputs.push_back(i);
            made.push_back(
                to_.own("line_" + name_of(of_.outputs[i].value), type_of(of_.outputs[i].value), tile, line_bytes));
        }
        each([&](value j) {
            const std::map<value_id, value> of = make_element(phase, body, here, from + j, /*stores=*/false);
            for (std::size_t o = 0; o < made.size(); ++o)
                to_.assign(to_.at(made[o], j), of.at(of_.outputs[outputs[o]].value));
        });
        const value at = here.linear + first_ + from;
        to_.when(
            nontemporal_,
            [&] {
                for (std::size_t o = 0; o < made.size(); ++o)
                    to_.assign(to_.at(operands_.memory_of_output(outputs[o]), at,
                                      types::vector(type_of(of_.outputs[outputs[o]].value).of, tile)),
                               to_.whole(made[o]));
            },
            [&] {
                each([&](value j) {
                    for (std::size_t o = 0; o < made.size(); ++o)
                        to_.assign(operands_.output(outputs[o], at + j), to_.at(made[o], j));
                });
            });
    }

    void take_tiles(int phase, value begin, value end, value to_part) {
        const std::optional<int> body = is_made_side_by_side(phase) ? body_of_elements(phase) : std::optional<int>();
        const int tile = columns_of_tile(phase);
        const value whole = whole_tiles(tile);
        to_.loop(
            runner::serial, "tile", 0, whole, tile,
            [&](value from) {
                std::vector<nest::id> sums(sets_.size(), nest::none);
                const auto each_sum = [&](const auto& take) {
                    each_all(phase, [&](nest::id all, std::size_t set) {
                        to_.loop(
                            runner::simd, "j", 0, tile, 1,
                            [&](value j) { take(set, to_.at(sums[set], j), to_.at(all, to_part + from + j)); },
                            /*written_out=*/0, types::index);
                    });
                };
                each_all(phase, [&](nest::id, std::size_t set) {
                    sums[set] = to_.own("tile_" + std::to_string(set), types::accumulators(static_cast<int>(set)), tile,
                                        line_bytes);
                });
                each_sum(
                    [&](std::size_t set, value mine, value) { to_.assign(mine, to_.identity(static_cast<int>(set))); });
                take_elements(phase, body, begin, end,
                              {to_.constant(0, types::index), to_.constant(tile, types::index), from},
                              [&](std::size_t set, value j) { return to_.at(sums[set], j); });
                each_sum([&](std::size_t, value mine, value all) { to_.assign(all, mine); });
            },
            /*written_out=*/0, types::index);
        to_.when(whole < width(), [&] {
            begin_parts(phase, to_part, whole);
            take_elements(phase, body, begin, end, {whole, count_, to_.constant(0, types::index)},
                          [&](std::size_t set, value j) { return to_.at(all_[set], to_part + j); });
        });
    }

    /// Columns `first` to `last` from that one on.
    struct columns_of_row {
        value first, last, from;
    };
    /// The elements of these columns, row by row, to the sums: as the body makes them, or where they are.
    template <class Sum>
    void take_elements(int phase, std::optional<int> body, value begin, value end, const columns_of_row& which,
                       Sum sum) {
        each_row(begin, end, [&](const row_place& here) {
            to_.loop(
                runner::simd, "j", which.first, which.last, 1,
                [&](value j) {
                    const value column = which.from + j;
                    std::map<value_id, value> made;
                    if (body) made = make_element(phase, *body, here, column);
                    each_reduction(phase, [&](const step& each, value_id, std::size_t set) {
                        const auto found = made.find(each.args[0]);
                        const value element = found == made.end()
                                                  ? element_of(each.args[0], phase, here, first_ + column)
                                                  : found->second;
                        to_.assign(sum(set, j), to_.combine(sum(set, j), element));
                    });
                },
                /*written_out=*/0, types::index);
        });
    }
    std::map<value_id, value> make_element(int phase, int body, const row_place& here, value column,
                                           bool stores = true) {
        const value i = first_ + column;
        const auto given = [&](value_id of) {
            if (is_all_along(of)) return row_value(of);
            return of_column_.count(of) ? to_.at(of_column_.at(of), column) : before_phase(of, phase, here, i);
        };
        std::map<value_id, value> made;
        const std::vector<value> outputs = call(body, given);
        const std::vector<row_result> results = results_of(phase, here);
        for (std::size_t r = 0; r < results.size(); ++r) {
            made[results[r].of] = outputs[r];
            if (!stores) continue;
            if (const value place = results[r].element(i); place.is_there()) to_.assign(place, outputs[r]);
        }
        return made;
    }

    /// Of a body's inputs, those that are the same for all elements.
    [[nodiscard]] std::vector<value_id> scalars_of(const nest::body& of) const {
        std::vector<value_id> out;
        std::copy_if(of.inputs.begin(), of.inputs.end(), std::back_inserter(out),
                     [this](value_id each) { return is_all_along(each); });
        return out;
    }
    [[nodiscard]] bool is_all_along(value_id of) const { return phases_.of_row[at(of)] && !of_column_.count(of); }

    /// An array's element is where its neighbours are, or what is kept of it is.
    [[nodiscard]] bool is_in_memory(value_id of, int phase) const {
        if (is_kept(of) && phase_of(of) <= phase) return true;
        return is_array_in_order(of);
    }
    /// The element at i of what is there before a phase.
    value before_phase(value_id of, int phase, const row_place& here, value i) {
        if (is_kept(of) && phase_of(of) < phase) return to_.at(memory_of(of), here.kept + i);
        return operands_.element(number_of(*input(of)), here.linear + i);
    }
    value element_of(value_id of, int phase, const row_place& here, value i) {
        if (!is_in_memory(of, phase)) return to_.at(row_pieces_[at(of)], i - first_);
        if (is_kept(of) && phase_of(of) <= phase) return to_.at(memory_of(of), here.kept + i);
        return operands_.element(number_of(*input(of)), here.linear + i);
    }
    [[nodiscard]] std::size_t number_of(const operand& input) const {
        return static_cast<std::size_t>(&input - of_.inputs.data());
    }

    /// A value that a phase computes of each element, and where the one at i goes: to be kept, reduced, stored.
    struct row_result {
        value_id of;
        std::function<value(value)> element;  // none: nowhere
    };
    static std::vector<value_id> values_of(const std::vector<row_result>& results) {
        std::vector<value_id> out;
        for (const row_result& each : results) out.push_back(each.of);
        return out;
    }
    std::vector<row_result> results_of(int phase, const row_place& here) {
        std::vector<row_result> out;
        for (value_id of = 0; at(of) < kept_.slot_of.size(); ++of)
            if (is_kept(of) && phase_of(of) == phase)
                out.push_back({of, [this, of, here](value i) { return to_.at(memory_of(of), here.kept + i); }});
        std::vector<value_id> reduced;
        each_reduction(phase, [&](const step& each, value_id, std::size_t) {
            const value_id of = each.args[0];
            if (is_in_memory(of, phase) || lower::holds(reduced, of)) return;
            reduced.push_back(of);
            out.push_back({of, [this, of](value i) {
                               const nest::id piece = row_pieces_[at(of)];
                               return piece == nest::none ? value() : to_.at(piece, i - first_);
                           }});
        });
        for (std::size_t i = 0; i < of_.outputs.size(); ++i)
            if (is_stored(i, phase))
                out.push_back({of_.outputs[i].value,
                               [this, i, here](value place) { return operands_.output(i, here.linear + place); }});
        return out;
    }

    void compute(int phase, const row_place& here) {
        const std::vector<row_result> results = results_of(phase, here);
        if (results.empty()) return;
        const nest::body body = elements_body(phase, values_of(results));
        const int number = to_.body(body);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, scalars_of(body)));
        std::vector<value> positions = positions_;
        positions[static_cast<std::size_t>(across())] = here.row;
        row_elements of;
        for (const value_id each : body.inputs)
            if (!is_all_along(each)) of.inputs.push_back(operand_of(each, phase, here));
        for (const row_result& each : results)
            of.outputs.push_back({&anywhere_, name_of(each.of), each.element, true, nest::none});
        of.compute = [&](const std::vector<value>& inputs, const std::vector<value>& places,
                         const std::vector<value>&) {
            std::vector<value> given;
            std::size_t next = 0;
            for (const value_id each : body.inputs)
                given.push_back(is_all_along(each) ? row_value(each) : inputs[next++]);
            to_.compute(given, places, number);
        };
        if (in_strips.are_there()) of.in_strips = &in_strips;
        of.all_along = [this](value_id each) { return row_value(each); };
        add_row(to_, operands_, inner(), of, {first_, first_ + count_, here.linear, positions}, {});
    }

    row_operand operand_of(value_id of, int phase, const row_place& here) {
        row_operand out{&anywhere_, name_of(of), {}, true, nest::none, of};
        if (const operand* const array = input(of); array && !(is_kept(of) && phase_of(of) < phase)) {
            out.of = array;
            out.is_elsewhere = false;
            out.element = [this, which = number_of(*array)](value place) { return operands_.element(which, place); };
        } else if (of_column_.count(of)) {
            out.element = [this, of](value i) { return to_.at(of_column_.at(of), i - first_); };
        } else {
            out.element = [this, of, here](value i) { return to_.at(memory_of(of), here.kept + i); };
        }
        return out;
    }

    /// What is made of what columns come to, of each of them.
    void make_of_columns(int phase) {
        const std::vector<value_id> outputs = made_of_row(phase);
        if (outputs.empty()) return;
        const nest::body body = body_of(
            "row_" + std::to_string(phase), [&](value_id of) { return is_made_of_row(of, phase); }, outputs);
        const strip_bodies in_strips(to_, program_, strips_of(program_, body, scalars_of(body)));
        const auto given = [&](value_id of, value j) { return column_value(of, j); };
        const auto made = [&](std::size_t number, value j) { return to_.at(of_column_.at(outputs[number]), j); };
        if (in_strips.are_there())
            return in_strips.add_loop(to_, to_.constant(0, types::index), count_,
                                      {given,
                                       made,
                                       [](value) { return std::vector<value>(); },
                                       [this](value_id of) { return of_column_.count(of) > 0; },
                                       [](std::size_t) { return true; },
                                       1,
                                       [](value_id) { return false; },
                                       {}});
        const int number = to_.body(body);
        each_column([&](value j) {
            std::vector<value> inputs, results;
            for (const value_id each : body.inputs) inputs.push_back(given(each, j));
            for (std::size_t i = 0; i < outputs.size(); ++i) results.push_back(made(i, j));
            to_.compute(inputs, results, number);
        });
    }

    const operand anywhere_ = {};  // what is found where the code around a row says
    const nest::builder::range range_;
    kept_elements kept_;
    std::vector<nest::id> slots_;             // memories of the thread's
    std::vector<nest::id> row_pieces_;        // by value: a row of what is to be reduced
    std::map<value_id, nest::id> of_column_;  // what is one for each column
    std::vector<nest::id> all_;               // by reduction: its accumulators, of each part
    std::vector<reduction_set> sets_;
    std::vector<value> positions_;    // on the axes outside
    value reduced_, columns_, part_;  // extents; rows of a part
    value first_, count_, before_;    // of those at hand
    value nontemporal_;               // whether results go past the caches, where they may
};

}  // namespace

nest::tree host_persistent_columns_nest(const lower::program& program, const kernel& of) {
    nest::builder to({}, 1, /*wide=*/true);
    nest::operands operands(to, program, of);
    host_columns_policy(program, of, to, operands).run();
    return to.finish();
}

}  // namespace kiln::plan
