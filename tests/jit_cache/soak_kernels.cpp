// soak_kernels: a worker of the soak that evaluates expressions: kiln finds, compiles, loads, publishes. Each answer is checked.
#include "soak.hpp"

#include <device/kernel_store.hpp>

#include <kiln/kiln.hpp>

#include <cstdlib>
#include <string>
#include <vector>

namespace {

namespace k = kiln;

constexpr int families = 16;  // expressions; kernels of one lie in one folder
constexpr float answers_begin = 1000;

/// Kernel number n computes x + 1000 + n. The number stands in memory where soak_compiler finds it, but for real ones; some
/// bring bytes along, so that entries differ in size.
std::string body_of(int number, bool is_real) {
    const std::string answer = std::to_string(static_cast<int>(answers_begin) + number) + ".0f";
    if (is_real) return "return x + " + answer + ";";
    const int padding = number % families % 4;
    return "static const volatile char padding[" + std::to_string(padding * 12'000 + 1) + "] = {1};\n" +
           "static const volatile float value[2] = {8.25e20f, " + answer + "};\n" + "return x + value[padding[0]];";
}

}  // namespace

int main(int count, char** arguments) try {
    const soak::work mine = soak::parse(count, arguments);
    ::setenv("KILN_CACHE_DIR", mine.folder.c_str(), 1);
    ::setenv("KILN_CACHE_MAX_SIZE", std::to_string(mine.max_bytes).c_str(), 1);
    const k::array<float> x = k::from_host(std::vector<float>{1, 2, 3, 4, 5});
    x.wait();
    k::backend::kernel_store();
    const soak::holdings before = soak::held();

    soak::questions questions(mine);
    for (int asked = 0; asked < soak::questions_per_life; ++asked) {
        const int number = questions.next();
        const bool is_real = number < mine.real;
        const std::string name = (is_real ? "real" : "soak") + std::to_string(number % families);
        const auto kernel = k::function<float(float)>(name, {"x"}, body_of(number, is_real));
        const std::vector<float> y = k::eval(kernel(x)).to_host();
        for (std::size_t i = 0; i < y.size(); ++i) {
            const float right = static_cast<float>(i + 1) + answers_begin + static_cast<float>(number);
            if (y[i] == right) continue;
            std::fprintf(stderr, "kernel %d: %f at %zu, not %f\n", number, static_cast<double>(y[i]), i,
                         static_cast<double>(right));
            return 1;
        }
    }
    k::backend::kernel_store().flush();
    const soak::holdings after = soak::held();
    const k::counters counted = k::counters::now();
    soak::told{soak::questions_per_life, static_cast<int>(counted.compiles), static_cast<int>(counted.disk_hits),
               after - before}
        .print();
    return 0;
} catch (const std::exception& trouble) {
    std::fprintf(stderr, "soak_kernels: %s\n", trouble.what());
    return 1;
}
