#include <text/format.hpp>

namespace kiln::text {

std::string format_arguments(fmt::string_view pattern, fmt::format_args values) {
    return fmt::vformat(pattern, values);
}

}  // namespace kiln::text
