#include <kiln/options.hpp>

namespace kiln {

thread_local constinit options detail::thread_options{};

}  // namespace kiln
