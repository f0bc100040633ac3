// tests/jit_cache/evict: a folder stays within its bounds and loses nothing that it should keep.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"
#include "names.hpp"
#include "temporary_name.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

using jit_cache::origin;
using namespace support;

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

TEST_CASE("case 40: time stamps of 1970 and of the future go first, and the newest use stays") {
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

TEST_CASE("case 41: entries of a newer format are neither swept nor cleared, nor do they push out others") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    const fs::path newer = root_of(folder.cache()) / "ab" / ("ab" + std::string(30, '0'));
    fs::create_directories(newer.parent_path());
    overwrite(newer, newer_entry());
    set_last_use(newer, 1000);
    const jit_cache::sweep_result swept = jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 4);
    CHECK(swept.entries_removed == 0);
    CHECK(swept.newer_format_count == 1);
    CHECK(support::clear(folder.cache()) == 4);
    CHECK(contents(newer) == newer_entry());
}

TEST_CASE("clear deletes entries, broken ones too, and nothing else") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    std::string torn = contents(file_of(folder.cache(), 0));
    torn.resize(torn.size() / 2);
    overwrite(file_of(folder.cache(), 0), torn);
    CHECK(support::clear(folder.cache()) == 4);
    CHECK(jit_cache::scan(folder.cache()).entries.empty());
    CHECK(support::clear(folder.path() / "missing") == 0);
}

TEST_CASE("case 54: files that the store did not write are deleted by nothing, whatever they are called") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    const fs::path root = root_of(folder.cache());
    const fs::path shard = file_of(folder.cache(), 1).parent_path();
    const std::string digits = shard.filename().string();
    const std::string temporary = ".tmp-01234567-" + std::to_string(dead_process()) + "-1-0";
    const std::vector<fs::path> foreign = {
        folder.cache() / "README",
        root / "notes",
        root / "00",
        shard / "notes",
        shard / ("ab" + digits),
        shard / (digits + std::string(30, '7')),
        shard / temporary,
        shard / ".tmp-1-2-3",
        folder.cache() / (digits + std::string(30, '7')),
        folder.cache() / "ab" / "file",
        root / "zz" / "file",
        shard / (digits + std::string(30, '8')) / "file",
    };
    for (const fs::path& each : foreign) {
        fs::create_directories(each.parent_path());
        overwrite(each, "mine: " + each.string());
        set_last_use(each, 1000);
    }
    jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 2);
    jit_cache::sweep(folder.cache(), 0, 0);
    jit_cache::remove_broken(folder.cache(), jit_cache::scan(folder.cache()));
    for (const jit_cache::broken_file& each : jit_cache::scan(folder.cache()).broken) {
        CHECK(each.fault == jit_cache::file_fault::foreign);
        std::string name = each.file.filename().string();
        name.resize(32, '0');
        CHECK_FALSE(jit_cache::remove(folder.cache(), jit_cache::name_of(name)));
    }
    warnings said;
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.max_entries = 3;
    for (int number = 10; number < 20; ++number) {
        jit_cache::store store(settings);
        CHECK(ask(store, number).right);
    }
    for (const fs::path& each : foreign) {
        CAPTURE(each);
        CHECK(contents(each) == "mine: " + each.string());
    }
    CHECK(said.count() == 0);
}

TEST_CASE("case 54: the folder is tagged for backup programs, and its format's version is in the path") {
    const temporary_folder folder;
    fill(folder.cache(), 1);
    CHECK(contents(folder.cache() / "CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55\n"));
    CHECK(fs::exists(folder.cache() / "v2"));
    overwrite(folder.cache() / "CACHEDIR.TAG", "mine");
    fill(folder.cache(), 2);
    CHECK(contents(folder.cache() / "CACHEDIR.TAG") == "mine");
}

TEST_CASE("case 41: what other versions of the library keep in the same folder stays, whatever this one does") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    const std::string entry = contents(file_of(folder.cache(), 1));
    const std::string name = file_of(folder.cache(), 1).filename().string();
    const std::vector<fs::path> others = {folder.cache() / name.substr(0, 2) / name,
                                          folder.cache() / "v1" / name.substr(0, 2) / name,
                                          folder.cache() / "v3" / name.substr(0, 2) / name};
    for (const fs::path& each : others) {
        fs::create_directories(each.parent_path());
        overwrite(each, entry);
        set_last_use(each, 1000);
    }
    CHECK(jit_cache::scan(folder.cache()).entries.size() == 4);
    CHECK(jit_cache::sweep(folder.cache(), 0, 0).entries_removed == 4);
    jit_cache::remove(folder.cache(), key_of(1).name());
    for (const fs::path& each : others) CHECK(contents(each) == entry);
}

TEST_CASE("clear follows no symbolic link") {
    const temporary_folder folder;
    const temporary_folder victim;
    fill(victim.cache(), 1);
    const fs::path precious = file_of(victim.cache(), 0);
    fs::create_directories(root_of(folder.cache()));
    fs::create_directory_symlink(precious.parent_path(), root_of(folder.cache()) / precious.parent_path().filename());
    support::clear(folder.cache());
    CHECK(fs::exists(precious));
    fs::create_directory_symlink(victim.cache(), folder.path() / "link");
    support::clear(folder.path() / "link");
    CHECK(fs::exists(precious));
}

TEST_CASE("case 25: temporaries of dead processes and very old ones are swept, those of living writers stay") {
    const temporary_folder folder;
    fill(folder.cache(), 1);
    const fs::path shard = file_of(folder.cache(), 0).parent_path();
    const fs::path dead = shard / temporary_of(dead_process(), 1);
    const fs::path living = shard / temporary_of(::getpid(), 2);
    const fs::path old = shard / temporary_of(::getpid(), 3);
    const fs::path locked = shard / temporary_of(dead_process(), 4);
    const std::string half = contents(file_of(folder.cache(), 0)).substr(0, 100);
    for (const fs::path& one : {dead, living, old, locked}) overwrite(one, half);
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

TEST_CASE("case 58: where every lock is granted, another machine's living writer keeps its temporary") {
    const temporary_folder folder;
    fill(folder.cache(), 1);
    const fs::path shard = file_of(folder.cache(), 0).parent_path();
    // Nobody holds a lock on it and no process here has the number: as seen over NFS.
    const fs::path elsewhere = shard / temporary_of(dead_process(), 1, false);
    const fs::path forgotten = shard / temporary_of(dead_process(), 2, false);
    for (const fs::path& one : {elsewhere, forgotten}) overwrite(one, "");
    set_last_use(forgotten, now_s() - 2 * 3600);
    CHECK(jit_cache::sweep(folder.cache(), ~std::uint64_t{0}, 1'000).temporaries_removed == 1);
    CHECK(fs::exists(elsewhere));
    CHECK_FALSE(fs::exists(forgotten));
}

TEST_CASE("case 25: a dead process's temporary holds nobody up, and the next publish sweeps it") {
    const temporary_folder folder;
    warnings said;
    fill(folder.cache(), 1);
    const fs::path dead = file_of(folder.cache(), 0).parent_path() / temporary_of(dead_process(), 1);
    overwrite(dead, "");
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
        key_of(0), [](const jit_cache::miss&) { return artifact_of(0); }, nullptr);
    support::clear(folder.cache());
    CHECK(found.value->payload == artifact_of(0).payload);
    CHECK(ask(store, 0).from == origin::memory);
}
