// tests/bench/hand_written: what one would write without kiln, as the measure for what kiln makes.
#pragma once

#include <cstdint>

namespace kiln::bench {

/// y[i] = x[i] + x[i] + x[i] + x[i] + x[i] for i in [begin, end).
void five_x(float* __restrict__ y, const float* __restrict__ x, std::int64_t begin, std::int64_t end);

// Of `edge` x `edge` matrices, rows [begin, end).

/// y[i] = a[i] + b[i], i in [begin, end).
void sum_of_two(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b, std::int64_t begin,
                std::int64_t end);
void sum_of_two(double* __restrict__ y, const double* __restrict__ a, const double* __restrict__ b, std::int64_t begin,
                std::int64_t end);
/// y[i] = n[i] * x[i], i in [begin, end).
void scaled(double* __restrict__ y, const std::int32_t* __restrict__ n, const double* __restrict__ x,
            std::int64_t begin, std::int64_t end);
/// y[i][j] = row[j] + column[i] + m[i][j]
void row_column_matrix(float* __restrict__ y, const float* __restrict__ row, const float* __restrict__ column,
                       const float* __restrict__ m, std::int64_t edge, std::int64_t begin, std::int64_t end);
/// y[i][j] = m[i][j] + m[j][i], by tiles.
void plus_transposed(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge, std::int64_t begin,
                     std::int64_t end);
void plus_transposed(double* __restrict__ y, const double* __restrict__ m, std::int64_t edge, std::int64_t begin,
                     std::int64_t end);
/// y[i][j] = m[i][j] + m[i][j - 1], from the last column where j is 0.
void plus_rolled(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge, std::int64_t begin,
                 std::int64_t end);
/// The four neighbours, those past the edges clamped, less four times the element.
void five_point_stencil(float* __restrict__ y, const float* __restrict__ m, std::int64_t edge, std::int64_t begin,
                        std::int64_t end);

// Of `count` rows of three or five elements each, rows [begin, end).

/// y[i][j] = x[i][j] * row[j]
template <int columns>
void times_row(float* __restrict__ y, const float* __restrict__ x, const float* __restrict__ row, std::int64_t begin,
               std::int64_t end);
/// y[i][j] = x[i][j] * column[i]
template <int columns>
void times_column(float* __restrict__ y, const float* __restrict__ x, const float* __restrict__ column,
                  std::int64_t begin, std::int64_t end);
/// y[i][j] = column[i] + row[j]
template <int columns>
void column_plus_row(float* __restrict__ y, const float* __restrict__ column, const float* __restrict__ row,
                     std::int64_t begin, std::int64_t end);
/// y[i][j] = x[i][j] - x[i - 1][j], 0 in the first row.
template <int columns>
void steps_between(float* __restrict__ y, const float* __restrict__ x, std::int64_t begin, std::int64_t end);

// Of rows of `length` elements each, rows [begin, end).

/// y[i] = where the first of the row's largest is
void largest_of_rows(std::int64_t* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                     std::int64_t end);
/// y[i] = the row's variance, in two passes
void variance_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                      std::int64_t end);
/// y[i][j] = exp(x[i][j] - largest of the row) / their sum
void softmax_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                     std::int64_t end);
/// y[i][j] = (x[i][j] - mean of the row) / its deviation
void layer_norm_of_rows(float* __restrict__ y, const float* __restrict__ x, std::int64_t length, std::int64_t begin,
                        std::int64_t end);

/// x+x+x+x+x on a GPU: one 16-byte streaming load and store per thread, to be launched in blocks of 256 as one grid.
/// Parameters: y, x, count (unsigned).
inline constexpr const char* five_x_name = "five_x";
inline constexpr const char* five_x_source = R"(
extern "C" __global__ void __launch_bounds__(256)
five_x(float* __restrict__ y, const float* __restrict__ x, unsigned int count)
{
    const unsigned int first = (blockIdx.x * 256u + threadIdx.x) * 4;
    if (first + 4 <= count) {
        float4 v = __ldg(reinterpret_cast<const float4*>(x + first));
        v.x = v.x + v.x + v.x + v.x + v.x;
        v.y = v.y + v.y + v.y + v.y + v.y;
        v.z = v.z + v.z + v.z + v.z + v.z;
        v.w = v.w + v.w + v.w + v.w + v.w;
        __stcs(reinterpret_cast<float4*>(y + first), v);
    } else {
        for (unsigned int i = first; i < count; ++i) y[i] = x[i] + x[i] + x[i] + x[i] + x[i];
    }
}
)";

/// Rows [begin, end) of a b, of square matrices.
void product_of_matrices(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b,
                         std::int64_t edge, std::int64_t begin, std::int64_t end);
/// y[j] = the sum of m[i][j] x[i], j in [begin, end): a transposed matrix times a vector.
void transposed_times_vector(float* __restrict__ y, const float* __restrict__ m, const float* __restrict__ x,
                             std::int64_t edge, std::int64_t begin, std::int64_t end);

// Of points of eight coordinates each.

/// y[i][j] = the square of the distance of a[i] and b[j], i in [begin, end).
void squared_distances(float* __restrict__ y, const float* __restrict__ a, const float* __restrict__ b,
                       std::int64_t columns, std::int64_t begin, std::int64_t end);
/// y[i] = rgb[i] * weights, i in [begin, end).
void gray(float* __restrict__ y, const std::uint8_t* __restrict__ rgb, const float* __restrict__ weights,
          std::int64_t begin, std::int64_t end);
/// y[i] = table[x[i]], i in [begin, end).
void looked_up(std::uint8_t* __restrict__ y, const std::uint8_t* __restrict__ x, const std::uint8_t* __restrict__ table,
               std::int64_t begin, std::int64_t end);

}  // namespace kiln::bench
