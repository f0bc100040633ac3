// kiln/run/resumed: a reduction whose elements come in chunks, on a device: each bit that of all of them at once (plan/resumed.hpp;
// device/cpu/host_resumed.hpp).
// in: a reduction, the whole's shape; then arrays of elements   out: an array of results   knows nothing of: expressions, where chunks end
#pragma once

#include <device/cpu/host_resumed.hpp>
#include <device/device.hpp>
#include <plan/resumed.hpp>
#include <run/array_stage.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace kiln::inline v0_1::detail {

class resumed_reduction {
public:
    /// Of a reduction over `axes` of `whole`, as many of its values as `values`. A chunk has at most `most` elements of each. `combines`: on
    /// a host, of a user's reduction, the kernel whose code combines elements. Throws out_of_memory, compile_error.
    resumed_reduction(backend::device& on, const plan::reduced_output& of, const shape& whole, std::uint8_t axes,
                      std::int64_t values, std::int64_t most, step_kernel combines, const char* label);

    /// What it holds on the device.
    [[nodiscard]] static std::int64_t bytes(const plan::target& on, const plan::reduced_output& of, const shape& whole,
                                            std::uint8_t axes, std::int64_t values, std::int64_t most);

    /// Elements [begin, begin + count) of each value, of the accumulated type; row-major: of rows (values, elements), of columns (elements,
    /// values).
    void take(const array_node& elements, std::int64_t begin, std::int64_t count);
    /// Once all were taken: the results, in that shape.
    [[nodiscard]] handle<array_node> finished(const shape& extents);

private:
    void launch(plan::resumed_step step, const array_node* elements, std::byte* results);
    void launch_on_host(const backend::resumed_chunk& next);

    backend::device& on_;
    const plan::reduced_output of_;
    const char* const label_;
    const int stream_;
    const step_kernel combines_;
    const plan::resumed_order order_;
    const std::int64_t turns_;
    // Of a device whose kernels reduce.
    handle<array_node> lanes_;
    handle<array_node> splits_;
    // Of others.
    std::optional<backend::host_resumed> host_;
};

}  // namespace kiln::inline v0_1::detail
