#include <record/profile.hpp>

#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <record/nvtx.hpp>
#include <record/stopwatch.hpp>

#include <algorithm>
#include <deque>
#include <utility>

namespace kiln::inline v0_1 {

namespace detail {
constinit std::atomic<int> profile_count{0};
}

std::int64_t profile_phases::total() const noexcept {
    std::int64_t sum = 0;
#define KILN_PHASE(name, what) sum += name;
#include <kiln/phase_table.def>
    return sum;
}

const char* to_string(profiled what) noexcept {
    switch (what) {
        case profiled::kernel: return "kernel";
        case profiled::replay: return "replay";
        case profiled::prepare: return "prepare";
        case profiled::compile: return "compile";
        case profiled::store: return "store";
        case profiled::copy: return "copy";
        case profiled::wait: return "wait";
    }
    return "";
}

double profile_event::gigabytes_per_second() const noexcept {
    const std::int64_t ns = run_ns > 0 ? run_ns : what == profiled::copy ? end_ns - begin_ns : 0;
    return ns > 0 ? static_cast<double>(bytes()) / static_cast<double>(ns) : 0;
}

}  // namespace kiln::inline v0_1

namespace kiln::record {

namespace {

using kiln::detail::profile_count;
using kiln::detail::profile_data;

struct listeners {
    std::mutex mutex;
    std::vector<std::shared_ptr<profile_data>> recording;
};
constinit process::immortal<listeners> all_listeners;

const process::fork_participant held_listeners{process::fork_order::profiles, [] { all_listeners().mutex.lock(); },
                                               [] { all_listeners().mutex.unlock(); }};

/// Of the calling thread: what began, and what its next evaluation begins with.
struct thread_of_profile {
    std::deque<evaluation_under_way> evaluations;  // the inner ones last
    evaluation_under_way* under_way = nullptr;
    source_line next_where;
    std::int64_t next_stage_ns = 0;
    std::shared_ptr<event> last_launch;  // of which profiles are to be told
    std::pair<std::int64_t, std::int64_t> bytes_before;
    int number = 0;
    int pipeline = 0;
    bool is_binding = false;  // for a tool that listens
};

thread_of_profile& mine() { return process::thread_state<thread_of_profile, evaluation_under_way>(); }

/// A tool that listens is told as a profile is, from the first evaluation on.
const bool told = nvtx::is_heard() && profile_count.fetch_add(1, std::memory_order_relaxed) >= 0;

/// Binding ends where something else begins, if nobody says so before.
void end_of_binding() noexcept {
    if (std::exchange(mine().is_binding, false)) nvtx::pop();
}

std::atomic<int> last_thread{0};
std::atomic<int> last_pipeline{0};
std::atomic<std::uint64_t> last_evaluation{0};

/// By this thread: read, written.
std::pair<std::int64_t, std::int64_t> counted_bytes() {
    counters mine;
    this_thread().add_to(mine);
    return {mine.bytes_read, mine.bytes_written};
}

std::shared_ptr<event> new_event(profiled what) {
    auto made = std::make_shared<event>();
    made->seen.what = what;
    made->seen.thread = thread_number();
    made->seen.pipeline = mine().pipeline;
    if (const evaluation_under_way* const within = mine().under_way) {
        if (within->label) made->seen.label = within->label;
        made->seen.where = within->where;
    }
    return made;
}

}  // namespace

int thread_number() noexcept {
    int& number = mine().number;
    if (number == 0) number = ++last_thread;
    return number;
}

std::uint64_t evaluation_number() noexcept {
    const evaluation_under_way* const within = is_profiling() ? mine().under_way : nullptr;
    return within ? within->number : 0;
}

void add_event(const std::shared_ptr<event>& made) {
    const std::thread::id thread = std::this_thread::get_id();
    listeners& list = all_listeners();
    const std::lock_guard held(list.mutex);
    for (const std::shared_ptr<profile_data>& each : list.recording)
        if (each->sees(thread)) each->keep(made);
}

void observed_evaluation::begin(const char* label) noexcept {
    thread_of_profile& thread = mine();
    evaluation_under_way& state = thread.evaluations.emplace_back();
    state.number = ++last_evaluation;
    state.label = label;
    state.where = std::exchange(thread.next_where, {});
    state.phases.stage = std::exchange(thread.next_stage_ns, 0);
    if (evaluation_under_way* const outer = std::exchange(thread.under_way, &state)) {
        if (!state.label) state.label = outer->label;
        if (state.where.line == 0) state.where = outer->where;
        // Of a sequence of stages, the first one's.
        state.phases.stage += std::exchange(outer->phases.stage, 0);
    }
    if (told) {
        end_of_binding();
        nvtx::push(state.label ? state.label : "evaluation");
        nvtx::push("bind");
        thread.is_binding = true;
    }
    state.marked_ns = now_ns();
    state.begin_ns = state.marked_ns - state.phases.stage;
}

void observed_evaluation::mark_bound() noexcept {
    evaluation_under_way& state = *mine().under_way;
    const std::int64_t now = now_ns();
    state.phases.bind += now - std::exchange(state.marked_ns, now);
    if (told) end_of_binding();
}

void observed_evaluation::end() noexcept {
    thread_of_profile& thread = mine();
    const evaluation_under_way& state = thread.evaluations.back();
    try {
        tell_of_last_launch();
        // Of a call that was found, and launched nothing, there is nothing to tell.
        if (!state.launched && state.phases.total() != state.phases.bind) {
            const auto made = new_event(profiled::prepare);
            made->seen.begin_ns = state.begin_ns;
            made->seen.end_ns = now_ns();
            made->seen.host = state.phases;
            made->spans = state.spans;
            add_event(made);
        }
    } catch (const std::bad_alloc&) {  // an event less
    }
    if (told) {
        end_of_binding();
        nvtx::pop();
    }
    thread.evaluations.pop_back();
    thread.under_way = thread.evaluations.empty() ? nullptr : &thread.evaluations.back();
    // What this one took is no phase of the one around it.
    if (thread.under_way) thread.under_way->marked_ns = now_ns();
}

observed_pipeline::observed_pipeline() noexcept {
    if (!is_profiling() || mine().pipeline) return;
    is_outermost_ = true;
    mine().pipeline = ++last_pipeline;
}

observed_pipeline::~observed_pipeline() {
    if (is_outermost_) mine().pipeline = 0;
}

void begin_phase(const char* name) noexcept {
    if (!told) return;
    end_of_binding();
    nvtx::push(name);
}

void end_phase() noexcept {
    if (told) nvtx::pop();
}

void add_phase(std::int64_t profile_phases::*which, std::int64_t ns) noexcept {
    thread_of_profile& thread = mine();
    if (!thread.under_way) {
        if (which == &profile_phases::stage) thread.next_stage_ns += ns;
        return;
    }
    thread.under_way->phases.*which += ns;
    thread.under_way->marked_ns = now_ns();
}

void add_phase(std::int64_t profile_phases::*which, std::int64_t ns, const phase_span& scope) noexcept {
    add_phase(which, ns);
    evaluation_under_way* const within = mine().under_way;
    if (!within) return;
    try {
        within->spans.push_back(scope);
    } catch (const std::bad_alloc&) {  // a slice less in the trace
    }
}

std::shared_ptr<event> begin_launch(profiled what, std::shared_ptr<const kernel_facts> kernel) {
    tell_of_last_launch();
    auto made = new_event(what);
    made->kernel = std::move(kernel);
    const std::int64_t now = now_ns();
    made->seen.begin_ns = now;
    if (evaluation_under_way* const within = mine().under_way) {
        made->seen.begin_ns = within->begin_ns;
        within->launched = true;
        made->seen.host = std::exchange(within->phases, {});
        made->spans = std::exchange(within->spans, {});
        made->seen.host.prepare = now - within->marked_ns;
        if (made->kernel && made->kernel->found_by == within->number) {
            made->seen.origin = made->kernel->origin;
            made->seen.why = made->kernel->why;
        }
    }
    made->seen.end_ns = now;  // until end_launch(): when the launch began
    return made;
}

void end_launch(std::shared_ptr<event> launched) {
    const std::int64_t now = now_ns();
    launched->seen.host.launch += now - launched->seen.end_ns;
    launched->seen.end_ns = now;
    thread_of_profile& thread = mine();
    if (thread.under_way) thread.under_way->begin_ns = thread.under_way->marked_ns = now;
    thread.bytes_before = counted_bytes();
    thread.last_launch = std::move(launched);
}

void tell_of_last_launch() {
    const std::shared_ptr<event> last = std::exchange(mine().last_launch, nullptr);
    if (!last) return;
    const auto [read, written] = counted_bytes();
    last->seen.bytes_read = read - mine().bytes_before.first;
    last->seen.bytes_written = written - mine().bytes_before.second;
    add_event(last);
}

timed_event::timed_event(profiled what, const char* name) : made_(new_event(what)) {
    made_->seen.name = name;
    made_->seen.begin_ns = now_ns();
}

void timed_event::finish() { finish_at(now_ns()); }

void timed_event::finish_at(std::int64_t end_ns) {
    made_->seen.end_ns = end_ns;
    add_event(made_);
}

}  // namespace kiln::record

namespace kiln::inline v0_1::detail {

void set_source_line(source_line where) noexcept { record::mine().next_where = where; }

profile_data::profile_data(profile_scope of)
    : all_threads_(of == profile_scope::all_threads),
      thread_(std::this_thread::get_id()),
      begin_ns_(record::now_ns()) {}

std::int64_t profile_data::wall_ns() const {
    const std::lock_guard held(record::all_listeners().mutex);
    return (recording ? record::now_ns() : stopped_ns) - begin_ns_;
}

const std::vector<profile_event>& profile_data::events(const std::function<void(profile_event&)>& finish) {
    std::vector<std::shared_ptr<record::event>> fresh;
    std::vector<profile_event> seen;
    {
        const std::lock_guard held(record::all_listeners().mutex);
        fresh.assign(kept_.begin() + static_cast<std::ptrdiff_t>(events_.size()), kept_.end());
        for (const auto& each : fresh) seen.push_back(each->seen);
    }
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        profile_event& out = seen[i];
        if (const record::kernel_facts* const kernel = fresh[i]->kernel.get()) {
            out.name = kernel->name;
            out.expression = kernel->expression;
            out.key = kernel->key;
            out.work = kernel->work;
            out.source = kernel->source;
        }
        if (fresh[i]->timer) {
            const record::run_time ran = fresh[i]->timer->read();
            out.run_begin_ns = ran.begin_ns - begin_ns_;
            out.run_ns = ran.ns;
        } else if (out.run_ns > 0) {
            out.run_begin_ns -= begin_ns_;
        }
        out.begin_ns -= begin_ns_;
        out.end_ns -= begin_ns_;
        if (fresh[i]->kernel && out.run_ns > 0) {
            fresh[i]->kernel->last_run.bytes.store(out.bytes(), std::memory_order_relaxed);
            fresh[i]->kernel->last_run.ns.store(out.run_ns, std::memory_order_relaxed);
        }
        finish(out);
        std::vector<record::phase_span>& spans = spans_.emplace_back(fresh[i]->spans);
        for (record::phase_span& each : spans) {
            each.begin_ns -= begin_ns_;
            each.end_ns -= begin_ns_;
        }
        events_.push_back(std::move(out));
    }
    return events_;
}

void begin_recording(const std::shared_ptr<profile_data>& into) {
    record::listeners& list = record::all_listeners();
    const std::lock_guard held(list.mutex);
    into->recording = true;
    list.recording.push_back(into);
    profile_count.fetch_add(1, std::memory_order_relaxed);
}

bool end_recording(const std::shared_ptr<profile_data>& into) {
    record::listeners& list = record::all_listeners();
    const std::lock_guard held(list.mutex);
    if (!std::exchange(into->recording, false)) return false;
    into->stopped_ns = record::now_ns();
    std::erase(list.recording, into);
    profile_count.fetch_sub(1, std::memory_order_relaxed);
    return true;
}

}  // namespace kiln::inline v0_1::detail
