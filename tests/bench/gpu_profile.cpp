// What a k::profile costs a launch, and how near its times are to CUPTI's, NVIDIA's own: both look at the same launches.
// With --events, and with KILN_CUPTI=0, times are those of the driver's events, and are compared with what CUPTI says of the same
// launches (KILN_BENCH_CUPTI, or libcupti.so.13 where the loader finds it; without it that part is left out).
#include "gpu.hpp"
#include "support.hpp"

#include <kiln/kiln.hpp>

#include <cupti.h>
#include <dlfcn.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;

struct cupti {
    decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
    decltype(&::cuptiActivityEnable) enable = nullptr;
    decltype(&::cuptiActivityFlushAll) flush = nullptr;
    decltype(&::cuptiActivityGetNextRecord) next = nullptr;

    bool open() {
        const char* const named = std::getenv("KILN_BENCH_CUPTI");
        void* const library = ::dlopen(named ? named : "libcupti.so.13", RTLD_NOW);
        if (!library) return false;
        register_callbacks =
            reinterpret_cast<decltype(register_callbacks)>(::dlsym(library, "cuptiActivityRegisterCallbacks"));
        enable = reinterpret_cast<decltype(enable)>(::dlsym(library, "cuptiActivityEnable"));
        flush = reinterpret_cast<decltype(flush)>(::dlsym(library, "cuptiActivityFlushAll"));
        next = reinterpret_cast<decltype(next)>(::dlsym(library, "cuptiActivityGetNextRecord"));
        return register_callbacks && enable && flush && next;
    }
};
cupti the_cupti;

struct seen_kernel {
    std::string name;
    std::uint64_t start;
    double us;
};
std::vector<seen_kernel> seen;

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    *size = 8 << 20;
    *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, *size));
    *most = 0;
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    CUpti_Activity* record = nullptr;
    while (the_cupti.next(buffer, valid, &record) == CUPTI_SUCCESS)
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
            const auto* const kernel = reinterpret_cast<const CUpti_ActivityKernel10*>(record);
            seen.push_back({kernel->name, kernel->start, static_cast<double>(kernel->end - kernel->start) * 1e-3});
        }
    std::free(buffer);
}

/// Of each kernel by its place among the launches: how far the profile is from CUPTI.
void compare(report& out) {
    const k::array<float> small = k::arange<float>(1000);
    const k::array<float> large = k::cast<float>(k::arange<int>(1 << 26)) * 1e-6f;
    const k::array<float> m = k::reshape(large, {8192, 8192});
    k::array<float> y = small + small;
    k::array<float> z = large + large;
    const auto work = [&] {
        for (int i = 0; i < 10; ++i) {
            y = small + small + small + small + small;
            z = large + large + large + large + large;
            z = k::exp(large) * k::sin(large);
            const k::array<float> s = k::sum(large);
            const k::array<float> rows = k::sum(m * m, k::axis(1));
            const k::array<float> columns = k::max(m, k::axis(0));
            const k::array<float> softmax = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
            const k::array<float> middle = k::sqrt(large(k::range(0, 1 << 20)));
        }
    };
    work();
    k::synchronize();
    the_cupti.flush(1);
    seen.clear();
    std::vector<k::profile_event> ours;
    {
        k::profile profile;
        work();
        k::synchronize();
        for (const k::profile_event& each : profile.events())
            if (each.what == k::profiled::kernel) ours.push_back(each);
    }
    the_cupti.flush(1);
    std::sort(seen.begin(), seen.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
    std::erase_if(seen, [](const seen_kernel& each) { return each.name.find("kiln") == std::string::npos; });
    if (seen.size() != ours.size()) {
        print(stdout, "CUPTI saw {} kernels, the profile {}\n", seen.size(), ours.size());
        std::exit(1);
    }
    std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> by_name;
    double worst = 0;
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const double mine = static_cast<double>(ours[i].run_ns) * 1e-3;
        by_name[seen[i].name].first.push_back(mine);
        by_name[seen[i].name].second.push_back(seen[i].us);
        // What is over of 3% or half a microsecond, whichever is more.
        worst = std::max(worst, std::abs(mine - seen[i].us) / std::max(0.5, 0.03 * seen[i].us));
    }
    for (const auto& [name, times] : by_name)
        out.add({name, summarize(times.first), "us", summarize(times.second), "us by CUPTI"});
    out.add({"the worst distance, in units of max(3%, 0.5 us)",
             {worst, worst, worst},
             "",
             {},
             {},
             limit{limit::side::at_most, 1.0}});
}

double launches_us(int count) {
    const k::array<float> x = k::arange<float>(1000);
    k::array<float> y = x + x;
    k::synchronize();
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) y = x + x + x + x + x;
    k::synchronize();
    const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
    return took.count() / count;
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    if (!gpu_is_there()) {
        k::bench::print(stdout, "gpu_profile: not measured, kiln runs on the CPU here\n");
        return 0;
    }
    const bool by_events = given.has("--events");
    report out(by_events ? "gpu_profile by events" : "gpu_profile", k::text::format("{}; {}", gpu_name(), processor()),
               given);
    launches_us(10'000);
    const double before_any = launches_us(10'000);
    std::vector<contender> contenders(2);
    contenders[0].measure = [] { return launches_us(10'000); };
    contenders[1].measure = [] {
        const k::profile seen_too;
        return launches_us(10'000);
    };
    take_turns(contenders, 7);
    std::vector<double> more;
    for (std::size_t i = 0; i < contenders[0].values.size(); ++i)
        more.push_back(contenders[1].values[i] - contenders[0].values[i]);
    out.add({"a launch of 1,000 floats, before any profile", {before_any, before_any, before_any}, "us"});
    out.add({"no profile", summarize(contenders[0].values), "us"});
    out.add({"with a profile", summarize(contenders[1].values), "us", summarize(more), "us more",
             limit{limit::side::at_most, 2.0, limit::subject::ratio}});
    if (!by_events) return out.finish();
    if (the_cupti.open()) {
        the_cupti.register_callbacks(give_buffer, take_buffer);
        the_cupti.enable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
        compare(out);
    } else {
        k::bench::print(stdout, "gpu_profile: no libcupti: its times are not compared\n");
    }
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_profile", trouble);
}
