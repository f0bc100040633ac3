#include <plan/nest/check.hpp>

#include <plan/nest/dynamic_shared.hpp>
#include <plan/nest/taken.hpp>
#include <text/format.hpp>

#include <algorithm>

namespace kiln::plan::nest {

namespace {

/// Among which threads a value is the same, or a statement is reached by all or none: the more, the wider.
enum class alike : std::uint8_t { thread, wave, block, cluster };

class checker {
public:
    checker(const tree& of, const target& on)
        : tree_(of),
          on_(on),
          variables_(of.variables.size(), alike::cluster),
          stops_(of.statements.size(), alike::cluster) {}

    std::string run() {
        limits();
        // What variables hold at a loop's second turn is known after its first.
        for (int round = 0; round < 3 && wrong_.empty(); ++round) {
            finds_ = round == 2;
            statements(tree_.first, alike::cluster);
        }
        return std::move(wrong_);
    }

private:
    static std::size_t at(std::int64_t of) { return static_cast<std::size_t>(of); }
    [[nodiscard]] const memory& memory_at(std::int64_t number) const { return tree_.memories[at(number)]; }
    void wrong(std::string what) {
        if (wrong_.empty()) wrong_ = tree_.name + ": " + std::move(what);
    }

    // --- How much ---

    [[nodiscard]] std::int64_t bytes_of(type is) const {
        switch (is.what) {
            case type::kind::boolean: return 1;
            case type::kind::small: return 4;
            case type::kind::index:
            case type::kind::number: return tree_.wide ? 8 : 4;
            case type::kind::word:
            case type::kind::mbarrier: return 8;
            case type::kind::element: return kiln::bytes_of(is.of);
            case type::kind::vector:
            case type::kind::bits: return std::int64_t{kiln::bytes_of(is.of)} * is.lanes;
            case type::kind::found: return 16;
            case type::kind::published: return 8 * ((kiln::bytes_of(is.of) + 3) / 4);
            case type::kind::state: return 0;  // no variable is one by itself
            case type::kind::accumulators: break;
        }
        std::int64_t out = 0;
        for (const reduction_set::member& each : tree_.sets[at(is.set)].members) out += accumulator_bytes(each.of);
        return out;
    }

    void at_most(const char* of_what, std::int64_t is, std::int64_t most) {
        if (is > most) wrong(text::format("{} {}, where the device has {}", is, of_what, most));
    }

    void limits() {
        std::int64_t shared = 0;
        std::int64_t own = 0;
        for (const memory& each : tree_.memories) {
            const std::int64_t bytes = each.elements * bytes_of(each.is);
            if (each.where == memory::place::shared && !each.is_dynamic) shared += bytes;
            if (each.where == memory::place::own) own += bytes;
        }
        at_most("threads of a block", tree_.threads, on_.most_threads);
        at_most("bytes of shared memory", shared, on_.block_shared_bytes);
        if (const int dynamic = dynamic_shared_bytes(tree_))
            at_most("bytes of shared memory", shared + dynamic, on_.most_shared_bytes);
        at_most("registers", (own + 3) / 4, on_.thread_registers);
        std::int64_t parameters = 0;
        for (const parameter& each : tree_.parameters) parameters += each.bytes;
        at_most("bytes of parameters", parameters, on_.parameter_bytes);
        at_most("blocks of a cluster", tree_.cluster, on_.most_cluster);
    }

    void lines_of_group(const memory& of) {
        if (of.aligned % bytes_of_eight_lines) wrong(of.name + " does not begin where lines of a group may");
    }

    void needs(bool has, const char* what) {
        if (!has) wrong(text::format("{}, which the device does not have", what));
    }

    // --- Who meets what ---

    void meets(alike here, alike needed, const char* what) {
        static constexpr const char* of[] = {"", "a warp", "the block", "the cluster"};
        if (finds_ && here < needed)
            wrong(text::format("{} that some threads of {} may not meet", what, of[static_cast<int>(needed)]));
    }

    void statements(id first, alike here) {
        for (id each = first; each != none; each = tree_.step(each).next) {
            here = std::min(here, left_);
            statement(tree_.step(each), here);
        }
    }

    void statement(const nest::statement& of, alike here) {
        switch (of.what) {
            case statement::kind::loop: return loop(of, here);
            case statement::kind::when: {
                const alike inside = std::min(here, value(of.a, here));
                statements(of.inside, inside);
                statements(of.otherwise, inside);
                break;
            }
            case statement::kind::apart: apart(of); break;
            case statement::kind::define:
                set(of.variable, of.a == none ? here : std::min(here, value(of.a, here)));
                break;
            case statement::kind::assign: assign(of.a, std::min(here, value(of.b, here)), here); break;
            case statement::kind::leave: left_ = std::min(left_, here); break;
            case statement::kind::barrier:
                if (in_stage_) wrong("a barrier of the block in a stage");
                meets(here, of.extent ? alike::wave : alike::block, "a barrier");
                if (of.extent && of.extent % std::max(on_.wave_width, 2)) wrong("a barrier of parts of warps");
                break;
            case statement::kind::stages: stages(of, here); break;
            case statement::kind::stage: wrong("a stage of no stages"); break;
            case statement::kind::stage_barrier:
                if (!in_stage_) wrong("a stage's barrier outside");
                meets(here, alike::block, "a stage's barrier");
                break;
            case statement::kind::wave_barrier:
                needs(on_.wave_width > 1, "barriers of warps");
                meets(here, alike::wave, "a barrier");
                break;
            case statement::kind::cluster_barrier:
            case statement::kind::say_begun:
            case statement::kind::await_begun:
                needs(tree_.cluster > 1, "a barrier of a cluster");
                meets(here, alike::cluster, "a barrier of the cluster");
                break;
            case statement::kind::copy_async:
                needs(on_.async_copies, "copies in the background");
                if (of.by_first_cache && bytes_of(tree_.at(of.a).is) != 16)
                    wrong("a copy by the first cache of few bytes");
                for (const id each : {of.a, of.b, of.c}) value(each, here);
                break;
            case statement::kind::store_async:
            case statement::kind::init_mbarrier:
            case statement::kind::arrive:
            case statement::kind::wait_mbarrier: needs(on_.most_cluster > 1, "mbarriers of a cluster"); break;
            case statement::kind::publish:
            case statement::kind::await:
            case statement::kind::look:
                needs(on_.atomics, "blocks that wait for others");
                for (const id each : {of.a, of.b, of.c}) value(each, here);
                if (of.what != statement::kind::publish) value(tree_.arguments[at(of.first_argument)], here);
                if (of.what == statement::kind::look) {
                    meets(here, alike::wave, "a look");
                    assign(of.c, alike::wave, here);
                }
                break;
            case statement::kind::load_tile:
            case statement::kind::multiply_tile:
                needs(on_.tiles, "tiles");
                meets(here, alike::wave, "a tile");
                for (const id each : {of.a, of.b, of.c}) value(each, here);
                break;
            case statement::kind::multiply_group:
                needs(on_.group_tiles, "products of groups");
                meets(here, alike::block, "a product of a group");
                for (const id each : {of.a, of.b, of.c}) value(each, here);
                for (const id each : {of.b, of.c}) lines_of_group(memory_at(tree_.at(each).number));
                break;
            case statement::kind::wait_products: meets(here, alike::block, "a wait for products"); break;
            case statement::kind::atomic:
            case statement::kind::atomic_of_wave:
                needs(on_.atomics, "atomic statements");
                if (of.what == statement::kind::atomic_of_wave)
                    meets(here, alike::wave, "an atomic statement of a warp");
                assign(of.a, alike::thread, here);
                value(of.b, here);
                value(of.c, here);
                break;
            case statement::kind::compute:
                for (int i = 0; i < of.argument_count; ++i) {
                    const id argument = tree_.arguments[at(of.first_argument + i)];
                    if (i < of.inputs) value(argument, here);
                    else assign(argument, alike::thread, here);
                }
                break;
            default: break;  // of the host, whose threads meet nowhere
        }
    }

    /// Those of a stage meet, as far as they know, all that there are. Whatever has been set in one stage is another thing in another: they
    /// are other threads.
    void stages(const nest::statement& of, alike here) {
        needs(on_.async_copies, "stages");
        meets(here, alike::block, "stages");
        int threads = on_.wave_width;
        std::uint32_t all = 0;
        std::uint32_t last = 0;
        int number = 0;
        bool copies = false;
        for (id each = of.inside; each != none; each = tree_.step(each).next, ++number) {
            const nest::statement& stage = tree_.step(each);
            if (stage.what != statement::kind::stage) return wrong("among stages what is none");
            if (stage.extent % std::max(on_.wave_width, 2)) wrong("a stage of parts of warps");
            if (stage.after >> number) wrong("a stage after itself");
            if (stage.ahead > of.extent) wrong("copies underway of more items than there are slots");
            if (stage.ahead && copies) wrong("copies underway of two stages");
            copies = copies || stage.ahead;
            // After what those before it are after, too.
            last = stage.after;
            for (int i = 0; i < number; ++i)
                if (stage.after >> i & 1) last |= comes_after_[at(i)];
            comes_after_.resize(at(number) + 1);
            comes_after_[at(number)] = last;
            all |= 1u << number;
            threads += stage.extent;
            set(of.variable, alike::block);
            set(static_cast<id>(tree_.at(of.c).number), alike::block);
            set(stage.variable, alike::thread);
            in_stage_ = true;
            statements(stage.inside, alike::block);
            in_stage_ = false;
        }
        if (number == 0) return wrong("stages without any");
        if ((last | 1u << (number - 1)) != all) wrong("a last stage that is not after all others");
        if (threads != tree_.threads) wrong(text::format("{} threads of stages, of {}", threads, tree_.threads));
    }

    /// Its threads meet nowhere, and it changes nothing that others read but what it comes to.
    void apart(const nest::statement& of) {
        const taken from = taken_by(tree_, of);
        for (const id each : from.variables)
            if (tree_.variables[at(each)].changes)
                wrong(tree_.variables[at(each)].name + " changes, and is taken apart");
        for (const id each : from.memories)
            if (memory_at(each).where == memory::place::own)
                wrong(memory_at(each).name + " is in registers, and is taken apart");
        statements(of.inside, alike::thread);
        value(of.a, alike::thread);
        if (of.variable != none) set(of.variable, alike::thread);
    }

    void loop(const nest::statement& of, alike here) {
        switch (of.by) {
            case runner::grid: set(of.variable, alike::cluster); break;
            case runner::cluster: set(of.variable, alike::block); break;
            case runner::thread: {
                const auto extent = static_cast<int>(tree_.at(of.b).number);
                outside_ *= extent;
                const int neighbours = tree_.threads / outside_;  // that are at the same turn
                set(of.variable, extent == 1                                              ? alike::block
                                 : on_.wave_width > 1 && neighbours % on_.wave_width == 0 ? alike::wave
                                                                                          : alike::thread);
                statements(of.inside, here);
                outside_ /= extent;
                return;
            }
            default: {
                const alike turns = std::min({here, value(of.a, here), value(of.b, here), value(of.c, here)});
                set(of.variable, turns);
                const alike before = left_;
                left_ = alike::cluster;
                statements(of.inside, std::min(turns, stops_[at(&of - tree_.statements.data())]));
                // Who left is missing in the turns to come.
                alike& stops = stops_[at(&of - tree_.statements.data())];
                stops = std::min(stops, left_);
                left_ = before;
                return;
            }
        }
        statements(of.inside, here);
    }

    /// What a variable ever holds: it is less alike with every round.
    void set(id variable, alike to) { variables_[at(variable)] = std::min(variables_[at(variable)], to); }

    void assign(id which, alike to, alike here) {
        const expression& of = tree_.at(which);
        switch (of.what) {
            case operation::variable:
                variables_[at(of.number)] = std::min({variables_[at(of.number)], to, here});
                break;
            case operation::access:
            case operation::remote:
                value(of.a, here);
                if (memory_at(of.number).where == memory::place::parameter && !memory_at(of.number).is_written)
                    wrong("stores to " + memory_at(of.number).name);
                break;
            default:
                if (of.a != none) assign(of.a, to, here);
        }
    }

    alike value(id which, alike here) {
        if (which == none) return alike::cluster;
        const expression& of = tree_.at(which);
        switch (of.what) {
            case operation::constant:
            case operation::word:
            case operation::layout:
            case operation::whole:
            case operation::is_null: return alike::cluster;
            case operation::variable: return variables_[at(of.number)];
            case operation::divide:
                // Whole waves of a block's threads.
                if (is_thread(of.a) && on_.wave_width > 1 && tree_.at(of.b).what == operation::constant &&
                    tree_.at(of.b).number % on_.wave_width == 0)
                    return alike::wave;
                break;
            case operation::access: {
                const alike place = value(of.a, here);
                const memory& from = memory_at(of.number);
                if (from.where == memory::place::own) return alike::thread;
                return std::min(place, from.where == memory::place::shared ? alike::block : alike::cluster);
            }
            case operation::shuffle:
            case operation::shuffle_down:
                needs(on_.wave_width > 1, "shuffles");
                meets(here, alike::wave, "an exchange");
                value(of.a, here);
                // Of one lane, all lanes have the same.
                if (of.what == operation::shuffle && value(of.b, here) >= alike::wave) return alike::wave;
                return alike::thread;
            case operation::piece: {
                alike out = alike::cluster;
                for (const id each : tree_.pieces[at(of.number)].arguments) out = std::min(out, value(each, here));
                return out;
            }
            case operation::ticket:
            case operation::count_block: needs(on_.atomics, "counters"); return alike::thread;
            case operation::both:
            case operation::either:
            case operation::select: {
                const alike condition = value(of.a, here);
                return std::min(
                    {condition, value(of.b, std::min(here, condition)), value(of.c, std::min(here, condition))});
            }
            default: break;
        }
        return std::min({value(of.a, here), value(of.b, here), value(of.c, here)});
    }

    [[nodiscard]] bool is_thread(id which) const {
        const expression& of = tree_.at(which);
        if (of.what != operation::variable) return false;
        for (const nest::statement& each : tree_.statements)
            if (each.what == statement::kind::loop && each.by == runner::thread &&
                each.variable == static_cast<id>(of.number))
                return tree_.at(each.b).number == tree_.threads;
        return false;
    }

    const tree& tree_;
    const target& on_;
    std::vector<alike> variables_;
    std::vector<alike> stops_;     // of loops: among whom all or none left it so far
    alike left_ = alike::cluster;  // of the innermost loop
    int outside_ = 1;              // turns of the loops of threads around
    bool in_stage_ = false;
    std::vector<std::uint32_t> comes_after_;  // of each stage: those before it, and those before them
    bool finds_ = false;                      // in the last round: what is alike is known
    std::string wrong_;
};

}  // namespace

std::string why_wrong(const tree& of, const target& on) { return checker(of, on).run(); }

}  // namespace kiln::plan::nest
