// A file through a chain on the CPU, without its pages in the system's cache: beside what reading and writing as many bytes takes by hand,
// in large pieces, by as many threads; and how much of the file is resident at a time.
//
//     cpu_file [--megabytes 1024] [--rounds 3] [--folder /tmp]
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

constexpr std::int64_t piece = std::int64_t{8} << 20;
constexpr std::int64_t header = 128;  // of the files' elements

class descriptor {
public:
    descriptor(const std::string& path, int flags) : native_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {
        if (native_ < 0) throw std::runtime_error("cannot open " + path);
    }
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { ::close(native_); }
    operator int() const { return native_; }

private:
    int native_;
};

/// None of its pages stay in the system's cache.
void forget(const std::string& path) {
    const descriptor file(path, O_RDONLY);
    ::fsync(file);
    ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
}

/// What `work` does with each piece of so many bytes, by as many threads as there are processors.
void in_pieces(std::int64_t bytes,
               const std::function<bool(std::byte* buffer, std::int64_t at, std::int64_t size)>& work) {
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> failed{false};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back([&] {
            const auto buffer = std::make_unique<std::byte[]>(static_cast<std::size_t>(piece));
            for (std::int64_t at = next.fetch_add(piece); at < bytes; at = next.fetch_add(piece))
                if (!work(buffer.get(), at, std::min(piece, bytes - at))) failed = true;
        });
    for (std::thread& each : threads) each.join();
    if (failed) throw std::runtime_error("a file could not be read or written");
}

double seconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// The most that was resident of this process, pages of files with it, while it lived.
class resident_peak {
public:
    resident_peak()
        : thread_([this] {
              while (!ends_) {
                  most_ = std::max(most_, now());
                  std::this_thread::sleep_for(std::chrono::milliseconds(2));
              }
          }) {}
    resident_peak(const resident_peak&) = delete;
    resident_peak& operator=(const resident_peak&) = delete;
    ~resident_peak() {
        if (thread_.joinable()) (void)bytes();
    }

    std::int64_t bytes() {
        ends_ = true;
        thread_.join();
        return most_;
    }

private:
    static std::int64_t now() {
        std::int64_t all = 0;
        std::int64_t resident = 0;
        std::ifstream("/proc/self/statm") >> all >> resident;
        return resident * ::sysconf(_SC_PAGESIZE);
    }

    std::atomic<bool> ends_{false};
    std::int64_t most_ = 0;
    std::thread thread_;
};

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    ::setenv("KILN_DEVICE", "cpu", 1);
    const std::int64_t bytes = given.number("--megabytes", 1024) << 20;
    const int rounds = static_cast<int>(given.number("--rounds", 3));
    const std::filesystem::path folder =
        std::filesystem::path(given.text("--folder", std::filesystem::temp_directory_path())) /
        ("kiln_cpu_file_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder);
    const std::unique_ptr<const std::filesystem::path, void (*)(const std::filesystem::path*)> removed(
        &folder, [](const std::filesystem::path* of) {
            std::error_code ignored;
            std::filesystem::remove_all(*of, ignored);
        });
    const std::string from = folder / "x.npy";
    const std::string to = folder / "y.npy";
    const std::string copy = folder / "copy";
    report out("cpu_file", k::text::format("{}; {} MiB of floats", processor(), bytes >> 20), given);

    const k::shape extents{bytes / static_cast<std::int64_t>(sizeof(float))};
    {
        k::host_array<float> x = k::create_npy<float>(from, extents);
        x = k::random::uniform<float>(extents, 1);
        x.flush();
    }
    const auto chain = [](const auto& x) { return k::sqrt(x * x + 1.0f) - x; };
    const auto read_it = [&] {
        const descriptor file(from, O_RDONLY);
        in_pieces(bytes, [&](std::byte* buffer, std::int64_t at, std::int64_t size) {
            return ::pread(file, buffer, static_cast<std::size_t>(size), header + at) == size;
        });
    };
    const auto copy_it = [&] {
        const descriptor file(from, O_RDONLY);
        const descriptor made(copy, O_RDWR | O_CREAT | O_TRUNC);
        in_pieces(bytes, [&](std::byte* buffer, std::int64_t at, std::int64_t size) {
            return ::pread(file, buffer, static_cast<std::size_t>(size), header + at) == size &&
                   ::pwrite(made, buffer, static_cast<std::size_t>(size), header + at) == size;
        });
        ::fsync(made);
    };
    float sum = 0;
    const auto sum_it = [&] { sum = k::sum(chain(k::open_npy<float>(from))).item(); };
    const auto write_it = [&] {
        k::host_array<float> y = k::create_npy<float>(to, extents);
        y = chain(k::open_npy<float>(from));
        y.flush();
    };

    std::int64_t peak = 0;
    const auto add = [&](const std::string& what, const std::string& by_hand_name, const std::function<void()>& kiln,
                         const std::function<void()>& by_hand) {
        std::vector<contender> contenders(2);
        const auto cold = [&](const std::function<void()>& work) {
            return [&] {
                forget(from);
                for (const std::string& each : {to, copy}) std::filesystem::remove(each);
                return seconds(work);
            };
        };
        contenders[0].measure = cold(by_hand);
        contenders[1].measure = [&, measure = cold(kiln)] {
            resident_peak resident;
            const double took = measure();
            peak = std::max(peak, resident.bytes());
            return took;
        };
        take_turns(contenders, rounds);
        out.add({.what = by_hand_name, .value = summarize(contenders[0].values), .unit = "s"});
        out.add({.what = what,
                 .value = summarize(contenders[1].values),
                 .unit = "s",
                 .compared = ratio(contenders[1], contenders[0]),
                 .compared_with = "x " + by_hand_name});
    };
    add("k::sum(sqrt(x * x + 1) - x)", "read", sum_it, read_it);
    add("y = sqrt(x * x + 1) - x", "copy", write_it, copy_it);
    const double mebibytes = static_cast<double>(peak) / 0x1p20;
    out.add({.what = "resident at most",
             .value = {mebibytes, mebibytes, mebibytes},
             .unit = "MiB",
             .must_be = limit{limit::side::at_most, 1000, limit::subject::value}});

    // The sum is of the file that was written.
    const float again = k::sum(k::open_npy<float>(to)).item();
    if (!(again == sum)) {
        out.note(k::text::format("WRONG RESULT: {} and {}", sum, again));
        (void)out.finish();
        return 1;
    }
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("cpu_file", trouble);
}
