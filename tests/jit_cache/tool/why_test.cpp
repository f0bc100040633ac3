// tests/jit_cache/tool/why: why: in what keys differ.
#include "tool_support.hpp"

#include <doctest/doctest.h>

using namespace support;

TEST_CASE("why names the fields in which two keys differ, with both values, and those that are the same") {
    const temporary_folder folder;
    const jit_cache::key older = key_for("x", "s", "sm_80");
    const jit_cache::key newer = key_for("x", "s", "sm_90");
    put(folder.cache(), older, full_artifact());
    put(folder.cache(), newer, full_artifact());
    const finished ended = tool(folder.cache(), {"why", name_of(older), name_of(newer)});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "the same in: expression, source, compiler, options, generator\n"));
    CHECK(holds(ended.output, "\ntarget\n  " + name_of(older).substr(0, 17)));
    CHECK(holds(ended.output, "  sm_80\n"));
    CHECK(holds(ended.output, "  sm_90\n"));
    CHECK_FALSE(holds(ended.output, "@@"));

    const json said = tool_json(folder.cache(), {"why", name_of(older), name_of(newer)});
    CHECK(said["first"]["key"] == name_of(older));
    CHECK(said["second"]["key"] == name_of(newer));
    REQUIRE(said["differences"].size() == 1);
    CHECK(said["differences"][0] == json{{"field", "target"},
                                         {"first", "sm_80"},
                                         {"second", "sm_90"},
                                         {"diff", nullptr},
                                         {"removed_lines", nullptr},
                                         {"added_lines", nullptr}});
}

TEST_CASE("why shows sources as a unified diff") {
    const temporary_folder folder;
    const jit_cache::key one = key_for("x", "a\nb\nc\nd\ne\nf\ng\nh\n");
    const jit_cache::key other = key_for("x", "a\nb\nc\nd\nE\x1b\nf\ng\nh\nnew\n");
    put(folder.cache(), one, full_artifact());
    put(folder.cache(), other, full_artifact());
    const finished ended = tool(folder.cache(), {"why", name_of(one), name_of(other)});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\\x1b\n f\n g\n h\n+new\n"));
    const json said = tool_json(folder.cache(), {"why", name_of(one), name_of(other)});
    CHECK(said["differences"][0]["diff"] == "@@ -2,7 +2,8 @@\n b\n c\n d\n-e\n+E\\x1b\n f\n g\n h\n+new\n");
    CHECK(said["differences"][0]["removed_lines"] == 1);
    CHECK(said["differences"][0]["added_lines"] == 2);
}

TEST_CASE("long values that begin alike are shown from where they part, and whole in JSON") {
    const temporary_folder folder;
    std::string common;
    while (common.size() < 400) common += "-fthis-is-the-same ";
    const auto key_with = [](const std::string& options) {
        return jit_cache::key().add("expression", "x").add("source", "s").add("options", options);
    };
    const jit_cache::key exact = key_with(common + "-ffp-contract=off -lm");
    const jit_cache::key fast = key_with(common + "-ffp-contract=fast -lm");
    put(folder.cache(), exact, {});
    put(folder.cache(), fast, {});
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"why", name_of(exact), name_of(fast)}, {"why", name_of(exact)}}) {
        const finished ended = tool(folder.cache(), words, {"COLUMNS=100"});
        CHECK(holds(ended.output, "\u2026 -ffp-contract=off -lm"));
        CHECK(holds(ended.output, "\u2026 -ffp-contract=fast -lm"));
        CHECK_FALSE(holds(ended.output, "the-same"));
    }
    const json said = tool_json(folder.cache(), {"why", name_of(exact), name_of(fast)});
    CHECK(said["differences"][0]["first"] == common + "-ffp-contract=off -lm");
}

TEST_CASE("why compares keys of other fields, and one with itself") {
    const temporary_folder folder;
    const jit_cache::key one = jit_cache::key().add("source", "s").add("only here", "1");
    const jit_cache::key other = jit_cache::key().add("source", "s\n").add("only there", "2");
    put(folder.cache(), one, {});
    put(folder.cache(), other, {});
    const finished ended = tool(folder.cache(), {"why", name_of(one), name_of(other)});
    CHECK(holds(ended.output, "the same in: nothing"));
    CHECK(holds(ended.output, "only here\n"));
    CHECK(holds(ended.output, "only there\n"));
    CHECK(holds(ended.output, "(no such field)"));
    CHECK(holds(ended.output, "only in the line feed at the end"));
    const finished same = tool(folder.cache(), {"why", name_of(one), name_of(one)});
    CHECK(same.exit_code == 0);
    CHECK(holds(same.output, "both are this entry"));
    CHECK(tool_json(folder.cache(), {"why", name_of(one), name_of(one)})["differences"].empty());
}

TEST_CASE("why of one key compares it with those of the same expression, the most alike first") {
    const temporary_folder folder;
    const jit_cache::key asked = key_for("x", "s", "sm_90");
    const jit_cache::key target = key_for("x", "s", "sm_80");
    const jit_cache::key more = key_for("x", "another\nsource", "sm_75");
    const jit_cache::key stranger = key_for("y", "s", "sm_90");
    for (const jit_cache::key& each : {asked, target, more, stranger}) put(folder.cache(), each, full_artifact());
    const finished ended = tool(folder.cache(), {"why", name_of(asked)});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "2 other kernels are stored for the same expression"));
    CHECK(ended.output.find("sm_80") < ended.output.find("sm_75"));
    CHECK(holds(ended.output, "2 lines not here"));
    CHECK_FALSE(holds(ended.output, name_of(stranger).substr(0, 10)));
    const json said = tool_json(folder.cache(), {"why", name_of(asked)});
    REQUIRE(said["relatives"].size() == 2);
    CHECK(said["relatives"][0]["key"] == name_of(target));
    CHECK(said["relatives"][0]["differences"].size() == 1);
    CHECK(said["relatives"][1]["differences"].size() == 2);
    CHECK(holds(tool(folder.cache(), {"why", name_of(stranger)}).output, "nothing else is stored"));
}

TEST_CASE("why of a key that is not there is refused, whichever of the two it is") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), {});
    for (const std::vector<std::string>& words : {std::vector<std::string>{"why", "zz"},
                                                  {"why", "zz", name_of(key_of(1))},
                                                  {"why", name_of(key_of(1)), "zz"}}) {
        CHECK(tool(folder.cache(), words).exit_code == 1);
        CHECK(tool_json(folder.cache(), words, 1)["error"].is_string());
    }
}

TEST_CASE("sources that differ in thousands of lines are cut for people, and whole in JSON") {
    const temporary_folder folder;
    std::string first;
    std::string second;
    for (int i = 0; i < 5000; ++i) {
        first += "old line " + std::to_string(i) + "\n";
        second += "new line " + std::to_string(i) + "\n";
    }
    put(folder.cache(), key_for("x", first), {});
    put(folder.cache(), key_for("x", second), {});
    const std::vector<std::string> words{"why", name_of(key_for("x", first)), name_of(key_for("x", second))};
    const finished ended = tool(folder.cache(), words);
    CHECK(ended.exit_code == 0);
    CHECK(lines_of(ended.output).size() < 450);
    CHECK(holds(ended.output, "5000 lines out, 5000 lines in"));
    const json said = tool_json(folder.cache(), words);
    CHECK(lines_of(said["differences"][0]["diff"].get<std::string>()).size() == 10'001);
}
