// Do page-locked memory and copies beside kernels help? y = sqrt(sin(x)^2 + cos(x)^2) of data that begin and end in the host's memory.
//
//     overlap [elements]
//
// By hand: from ordinary memory, in one piece; from page-locked memory; in 2 to 32 chunks, whose copies run beside the kernels of others.
// And as kiln does it by itself, where x and y are k::host_array. A timeline shows who waited for whom, and the last line says whether
// it was worth it on this machine.
#include "measure.hpp"

#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <thread>

namespace k = kiln;

namespace {

using floats = std::vector<float>;
using clock_type = std::chrono::steady_clock;

template <class X>
auto made_of(const X& x) {
    return k::sqrt(k::sin(x) * k::sin(x) + k::cos(x) * k::cos(x));
}

/// Of one chunk, in milliseconds since the first began.
struct chunk_times {
    int chunk = 0;
    std::array<double, 4> at{};  // copying in, computing, copying out, done
};

/// As many chunks, each by the next of three threads that is free, each of which has a stream: one copies in, one computes, one copies out.
std::vector<chunk_times> in_chunks(std::span<const float> x, std::span<float> y, int count) {
    const auto start = clock_type::now();
    const auto now = [start] { return std::chrono::duration<double, std::milli>(clock_type::now() - start).count(); };
    std::vector<chunk_times> out(static_cast<std::size_t>(count));
    std::atomic<int> next{0};
    const k::device on = k::current_device();
    const auto work = [&] {
        const k::scoped_device there(on);
        const k::stream mine;
        const k::scoped_stream here(mine);
        for (int chunk = next++; chunk < count; chunk = next++) {
            const std::size_t begin = x.size() * static_cast<std::size_t>(chunk) / static_cast<std::size_t>(count);
            const std::size_t end = x.size() * static_cast<std::size_t>(chunk + 1) / static_cast<std::size_t>(count);
            chunk_times& of = out[static_cast<std::size_t>(chunk)];
            of.chunk = chunk;
            of.at[0] = now();
            const k::array<float> part =
                k::from_host(x.subspan(begin, end - begin), {static_cast<std::int64_t>(end - begin)});
            of.at[1] = now();
            const k::array<float> result = made_of(part);
            result.wait();
            of.at[2] = now();
            result.copy_to(y.subspan(begin, end - begin));
            of.at[3] = now();
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < std::min(count, 3); ++i) threads.emplace_back(work);
    for (std::thread& each : threads) each.join();
    return out;
}

/// One line for each chunk: < copying in, = computing, > copying out.
void print_timeline(const std::vector<chunk_times>& chunks) {
    constexpr int columns = 64;
    double end = 0;
    for (const chunk_times& each : chunks) end = std::max(end, each.at[3]);
    fmt::print("\n{} chunks in {:.2f} ms:  < copied in   = computed   > copied out\n", chunks.size(), end);
    for (const chunk_times& each : chunks) {
        std::string line(columns, ' ');
        for (int column = 0; column < columns; ++column) {
            const double at = end * (column + 0.5) / columns;
            for (int what = 0; what < 3; ++what)
                if (at >= each.at[static_cast<std::size_t>(what)] && at < each.at[static_cast<std::size_t>(what) + 1])
                    line[static_cast<std::size_t>(column)] = "<=>"[what];
        }
        fmt::print("{:3} |{}|\n", each.chunk, line);
    }
}

struct row {
    std::string what;
    double milliseconds = 0;
};

}  // namespace

int main(int count, char** arguments) {
    const std::int64_t n = count > 1 ? std::max(1LL, std::atoll(arguments[1])) : 32 << 20;
    fmt::print("{} floats in, as many out, on {}\n\n", n, device_text());
    floats pageable(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < pageable.size(); ++i) pageable[i] = static_cast<float>(i % 1000) * 0.01f;
    floats result(pageable.size());
    const k::host_array<float> x(pageable, {n});
    k::host_array<float> y({n});

    bool is_right = true;
    const auto look = [&](std::span<float> at) {
        for (const std::size_t i : {std::size_t{0}, at.size() / 3, at.size() - 1})
            is_right = is_right && std::fabs(at[i] - 1) < 1e-5f;
        std::fill(at.begin(), at.end(), -1.0f);
    };
    const auto in_one_piece = [&](std::span<const float> from, std::span<float> to) {
        const k::array<float> here = k::from_host(from, {n});
        const k::array<float> made = made_of(here);
        made.copy_to(to);
    };

    std::vector<row> rows;
    const auto measure = [&](const std::string& what, std::span<float> to, const auto& call) {
        call();  // compiles, and takes memory
        look(to);
        rows.push_back({what, 1e300});
        for (int i = 0; i < 5; ++i) rows.back().milliseconds = std::min(rows.back().milliseconds, milliseconds(call));
        look(to);
    };
    measure("ordinary memory, one piece", result, [&] { in_one_piece(pageable, result); });
    measure("page-locked, one piece", y.elements(), [&] { in_one_piece(x.elements(), y.elements()); });
    std::vector<chunk_times> timeline;
    for (const int chunks : {1, 2, 4, 8, 32})
        measure(fmt::format("page-locked, {} chunk{}", chunks, chunks > 1 ? "s" : ""), y.elements(), [&] {
            const std::vector<chunk_times> times = in_chunks(x.elements(), y.elements(), chunks);
            if (chunks == 8) timeline = times;
        });
    measure("k::host_array, as kiln cuts it", y.elements(), [&] { y = made_of(x); });

    const double gigabytes = static_cast<double>(n) * sizeof(float) / 1e9;
    fmt::print("{:32} {:>9} {:>16} {:>8}\n", "", "ms", "GB/s each way", "speedup");
    for (const row& each : rows)
        fmt::print("{:32} {:9.2f} {:16.1f} {:8.2f}\n", each.what, each.milliseconds,
                   gigabytes / each.milliseconds * 1e3, rows[0].milliseconds / each.milliseconds);
    print_timeline(timeline);

    const auto best = std::min_element(rows.begin(), rows.end(),
                                       [](const row& a, const row& b) { return a.milliseconds < b.milliseconds; });
    const double locked = rows[0].milliseconds / rows[1].milliseconds;
    const double overlapped = rows[1].milliseconds / best->milliseconds;
    if (k::current_device().kind() == k::device_kind::cpu)
        fmt::print(
            "\nThe CPU reads and writes the host's memory where it is: y = f(x) of host arrays copies nothing, all "
            "others copy for "
            "nothing.\n");
    else
        fmt::print(
            "\nPage-locked memory {} here ({:.2f} x): the GPU copies it without a detour. Copies beside kernels and "
            "beside each "
            "other {} ({:.2f} x more, {}).\n",
            locked > 1.1 ? "helps" : "does not help", locked, overlapped > 1.1 ? "help" : "do not help", overlapped,
            best->what);
    check(is_right, "each way gives sin^2 + cos^2 = 1, at three places");
    return 0;
}
