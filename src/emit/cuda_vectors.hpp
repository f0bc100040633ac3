// kiln/emit/cuda_vectors: vector types of CUDA kernels, and how they move.
#pragma once

#include <plan/nest/nest.hpp>

#include <string>
#include <vector>

namespace kiln::emit {

/// "f32x4"
std::string vector_type(element_type type, int elements);

/// The type of its bits, "uint4".
const char* vector_bits(element_type type, int elements);

/// What a kernel does with vectors of so many elements.
struct vector_uses {
    element_type type;
    int elements;
    bool as_bits = false;  // loads give bits
    bool aliased = false;  // memory that is also written must not be read through the read-only cache
    bool loaded = false;
    bool stored = false;  // past the caches
    bool written = false;
};

/// The vector types that a nest's accesses move in, with their loads ("load_f32x4") and stores, each where it is used.
/// Stores are streamed, loads are not: on an H200 __ldcs took 5% more time than __ldg for two large inputs and one output,
/// and 45% more where the second cache holds the operands (__stcs: 0 to 3% less).
class vector_accesses {
public:
    explicit vector_accesses(bool aliased) : aliased_(aliased) {}

    /// The function that does it: "load_f32x4", "store".
    std::string load(plan::nest::type of);
    const char* store(plan::nest::type of, bool past_caches);
    /// A type that stands in the text without moving.
    void mention(plan::nest::type of) { use(of); }
    [[nodiscard]] std::string definitions() const;

private:
    vector_uses& use(plan::nest::type of);

    const bool aliased_;
    std::vector<vector_uses> used_;
};

}  // namespace kiln::emit
