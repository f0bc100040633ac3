#include <device/cpu/compiled_reducer.hpp>

#include <device/cpu/upper_halves.hpp>
#include <emit/user_reduction.hpp>

#include <cstring>

namespace kiln::backend {

namespace {

// What emit writes beside the host frame.
using clear_function = void (*)(void* accumulators, long long count);
using run_function = void (*)(void* accumulator, const void* values, long long count);
using each_function = void (*)(void* accumulators, const void* others, long long count);

/// An accumulator is an element: what is beside an accumulator is taken like another accumulator.
class compiled_reducer final : public host_reducer {
public:
    compiled_reducer(int bytes, clear_function by_clear, run_function by_run, each_function by_each)
        : bytes_(bytes), clear_(by_clear), run_(by_run), each_(by_each) {}

    [[nodiscard]] std::int64_t accumulator_bytes() const override { return bytes_; }

    void clear(std::byte* accumulators, std::int64_t count) const override {
        clear_(accumulators, count);
        clear_upper_halves();
    }
    void take_run(std::byte* accumulator, const std::byte* values, std::int64_t count, std::int64_t) const override {
        run_(accumulator, values, count);
        clear_upper_halves();
    }
    void take_rows(std::byte* accumulators, const std::byte* values, std::int64_t rows,
                   std::int64_t extent) const override {
        for (std::int64_t row = 0; row < rows; ++row)
            run_(accumulators + row * bytes_, values + row * extent * bytes_, extent);
        clear_upper_halves();
    }
    void take_each(std::byte* accumulators, const std::byte* values, std::int64_t count, std::int64_t rows,
                   std::int64_t) const override {
        for (std::int64_t row = 0; row < rows; ++row) each_(accumulators, values + row * count * bytes_, count);
        clear_upper_halves();
    }
    void merge(std::byte* into, const std::byte* others, std::int64_t count) const override {
        each_(into, others, count);
        clear_upper_halves();
    }
    void finish(const std::byte* accumulators, std::int64_t count, std::int64_t, std::byte* results) const override {
        std::memcpy(results, accumulators, static_cast<std::size_t>(count * bytes_));
    }

private:
    std::int64_t bytes_;
    clear_function clear_;
    run_function run_;
    each_function each_;
};

}  // namespace

std::unique_ptr<host_reducer> find_reducer(const shared_object& from, const std::string& kernel_name,
                                           const plan::reduced_output& reduced, std::size_t output) {
    void* const clear = from.symbol(emit::clear_symbol(kernel_name, output));
    void* const run = from.symbol(emit::run_symbol(kernel_name, output));
    void* const each = from.symbol(emit::each_symbol(kernel_name, output));
    if (!clear || !run || !each) return nullptr;
    return std::make_unique<compiled_reducer>(bytes_of(reduced.accumulated), reinterpret_cast<clear_function>(clear),
                                              reinterpret_cast<run_function>(run),
                                              reinterpret_cast<each_function>(each));
}

}  // namespace kiln::backend
