// kiln/recipe: what a warm call needs. Made once per class of call: lower, plan, emit, and find or compile each kernel.
#pragma once

#include <capture/graph.hpp>
#include <emit/source.hpp>
#include <kernels.hpp>
#include <launch/device.hpp>
#include <plan/bind.hpp>
#include <plan/schedule.hpp>

#include <kiln/cost.hpp>
#include <kiln/error.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

/// Of a kernel that is launched the short way, its element count among them.
inline constexpr std::size_t most_plain_parameters = 48;

struct kernel_recipe {
    plan::kernel plan;
    std::shared_ptr<const launch::loaded_kernel> loaded;
    std::vector<int> memories;                   // of each pointer parameter: which memory of the call
    std::vector<int> scalar_slots;               // of each scalar parameter: its place among the gathered leaves
    std::int64_t bytes_read_per_element = 0;     // by contiguous operands, each once
    std::int64_t bytes_written_per_element = 0;  // the same
};

struct recipe {
    std::vector<std::uint64_t> key;  // as plan::bind writes it
    std::vector<kernel_recipe> kernels;
    std::int64_t kernel_count = 0;  // of `kernels`: its size takes a division, and every call counts
    std::vector<element_type> output_types;
    std::vector<element_type> temporaries;
    /// One kernel on contiguous operands, without temporaries: launched the short way.
    bool plain = false;
    const recipe* next = nullptr;  // of the same expression, another class of call
};

/// What one launch reads or writes, counted from its operands: each element once.
std::int64_t bytes_of_call(const std::vector<plan::operand>& operands, const plan::bindings& call);

struct made_recipe {
    std::unique_ptr<recipe> recipe_;
    std::vector<pending_publication> pending;
    bool for_now = false;  // the next call makes it anew: something could not be loaded this time
};

/// Compiled code could not be had of a kernel that keeps rows, which the interpreter cannot run. The device keeps none from
/// now on: who planned the call plans it anew.
class rows_no_longer_kept : public error {
public:
    rows_no_longer_kept()
        : error("kiln: a kernel that keeps rows is not compiled; evaluate it once more, and it is interpreted") {}
};

/// Throws compile_error with the source, device_error, out_of_memory; rows_no_longer_kept.
made_recipe make_recipe(launch::device& on, const graph& described, const plan::bindings& call, const char* label);

/// What make_recipe would do, without doing it.
explanation explain_recipe(launch::device& on, const graph& described, const plan::bindings& call);

}  // namespace kiln::inline v0_1::detail
