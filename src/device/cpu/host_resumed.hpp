// kiln/device/cpu/host_resumed: a reduction on the host whose elements come in chunks, one after the other: each bit that of all of them at
// once (plan/host_order.hpp). A chunk may end anywhere: what it has of a piece of a row waits for the rest.
// in: chunks of elements   out: results   knows nothing of: kernels, shapes
#pragma once

#include <device/cpu/host_reducer.hpp>
#include <device/cpu/thread_pool.hpp>
#include <device/device.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kiln::backend {

/// Of the whole, as far as its order knows it.
struct host_resumed_sizes {
    bool along_rows = true;          // the elements of one value are neighbours; otherwise the values are
    std::int64_t kept = 1;           // values
    std::int64_t reduced = 1;        // elements of each
    std::int64_t inner = 1;          // of rows: neighbours that pieces are cut of
    std::int64_t steps_of_part = 1;  // plan/host_parts.hpp
    std::int64_t element_bytes = 4;
};

class host_resumed {
public:
    explicit host_resumed(const host_resumed_sizes& of);

    /// Elements [begin, begin + count) of each value. Of rows a value's are neighbours, of columns the values are.
    void take(const std::byte* elements, std::int64_t begin, std::int64_t count, const host_reducer& by,
              thread_pool& threads);
    /// Once all were taken.
    void finish(std::byte* results, const host_reducer& by);

private:
    using accumulators = std::vector<std::byte>;  // of all values

    /// A step that is there as a whole: a piece of each row, or one row of all columns.
    struct step {
        std::int64_t number = 0;
        std::int64_t first = 0;  // element
        std::int64_t count = 1;
        const std::byte* at = nullptr;  // of the first value
        std::int64_t of_value = 0;      // bytes from one value to the next
    };
    [[nodiscard]] std::vector<step> steps_of(const std::byte* elements, std::int64_t begin, std::int64_t count);
    [[nodiscard]] std::int64_t end_of_piece(std::int64_t element) const;
    void keep(const std::byte* elements, std::int64_t begin, std::int64_t chunk, std::int64_t from, std::int64_t count);
    void append(const std::vector<step>& steps, std::size_t begin, std::size_t end, std::byte* to, std::int64_t first,
                std::int64_t count, const host_reducer& by) const;
    void put_aside(accumulators part, const host_reducer& by);

    const host_resumed_sizes of_;
    accumulators part_;         // of the part that has begun, and not ended; none: empty
    std::int64_t waiting_ = 0;  // elements of a piece of each row, in `piece_`
    std::vector<std::byte> piece_;
    struct parts {
        accumulators known;
        int doubled = 0;  // of 2^doubled parts
    };
    std::vector<parts> aside_;  // each of fewer parts than that before it
};

}  // namespace kiln::backend
