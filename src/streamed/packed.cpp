#include <streamed/packed.hpp>

#include <cstring>

namespace kiln::streamed {

namespace {

using kiln::detail::array_node;

/// Calls move(at, offset, bytes) for each run of neighbouring elements: where it is in memory, and in the packed bytes.
template <class Move>
void each_run(const array_node& of, Move move) {
    const shape& extents = of.extents;
    const std::int64_t element = bytes_of(of.type);
    if (extents.size() == 0) return;
    int outer = extents.rank();  // axes before it are walked, those from it on are one run
    std::int64_t run = 1;
    while (outer > 0 && (extents[outer - 1] == 1 || of.strides[outer - 1] == run)) run *= extents[--outer];
    std::int64_t at[max_rank] = {};
    std::byte* place = of.data;
    for (std::int64_t done = 0;; done += run * element) {
        move(place, done, static_cast<std::size_t>(run * element));
        int axis = outer;
        while (axis-- > 0) {
            place += of.strides[axis] * element;
            if (++at[axis] < extents[axis]) break;
            place -= extents[axis] * of.strides[axis] * element;
            at[axis] = 0;
        }
        if (axis < 0) return;
    }
}

}  // namespace

void pack(const array_node& from, std::byte* to) {
    each_run(from,
             [to](const std::byte* place, std::int64_t at, std::size_t bytes) { std::memcpy(to + at, place, bytes); });
}

void unpack(const std::byte* from, const array_node& to) {
    each_run(to,
             [from](std::byte* place, std::int64_t at, std::size_t bytes) { std::memcpy(place, from + at, bytes); });
}

}  // namespace kiln::streamed
