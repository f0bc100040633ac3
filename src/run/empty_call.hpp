// kiln/run/empty_call: a call whose iteration has no elements. Of several outputs some may have: those are computed alone.
#pragma once

#include <capture/term.hpp>
#include <device/device.hpp>
#include <plan/call_values.hpp>
#include <run/call_back.hpp>

namespace kiln::inline v0_1::detail {

/// `evaluate`: the spine, of one output alone.
void run_empty_call(backend::device& on, const graph& described, const plan::call_values& call, output* outputs,
                    evaluate_flat_function evaluate, const char* label, purpose why);

}  // namespace kiln::inline v0_1::detail
