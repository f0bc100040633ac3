// soak WORKER [--processes N] [--seconds N] [--kernels N] [--real N] [--tool KILN_CACHE]
// Dozens of processes at work on one folder whose bound is a tenth of what they need, for as long as is asked, with one of them
// killed each second and replaced, and the folder collected and verified beside them. Nothing may go wrong: no wrong answer,
// no word on standard error, no damaged entry, no bound passed by more than is promised, and at the end no descriptor, mapping
// or temporary left over.
#include "soak.hpp"

#include <jit_cache/folder.hpp>

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

extern char** environ;

namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// A process looks at the folder when it has published a 64th of the bound; at worst all of them do so just before. And a
// sample is wrong by 10 in 100 at times.
double most_on_the_way(int processes) { return 1.1 + processes / 64.0; }
constexpr double most_at_the_end = 1.1;

// A shared object is mapped in up to six parts.
constexpr int mappings_per_kernel = 6;
constexpr int mappings_of_threads = 60;

std::string contents(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// What went wrong, from any thread; the first few are printed.
class troubles {
public:
    void add(const std::string& what) {
        const std::lock_guard lock(mutex_);
        if (++count_ <= 20) std::printf("WRONG: %s\n", what.c_str());
        std::fflush(stdout);
    }
    [[nodiscard]] int count() const {
        const std::lock_guard lock(mutex_);
        return count_;
    }

private:
    mutable std::mutex mutex_;
    int count_ = 0;
};

struct options {
    std::string worker;
    int processes = 32;
    int seconds = 600;
    int kernels = 10'000;
    int real = 200;
    std::string tool;
};

options parse(int count, char** arguments) {
    options given;
    for (int i = 1; i < count; ++i) {
        const std::string_view each = arguments[i];
        const auto value = [&] { return i + 1 < count ? arguments[++i] : ""; };
        if (each == "--processes") given.processes = std::atoi(value());
        else if (each == "--seconds") given.seconds = std::atoi(value());
        else if (each == "--kernels") given.kernels = std::atoi(value());
        else if (each == "--real") given.real = std::atoi(value());
        else if (each == "--tool") given.tool = value();
        else given.worker = each;
    }
    if (given.worker.empty() || given.processes < 1 || given.kernels < 1)
        throw std::runtime_error("usage: soak WORKER ...");
    return given;
}

/// Starts a program with its output in files. Returns its process number.
::pid_t start(const std::vector<std::string>& command, const fs::path& output) {
    ::posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    const std::string out = output.string() + ".out";
    const std::string errors = output.string() + ".err";
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, 1, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::posix_spawn_file_actions_addopen(&files, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<char*> arguments;
    for (const std::string& each : command) arguments.push_back(const_cast<char*>(each.c_str()));
    arguments.push_back(nullptr);
    ::pid_t child = -1;
    const int error = ::posix_spawn(&child, arguments[0], &files, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    if (error != 0) throw std::runtime_error("cannot start " + command[0]);
    return child;
}

int wait_for(::pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// Entries as they lie in the folder, not as the library sees them.
struct listing {
    std::uint64_t bytes = 0;
    std::uint64_t entries = 0;
    std::uint64_t temporaries = 0;
};

listing list(const fs::path& folder) {
    listing found;
    std::error_code gone;  // folders and files come and go meanwhile
    for (fs::directory_iterator shard(folder / jit_cache::format_folder, gone), end; !gone && shard != end;
         shard.increment(gone)) {
        if (!shard->is_directory(gone)) continue;
        std::error_code ended;
        for (fs::directory_iterator file(*shard, ended), last; !ended && file != last; file.increment(ended)) {
            if (file->path().filename().string().starts_with(".tmp-")) {
                ++found.temporaries;
                continue;
            }
            std::error_code removed;
            const std::uint64_t bytes = file->file_size(removed);
            if (removed) continue;
            found.bytes += bytes;
            ++found.entries;
        }
    }
    return found;
}

class soak_run {
public:
    soak_run(options given, fs::path base) : given_(std::move(given)), base_(std::move(base)) {
        for (const char* each : {"output", "tmp", "templates"}) fs::create_directories(base_ / each);
        fs::permissions(base_ / "tmp", fs::perms::owner_all);
        // kiln's workers take these from their environment.
        ::setenv("TMPDIR", (base_ / "tmp").c_str(), 1);
        ::setenv("SOAK_TEMPLATES", (base_ / "templates").c_str(), 1);
        ::setenv("KILN_CACHE_DIR", folder_.c_str(), 1);
    }

    int run() {
        max_bytes_ = std::numeric_limits<std::uint64_t>::max();
        max_bytes_ = mean_entry_bytes() * static_cast<std::uint64_t>(given_.kernels) / 10;
        ::setenv("KILN_CACHE_MAX_SIZE", std::to_string(max_bytes_).c_str(), 1);
        std::printf("%d processes, %d kernels, bound %.1f MB, %d s\n", given_.processes, given_.kernels,
                    static_cast<double>(max_bytes_) * 1e-6, given_.seconds);
        std::fflush(stdout);

        std::thread collector([this] { collect(); });
        std::thread verifier([this] { verify(); });
        work();
        ending_ = true;
        collector.join();
        verifier.join();
        end();
        report();
        return wrong_.count() == 0 ? 0 : 1;
    }

private:
    [[nodiscard]] std::vector<std::string> command(int life) const {
        return {given_.worker,
                folder_.string(),
                std::to_string(max_bytes_),
                std::to_string(given_.kernels),
                std::to_string(life),
                std::to_string(given_.real)};
    }

    [[nodiscard]] fs::path output_of(int life) const { return base_ / "output" / std::to_string(life); }

    /// Of the kernels that the first life asks for, without a bound.
    std::uint64_t mean_entry_bytes() {
        ::setenv("KILN_CACHE_MAX_SIZE", "1G", 1);
        const int life = lives_++;
        judge(life, wait_for(start(command(life), output_of(life))), false);
        const listing present = list(folder_);
        if (present.entries == 0) throw std::runtime_error("the first worker published nothing");
        return present.bytes / present.entries;
    }

    void work() {
        const clock::time_point begin = clock::now();
        const clock::time_point deadline = begin + std::chrono::seconds(given_.seconds);
        clock::time_point next_kill = begin + std::chrono::seconds(1);
        clock::time_point next_look = begin;
        std::minstd_rand random(1);
        std::map<::pid_t, int> running;  // to the number of the life
        std::map<::pid_t, bool> killed;
        while (clock::now() < deadline || !running.empty()) {
            while (clock::now() < deadline && static_cast<int>(running.size()) < given_.processes) {
                const int life = lives_++;
                running[start(command(life), output_of(life))] = life;
            }
            if (clock::now() >= next_kill && !running.empty()) {
                auto victim = running.begin();
                std::advance(victim, random() % running.size());
                ::kill(victim->first, SIGKILL);
                killed[victim->first] = true;
                ++kills_;
                next_kill += std::chrono::seconds(1);
            }
            if (clock::now() >= next_look) {
                look(most_on_the_way(given_.processes));
                next_look = clock::now() + milliseconds(500);
            }
            if (clock::now() > deadline + std::chrono::minutes(2)) {
                wrong_.add(std::to_string(running.size()) + " workers do not end");
                for (const auto& [process, life] : running) ::kill(process, SIGKILL);
            }
            int status = 0;
            const ::pid_t ended = ::waitpid(-1, &status, WNOHANG);
            if (const auto place = running.find(ended); place != running.end()) {
                judge(place->second, status, killed.erase(ended) > 0);
                running.erase(place);
            } else {
                std::this_thread::sleep_for(milliseconds(5));
            }
        }
    }

    /// Of a worker that has ended.
    void judge(int life, int status, bool was_killed) {
        const std::string errors = contents(output_of(life).string() + ".err");
        const std::string said = contents(output_of(life).string() + ".out");
        for (const char* each : {".err", ".out"}) fs::remove(output_of(life).string() + each);
        const std::string name = "worker " + std::to_string(life);
        if (!errors.empty()) wrong_.add(name + " said: " + errors);
        if (was_killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) return;
        if (WIFSIGNALED(status)) wrong_.add(name + " died of signal " + std::to_string(WTERMSIG(status)));
        else if (WEXITSTATUS(status) != 0) wrong_.add(name + " left with " + std::to_string(WEXITSTATUS(status)));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return;

        int asked = 0;
        int made = 0;
        int from_disk = 0;
        soak::holdings more;
        if (std::sscanf(said.c_str(), "asked %d made %d disk %d descriptors %td mappings %td", &asked, &made,
                        &from_disk, &more.descriptors, &more.mappings) != 5) {
            wrong_.add(name + " does not say what it did: " + said);
            return;
        }
        ++ended_;
        asked_ += asked;
        made_ += made;
        from_disk_ += from_disk;
        most_mappings_ = std::max(most_mappings_, more.mappings);
        if (more.descriptors != 0) wrong_.add(name + " left " + std::to_string(more.descriptors) + " descriptors open");
        if (more.mappings > mappings_of_threads + mappings_per_kernel * (made + from_disk))
            wrong_.add(name + " has " + std::to_string(more.mappings) + " mappings more");
    }

    void look(double most) {
        const listing present = list(folder_);
        const double full = static_cast<double>(present.bytes) / static_cast<double>(max_bytes_);
        fullest_ = std::max(fullest_, full);
        if (full > most) wrong_.add("the folder holds " + std::to_string(full) + " of its bound");
    }

    /// `kiln-cache gc` in a loop, and then for as long not: the processes must keep the bound without it.
    void collect() {
        const clock::time_point begin = clock::now();
        while (!ending_) {
            if ((clock::now() - begin) / std::chrono::seconds(4) % 2 == 0) {
                run_gc();
                ++collected_;
            }
            std::this_thread::sleep_for(milliseconds(100));
        }
    }

    void run_gc() {
        if (given_.tool.empty()) {
            const std::string trouble = jit_cache::sweep(folder_, max_bytes_, 20'000).trouble;
            if (!trouble.empty()) wrong_.add("gc: " + trouble);
            return;
        }
        const fs::path output = base_ / "output" / "gc";
        const int status = wait_for(start({given_.tool, "--dir", folder_.string(), "gc"}, output));
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
            wrong_.add("gc: " + contents(output.string() + ".out") + contents(output.string() + ".err"));
    }

    void verify() {
        while (!ending_) {
            const jit_cache::scan_result scanned = jit_cache::scan(folder_, jit_cache::depth::whole);
            for (const jit_cache::broken_file& each : scanned.broken) wrong_.add(each.file.string() + ": " + each.why);
            if (!scanned.trouble.empty()) wrong_.add("verify: " + scanned.trouble);
            verified_ += scanned.entries.size();
            std::this_thread::sleep_for(milliseconds(500));
        }
    }

    /// One more process, as the next day: it sweeps what the killed ones left. Then gc, which keeps bounds to the byte.
    void end() {
        const int life = lives_++;
        judge(life, wait_for(start(command(life), output_of(life))), false);
        look(most_at_the_end);
        run_gc();
        const listing left = list(folder_);
        if (left.bytes > max_bytes_) wrong_.add("after gc the folder holds more than its bound");
        if (left.temporaries != 0) wrong_.add(std::to_string(left.temporaries) + " temporaries are left");
        for (const auto& each : fs::directory_iterator(base_ / "tmp"))
            wrong_.add("left in the temporary folder: " + each.path().string());
    }

    void report() const {
        const auto distinct = std::min<std::int64_t>(given_.kernels, std::int64_t{lives_} * soak::own_part);
        std::printf(
            "%d workers, %d of them killed; %lld questions for %lld kernels: %lld made, %lld from disk; %lld entries "
            "verified, "
            "gc %lld times; the folder was %.3f of its bound at most; %td mappings more at most; %d wrong\n",
            lives_, kills_, static_cast<long long>(asked_), static_cast<long long>(distinct),
            static_cast<long long>(made_), static_cast<long long>(from_disk_), static_cast<long long>(verified_),
            static_cast<long long>(collected_), fullest_, most_mappings_, wrong_.count());
    }

    const options given_;
    const fs::path base_;
    const fs::path folder_ = base_ / "cache";
    std::uint64_t max_bytes_ = 0;
    troubles wrong_;
    std::atomic<bool> ending_{false};
    std::atomic<std::uint64_t> verified_{0};
    std::atomic<std::int64_t> collected_{0};
    int lives_ = 0;
    int ended_ = 0;
    int kills_ = 0;
    std::int64_t asked_ = 0;
    std::int64_t made_ = 0;
    std::int64_t from_disk_ = 0;
    double fullest_ = 0;
    std::ptrdiff_t most_mappings_ = 0;
};

}  // namespace

int main(int count, char** arguments) try {
    options given = parse(count, arguments);
    std::string base = (fs::temp_directory_path() / "soak-XXXXXX").string();
    if (::mkdtemp(base.data()) == nullptr) throw std::runtime_error("cannot make " + base);
    const int result = soak_run(std::move(given), base).run();
    fs::remove_all(base);
    return result;
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "soak: %s\n", trouble.what());
    return 1;
}
