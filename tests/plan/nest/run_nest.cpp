#include "cluster_run.hpp"

#include <numeric>
#include <random>

namespace tests {

namespace runs {

cluster_run::cluster_run(const nest::tree& tree, const nest_call& call, element_meaning& meaning,
                         std::int64_t first_block)
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
      wave_barriers_(threads_ / warp + 1),
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

void cluster_run::run() {
    statements(tree_.first, mask(threads_, 1));
    for (const auto& [place, what] : flights_)
        if (what.thread >= 0) fault("ends while a copy to " + where_of(place) + " is underway");
    for (std::size_t block = 0; block < last_remote_.size(); ++block)
        if (last_remote_[block] == cluster_barriers_)
            fault("block " + std::to_string(block) +
                  " of the cluster may have ended when another reads or stores there");
}

void cluster_run::fault(const std::string& what) const {
    throw nest_fault(tree_.name + ", block " + std::to_string(first_block_) + ": " + what);
}

bool cluster_run::is_active(const mask& of, std::size_t thread) const {
    return of[thread] && !ended_[thread] && !left_[thread];
}

mask cluster_run::active(const mask& of) const {
    mask out(threads_);
    for (std::size_t i = 0; i < threads_; ++i) out[i] = is_active(of, i);
    return out;
}

void cluster_run::statements(id first, const mask& given) {
    for (id each = first; each != nest::none; each = tree_.step(each).next) {
        const mask now = active(given);
        if (!any(now)) return;
        run(tree_.step(each), now);
    }
}

void cluster_run::run(const statement& of, const mask& now) {
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
        case statement::kind::apart: {
            statements(of.inside, now);
            if (of.variable == nest::none) break;
            lanes values = value(of.a, now);
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) set_variable(of.variable, i, std::move(values[i]));
            break;
        }
        case statement::kind::move: move(of, now); break;
        case statement::kind::append_run: append_run(of, now); break;
        case statement::kind::reduce_rows: reduce_rows(of, now); break;
        case statement::kind::point: pointed_[of.a] = place_of(value(of.b, now)[0]); break;
        case statement::kind::allocate: {
            const std::int64_t count = value(of.a, now)[0].one;
            for (std::size_t i = 0; i < tree_.memories.size(); ++i)
                if (tree_.memories[i].where == nest::memory::place::scratch) own_[i] = {std::vector<cell>(at(count))};
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
        case statement::kind::function: fault("a function of the host's library in a GPU's nest"); break;
        case statement::kind::atomic:
        case statement::kind::atomic_of_wave: atomic(of, now); break;
        case statement::kind::leave:
            for (std::size_t i = 0; i < threads_; ++i) left_[i] = left_[i] || now[i];
            break;
        case statement::kind::end:
            for (std::size_t i = 0; i < threads_; ++i) ended_[i] = ended_[i] || now[i];
            break;
        case statement::kind::barrier:
            if (of.extent) {
                meet_first(now, at(of.extent));
                break;
            }
            for (std::size_t block = 0; block < barriers_.size(); ++block)
                if (std::find(now.begin() + offset(block), now.begin() + offset(block + 1), 1) !=
                    now.begin() + offset(block + 1))
                    meet(now, block, block + 1);
            break;
        case statement::kind::stages: stages(of, now); break;
        case statement::kind::stage: fault("a stage of no stages"); break;
        case statement::kind::stage_barrier: stage_barrier(now); break;
        case statement::kind::wave_barrier:
            each_warp(now, "a barrier", [&](std::size_t first) { ++wave_barriers_[first / warp]; });
            break;
        case statement::kind::cluster_barrier:
            meet(now, 0, barriers_.size());
            ++cluster_barriers_;
            break;
        case statement::kind::say_begun: meet(now, 0, barriers_.size()); break;
        case statement::kind::await_begun:
            meet(now, 0, barriers_.size());
            ++begins_;
            break;
        case statement::kind::copy_async: copy_async(of, now); break;
        case statement::kind::publish: publish(of, now); break;
        case statement::kind::await: await(of, now); break;
        case statement::kind::look: look(of, now); break;
        case statement::kind::commit_copies:
            for (std::size_t i = 0; i < threads_; ++i)
                if (now[i]) underway_[i].groups.emplace_back();
            break;
        case statement::kind::wait_copies: wait_copies(of, now); break;
        case statement::kind::reads_underway: break;  // each is done when it is begun
        case statement::kind::init_mbarrier: init_mbarrier(of, now); break;
        case statement::kind::arrive: arrive(of, now); break;
        case statement::kind::wait_mbarrier: wait_mbarrier(of, now); break;
        case statement::kind::store_async: store_async(of, now); break;
        case statement::kind::load_tile: load_tile(of, now); break;
        case statement::kind::multiply_tile: multiply_tile(of, now); break;
        case statement::kind::publish_copies:
        case statement::kind::wait_products: break;  // they are made at once
        case statement::kind::multiply_group: multiply_group(of, now); break;
    }
}

std::ptrdiff_t cluster_run::offset(std::size_t block) const { return static_cast<std::ptrdiff_t>(block * of_block_); }

void cluster_run::meet(const mask& now, std::size_t first, std::size_t end) {
    for (std::size_t i = first * of_block_; i < end * of_block_; ++i)
        if (!ended_[i] && !now[i]) fault("a barrier that thread " + std::to_string(i) + " does not meet");
    for (std::size_t block = first; block < end; ++block) ++barriers_[block];
}

void cluster_run::meet_first(const mask& now, std::size_t threads) {
    for (std::size_t i = 0; i < of_block_; ++i) {
        if (i < threads && !ended_[i] && !now[i])
            fault("a barrier that thread " + std::to_string(i) + " does not meet");
        if (i >= threads && now[i]) fault("a barrier that is not of thread " + std::to_string(i));
    }
    ++barriers_[0];
}

void cluster_run::stages(const statement& of, const mask& now) {
    meet(now, 0, 1);
    const auto slot = static_cast<id>(tree_.at(of.c).number);
    const expression& counter = tree_.at(of.a);
    mask first(threads_);
    first[0] = 1;
    for (std::int64_t turn = 0;; ++turn) {
        const std::int64_t item = ticket(counter, first)[0].one;
        if (item >= value(of.b, now)[0].one) break;
        std::size_t begin = warp;
        for (id each = of.inside; each != nest::none; each = tree_.step(each).next) {
            const statement& stage = tree_.step(each);
            mask mine(threads_);
            stage_begin_ = begin;
            stage_end_ = begin += at(stage.extent);
            for (std::size_t i = stage_begin_; i < stage_end_; ++i) {
                mine[i] = now[i];
                set_variable(of.variable, i, {item, {}});
                set_variable(slot, i, {turn % of.extent, {}});
                set_variable(stage.variable, i, {static_cast<std::int64_t>(i - stage_begin_), {}});
            }
            statements(stage.inside, mine);
            statement landed;
            for (std::size_t i = stage_begin_; i < stage_end_; ++i) {
                if (underway_[i].groups.back().empty()) continue;
                if (!stage.ahead) fault("copies in the background of a stage that does not wait for them");
                underway_[i].groups.emplace_back();
            }
            if (stage.ahead) wait_copies(landed, mine);
            ++barriers_[0];
        }
        if (call_.others_go_on) call_.others_go_on();
    }
}

void cluster_run::stage_barrier(const mask& now) {
    for (std::size_t i = stage_begin_; i < stage_end_; ++i)
        if (!now[i]) fault("a barrier of a stage that thread " + std::to_string(i) + " does not meet");
    ++barriers_[0];
}

std::int64_t cluster_run::time_of(std::size_t thread) const {
    return cluster_barriers_ << cluster_bits | barriers_[block_of(thread)] << block_bits |
           wave_barriers_[thread / warp];
}

void cluster_run::loop(const statement& of, const mask& now) {
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

void cluster_run::set_variable(id variable, std::size_t thread, cell to) {
    const nest::variable& of = tree_.variables[at(variable)];
    check_range(of.is, to.one, of.name);
    variables_[at(variable)][thread] = std::move(to);
}

void cluster_run::check_range(nest::type is, std::int64_t of, const std::string& name) const {
    const bool narrow = is.what == kind::small || (!tree_.wide && (is.what == kind::index || is.what == kind::number));
    if (!narrow || of == poison) return;
    const std::int64_t limit =
        is.what == kind::number ? std::numeric_limits<std::uint32_t>::max() : std::numeric_limits<std::int32_t>::max();
    const std::int64_t least = is.what == kind::number ? 0 : std::numeric_limits<std::int32_t>::min();
    if (of < least || of > limit) fault(name + " is " + std::to_string(of) + ", which its type does not hold");
}

void cluster_run::compute(const statement& of, const mask& now) {
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

}  // namespace runs

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

void run_nest(const kiln::plan::nest::tree& of, const nest_call& call, element_meaning& meaning) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(call.blocks / of.cluster));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(call.seed));
    const auto looks = [](const kiln::plan::nest::statement& each) {
        return each.what == kiln::plan::nest::statement::kind::look ||
               each.what == kiln::plan::nest::statement::kind::stages;
    };
    if (std::any_of(of.statements.begin(), of.statements.end(), looks))
        return runs::take_turns(of, call, meaning, order);
    for (const std::int64_t cluster : order) runs::cluster_run(of, call, meaning, cluster * of.cluster).run();
}

}  // namespace tests
