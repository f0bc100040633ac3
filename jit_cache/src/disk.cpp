// jit_cache/disk: what a store does with its folders, and what it says when they do not play along.
// in: keys and artifacts   out: artifacts, reasons, warnings   knows nothing of: the memory table, who waits for whom
#include "disk.hpp"

#include "differences.hpp"
#include "hints.hpp"
#include "relatives.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/write_signals.hpp>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace jit_cache {

namespace {

// A folder with thousands of damaged entries would else fill the memory with what was said about them.
constexpr std::size_t most_messages = 1'000;

// A publish that finds the folder full pays for some of the sweeping, and the end of a process waits for it.
constexpr std::chrono::microseconds sweep_time{8'000};

// Use is noted to the hour: a write to the file's inode at every hit would cost more than reading a kernel does.
constexpr std::int64_t seconds_between_touches = 3600;

bool used_long_ago(const file_reading& entry) {
    const std::int64_t age = static_cast<std::int64_t>(::time(nullptr)) - entry.last_used_unix_s;
    // A time stamp from the future is put right, too.
    return age >= seconds_between_touches || age < 0;
}

std::uint64_t made_in_ms(const artifact& value) {
    for (const fact& one : value.facts) {
        if (one.name != "compile_ms") continue;
        double ms = 0;
        std::from_chars(one.value.data(), one.value.data() + one.value.size(), ms);
        return ms > 0 && ms < 1e9 ? static_cast<std::uint64_t>(ms + 0.5) : 0;
    }
    return 0;
}

void write_to_stderr(std::string_view message) {
    const write_signals_held_back held_back;
    std::fprintf(stderr, "jit_cache: %.*s\n", static_cast<int>(message.size()), message.data());
}

/// What says nothing about a folder, and may be over at the next look: no descriptors, no memory, a server that was away.
bool is_passing(int error) {
    return error == EMFILE || error == ENFILE || error == ENOMEM || error == EIO || error == ESTALE || error == EINTR ||
           error == EAGAIN;
}

/// Only fails where the working folder is gone; the path then stays as it was given.
std::filesystem::path whole_path(const std::filesystem::path& path) {
    std::error_code error;
    std::filesystem::path result = std::filesystem::absolute(path, error);
    return error ? path : result;
}

}  // namespace

void warner::operator()(const std::string& message) {
    const std::string text = printable(message);
    {
        const std::lock_guard lock(mutex_);
        if (said_.size() >= most_messages || !said_.insert(text).second) return;
    }
    try {
        sink_ ? sink_(text) : write_to_stderr(text);
    } catch (...) {
        // The user's sink failed on a thread that may be ours alone; a warning is not worth the program.
    }
}

disk::disk(const settings& configuration, warner& warn)
    : configuration_(configuration),
      warn_(warn),
      sweeps_({.bytes = configuration.max_bytes, .entries = configuration.max_entries}, sweep_time) {}

std::filesystem::path disk::root_path() {
    return configuration_.directory.empty() ? std::filesystem::path() : places().back().folder;
}

std::filesystem::path disk::path_in(const std::filesystem::path& folder, hash128 name) {
    const std::string digits = to_hex(name);
    return folder / format_folder / digits.substr(0, 2) / digits;
}

const std::vector<disk::place>& disk::places() {
    const std::lock_guard lock(mutex_);
    // Once: a program that changes its working folder keeps the folders that it began with.
    if (places_.empty()) {
        for (const std::filesystem::path& each : configuration_.read_only_directories)
            places_.push_back({whole_path(each), access::read_only});
        if (!configuration_.directory.empty()) places_.push_back({whole_path(configuration_.directory), access::read});
    }
    return places_;
}

hash128 disk::name_of_stored(const key& stored) const {
    return configuration_.name != nullptr ? configuration_.name(stored) : stored.name();
}

void disk::say_memory_only(const std::filesystem::path& folder, const std::string& why) {
    warn_(folder.string() + ": " + why + "; binaries are kept in memory only");
}

void disk::keep(hash128 name, const std::filesystem::path& unread, const std::string& why) {
    warn_(unread.string() + ": cannot be read (" + why + "); it is passed over and kept");
    const std::lock_guard lock(mutex_);
    kept_.insert(to_hex(name));
}

void disk::count_hit(const artifact& value, manner how) {
    if (how == manner::use) counted_.count_hit(made_in_ms(value));
}

looked_up disk::find(const key& wanted, hash128 name, manner how) {
    looked_up best;
    best.missed.why = miss_reason::no_folder;
    looked_up shipped;  // what was wrong in a read-only folder
    try {
        std::vector<visit> without;  // where there is no such entry, and nothing is wrong
        for (const place& where : places()) {
            visit here{.where = where, .folder = open_store_folder(where.folder, where.how)};
            looked_up found = look_up_in(here, wanted, name, how);
            if (found.value != nullptr) {
                count_hit(*found.value, how);
                return found;
            }
            if (found.missed.why == miss_reason::never_stored) without.push_back(std::move(here));
            else if (where.how == access::read_only && shipped.file.empty()) shipped = found;
            best = std::move(found);
        }
        // The user's own folder, which comes last, is what a reason is about. Where it has nothing: an entry of a read-only
        // one that cannot be used, then entries that are like the wanted one, then a read-only folder that cannot be.
        if (best.missed.why == miss_reason::never_stored && !shipped.file.empty()) best.missed = shipped.missed;
        if (best.missed.why == miss_reason::never_stored) best.missed = explain(without, wanted, name);
        if (best.missed.why == miss_reason::never_stored) best.missed = shipped.missed;
    } catch (const std::bad_alloc&) {
        if (how == manner::use) say_memory_only(path_in(root_path(), name), "too large for the memory that is left");
        best.missed.why = miss_reason::unreadable;
    }
    return best;
}

looked_up disk::look_up_in(const visit& at, const key& wanted, hash128 hash, manner how) {
    const place& where = at.where;
    looked_up result;
    const bool says = how == manner::use;
    const auto missed = [&](miss_reason why, std::string detail) -> looked_up& {
        result.missed.why = why;
        result.missed.detail = std::move(detail);
        return result;
    };
    const auto folder_trouble = [&](const opened_folder& folder, const std::filesystem::path& path) -> looked_up& {
        const std::string text = path.string() + ": " + folder.trouble;
        if (folder.trouble.empty()) {
            // Not made yet; but whoever names a read-only folder means one that is there.
            if (where.how == access::read_only && says && path == where.folder)
                warn_(text + "there is no such folder; it is passed over");
            return missed(miss_reason::never_stored, {});
        }
        if (says && where.how == access::read_only) {
            warn_(text + "; it is passed over");
        } else if (says && is_passing(folder.error)) {
            keep(hash, path, folder.trouble);
        } else if (says) {
            say_memory_only(path, folder.trouble);
        }
        return missed(folder.distrusted ? miss_reason::untrusted : miss_reason::unreadable, text);
    };

    const file_descriptor& folder = at.folder.folder;
    if (!folder) return folder_trouble(at.folder, where.folder);
    std::string path(format_folder);
    opened_folder root = look_at_folder(folder, path, where.how);
    // In the words of open_root(), so that one trouble is said once.
    if (!root.trouble.empty()) root.trouble = path + ": " + root.trouble;
    if (root.error != 0) return folder_trouble(root, where.folder);
    const std::string name = to_hex(hash);
    path.append("/").append(name, 0, 2);
    const opened_folder shard = look_at_folder(folder, path, where.how);
    if (shard.error != 0) return folder_trouble(shard, path_in(where.folder, hash).parent_path());

    path.append("/").append(name);
    file_reading read = read_entry(folder, path, where.how);
    if (read.state == file_state::good && read.content.stored_key != wanted) {
        // Two keys of one name share a file, and the newer entry has it: a plain miss. Any other foreign key means that
        // somebody moved the file.
        if (name_of_stored(read.content.stored_key) == hash) return missed(miss_reason::never_stored, {});
        read.state = file_state::broken;
        read.why = "it holds the entry of another key";
    }
    // Most misses: nothing of what follows is needed.
    if (read.state == file_state::absent) return missed(miss_reason::never_stored, {});
    result.file = path_in(where.folder, hash);
    const std::string text = result.file.string() + ": " + read.why;
    // Whether the binary can be made again is for its maker to say.
    const char* const replaced = where.how == access::read_only
                                     ? "; it is passed over"
                                     : "; it is passed over, and replaced when the binary is made again";
    switch (read.state) {
        case file_state::good:
            if (says && where.how != access::read_only && used_long_ago(read)) touch_entry(folder, path);
            result.value = std::make_shared<const artifact>(std::move(read.content.value));
            return result;
        case file_state::broken:
        case file_state::foreign:
            if (says) warn_(text + replaced);
            return missed(miss_reason::corrupt, text);
        case file_state::untrusted:
            if (says) warn_(text + replaced);
            return missed(miss_reason::untrusted, text);
        case file_state::failed:
            if (says) keep(hash, result.file, read.why);
            return missed(miss_reason::unreadable, text);
        case file_state::newer: return missed(miss_reason::newer_format, text + "of a later format");
        case file_state::absent: break;
    }
    return missed(miss_reason::never_stored, {});
}

miss disk::explain(const std::vector<visit>& without, const key& wanted, hash128 hash) {
    miss best;
    // The user's own folder comes last, and first here: what was made on this machine is nearer than what was shipped.
    for (auto at = without.rbegin(); at != without.rend(); ++at) {
        if (!at->folder.folder) continue;
        explanation here = explain_miss(at->folder.folder, hash, at->where.how);
        if (here.why == miss_reason::never_stored) continue;
        best.why = here.why;
        if (here.why == miss_reason::evicted) break;
        best.compare = [where = at->where, relatives = std::move(here.relatives), wanted] {
            return differences_in(where, relatives, wanted);
        };
        break;
    }
    return best;
}

std::vector<field_difference> disk::differences_in(const place& where, const std::vector<std::string>& relatives,
                                                   const key& wanted) {
    const opened_folder root = open_root(where.folder, where.how);
    if (!root.folder) return {};
    const opened_folder shard = open_shard(root.folder, std::string_view(relatives.front()).substr(0, 2), where.how);
    if (!shard.folder) return {};
    return fewest_differences(shard.folder, relatives, wanted, where.how);
}

looked_up disk::find_relative(const key& wanted, hash128 name, std::string_view free_field, manner how) {
    looked_up result;
    try {
        for (const place& where : places()) {
            const opened_folder root = open_root(where.folder, where.how);
            if (!root.folder) continue;
            std::vector<relative> found = relatives_but_for(root.folder, wanted, name, free_field, where.how);
            if (found.empty()) continue;
            result.differences = differences_between(found.front().content.stored_key, wanted);
            result.file = path_in(where.folder, name_of_stored(found.front().content.stored_key));
            result.value = std::make_shared<const artifact>(std::move(found.front().content.value));
            count_hit(*result.value, how);
            return result;
        }
    } catch (const std::bad_alloc&) {
        // As if there were none.
    }
    return result;
}

disk::attempt disk::try_publish(const key& wanted, hash128 hash, const artifact& value) {
    attempt result;
    const auto failed = [&](int error, std::filesystem::path folder, std::string trouble) {
        result.error = error;
        result.folder = std::move(folder);
        result.trouble = std::move(trouble);
        return result;
    };
    const std::string name = to_hex(hash);
    opened_folder root = open_root(root_path(), access::write);
    // In the words of find(), so that one trouble is said once.
    if (!root.folder) return failed(root.error, root_path(), std::move(root.trouble));
    opened_folder shard = open_shard(root.folder, std::string_view(name).substr(0, 2), access::write);
    // Said of the root: a full or read-only disk is one trouble, not one for each of its shards.
    if (!shard.folder && shard.system_refused)
        return failed(shard.error, root_path(), "cannot be written: " + shard.trouble);
    if (!shard.folder) return failed(shard.error, path_in(root_path(), hash).parent_path(), std::move(shard.trouble));
    // An entry of a later version stays, and so does one that cannot be read: nothing is known against it.
    const file_state present = probe_entry(shard.folder, name).state;
    if (present == file_state::newer || present == file_state::failed) return result;
    const std::string bytes = pack_entry(wanted, value);
    const published outcome = publish_entry(shard.folder, name, bytes);
    if (outcome.error != 0) return failed(outcome.error, root_path(), "cannot be written: " + outcome.trouble);
    result.written = true;
    remember_stored(root.folder, {hash});
    counted_.count_published(bytes.size());
    return result;
}

void disk::publish(const key& wanted, hash128 hash, const artifact& value) {
    if (configuration_.directory.empty()) return;
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
        if (outcome.error != 0) say_memory_only(outcome.folder, outcome.trouble);
        else if (outcome.written) keep_within_bounds(bytes);
    } catch (const std::exception& error) {
        say_memory_only(root_path(), error.what());  // out of memory, on a thread whose end would end the program
    }
}

void disk::keep_within_bounds(std::uint64_t bytes_published) {
    if (!sweeps_.is_due(bytes_published)) return;
    const opened_folder root = open_root(root_path(), access::read);
    if (!root.folder) return;
    // Any seed that differs from sweep to sweep: processes that start together look at different shards.
    const auto seed = static_cast<std::uint32_t>(std::chrono::steady_clock::now().time_since_epoch().count());
    const root_sweep done = sweep_root(root.folder, sweeps_.order(seed));
    sweeps_.swept(done);
    const sweep_result& swept = done.result;
    counted_.count_evicted(swept.entries_removed, swept.bytes_removed);
    // As often as this, and at the end: at each publish, dozens of processes would wait for one another's locks.
    counted_.write_to(root.folder);
    if (swept.entries_removed == 0 || !configuration_.note) return;
    try {
        configuration_.note("evicted " + std::to_string(swept.entries_removed) + " kernels (" +
                            std::to_string(swept.bytes_removed) + " bytes) that were used longest ago from " +
                            printable(root_path().native()));
    } catch (...) {
        // As a warning's.
    }
}

std::filesystem::path disk::file_of(hash128 hash) {
    if (configuration_.directory.empty()) return {};
    const opened_folder root = open_root(root_path(), access::read);
    if (!root.folder && !root.trouble.empty()) return {};
    return path_in(root_path(), hash);
}

void disk::say_rejected(const looked_up& found) {
    warn_(found.file.string() +
          ": its binary cannot be used here; it is passed over and, where it may be, replaced when it is made again");
}

void disk::write_statistics() {
    if (configuration_.directory.empty()) return;
    const opened_folder root = open_root(root_path(), access::read);
    if (root.folder) counted_.write_to(root.folder);
}

}  // namespace jit_cache
