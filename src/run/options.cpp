#include <kiln/options.hpp>

namespace kiln::inline v0_1 {

thread_local constinit options detail::thread_options{};

}  // namespace kiln::inline v0_1
