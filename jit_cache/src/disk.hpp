// jit_cache/disk: one store's folder: find, publish, and the warnings about both. Nothing here throws for what a disk
// can do.
// in: keys and artifacts   out: artifacts, warnings   knows nothing of: the memory table, who waits for whom
#pragma once

#include "directory.hpp"
#include "entry_file.hpp"
#include "evict.hpp"

#include <jit_cache/store.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>

namespace jit_cache {

/// Says each distinct trouble once. Thread-safe; calls the sink outside its lock, and swallows what the sink throws.
class warner {
public:
    explicit warner(std::function<void(std::string_view)> sink) : sink_(std::move(sink)) {}
    void operator()(const std::string& message);

private:
    std::function<void(std::string_view)> sink_;
    std::mutex mutex_;
    std::unordered_set<std::string> said_;
};

/// Thread-safe; publish() is for one thread at a time.
class disk {
public:
    /// `configuration` and `warn` must outlive this. Touches no file before the first call of another member.
    disk(const settings& configuration, warner& warn);

    [[nodiscard]] bool is_off() const { return configuration_.directory.empty(); }

    enum class manner : std::uint8_t { use, peek };  // peek: no warning, last use stays

    /// The artifact of exactly this key, or nullptr.
    [[nodiscard]] std::shared_ptr<const artifact> find(const key& wanted, hash128 name, manner how);

    void publish(const key& wanted, hash128 name, const artifact& value);

    /// Empty when the disk is off, or the folder cannot be trusted or opened.
    [[nodiscard]] std::filesystem::path file_of(hash128 name);

    /// Warns that the caller could not use what was found.
    void say_rejected(hash128 name);

private:
    [[nodiscard]] const std::filesystem::path& root_path();
    [[nodiscard]] std::filesystem::path path_of(const std::string& name);
    [[nodiscard]] std::shared_ptr<const artifact> look_up(const key& wanted, hash128 hash, manner how);
    void say_memory_only(const std::filesystem::path& folder, const std::string& why);
    struct attempt {
        int error = 0;  // errno; 0: on disk, or rightly left alone
        std::filesystem::path folder;
        std::string trouble;
    };
    [[nodiscard]] attempt try_publish(const key& wanted, hash128 hash, const artifact& value);
    void keep_within_bounds(std::uint64_t bytes_published);

    const settings& configuration_;
    warner& warn_;
    std::mutex mutex_;  // guards the two below
    std::filesystem::path root_path_;
    std::unordered_set<std::string> kept_;  // unreadable entries: not to be replaced

    // The publishing thread's own view of how full the folder is.
    bool counted_ = false;
    std::uint64_t known_bytes_ = 0;
    std::uint64_t known_entries_ = 0;
    std::uint64_t published_since_count_ = 0;
};

}  // namespace jit_cache
