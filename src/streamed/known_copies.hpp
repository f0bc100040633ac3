// kiln/streamed/known_copies: the copy of each part of a host array that an expression reads, however often it stands there.
// in: nodes, how one is copied   out: terms of the copies   knows nothing of: which device has them
#pragma once

#include <capture/index_map.hpp>
#include <capture/term.hpp>

#include <algorithm>
#include <vector>

namespace kiln::streamed {

using kiln::detail::array_node;
using kiln::detail::handle;
using kiln::detail::term;

class known_copies {
public:
    template <class Copy>
    handle<term> of(const handle<array_node>& node, Copy copy) {
        const array_node& wanted = *node.get();
        for (const known& each : known_)
            if (same(*each.of.get(), wanted)) return each.made;
        return known_.emplace_back(known{node, kiln::detail::make_array_term(copy(wanted), wanted.type)}).made;
    }
    void clear() { known_.clear(); }

private:
    static bool same(const array_node& one, const array_node& other) {
        return one.data == other.data && one.type == other.type && one.extents == other.extents &&
               std::equal(one.strides, one.strides + one.extents.rank(), other.strides) &&
               (one.map && other.map ? *one.map == *other.map : one.map == other.map);
    }
    struct known {
        handle<array_node> of;
        handle<term> made;
    };
    std::vector<known> known_;
};

}  // namespace kiln::streamed
