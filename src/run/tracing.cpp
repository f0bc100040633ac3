#include <run/tracing.hpp>

#include <stage/stand_in.hpp>

#include <kiln/error.hpp>

namespace kiln::inline v0_1::detail {

void require_memory(const leaf* leaves, int leaf_count) {
    for (int i = 0; i < leaf_count; ++i)
        if (leaves[i].kind == leaf_kind::array && stage::is_stand_in(*static_cast<const array_node*>(leaves[i].object)))
            throw error(
                "kiln: fuse: the function asks for the elements of what its arguments stand for, which it is called "
                "without; elements belong outside, and what the function computes on the way is an auto or a "
                "k::expr<T>, no k::array<T>");
}

}  // namespace kiln::inline v0_1::detail
