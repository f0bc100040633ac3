// kiln/device/cpu/compiled_reducer: a reduction that a user wrote, from the shared object of the kernel that computes its elements.
// knows nothing of: threads, shapes
#pragma once

#include <device/cpu/host_reducer.hpp>
#include <device/cpu/shared_object.hpp>
#include <plan/schedule.hpp>

#include <cstddef>
#include <memory>
#include <string>

namespace kiln::backend {

/// Of an output of the kernel, whose code `from` holds and must outlive it; nullptr when it has no such functions.
std::unique_ptr<host_reducer> find_reducer(const shared_object& from, const std::string& kernel_name,
                                           const plan::reduced_output& reduced, std::size_t output);

}  // namespace kiln::backend
