// kiln/api/profile/kinds: what an event of a profile is, in one question.
#pragma once

#include <kiln/profile.hpp>

namespace kiln::inline v0_1::detail {

/// Something ran on a device.
inline bool is_launch(const profile_event& each) noexcept {
    return each.what == profiled::kernel || each.what == profiled::replay;
}

}  // namespace kiln::inline v0_1::detail
