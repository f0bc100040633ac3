#include <plan/nest/builder.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace kiln::plan::nest {

type value::is() const { return in_->made().at(id_).is; }

value value_or_number::with(builder& in) const { return value_.is_there() ? value_ : in.constant(number_); }

builder::builder(std::string name, int threads, bool wide) {
    tree_.name = std::move(name);
    tree_.threads = threads;
    tree_.wide = wide;
    tree_.expressions.reserve(256);
    tree_.statements.reserve(128);
    tree_.variables.reserve(32);
    open_.push_back({});
}

tree builder::finish() {
    while (open_.size() > 1) close();
    return std::move(tree_);
}

// --- What the kernel takes, and memory of its own ---

id builder::memory_parameter(const parameter& of, std::string name, type is, bool is_written) {
    memory added;
    added.name = free_name(name);
    added.is = is;
    added.is_written = is_written;
    tree_.memories.push_back(std::move(added));
    const id out = static_cast<id>(tree_.memories.size()) - 1;
    tree_.parameters.push_back(of);
    tree_.parameter_of.push_back(out);
    return out;
}

value builder::number_parameter(const parameter& of, std::string name, type is) {
    const id out = new_variable(name, is, false);
    tree_.parameters.push_back(of);
    tree_.parameter_of.push_back(out);
    return use(out);
}

void builder::turned_parameter(const parameter& of) {
    tree_.turned = new_variable("turned", types::number, false);
    tree_.parameters.push_back(of);
    tree_.parameter_of.push_back(tree_.turned);
}

void builder::layout_parameter(const parameter& of, int words) {
    tree_.layout_words = words;
    tree_.parameters.push_back(of);
    tree_.parameter_of.push_back(none);
}

id builder::shared(std::string_view name, type of, int elements, int aligned) {
    memory added;
    added.where = memory::place::shared;
    added.name = free_name(name);
    added.is = of;
    added.elements = elements;
    added.aligned = aligned;
    tree_.memories.push_back(std::move(added));
    return static_cast<id>(tree_.memories.size()) - 1;
}

id builder::dynamic_shared(std::string_view name, type of, int elements, int aligned) {
    const id out = shared(name, of, elements, aligned ? aligned : 16);
    tree_.memories.back().is_dynamic = true;
    return out;
}

id builder::own(std::string_view name, type of, int elements, int aligned) {
    const id out = shared(name, of, elements);
    tree_.memories.back().where = memory::place::own;
    tree_.memories.back().aligned = aligned;
    add(statement::kind::declare).a = out;
    return out;
}

id builder::scratch(std::string_view name, type of) {
    const id out = shared(name, of, 0);
    tree_.memories.back().where = memory::place::scratch;
    return out;
}

void builder::allocate(value elements) { add(statement::kind::allocate).a = elements.which(); }

id builder::pointer(std::string_view name, type of, value place) {
    const id out = shared(name, of, 0);
    tree_.memories.back().where = memory::place::pointer;
    statement& made = add(statement::kind::declare);
    made.a = out;
    made.b = place.which();
    return out;
}

void builder::point(id pointer, value place) {
    statement& made = add(statement::kind::point);
    made.a = pointer;
    made.b = place.which();
}

builder::range builder::call_range() {
    tree_.range_begin = new_variable("begin", types::word, false);
    tree_.range_end = new_variable("end", types::word, false);
    return {use(tree_.range_begin), use(tree_.range_end)};
}

int builder::set(reduction_set of) {
    of.wide = tree_.wide;
    tree_.sets.push_back(std::move(of));
    return static_cast<int>(tree_.sets.size()) - 1;
}

int builder::body(nest::body of) {
    tree_.bodies.push_back(std::move(of));
    return static_cast<int>(tree_.bodies.size()) - 1;
}

// --- Values ---

value builder::make(operation what, type is, value a, value b, value c, std::int64_t number) {
    tree_.expressions.push_back({what, is, a.which(), b.which(), c.which(), number});
    return {this, static_cast<id>(tree_.expressions.size()) - 1};
}

value builder::constant(std::int64_t number, type is) { return make(operation::constant, is, {}, {}, {}, number); }
value builder::word(int number, type is) { return make(operation::word, is, {}, {}, {}, number); }
value builder::use(id of) {
    return make(operation::variable, tree_.variables[static_cast<std::size_t>(of)].is, {}, {}, {}, of);
}
value builder::at(id memory, value_or_number place) {
    return at(memory, place, tree_.memories[static_cast<std::size_t>(memory)].is);
}
value builder::at(id memory, value_or_number place, type is) {
    return make(operation::access, is, place.with(*this), {}, {}, memory);
}
value builder::place(id memory, value_or_number from) {
    return make(operation::place, tree_.memories[static_cast<std::size_t>(memory)].is, from.with(*this), {}, {},
                memory);
}
value builder::place_of(value element) {
    const expression& from = tree_.at(element.which());
    assert(from.what == operation::access);
    return make(operation::place, from.is, value(this, from.a), {}, {}, from.number);
}

value builder::is_aligned(id memory, value place, int bytes) {
    return make(operation::aligned, types::boolean, place, constant(bytes), {}, memory);
}
value builder::skew(id memory, value place, int bytes) {
    return make(operation::skew, types::small, place, constant(bytes), {}, memory);
}
value builder::remote(id memory, value_or_number place, value_or_number block) {
    return make(operation::remote, tree_.memories[static_cast<std::size_t>(memory)].is, place.with(*this),
                block.with(*this), {}, memory);
}
value builder::is_null(id memory) { return make(operation::is_null, types::boolean, {}, {}, {}, memory); }
value builder::lane(value vector, value_or_number number) {
    return make(operation::lane,
                vector.is().what == type::kind::accumulators ? vector.is() : types::element(vector.is().of), vector,
                number.with(*this));
}
value builder::across(value a, value b, value_or_number from) {
    return make(operation::across, a.is(), a, b, from.with(*this));
}
value builder::identity(int set) { return make(operation::identity, types::accumulators(set)); }
value builder::combine(value a, value b) { return make(operation::combine, a.is(), a, b); }
value builder::append(value a, value one) { return make(operation::append, a.is(), a, one); }

namespace {

const reduced_output& reduction_of(const tree& in, int set, std::size_t number) {
    const std::vector<reduction_set::member>& members = in.sets[static_cast<std::size_t>(set)].members;
    return std::find_if(members.begin(), members.end(), [number](const auto& each) { return each.number == number; })
        ->of;
}

}  // namespace

value builder::member(value of, std::size_t number) {
    const reduced_output& reduction = reduction_of(tree_, of.is().set, number);
    type is = types::element(reduction.accumulated);
    if (reduction.finds_position()) is.what = type::kind::found;
    if (reduction.keeps_state()) is.what = type::kind::state;
    is.set = of.is().set;
    return make(operation::member, is, of, {}, {}, static_cast<std::int64_t>(number));
}
value builder::finish(value of, std::size_t number, value count) {
    return make(operation::finish, types::element(reduction_of(tree_, of.is().set, number).result), of, count, {},
                static_cast<std::int64_t>(number));
}
value builder::shuffle(value of, value_or_number lane) {
    return make(operation::shuffle, of.is(), of, lane.with(*this));
}
value builder::shuffle_down(value of, value_or_number apart) {
    return make(operation::shuffle_down, of.is(), of, apart.with(*this));
}

bool is_constant(value of, std::int64_t number) {
    const expression& at = of.in()->made().at(of.which());
    return at.what == operation::constant && at.number == number;
}

namespace {

/// Of two integers as in C++.
type common(type a, type b) { return a.what < b.what ? b : a; }

value of_two(operation what, value a, value_or_number second) {
    const value b = second.with(*a.in());
    if (what == operation::multiply
            ? is_constant(b, 1)
            : is_constant(b, 0) && what != operation::bit_and && what != operation::least && what != operation::divide)
        return a;
    if (what == operation::add && is_constant(a, 0)) return b;
    if (what == operation::multiply && is_constant(a, 0)) return a;
    return a.in()->make(what, common(a.is(), b.is()), a, b);
}

value condition(operation what, value a, value_or_number b) {
    return a.in()->make(what, types::boolean, a, b.with(*a.in()));
}

}  // namespace

value builder::select(value condition, value_or_number yes, value_or_number no) {
    const value a = yes.with(*this);
    const value b = no.with(*this);
    return make(operation::select, common(a.is(), b.is()), condition, a, b);
}
value builder::least(value a, value_or_number b) { return of_two(operation::least, a, b); }
value builder::bit_xor(value a, value_or_number b) { return of_two(operation::bit_xor, a, b); }
value builder::quotient(value a, int extent_word, int divisor_word) {
    return make(operation::quotient, types::number, a, constant(extent_word), constant(divisor_word));
}
value builder::piece(std::string_view name, type is, std::initializer_list<value> arguments) {
    nest::piece made{std::string(name), {}};
    for (const value& each : arguments) made.arguments.push_back(each.which());
    tree_.pieces.push_back(std::move(made));
    return make(operation::piece, is, {}, {}, {}, static_cast<std::int64_t>(tree_.pieces.size()) - 1);
}
value builder::count_block(id memory, value place, value count) {
    return make(operation::count_block, types::boolean, place, count, {}, memory);
}
value builder::ticket(id memory, value_or_number place) {
    return make(operation::ticket, types::word, place.with(*this), {}, {}, memory);
}

value operator+(value a, value_or_number b) { return of_two(operation::add, a, b); }
value operator-(value a, value_or_number b) { return of_two(operation::subtract, a, b); }
value operator*(value a, value_or_number b) { return of_two(operation::multiply, a, b); }
value operator/(value a, value_or_number b) { return of_two(operation::divide, a, b); }
value operator%(value a, value_or_number b) { return of_two(operation::remainder, a, b); }
value operator&(value a, value_or_number b) { return of_two(operation::bit_and, a, b); }
value operator|(value a, value_or_number b) { return of_two(operation::bit_or, a, b); }
value operator<(value a, value_or_number b) { return condition(operation::less, a, b); }
value operator<=(value a, value_or_number b) { return condition(operation::less_equal, a, b); }
value operator>(value a, value_or_number b) { return condition(operation::greater, a, b); }
value operator>=(value a, value_or_number b) { return condition(operation::greater_equal, a, b); }
value operator==(value a, value_or_number b) { return condition(operation::equal, a, b); }
value operator==(value a, value b) { return condition(operation::equal, a, b); }
value operator&&(value a, value b) { return condition(operation::both, a, b); }
value operator||(value a, value b) { return condition(operation::either, a, b); }
value operator!(value a) { return a.in()->make(operation::negate, types::boolean, a); }

// --- Statements ---

std::string builder::free_name(std::string_view wanted) {
    const auto is_used = [this](const std::string& name) {
        return std::find(names_.begin(), names_.end(), name) != names_.end();
    };
    std::string out(wanted);
    for (int more = 2; is_used(out); ++more) out = std::string(wanted) + std::to_string(more);
    names_.push_back(out);
    return out;
}

id builder::new_variable(std::string_view name, type is, bool changes) {
    tree_.variables.push_back({free_name(name), is, changes});
    return static_cast<id>(tree_.variables.size()) - 1;
}

statement& builder::add(statement::kind what) {
    const auto added = static_cast<id>(tree_.statements.size());
    tree_.statements.emplace_back().what = what;
    scope& in = open_.back();
    if (in.last != none) tree_.statements[static_cast<std::size_t>(in.last)].next = added;
    else if (in.owner == none) tree_.first = added;
    else if (in.is_otherwise) tree_.statements[static_cast<std::size_t>(in.owner)].otherwise = added;
    else tree_.statements[static_cast<std::size_t>(in.owner)].inside = added;
    in.last = added;
    return tree_.statements.back();
}

statement& builder::add(statement::kind what, value a, value b, value c) {
    statement& made = add(what);
    made.a = a.which();
    made.b = b.which();
    made.c = c.which();
    return made;
}

value builder::let(std::string_view name, value_or_number of) { return let(name, of.with(*this).is(), of); }

value builder::let(std::string_view name, type is, value_or_number of) {
    const value from = of.with(*this);
    const id defined = new_variable(name, is, false);
    statement& made = add(statement::kind::define);
    made.variable = defined;
    made.a = from.which();
    return use(defined);
}

value builder::variable(std::string_view name, type is, value_or_number of) {
    const value out = let(name, is, of);
    tree_.variables.back().changes = true;
    return out;
}

value builder::variable(std::string_view name, type is) {
    const id defined = new_variable(name, is, true);
    add(statement::kind::define).variable = defined;
    return use(defined);
}

void builder::assign(value to, value_or_number of) {
    const id from = of.with(*this).which();
    statement& made = add(statement::kind::assign);
    made.a = to.which();
    made.b = from;
}

void builder::assign_one(value member, value element, value number) {
    const type::kind is = member.is().what;
    if (is != type::kind::found && is != type::kind::state) return assign(member, element);
    assign(make(operation::value_of, types::element(member.is().of), member), element);
    if (is == type::kind::state) return;
    assign(make(operation::place_of, types::position, member), number);
}

void builder::compute(std::span<const value> inputs, std::span<const value> outputs, int body) {
    statement& made = add(statement::kind::compute);
    made.body = body;
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = static_cast<int>(inputs.size() + outputs.size());
    made.inputs = static_cast<int>(inputs.size());
    for (const std::span<const value> all : {inputs, outputs})
        for (const value& each : all) tree_.arguments.push_back(each.which());
}

void builder::compute_fast(std::span<const value> inputs, std::span<const value> outputs, value is_right) {
    std::vector<value> results(outputs.begin(), outputs.end());
    results.push_back(is_right);
    compute(inputs, results);
    tree_.statements.back().tests = true;
    tree_.tests_bodies = true;
}

void builder::compute_block(std::span<const value> arguments) {
    compute(arguments, {});
    tree_.statements.back().of_block = true;
}

void builder::move(movement how, std::initializer_list<value> arguments, int extent) {
    statement& made = add(statement::kind::move);
    made.how = how;
    made.extent = extent;
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = static_cast<int>(arguments.size());
    for (const value& each : arguments) tree_.arguments.push_back(each.which());
}

void builder::function(std::string name, std::span<const value> from, value to, value count) {
    statement& made = add(statement::kind::function);
    made.a = count.which();
    made.body = static_cast<int>(tree_.pieces.size());
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = static_cast<int>(from.size()) + 1;
    for (const value& each : from) tree_.arguments.push_back(each.which());
    tree_.arguments.push_back(to.which());
    tree_.pieces.push_back({std::move(name), {}});
}

void builder::append_run(value accumulators, value from, value count, value first) {
    reduce(statement::kind::append_run, accumulators, count, from, first);
}

void builder::reduce_rows(value accumulators, value from, value rows, value extent) {
    reduce(statement::kind::reduce_rows, accumulators, rows, from, extent);
}

void builder::reduce(statement::kind how, value accumulators, value count, value from, value number) {
    statement& made = add(how);
    made.a = accumulators.which();
    made.b = count.which();
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = 2;
    for (const value& each : {from, number}) tree_.arguments.push_back(each.which());
}

void builder::atomic(combining how, value to, value_or_number of) {
    const value from = of.with(*this);
    add(statement::kind::atomic, to, from).combining = how;
}
void builder::atomic_of_wave(combining how, value to, value of, value condition) {
    add(statement::kind::atomic_of_wave, to, of, condition).combining = how;
}
void builder::barrier() { add(statement::kind::barrier); }
void builder::barrier_of(int threads) { add(statement::kind::barrier).extent = threads; }
void builder::wave_barrier() { add(statement::kind::wave_barrier); }
void builder::stage_barrier() { add(statement::kind::stage_barrier); }

void builder::copy_async(value to, value from, value there, bool by_first_cache) {
    add(statement::kind::copy_async, to, from, there).by_first_cache = by_first_cache;
}
void builder::commit_copies() { add(statement::kind::commit_copies); }
void builder::wait_copies(int underway) { add(statement::kind::wait_copies).extent = underway; }
void builder::reads_underway() { add(statement::kind::reads_underway); }
void builder::publish(value to, value element) { add(statement::kind::publish, to, element); }
void builder::await(value to, int most, value from, value_or_number apart, value_or_number there) {
    const value step = apart.with(*this);
    const id count = there.with(*this).which();
    statement& made = add(statement::kind::await, to, from, step);
    made.extent = most;
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = 1;
    tree_.arguments.push_back(count);
}
void builder::look(value to, int most, value from, value there, value found) {
    statement& made = add(statement::kind::look, to, from, found);
    made.extent = most;
    made.first_argument = static_cast<int>(tree_.arguments.size());
    made.argument_count = 1;
    tree_.arguments.push_back(there.which());
}
void builder::cluster_barrier() { add(statement::kind::cluster_barrier); }
void builder::say_begun() { add(statement::kind::say_begun); }
void builder::await_begun() { add(statement::kind::await_begun); }
void builder::init_mbarrier(value mbarrier, value_or_number threads) {
    add(statement::kind::init_mbarrier, mbarrier, threads.with(*this));
}
void builder::arrive(value mbarrier, value_or_number bytes) {
    add(statement::kind::arrive, mbarrier, bytes.with(*this));
}
void builder::wait_mbarrier(value mbarrier, value_or_number parity) {
    add(statement::kind::wait_mbarrier, mbarrier, parity.with(*this));
}
void builder::store_async(value to, value of, value mbarrier) { add(statement::kind::store_async, to, of, mbarrier); }
void builder::load_tile(value registers, int count, value row, bool is_turned) {
    statement& made = add(statement::kind::load_tile, registers, row);
    made.extent = count;
    made.is_turned = is_turned;
}
void builder::multiply_tile(tile_shape shape, value sums, value a, value b) {
    add(statement::kind::multiply_tile, sums, a, b).shape = shape;
}

void builder::publish_copies() { add(statement::kind::publish_copies); }

void builder::multiply_group(tile_shape shape, int columns, value sums, lines a, lines b) {
    statement& made = add(statement::kind::multiply_group, sums, a.first, b.first);
    made.shape = shape;
    made.extent = columns;
    made.is_turned = a.is_turned;
    made.is_turned_too = b.is_turned;
}

void builder::wait_products(int underway) { add(statement::kind::wait_products).extent = underway; }
void builder::leave() { add(statement::kind::leave); }
void builder::end() { add(statement::kind::end); }

value builder::loop_of(runner by, std::string_view name, value_or_number extent) {
    return open_loop(by, name, 0, extent, 1, 1, by == runner::grid ? types::number : types::small);
}

value builder::open_loop(runner by, std::string_view name, value_or_number from, value_or_number to,
                         value_or_number step, int written_out, type is, stride goes) {
    const id a = from.with(*this).which();
    const id b = to.with(*this).which();
    const id c = step.with(*this).which();
    statement& made = add(statement::kind::loop);
    const auto owner = static_cast<id>(tree_.statements.size()) - 1;
    made.by = by;
    made.goes = goes;
    made.written_out = static_cast<std::uint8_t>(written_out);
    made.a = a;
    made.b = b;
    made.c = c;
    open_.push_back({owner, none, false, names_.size()});
    const id turn = new_variable(name, is, goes == stride::given);
    tree_.statements[static_cast<std::size_t>(owner)].variable = turn;
    return use(turn);
}

builder::opened_stages builder::open_stages(id published, value count, int slots) {
    const value counter = at(published, 0);
    statement& made = add(statement::kind::stages, counter, count);
    made.extent = slots;
    const auto owner = static_cast<id>(tree_.statements.size()) - 1;
    open_.push_back({owner, none, false, names_.size()});
    const id item = new_variable("item", types::word, false);
    const value slot = use(new_variable("slot", types::small, false));
    tree_.statements[static_cast<std::size_t>(owner)].variable = item;
    tree_.statements[static_cast<std::size_t>(owner)].c = slot.which();
    return {use(item), slot};
}

value builder::open_stage(std::string_view thread, int threads, std::initializer_list<int> after, int ahead) {
    statement& made = add(statement::kind::stage);
    made.extent = threads;
    made.ahead = ahead;
    for (const int each : after) made.after |= 1u << each;
    const auto owner = static_cast<id>(tree_.statements.size()) - 1;
    open_.push_back({owner, none, false, names_.size()});
    const id which = new_variable(thread, types::small, false);
    tree_.statements[static_cast<std::size_t>(owner)].variable = which;
    return use(which);
}

void builder::open_when(value condition) {
    add(statement::kind::when).a = condition.which();
    open_.push_back({static_cast<id>(tree_.statements.size()) - 1, none, false, names_.size()});
}

void builder::open_otherwise() {
    scope& now = open_.back();
    names_.resize(now.names);
    now.is_otherwise = true;
    now.last = none;
}

id builder::open_apart() {
    add(statement::kind::apart);
    const auto opened = static_cast<id>(tree_.statements.size()) - 1;
    open_.push_back({opened, none, false, names_.size()});
    return opened;
}

value builder::close_apart(id opened, std::string_view name, type is, value result) {
    close();
    const id made = new_variable(name, is, false);
    statement& closed = tree_.statements[static_cast<std::size_t>(opened)];
    closed.a = result.which();
    closed.variable = made;
    return use(made);
}

void builder::close() {
    names_.resize(open_.back().names);
    open_.pop_back();
}

}  // namespace kiln::plan::nest
