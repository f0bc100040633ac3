// All pairs of rows of a matrix of zeros and ones: C = A A^T, how many ones two rows have in common. A may be of more rows than a device
// has room for, and C, 32 times as wide as A is as bits for square ones, of more than the host has.
//
//     bit_gram [rows [columns]] [--budget 1G] [--out counts.npy]
//
// A is packed, 32 columns to a word, by an expression that is streamed into the host's memory. Of C the upper triangle is made, in strips
// of rows: while one is computed, the one before is copied out, and the one before that is written to the file (where what is below the
// diagonal means nothing) or, without --out, summed up and dropped. Where A does not fit the budget, strips are of as many of its rows as
// do, against as many others, in turns.
#include "measure.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <condition_variable>
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

/// Of a row of bits: whole lines of 128 bytes, so that kernels read each row where it is.
std::int64_t words_of(std::int64_t columns) { return (columns + 1023) / 1024 * 32; }

/// Rows of words: bit b of word w is column 32 w + b. The numbers are drawn for each chunk where it is packed; a matrix in a file would stand in
/// their place, k::open_npy<std::uint8_t>(path).
k::host_array<std::uint32_t> packed_matrix(std::int64_t rows, std::int64_t columns) {
    const std::int64_t words = words_of(columns);
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

constexpr std::int64_t counts_of_band = std::int64_t{32} << 20;  // that are copied, then summed up or written, at once
constexpr int strips_under_way = 4;  // one is computed, others are copied and summed up by turns

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

/// What one thread at a time does, or so many, and how long some did in all.
class stage {
public:
    explicit stage(int at_once = 1) : at_once_(at_once) {}

    template <class Call>
    void run(Call call) {
        std::unique_lock lock(mutex_);
        has_room_.wait(lock, [this] { return inside_ < at_once_; });
        if (inside_++ == 0) since_ = std::chrono::steady_clock::now();
        lock.unlock();
        call();
        lock.lock();
        if (--inside_ == 0) seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - since_).count();
        has_room_.notify_one();
    }

    double seconds = 0;

private:
    const int at_once_;
    int inside_ = 0;
    std::chrono::steady_clock::time_point since_;
    std::mutex mutex_;
    std::condition_variable has_room_;
};

/// Rows of A on the device, beginning with row `first`.
struct row_block {
    std::int64_t first = 0;
    k::array<std::uint32_t> words;

    [[nodiscard]] std::int64_t end() const { return first + words.shape()[0]; }
};

/// The upper triangle of A A^T, a strip after the other.
class gram {
public:
    gram(k::host_array<std::uint32_t> a, const sizes& by, k::host_array<std::int32_t>* file)
        : a_(std::move(a)), by_(by), file_(file) {
        for (auto& each : places_)
            each = k::host_array<std::int32_t>(
                k::shape{std::max(by.block, std::min(counts_of_band, by.strip * by.block))});
    }

    /// As many strips as are under way at once, so that nothing is compiled any more where it is timed, and the device's memory is there.
    void warm_up() {
        const row_block first = rows_from(0);
        make_strips(first, first, std::min(strips_under_way * by_.strip, first.end()));
        computing.seconds = copying.seconds = taking.seconds = 0;
        sum = 0;
        strips = 0;
    }

    void run() {
        const std::int64_t rows = a_.shape()[0];
        for (std::int64_t i = 0; i < rows; i += by_.block) {
            const row_block left = rows_from(i);
            for (std::int64_t j = i; j < rows; j += by_.block)
                make_strips(left, j == i ? left : rows_from(j), left.end());
        }
        if (file_) taking.run([&] { file_->flush(); });
    }

    stage computing;
    stage copying{2};  // while one band's copies end those of another go on
    stage taking;      // summing up, or writing
    std::uint64_t sum = 0;
    std::int64_t strips = 0;
    std::int64_t checked = 0;
    std::int64_t wrong = 0;

private:
    struct some_rows {
        std::int64_t first = 0;
        std::int64_t count = 0;
    };

    row_block rows_from(std::int64_t first) {
        row_block out{first, a_(k::range(first, std::min(first + by_.block, a_.shape()[0])))};
        out.words.wait();
        return out;
    }

    /// Rows of `left` before `end`, by as many threads as strips are under way, each with a stream of its own.
    void make_strips(const row_block& left, const row_block& right, std::int64_t end) {
        std::atomic<std::int64_t> next{left.first};
        const k::device on = k::current_device();
        const auto work = [&](k::host_array<std::int32_t>& place) {
            const k::scoped_device there(on);
            const k::stream mine;
            const k::scoped_stream here(mine);
            for (std::int64_t row = next.fetch_add(by_.strip); row < end; row = next.fetch_add(by_.strip))
                make_strip(left, right, {row, std::min(by_.strip, end - row)}, place);
        };
        std::vector<std::thread> threads;
        for (auto& place : places_) threads.emplace_back(work, std::ref(place));
        for (std::thread& each : threads) each.join();
    }

    void make_strip(const row_block& left, const row_block& right, const some_rows& of,
                    k::host_array<std::int32_t>& place) {
        const std::int64_t column = std::max(of.first, right.first);  // below the diagonal nothing is made
        const std::int64_t width = right.end() - column;
        k::array<std::int32_t> counts;
        computing.run([&] {
            const auto x = left.words(k::range(of.first - left.first, of.first - left.first + of.count));
            const auto y = right.words(k::range(column - right.first, k::range::open));
            counts = k::cast<std::int32_t>(k::sum(k::popcount(x(k::all, k::newaxis) & y(k::newaxis)), k::axis(2)));
            counts.wait();
            ++strips;
        });
        // In bands: what was copied is summed up while the processor's caches have it.
        const std::int64_t rows_of_band = std::max<std::int64_t>(1, place.shape()[0] / width);
        for (std::int64_t row = 0; row < of.count; row += rows_of_band) {
            const some_rows part{of.first + row, std::min(rows_of_band, of.count - row)};
            k::host_array<std::int32_t> band(k::wrap(place.data(), {part.count, width}));
            copying.run([&] { band = counts(k::range(row, row + part.count)); });
            taking.run([&] { take(place.data(), part, {column, width}); });
        }
    }

    void take(const std::int32_t* counts, const some_rows& rows, const some_rows& columns) {
        if (!file_) sum += sum_of(counts, rows, columns);
        for (std::int64_t i = 0; file_ && i < rows.count; ++i)
            std::memcpy(file_->data() + (rows.first + i) * a_.shape()[0] + columns.first, counts + i * columns.count,
                        static_cast<std::size_t>(columns.count) * sizeof(std::int32_t));
        // Ten of them directly.
        for (std::int64_t sample = 0; sample < 10; ++sample, ++checked) {
            const std::int64_t i = (rows.first + sample) * 7919 % rows.count;
            const std::int64_t j = (rows.first + sample) * 104'729 % columns.count;
            wrong += counts[i * columns.count + j] != common(rows.first + i, columns.first + j);
        }
    }

    /// Of those above the diagonal and on it, by the CPU.
    static std::uint64_t sum_of(const std::int32_t* counts, const some_rows& rows, const some_rows& columns) {
        const k::scoped_device host(k::cpu);
        const auto all = k::wrap(counts, {rows.count, columns.count});
        // Columns before the first row's number are below the diagonal, those behind the last one's above.
        const std::int64_t first = std::clamp<std::int64_t>(rows.first - columns.first, 0, columns.count);
        const std::int64_t last = std::clamp<std::int64_t>(rows.first + rows.count - columns.first, 0, columns.count);
        std::int64_t out = k::sum(k::cast<std::int64_t>(all(k::all, k::range(last, columns.count)))).item();
        if (first < last) {
            const auto i = k::arange<std::int64_t>(rows.count)(k::all, k::newaxis) + rows.first;
            const auto j = k::arange<std::int64_t>(last - first) + (columns.first + first);
            out += k::sum(k::cast<std::int64_t>(k::where(i <= j, all(k::all, k::range(first, last)), 0))).item();
        }
        return static_cast<std::uint64_t>(out);
    }

    [[nodiscard]] std::int32_t common(std::int64_t i, std::int64_t j) const {
        const std::int64_t words = a_.shape()[1];
        const std::uint32_t* const all = a_.data();
        std::int32_t out = 0;
        for (std::int64_t w = 0; w < words; ++w) out += std::popcount(all[i * words + w] & all[j * words + w]);
        return out;
    }

    k::host_array<std::uint32_t> a_;
    const sizes by_;
    k::host_array<std::int32_t>* const file_;  // nullptr: what is made is summed up and dropped
    k::host_array<std::int32_t> places_[strips_under_way];
};

}  // namespace

int main(int count, char** arguments) {
    const wanted of = parsed(count, arguments);
    if (!of.budget.empty()) setenv("KILN_DEVICE_MEMORY", of.budget.c_str(), 1);
    const std::int64_t words = words_of(of.columns);
    fmt::print("{} rows of {} zeros and ones, on {}\n", of.rows, of.columns, device_text());

    k::host_array<std::uint32_t> a;
    const double packing = milliseconds([&] { a = packed_matrix(of.rows, of.columns); }) / 1000;
    fmt::print("packed into {:.3f} GB in {:.2f} s\n", static_cast<double>(of.rows * words * 4) / 1e9, packing);

    std::optional<k::host_array<std::int32_t>> file;
    if (!of.path.empty()) file.emplace(k::create_npy<std::int32_t>(of.path, {of.rows, of.rows}));
    const sizes by = sizes_for(of.rows, words, of.budget);
    std::optional<gram> c;
    const double locking = milliseconds([&] { c.emplace(std::move(a), by, file ? &*file : nullptr); }) / 1000;
    const double first = milliseconds([&] { c->warm_up(); }) / 1000;
    fmt::print("{:.2f} s to lock the copies' pages, {:.2f} s for the first strips, with compiling\n", locking, first);

    const k::counters before = k::counters::now();
    const double all = milliseconds([&] { c->run(); }) / 1000;
    const double kernels = c->computing.seconds;
    const double link = c->copying.seconds;
    const char* const last = file ? "the file" : "the host's sum";
    fmt::print("{} strips of {} rows, {} rows of A at a time: {:.2f} s, {} kernels compiled; beside each other\n",
               c->strips, by.strip, by.block, all, (k::counters::now() - before).compiles);
    fmt::print("  the kernels {:.2f} s, the link {:.2f} s, {} {:.2f} s\n", kernels, link, last, c->taking.seconds);
    const double pairs = static_cast<double>(of.rows) * (static_cast<double>(of.rows) + 1) / 2;
    fmt::print("{:.3g} pairs of bits a second", pairs * static_cast<double>(of.columns) / all);
    if (!file) fmt::print("; the counts add up to {}", c->sum);
    fmt::print("\nwhat bound it: {}\n", kernels >= std::max(link, c->taking.seconds) ? "the kernels"
                                        : link >= c->taking.seconds                  ? "the link"
                                                                                     : last);
    check(c->wrong == 0, fmt::format("{} counts, one by one", c->checked));
    return 0;
}
