// My broadcasted product is 200 times slower on the GPU than it should be, or slower than a loop on the CPU. Why?
//
// Values of (4000, 5) policies and years times discount factors of (100, 4000, 5) scenarios, policies and years, in
// doubles. Written by hand as a kernel whose one thread loops over all of it, this leaves the rest of a GPU idle. Here it
// is one line, one kernel, every core. What remains to be seen is where the time goes: copies, compile, kernel; and when
// the loop on the CPU wins.
#include "measure.hpp"

namespace k = kiln;

namespace {

constexpr std::size_t scenarios = 100, policies = 4000, years = 5;
constexpr std::size_t per_scenario = policies * years;

struct costs {
    double copy_in_ms = 0, compile_ms = 0, kernel_ms = 0, copy_out_ms = 0;
    [[nodiscard]] double total() const { return copy_in_ms + compile_ms + kernel_ms + copy_out_ms; }
};

costs on_the_device(const std::vector<double>& host_mult, const std::vector<double>& host_discount,
                    std::vector<double>& host_cv) {
    costs spent;
    k::array<double> mult, discount, cv;
    spent.copy_in_ms = milliseconds([&] {
        mult = k::from_host<double>(host_mult, {policies, years});
        discount = k::from_host<double>(host_discount, {scenarios, policies, years});
    });
    // Compile or find on disk now, so that it is not in the kernel's time. A program that does not measure needs no such
    // line.
    spent.compile_ms = milliseconds([&] { k::prepare(mult * discount); });
    spent.kernel_ms = milliseconds([&] {
        cv = mult * discount;  // the answer
    });
    spent.copy_out_ms = milliseconds([&] { cv.copy_to(host_cv); });
    return spent;
}

double by_a_loop(const std::vector<double>& mult, const std::vector<double>& discount, std::vector<double>& cv) {
    return milliseconds([&] {
        for (std::size_t s = 0; s < scenarios; ++s)
            for (std::size_t i = 0; i < per_scenario; ++i)
                cv[s * per_scenario + i] = mult[i] * discount[s * per_scenario + i];
    });
}

void print(const char* what, const costs& spent) {
    fmt::print("{:<28}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.3f}{:>10.3f}\n", what, spent.copy_in_ms, spent.compile_ms,
               spent.kernel_ms, spent.copy_out_ms, spent.total());
}

void run() {
    std::vector<double> mult(per_scenario), discount(scenarios * per_scenario);
    for (std::size_t i = 0; i < mult.size(); ++i) mult[i] = 100.0 + static_cast<double>(i % 977);
    for (std::size_t i = 0; i < discount.size(); ++i) discount[i] = 1.0 / (1.0 + static_cast<double>(i % 1013) * 1e-4);

    std::vector<double> looped(discount.size()), cv(discount.size());
    by_a_loop(mult, discount, looped);  // the memory's first use is the system's time, not the loop's
    const double loop_ms = by_a_loop(mult, discount, looped);

    fmt::print("cv = mult * discount, (4000, 5) * (100, 4000, 5) doubles, on {}\n\n", device_text());
    k::synchronize();  // the device is up
    const costs cold = on_the_device(mult, discount, cv);
    const costs warm = on_the_device(mult, discount, cv);
    fmt::print("{:<28}{:>10}{:>10}{:>10}{:>10}{:>10}\n", "milliseconds", "copy in", "compile", "kernel", "copy out",
               "total");
    print("first time in this process", cold);
    print("from then on", warm);
    fmt::print("{:<28}{:>10}{:>10}{:>10.3f}{:>10}{:>10.3f}\n", "a plain loop, one thread", "", "", loop_ms, "",
               loop_ms);

    if (!k::current_device().is_cuda()) {
        // Where the device is the CPU, memory of the program's own needs no copy.
        const auto in_place = [&] {
            k::wrap(cv.data(), {scenarios, policies, years}) =
                k::wrap(mult.data(), {policies, years}) * k::wrap(discount.data(), {scenarios, policies, years});
        };
        fmt::print("{:<28}{:>10}{:>10}{:>10.3f}{:>10}\n", "kiln, over host memory", "", "",
                   median_milliseconds(in_place), "");
    }

    fmt::print("\nKernel against loop: {:.3f} to {:.3f} ms. ", warm.kernel_ms, loop_ms);
    if (warm.total() < loop_ms) fmt::print("kiln wins even when the data comes from the host and goes back, once.\n");
    else if (warm.kernel_ms < loop_ms)
        fmt::print(
            "But the copies take {:.3f} ms: data that comes from the host,\n"
            "is multiplied once and goes back is the loop's. Data that stays, or more work in the same expression\n"
            "(one kernel still, and the same copies), is kiln's.\n",
            warm.copy_in_ms + warm.copy_out_ms);
    else fmt::print("The loop wins on this device.\n");

    check(cv == looped, "all 2,000,000 products are the loop's, to the last bit");
}

}  // namespace

int main() try {
    run();
    return 0;
} catch (const std::exception& trouble) {
    fmt::print(stderr, "vesting_discount: {}\n", trouble.what());
    return 1;
}
