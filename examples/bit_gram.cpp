// All pairs of rows of a matrix of zeros and ones: C = A A^T, how many ones two rows have in common. A may be of more rows than a device
// has room for, and C, 32 times as wide as A is as bits for square ones, of more than the host has.
//
//     bit_gram [rows [columns]] [--budget 1G] [--out counts.npy]
//
// A is packed, 32 columns to a word, by an expression that is streamed into the host's memory; of C the upper triangle is made, a square
// block of rows by rows at a time, as large as the budget has room for. Without --out blocks are summed up and dropped.
#include "measure.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>

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

/// Rows of a block: the words of twice as many, and what kernels and results hold for each pair.
std::int64_t rows_of_block(std::int64_t rows, std::int64_t words, const std::string& budget) {
    const double room = 0.8 * (budget.empty() ? static_cast<double>(k::memory_use().free_bytes) / 2 : bytes_of(budget));
    const double of_row = 2 * 4.0 * static_cast<double>(words);
    const double of_pair = 16;
    const double n = (-of_row + std::sqrt(of_row * of_row + 4 * of_pair * room)) / (2 * of_pair);
    const auto fits = static_cast<std::int64_t>(n) / 256 * 256;
    if (fits < 256) {
        fmt::print(stderr, "a block of 256 rows does not fit the budget\n");
        std::exit(1);
    }
    return std::min(rows, fits);
}

struct seconds_spent {
    double computing = 0;
    double copying = 0;
    double writing = 0;
};

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
    const std::int64_t step = rows_of_block(of.rows, words, of.budget);
    const auto rows_from = [&](std::int64_t begin) {
        return k::array<std::uint32_t>((*a)(k::range(begin, std::min(begin + step, of.rows))));
    };

    seconds_spent spent;
    std::uint64_t total = 0;
    std::int64_t blocks = 0;
    std::int64_t checked = 0;
    std::int64_t wrong = 0;
    std::vector<std::int32_t> block;
    const auto common = [&](std::int64_t i, std::int64_t j) {
        const std::uint32_t* const all = std::as_const(*a).data();
        std::int32_t out = 0;
        for (std::int64_t w = 0; w < words; ++w) out += std::popcount(all[i * words + w] & all[j * words + w]);
        return out;
    };
    for (std::int64_t i = 0; i < of.rows; i += step) {
        const k::array<std::uint32_t> left = rows_from(i);
        for (std::int64_t j = i; j < of.rows; j += step, ++blocks) {
            const k::array<std::uint32_t> right = j == i ? left : rows_from(j);
            k::array<std::int32_t> counts;
            spent.computing += milliseconds([&] {
                                   counts = k::cast<std::int32_t>(
                                       k::sum(k::popcount(left(k::all, k::newaxis) & right(k::newaxis)), k::axis(2)));
                               }) /
                               1000;
            const std::int64_t height = counts.shape()[0];
            const std::int64_t width = counts.shape()[1];
            block.resize(static_cast<std::size_t>(height * width));
            spent.copying += milliseconds([&] { counts.copy_to(block); }) / 1000;
            spent.writing += milliseconds([&] {
                                 for (const std::int32_t each : block) total += static_cast<std::uint32_t>(each);
                                 for (std::int64_t row = 0; c && row < height; ++row)
                                     std::memcpy(c->data() + (i + row) * of.rows + j, block.data() + row * width,
                                                 static_cast<std::size_t>(width) * sizeof(std::int32_t));
                             }) /
                             1000;
            // Ten of each block, counted directly.
            for (std::int64_t sample = 0; sample < 10; ++sample, ++checked) {
                const std::int64_t row = sample * 7919 % height;
                const std::int64_t column = sample * 104'729 % width;
                wrong += block[static_cast<std::size_t>(row * width + column)] != common(i + row, j + column);
            }
        }
    }
    if (c) spent.writing += milliseconds([&] { c->flush(); }) / 1000;

    const double all = spent.computing + spent.copying + spent.writing;
    const double pairs = static_cast<double>(of.rows) * (static_cast<double>(of.rows) + 1) / 2;
    fmt::print(
        "{} blocks of up to {} x {} rows: {:.2f} s, of which kernels and compiling them {:.2f}, copies {:.2f}, {} "
        "{:.2f}\n",
        blocks, step, step, all, spent.computing, spent.copying, c ? "the file" : "the sum of all", spent.writing);
    fmt::print("{:.3g} pairs of bits a second; the counts add up to {}\n",
               pairs * static_cast<double>(of.columns) / all, total);
    const char* const bound = spent.computing >= spent.copying && spent.computing >= spent.writing ? "the kernel"
                              : spent.copying >= spent.writing                                     ? "the link"
                              : c                                                                  ? "the disk"
                                                                                                   : "the host's sum";
    fmt::print("what took longest: {}\n", bound);
    check(wrong == 0, fmt::format("{} counts, one by one", checked));
    return 0;
}
