// kiln/device/cpu/element_source: the elements of a reduction on the CPU, a range at a time: kernels compute them into buffers that stay in the
// first cache, one for each output; those that are an array's as they are stay where they are.
// in: a kernel, its parameters   out: elements in memory   knows nothing of: how they are reduced
#pragma once

#include <device/cpu/cpu_kernel.hpp>
#include <plan/host_order.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace kiln::backend {

inline constexpr std::int64_t piece_elements = plan::host_order::piece;  // computed at once

class element_source {
public:
    /// `most`: elements that there is room for. `in_place`: of kernels that reduce arrays. `total`: of all calls together. `least_asked_for`:
    /// bytes.
    element_source(const cpu_kernel& elements, const launch_arguments& arguments, std::int64_t most, bool in_place,
                   std::int64_t total, std::int64_t least_asked_for);

    /// Elements [begin, begin + count), behind the first `place` of the buffers; in place, these alone.
    void compute(std::int64_t begin, std::int64_t count, std::int64_t place = 0);

    /// The same elements, of kernels that add up: to an accumulator of each output.
    void add_up(std::int64_t begin, std::int64_t count, std::vector<std::vector<std::byte>>& to);

    /// Elements from `begin` on, of the arrays that they are made of; none, where there are no `count` more, or all are in a cache.
    [[nodiscard]] std::optional<wanted_elements> wanted(std::int64_t begin, std::int64_t count) const;

    [[nodiscard]] const std::byte* values(std::size_t output) const;

private:
    void find_asked_for(std::int64_t least);

    const cpu_kernel& elements_;
    std::vector<void*> parameters_;
    std::int64_t total_;
    wanted_elements asked_for_ = {};  // from the arrays' first elements on
    std::vector<std::uintptr_t> pointers_;
    std::vector<std::unique_ptr<std::byte[]>> buffers_;
    std::vector<const std::byte*> arrays_;  // of each output, whose elements nobody computes; empty: somebody does
    std::vector<const std::byte*> places_;  // of the elements at hand
};

}  // namespace kiln::backend
