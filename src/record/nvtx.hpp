// kiln/record/nvtx: the same evaluations and phases as ranges of NVTX, for Nsight and whatever else listens to it.
// in: names   out: ranges of the domain "kiln"   knows nothing of: what they are of
#pragma once

namespace kiln::record::nvtx {

/// Whether a tool asked for ranges when the process began (they set NVTX_INJECTION64_PATH). Where none did nothing is called.
[[nodiscard]] bool is_heard() noexcept;

/// On the calling thread; they nest.
void push(const char* name) noexcept;
void pop() noexcept;

}  // namespace kiln::record::nvtx
