#include <api/amounts.hpp>

#include <text/format.hpp>

namespace kiln::inline v0_1::detail {

std::string time_text(double ns) {
    if (ns < 1e6) return text::format("{:.2f} us", ns * 1e-3);
    if (ns < 1e9) return text::format("{:.2f} ms", ns * 1e-6);
    return text::format("{:.3f} s", ns * 1e-9);
}

std::string bytes_text(std::int64_t bytes) {
    const auto value = static_cast<double>(bytes);
    if (bytes < 10'000) return text::format("{} B", bytes);
    if (bytes < 10'000'000) return text::format("{:.1f} kB", value * 1e-3);
    if (bytes < 10'000'000'000) return text::format("{:.1f} MB", value * 1e-6);
    return text::format("{:.1f} GB", value * 1e-9);
}

}  // namespace kiln::inline v0_1::detail
