// tests/jit_cache/miss: why something was not found, as the store tells it.
#include "support.hpp"

#include "entry.hpp"

#include <doctest/doctest.h>

#include <sys/stat.h>

#include <chrono>
#include <utility>

using jit_cache::key;
using jit_cache::miss;
using jit_cache::miss_reason;
using jit_cache::origin;
using namespace support;

namespace {

struct fields {
    std::string expression = "x0 + x0";
    std::string source = "y = x + x;";
    std::string target = "sm_90";
    std::string compiler = "NVRTC 13.0";
    std::string options = "--fmad=false";
    std::string generator = "kiln 8";
};

key key_with(const fields& of) {
    return key()
        .add("expression", of.expression)
        .add("source", of.source)
        .add("target", of.target)
        .add("compiler", of.compiler)
        .add("options", of.options)
        .add("generator", of.generator);
}

void publish(const fs::path& directory, const fields& of, const std::string& created = "1") {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    store.publish(
        key_with(of),
        std::make_shared<jit_cache::artifact>(jit_cache::artifact{
            .payload = of.compiler + "'s binary", .facts = {{.name = "created", .value = created}}, .extras = {}}));
    store.flush();
    REQUIRE(said.count() == 0);
}

/// Both ways to ask must agree.
miss why_missed(const fs::path& directory, const key& wanted) {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    const jit_cache::prediction predicted = store.peek(wanted);
    miss told;
    const jit_cache::found found = store.find_or_make(
        wanted,
        [&](const miss& why) {
            told = why;
            return jit_cache::artifact{.payload = "made", .facts = {}, .extras = {}};
        },
        nullptr);
    CHECK(found.from == origin::made);
    CHECK(predicted.from == origin::made);
    CHECK(found.missed.why == told.why);
    CHECK(predicted.missed.why == told.why);
    CHECK(predicted.missed.differences().size() == told.differences().size());
    return told;
}

}  // namespace

TEST_CASE("a miss of what was never stored says so") {
    const temporary_folder folder;
    CHECK(why_missed(folder.cache(), key_with({})).why == miss_reason::never_stored);
    publish(folder.cache(), {.expression = "x0 * x0"});
    CHECK(why_missed(folder.cache(), key_with({})).why == miss_reason::never_stored);
}

TEST_CASE("a miss names the fields in which the nearest stored key differs, and both values") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    for (const auto& [changed, of] :
         {std::pair{"target", fields{.target = "sm_80"}}, std::pair{"compiler", fields{.compiler = "NVRTC 12.9"}},
          std::pair{"options", fields{.options = "--fmad=true"}},
          std::pair{"generator", fields{.generator = "kiln 9"}}}) {
        const std::string field = changed;  // CAPTURE is a lambda, and clang++ 14 lets none refer to `changed`
        CAPTURE(field);
        const miss why = why_missed(folder.cache(), key_with(of));
        CHECK(why.why == miss_reason::other_fields);
        REQUIRE(why.differences().size() == 1);
        CHECK(why.differences()[0].field == field);
        CHECK(why.differences()[0].stored == *key_with({}).field(field));
        CHECK(why.differences()[0].wanted == *key_with(of).field(field));
    }
    const miss layout = why_missed(folder.cache(), key_with({.source = "y = x[2 * i];"}));
    REQUIRE(layout.differences().size() == 1);
    CHECK(layout.differences()[0].field == "source");
}

TEST_CASE("of several stored keys the nearest is compared with, the same source before others") {
    const temporary_folder folder;
    for (int i = 0; i < 30; ++i) publish(folder.cache(), {.source = "another layout " + std::to_string(i)});
    publish(folder.cache(), {.target = "sm_80", .compiler = "NVRTC 12.9"});
    publish(folder.cache(), {.compiler = "NVRTC 12.9"});
    const miss why = why_missed(folder.cache(), key_with({}));
    REQUIRE(why.differences().size() == 1);
    CHECK(why.differences()[0].field == "compiler");
    CHECK(why.differences()[0].stored == "NVRTC 12.9");
}

TEST_CASE("without hints, and where others have their place, the listing of the folder tells the same") {
    const temporary_folder folder;
    const fs::path hints = root_of(folder.cache()) / "hints";
    for (int i = 0; i < 10; ++i) publish(folder.cache(), {.source = "another layout " + std::to_string(i)});
    publish(folder.cache(), {.target = "sm_80"});
    const auto tells_the_same = [&](const std::string& with) {
        CAPTURE(with);
        const miss why = why_missed(folder.cache(), key_with({}));
        REQUIRE(why.differences().size() == 1);
        CHECK(why.differences()[0].field == "target");
        CHECK(why_missed(folder.cache(), key_with({.expression = "x0 - x0"})).why == miss_reason::never_stored);
    };
    tells_the_same("hints");
    overwrite(hints, "");
    tells_the_same("an empty file of hints");
    overwrite(hints, std::string(2'000'000, '\xff'));
    tells_the_same("hints of strangers");
    fs::remove(hints);
    tells_the_same("no hints");
    fs::create_directory(hints);
    tells_the_same("a folder in their place");
}

TEST_CASE("a relative that is gone when its key is asked for has no differences to tell") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    const miss why = why_missed(folder.cache(), key_with({.target = "sm_80"}));
    CHECK(why.why == miss_reason::other_fields);
    CHECK(why.differences().size() == 1);
    fs::remove_all(root_of(folder.cache()));
    CHECK(why.differences().empty());
}

TEST_CASE("a family that was evicted whole is not named as a relative") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    publish(folder.cache(), {.target = "sm_80"});
    jit_cache::sweep(folder.cache(), 1, 1);
    CHECK(why_missed(folder.cache(), key_with({.target = "sm_80"})).why == miss_reason::evicted);
    CHECK(why_missed(folder.cache(), key_with({.source = "y = x[2 * i];"})).why == miss_reason::never_stored);
}

TEST_CASE("long values are not dragged along") {
    const temporary_folder folder;
    publish(folder.cache(), {.source = std::string(100'000, 'x')});
    const miss why = why_missed(folder.cache(), key_with({.source = std::string(100'000, 'y')}));
    REQUIRE(why.differences().size() == 1);
    CHECK(why.differences()[0].stored.empty());
    CHECK(why.differences()[0].wanted.empty());
}

TEST_CASE("what was evicted is known to have been, until it is stored again") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    for (int number = 0; number < 20; ++number) {
        warnings said;
        jit_cache::settings settings = settings_for(folder.cache(), said);
        settings.max_entries = 5;
        jit_cache::store store(settings);
        ask(store, number);
    }
    // Which went first, equal time stamps leave open: the first five of twenty went in any case.
    CHECK(why_missed(folder.cache(), key_of(0)).why == miss_reason::evicted);
    CHECK(why_missed(folder.cache(), key_of(1000)).why == miss_reason::never_stored);
    warnings said;
    CHECK(ask_anew(folder.cache(), said, 0).right);
    CHECK(ask_anew(folder.cache(), said, 0).from == origin::disk);
    fs::remove(file_of(folder.cache(), 0));
    CHECK(why_missed(folder.cache(), key_of(0)).why == miss_reason::never_stored);
}

TEST_CASE("a damaged list of what was evicted changes nothing but what is told") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    for (const std::string& bytes : {std::string(), std::string("x"), std::string(100'000, '\xff')}) {
        overwrite(root_of(folder.cache()) / "hints", bytes);
        ::chmod((root_of(folder.cache()) / "hints").c_str(), 0600);
        CHECK(why_missed(folder.cache(), key_of(3)).why == miss_reason::never_stored);
        jit_cache::sweep(folder.cache(), 1, 1);
        publish(folder.cache(), {});
    }
    fs::remove(root_of(folder.cache()) / "hints");
    fs::create_directory(root_of(folder.cache()) / "hints");
    jit_cache::sweep(folder.cache(), 1, 1);
    warnings said;
    CHECK(ask_anew(folder.cache(), said, 1).right);
    CHECK(said.count() == 0);
}

TEST_CASE("damage, distrust, a later format and a lack of permission are reasons of their own") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    const std::string name = jit_cache::to_hex(key_with({}).name());
    const fs::path file = root_of(folder.cache()) / name.substr(0, 2) / name;
    const std::string good = contents(file);
    ::chmod(file.c_str(), 0666);
    CHECK(why_missed(folder.cache(), key_with({})).why == miss_reason::untrusted);
    ::chmod(file.c_str(), 0600);
    overwrite(file, good.substr(0, good.size() / 2));
    const miss corrupt = why_missed(folder.cache(), key_with({}));
    CHECK(corrupt.why == miss_reason::corrupt);
    CHECK(corrupt.detail.find(file.string()) != std::string::npos);
    if (!is_root()) {
        ::chmod(file.c_str(), 0);
        CHECK(why_missed(folder.cache(), key_with({})).why == miss_reason::unreadable);
        ::chmod(file.c_str(), 0600);
    }
    ::chmod(folder.cache().c_str(), 0777);
    CHECK(why_missed(folder.cache(), key_with({})).why == miss_reason::untrusted);
    ::chmod(folder.cache().c_str(), 0700);
    CHECK(why_missed({}, key_with({})).why == miss_reason::no_folder);
}

TEST_CASE("a binary that is refused by the loader is missed as such") {
    const temporary_folder folder;
    publish(folder.cache(), {});
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    const jit_cache::found found = store.find_or_make(
        key_with({}), [](const miss&) { return jit_cache::artifact{.payload = "new", .facts = {}, .extras = {}}; },
        [](const jit_cache::artifact&, origin from) { return from == origin::made; });
    CHECK(found.from == origin::made);
    CHECK(found.missed.why == miss_reason::rejected);
}

TEST_CASE("every reason has a name and words, and no two the same") {
    for (std::size_t i = 0; i < jit_cache::miss_reason_count; ++i) {
        CHECK_FALSE(jit_cache::miss_reason_names[i].empty());
        CHECK_FALSE(jit_cache::miss_reason_words[i].empty());
        for (std::size_t j = 0; j < i; ++j) {
            CHECK(jit_cache::miss_reason_names[i] != jit_cache::miss_reason_names[j]);
            CHECK(jit_cache::miss_reason_words[i] != jit_cache::miss_reason_words[j]);
        }
    }
}

TEST_CASE("case 63: where a field is free, what was stored with another value is taken, the one created last") {
    const temporary_folder folder;
    publish(folder.cache(), {.compiler = "NVRTC 12.0"}, "100");
    publish(folder.cache(), {.compiler = "NVRTC 12.9"}, "300");
    publish(folder.cache(), {.compiler = "NVRTC 12.4"}, "200");
    publish(folder.cache(), {.target = "sm_80", .compiler = "NVRTC 13.1"}, "400");
    warnings said;
    jit_cache::store store(settings_for(folder.cache(), said));
    const key wanted = key_with({.compiler = "no NVRTC"});
    const auto makes_nothing = [](const miss&) -> jit_cache::artifact { throw std::runtime_error("no compiler"); };

    CHECK(store.peek(wanted).from == origin::made);
    CHECK(store.peek(wanted, "compiler").from == origin::disk);
    const jit_cache::found found = store.find_or_make(wanted, makes_nothing, nullptr, "compiler");
    CHECK(found.from == origin::disk);
    CHECK(found.value->payload == "NVRTC 12.9's binary");
    REQUIRE(found.differences.size() == 1);
    CHECK(found.differences[0].stored == "NVRTC 12.9");

    // Only that field is free, and an exact match comes first.
    CHECK_THROWS(store.find_or_make(key_with({.compiler = "none", .options = "--fmad=true"}), makes_nothing, nullptr,
                                    "compiler"));
    CHECK(store.find_or_make(key_with({.compiler = "NVRTC 12.0"}), makes_nothing, nullptr, "compiler").value->payload ==
          "NVRTC 12.0's binary");
    // One that is refused is no answer, and neither replaced nor warned about.
    store.forget_memory();
    CHECK_THROWS(store.find_or_make(
        wanted, makes_nothing, [](const jit_cache::artifact&, origin) { return false; }, "compiler"));
    CHECK(said.count() == 0);
}
