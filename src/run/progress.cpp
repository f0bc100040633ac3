#include <run/progress.hpp>

#include <jit_cache/trust.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>
#include <process/messages.hpp>
#include <process/thread_state.hpp>
#include <text/format.hpp>

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

namespace kiln::inline v0_1 {

namespace detail {

namespace {

using call_back = std::function<void(const compile_progress&)>;

struct listener {
    std::mutex mutex;
    std::shared_ptr<const call_back> call;
    bool shows_line = false;

    listener() {
        const std::string asked = jit_cache::trust::environment("KILN_PROGRESS");
        shows_line = asked.empty() ? ::isatty(STDERR_FILENO) != 0 : asked != "0";
        if (!asked.empty() && asked != "0" && asked != "1")
            process::warn("KILN_PROGRESS=" + asked + " is neither 0 nor 1");
    }
};
constinit process::immortal<listener> who;

const process::fork_participant held_listener{process::fork_order::progress, [] { who().mutex.lock(); },
                                              [] { who().mutex.unlock(); }};

/// Of the calling thread's outermost evaluation.
struct state {
    int depth = 0;
    std::int64_t stages_ahead = 0;  // that are not planned
    std::int64_t planned = 0;
    std::int64_t done = 0;
    bool has_told = false;
};
state& mine() { return process::thread_state<state, progress_of_evaluation>(); }

std::shared_ptr<const call_back> listening() {
    const std::lock_guard lock(who().mutex);
    return who().call;
}

void tell(const compile_progress& of) {
    if (const std::shared_ptr<const call_back> call = listening()) return (*call)(of);
    if (!who().shows_line) return;
    if (of.name.empty()) return process::show_line({});
    process::show_line(text::format("compiling kernel {} of {}: {}{}{}", of.done + 1, of.total, of.label,
                                    of.label.empty() ? "" : ": ", of.expression));
}

}  // namespace

progress_of_evaluation::progress_of_evaluation(std::int64_t stage_count) noexcept {
    state& now = mine();
    if (now.depth++ == 0) now = {.depth = 1};
    now.stages_ahead += stage_count;
}

progress_of_evaluation::~progress_of_evaluation() {
    state& now = mine();
    if (--now.depth > 0 || !now.has_told) return;
    try {
        tell({now.done, now.done, {}, {}, {}});
    } catch (...) {  // nothing is compiled any more: there is nobody to stop
    }
}

void begin_stage() noexcept { --mine().stages_ahead; }

void add_planned_kernels(std::int64_t count) noexcept { mine().planned += count; }

void add_done_kernel() noexcept { ++mine().done; }

void tell_of_compile(std::string_view name, std::string_view expression, const char* label) {
    state& now = mine();
    now.has_told = true;
    tell({now.done, std::max(now.planned + now.stages_ahead, now.done + 1), std::string(name), std::string(expression),
          label ? label : ""});
}

}  // namespace detail

void on_compile_progress(std::function<void(const compile_progress&)> call) {
    auto next = call ? std::make_shared<const detail::call_back>(std::move(call)) : nullptr;
    const std::lock_guard held(detail::who().mutex);
    detail::who().call = std::move(next);
}

}  // namespace kiln::inline v0_1
