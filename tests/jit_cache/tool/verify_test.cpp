// tests/jit_cache/tool/verify: verify: all that can be in a folder, told apart.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace support;

namespace {

// A folder with one of each.
struct mixed_folder {
    temporary_folder folder;
    fs::path shard;
    fs::path torn;
    mixed_folder() {
        for (int number = 0; number < 6; ++number) put(folder.cache(), key_of(number), full_artifact());
        std::string bytes = contents(file_of(folder.cache(), 1));
        bytes[bytes.size() - 20] ^= 1;  // in the payload: only a whole reading finds it
        torn = file_of(folder.cache(), 1);
        overwrite(torn, bytes);
        fs::remove(file_of(folder.cache(), 2));
        fs::create_symlink("/etc/passwd", file_of(folder.cache(), 2));
        overwrite(file_of(folder.cache(), 3), newer_entry());
        REQUIRE(::chmod(file_of(folder.cache(), 4).c_str(), 0666) == 0);
        shard = file_of(folder.cache(), 0).parent_path();
        overwrite(shard / temporary_of(dead_process(), 1), bytes.substr(0, 100));
        overwrite(shard / temporary_of(static_cast<int>(::getpid()), 2), bytes.substr(0, 50));
        overwrite(shard / "notes.txt", "mine");
        overwrite(folder.cache() / "README", "mine");
        overwrite(root_of(folder.cache()) / "sta\ttistics", "mine");
        fs::create_directory(folder.cache() / "v1");
    }
};

}  // namespace

TEST_CASE("verify of a healthy folder says so and gives 0") {
    const temporary_folder folder;
    for (int number = 0; number < 3; ++number) put(folder.cache(), key_of(number), full_artifact());
    const finished ended = tool(folder.cache(), {"verify"});
    CHECK(ended.exit_code == 0);
    CHECK(ended.errors == "");
    CHECK(holds(ended.output, "3 entries of "));
    CHECK(lines_of(ended.output).size() == 1);
    const json said = tool_json(folder.cache(), {"verify"});
    CHECK(said["entries"] == 3);
    for (const char* list : {"broken", "ignored", "temporaries", "strangers", "other_versions"})
        CHECK(said[list].empty());
}

TEST_CASE("verify tells apart what is damaged, foreign, newer, ignored and being written") {
    const mixed_folder made;
    const json said = tool_json(made.folder.cache(), {"verify"}, 1);
    CHECK(said["entries"] == 3);  // 0, 4, 5
    REQUIRE(said["broken"].size() == 2);
    for (const json& each : said["broken"]) {
        const bool is_torn = each["file"] == made.torn.string();
        CHECK(each["fault"] == (is_torn ? "damaged" : "foreign"));
        CHECK(each["why"] == (is_torn ? "its checksum does not match" : "it is a symbolic link"));
    }
    REQUIRE(said["ignored"].size() == 1);
    CHECK(said["ignored"][0]["file"] == file_of(made.folder.cache(), 4).string());
    CHECK(holds(said["ignored"][0]["why"].get<std::string>(), "mode 0666"));
    CHECK(said["newer_format_count"] == 1);
    REQUIRE(said["temporaries"].size() == 2);
    CHECK(said["temporaries"][0]["stale"] != said["temporaries"][1]["stale"]);
    CHECK(said["strangers"] ==
          json::array({(made.folder.cache() / "README").string(), (made.shard / "notes.txt").string(),
                       made.folder.cache().string() + "/v2/sta\\x09tistics"}));
    CHECK(said["other_versions"] == json::array({(made.folder.cache() / "v1").string()}));
    CHECK(said["damaged_removed"] == 0);

    const finished ended = tool(made.folder.cache(), {"verify"});
    CHECK(ended.exit_code == 1);
    CHECK(is_harmless(ended.output));
    for (const char* part : {"3 entries of", "1 file damaged", "1 file in an entry's place", "1 entry ignored",
                             "2 entries being written, 1 of them left", "1 entry of a newer format", "v1 belongs to",
                             "3 other files", "--repair"})
        CHECK(holds(ended.output, part));
}

TEST_CASE("case 27: entries in a folder that others can write are whole, and ignored") {
    const temporary_folder folder;
    for (int number = 0; number < 3; ++number) put(folder.cache(), key_of(number), full_artifact());
    const fs::path shard = file_of(folder.cache(), 1).parent_path();
    REQUIRE(::chmod(shard.c_str(), 0777) == 0);
    const json said = tool_json(folder.cache(), {"verify"}, 1);
    CHECK(said["entries"] == 3);
    CHECK(said["ignored_because"].is_null());
    REQUIRE(said["ignored"].size() == 1);
    CHECK(said["ignored"][0]["file"] == file_of(folder.cache(), 1).string());
    CHECK(holds(said["ignored"][0]["why"].get<std::string>(), "no program uses it: its folder: owner uid"));
    const finished ended = tool(folder.cache(), {"verify"});
    CHECK(ended.exit_code == 1);
    CHECK(holds(ended.output, "1 entry ignored by programs\n  " + file_of(folder.cache(), 1).string()));
    REQUIRE(::chmod(shard.c_str(), 0700) == 0);
    CHECK(tool(folder.cache(), {"verify"}).exit_code == 0);
    REQUIRE(::chmod(folder.cache().c_str(), 0777) == 0);
    CHECK(holds(tool_json(folder.cache(), {"verify"}, 1)["ignored_because"].get<std::string>(), "mode 0777"));
    CHECK(holds(tool(folder.cache(), {"verify"}).output, "programs ignore all of this folder: owner uid"));
}

TEST_CASE("verify --repair removes the damaged and the stale, and nothing else") {
    const mixed_folder made;
    REQUIRE(::chmod(file_of(made.folder.cache(), 4).c_str(), 0600) == 0);
    snapshot before = snapshot_of(made.folder.cache());
    const json said = tool_json(made.folder.cache(), {"verify", "--repair"});  // 0: what was damaged is gone
    CHECK(said["damaged_removed"] == 1);
    CHECK(said["temporaries_removed"] == 1);
    CHECK_FALSE(fs::exists(made.torn));
    snapshot after = snapshot_of(made.folder.cache());
    CHECK(before.size() == after.size() + 2 + (fs::exists(made.torn.parent_path()) ? 0 : 1));
    for (const auto& [file, state] : after)
        if (!fs::is_directory(file)) CHECK(before[file] == state);
    CHECK(tool(made.folder.cache(), {"verify"}).exit_code == 0);
    CHECK(holds(tool(made.folder.cache(), {"verify", "--repair"}).output,
                "removed 0 files damaged or misnamed and 0 temporaries"));
}

TEST_CASE("verify names the key of an entry whose file has another name, and the folder of one that was moved") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), key_of(2), full_artifact());
    fs::rename(file_of(folder.cache(), 1), file_of(folder.cache(), 2));
    const fs::path strayed = file_of(folder.cache(), 1).parent_path() / name_of(key_of(3));
    put(folder.cache(), key_of(3), full_artifact());
    fs::rename(file_of(folder.cache(), 3), strayed);
    const finished ended = tool(folder.cache(), {"verify"});
    CHECK(ended.exit_code == 1);
    CHECK(holds(ended.output, "1 file damaged or of another name than their key's"));
    CHECK(holds(ended.output, file_of(folder.cache(), 2).string() + ": it holds the entry of another key, " +
                                  name_of(key_of(1)) + "\n"));
    CHECK(holds(ended.output, "1 file in an entry's place that kiln did not put there: they stay\n  " +
                                  strayed.string() + ": it is in another shard's folder\n"));
    CHECK(holds(tool(folder.cache(), {"verify", "--repair"}).output, "removed 1 file damaged or misnamed and "));
    CHECK(fs::exists(strayed));
}

TEST_CASE("verify keeps complaining of what it cannot repair") {
    const mixed_folder made;  // whose entry 4 others can write
    CHECK(tool(made.folder.cache(), {"verify", "--repair"}).exit_code == 1);
    CHECK(fs::exists(file_of(made.folder.cache(), 4)));
}

TEST_CASE("verify of something that is no folder gives 1") {
    const temporary_folder folder;
    overwrite(folder.path() / "file", "");
    const finished ended = tool(folder.path() / "file", {"verify"});
    CHECK(ended.exit_code == 1);
    CHECK(ended.output == "");
    CHECK(holds(ended.errors, "it is not a folder"));
    CHECK(tool_json(folder.path() / "file", {"verify"}, 1)["error"].is_string());
}
