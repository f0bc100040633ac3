// kiln/compile/host_cpu: which processor this is, as far as code made for it ("native") depends on it.
// in: the processor's own description (cpuid; the kernel's auxiliary vector on ARM), no file   out: a name for people, a
// target for keys   knows nothing of: compilers
#pragma once

#include <string>

namespace kiln::compile {

struct host_cpu {
    std::string model;         // "AMD EPYC 9654 96-Core Processor"
    std::string architecture;  // "x86-64", "aarch64"
    /// The architecture and a hash of what a compiler's -march=native looks at: vendor, family, model, and the
    /// instructions that processor and operating system let programs use. "x86-64+0123456789abcdef". Code compiled for
    /// the native processor runs where the target is the same.
    std::string target;
};

/// Asked at the first call.
const host_cpu& this_host_cpu();

/// Asked anew: some dozen cpuid instructions, each of which leaves a virtual machine (40 us under Firecracker, 2026-11).
host_cpu read_host_cpu();

}  // namespace kiln::compile
