// tests/jit_cache/pack: entries in one file, there and back.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <utility>
#include <vector>

using jit_cache::origin;
using namespace support;

namespace {

void seal(std::string& bytes) {
    bytes.resize(bytes.size() - 16);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(bytes);
    jit_cache::put_u64(bytes, hash.low);
    jit_cache::put_u64(bytes, hash.high);
}

}  // namespace

TEST_CASE("unpacking tells of each entry; who throws there ends it between two, and finds whole entries only") {
    const temporary_folder folder;
    fill(folder.cache(), 3);
    const fs::path file = folder.path() / "app.kpack";
    REQUIRE(jit_cache::pack(folder.cache(), {}, file).entries == 3);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> told;
    const auto note = [&](std::uint64_t done, std::uint64_t total) { told.emplace_back(done, total); };
    CHECK(jit_cache::unpack(file, folder.path() / "other", jit_cache::readable_by::user, note).entries == 3);
    CHECK(told == std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 3}, {1, 3}, {2, 3}, {3, 3}});
    const fs::path third = folder.path() / "third";
    CHECK_THROWS_AS(jit_cache::unpack(file, third, jit_cache::readable_by::user,
                                      [](std::uint64_t done, std::uint64_t) {
                                          if (done == 2) throw std::runtime_error("enough");
                                      }),
                    std::runtime_error);
    const jit_cache::scan_result found = jit_cache::scan(third);
    CHECK(found.entries.size() == 2);
    CHECK(found.broken.empty());
}

TEST_CASE("what is packed in one folder is found in another after unpacking") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "out.kpack";
    fill(folder.cache(), 5);
    const jit_cache::pack_result packed = jit_cache::pack(folder.cache(), {}, pack);
    CHECK(packed.trouble == "");
    CHECK(packed.entries == 5);
    CHECK(packed.file_bytes == fs::file_size(pack));

    const fs::path other = folder.path() / "other";
    const jit_cache::pack_result unpacked = jit_cache::unpack(pack, other);
    CHECK(unpacked.trouble == "");
    CHECK(unpacked.entries == 5);
    warnings said;
    for (int number = 0; number < 5; ++number) {
        const outcome found = ask_anew(other, said, number);
        CHECK(found.from == origin::disk);
        CHECK(found.right);
        CHECK(contents(file_of(other, number)) == contents(file_of(folder.cache(), number)));
    }
    CHECK(said.count() == 0);
    CHECK(jit_cache::unpack(pack, other).skipped == 5);
}

TEST_CASE("a pack is read without being unpacked") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "out.kpack";
    fill(folder.cache(), 3);
    REQUIRE(jit_cache::pack(folder.cache(), {}, pack).trouble == "");
    const jit_cache::pack_contents held = jit_cache::read_pack(pack);
    CHECK(held.trouble == "");
    CHECK(held.file_bytes == fs::file_size(pack));
    REQUIRE(held.entries.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const jit_cache::entry_info& one = held.entries[i];
        CHECK(one.name == one.entry_key.name());
        CHECK(one.payload_bytes == artifact_of(0).payload.size());
        CHECK(one.facts.size() == artifact_of(0).facts.size());
        if (i > 0) CHECK(jit_cache::to_hex(held.entries[i - 1].name) < jit_cache::to_hex(one.name));
    }
    std::string bytes = contents(pack);
    bytes[bytes.size() / 2] ^= 1;
    overwrite(pack, bytes);
    const jit_cache::pack_contents damaged = jit_cache::read_pack(pack);
    CHECK(damaged.entries.empty());
    CHECK(damaged.trouble == pack.string() + ": its checksum does not match");
    CHECK(jit_cache::read_pack(folder.path() / "missing").trouble != "");
}

TEST_CASE("a pack of chosen entries holds these, and the same entries make the same bytes") {
    const temporary_folder folder;
    fill(folder.cache(), 5);
    CHECK(jit_cache::pack(folder.cache(), {name_of(3), name_of(1), name_of(3)}, folder.path() / "a").entries == 2);
    CHECK(jit_cache::pack(folder.cache(), {name_of(1), name_of(3)}, folder.path() / "b").entries == 2);
    CHECK(contents(folder.path() / "a") == contents(folder.path() / "b"));
    CHECK(jit_cache::unpack(folder.path() / "a", folder.path() / "other").entries == 2);
    CHECK(fs::exists(file_of(folder.path() / "other", 1)));
    CHECK_FALSE(fs::exists(file_of(folder.path() / "other", 2)));
    const jit_cache::pack_result missing = jit_cache::pack(folder.cache(), {name_of(99)}, folder.path() / "c");
    CHECK(missing.trouble != "");
    CHECK_FALSE(fs::exists(folder.path() / "c"));
}

TEST_CASE("what is damaged is left out of a pack and named, unless it is needed") {
    const temporary_folder folder;
    fill(folder.cache(), 4);
    std::string bytes = contents(file_of(folder.cache(), 1));
    bytes.back() ^= 1;
    overwrite(file_of(folder.cache(), 1), bytes);
    overwrite(file_of(folder.cache(), 2), jit_cache::pack_entry(key_of(9), artifact_of(9)));
    fs::remove(file_of(folder.cache(), 3));
    const fs::path pack = folder.path() / "pack";
    const auto others = std::vector{name_of(0), name_of(1), name_of(2), name_of(3)};
    for (const bool are_named : {false, true}) {
        const auto packed = jit_cache::pack(folder.cache(), {}, pack, are_named ? others : decltype(others)());
        CHECK(packed.trouble == "");
        CHECK(packed.entries == 1);
        REQUIRE(packed.left_out.size() == 2);  // what is gone is not damaged
        for (const jit_cache::broken_file& each : packed.left_out) {
            CHECK(each.fault == jit_cache::file_fault::damaged);
            CHECK(each.why == (each.file == file_of(folder.cache(), 1)
                                   ? "its checksum does not match"
                                   : "it holds the entry of another key, " + jit_cache::to_hex(name_of(9))));
        }
    }
    fs::remove(pack);
    for (const int number : {1, 2, 3})
        CHECK(jit_cache::pack(folder.cache(), {name_of(number)}, pack, others).trouble != "");
    CHECK_FALSE(fs::exists(pack));
}

TEST_CASE("case 27: what others could have written is not packed: whoever unpacks it would trust it") {
    const temporary_folder folder;
    fill(folder.cache(), 2);
    const fs::path pack = folder.path() / "pack";
    const fs::path entry = file_of(folder.cache(), 1);
    for (const fs::path& unsafe : {entry, entry.parent_path()}) {
        CAPTURE(unsafe);
        REQUIRE(::chmod(unsafe.c_str(), 0777) == 0);
        const auto some = jit_cache::pack(folder.cache(), {}, pack);
        CHECK(some.trouble == "");
        CHECK(some.entries == 1);
        REQUIRE(some.left_out.size() == 1);
        CHECK(some.left_out[0].file == entry);
        CHECK(some.left_out[0].why.find("mode 0777") != std::string::npos);
        fs::remove(pack);
        CHECK(jit_cache::pack(folder.cache(), {name_of(1)}, pack).trouble.find("mode 0777") != std::string::npos);
        CHECK_FALSE(fs::exists(pack));
        REQUIRE(::chmod(unsafe.c_str(), 0700) == 0);
    }
    REQUIRE(::chmod(folder.cache().c_str(), 0777) == 0);
    CHECK(jit_cache::pack(folder.cache(), {}, pack).trouble.find("mode 0777") != std::string::npos);
    CHECK_FALSE(fs::exists(pack));
}

TEST_CASE("an empty folder makes an empty pack, and a missing one does") {
    const temporary_folder folder;
    CHECK(jit_cache::pack(folder.cache(), {}, folder.path() / "a").entries == 0);
    const jit_cache::pack_result unpacked = jit_cache::unpack(folder.path() / "a", folder.path() / "other");
    CHECK(unpacked.trouble == "");
    CHECK(unpacked.entries == 0);
}

TEST_CASE("a pack with any byte changed, cut anywhere or with something behind it unpacks nothing") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "pack";
    fill(folder.cache(), 2);
    REQUIRE(jit_cache::pack(folder.cache(), {}, pack).entries == 2);
    const std::string good = contents(pack);
    const fs::path other = folder.path() / "other";
    const auto refused = [&](const std::string& bytes) {
        overwrite(pack, bytes);
        const jit_cache::pack_result result = jit_cache::unpack(pack, other);
        CHECK(result.trouble.find(pack.string()) != std::string::npos);
        CHECK(result.entries == 0);
        CHECK_FALSE(fs::exists(other));
    };
    for (std::size_t place = 0; place < good.size(); place += place < 80 ? 1 : 13) {
        CAPTURE(place);
        std::string bytes = good;
        bytes[place] = static_cast<char>(bytes[place] ^ 0x10);
        refused(bytes);
        refused(good.substr(0, place));
    }
    refused(good + "more");
    refused("");
}

TEST_CASE("lengths, counts and entries that lie under right checksums are refused, and take no memory") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "pack";
    fill(folder.cache(), 2);
    REQUIRE(jit_cache::pack(folder.cache(), {}, pack).entries == 2);
    const std::string good = contents(pack);
    const auto with_number = [&](std::size_t place, std::uint64_t value) {
        std::string bytes = good;
        std::string number;
        jit_cache::put_u64(number, value);
        bytes.replace(place, 8, number);
        seal(bytes);
        overwrite(pack, bytes);
        const jit_cache::pack_result result = jit_cache::unpack(pack, folder.path() / "other");
        CHECK(result.trouble != "");
        CHECK(result.entries == 0);
    };
    for (const std::uint64_t lie : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{0}, std::uint64_t{3}}) {
        with_number(32, lie);       // how many entries
        with_number(40, lie);       // the first one's length
        with_number(48 + 32, lie);  // in the first entry: its key's length
    }
}

TEST_CASE("entries of a newer format are passed over, a pack of a newer format is refused by name") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "pack";
    fill(folder.cache(), 1);
    REQUIRE(jit_cache::pack(folder.cache(), {}, pack).entries == 1);
    std::string bytes = contents(pack);
    // The entry's header, at 48, says version 3.
    std::string head = bytes.substr(48, 8);
    jit_cache::put_u32(head, 3);
    jit_cache::put_u32(head, 0);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(head);
    jit_cache::put_u64(head, hash.low);
    jit_cache::put_u64(head, hash.high);
    bytes.replace(48, head.size(), head);
    seal(bytes);
    overwrite(pack, bytes);
    const jit_cache::pack_result skipped = jit_cache::unpack(pack, folder.path() / "other");
    CHECK(skipped.trouble == "");
    CHECK(skipped.skipped == 1);
    CHECK(skipped.entries == 0);
}

TEST_CASE("an unpacked folder for all can be read by others and written by none, and serves as a read-only one") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "pack";
    const fs::path tier = folder.path() / "tier";
    fill(folder.cache(), 2);
    REQUIRE(jit_cache::pack(folder.cache(), {}, pack).entries == 2);
    const ::mode_t before = ::umask(077);
    REQUIRE(jit_cache::unpack(pack, tier, jit_cache::readable_by::all).entries == 2);
    ::umask(before);
    for (const auto& one : fs::recursive_directory_iterator(root_of(tier))) {
        struct ::stat status {};
        REQUIRE(::stat(one.path().c_str(), &status) == 0);
        CHECK((status.st_mode & 07777) == (one.is_directory() ? 0755 : 0644));
    }
    warnings said;
    const auto finds = [&]() -> std::string {
        const temporary_folder own;
        jit_cache::settings settings = settings_for(own.cache(), said);
        settings.read_only_directories = {tier};
        jit_cache::store store(settings);
        return ask(store, 1).from == origin::disk ? "" : "not found";
    };
    CHECK(finds() == "");
    if (is_root()) {
        REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
        CHECK(in_child_as(nobody, finds) == "");
    }
    CHECK(said.count() == 0);
}

TEST_CASE("a pack is written whole or not at all, and what stood at its name stays") {
    const temporary_folder folder;
    const fs::path pack = folder.path() / "pack";
    fill(folder.cache(), 3);
    overwrite(pack, "what was there");
    const std::string trouble = in_child([&]() -> std::string {
        const ::rlimit limit{.rlim_cur = 500, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        return jit_cache::pack(folder.cache(), {}, pack).trouble == "" ? "no trouble" : "";
    });
    CHECK(trouble == "");
    CHECK(contents(pack) == "what was there");
    CHECK(temporaries_in(folder.path()) == 0);
    CHECK(jit_cache::pack(folder.cache(), {}, folder.path() / "missing" / "pack").trouble != "");
    CHECK(jit_cache::unpack(folder.path(), folder.path() / "other").trouble != "");
}
