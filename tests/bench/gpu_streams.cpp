// Data that are in the host's memory, through a GPU and back: y = sqrt(sin(x)^2 + cos(x)^2), by hand in streams and events, and as k::host_array;
// from ordinary memory beside what copying it through locked buffers takes alone; and more than the GPU's memory holds.
//
//     gpu_streams [--gigabytes 64] [--budget 4G] [--rounds 7]
//
// The large one reads a buffer of 16 GB, in which each row begins a little behind the one before.
#include "gpu.hpp"
#include "support.hpp"

#include <kiln/host_array.hpp>
#include <kiln/kiln.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace k = kiln;
using namespace kiln::bench;
using kiln::backend::check;
using kiln::backend::driver;
using kiln::backend::the_driver;

constexpr const char* source = R"(
extern "C" __global__ void by_hand(const float4* x, float4* y, long long count)
{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= count) return;
    const float4 v = x[i];
    float4 out;
    out.x = sqrtf(sinf(v.x) * sinf(v.x) + cosf(v.x) * cosf(v.x));
    out.y = sqrtf(sinf(v.y) * sinf(v.y) + cosf(v.y) * cosf(v.y));
    out.z = sqrtf(sinf(v.z) * sinf(v.z) + cosf(v.z) * cosf(v.z));
    out.w = sqrtf(sinf(v.w) * sinf(v.w) + cosf(v.w) * cosf(v.w));
    y[i] = out;
}
)";

template <class X>
auto made_of(const X& x) {
    return k::sqrt(k::sin(x) * k::sin(x) + k::cos(x) * k::cos(x));
}

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Copies in, kernels and copies out, each on a stream, of chunks in a ring of three.
class pipeline {
public:
    explicit pipeline(std::int64_t most_of_chunk)
        : most_(most_of_chunk),
          in_(k::zeros<float>({ring * most_of_chunk})),
          out_(k::zeros<float>({ring * most_of_chunk})) {
        k::synchronize();
        const driver& api = the_driver();
        for (CUstream& each : streams_)
            check(api, api.cuStreamCreateWithPriority(&each, CU_STREAM_NON_BLOCKING, 0), "bench: make a stream");
        for (auto& slot : events_)
            for (CUevent& each : slot)
                check(api, api.cuEventCreate(&each, CU_EVENT_DISABLE_TIMING), "bench: make an event");
    }
    ~pipeline() {
        for (const CUstream each : streams_) the_driver().cuStreamDestroy(each);
        for (const auto& slot : events_)
            for (const CUevent each : slot) the_driver().cuEventDestroy(each);
    }
    pipeline(const pipeline&) = delete;
    pipeline& operator=(const pipeline&) = delete;

    void run(const float* x, float* y, std::int64_t count, std::int64_t chunk) {
        const driver& api = the_driver();
        const auto good = [&](CUresult result) { check(api, result, "bench: a pipeline by hand"); };
        for (std::int64_t begin = 0, i = 0; begin < count; begin += chunk, ++i) {
            const auto slot = static_cast<std::size_t>(i % ring);
            auto& [came, made, left] = events_[slot];
            const std::int64_t now = std::min(chunk, count - begin);
            const auto bytes = static_cast<std::size_t>(now) * sizeof(float);
            float* from = in_.data() + static_cast<std::int64_t>(slot) * most_;
            float* to = out_.data() + static_cast<std::int64_t>(slot) * most_;
            if (i >= ring) good(api.cuStreamWaitEvent(streams_[0], made, 0));
            good(api.cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(from), x + begin, bytes, streams_[0]));
            good(api.cuEventRecord(came, streams_[0]));
            good(api.cuStreamWaitEvent(streams_[1], came, 0));
            if (i >= ring) good(api.cuStreamWaitEvent(streams_[1], left, 0));
            long long quads = now / 4;
            void* parameters[] = {&from, &to, &quads};
            kernel_.launch(streams_[1], (quads + 255) / 256, 256, parameters);
            good(api.cuEventRecord(made, streams_[1]));
            good(api.cuStreamWaitEvent(streams_[2], made, 0));
            good(api.cuMemcpyDtoHAsync(y + begin, reinterpret_cast<CUdeviceptr>(to), bytes, streams_[2]));
            good(api.cuEventRecord(left, streams_[2]));
        }
        good(api.cuStreamSynchronize(streams_[2]));
    }

    /// One way alone, or both at once, in one piece.
    void copy(const float* x, float* y, std::int64_t count) {
        const driver& api = the_driver();
        const auto bytes = static_cast<std::size_t>(count) * sizeof(float);
        if (x)
            check(api, api.cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(in_.data()), x, bytes, streams_[0]),
                  "bench: copy");
        if (y)
            check(api, api.cuMemcpyDtoHAsync(y, reinterpret_cast<CUdeviceptr>(out_.data()), bytes, streams_[2]),
                  "bench: copy");
        for (const CUstream each : streams_) check(api, api.cuStreamSynchronize(each), "bench: wait");
    }

private:
    static constexpr std::int64_t ring = 3;
    const gpu_kernel kernel_{"by_hand", source};
    const std::int64_t most_;
    k::array<float> in_;
    k::array<float> out_;
    CUstream streams_[3] = {};
    CUevent events_[ring][3] = {};
};

int thread_count() { return std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 1, 16); }

/// All of x through locked buffers into y, by threads, each of which takes the next piece: what moving it costs the host alone. Pieces of
/// 1 MB, each in one of three buffers of the thread's own, as they would be while a link reads and writes the others.
void through_buffers(const float* x, float* y, std::int64_t count, float* locked) {
    constexpr std::int64_t piece = 1 << 18;
    std::atomic<std::int64_t> next{0};
    std::vector<std::thread> threads;
    for (int thread = 0; thread < thread_count(); ++thread)
        threads.emplace_back([&, thread] {
            int turn = 0;
            for (std::int64_t at = next.fetch_add(piece); at < count; at = next.fetch_add(piece)) {
                float* const buffer = locked + (thread * 3 + turn++ % 3) * piece;
                const std::size_t bytes = static_cast<std::size_t>(std::min(piece, count - at)) * sizeof(float);
                std::memcpy(buffer, x + at, bytes);
                std::memcpy(y + at, buffer, bytes);
            }
        });
    for (std::thread& each : threads) each.join();
}

figure row(std::string what, const contender& of, const contender& to, const char* compared_with) {
    return {std::move(what), summarize(of.values), "ms", ratio(of, to), compared_with};
}

/// GB/s of the link.
struct link_rates {
    double one_way = 0;
    double both_ways = 0;  // each
};

link_rates measure_256(report& out, int rounds, std::int64_t count) {
    std::vector<float> ordinary(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < ordinary.size(); ++i) ordinary[i] = static_cast<float>(i % 1000) * 0.01f;
    std::vector<float> result(ordinary.size());
    const k::host_array<float> x(ordinary, {count});
    k::host_array<float> y({count});
    const k::host_array<float> from(k::wrap(ordinary));
    k::host_array<float> to(k::wrap(result));
    k::host_array<float> buffers(k::shape{std::int64_t{3} * 16 << 18});
    std::fill(buffers.elements().begin(), buffers.elements().end(), 0.0f);
    pipeline by_hand(count);

    const std::vector<int> counts = {8, 16, 32, 64};
    std::vector<contender> all;
    const auto add = [&](std::function<void()> work) {
        all.push_back({[work = std::move(work)] { return milliseconds(work); }, {}});
        return all.size() - 1;
    };
    for (const int chunks : counts)
        add([&, chunks] { by_hand.run(x.data(), y.data(), count, (count / chunks + 1023) / 1024 * 1024); });
    const std::size_t in_one = add([&] { by_hand.run(x.data(), y.data(), count, count); });
    const std::size_t one_way = add([&] { by_hand.copy(x.data(), nullptr, count); });
    const std::size_t other_way = add([&] { by_hand.copy(nullptr, y.data(), count); });
    const std::size_t both = add([&] { by_hand.copy(x.data(), y.data(), count); });
    const std::size_t locked = add([&] { y = made_of(x); });
    const std::size_t pageable = add([&] { to = made_of(from); });
    const std::size_t copies = add([&] { through_buffers(ordinary.data(), result.data(), count, buffers.data()); });
    through_buffers(ordinary.data(), result.data(), count, buffers.data());
    if (result != ordinary) throw std::runtime_error("what went through buffers is not what it was");
    take_turns(all, rounds);
    to = made_of(from);
    for (const float* at : {std::as_const(y).data(), std::as_const(result).data()})
        for (std::int64_t i = 0; i < count; i += 1023)
            if (std::fabs(at[i] - 1) > 1e-5f) throw std::runtime_error("an element is not sin^2 + cos^2 = 1");

    const contender& best = fastest(std::span(all).first(counts.size()));
    const double megabytes = static_cast<double>(count) * sizeof(float) / 1e6;
    out.add({k::text::format("{:.0f} MB in, by hand, alone", megabytes), summarize(all[one_way].values), "ms"});
    out.add({"out, alone", summarize(all[other_way].values), "ms"});
    out.add({"both at once", summarize(all[both].values), "ms"});
    out.add(row("in, a kernel, out: one after the other", all[in_one], best, "x the best by hand"));
    for (std::size_t i = 0; i < counts.size(); ++i)
        out.add(row(k::text::format("by hand in {} chunks: streams and events", counts[i]), all[i], best,
                    "x the best by hand"));
    figure ours = row("kiln, from and to locked memory", all[locked], best, "x the best by hand");
    ours.must_be = limit{limit::side::at_most, 1.03, limit::subject::ratio};
    out.add(std::move(ours));
    out.add({k::text::format("{} threads copy it to and from locked buffers", thread_count()),
             summarize(all[copies].values), "ms"});
    figure ordinary_too = row("kiln, from and to ordinary memory", all[pageable], all[copies], "x those copies");
    ordinary_too.must_be = limit{limit::side::at_most, 1.35, limit::subject::ratio};
    out.add(std::move(ordinary_too));
    const auto rate = [&](std::size_t of) { return megabytes / summarize(all[of].values).median; };
    return {rate(one_way), rate(both)};
}

/// Of chunks as small as a budget makes them. Those of 2 MB are a dozen microseconds on the link, more than the host
/// needs for them; of 256 KB the host's time is what is left.
void measure_host_time(report& out, int rounds, const char* budget) {
    constexpr std::int64_t count = 1 << 22;
    setenv("KILN_DEVICE_MEMORY", budget, 1);
    k::host_array<float> x({count});
    x = 1.0f;
    k::host_array<float> y({count});
    y = made_of(x);
    std::int64_t chunks = 0;
    {
        const k::profile seen;
        y = made_of(x);
        for (const k::profile_event& each : seen.events()) chunks += each.what == k::profiled::kernel;
    }
    std::vector<contender> all;
    const auto add = [&](std::function<void()> work) {
        all.push_back(
            {[work = std::move(work), chunks] { return milliseconds(work) * 1e3 / static_cast<double>(chunks); }, {}});
    };
    const k::counters before = k::counters::now();
    add([&] { y = made_of(x); });
    take_turns(all, rounds);
    const k::counters spent = k::counters::now() - before;
    unsetenv("KILN_DEVICE_MEMORY");
    // After that, and not by turns: its memory would count.
    const std::int64_t chunk = (count / chunks + 3) / 4 * 4;
    pipeline by_hand(chunk);
    add([&] { by_hand.run(x.data(), y.data(), count, chunk); });
    take_turns(std::span(all).last(1), rounds);
    figure made = row(k::text::format("a chunk of {} KB, host and link together", count * 4 / chunks >> 10), all[0],
                      all[1], "x the same by hand");
    made.unit = "us";
    made.must_be = limit{limit::side::at_most, 15};
    made.remark = k::text::format("{} chunks", chunks);
    out.add(std::move(made));
    figure compiled{"kernels compiled for them", {static_cast<double>(spent.compiles), 0, 0}, ""};
    compiled.must_be = limit{limit::side::at_most, 0};
    out.add(std::move(compiled));
}

/// What is not in use by anybody, at the least, while `work` runs.
std::int64_t least_free(const std::function<void()>& work) {
    std::atomic<bool> is_done{false};
    std::int64_t least = k::memory_use().free_bytes;
    std::thread looks([&, on = k::current_device()] {
        while (!is_done) {
            least = std::min(least, k::memory_use(on).free_bytes);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    const std::exception_ptr trouble = [&]() -> std::exception_ptr {
        try {
            work();
            return nullptr;
        } catch (...) {
            return std::current_exception();
        }
    }();
    is_done = true;
    looks.join();
    if (trouble) std::rethrow_exception(trouble);
    return least;
}

/// Bytes by which less of the GPU's memory was free while `work` ran, at the most.
std::int64_t memory_taken(const std::function<void()>& work) {
    k::trim_memory();
    const std::int64_t before = k::memory_use().free_bytes;
    return before - least_free(work);
}

/// More than the GPU's memory, or than the budget, holds: `gigabytes` in, whose rows begin again and again in one buffer, and a sum; and 8 in
/// and out. GB/s of the link, one way alone and each of both at once.
void measure_large(report& out, std::int64_t gigabytes, const std::string& budget, const link_rates& link) {
    constexpr std::int64_t columns = 1 << 23;  // 34 MB: one row a chunk, which is copied as it lies
    const std::int64_t rows = gigabytes * 1'000'000'000 / 4 / columns;
    const std::int64_t of_buffer = std::min(rows * columns, std::int64_t{4} << 30);
    k::host_array<float> buffer({of_buffer});
    buffer = 0.75f;
    const std::int64_t further = rows > 1 ? (of_buffer - columns) / (rows - 1) : columns;
    const k::host_array<float> x(k::wrap(buffer.data(), {rows, columns}, {further, 1}));
    const std::int64_t both_ways = std::min(of_buffer, std::int64_t{2'000'000'000});
    const k::host_array<float> part(k::wrap(buffer.data(), {both_ways}));
    (void)k::sum(made_of(k::host_array<float>(k::wrap(buffer.data(), {8, columns}, {further, 1})))).item();  // compiles
    k::host_array<float> y({both_ways});
    const auto add = [&](const std::string& what, std::int64_t elements, double link_rate, std::int64_t most,
                         const std::function<void()>& work) {
        double ms = 0;
        const std::int64_t taken = memory_taken([&] { ms = milliseconds(work); });
        const double rate = static_cast<double>(elements) * sizeof(float) / ms * 1e-6;
        const double of_link = rate / link_rate;
        figure made{what, {rate, rate, rate}, "GB/s", summary{of_link, of_link, of_link}, "x the link"};
        made.must_be = limit{limit::side::at_least, 0.92, limit::subject::ratio};
        made.remark = k::text::format("{:.2f} s, {} MiB of the GPU's", ms * 1e-3, taken >> 20);
        out.add(std::move(made));
        if (most == 0) return;
        figure memory{what + ": of its memory", {static_cast<double>(taken >> 20), 0, 0}, "MiB"};
        memory.must_be = limit{limit::side::at_most, static_cast<double>(most >> 20)};
        memory.quiet = true;
        out.add(std::move(memory));
    };
    for (const std::string& each : {std::string(), budget}) {
        const std::string of = each.empty() ? "" : k::text::format(", KILN_DEVICE_MEMORY={}", each);
        if (each.empty()) unsetenv("KILN_DEVICE_MEMORY");
        else setenv("KILN_DEVICE_MEMORY", each.c_str(), 1);
        const std::int64_t most = each.empty() ? 0 : std::int64_t{std::atoi(each.c_str())} << 30;
        float sum = 0;
        add(k::text::format("sum of a chain of {} GB{}", gigabytes, of), rows * columns, link.one_way, most,
            [&] { sum = k::sum(made_of(x)).item(); });
        if (std::fabs(sum / static_cast<float>(rows * columns) - 1) > 1e-4f)
            throw std::runtime_error("the sum is wrong");
        add(k::text::format("a chain of {:.0f} GB in and out{}", static_cast<double>(both_ways) * 4e-9, of), both_ways,
            link.both_ways, most, [&] { y = made_of(part); });
    }
    unsetenv("KILN_DEVICE_MEMORY");
    for (std::int64_t i = 0; i < both_ways; i += both_ways / 1000)
        if (std::fabs(y.data()[i] - 1) > 1e-5f) throw std::runtime_error("an element of the large result is wrong");
}

}  // namespace

int main(int count, char** values) try {
    const arguments given(count, values);
    report out("gpu_streams", gpu_name(), given);
    if (!gpu_is_there()) {
        out.note("not measured: no GPU here");
        return out.finish();
    }
    const int rounds = static_cast<int>(given.number("--rounds", 7));
    const link_rates link = measure_256(out, rounds, std::int64_t{1} << 26);
    for (const char* const budget : {"2M", "256K"}) measure_host_time(out, rounds, budget);
    if (const std::int64_t gigabytes = given.number("--gigabytes", 64); gigabytes > 0)
        measure_large(out, gigabytes, given.text("--budget", "4G"), link);
    return out.finish();
} catch (const std::exception& trouble) {
    return kiln::bench::fail("gpu_streams", trouble);
}
