// kiln/device/cpu/upper_halves: the state in which a kernel's code leaves the vector registers.
#pragma once

namespace kiln::backend {

/// For after what a host compiler made. g++ 12 clears the upper halves of vector registers at a function's end only where its expensive
/// optimisations are on, which kernels are compiled without; and beside halves in use code that knows SSE alone waits for them: a call of
/// libm's expf in its caller's loop takes 142 ns for 3.4 (Xeon, Emerald Rapids, 2026-11).
inline void clear_upper_halves() noexcept {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx"))
        asm volatile("vzeroupper" ::
                         : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                           "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
#endif
}

}  // namespace kiln::backend
