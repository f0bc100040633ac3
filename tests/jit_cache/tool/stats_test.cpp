// tests/jit_cache/tool/stats: stats.
#include "tool_support.hpp"

#include <doctest/doctest.h>

using namespace support;

namespace {

json share_of(const json& list, const std::string& name) {
    for (const json& one : list)
        if (one["name"] == name) return one;
    return {};
}

}  // namespace

TEST_CASE("stats sums up entries by target, compiler, generator and options, the largest share first") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    put(folder.cache(), key_of(2), full_artifact());
    put(folder.cache(), jit_cache::key().add("source", "s").add("target", "cpu"), {});
    set_last_use(file_of(folder.cache(), 1), 1'700'000'000);
    const json sums = tool_json(folder.cache(), {"stats"});
    CHECK(sums["entries"] == 3);
    CHECK(sums["payload_bytes"] == 4096);
    CHECK(sums["compile_ms"] == 62.5);
    CHECK(sums["oldest_use"] == "2023-11-14T22:13:20Z");
    CHECK(sums["by_target"][0]["name"] == "sm_90");
    CHECK(share_of(sums["by_target"], "sm_90")["entries"] == 2);
    CHECK(share_of(sums["by_target"], "cpu")["entries"] == 1);
    CHECK(share_of(sums["by_compiler"], "")["entries"] == 1);
    CHECK(share_of(sums["by_generator"], "kiln 0.1")["entries"] == 2);
    CHECK(share_of(sums["by_options"], "--fmad=false")["entries"] == 2);
    std::uint64_t bytes = 0;
    for (const json& each : sums["by_target"]) bytes += each["file_bytes"].get<std::uint64_t>();
    CHECK(bytes == sums["file_bytes"]);
    const finished brief = tool(folder.cache(), {"stats"});
    CHECK(holds(brief.output, "sm_90"));
    CHECK_FALSE(holds(brief.output, "GENERATOR"));
    const finished verbose = tool(folder.cache(), {"stats", "-v"});
    CHECK(holds(verbose.output, "GENERATOR"));
    CHECK(holds(verbose.output, "--fmad=false"));
    CHECK(tool(folder.cache(), {"stats", "--verbose"}).output == verbose.output);
}

TEST_CASE("stats says which bounds hold, and who set them, and who named the folder") {
    const temporary_folder folder;
    const json plain = tool_json(folder.cache(), {"stats"});
    CHECK(plain["max_bytes"] == std::uint64_t{1} << 30);
    CHECK(plain["max_bytes_set_by"] == "default");
    CHECK(plain["max_entries"] == 20'000);
    CHECK(plain["max_entries_set_by"] == "default");
    CHECK(plain["directory_named_by"] == "--dir");
    const json bounded = tool_json(folder.cache(), {"stats"}, 0, {"KILN_CACHE_MAX_SIZE=512M"});
    CHECK(bounded["max_bytes"] == 512 << 20);
    CHECK(bounded["max_bytes_set_by"] == "KILN_CACHE_MAX_SIZE");
    CHECK(tool_json(folder.cache(), {"stats"}, 0, {"KILN_CACHE_MAX_SIZE=much"})["max_bytes_set_by"] == "default");
    CHECK(
        holds(tool(folder.cache(), {"stats"}, {"KILN_CACHE_MAX_SIZE=512M"}).output, "512.0 MiB (KILN_CACHE_MAX_SIZE)"));

    const auto named_by = [](const std::vector<std::string>& environment) {
        const finished ended = run({tool_path(), "stats", "--json"}, environment);
        return json::parse(ended.output, nullptr, false);
    };
    const std::string here = folder.path().string();
    CHECK(named_by({"KILN_CACHE_DIR=" + here})["directory_named_by"] == "KILN_CACHE_DIR");
    CHECK(named_by({"XDG_CACHE_HOME=" + here})["directory_named_by"] == "XDG_CACHE_HOME");
    CHECK(named_by({"XDG_CACHE_HOME=relative", "HOME=" + here})["directory_named_by"] == "HOME");
    CHECK(named_by({"HOME=" + here})["directory"] == here + "/.cache/kiln");
}

TEST_CASE("stats -v prints what programs have counted, misses with their reasons") {
    const temporary_folder folder;
    CHECK(holds(tool(folder.cache(), {"stats", "-v"}).output, "nothing is counted here: programs count"));
    CHECK(tool_json(folder.cache(), {"stats"})["statistics"]["since"].is_null());
    warnings said;
    for (int round = 0; round < 2; ++round) {
        jit_cache::store store(settings_for(folder.cache(), said));
        ask(store, 1);
        store.settle();
    }
    const json counted = tool_json(folder.cache(), {"stats"})["statistics"];
    CHECK(counted["disk_hits"] == 1);
    CHECK(counted["saved_ms"] == 32);
    CHECK(counted["published"] == 1);
    CHECK(counted["published_bytes"] == fs::file_size(file_of(folder.cache(), 1)));
    CHECK(counted["evicted"] == 0);
    CHECK(counted["since"].is_string());
    REQUIRE(counted["misses"].size() == jit_cache::miss_reason_count);
    CHECK(counted["misses"][0] ==
          json{{"reason", "never_stored"}, {"words", "nothing like it was stored"}, {"count", 1}});
    const finished verbose = tool(folder.cache(), {"stats", "-v"});
    CHECK(holds(verbose.output, "32.0 ms of compiling"));
    CHECK(holds(verbose.output, "1: nothing like it was stored"));
    CHECK_FALSE(holds(verbose.output, "0: "));
}

TEST_CASE("hits in a read-only folder count in the private one, once it is there; none is made for them") {
    const temporary_folder folder;
    const fs::path shipped = folder.path() / "shipped";
    put(shipped, key_of(1), full_artifact());
    warnings said;
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.read_only_directories = {shipped};
    const auto find = [&] {
        jit_cache::store store(settings);
        CHECK(ask(store, 1).from == jit_cache::origin::disk);
    };
    find();
    CHECK_FALSE(fs::exists(folder.cache()));
    CHECK(holds(tool(folder.cache(), {"stats", "-v"}).output, "and make it when they first store a kernel"));
    put(folder.cache(), key_of(2), full_artifact());
    find();
    CHECK(tool_json(folder.cache(), {"stats"})["statistics"]["disk_hits"] == 1);
    CHECK(tool_json(shipped, {"stats"})["statistics"]["disk_hits"] == 0);
}

TEST_CASE("case 42: a corrupt statistics file is nothing counted") {
    const temporary_folder folder;
    put(folder.cache(), key_of(1), full_artifact());
    overwrite(root_of(folder.cache()) / "statistics", std::string(5000, '\x7f'));
    const json sums = tool_json(folder.cache(), {"stats"});
    CHECK(sums["entries"] == 1);
    CHECK(sums["statistics"]["since"].is_null());
}
