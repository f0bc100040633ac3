// kiln-cache/doctor: the parts of what `kiln-cache doctor` looks at, each in a file of its own.
// in: the folder, the machine, the environment   out: lines and what is wrong, in a report   knows nothing of: argv
#pragma once

#include "report.hpp"

namespace kiln_cache {

/// The folder that programs would use, and those of KILN_CACHE_READONLY.
void check_folder(const request& asked, report& into);
void check_read_only_folders(report& into);

/// What compiles and runs kernels: the driver, NVRTC, the host's compiler, a folder for temporaries.
void check_machine(report& into);

/// Every variable, what it is set to, and who set it.
void check_settings(report& into);

}  // namespace kiln_cache
