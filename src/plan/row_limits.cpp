#include <plan/row_limits.hpp>

#include <capture/array_node.hpp>
#include <capture/reduced.hpp>
#include <lower/lower.hpp>
#include <plan/column_panels.hpp>
#include <plan/contraction.hpp>
#include <plan/host_order.hpp>
#include <plan/partial_sums.hpp>
#include <plan/reduction.hpp>
#include <plan/row_scans.hpp>
#include <plan/row_sets.hpp>
#include <plan/row_slots.hpp>
#include <plan/shared_rows.hpp>
#include <plan/side_by_side.hpp>
#include <plan/strips.hpp>
#include <plan/tensor_contraction.hpp>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace kiln::plan {

using namespace kiln::detail;

namespace {

/// Of an element: what is as large as what is reduced, at least a register.
int bytes_kept(const flat_terms& flat, const shape& of) {
    int bytes = 0;
    std::vector<const array_node*> counted;
    for (const leaf& each : flat.leaves) {
        const auto* const node = static_cast<const array_node*>(each.object);
        if (each.kind != leaf_kind::array || node->extents.size() != of.size()) continue;
        if (std::find(counted.begin(), counted.end(), node) != counted.end()) continue;
        counted.push_back(node);
        bytes += std::max(4, bytes_of(node->type));
    }
    return std::max(4, bytes);
}

/// Of a kernel that keeps rows, which cannot be cut: its parameters, at most, as partition.cpp counts them.
int most_parameters(const flat_terms& flat, const shape& of, std::size_t outputs) {
    const int words = 1 + of.rank();
    int out = 1 + 2 * max_rank + static_cast<int>(outputs) * (1 + words);
    for (const leaf& each : flat.leaves) {
        out += 1;
        if (each.kind != leaf_kind::array) continue;
        const auto* const node = static_cast<const array_node*>(each.object);
        out += words + (node->map ? static_cast<int>(node->map->steps.size()) * (2 + 2 * words) : 0);
    }
    return out;
}

bool has_gathers(const flat_terms& flat) {
    return std::any_of(flat.described.nodes.begin(), flat.described.nodes.end(),
                       [](const graph::node& each) { return each.kind == graph::node_kind::gather; });
}

/// Elements that are read, each once: a view may see one along a whole axis.
std::int64_t elements_behind(const array_node& of) {
    std::int64_t out = 1;
    for (int axis = 0; axis < of.extents.rank(); ++axis)
        if (of.strides[axis] != 0) out *= of.extents[axis];
    return out;
}

/// Whether rows of which a multiprocessor has one at once, and whose elements move one by one, are read again sooner than they are kept: two
/// of them, or one beside what all rows share, for which slots leave no cache. RMS norm of 1301 rows of 50257 floats takes an H200 207 us so,
/// 272 where they are kept; softmax of those 276 and 176. Narrow ones lie in slots as in memory (neighbour_rows.hpp).
bool is_read_again(const flat_terms& flat, const shape& of, const reduction_sizes& sizes) {
    constexpr int most_threads_of_two = 512;  // of a row, so that a multiprocessor has two
    constexpr int narrow = 2;                 // bytes
    if (sizes.threads_per_output <= most_threads_of_two || sizes.reduced % sizes.vector_width == 0) return false;
    if (has_scans(flat.described) || has_gathers(flat)) return true;
    std::vector<const array_node*> rows;
    bool shares = false;
    bool are_narrow = true;
    for (const leaf& each : flat.leaves) {
        if (each.kind != leaf_kind::array) continue;
        const auto* const node = static_cast<const array_node*>(each.object);
        const int last = node->extents.rank() - 1;
        if (node->owned == ownership::position || last < 0 || node->extents[last] == 1 || node->strides[last] == 0)
            continue;
        if (elements_behind(*node) < of.size()) {
            shares = true;
            continue;
        }
        if (std::find(rows.begin(), rows.end(), node) == rows.end()) rows.push_back(node);
        are_narrow = are_narrow && bytes_of(node->type) <= narrow && !node->map && node->strides[last] == 1;
    }
    return !are_narrow && (shares || rows.size() > 1);
}

/// Whether what is known of some elements is a value like theirs.
bool only_combines(const flat_terms& flat) {
    return std::all_of(flat.described.nodes.begin(), flat.described.nodes.end(), [](const graph::node& each) {
        return each.kind != graph::node_kind::reduced ||
               (!keeps_state(each.reduces) && info(each.reduces).result != reduced_to::position);
    });
}

/// A graph that one kernel can hold, which is not cut.
bool may_be_whole(const flat_terms& flat, const shape& of, std::size_t outputs, int most) {
    constexpr std::size_t most_nodes = 96;
    return flat.described.nodes.size() <= most_nodes && most_parameters(flat, of, outputs) <= most;
}

/// host_row_fits of a graph. Rows of a few elements stay where functions would be computed again, which cost more than what is done for each
/// row. Of 4M floats, softmax of rows of 2 to 8 takes 3.9 ms so for 6 to 11, a layer's norm 6.8 to 3.5 for 3.5 to 2.6 (2 cores of a Xeon,
/// Emerald Rapids, 2026-11).
bool host_rows_fit(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    if (!host_row_fits(of, axes, bytes_kept(flat, of))) return false;
    const bool calls_functions =
        std::any_of(flat.described.nodes.begin(), flat.described.nodes.end(), [](const graph::node& each) {
            return each.kind == graph::node_kind::operation && is_called_for_strips(each.code, each.type);
        });
    return of[of.rank() - 1] > longest_known_row || (calls_functions && only_combines(flat));
}

/// Whether a leaf is an array in memory that is the same along the axes that go.
bool is_one_of_row(const leaf& each, const shape& of, std::uint8_t axes) {
    if (each.kind != leaf_kind::array) return true;
    const auto& node = *static_cast<const array_node*>(each.object);
    if (node.map || node.owned == ownership::position || is_partial(node)) return false;
    const int before = of.rank() - node.extents.rank();
    for (int axis = std::max(0, before); axis < of.rank(); ++axis)
        if ((axes >> axis & 1) && node.extents[axis - before] != 1 && node.strides[axis - before] != 0) return false;
    return true;
}

/// Whether what a gather looks up is one for all elements of a row, made of what is in memory alone, and the table is there, too.
bool looks_up_rows(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    const auto& nodes = flat.described.nodes;
    const auto node = [&](int which) -> const graph::node& { return nodes[static_cast<std::size_t>(which)]; };
    std::vector<bool> is_looked_up(nodes.size());
    for (std::size_t i = nodes.size(); i-- > 0;) {
        const graph::node& each = nodes[i];
        if (each.kind == graph::node_kind::gather) {
            if (is_looked_up[i] || node(each.args[0]).kind != graph::node_kind::array) return false;
            for (int arg = 1; arg < max_operands && each.args[arg] >= 0; ++arg)
                is_looked_up[static_cast<std::size_t>(each.args[arg])] = true;
            continue;
        }
        if (!is_looked_up[i]) continue;
        switch (each.kind) {
            case graph::node_kind::array:
                if (!is_one_of_row(flat.leaves[static_cast<std::size_t>(each.slot)], of, axes)) return false;
                break;
            case graph::node_kind::scalar:
            case graph::node_kind::constant: break;
            case graph::node_kind::operation:
                for (int arg = 0; arg < max_operands && each.args[arg] >= 0; ++arg)
                    is_looked_up[static_cast<std::size_t>(each.args[arg])] = true;
                break;
            default: return false;
        }
    }
    return true;
}

/// Rows of tables: each thread has all of its elements in registers, of which it has enough.
bool table_rows_fit(const flat_terms& flat, const shape& of, std::uint8_t axes, const reduction_sizes& sizes) {
    constexpr int block_threads = 256;
    return sizes.reduced > 1 && sizes.items_per_thread() <= most_short_items &&
           sizes.threads_per_output * sizes.outputs_per_block <= block_threads && looks_up_rows(flat, of, axes);
}

/// Whether rows over the last axis are made where rows of what they come to are reduced. Rows that are elements of an array of their
/// own are read as fast by themselves, and leave less to be read than they are.
bool nested_rows_fit(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    constexpr std::int64_t longest = 32;        // of which each thread makes whole ones
    constexpr std::int64_t most_written = 512;  // nodes that stand in the kernel's text once written out, times four
    constexpr std::int64_t least_repeated = 4;  // elements of the iteration for one that is read
    const std::int64_t row = of[of.rank() - 1];
    const auto nodes = static_cast<std::int64_t>(flat.described.nodes.size());
    if (row < 2 || row > longest || row * nodes > most_written) return false;
    for (const leaf& each : flat.leaves)
        if (each.kind == leaf_kind::array &&
            elements_behind(*static_cast<const array_node*>(each.object)) > of.size() / least_repeated)
            return false;
    const reduction_sizes sizes = sizes_of_nested(without_last_axis(of), axes);
    return sizes.vector_width > 1 && sizes.kept * sizes.threads_per_output >= enough_nested_threads;
}

/// How short rows over the last axis are combined, whatever is made of them: as plan/reduction.hpp has it.
row_order order_of_short_rows(const shape& of, std::uint8_t axes) {
    constexpr std::int64_t longest = 32;
    const std::int64_t row = of[of.rank() - 1];
    if (of.size() == 0 || row < 2 || row > longest) return {};
    const reduction_sizes sizes = sizes_of_reduction(of, axes);
    if (sizes.splits > 1 || sizes.vector_width == 1) return {};
    return {sizes.threads_per_output, sizes.vector_width};
}

// Of the banks that the first cache has in common with shared memory.
constexpr std::int64_t banks = 32;
constexpr std::int64_t bank_bytes = 4;

/// From one element of a row over the last axis to the next; 0: it is the same all along.
std::int64_t apart_in_row(const array_node& of) {
    const int last = of.extents.rank() - 1;
    return last < 0 || of.extents[last] == 1 ? 0 : std::abs(of.strides[last]);
}

/// Turns that they take for what a warp reads of an array at once, of rows over the last axis: its lanes take four elements each, one after
/// the other.
std::int64_t turns_of_banks(const array_node& of) {
    const std::int64_t apart = apart_in_row(of);
    return apart == 0 ? 0 : std::gcd(reduction_sizes::widest * apart * bytes_of(of.type) / bank_bytes, banks);
}

/// The same of a row's elements that come in vectors, of which eight lanes read one each at once: the fewer the lanes whose four rows begin
/// in different banks, the more turns.
std::int64_t turns_of_vectors(const row_set_member& of) {
    constexpr std::int64_t words = 4;  // of a vector
    const std::int64_t rows = reduction_sizes::widest * of.apart * bytes_of(of.node->type) / bank_bytes;
    return ceil_div(rows, words) * std::max<std::int64_t>(1, std::gcd(rows, banks) / words);
}

/// Whether what is made of short rows, which are written out in it, is computed where it is reduced: of rows that are read again and again,
/// each of their elements apart. Of 8209 by 4099 points of 5 features an H100 takes 60 us element by element (20 turns), and 117 where a
/// thread has one value, of 8 (256 turns) 553; in vectors 37 (5 turns), of 8 83 (64 turns); in two kernels 162.
bool written_rows_fit(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    constexpr std::int64_t least_repeated = 16;  // elements of the iteration for one that is read
    constexpr std::int64_t least = 1 << 20;      // of fewer, two kernels that end at once take as long
    constexpr std::int64_t most_turns_of_vectors = 64;
    const reduction_sizes sizes = sizes_of_reduction(of, axes);
    const std::int64_t most_turns = may_share_rows(sizes) ? 32 : 20;
    std::vector<row_set_member> read;
    for (const leaf& each : flat.leaves) {
        if (each.kind != leaf_kind::array) continue;
        const auto& node = *static_cast<const array_node*>(each.object);
        if (elements_behind(node) > of.size() / least_repeated) return false;
        read.push_back({&node, apart_in_row(node)});
    }
    if (may_have_row_sets(sizes)) find_row_sets(read);
    std::int64_t turns = 0;
    std::int64_t turns_in_sets = 0;
    for (const row_set_member& each : read) {
        if (each.is.extent == 0) turns += turns_of_banks(*each.node);
        else if (each.is.place == 0) turns_in_sets += turns_of_vectors(each);
    }
    return of.size() >= least && sizes.vector_width > 1 && turns <= most_turns &&
           turns_in_sets <= most_turns_of_vectors;
}

/// Whether rows over the last axis are made where their elements, and what they come to, are reduced over all other axes: a warp, or a
/// part of one, has each of them. Rows that lie across are read faster twice.
bool crossed_rows_fit(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    constexpr std::int64_t longest = warp * reduction_sizes::widest;
    constexpr std::int64_t least = 8;
    constexpr std::int64_t fewest_rows = 32768;  // of fewer, two kernels that end at once take as long
    constexpr std::size_t most_nodes =
        24;  // which stand in the kernel's text once for each element that a thread has at once
    const std::int64_t row = of[of.rank() - 1];
    if (row < least || row > longest || row % reduction_sizes::widest != 0 || of.size() / row < fewest_rows)
        return false;
    if (flat.described.nodes.size() > most_nodes) return false;
    for (const leaf& each : flat.leaves) {
        if (each.kind != leaf_kind::array) continue;
        const auto& node = *static_cast<const array_node*>(each.object);
        if (node.map) return false;
        if (node.extents.size() == of.size() && node.strides[node.extents.rank() - 1] != 1) return false;
    }
    return sizes_of_reduction(of, axes).vector_width == 1;
}

/// The same on the host, which makes what the columns are of a few rows at a time: whole ones, of neighbouring elements.
bool host_crossed_rows_fit(const flat_terms& flat, const shape& of) {
    constexpr std::int64_t least = 8;
    constexpr std::int64_t fewest_rows = 64;  // of fewer, two kernels that end at once take as long
    const std::int64_t row = of[of.rank() - 1];
    if (row < least || row > host_order::columns || of.size() / row < fewest_rows) return false;
    const auto& nodes = flat.described.nodes;
    const auto reductions = std::count_if(
        nodes.begin(), nodes.end(), [](const graph::node& each) { return each.kind == graph::node_kind::reduced; });
    return reductions == 1 && !has_scans(flat.described) &&
           std::all_of(flat.leaves.begin(), flat.leaves.end(), [&](const leaf& each) {
               if (each.kind != leaf_kind::array) return true;
               const auto& node = *static_cast<const array_node*>(each.object);
               return !node.map && (node.extents.size() != of.size() || node.strides[node.extents.rank() - 1] == 1);
           });
}

/// Whether all that is reduced is made of elements, without functions that are called for strips.
bool reduces_plain_elements(const flat_terms& flat) {
    const auto& nodes = flat.described.nodes;
    std::vector<bool> is_plain(nodes.size(), true);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const graph::node& each = nodes[i];
        bool all = true;
        for (int arg = 0; arg < max_operands && each.args[arg] >= 0; ++arg)
            all = all && is_plain[static_cast<std::size_t>(each.args[arg])];
        const bool is_reduced = each.kind == graph::node_kind::reduced;
        if (is_reduced && !all) return false;
        const bool calls = each.kind == graph::node_kind::operation && each.args[0] >= 0 &&
                           is_called_for_strips(each.code, nodes[static_cast<std::size_t>(each.args[0])].type);
        is_plain[i] = all && !calls && !is_reduced;
    }
    return true;
}

/// Whether what the host reduces is a product of matrices, which is made in tiles (side_by_side.hpp) that keep nothing: of neighbouring values
/// and of rows of those, one array is the same for the former, the other for the latter.
bool is_product(const flat_terms& flat, const shape& of, std::uint8_t axes) {
    int real[max_rank];  // axes of more than one element, from the last
    int count = 0;
    for (int axis = of.rank(); axis-- > 0;)
        if (of[axis] != 1) real[count++] = axis;
    if (count < 3) return false;
    const bool has_columns = !(axes >> real[0] & 1);
    const int along = has_columns ? real[1] : real[0];
    const int beside = has_columns ? real[0] : real[1];
    const int across = real[2];
    if (!(axes >> along & 1) || axes >> beside & 1 || axes >> across & 1 ||
        !are_tiled(has_columns, of[along], of[beside]))
        return false;
    bool rows = false;
    bool columns = false;
    for (const leaf& each : flat.leaves) {
        if (each.kind != leaf_kind::array) continue;
        const auto& node = *static_cast<const array_node*>(each.object);
        const auto reads = [&](int axis) {
            const int own = axis - (of.rank() - node.extents.rank());
            return own >= 0 && node.extents[own] != 1 && node.strides[own] != 0;
        };
        if (node.map || node.owned == ownership::position || (reads(across) && reads(beside))) return false;
        rows = rows || (reads(across) && reads(along));
        columns = columns || (reads(beside) && reads(along));
    }
    return rows && columns && reduces_plain_elements(flat);
}

/// Whether all that is kept is narrower than a register.
bool keeps_narrow_elements(const lower::program& of, const std::vector<bool>& read_in_place) {
    constexpr int register_bytes = 4;
    const kept_elements kept = kept_elements_of(of, phases_of(of), read_in_place);
    return !kept.slots.empty() && std::all_of(kept.slots.begin(), kept.slots.end(),
                                              [](element_type each) { return bytes_of(each) < register_bytes; });
}

/// Whether a panel of so tall columns takes longer than to read them again: rows begin between sectors, and of the few columns that a block has
/// room for, a good part are shared with its neighbours. What they come to is made on chip all the same, by a kernel of its own: z-scores of
/// (2048, 65537) floats take an H200 514 us so, 666 in one kernel, 573 in three; of (1700, 65537) 396 and 476; of (4099, 16411) doubles 525 and
/// 683. Less tall ones gain by one kernel: of (1150, 65537) 240 and 258, and those that one reduction is made of: x - mean of (1543, 65537) 293
/// and 324.
bool is_tall_between_sectors(const lower::program& of, const shape& rows, const reduction_sizes& sizes) {
    constexpr int most_bytes = 1024;        // of a column, that a thread has
    constexpr int phases_of_one = 2;        // a reduction, and what is made of it
    constexpr int most_items_of_two = 144;  // of more phases
    const row_phases phases = phases_of(of);
    const int items = sizes.items_per_thread();
    return std::any_of(of.outputs.begin(), of.outputs.end(), [&](lower::value_id each) {
        const int bytes = bytes_of(of.type_of(each));
        const bool is_tall = items * bytes >= most_bytes || (phases.count > phases_of_one && items > most_items_of_two);
        return is_tall && !phases.of_row[static_cast<std::size_t>(each)] &&
               rows[rows.rank() - 1] * bytes % sector_bytes != 0;
    });
}

/// The program of a graph, as a call's plan is made of one: arrays that are one here are one there.
struct lowered_graph {
    std::vector<const array_node*> arrays;
    lower::program code;
};
lowered_graph lowered_of(const flat_terms& flat) {
    lowered_graph out;
    std::vector<int> numbers;
    for (const leaf& each : flat.leaves) {
        numbers.push_back(-1);
        if (each.kind != leaf_kind::array) continue;
        const auto* const node = static_cast<const array_node*>(each.object);
        const auto found = std::find(out.arrays.begin(), out.arrays.end(), node);
        numbers.back() = static_cast<int>(found - out.arrays.begin());
        if (found == out.arrays.end()) out.arrays.push_back(node);
    }
    out.code = lower::lower(flat.described, numbers, std::vector<std::uint64_t>(flat.leaves.size())).code;
    return out;
}

/// Of columns.
bool panel_fits(const flat_terms& flat, const shape& of, const reduction_sizes& sizes, const target& on) {
    const std::int64_t items = ceil_div(sizes.part, std::int64_t{sizes.threads_per_output});
    if (items > most_panel_items || sizes.splits > on.most_cluster * most_splits_of_block) return false;
    const lowered_graph lowered = lowered_of(flat);
    std::vector<bool> read_in_place;
    for (const array_node* const each : lowered.arrays)
        read_in_place.push_back(each->owned == ownership::position || each->extents.size() != of.size());
    reduction_class division;
    division.threads_per_output = sizes.threads_per_output;
    division.outputs_per_block = sizes.outputs_per_block;
    division.items_per_thread = sizes.items_per_thread();
    division.cluster = static_cast<int>(sizes.splits);
    read_in_place.resize(lowered.code.arrays.size());
    // What has a state is read once in any case.
    if (items > tall_panel_items && !only_combines(flat)) return false;
    // Many narrow elements are kept where they move in vectors: softmax of (64, 1024, 1024) float16 takes an H100 172 us for 200, but of
    // (2053, 16411) 135 for 131, and x - mean of (4096, 16411) 217 for 153.
    constexpr std::int64_t few_items = 16;
    const bool move_in_vectors = on.async_copies && of[of.rank() - 1] % reduction_sizes::widest == 0 &&
                                 sizes.splits <= on.most_cluster && items <= tall_panel_items;
    if (items > few_items && !move_in_vectors && keeps_narrow_elements(lowered.code, read_in_place)) return false;
    if (is_tall_between_sectors(lowered.code, of, sizes)) return false;
    return any_panel_of(lowered.code, read_in_place, division, on).has_value();
}

/// Whether tiles are made of what operands that are broadcast against each other give (contraction.hpp), and their kernel goes on with the
/// values. Of such a graph a call's plan is made, whatever its axes are merged to.
bool tiles_go_on(const flat_terms& flat, const shape& of, std::uint8_t axes, const target& on) {
    constexpr std::size_t most_finishing_nodes = 48;
    const int rank = of.rank();
    if (flat.described.nodes.size() > most_finishing_nodes || has_gathers(flat)) return false;
    const bool is_product =
        std::any_of(flat.described.nodes.begin(), flat.described.nodes.end(), [](const graph::node& each) {
            return each.kind == graph::node_kind::reduced && each.reduces == reduction_kind::dot;
        });
    const reduction_sizes sizes = is_product ? sizes_of_products(of, axes) : sizes_of_reduction(of, axes);
    reduction_class division;
    division.threads_per_output = sizes.threads_per_output;
    division.vector_width = sizes.vector_width;
    division.items_per_thread = sizes.items_per_thread();
    divide_contraction(division, sizes, {of.begin(), static_cast<std::size_t>(rank)}, axes);
    // Columns may be no longer narrow where axes merge.
    constexpr int rank_of_products = 3;
    if (division.tall_axes == 0 || (division.narrow_columns > 0 && rank != rank_of_products)) return false;
    const lowered_graph lowered = lowered_of(flat);
    kernel made;
    for (const array_node* const each : lowered.arrays) {
        if (each->map || each->owned == ownership::position || is_partial(*each)) return false;
        operand input;
        input.value = static_cast<lower::value_id>(made.inputs.size());
        input.type = each->type;
        input.how = access::row;
        for (int axis = 0; axis < each->extents.rank(); ++axis)
            if (each->extents[axis] != 1 && each->strides[axis] != 0)
                input.address.axes =
                    static_cast<std::uint8_t>(input.address.axes | 1 << (rank - each->extents.rank() + axis));
        made.inputs.push_back(std::move(input));
    }
    made.last_step = static_cast<int>(lowered.code.steps.size());
    made.rank = rank;
    made.reduced_axes = axes;
    made.persistent_rows = true;
    made.threads_per_output = sizes.threads_per_output;
    made.vector_width = sizes.vector_width;
    for (const lower::value_id each : lowered.code.outputs) {
        made.outputs.push_back({.value = each, .type = lowered.code.type_of(each)});
        made.reduced.push_back({.of_row = true});
    }
    iteration_class call;
    call.rank = rank;
    call.reduces = call.persistent_rows = call.of_values = true;
    call.reduced_axes = axes;
    call.division = division;
    return choose_contraction(made, lowered.code, call, on);
}

}  // namespace

reducing_kernels row_limits(const target& device, bool fuse) {
    const bool reads_host = device.kind == frame::host;
    const bool scan_ends = fuse && device.kind == frame::cuda;
    if (!device.persistent_rows || !fuse)
        return {.read_host = reads_host, .tiles = device.tiles, .scan_ends = scan_ends};
    const auto fits = [on = device](const shape& of, std::uint8_t axes, const std::vector<handle<term>>& computed) {
        if (of.size() == 0) return false;
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        if (!may_be_whole(flat, of, computed.size(), on.max_parameters)) return false;
        const bool scans = has_scans(flat.described);
        const bool gathers = has_gathers(flat);
        if (gathers && (scans || on.kind == frame::host)) return false;
        if (on.kind == frame::host)
            return !scans && !is_product(flat, of, axes) &&
                   (host_rows_fit(flat, of, axes) ||
                    (only_combines(flat) && host_columns_fit(of, axes, bytes_kept(flat, of))));
        const reduction_sizes sizes = sizes_of_reduction(of, axes);
        if (scans && !scans_fit(flat.described, of, axes, sizes, on)) return false;
        if (gathers && (sizes.vector_width == 1 || !table_rows_fit(flat, of, axes, sizes))) return false;
        if (sizes.vector_width == 1) return panel_fits(flat, of, sizes, on);
        return row_fits(sizes, bytes_kept(flat, of), on) && !is_read_again(flat, of, sizes);
    };
    // Capability 8.0 has an instruction for the least of floats, by which 0 and -0 are no longer equal.
    const bool knows_zeros = device.async_copies;
    const auto crosses = [on = device](const shape& of, std::uint8_t axes, const std::vector<handle<term>>& computed) {
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        if (!may_be_whole(flat, of, computed.size(), on.max_parameters) || has_gathers(flat)) return false;
        return on.kind == frame::host ? host_crossed_rows_fit(flat, of) : crossed_rows_fit(flat, of, axes);
    };
    if (!device.reduces || !knows_zeros) {
        reducing_kernels out{.store_elements = device.reduces,
                             .read_host = reads_host,
                             .tiles = device.tiles,
                             .fits = fits,
                             .scan_ends = scan_ends};
        if (reads_host) out.crosses = crosses;
        return out;
    }
    const auto nests = [most = device.max_parameters](const shape& of, std::uint8_t axes,
                                                      const std::vector<handle<term>>& computed) {
        if (of.size() == 0) return false;
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        return may_be_whole(flat, of, computed.size(), most) && !has_gathers(flat) && nested_rows_fit(flat, of, axes);
    };
    const auto writes_out = [most = device.max_parameters](const shape& of, std::uint8_t axes,
                                                           const std::vector<handle<term>>& computed) {
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        return may_be_whole(flat, of, computed.size(), most) && !has_gathers(flat) && written_rows_fit(flat, of, axes);
    };
    // Its text stands in the kernel once for each value of a thread.
    const auto finishes = [most = device.max_parameters](const shape& of, std::uint8_t,
                                                         const std::vector<handle<term>>& computed) {
        constexpr std::size_t most_finishing_nodes = 48;
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        return flat.described.nodes.size() <= most_finishing_nodes && may_be_whole(flat, of, computed.size(), most) &&
               !has_gathers(flat);
    };
    const auto finishes_tiles = [on = device](const shape& of, std::uint8_t axes,
                                              const std::vector<handle<term>>& computed) {
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        return may_be_whole(flat, of, computed.size(), on.max_parameters) && tiles_go_on(flat, of, axes, on);
    };
    reducing_kernels out{.store_elements = device.reduces,
                         .read_host = reads_host,
                         .tiles = device.tiles,
                         .fits = fits,
                         .nests = nests,
                         .order_of_rows = order_of_short_rows,
                         .writes_out = writes_out,
                         .crosses = crosses,
                         .finishes_tiles = finishes_tiles,
                         .scan_ends = scan_ends};
    if (!device.tiles) return out;
    out.finishes = finishes;
    out.makes_operand = is_made_by_tiles;
    return out;
}

}  // namespace kiln::plan
