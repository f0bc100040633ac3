// jit_cache/store: keyed binaries in memory and on disk. One make per key however many threads ask; a hit compares the
// whole key; whatever is wrong with the disk ends in a make, never in an exception or a wrong binary.
// in: a key and how to make its artifact   out: the artifact and where it came from   knows nothing of: kiln, CUDA
#pragma once

#include <jit_cache/key.hpp>
#include <jit_cache/miss.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
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
    std::vector<fact> extras;  // long texts for who looks into the store ("ptx"); listing it does not read them
};

enum class origin : std::uint8_t { memory, disk, made };

struct found {
    std::shared_ptr<const artifact> value;
    origin from = origin::memory;
    miss missed;                                // when `from` is made: why it had to be
    std::vector<field_difference> differences;  // when a relative was taken: where its key is not the wanted one
};

/// What find_or_make would do.
struct prediction {
    origin from = origin::made;
    miss missed;                                // as above
    std::vector<field_difference> differences;  // as above
};

struct settings {
    /// Empty: memory only. Resolved by default_directory() for who does not set it.
    std::filesystem::path directory;
    /// Looked into first, in this order, and never written to: kernels that came with an application or a container. Each
    /// belongs to root or to the user.
    std::vector<std::filesystem::path> read_only_directories;
    /// An entry that alone is larger is not written; 0 writes nothing.
    std::uint64_t max_bytes = std::uint64_t{1} << 30;
    std::uint64_t max_entries = 20'000;
    /// Payloads kept in memory for who asks again; those not used for the longest time go first. What is in use stays.
    std::uint64_t max_memory_bytes = std::uint64_t{64} << 20;
    /// Called at most once per distinct trouble, on whichever thread met it (the publisher's too, and two at a time for
    /// two troubles); nullptr writes one line to stderr.
    std::function<void(std::string_view message)> warn;
    /// Called for what is worth knowing and no trouble (entries evicted), on any thread; nullptr: nobody asks.
    std::function<void(std::string_view message)> note;
    /// What was wrong before there was a store (no home, a bound that is no number): said at the first miss.
    std::vector<std::string> troubles;
    /// Names files; replaced only by the test that forces collisions.
    hash128 (*name)(const key&) = nullptr;
};

/// For an application "kiln": KILN_CACHE_DIR, else $XDG_CACHE_HOME/kiln (absolute only), else $HOME/.cache/kiln, else the
/// passwd home's; empty when there is none, or with raised privileges. Reads the environment at each call; creates
/// nothing.
[[nodiscard]] std::filesystem::path default_directory(std::string_view application = "kiln");

/// default_directory(), KILN_CACHE_MAX_SIZE (bytes, with K, M, G or T), KILN_CACHE_READONLY (folders, with ':' between) and
/// the stated bounds.
[[nodiscard]] settings settings_from_environment(std::string_view application = "kiln");

class store {
public:
    /// Is told why it was not found.
    using make_function = std::function<artifact(const miss&)>;
    /// Whether the artifact can be used (a module that loads, a symbol that is there). Called for every origin by the
    /// thread that asked. False for one from disk: warned about, made again and replaced. False for a made one is the
    /// caller's own trouble: throw instead. Throws for trouble that says nothing about the artifact: the entry is kept.
    using accept_function = std::function<bool(const artifact&, origin)>;

    explicit store(settings configuration);
    /// Publishes what is pending, then ends the publisher thread.
    ~store();
    store(const store&) = delete;
    store& operator=(const store&) = delete;

    /// Memory, then the read-only folders, then the user's, then make(). Under many threads with one key, one of them
    /// looks and makes, the rest wait for its result; when it throws, each waiter gets the same exception and the next
    /// call tries again. A made artifact is in memory at once and on disk only after publish(). make may ask for other
    /// keys, not for its own (std::logic_error). In a child of fork() the memory table starts empty, and publish() itself
    /// writes.
    /// `free_field`: a field in which a stored key may differ when nothing else is found (the compiler, where there is
    /// none); the relative created last is taken. Empty: none may.
    found find_or_make(const key& wanted, const make_function& make, const accept_function& accept,
                       std::string_view free_field = {});

    /// Hands a made artifact to the publisher thread, which writes and renames it. Returns at once.
    void publish(const key& wanted, std::shared_ptr<const artifact> value);

    /// Waits until everything handed to publish() is on disk or was given up.
    void flush();

    /// For the end of the process, when other code may still ask: flush(), write the statistics, and from now on publish()
    /// itself writes. The store stays usable.
    void settle();

    /// Where find_or_make would take it from now. Touches nothing.
    [[nodiscard]] prediction peek(const key& wanted, std::string_view free_field = {}) const;

    /// The file an entry for this key has or would have; empty when the disk is off.
    [[nodiscard]] std::filesystem::path file_of(const key& wanted) const;

    /// Forgets the memory table (tests, and measuring a disk hit in one process). Artifacts in use live on.
    void forget_memory();

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace jit_cache
