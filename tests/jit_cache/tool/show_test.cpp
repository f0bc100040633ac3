// tests/jit_cache/tool/show: show: which entry is meant, and its texts.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace support;

TEST_CASE("show takes any unique prefix and prints what is known of the entry") {
    const temporary_folder folder;
    for (int number = 0; number < 17; ++number) put(folder.cache(), key_of(number), full_artifact());
    const std::string name = name_of(key_of(3));
    std::string upper = name.substr(0, 10);
    std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
    for (const std::string& prefix : {name, name.substr(0, 10), upper}) {
        const finished ended = tool(folder.cache(), {"show", prefix});
        CHECK(ended.exit_code == 0);
        for (const char* part : {"five x", "number 3", "kiln_add4_f32_v4", "sm_90", "nvrtc 13.0", "--fmad=false", "18",
                                 "1024", "31.2 ms", "2023-11-14T22:13:20Z", "2.0 KiB", "--source", "--ptx"})
            CHECK(holds(ended.output, part));
        CHECK(holds(ended.output, name));
        CHECK(holds(ended.output, file_of(folder.cache(), 3).string()));
    }
    const json shown = tool_json(folder.cache(), {"show", name});
    CHECK(shown["key"] == name);
    CHECK(shown["error"].is_null());
    CHECK(shown["facts"]["registers"] == "18");
    CHECK(shown["extras"]["ptx"] == full_artifact().extras[0].value.size());
    CHECK_FALSE(shown.contains("source"));
}

TEST_CASE("an ambiguous key lists the candidates with their labels") {
    const temporary_folder folder;
    put(folder.cache(), key_for("x", "s", "sm_80"), full_artifact("the older GPU"));
    put(folder.cache(), key_for("x", "s", "sm_90"), full_artifact("the newer GPU"));
    const std::string both = name_of(key_for("x", "s")).substr(0, 16);
    const finished ended = tool(folder.cache(), {"show", both});
    CHECK(ended.exit_code == 1);
    CHECK(ended.output == "");
    for (const char* part : {"begins 2 keys", "the older GPU", "the newer GPU", "sm_80", "sm_90"})
        CHECK(holds(ended.errors, part));
    CHECK(holds(ended.errors, name_of(key_for("x", "s", "sm_80")).substr(0, 17)));
    const json said = tool_json(folder.cache(), {"show", both}, 1);
    CHECK(said["candidates"].size() == 2);
    CHECK(holds(said["error"].get<std::string>(), "begins 2 keys"));
}

TEST_CASE("an unknown key lists those whose label holds it, else those that begin alike") {
    const temporary_folder folder;
    put(folder.cache(), key_for("sqrt(x0)", "s"), full_artifact("root of it"));
    put(folder.cache(), key_for("x0 + x1", "t"), full_artifact("a sum"));
    const finished by_label = tool(folder.cache(), {"show", "ROOT"});
    CHECK(by_label.exit_code == 1);
    CHECK(holds(by_label.errors, "no entry's key begins with 'ROOT'"));
    CHECK(holds(by_label.errors, "root of it"));
    CHECK_FALSE(holds(by_label.errors, "a sum"));

    std::string mistyped = name_of(key_for("x0 + x1", "t")).substr(0, 10);
    mistyped.back() = mistyped.back() == '0' ? '1' : '0';
    const finished alike = tool(folder.cache(), {"show", mistyped});
    CHECK(alike.exit_code == 1);
    CHECK(holds(alike.errors, "a sum"));
    CHECK_FALSE(holds(alike.errors, "root of it"));

    const finished none = tool(folder.cache(), {"show", "zz"});
    CHECK(none.exit_code == 1);
    CHECK_FALSE(holds(none.errors, "there are"));
    CHECK(tool_json(folder.cache(), {"show", "zz"}, 1)["candidates"].empty());
    CHECK(is_harmless(tool(folder.cache(), {"show", "\x1b[2J"}).errors));
}

TEST_CASE("of many candidates the first are named, and counted the rest") {
    const temporary_folder folder;
    for (int number = 0; number < 30; ++number)
        write_entry(folder.cache(), key_for("x", "source " + std::to_string(number)), full_artifact());
    const finished ended = tool(folder.cache(), {"show", name_of(key_for("x", "")).substr(0, 8)});
    CHECK(ended.exit_code == 1);
    CHECK(lines_of(ended.errors).size() == 12);
    CHECK(holds(ended.errors, "and 20 more"));
}

TEST_CASE("show prints source, PTX and facts, or says why there is none") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), jit_cache::key().add("target", "cpu"), {.payload = "no ELF", .facts = {}});
    const std::string name = name_of(key_of(1));
    CHECK(tool(folder.cache(), {"show", name, "--source"}).output == "kernel number 1\n");
    CHECK(tool_json(folder.cache(), {"show", name, "--source"})["source"] == "kernel number 1");
    CHECK(tool(folder.cache(), {"show", name, "--ptx"}).output == ".version 9.0\n.target sm_90\n");
    CHECK(tool_json(folder.cache(), {"show", name, "--ptx"})["ptx"] == ".version 9.0\n.target sm_90\n");
    const std::vector<std::string> facts = lines_of(tool(folder.cache(), {"show", name, "--facts"}).output);
    REQUIRE(facts.size() == full_artifact().facts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        CHECK(facts[i].starts_with(full_artifact().facts[i].name));
        CHECK(facts[i].ends_with(full_artifact().facts[i].value));
    }
    const std::string bare = name_of(jit_cache::key().add("target", "cpu"));
    for (const char* option : {"--source", "--ptx", "--sass"}) {
        CAPTURE(option);
        const finished ended = tool(folder.cache(), {"show", bare, option});
        CHECK(ended.exit_code == 1);
        CHECK(ended.output == "");
        CHECK_FALSE(ended.errors.empty());
        const json said = tool_json(folder.cache(), {"show", bare, option}, 1);
        CHECK(said["error"].is_string());
        CHECK(said[std::string(option).substr(2)].is_null());
        CHECK(said["key"] == bare);
    }
    CHECK(holds(tool(folder.cache(), {"show", bare, "--sass"}).errors, "neither a cubin nor a shared object"));
    CHECK(tool(folder.cache(), {"show", name, "--source", "--ptx"}).exit_code == 2);
}

TEST_CASE("of an entry whose binary is damaged, source and facts are shown, with a warning") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    std::string bytes = contents(file_of(folder.cache(), 1));
    bytes[bytes.size() - 20] ^= 1;
    overwrite(file_of(folder.cache(), 1), bytes);
    const std::string name = name_of(key_of(1));
    const finished source = tool(folder.cache(), {"show", name, "--source"});
    CHECK(source.exit_code == 1);
    CHECK(source.output == "kernel number 1\n");
    CHECK(holds(source.errors, "its binary is damaged: its checksum does not match; its source is whole\n"));
    const json said = tool_json(folder.cache(), {"show", name, "--source"}, 1);
    CHECK(said["source"] == "kernel number 1");
    CHECK(holds(said["error"].get<std::string>(), "its binary is damaged"));
    const finished facts = tool(folder.cache(), {"show", name, "--facts"});
    CHECK(facts.exit_code == 1);
    CHECK(lines_of(facts.output).size() == full_artifact().facts.size());
    CHECK(holds(facts.errors, "its facts are whole\n"));
    for (const char* option : {"--ptx", "--sass"}) {
        const finished refused = tool(folder.cache(), {"show", name, option});
        CHECK(refused.exit_code == 1);
        CHECK(refused.output == "");
    }
}

TEST_CASE("a damaged entry's key says what is wrong with it") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    std::string bytes = contents(file_of(folder.cache(), 1));
    bytes[bytes.size() - 20] ^= 1;  // behind what a listing reads
    overwrite(file_of(folder.cache(), 1), bytes);
    CHECK(tool(folder.cache(), {"ls"}).exit_code == 0);
    const finished torn = tool(folder.cache(), {"show", name_of(key_of(1))});
    CHECK(torn.exit_code == 1);
    CHECK(holds(torn.errors, "its binary is damaged"));
    overwrite(file_of(folder.cache(), 1), "");
    const finished empty = tool(folder.cache(), {"show", name_of(key_of(1))});
    CHECK(empty.exit_code == 1);
    CHECK(holds(empty.errors, "it is empty"));
}
