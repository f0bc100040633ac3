// tests/jit_cache/settings: which folder, how large, and what is said when there is none.
#include "support.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

using namespace support;

namespace {

class variable {
public:
    variable(const char* name, const char* value) : name_(name) {
        value != nullptr ? ::setenv(name, value, 1) : ::unsetenv(name);
    }
    ~variable() { ::unsetenv(name_); }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;

private:
    const char* name_;
};

}  // namespace

TEST_CASE("the folder is KILN_CACHE_DIR, else XDG_CACHE_HOME's, else HOME's") {
    const variable home("HOME", "/h");
    CHECK(jit_cache::default_directory() == "/h/.cache/kiln");
    const variable xdg("XDG_CACHE_HOME", "/x");
    CHECK(jit_cache::default_directory() == "/x/kiln");
    const variable chosen("KILN_CACHE_DIR", "/c");
    CHECK(jit_cache::default_directory() == "/c");
}

TEST_CASE("a relative XDG_CACHE_HOME or HOME and empty variables are passed over") {
    const variable home("HOME", "/h");
    const variable xdg("XDG_CACHE_HOME", "relative");
    const variable chosen("KILN_CACHE_DIR", "");
    CHECK(jit_cache::default_directory() == "/h/.cache/kiln");
}

TEST_CASE("the environment is read at each call") {
    const variable first("KILN_CACHE_DIR", "/one");
    CHECK(jit_cache::default_directory() == "/one");
    const variable second("KILN_CACHE_DIR", "/two");
    CHECK(jit_cache::default_directory() == "/two");
}

TEST_CASE("the bound is read with K, M, G or T") {
    const auto bound = [](const char* text) {
        const variable size("KILN_CACHE_MAX_SIZE", text);
        return jit_cache::settings_from_environment().max_bytes;
    };
    CHECK(bound(nullptr) == std::uint64_t{1} << 30);
    CHECK(bound("12345") == 12345);
    CHECK(bound("3K") == 3072);
    CHECK(bound("5m") == 5 * 1024 * 1024);
    CHECK(bound("2G") == std::uint64_t{2} << 30);
    CHECK(bound("0.5T") == std::uint64_t{1} << 39);
    CHECK(bound("2GiB") == std::uint64_t{2} << 30);
}

TEST_CASE("a size is a number in powers of 1024, and nothing else") {
    CHECK(jit_cache::parse_size("0") == 0);
    CHECK(jit_cache::parse_size("512M") == std::uint64_t{512} << 20);
    CHECK(jit_cache::parse_size("18446744073709551615") == ~std::uint64_t{0});
    CHECK(jit_cache::parse_size("1T") == std::uint64_t{1} << 40);
    CHECK(jit_cache::parse_size("1.5G") == std::uint64_t{3} << 29);
    CHECK(jit_cache::parse_size("0.25TiB") == std::uint64_t{1} << 38);
    CHECK(jit_cache::parse_size("1.000001k") == 1024);
    CHECK(jit_cache::parse_size("16777215.999999T") == ~std::uint64_t{0} - ((std::uint64_t{1} << 40) / 1'000'000));
    for (const char* text : {"", "M", "-1", "1.5", "1.G", ".5G", "1.5.5G", "1.1234567G", "1.5e3M", "1P", "1 G",
                             "18446744073709551616", "17179869184G", "17179869184.5G", "16777216T", "2Gi", "0x10"}) {
        CAPTURE(text);
        CHECK_FALSE(jit_cache::parse_size(text));
    }
}

TEST_CASE("who named the folder is told with it") {
    const variable home("HOME", "/h");
    CHECK(jit_cache::find_default_directory().named_by == "HOME");
    {
        const variable relative("HOME", "h");
        const jit_cache::named_directory found = jit_cache::find_default_directory();
        CHECK(found.named_by == (found.path.empty() ? "" : "the passwd entry"));
    }
    const variable again("HOME", "/h");
    const variable xdg("XDG_CACHE_HOME", "/x");
    CHECK(jit_cache::find_default_directory().named_by == "XDG_CACHE_HOME");
    const variable chosen("KILN_CACHE_DIR", "/c");
    const jit_cache::named_directory found = jit_cache::find_default_directory();
    CHECK(found.named_by == "KILN_CACHE_DIR");
    CHECK(found.path == jit_cache::default_directory());
}

TEST_CASE("a bound that is no size leaves the bound as it is and is said once, by the store") {
    const variable home("HOME", "/nonexistent-home");
    for (const char* text : {"big", "-1", "1.5", "5P", "99999999999G", "1GG"}) {
        CAPTURE(text);
        const variable size("KILN_CACHE_MAX_SIZE", text);
        jit_cache::settings settings = jit_cache::settings_from_environment();
        CHECK(settings.max_bytes == std::uint64_t{1} << 30);
        const temporary_folder folder;
        warnings said;
        settings.directory = folder.cache();
        settings.warn = said.sink();
        jit_cache::store store(settings);
        ask(store, 1);
        ask(store, 2);
        CHECK(said.count() == 1);
        CHECK(said.name(text));
    }
}

TEST_CASE("case 20: without HOME and with an unknown uid, memory only and one warning") {
    if (!is_root()) {
        MESSAGE("skipped: taking on an unknown uid needs root");
        return;
    }
    const std::string trouble = in_child_as(3'999'999, []() -> std::string {
        if (!jit_cache::default_directory().empty()) return "a folder out of nowhere";
        warnings said;
        jit_cache::settings settings = jit_cache::settings_from_environment();
        settings.warn = said.sink();
        jit_cache::store store(settings);
        if (!ask(store, 1).right || !ask(store, 2).right) return "wrong answer";
        if (said.count() != 1 || !said.name("3999999")) return "not one warning that names the uid";
        return "";
    });
    CHECK(trouble == "");
}

TEST_CASE("read-only folders are listed with colons, and empty parts are passed over") {
    CHECK(jit_cache::settings_from_environment().read_only_directories.empty());
    const variable folders("KILN_CACHE_READONLY", "/opt/app/kernels::/usr/share/kernels:");
    const jit_cache::settings settings = jit_cache::settings_from_environment();
    REQUIRE(settings.read_only_directories.size() == 2);
    CHECK(settings.read_only_directories[0] == "/opt/app/kernels");
    CHECK(settings.read_only_directories[1] == "/usr/share/kernels");
}

TEST_CASE("another application has variables and a folder of its own") {
    const variable home("HOME", "/home/somebody");
    CHECK(jit_cache::default_directory("other") == "/home/somebody/.cache/other");
    const variable chosen("OTHER_CACHE_DIR", "/chosen");
    CHECK(jit_cache::default_directory("other") == "/chosen");
    CHECK(jit_cache::default_directory() == "/home/somebody/.cache/kiln");
}
