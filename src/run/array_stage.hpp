// kiln/run/array_stage: a stage of steps over whole arrays, each a kernel of its own: a scan, what comes to segments, a sort, a
// product by a library. Here is
// what such stages have in common: kernels found by name, memory, launches; run/scan.cpp, run/segments.cpp and run/sort.cpp say what theirs are.
// in: a stage, its leaves   out: its results   knows nothing of: expressions, what a step computes
#pragma once

#include <device/device.hpp>
#include <emit/source.hpp>
#include <run/call_back.hpp>
#include <run/stage_sequence.hpp>
#include <stage/stages.hpp>

#include <kiln/options.hpp>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace kiln::inline v0_1::detail {

/// One step, as it is launched, counted and explained.
struct step_launch {
    backend::array_step of;
    std::int64_t element_count = 0;
    std::int64_t block_count = 0;
    int threads_per_block = 0;
    int elements_per_thread = 1;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;
};

/// Where the arrays of one call are.
class step_memory {
public:
    step_memory(backend::device& on, const std::vector<std::int64_t>& temporary_bytes, int stream);
    ~step_memory();
    step_memory(const step_memory&) = delete;
    step_memory& operator=(const step_memory&) = delete;

    std::vector<std::byte*> operands;
    std::vector<std::byte*> results;
    std::vector<std::uint64_t> numbers;  // bits

    [[nodiscard]] std::byte* temporary(std::size_t number) const { return temporaries_[number].first; }
    [[nodiscard]] std::byte* counters() const;  // the stream's

private:
    void release() noexcept;

    backend::device& on_;
    int stream_;
    std::vector<std::pair<std::byte*, std::size_t>> temporaries_;
};

/// The values of a kernel's parameters, in their order.
class step_parameters {
public:
    template <class Value>
    void add(const Value& value) {
        static_assert(sizeof(Value) <= sizeof(std::uint64_t));
        std::memcpy(&values_[count_], &value, sizeof value);
        places_[count_] = &values_[count_];
        ++count_;
    }
    [[nodiscard]] void** places() noexcept { return places_; }

private:
    static constexpr int most = 64;
    std::uint64_t values_[most];
    void* places_[most];
    int count_ = 0;
};

/// The steps of one such stage, planned for a device.
class array_stage {
public:
    virtual ~array_stage() = default;

    std::vector<int> operand_leaves{0};     // of the stage's leaves
    std::vector<int> number_leaves;         // the same
    std::vector<std::int64_t> temporaries;  // bytes
    bool by_library = false;                // no kernel of kiln's
    int in_place = -1;  // which result is made where the operand is, that nobody else reads; -1: none

    [[nodiscard]] virtual int step_count() const = 0;
    [[nodiscard]] virtual step_launch launch(int step) const = 0;
    virtual void fill(int step, const step_memory& memory, step_parameters& into) const = 0;

    [[nodiscard]] virtual plan::kernel_signature takes(int step) const = 0;
    /// How exact the steps are to be.
    [[nodiscard]] virtual options wanted() const { return current_options(); }
    /// "kiln_cumsum_f32_rows": whatever a step's extents are.
    [[nodiscard]] virtual std::string name(int step) const = 0;
    /// What loaded kernels are found by.
    [[nodiscard]] virtual std::string key(int step) const { return name(step); }
    /// What it computes, for people.
    [[nodiscard]] virtual std::string text(int step) const = 0;
    /// Of CUDA.
    [[nodiscard]] virtual emit::source source(int step) const = 0;
    /// The nest as text, where it has one.
    [[nodiscard]] virtual std::string nest(int step) const = 0;
    /// Why a step is not the last.
    [[nodiscard]] virtual const char* why_cut() const = 0;
};

using step_kernel = std::shared_ptr<const backend::loaded_kernel>;

/// Found, or compiled; of a device that needs no code for it, what it is to people. Throws what compiling throws.
step_kernel find_step(backend::device& on, const array_stage& of, int step, const char* label);
void launch_step(backend::device& on, const backend::loaded_kernel& kernel, const array_stage& of, int step,
                 const step_memory& memory, int stream);

/// One step of a scan of contiguous elements: memories 0, 1 and 2 are these. Throws as find_step does.
void launch_scan_step(backend::device& on, const plan::scan_step& step, std::byte* from, std::byte* to,
                      std::byte* offsets, const char* label);

/// Of a stage that takes arrays. Throws device_error.
std::unique_ptr<array_stage> plan_array_stage(const stage::stage& of, const backend::device& on);

std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::scan& scan, const backend::device& on);
std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::segments& by, const backend::device& on);
std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::sort& sort, const backend::device& on);
std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::product_of_leaves& product,
                                        const backend::device& on);

/// Puts the stage's results, or what stands for them where nothing is to be launched. `combines`: on the host, of a scan by a user's
/// reduction, the kernel whose code combines elements. Throws what evaluating throws.
void run_array_stage(const stage::stage& of, const std::vector<leaf>& leaves, stage_results& results,
                     evaluate_function evaluate, const std::shared_ptr<const backend::loaded_kernel>& combines,
                     const char* label, purpose why);

}  // namespace kiln::inline v0_1::detail
