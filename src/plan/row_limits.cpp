#include <plan/row_limits.hpp>

#include <capture/array_node.hpp>
#include <plan/host_order.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

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

}  // namespace

reducing_kernels row_limits(const target& device, bool fuse) {
    const bool reads_host = device.kind == frame::host;
    if (!device.persistent_rows || !fuse) return {.read_host = reads_host, .tiles = device.tiles};
    const auto fits = [on = device.kind, most = device.max_parameters](const shape& of, std::uint8_t axes,
                                                                       const std::vector<handle<term>>& computed) {
        constexpr std::size_t most_nodes = 96;
        if (of.size() == 0) return false;
        flat_terms flat;
        flatten(computed.data(), static_cast<int>(computed.size()), flat);
        if (flat.described.nodes.size() > most_nodes) return false;
        for (const graph::node& each : flat.described.nodes)
            if (each.kind == graph::node_kind::gather) return false;
        if (most_parameters(flat, of, computed.size()) > most) return false;
        const int bytes = bytes_kept(flat, of);
        return on == frame::host ? host_row_fits(of, axes, bytes) : row_fits(sizes_of_reduction(of, axes), bytes);
    };
    return {device.reduces, reads_host, device.tiles, fits};
}

}  // namespace kiln::plan
