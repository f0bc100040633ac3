// x+x+x+x+x on 1,000 floats on a GPU, warm, back to back: what a call costs beyond launching the very same kernel in a
// bare loop. On the default stream, as in a program that never asked for another. Wall time of many launches, the wait
// at the end included, so whichever of host and device is slower counts.
#include "gpu.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <chrono>
#include <functional>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// Microseconds per launch.
std::function<double()> timed(std::int64_t launches, std::function<void(std::int64_t)> run) {
    return [launches, run = std::move(run)] {
        k::synchronize();
        const auto start = std::chrono::steady_clock::now();
        run(launches);
        k::synchronize();
        const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
        return took.count() / static_cast<double>(launches);
    };
}

/// In microseconds, of each round.
summary difference(const contender& of, const contender& to) {
    std::vector<double> each;
    for (std::size_t round = 0; round < of.values.size(); ++round) each.push_back(of.values[round] - to.values[round]);
    return summarize(std::move(each));
}

void measure(report& out, std::int64_t elements, int rounds, std::int64_t launches) {
    k::array<float> x = k::cast<float>(k::arange<int>(elements)) * 0.37f;
    k::array<float> y = x * 0.0f;
    const k::kernel_explanation same = k::explain(x + x + x + x + x).kernels.at(0);
    const gpu_kernel bare(same.name, same.source);
    const float* const from = std::as_const(x).data();

    // Its own memory: an address that kiln gave out is not the loop's to keep.
    k::array<float> other = y + 0.0f;
    float* const to = other.data();
    std::vector<contender> contenders(3);
    contenders[0].measure = timed(launches, [&](std::int64_t count) {
        float* output = to;
        const float* input = from;
        std::int64_t element_count = elements;  // read as the parameter's own width, as kiln's is
        void* parameters[] = {&output, &input, &element_count};
        for (std::int64_t i = 0; i < count; ++i)
            bare.launch(nullptr, same.block_count, same.threads_per_block, parameters);
    });
    contenders[1].measure = timed(launches, [&](std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) y = x + x + x + x + x;
    });
    contenders[2].measure = timed(launches, [&](std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            k::array<float> made = x + x + x + x + x;
            y = std::move(made);
        }
    });
    take_turns(contenders, rounds);

    const auto us = [](const contender& of) { return summarize(of.values); };
    out.add({"bare cuLaunchKernel, the same kernel", us(contenders[0]), "us"});
    out.add({"y = x+x+x+x+x, y reused", us(contenders[1]), "us", ratio(contenders[1], contenders[0]), "x the bare loop",
             limit{limit::side::at_most, 1.15, limit::subject::ratio}});
    out.add({"array y = x+x+x+x+x, y new", us(contenders[2]), "us", difference(contenders[2], contenders[0]),
             "us more than the bare loop", limit{limit::side::at_most, 0.5, limit::subject::ratio}});
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_launch: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t launches = given.number("--launches", 20'000);
    report out("gpu_launch",
               k::text::format("{}; {}; 1000 floats, rounds of {} launches", gpu_name(), processor(), launches), given);
    measure(out, 1000, static_cast<int>(given.number("--rounds", 15)), launches);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_launch", trouble);
}
