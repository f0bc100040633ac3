// kiln/emit/cuda_values: what kernels that make one value of many write alike: which value a thread works on, and where that
// value's elements are. Who adds up what is said in plan/reduction.hpp.
#pragma once

#include <emit/cuda_parts.hpp>

#include <string>
#include <vector>

namespace kiln::emit {

/// `name`(mine, which): the accumulators of another thread of the warp; `given` by an intrinsic, which moves bits.word[i].
std::string accumulators_of_another(const char* comment, const char* name, const char* which, const char* given,
                                    const std::string& suffix = {});

class value_threads {
public:
    explicit value_threads(const cuda_parts& parts);

    const cuda_parts& parts;
    const plan::kernel& kernel;
    std::vector<int> kept_axes;
    std::vector<int> reduced_axes;

    [[nodiscard]] int threads() const { return kernel.threads_per_block; }
    [[nodiscard]] bool along_rows() const { return kernel.vector_width > 1; }
    /// Of columns, neighbouring values of a thread; of rows 1.
    [[nodiscard]] int width() const { return kernel.values_per_thread(); }
    /// Threads of a block that have different outputs.
    [[nodiscard]] int outputs_per_block() const { return threads() / kernel.threads_per_output; }
    /// Elements from one round of a thread to its next.
    [[nodiscard]] int stride() const { return kernel.threads_per_output * kernel.vector_width; }
    [[nodiscard]] const char* number() const { return parts.number_type(); }

    /// block_reduce(mine, shared, lane): the accumulators of an output's threads, combined; the first of those threads gets the
    /// result, or all of them where `for_all`. Of rows, a block calls it once between two barriers.
    [[nodiscard]] std::string block_reduce_function(bool for_all, const std::string& suffix) const;
    /// Of `shared`.
    [[nodiscard]] int shared_accumulators() const;
    /// "value", "is_there", "lane", "kept", "reduced", "begin", "end", and the positions of the value.
    [[nodiscard]] std::string whose() const;
    /// The positions of element `first`, and its number "i" where something is contiguous.
    [[nodiscard]] std::string element_positions(bool number_too, const std::string& indent) const;
    /// Whether an input (or an output of elements) is reached by the element's number.
    [[nodiscard]] bool any_contiguous() const;

    static std::string place(const plan::operand& of, const std::string& name) {
        return of.how == plan::access::contiguous ? "i" : "at_" + name;
    }

private:
    [[nodiscard]] std::string size_word(int which) const;
    [[nodiscard]] std::string size_word_as_number(int which) const;
    [[nodiscard]] std::string positions(const std::string& of, const std::vector<int>& axes,
                                        const std::string& indent) const;
};

}  // namespace kiln::emit
