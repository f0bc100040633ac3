// tests/jit_cache/tool: kiln-cache as a program, over whole, empty, damaged and hostile folders.
#include "support.hpp"

#include "bytes.hpp"
#include "entry.hpp"
#include "hash.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <sys/stat.h>

#include <algorithm>
#include <sstream>

using namespace support;
using nlohmann::json;

namespace {

finished tool(const fs::path& directory, std::vector<std::string> words) {
    words.insert(words.begin(), {KILN_CACHE_TOOL, "--dir", directory.string()});
    return run(words);
}

json tool_json(const fs::path& directory, std::vector<std::string> words, int exit_code = 0) {
    words.push_back("--json");
    const finished ended = tool(directory, words);
    CHECK(ended.exit_code == exit_code);
    const json parsed = json::parse(ended.output, nullptr, false);
    REQUIRE_FALSE(parsed.is_discarded());
    return parsed;
}

void put(const fs::path& directory, const jit_cache::key& key, const jit_cache::artifact& value) {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    store.publish(key, std::make_shared<jit_cache::artifact>(value));
    store.flush();
    REQUIRE(said.count() == 0);
}

std::string name_of(const jit_cache::key& key) { return jit_cache::to_hex(key.name()); }

jit_cache::artifact full_artifact() {
    return {.payload = std::string(2048, 'b'),
            .facts = {{.name = "label", .value = "five x"},
                      {.name = "kernel", .value = "kiln_add4_f32_v4"},
                      {.name = "compile_ms", .value = "31.25"},
                      {.name = "registers", .value = "18"},
                      {.name = "shared_bytes", .value = "1024"},
                      {.name = "spill_bytes", .value = "0"},
                      {.name = "created", .value = "1700000000"}}};
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a missing folder and an empty one are no error to any command but show") {
    const temporary_folder folder;
    for (const fs::path& directory : {folder.cache(), folder.path()}) {
        for (const char* command : {"ls", "stats", "clear", "gc"}) {
            CAPTURE(command);
            const finished ended = tool(directory, {command});
            CHECK(ended.exit_code == 0);
            CHECK(ended.errors == "");
            CHECK_FALSE(ended.output.empty());
            tool_json(directory, {command});
        }
        CHECK(tool(directory, {"show", "00"}).exit_code == 1);
    }
    CHECK(tool_json(folder.cache(), {"ls"})["entries"].empty());
    CHECK_FALSE(fs::exists(folder.cache()));
}

TEST_CASE("ls shows a line for each entry, newest use first, in columns that line up") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), key_of(2), {});
    fs::last_write_time(file_of(folder.cache(), 2), fs::file_time_type::clock::now() - std::chrono::minutes(3));
    const finished ended = tool(folder.cache(), {"ls"});
    CHECK(ended.exit_code == 0);
    std::istringstream lines(ended.output);
    std::string head;
    std::string first;
    std::string second;
    std::string end;
    std::getline(lines, head);
    std::getline(lines, first);
    std::getline(lines, second);
    CHECK_FALSE(std::getline(lines, end));
    CHECK(first.starts_with(name_of(key_of(1)).substr(0, 10)));
    CHECK(second.starts_with(name_of(key_of(2)).substr(0, 10)));
    CHECK(first.substr(head.find("LABEL"), 6) == "five x");
    CHECK(second.substr(head.find("LABEL"), 2) == "- ");
    CHECK(first.substr(head.find("TARGET"), 5) == "sm_90");
    CHECK(first.substr(head.find("COMPILER"), 10) == "nvrtc 13.0");
    CHECK(holds(first, "31.2 ms"));
    CHECK(holds(first, " KiB "));
    CHECK(second.ends_with("3 min ago"));
    CHECK(first.size() == second.size());
}

TEST_CASE("ls --json gives every column as data") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    fs::last_write_time(file_of(folder.cache(), 1), fs::file_time_type::clock::now() - std::chrono::hours(1));
    const json listed = tool_json(folder.cache(), {"ls"});
    REQUIRE(listed["entries"].size() == 1);
    const json& entry = listed["entries"][0];
    CHECK(entry["key"] == name_of(key_of(1)));
    CHECK(entry["label"] == "five x");
    CHECK(entry["target"] == "sm_90");
    CHECK(entry["compiler"] == "nvrtc 13.0");
    CHECK(entry["options"] == "--fmad=false");
    CHECK(entry["generator"] == "kiln 0.1");
    CHECK(entry["payload_bytes"] == 2048);
    CHECK(entry["file_bytes"] == fs::file_size(file_of(folder.cache(), 1)));
    CHECK(entry["compile_ms"] == 31.25);
    CHECK(entry["registers"] == 18);
    CHECK(entry["created"] == "2023-11-14T22:13:20Z");
    const std::string last_used = entry["last_used"];
    CHECK(last_used.size() == 20);
    CHECK(last_used[10] == 'T');
    CHECK(last_used.back() == 'Z');
    CHECK(listed["broken"].empty());
}

TEST_CASE("show takes any unique prefix, refuses others with exit code 1, and prints the source") {
    const temporary_folder folder;
    // Enough keys that two of them share a first digit.
    for (int number = 0; number < 17; ++number) put(folder.cache(), key_of(number), full_artifact());
    const std::string name = name_of(key_of(3));
    for (const std::string& prefix : {name, name.substr(0, 10)}) {
        const finished ended = tool(folder.cache(), {"show", prefix});
        CHECK(ended.exit_code == 0);
        CHECK(holds(ended.output, name));
        CHECK(holds(ended.output, "kiln_add4_f32_v4"));
        CHECK(holds(ended.output, "--fmad=false"));
    }
    CHECK(tool(folder.cache(), {"show", name, "--source"}).output == "kernel number 3\n");
    CHECK(tool_json(folder.cache(), {"show", name, "--source"})["source"] == "kernel number 3");
    CHECK(tool_json(folder.cache(), {"show", name})["facts"]["registers"] == "18");

    std::vector<std::string> names;
    for (int number = 0; number < 17; ++number) names.push_back(name_of(key_of(number)));
    std::sort(names.begin(), names.end());
    const auto pair =
        std::adjacent_find(names.begin(), names.end(), [](const auto& a, const auto& b) { return a[0] == b[0]; });
    REQUIRE(pair != names.end());
    const finished ambiguous = tool(folder.cache(), {"show", pair->substr(0, 1)});
    CHECK(ambiguous.exit_code == 1);
    CHECK(holds(ambiguous.errors, *pair));
    CHECK(tool(folder.cache(), {"show", "zz"}).exit_code == 1);
    CHECK(tool_json(folder.cache(), {"show", "zz"}, 1).contains("error"));
}

TEST_CASE("stats sums up entries by target and by compiler") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), key_of(2), full_artifact());
    put(folder.cache(), jit_cache::key().add("source", "s").add("target", "cpu"), {});
    const json sums = tool_json(folder.cache(), {"stats"});
    CHECK(sums["entries"] == 3);
    CHECK(sums["payload_bytes"] == 4096);
    CHECK(sums["compile_ms"] == 62.5);
    CHECK(sums["by_target"]["sm_90"]["entries"] == 2);
    CHECK(sums["by_target"]["cpu"]["entries"] == 1);
    CHECK(sums["by_compiler"]["-"]["entries"] == 1);
    CHECK(holds(tool(folder.cache(), {"stats"}).output, "sm_90"));
}

TEST_CASE("clear removes the entries and says how many; gc keeps those used last") {
    const temporary_folder folder;
    for (int number = 0; number < 5; ++number) put(folder.cache(), key_of(number), full_artifact());
    const json swept = tool_json(folder.cache(), {"gc", "--max-entries", "3"});
    CHECK(swept["entries_removed"] == 2);
    CHECK(swept["entries_left"] == 3);
    CHECK(tool(folder.cache(), {"gc", "--max-size", "1G"}).output.starts_with("removed 0 entries"));
    const finished cleared = tool(folder.cache(), {"clear"});
    CHECK(cleared.exit_code == 0);
    CHECK(cleared.output.starts_with("removed 3 entries, "));
    CHECK(tool_json(folder.cache(), {"ls"})["entries"].empty());
    CHECK(tool_json(folder.cache(), {"clear"})["entries_removed"] == 0);
}

TEST_CASE("broken entries are named on stderr, give exit code 1, and do not hide the whole ones") {
    const temporary_folder folder;
    for (int number = 0; number < 5; ++number) put(folder.cache(), key_of(number), full_artifact());
    overwrite(file_of(folder.cache(), 1), "");
    fs::remove(file_of(folder.cache(), 2));
    REQUIRE(::mkfifo(file_of(folder.cache(), 2).c_str(), 0600) == 0);
    fs::remove(file_of(folder.cache(), 3));
    fs::create_symlink("/etc/passwd", file_of(folder.cache(), 3));
    fs::remove(file_of(folder.cache(), 4));
    fs::create_directory(file_of(folder.cache(), 4));
    for (const char* command : {"ls", "stats"}) {
        const finished ended = tool(folder.cache(), {command});
        CHECK(ended.exit_code == 1);
        for (const int number : {1, 2, 3, 4}) CHECK(holds(ended.errors, file_of(folder.cache(), number).string()));
        CHECK(tool_json(folder.cache(), {command}, 1)["broken"].size() == 4);
    }
    CHECK(tool_json(folder.cache(), {"ls"}, 1)["entries"].size() == 1);
    CHECK(tool(folder.cache(), {"show", name_of(key_of(0))}).exit_code == 0);
    const finished broken = tool(folder.cache(), {"show", name_of(key_of(1))});
    CHECK(broken.exit_code == 1);
    CHECK(holds(broken.errors, "it is empty"));
    // A FIFO, a link and a folder are not the store's, whatever they are called.
    CHECK(tool_json(folder.cache(), {"clear"})["entries_removed"] == 2);
    for (const int number : {2, 3, 4})
        CHECK(fs::is_symlink(file_of(folder.cache(), number)) + fs::exists(file_of(folder.cache(), number)) > 0);
    CHECK(tool_json(folder.cache(), {"ls"}, 1)["broken"].size() == 3);
}

TEST_CASE("entries of a newer format are counted, are no error, and survive clear") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    std::string bytes = contents(file_of(folder.cache(), 1)).substr(0, 8);
    jit_cache::put_u32(bytes, jit_cache::format_version + 1);
    jit_cache::put_u32(bytes, 0);
    const jit_cache::hash128 hash = jit_cache::xxh3_128(bytes);
    jit_cache::put_u64(bytes, hash.low);
    jit_cache::put_u64(bytes, hash.high);
    overwrite(file_of(folder.cache(), 1), bytes);
    CHECK(tool_json(folder.cache(), {"ls"})["newer_format_count"] == 1);
    CHECK(holds(tool(folder.cache(), {"clear"}).output, "kept 1 of a newer format"));
    CHECK(contents(file_of(folder.cache(), 1)) == bytes);
}

TEST_CASE("no control byte of a stored label, target or source reaches the terminal") {
    const temporary_folder folder;
    const std::string evil =
        "\x1b]0;owned\x07\x1b[2J\r\n\xff\xc2\x9b"
        "31m\xe2\x80\xae\x7f";
    const jit_cache::key key =
        jit_cache::key().add("source", "a\tb\n" + evil).add("target", evil).add("compiler", evil);
    put(folder.cache(), key,
        {.payload = "p", .facts = {{.name = "label", .value = "caf\xc3\xa9 " + evil}, {.name = evil, .value = evil}}});
    const std::vector<std::vector<std::string>> commands{{"ls"},
                                                         {"stats"},
                                                         {"show", name_of(key)},
                                                         {"show", name_of(key), "--source"},
                                                         {"ls", "--json"},
                                                         {"stats", "--json"},
                                                         {"show", name_of(key), "--source", "--json"}};
    for (const auto& words : commands) {
        const finished ended = tool(folder.cache(), words);
        CHECK(ended.exit_code == 0);
        CHECK_FALSE(ended.output.empty());
        for (const char c : ended.output) {
            const bool harmless = static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t';
            CHECK(harmless);
            CHECK(c != '\x7f');
        }
        CHECK_FALSE(holds(ended.output, "\xc2\x9b"));
        CHECK_FALSE(holds(ended.output, "\xe2\x80\xae"));
        CHECK_FALSE(holds(ended.output, "\xff"));
    }
    CHECK(holds(tool(folder.cache(), {"ls"}).output, "caf\xc3\xa9 \\x1b]0;owned\\x07"));
    CHECK(tool_json(folder.cache(), {"ls"})["entries"][0]["label"].get<std::string>().starts_with("caf\xc3\xa9 \\x1b"));
    CHECK(tool(folder.cache(), {"show", "\x1b[2J"}).errors.find('\x1b') == std::string::npos);
}

TEST_CASE("wrong usage gives exit code 2; help and version give 0") {
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {}, {"bogus"}, {"show"}, {"ls", "--bogus"}, {"gc", "--max-size", "big"}, {"--dir"}}) {
        std::vector<std::string> command{KILN_CACHE_TOOL};
        command.insert(command.end(), words.begin(), words.end());
        const finished ended = run(command);
        CHECK(ended.exit_code == 2);
        CHECK_FALSE(ended.errors.empty());
    }
    const finished help = run({KILN_CACHE_TOOL, "--help"});
    CHECK(help.exit_code == 0);
    for (const char* word : {"ls", "show", "stats", "clear", "gc", "--json", "--dir", "Examples:", "Exit codes:"}) {
        CHECK(holds(help.output, word));
    }
    const finished version = run({KILN_CACHE_TOOL, "--version"});
    CHECK(version.exit_code == 0);
    CHECK(version.output.starts_with("kiln-cache "));
}

TEST_CASE("a folder that is a file or a symbolic link gives exit code 1 and says why") {
    const temporary_folder folder;
    overwrite(folder.path() / "file", "");
    fs::create_directory_symlink(folder.path(), folder.path() / "link");
    for (const char* name : {"file", "link"}) {
        for (const char* command : {"ls", "stats", "clear", "gc"}) {
            const finished ended = tool(folder.path() / name, {command});
            CHECK(ended.exit_code == 1);
            CHECK(holds(ended.errors, (folder.path() / name).string()));
        }
    }
}

TEST_CASE("without --dir the folder comes from the environment") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    const finished ended = run({KILN_CACHE_TOOL, "ls", "--json"}, {"KILN_CACHE_DIR=" + folder.cache().string()});
    CHECK(ended.exit_code == 0);
    CHECK(json::parse(ended.output)["entries"].size() == 1);
}
