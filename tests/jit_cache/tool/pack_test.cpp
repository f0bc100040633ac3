// tests/jit_cache/tool/pack: pack and unpack.
#include "tool_support.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

using namespace support;

namespace {

struct packing {
    temporary_folder folder;
    fs::path file = folder.path() / "app.kpack";
    fs::path other = folder.path() / "other";
    packing() {
        put(folder.cache(), key_for("x", "s", "sm_80"), full_artifact("old"));
        put(folder.cache(), key_for("x", "s", "sm_90"), full_artifact("new"));
        put(folder.cache(), key_for("y", "t", "sm_90"), full_artifact("third"));
    }
    json pack(std::vector<std::string> words) const {
        words.insert(words.begin(), {"pack", file.string()});
        return tool_json(folder.cache(), words);
    }
};

unsigned mode_of(const fs::path& file) {
    struct ::stat status {};
    REQUIRE(::stat(file.c_str(), &status) == 0);
    return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("pack and unpack carry entries from one folder to another") {
    const packing made;
    const json packed = made.pack({});
    CHECK(packed["entries"] == 3);
    CHECK(packed["file"] == made.file.string());
    CHECK(packed["file_bytes"] == fs::file_size(made.file));
    const finished unpacked = tool(made.other, {"unpack", made.file.string()});
    CHECK(unpacked.exit_code == 0);
    CHECK(holds(unpacked.output, "unpacked 3 entries into " + made.other.string()));
    const json listed = tool_json(made.folder.cache(), {"ls"});
    for (const json& each : listed["entries"]) {
        const std::string key = each["key"];
        CHECK(contents(root_of(made.other) / key.substr(0, 2) / key) == contents(each["file"].get<std::string>()));
    }
    const json again = tool_json(made.other, {"unpack", made.file.string()});
    CHECK(again["entries"] == 0);
    CHECK(again["skipped"] == 3);
    // The same entries, the same file.
    const std::string bytes = contents(made.file);
    CHECK(tool(made.other, {"pack", made.file.string()}).output.starts_with("packed 3 entries into "));
    CHECK(contents(made.file) == bytes);
}

TEST_CASE("unpack says how far it is, on a line that goes away, where somebody wants to know") {
    const packing made;
    REQUIRE(made.pack({})["entries"] == 3);
    const auto said = [&](const char* wanted) {
        const fs::path folder = made.folder.path() / (std::string("progress") + wanted);
        return tool(folder, {"unpack", made.file.string()}, {std::string("KILN_PROGRESS=") + wanted});
    };
    const finished shown = said("1");
    CHECK(shown.exit_code == 0);
    CHECK(holds(shown.errors, "kiln-cache: unpacking 0 of 3"));
    CHECK(holds(shown.errors, "\r\x1b[Kkiln-cache: unpacking 3 of 3"));
    CHECK(shown.errors.ends_with("\r\x1b[K"));
    CHECK(said("0").errors == "");
    CHECK(said("").errors == "");  // a pipe is no terminal
    CHECK(holds(said("2").errors, "KILN_PROGRESS=2 is neither 0 nor 1"));
}

TEST_CASE("pack takes keys, a filter, or both") {
    const packing made;
    const std::string third = name_of(key_for("y", "t"));
    CHECK(made.pack({third.substr(0, 10)})["entries"] == 1);
    CHECK(made.pack({"--filter", "SM_90"})["entries"] == 2);
    CHECK(made.pack({third, "--filter", "sm_80"})["entries"] == 2);
    CHECK(made.pack({third, "--filter", "sm_90"})["entries"] == 2);  // each once
}

TEST_CASE("pack writes no file where a key is unknown or nothing matches") {
    const packing made;
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"zz"}, {"--filter", "no such kernel"}, {name_of(key_for("y", "t")), "zz"}}) {
        std::vector<std::string> command{"pack", made.file.string()};
        command.insert(command.end(), words.begin(), words.end());
        CHECK(tool(made.folder.cache(), command).exit_code == 1);
        CHECK(tool_json(made.folder.cache(), command, 1)["error"].is_string());
        CHECK_FALSE(fs::exists(made.file));
    }
    CHECK(tool(made.folder.cache(), {"pack", "/nowhere/app.kpack"}).exit_code == 1);
    CHECK(tool_json(made.folder.cache(), {"pack", "/nowhere/app.kpack"}, 1)["error"].is_string());
}

TEST_CASE("pack of a folder with damaged entries takes the whole ones, and says which were left out and why") {
    const packing made;
    const fs::path torn = path_of(made.folder.cache(), key_for("y", "t"));
    std::string bytes = contents(torn);
    bytes[bytes.size() - 20] ^= 1;  // in its binary: a listing does not see it
    overwrite(torn, bytes);
    const fs::path empty = path_of(made.folder.cache(), key_for("x", "s", "sm_80"));
    overwrite(empty, "");
    put(made.folder.cache(), key_of(1), full_artifact());
    overwrite(file_of(made.folder.cache(), 1), newer_entry());
    for (const std::vector<std::string>& filter : {std::vector<std::string>{}, {"--filter", "sm_"}}) {
        std::vector<std::string> words{"pack", made.file.string()};
        words.insert(words.end(), filter.begin(), filter.end());
        const json packed = tool_json(made.folder.cache(), words, 1);
        CHECK(packed["error"].is_null());
        CHECK(packed["entries"] == 1);
        CHECK(packed["newer_format_count"] == 1);
        REQUIRE(packed["left_out"].size() == 2);
        for (const json& each : packed["left_out"]) {
            const bool is_torn = each["file"] == torn.string();
            CHECK((is_torn || each["file"] == empty.string()));
            CHECK(each["fault"] == "damaged");
            CHECK(each["why"] == (is_torn ? "its checksum does not match" : "it is empty"));
        }
        const finished said = tool(made.folder.cache(), words);
        CHECK(said.exit_code == 1);
        CHECK(said.output.starts_with("packed 1 entry into "));
        CHECK(holds(said.output, "left out 1 of a newer format\n"));
        CHECK(holds(said.errors, "left out of the pack: 2 files\n"));
        CHECK(holds(said.errors, torn.string() + ": its checksum does not match\n"));
        CHECK(holds(said.errors, empty.string() + ": it is empty\n"));
    }
    CHECK(tool_json(made.other, {"unpack", made.file.string()})["entries"] == 1);
}

TEST_CASE("pack of a damaged entry that was asked for by its key writes no file") {
    const packing made;
    const fs::path damaged = path_of(made.folder.cache(), key_for("y", "t"));
    std::string bytes = contents(damaged);
    bytes[bytes.size() - 20] ^= 1;
    overwrite(damaged, bytes);
    const std::string name = name_of(key_for("y", "t"));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"pack", made.file.string(), name},
          {"pack", made.file.string(), name, "--filter", "sm_80"},
          {"pack", made.file.string(), name_of(key_for("x", "s", "sm_80")), name}}) {
        const finished asked = tool(made.folder.cache(), words);
        CHECK(asked.exit_code == 1);
        CHECK(holds(asked.errors, "is gone, damaged or not to be trusted: its checksum does not match"));
        CHECK(tool_json(made.folder.cache(), words, 1)["error"].is_string());
        CHECK_FALSE(fs::exists(made.file));
    }
}

TEST_CASE("unpack --list shows what a pack holds and changes nothing") {
    const packing made;
    made.pack({});
    const snapshot before = snapshot_of(made.folder.path());
    const finished ended = tool(made.other, {"unpack", made.file.string(), "--list"});
    CHECK(ended.exit_code == 0);
    for (const char* part : {"old", "new", "third", "sm_80", "sm_90", "libnvrtc.so.13.0.88", "3 entries in "})
        CHECK(holds(ended.output, part));
    const json listed = tool_json(made.other, {"unpack", made.file.string(), "--list"});
    REQUIRE(listed["entries"].size() == 3);
    CHECK(listed["entries"][0]["payload_bytes"] == 2048);
    CHECK(listed["entries"][0]["file"].is_null());
    CHECK(listed["entries"][0]["last_used"].is_null());
    CHECK(listed["file_bytes"] == fs::file_size(made.file));
    CHECK(snapshot_of(made.folder.path()) == before);
}

TEST_CASE("unpack --for-all makes a folder that other users can read") {
    const packing made;
    made.pack({});
    CHECK(tool(made.other, {"unpack", made.file.string(), "--for-all"}).exit_code == 0);
    CHECK(mode_of(made.other) == 0755);
    CHECK(mode_of(path_of(made.other, key_for("y", "t"))) == 0644);
    CHECK(mode_of(path_of(made.other, key_for("y", "t")).parent_path()) == 0755);
    const fs::path own = made.folder.path() / "own";
    CHECK(tool(own, {"unpack", made.file.string()}).exit_code == 0);
    CHECK(mode_of(path_of(own, key_for("y", "t"))) == 0600);
}

TEST_CASE("what is no whole pack is refused before anything is written") {
    const packing made;
    made.pack({});
    const std::string whole = contents(made.file);
    std::vector<std::string> bad{"", "not a pack", whole.substr(0, whole.size() / 2), whole + "more"};
    for (const std::size_t place :
         {std::size_t{3}, std::size_t{20}, std::size_t{34}, whole.size() / 2, whole.size() - 1}) {
        bad.push_back(whole);
        bad.back()[place] ^= 1;
    }
    for (const std::string& bytes : bad) {
        CAPTURE(bytes.size());
        overwrite(made.file, bytes);
        for (const bool lists : {false, true}) {
            std::vector<std::string> words{"unpack", made.file.string()};
            if (lists) words.emplace_back("--list");
            const finished ended = tool(made.other, words);
            CHECK(ended.exit_code == 1);
            CHECK(ended.output == "");
            CHECK_FALSE(ended.errors.empty());
            CHECK(tool_json(made.other, words, 1)["error"].is_string());
        }
        CHECK_FALSE(fs::exists(made.other));
    }
    CHECK(tool(made.other, {"unpack", "/nowhere.kpack"}).exit_code == 1);
    CHECK(tool(made.other, {"unpack", "/dev/zero"}).exit_code == 1);
}
