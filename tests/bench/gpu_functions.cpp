// What the bits of the CPU cost on a GPU: each function of the library as it is, beside a copy of its bytes, and under
// options.portable, beside itself; in turns. Of float32 and of 16-bit floats.
#include "gpu.hpp"
#include "support.hpp"

#include <emit/library.hpp>
#include <kiln/kiln.hpp>

#include <functional>
#include <string_view>
#include <utility>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

/// What a function is usually asked for; all numbers of a range, neighbours far apart.
std::pair<float, float> usual_arguments(std::string_view function) {
    for (const std::string_view each : {"log", "log2", "log10", "pow", "tgamma", "lgamma"})
        if (function == each) return {0.05f, 9.0f};
    for (const std::string_view each : {"asin", "acos", "atanh", "erfinv"})
        if (function == each) return {-0.999f, 0.999f};
    if (function == "acosh") return {1.0f, 9.0f};
    return {-4.0f, 4.0f};
}

template <class T>
k::array<T> spread(std::int64_t elements, std::int64_t step, std::pair<float, float> range) {
    const auto part = k::cast<float>(k::arange<std::int64_t>(elements) * step % 65521) * (1.0f / 65521);
    return k::cast<T>(range.first + part * (range.second - range.first));
}

class functions {
public:
    functions(report& out, const gpu_stream& stream, std::int64_t elements, int rounds)
        : out_(out), stream_(stream), elements_(elements), rounds_(rounds) {}

    template <class T, class Apply>
    void add(std::string_view name, int arity, Apply apply) {
        const k::array<T> x = spread<T>(elements_, 7919, usual_arguments(name));
        const k::array<T> y = spread<T>(elements_, 104729, {-4.0f, 4.0f});
        k::array<T> made[2];
        std::vector<contender> contenders(3);
        const std::size_t bytes = static_cast<std::size_t>(elements_) * sizeof(T) * static_cast<std::size_t>(arity + 1);
        const k::array<std::uint8_t> from = k::zeros<std::uint8_t>({static_cast<std::int64_t>(bytes / 2)});
        k::array<std::uint8_t> to = k::zeros<std::uint8_t>({static_cast<std::int64_t>(bytes / 2)});
        contenders[0].measure = timed([&](int) { stream_.copy(to.data(), from.data(), bytes / 2); });
        contenders[1].measure = timed([&](int call) { made[call % 2] = apply(x, y); });
        contenders[2].measure = timed([&](int call) {
            const k::scoped_options on({.portable = true});
            made[call % 2] = apply(x, y);
        });
        take_turns(contenders, rounds_);
        const std::string what = k::text::format("{} of {}", name, k::to_string(k::type_of<T>));
        out_.add({.what = what,
                  .value = summarize(contenders[1].values),
                  .unit = "us",
                  .compared = ratio(contenders[1], contenders[0]),
                  .compared_with = "x the copy"});
        out_.add({.what = "  portable",
                  .value = summarize(contenders[2].values),
                  .unit = "us",
                  .compared = ratio(contenders[2], contenders[1]),
                  .compared_with = "x that"});
    }

private:
    /// The first call keeps the device busy until the others are queued, and compiles.
    std::function<double()> timed(std::function<void(int)> once) {
        return [this, once = std::move(once)] {
            constexpr int group = 4;
            once(0);
            watch_.start(stream_);
            for (int i = 1; i <= group; ++i) once(i);
            return watch_.stop(stream_) / group;
        };
    }

    report& out_;
    const gpu_stream& stream_;
    const std::int64_t elements_;
    const int rounds_;
    gpu_stopwatch watch_;
};

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_functions: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const std::int64_t elements = given.number("--elements", std::int64_t{1} << 26);
    report out("gpu_functions", k::text::format("{}; {} elements", gpu_name(), elements), given);
    const gpu_stream stream;
    functions all(out, stream, elements, static_cast<int>(given.number("--rounds", 5)));
    const std::string only = given.text("--only", "");
#define KILN_APPLY_1(name) [](const auto& x, const auto&) { return k::name(x); }
#define KILN_APPLY_2(name) [](const auto& x, const auto& y) { return k::name(x, y); }
#define KILN_EACH(name, arity, in_double)                             \
    if (only.empty() || only == #name) {                              \
        all.add<float>(#name, arity, KILN_APPLY_##arity(name));       \
        all.add<k::float16>(#name, arity, KILN_APPLY_##arity(name));  \
        all.add<k::bfloat16>(#name, arity, KILN_APPLY_##arity(name)); \
    }
    KILN_LIBRARY_FUNCTIONS(KILN_EACH)
#undef KILN_EACH
#undef KILN_APPLY_1
#undef KILN_APPLY_2
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_functions", trouble);
}
