// tests/jit_cache/system_faults: disks that are full, fail, interrupt, or are the last thing a process sees.
#include "system_faults.hpp"
#include "support.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>

using jit_cache::origin;
using system_faults::call;
using system_faults::fail;
using namespace support;

namespace {

// A publish that meets a fault: a right answer, memory only, one warning that names the root, nothing left behind.
void gives_up(call which, int error, int first = 1) {
    CAPTURE(error);
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 0);
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        for (const int number : {1, 2}) {
            const auto found = store.find_or_make(
                key_of(number), [&](const jit_cache::miss&) { return artifact_of(number); }, nullptr);
            CHECK(found.value->payload == artifact_of(number).payload);
            const fail fault(which, error, first);
            store.publish(key_of(number), found.value);
            store.flush();
            CHECK(fault.count() > 0);
        }
        CHECK(ask(store, 1).from == origin::memory);
    }
    CHECK(said.count() == 1);
    CHECK(said.name(folder.cache().string() + ": "));
    CHECK(temporaries_in(folder.cache()) == 0);
    CHECK(jit_cache::scan(folder.cache()).entries.size() == 1);
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::made);
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
}

// A read that meets a fault: made again, the entry kept as it was, one warning that names it.
void keeps_the_entry(call which, int error, int first = 1, int how_many = 1'000'000) {
    CAPTURE(error);
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path file = file_of(folder.cache(), 1);
    const std::string before = contents(file);
    struct ::stat old_status {};
    REQUIRE(::stat(file.c_str(), &old_status) == 0);
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        jit_cache::found found;
        {
            const fail fault(which, error, first, how_many);
            found = store.find_or_make(
                key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, nullptr);
            CHECK(fault.count() > 0);
        }
        CHECK(found.from == origin::made);
        CHECK(found.value->payload == artifact_of(1).payload);
        store.publish(key_of(1), found.value);
    }
    struct ::stat new_status {};
    REQUIRE(::stat(file.c_str(), &new_status) == 0);
    CHECK(old_status.st_ino == new_status.st_ino);
    CHECK(contents(file) == before);
    CHECK(said.count() == 1);
    CHECK(said.name("cannot be read"));
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
}

constexpr int opens_of_a_look_up = 2;      // the store's folder, the entry; the two between are only looked at
constexpr int opens_before_a_publish = 4;  // the store's folder, the one of its format, the shard, what is there

}  // namespace

TEST_CASE("case 17: a full disk or quota at a write or a rename means memory only") {
    gives_up(call::write, ENOSPC);
    gives_up(call::write, EDQUOT);
    gives_up(call::write, EIO);
    gives_up(call::renameat, ENOSPC);
    gives_up(call::renameat, EROFS);
}

TEST_CASE("case 18: no inode for a shard means memory only") { gives_up(call::mkdirat, ENOSPC); }

TEST_CASE("case 17: beyond RLIMIT_FSIZE the program lives on, in memory only") {
    const auto body = []() -> std::string {
        const temporary_folder folder;
        warnings said;
        const ::rlimit limit{.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        jit_cache::store store(settings_for(folder.cache(), said));
        if (!ask(store, 1).right || !ask(store, 2).right) return "a wrong answer";
        if (said.count() != 1 || !said.name("File too large")) return "not one warning";
        return temporaries_in(folder.cache()) == 0 ? "" : "a temporary is left";
    };
    CHECK(in_child(body) == "");
    // In a child of fork the caller's own thread writes: its signals must be as before.
    CHECK(in_child([&]() -> std::string {
              const temporary_folder folder;
              warnings said;
              jit_cache::store store(settings_for(folder.cache(), said));
              ask(store, 7);
              return in_child([&]() -> std::string {
                  const ::rlimit limit{.rlim_cur = 100, .rlim_max = RLIM_INFINITY};
                  ::setrlimit(RLIMIT_FSIZE, &limit);
                  if (!ask(store, 1).right) return "a wrong answer";
                  ::sigset_t mask;
                  ::sigset_t pending;
                  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
                  ::sigpending(&pending);
                  if (::sigismember(&mask, SIGXFSZ) == 1) return "SIGXFSZ stays blocked";
                  return ::sigismember(&pending, SIGXFSZ) == 1 ? "SIGXFSZ stays pending" : "";
              });
          }) == "");
}

TEST_CASE("case 22 and 53: EIO, ESTALE and a lack of descriptors while an entry is read keep the entry") {
    keeps_the_entry(call::read, EIO);
    keeps_the_entry(call::read, ESTALE);
    for (int which = 1; which <= opens_of_a_look_up; ++which) {
        keeps_the_entry(call::openat, EMFILE, which);
        keeps_the_entry(call::openat, ENOMEM, which);
        keeps_the_entry(call::fstat, ESTALE, which);
        keeps_the_entry(call::fstatat, ESTALE, which);
    }
}

TEST_CASE("case 23: signals and short reads make a hit all the same, and short writes a whole entry") {
    const temporary_folder folder;
    warnings said;
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        const auto found = store.find_or_make(
            key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, nullptr);
        const system_faults::short_and_interrupted fault;
        store.publish(key_of(1), found.value);
        store.flush();
        CHECK(fault.count() > 10);
    }
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        const system_faults::short_and_interrupted fault;
        CHECK(ask(store, 1).from == origin::disk);
        CHECK(fault.count() > 10);
    }
    CHECK(said.count() == 0);
}

TEST_CASE("case 24: a file system without locks publishes all the same") {
    const temporary_folder folder;
    warnings said;
    {
        const fail fault(call::flock, ENOLCK);
        ask_anew(folder.cache(), said, 1);
        CHECK(fault.count() > 0);
    }
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
    CHECK(said.count() == 0);
}

TEST_CASE("a hit whose time stamp cannot be set is a hit without a word") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    // Use is noted to the hour, so the entry has to look unused for longer.
    const fs::path entry = jit_cache::scan(folder.cache()).entries.at(0).file;
    fs::last_write_time(entry, fs::last_write_time(entry) - std::chrono::hours(2));
    const fail fault(call::utimensat, EROFS);
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
    CHECK(fault.count() > 0);
    CHECK(said.count() == 0);
}

TEST_CASE("case 28: a temporary's name that is taken, by a file or a planted link, is left alone and another is used") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    ask(store, 0);
    const auto found = store.find_or_make(
        key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, nullptr);
    {
        // One more: the shard's, which is missing and then made.
        const fail fault(call::openat, EEXIST, opens_before_a_publish + 2, 3);
        store.publish(key_of(1), found.value);
        store.flush();
        CHECK(fault.count() == 3);
    }
    CHECK(fs::exists(file_of(folder.cache(), 1)));
    CHECK(said.count() == 0);
}

TEST_CASE("case 13: SIGKILL at any system call of a publish: the next run is right and sweeps what was left") {
    constexpr int far_more_than_a_publish_takes = 300;
    int kills = 0;
    int found_published = 0;
    for (int number = 1; number < far_more_than_a_publish_takes; ++number) {
        CAPTURE(number);
        const temporary_folder folder;
        warnings said;
        const std::string death = in_child([&]() -> std::string {
            system_faults::kill_at(number);
            ask_anew(folder.cache(), said, 1);
            system_faults::kill_at(0);
            return "";
        });
        if (death.empty()) break;
        REQUIRE(death == "the child died of signal 9");
        ++kills;
        const outcome next = ask_anew(folder.cache(), said, 1);
        CHECK(next.right);
        if (next.from == origin::disk) ++found_published;
        CHECK(ask_anew(folder.cache(), said, 2).right);  // a publish: its process sweeps
        CHECK(temporaries_in(folder.cache()) == 0);
        CHECK(jit_cache::scan(folder.cache()).broken.empty());
        CHECK(said.count() == 0);
    }
    CHECK(kills > 10);
    CHECK(kills < far_more_than_a_publish_takes - 1);
    CHECK(found_published > 0);  // killed after the rename
    CHECK(found_published < kills);
}
