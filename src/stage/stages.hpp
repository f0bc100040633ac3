// kiln/stage/stages: the plan of a whole expression, made by one walk before anything runs: its stages in their order, and
// what each reads of those before it. Who evaluates, prepares, explains, fuses or records reads this plan.
// in: terms   out: stages   knows nothing of: how a stage is written, what a device does, memory
#pragma once

#include <capture/graph.hpp>
#include <capture/scan_access.hpp>
#include <capture/term.hpp>
#include <stage/library_products.hpp>
#include <stage/reduction_walk.hpp>

#include <kiln/evaluate.hpp>

#include <cstdint>
#include <unordered_map>
#include <variant>
#include <vector>

namespace kiln::stage {

/// Where a leaf comes from that is another one in each call.
struct source {
    enum class kind : std::uint8_t { argument, number, result };
    kind from = kind::result;
    int index = -1;         // of the arguments (arrays and numbers together), or of the results
    std::size_t leaf = 0;   // of the stage
    bool is_view = false;   // the leaf is a view of it
    std::size_t first = 0;  // which leaf has the same view: steps that read it are the same
};

/// Partial results along one axis: the stage's one leaf is what is added up or multiplied.
struct scan {
    kiln::detail::reduction_kind what = kiln::detail::reduction_kind::sum;
    element_type type = element_type::float32;
    int axis = 0;
    std::uint64_t definition = 0;  // of a user's: capture/reduction_table.hpp
    bool in_place = false;         // nobody else reads the operand, which has the result's type and shape
    kiln::detail::scan_access reads = {};
    kiln::detail::scan_access writes = {};
    int operand_leaf = 0;
    /// Of what the kernel makes of its values before it stores them: `described`, in which this leaf is they. -1: they are stored.
    int value_leaf = -1;
};

/// What elements come to by segments, of one result.
struct segments {
    kiln::detail::segment_call by;
    element_type numbers = element_type::int64;  // what says which segment
    element_type values = element_type::int64;   // of the elements, where there are some
    int numbers_leaf = 0;
    int values_leaf = -1;  // -1: elements are counted
    std::int64_t elements = 0;
};

/// Rows in order, on the last axis: the stage's one leaf is what is sorted.
struct sort {
    element_type type = element_type::float32;
    bool descending = false;
    std::int64_t count = 0;  // elements of a row
    std::int64_t kept = 0;   // the first of them in order, which alone are results; 0: all are
    int values = -1;         // which of the results are the elements; -1: none
    int positions = -1;
    bool in_place = false;  // nobody else reads the operand
};

/// A product of matrices by a library, of two of the stage's leaves.
struct product_of_leaves {
    product how;
    int left_leaf = 0;
    int right_leaf = 1;
};

struct result {
    element_type type = element_type::float32;
    shape extents;  // without the axes that a reduction's kernel leaves with extent 1
    int root = -1;  // it is written where this root is to be
};

struct stage {
    kiln::detail::graph described;
    std::vector<kiln::detail::leaf> leaves;  // right where they are the same in every call
    std::vector<source> moving;              // the others
    std::vector<kiln::detail::output> outputs;
    std::vector<result> results;  // of each output
    int first_result = 0;         // its number among those of all stages
    /// What its steps make of its leaves as they are; none: it computes `described`.
    std::variant<std::monostate, scan, segments, sort, product_of_leaves> over_arrays;
    /// Why what reads it is another stage.
    enum class end : std::uint8_t { reduction, scan, segments, sort, views, copy };
    end ends_for = end::reduction;

    [[nodiscard]] bool takes_arrays() const noexcept { return over_arrays.index() != 0; }
};

struct stages {
    std::vector<stage> list;
    struct root {
        int result = -1;
        kiln::detail::handle<kiln::detail::array_node> array = {};  // it is an array already
        bool is_reshaped =
            false;  // the result's elements in their order, in this shape; no other root has the result then
        shape extents = {};
    };
    std::vector<root> roots;
    int result_count = 0;
    std::vector<kiln::detail::handle<kiln::detail::term>> kept;  // what leaves borrow from
};

/// A function's arguments, while it is called for its expression.
class arguments {
public:
    /// What is to be known of numbers that are no argument: whether those that are equal are so in every call, and may be one.
    enum class other_numbers : std::uint8_t { may_differ, stay };

    arguments() = default;
    explicit arguments(other_numbers others) : others_(others) {}

    kiln::detail::handle<kiln::detail::term> add_array(element_type type, const shape& extents,
                                                       kiln::detail::known_device* device);
    kiln::detail::handle<kiln::detail::term> add_number(element_type type, const void* value);

    /// Which argument an array stands for, or is a view of; -1: none.
    [[nodiscard]] int array(const kiln::detail::array_node& node) const;
    /// Which number a capture stands for; -1: none.
    [[nodiscard]] int number(std::uint32_t capture) const;
    /// What the number's leaf says in calls.
    [[nodiscard]] std::uint32_t capture_of(int number) const { return captures_.at(number); }
    [[nodiscard]] other_numbers others() const noexcept { return others_; }

private:
    other_numbers others_ = other_numbers::may_differ;
    int count_ = 0;
    std::unordered_map<const kiln::detail::array_node*, int> arrays_;
    std::unordered_map<int, std::uint32_t> captures_;
    std::vector<kiln::detail::handle<kiln::detail::term>> kept_;
};

/// Whether a scan can read such an array where it lies. `reads_host`: kernels read the host's memory; `backward`: its lines are from
/// their last element to their first (scan_ends.hpp).
bool scannable(const kiln::detail::array_node& node, element_type type, const shape& wanted, bool reads_host,
               bool backward = false) noexcept;

/// Where an expression runs: where its arrays are, or what is written through; `usual` where none is on a device. Throws
/// device_error naming both where there are two.
kiln::detail::known_device& device_of(const kiln::detail::handle<kiln::detail::term>* roots, int root_count,
                                      const kiln::detail::output* wanted, kiln::detail::known_device& (*usual)());

/// `wanted`: where each root is to be. `kernels`: what a kernel of the device can do. Throws shape_error.
stages make_stages(const kiln::detail::handle<kiln::detail::term>* roots, int root_count,
                   const kiln::detail::output* wanted, const kiln::detail::reducing_kernels& kernels,
                   const arguments& of = {});

}  // namespace kiln::stage
