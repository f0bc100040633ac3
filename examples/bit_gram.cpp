// All pairs of rows of a matrix of zeros and ones: C = A A^T, how many ones two rows have in common. A may be of more rows than a device
// has room for, and C, 32 times as wide as A is as bits for square ones, of more than the host has.
//
//     bit_gram [rows [columns]] [--budget 1G] [--out counts.npy]
//
// A is packed, 32 columns to a word, by an expression that is streamed into the host's memory. Of C the upper triangle is made, in tiles,
// some rows of A by a block of them: while one is computed, those before are copied out, summed up and dropped, or with --out written to the
// file (where what is below the diagonal means nothing). Blocks come to the device while tiles of others leave it, and stay there if the
// budget has room for all of them.
#include "measure.hpp"
#include "team.hpp"

#include <atomic>
#include <bit>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

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

/// What fits the budget.
struct sizes {
    std::int64_t block = 0;  // rows of A that come to the device together
    std::int64_t tile = 0;   // rows of a tile
    bool keeps_all = false;  // blocks stay on the device
};

constexpr std::int64_t counts_of_tile = std::int64_t{32} << 20;
constexpr int tiles_under_way = 6;  // one is computed, two are copied, one is summed up; the rest wait for their turn
constexpr int pairs_ahead = 2;      // of blocks, which are on the device before their tiles are asked for

std::int64_t ceil_div(std::int64_t count, std::int64_t by) { return (count + by - 1) / by; }

sizes sizes_for(std::int64_t rows, std::int64_t words, const std::string& budget) {
    const double room = 0.85 * (budget.empty() ? static_cast<double>(k::memory_use().free_bytes) : bytes_of(budget));
    const double of_row = 4.0 * static_cast<double>(words);
    const auto sized = [&](std::int64_t blocks, bool keeps_all) -> std::optional<sizes> {
        const std::int64_t block = std::min(rows, ceil_div(ceil_div(rows, blocks), 256) * 256);
        const std::int64_t tiles = std::max<std::int64_t>(1, ceil_div(block * block, counts_of_tile));
        const std::int64_t tile = std::min(block, ceil_div(ceil_div(block, tiles), 32) * 32);
        // Of pairs with tiles under way, of those ahead and the one that comes; and of two of the left.
        const std::int64_t pairs = ceil_div(tiles_under_way, ceil_div(block, tile)) + 1 + pairs_ahead + 1;
        const std::int64_t there = keeps_all ? rows : (pairs + 2) * block;
        // A kernel may pack what it reads anew.
        const double bytes = of_row * static_cast<double>(there + block + tile) +
                             4.0 * tiles_under_way * static_cast<double>(tile) * static_cast<double>(block);
        if (bytes > room) return std::nullopt;
        return sizes{block, tile, keeps_all};
    };
    const std::int64_t fewest = std::clamp<std::int64_t>(rows / 4096, 1, 8);
    for (const bool keeps_all : {true, false})
        for (std::int64_t blocks = fewest; blocks <= rows; blocks += ceil_div(blocks, 8))
            if (const std::optional<sizes> found = sized(blocks, keeps_all)) return *found;
    fmt::print(stderr, "six tiles of 256 rows by 256 do not fit the budget\n");
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
using shared_block = std::shared_ptr<const row_block>;

struct some_rows {
    std::int64_t first = 0;
    std::int64_t count = 0;
};

/// Some rows of one block by all of another, which is the same one or a later one.
struct tile {
    shared_block left, right;
    some_rows rows;
};

/// Gives out the tiles of pairs of blocks.
class tile_queue {
public:
    explicit tile_queue(std::int64_t rows_of_tile) : rows_of_tile_(rows_of_tile) {}

    /// Waits while there are enough pairs.
    void push(shared_block left, shared_block right) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return pairs_.size() < pairs_ahead; });
        const std::int64_t first = left->first;
        pairs_.push_back({std::move(left), std::move(right), first});
        changed_.notify_all();
    }
    void close() {
        const std::lock_guard lock(mutex_);
        is_closed_ = true;
        changed_.notify_all();
    }
    /// The next one; none: all were given out.
    std::optional<tile> pop() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return is_closed_ || !pairs_.empty(); });
        if (pairs_.empty()) return std::nullopt;
        pair& of = pairs_.front();
        const tile out{of.left, of.right, {of.next, std::min(rows_of_tile_, of.left->end() - of.next)}};
        of.next += out.rows.count;
        if (of.next == of.left->end()) pairs_.pop_front(), changed_.notify_all();
        return out;
    }

private:
    struct pair {
        shared_block left, right;
        std::int64_t next;  // row
    };
    const std::int64_t rows_of_tile_;
    std::deque<pair> pairs_;
    bool is_closed_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
};

/// The upper triangle of A A^T, a tile after the other.
class gram {
public:
    gram(k::host_array<std::uint32_t> a, const sizes& by, k::host_array<std::int32_t>* file)
        : a_(std::move(a)),
          by_(by),
          file_(file),
          summing_(file ? 1 : summing_threads()),
          blocks_(ceil_div(a_.shape()[0], by.block)) {
        for (auto& each : places_) each = k::host_array<std::int32_t>(k::shape{by.tile * by.block});
    }

    /// Tiles of each shape that there is, so that nothing is compiled any more where it is timed, and the device's memory is there.
    void warm_up() {
        const std::int64_t last = blocks_ - 1;
        make({{last, last}, {0, last}, {0, 0}});
        computing.seconds = copying.seconds = taking.seconds = 0;
        sum = 0;
        tiles = 0;
    }

    /// The last rows first: they need no others, which come to the device meanwhile.
    void run() {
        std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
        for (std::int64_t i = blocks_; i-- > 0;)
            for (std::int64_t j = i; j < blocks_; ++j) pairs.emplace_back(i, j);
        make(pairs);
        if (file_) taking.run([&] { file_->flush(); });
    }

    stage computing;
    stage copying{2};  // while one tile's copy ends that of another goes on
    stage taking;      // summing up, or writing
    std::uint64_t sum = 0;
    std::atomic<std::int64_t> tiles{0};
    std::atomic<std::int64_t> checked{0};
    std::atomic<std::int64_t> wrong{0};

private:
    /// Of pairs of blocks, by their numbers, by as many threads as tiles are under way, each with a stream of its own.
    void make(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
        tile_queue queue(by_.tile);
        std::vector<std::thread> threads;
        for (auto& place : places_)
            threads.emplace_back([&, on = k::current_device()] {
                const k::scoped_device there(on);
                const k::stream mine;
                const k::scoped_stream here(mine);
                while (const std::optional<tile> next = queue.pop()) make_tile(*next, place);
            });
        std::vector<shared_block> known(static_cast<std::size_t>(blocks_));
        for (const auto& [i, j] : pairs) {
            for (std::int64_t each = 0; each < blocks_ && !by_.keeps_all; ++each)
                if (each != i && each != j) known[static_cast<std::size_t>(each)].reset();
            queue.push(block(i, known), block(j, known));
        }
        queue.close();
        for (std::thread& each : threads) each.join();
    }

    const shared_block& block(std::int64_t number, std::vector<shared_block>& known) {
        shared_block& out = known[static_cast<std::size_t>(number)];
        if (out) return out;
        const std::int64_t first = number * by_.block;
        row_block made{first, a_(k::range(first, std::min(first + by_.block, a_.shape()[0])))};
        made.words.wait();
        return out = std::make_shared<const row_block>(std::move(made));
    }

    void make_tile(const tile& of, k::host_array<std::int32_t>& place) {
        const row_block& left = *of.left;
        const row_block& right = *of.right;
        const std::int64_t column = std::max(of.rows.first, right.first);  // below the diagonal nothing is made
        const std::int64_t width = right.end() - column;
        k::array<std::int32_t> counts;
        computing.run([&] {
            const auto x = left.words(k::range(of.rows.first - left.first, of.rows.first - left.first + of.rows.count));
            const auto y = right.words(k::range(column - right.first, k::range::open));
            counts = k::cast<std::int32_t>(k::sum(k::popcount(x(k::all, k::newaxis) & y(k::newaxis)), k::axis(2)));
            counts.wait();
        });
        ++tiles;
        k::host_array<std::int32_t> copy(k::wrap(place.data(), {of.rows.count, width}));
        copying.run([&] { copy = counts; });
        take(place.data(), of.rows, {column, width});
    }

    void take(const std::int32_t* counts, const some_rows& rows, const some_rows& columns) {
        taking.run([&] {
            if (!file_) sum += sum_of(counts, rows, columns);
            for (std::int64_t i = 0; file_ && i < rows.count; ++i)
                std::memcpy(file_->data() + (rows.first + i) * a_.shape()[0] + columns.first,
                            counts + i * columns.count, static_cast<std::size_t>(columns.count) * sizeof(std::int32_t));
        });
        // Ten of them directly.
        for (std::int64_t sample = 0; sample < 10; ++sample, ++checked) {
            const std::int64_t i = (rows.first + sample) * 7919 % rows.count;
            const std::int64_t j = (rows.first + sample) * 104'729 % columns.count;
            wrong += counts[i * columns.count + j] != common(rows.first + i, columns.first + j);
        }
    }

    /// Of those above the diagonal and on it.
    std::uint64_t sum_of(const std::int32_t* counts, const some_rows& rows, const some_rows& columns) {
        const std::int64_t width = columns.count;
        const auto of_part = [=](std::int64_t begin, std::int64_t end) {
            std::uint64_t out = 0;
            for (std::int64_t row_end; begin < end; begin = row_end) {
                const std::int64_t row = begin / width;
                row_end = std::min(end, (row + 1) * width);
                const std::int64_t diagonal = row * width + std::max<std::int64_t>(0, rows.first + row - columns.first);
                const std::int64_t from = std::clamp(diagonal, begin, row_end);
                out += sum_of_run(counts + from, row_end - from);
            }
            return out;
        };
        return summing_.sum(rows.count * width, /*grain=*/65'536, of_part);
    }

    /// What a device has written comes slowly to a core that waits for it: asked for a page ahead, 16 cores of an H200's host add up 100 GB/s
    /// beside a copy, and 8 of them 62, in place of 66 and 39.
    static std::uint64_t sum_of_run(const std::int32_t* counts, std::int64_t count) {
        constexpr std::int64_t line = 16;
        constexpr std::int64_t ahead = 1024;
        std::uint64_t out = 0;
        std::int64_t i = 0;
        for (; i + line <= count; i += line) {
            __builtin_prefetch(counts + i + ahead);
            for (std::int64_t k = 0; k < line; ++k) out += static_cast<std::uint32_t>(counts[i + k]);
        }
        for (; i < count; ++i) out += static_cast<std::uint32_t>(counts[i]);
        return out;
    }

    /// As many as a link needs; the others copy, and ask for copies and kernels.
    static unsigned summing_threads() { return std::max(1u, std::thread::hardware_concurrency() * 5 / 8); }

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
    team summing_;
    const std::int64_t blocks_;
    k::host_array<std::int32_t> places_[tiles_under_way];
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
    fmt::print("{:.2f} s to lock the copies' pages, {:.2f} s for the first tiles, with compiling\n", locking, first);

    const k::counters before = k::counters::now();
    const double all = milliseconds([&] { c->run(); }) / 1000;
    const double kernels = c->computing.seconds;
    const double link = c->copying.seconds;
    const char* const last = file ? "the file" : "the host's sum";
    fmt::print("{} tiles of {} rows by {}{}: {:.2f} s, {} kernels compiled; beside each other\n", c->tiles.load(),
               by.tile, by.block, by.keeps_all ? "" : ", which come to the device anew", all,
               (k::counters::now() - before).compiles);
    fmt::print("  the kernels {:.2f} s, the link {:.2f} s, {} {:.2f} s\n", kernels, link, last, c->taking.seconds);
    const double pairs = static_cast<double>(of.rows) * (static_cast<double>(of.rows) + 1) / 2;
    fmt::print("{:.3g} pairs of bits a second", pairs * static_cast<double>(of.columns) / all);
    if (!file) fmt::print("; the counts add up to {}", c->sum);
    fmt::print("\nwhat bound it: {}\n", kernels >= std::max(link, c->taking.seconds) ? "the kernels"
                                        : link >= c->taking.seconds                  ? "the link"
                                                                                     : last);
    check(c->wrong == 0, fmt::format("{} counts, one by one", c->checked.load()));
    return 0;
}
