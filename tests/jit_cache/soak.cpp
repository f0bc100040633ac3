// soak store|kernels [--processes N] [--seconds N] [--kernels N] [--real N] [--tool KILN_CACHE]
// Dozens of processes at work on one folder whose bound is a tenth of what they need, for as long as is asked, with one of them
// killed each second and replaced, and the folder collected and verified beside them. Nothing may go wrong: no wrong answer,
// no word on standard error, no damaged entry, no descriptor, mapping or temporary left over, and no bound passed by more than
// is promised. That is of the bytes of all entries together: for each of the processes, a 64th of the bound and an entry more,
// for it looks at the folder when it has published so much, and a tenth more, for a sample is wrong by that at times; and no
// byte more than the bound after `kiln-cache gc`.
#include "soak.hpp"
#include "soak_processes.hpp"

#include <jit_cache/folder.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// Stacks and heaps that the C library keeps for threads to come, and libraries that the first compile loads. Whoever leaked
// one for each question would have a hundred.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::ptrdiff_t most_mappings_more = 10'000;  // these keep what was given back
#else
constexpr std::ptrdiff_t most_mappings_more = 50;
#endif

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
    const bool is_known = given.worker == "store" || given.worker == "kernels";
    if (!is_known || given.tool.empty() || given.processes < 1 || given.kernels < 1)
        throw std::runtime_error("usage: soak store|kernels --tool KILN_CACHE [--processes N] [--seconds N] ...");
    return given;
}

/// Entries as they lie in the folder, not as the library sees them.
struct listing {
    std::uint64_t bytes = 0;
    std::uint64_t largest_bytes = 0;
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
            found.largest_bytes = std::max(found.largest_bytes, bytes);
            ++found.entries;
        }
    }
    return found;
}

class soak_run {
public:
    soak_run(options given, fs::path base) : given_(std::move(given)), base_(std::move(base)) {
        for (const char* each : {"output", "tmp", "templates"}) fs::create_directories(base_ / each);
        // kiln's workers take these from their environment.
        ::setenv("TMPDIR", (base_ / "tmp").c_str(), 1);
        ::setenv("KILN_DEVICE", "cpu", 1);
        ::setenv("KILN_CPU", "compile", 1);
        const std::string compiler = (soak::own_folder() / "soak_compiler").string();
        ::setenv("KILN_CXX", ("'" + compiler + "' '" + (base_ / "templates").string() + "' c++").c_str(), 1);
    }

    int run() {
        max_bytes_ = mean_entry_bytes() * static_cast<std::uint64_t>(given_.kernels) / 10;
        std::printf("%d processes, %d kernels, bound %.1f MB, %d s\n", given_.processes, given_.kernels,
                    static_cast<double>(max_bytes_) * 1e-6, given_.seconds);
        std::fflush(stdout);
        {
            const std::jthread collector([this](const std::stop_token& over) { collect(over); });
            const std::jthread verifier([this](const std::stop_token& over) { verify(over); });
            work();
        }
        end();
        report();
        return wrong_.count() == 0 ? 0 : 1;
    }

private:
    [[nodiscard]] std::vector<std::string> command(int life, std::uint64_t max_bytes, int real) const {
        return {(soak::own_folder() / ("soak_" + given_.worker)).string(),
                folder_.string(),
                std::to_string(max_bytes),
                std::to_string(given_.kernels),
                std::to_string(life),
                std::to_string(real)};
    }

    [[nodiscard]] fs::path output_of(const std::string& name) const { return base_ / "output" / name; }

    ::pid_t start(int life) const {
        return soak::start(command(life, max_bytes_, given_.real), output_of(std::to_string(life)));
    }

    /// Of the kernels that one life asks for, without a bound. All from the stub, as nearly all are.
    std::uint64_t mean_entry_bytes() {
        const fs::path output = output_of("first");
        const int status = soak::wait_for(soak::start(command(0, std::uint64_t{1} << 30, 0), output));
        const soak::said said = soak::take_output(output);
        if (const std::string failed = soak::how_it_failed(status); !failed.empty())
            throw std::runtime_error("the first worker: " + failed + "\n" + said.errors);
        const listing present = list(folder_);
        if (present.entries == 0) throw std::runtime_error("the first worker published nothing");
        return present.bytes / present.entries;
    }

    /// One that was cut short comes again, so that all kernels have their turn.
    int next_life() {
        ++workers_;
        if (cut_short_.empty()) return lives_++;
        const int life = cut_short_.back();
        cut_short_.pop_back();
        return life;
    }

    void work() {
        const clock::time_point begin = clock::now();
        const clock::time_point deadline = begin + std::chrono::seconds(given_.seconds);
        const clock::time_point last_moment = deadline + std::chrono::minutes(2);
        clock::time_point next_kill = begin + std::chrono::seconds(1);
        clock::time_point next_look = begin;
        std::minstd_rand random(1);
        std::map<::pid_t, worker> running;
        while (clock::now() < deadline || !running.empty()) {
            while (clock::now() < deadline && static_cast<int>(running.size()) < given_.processes) {
                const int life = next_life();
                running[start(life)].life = life;
            }
            if (clock::now() >= next_kill && !running.empty()) {
                auto victim = running.begin();
                std::advance(victim, random() % running.size());
                ::kill(victim->first, SIGKILL);
                victim->second.was_killed = true;
                ++kills_;
                next_kill += std::chrono::seconds(1);
            }
            if (clock::now() >= next_look) {
                look();
                next_look = clock::now() + milliseconds(500);
            }
            if (clock::now() > last_moment) {
                wrong_.add(std::to_string(running.size()) + " workers do not end");
                for (const auto& [process, each] : running) ::kill(process, SIGKILL);
                for (const auto& [process, each] : running) soak::wait_for(process);
                return;
            }
            const std::size_t ended = std::erase_if(running, [this](const auto& each) {
                int status = 0;
                if (!soak::has_ended(each.first, status)) return false;
                judge(each.second, status);
                return true;
            });
            if (ended == 0) std::this_thread::sleep_for(milliseconds(5));
        }
    }

    struct worker {
        int life = 0;
        bool was_killed = false;
    };

    /// Of a worker that has ended.
    void judge(const worker& each, int status) {
        const soak::said said = soak::take_output(output_of(std::to_string(each.life)));
        const std::string name = "worker " + std::to_string(each.life);
        if (!said.errors.empty()) wrong_.add(name + " said: " + said.errors);
        if (each.was_killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
            cut_short_.push_back(each.life);
            return;
        }
        if (const std::string failed = soak::how_it_failed(status); !failed.empty()) {
            wrong_.add(name + ": " + failed);
            return;
        }
        soak::told told;
        if (!told.read(said.output)) {
            wrong_.add(name + " does not say what it did: " + said.output);
            return;
        }
        asked_ += told.asked;
        made_ += told.made;
        from_disk_ += told.from_disk;
        for (int place = 0; place < soak::own_part; ++place)
            own_kernels_.insert(soak::own_kernel(each.life, place, given_.kernels));
        most_mappings_ = std::max(most_mappings_, told.more.other_mappings);
        const auto left = [&](std::ptrdiff_t count, std::ptrdiff_t most, const char* what) {
            if (count > most) wrong_.add(name + " left " + std::to_string(count) + what);
        };
        left(told.more.descriptors, 0, " descriptors open");
        left(told.more.kernels, told.made + told.from_disk, " kernels mapped");
        left(told.more.other_mappings, most_mappings_more, " mappings");
    }

    void look() {
        const listing present = list(folder_);
        const auto bound = static_cast<double>(max_bytes_);
        const double full = static_cast<double>(present.bytes) / bound;
        fullest_ = std::max(fullest_, full);
        largest_bytes_ = std::max(largest_bytes_, present.largest_bytes);
        const double most = 1.1 + given_.processes * (1.0 / 64 + static_cast<double>(largest_bytes_) / bound);
        if (full > most)
            wrong_.add("the folder holds " + std::to_string(full) + " of its bound, more than " + std::to_string(most));
    }

    /// `kiln-cache gc` in a loop for four seconds, or half of what there is, and then for as long not: the processes must keep the bound
    /// without it.
    void collect(const std::stop_token& over) {
        const clock::time_point begin = clock::now();
        const clock::duration turn = milliseconds(std::clamp(given_.seconds * 500, 1, 4000));
        while (!over.stop_requested()) {
            if ((clock::now() - begin) / turn % 2 == 0) {
                run_tool({"gc", "--max-size", std::to_string(max_bytes_)});
                ++collected_;
            }
            std::this_thread::sleep_for(milliseconds(100));
        }
    }

    void verify(const std::stop_token& over) {
        while (!over.stop_requested()) {
            // "171 entries of 4.1 MB whole in ..."
            verified_ += std::atoi(run_tool({"verify"}).c_str());
            std::this_thread::sleep_for(milliseconds(500));
        }
    }

    /// What it printed.
    std::string run_tool(const std::vector<std::string>& words) {
        std::vector<std::string> command{given_.tool, "--dir", folder_.string()};
        command.insert(command.end(), words.begin(), words.end());
        const fs::path output = output_of(words[0]);
        const int status = soak::wait_for(soak::start(command, output));
        soak::said said = soak::take_output(output);
        const std::string failed = soak::how_it_failed(status);
        if (!failed.empty() || !said.errors.empty())
            wrong_.add(words[0] + ": " + failed + "\n" + said.output + said.errors);
        return said.output;
    }

    /// One more process, as the next day: it sweeps what the killed ones left. Then gc, which keeps bounds to the byte.
    void end() {
        const int life = next_life();
        judge({.life = life}, soak::wait_for(start(life)));
        look();
        run_tool({"gc", "--max-size", std::to_string(max_bytes_)});
        const listing left = list(folder_);
        if (left.bytes > max_bytes_) wrong_.add("after gc the folder holds more than its bound");
        if (left.temporaries != 0) wrong_.add(std::to_string(left.temporaries) + " temporaries are left");
        for (const auto& each : fs::directory_iterator(base_ / "tmp"))
            wrong_.add("left in the temporary folder: " + each.path().string());
    }

    void report() const {
        std::printf(
            "%d workers, %d of them killed; %lld questions, for %zu kernels at least: %lld made, %lld from disk; %lld "
            "entries verified, gc %lld times; the folder was %.3f of its bound at most; %td mappings more at most; %d "
            "wrong\n",
            workers_, kills_, asked_, own_kernels_.size(), made_, from_disk_, verified_, collected_, fullest_,
            most_mappings_, wrong_.count());
    }

    const options given_;
    const fs::path base_;
    const fs::path folder_ = base_ / "cache";
    std::uint64_t max_bytes_ = 0;
    troubles wrong_;
    long long verified_ = 0;   // by its thread alone, until that has ended
    long long collected_ = 0;  // likewise
    int lives_ = 0;
    std::vector<int> cut_short_;
    int workers_ = 0;
    int kills_ = 0;
    long long asked_ = 0;
    long long made_ = 0;
    long long from_disk_ = 0;
    std::set<int> own_kernels_;  // of lives that came to their end: each was asked for
    double fullest_ = 0;
    std::uint64_t largest_bytes_ = 0;  // of an entry
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
