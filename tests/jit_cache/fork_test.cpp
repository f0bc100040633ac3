// tests/jit_cache/fork: a child has neither its parent's threads nor a claim on its parent's locks.
#include "support.hpp"

#include <doctest/doctest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

using jit_cache::artifact;
using jit_cache::origin;
using namespace support;

TEST_CASE("a child of fork finds what the parent published, makes and publishes on its own, and ends") {
    const temporary_folder folder;
    warnings said;
    auto store = std::make_unique<jit_cache::store>(settings_for(folder.cache(), said));
    ask(*store, 1);
    const std::string trouble = in_child([&]() -> std::string {
        if (ask(*store, 1).from != origin::disk) return "the parent's entry is not found";
        if (ask(*store, 2).makes != 1) return "not made in the child";
        store->flush();
        if (!fs::exists(file_of(folder.cache(), 2))) return "not published by the child";
        store.reset();
        return "";
    });
    CHECK(trouble == "");
    store->forget_memory();
    CHECK(ask(*store, 2).from == origin::disk);
    CHECK(ask(*store, 3).right);
    CHECK(said.count() == 0);
}

TEST_CASE("a child that never touches the store ends it without waiting") {
    const temporary_folder folder;
    warnings said;
    auto store = std::make_unique<jit_cache::store>(settings_for(folder.cache(), said));
    ask(*store, 1);
    CHECK(in_child([&]() -> std::string {
              store.reset();
              return "";
          }) == "");
}

TEST_CASE("case 32: a child forked while another thread makes the same key does not wait for that thread") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    std::atomic<bool> making{false};
    std::atomic<bool> forked{false};
    std::thread maker([&] {
        (void)store.find_or_make(
            key_of(1),
            [&](const jit_cache::miss&) {
                making = true;
                while (!forked) std::this_thread::sleep_for(std::chrono::milliseconds(1));
                return artifact_of(1);
            },
            nullptr);
    });
    while (!making) std::this_thread::yield();
    const std::string trouble = in_child([&]() -> std::string {
        const outcome result = ask(store, 1);
        return result.makes == 1 && result.right ? "" : "not made in the child";
    });
    forked = true;
    maker.join();
    CHECK(trouble == "");
    CHECK(ask(store, 1).right);
}

#ifndef __SANITIZE_ADDRESS__  // its allocator's own locks do not survive a fork beside other threads (GCC 12)
TEST_CASE("case 49: children forked at any moment of other threads' work do not hang") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    std::atomic<bool> ending{false};
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&, i] {
            for (int number = i; !ending; number = (number + 1) % 20) {
                const auto found = store.find_or_make(
                    key_of(number), [&](const jit_cache::miss&) { return artifact_of(number); }, nullptr);
                if (found.from == origin::made) store.publish(key_of(number), found.value);
                if (number == 0) store.forget_memory();
            }
        });
    }
    std::string trouble;
    for (int i = 0; i < 20; ++i) {
        trouble += in_child([&]() -> std::string {
            for (int number = 0; number < 3; ++number) {
                const auto found = store.find_or_make(
                    key_of(number), [&](const jit_cache::miss&) { return artifact_of(number); }, nullptr);
                if (found.value->payload != artifact_of(number).payload) return "a wrong answer";
                store.publish(key_of(number), found.value);
            }
            store.flush();
            return "";
        });
    }
    ending = true;
    for (std::thread& one : threads) one.join();
    CHECK(trouble == "");
}
#endif

TEST_CASE("a make that forks leaves parent and child with an answer each") {
    const temporary_folder folder;
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    std::string trouble;
    const auto found = store.find_or_make(
        key_of(1),
        [&](const jit_cache::miss&) {
            trouble =
                in_child([&]() -> std::string { return ask(store, 1).right ? "" : "a wrong answer in the child"; });
            return artifact_of(1);
        },
        nullptr);
    CHECK(trouble == "");
    CHECK(found.value->payload == artifact_of(1).payload);
    CHECK(ask(store, 1).from == origin::memory);
}

TEST_CASE("a child that comes out of its parent's make goes on") {
    const temporary_folder folder;
    warnings said;
    const std::string trouble = in_child([&]() -> std::string {
        jit_cache::store store(settings_for(folder.cache(), said));
        ask(store, 5);  // a publisher thread is there
        ::pid_t child = -1;
        const auto found = store.find_or_make(
            key_of(1),
            [&](const jit_cache::miss&) {
                child = ::fork();
                return artifact_of(1);
            },
            nullptr);
        if (child == 0) {
            ::alarm(10);
            const bool right =
                found.value->payload == artifact_of(1).payload && ask(store, 1).right && ask(store, 2).right;
            ::_exit(right ? 0 : 1);
        }
        int status = 0;
        if (::waitpid(child, &status, 0) != child || status != 0) return "the child failed";
        return ask(store, 1).from == origin::memory ? "" : "the parent's slot is gone";
    });
    CHECK(trouble == "");
}
