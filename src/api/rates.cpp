// What is known of a device's rates, and what follows from them.
#include <api/kept_rates.hpp>
#include <device/cpu/cost.hpp>
#include <text/format.hpp>

#include <kiln/rates.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace kiln::inline v0_1 {

namespace {

/// Between what the two curves say, by how much of one is the other.
double between(double at_none, double at_all, double share) { return at_none + (at_all - at_none) * share; }

double memory_ns(const device_rates& of, std::int64_t bytes_read, std::int64_t bytes_written) {
    const std::int64_t bytes = bytes_read + bytes_written;
    const double copying = nanoseconds(of.copying, bytes);
    const double share = bytes ? static_cast<double>(bytes_read) / static_cast<double>(bytes) : 0.5;
    if (share >= 0.5) return between(copying, nanoseconds(of.reading, bytes), 2 * share - 1);
    return between(copying, nanoseconds(of.writing, bytes), 1 - 2 * share);
}

std::string size_text(std::int64_t bytes) {
    if (bytes < 1 << 20) return text::format("{} KiB", bytes >> 10);
    return text::format("{} MiB", bytes >> 20);
}

std::string rate_text(const std::vector<rate_point>& of, std::int64_t bytes) {
    const double ns = nanoseconds(of, bytes);
    return ns > 0 ? text::format("{:.1f}", static_cast<double>(bytes) / ns) : std::string("-");
}

/// What a device does in `ns` where all of it is at work. Threads of a CPU are woken where each has enough to do, one after the other.
double of_threads_woken(double ns, std::int64_t element_count, int thread_count) {
    constexpr double waking_ns = 3000;  // a Xeon of 16 threads takes 45 us longer than their work
    if (thread_count == 1) return ns;
    const double of_one = ns * thread_count;
    const double woken = std::min(static_cast<double>(element_count / backend::least_elements_of_thread),
                                  of_one / backend::least_ns_of_thread);
    const double at_work = std::clamp(woken, 1.0, static_cast<double>(thread_count));
    return of_one / at_work + waking_ns * (at_work - 1);
}

}  // namespace

const char* to_string(bound by) noexcept {
    switch (by) {
        case bound::unknown: return "unknown";
        case bound::launch: return "launch";
        case bound::memory: return "memory";
        case bound::arithmetic: return "arithmetic";
    }
    return "";
}

double nanoseconds(const std::vector<rate_point>& of, std::int64_t bytes) {
    if (of.empty()) return 0;
    const auto after = std::find_if(of.begin(), of.end(), [bytes](const auto& each) { return each.bytes >= bytes; });
    if (after == of.begin()) return after->ns;
    if (after == of.end()) return of.back().ns * static_cast<double>(bytes) / static_cast<double>(of.back().bytes);
    const rate_point& before = after[-1];
    return between(before.ns, after->ns,
                   static_cast<double>(bytes - before.bytes) / static_cast<double>(after->bytes - before.bytes));
}

predicted_time device_rates::predict(const kernel_work& of_element, std::int64_t element_count, std::int64_t bytes_read,
                                     std::int64_t bytes_written) const {
    const double memory = memory_ns(*this, bytes_read, bytes_written);
    double arithmetic = 0;
#define KILN_WORK(name, what) arithmetic += of_element.name * operation_ns.name;
#include <kiln/work_table.def>
    arithmetic = of_threads_woken(arithmetic * static_cast<double>(element_count), element_count, thread_count);
    const double ns = std::max(memory, arithmetic);
    if (ns <= 0) return {};
    if (ns < evaluation_ns) return {ns, bound::launch};
    return {ns, memory >= arithmetic ? bound::memory : bound::arithmetic};
}

std::string to_string(const device_rates& of) {
    std::string out = text::format("{} ({}): an evaluation takes the host {:.2f} us\n", of.device, of.target,
                                   of.evaluation_ns * 1e-3);
    out += "GB/s of         x+1     sum    fill  from host  pinned  to host  pinned\n";
    for (std::int64_t bytes = 1 << 16; bytes <= std::int64_t{1} << 29; bytes *= 8)
        out += text::format("{:>8}  {:>8}{:>8}{:>8}  {:>9}{:>8}{:>9}{:>8}\n", size_text(bytes),
                            rate_text(of.copying, bytes), rate_text(of.reading, bytes), rate_text(of.writing, bytes),
                            rate_text(of.to_device, bytes), rate_text(of.to_device_pinned, bytes),
                            rate_text(of.to_host, bytes), rate_text(of.to_host_pinned, bytes));
#define KILN_WORK(name, what) \
    if (of.operation_ns.name > 0) out += text::format("{:>10.1f} G/s  {}\n", 1 / of.operation_ns.name, what);
#include <kiln/work_table.def>
    return out;
}

}  // namespace kiln::inline v0_1
