// x+x+x+x+x on 1e8 floats on a GPU: against a copy of as many bytes on the device, against a kernel written by hand,
// and against itself with one kernel per operator. All take turns over the same three pairs of arrays, which hold more
// than any cache does.
#include "gpu.hpp"
#include "hand_written.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

struct pair_of_arrays {
    k::array<float> x;
    k::array<float> y;
    float* to = nullptr;
    const float* from = nullptr;

    explicit pair_of_arrays(std::int64_t elements)
        : x(k::cast<float>(k::arange<std::int64_t>(elements) % 9973) * 0.37f),
          y(x * 0.0f),
          to(y.data()),
          from(std::as_const(x).data()) {}
};

/// Whether y was computed, everywhere, in the memory that the other contenders wrote.
bool is_right(pair_of_arrays& arrays) {
    if (std::as_const(arrays.y).data() != arrays.to) return false;
    const std::vector<float> inputs = arrays.x.to_host();
    const std::vector<float> results = arrays.y.to_host();
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (results[i] != inputs[i] + inputs[i] + inputs[i] + inputs[i] + inputs[i]) return false;
    return true;
}

/// Adds the figures; false when kiln's result is wrong.
bool measure(report& out, std::int64_t elements, int rounds) {
    constexpr int group = 6;  // times each of the three pairs comes twice
    const gpu_stream stream;
    std::array<pair_of_arrays, 3> pairs{pair_of_arrays(elements), pair_of_arrays(elements), pair_of_arrays(elements)};
    const gpu_kernel by_hand(five_x_name, five_x_source);
    gpu_stopwatch watch;

    // The one ahead of the start mark keeps the device busy until the others are queued: the host's part is not timed.
    const auto timed = [&](std::function<void(pair_of_arrays&)> once) {
        return [&, once = std::move(once)] {
            once(pairs[2]);
            watch.start(stream);
            for (int i = 0; i < group; ++i) once(pairs[static_cast<std::size_t>(i) % pairs.size()]);
            return watch.stop(stream) / group;
        };
    };
    const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(float);
    std::vector<contender> contenders(4);
    contenders[0].measure = timed([&](pair_of_arrays& on) { stream.copy(on.to, on.from, bytes); });
    contenders[1].measure = timed([](pair_of_arrays& on) { on.y = on.x + on.x + on.x + on.x + on.x; });
    contenders[2].measure = timed([&](pair_of_arrays& on) {
        auto count = static_cast<unsigned int>(elements);
        void* parameters[] = {&on.to, &on.from, &count};
        by_hand.launch(stream.handle(), (elements + 1023) / 1024, 256, parameters);
    });
    contenders[3].measure = timed([](pair_of_arrays& on) {
        const k::scoped_options off({.fuse = false});
        on.y = on.x + on.x + on.x + on.x + on.x;
    });
    take_turns(contenders, rounds);

    const contender& copy = contenders[0];
    const contender& fused = contenders[1];
    const contender& hand_written = contenders[2];
    const contender& unfused = contenders[3];
    const auto us = [](const contender& of) { return summarize(of.values); };
    out.add({"copy, device to device", us(copy), "us"});
    out.add({"hand-written kernel", us(hand_written), "us", ratio(hand_written, copy), "x the copy"});
    out.add({"x+x+x+x+x, into y", us(fused), "us", ratio(fused, copy), "x the copy",
             limit{limit::side::at_most, 1.0, limit::subject::ratio}});
    out.add({"the same, one kernel per operator", us(unfused), "us", ratio(unfused, fused), "x the fused",
             limit{limit::side::at_least, 5.0, limit::subject::ratio}});
    const double moved = 2 * static_cast<double>(bytes);
    const double gb_per_s = moved / us(fused).median * 1e-3;
    out.add({"bandwidth of x+x+x+x+x", {gb_per_s, gb_per_s, gb_per_s}, "GB/s"});

    for (pair_of_arrays& each : pairs) {
        stream.copy(each.to, each.from, bytes);  // an earlier right answer must not stand in for this one
        each.y = each.x + each.x + each.x + each.x + each.x;
        if (!is_right(each)) return false;
    }
    return true;
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_bandwidth: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t elements = given.number("--elements", 100'000'000);
    report out("gpu_bandwidth", k::text::format("{}; {} floats", gpu_name(), elements), given);
    const bool right = measure(out, elements, static_cast<int>(given.number("--rounds", 60)));
    if (!right) out.note("WRONG RESULTS: the figures mean nothing");
    const int status = out.finish();
    return right ? status : 1;
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_bandwidth", trouble);
}
