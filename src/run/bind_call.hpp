// kiln/run/bind_call: a call bound, with what tells it from the same call of another thread: how that one wants its
// kernels. In a header, so that the warm path is one function.
#pragma once

#include <capture/graph.hpp>
#include <device/devices.hpp>
#include <plan/bind.hpp>
#include <run/tracing.hpp>

#include <kiln/options.hpp>

#include <functional>

namespace kiln::inline v0_1::detail {

/// No executable is kept for a thread that looks at a function.
inline std::uint16_t call_salt() noexcept {
    return static_cast<std::uint16_t>(plan::salt_of(thread_options) | static_cast<unsigned>(is_tracing) << 10);
}

/// `describe`: gives the expression's graph. `known`: the leaves of its outputs, where somebody has them.
template <class Describe>
void bind_call(plan::bindings& call, Describe describe, const plan::output_leaves* known = nullptr) {
    try {
        if (call.output_count == 1) [[likely]]
            return plan::bind(call, call_salt(), backend::current_known);
        plan::output_leaves made;
        const std::function<const plan::output_leaves&()> leaves_of = [&]() -> const plan::output_leaves& {
            return known ? *known : made = leaves_of_outputs(describe());
        };
        plan::bind(call, call_salt(), backend::current_known, &leaves_of);
    } catch (const shape_error&) {
        require_operations_broadcast(describe(), call.leaves);
        throw;
    }
}

}  // namespace kiln::inline v0_1::detail
