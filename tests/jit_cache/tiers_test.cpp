// tests/jit_cache/tiers: folders that are read before the user's own, and never written.
#include "support.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>

using jit_cache::origin;
using namespace support;

namespace {

jit_cache::settings with_tiers(const fs::path& own, std::vector<fs::path> tiers, warnings& said) {
    jit_cache::settings settings = settings_for(own, said);
    settings.read_only_directories = std::move(tiers);
    return settings;
}

void fill(const fs::path& directory, std::initializer_list<int> numbers) {
    warnings said;
    for (const int number : numbers) ask_anew(directory, said, number);
    REQUIRE(said.count() == 0);
}

/// Every file with its bytes and the time of its last change.
std::map<std::string, std::string> snapshot(const fs::path& directory) {
    std::map<std::string, std::string> all;
    for (const auto& one : fs::recursive_directory_iterator(directory)) {
        struct ::stat status {};
        REQUIRE(::lstat(one.path().c_str(), &status) == 0);
        all[one.path().string()] = std::to_string(status.st_mtim.tv_sec) + "." +
                                   std::to_string(status.st_mtim.tv_nsec) +
                                   (one.is_regular_file() ? contents(one.path()) : "");
    }
    return all;
}

void set_old(const fs::path& file) {
    const ::timespec times[2] = {{.tv_sec = 1000, .tv_nsec = 0}, {.tv_sec = 1000, .tv_nsec = 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times, 0) == 0);
}

}  // namespace

TEST_CASE("read-only folders are looked into first, in their order, and nothing in them changes") {
    const temporary_folder folder;
    const fs::path first = folder.path() / "first";
    const fs::path second = folder.path() / "second";
    fill(first, {1, 2});
    fill(second, {2, 3});
    fill(folder.cache(), {4});
    set_old(file_of(first, 1));
    const auto before_first = snapshot(first);
    const auto before_second = snapshot(second);

    warnings said;
    {
        jit_cache::store store(with_tiers(folder.cache(), {first, second}, said));
        for (const int number : {1, 2, 3, 4}) {
            const outcome found = ask(store, number);
            CHECK(found.from == origin::disk);
            CHECK(found.right);
        }
        CHECK(ask(store, 5).from == origin::made);
    }
    CHECK(snapshot(first) == before_first);
    CHECK(snapshot(second) == before_second);
    CHECK(fs::exists(file_of(folder.cache(), 5)));
    CHECK_FALSE(fs::exists(file_of(folder.cache(), 1)));
    CHECK(said.count() == 0);
}

TEST_CASE("read-only folders serve without a folder of the user's own") {
    const temporary_folder folder;
    fill(folder.path() / "tier", {1});
    warnings said;
    jit_cache::store store(with_tiers({}, {folder.path() / "tier"}, said));
    CHECK(ask(store, 1).from == origin::disk);
    CHECK(ask(store, 2).from == origin::made);
    CHECK(ask(store, 2).from == origin::memory);
    CHECK(said.count() == 0);
}

namespace {

/// A read-only folder whose one entry, number 1, is damaged, before an empty one of the user's own.
struct torn_tier {
    const temporary_folder folder;
    const fs::path tier = folder.path() / "tier";
    warnings said;

    torn_tier() {
        fill(tier, {1});
        overwrite(file_of(tier, 1), "torn");
    }
    [[nodiscard]] jit_cache::settings settings() { return with_tiers(folder.cache(), {tier}, said); }
};

}  // namespace

TEST_CASE("a damaged entry of a read-only folder is made again in the user's own, and stays as it is") {
    torn_tier torn;
    const auto& [folder, tier, said] = torn;
    jit_cache::store store(torn.settings());
    CHECK(ask(store, 1).right);
    CHECK(said.count() == 1);
    CHECK(said.name(file_of(tier, 1).string()));
    CHECK(contents(file_of(tier, 1)) == "torn");
    CHECK(fs::exists(file_of(folder.cache(), 1)));
    store.forget_memory();
    CHECK(ask(store, 1).from == origin::disk);
}

TEST_CASE("a miss for what is wrong with a read-only folder's entry says so, where the user's own folder has nothing") {
    torn_tier torn;
    const fs::path& tier = torn.tier;
    jit_cache::store store(torn.settings());
    const jit_cache::prediction predicted = store.peek(key_of(1));
    CHECK(predicted.missed.why == jit_cache::miss_reason::corrupt);
    CHECK(predicted.missed.detail.find(file_of(tier, 1).string()) == 0);
    REQUIRE(::chmod(file_of(tier, 1).c_str(), 0666) == 0);
    CHECK(store.peek(key_of(1)).missed.why == jit_cache::miss_reason::untrusted);
    // A folder that is not to be trusted may have had it, or not.
    REQUIRE(::chmod(tier.c_str(), 0777) == 0);
    CHECK(store.peek(key_of(2)).missed.why == jit_cache::miss_reason::untrusted);
    REQUIRE(::chmod(tier.c_str(), 0700) == 0);
    CHECK(store.peek(key_of(2)).missed.why == jit_cache::miss_reason::never_stored);
}

TEST_CASE("case 27: a read-only folder that others can write to is passed over, and said once") {
    const temporary_folder folder;
    const fs::path tier = folder.path() / "tier";
    fill(tier, {1, 2});
    for (const fs::path& unsafe : {tier, root_of(tier), file_of(tier, 1).parent_path()}) {
        CAPTURE(unsafe);
        REQUIRE(::chmod(unsafe.c_str(), 0777) == 0);
        warnings said;
        {
            jit_cache::store store(with_tiers(folder.cache(), {tier}, said));
            CHECK(ask(store, 1).from == origin::made);
            store.forget_memory();
            CHECK(ask(store, 1).right);
        }
        CHECK(said.count() == 1);
        CHECK(said.name(tier.string()));
        CHECK(said.name(unsafe.filename().string() + ": owner uid"));
        CHECK(said.name("passed over"));
        REQUIRE(::chmod(unsafe.c_str(), 0700) == 0);
        clear(folder.cache());
    }
}

TEST_CASE("a read-only folder belongs to root or to the user, and to nobody else") {
    if (!is_root()) {
        MESSAGE("skipped: giving a folder away needs root");
        return;
    }
    const temporary_folder folder;
    const fs::path tier = folder.path() / "tier";
    fill(tier, {1});
    REQUIRE(::chmod(folder.path().c_str(), 0755) == 0);
    for (const fs::path& one : {tier, root_of(tier), file_of(tier, 1).parent_path()})
        REQUIRE(::chmod(one.c_str(), 0755) == 0);
    REQUIRE(::chmod(file_of(tier, 1).c_str(), 0644) == 0);
    const auto ask_as_nobody = [&]() -> std::string {
        warnings said;
        const temporary_folder own;
        jit_cache::store store(with_tiers(own.cache(), {tier}, said));
        return ask(store, 1).from == origin::disk ? "found" : said.count() == 1 ? "passed over" : "neither";
    };
    CHECK(in_child_as(nobody, ask_as_nobody) == "found");  // root's
    REQUIRE(::chown(file_of(tier, 1).c_str(), 1, 1) == 0);
    CHECK(in_child_as(nobody, ask_as_nobody) == "passed over");
    REQUIRE(::chown(file_of(tier, 1).c_str(), 0, 0) == 0);
    REQUIRE(::chown(tier.c_str(), 1, 1) == 0);
    CHECK(in_child_as(nobody, ask_as_nobody) == "passed over");
    for (const fs::path& one : {tier, root_of(tier), file_of(tier, 1).parent_path(), file_of(tier, 1)})
        REQUIRE(::chown(one.c_str(), nobody, nobody) == 0);
    CHECK(in_child_as(nobody, ask_as_nobody) == "found");  // the user's
}

TEST_CASE("a read-only folder that is not there is said once, and the rest goes on") {
    const temporary_folder folder;
    warnings said;
    {
        jit_cache::store store(with_tiers(folder.cache(), {folder.path() / "missing"}, said));
        CHECK(ask(store, 1).right);
        CHECK(ask(store, 2).right);
        store.forget_memory();
        CHECK(ask(store, 1).from == origin::disk);
    }
    CHECK(said.count() == 1);
    CHECK(said.name((folder.path() / "missing").string()));
    CHECK_FALSE(fs::exists(folder.path() / "missing"));
}
