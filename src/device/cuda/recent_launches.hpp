// kiln/device/cuda/recent_launches: the kernels that an error seen at a wait may be of.
// knows nothing of: devices
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace kiln::backend {

/// The names of the last kernels launched, for the error of a later wait. A launch costs one increment and one store.
class recent_launches {
public:
    void add(const char* name) noexcept {
        names_[next_.fetch_add(1, std::memory_order_relaxed) % names_.size()].store(name, std::memory_order_relaxed);
    }
    void clear() noexcept { waited_.store(next_.load(std::memory_order_relaxed), std::memory_order_relaxed); }

    /// "; kernels launched since the last wait: a, b". Other threads may launch meanwhile: a hint, not a record.
    [[nodiscard]] std::string text() const {
        const std::uint64_t end = next_.load(std::memory_order_relaxed);
        std::uint64_t begin = waited_.load(std::memory_order_relaxed);
        if (begin >= end) return "; no kernel was launched since the last wait";
        std::string said = "; kernels launched since the last wait: ";
        if (end - begin > names_.size()) {
            begin = end - names_.size();
            said += "..., ";
        }
        for (std::uint64_t i = begin; i < end; ++i) {
            const char* name = names_[i % names_.size()].load(std::memory_order_relaxed);
            said.append(i == begin ? "" : ", ").append(name ? name : "?");
        }
        return said;
    }

private:
    std::array<std::atomic<const char*>, 16> names_{};
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> waited_{0};
};

}  // namespace kiln::backend
