// kiln/device/cpu/loaded_objects: how many shared objects this process has mapped at once. Each takes some five of the mappings
// of which Linux gives a process 65,530 (vm.max_map_count), and where those are gone nothing can be allocated any more: so the
// one that has been idle longest makes room, and is loaded again when it is launched again.
// in: bytes, who uses them   out: an open object   knows nothing of: kernels, where the bytes come from
#pragma once

#include <device/cpu/shared_object.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace kiln::backend {

/// Whoever has an object open. Registered while it has.
class object_user {
public:
    object_user() = default;
    object_user(const object_user&) = delete;
    object_user& operator=(const object_user&) = delete;

protected:
    ~object_user() = default;

    /// Noted at each use: one load and one store.
    void note_use() const noexcept {
        last_use_.store(openings_.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }

private:
    friend class loaded_objects;
    /// Closes the object, unless it is in use or could not be opened again: false.
    virtual bool try_unload() noexcept = 0;

    static inline constinit std::atomic<std::uint64_t> openings_{0};  // of the process so far: the clock of last uses

    mutable std::atomic<std::uint64_t> last_use_{0};
    std::size_t index_ = none;  // among those that have an object open
    static constexpr std::size_t none = ~std::size_t{0};
};

class loaded_objects {
public:
    /// As shared_object::open; makes room first where there are too many. `by` stays registered until it is forgotten or
    /// has unloaded.
    static shared_object::opening open(const std::string& bytes, object_user& by);
    /// Closes it.
    static void close(std::unique_ptr<shared_object> object, object_user& by) noexcept;

    /// As many as half of a process's mappings suffice for.
    [[nodiscard]] static std::size_t most() noexcept;
    /// For tests; 0: as above.
    static void set_most(std::size_t count) noexcept;
    [[nodiscard]] static std::size_t count() noexcept;

private:
    static void make_room() noexcept;
    static void remove(object_user& user) noexcept;
};

}  // namespace kiln::backend
