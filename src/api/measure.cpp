// k::measure: a device's rates, by kernels such as users have: what a profile says of them.
#include <api/kept_rates.hpp>
#include <device/devices.hpp>
#include <device/observed/observed_device.hpp>
#include <record/stopwatch.hpp>

#include <kiln/array.hpp>
#include <kiln/expr.hpp>
#include <kiln/generators.hpp>
#include <kiln/operations.hpp>
#include <kiln/options.hpp>
#include <kiln/profile.hpp>
#include <kiln/rates.hpp>
#include <kiln/reductions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

/// What an evaluation's kernel usually takes on the device.
template <class Evaluate>
double usual_run_ns(Evaluate evaluate) {
    evaluate();  // finds its kernel
    const profile seen(profile_scope::this_thread);
    for (int i = 0; i < 9; ++i) evaluate();
    std::vector<std::int64_t> ns;
    for (const profile_event& each : seen.events())
        if (each.what == profiled::kernel) ns.push_back(each.run_ns);
    std::nth_element(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(ns.size() / 2), ns.end());
    return static_cast<double>(ns[ns.size() / 2]);
}

/// Of the calling thread's clock.
template <class Do>
double least_host_ns(int times, Do something) {
    std::int64_t least = 0;
    for (int i = 0; i < times; ++i) {
        const std::int64_t begin = record::now_ns();
        something();
        const std::int64_t took = record::now_ns() - begin;
        if (i == 0 || took < least) least = took;
    }
    return static_cast<double>(least);
}

void add_point(std::vector<rate_point>& to, std::int64_t bytes, double ns) {
    // Noise that says that more takes less says nothing.
    if (!to.empty()) ns = std::max(ns, to.back().ns);
    to.push_back({bytes, std::max(ns, 1.0)});
}

constexpr std::int64_t least_bytes = std::int64_t{1} << 12;

/// Bytes of the largest kernel that is measured: where a rate no longer changes, or what memory allows.
std::int64_t most_bytes(const device_info& of) {
    const std::int64_t wanted = std::int64_t{1} << (of.is_cuda ? 30 : 27);
    std::int64_t out = least_bytes;
    while (out < wanted && 8 * out < of.free_bytes) out *= 2;
    return out;
}

array<float> ones_of(std::int64_t count) { return array<float>(full<float>({count}, 1.0f)); }

void measure_memory(device_rates& into, std::int64_t most) {
    for (std::int64_t bytes = least_bytes; bytes <= most; bytes *= 2) {
        const array<float> from = ones_of(bytes / 8);
        array<float> to = ones_of(bytes / 8);
        add_point(into.copying, bytes, usual_run_ns([&] { to = from + 1.0f; }));
    }
    for (std::int64_t bytes = least_bytes; bytes <= most; bytes *= 2) {
        const array<float> from = ones_of(bytes / 4);
        add_point(into.reading, bytes, usual_run_ns([&] { const array<float> total = sum(from); }));
    }
    for (std::int64_t bytes = least_bytes; bytes <= most; bytes *= 2) {
        array<float> to = ones_of(bytes / 4);
        add_point(into.writing, bytes, usual_run_ns([&] { to = 2.0f; }));
    }
}

void measure_copies(device_rates& into, backend::device& on, std::int64_t most) {
    std::vector<std::byte> here(static_cast<std::size_t>(most));
    const array<std::uint8_t> there(full<std::uint8_t>({most}, std::uint8_t{0}));
    auto* const memory = reinterpret_cast<std::byte*>(const_cast<std::uint8_t*>(there.data()));
    const auto measure_both = [&](std::vector<rate_point>& to_device, std::vector<rate_point>& to_host) {
        for (std::int64_t bytes = least_bytes; bytes <= most; bytes *= 4) {
            const auto count = static_cast<std::size_t>(bytes);
            add_point(to_device, bytes, least_host_ns(5, [&] { on.copy_from_host(memory, here.data(), count); }));
            add_point(to_host, bytes, least_host_ns(5, [&] { on.copy_to_host(here.data(), memory, count); }));
        }
    };
    measure_both(into.to_device, into.to_host);
    if (!on.lock_pages(here.data(), here.size())) return;
    measure_both(into.to_device_pinned, into.to_host_pinned);
    on.unlock_pages(here.data());
}

double measure_evaluation() {
    const array<float> from = ones_of(256);
    array<float> to = ones_of(256);
    constexpr int count = 200;
    to = from + 1.0f;
    return least_host_ns(20,
                         [&] {
                             for (int i = 0; i < count; ++i) to = from + 1.0f;
                         }) /
           count;
}

/// Side by side, so that they wait for arithmetic and not for each other; each step takes what is 1 to what is near 1.
template <class T, class Step>
expr<T> chains(const array<T>& from, int count, int length, Step step) {
    expr<T> all = from;
    for (int i = 0; i < count; ++i) {
        expr<T> chain = from + static_cast<T>(i);
        for (int k = 0; k < length; ++k) chain = step(chain);
        all = all + chain;
    }
    return all;
}

/// Of `count` operations for each element, where they take far longer than what they are given.
template <class T, class Step>
double operation_ns(const device_rates& rates, std::int64_t most, int chain_count, int length, int of_step, Step step) {
    double ns = 0;
    std::int64_t elements = 1 << 14;
    for (; elements * 16 <= most; elements *= 4) {
        const array<T> from(full<T>({elements}, T(1)));
        array<T> to(full<T>({elements}, T(1)));
        const expr<T> e = chains<T>(from, chain_count, length, step);
        ns = usual_run_ns([&] { to = e; });
        const std::int64_t bytes = elements * 2 * static_cast<std::int64_t>(sizeof(T));
        if (ns > 100'000 && ns > 4 * nanoseconds(rates.copying, bytes)) {
            elements *= 4;
            break;
        }
    }
    const double count = static_cast<double>(elements / 4) * chain_count * length * of_step;
    return std::max(ns, 1.0) / count;
}

void measure_arithmetic(device_rates& into, std::int64_t most, bool on_gpu) {
    // Long chains, beside which reading and storing are little; a CPU's compiler keeps short ones in registers.
    const int length = on_gpu ? 48 : 16;
    constexpr int chains = 4;
    const auto plain = [](const auto& x) { return (x * 0.5f + 0.5f) * 0.25f + 0.75f; };
    const auto quotient = [](const auto& x) { return 2.0f / (1.5f / x); };
    const auto function = [](const auto& x) { return exp(-x); };  // the fastest of them
    // A CPU calls them for a strip of elements, which are enough to be side by side, and puts what several chains come to by.
    const int function_chains = on_gpu ? chains : 1;
    into.operation_ns.plain = operation_ns<float>(into, most, chains, length, 4, plain);
    into.operation_ns.plain_64 = operation_ns<double>(into, most, chains, length, 4, plain);
    into.operation_ns.quotient = operation_ns<float>(into, most, chains, 4, 2, quotient);
    into.operation_ns.quotient_64 = operation_ns<double>(into, most, chains, 4, 2, quotient);
    into.operation_ns.function = operation_ns<float>(into, most, function_chains, 8, 1, function);
    into.operation_ns.function_64 = operation_ns<double>(into, most, function_chains, 8, 1, function);
}

}  // namespace

device_rates measure(const device& of, measuring when) {
    const scoped_device here(of);
    const scoped_options usual({});
    backend::device& on = backend::behind_observer(backend::current_device());
    const auto everything = [&] {
        const device_info info = on.describe();
        device_rates out;
        out.device = info.name;
        out.target = info.target;
        const std::int64_t most = most_bytes(info);
        measure_memory(out, most);
        if (!backend::reaches_host(on)) measure_copies(out, on, std::min<std::int64_t>(most, 1 << 28));
        out.evaluation_ns = measure_evaluation();
        measure_arithmetic(out, most, info.is_cuda);
        if (!info.is_cuda) out.thread_count = info.unit_count;
        return out;
    };
    return when == measuring::again ? detail::measure_rates_again(on, everything)
                                    : detail::find_or_measure_rates(on, everything);
}

std::optional<device_rates> known_rates(const device& of) {
    const scoped_device here(of);
    const device_rates* const known = detail::find_rates(backend::behind_observer(backend::current_device()));
    return known ? std::optional(*known) : std::nullopt;
}

}  // namespace kiln::inline v0_1
