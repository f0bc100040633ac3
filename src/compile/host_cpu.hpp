// kiln/compile/host_cpu: which processor this is, as far as code made for it ("native") depends on it.
// in: /proc/cpuinfo   out: a name for people, a target for keys   knows nothing of: compilers
#pragma once

#include <string>

namespace kiln::compile {

struct host_cpu {
    std::string model;         // "AMD EPYC 9654 96-Core Processor"
    std::string architecture;  // "x86-64", "aarch64"
    /// The architecture and a hash of vendor, family, model and feature flags: "x86-64+0123456789abcdef". Code compiled
    /// for the native processor runs where the target is the same.
    std::string target;
};

/// Read at the first call: the description of one core, a few kilobytes.
const host_cpu& this_host_cpu();

}  // namespace kiln::compile
