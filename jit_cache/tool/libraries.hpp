// kiln-cache/libraries: where a program would find libcuda and NVRTC, and opens neither. The order of NVRTC's places is that of
// kiln's src/compile/find_library, to which tests/jit_cache/tool/nvrtc_test.cpp holds it; this tool links nothing of kiln.
// in: the environment, folders   out: paths, or where they were looked for   knows nothing of: CUDA's interfaces
#pragma once

#include <string>
#include <vector>

namespace kiln_cache {

struct found_library {
    std::string path;                 // real path; empty: none that may be used
    std::string refused;              // "path: why", of the first that was passed over because it is not trusted
    std::vector<std::string> looked;  // "CUDA_HOME: /a /b"; filled where there is none
};

/// KILN_NVRTC (a file; nothing else is looked at), LD_LIBRARY_PATH, CUDA_HOME, CUDA_PATH, CONDA_PREFIX, /usr/local/cuda,
/// /usr/local/cuda-* (newest first), the system's folders, the folders of pip's wheels. In one place the newest
/// libnvrtc.so.N wins, but one past `driver_major` (0: no such bound) only where no place has another.
[[nodiscard]] found_library find_nvrtc(int driver_major);

/// libcuda.so.1, as the loader looks for it (LD_LIBRARY_PATH, the folders of /etc/ld.so.conf, its own), then where WSL and
/// NVIDIA's containers keep it.
[[nodiscard]] found_library find_libcuda();

/// "580.95.05" of /proc/driver/nvidia/version; empty: the kernel has no NVIDIA module.
[[nodiscard]] std::string nvidia_module_version();

/// The models under /proc/driver/nvidia/gpus.
[[nodiscard]] std::vector<std::string> gpu_models();

/// The major version of CUDA that this module's driver runs, by NVIDIA's table of minimum drivers; 0: not in it (newer).
/// Source: CUDA Toolkit Release Notes, "CUDA Toolkit and Minimum Required Driver Version".
[[nodiscard]] int cuda_major_of(const std::string& module_version);

}  // namespace kiln_cache
