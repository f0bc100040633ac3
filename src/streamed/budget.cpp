#include <streamed/budget.hpp>

#include <jit_cache/trust.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>

#include <algorithm>
#include <charconv>
#include <string>

namespace kiln::streamed {

namespace {

constexpr const char* variable = "KILN_DEVICE_MEMORY";

/// -1: none was asked for.
std::int64_t asked_bytes() {
    const std::string asked = jit_cache::trust::environment(variable);
    if (asked.empty()) return -1;
    std::int64_t count = 0;
    const auto [end, problem] = std::from_chars(asked.data(), asked.data() + asked.size(), count);
    const std::string unit(end, asked.data() + asked.size());
    const std::string units = "KMGT";
    const std::size_t power = unit.empty() ? 0 : units.find(unit[0]) + 1;
    const bool is_unit = unit.empty() || (power > 0 && (unit.size() == 1 || unit.substr(1) == "B"));
    if (problem != std::errc{} || count < 1 || !is_unit || count > std::int64_t{1} << (62 - 10 * power))
        throw device_error(text::format("kiln: {}={} is no number of bytes, such as 512M or 4G", variable, asked));
    return count << (10 * power);
}

}  // namespace

std::int64_t free_budget(backend::device& on) {
    constexpr std::int64_t usual_of_files = std::int64_t{512} << 20;
    const std::int64_t asked = asked_bytes();
    if (backend::reaches_host(on)) return asked < 0 ? usual_of_files : asked;
    const auto held = on.memory();
    if (asked >= 0) return std::max<std::int64_t>(0, asked - static_cast<std::int64_t>(held.live_bytes));
    const std::int64_t there = on.describe().free_bytes + static_cast<std::int64_t>(held.spare_bytes);
    return there / 10 * 9;
}

std::string budget_text(backend::device& on) {
    const std::string asked = jit_cache::trust::environment(variable);
    const std::size_t held = on.memory().live_bytes;
    if (asked.empty())
        return text::format("arrays hold {} bytes there; {} sets how much kiln may take", held, variable);
    return text::format("{}={}, of which arrays hold {} bytes", variable, asked, held);
}

}  // namespace kiln::streamed
