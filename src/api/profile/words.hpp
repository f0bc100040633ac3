// kiln/api/profile/words: where a launch's kernel came from, in one word.
#pragma once

#include <kiln/profile.hpp>

namespace kiln::inline v0_1::detail {

inline const char* word_of(kernel_origin origin) noexcept {
    switch (origin) {
        case kernel_origin::memory: return "memory";
        case kernel_origin::disk: return "disk";
        case kernel_origin::compile: return "compiled";
        case kernel_origin::interpreter: return "interpreted";
        case kernel_origin::library: return "library";
        case kernel_origin::built_in: return "built in";
    }
    return "";
}

}  // namespace kiln::inline v0_1::detail
