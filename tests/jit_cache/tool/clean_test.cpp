// tests/jit_cache/tool/clean: gc, clear and rm.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace support;

namespace {

void put_in_turn(const fs::path& directory, int count) {
    for (int number = 0; number < count; ++number) {
        put(directory, key_of(number), full_artifact());
        set_last_use(file_of(directory, number), now_s() - 1000 + number);
    }
}

std::size_t count_of(const fs::path& directory) { return tool_json(directory, {"ls"})["entries"].size(); }

}  // namespace

TEST_CASE("gc keeps those used last, within the bounds that were given") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 10);
    const json swept = tool_json(folder.cache(), {"gc", "--max-entries", "5"});
    CHECK(swept["entries_removed"] == 5);
    CHECK(swept["entries_left"] == 5);
    CHECK(swept["max_entries"] == 5);
    CHECK(swept["max_entries_set_by"] == "--max-entries");
    CHECK(swept["dry_run"] == false);
    for (int number = 0; number < 10; ++number) CHECK(fs::exists(file_of(folder.cache(), number)) == (number >= 5));
    CHECK(tool(folder.cache(), {"gc", "--max-size", "1G"}).output.starts_with("removed 0 entries"));
    CHECK(tool_json(folder.cache(), {"gc", "--max-size", "8K"})["max_bytes"] == 8192);
    CHECK(count_of(folder.cache()) == 2);
}

TEST_CASE("gc takes its bounds from the environment where none are given") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 4);
    const json swept = tool_json(folder.cache(), {"gc"}, 0, {"KILN_CACHE_MAX_SIZE=6K"});
    CHECK(swept["max_bytes"] == 6144);
    CHECK(swept["max_bytes_set_by"] == "KILN_CACHE_MAX_SIZE");
    CHECK(swept["entries_left"] == 2);
}

TEST_CASE("gc --dry-run and clear --dry-run say what would go, and touch nothing") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 10);
    const snapshot before = snapshot_of(folder.cache());
    const json swept = tool_json(folder.cache(), {"gc", "--dry-run", "--max-entries", "5"});
    CHECK(swept["entries_removed"] == 5);
    CHECK(swept["dry_run"] == true);
    CHECK(tool_json(folder.cache(), {"clear", "--dry-run"})["entries_removed"] == 10);
    CHECK(tool(folder.cache(), {"clear", "--dry-run"}).output.starts_with("would remove 10 entries, "));
    CHECK(snapshot_of(folder.cache()) == before);
    CHECK(tool_json(folder.cache(), {"gc", "--max-entries", "5"})["entries_removed"] == 5);
}

TEST_CASE("gc and clear count damaged files apart") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 5);
    overwrite(file_of(folder.cache(), 0), "");
    overwrite(file_of(folder.cache(), 1), std::string(100, '\0'));
    for (const int number : {0, 1}) set_last_use(file_of(folder.cache(), number), now_s() - 2000);
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"clear", "--dry-run"}, {"gc", "--dry-run", "--max-entries", "0"}, {"clear"}}) {
        if (words.size() > 1) {
            const json said = tool_json(folder.cache(), words);
            CHECK(said["entries_removed"] == 3);
            CHECK(said["damaged_removed"] == 2);
        }
        CHECK(holds(tool(folder.cache(), words).output,
                    "remove" + std::string(words.size() > 1 ? "" : "d") + " 3 entries and 2 damaged files, "));
    }
}

TEST_CASE("clear removes all entries without asking, and names what it left alone") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 3);
    fs::remove(file_of(folder.cache(), 1));
    fs::create_symlink("/etc/passwd", file_of(folder.cache(), 1));
    overwrite(file_of(folder.cache(), 2), newer_entry());
    overwrite(folder.cache() / "notes\x1b", "mine");
    const finished ended = tool(folder.cache(), {"clear"});
    CHECK(ended.exit_code == 0);
    CHECK(ended.output.starts_with("removed 1 entry, "));
    CHECK(holds(ended.output, "kept 1 of a newer format\n"));
    CHECK(holds(ended.output, "kept " + file_of(folder.cache(), 1).string() + ": kiln did not write it\n"));
    CHECK(holds(ended.output, "notes\\x1b: kiln did not write it\n"));
    CHECK(fs::is_symlink(file_of(folder.cache(), 1)));
    CHECK(contents(file_of(folder.cache(), 2)) == newer_entry());
    CHECK(contents(folder.cache() / "notes\x1b") == "mine");
    const json again = tool_json(folder.cache(), {"clear"});
    CHECK(again["entries_removed"] == 0);
    CHECK(again["newer_format_count"] == 1);
    CHECK(again["foreign"].size() == 2);
}

TEST_CASE("rm removes the entries of several keys, and says which they were") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 4);
    const finished ended = tool(folder.cache(), {"rm", name_of(key_of(0)), name_of(key_of(1)).substr(0, 12)});
    CHECK(ended.exit_code == 0);
    CHECK(ended.output == "removed " + name_of(key_of(0)) + "  five x\nremoved " + name_of(key_of(1)) + "  five x\n");
    CHECK(count_of(folder.cache()) == 2);
    const json said = tool_json(folder.cache(), {"rm", name_of(key_of(2))});
    CHECK(said["removed"][0]["key"] == name_of(key_of(2)));
    CHECK(count_of(folder.cache()) == 1);
}

TEST_CASE("rm --dry-run says what would go, and touches nothing") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 3);
    overwrite(file_of(folder.cache(), 0), "");
    const snapshot before = snapshot_of(folder.cache());
    const finished ended = tool(folder.cache(), {"rm", "--dry-run", name_of(key_of(0)), name_of(key_of(1))});
    CHECK(ended.exit_code == 0);
    CHECK(ended.output == "would remove " + name_of(key_of(0)) + "  (it is damaged)\nwould remove " +
                              name_of(key_of(1)) + "  five x\n");
    const json said = tool_json(folder.cache(), {"rm", "--dry-run", name_of(key_of(2))});
    CHECK(said["dry_run"] == true);
    CHECK(said["removed"][0]["key"] == name_of(key_of(2)));
    CHECK(tool(folder.cache(), {"rm", "--dry-run", "zz"}).exit_code == 1);
    CHECK(snapshot_of(folder.cache()) == before);
}

TEST_CASE("rm of a key that is not there, or ambiguous, removes nothing") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 20);
    std::string shared;
    for (int one = 0; one < 20 && shared.empty(); ++one)
        for (int other = 0; other < one; ++other)
            if (name_of(key_of(one))[0] == name_of(key_of(other))[0]) shared = name_of(key_of(one)).substr(0, 1);
    const snapshot before = snapshot_of(folder.cache());
    for (const std::string& second : {std::string("zz"), shared, std::string()}) {
        CAPTURE(second);
        CHECK(tool(folder.cache(), {"rm", name_of(key_of(0)), second}).exit_code == 1);
        CHECK(tool_json(folder.cache(), {"rm", name_of(key_of(0)), second}, 1)["error"].is_string());
    }
    CHECK(snapshot_of(folder.cache()) == before);
}

TEST_CASE("rm removes a damaged entry, and leaves what is not kiln's") {
    const temporary_folder folder;
    put_in_turn(folder.cache(), 3);
    overwrite(file_of(folder.cache(), 0), "");
    const finished ended = tool(folder.cache(), {"rm", name_of(key_of(0))});
    CHECK(ended.exit_code == 0);
    CHECK(holds(ended.output, "(it was damaged)"));
    CHECK_FALSE(fs::exists(file_of(folder.cache(), 0)));
    overwrite(file_of(folder.cache(), 1), "a letter to somebody");
    CHECK(tool(folder.cache(), {"rm", name_of(key_of(1))}).exit_code == 1);
    CHECK(contents(file_of(folder.cache(), 1)) == "a letter to somebody");
}

TEST_CASE("what cannot be deleted is said, with exit code 1") {
    if (is_root()) {
        MESSAGE("skipped: root deletes in any folder");
        return;
    }
    const temporary_folder folder;
    put_in_turn(folder.cache(), 1);
    const fs::path shard = file_of(folder.cache(), 0).parent_path();
    REQUIRE(::chmod(shard.c_str(), 0500) == 0);
    CHECK(tool(folder.cache(), {"rm", name_of(key_of(0))}).exit_code == 1);
    CHECK(tool(folder.cache(), {"clear"}).exit_code == 1);
    CHECK(tool_json(folder.cache(), {"clear"}, 1)["error"].is_string());
    REQUIRE(::chmod(shard.c_str(), 0700) == 0);
}
