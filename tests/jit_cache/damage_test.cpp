// tests/jit_cache/damage: files that are not what they should be. Each is made again, replaced, and named once.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <functional>

using jit_cache::origin;
using namespace support;

namespace {

// Publishes an entry, damages it, and looks at the next run, and at the run after that.
void is_made_again(const std::function<void(const fs::path&)>& damage) {
    const temporary_folder folder;
    warnings said;
    REQUIRE(ask_anew(folder.cache(), said, 1).from == origin::made);
    const fs::path file = file_of(folder.cache(), 1);
    REQUIRE(fs::exists(file));
    damage(file);

    const outcome next = ask_anew(folder.cache(), said, 1);
    CHECK(next.from == origin::made);
    CHECK(next.makes == 1);
    CHECK(next.right);
    CHECK(said.count() == 1);
    CHECK(said.name(file.string()));

    const outcome after = ask_anew(folder.cache(), said, 1);
    CHECK(after.from == origin::disk);
    CHECK(after.makes == 0);
    CHECK(after.right);
    CHECK(said.count() == 1);
}

void with_bytes(const std::function<void(std::string&)>& change) {
    is_made_again([&](const fs::path& file) {
        std::string bytes = contents(file);
        change(bytes);
        overwrite(file, bytes);
    });
}

void put_at(std::string& bytes, std::size_t offset, std::uint64_t value) {
    std::string number;
    jit_cache::put_u64(number, value);
    bytes.replace(offset, 8, number);
}

// Gives the bytes the checksum of what they are now, so that only the check behind it can find the damage.
void seal(std::string& bytes) {
    bytes.resize(bytes.size() - jit_cache::checksum_bytes);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(bytes);
    jit_cache::put_u64(bytes, hash.low);
    jit_cache::put_u64(bytes, hash.high);
}

void set_version(std::string& bytes, std::uint32_t version) {
    std::string head = bytes.substr(0, 8);
    jit_cache::put_u32(head, version);
    jit_cache::put_u32(head, 0);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(head);
    jit_cache::put_u64(head, hash.low);
    jit_cache::put_u64(head, hash.high);
    bytes.replace(0, head.size(), head);
}

}  // namespace

TEST_CASE("case 1: a zero-byte entry is made again, with one warning that names the file") {
    is_made_again([](const fs::path& file) { overwrite(file, ""); });
}

TEST_CASE("case 2: an entry cut short at any field's boundary is made again") {
    const std::size_t key_bytes = key_of(1).bytes().size();
    const std::string whole = jit_cache::pack_entry(key_of(1), artifact_of(1));
    const std::size_t payload_bytes = artifact_of(1).payload.size();
    const std::size_t facts_end = whole.size() - jit_cache::checksum_bytes - payload_bytes;
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{8}, std::size_t{12}, std::size_t{16}, std::size_t{31}, std::size_t{32},
          std::size_t{40}, std::size_t{48}, std::size_t{55}, std::size_t{56}, 56 + key_bytes, facts_end, facts_end + 1,
          facts_end + payload_bytes, whole.size() - 1}) {
        CAPTURE(length);
        REQUIRE(length < whole.size());
        with_bytes([&](std::string& bytes) { bytes.resize(length); });
    }
}

TEST_CASE("case 3: an entry with any byte of its preamble flipped is made again") {
    for (std::size_t place = 0; place < jit_cache::preamble_bytes; ++place) {
        CAPTURE(place);
        with_bytes([&](std::string& bytes) { bytes[place] = static_cast<char>(bytes[place] ^ 0x01); });
    }
}

TEST_CASE("case 3: an entry with one bit of key, facts, payload or checksum flipped is made again") {
    const std::size_t size = jit_cache::pack_entry(key_of(1), artifact_of(1)).size();
    for (const std::size_t place :
         {std::size_t{60}, std::size_t{90}, size - 400, size - 100, size - 17, size - 16, size - 1}) {
        CAPTURE(place);
        with_bytes([&](std::string& bytes) { bytes[place] = static_cast<char>(bytes[place] ^ 0x80); });
    }
}

TEST_CASE("case 4: lengths of 2^64-1, lengths that overlap and lengths that wrap around are made again") {
    for (const std::size_t offset : {std::size_t{32}, std::size_t{40}, std::size_t{48}}) {
        for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 40}) {
            CAPTURE(offset);
            with_bytes([&](std::string& bytes) {
                put_at(bytes, offset, length);
                seal(bytes);
            });
        }
    }
    with_bytes([](std::string& bytes) {  // the payload's length again in the key's: the two overlap
        put_at(bytes, 32, jit_cache::get_u64(bytes, 32) + jit_cache::get_u64(bytes, 48));
        seal(bytes);
    });
    with_bytes([](std::string& bytes) {  // the sum of the three is right, modulo 2^64
        put_at(bytes, 32, jit_cache::get_u64(bytes, 32) + (std::uint64_t{1} << 63));
        put_at(bytes, 48, jit_cache::get_u64(bytes, 48) + (std::uint64_t{1} << 63));
        seal(bytes);
    });
}

TEST_CASE("case 4: garbage lengths take no memory") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    std::string bytes = contents(file_of(folder.cache(), 1));
    put_at(bytes, 48, std::uint64_t{8} << 30);
    seal(bytes);
    overwrite(file_of(folder.cache(), 1), bytes);
    const std::string trouble = in_child([&]() -> std::string {
        struct ::rusage before {};
        ::getrusage(RUSAGE_SELF, &before);
        const outcome next = ask_anew(folder.cache(), said, 1);
        struct ::rusage after {};
        ::getrusage(RUSAGE_SELF, &after);
        if (!next.right || next.makes != 1) return "not made again";
        return after.ru_maxrss - before.ru_maxrss < 64 * 1024 ? "" : "the resident set grew";  // KiB
    });
    CHECK(trouble == "");
}

TEST_CASE("case 4: a sparse file of the size that its lengths say is not read into memory") {
    is_made_again([](const fs::path& file) {
        std::string bytes = contents(file);
        const std::uint64_t more = std::uint64_t{1} << 40;
        put_at(bytes, 48, jit_cache::get_u64(bytes, 48) + more);
        const std::uint64_t size = bytes.size() + more;
        overwrite(file, bytes);
        REQUIRE(::truncate(file.c_str(), static_cast<::off_t>(size)) == 0);
    });
}

TEST_CASE("case 5: an entry with bytes behind its end is made again") {
    with_bytes([](std::string& bytes) { bytes += '\0'; });
    with_bytes([](std::string& bytes) { bytes += bytes; });
    with_bytes([](std::string& bytes) {  // under a checksum that is right
        bytes.insert(bytes.size() - jit_cache::checksum_bytes, "more");
        seal(bytes);
    });
}

TEST_CASE("case 6: a valid entry under another entry's name is made again") {
    is_made_again([](const fs::path& file) { overwrite(file, jit_cache::pack_entry(key_of(2), artifact_of(2))); });
}

TEST_CASE("a key or facts that are no field list, under a right checksum, are made again") {
    with_bytes([](std::string& bytes) {
        put_at(bytes, jit_cache::preamble_bytes, 1'000'000);
        seal(bytes);
    });
    const std::size_t facts = jit_cache::preamble_bytes + key_of(1).bytes().size();
    with_bytes([&](std::string& bytes) {
        put_at(bytes, facts, 1'000'000);
        seal(bytes);
    });
}

TEST_CASE("case 8: an entry of a newer format is a miss without a warning, and is kept") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path file = file_of(folder.cache(), 1);
    std::string bytes = contents(file);
    set_version(bytes, jit_cache::format_version + 1);
    bytes.resize(100);  // what follows the header is the newer format's own business
    overwrite(file, bytes);

    const outcome next = ask_anew(folder.cache(), said, 1);
    CHECK(next.makes == 1);
    CHECK(next.right);
    CHECK(said.count() == 0);
    CHECK(contents(file) == bytes);
}

TEST_CASE("an entry of format version 0 is made again") {
    with_bytes([](std::string& bytes) { set_version(bytes, 0); });
}

TEST_CASE("case 9 and 10: a binary that the caller cannot use is made again, said once and replaced") {
    const temporary_folder folder;
    warnings said;
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        store.publish(key_of(1),
                      std::make_shared<jit_cache::artifact>(jit_cache::artifact{.payload = "for sm_70", .facts = {}}));
    }
    const auto for_this_gpu = [](const jit_cache::artifact& offered, origin) { return offered.payload != "for sm_70"; };
    for (const origin expected : {origin::made, origin::disk}) {
        jit_cache::store store(settings_for(folder.cache(), said));
        const auto found = store.find_or_make(
            key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, for_this_gpu);
        CHECK(found.from == expected);
        CHECK(found.value->payload == artifact_of(1).payload);
        if (found.from == origin::made) store.publish(key_of(1), found.value);
    }
    CHECK(said.count() == 1);
    CHECK(said.name(file_of(folder.cache(), 1).string()));
}

TEST_CASE("case 26: an entry that is a symbolic link is replaced, and its target stays as it was") {
    const temporary_folder outside;
    const fs::path target = outside.path() / "target";
    const std::string good = jit_cache::pack_entry(key_of(1), artifact_of(1));
    overwrite(target, good);
    is_made_again([&](const fs::path& file) {
        fs::remove(file);
        fs::create_symlink(target, file);
    });
    CHECK(contents(target) == good);
}

TEST_CASE("case 26: an entry that is a FIFO is replaced without waiting for a writer") {
    is_made_again([](const fs::path& file) {
        fs::remove(file);
        REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    });
}

TEST_CASE("case 26: an entry that is an empty folder is replaced") {
    is_made_again([](const fs::path& file) {
        fs::remove(file);
        fs::create_directory(file);
    });
}

TEST_CASE("case 26: an entry that is a folder with something in it stays, and the answers stay right") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path file = file_of(folder.cache(), 1);
    fs::remove(file);
    fs::create_directory(file);
    overwrite(file / "notes", "mine");
    CHECK(ask_anew(folder.cache(), said, 1).right);
    CHECK(contents(file / "notes") == "mine");
    CHECK(temporaries_in(folder.cache()) == 0);
}

TEST_CASE("an entry that others can write is not run") {
    is_made_again([](const fs::path& file) { REQUIRE(::chmod(file.c_str(), 0666) == 0); });
}
