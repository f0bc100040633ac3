// tests/jit_cache/evict: a folder stays within its bounds and loses nothing that it should keep.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

using jit_cache::origin;
using namespace support;

namespace {

void set_last_use(const fs::path& file, std::int64_t unix_s) {
    const ::timespec times[2] = {{.tv_sec = unix_s, .tv_nsec = 0}, {.tv_sec = unix_s, .tv_nsec = 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

std::int64_t now_s() {
    return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

void fill(const fs::path& directory, int count) {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    for (int number = 0; number < count; ++number) ask(store, number);
    REQUIRE(said.count() == 0);
}

// A process number that no process has.
::pid_t dead_process() {
    const ::pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return child;
}

std::string newer_entry() {
    std::string bytes = jit_cache::pack_entry(key_of(1), artifact_of(1)).substr(0, 8);
    jit_cache::put_u32(bytes, jit_cache::format_version + 1);
    jit_cache::put_u32(bytes, 0);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(bytes);
    jit_cache::put_u64(bytes, hash.low);
    jit_cache::put_u64(bytes, hash.high);
    return bytes + "the rest is unknown";
}

}  // namespace

TEST_CASE("beyond the bound of entries, those used longest ago go") {
    const temporary_folder folder;
    fill(folder.cache(), 10);
    for (int number = 0; number < 10; ++number) set_last_use(file_of(folder.cache(), number), now_s() - 1000 + number);
    set_last_use(file_of(folder.cache(), 3), now_s());  // as a hit would
    const jit_cache::sweep_result swept = jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 5);
    CHECK(swept.entries_removed == 5);
    CHECK(swept.entries_left == 5);
    for (const int number : {3, 6, 7, 8, 9}) CHECK(fs::exists(file_of(folder.cache(), number)));
    for (const int number : {0, 1, 2, 4, 5}) CHECK_FALSE(fs::exists(file_of(folder.cache(), number)));
}

TEST_CASE("beyond the bound of bytes, as many go as bring it back with a tenth to spare") {
    const temporary_folder folder;
    fill(folder.cache(), 10);
    const std::uint64_t each = fs::file_size(file_of(folder.cache(), 0));
    const jit_cache::sweep_result swept = jit_cache::sweep(folder.cache(), 5 * each + each / 2, 1'000);
    CHECK(swept.bytes_left <= 5 * each);
    CHECK(swept.entries_left == 4);
    CHECK(jit_cache::sweep(folder.cache(), 5 * each, 1'000).entries_removed == 0);
}

TEST_CASE("a store that publishes keeps its folder within the bounds on its own") {
    const temporary_folder folder;
    warnings said;
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.max_entries = 5;
    for (int number = 0; number < 30; ++number) {  // a process each
        jit_cache::store store(settings);
        CHECK(ask(store, number).right);
        CHECK(jit_cache::scan(folder.cache()).entries.size() <= 5);
    }
    jit_cache::store store(settings);  // and within one process
    for (int number = 30; number < 60; ++number) {
        CHECK(ask(store, number).right);
        CHECK(jit_cache::scan(folder.cache()).entries.size() <= 5);
    }
    CHECK(fs::exists(file_of(folder.cache(), 59)));
    CHECK(said.count() == 0);
}

TEST_CASE("an entry larger than the bound, and any entry under a bound of nothing, is not written") {
    const temporary_folder folder;
    warnings said;
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.max_bytes = 100;
    jit_cache::store store(settings);
    CHECK(ask(store, 1).right);
    CHECK_FALSE(fs::exists(file_of(folder.cache(), 1)));
}

TEST_CASE("time stamps of 1970 and of the future go first, and the newest use stays") {
    const temporary_folder folder;
    fill(folder.cache(), 5);
    set_last_use(file_of(folder.cache(), 0), 0);
    set_last_use(file_of(folder.cache(), 1), now_s() + 400 * 86'400);
    set_last_use(file_of(folder.cache(), 2), -1);
    set_last_use(file_of(folder.cache(), 3), now_s() - 10);
    CHECK(jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 2).entries_left == 2);
    CHECK(fs::exists(file_of(folder.cache(), 3)));
    CHECK(fs::exists(file_of(folder.cache(), 4)));
}

TEST_CASE("entries of a newer format are neither swept nor cleared, nor do they push out others") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    const fs::path newer = folder.cache() / "ab" / ("ab" + std::string(30, '0'));
    fs::create_directories(newer.parent_path());
    overwrite(newer, newer_entry());
    set_last_use(newer, 1000);
    const jit_cache::sweep_result swept = jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 4);
    CHECK(swept.entries_removed == 0);
    CHECK(swept.newer_format_count == 1);
    CHECK(jit_cache::clear(folder.cache()) == 4);
    CHECK(contents(newer) == newer_entry());
}

TEST_CASE("clear deletes entries, broken ones too, and nothing else") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    overwrite(file_of(folder.cache(), 0), "garbage");
    overwrite(folder.cache() / "README", "mine");
    overwrite(file_of(folder.cache(), 1).parent_path() / "notes", "mine too");
    CHECK(jit_cache::clear(folder.cache()) == 4);
    CHECK(jit_cache::scan(folder.cache()).entries.empty());
    CHECK(contents(folder.cache() / "README") == "mine");
    CHECK(contents(file_of(folder.cache(), 1).parent_path() / "notes") == "mine too");
    CHECK(jit_cache::clear(folder.path() / "missing") == 0);
}

TEST_CASE("clear follows no symbolic link") {
    const temporary_folder folder;
    const temporary_folder victim;
    fill(victim.cache(), 1);
    const fs::path precious = file_of(victim.cache(), 0);
    fs::create_directory(folder.cache());
    fs::create_directory_symlink(precious.parent_path(), folder.cache() / precious.parent_path().filename());
    jit_cache::clear(folder.cache());
    CHECK(fs::exists(precious));
    fs::create_directory_symlink(victim.cache(), folder.path() / "link");
    jit_cache::clear(folder.path() / "link");
    CHECK(fs::exists(precious));
}

TEST_CASE("temporaries of dead processes and very old ones are swept, those of living writers stay") {
    const temporary_folder folder;
    fill(folder.cache(), 1);
    const fs::path shard = file_of(folder.cache(), 0).parent_path();
    const fs::path dead = shard / (".tmp-" + std::to_string(dead_process()) + "-1-0");
    const fs::path living = shard / (".tmp-" + std::to_string(::getpid()) + "-2-0");
    const fs::path old = shard / (".tmp-" + std::to_string(::getpid()) + "-3-0");
    const fs::path locked = shard / (".tmp-" + std::to_string(dead_process()) + "-4-0");
    for (const fs::path& one : {dead, living, old, locked}) overwrite(one, "half an entry");
    set_last_use(old, now_s() - 100'000);
    // A writer in another process namespace: its number means nothing here, its lock does.
    const int held = ::open(locked.c_str(), O_RDWR | O_CLOEXEC);
    REQUIRE(::flock(held, LOCK_EX) == 0);
    CHECK(jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 1'000).temporaries_removed == 2);
    CHECK_FALSE(fs::exists(dead));
    CHECK(fs::exists(living));
    CHECK_FALSE(fs::exists(old));
    CHECK(fs::exists(locked));
    ::close(held);
}

TEST_CASE("a dead process's temporary holds nobody up, and the next publish sweeps it") {
    const temporary_folder folder;
    warnings said;
    fill(folder.cache(), 1);
    const fs::path dead =
        file_of(folder.cache(), 0).parent_path() / (".tmp-" + std::to_string(dead_process()) + "-1-0");
    overwrite(dead, "half an entry");
    const auto before = std::chrono::steady_clock::now();
    CHECK(ask_anew(folder.cache(), said, 7).right);
    CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds(5));
    CHECK_FALSE(fs::exists(dead));
    CHECK(said.count() == 0);
}

TEST_CASE("an entry that is swept while a reader holds it stays whole for that reader") {
    const temporary_folder folder;
    warnings said;
    fill(folder.cache(), 1);
    jit_cache::store store(settings_for(folder.cache(), said));
    const auto found = store.find_or_make(
        key_of(0), [] { return artifact_of(0); }, nullptr);
    jit_cache::clear(folder.cache());
    CHECK(found.value->payload == artifact_of(0).payload);
    CHECK(ask(store, 0).from == origin::memory);
}

TEST_CASE("scan reports whole, broken, misnamed and newer entries apart, and changes nothing") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    set_last_use(file_of(folder.cache(), 0), 5000);
    overwrite(file_of(folder.cache(), 1), "");
    overwrite(file_of(folder.cache(), 2), jit_cache::pack_entry(key_of(9), artifact_of(9)));
    overwrite(file_of(folder.cache(), 3), newer_entry());
    const jit_cache::scan_result scanned = jit_cache::scan(folder.cache());
    REQUIRE(scanned.entries.size() == 1);
    CHECK(scanned.entries[0].entry_key == key_of(0));
    CHECK(scanned.entries[0].last_used_unix_s == 5000);
    CHECK(scanned.entries[0].payload_bytes == artifact_of(0).payload.size());
    CHECK(scanned.entries[0].file_bytes == fs::file_size(file_of(folder.cache(), 0)));
    CHECK(scanned.broken.size() == 2);
    CHECK(scanned.newer_format_count == 1);
    CHECK(scanned.trouble.empty());
    CHECK(jit_cache::scan(folder.path() / "missing").trouble.empty());
    overwrite(folder.path() / "file", "");
    CHECK_FALSE(jit_cache::scan(folder.path() / "file").trouble.empty());
}
