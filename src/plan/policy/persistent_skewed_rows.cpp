// Rows of elements of two bytes that begin anywhere: their threads read and store them in whole vectors (policy/skewed_rows.hpp).
#include <plan/policy/persistent_rows.hpp>

#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::plan {

namespace types = nest::types;

skewed_row persistent_rows_policy::skewed(const operand& each, nest::id memory, const std::string& name, value begin) {
    return {to_, of_, threads_, memory, name, each, begin};
}

/// All that a thread has of a row is on its way before the first of it is looked at.
void persistent_rows_policy::load_skewed(const std::vector<source>& sources) {
    if (sources.empty()) return;
    std::vector<skewed_row> rows;
    value_threads::place at = threads_.place_of(to_.let("first_of_row", types::number, first_of(to_.constant(0))));
    for (const source& each : sources) {
        rows.push_back(skewed(of_.inputs[each.input], operands_.memory_of_input(each.input), name_of(each.kept),
                              address(each, at)));
        rows.back().make_room(of_.items_in_registers);
    }
    each_item(in_registers(), [&](value u) {
        const value first = to_.let("first", types::index, first_of(u));
        for (skewed_row& each : rows) each.read(u, u, first);
    });
    each_item(in_registers(), [&](value u) {
        const value first = to_.let("first", types::index, first_of(u));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const value vector = rows[i].take(u, u, first);
            to_.unrolled("k", width(), [&](value k) { to_.assign(kept(sources[i].kept, u, k), to_.lane(vector, k)); });
        }
    });
}

std::map<lower::value_id, skewed_row> persistent_rows_policy::skewed_in_place(const work& of, items which) {
    std::map<value_id, skewed_row> out;
    if (moves_by_warps() || of_.has_neighbour_lanes) return out;
    value_threads::place at;
    for (std::size_t i = 0; i < of_.inputs.size(); ++i) {
        const operand& each = of_.inputs[i];
        if (!is_skewed(of_, each) || !is_read_at(of, which, each)) continue;
        if (at.positions.empty())
            at = threads_.place_of(to_.let("first_of_row", types::number, first_of(to_.constant(0))));
        const auto added = out.emplace(
            each.value, skewed(each, operands_.memory_of_input(i), operands_.input_name(i), threads_.address(i, at)));
        added.first->second.make_room(1);
    }
    return out;
}

persistent_rows_policy::at_hand persistent_rows_policy::read_skewed(std::map<value_id, skewed_row>& rows, value u,
                                                                    value vector) {
    at_hand out = none_at_hand();
    if (rows.empty()) return out;
    const value first = to_.let("first", types::index, vector);
    for (auto& [id, row] : rows) {
        row.read(0, u, first);
        out[at(id)] = row.take(0, u, first);
    }
    return out;
}

/// Of all that is stored, or of none of it.
bool persistent_rows_policy::stores_skewed(const work& of) const {
    const auto is_narrow = [this](std::size_t output) { return is_stored_skewed(of_, of_.outputs[output]); };
    return !of.stored.empty() && !reduces(of.phase) && !scans(of.phase) &&
           std::all_of(of.stored.begin(), of.stored.end(), is_narrow);
}

/// Items of which no lane of the warp is in its row are left out: all of a warp take part in what is left.
void persistent_rows_policy::when_warp_is_in_row(value u, const std::function<void()>& then) {
    const int whole = whole_items_of_row(of_.items_per_thread);
    const int warps = of_.threads_per_output / warp;  // of a row
    value first = u * (of_.threads_per_output * width());
    if (warps > 1) first = first + threads_.thread / warp % warps * (warp * width());
    to_.when(whole > 0 ? (u < whole) | (first < threads_.end) : first < threads_.end, then);
}

void persistent_rows_policy::store_skewed(const work& of, items which) {
    std::map<value_id, skewed_row> read = skewed_in_place(of, which);
    std::vector<skewed_row> rows;
    value_threads::place at = threads_.place_of(to_.let("first_of_row", types::number, first_of(to_.constant(0))));
    for (const std::size_t i : of.stored) {
        rows.push_back(
            skewed(of_.outputs[i], operands_.memory_of_output(i), operands_.output_name(i), threads_.number(at)));
        rows.back().begin_stores();
    }
    each_item(which, [&](value u) {
        when_warp_is_in_row(u, [&] {
            const value vector = to_.let("vector", types::number, first_of(u));
            const at_hand vectors = read_skewed(read, u, vector);
            std::vector<value> made(of_.outputs.size());
            for (const std::size_t i : of.stored)
                made[i] = to_.variable("v_" + operands_.output_name(i), types::vector(of_.outputs[i].type, width()));
            take_tested(of, [&](value is_right) {
                each_element_of(which, u, vector, [&](value k, value first) {
                    take_element_at(of, which, u, k, first, vectors, is_right,
                                    [&](std::size_t output, value element, value_threads::place&) {
                                        to_.assign(to_.lane(made[output], k), element);
                                    });
                });
            });
            const value first = to_.let("first", types::index, vector);
            for (std::size_t i = 0; i < rows.size(); ++i) rows[i].store(made[of.stored[i]], u, first);
        });
    });
}

}  // namespace kiln::plan
