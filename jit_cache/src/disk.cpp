// jit_cache/disk: what a store does with its folder, and what it says when the folder does not play along.
// in: keys and artifacts   out: artifacts, warnings   knows nothing of: the memory table, who waits for whom
#include "disk.hpp"

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <exception>
#include <new>
#include <system_error>

namespace jit_cache {

namespace {

// A folder with thousands of damaged entries would else fill the memory with what was said about them.
constexpr std::size_t most_messages = 1'000;

// Other processes publish too: after this many entries of one's own the folder is counted again.
constexpr std::uint64_t entries_between_counts = 256;

// Use is noted to the hour: a write to the file's inode at every hit would cost more than reading a kernel does.
constexpr std::int64_t seconds_between_touches = 3600;

bool used_long_ago(const file_reading& entry) {
    const std::int64_t age = static_cast<std::int64_t>(::time(nullptr)) - entry.last_used_unix_s;
    // A time stamp from the future is put right, too.
    return age >= seconds_between_touches || age < 0;
}

void write_to_stderr(std::string_view message) {
    std::fprintf(stderr, "jit_cache: %.*s\n", static_cast<int>(message.size()), message.data());
}

}  // namespace

void warner::operator()(const std::string& message) {
    {
        const std::lock_guard lock(mutex_);
        if (said_.size() >= most_messages || !said_.insert(message).second) return;
    }
    try {
        sink_ ? sink_(message) : write_to_stderr(message);
    } catch (...) {
        // The user's sink failed on a thread that may be ours alone; a warning is not worth the program.
    }
}

disk::disk(const settings& configuration, warner& warn) : configuration_(configuration), warn_(warn) {}

const std::filesystem::path& disk::root_path() {
    const std::lock_guard lock(mutex_);
    if (root_path_.empty()) {
        // Once: a program that changes its working folder keeps the cache that it began with.
        std::error_code error;
        root_path_ = std::filesystem::absolute(configuration_.directory, error);
        if (error) root_path_ = configuration_.directory;
    }
    return root_path_;
}

std::filesystem::path disk::path_of(const std::string& name) { return root_path() / name.substr(0, 2) / name; }

void disk::say_memory_only(const std::filesystem::path& folder, const std::string& why) {
    warn_(folder.string() + ": " + why + "; binaries are kept in memory only");
}

std::shared_ptr<const artifact> disk::find(const key& wanted, hash128 hash, manner how) {
    if (is_off()) return nullptr;
    try {
        return look_up(wanted, hash, how);
    } catch (const std::bad_alloc&) {
        if (how == manner::use) say_memory_only(path_of(to_hex(hash)), "too large for the memory that is left");
        return nullptr;
    }
}

std::shared_ptr<const artifact> disk::look_up(const key& wanted, hash128 hash, manner how) {
    const std::string name = to_hex(hash);
    const opened_folder root = open_root(root_path(), access::read);
    if (!root.folder) {
        if (how == manner::use && !root.trouble.empty()) say_memory_only(root_path(), root.trouble);
        return nullptr;
    }
    const opened_folder shard = open_shard(root.folder, std::string_view(name).substr(0, 2), access::read);
    if (!shard.folder) {
        if (how == manner::use && !shard.trouble.empty()) {
            say_memory_only(path_of(name).parent_path(), shard.trouble);
        }
        return nullptr;
    }
    file_reading read = read_entry(shard.folder, name, access::read);
    if (read.state == file_state::good && read.content.stored_key != wanted) {
        // Two keys of one hash share a name, and the newer entry has it: a plain miss. Any other foreign key means that
        // somebody moved the file.
        const hash128 stored = configuration_.hash != nullptr ? configuration_.hash(read.content.stored_key)
                                                              : read.content.stored_key.hash();
        if (stored == hash) return nullptr;
        read.state = file_state::broken;
        read.why = "it holds the entry of another key";
    }
    switch (read.state) {
        case file_state::good:
            if (how == manner::use && used_long_ago(read)) touch_entry(shard.folder, name);
            return std::make_shared<const artifact>(std::move(read.content.value));
        case file_state::broken:
            if (how == manner::use) {
                warn_(path_of(name).string() + ": " + read.why + "; the binary is made again and the file replaced");
            }
            return nullptr;
        case file_state::failed:
            if (how == manner::use) {
                warn_(path_of(name).string() + ": cannot be read (" + read.why +
                      "); the binary is made again, the file kept");
                const std::lock_guard lock(mutex_);
                kept_.insert(name);
            }
            return nullptr;
        case file_state::newer:
        case file_state::absent: break;
    }
    return nullptr;
}

disk::attempt disk::try_publish(const key& wanted, hash128 hash, const artifact& value) {
    const std::string name = to_hex(hash);
    opened_folder root = open_root(root_path(), access::write);
    // In the words of find(), so that one trouble is said once.
    if (!root.folder) return {.error = root.error, .folder = root_path(), .trouble = std::move(root.trouble)};
    opened_folder shard = open_shard(root.folder, std::string_view(name).substr(0, 2), access::write);
    if (!shard.folder && shard.system_refused) {
        // Said of the root: a full or read-only disk is one trouble, not one for each of its shards.
        return {.error = shard.error, .folder = root_path(), .trouble = "cannot be written: " + shard.trouble};
    }
    if (!shard.folder) {
        return {.error = shard.error, .folder = path_of(name).parent_path(), .trouble = std::move(shard.trouble)};
    }
    // An entry of a later version stays, and so does one that cannot be read: nothing is known against it.
    const file_state present = probe_entry(shard.folder, name);
    if (present == file_state::newer || present == file_state::failed) return {};
    const published outcome = publish_entry(shard.folder, name, pack_entry(wanted, value));
    if (outcome.error == 0) return {};
    return {.error = outcome.error, .folder = root_path(), .trouble = "cannot be written: " + outcome.trouble};
}

void disk::publish(const key& wanted, hash128 hash, const artifact& value) {
    if (is_off()) return;
    const std::uint64_t bytes = packed_bytes(wanted, value);
    // It would push out everything else and then itself.
    if (bytes > configuration_.max_bytes || bytes > largest_entry_bytes || configuration_.max_entries == 0) return;
    try {
        {
            const std::lock_guard lock(mutex_);
            if (kept_.contains(to_hex(hash))) return;
        }
        attempt outcome = try_publish(wanted, hash, value);
        // The folder, or a shard that a sweeper found empty, went away between two calls: made again. As often as a
        // process that clears in a loop may get in between; three times were not enough beside ThreadSanitizer.
        for (int tries_left = 100; outcome.error == ENOENT && tries_left > 0; --tries_left) {
            outcome = try_publish(wanted, hash, value);
        }
        if (outcome.error == 0) {
            keep_within_bounds(bytes);
        } else {
            say_memory_only(outcome.folder, outcome.trouble);
        }
    } catch (const std::exception& error) {
        say_memory_only(root_path(), error.what());  // out of memory, on a thread whose end would end the program
    }
}

void disk::keep_within_bounds(std::uint64_t bytes_published) {
    known_bytes_ += bytes_published;
    ++known_entries_;
    ++published_since_count_;
    const bool within = known_bytes_ <= configuration_.max_bytes && known_entries_ <= configuration_.max_entries;
    if (counted_ && within && published_since_count_ < entries_between_counts) return;
    const opened_folder root = open_root(root_path(), access::read);
    if (!root.folder) return;
    const sweep_result swept =
        sweep_root(root.folder, {.max_bytes = configuration_.max_bytes, .max_entries = configuration_.max_entries});
    counted_ = true;
    published_since_count_ = 0;
    known_bytes_ = swept.bytes_left;
    known_entries_ = swept.entries_left;
}

std::filesystem::path disk::file_of(hash128 hash) {
    if (is_off()) return {};
    const opened_folder root = open_root(root_path(), access::read);
    if (!root.folder && !root.trouble.empty()) return {};
    return path_of(to_hex(hash));
}

void disk::say_rejected(hash128 hash) {
    warn_(path_of(to_hex(hash)).string() + ": its binary cannot be used here; it is made again and the file replaced");
}

}  // namespace jit_cache
