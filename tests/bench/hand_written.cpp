#include "hand_written.hpp"

#include <algorithm>
#include <cmath>

namespace kiln::bench {

// One copy per vector width, picked when the program starts: it may run on another machine than the one that built it.
#if defined(__x86_64__) && defined(__GLIBC__)
#define KILN_EVERY_WIDTH [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define KILN_EVERY_WIDTH
#endif

KILN_EVERY_WIDTH void five_x(float* __restrict__ y, const float* __restrict__ x, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = x[i] + x[i] + x[i] + x[i] + x[i];
}

KILN_EVERY_WIDTH void sum_of_two(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b,
                                 std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] + b[i];
}

KILN_EVERY_WIDTH void sum_of_two(double* __restrict__ y, const double* __restrict__ a, const double* __restrict__ b,
                                 std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = a[i] + b[i];
}

KILN_EVERY_WIDTH void scaled(double* __restrict__ y, const std::int32_t* __restrict__ n, const double* __restrict__ x,
                             std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = static_cast<double>(n[i]) * x[i];
}

KILN_EVERY_WIDTH void row_column_matrix(float* __restrict__ y, const float* __restrict__ row,
                                        const float* __restrict__ column, const float* __restrict__ m,
                                        std::int64_t edge, std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const float of_row = column[i];
        for (std::int64_t j = 0; j < edge; ++j) y[i * edge + j] = row[j] + of_row + m[i * edge + j];
    }
}

KILN_EVERY_WIDTH void plus_transposed(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge,
                                      std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t tile = 32;  // two of them in the first cache
    for (std::int64_t i0 = begin; i0 < end; i0 += tile)
        for (std::int64_t j0 = 0; j0 < edge; j0 += tile)
            for (std::int64_t i = i0; i < std::min(i0 + tile, end); ++i)
                for (std::int64_t j = j0; j < std::min(j0 + tile, edge); ++j)
                    y[i * edge + j] = m[i * edge + j] + m[j * edge + i];
}

KILN_EVERY_WIDTH void plus_transposed(double* __restrict__ y, const double* __restrict__ m, std::int64_t edge,
                                      std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t tile = 32;
    for (std::int64_t i0 = begin; i0 < end; i0 += tile)
        for (std::int64_t j0 = 0; j0 < edge; j0 += tile)
            for (std::int64_t i = i0; i < std::min(i0 + tile, end); ++i)
                for (std::int64_t j = j0; j < std::min(j0 + tile, edge); ++j)
                    y[i * edge + j] = m[i * edge + j] + m[j * edge + i];
}

KILN_EVERY_WIDTH void plus_rolled(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge,
                                  std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const float* const here = m + i * edge;
        float* const to = y + i * edge;
        to[0] = here[0] + here[edge - 1];
        for (std::int64_t j = 1; j < edge; ++j) to[j] = here[j] + here[j - 1];
    }
}

KILN_EVERY_WIDTH void five_point_stencil(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge,
                                         std::int64_t begin, std::int64_t end) {
    const std::int64_t last = edge - 1;
    for (std::int64_t i = begin; i < end; ++i) {
        const float* const up = m + std::max<std::int64_t>(i - 1, 0) * edge;
        const float* const down = m + std::min(i + 1, last) * edge;
        const float* const here = m + i * edge;
        float* const to = y + i * edge;
        to[0] = up[0] + down[0] + here[0] + here[std::min<std::int64_t>(1, last)] - 4.0f * here[0];
        for (std::int64_t j = 1; j < last; ++j) to[j] = up[j] + down[j] + here[j - 1] + here[j + 1] - 4.0f * here[j];
        if (last > 0) to[last] = up[last] + down[last] + here[last - 1] + here[last] - 4.0f * here[last];
    }
}

// target_clones knows no templates: one function for each number of columns, which its loops then know.
#define KILN_SHORT_ROWS(columns)                                                                                    \
    template <>                                                                                                     \
    KILN_EVERY_WIDTH void times_row<columns>(float* __restrict__ y, const float* __restrict__ x,                    \
                                             const float* __restrict__ row, std::int64_t begin, std::int64_t end) { \
        for (std::int64_t i = begin; i < end; ++i)                                                                  \
            for (int j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] * row[j];                     \
    }                                                                                                               \
    template <>                                                                                                     \
    KILN_EVERY_WIDTH void times_column<columns>(float* __restrict__ y, const float* __restrict__ x,                 \
                                                const float* __restrict__ column, std::int64_t begin,               \
                                                std::int64_t end) {                                                 \
        for (std::int64_t i = begin; i < end; ++i)                                                                  \
            for (int j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] * column[i];                  \
    }                                                                                                               \
    template <>                                                                                                     \
    KILN_EVERY_WIDTH void column_plus_row<columns>(float* __restrict__ y, const float* __restrict__ column,         \
                                                   const float* __restrict__ row, std::int64_t begin,               \
                                                   std::int64_t end) {                                              \
        for (std::int64_t i = begin; i < end; ++i)                                                                  \
            for (int j = 0; j < columns; ++j) y[i * columns + j] = column[i] + row[j];                              \
    }                                                                                                               \
    template <>                                                                                                     \
    KILN_EVERY_WIDTH void steps_between<columns>(float* __restrict__ y, const float* __restrict__ x,                \
                                                 std::int64_t begin, std::int64_t end) {                            \
        if (begin == 0)                                                                                             \
            for (int j = 0; j < columns; ++j) y[j] = x[j] - x[j];                                                   \
        for (std::int64_t i = begin ? begin : 1; i < end; ++i)                                                      \
            for (int j = 0; j < columns; ++j) y[i * columns + j] = x[i * columns + j] - x[(i - 1) * columns + j];   \
    }
KILN_SHORT_ROWS(3)
KILN_SHORT_ROWS(5)

// One after the other, sums would wait for each addition: sixteen at a time, as one who looks at the clock writes them.
namespace {

constexpr int side_by_side = 16;

template <class Of>
[[gnu::always_inline]] inline float sum_of(std::int64_t length, Of of) {
    float part[side_by_side] = {};
    std::int64_t i = 0;
    for (; i + side_by_side <= length; i += side_by_side)
        for (int j = 0; j < side_by_side; ++j) part[j] += of(i + j);
    float sum = 0;
    for (; i < length; ++i) sum += of(i);
    for (const float each : part) sum += each;
    return sum;
}

[[gnu::always_inline]] inline float largest_of(const float* x, std::int64_t length) {
    float part[side_by_side];
    std::fill_n(part, side_by_side, x[0]);
    std::int64_t i = 0;
    for (; i + side_by_side <= length; i += side_by_side)
        for (int j = 0; j < side_by_side; ++j) part[j] = part[j] < x[i + j] ? x[i + j] : part[j];
    float largest = x[0];
    for (; i < length; ++i) largest = std::max(largest, x[i]);
    for (const float each : part) largest = std::max(largest, each);
    return largest;
}

}  // namespace

KILN_EVERY_WIDTH void softmax_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length,
                                      std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const from = x + row * length;
        float* const to = y + row * length;
        const float largest = largest_of(from, length);
        for (std::int64_t i = 0; i < length; ++i) to[i] = std::exp(from[i] - largest);
        const float sum = sum_of(length, [to](std::int64_t i) { return to[i]; });
        for (std::int64_t i = 0; i < length; ++i) to[i] /= sum;
    }
}

KILN_EVERY_WIDTH void layer_norm_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length,
                                         std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) {
        const float* const from = x + row * length;
        float* const to = y + row * length;
        const auto count = static_cast<float>(length);
        const float mean = sum_of(length, [from](std::int64_t i) { return from[i]; }) / count;
        const float squares =
            sum_of(length, [=](std::int64_t i) { return (from[i] - mean) * (from[i] - mean); }) / count;
        const float deviation = std::sqrt(squares + 1e-5f);
        for (std::int64_t i = 0; i < length; ++i) to[i] = (from[i] - mean) / deviation;
    }
}

void largest_of_rows(std::int64_t* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                     std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const float* const row = x + i * length;
        std::int64_t at = 0;
        for (std::int64_t j = 1; j < length; ++j)
            if (row[j] > row[at]) at = j;
        y[i] = at;
    }
}

void variance_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                      std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const float* const row = x + i * length;
        double mean = 0;
        for (std::int64_t j = 0; j < length; ++j) mean += row[j];
        mean /= static_cast<double>(length);
        double squares = 0;
        for (std::int64_t j = 0; j < length; ++j) squares += (row[j] - mean) * (row[j] - mean);
        y[i] = static_cast<float>(squares / static_cast<double>(length));
    }
}

void product_of_matrices(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b,
                         std::int64_t edge, std::int64_t begin, std::int64_t end) {
    constexpr std::int64_t rows = 4, columns = 32;  // whose sums stay in registers
    for (std::int64_t first = 0; first < edge; first += columns)
        for (std::int64_t row = begin; row < end; row += rows) {
            float sums[rows][columns] = {};
            const std::int64_t there = std::min(rows, end - row);
            for (std::int64_t k = 0; k < edge; ++k)
                for (std::int64_t r = 0; r < rows; ++r) {
                    const float of_row = a[(row + std::min(r, there - 1)) * edge + k];
                    for (std::int64_t j = 0; j < columns; ++j) sums[r][j] += of_row * b[k * edge + first + j];
                }
            for (std::int64_t r = 0; r < there; ++r)
                for (std::int64_t j = 0; j < columns; ++j) y[(row + r) * edge + first + j] = sums[r][j];
        }
}

void transposed_times_vector(float* __restrict__ y, const float* __restrict__ m, const float* __restrict__ x,
                             std::int64_t edge, std::int64_t begin, std::int64_t end) {
    std::fill(y + begin, y + end, 0.0f);
    for (std::int64_t i = 0; i < edge; ++i)
        for (std::int64_t j = begin; j < end; ++j) y[j] += m[i * edge + j] * x[i];
}

void squared_distances(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b,
                       std::int64_t columns, std::int64_t begin, std::int64_t end) {
    constexpr int coordinates = 8;
    for (std::int64_t i = begin; i < end; ++i)
        for (std::int64_t j = 0; j < columns; ++j) {
            float square = 0;
            for (int k = 0; k < coordinates; ++k) {
                const float apart = a[i * coordinates + k] - b[j * coordinates + k];
                square += apart * apart;
            }
            y[i * columns + j] = square;
        }
}

void gray(float* __restrict__ y, const std::uint8_t* __restrict__ rgb, const float* __restrict__ weights,
          std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) {
        const std::uint8_t* const from = rgb + 3 * i;
        y[i] = static_cast<float>(from[0]) * weights[0] + static_cast<float>(from[1]) * weights[1] +
               static_cast<float>(from[2]) * weights[2];
    }
}

void looked_up(std::uint8_t* __restrict__ y, const std::uint8_t* __restrict__ x, const std::uint8_t* __restrict__ table,
               std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) y[i] = table[x[i]];
}

}  // namespace kiln::bench
