#include <streamed/budget.hpp>

#include <jit_cache/folder.hpp>
#include <jit_cache/trust.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace kiln::streamed {

namespace {

constexpr const char* variable = "KILN_DEVICE_MEMORY";

/// -1: none was asked for.
std::int64_t asked_bytes() {
    const std::string asked = jit_cache::trust::environment(variable);
    if (asked.empty()) return -1;
    const std::optional<std::uint64_t> bytes = jit_cache::parse_size(asked);
    if (!bytes || *bytes == 0 || *bytes > std::uint64_t{1} << 62)
        throw device_error(
            text::format("kiln: {}={} is no number of bytes, such as 512M, 1.5G or 1T", variable, asked));
    return static_cast<std::int64_t>(*bytes);
}

}  // namespace

std::int64_t free_budget(backend::device& on, std::int64_t enough) {
    constexpr std::int64_t usual_of_files = std::int64_t{512} << 20;
    const std::int64_t asked = asked_bytes();
    if (backend::reaches_host(on)) return asked < 0 ? usual_of_files : asked;
    const auto held = on.memory();
    if (asked >= 0) return std::max<std::int64_t>(0, asked - static_cast<std::int64_t>(held.live_bytes));
    const std::int64_t kept = static_cast<std::int64_t>(held.spare_bytes) / 10 * 9;
    if (kept >= enough) return kept;
    // An expression's own memory, given back, will do for it again: blocks were rounded up when they were taken, and `enough` has an eighth for
    // that. Else every evaluation would ask the driver, which takes longer than all else that comes before the first copy.
    if (static_cast<std::int64_t>(held.spare_bytes) >= enough - enough / 9) return enough;
    const std::int64_t there = on.describe().free_bytes + static_cast<std::int64_t>(held.spare_bytes);
    return there / 10 * 9;
}

std::string budget_text(backend::device& on) {
    const std::string asked = jit_cache::trust::environment(variable);
    // Of files alone: what arrays hold is not counted.
    if (backend::reaches_host(on))
        return asked.empty() ? text::format("{} sets how much", variable) : text::format("{}={}", variable, asked);
    const std::size_t held = on.memory().live_bytes;
    if (asked.empty())
        return text::format("arrays hold {} bytes there; {} sets how much kiln may take", held, variable);
    return text::format("{}={}, of which arrays hold {} bytes", variable, asked, held);
}

}  // namespace kiln::streamed
