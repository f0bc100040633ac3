// kiln/plan/nest/builder: how policies write a nest: values with operators, loops and conditions around what is done in them.
//     builder to("kiln_add_f32", 256, wide);
//     const value block = to.loop_of(runner::grid, "block");
//     const value thread = to.loop_of(runner::thread, "thread", 256);
//     const value i = to.let("i", block * 256 + thread);
//     to.when(i < count, [&] { to.assign(to.at(y, i), to.at(x, i)); });
// in: calls in the order of the kernel   out: a tree   knows nothing of: source text
#pragma once

#include <plan/nest/nest.hpp>

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::plan::nest {

class builder;

/// An expression of the tree that is being built.
class value {
public:
    value() = default;
    value(builder* in, id which) : in_(in), id_(which) {}

    [[nodiscard]] builder* in() const { return in_; }
    [[nodiscard]] id which() const { return id_; }
    [[nodiscard]] bool is_there() const { return in_; }
    [[nodiscard]] type is() const;

private:
    builder* in_ = nullptr;
    id id_ = none;
};

/// One that may be a number that is known here.
class value_or_number {
public:
    value_or_number(value of) : value_(of) {}  // NOLINT(google-explicit-constructor)
    template <std::integral T>
    value_or_number(T of) : number_(static_cast<std::int64_t>(of)) {}  // NOLINT(google-explicit-constructor)

    [[nodiscard]] value with(builder& in) const;

private:
    value value_;
    std::int64_t number_ = 0;
};

class builder {
public:
    builder(std::string name, int threads, bool wide);
    builder(const builder&) = delete;
    builder& operator=(const builder&) = delete;

    /// What was built, in whose innermost open loops nothing more comes.
    tree finish();

    // --- What the kernel takes, and memory of its own ---
    id memory_parameter(const parameter& of, std::string name, type is, bool is_written);
    value number_parameter(const parameter& of, std::string name, type is);
    void turned_parameter(const parameter& of);
    /// Of so many words, which are read by word().
    void layout_parameter(const parameter& of, int words);
    id shared(std::string_view name, type of, int elements, int aligned = 0);
    /// Of elements or vectors; what all such memories of a kernel have together is its plan's dynamic_shared_bytes.
    id dynamic_shared(std::string_view name, type of, int elements, int aligned = 0);
    /// So many blocks are to run at once on a multiprocessor, which limits registers.
    void resident(int blocks) { tree_.resident = blocks; }
    /// So many blocks see each other's shared memory: runner::cluster.
    void cluster(int blocks) { tree_.cluster = blocks; }
    id own(std::string_view name, type of, int elements, int aligned = 0);
    /// Of the host.
    id scratch(std::string_view name, type of);
    void allocate(value elements);
    id pointer(std::string_view name, type of, value place);
    void point(id pointer, value place);
    struct range {
        value begin, end;
    };
    range call_range();
    int set(reduction_set of);
    int body(nest::body of);
    [[nodiscard]] tree& made() { return tree_; }

    // --- Values ---
    value constant(std::int64_t number, type is = types::small);
    value word(int number, type is = types::index);
    value make(operation what, type is, value a = {}, value b = {}, value c = {}, std::int64_t number = 0);
    value at(id memory, value_or_number place);
    /// The vector (or its bits) that begins there.
    value at(id memory, value_or_number place, type is);
    /// All of it, or from there on.
    value whole(id memory) {
        return make(operation::whole, tree_.memories[static_cast<std::size_t>(memory)].is, {}, {}, {}, memory);
    }
    value place(id memory, value_or_number from);
    /// Where that element is.
    value place_of(value element);
    /// What block `block` of the cluster has there.
    value remote(id memory, value_or_number place, value_or_number block);
    value is_null(id memory);
    value is_aligned(id memory, value place, int bytes);
    value skew(id memory, value place, int bytes);
    value lane(value vector, value_or_number number);
    value across(value a, value b, value_or_number from);
    value identity(int set = 0);
    value combine(value a, value b);
    value append(value a, value one);
    value member(value of, std::size_t number);
    value finish(value of, std::size_t number, value count);
    value shuffle(value of, value_or_number lane);
    value shuffle_down(value of, value_or_number apart);
    value select(value condition, value_or_number yes, value_or_number no);
    value least(value a, value_or_number b);
    value bit_xor(value a, value_or_number b);
    value quotient(value a, int extent_word, int divisor_word);
    value piece(std::string_view name, type is, std::initializer_list<value> arguments);
    value convert(value of, type is) { return make(operation::convert, is, of); }
    value count_block(id memory, value place, value count);
    value ticket(id memory, value_or_number place);

    // --- Statements ---
    value let(std::string_view name, value_or_number of);
    value let(std::string_view name, type is, value_or_number of);
    value variable(std::string_view name, type is, value_or_number of);
    value variable(std::string_view name, type is);
    void assign(value to, value_or_number of);
    /// A member of accumulators becomes what is known of one element, the `number`th.
    void assign_one(value member, value element, value number);
    void compute(std::span<const value> inputs, std::span<const value> outputs, int body = 0);
    /// The same by fast paths alone; where `is_right` is false afterwards, results since it was set are not.
    void compute_fast(std::span<const value> inputs, std::span<const value> outputs, value is_right);
    /// That of a block of elements: statement::of_block says of what.
    void compute_block(std::span<const value> arguments);
    void move(movement how, std::initializer_list<value> arguments, int extent = 0);
    /// Of the library: `name` is "exp_f32"; places.
    void function(std::string name, std::span<const value> from, value to, value count);
    void append_run(value accumulators, value from, value count, value first);
    void reduce_rows(value accumulators, value from, value rows, value extent);
    void barrier();
    /// Of the block's first threads alone.
    void barrier_of(int threads);
    /// Of a warp.
    void wave_barrier();
    void stage_barrier();
    void atomic(combining how, value to, value_or_number of);
    void atomic_of_wave(combining how, value to, value of, value condition);
    /// `there`: so many of the elements are read, at least one; the rest becomes zeros.
    void copy_async(value to, value from, value there = {}, bool by_first_cache = false);
    void commit_copies();
    void wait_copies(int underway);
    /// What was read into own memory is on its way before what follows is waited for: memory's latency is met once.
    void reads_underway();
    void publish(value to, value element);
    /// `most`: how many own memory has room for from `to` on; `there` of them come.
    void await(value to, int most, value from, value_or_number apart, value_or_number there);
    /// Of neighbours, without waiting; of a warp: `most` of each lane, of which `there` will come. `found` becomes how many of the first
    /// of all lanes' are there, where those that will not come count as there.
    void look(value to, int most, value from, value there, value found);
    void cluster_barrier();
    void say_begun();
    void await_begun();
    void init_mbarrier(value mbarrier, value_or_number threads);
    void arrive(value mbarrier, value_or_number bytes);
    void wait_mbarrier(value mbarrier, value_or_number parity);
    void store_async(value to, value of, value mbarrier);
    /// Of own memories: where the registers, or the sums, begin.
    void load_tile(value registers, int count, value row, bool is_turned);
    void multiply_tile(tile_shape shape, value sums, value a, value b);
    void publish_copies();
    /// Of lines of shared memory; whether each has neighbouring rows (columns) of one element, not elements of one.
    struct lines {
        value first;
        bool is_turned = false;
    };
    void multiply_group(tile_shape shape, int columns, value sums, lines a, lines b);
    void wait_products(int underway);
    void leave();
    void end();
    /// A loop whose turns are all that follows. Without an extent: as many as are launched.
    value loop_of(runner by, std::string_view name, value_or_number extent = 0);

    template <class Inside>
    void loop(runner by, std::string_view name, value_or_number from, value_or_number to, value_or_number step,
              Inside inside, int written_out = 1, type is = types::small) {
        const value turn = open_loop(by, name, from, to, step, written_out, is);
        inside(turn);
        close();
    }
    /// for (name = 0; name < count; ++name), written out; of one turn no loop.
    template <class Inside>
    void unrolled(std::string_view name, int count, Inside inside) {
        if (count == 1) inside(constant(0));
        else loop(runner::unrolled, name, 0, count, 1, inside);
    }
    /// for (name = from; name < to;), inside which it is assigned.
    template <class Inside>
    void loop_while_below(std::string_view name, value_or_number from, value_or_number to, Inside inside,
                          type is = types::word) {
        const value turn = open_loop(runner::serial, name, from, to, 1, 0, is, stride::given);
        inside(turn);
        close();
    }
    /// name = 1, 2, 4, ... below `end`.
    template <class Inside>
    void doubling(std::string_view name, int end, Inside inside, runner by = runner::unrolled) {
        const value turn = open_loop(by, name, 1, end, 2, 1, types::small, stride::doubles);
        inside(turn);
        close();
    }
    /// name = from, from / 2, ... 1.
    template <class Inside>
    void halving(std::string_view name, int from, Inside inside, runner by = runner::unrolled) {
        const value turn = open_loop(by, name, from, 0, 2, 1, types::small, stride::halves);
        inside(turn);
        close();
    }
    /// Items below `count`, which the block takes of the counter in `published` at 0; inside, given an item's number and its slot, nothing
    /// but stages, of which the last is after all others. The first wave takes items, the threads behind it are the stages'.
    template <class Inside>
    void stages(id published, value count, int slots, Inside inside) {
        const opened_stages opened = open_stages(published, count, slots);
        inside(opened.item, opened.slot);
        close();
    }
    /// One of them, after those of numbers `after`: statement::kind::stage.
    template <class Inside>
    void stage(std::string_view thread, int threads, std::initializer_list<int> after, int ahead, Inside inside) {
        const value which = open_stage(thread, threads, after, ahead);
        inside(which);
        close();
    }
    template <class Then>
    void when(value condition, Then then) {
        open_when(condition);
        then();
        close();
    }
    template <class Then, class Otherwise>
    void when(value condition, Then then, Otherwise otherwise) {
        open_when(condition);
        then();
        open_otherwise();
        otherwise();
        close();
    }
    /// What `inside` gives back, by a function that reads what is around it: statement::kind::apart.
    template <class Inside>
    value apart(std::string_view name, type is, Inside inside) {
        const id opened = open_apart();
        const value result = inside();
        return close_apart(opened, name, is, result);
    }
    /// The same of what gives nothing back.
    template <class Inside>
    void apart(Inside inside) {
        open_apart();
        inside();
        close();
    }

private:
    value open_loop(runner by, std::string_view name, value_or_number from, value_or_number to, value_or_number step,
                    int written_out, type is, stride goes = stride::adds);
    struct opened_stages {
        value item, slot;
    };
    opened_stages open_stages(id published, value count, int slots);
    value open_stage(std::string_view thread, int threads, std::initializer_list<int> after, int ahead);
    void open_when(value condition);
    void open_otherwise();
    id open_apart();
    value close_apart(id opened, std::string_view name, type is, value result);
    void close();
    void reduce(statement::kind how, value accumulators, value count, value from, value number);
    statement& add(statement::kind what);
    statement& add(statement::kind what, value a, value b = {}, value c = {});
    id new_variable(std::string_view name, type is, bool changes);
    std::string free_name(std::string_view wanted);
    value use(id variable);

    struct scope {
        id owner = none;  // statement
        id last = none;   // of its statements so far
        bool is_otherwise = false;
        std::size_t names = 0;  // before it
    };
    tree tree_;
    std::vector<scope> open_;
    std::vector<std::string> names_;  // in use
};

/// Whether it is that number, as far as is known here.
bool is_constant(value of, std::int64_t number);

value operator+(value a, value_or_number b);
value operator-(value a, value_or_number b);
value operator*(value a, value_or_number b);
value operator/(value a, value_or_number b);
value operator%(value a, value_or_number b);
value operator&(value a, value_or_number b);
value operator|(value a, value_or_number b);
value operator<(value a, value_or_number b);
value operator<=(value a, value_or_number b);
value operator>(value a, value_or_number b);
value operator>=(value a, value_or_number b);
value operator==(value a, value_or_number b);
value operator==(value a, value b);  // or either could be the one that is converted
value operator&&(value a, value b);
value operator||(value a, value b);
value operator!(value a);

}  // namespace kiln::plan::nest
