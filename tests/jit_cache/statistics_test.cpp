// tests/jit_cache/statistics: what programs counted in a folder, and how little depends on it.
#include "support.hpp"

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

using jit_cache::miss_reason;
using jit_cache::origin;
using jit_cache::statistics;
using namespace support;

namespace {

std::uint64_t misses(const statistics& of, miss_reason why) { return of.misses[static_cast<std::size_t>(why)]; }

fs::path statistics_file(const fs::path& directory) { return root_of(directory) / "statistics"; }

}  // namespace

TEST_CASE("hits, misses with their reasons, publishes, evictions and the time saved are added up over processes") {
    const temporary_folder folder;
    warnings said;
    CHECK(jit_cache::read_statistics(folder.cache()).since_unix_s == 0);
    for (const int number : {1, 2, 3}) ask_anew(folder.cache(), said, number);
    for (const int number : {1, 2}) ask_anew(folder.cache(), said, number);
    overwrite(file_of(folder.cache(), 3), "");
    ask_anew(folder.cache(), said, 3);
    const statistics counted = jit_cache::read_statistics(folder.cache());
    CHECK(counted.since_unix_s > 1'700'000'000);
    CHECK(counted.disk_hits == 2);
    CHECK(counted.saved_ms == 2 * 32);  // 31.5 each
    CHECK(misses(counted, miss_reason::never_stored) == 3);
    CHECK(misses(counted, miss_reason::corrupt) == 1);
    CHECK(counted.published == 4);
    CHECK(counted.published_bytes == 4 * fs::file_size(file_of(folder.cache(), 3)));
    CHECK(counted.evicted == 0);

    jit_cache::settings settings = settings_for(folder.cache(), said);
    settings.max_entries = 2;
    std::vector<std::string> notes;
    settings.note = [&](std::string_view message) { notes.emplace_back(message); };
    {
        jit_cache::store store(settings);
        ask(store, 4);
    }
    CHECK(jit_cache::read_statistics(folder.cache()).evicted == 2);
    REQUIRE(notes.size() == 1);
    CHECK(notes[0].find("evicted 2") != std::string::npos);
}

TEST_CASE("case 42: a damaged statistics file counts from 0 again, and kernels are untouched") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    ask_anew(folder.cache(), said, 2);
    const std::string good = contents(statistics_file(folder.cache()));
    REQUIRE(good.size() == 1024);
    std::vector<std::string> damaged = {"", "x", std::string(10'000, '\xff'), std::string(1024, '\0'),
                                        good.substr(0, 700)};
    damaged[4].resize(300);
    for (const std::string& bytes : damaged) {
        overwrite(statistics_file(folder.cache()), bytes);
        CHECK(jit_cache::read_statistics(folder.cache()).disk_hits == 0);
        CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
        CHECK(jit_cache::read_statistics(folder.cache()).disk_hits == 1);
    }
    // One of the two copies torn: the other one, written before it, is taken.
    overwrite(statistics_file(folder.cache()), good);
    const std::uint64_t before = jit_cache::read_statistics(folder.cache()).published;
    REQUIRE(before == 2);
    for (const std::size_t copy : {std::size_t{0}, std::size_t{512}}) {
        std::string torn = good;
        torn[copy + 40] = static_cast<char>(torn[copy + 40] ^ 1);
        overwrite(statistics_file(folder.cache()), torn);
        CHECK(jit_cache::read_statistics(folder.cache()).published >= before - 1);
    }
    CHECK(said.count() == 0);
}

TEST_CASE("case 42: a statistics file that is a link, a FIFO, a folder or somebody else's is left alone") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const fs::path file = statistics_file(folder.cache());
    const fs::path target = folder.path() / "target";
    overwrite(target, "precious");
    const auto still_works = [&] {
        CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
        CHECK(jit_cache::read_statistics(folder.cache()).disk_hits == 0);
        CHECK(said.count() == 0);
    };
    fs::remove(file);
    fs::create_symlink(target, file);
    still_works();
    CHECK(contents(target) == "precious");
    fs::remove(file);
    REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
    still_works();
    fs::remove(file);
    fs::create_directory(file);
    still_works();
    fs::remove(file);
    overwrite(file, "precious");
    REQUIRE(::chmod(file.c_str(), 0666) == 0);
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
    CHECK(contents(file) == "precious");
}

TEST_CASE("case 24: a stopped process that holds every lock delays nobody for long") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    const ::pid_t holder = ::fork();
    if (holder == 0) {
        for (const fs::path& each : {statistics_file(folder.cache()), file_of(folder.cache(), 1), folder.cache()}) {
            const int held = ::open(each.c_str(), O_RDONLY);
            if (held < 0 || ::flock(held, LOCK_EX) != 0) ::_exit(1);
        }
        ::raise(SIGSTOP);
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(holder, &status, WUNTRACED) == holder);
    REQUIRE(WIFSTOPPED(status));
    const auto start = std::chrono::steady_clock::now();
    CHECK(ask_anew(folder.cache(), said, 1).from == origin::disk);
    CHECK(ask_anew(folder.cache(), said, 2).right);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
    CHECK(fs::exists(file_of(folder.cache(), 2)));
    ::kill(holder, SIGKILL);
    ::waitpid(holder, &status, 0);
    CHECK(said.count() == 0);
}

TEST_CASE("counting costs no process its answer, and what many count at once is not torn") {
    const temporary_folder folder;
    warnings said;
    ask_anew(folder.cache(), said, 1);
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i)
        threads.emplace_back([&] {
            for (int round = 0; round < 20; ++round) CHECK(ask_anew(folder.cache(), said, 1).right);
        });
    for (std::thread& each : threads) each.join();
    const statistics counted = jit_cache::read_statistics(folder.cache());
    CHECK(counted.disk_hits <= 160);
    CHECK(counted.disk_hits >= 1);
    CHECK(counted.published == 1);
    CHECK(said.count() == 0);
}
