// kiln/api/kept_stages: the stages of expressions with reductions that a thread has evaluated before. The same expression of other
// arrays of the same shapes, and of other numbers, is not taken apart again: a call puts arrays and numbers in their places.
// in: terms   out: stages, and what stands for their arguments   knows nothing of: how a stage runs
#pragma once

#include <capture/term.hpp>
#include <run/stage_sequence.hpp>

#include <kiln/fuse.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace kiln::inline v0_1::detail {

/// An expression as such are compared: its terms, each after its operands; arrays and numbers by where they were met first.
class met_expression {
public:
    /// False: it reads what plans depend on in other ways than by shapes (memory of the user's, arrays without elements).
    [[nodiscard]] bool take(const handle<term>* roots, int root_count);

    [[nodiscard]] std::uint64_t hash() const noexcept { return hash_; }
    [[nodiscard]] const fused_argument* arguments() const noexcept { return arguments_.data(); }
    /// Whether `other` is the same of other arrays and numbers.
    [[nodiscard]] bool is_like(const met_expression& other) const;
    /// The same, of what stands for arrays and numbers.
    [[nodiscard]] std::vector<handle<term>> of_places(stage::arguments& places) const;

private:
    struct met {
        const term* of;
        int args[max_operands];
        int argument = -1;  // of an array or a number
    };

    [[nodiscard]] bool add(const term& of);
    [[nodiscard]] int argument_of(const array_node& storage);
    [[nodiscard]] int argument_of(const term& number);

    term_table numbers_;
    std::vector<met> terms_;
    std::vector<int> roots_;
    std::vector<fused_argument> arguments_;
    std::vector<std::uint32_t> captures_;  // of each argument; 0 of arrays
    std::uint64_t hash_ = 0;
};

struct kept_stages {
    std::vector<handle<term>> roots;
    met_expression of;  // of the roots
    const known_device* on = nullptr;
    bool fused = true;
    bool by_library = false;
    stage_sequence stages;
};

/// The calling thread's, kept since an earlier call or made now; nullptr where it has not met the expression before: many are
/// evaluated once.
std::shared_ptr<const kept_stages> find_stages(const met_expression& met, const output* outputs, int output_count);
void forget_stages(const kept_stages& which);

}  // namespace kiln::inline v0_1::detail
