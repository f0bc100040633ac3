// kiln/device/kernel_table: the kernels that one device has loaded, and finds again. Warm calls do not come here.
// in: keys, names   out: kernels   knows nothing of: how they are found or loaded
#pragma once

#include <jit_cache/key.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace kiln::backend {

class loaded_kernel;

/// By whole key.
class kernel_table {
public:
    using kernel = std::shared_ptr<const loaded_kernel>;

    kernel find(const jit_cache::key& key) {
        const std::lock_guard held(mutex_);
        const entry* const found = look_up(key);
        return found ? found->loaded : nullptr;
    }

    /// Held while one loads, so that a kernel is loaded once. `why`: it was compiled; empty: it was found.
    template <class Load>
    kernel find_or_load(const std::shared_ptr<const jit_cache::key>& key, const std::string& why, Load load) {
        const std::lock_guard held(mutex_);
        if (const entry* const found = look_up(*key)) return found->loaded;
        kernel loaded = load();
        if (loaded) kernels_.emplace(key->name().low, entry{key, loaded, why});
        return loaded;
    }

    /// Why it was compiled by this process; nothing where it is not loaded.
    std::optional<std::string> why(const jit_cache::key& key) {
        const std::lock_guard held(mutex_);
        const entry* const found = look_up(key);
        return found ? std::optional(found->why) : std::nullopt;
    }

    void clear() {
        const std::lock_guard held(mutex_);
        kernels_.clear();
    }

    /// Around a fork().
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

private:
    struct entry {
        std::shared_ptr<const jit_cache::key> key;
        kernel loaded;
        std::string why;
    };

    const entry* look_up(const jit_cache::key& key) {
        const auto [first, last] = kernels_.equal_range(key.name().low);
        for (auto each = first; each != last; ++each)
            if (*each->second.key == key) return &each->second;
        return nullptr;
    }

    std::mutex mutex_;
    std::unordered_multimap<std::uint64_t, entry> kernels_;
};

/// Kernels that are no program's, by name and how exact they are: neither text nor key is made to find one.
class named_kernels {
public:
    using kernel = kernel_table::kernel;

    /// Held while one is made, so that a kernel is made once.
    template <class Make>
    kernel find_or_make(const std::string& name, int arithmetic, Make make) {
        const std::lock_guard held(mutex_);
        kernel& found = kernels_[{name, arithmetic}];
        if (!found) found = make();
        return found;
    }

    /// Around a fork().
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

private:
    std::mutex mutex_;
    std::map<std::pair<std::string, int>, kernel> kernels_;
};

}  // namespace kiln::backend
