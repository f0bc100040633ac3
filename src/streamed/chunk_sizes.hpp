// kiln/streamed/chunk_sizes: along which axis an expression of host arrays is cut, and into how many positions, so that chunks have room
// and add up in the order of the whole.
// in: terms, a device   out: an axis and a count, or why there are none; bytes   knows nothing of: copying, evaluating
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <streamed/carried.hpp>
#include <streamed/carried_scan.hpp>
#include <streamed/slices.hpp>
#include <streamed/transfers.hpp>

#include <kiln/cost.hpp>
#include <kiln/evaluate.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kiln::streamed {

/// What chunks of so many positions take.
struct chunk_bytes {
    std::int64_t once = 0;  // of operands that all chunks read
    std::int64_t in = 0;    // of operands, one chunk
    std::int64_t made = 0;  // of what is made of them on the way
    std::int64_t out = 0;   // of results that leave the device again

    /// So many are under way at once (transfers.hpp). Devices round up, by an eighth at most.
    [[nodiscard]] std::int64_t all(std::int64_t chunks = transfers::most_under_way) const noexcept {
        const std::int64_t under_way = std::min<std::int64_t>(chunks, transfers::most_under_way);
        const std::int64_t asked = once + under_way * (in + out) + made;
        return asked + asked / 8 + 4096;
    }
};

/// How an expression is cut.
struct cutting {
    int axis = -1;  // -1: it is not cut
    std::int64_t count = 0;
    std::optional<carried> carries;     // it is a reduction over that axis of its operand
    std::optional<carried_scan> scans;  // or a scan along it
    std::vector<std::string> reasons;   // why not along which axis
    std::int64_t least = 0;             // bytes of the smallest chunk, where that has no room; 0: there are none
};

/// Whether that is memory of the host's.
bool writes_host(const kiln::detail::output& to) noexcept;

/// In place of what a reduction of such a part comes to, or a scan, where nothing is computed.
handle<term> stand_in(const term& reduction, const shape& part, std::uint8_t axes);

class chunk_sizes {
public:
    explicit chunk_sizes(backend::device& on);

    /// Whether parts are added up as the whole, where the device does it.
    [[nodiscard]] order_is_kept order() const;

    /// The first axis along which chunks are found that have room; one that a reduction goes over, if need be. `to`: where results go.
    [[nodiscard]] cutting cut(const handle<term>& root, const slices& parts, const kiln::detail::output& to) const;

    /// So many positions along that axis that chunks of several expressions of one shape have room together, and each is added up as the whole;
    /// 0: there are none.
    [[nodiscard]] std::int64_t count_together(const handle<term>* roots, const kiln::detail::output* outputs,
                                              int root_count, int axis, std::int64_t extent, std::int64_t most) const;

    /// Of all of it at once.
    [[nodiscard]] std::int64_t bytes_in_one_piece(const handle<term>& root, const kiln::detail::output& to) const;
    /// Whether reductions of host arrays come first then, by themselves.
    [[nodiscard]] static bool goes_by_operands(const handle<term>& root);

    [[nodiscard]] chunk_explanation explain(const handle<term>& root) const;

private:
    /// `check`: throws not_cuttable for orders of users' scans on a CPU, too, which are those of the whole where there are many lines.
    [[nodiscard]] chunk_bytes bytes_of_chunk(const handle<term>& root, int axis, std::int64_t count,
                                             const kiln::detail::output& to, bool check = false) const;
    [[nodiscard]] chunk_bytes bytes_of_chunk(const handle<term>& root, const slices& parts, int axis,
                                             std::int64_t count, const kiln::detail::output& to) const;
    [[nodiscard]] std::int64_t largest_count(std::int64_t extent, std::int64_t of_position, std::int64_t room) const;
    bool cut_carried(const carried& how, cutting& out) const;
    void cut_scan(const handle<term>& root, const kiln::detail::output& to, cutting& out) const;
    [[nodiscard]] std::int64_t bytes_of_carried(const carried& how, std::int64_t count) const;
    [[nodiscard]] std::int64_t carried_count(const carried& how, std::vector<std::string>& reasons) const;
    [[nodiscard]] std::int64_t chunk_of(const handle<term>& root, const slices& parts, int axis,
                                        const kiln::detail::output& to) const;
    [[nodiscard]] bool fits_in_order(const handle<term>& root, int axis, std::int64_t count, std::int64_t extent,
                                     const kiln::detail::output& to) const;
    void throw_order(const handle<term>& root, int axis, std::int64_t count, const kiln::detail::output& to) const;

    backend::device& on_;
    const bool reaches_host_;
};

}  // namespace kiln::streamed
