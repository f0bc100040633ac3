// tests/jit_cache/tool/list: ls.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>

using namespace support;

namespace {

const std::vector<std::string> entry_fields{"key",           "label",        "expression", "kernel",    "target",
                                            "compiler",      "options",      "generator",  "file",      "file_bytes",
                                            "payload_bytes", "source_bytes", "compile_ms", "registers", "shared_bytes",
                                            "spill_bytes",   "created",      "last_used"};

// Three entries that each order and each filter tells apart.
struct three_entries {
    temporary_folder folder;
    jit_cache::key sum = key_for("x0 + x1", "a", "sm_90");
    jit_cache::key root = key_for("sqrt(x0)", "b", "sm_80");
    jit_cache::key host = jit_cache::key()
                              .add("expression", "x0 * x1")
                              .add("source", "c")
                              .add("target", "x86-64+1268")
                              .add("compiler", "g++ (Debian 12.2.0-14) 12.2.0");
    three_entries() {
        jit_cache::artifact slow = full_artifact("");
        slow.facts[2].value = "900";
        jit_cache::artifact large = full_artifact("the Root");
        large.payload.resize(9000);
        jit_cache::artifact odd = full_artifact("product");
        odd.facts[2].value = "nan";
        odd.facts[1].value = "kiln_mul_f32";
        put(folder.cache(), sum, slow);
        put(folder.cache(), root, large);
        put(folder.cache(), host, odd);
        set_last_use(path_of(folder.cache(), sum), now_s() - 3 * 86'400);
        set_last_use(path_of(folder.cache(), root), now_s() - 2 * 86'400);
        set_last_use(path_of(folder.cache(), host), now_s() - 86'400);
    }
    [[nodiscard]] std::vector<std::string> keys(std::vector<std::string> words) const {
        words.insert(words.begin(), "ls");
        std::vector<std::string> found;
        const json said = tool_json(folder.cache(), words);
        for (const json& one : said["entries"]) found.push_back(one["key"]);
        return found;
    }
};

}  // namespace

TEST_CASE("a missing folder and an empty one are no error to a command that needs no entry") {
    const temporary_folder folder;
    for (const fs::path& directory : {folder.cache(), folder.path()}) {
        for (const char* command : {"ls", "stats", "verify", "clear", "gc", "doctor"}) {
            CAPTURE(command);
            const finished ended = tool(directory, {command});
            CHECK(ended.exit_code == 0);
            CHECK(ended.errors == "");
            CHECK_FALSE(ended.output.empty());
            CHECK(tool_json(directory, {command})["error"].is_null());
        }
        CHECK(tool(directory, {"show", "00"}).exit_code == 1);
        CHECK(tool(directory, {"rm", "00"}).exit_code == 1);
        CHECK(tool(directory, {"pack", (folder.path() / "out.kpack").string()}).exit_code == 1);
    }
    CHECK(tool_json(folder.cache(), {"ls"})["entries"].empty());
    CHECK(holds(tool(folder.cache(), {"ls"}).output, "there is no folder " + folder.cache().string() + " (--dir)"));
    CHECK(holds(tool(folder.path(), {"ls"}).output, "no entries in " + folder.path().string()));
    CHECK_FALSE(fs::exists(folder.cache()));
    CHECK_FALSE(fs::exists(folder.path() / "out.kpack"));
}

TEST_CASE("ls shows a line for each entry, newest use first, in columns that line up") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), key_of(2), {});
    set_last_use(file_of(folder.cache(), 2), now_s() - 180);
    const finished ended = tool(folder.cache(), {"ls"});
    CHECK(ended.exit_code == 0);
    const std::vector<std::string> lines = lines_of(ended.output);
    REQUIRE(lines.size() == 3);
    const std::string& head = lines[0];
    CHECK(lines[1].starts_with(name_of(key_of(1)).substr(0, 10)));
    CHECK(lines[2].starts_with(name_of(key_of(2)).substr(0, 10)));
    CHECK(lines[1].substr(head.find("KERNEL"), 6) == "five x");
    CHECK(lines[2].substr(head.find("KERNEL"), 8) == "number 2");  // no label: the expression
    CHECK(lines[1].substr(head.find("TARGET"), 5) == "sm_90");
    CHECK(lines[1].substr(head.find("COMPILER"), 10) == "nvrtc 13.0");
    CHECK(holds(lines[1], "31.2 ms"));
    CHECK(holds(lines[1], " KiB "));
    CHECK(lines[2].ends_with("3 min ago"));
    CHECK(lines[1].size() == lines[2].size());
}

TEST_CASE("ls names a compiler by its file, and prints keys as long as it takes to tell them apart") {
    const temporary_folder folder;
    put(folder.cache(), key_for("x", "s", "sm_80"), {});
    put(folder.cache(), key_for("x", "s", "sm_90"), {});  // one source: the first 16 digits are the same
    const std::vector<std::string> lines = lines_of(tool(folder.cache(), {"ls"}).output);
    REQUIRE(lines.size() == 3);
    CHECK(holds(lines[1], "  libnvrtc.so.13.0.88  "));
    const std::string shown = lines[1].substr(0, lines[1].find(' '));
    CHECK(shown.size() > 16);
    CHECK(tool(folder.cache(), {"show", shown}).exit_code == 0);
}

TEST_CASE("ls --json gives every column as data, under names that stay") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), jit_cache::key().add("bare", ""), {});
    set_last_use(file_of(folder.cache(), 1), 1'700'000'000);
    const json listed = tool_json(folder.cache(), {"ls", "--sort", "size"});
    CHECK(listed["directory"] == folder.cache().string());
    CHECK(listed["error"].is_null());
    CHECK(listed["matching"] == 2);
    CHECK(listed["broken"].empty());
    CHECK(listed["newer_format_count"] == 0);
    REQUIRE(listed["entries"].size() == 2);
    const json& entry = listed["entries"][0];
    std::vector<std::string> wanted = entry_fields;
    std::sort(wanted.begin(), wanted.end());
    CHECK(field_names(entry) == wanted);
    CHECK(entry["key"] == name_of(key_of(1)));
    CHECK(entry["label"] == "five x");
    CHECK(entry["expression"] == "number 1");
    CHECK(entry["kernel"] == "kiln_add4_f32_v4");
    CHECK(entry["target"] == "sm_90");
    CHECK(entry["compiler"] == "nvrtc 13.0");
    CHECK(entry["options"] == "--fmad=false");
    CHECK(entry["generator"] == "kiln 0.1");
    CHECK(entry["file"] == file_of(folder.cache(), 1).string());
    CHECK(entry["file_bytes"] == fs::file_size(file_of(folder.cache(), 1)));
    CHECK(entry["payload_bytes"] == 2048);
    CHECK(entry["source_bytes"] == std::string("kernel number 1").size());
    CHECK(entry["compile_ms"] == 31.25);
    CHECK(entry["registers"] == 18);
    CHECK(entry["shared_bytes"] == 1024);
    CHECK(entry["spill_bytes"] == 0);
    CHECK(entry["created"] == "2023-11-14T22:13:20Z");
    CHECK(entry["last_used"] == "2023-11-14T22:13:20Z");
    // What an entry does not say is null, never left out.
    const json& bare = listed["entries"][1];
    CHECK(bare.size() == entry_fields.size());
    for (const char* field : {"label", "expression", "kernel", "target", "compile_ms", "source_bytes", "created"})
        CHECK(bare[field].is_null());
}

TEST_CASE("ls sorts by use, size or compile time; what is no figure comes last") {
    const three_entries made;
    const std::string sum = name_of(made.sum);
    const std::string root = name_of(made.root);
    const std::string host = name_of(made.host);
    CHECK(made.keys({}) == std::vector{host, root, sum});
    CHECK(made.keys({"--sort", "used"}) == std::vector{host, root, sum});
    CHECK(made.keys({"--sort", "size"}).front() == root);
    CHECK(made.keys({"--sort", "compile"}) == std::vector{sum, root, host});
    CHECK(tool(made.folder.cache(), {"ls", "--sort", "colour"}).exit_code == 2);
}

TEST_CASE("ls --filter looks into key, label, expression, kernel, target and compiler, in whatever case") {
    const three_entries made;
    const std::string sum = name_of(made.sum);
    const std::string root = name_of(made.root);
    const std::string host = name_of(made.host);
    CHECK(made.keys({"--filter", "ROOT"}) == std::vector{root});
    CHECK(made.keys({"--filter", "X0 + "}) == std::vector{sum});
    CHECK(made.keys({"--filter", "kiln_MUL"}) == std::vector{host});
    CHECK(made.keys({"--filter", "sm_"}) == std::vector{root, sum});
    CHECK(made.keys({"--filter", "debian"}) == std::vector{host});
    std::string digits = sum.substr(0, 12);
    std::transform(digits.begin(), digits.end(), digits.begin(), [](unsigned char c) { return std::toupper(c); });
    CHECK(made.keys({"--filter", digits}) == std::vector{sum});
    CHECK(made.keys({"--filter", ""}).size() == 3);
    CHECK(made.keys({"--filter", "generator"}).empty());
    const finished none = tool(made.folder.cache(), {"ls", "--filter", "no\x1bsuch"});
    CHECK(none.exit_code == 0);
    CHECK(holds(none.output, "none of 3 entries"));
    CHECK(is_harmless(none.output));
}

TEST_CASE("ls --limit prints the first and says how many more there are") {
    const three_entries made;
    CHECK(made.keys({"--limit", "2"}).size() == 2);
    CHECK(made.keys({"--limit", "0"}).empty());
    CHECK(made.keys({"--limit", "99"}).size() == 3);
    CHECK(tool_json(made.folder.cache(), {"ls", "--limit", "1"})["matching"] == 3);
    const finished ended = tool(made.folder.cache(), {"ls", "--limit", "1", "--filter", "sm_"});
    CHECK(holds(ended.output, "and 1 more\n"));
    CHECK(tool(made.folder.cache(), {"ls", "--limit", "-1"}).exit_code == 2);
    CHECK(tool(made.folder.cache(), {"ls", "--limit", "few"}).exit_code == 2);
}
