// kiln/profile: what each kernel, copy, compile, look into the store and wait costs, while a profile lives. As data, as
// tables, as a trace, as a page.
#pragma once

#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/export.hpp>
#include <kiln/rates.hpp>
#include <kiln/source_line.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::inline v0_1 {

/// What an event of a profile is.
enum class profiled : std::uint8_t {
    kernel,   // one launch, with what its evaluation took beside it
    replay,   // recorded steps of a loop (k::graph), handed to the device at once
    prepare,  // an evaluation that launched nothing
    compile,  // source to binary
    store,    // a look into the store on disk that found a kernel, or a kernel written there
    copy,     // to or from the host, or between devices
    wait,     // of the host for a device
};
KILN_API const char* to_string(profiled what) noexcept;

/// What the host does before a device is given work, in nanoseconds, each without the others.
struct profile_phases {
#define KILN_PHASE(name, what) std::int64_t name = 0;
#include <kiln/phase_table.def>

    /// The sum.
    [[nodiscard]] KILN_API std::int64_t total() const noexcept;
};

struct profile_event {
    profiled what = profiled::kernel;
    std::string name;        // of a kernel, as other profilers show it; "host to cuda:0"; "read"; "synchronize()"
    std::string expression;  // of kernels: "x0 + x0 + x0"
    std::string label;       // k::label()'s
    source_line where;       // of the evaluation, where C++ can know it: construction, eval() of up to four
    std::string key;         // 32 hexadecimal digits, as kiln-cache lists them; empty where nothing is compiled
    /// Of a kernel: memory, or where this evaluation got it from. `why` it was compiled, as in explain().
    kernel_origin origin = kernel_origin::memory;
    std::string why;

    std::string device;  // "cuda:0"
    int stream = 0;      // 0: the default one; 64 and 65: copies in and out beside kernels, of host arrays
    int thread = 0;      // of the host's threads: 1, 2, ... in the order in which the process's threads were first seen
    int pipeline = 0;    // of an expression of host arrays: which one, 1, 2, ... of those that profiles saw; 0: of none

    // Nanoseconds since the profile began, on one clock.
    std::int64_t begin_ns = 0;  // the host begins: with the evaluation; of its later kernels, behind the launch before
    std::int64_t end_ns = 0;    // the host goes on
    profile_phases host;        // of kernels and prepare: what of it was what
    std::int64_t run_begin_ns = 0;
    std::int64_t run_ns = 0;  // on the device; 0 where nothing runs there

    std::int64_t bytes_read = 0;  // each element once
    std::int64_t bytes_written = 0;
    std::int64_t element_count = 0;    // of a kernel's iteration
    std::int64_t operation_count = 0;  // steps times elements
    kernel_work work;                  // for each element
    std::int64_t kernel_count = 1;     // of a replay: how many the device was given
    std::int64_t block_count = 0;
    int threads_per_block = 0;
    int registers = 0;             // of a thread; of CUDA's kernels, as what follows
    int static_shared_bytes = 0;   // of a block
    int dynamic_shared_bytes = 0;  // of a block
    int spilled_bytes = 0;         // of a thread: local memory, spills and arrays
    double occupancy = 0;          // warps that a multiprocessor holds of those that it could: 0 to 1

    /// Of a kernel, complete; one for all its events. Null where the interpreter runs.
    std::shared_ptr<const std::string> source;
    /// What the device could do it in, where its rates are known (k::measure()).
    predicted_time predicted;

    /// Of the device's limit (`predicted.by`), 0 to 1 and a little more; 0 where nothing is known.
    [[nodiscard]] double share_of_limit() const noexcept {
        return run_ns > 0 ? predicted.ns / static_cast<double>(run_ns) : 0;
    }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_read + bytes_written; }
    /// GB/s (1e9) over the time on the device; of copies over the host's. 0 where nothing is known.
    [[nodiscard]] KILN_API double gigabytes_per_second() const noexcept;
};

namespace detail {
class profile_data;  // src/record/profile.hpp
}

/// Whose work a profile sees.
enum class profile_scope : std::uint8_t { all_threads, this_thread };

/// k::profile p;
/// y = x + x + x + x + x;
/// p.print();
///
/// Records while it lives, or until stop(). Profiles nest: each sees all that happens while it records. A launch costs the
/// host 1 us more meanwhile (NVIDIA H200; without CUPTI, by the driver's events, 4 to 5 us, and kernels that may begin before the
/// one before them ends do not); where no profile is alive nothing is paid but a test of one flag an evaluation. What is asked of
/// it waits for the device's part of the events so far. One thread at a time asks; any threads record.
class [[nodiscard]] profile {
public:
    [[nodiscard]] KILN_API explicit profile(profile_scope of = profile_scope::all_threads);
    KILN_API ~profile();
    profile(const profile&) = delete;
    profile& operator=(const profile&) = delete;

    /// Records no more. What it has stays.
    KILN_API void stop();

    /// In the order in which the host finished them. Valid until the next call of this object.
    [[nodiscard]] KILN_API const std::vector<profile_event>& events() const;

    /// A row for each event: when, how long, what.
    [[nodiscard]] KILN_API std::string table() const;
    /// Totals of all, by kernel, by label and by phase, the largest first, and what could be done about them. An event's host
    /// time counts here without what events inside it took: a compile is not in its kernel's. Of expressions of host arrays: how much of
    /// their copies and kernels was hidden beside the part that took the longest, and which that was.
    [[nodiscard]] KILN_API std::string summary() const;
    /// table() and summary() to standard output.
    KILN_API void print() const;

    /// For ui.perfetto.dev and chrome://tracing: phases of the host's threads above, streams of devices below, and from
    /// each launch an arrow to its run. Throws error where the file cannot be written; nothing half-written stays.
    KILN_API void write_chrome_trace(const std::string& path) const;
    /// All events, each with all fields: {"kiln": ..., "wall_ns": ..., "sources": [...], "events": [...]}. A field without
    /// a value is "", 0 or null; an event's `source` is its place in "sources", from 0. Throws as above.
    KILN_API void write_json(const std::string& path) const;
    /// One page for a browser, with all that it needs in it: a timeline, a table that sorts and filters, each kernel's source
    /// and figures and its place under the device's roofline. Throws as above.
    KILN_API void write_html(const std::string& path) const;

private:
    std::shared_ptr<detail::profile_data> data_;
};

}  // namespace kiln::inline v0_1
