// kiln/device/cpu/lgamma_blocks: ln|gamma| of a block in vectors; the few elements next to its zeros below 0 again, one at a time
// (emit/helpers/float32/lgamma.inc and that of float64).
// in: a type's texts, included before   out: `lgamma_of_block`   knows nothing of: which type
#pragma once

namespace kiln::backend {
namespace {

/// By strips in memory of its own: `out` may be a.
/// apart: what computes a strip but for those.
template <class T, class Apart>
[[gnu::always_inline]] inline void lgamma_of_block(const T* a, T* out, long long count, Apart apart) {
    constexpr long long strip = 256;
    for (long long from = 0; from < count; from += strip) {
        const long long length = count - from < strip ? count - from : strip;
        T made[strip];
        apart(a + from, made, length);
        int any = 0;
        for (long long i = 0; i < length; ++i) any |= is_lgamma_near_zero(a[from + i], made[i]);
        for (long long i = 0; any && i < length; ++i)
            if (is_lgamma_near_zero(a[from + i], made[i])) made[i] = lgamma_near_zero(a[from + i]);
        __builtin_memcpy(out + from, made, static_cast<unsigned long long>(length) * sizeof(T));
    }
}

}  // namespace
}  // namespace kiln::backend
