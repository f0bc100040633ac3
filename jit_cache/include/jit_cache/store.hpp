// jit_cache/store: keyed binaries in memory and on disk. One make per key however many threads ask; a hit compares the
// whole key; whatever is wrong with the disk ends in a make, never in an exception or a wrong binary.
// in: a key and how to make its artifact   out: the artifact and where it came from   knows nothing of: kiln, CUDA
#pragma once

#include <jit_cache/key.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jit_cache {

/// Something known of an artifact that is no part of its key: "label", "compile_ms", "registers", "created".
struct fact {
    std::string name;
    std::string value;
};

struct artifact {
    std::string payload;  // the binary's bytes
    std::vector<fact> facts;
};

enum class origin : std::uint8_t { memory, disk, made };

struct found {
    std::shared_ptr<const artifact> value;
    origin from = origin::memory;
};

struct settings {
    /// Empty: memory only. Resolved by default_directory() for who does not set it.
    std::filesystem::path directory;
    /// An entry that alone is larger is not written; 0 writes nothing.
    std::uint64_t max_bytes = std::uint64_t{1} << 30;
    std::uint64_t max_entries = 20'000;
    /// Called at most once per distinct trouble, on whichever thread met it (the publisher's too, and two at a time for
    /// two troubles); nullptr writes one line to stderr.
    std::function<void(std::string_view message)> warn;
    /// What was wrong before there was a store (no home, a bound that is no number): said at the first miss.
    std::vector<std::string> troubles;
    /// Names files; replaced only by the test that forces collisions.
    hash128 (*hash)(const key&) = nullptr;
};

/// KILN_CACHE_DIR, else $XDG_CACHE_HOME/kiln (absolute only), else $HOME/.cache/kiln, else the passwd home's; empty
/// when there is none. Reads the environment at each call; creates nothing.
[[nodiscard]] std::filesystem::path default_directory();

/// default_directory(), KILN_CACHE_MAX_SIZE (bytes, with K, M or G) and the stated bounds.
[[nodiscard]] settings settings_from_environment();

class store {
public:
    using make_function = std::function<artifact()>;
    /// Whether the artifact can be used (a module that loads, a symbol that is there). Called for every origin by the
    /// thread that asked. False for one from disk: warned about, made again and replaced. False for a made one is the
    /// caller's own trouble: throw instead.
    using accept_function = std::function<bool(const artifact&, origin)>;

    explicit store(settings configuration);
    /// Publishes what is pending, then ends the publisher thread.
    ~store();
    store(const store&) = delete;
    store& operator=(const store&) = delete;

    /// Memory, then disk, then make(). Under many threads with one key, one of them looks and makes, the rest wait for
    /// its result; when it throws, each waiter gets the same exception and the next call tries again.
    /// A made artifact is in memory at once and on disk only after publish(). make may ask for other keys, not for its
    /// own (std::logic_error). In a child of fork() the memory table starts empty, and publish() itself writes.
    found find_or_make(const key& wanted, const make_function& make, const accept_function& accept);

    /// Hands a made artifact to the publisher thread, which writes and renames it. Returns at once.
    void publish(const key& wanted, std::shared_ptr<const artifact> value);

    /// Waits until everything handed to publish() is on disk or was given up.
    void flush();

    /// Where find_or_make would take it from now; origin::made when it would have to make it. Touches nothing.
    [[nodiscard]] origin peek(const key& wanted) const;

    /// The file an entry for this key has or would have; empty when the disk is off.
    [[nodiscard]] std::filesystem::path file_of(const key& wanted) const;

    /// Forgets the memory table (tests, and measuring a disk hit in one process). Artifacts in use live on.
    void forget_memory();

private:
    struct state;
    std::unique_ptr<state> state_;
};

/// One entry of a folder as the inspection tool shows it.
struct entry_info {
    std::filesystem::path file;
    hash128 name;
    std::uint64_t file_bytes = 0;
    std::int64_t last_used_unix_s = 0;
    key entry_key;
    std::vector<fact> facts;
    std::uint64_t payload_bytes = 0;
};

struct scan_result {
    std::vector<entry_info> entries;                                    // newest use first
    std::vector<std::pair<std::filesystem::path, std::string>> broken;  // file, what is wrong with it
    std::uint64_t newer_format_count = 0;                               // left alone
    std::string trouble;                                                // why the folder cannot be read; empty: it can
};

/// Reads every entry of a folder; writes nothing, follows no symlink.
[[nodiscard]] scan_result scan(const std::filesystem::path& directory);

struct sweep_result {
    std::uint64_t entries_removed = 0;
    std::uint64_t bytes_removed = 0;
    std::uint64_t entries_left = 0;
    std::uint64_t bytes_left = 0;
    std::uint64_t newer_format_count = 0;  // met on the way and left alone
    std::uint64_t temporaries_removed = 0;
    std::string trouble;  // the first thing that could not be read or deleted; empty: all went well
};

/// Beyond either bound, deletes the entries used longest ago until both are kept with a tenth to spare; within them,
/// only the temporaries of dead processes. Safe beside running programs: whoever reads an entry keeps what it read.
sweep_result sweep(const std::filesystem::path& directory, std::uint64_t max_bytes, std::uint64_t max_entries);

/// Deletes entries (and stale temporaries) of a folder, nothing else; returns how many entries went. Entries of a newer
/// format stay.
std::uint64_t clear(const std::filesystem::path& directory);

}  // namespace jit_cache
