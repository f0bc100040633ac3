#include <api/kept_rates.hpp>

#include <device/kernel_store.hpp>
#include <jit_cache/key.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <record/stopwatch.hpp>
#include <text/format.hpp>

#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

/// Another when what is measured, or how, changes.
constexpr int rates_version = 4;

struct known_rates_list {
    std::mutex mutex;
    std::map<const backend::known_device*, std::unique_ptr<const device_rates>> of;
    std::vector<std::unique_ptr<const device_rates>> replaced;
};
constinit process::immortal<known_rates_list> all_known;

const process::fork_participant held_rates{process::fork_order::rates, [] { all_known().mutex.lock(); },
                                           [] { all_known().mutex.unlock(); }};

/// The same machine, device and way to run kernels.
jit_cache::key key_of(backend::device& on) {
    const device_info info = on.describe();
    jit_cache::key key;
    key.add("expression", "rates of a device");
    key.add("source", text::format("{}, {} units, {} bytes", info.name, info.unit_count, info.total_bytes));
    key.add("target", info.target);
    key.add("options", info.compiles ? "compiled" : "interpreted");
    key.add("generator", text::format("rates {}", rates_version));
    return key;
}

#define KILN_CURVES(each) \
    each(copying) each(reading) each(writing) each(to_device) each(to_host) each(to_device_pinned) each(to_host_pinned)

/// Numbers of a line, apart by a blank.
class numbers {
public:
    explicit numbers(std::string_view line) : rest_(line) {}

    template <class T>
    bool next(T& out) {
        const std::size_t begin = rest_.find_first_not_of(' ');
        if (begin == rest_.npos) return false;
        const auto [end, trouble] = std::from_chars(rest_.data() + begin, rest_.data() + rest_.size(), out);
        if (trouble != std::errc()) return false;
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return true;
    }

private:
    std::string_view rest_;
};

bool is_positive(double value) { return std::isfinite(value) && value > 0; }

bool parse_line(std::string_view name, std::string_view rest, device_rates& into) {
    numbers values(rest);
    if (name == "device" || name == "target") {
        (name == "device" ? into.device : into.target) = rest;
        return true;
    }
    if (name == "evaluation") return values.next(into.evaluation_ns) && is_positive(into.evaluation_ns);
    if (name == "threads") return values.next(into.thread_count) && into.thread_count > 0;
#define KILN_WORK(work, what) \
    if (name == #work) return values.next(into.operation_ns.work) && is_positive(into.operation_ns.work);
#include <kiln/work_table.def>
    std::vector<rate_point>* curve = nullptr;
#define KILN_EACH(of) \
    if (name == #of) curve = &into.of;
    KILN_CURVES(KILN_EACH)
#undef KILN_EACH
    rate_point point;
    if (!curve || !values.next(point.bytes) || !values.next(point.ns)) return false;
    if (point.bytes <= 0 || !is_positive(point.ns) || (!curve->empty() && curve->back().bytes >= point.bytes))
        return false;
    curve->push_back(point);
    return true;
}

}  // namespace

std::string text_of(const device_rates& of) {
    std::string out = text::format("device {}\ntarget {}\nevaluation {}\nthreads {}\n", of.device, of.target,
                                   of.evaluation_ns, of.thread_count);
#define KILN_WORK(name, what) out += text::format(#name " {}\n", of.operation_ns.name);
#include <kiln/work_table.def>
#define KILN_EACH(curve) \
    for (const rate_point& each : of.curve) out += text::format(#curve " {} {}\n", each.bytes, each.ns);
    KILN_CURVES(KILN_EACH)
#undef KILN_EACH
    return out;
}

std::optional<device_rates> parse_rates(std::string_view text) {
    device_rates out;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
        const std::size_t blank = line.find(' ');
        if (blank == line.npos || !parse_line(line.substr(0, blank), line.substr(blank + 1), out)) return std::nullopt;
    }
    if (out.copying.empty() || out.reading.empty() || out.writing.empty() || out.evaluation_ns <= 0)
        return std::nullopt;
    return out;
}

namespace {

const device_rates* in_memory(const backend::known_device& known) {
    known_rates_list& list = all_known();
    const std::lock_guard held(list.mutex);
    const auto found = list.of.find(&known);
    return found == list.of.end() ? nullptr : found->second.get();
}

/// Who has a reference to what is replaced keeps it.
const device_rates& replace(const backend::known_device& known, device_rates rates) {
    known_rates_list& list = all_known();
    const std::lock_guard held(list.mutex);
    std::unique_ptr<const device_rates>& place = list.of[&known];
    if (place) list.replaced.push_back(std::move(place));
    place = std::make_unique<const device_rates>(std::move(rates));
    return *place;
}

const device_rates& remember(const backend::known_device& known, device_rates rates) {
    known_rates_list& list = all_known();
    const std::lock_guard held(list.mutex);
    std::unique_ptr<const device_rates>& place = list.of[&known];
    if (!place) place = std::make_unique<const device_rates>(std::move(rates));
    return *place;
}

/// This thread is at it: its own kernels are profiled, and nobody knows their device's rates.
thread_local constinit bool is_measuring = false;

jit_cache::artifact measured(const std::function<device_rates()>& measure) {
    is_measuring = true;
    struct after {
        ~after() { is_measuring = false; }
    } const end;
    jit_cache::artifact made{text_of(measure()), {}, {}};
    made.facts.push_back({"kernel", "rates"});
    made.facts.push_back({"created", text::format("{}", record::unix_s())});
    return made;
}

/// Of who looks and would not measure.
struct not_there {};

const device_rates& find_or_make_rates(backend::device& on, const std::function<device_rates()>& measure) {
    if (const device_rates* const known = in_memory(*on.known())) return *known;
    const jit_cache::key key = key_of(on);
    std::optional<device_rates> rates;
    const auto make = [&](const jit_cache::miss&) { return measured(measure); };
    const auto accept = [&](const jit_cache::artifact& from, jit_cache::origin) {
        rates = parse_rates(from.payload);
        return rates.has_value();
    };
    const jit_cache::found found = backend::kernel_store().find_or_make(key, make, accept);
    if (found.from == jit_cache::origin::made) backend::kernel_store().publish(key, found.value);
    if (!rates) rates = parse_rates(found.value->payload);  // another thread's
    return remember(*on.known(), std::move(*rates));
}

}  // namespace

const device_rates* find_rates(backend::device& on) {
    if (is_measuring) return nullptr;
    if (const device_rates* const known = in_memory(*on.known())) return known;
    if (backend::kernel_store().peek(key_of(on)).from == jit_cache::origin::made) return nullptr;
    try {
        return &find_or_make_rates(on, []() -> device_rates { throw not_there(); });
    } catch (const not_there&) {  // gone since
        return nullptr;
    }
}

const device_rates& find_or_measure_rates(backend::device& on, const std::function<device_rates()>& measure) {
    for (;;) {
        try {
            return find_or_make_rates(on, measure);
        } catch (const not_there&) {  // another thread's: this one waited for it, and it did not measure
        }
    }
}

const device_rates& measure_rates_again(backend::device& on, const std::function<device_rates()>& measure) {
    const auto made = std::make_shared<const jit_cache::artifact>(measured(measure));
    backend::kernel_store().publish(key_of(on), made);
    return replace(*on.known(), parse_rates(made->payload).value());
}

}  // namespace kiln::inline v0_1::detail
