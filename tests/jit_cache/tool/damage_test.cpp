// tests/jit_cache/tool/damage: every command over every kind of damage. A look changes nothing, a cleaning takes only what
// kiln wrote, and no stored byte moves a cursor.
#include "tool_support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <functional>

using namespace support;

namespace {

// Gives the bytes the checksums of what they are now, so that only what is behind them can find the damage.
void seal(std::string& bytes, std::size_t end) {
    const jit_cache::hash128 hash = jit_cache::xxh3_128(std::string_view(bytes).substr(0, end - 16));
    std::string sum;
    jit_cache::put_u64(sum, hash.low);
    jit_cache::put_u64(sum, hash.high);
    bytes.replace(end - 16, 16, sum);
}

std::size_t description_end(const std::string& bytes) {
    return static_cast<std::size_t>(80 + jit_cache::get_u64(bytes, 32) + jit_cache::get_u64(bytes, 40));
}

void put_at(std::string& bytes, std::size_t offset, std::uint64_t value) {
    std::string number;
    jit_cache::put_u64(number, value);
    bytes.replace(offset, 8, number);
}

enum class seen_by : std::uint8_t { a_listing, a_whole_reading, nobody };

struct damage {
    const char* name;
    seen_by first;
    bool is_ours;  // what is left of it is kiln's to delete
    std::function<void(const fs::path&)> make;
};

damage with_bytes(const char* name, seen_by first, std::function<void(std::string&)> change) {
    return {name, first, true, [change = std::move(change)](const fs::path& file) {
                std::string bytes = contents(file);
                change(bytes);
                overwrite(file, bytes);
            }};
}

std::vector<damage> all_damages() {
    std::vector<damage> all{
        {"nothing", seen_by::nobody, true, [](const fs::path&) {}},
        {"empty", seen_by::a_listing, true, [](const fs::path& file) { overwrite(file, ""); }},
        {"zeros", seen_by::a_listing, true, [](const fs::path& file) { overwrite(file, std::string(5000, '\0')); }},
        {"another's text", seen_by::a_listing, false,
         [](const fs::path& file) { overwrite(file, "\x1b[2Ja letter to somebody, long enough for a header"); }},
        {"another entry", seen_by::a_listing, true,
         [](const fs::path& file) { overwrite(file, jit_cache::pack_entry(key_of(9), artifact_of(9))); }},
        {"a symbolic link", seen_by::a_listing, false,
         [](const fs::path& file) {
             fs::remove(file);
             fs::create_symlink("/etc/passwd", file);
         }},
        {"a link to nowhere", seen_by::a_listing, false,
         [](const fs::path& file) {
             fs::remove(file);
             fs::create_symlink("/no\x1bwhere", file);
         }},
        {"a FIFO", seen_by::a_listing, false,
         [](const fs::path& file) {
             fs::remove(file);
             REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
         }},
        {"a folder", seen_by::a_listing, false,
         [](const fs::path& file) {
             fs::remove(file);
             fs::create_directory(file);
             overwrite(file / "notes", "mine");
         }},
        {"a sparse file", seen_by::a_listing, true,
         [](const fs::path& file) {
             std::string bytes = contents(file);
             const std::uint64_t more = std::uint64_t{1} << 40;
             put_at(bytes, 48, jit_cache::get_u64(bytes, 48) + more);
             seal(bytes, description_end(bytes));
             const std::uint64_t size = bytes.size() + more;
             overwrite(file, bytes);
             REQUIRE(::truncate(file.c_str(), static_cast<::off_t>(size)) == 0);
         }},
        with_bytes("bytes behind the end", seen_by::a_listing, [](std::string& bytes) { bytes += "more"; }),
        with_bytes("a flipped payload bit", seen_by::a_whole_reading,
                   [](std::string& bytes) { bytes[description_end(bytes) + 5] ^= 1; }),
        with_bytes("extras that are no list", seen_by::a_whole_reading,
                   [](std::string& bytes) {
                       const std::uint64_t extras = jit_cache::get_u64(bytes, 56);
                       put_at(bytes, bytes.size() - 16 - static_cast<std::size_t>(extras), 1'000'000);
                       seal(bytes, bytes.size());
                   }),
        with_bytes("a key that is no list", seen_by::a_listing,
                   [](std::string& bytes) {
                       put_at(bytes, 64, 1'000'000);
                       seal(bytes, description_end(bytes));
                       seal(bytes, bytes.size());
                   }),
        with_bytes("facts that are no list", seen_by::a_listing,
                   [](std::string& bytes) {
                       put_at(bytes, 64 + static_cast<std::size_t>(jit_cache::get_u64(bytes, 32)), ~std::uint64_t{0});
                       seal(bytes, description_end(bytes));
                       seal(bytes, bytes.size());
                   }),
    };
    static std::vector<std::string> names;  // that damages point to
    names.reserve(100);
    const auto named = [&](std::string name) { return names.emplace_back(std::move(name)).c_str(); };
    for (const std::size_t length : {1, 7, 8, 16, 31, 32, 48, 63, 64, 90, 200})
        all.push_back(with_bytes(named("cut to " + std::to_string(length)), seen_by::a_listing,
                                 [length](std::string& bytes) { bytes.resize(length); }));
    for (const std::size_t place : {0, 7, 8, 12, 20, 33, 41, 49, 57, 70})
        all.push_back(with_bytes(named("byte " + std::to_string(place) + " flipped"), seen_by::a_listing,
                                 [place](std::string& bytes) { bytes[place] ^= 0x55; }));
    for (const std::size_t offset : {32, 40, 48, 56})
        for (const std::uint64_t length : {~std::uint64_t{0}, std::uint64_t{1} << 63, std::uint64_t{1} << 40})
            all.push_back(with_bytes(named("length at " + std::to_string(offset)), seen_by::a_listing,
                                     [=](std::string& bytes) { put_at(bytes, offset, length); }));
    return all;
}

}  // namespace

TEST_CASE("case 43: over every kind of damage each command is right about it, and a look changes nothing") {
    for (const damage& each : all_damages()) {
        CAPTURE(each.name);
        const temporary_folder folder;
        put(folder.cache(), key_of(1), full_artifact());
        put(folder.cache(), key_of(2), full_artifact());
        const fs::path file = file_of(folder.cache(), 1);
        const std::string broken = name_of(key_of(1));
        const std::string whole = name_of(key_of(2));
        each.make(file);
        const snapshot before = snapshot_of(folder.cache());
        const int listing = each.first == seen_by::a_listing ? 1 : 0;
        const bool is_damaged = each.first != seen_by::nobody;

        for (const bool as_json : {false, true}) {
            CAPTURE(as_json);
            const auto ends_with = [&](int exit_code, std::vector<std::string> words) {
                CAPTURE(words[0]);
                if (as_json) words.emplace_back("--json");
                const finished ended =
                    tool(folder.cache(), words, {"KILN_DEVICE=cpu", "KILN_CPU=interpret", "TMPDIR="});
                CHECK(ended.exit_code == exit_code);
                CHECK(is_harmless(ended.output));
                CHECK(is_harmless(ended.errors));
                if (as_json && !ended.output.empty())
                    CHECK_FALSE(json::parse(ended.output, nullptr, false).is_discarded());
                return ended;
            };
            const finished listed = ends_with(listing, {"ls"});
            CHECK(holds(listed.output, whole.substr(0, 10)));
            if (listing == 1 && !as_json) CHECK(holds(listed.errors, file.string()));
            ends_with(listing, {"stats", "-v"});
            // What is not kiln's is no fault.
            ends_with(is_damaged && each.is_ours ? 1 : 0, {"verify"});
            ends_with(listing == 1 && each.is_ours ? 1 : 0, {"doctor"});
            ends_with(0, {"show", whole});
            ends_with(is_damaged ? 1 : 0, {"show", broken});
            ends_with(listing == 1 ? 1 : 0, {"why", whole, broken});
            ends_with(0, {"gc", "--dry-run"});
            ends_with(0, {"clear", "--dry-run"});
        }
        CHECK(snapshot_of(folder.cache()) == before);

        const fs::path packed = folder.path() / "all.kpack";
        const finished packing = tool(folder.cache(), {"pack", packed.string()});
        CHECK(packing.exit_code == (is_damaged ? 1 : 0));
        CHECK(holds(packing.errors, file.string()) == is_damaged);
        CHECK(tool_json(folder.cache(), {"unpack", packed.string(), "--list"})["entries"].size() ==
              (is_damaged ? 1 : 2));
        CHECK(snapshot_of(folder.cache()) == before);
        CHECK(tool(folder.cache(), {"verify", "--repair"}).exit_code == 0);
        CHECK(fs::exists(fs::symlink_status(file)) == (!is_damaged || !each.is_ours));
        CHECK(tool(folder.cache(), {"clear"}).exit_code == 0);
        CHECK(fs::exists(fs::symlink_status(file)) == !each.is_ours);
        CHECK_FALSE(fs::exists(file_of(folder.cache(), 2)));
        CHECK(fs::exists("/etc/passwd"));
    }
}

TEST_CASE("case 43: a folder that is a file, a link, unreadable or of another format is said, never changed") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    overwrite(folder.path() / "file", "not a folder");
    fs::create_directory_symlink(folder.cache(), folder.path() / "link");
    fs::create_directories(folder.path() / "odd" / "v2");
    overwrite(folder.path() / "odd" / "v2" / "ab", "a file in a shard's place");
    fs::create_directory(folder.path() / "planted");
    fs::create_directory_symlink(root_of(folder.cache()), folder.path() / "planted" / "v2");
    const snapshot before = snapshot_of(folder.path());
    for (const char* place : {"file", "link", "planted", "file/below"}) {
        for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{{"ls"},
                                                                                           {"stats"},
                                                                                           {"verify"},
                                                                                           {"show", "00"},
                                                                                           {"why", "00"},
                                                                                           {"clear"},
                                                                                           {"gc"},
                                                                                           {"rm", "00"},
                                                                                           {"doctor"}}) {
            CAPTURE(place);
            CAPTURE(words[0]);
            const finished ended = tool(folder.path() / place, words);
            CHECK(ended.exit_code == 1);
            CHECK_FALSE((ended.errors + ended.output).empty());
            CHECK(tool_json(folder.path() / place, words, 1).is_object());
        }
    }
    CHECK(tool(folder.path() / "odd", {"verify"}).exit_code == 0);
    CHECK(holds(tool(folder.path() / "odd", {"ls"}).errors, "it is not a folder"));
    CHECK(snapshot_of(folder.path()) == before);
}

TEST_CASE("case 43: what is not readable is said, and is no reason to delete it") {
    if (is_root()) {
        const temporary_folder folder;
        REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
        put(folder.cache(), key_of(1), full_artifact());
        REQUIRE(::chown(folder.cache().c_str(), nobody, nobody) == 0);
        // As another user, who may list nothing of it.
        const std::string answer = in_child_as(nobody - 1, [&]() -> std::string {
            if (run({tool_path(), "--dir", folder.cache().string(), "ls"}).exit_code != 1)
                return "ls does not complain";
            if (run({tool_path(), "--dir", folder.cache().string(), "clear"}).exit_code != 1)
                return "clear does not complain";
            return "";
        });
        CHECK(answer == "");
        CHECK(fs::exists(file_of(folder.cache(), 1)));
        return;
    }
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    REQUIRE(::chmod(file_of(folder.cache(), 1).c_str(), 0) == 0);
    CHECK(tool_json(folder.cache(), {"verify", "--repair"}, 1)["broken"][0]["fault"] == "unreadable");
    CHECK(fs::exists(file_of(folder.cache(), 1)));
}

TEST_CASE("case 43: no control byte of a label, key, path or fact reaches the terminal") {
    const temporary_folder folder;
    const std::string evil =
        "\x1b]0;owned\x07\x1b[2J\r\n\xff\xc2\x9b"
        "31m\xe2\x80\xae\x7f";
    const fs::path directory = folder.path() / ("evil " + evil.substr(0, 12));
    const jit_cache::key key = jit_cache::key()
                                   .add("expression", evil)
                                   .add("source", "a\tb\n" + evil)
                                   .add("target", evil)
                                   .add("compiler", "/" + evil)
                                   .add(evil, evil);
    const jit_cache::key other = jit_cache::key().add("expression", evil).add("source", evil).add("target", "");
    const jit_cache::artifact value{.payload = "p",
                                    .facts = {{.name = "label", .value = "caf\xc3\xa9 " + evil},
                                              {.name = "compile_ms", .value = evil},
                                              {.name = "created", .value = evil},
                                              {.name = evil, .value = evil}},
                                    .extras = {{.name = "ptx", .value = evil}, {.name = evil, .value = evil}}};
    put(directory, key, value);
    put(directory, other, value);
    const fs::path packed = folder.path() / ("pack" + evil.substr(0, 5));
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"ls"},
                                               {"ls", "--filter", evil},
                                               {"stats", "-v"},
                                               {"show", name_of(key)},
                                               {"show", evil},
                                               {"show", name_of(key).substr(0, 4)},
                                               {"show", name_of(key), "--source"},
                                               {"show", name_of(key), "--ptx"},
                                               {"show", name_of(key), "--facts"},
                                               {"show", name_of(key), "--sass"},
                                               {"why", name_of(key), name_of(other)},
                                               {"why", name_of(key)},
                                               {"verify"},
                                               {"doctor"},
                                               {"pack", packed.string()},
                                               {"unpack", packed.string(), "--list"},
                                               {"unpack", packed.string()},
                                               {"gc"},
                                               {"rm", name_of(key)},
                                               {"clear"}}) {
        CAPTURE(words[0]);
        for (const bool as_json : {true, false}) {
            std::vector<std::string> command = words;
            if (as_json) command.emplace_back("--json");
            if (as_json && (words[0] == "rm" || words[0] == "clear")) continue;
            const finished ended = tool(directory, command);
            CHECK_FALSE((ended.output + ended.errors).empty());
            CHECK(is_harmless(ended.output));
            CHECK(is_harmless(ended.errors));
        }
    }
    put(directory, key, value);
    CHECK(holds(tool(directory, {"ls"}).output, "caf\xc3\xa9 \\x1b]0;owned\\x07"));
    CHECK(tool_json(directory, {"ls"})["entries"][0]["label"].get<std::string>().starts_with("caf\xc3\xa9 \\x1b"));
}
