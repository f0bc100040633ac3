// kiln/compile/find_library: where NVRTC, CUPTI and cuBLASLt are, without opening them.
// in: the environment   out: a path, or the list of what was looked for where   knows nothing of: how NVRTC is called
#pragma once

#include <string>
#include <vector>

namespace kiln::compile {

struct found_library {
    std::string path;                  // real path; empty: not there
    std::vector<std::string> looked;   // "LD_LIBRARY_PATH: /a, /b", for the message; filled while nothing is found
    std::vector<std::string> refused;  // libraries that are there and are not trusted, each with the reason
};

/// Places in this order; the first that has one ends the search: KILN_NVRTC (a file; nothing else is looked at), a
/// libnvrtc that this process has loaded, LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH, CONDA_PREFIX, /usr/local/cuda,
/// /usr/local/cuda-* (newest first), the system's folders, the folders of pip's wheels.
/// In one place the newest libnvrtc.so.N wins, but one past `driver_major` only when no place has another: a driver of
/// CUDA 12 refuses what NVRTC 13 makes. 0: no such bound. A library that is not trusted is passed over; KILN_NVRTC's is
/// refused. In a process with raised privileges no variable is looked at.
/// Cost: a few stat() calls when LD_LIBRARY_PATH or CUDA_HOME has it, a few hundred when nothing is there.
found_library find_nvrtc(int driver_major = 0);

/// CUPTI of that major version, in the same places and in the extras/CUPTI of toolkits; empty: there is none that is trusted.
std::string find_cupti(int major);

/// cuBLASLt of that major version, in the same places; empty: there is none that is trusted.
std::string find_cublas_lt(int major);

/// The libnvrtc-builtins of that libnvrtc, in its folder; empty when there is none.
std::string nvrtc_builtins_of(const std::string& nvrtc_path);

/// "13.0", from the names of the two files; "13" where they say no more, "" where they say nothing.
std::string nvrtc_version_of(const std::string& nvrtc_path, const std::string& builtins_path);

/// "a; b; c", or "nothing" for an empty list.
std::string join_places(const std::vector<std::string>& looked);

}  // namespace kiln::compile
