// kiln/device/cpu/shuffles: whether compilers take shuffles of vectors as g++ 12 and clang do: then KILN_HAS_SHUFFLES is defined.
#pragma once

#ifdef __has_builtin
#if __has_builtin(__builtin_shufflevector)
#define KILN_HAS_SHUFFLES
#endif
#endif
