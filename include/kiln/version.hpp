// kiln/version: which kiln this is. CMakeLists.txt reads the numbers from here.
#pragma once

#define KILN_VERSION_MAJOR 0
#define KILN_VERSION_MINOR 1
#define KILN_VERSION_PATCH 0

/// 1000000 * major + 1000 * minor + patch: #if KILN_VERSION >= 1002000 is "1.2 or later".
#define KILN_VERSION (KILN_VERSION_MAJOR * 1000000 + KILN_VERSION_MINOR * 1000 + KILN_VERSION_PATCH)
