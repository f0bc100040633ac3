// tests/bench/hand_written_gpu: CUDA kernels that one would write without kiln, where a copy is no measure.
// in: how to write one   out: its source   knows nothing of: kiln, the driver
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::bench {

// --- A table times every layer of a cube: y[l, i] = x[l, i] * table[i], doubles ---------------------------------------
// Parameters: y, x, table, count (unsigned): elements of the table, or of x where the kernel is flat.

inline constexpr const char* table_product_name = "table_product";
inline constexpr int table_threads = 256;

struct table_variant {
    int elements_per_thread = 2;  // neighbours, in accesses of up to 16 bytes
    int layers_per_thread = 1;    // which share what was loaded of the table
    bool streaming = true;        // past the caches: what is written
    bool flat = false;            // one axis of blocks, the table's element by a remainder; else blocks x layers

    /// "2 per thread, 4 layers, streaming"
    [[nodiscard]] std::string text() const;
};

/// Those that are worth trying.
std::vector<table_variant> table_variants();
std::string table_product_source(const table_variant& how);
std::int64_t table_product_blocks(const table_variant& how, std::int64_t table_size, std::int64_t layers);

// --- Black-Scholes: calls of European options, floats -----------------------------------------------------------------
// S, K and T are arrays, the rate and the volatility scalars; the normal distribution by normcdff. Parameters: call, S, K,
// T, rate, volatility, count (unsigned).

inline constexpr const char* black_scholes_name = "black_scholes";
inline constexpr int black_scholes_threads = 256;

/// 1 or 4 elements per thread, in one access.
std::string black_scholes_source(int elements_per_thread);

// --- A coupled ODE: a step of Runge and Kutta's method, and the sum of F ----------------------------------------------
// dF/dt = -2i F - i d (2 G - 1), dG/dt = -i (conj(d) F - d conj(F)). Parameters: F, G and d a step later, F, G, d,
// the blocks' sums, a counter that is 0. One launch has points / ode_points_of_block blocks, the last of which adds up.

inline constexpr const char* coupled_odes_name = "coupled_odes";
inline constexpr int coupled_odes_threads = 256;
inline constexpr int coupled_odes_points_of_block = 512;

/// The products of complex numbers as std::complex has them; or what is left of them once one has thought about it: a factor
/// of i exchanges the parts, dG/dt is 2 Im(conj(d) F), and products go into sums unrounded.
std::string coupled_odes_source(bool simplified);

}  // namespace kiln::bench
