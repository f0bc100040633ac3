// kiln/streamed/steady_parts: parts of expressions that differ in nothing but where in the host's memory their operands begin. Their terms are
// made once then, over the places that the operands come to, and not for each chunk: that is most of what a small chunk costs the host.
// in: expressions, an axis, a length   out: the operands of any chunk of that length, or that parts differ otherwise
// knows nothing of: copies, devices
#pragma once

#include <streamed/slices.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace kiln::streamed {

class steady_parts {
public:
    /// Compares the first two chunks. Nothing where they have generators, arrays of the device's or maps along that axis. Throws not_cuttable.
    static std::optional<steady_parts> of(const std::vector<const slices*>& all, int axis, std::int64_t count);

    /// Of the chunk that begins there, each once, in the order in which parts ask for them. Valid until the next call.
    const std::vector<handle<array_node>>& operands(std::int64_t begin);

private:
    std::vector<handle<array_node>> operands_;  // nodes of this object's own
    std::vector<std::byte*> first_;             // their elements in the first chunk
    std::vector<std::int64_t> of_position_;     // bytes further for each position
};

}  // namespace kiln::streamed
