// kiln/emit/user_reduction: reductions that users wrote, as text: how two accumulators become one, and what changes none.
// knows nothing of: threads
#pragma once

#include <emit/body.hpp>

#include <string>

namespace kiln::emit {

/// Two accumulators, by those names, made one.
std::string combination_text(const value_names& names, const plan::reduced_output& of, const std::string& left,
                             const std::string& right);

/// The identity, as its type.
std::string identity_text(const plan::reduced_output& of);

/// On the host: what the device reduces with (device/cpu/compiled_reducer.hpp), three functions for each output that a
/// user's reduction makes.
std::string host_reducers(const value_names& names, const lower::program& program, const plan::kernel& of);

/// "kiln_most_of_mul_f32_clear0", "..._run0", "..._each0".
std::string clear_symbol(const std::string& kernel, std::size_t output);
std::string run_symbol(const std::string& kernel, std::size_t output);
std::string each_symbol(const std::string& kernel, std::size_t output);

}  // namespace kiln::emit
