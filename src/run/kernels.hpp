// kiln/run/kernels: one kernel's way to the device: loaded already, in the store, or compiled; and why it had to be.
// in: a kernel's source, a device   out: what the device can launch, what is to be published
// knows nothing of: expressions, calls
#pragma once

#include <device/device.hpp>
#include <emit/source.hpp>
#include <jit_cache/store.hpp>

#include <kiln/cost.hpp>
#include <kiln/options.hpp>

#include <memory>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

/// A kernel made just now, to be published once it was launched.
struct pending_publication {
    jit_cache::key key;
    std::shared_ptr<const jit_cache::artifact> made;
};

struct found_kernel {
    std::shared_ptr<const backend::loaded_kernel> loaded;  // nullptr: to be interpreted
    std::string trouble = {};  // why, where it may be found or compiled the next time after all
};

/// From memory, from the store, or compiled, where `pending` gets it. Where compiled code cannot be had the device
/// interprets, if it can: this is said. `wanted`: how exact it is to be. Throws compile_error, device_error, out_of_memory.
found_kernel find_or_compile(backend::device& on, const lower::program& program, const plan::kernel& kernel,
                             const emit::source& source, const options& wanted, const char* label,
                             std::vector<pending_publication>& pending);

/// To the store, on another thread: nobody waits for the disk.
void publish(const std::vector<pending_publication>& made);

/// A kernel that is no program's, found or compiled and published, where the device compiles.
std::shared_ptr<const backend::loaded_kernel> load_kernel(backend::device& on, const emit::source& source,
                                                          const plan::kernel_signature& takes, const options& wanted,
                                                          const char* label);

/// Its name, text and key, where it would come from, and why. Comes to the kernel, where it is loaded.
std::shared_ptr<const backend::loaded_kernel> explain_source(backend::device& on, const emit::source& source,
                                                             const options& wanted, kernel_explanation& into);

/// Forgets every loaded kernel of the current device and the store's memory; executables in use keep theirs. For tests.
void forget_kernels();

}  // namespace kiln::inline v0_1::detail
