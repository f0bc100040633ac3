// How a nest is run, a cluster of blocks at a time, thread by thread and all in step: run_nest.hpp says what is found. A file
// for the statements (run_nest.cpp), for values, memory, what goes on in the background, tiles, and what the host alone has.
#pragma once

#include "run_nest.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tests::runs {

namespace nest = kiln::plan::nest;
using kiln::plan::reduced_output;
using nest::expression;
using nest::id;
using nest::statement;
using kind = nest::type::kind;

inline constexpr std::int64_t poison = device_memory::poison;
inline constexpr int warp = 32;

/// What a thread has: a number or an element, or the parts of a vector or of accumulators (each reduction's value and place).
struct cell {
    std::int64_t one = poison;
    std::vector<std::int64_t> parts = {};
};
using lanes = std::vector<cell>;  // of each thread of the cluster
using mask = std::vector<char>;

struct mbarrier {
    std::int64_t threads = 0;  // 0: it was never made
    std::int64_t begins = 0;   // before it was made
    std::int64_t missing = 0;  // threads
    std::int64_t bytes = 0;    // that are to come
    std::int64_t phases = 0;   // that have ended
};

struct shared_memory {
    shared_memory() = default;
    explicit shared_memory(std::size_t count)
        : cells(count),
          stored_by(count, -1),
          stored_at(count, -1),
          read_by(count, -1),
          read_at(count, -1),
          barriers(count) {}
    std::vector<cell> cells;
    std::vector<std::int64_t> stored_by, stored_at, read_by, read_at;
    std::vector<mbarrier> barriers;  // of memory of such
};

/// A place in shared memory: of all blocks of the cluster, one after the other.
struct shared_place {
    std::int64_t memory = 0;
    std::size_t at = 0;
    friend auto operator<=>(const shared_place&, const shared_place&) = default;
};

/// What is on its way to a place: a copy of a thread's, or what counts at an mbarrier.
struct flight {
    std::int64_t thread = -1;
    shared_place counted_at = {};
    std::int64_t phase = 0;
    cell value = {};
};

/// A thread's groups of copies; the last is open.
struct copies {
    std::vector<std::vector<shared_place>> groups = std::vector<std::vector<shared_place>>(1);
};

// --- What the host alone has ---

struct where {
    id memory = nest::none;
    std::int64_t first = 0;
};

class cluster_run {
public:
    cluster_run(const nest::tree& tree, const nest_call& call, element_meaning& meaning, std::int64_t first_block);

    void run();

private:
    static std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }
    static bool is_vector(nest::type of) { return of.what == kind::vector || of.what == kind::bits; }
    [[noreturn]] void fault(const std::string& what) const;

    [[nodiscard]] bool is_active(const mask& of, std::size_t thread) const;
    [[nodiscard]] mask active(const mask& of) const;
    static bool any(const mask& of) { return std::find(of.begin(), of.end(), 1) != of.end(); }

    // --- Statements ---

    void statements(id first, const mask& given);

    void run(const statement& of, const mask& now);

    [[nodiscard]] std::ptrdiff_t offset(std::size_t block) const;
    [[nodiscard]] std::size_t block_of(std::size_t thread) const { return thread / of_block_; }

    /// All threads of these blocks.
    void meet(const mask& now, std::size_t first, std::size_t end);
    /// The first threads of a block that is alone.
    void meet_first(const mask& now, std::size_t threads);
    /// Of a thread: when it is, for the warp, the block and the cluster.
    static constexpr int block_bits = 20;
    static constexpr int cluster_bits = 42;
    [[nodiscard]] std::int64_t time_of(std::size_t thread) const;

    void loop(const statement& of, const mask& now);

    /// One after the other, of an item at a time: what a stage stored is seen by those behind it, which say that they come after it.
    void stages(const statement& of, const mask& now);
    void stage_barrier(const mask& now);

    /// Backwards: no turn may need another.
    void in_any_order(const statement& of, std::int64_t from, const mask& now);

    void set_variable(id variable, std::size_t thread, cell to);

    void check_range(nest::type is, std::int64_t of, const std::string& name) const;

    void compute(const statement& of, const mask& now);

    // --- Expressions ---

    template <class Of>
    lanes each_of_two(const expression& of, const mask& now, Of result) {
        lanes a = value(of.a, now);
        const lanes b = value(of.b, now);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) a[i].one = result(a[i].one, b[i].one);
        return a;
    }

    lanes constant(std::int64_t of) { return lanes(threads_, cell{of, {}}); }

    lanes value(id which, const mask& now);

    /// b where a is true, c elsewhere, each read only where it is taken; none: what a is.
    lanes branches(id a, id b, id c, const mask& now);

    [[nodiscard]] std::size_t member_of(const expression& of) const;
    [[nodiscard]] const reduced_output& reduction_of(const expression& of) const;

    [[nodiscard]] std::int64_t part(const cell& of, std::int64_t number) const;

    [[nodiscard]] known known_of(const cell& of, std::size_t member) const;

    lanes combine(const expression& of, const mask& now);

    lanes exchange(const expression& of, const mask& now);

    lanes count_block(const expression& of, const mask& now);
    lanes ticket(const expression& of, const mask& now);
    static where place_of(const cell& of) { return {static_cast<id>(of.parts.at(0)), of.one}; }
    static bool is_of_thread(const nest::memory& of);
    [[nodiscard]] expression access_of(id memory) const;

    std::int64_t element(id memory, std::int64_t place);
    std::int64_t element(const where& from, std::int64_t place) { return element(from.memory, from.first + place); }
    void set_element(const where& to, std::int64_t place, std::int64_t element);

    void move(const statement& of, const mask& now);

    // --- Atomic statements: of those of others no race, of all else one ---

    static constexpr std::int64_t atomically = INT64_MIN + 1;
    void atomic(const statement& of, const mask& now);

    // --- Elements that blocks publish: those of blocks that began before, or of this one before ---

    void publish(const statement& of, const mask& now);
    void await(const statement& of, const mask& now);
    void look(const statement& of, const mask& now);

    void append_run(const statement& of, const mask& now);
    void reduce_rows(const statement& of, const mask& now);

    // --- Memory ---

    [[nodiscard]] std::int64_t byte_of(const expression& of, std::int64_t element) const;

    /// Checks that a vector is where it may be.
    void check_place(const expression& of, std::int64_t place, std::size_t count) const;

    [[nodiscard]] std::int64_t this_thread(std::size_t thread) const;
    /// Who was at a place: -1 nobody, a thread by its number, several of block b as -2 - b, several of warp w as `of_warp` - w, several
    /// blocks as `many_blocks`.
    static constexpr std::int64_t many_blocks = INT64_MIN;
    static constexpr std::int64_t of_warp = -(std::int64_t{1} << 40);
    [[nodiscard]] std::int64_t block_that_was(std::int64_t by) const;
    [[nodiscard]] bool is_of_wave(std::int64_t by, std::size_t thread) const;
    /// Of one of this block: whether it was there before a barrier that this thread has met since.
    [[nodiscard]] bool is_before(std::int64_t by, std::int64_t time, std::size_t thread) const;
    [[nodiscard]] bool is_of_block(std::int64_t by, std::size_t thread) const;
    [[nodiscard]] bool is_of_cluster(std::int64_t by) const;
    /// Whether another thread was there, and nothing says that it was before.
    [[nodiscard]] bool unordered(std::int64_t by, std::int64_t time, std::size_t thread, bool is_shared) const;
    void note_reader(std::int64_t& by, std::int64_t& time, std::size_t thread, bool is_shared) const;

    lanes converted(const expression& of, const mask& now);
    lanes read(const expression& of, const mask& now);

    std::int64_t read_device(const expression& of, std::int64_t of_pointer, std::size_t thread);

    void store_device(const expression& of, std::int64_t of_pointer, std::size_t thread, std::int64_t element);

    // --- Shared memory ---

    [[nodiscard]] std::string where_of(const shared_place& of) const;

    /// Where `place` is for this thread, or of the block that the expression says.
    shared_place shared_at(const expression& of, std::int64_t place, std::size_t thread, const mask& now);
    void note_remote(const shared_place& of, std::size_t thread);

    void check_shared_vector(const expression& of, std::int64_t place) const;

    const cell& read_shared(const shared_place& of, std::size_t thread);

    void check_nobody_is_at(const shared_place& of, std::size_t thread);
    void set_shared(const shared_place& of, std::size_t thread, cell to);
    void store_shared(const shared_place& of, std::size_t thread, cell to);

    // --- What goes on in the background: until it is waited for, nobody may be where it goes ---

    void copy_async(const statement& of, const mask& now);

    lanes first_elements(const statement& of, const mask& now);
    void wait_copies(const statement& of, const mask& now);
    void land(const shared_place& place, std::size_t thread);

    /// Each thread's mbarrier.
    template <class Each>
    void each_mbarrier(id which, const mask& now, Each each) {
        const expression& of = tree_.at(which);
        const lanes places = value(of.a, now);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) each(i, shared_at(of, places[i].one, i, now));
    }
    mbarrier& mbarrier_at(const shared_place& of, std::size_t thread);
    static void end_phase(mbarrier& of);

    void init_mbarrier(const statement& of, const mask& now);
    void arrive(const statement& of, const mask& now);
    void store_async(const statement& of, const mask& now);
    /// What comes later in the kernel's order never comes here.
    void wait_mbarrier(const statement& of, const mask& now);

    // --- Tiles ---

    /// The warps that are here, each by its first thread.
    template <class Each>
    void each_warp(const mask& now, const char* what, Each each) {
        for (std::size_t first = 0; first < threads_; first += warp) {
            const auto begin = now.begin() + static_cast<std::ptrdiff_t>(first);
            const auto here = std::count(begin, begin + warp, 1);
            if (here == 0) continue;
            if (here < warp)
                fault(what + std::string(" is of a warp, of which ") + std::to_string(here) + " threads are here");
            each(first);
        }
    }
    [[nodiscard]] std::int64_t part_or_one(const cell& of, std::int64_t number) const;

    void load_tile(const statement& of, const mask& now);

    void multiply_tile(const statement& of, const mask& now);
    void multiply_group(const statement& of, const mask& now);

    cell& own_at(const expression& of, std::size_t thread, std::int64_t place);

    void write(id which, const mask& now, lanes values);

    /// What a part of is about to be set, if only just declared.
    lanes value_before(id which, const mask& now);

    void store(const expression& to, const mask& now, lanes& values);

    const nest::tree& tree_;
    const nest_call& call_;
    element_meaning& meaning_;
    const std::int64_t first_block_;
    const std::size_t of_block_;  // threads
    const std::size_t threads_;   // of the cluster
    mask ended_, left_;
    std::vector<std::int64_t> last_store_;  // to the device's memory, of each thread: the barriers before it
    std::vector<lanes> variables_;
    std::vector<std::vector<std::vector<cell>>> own_;  // by memory, then thread
    std::vector<shared_memory> shared_;
    std::map<id, where> pointed_;  // pointers
    std::vector<device_memory*> device_;
    std::map<shared_place, flight> flights_;
    std::vector<copies> underway_;             // of each thread
    std::vector<std::int64_t> barriers_;       // that each block has met
    std::vector<std::int64_t> wave_barriers_;  // that each warp has
    std::int64_t cluster_barriers_ = 0;
    std::int64_t begins_ = 0;  // how often all threads of the cluster have said that they have begun
    std::vector<std::int64_t>
        last_remote_;  // when another block was last in this one's memory: cluster barriers before it
    int threads_outside_ = 1;
    std::size_t stage_begin_ = 0, stage_end_ = 0;  // threads of the stage around
    bool sees_all_blocks_ = false;
};

/// Blocks of which one looks at what others publish: each goes on until it waits or looks, then another does.
void take_turns(const nest::tree& of, const nest_call& call, element_meaning& meaning,
                const std::vector<std::int64_t>& order);

}  // namespace tests::runs
