// kiln/export: what a shared libkiln shows of itself.
// in: KILN_SHARED, which kiln's CMake target and kiln.pc define where kiln is shared   out: KILN_API
#pragma once

/// On each function and variable that these headers declare and the library defines, and on each exception. All else of the
/// library is hidden. A static kiln has no such marks: a shared library around one shows nothing of it.
#ifdef KILN_SHARED
#define KILN_API __attribute__((visibility("default")))
#else
#define KILN_API
#endif
