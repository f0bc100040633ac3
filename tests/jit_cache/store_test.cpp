// tests/jit_cache/store: who makes, who waits, and what is found where.
#include "support.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

using jit_cache::artifact;
using jit_cache::origin;
using namespace support;

TEST_CASE("what was made is found in memory, and in the next store on disk") {
    const temporary_folder folder;
    warnings said;
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        CHECK(ask(store, 1).from == origin::made);
        CHECK(ask(store, 1).from == origin::memory);
        store.forget_memory();
        CHECK(ask(store, 1).from == origin::disk);
    }
    const outcome next = ask_anew(folder.cache(), said, 1);
    CHECK(next.from == origin::disk);
    CHECK(next.makes == 0);
    CHECK(next.right);
    CHECK(said.count() == 0);
}

TEST_CASE("facts come back from the disk in their order") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 3);
    jit_cache::store store(settings_for(folder.cache(), said));
    const auto found = store.find_or_make(
        key_of(3), [](const jit_cache::miss&) { return artifact{}; }, nullptr);
    REQUIRE(found.value->facts.size() == 3);
    CHECK(found.value->facts[0].value == "five x");
    CHECK(found.value->facts[2].value == "3");
}

TEST_CASE("nothing is on disk before publish, and a store that ends publishes what is pending") {
    const temporary_folder folder;
    warnings said;
    {
        jit_cache::store store(settings_for(folder.cache(), said));
        const auto found = store.find_or_make(
            key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, nullptr);
        CHECK_FALSE(fs::exists(folder.cache()));
        for (int i = 0; i < 50; ++i) store.publish(key_of(i), found.value);
    }
    for (int i = 0; i < 50; ++i) CHECK(fs::exists(file_of(folder.cache(), i)));
}

TEST_CASE("neither a constructor nor a question creates a folder") {
    const temporary_folder folder;
    warnings said;
    {
        const jit_cache::store store(settings_for(folder.cache(), said));
        CHECK(store.peek(key_of(1)).from == origin::made);
        CHECK(store.file_of(key_of(1)) == file_of(folder.cache(), 1));
    }
    CHECK_FALSE(fs::exists(folder.cache()));
}

TEST_CASE("peek tells memory, disk and neither apart, and touches nothing") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    CHECK(store.peek(key_of(1)).from == origin::made);
    ask(store, 1);
    CHECK(store.peek(key_of(1)).from == origin::memory);
    store.forget_memory();
    const fs::path file = file_of(folder.cache(), 1);
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1000);
    fs::last_write_time(file, long_ago);
    CHECK(store.peek(key_of(1)).from == origin::disk);
    CHECK(fs::last_write_time(file) == long_ago);
    overwrite(file, "garbage");
    CHECK(store.peek(key_of(1)).from == origin::made);
    CHECK(said.count() == 0);
}

TEST_CASE("a hit on disk marks the entry as used now") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path file = file_of(folder.cache(), 1);
    fs::last_write_time(file, fs::file_time_type::clock::now() - std::chrono::hours(1000));
    ask_anew(folder.cache(), said, 1);
    CHECK(fs::file_time_type::clock::now() - fs::last_write_time(file) < std::chrono::hours(1));
}

TEST_CASE("case 11: another compiler, option, target or generator version is a miss") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    const auto ask_for = [&](const char* compiler, const char* options, const char* target, const char* generator) {
        const jit_cache::key key = jit_cache::key()
                                       .add("source", "same")
                                       .add("target", target)
                                       .add("compiler", compiler)
                                       .add("options", options)
                                       .add("generator", generator);
        const auto found = store.find_or_make(
            key, [](const jit_cache::miss&) { return artifact{.payload = "b", .facts = {}, .extras = {}}; }, nullptr);
        store.publish(key, found.value);
        store.flush();
        store.forget_memory();
        return found.from;
    };
    CHECK(ask_for("nvrtc 13.0", "--fmad=false", "sm_90", "1") == origin::made);
    CHECK(ask_for("nvrtc 13.1", "--fmad=false", "sm_90", "1") == origin::made);
    CHECK(ask_for("nvrtc 13.0", "--fmad=true", "sm_90", "1") == origin::made);
    CHECK(ask_for("nvrtc 13.0", "--fmad=false", "sm_80", "1") == origin::made);
    CHECK(ask_for("nvrtc 13.0", "--fmad=false", "sm_90", "2") == origin::made);
    CHECK(ask_for("nvrtc 13.0", "--fmad=false", "sm_90", "1") == origin::disk);
}

TEST_CASE("case 7: two keys of one name both get their own binary, and the newer one keeps the file") {
    const temporary_folder folder;
    warnings said;
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.name = [](const jit_cache::key&) { return jit_cache::hash128{.high = 42, .low = 42}; };
    {
        jit_cache::store store(settings);
        for (const int number : {1, 2}) {
            const outcome first = ask(store, number);
            CHECK(first.from == origin::made);
            CHECK(first.right);
        }
        for (const int number : {1, 2, 1, 2}) {
            const outcome again = ask(store, number);
            CHECK(again.from == origin::memory);
            CHECK(again.right);
        }
    }
    for (const int number : {2, 1, 1, 2}) {
        jit_cache::store store(settings);
        const outcome next = ask(store, number);
        CHECK(next.right);
    }
    jit_cache::store store(settings);
    CHECK(ask(store, 2).from == origin::disk);
    CHECK(ask(store, 1).from == origin::made);
    CHECK(said.count() == 0);
}

TEST_CASE("case 33: 64 threads that ask for one key make it once") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    std::atomic<int> makes{0};
    std::atomic<int> made{0};
    std::atomic<int> right{0};
    std::atomic<int> accepted{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 64; ++i) {
        threads.emplace_back([&] {
            const auto found = store.find_or_make(
                key_of(1),
                [&](const jit_cache::miss&) {
                    ++makes;
                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                    return artifact_of(1);
                },
                [&](const artifact&, origin) {
                    ++accepted;
                    return true;
                });
            if (found.from == origin::made) ++made;
            if (found.value->payload == artifact_of(1).payload) ++right;
            store.publish(key_of(1), found.value);
        });
    }
    for (std::thread& one : threads) one.join();
    store.flush();
    CHECK(makes == 1);
    CHECK(made == 1);
    CHECK(right == 64);
    CHECK(accepted == 64);
    CHECK(said.count() == 0);
}

TEST_CASE("threads that ask for many keys, publish and forget get right answers only") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 40; ++round) {
                const int number = (i + round) % 10;
                const auto found = store.find_or_make(
                    key_of(number), [&](const jit_cache::miss&) { return artifact_of(number); }, nullptr);
                if (found.value->payload != artifact_of(number).payload) ++wrong;
                if (found.from == origin::made) store.publish(key_of(number), found.value);
                if (round % 7 == 0) store.forget_memory();
                if (round % 11 == 0) (void)store.peek(key_of(number));
            }
        });
    }
    for (std::thread& one : threads) one.join();
    CHECK(wrong == 0);
    CHECK(said.count() == 0);
}

TEST_CASE("case 38: when the maker throws, those who wait get the same error, and the next call tries again") {
    jit_cache::store store({});
    std::atomic<int> makes{0};
    std::atomic<int> errors{0};
    std::atomic<bool> failing{true};
    std::atomic<int> asked{0};
    const auto make = [&](const jit_cache::miss&) -> artifact {
        ++makes;
        // Long enough for the others to be waiting: each of them says that it is about to ask.
        while (asked < 8) std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(250));
        if (failing) throw std::runtime_error("the compiler said no");
        return artifact_of(1);
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&] {
            ++asked;
            try {
                (void)store.find_or_make(key_of(1), make, nullptr);
            } catch (const std::runtime_error& error) {
                if (std::string(error.what()) == "the compiler said no") ++errors;
            }
        });
    }
    for (std::thread& one : threads) one.join();
    CHECK(errors == 8);
    CHECK(makes == 1);
    failing = false;
    CHECK(store.find_or_make(key_of(1), make, nullptr).from == origin::made);
    CHECK(makes == 2);
}

TEST_CASE("an artifact in memory that is refused is made again, without a look at the disk") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    ask(store, 1);
    int makes = 0;
    const auto found = store.find_or_make(
        key_of(1),
        [&](const jit_cache::miss&) {
            ++makes;
            return artifact{.payload = "second", .facts = {}};
        },
        [](const artifact& offered, origin) { return offered.payload == "second"; });
    CHECK(makes == 1);
    CHECK(found.from == origin::made);
    CHECK(store
              .find_or_make(
                  key_of(1), [](const jit_cache::miss&) { return artifact{}; }, nullptr)
              .value->payload == "second");
}

TEST_CASE("an artifact that its own maker refuses is an error, and is not kept") {
    jit_cache::store store({});
    CHECK_THROWS_AS((void)store.find_or_make(
                        key_of(1), [](const jit_cache::miss&) { return artifact_of(1); },
                        [](const artifact&, origin) { return false; }),
                    std::logic_error);
    CHECK(store.peek(key_of(1)).from == origin::made);
}

TEST_CASE("an error while a binary from the disk is being loaded keeps the entry") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    jit_cache::store store(settings_for(folder.cache(), said));
    CHECK_THROWS_AS((void)store.find_or_make(
                        key_of(1), [](const jit_cache::miss&) { return artifact_of(1); },
                        [](const artifact&, origin) -> bool { throw std::runtime_error("out of memory"); }),
                    std::runtime_error);
    CHECK(ask(store, 1).from == origin::disk);
    CHECK(said.count() == 0);
}

TEST_CASE("a make that asks for its own key gets an error instead of waiting for itself") {
    jit_cache::store store({});
    const auto recursive = [&](const jit_cache::miss&) -> artifact {
        (void)store.find_or_make(
            key_of(1), [](const jit_cache::miss&) { return artifact_of(1); }, nullptr);
        return artifact_of(1);
    };
    CHECK_THROWS_AS((void)store.find_or_make(key_of(1), recursive, nullptr), std::logic_error);
    CHECK(ask(store, 1).right);
}

TEST_CASE("a make may ask for another key") {
    jit_cache::store store({});
    const auto nested = [&](const jit_cache::miss&) -> artifact {
        return *store
                    .find_or_make(
                        key_of(2), [](const jit_cache::miss&) { return artifact_of(2); }, nullptr)
                    .value;
    };
    CHECK(store.find_or_make(key_of(1), nested, nullptr).value->payload == artifact_of(2).payload);
}

TEST_CASE("a store without a folder keeps to memory and says nothing") {
    warnings said;
    jit_cache::store store(settings_for({}, said));
    CHECK(ask(store, 1).from == origin::made);
    CHECK(ask(store, 1).from == origin::memory);
    CHECK(store.file_of(key_of(1)).empty());
    store.forget_memory();
    CHECK(ask(store, 1).from == origin::made);
    CHECK(said.count() == 0);
}

TEST_CASE("a warning sink that throws harms nobody") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    overwrite(file_of(folder.cache(), 1), "garbage");
    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.warn = [](std::string_view) { throw std::runtime_error("no log"); };
    jit_cache::store store(settings);
    CHECK(ask(store, 1).right);
}
