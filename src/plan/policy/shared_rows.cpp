// Every value has an element of its own for what all of them read of one row. A thread reads its part of the row once for several
// values, whose own elements it keeps: where each value's threads read the row by themselves, caches have more to give than
// multiprocessors to compute.
#include <plan/policy/values_of_row.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

using nest::value;
namespace types = nest::types;

class shared_rows_policy : values_of_row {
public:
    using values_of_row::values_of_row;

    nest::tree run() {
        const nest::id shared = threads_.shared("shared", 0);
        limit_registers();
        threads_.begin();
        declare_parts();
        begin_anew();
        keep_what_stays([&](value v) { return threads_.which + v; });
        count_whole();
        take_elements(threads_.lane);
        const nest::id mine = to_.own("mine", types::accumulators(), values());
        combine_places(mine);
        combine(mine, shared);
        to_.when(threads_.lane == 0 && threads_.is_there, [&] {
            each_value([&](value v) { store(to_.at(mine, v), to_.let("number", types::number, threads_.which + v)); });
        });
        return to_.finish();
    }

private:
    /// Roots and quotients are long to wait for: of 16384 bodies' forces on each other an H200 takes 416 us with 32 warps on a
    /// multiprocessor, 542 with the 16 that have room where registers are as many as the compiler likes.
    void limit_registers() {
        if (has_sets()) return;  // which a limit would spill
        constexpr int warps = 32;
        constexpr int most_bytes = 96;  // of accumulators: more are spilled
        constexpr int most_steps = 32;
        int bytes = 0;
        for (const reduced_output& each : of_.reduced) bytes += values() * width() * accumulator_bytes(each);
        if (bytes <= most_bytes && of_.last_step - of_.first_step <= most_steps)
            to_.resident(std::max(1, warps * warp / of_.threads_per_block));
    }

    void combine(nest::id mine, nest::id shared) {
        each_value([&](value v) {
            threads_.combine(to_.at(mine, v), shared);
            // What warps left there is read before the next value's is.
            if (of_.threads_per_output > warp) to_.barrier();
        });
    }
};

}  // namespace

nest::tree shared_rows_nest(const lower::program& program, const kernel& of) {
    return shared_rows_policy(program, of).run();
}

}  // namespace kiln::plan
