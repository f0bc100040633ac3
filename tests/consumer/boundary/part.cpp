#include "part.hpp"

#include <kiln/kiln.hpp>

namespace part {

kiln::expr<float> tripled(const kiln::array<float>& x) { return x * 3.0f; }
kiln::array<float> sum_of_three(const kiln::array<float>& x) { return x + x + x; }

void throw_librarys_shape_error() { (void)kiln::shape{-1}; }
void throw_own_shape_error() { throw kiln::shape_error("a part's own"); }

bool catches(void (*thrower)()) {
    try {
        thrower();
    } catch (const kiln::shape_error&) {
        return true;
    } catch (...) {
    }
    return false;
}
const std::type_info& type_of_shape_error() { return typeid(kiln::shape_error); }

const kiln::options* thread_options() { return &kiln::current_options(); }
const std::uint32_t* capture_counter() { return &kiln::detail::last_capture; }
std::int64_t launches() { return kiln::counters::now().launches; }

}  // namespace part
