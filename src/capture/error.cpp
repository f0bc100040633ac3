// kiln/capture/error: what the exceptions have once for all: their destructors, and with them vtables and type_info.
#include <kiln/error.hpp>

namespace kiln::inline v0_1 {

error::~error() = default;
shape_error::~shape_error() = default;
type_error::~type_error() = default;
compile_error::~compile_error() = default;
device_error::~device_error() = default;
file_error::~file_error() = default;
out_of_memory::~out_of_memory() = default;

}  // namespace kiln::inline v0_1
