// kiln/device/interpreter/movement: loops over rows, by the width of an element.
#include <device/interpreter/movement.hpp>

namespace kiln::backend {

void walk::move_to(std::int64_t position) noexcept {
    for (int axis = rank - 1; axis > 0; --axis) {
        coordinates[axis] = position % extents[axis];
        position /= extents[axis];
    }
    coordinates[0] = position;
}

void fill(void* to, const void* value, int bytes, std::int64_t count) noexcept {
    by_width(bytes, [=]<class T>(T) {
        auto* const out = static_cast<T*>(to);
        const T element = *static_cast<const T*>(value);
        for (std::int64_t i = 0; i < count; ++i) out[i] = element;
    });
}

}  // namespace kiln::backend
