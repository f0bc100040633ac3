#include <api/step_cycle.hpp>

#include <algorithm>

namespace kiln::inline v0_1::detail {

bool step_cycle::closes(std::vector<int> before) {
    const auto found = std::find(before_.begin(), before_.end(), before);
    if (found == before_.end()) {
        before_.push_back(std::move(before));
        return false;
    }
    first_ = static_cast<int>(found - before_.begin());
    return true;
}

}  // namespace kiln::inline v0_1::detail
