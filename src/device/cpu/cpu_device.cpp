// kiln/device/cpu/cpu_device: compiler or interpreter, memory and threads put together as a device.
#include <device/cpu/cpu_device.hpp>

#include <compile/host_compiler.hpp>
#include <compile/host_cpu.hpp>
#include <device/cpu/blas.hpp>
#include <device/cpu/compiled_kernel.hpp>
#include <device/cpu/cost.hpp>
#include <device/cpu/cpu_kernel.hpp>
#include <device/cpu/cpu_memory.hpp>
#include <device/cpu/host_reduction.hpp>
#include <device/cpu/host_resumed.hpp>
#include <device/cpu/host_scan.hpp>
#include <device/cpu/host_scan_access.hpp>
#include <device/cpu/host_segments.hpp>
#include <device/cpu/host_sort.hpp>
#include <device/cpu/result_table.hpp>
#include <device/cpu/reuse_distance.hpp>
#include <device/cpu/shared_object.hpp>
#include <device/cpu/system_memory.hpp>
#include <device/cpu/thread_pool.hpp>
#include <device/interpreter/interpreter.hpp>
#include <jit_cache/trust.hpp>
#include <kiln/error.hpp>
#include <process/messages.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstring>
#include <optional>

namespace kiln::backend {

namespace {

// A copy of this many bytes pays for a thread: about 100 us of one core's memory bandwidth.
constexpr std::int64_t copy_grain = std::int64_t{1} << 20;

// Launches of fewer bytes push nothing out of a cache of megabytes.
constexpr std::int64_t least_counted = std::int64_t{1} << 16;

void say_nowhere(const std::string& why) {
    process::warn("compiled kernels cannot be loaded (" + why +
                  "the interpreter runs instead; set TMPDIR to a folder that is not mounted noexec)");
}

class cpu_device final : public device {
public:
    cpu_device(std::unique_ptr<compile::host_toolchain> compiler, int thread_count)
        : compiler_(std::move(compiler)),
          threads_(thread_count),
          streaming_threshold_(streaming_threshold(thread_count)),
          cached_reach_(cached_reach(thread_count)) {}

    [[nodiscard]] const plan::target& target() const noexcept override {
        const bool persistent_rows = runs_compiled() && persistent_rows_.load(std::memory_order_relaxed);
        return persistent_rows ? plan::host_target : plan::interpreting_target;
    }

    [[nodiscard]] device_info describe() const override {
        device_info info;
        info.name = compile::this_host_cpu().model;
        info.target = compile::this_host_cpu().architecture;
        info.is_cuda = false;
        info.compiles = runs_compiled() && compiler_->is_there();
        info.unit_count = threads_.thread_count();
        info.total_bytes = static_cast<std::int64_t>(total_memory());
        info.free_bytes = static_cast<std::int64_t>(available_memory());
        return info;
    }

    [[nodiscard]] memory_held memory() const override {
        const cpu_memory::totals now = memory_.now();
        return {now.live, now.cached};
    }
    void trim_memory() noexcept override { memory_.release_cache(); }
    std::byte* allocate(std::size_t bytes) override { return memory_.allocate(bytes); }
    void deallocate(std::byte* memory, std::size_t bytes, std::uint64_t) noexcept override {
        memory_.deallocate(memory, bytes);  // a launch has computed when it returns: nobody uses it any more
    }
    void copy_from_host(std::byte* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
    void copy_to_host(void* to, const std::byte* from, std::size_t bytes) override { copy(to, from, bytes); }
    void before_fork() noexcept override { memory_.lock(); }
    void after_fork() noexcept override { memory_.unlock(); }

    // One stream, on which everything is done when the call returns.
    [[nodiscard]] int current_stream() noexcept override { return 0; }
    void use_stream(void*) override {}
    void order_after(int, int) override {}
    void synchronize() override {}

    [[nodiscard]] compile::toolchain* toolchain() noexcept override {
        return runs_compiled() ? compiler_.get() : nullptr;
    }

    std::unique_ptr<loaded_kernel> load(const std::string& binary, const std::string& name,
                                        const lower::program& program, const plan::kernel& kernel) override {
        auto loaded = std::make_unique<compiled_kernel>(name, program, kernel);
        const shared_object::opening opened = loaded->load(binary);
        switch (opened.how) {
            case shared_object::outcome::loaded: return loaded;
            case shared_object::outcome::refused: break;
            case shared_object::outcome::passing: throw load_postponed("kiln: load: " + name + ": " + opened.why);
            case shared_object::outcome::nowhere:
                runs_binaries_.store(false, std::memory_order_relaxed);
                say_nowhere(opened.why);
        }
        return nullptr;
    }

    std::unique_ptr<loaded_kernel> interpret(const lower::program& program, const plan::kernel& kernel) override {
        return std::make_unique<interpreted_kernel>(program, kernel, blocks_for_this_processor());
    }
    bool multiplies(const stage::product& of) override { return blas::can(of); }
    void disable_persistent_rows() noexcept override { persistent_rows_.store(false, std::memory_order_relaxed); }

    void launch(const loaded_kernel& kernel, const launch_arguments& arguments) override {
        if (arguments.step) return take(*arguments.step, kernel, arguments);
        const auto& made_here = static_cast<const cpu_kernel&>(kernel);
        const cpu_kernel::use in_use(made_here);
        if (arguments.reduced && !made_here.reduces_by_itself()) return reduce_on_host(made_here, arguments, threads_);
        const stores how = stores_of(made_here, arguments);
        if (made_here.looks_up(arguments.element_count)) return look_up_on_host(made_here, arguments, how, threads_);
        const cpu_kernel::division work = made_here.divided(arguments);
        threads_.parallel_for_pieces(
            work.count, work.grain,
            [&](std::int64_t begin, std::int64_t end) {
                made_here.run(arguments.parameters, begin, end, how);
                if (how == stores::streamed) finish_streaming();
            },
            work.multiple);
    }

private:
    stores stores_of(const cpu_kernel& kernel, const launch_arguments& arguments) noexcept {
        const std::int64_t bytes = kernel.bytes_touched(arguments.element_count);
        if (bytes < least_counted) return stores::cached;
        const std::int64_t began = written_.begin(bytes);
        if (bytes < streaming_threshold_ || !kernel.may_stream()) return stores::cached;
        const void* const place = *static_cast<void* const*>(arguments.parameters[kernel.output_parameter(0)]);
        return std::max(bytes, written_.write(place, began)) <= cached_reach_ ? stores::cached : stores::streamed;
    }

    void take(const array_step& step, const loaded_kernel& kernel, const launch_arguments& arguments) {
        if (step.segments) return segments_on_host(arguments, threads_);
        if (step.segment_rows) return segment_rows_on_host(arguments, threads_);
        if (step.sort) return sort_on_host(arguments, threads_);
        if (step.product) return multiply(*step.product, arguments);
        if (step.resumed)
            return take(*step.resumed, static_cast<const cpu_kernel*>(step.resumed->by_user ? &kernel : nullptr));
        through_accesses(arguments, [&](const launch_arguments& plain) {
            if (!step.scan->definition) return scan_on_host(plain, threads_);
            const auto& combines = static_cast<const cpu_kernel&>(kernel);
            const cpu_kernel::use in_use(combines);
            scan_on_host(plain, threads_, combines.reducer(0));
        });
    }

    /// Parameters as in plan/library_product.hpp.
    static void multiply(const stage::product& of, const launch_arguments& arguments) {
        const auto address = [&](int parameter) { return *static_cast<std::byte**>(arguments.parameters[parameter]); };
        blas::multiply(of, address(0), address(1), address(2));
    }

    void take(const resumed_chunk& next, const cpu_kernel* combines) {
        std::optional<cpu_kernel::use> in_use;
        if (combines) in_use.emplace(*combines);
        const host_reducer& by = combines ? combines->reducer(0) : reducer_for(*next.of);
        if (next.elements) next.state->take(next.elements, next.begin, next.count, by, threads_);
        else next.state->finish(next.results, by);
    }

    [[nodiscard]] bool runs_compiled() const noexcept {
        return compiler_ != nullptr && runs_binaries_.load(std::memory_order_relaxed);
    }

    void copy(void* to, const void* from, std::size_t bytes) {
        threads_.parallel_for(static_cast<std::int64_t>(bytes), copy_grain, [=](std::int64_t begin, std::int64_t end) {
            std::memcpy(static_cast<std::byte*>(to) + begin, static_cast<const std::byte*>(from) + begin,
                        static_cast<std::size_t>(end - begin));
        });
    }

    std::unique_ptr<compile::host_toolchain> compiler_;  // nullptr: nothing that was compiled is run here
    std::atomic<bool> runs_binaries_{true};
    std::atomic<bool> persistent_rows_{true};
    cpu_memory memory_;
    thread_pool threads_;
    const std::int64_t streaming_threshold_;  // bytes
    const std::int64_t cached_reach_;         // bytes
    reuse_distance written_;                  // of results of launches past the threshold
};

using jit_cache::trust::environment;

bool asked_to_interpret() {
    const std::string asked = environment("KILN_CPU");
    if (asked == "interpret") return true;
    if (asked.empty() || asked == "compile") return false;
    throw device_error("kiln: KILN_CPU=" + asked + " is neither compile (the default) nor interpret");
}

int thread_count() {
    const std::string asked = environment("KILN_CPU_THREADS");
    if (asked.empty()) return usable_thread_count();
    int count = 0;
    const auto [end, problem] = std::from_chars(asked.data(), asked.data() + asked.size(), count);
    if (problem != std::errc{} || end != asked.data() + asked.size() || count < 1 || count > 4096)
        throw device_error("kiln: KILN_CPU_THREADS=" + asked + " is no number of threads from 1 to 4096");
    return count;
}

}  // namespace

std::unique_ptr<device> make_cpu_device() {
    std::unique_ptr<compile::host_toolchain> compiler;
    if (!asked_to_interpret()) {
        // Now, because programs are planned for what runs them.
        if (std::string why; shared_object::can_run(why)) compiler = compile::host_toolchain::find();
        else say_nowhere(why);
    }
    return std::make_unique<cpu_device>(std::move(compiler), thread_count());
}

}  // namespace kiln::backend
