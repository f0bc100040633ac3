// All pairs of rows of a matrix of zeros and ones: C = A A^T, how many ones two rows have in common. A may be of more rows than a device
// has room for, and C, 32 times as wide as A is as bits for square ones, of more than the host has.
//
//     bit_gram [rows [columns]] [--budget 1G] [--out counts.npy]
//
// A is packed, 32 columns to a word, by an expression that is streamed into the host's memory. Of C the upper triangle is made, in strips
// of rows: while one is computed, the one before is copied out, and the one before that is written to the file or, without --out, summed
// up and dropped. Where A does not fit the budget, strips are of as many of its rows as do, against as many others, in turns.
#include "measure.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <thread>

namespace k = kiln;

namespace {

struct wanted {
    std::int64_t rows = 8192;
    std::int64_t columns = 8192;
    std::string budget;  // what KILN_DEVICE_MEMORY takes
    std::string path;
};

/// "512M", "1G".
double bytes_of(const std::string& budget) {
    const double count = std::atof(budget.c_str());
    switch (budget.empty() ? ' ' : budget.back()) {
        case 'K': return count * 0x1p10;
        case 'M': return count * 0x1p20;
        case 'G': return count * 0x1p30;
        default: return count;
    }
}

wanted parsed(int count, char** arguments) {
    wanted out;
    std::int64_t* const sizes[] = {&out.rows, &out.columns};
    int next = 0;
    for (int i = 1; i < count; ++i) {
        const std::string word = arguments[i];
        if (word == "--budget" && i + 1 < count) out.budget = arguments[++i];
        else if (word == "--out" && i + 1 < count) out.path = arguments[++i];
        else if (next < 2) *sizes[next++] = std::atoll(word.c_str());
    }
    if (out.rows < 1 || out.columns < 1) {
        fmt::print(stderr, "bit_gram [rows [columns]] [--budget 1G] [--out counts.npy]\n");
        std::exit(2);
    }
    return out;
}

/// Rows of words: bit b of word w is column 32 w + b. The numbers are drawn for each chunk where it is packed; a matrix in a file would stand in
/// their place, k::open_npy<std::uint8_t>(path).
k::host_array<std::uint32_t> packed_matrix(std::int64_t rows, std::int64_t columns) {
    const std::int64_t words = (columns + 31) / 32;
    const auto is_one = k::random::bernoulli({rows, words, 32}, 0.3, /*seed=*/1);
    const auto column = k::reshape(k::arange<std::int64_t>(words * 32), {words, 32});
    const auto bits = k::cast<std::uint32_t>(is_one && column < columns) << k::arange<std::uint32_t>(32);
    return k::host_array<std::uint32_t>(k::cast<std::uint32_t>(k::sum(bits, k::axis(2))));
}

/// What fits the budget: rows of A at a time, and rows of a strip.
struct sizes {
    std::int64_t block = 0;
    std::int64_t strip = 0;
};

constexpr int strips_under_way = 4;  // one is computed, one copied, one summed up or written, and one is between them

sizes sizes_for(std::int64_t rows, std::int64_t words, const std::string& budget) {
    const double room = 0.85 * (budget.empty() ? static_cast<double>(k::memory_use().free_bytes) : bytes_of(budget));
    const double of_row = 4.0 * static_cast<double>(words);
    // A kernel may pack what it reads anew: the rows of a block twice. Blocks of all rows meet themselves, others each other.
    for (std::int64_t blocks = 1; blocks <= rows; ++blocks) {
        const std::int64_t block = (rows + blocks - 1) / blocks;
        const double of_strip_row = strips_under_way * 4.0 * static_cast<double>(block) + 2 * of_row;
        const double left = room - (blocks == 1 ? 2 : 4) * of_row * static_cast<double>(block);
        const auto fits = static_cast<std::int64_t>(std::max(0.0, left / of_strip_row)) / 256 * 256;
        if (fits >= std::min<std::int64_t>(block, 512)) return {block, std::min({fits, block, std::int64_t{2048}})};
    }
    fmt::print(stderr, "a strip of 512 rows does not fit the budget\n");
    std::exit(1);
}

/// What one thread at a time does, and how long it took in all.
class stage {
public:
    template <class Call>
    void run(Call call) {
        const std::lock_guard lock(mutex_);
        const auto start = std::chrono::steady_clock::now();
        call();
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    double seconds = 0;

private:
    std::mutex mutex_;
};

/// Row `first_row` and the next ones against column `first_column` and the next ones; above the diagonal, and on it, alone. By the CPU.
std::uint64_t sum_of(const k::host_array<std::int32_t>& counts, std::int64_t first_row, std::int64_t first_column) {
    const k::scoped_device host(k::cpu);
    const std::int64_t height = counts.shape()[0];
    const std::int64_t width = counts.shape()[1];
    const std::int64_t diagonal = first_row >= first_column ? std::min(width, first_row - first_column + height) : 0;
    const auto row = k::arange<std::int64_t>(height)(k::all, k::newaxis) + first_row;
    const auto column = k::arange<std::int64_t>(diagonal) + first_column;
    std::int64_t out = k::sum(k::cast<std::int64_t>(counts(k::all, k::range(diagonal, width)))).item();
    if (diagonal > 0)
        out += k::sum(k::cast<std::int64_t>(k::where(row <= column, counts(k::all, k::range(0, diagonal)), 0))).item();
    return static_cast<std::uint64_t>(out);
}

}  // namespace

int main(int count, char** arguments) {
    const wanted of = parsed(count, arguments);
    if (!of.budget.empty()) setenv("KILN_DEVICE_MEMORY", of.budget.c_str(), 1);
    const std::int64_t words = (of.columns + 31) / 32;
    fmt::print("{} rows of {} zeros and ones, on {}\n", of.rows, of.columns, device_text());

    std::optional<k::host_array<std::uint32_t>> a;
    const double packing = milliseconds([&] { a.emplace(packed_matrix(of.rows, of.columns)); }) / 1000;
    fmt::print("packed into {:.3f} GB in {:.2f} s\n", static_cast<double>(of.rows * words * 4) / 1e9, packing);

    std::optional<k::host_array<std::int32_t>> c;
    if (!of.path.empty()) c.emplace(k::create_npy<std::int32_t>(of.path, {of.rows, of.rows}));
    const auto [block, strip] = sizes_for(of.rows, words, of.budget);
    std::optional<k::host_array<std::int32_t>> places[strips_under_way];
    const double locking = milliseconds([&] {
        for (auto& each : places) each.emplace(k::shape{strip, block});
    });
    const auto rows_from = [&, block = block](std::int64_t begin) {
        return k::array<std::uint32_t>((*a)(k::range(begin, std::min(begin + block, of.rows))));
    };

    stage computing;
    stage copying;
    stage summing;  // or writing
    std::uint64_t total = 0;
    std::int64_t strips = 0;
    std::int64_t checked = 0;
    std::int64_t wrong = 0;
    const auto common = [&](std::int64_t i, std::int64_t j) {
        const std::uint32_t* const all = std::as_const(*a).data();
        std::int32_t out = 0;
        for (std::int64_t w = 0; w < words; ++w) out += std::popcount(all[i * words + w] & all[j * words + w]);
        return out;
    };
    // The strip's rows lie in `left`, which begins with row `left_begin` of A.
    const auto make_strip = [&](const k::array<std::uint32_t>& left, const k::array<std::uint32_t>& right,
                                std::int64_t row, std::int64_t height, std::int64_t left_begin,
                                std::int64_t right_begin, k::host_array<std::int32_t>& place) {
        const std::int64_t column = std::max(row, right_begin);
        const std::int64_t width = right_begin + right.shape()[0] - column;
        k::array<std::int32_t> counts;
        computing.run([&] {
            const auto x = left(k::range(row - left_begin, row - left_begin + height));
            const auto y = right(k::range(column - right_begin, k::range::open));
            counts = k::cast<std::int32_t>(k::sum(k::popcount(x(k::all, k::newaxis) & y(k::newaxis)), k::axis(2)));
            counts.wait();
        });
        std::int32_t* const elements = place.data();
        copying.run([&] { counts.copy_to(std::span(elements, static_cast<std::size_t>(height * width))); });
        counts = {};
        summing.run([&] {
            if (!c) total += sum_of(k::host_array<std::int32_t>(k::wrap(elements, {height, width})), row, column);
            for (std::int64_t i = 0; c && i < height; ++i)
                std::memcpy(c->data() + (row + i) * of.rows + column, elements + i * width,
                            static_cast<std::size_t>(width) * sizeof(std::int32_t));
            ++strips;
            // Ten of each strip, counted directly.
            for (std::int64_t sample = 0; sample < 10; ++sample, ++checked) {
                const std::int64_t i = sample * 7919 % height;
                const std::int64_t j = sample * 104'729 % width;
                wrong += elements[i * width + j] != common(row + i, column + j);
            }
        });
    };

    // Of a few rows, so that nothing is compiled any more where it is timed.
    const double first = milliseconds([&, block = block, strip = strip] {
        const k::array<std::uint32_t> left = rows_from(0);
        left.wait();
        make_strip(left, left, 0, std::min<std::int64_t>(256, strip), 0, 0, *places[0]);
    });
    for (stage* const each : {&computing, &copying, &summing}) each->seconds = 0;
    total = 0;
    strips = 0;

    const k::counters before = k::counters::now();
    const double all =
        milliseconds([&, block = block, strip = strip] {
            for (std::int64_t i = 0; i < of.rows; i += block) {
                const k::array<std::uint32_t> left = rows_from(i);
                for (std::int64_t j = i; j < of.rows; j += block) {
                    const k::array<std::uint32_t> right = j == i ? left : rows_from(j);
                    left.wait();
                    right.wait();
                    std::atomic<std::int64_t> next{i};
                    const std::int64_t end = i + left.shape()[0];
                    const k::device on = k::current_device();
                    const auto work = [&](k::host_array<std::int32_t>& place) {
                        const k::scoped_device there(on);
                        const k::stream mine;
                        const k::scoped_stream here(mine);
                        for (std::int64_t row = next.fetch_add(strip); row < end; row = next.fetch_add(strip))
                            make_strip(left, right, row, std::min(strip, end - row), i, j, place);
                    };
                    std::vector<std::thread> threads;
                    for (auto& place : places) threads.emplace_back(work, std::ref(*place));
                    for (std::thread& each : threads) each.join();
                }
            }
            if (c) summing.run([&] { c->flush(); });
        }) /
        1000;
    const std::int64_t compiles = (k::counters::now() - before).compiles;

    const double pairs = static_cast<double>(of.rows) * (static_cast<double>(of.rows) + 1) / 2;
    const char* const last = c ? "the file" : "the host's sum";
    fmt::print("before: {:.2f} s to lock the strips' pages, {:.2f} s for a first strip, with compiling\n",
               locking / 1000, first / 1000);
    fmt::print("{} strips of {} rows, {} rows of A at a time: {:.2f} s, {} kernels compiled; beside each other\n",
               strips, strip, block, all, compiles);
    fmt::print("  the kernels {:.2f} s, the link {:.2f} s, {} {:.2f} s\n", computing.seconds, copying.seconds, last,
               summing.seconds);
    fmt::print("{:.3g} pairs of bits a second", pairs * static_cast<double>(of.columns) / all);
    if (!c) fmt::print("; the counts add up to {}", total);
    fmt::print("\nwhat bound it: {}\n", computing.seconds >= std::max(copying.seconds, summing.seconds) ? "the kernels"
                                        : copying.seconds >= summing.seconds                            ? "the link"
                                                                                                        : last);
    check(wrong == 0, fmt::format("{} counts, one by one", checked));
    return 0;
}
