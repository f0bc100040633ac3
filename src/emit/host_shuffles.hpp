// kiln/emit/host_shuffles: whether the host's compiler has shuffles of vectors: what uses them has another way as well.
#pragma once

namespace kiln::emit {

/// Before texts that ask for HAS_SHUFFLES.
inline constexpr const char* has_shuffles_text =
    R"(#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define HAS_SHUFFLES
#endif
#endif
)";

}  // namespace kiln::emit
