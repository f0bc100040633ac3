// jit_cache/temporary_name: what a file is called while it is written, so that whoever finds it later can tell whether its
// writer may still live.
// in: this process   out: a name; and of a name, who made it   knows nothing of: folders, locks
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jit_cache {

/// ".tmp-9f86d081-4711-1766021212345678900-3": where process numbers mean something (a machine since it was booted, and a
/// container in it), process, clock, serial number. Never the same twice.
[[nodiscard]] std::string temporary_name();

struct temporary_owner {
    bool is_local = false;     // its process number means something here
    std::int64_t process = 0;  // 0 and below: nobody's
};

/// std::nullopt: not the name of a temporary.
[[nodiscard]] std::optional<temporary_owner> owner_of_temporary(std::string_view name);

}  // namespace jit_cache
