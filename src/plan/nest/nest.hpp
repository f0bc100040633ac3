// kiln/plan/nest/nest: one kernel as a tree of loops: what runs each of them, what is read, combined, exchanged and stored
// inside, and in which order. Policies build it (builder.hpp); printers, and the tests' interpreter, walk it and decide nothing.
// Integers are exact: that those of 32 bits suffice is in the call's class.
// knows nothing of: source text
#pragma once

#include <lower/program.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/nest/tile.hpp>
#include <plan/reduction_set.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace kiln::plan::nest {

/// A node by its place in its tree; none: -1.
using id = std::int32_t;
inline constexpr id none = -1;

struct type {
    enum class kind : std::uint8_t {
        boolean,
        small,    // 32 bits: a thread of a block, a turn of a loop that is written out
        index,    // a position on an axis, or an offset from an operand's first element: 32 bits or, where wide, 64
        number,   // an element's (or a thread's) number: the same, without a sign where it has 32 bits
        word,     // 64 bits, as in the layout
        element,  // of `of`
        vector,   // `lanes` of them, which move at once
        bits,     // such a vector's, not looked into
        accumulators,  // what is known of some elements, of each reduction of set `set`
        found,         // of one reduction: a value and where it is
        state,         // of one reduction: several values
        mbarrier,      // where threads meet and bytes arrive, in shared memory
        published,     // an element of `of` for other blocks, and whether it is there; where all bits are 0 it is not
    };
    kind what = kind::small;
    element_type of = element_type::float32;
    std::int8_t set = 0;
    std::uint8_t lanes = 1;

    friend bool operator==(const type&, const type&) = default;
};

namespace types {

inline constexpr type boolean{type::kind::boolean};
inline constexpr type small{type::kind::small};
inline constexpr type index{type::kind::index};
inline constexpr type number{type::kind::number};
inline constexpr type word{type::kind::word};
/// A position that is an element's value.
inline constexpr type position{type::kind::element, element_type::int64};
constexpr type element(element_type of) { return {type::kind::element, of}; }
constexpr type vector(element_type of, int lanes) {
    return {type::kind::vector, of, 0, static_cast<std::uint8_t>(lanes)};
}
constexpr type bits(element_type of, int lanes) { return {type::kind::bits, of, 0, static_cast<std::uint8_t>(lanes)}; }
inline constexpr type mbarrier{type::kind::mbarrier};
constexpr type published(element_type of) { return {type::kind::published, of}; }
constexpr type accumulators(int set = 0) {
    return {type::kind::accumulators, element_type::float32, static_cast<std::int8_t>(set)};
}

}  // namespace types

enum class operation : std::uint8_t {
    // Leaves.
    constant,  // number
    word,      // of the layout: number
    variable,  // number: of tree.variables
    // Integers and conditions: of a, b (and c).
    add,
    subtract,
    multiply,
    divide,     // never by 0
    remainder,  // of numbers that are not negative
    quotient,   // a / the extent in word b, by the divisor in word c where numbers have 32 bits
    bit_and,
    bit_or,
    bit_xor,
    invert,  // of all bits
    least,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    both,
    either,
    negate,   // of a condition
    select,   // a ? b : c
    convert,  // to the type
    // An index map's steps: of a, inside extent b. Source: capture/index_map.hpp.
    wrap,
    clamp,
    mirror,
    outside,
    // Elements.
    access,       // of memory `number` at a: an element, or what its type says begins there. What can be stored to.
    remote,       // the same of the shared memory that block b of the cluster has
    zeros,        // of a vector; number 1: they are read, and not only what takes their place
    whole,        // memory `number` itself, of which a body takes what it finds
    layout,       // all words, for the same
    lane,         // b of vector a; can be stored to
    across,       // a vector of the lanes from c on of vector a, then of b
    reinterpret,  // bits as their vector, and back; can be stored to
    identity,     // of a set: of no element
    combine,      // a, then b
    append,       // the same, where b is one element
    member,       // of accumulators a: reduction `number` of the set; can be stored to
    value_of,     // of `found` or `state`; can be stored to
    place_of,     // the same
    finish,       // reduction `number`'s result, of accumulator a, of b elements
    is_null,      // whether memory `number` is not there
    aligned,      // whether memory `number` at a is at a multiple of b bytes
    skew,         // by how many elements it is beyond one
    // On the host: for how many inputs from a on, each one more than the last, a step of extent b goes on alike: inside, as
    // positions do; of a quotient and of `outside`, without a change. 0: in no such way.
    wrap_run,
    inside_run,
    outside_run,
    divide_run,
    past_caches,  // whether what this call stores shall go past the caches, whole lines at a time
    place,        // memory `number` from a on
    piece,        // what a fixed piece of emit/helpers/, tree.pieces[number], makes of its arguments
    // What other threads have: of a warp whose threads are all here.
    shuffle,       // a of lane b
    shuffle_down,  // a of the lane that is b further on
    // Of a counter in memory `number` at a: counts this block as one of b, and says whether it is the last: then it sees what
    // all others had stored before they counted themselves.
    count_block,
    // Of a counter in published memory `number` at a, one thread of each block: which number the block has, 0, 1, ... Blocks of
    // lower numbers have begun, and wait for none of higher ones but one that only looks: who waits for them alone waits for a time.
    ticket,
};

struct expression {
    operation what = operation::constant;
    type is = {};
    id a = none;
    id b = none;
    id c = none;
    std::int64_t number = 0;
};

/// What runs the turns of a loop.
enum class runner : std::uint8_t {
    grid,  // blocks (clusters, where there are some): of several such loops, those of the innermost are neighbours. The outermost
    // has as many as are launched.
    cluster,   // blocks of a cluster, which run at once and see each other's shared memory
    thread,    // threads of a block: the same
    unrolled,  // one thread, in order, written out
    serial,    // one thread, in order
    simd,      // vector units of one thread: no turn reads what another stores
};

/// From one turn of a loop to the next.
enum class stride : std::uint8_t {
    adds,     // variable += c, as long as it is less than b
    doubles,  // the same
    halves,   // as long as it is more than b
    given,    // inside it is assigned, and less than b again or not
};

/// Pieces of code that move rows of few elements, or squares: all of what they do is known, and how is the printer's.
enum class movement : std::uint8_t {
    turn,          // to[p * side + i] = from[p + i * apart]: to, from, apart, as many i, as many p
    copy_rows,     // to[row * extent + i] = from[row * apart + i]: to, from, rows, extent, apart
    gather_rows,   // ... from[row * apart + i * stride]: to, from, rows, extent, apart, stride
    spread_rows,   // ... from[row * apart]: to, from, rows, extent, apart
    repeat_rows,   // to[n] = to[n % period]: to, period, count
    spread_block,  // to[row * extent + i] = from[row] of a block of rows: to, from
};

/// Rows of a block that are spread at once.
inline constexpr int block_rows = 8;
/// What a core moves at once: not less on any processor that stores past its caches.
inline constexpr int line_bytes = 64;

/// What an atomic statement makes of two integers.
enum class combining : std::uint8_t { sum, least, greatest };

struct statement {
    enum class kind : std::uint8_t {
        loop,  // for variable from a to b: `inside`
        when,  // if a: `inside`, else `otherwise`
        // variable, if there is one, = a, as it is after `inside`: seldom met, and a function of what it takes (taken.hpp), so that its
        // registers are not in the way of what is around it, and loops that are written out have it once
        apart,
        declare,     // memory a of the thread's own
        define,      // variable = a, for good; a none: its value comes later
        assign,      // to a, the value of b
        move,        // `how`, of `arguments`: places and numbers
        allocate,    // memories of `scratch`, of a elements each
        append_run,  // to accumulators a those of b elements from the first of `arguments` on; the second is its number
        // On the host: accumulators from place a on, of b rows, become what those come to: rows of as many elements as the second of
        // `arguments` says, one after the other from the first on.
        reduce_rows,
        point,  // memory a, a pointer, becomes the place b
        // Of integers alone, so that the order in which threads come does not matter: a, in shared memory or a parameter, becomes what
        // `combining` makes of it and b.
        atomic,
        atomic_of_wave,  // the same where condition c holds; all threads of the warp are here: those of one place may combine before
        compute,  // the body, of `arguments` in its order: those that are read, then places for its results
        leave,    // the loop around this
        end,      // of this thread: of those alone that meet no further barrier
        barrier,  // of the block: all its threads are here, but those at their end; or of its first `extent` threads, whole waves
        // Of a block that takes items one after the other, by stages that are threads of their own, each at an item of its own.
        stages,  // `variable`: an item's number, 0, 1, ... below b, which blocks take as they come, of the counter in published memory at
        // a; c, a variable: which of the `extent` slots it has until the last stage is done with it. Inside: nothing but stages
        stage,  // the next `extent` threads, whole waves, `variable` which of them; an item after stages `after`, of which bit i is the
        // i-th. Not before: what these stored is seen, also what their copies in the background left, of which those of
        // `ahead` items may be underway (0: there are none); no more items are taken before that. Of one stage, at most
        stage_barrier,  // all threads of this stage are here
        // Copies that go on while the thread does.
        copy_async,  // to a, in shared memory, what is at b, a parameter: the 4, 8 or 16 bytes of their type; `by_first_cache`
        commit_copies,  // the thread's copies since the last one are a group
        wait_copies,    // until all of the thread's groups but the last `extent` are there: for this thread
        // Between blocks that run in any order, and no two of which store to one place.
        publish,  // to a, published memory, element b
        await,  // to own memory from a on `extent` elements published from b on, each c after the one before; of them there are
                // as many as the first of `arguments` says: until those are there
        look,  // the same of neighbours, `extent` for each lane of a wave, without waiting: variable c becomes how many of the first
        // of the wave's are there, of which those that no lane asks for count as there
        // Of a cluster.
        cluster_barrier,  // all threads of all its blocks are here, but those at their end
        say_begun,        // to its other blocks, that this thread has begun
        await_begun,  // until all threads of all its blocks have said so: which tells nothing of what they have stored
        init_mbarrier,  // a: a phase of it ends when b threads arrived and as many bytes came as they had said
        arrive,         // at mbarrier a, where b bytes will come beside
        wait_mbarrier,  // until the phase of parity b of mbarrier a has ended: then what came there is there
        store_async,    // to a, of a block of the cluster, what b is; its bytes come at mbarrier c of the same block
        // Of a warp whose threads are all here.
        wave_barrier,  // each sees what all of them stored before
        // The same (tile.hpp).
        load_tile,  // to own memory from a on `extent` registers of squares of 8 x 8 from shared memory b on; of b's row, each
                    // thread its own
        multiply_tile,  // to the sums from a on in own memory the products of those from b and from c on: `shape`
        // Of four warps whose threads are all here (tile.hpp).
        publish_copies,  // what this thread's copies have left in shared memory, groups will see after the next barrier
        multiply_group,  // in the background, to the sums from a on the products of `extent` columns: of lines from b and from c
                         // on in shared memory. With it a bundle of products ends.
        wait_products,  // until all of the group's bundles but the last `extent` are there
        // On the host: what function tree.pieces[body] of the library makes of blocks of `a` elements; of `arguments`, places, the last of
        // them of its results.
        function,
        reads_underway,  // what own memory was given before this is on its way: no compiler begins to read it later
    };
    kind what = kind::barrier;
    runner by = runner::serial;
    stride goes = stride::adds;
    /// Of serial loops: turns that the compiler may write one after the other; 0: as it likes.
    std::uint8_t written_out = 1;
    movement how = movement::turn;
    tile_shape shape = tile_shape::f16;
    nest::combining combining = nest::combining::sum;
    bool is_turned =
        false;  // of load_tile: squares are transposed on their way; of multiply_group: lines at b are of rows side by side
    bool is_turned_too = false;   // then: those at c, of columns
    bool by_first_cache = false;  // of copy_async, of 16 bytes: as those of fewer always do, and not past it
    int extent = 0;               // of a square's side, or of a row that a block has many of
    id variable = none;
    id a = none;
    id b = none;
    id c = none;
    id inside = none;         // the first statement
    id otherwise = none;      // the same
    id next = none;           // the statement after this
    int body = 0;             // of compute
    std::uint32_t after = 0;  // of a stage
    int ahead = 0;            // the same
    /// Of compute, on the host: of a block of elements (float_vectors.hpp): of each array the place of the first and how far apart they are,
    /// then scalars, places for results, how many elements there are, and whether they go past the caches.
    bool of_block = false;
    bool tests = false;  // of compute: the last result says whether all since it was set are right: fast_paths.hpp
    int first_argument = 0;
    int argument_count = 0;
    int inputs = 0;  // those of the arguments that are read
};

struct variable {
    std::string name;
    type is;
    bool changes = false;  // assigned to after its definition
};

/// Where elements are.
struct memory {
    enum class place : std::uint8_t {
        parameter,  // of the whole device; `role` and `index` say which
        shared,     // of a block
        own,        // of a thread: registers, as long as places are known to the compiler
        scratch,    // of a host's thread, as large as it asks for
        pointer,    // no memory of its own: elements of another's, of which it is told
    };
    place where = place::parameter;
    std::string name;
    type is;
    int elements = 0;             // unless a parameter
    bool is_written = false;      // of parameters
    int aligned = 0;              // bytes; 0: as its elements are
    bool is_dynamic = false;      // of shared ones: the launch has room for it, not the code (dynamic_shared.hpp)
    bool past_caches = false;     // stores: nobody soon reads what they leave
    bool stays = false;           // of parameters: nobody stores there, even where what is written may be what is read
    bool of_many_blocks = false;  // other blocks store there, too, and are read from once they have counted themselves
};

/// What `compute` computes where a kernel does so in several places: some steps of its program.
struct body {
    std::string name;
    std::vector<lower::value_id> inputs;
    std::vector<lower::value_id> outputs;
    std::vector<int> steps;
    /// It is computed where its fast paths were not right, and nowhere else: to have it once in the text is enough.
    bool is_rare = false;
    /// It is called: what stands in the text many times would take a compiler long.
    bool is_called = false;
};

/// A call of a function of emit/helpers/ that is no element's operation.
struct piece {
    std::string name;
    std::vector<id> arguments;
};

struct tree {
    std::string name = {};  // of the kernel
    bool wide = false;      // numbers and indices have 64 bits
    bool aliased = false;   // what is written may be what is read
    int threads = 256;      // of a block
    int resident = 0;       // blocks that a multiprocessor is to have registers for at once; 0: as it comes
    int cluster = 1;        // blocks of a cluster; 1: there are none
    std::vector<kernel_signature::value_type> parameters = {};
    std::vector<id> parameter_of = {};  // for each: of tree.memories, or of tree.variables; none: the layout
    int layout_words = 0;
    id turned = none;  // of tree.variables, a parameter: where it has all bits, the grid's blocks begin with the last
    std::vector<memory> memories = {};
    std::vector<variable> variables = {};
    std::vector<expression> expressions = {};
    std::vector<statement> statements = {};
    std::vector<id> arguments = {};  // of statements
    /// On the host, variables: the elements (rows, tiles) of this call are those from one to the other.
    id range_begin = none;
    id range_end = none;
    std::vector<reduction_set> sets = {};
    bool tests_bodies = false;  // it has a compute that tests
    std::vector<piece> pieces = {};
    std::vector<body> bodies = {};  // none: one, "body", of all of the kernel's steps, operands and outputs
    id first = none;

    [[nodiscard]] const expression& at(id of) const { return expressions[static_cast<std::size_t>(of)]; }
    [[nodiscard]] const statement& step(id of) const { return statements[static_cast<std::size_t>(of)]; }
};

}  // namespace kiln::plan::nest
