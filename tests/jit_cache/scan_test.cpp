// tests/jit_cache/scan: what is in a folder, told apart, without changing any of it.
#include "support.hpp"

#include "entry.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <stdexcept>

using jit_cache::depth;
using jit_cache::file_fault;
using namespace support;

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

TEST_CASE("a listing of many shards, which several threads read, sees each entry once, and what is wrong in each") {
    const temporary_folder folder;
    constexpr int count = 300;
    fill(folder.cache(), count);
    for (const int number : {3, 140, 299}) overwrite(file_of(folder.cache(), number), "");
    overwrite(file_of(folder.cache(), 7).parent_path() / "notes", "mine");
    for (const depth how : {depth::described, depth::whole}) {
        std::vector<std::string> names;
        bool is_inside = false;
        const jit_cache::scan_result scanned =
            jit_cache::scan_each(folder.cache(), how, [&](jit_cache::entry_info&& one) {
                CHECK_FALSE(is_inside);  // one at a time
                is_inside = true;
                names.push_back(jit_cache::to_hex(one.name));
                is_inside = false;
            });
        CHECK(names.size() == count - 3);
        std::sort(names.begin(), names.end());
        CHECK(std::unique(names.begin(), names.end()) == names.end());
        REQUIRE(scanned.broken.size() == 3);
        CHECK(std::is_sorted(scanned.broken.begin(), scanned.broken.end(),
                             [](const auto& left, const auto& right) { return left.file < right.file; }));
        CHECK(scanned.strangers.size() == 1);
        CHECK_THROWS_WITH(
            static_cast<void>(jit_cache::scan_each(
                folder.cache(), how, [](jit_cache::entry_info&&) { throw std::runtime_error("enough"); })),
            "enough");
    }
}

TEST_CASE("scan_each hands over what scan keeps, and keeps none of it") {
    const temporary_folder folder;
    fill(folder.cache(), 30);
    const jit_cache::scan_result kept = jit_cache::scan(folder.cache(), depth::described);
    std::vector<std::string> names;
    const jit_cache::scan_result visited =
        jit_cache::scan_each(folder.cache(), depth::described, [&](jit_cache::entry_info&& one) {
            names.push_back(jit_cache::to_hex(one.name));
            CHECK(one.payload_bytes == artifact_of(std::stoi(one.facts.at(2).value)).payload.size());
        });
    CHECK(visited.entries.empty());
    CHECK(names.size() == 30);
    for (const jit_cache::entry_info& one : kept.entries)
        CHECK(std::count(names.begin(), names.end(), jit_cache::to_hex(one.name)) == 1);
    int matching = 0;
    static_cast<void>(jit_cache::scan_each(
        folder.cache(), depth::described, [&](jit_cache::entry_info&&) { ++matching; }, names[0]));
    CHECK(matching == 1);
}

TEST_CASE("what is damaged, what is somebody else's and what cannot be read are told apart") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    overwrite(file_of(folder.cache(), 0), "");
    overwrite(file_of(folder.cache(), 1), "a letter to somebody, long enough for a header");
    fs::remove(file_of(folder.cache(), 2));
    fs::create_symlink("/etc/passwd", file_of(folder.cache(), 2));
    overwrite(root_of(folder.cache()) / "ff", "a file in a shard's place");
    for (const jit_cache::broken_file& each : jit_cache::scan(folder.cache(), depth::described).broken) {
        CAPTURE(each.file);
        const bool is_damaged = each.file == file_of(folder.cache(), 0);
        CHECK(each.fault == (is_damaged ? file_fault::damaged : file_fault::foreign));
    }
    CHECK(jit_cache::scan(folder.cache(), depth::described).broken.size() == 4);
    if (is_root()) return;  // who reads everything
    REQUIRE(::chmod(file_of(folder.cache(), 3).c_str(), 0) == 0);
    const auto broken = jit_cache::scan(folder.cache(), depth::described).broken;
    CHECK(
        std::any_of(broken.begin(), broken.end(), [](const auto& one) { return one.fault == file_fault::unreadable; }));
}

TEST_CASE("temporaries, strangers and other versions' folders are listed, the store's own notes are not") {
    const temporary_folder folder;
    fill(folder.cache(), 1);
    const fs::path shard = file_of(folder.cache(), 0).parent_path();
    const fs::path dead = shard / temporary_of(dead_process(), 1);
    const fs::path living = shard / temporary_of(static_cast<int>(::getpid()), 2);
    overwrite(dead, "");
    overwrite(living, "12345");
    for (const fs::path& each :
         {folder.cache() / "notes", root_of(folder.cache()) / "v2", shard / "ab", shard / ".tmp-1"})
        overwrite(each, "mine");
    fs::create_directory(folder.cache() / "v1");
    fs::create_directory(folder.cache() / "v30");
    overwrite(root_of(folder.cache()) / "hints", "");
    overwrite(root_of(folder.cache()) / "statistics", "");
    const jit_cache::scan_result scanned = jit_cache::scan(folder.cache(), depth::described);
    CHECK(scanned.broken.empty());
    CHECK(scanned.strangers.size() == 4);
    CHECK(scanned.versions == std::vector{folder.cache() / "v1", folder.cache() / "v30"});
    REQUIRE(scanned.temporaries.size() == 2);
    for (const jit_cache::temporary_file& each : scanned.temporaries) {
        CHECK(each.is_stale == (each.file == dead));
        CHECK(each.bytes == (each.file == dead ? 0 : 5));
    }
    CHECK(fs::exists(dead));
}

TEST_CASE("entries that others can write are listed with what programs would say of them") {
    const temporary_folder folder;
    fill(folder.cache(), 2);
    REQUIRE(::chmod(file_of(folder.cache(), 1).c_str(), 0660) == 0);
    for (const jit_cache::entry_info& one : jit_cache::scan(folder.cache(), depth::described).entries) {
        if (one.entry_key == key_of(1)) {
            CHECK(one.ignored_because.find("mode 0660") != std::string::npos);
        } else {
            CHECK(one.ignored_because == "");
        }
    }
}
