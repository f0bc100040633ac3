// k::graph: a loop's body is recorded until its arrays are where they were, and what was recorded is replayed.
#include <api/carried_array.hpp>
#include <api/copies.hpp>
#include <api/make_whole.hpp>
#include <api/step_cycle.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/observed/observed_device.hpp>
#include <device/recording/recording.hpp>
#include <device/stream_order.hpp>
#include <plan/partial_sums.hpp>
#include <record/stopwatch.hpp>
#include <record/tally.hpp>
#include <text/format.hpp>

#include <kiln/error.hpp>
#include <kiln/graph.hpp>

#include <algorithm>
#include <bit>

namespace kiln::inline v0_1::detail {

namespace {

// What a body of a few arrays needs is 1 to 6. Each costs a call of the body and memory for its launches.
constexpr int most_steps = 64;

// Launching a graph costs about what launching a kernel does, a kernel in it a third (H200: 2.76 us and 1.03 us); and what
// begins one waits for the end of what was before.
constexpr std::int64_t kernels_at_once = 128;

/// What launches are counted as, but for the time that they take.
struct launch_counts {
    std::int64_t launches = 0;
    std::int64_t bytes_read = 0;
    std::int64_t bytes_written = 0;

    static launch_counts so_far() {
        counters all;
        record::this_thread().add_to(all);
        return {all.launches, all.bytes_read, all.bytes_written};
    }
    void count(std::int64_t times) const {
        record::tally& counts = record::this_thread();
        counts.add(record::counter::launches, launches * times);
        counts.add(record::counter::bytes_read, bytes_read * times);
        counts.add(record::counter::bytes_written, bytes_written * times);
    }
    [[nodiscard]] launch_counts since(const launch_counts& earlier) const {
        return {launches - earlier.launches, bytes_read - earlier.bytes_read, bytes_written - earlier.bytes_written};
    }
};

/// A recorded launch is counted and has not been made: the counts go again, however recording ends.
class uncounted {
public:
    uncounted() : before_(launch_counts::so_far()) {}
    uncounted(const uncounted&) = delete;
    uncounted& operator=(const uncounted&) = delete;
    ~uncounted() { so_far().count(-1); }
    [[nodiscard]] launch_counts so_far() const { return launch_counts::so_far().since(before_); }

private:
    launch_counts before_;
};

struct recorded_step {
    std::vector<backend::recorded_kernel> kernels;
    launch_counts counts;
    std::unique_ptr<backend::launch_sequence> alone;  // made when it is first needed
};

/// Of a buffer that nobody else holds: its node, as one of an array of this type and shape, or of a sum in so many partial sums.
array_node& shaped(const backend::recorded_buffer& of, element_type type, const shape& extents,
                   int partial_count = 0) noexcept {
    array_node& node = *of.owner.get();
    node.type = type;
    node.extents = extents;
    set_contiguous_strides(node);
    plan::set_partial(node, partial_count);
    return node;
}

bool held_by(const handle<array_node>& node, std::int32_t holders) noexcept {
    return node.get()->references.load(std::memory_order_acquire) == holders;
}

}  // namespace

class recorded_loop {
public:
    recorded_loop(std::initializer_list<carried_array> arrays, const std::function<void()>& body);
    void replay(std::int64_t steps);

private:
    struct carried {
        handle<array_node>* slot;
        element_type type;
        shape extents;
        std::unique_ptr<const watched_array> watch;

        [[nodiscard]] bool has_elements() const noexcept { return extents.size() > 0; }
    };

    [[nodiscard]] static known_device& device_of(std::initializer_list<carried_array> arrays);
    void check(std::initializer_list<carried_array> arrays);
    void require_all_there() const;
    void record(const std::function<void()>& body);
    [[nodiscard]] std::vector<int> places_after_body();
    [[nodiscard]] int place_of(carried& each, const std::vector<int>& taken);

    /// Of a carried array, when the next replay begins: in how many partial sums the step expects it, as a sum of the step before;
    /// 0: as an array.
    [[nodiscard]] int partial_count_of(std::size_t array) const { return cycle_.places(at_)[arrays_.size() + array]; }
    void begin_anew_without_partial_sums();
    void settle();
    void settle(std::size_t buffer, const handle<array_node>* value);
    void move_buffer(std::size_t buffer, handle<array_node> to);
    void hand_out();
    [[nodiscard]] backend::launch_sequence& sequence_of(recorded_step& step);
    [[nodiscard]] backend::launch_sequence& cycle_at_once(std::int64_t rounds);
    [[nodiscard]] std::unique_ptr<backend::launch_sequence> sequence_from(int step, std::int64_t count);

    std::vector<carried> arrays_;
    known_device& on_;
    backend::recording work_;
    step_cycle cycle_;
    std::vector<recorded_step> steps_;
    launch_counts cycle_counts_;
    std::int64_t most_rounds_ = 1;
    std::vector<std::unique_ptr<backend::launch_sequence>> at_once_;  // of 1, 2, 4 and so on rounds; made when needed
    bool buffers_moved_ = true;                                       // since the launches were told where they are
    int at_ = 0;                                                      // the step that the next replay begins with
};

// --- recording --------------------------------------------------------------------------------------------------------

/// Of the arrays that it carries; of a loop that carries none, the thread's.
known_device& recorded_loop::device_of(std::initializer_list<carried_array> arrays) {
    meeting_device one;
    for (const carried_array& each : arrays)
        if (each.slot && *each.slot) one.meet(each.slot->get()->device);
    return one.or_else(backend::current_known);
}

recorded_loop::recorded_loop(std::initializer_list<carried_array> arrays, const std::function<void()>& body)
    : on_(device_of(arrays)), work_(backend::device_at(on_)) {
    const backend::scoped_current here(on_);
    check(arrays);
    try {
        record(body);
    } catch (...) {
        work_.abandon();
        throw;
    }
    std::int64_t kernels = 0;
    for (int step = cycle_.first(), i = 0; i < cycle_.length(); ++i, step = cycle_.after(step)) {
        const launch_counts& each = steps_[static_cast<std::size_t>(step)].counts;
        cycle_counts_.launches += each.launches;
        cycle_counts_.bytes_read += each.bytes_read;
        cycle_counts_.bytes_written += each.bytes_written;
        kernels += each.launches;
    }
    most_rounds_ = std::max<std::int64_t>(1, kernels_at_once / std::max<std::int64_t>(1, kernels));
}

void recorded_loop::check(std::initializer_list<carried_array> arrays) {
    for (const carried_array& each : arrays) {
        if (!each.slot) throw error("kiln: graph: a null pointer among the carried arrays");
        if (!*each.slot)
            throw type_error(text::format(
                "kiln: graph: carried array {}, counted from 1, has no value; what the body only writes needs "
                "one too, of the shape that it will have: k::zeros<T>({{}}) for a number",
                arrays_.size() + 1));
        for (const carried& other : arrays_)
            if (other.slot == each.slot) throw error("kiln: graph: an array is named twice among the carried ones");
        arrays_.push_back(
            {each.slot, each.type, each.slot->get()->extents, std::make_unique<watched_array>(each.slot)});
    }
}

void recorded_loop::require_all_there() const {
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (arrays_[i].watch->is_gone())
            throw error(
                text::format("kiln: graph: carried array {}, counted from 1, is gone: it was destroyed, or moved with "
                             "what it is a part of (a std::vector that grows moves its elements); the arrays of a "
                             "graph stay where they are as long as it is replayed",
                             i + 1));
}

namespace {

/// The user's arrays, back in their places when recording ends.
class original_arrays {
public:
    ~original_arrays() {
        for (original& each : kept_)
            if (!each.watch->is_gone()) *each.slot = std::move(each.value);
    }
    original_arrays() = default;
    original_arrays(const original_arrays&) = delete;
    original_arrays& operator=(const original_arrays&) = delete;

    void replace(handle<array_node>& slot, const watched_array& watch, handle<array_node> by) {
        kept_.reserve(kept_.size() + 1);
        kept_.push_back({&slot, &watch, std::exchange(slot, std::move(by))});
    }

private:
    struct original {
        handle<array_node>* slot;
        const watched_array* watch;
        handle<array_node> value;
    };
    std::vector<original> kept_;
};

}  // namespace

void recorded_loop::record(const std::function<void()>& body) {
    // In this order: what the body made goes back to the recording when the originals take its place.
    const backend::recording::scope recording_now(work_);
    original_arrays originals;
    std::vector<int> places;
    for (carried& each : arrays_) {
        originals.replace(*each.slot, *each.watch,
                          backend::make_owner(work_, each.type, each.extents, backend::recorded_stream));
        places.push_back(each.has_elements() ? work_.buffer_of(*each.slot->get()) : -1);
    }
    places.resize(2 * arrays_.size());
    while (!cycle_.closes(places)) {
        if (static_cast<int>(steps_.size()) == most_steps)
            throw error(
                text::format("kiln: graph: after {} steps the carried arrays are not yet in buffers that they "
                             "were in before; carry fewer of them, or swap fewer",
                             most_steps));
        const uncounted recorded;
        body();
        require_all_there();
        places = places_after_body();
        steps_.push_back({work_.take_kernels(), recorded.so_far(), nullptr});
    }
}

/// Of each carried array the buffer, then of each how many partial sums it is in. Throws where an array of the body's is still held.
std::vector<int> recorded_loop::places_after_body() {
    std::vector<int> places;
    for (carried& each : arrays_) places.push_back(place_of(each, places));
    std::vector<int> partial_counts;
    for (const carried& each : arrays_) {
        const array_node& node = *each.slot->get();
        partial_counts.push_back(plan::is_partial(node) ? plan::partial_count(node) : 0);
    }
    const auto outlived = [] {
        throw error(
            "kiln: graph: an array that the body made outlives it: it was assigned to an array that the graph does not "
            "carry (whose elements are undefined now: assign to it again), or an expression or copy of it was kept; "
            "name what "
            "is to stay among the carried arrays");
    };
    for (const carried& each : arrays_)
        if (!held_by(*each.slot, 1)) outlived();
    if (work_.taken_count() != std::count_if(places.begin(), places.end(), [](int place) { return place >= 0; }))
        outlived();
    places.insert(places.end(), partial_counts.begin(), partial_counts.end());
    return places;
}

int recorded_loop::place_of(carried& each, const std::vector<int>& taken) {
    if (!*each.slot) throw type_error("kiln: graph: the body leaves a carried array without a value");
    const array_node& node = *each.slot->get();
    if (node.extents != each.extents)
        throw shape_error(
            text::format("kiln: graph: a carried array goes into the body with shape {} and comes out "
                         "with shape {}; each step must leave it as it was",
                         to_string(each.extents), to_string(node.extents)));
    if (!each.has_elements()) return -1;
    const int place = work_.buffer_of(node);
    if (place >= 0 && std::find(taken.begin(), taken.end(), place) == taken.end()) return place;
    // It shares an array from outside, or another carried one: the next step may write to a buffer of its own alone.
    *each.slot = copy_of(*each.slot);
    return work_.buffer_of(*each.slot->get());
}

// --- replaying --------------------------------------------------------------------------------------------------------

void recorded_loop::replay(std::int64_t steps) {
    backend::refuse_while_recording("replay()");
    if (steps < 0) throw error(text::format("kiln: graph: {} steps cannot be replayed", steps));
    if (steps == 0) return;
    const backend::scoped_current here(on_);
    backend::device& on = backend::current_device();
    const int stream = on.current_stream();
    require_all_there();
    settle();
    for (const handle<array_node>& each : work_.inputs()) backend::before_read(on, *each.get(), stream);
    for (const backend::recorded_buffer& each : work_.buffers()) backend::before_write(on, *each.owner.get(), stream);
    const auto hand_over = [stream, &on](backend::launch_sequence& what, const launch_counts& counts,
                                         std::int64_t times) {
        if (counts.launches == 0) return;
        const std::int64_t start_ns = record::now_ns();
        if (record::is_profiling()) [[unlikely]]
            backend::launch_observed(on, what, stream, counts.launches * times);
        else what.launch(stream);
        record::this_thread().add(record::counter::launch_ns, record::now_ns() - start_ns);
        record::this_thread().add(record::counter::graph_launches, 1);
        counts.count(times);
        if (record::is_profiling()) [[unlikely]]
            record::tell_of_last_launch();
    };
    cycle_.walk(
        at_, steps, most_rounds_,
        [&](int step) {
            recorded_step& one = steps_[static_cast<std::size_t>(step)];
            hand_over(sequence_of(one), one.counts, 1);
        },
        [&](std::int64_t rounds) { hand_over(cycle_at_once(rounds), cycle_counts_, rounds); });
    hand_out();
}

/// Puts the carried arrays' values where the next step expects them, and takes new memory for each buffer that somebody
/// else holds: the values in it must stay.
void recorded_loop::settle() {
    for (const carried& each : arrays_) {
        if (!*each.slot)
            throw type_error(
                "kiln: graph: replay() of a carried array that has no value now: it was moved from; assign to it "
                "first");
        if (const shape& now = each.slot->get()->extents; now != each.extents)
            throw shape_error(
                text::format("kiln: graph: replay() of a loop recorded with shape {}, and the array has "
                             "shape {} now; make another graph",
                             to_string(each.extents), to_string(now)));
        if (const known_device* const now = each.slot->get()->device; now != &on_)
            throw device_error(
                text::format("kiln: graph: replay() of a loop recorded on {}, and the array is on {} now; copy it back "
                             "with k::to, or make another graph",
                             name_of(on_), name_of(*now)));
    }
    begin_anew_without_partial_sums();
    std::vector<const handle<array_node>*> values(work_.buffers().size());
    for (std::size_t i = 0; i < arrays_.size(); ++i)
        if (const int place = cycle_.places(at_)[i]; place >= 0)
            values[static_cast<std::size_t>(place)] = arrays_[i].slot;
    for (std::size_t buffer = 0; buffer < values.size(); ++buffer) settle(buffer, values[buffer]);
    if (!buffers_moved_) return;
    for (recorded_step& step : steps_) {
        for (backend::recorded_kernel& kernel : step.kernels) kernel.follow(work_.buffers());
        if (step.alone) step.alone->follow();
    }
    for (const std::unique_ptr<backend::launch_sequence>& each : at_once_)
        if (each) each->follow();
    buffers_moved_ = false;
}

/// A step finalizes the partial sums of the one before it. Where an array holds anything else by now, the loop begins as it
/// did at first: with arrays.
void recorded_loop::begin_anew_without_partial_sums() {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (partial_count_of(i) == 0) continue;
        const handle<array_node>& buffer = work_.buffers()[static_cast<std::size_t>(cycle_.places(at_)[i])].owner;
        if (arrays_[i].slot->get() != buffer.get() || !held_by(buffer, 2)) {
            at_ = 0;
            for (const carried& each : arrays_) make_whole(*each.slot->get());
            return;
        }
    }
}

/// `value`: of the array that the buffer is for at the next step; null: for none.
void recorded_loop::settle(std::size_t buffer, const handle<array_node>* value) {
    backend::recorded_buffer& each = work_.buffers()[buffer];
    const bool is_there = value && value->get() == each.owner.get();
    const bool is_ours = held_by(each.owner, is_there ? 2 : 1);
    if (is_ours && (is_there || !value)) return;
    if (!value) {
        backend::device& on = backend::current_device();
        move_buffer(buffer, backend::make_owner(on, element_type::uint8, shape{static_cast<std::int64_t>(each.bytes)},
                                                on.current_stream()));
        return;
    }
    const array_node& given = *value->get();
    const bool is_theirs_alone = held_by(*value, 1) && given.owned == ownership::owner &&
                                 given.allocated_bytes == each.bytes && !plan::is_partial(given);
    // Where kernels must be told of new addresses anyway, the array's own memory will do.
    if (is_theirs_alone && (buffers_moved_ || !is_ours)) move_buffer(buffer, *value);
    else if (!is_ours) move_buffer(buffer, copy_of(*value));
    else copy_into(shaped(each, given.type, given.extents), *value);
}

void recorded_loop::move_buffer(std::size_t buffer, handle<array_node> to) {
    work_.buffers()[buffer].owner = std::move(to);
    buffers_moved_ = true;
}

/// The carried arrays become what the last step left.
void recorded_loop::hand_out() {
    const std::vector<int>& places = cycle_.places(at_);
    for (carried& each : arrays_)
        if (each.has_elements()) *each.slot = {};
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        if (places[i] < 0) continue;
        backend::recorded_buffer& from = work_.buffers()[static_cast<std::size_t>(places[i])];
        shaped(from, arrays_[i].type, arrays_[i].extents, partial_count_of(i));
        *arrays_[i].slot = from.owner;
    }
}

backend::launch_sequence& recorded_loop::sequence_of(recorded_step& step) {
    if (!step.alone) step.alone = sequence_from(static_cast<int>(&step - steps_.data()), 1);
    return *step.alone;
}

/// `rounds`: a power of two.
backend::launch_sequence& recorded_loop::cycle_at_once(std::int64_t rounds) {
    const auto kind = static_cast<std::size_t>(std::countr_zero(static_cast<std::uint64_t>(rounds)));
    if (at_once_.size() <= kind) at_once_.resize(kind + 1);
    if (!at_once_[kind]) at_once_[kind] = sequence_from(cycle_.first(), rounds * cycle_.length());
    return *at_once_[kind];
}

std::unique_ptr<backend::launch_sequence> recorded_loop::sequence_from(int step, std::int64_t count) {
    std::vector<backend::recorded_launch*> launches;
    for (; count > 0; --count, step = cycle_.after(step))
        for (const backend::recorded_kernel& each : steps_[static_cast<std::size_t>(step)].kernels)
            launches.push_back(&each.launch());
    return backend::current_device().make_sequence(launches);
}

void end_of_loop::operator()(recorded_loop* of) const noexcept { delete of; }

loop_owner record_loop(std::initializer_list<carried_array> arrays, const std::function<void()>& body) {
    backend::refuse_while_recording("graph()");
    return loop_owner(new recorded_loop(arrays, body));
}

void replay_loop(recorded_loop* of, std::int64_t steps) {
    if (!of) throw error("kiln: graph: replay() of a graph that was moved from; replay the one that it was moved to");
    of->replay(steps);
}

}  // namespace kiln::inline v0_1::detail
