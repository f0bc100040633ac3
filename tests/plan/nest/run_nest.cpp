#include "run_nest.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <utility>

namespace tests {

namespace {

namespace nest = kiln::plan::nest;
using kiln::plan::reduced_output;
using nest::expression;
using nest::id;
using nest::statement;
using kind = nest::type::kind;

constexpr std::int64_t poison = device_memory::poison;
constexpr int warp = 32;

/// What a thread has: a number or an element, or the parts of a vector or of accumulators (each reduction's value and place).
struct cell {
    std::int64_t one = poison;
    std::vector<std::int64_t> parts = {};
};
using lanes = std::vector<cell>;  // of each thread of the block
using mask = std::vector<char>;

class cluster_run {
public:
    cluster_run(const nest::tree& tree, const nest_call& call, element_meaning& meaning, std::int64_t first_block)
        : tree_(tree),
          call_(call),
          meaning_(meaning),
          first_block_(first_block),
          of_block_(static_cast<std::size_t>(tree.threads)),
          threads_(of_block_ * static_cast<std::size_t>(tree.cluster)),
          ended_(threads_),
          left_(threads_),
          last_store_(threads_, -1),
          variables_(tree.variables.size(), lanes(threads_)),
          own_(tree.memories.size()),
          shared_(tree.memories.size()),
          underway_(threads_),
          barriers_(static_cast<std::size_t>(tree.cluster)),
          last_remote_(static_cast<std::size_t>(tree.cluster), -1) {
        std::size_t number = 0;
        std::size_t memory = 0;
        device_.resize(tree.memories.size());
        for (std::size_t i = 0; i < tree.parameters.size(); ++i) {
            const id of = tree.parameter_of[i];
            if (of == nest::none) continue;
            if (kiln::plan::is_address(tree.parameters[i].what)) {
                device_[at(of)] = call.memories.at(memory++);
            } else {
                const std::int64_t given = call.numbers.at(number++);
                for (cell& each : variables_[at(of)]) each.one = given;
            }
        }
        if (tree.range_begin != nest::none) {
            variables_[at(tree.range_begin)][0].one = call.begin;
            variables_[at(tree.range_end)][0].one = call.end;
        }
        for (std::size_t i = 0; i < tree.memories.size(); ++i)
            if (tree.memories[i].where == nest::memory::place::shared)
                shared_[i] = shared_memory(static_cast<std::size_t>(tree.memories[i].elements * tree.cluster));
    }

    void run() {
        statements(tree_.first, mask(threads_, 1));
        for (const auto& [place, what] : flights_)
            if (what.thread >= 0) fault("ends while a copy to " + where_of(place) + " is underway");
        for (std::size_t block = 0; block < last_remote_.size(); ++block)
            if (last_remote_[block] == cluster_barriers_)
                fault("block " + std::to_string(block) + " of the cluster may have ended when another reads or stores there");
    }

private:
    struct mbarrier {
        std::int64_t threads = 0;  // 0: it was never made
        std::int64_t missing = 0;  // threads
        std::int64_t bytes = 0;    // that are to come
        std::int64_t phases = 0;   // that have ended
    };
    struct shared_memory {
        shared_memory() = default;
        explicit shared_memory(std::size_t count)
            : cells(count), stored_by(count, -1), stored_at(count, -1), read_by(count, -1), read_at(count, -1), barriers(count) {}
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

    static std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }
    static bool is_vector(nest::type of) { return of.what == kind::vector || of.what == kind::bits; }
    [[noreturn]] void fault(const std::string& what) const {
        throw nest_fault(tree_.name + ", block " + std::to_string(first_block_) + ": " + what);
    }

    [[nodiscard]] bool is_active(const mask& of, std::size_t thread) const {
        return of[thread] && !ended_[thread] && !left_[thread];
    }
    [[nodiscard]] mask active(const mask& of) const {
        mask out(threads_);
        for (std::size_t i = 0; i < threads_; ++i) out[i] = is_active(of, i);
        return out;
    }
    static bool any(const mask& of) { return std::find(of.begin(), of.end(), 1) != of.end(); }

    // --- Statements ---

    void statements(id first, const mask& given) {
        for (id each = first; each != nest::none; each = tree_.step(each).next) {
            const mask now = active(given);
            if (!any(now)) return;
            run(tree_.step(each), now);
        }
    }

    void run(const statement& of, const mask& now) {
        switch (of.what) {
            case statement::kind::loop: loop(of, now); break;
            case statement::kind::when: {
                const lanes condition = value(of.a, now);
                mask yes(threads_);
                mask no(threads_);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) (condition[i].one ? yes : no)[i] = 1;
                statements(of.inside, yes);
                statements(of.otherwise, no);
                break;
            }
            case statement::kind::move: move(of, now); break;
            case statement::kind::append_run: append_run(of, now); break;
            case statement::kind::point: pointed_[of.a] = place_of(value(of.b, now)[0]); break;
            case statement::kind::allocate: {
                const std::int64_t count = value(of.a, now)[0].one;
                for (std::size_t i = 0; i < tree_.memories.size(); ++i)
                    if (tree_.memories[i].where == nest::memory::place::scratch)
                        own_[i] = {std::vector<cell>(at(count))};
                break;
            }
            case statement::kind::declare: {
                if (tree_.memories[at(of.a)].where == nest::memory::place::pointer) {
                    pointed_[of.a] = place_of(value(of.b, now)[0]);
                    break;
                }
                const nest::memory& declared = tree_.memories[at(of.a)];
                own_[at(of.a)].resize(threads_);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) own_[at(of.a)][i].assign(static_cast<std::size_t>(declared.elements), {});
                break;
            }
            case statement::kind::define: {
                lanes values = of.a == nest::none ? lanes(threads_) : value(of.a, now);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) set_variable(of.variable, i, std::move(values[i]));
                break;
            }
            case statement::kind::assign: {
                lanes values = value(of.b, now);
                write(of.a, now, std::move(values));
                break;
            }
            case statement::kind::compute: compute(of, now); break;
            case statement::kind::leave:
                for (std::size_t i = 0; i < threads_; ++i) left_[i] = left_[i] || now[i];
                break;
            case statement::kind::end:
                for (std::size_t i = 0; i < threads_; ++i) ended_[i] = ended_[i] || now[i];
                break;
            case statement::kind::barrier:
                for (std::size_t block = 0; block < barriers_.size(); ++block)
                    if (std::find(now.begin() + offset(block), now.begin() + offset(block + 1), 1) !=
                        now.begin() + offset(block + 1))
                        meet(now, block, block + 1);
                break;
            case statement::kind::cluster_barrier:
                meet(now, 0, barriers_.size());
                ++cluster_barriers_;
                break;
            case statement::kind::copy_async: copy_async(of, now); break;
            case statement::kind::commit_copies:
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) underway_[i].groups.emplace_back();
                break;
            case statement::kind::wait_copies: wait_copies(of, now); break;
            case statement::kind::init_mbarrier: init_mbarrier(of, now); break;
            case statement::kind::arrive: arrive(of, now); break;
            case statement::kind::wait_mbarrier: wait_mbarrier(of, now); break;
            case statement::kind::store_async: store_async(of, now); break;
            case statement::kind::load_tile: load_tile(of, now); break;
            case statement::kind::multiply_tile: multiply_tile(of, now); break;
        }
    }

    [[nodiscard]] std::ptrdiff_t offset(std::size_t block) const {
        return static_cast<std::ptrdiff_t>(block * of_block_);
    }
    [[nodiscard]] std::size_t block_of(std::size_t thread) const { return thread / of_block_; }

    /// All threads of these blocks.
    void meet(const mask& now, std::size_t first, std::size_t end) {
        for (std::size_t i = first * of_block_; i < end * of_block_; ++i)
            if (!ended_[i] && !now[i]) fault("a barrier that thread " + std::to_string(i) + " does not meet");
        for (std::size_t block = first; block < end; ++block) ++barriers_[block];
    }
    /// Of a thread: when it is, for the block and for the cluster.
    [[nodiscard]] std::int64_t time_of(std::size_t thread) const {
        return cluster_barriers_ << 32 | barriers_[block_of(thread)];
    }

    void loop(const statement& of, const mask& now) {
        if (of.by == nest::runner::grid || of.by == nest::runner::cluster || of.by == nest::runner::thread) {
            const bool grid = of.by == nest::runner::grid;
            const bool cluster = of.by == nest::runner::cluster;
            const int outside = threads_outside_;
            if (!grid && !cluster) threads_outside_ *= static_cast<int>(tree_.at(of.b).number);
            const int inside = tree_.threads / threads_outside_;
            for (std::size_t i = 0; i < threads_; ++i) {
                const auto thread = static_cast<std::int64_t>(i % of_block_);
                set_variable(of.variable, i,
                             {grid      ? first_block_ / tree_.cluster
                              : cluster ? static_cast<std::int64_t>(block_of(i))
                                        : thread / inside % tree_.at(of.b).number,
                              {}});
            }
            statements(of.inside, now);
            threads_outside_ = outside;
            return;
        }
        const lanes from = value(of.a, now);
        if (of.by == nest::runner::simd) return in_any_order(of, from[0].one, now);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) set_variable(of.variable, i, from[i]);
        mask turn = now;
        while (true) {
            const lanes to = value(of.b, turn);
            for (std::size_t i = 0; i < threads_; ++i)
                turn[i] = turn[i] && (of.goes == nest::stride::halves ? variables_[at(of.variable)][i].one > to[i].one
                                                                      : variables_[at(of.variable)][i].one < to[i].one);
            if (!any(turn)) break;
            statements(of.inside, turn);
            turn = active(turn);
            if (!any(turn)) break;
            if (of.goes == nest::stride::given) continue;
            const lanes step = value(of.c, turn);
            for (std::size_t i = 0; i < threads_; ++i)
                if (turn[i]) {
                    if (step[i].one <= 0) fault("a loop that does not go on");
                    const std::int64_t now_at = variables_[at(of.variable)][i].one;
                    const std::int64_t by = step[i].one;
                    set_variable(of.variable, i,
                                 {of.goes == nest::stride::adds      ? now_at + by
                                  : of.goes == nest::stride::doubles ? now_at * by
                                                                     : now_at / by,
                                  {}});
                }
        }
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) left_[i] = 0;
    }

    /// Backwards: no turn may need another.
    void in_any_order(const statement& of, std::int64_t from, const mask& now) {
        const std::int64_t to = value(of.b, now)[0].one;
        for (std::int64_t turn = to - 1; turn >= from; --turn) {
            set_variable(of.variable, 0, {turn, {}});
            statements(of.inside, now);
        }
    }

    void set_variable(id variable, std::size_t thread, cell to) {
        const nest::variable& of = tree_.variables[at(variable)];
        check_range(of.is, to.one, of.name);
        variables_[at(variable)][thread] = std::move(to);
    }

    void check_range(nest::type is, std::int64_t of, const std::string& name) const {
        const bool narrow =
            is.what == kind::small || (!tree_.wide && (is.what == kind::index || is.what == kind::number));
        if (!narrow || of == poison) return;
        const std::int64_t limit = is.what == kind::number ? std::numeric_limits<std::uint32_t>::max()
                                                           : std::numeric_limits<std::int32_t>::max();
        const std::int64_t least = is.what == kind::number ? 0 : std::numeric_limits<std::int32_t>::min();
        if (of < least || of > limit) fault(name + " is " + std::to_string(of) + ", which its type does not hold");
    }

    void compute(const statement& of, const mask& now) {
        std::vector<id> arguments(tree_.arguments.begin() + of.first_argument,
                                  tree_.arguments.begin() + of.first_argument + of.argument_count);
        const auto inputs = static_cast<std::size_t>(of.inputs);
        std::vector<lanes> given;
        for (std::size_t i = 0; i < inputs; ++i) given.push_back(value(arguments[i], now));
        std::vector<lanes> results(arguments.size() - inputs, lanes(threads_));
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            std::vector<std::int64_t> elements;
            for (const lanes& each : given) elements.push_back(each[i].one);
            const std::vector<std::int64_t> made = meaning_.compute(of.body, elements, results.size());
            for (std::size_t j = 0; j < results.size(); ++j) results[j][i].one = made[j];
        }
        for (std::size_t j = 0; j < results.size(); ++j) write(arguments[inputs + j], now, std::move(results[j]));
    }

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

    lanes value(id which, const mask& now) {
        const expression& of = tree_.at(which);
        using nest::operation;
        switch (of.what) {
            case operation::constant: return constant(of.number);
            case operation::word: return constant(call_.words.at(at(of.number)));
            case operation::variable: return variables_[at(of.number)];
            case operation::add: return each_of_two(of, now, [](auto a, auto b) { return a + b; });
            case operation::subtract: return each_of_two(of, now, [](auto a, auto b) { return a - b; });
            case operation::multiply: return each_of_two(of, now, [](auto a, auto b) { return a * b; });
            case operation::divide:
                return each_of_two(of, now,
                                   [this](auto a, auto b) { return b ? a / b : (fault("a division by 0"), 0); });
            case operation::remainder:
                return each_of_two(of, now,
                                   [this](auto a, auto b) { return b ? a % b : (fault("a division by 0"), 0); });
            case operation::quotient: {
                lanes a = value(of.a, now);
                const std::int64_t by = call_.words.at(at(tree_.at(of.b).number));
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) a[i].one /= by;
                return a;
            }
            case operation::bit_and: return each_of_two(of, now, [](auto a, auto b) { return a & b; });
            case operation::bit_or: return each_of_two(of, now, [](auto a, auto b) { return a | b; });
            case operation::least: return each_of_two(of, now, [](auto a, auto b) { return std::min(a, b); });
            case operation::less: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a < b}; });
            case operation::less_equal:
                return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a <= b}; });
            case operation::greater: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a > b}; });
            case operation::greater_equal:
                return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a >= b}; });
            case operation::equal: return each_of_two(of, now, [](auto a, auto b) { return std::int64_t{a == b}; });
            case operation::both: return branches(of.a, of.b, nest::none, now);
            case operation::either: return branches(of.a, nest::none, of.b, now);
            case operation::select: return branches(of.a, of.b, of.c, now);
            case operation::invert:
            case operation::negate: {
                lanes a = value(of.a, now);
                for (cell& each : a) each.one = of.what == operation::invert ? ~each.one : !each.one;
                return a;
            }
            case operation::convert: return value(of.a, now);
            case operation::reinterpret: return value(of.a, now);
            case operation::wrap:
                return each_of_two(of, now, [](auto i, auto extent) { return i < extent ? i : i - extent; });
            case operation::clamp:
                return each_of_two(of, now,
                                   [](auto i, auto extent) { return std::clamp<std::int64_t>(i, 0, extent - 1); });
            case operation::mirror:
                return each_of_two(of, now, [](auto i, auto extent) {
                    const auto from_first = i < 0 ? -i : i;
                    return from_first < extent ? from_first : 2 * (extent - 1) - from_first;
                });
            case operation::outside:
                return each_of_two(of, now, [](auto i, auto extent) { return std::int64_t{i < 0 || i >= extent}; });
            case operation::wrap_run:
                return each_of_two(of, now,
                                   [](auto i, auto extent) { return i < extent ? extent - i : 2 * extent - i; });
            case operation::inside_run:
                return each_of_two(of, now, [](auto i, auto extent) { return i < 0 || i >= extent ? 0 : extent - i; });
            case operation::outside_run:
                return each_of_two(of, now, [](auto i, auto extent) {
                    return i < 0 ? -i : i < extent ? extent - i : std::numeric_limits<std::int64_t>::max();
                });
            case operation::divide_run:
                return each_of_two(of, now, [](auto i, auto extent) { return extent - i % extent; });
            case operation::past_caches: return constant(call_.past_caches);
            case operation::place: {
                lanes a = value(of.a, now);
                const bool is_pointer = tree_.memories[at(of.number)].where == nest::memory::place::pointer;
                const where from =
                    is_pointer ? pointed_.at(static_cast<id>(of.number)) : where{static_cast<id>(of.number)};
                for (cell& each : a) each = {from.first + each.one, {from.memory}};
                return a;
            }
            case operation::bit_xor: return each_of_two(of, now, [](auto a, auto b) { return a ^ b; });
            case operation::access:
            case operation::remote: return read(of, now);
            case operation::zeros: return lanes(threads_, {0, std::vector<std::int64_t>(of.is.lanes, poison)});
            case operation::whole: {
                lanes out(threads_, cell{0, {}});
                if (tree_.memories[at(of.number)].where == nest::memory::place::own)
                    for (std::size_t i = 0; i < threads_; ++i)
                        if (now[i])
                            for (const cell& each : own_[at(of.number)].at(i)) out[i].parts.push_back(each.one);
                return out;
            }
            case operation::layout: return constant(0);
            case operation::is_null: return constant(device_[at(of.number)] == nullptr);
            case operation::aligned: {
                lanes a = value(of.a, now);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) a[i].one = byte_of(of, a[i].one) % tree_.at(of.b).number == 0;
                return a;
            }
            case operation::lane: {
                lanes a = value(of.a, now);
                const lanes b = value(of.b, now);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) a[i] = {part(a[i], b[i].one), {}};
                return a;
            }
            case operation::identity: {
                cell out;
                for (const auto& each : tree_.sets[at(of.is.set)].members) {
                    out.parts.push_back(meaning_.identity(each.of));
                    out.parts.push_back(std::numeric_limits<std::int64_t>::max());
                }
                return lanes(threads_, out);
            }
            case operation::combine:
            case operation::append: return combine(of, now);
            case operation::member: {
                lanes a = value(of.a, now);
                const std::size_t number = member_of(of);
                for (std::size_t i = 0; i < threads_; ++i) {
                    if (!now[i]) continue;
                    const std::int64_t mine = part(a[i], static_cast<std::int64_t>(2 * number));
                    a[i] =
                        of.is.what == kind::found ? cell{poison, {mine, a[i].parts[2 * number + 1]}} : cell{mine, {}};
                }
                return a;
            }
            case operation::value_of:
            case operation::place_of: {
                lanes a = value(of.a, now);
                for (std::size_t i = 0; i < threads_; ++i)
                    if (now[i]) a[i] = {part(a[i], of.what == operation::place_of), {}};
                return a;
            }
            case operation::finish: {
                lanes a = value(of.a, now);
                const lanes count = value(of.b, now);
                for (std::size_t i = 0; i < threads_; ++i) {
                    if (!now[i]) continue;
                    const known mine = a[i].parts.empty() ? known{a[i].one} : known_of(a[i], 0);
                    a[i] = {meaning_.finish(reduction_of(tree_.at(of.a)), mine, count[i].one), {}};
                }
                return a;
            }
            case operation::shuffle:
            case operation::shuffle_down: return exchange(of, now);
            case operation::count_block: return count_block(of, now);
        }
        return {};
    }

    /// b where a is true, c elsewhere, each read only where it is taken; none: what a is.
    lanes branches(id a, id b, id c, const mask& now) {
        const lanes condition = value(a, now);
        mask yes(threads_);
        mask no(threads_);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) (condition[i].one ? yes : no)[i] = 1;
        const lanes of_yes = b == nest::none ? condition : value(b, yes);
        lanes out = c == nest::none ? condition : value(c, no);
        for (std::size_t i = 0; i < threads_; ++i)
            if (yes[i]) out[i] = of_yes[i];
        return out;
    }

    [[nodiscard]] std::size_t member_of(const expression& of) const {
        const auto& members = tree_.sets[at(of.is.set)].members;
        for (std::size_t i = 0; i < members.size(); ++i)
            if (members[i].number == at(of.number)) return i;
        fault("a reduction that is of no set");
    }
    [[nodiscard]] const reduced_output& reduction_of(const expression& of) const {
        return tree_.sets[at(of.is.set)].members[member_of(of)].of;
    }

    [[nodiscard]] std::int64_t part(const cell& of, std::int64_t number) const {
        if (number < 0 || at(number) >= of.parts.size()) fault("a lane that was never set");
        return of.parts[at(number)];
    }

    [[nodiscard]] known known_of(const cell& of, std::size_t member) const {
        const auto first = static_cast<std::int64_t>(2 * member);
        return {part(of, first), part(of, first + 1)};
    }

    lanes combine(const expression& of, const mask& now) {
        lanes a = value(of.a, now);
        const lanes b = value(of.b, now);
        const auto& members = tree_.sets[at(of.is.set)].members;
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            for (std::size_t j = 0; j < members.size(); ++j) {
                const known mine = known_of(a[i], j);
                const known other = known_of(b[i], j);
                if (mine.value == poison || other.value == poison) fault("combines what was never set");
                const known both = meaning_.combine(members[j].of, mine, other);
                a[i].parts[2 * j] = both.value;
                a[i].parts[2 * j + 1] = both.place;
            }
        }
        return a;
    }

    lanes exchange(const expression& of, const mask& now) {
        const lanes mine = value(of.a, now);
        const lanes which = value(of.b, now);
        lanes out(threads_);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            const std::size_t first = i / warp * warp;
            for (std::size_t each = first; each < std::min(first + warp, threads_); ++each)
                if (!now[each]) fault("a warp exchanges while thread " + std::to_string(each) + " is elsewhere");
            const std::int64_t lane = of.what == nest::operation::shuffle
                                          ? which[i].one % warp
                                          : static_cast<std::int64_t>(i - first) + which[i].one;
            out[i] = lane < warp ? mine[first + at(lane)] : mine[i];
        }
        return out;
    }

    lanes count_block(const expression& of, const mask& now) {
        if (std::count(now.begin(), now.end(), 1) != 1) fault("a block counts itself more than once");
        const lanes place = value(of.a, now);
        const lanes count = value(of.b, now);
        lanes out(threads_);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            for (std::size_t other = 0; other < threads_; ++other)
                if (other != i && last_store_[other] == barriers_[block_of(other)])
                    fault("counts itself before what thread " + std::to_string(other) + " stores is there");
            std::int64_t& counter = device_[at(of.number)]->elements.at(at(place[i].one));
            out[i].one = ++counter == count[i].one;
            if (out[i].one) sees_all_blocks_ = true;
        }
        return out;
    }

    // --- What the host alone has ---

    struct where {
        id memory = nest::none;
        std::int64_t first = 0;
    };
    static where place_of(const cell& of) { return {static_cast<id>(of.parts.at(0)), of.one}; }
    static bool is_of_thread(const nest::memory& of) {
        return of.where == nest::memory::place::own || of.where == nest::memory::place::scratch;
    }
    [[nodiscard]] expression access_of(id memory) const {
        return {.what = nest::operation::access, .is = tree_.memories[at(memory)].is, .number = memory};
    }

    std::int64_t element(id memory, std::int64_t place) {
        const nest::memory& of = tree_.memories[at(memory)];
        const expression access = access_of(memory);
        if (of.where == nest::memory::place::pointer) return element(pointed_.at(memory), place);
        if (is_of_thread(of)) return own_at(access, 0, place).one;
        check_place(access, place, 1);
        return read_device(access, place, 0);
    }
    std::int64_t element(const where& from, std::int64_t place) { return element(from.memory, from.first + place); }
    void set_element(const where& to, std::int64_t place, std::int64_t element) {
        own_at(access_of(to.memory), 0, to.first + place) = {element, {}};
    }

    void move(const statement& of, const mask& now) {
        const auto argument = [&](int number) {
            return value(tree_.arguments[at(of.first_argument + number)], now)[0];
        };
        const auto number = [&](int which) { return argument(which).one; };
        const where to = place_of(argument(0));
        const auto rows = [&](std::int64_t count, std::int64_t extent, std::int64_t apart, std::int64_t stride) {
            const where from = place_of(argument(1));
            for (std::int64_t row = 0; row < count; ++row)
                for (std::int64_t i = 0; i < extent; ++i)
                    set_element(to, row * extent + i, element(from, row * apart + i * stride));
        };
        using nest::movement;
        switch (of.how) {
            case movement::turn:
                for (std::int64_t p = 0; p < number(4); ++p)
                    for (std::int64_t i = 0; i < number(3); ++i)
                        set_element(to, p * of.extent + i, element(place_of(argument(1)), p + i * number(2)));
                break;
            case movement::copy_rows: rows(number(2), number(3), number(4), 1); break;
            case movement::gather_rows: rows(number(2), number(3), number(4), number(5)); break;
            case movement::spread_rows: rows(number(2), number(3), number(4), 0); break;
            case movement::spread_block: rows(nest::block_rows, of.extent, 1, 0); break;
            case movement::spread_blocks: rows(number(2), of.extent, 1, 0); break;
            case movement::repeat_rows:
                for (std::int64_t i = number(1); i < number(2); ++i) set_element(to, i, element(to, i % number(1)));
                break;
        }
    }

    void append_run(const statement& of, const mask& now) {
        lanes all = value(of.a, now);
        const where from = place_of(value(tree_.arguments[at(of.first_argument)], now)[0]);
        const std::int64_t first = value(tree_.arguments[at(of.first_argument + 1)], now)[0].one;
        const std::int64_t count = value(of.b, now)[0].one;
        const reduced_output& by = tree_.sets[at(tree_.at(of.a).is.set)].members.front().of;
        for (std::int64_t i = 0; i < count; ++i) {
            const known both = meaning_.combine(by, known_of(all[0], 0), {element(from, i), first + i});
            all[0].parts = {both.value, both.place};
        }
        write(of.a, now, std::move(all));
    }

    // --- Memory ---

    [[nodiscard]] std::int64_t byte_of(const expression& of, std::int64_t element) const {
        const nest::memory& from = tree_.memories[at(of.number)];
        return (element + device_[at(of.number)]->misaligned) * kiln::bytes_of(from.is.of);
    }

    /// Checks that a vector is where it may be.
    void check_place(const expression& of, std::int64_t place, std::size_t count) const {
        const device_memory* const memory = device_[at(of.number)];
        const std::string& name = tree_.memories[at(of.number)].name;
        if (!memory) fault(name + " is not there");
        const std::int64_t from_first = place + memory->origin;
        if (from_first < 0 || at(from_first) + count > memory->elements.size())
            fault(name + "[" + std::to_string(place) + "] is outside of " + std::to_string(memory->elements.size()));
        if (is_vector(of.is)) {
            const int bytes = std::min(of.is.lanes * kiln::bytes_of(of.is.of), 16);
            if (byte_of(of, place) % bytes) fault(name + "[" + std::to_string(place) + "] is no place for a vector");
        }
    }

    [[nodiscard]] std::int64_t this_thread(std::size_t thread) const {
        return first_block_ * static_cast<std::int64_t>(of_block_) + static_cast<std::int64_t>(thread);
    }
    /// Who was at a place: -1 nobody, a thread by its number, several of block b as -2 - b, several blocks as `many_blocks`.
    static constexpr std::int64_t many_blocks = INT64_MIN;
    [[nodiscard]] bool is_of_block(std::int64_t by, std::size_t thread) const {
        const std::int64_t block = by >= 0 ? by / static_cast<std::int64_t>(of_block_) : -2 - by;
        return by != many_blocks && block == first_block_ + static_cast<std::int64_t>(block_of(thread));
    }
    [[nodiscard]] bool is_of_cluster(std::int64_t by) const {
        const std::int64_t block = by >= 0 ? by / static_cast<std::int64_t>(of_block_) : -2 - by;
        return by != many_blocks && block >= first_block_ && block < first_block_ + tree_.cluster;
    }
    /// Whether another thread was there, and nothing says that it was before.
    [[nodiscard]] bool unordered(std::int64_t by, std::int64_t time, std::size_t thread, bool is_shared) const {
        if (by == -1 || by == this_thread(thread)) return false;
        if (is_of_block(by, thread)) return time == time_of(thread);
        if (is_shared || is_of_cluster(by)) return time >> 32 == cluster_barriers_;
        return !sees_all_blocks_;
    }
    void note_reader(std::int64_t& by, std::int64_t& time, std::size_t thread, bool is_shared) const {
        const std::int64_t mine = first_block_ + static_cast<std::int64_t>(block_of(thread));
        const bool is_before = by == -1 || (is_shared || is_of_cluster(by) ? time >> 32 != cluster_barriers_ : false) ||
                               (is_of_block(by, thread) && time != time_of(thread));
        if (is_before) by = this_thread(thread);
        else if (!is_of_block(by, thread)) by = many_blocks;
        else if (by != this_thread(thread)) by = -2 - mine;
        time = time_of(thread);
    }

    lanes read(const expression& of, const mask& now) {
        const lanes places = value(of.a, now);
        const nest::memory& from = tree_.memories[at(of.number)];
        lanes out(threads_);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            const std::int64_t place = places[i].one;
            if (is_of_thread(from)) {
                out[i] = own_at(of, i, place);
            } else if (from.where == nest::memory::place::pointer) {
                out[i].one = element(static_cast<id>(of.number), place);
            } else if (from.where == nest::memory::place::shared) {
                if (of.is == from.is) {
                    out[i] = read_shared(shared_at(of, place, i, now), i);
                    continue;
                }
                for (std::int64_t j = 0; j < of.is.lanes; ++j)
                    out[i].parts.push_back(read_shared(shared_at(of, place + j, i, now), i).one);
                check_shared_vector(of, place);
            } else {
                check_place(of, place, of.is.lanes);
                if (of.is.what == kind::accumulators) {
                    read_device(of, place, i);
                    out[i].parts = device_[at(of.number)]->accumulators.at(at(place));
                    continue;
                }
                for (std::int64_t j = 0; j < of.is.lanes; ++j) {
                    const std::int64_t element = read_device(of, place + j, i);
                    if (is_vector(of.is)) out[i].parts.push_back(element);
                    else out[i].one = element;
                }
            }
        }
        return out;
    }

    std::int64_t read_device(const expression& of, std::int64_t of_pointer, std::size_t thread) {
        device_memory& memory = *device_[at(of.number)];
        const std::int64_t place = of_pointer + memory.origin;
        if (unordered(memory.stored_by[at(place)], memory.stored_at[at(place)], thread, false))
            fault("a race: " + tree_.memories[at(of.number)].name + "[" + std::to_string(place) +
                  "] is read as it is stored");
        note_reader(memory.read_by[at(place)], memory.read_at[at(place)], thread, false);
        return memory.elements[at(place)];
    }

    void store_device(const expression& of, std::int64_t of_pointer, std::size_t thread, std::int64_t element) {
        device_memory& memory = *device_[at(of.number)];
        const std::int64_t place = of_pointer + memory.origin;
        const std::string where = tree_.memories[at(of.number)].name + "[" + std::to_string(place) + "]";
        if (element == poison) fault(where + " gets what was never set");
        if (memory.stored_by[at(place)] >= 0) fault(where + " is stored twice");
        if (unordered(memory.read_by[at(place)], memory.read_at[at(place)], thread, false))
            fault("a race: " + where + " is stored as it is read");
        memory.stored_by[at(place)] = this_thread(thread);
        memory.stored_at[at(place)] = time_of(thread);
        memory.elements[at(place)] = element;
        last_store_[thread] = barriers_[block_of(thread)];
    }

    // --- Shared memory ---

    [[nodiscard]] std::string where_of(const shared_place& of) const {
        const nest::memory& memory = tree_.memories[at(of.memory)];
        return memory.name + "[" + std::to_string(of.at % at(memory.elements)) + "]";
    }

    /// Where `place` is for this thread, or of the block that the expression says.
    shared_place shared_at(const expression& of, std::int64_t place, std::size_t thread, const mask& now) {
        const nest::memory& memory = tree_.memories[at(of.number)];
        if (place < 0 || place >= memory.elements)
            fault(memory.name + "[" + std::to_string(place) + "] is outside of it");
        std::size_t block = block_of(thread);
        if (of.what == nest::operation::remote) {
            block = at(value(of.b, now)[thread].one);
            if (block >= barriers_.size()) fault("block " + std::to_string(block) + " is outside of the cluster");
            if (!cluster_barriers_) fault("block " + std::to_string(block) + " of the cluster may not have begun");
        }
        return {of.number, block * at(memory.elements) + at(place)};
    }
    void note_remote(const shared_place& of, std::size_t thread) {
        const std::size_t block = of.at / at(tree_.memories[at(of.memory)].elements);
        if (block != block_of(thread)) last_remote_[block] = cluster_barriers_;
    }

    void check_shared_vector(const expression& of, std::int64_t place) const {
        const int bytes = std::min(of.is.lanes * kiln::bytes_of(of.is.of), 16);
        const nest::memory& memory = tree_.memories[at(of.number)];
        if (place * kiln::bytes_of(memory.is.of) % bytes || std::max(memory.aligned, kiln::bytes_of(memory.is.of)) < bytes)
            fault(memory.name + "[" + std::to_string(place) + "] is no place for a vector");
    }

    const cell& read_shared(const shared_place& of, std::size_t thread) {
        shared_memory& memory = shared_[at(of.memory)];
        if (flights_.contains(of)) fault("a race: " + where_of(of) + " is read while it is underway");
        if (unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true))
            fault("a race: " + where_of(of) + " is read as it is stored");
        note_reader(memory.read_by[of.at], memory.read_at[of.at], thread, true);
        note_remote(of, thread);
        return memory.cells[of.at];
    }

    void check_nobody_is_at(const shared_place& of, std::size_t thread) {
        const shared_memory& memory = shared_[at(of.memory)];
        if (flights_.contains(of) || unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true) ||
            unordered(memory.read_by[of.at], memory.read_at[of.at], thread, true))
            fault("a race: " + where_of(of) + " is stored while others are there");
    }
    void set_shared(const shared_place& of, std::size_t thread, cell to) {
        shared_memory& memory = shared_[at(of.memory)];
        memory.stored_by[of.at] = this_thread(thread);
        memory.stored_at[of.at] = time_of(thread);
        memory.cells[of.at] = std::move(to);
    }
    void store_shared(const shared_place& of, std::size_t thread, cell to) {
        check_nobody_is_at(of, thread);
        note_remote(of, thread);
        set_shared(of, thread, std::move(to));
    }

    // --- What goes on in the background: until it is waited for, nobody may be where it goes ---

    void copy_async(const statement& of, const mask& now) {
        const expression& to = tree_.at(of.a);
        const int bytes = to.is.lanes * kiln::bytes_of(to.is.of);
        if (bytes != 4 && bytes != 8 && bytes != 16) fault("copies " + std::to_string(bytes) + " bytes at once");
        const lanes places = value(to.a, now);
        lanes from = value(of.b, now);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            check_shared_vector(to, places[i].one);
            if (from[i].parts.empty()) from[i].parts = {from[i].one};
            for (std::int64_t j = 0; j < to.is.lanes; ++j) {
                const shared_place place = shared_at(to, places[i].one + j, i, now);
                check_nobody_is_at(place, i);
                flights_[place] = {.thread = static_cast<std::int64_t>(i), .value = {part(from[i], j), {}}};
                underway_[i].groups.back().push_back(place);
            }
        }
    }

    void wait_copies(const statement& of, const mask& now) {
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            auto& groups = underway_[i].groups;
            const std::size_t closed = groups.size() - 1;
            const std::size_t there = closed - std::min(closed, at(of.extent));
            for (std::size_t group = 0; group < there; ++group)
                for (const shared_place& place : groups[group]) land(place, i);
            groups.erase(groups.begin(), groups.begin() + static_cast<std::ptrdiff_t>(there));
        }
    }
    void land(const shared_place& place, std::size_t thread) {
        const auto found = flights_.find(place);
        set_shared(place, thread, std::move(found->second.value));
        flights_.erase(found);
    }

    /// Each thread's mbarrier.
    template <class Each>
    void each_mbarrier(id which, const mask& now, Each each) {
        const expression& of = tree_.at(which);
        const lanes places = value(of.a, now);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i]) each(i, shared_at(of, places[i].one, i, now));
    }
    mbarrier& mbarrier_at(const shared_place& of, std::size_t thread) {
        shared_memory& memory = shared_[at(of.memory)];
        mbarrier& out = memory.barriers[of.at];
        if (!out.threads) fault(where_of(of) + " was never made");
        if (unordered(memory.stored_by[of.at], memory.stored_at[of.at], thread, true))
            fault("a race: " + where_of(of) + " may not be made yet");
        return out;
    }
    static void end_phase(mbarrier& of) {
        if (of.missing || of.bytes) return;
        ++of.phases;
        of.missing = of.threads;
    }

    void init_mbarrier(const statement& of, const mask& now) {
        const lanes threads = value(of.b, now);
        each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
            store_shared(place, i, {0, {}});
            shared_[at(place.memory)].barriers[place.at] = {threads[i].one, threads[i].one};
        });
    }
    void arrive(const statement& of, const mask& now) {
        const lanes bytes = value(of.b, now);
        each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
            mbarrier& at = mbarrier_at(place, i);
            if (!at.missing) fault("one more thread arrives at " + where_of(place) + " than it is of");
            at.bytes += bytes[i].one;
            --at.missing;
            end_phase(at);
        });
    }
    void store_async(const statement& of, const mask& now) {
        const expression& to = tree_.at(of.a);
        const lanes places = value(to.a, now);
        const lanes values = value(of.b, now);
        each_mbarrier(of.c, now, [&](std::size_t i, const shared_place& counted_at) {
            mbarrier& at = mbarrier_at(counted_at, i);
            const shared_place place = shared_at(to, places[i].one, i, now);
            check_nobody_is_at(place, i);
            flights_[place] = {.counted_at = counted_at, .phase = at.phases, .value = values[i]};
            at.bytes -= kiln::bytes_of(to.is.of);
            end_phase(at);
        });
    }
    /// What comes later in the kernel's order never comes here.
    void wait_mbarrier(const statement& of, const mask& now) {
        const lanes parity = value(of.b, now);
        std::map<shared_place, std::vector<std::size_t>> waiting;
        each_mbarrier(of.a, now, [&](std::size_t i, const shared_place& place) {
            if (mbarrier_at(place, i).phases % 2 == parity[i].one)
                fault("waits at " + where_of(place) + " for what does not come");
            waiting[place].push_back(i);
        });
        for (const auto& [place, threads] : waiting) {
            std::vector<shared_place> landed;
            for (const auto& [to, what] : flights_)
                if (what.thread < 0 && what.counted_at == place &&
                    what.phase < shared_[at(place.memory)].barriers[place.at].phases)
                    landed.push_back(to);
            for (const shared_place& each : landed) {
                land(each, threads.front());
                // All of the block have waited: to each of them it is there.
                const std::size_t block = block_of(threads.front());
                const auto live = of_block_ - static_cast<std::size_t>(std::count(
                                                  ended_.begin() + offset(block), ended_.begin() + offset(block + 1), 1));
                if (threads.size() == live) shared_[at(each.memory)].stored_by[each.at] = -1;
            }
        }
    }

    // --- Tiles ---

    /// The warps that are here, each by its first thread.
    template <class Each>
    void each_warp(const mask& now, Each each) {
        for (std::size_t first = 0; first < threads_; first += warp) {
            const auto begin = now.begin() + static_cast<std::ptrdiff_t>(first);
            const auto here = std::count(begin, begin + warp, 1);
            if (here == 0) continue;
            if (here < warp) fault("a tile is of a warp, of which " + std::to_string(here) + " threads are here");
            each(first);
        }
    }
    [[nodiscard]] std::int64_t part_or_one(const cell& of, std::int64_t number) const {
        return of.parts.empty() ? of.one : part(of, number);
    }

    void load_tile(const statement& of, const mask& now) {
        const expression& row = tree_.at(of.b);
        const nest::memory& from = tree_.memories[at(row.number)];
        const int bytes = kiln::bytes_of(from.is.of);
        const std::int64_t elements = 16 / bytes;
        const lanes places = value(row.a, now);
        each_warp(now, [&](std::size_t first) {
            const auto element = [&](int square, std::int64_t y, std::int64_t x, std::size_t reader) {
                const std::size_t pointing = first + at(square * 8 + y);
                expression vector = row;
                vector.is = nest::types::vector(from.is.of, static_cast<int>(elements));
                check_shared_vector(vector, places[pointing].one);
                return read_shared(shared_at(row, places[pointing].one + x, pointing, now), reader).one;
            };
            for (std::size_t lane = 0; lane < warp; ++lane)
                for (int square = 0; square < of.extent; ++square) {
                    const auto y = static_cast<std::int64_t>(lane / 4);
                    const auto x = static_cast<std::int64_t>(lane % 4);
                    cell& to = own_[at(of.a)].at(first + lane).at(at(square));
                    to.parts.clear();
                    // Of elements of 16 bits alone: others move as if they were parts of those.
                    for (std::int64_t k = 0; k < 4 / bytes; ++k)
                        to.parts.push_back(of.is_turned ? element(square, 4 / bytes * x + k, y, first + lane)
                                                        : element(square, y, 4 / bytes * x + k, first + lane));
                    if (to.parts.size() == 1) to = {to.parts[0], {}};
                }
        });
    }

    void multiply_tile(const statement& of, const mask& now) {
        const nest::tile& tile = nest::info(of.shape);
        each_warp(now, [&](std::size_t first) {
            const auto depth = at(tile.depth);
            std::vector<std::int64_t> a(nest::tile::rows * depth);
            std::vector<std::int64_t> b(depth * nest::tile::columns);
            for (int lane = 0; lane < warp; ++lane) {
                const std::size_t thread = first + at(lane);
                for (int k = 0; k < tile.parts; ++k) {
                    for (int r = 0; r < nest::tile::registers_of_a; ++r)
                        a[at(nest::tile_row_of_a(lane, r)) * depth + at(nest::tile_depth_of_a(tile, lane, r) + k)] =
                            part_or_one(own_[at(of.b)].at(thread).at(at(r)), k);
                    for (int r = 0; r < nest::tile::registers_of_b; ++r)
                        b[at(nest::tile_column_of_b(lane)) * depth + at(nest::tile_depth_of_b(tile, lane, r) + k)] =
                            part_or_one(own_[at(of.c)].at(thread).at(at(r)), k);
                }
            }
            for (int lane = 0; lane < warp; ++lane)
                for (int r = 0; r < nest::tile::sums_of_thread; ++r) {
                    std::int64_t& sum = own_[at(of.a)].at(first + at(lane)).at(at(r)).one;
                    if (sum == poison) fault("adds to what was never set");
                    for (std::size_t k = 0; k < depth; ++k) {
                        const std::int64_t x = a[at(nest::tile_row_of_sum(lane, r)) * depth + k];
                        const std::int64_t y = b[at(nest::tile_column_of_sum(lane, r)) * depth + k];
                        if (x == poison || y == poison) fault("multiplies what was never set");
                        sum += of.shape == nest::tile_shape::b1 ? std::popcount(static_cast<std::uint64_t>(x & y)) : x * y;
                    }
                }
        });
    }

    cell& own_at(const expression& of, std::size_t thread, std::int64_t place) {
        std::vector<cell>& mine = own_[at(of.number)].at(thread);
        if (place < 0 || at(place) >= mine.size())
            fault(tree_.memories[at(of.number)].name + "[" + std::to_string(place) + "] is outside of it");
        return mine[at(place)];
    }

    void write(id which, const mask& now, lanes values) {
        const expression& to = tree_.at(which);
        using nest::operation;
        if (to.what == operation::variable) {
            if (!tree_.variables[at(to.number)].changes) fault("assigns to " + tree_.variables[at(to.number)].name);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) set_variable(static_cast<id>(to.number), i, std::move(values[i]));
            return;
        }
        if (to.what == operation::access || to.what == operation::remote) return store(to, now, values);
        if (to.what == operation::reinterpret) return write(to.a, now, std::move(values));
        lanes whole = value_before(to.a, now);
        const lanes number = to.what == operation::lane ? value(to.b, now) : lanes(threads_);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            std::vector<std::int64_t>& parts = whole[i].parts;
            const auto set = [&](std::size_t place, std::int64_t of) {
                if (parts.size() <= place) parts.resize(place + 1, poison);
                parts[place] = of;
            };
            switch (to.what) {
                case operation::lane: set(at(number[i].one), values[i].one); break;
                case operation::member: {
                    const std::size_t place = 2 * member_of(to);
                    set(place + 1, values[i].parts.size() > 1 ? values[i].parts[1] : poison);
                    set(place, values[i].parts.empty() ? values[i].one : values[i].parts[0]);
                    break;
                }
                case operation::value_of: set(0, values[i].one); break;
                case operation::place_of: set(1, values[i].one); break;
                default: fault("assigns to what is no place");
            }
        }
        write(to.a, now, std::move(whole));
    }

    /// What a part of is about to be set, if only just declared.
    lanes value_before(id which, const mask& now) {
        const expression& of = tree_.at(which);
        if (of.what != nest::operation::member) return value(which, now);
        const lanes whole = value_before(of.a, now);
        lanes out(threads_);
        const std::size_t place = 2 * member_of(of);
        for (std::size_t i = 0; i < threads_; ++i)
            if (now[i] && whole[i].parts.size() > place + 1)
                out[i].parts = {whole[i].parts[place], whole[i].parts[place + 1]};
        return out;
    }

    void store(const expression& to, const mask& now, lanes& values) {
        const nest::memory& memory = tree_.memories[at(to.number)];
        const lanes places = value(to.a, now);
        for (std::size_t i = 0; i < threads_; ++i) {
            if (!now[i]) continue;
            const std::int64_t place = places[i].one;
            if (is_of_thread(memory)) {
                own_at(to, i, place) = std::move(values[i]);
            } else if (memory.where == nest::memory::place::shared) {
                if (to.is == memory.is) {
                    store_shared(shared_at(to, place, i, now), i, std::move(values[i]));
                    continue;
                }
                check_shared_vector(to, place);
                for (std::int64_t j = 0; j < to.is.lanes; ++j)
                    store_shared(shared_at(to, place + j, i, now), i, {part(values[i], j), {}});
            } else {
                if (!memory.is_written) fault("stores to " + memory.name);
                check_place(to, place, to.is.lanes);
                if (to.is.what == kind::accumulators) {
                    device_[at(to.number)]->accumulators.resize(device_[at(to.number)]->elements.size());
                    device_[at(to.number)]->accumulators[at(place)] = std::move(values[i].parts);
                    store_device(to, place, i, 0);
                    continue;
                }
                for (std::int64_t j = 0; j < to.is.lanes; ++j)
                    store_device(to, place + j, i, is_vector(to.is) ? part(values[i], j) : values[i].one);
            }
        }
    }

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
    std::vector<copies> underway_;              // of each thread
    std::vector<std::int64_t> barriers_;        // that each block has met
    std::int64_t cluster_barriers_ = 0;
    std::vector<std::int64_t> last_remote_;     // when another block was last in this one's memory: cluster barriers before it
    int threads_outside_ = 1;
    bool sees_all_blocks_ = false;
};

}  // namespace

std::vector<std::int64_t> terms::compute(int body, std::span<const std::int64_t> inputs, std::size_t outputs) {
    std::string arguments;
    for (const std::int64_t each : inputs) arguments += (arguments.empty() ? "" : ", ") + text(each);
    std::vector<std::int64_t> out;
    for (std::size_t i = 0; i < outputs; ++i)
        out.push_back(number_of("y" + std::to_string(i) + "_" + std::to_string(body) + "(" + arguments + ")"));
    return out;
}

std::int64_t terms::number_of(const std::string& text) {
    const auto [found, added] = numbers_.try_emplace(text, static_cast<std::int64_t>(texts_.size()));
    if (added) texts_.push_back(text);
    return found->second;
}

void run_nest(const nest::tree& of, const nest_call& call, element_meaning& meaning) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(call.blocks / of.cluster));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(call.seed));
    for (const std::int64_t cluster : order) cluster_run(of, call, meaning, cluster * of.cluster).run();
}

}  // namespace tests
