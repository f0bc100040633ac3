// A function's body as a list of kernels, made once for the shapes of its arguments: which arrays each of them reads, by
// argument. A call then puts arrays in their places.
#include <capture/array_node.hpp>
#include <launch/device.hpp>
#include <process/fork.hpp>
#include <process/thread_state.hpp>
#include <recipe.hpp>
#include <reductions.hpp>
#include <run_time_sites.hpp>

#include <kiln/error.hpp>
#include <kiln/fuse.hpp>
#include <kiln/options.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <mutex>
#include <unordered_map>

namespace kiln::inline v0_1::detail {

namespace {

struct scoped_tracing {
    scoped_tracing() { is_tracing = true; }
    ~scoped_tracing() { is_tracing = before_; }
    scoped_tracing(const scoped_tracing&) = delete;
    scoped_tracing& operator=(const scoped_tracing&) = delete;

private:
    const bool before_ = is_tracing;
};

/// Threads count the numbers that they capture each by itself, and the function may hold an expression of another thread:
/// what stands for a number has one that no thread comes to.
constexpr std::uint32_t first_stand_in = std::uint32_t{1} << 31;

/// What stands for arguments has a place and a shape, and no memory: its address is nobody's.
std::byte* nobodys_memory() { return std::bit_cast<std::byte*>(std::uintptr_t{1} << 40); }

/// Where a leaf of a kernel comes from in a call.
struct source {
    enum class kind : std::uint8_t {
        argument,  // an argument's array
        view,      // a view of one
        result,    // of an earlier kernel
        view_of_result,
        number,  // an argument
        fixed,   // the same in every call
    };
    kind from = kind::fixed;
    int index = -1;
    std::size_t slot = 0;  // among the kernel's leaves
};

struct stage {
    run_time_site* site = nullptr;
    std::vector<leaf> leaves;     // as the trace has them: right where they are the same in every call
    std::vector<source> moving;   // the others
    std::vector<output> outputs;  // as bind wants them
    std::vector<int> results;     // of each output: its number among the trace's results
    std::vector<shape> shapes;    // of each output, where reductions leave axes that go
};

struct trace {
    std::vector<element_type> types;  // of the arguments
    std::vector<shape> shapes;
    int device = 0;
    bool fused = true;
    std::vector<handle<term>> kept;  // what fixed leaves borrow from
    std::vector<stage> stages;
    int result_count = 0;
    std::vector<int> of_roots;  // which result each root is
    bool has_scans = false;     // whose steps are no calls: the function is called each time
};

}  // namespace

void require_memory(const leaf* leaves, int leaf_count) {
    for (int i = 0; i < leaf_count; ++i)
        if (leaves[i].kind == leaf_kind::array &&
            static_cast<const array_node*>(leaves[i].object)->storage().data == nobodys_memory())
            throw error(
                "kiln: fuse: the function asks for the elements of what its arguments stand for, which it is called "
                "without; elements, and views of reductions (say keep_dims), belong outside, and what the function "
                "computes on the way is an auto or a k::expr<T>, no k::array<T>");
}

struct traces {
    std::vector<std::shared_ptr<const trace>> made;  // the last used ones
};

std::shared_ptr<traces> make_traces() { return std::make_shared<traces>(); }

namespace {

// One for all functions: held for a look at some shapes.
constinit std::mutex traces_mutex;
const process::fork_participant held{process::fork_order::tables, [] { traces_mutex.lock(); },
                                     [] { traces_mutex.unlock(); }};

const shape& shape_of_argument(const fused_argument& of) {
    static const shape scalar;
    return of.array ? of.array->extents : scalar;
}

bool fits(const trace& of, const fused_argument* arguments, int count) {
    if (of.device != launch::device_generation() || of.fused != thread_options.fuse) return false;
    for (int i = 0; i < count; ++i)
        if (of.types[static_cast<std::size_t>(i)] != arguments[i].type ||
            !(of.shapes[static_cast<std::size_t>(i)] == shape_of_argument(arguments[i])))
            return false;
    return true;
}

class tracer {
public:
    tracer(const fused_argument* arguments, int count) : arguments_(arguments), count_(count) {}

    std::unique_ptr<trace> run(const traced_body& body, int root_count) {
        made_->device = launch::device_generation();
        made_->fused = thread_options.fuse;
        std::vector<handle<term>> given;
        for (int i = 0; i < count_; ++i) given.push_back(stand_in(i));
        std::vector<handle<term>> roots(static_cast<std::size_t>(root_count));
        {
            const scoped_tracing tracing;
            body(given.data(), roots.data());
        }
        add_stages(roots);
        made_->kept.insert(made_->kept.end(), given.begin(), given.end());
        return std::move(made_);
    }

private:
    handle<term> stand_in(int i) {
        const fused_argument& of = arguments_[i];
        made_->types.push_back(of.type);
        made_->shapes.push_back(shape_of_argument(of));
        if (!of.array) {
            captures_[i] = next_capture();
            return make_scalar_term(of.type, of.number, first_stand_in + static_cast<std::uint32_t>(i));
        }
        handle<array_node> node = without_memory(of.type, of.array->extents);
        arrays_[node.get()] = {source::kind::argument, i};
        return make_array_term(std::move(node), of.type);
    }

    static handle<array_node> without_memory(element_type type, const shape& extents) {
        handle<array_node> made(new array_node);
        made.get()->type = type;
        made.get()->extents = extents;
        made.get()->data = nobodys_memory();
        made.get()->owned = ownership::device_user;  // nothing is given back
        set_contiguous_strides(*made.get());
        return made;
    }

    void add_stages(const std::vector<handle<term>>& roots) {
        reduction_walk walk(roots.data(), static_cast<int>(roots.size()),
                            kernels_of(launch::current_device().target()));
        for (std::vector<reduction_group> groups = walk.next(); !groups.empty(); groups = walk.next())
            for (const reduction_group& group : groups) {
                made_->has_scans = made_->has_scans || is_scan(group);
                if (made_->has_scans) return;
                flat_terms flat;
                std::vector<output> outputs(group.results.size());
                flatten_group(group, flat, outputs.data());
                std::vector<shape> shapes;
                for (const reduction_group::result& each : group.results)
                    shapes.push_back(shape_of_result(group, each));
                const int first = add_stage(std::move(flat), outputs, shapes);
                for (const reduction_group::result& each : group.results) made_->kept.push_back(each.computed);
                if (group.of_roots) {
                    for (std::size_t i = 0; i < roots.size(); ++i)
                        made_->of_roots.push_back(first + static_cast<int>(i));
                    return;
                }
                for (std::size_t i = 0; i < group.results.size(); ++i) {
                    handle<array_node> node = without_memory(group.results[i].of->type, shapes[i]);
                    arrays_[node.get()] = {source::kind::result, first + static_cast<int>(i)};
                    walk.put(group.results[i].of, std::move(node));
                }
            }
        std::vector<handle<term>> rest;
        for (const handle<term>& root : walk.roots()) {
            handle<term> left = walk.resolved(root);
            made_->kept.push_back(left);
            const auto known =
                left.get()->what == term::kind::array ? arrays_.find(left.get()->node.get()) : arrays_.end();
            if (known != arrays_.end() && known->second.from == source::kind::result) {
                made_->of_roots.push_back(known->second.index);
                continue;
            }
            made_->of_roots.push_back(-1 - static_cast<int>(rest.size()));
            rest.push_back(std::move(left));
        }
        if (rest.empty()) return;
        flat_terms flat;
        flatten(rest.data(), static_cast<int>(rest.size()), flat);
        const int first = add_stage(std::move(flat), std::vector<output>(rest.size()), {});
        for (int& each : made_->of_roots)
            if (each < 0) each = first + (-1 - each);
    }

    /// Returns the number of its first result.
    int add_stage(flat_terms flat, const std::vector<output>& outputs, const std::vector<shape>& shapes) {
        stage made;
        made.site = &find_run_time_site(flat.described);
        made.leaves = std::move(flat.leaves);
        for (std::size_t slot = 0; slot < made.leaves.size(); ++slot)
            if (const source from = source_of(made.leaves[slot], slot); from.from != source::kind::fixed)
                made.moving.push_back(from);
        made.outputs = outputs;
        made.shapes = shapes;
        const int first = made_->result_count;
        for (std::size_t i = 0; i < outputs.size(); ++i) made.results.push_back(made_->result_count++);
        made_->stages.push_back(std::move(made));
        return first;
    }

    /// The number that a call gives gets the capture that it has in the trace.
    source source_of(leaf& each, std::size_t slot) const {
        source out{source::kind::fixed, -1, slot};
        if (each.kind == leaf_kind::scalar) {
            if (each.capture < first_stand_in) return out;
            out.from = source::kind::number;
            out.index = static_cast<int>(each.capture - first_stand_in);
            each.capture = captures_.at(out.index);
        } else if (each.kind == leaf_kind::array) {
            const auto* const node = static_cast<const array_node*>(each.object);
            const auto found = arrays_.find(&node->storage());
            if (found == arrays_.end()) return out;
            out.index = found->second.index;
            const bool whole = node == &node->storage();
            out.from = found->second.from == source::kind::argument
                           ? (whole ? source::kind::argument : source::kind::view)
                           : (whole ? source::kind::result : source::kind::view_of_result);
        }
        return out;
    }

    const fused_argument* const arguments_;
    const int count_;
    std::unique_ptr<trace> made_ = std::make_unique<trace>();
    std::unordered_map<const array_node*, source> arrays_;
    std::unordered_map<int, std::uint32_t> captures_;  // by argument, of calls
};

/// The same view, of another array of the same shape.
handle<array_node> view_of(const array_node& like, const array_node& base) {
    handle<array_node> made(new array_node);
    array_node& node = *made.get();
    node.type = like.type;
    node.owned = ownership::view;
    node.contiguous = like.contiguous;
    node.extents = like.extents;
    std::copy(like.strides, like.strides + like.extents.rank(), node.strides);
    node.data = base.data + (like.data - like.storage().data);
    if (like.map) node.map = std::make_unique<index_map>(*like.map);
    base.references.fetch_add(1, std::memory_order_relaxed);
    node.base = handle<array_node>(const_cast<array_node*>(&base));
    return made;
}

/// Kept from call to call: a warm one allocates its results.
struct running {
    std::vector<handle<array_node>> made;
    std::vector<handle<array_node>> views;
    std::vector<leaf> leaves;
    std::vector<output> outputs;
};

void run(const trace& of, const fused_argument* arguments, output* results) {
    running& state = process::thread_state<running, trace>();
    auto& [made, views, leaves, outputs] = state;
    made.clear();
    made.resize(static_cast<std::size_t>(of.result_count));
    for (const stage& each : of.stages) {
        leaves.assign(each.leaves.begin(), each.leaves.end());
        views.clear();
        for (const source& from : each.moving) {
            leaf& out = leaves[from.slot];
            const auto index = static_cast<std::size_t>(from.index);
            const auto view = [&](const array_node& base) {
                // Not `views`: before version 16, clang++ lets no lambda refer to a structured binding.
                state.views.push_back(view_of(*static_cast<const array_node*>(out.object), base));
                return state.views.back().get();
            };
            switch (from.from) {
                case source::kind::argument: out.object = arguments[index].array; break;
                case source::kind::view: out.object = view(*arguments[index].array); break;
                case source::kind::result: out.object = made[index].get(); break;
                case source::kind::view_of_result: out.object = view(*made[index].get()); break;
                case source::kind::number:
                    if (bytes_of(arguments[index].type) > 8) out.object = arguments[index].number;
                    else
                        std::memcpy(&out.bits, arguments[index].number,
                                    static_cast<std::size_t>(bytes_of(arguments[index].type)));
                    break;
                case source::kind::fixed: break;
            }
        }
        outputs = each.outputs;
        evaluate(*each.site, leaves.data(), static_cast<int>(leaves.size()), outputs.data(),
                 static_cast<int>(outputs.size()), nullptr, purpose::launch);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (!each.shapes.empty()) drop_axes(*outputs[i].written, each.shapes[i]);
            made[static_cast<std::size_t>(each.results[i])] = handle<array_node>(outputs[i].written);
        }
    }
    for (std::size_t i = 0; i < of.of_roots.size(); ++i)
        results[i].written = handle<array_node>(made[static_cast<std::size_t>(of.of_roots[i])]).release();
    made.clear();
    views.clear();
}

/// Of arrays without elements, whose reductions are no kernels, and of functions with scans.
void run_once(const fused_argument* arguments, int count, const traced_body& body, output* results, int result_count) {
    std::vector<handle<term>> given;
    for (int i = 0; i < count; ++i) {
        if (!arguments[i].array) {
            given.push_back(make_scalar_term(arguments[i].type, arguments[i].number, next_capture()));
            continue;
        }
        arguments[i].array->references.fetch_add(1, std::memory_order_relaxed);
        given.push_back(
            make_array_term(handle<array_node>(const_cast<array_node*>(arguments[i].array)), arguments[i].type));
    }
    std::vector<handle<term>> roots(static_cast<std::size_t>(result_count));
    body(given.data(), roots.data());
    evaluate(roots.data(), results, result_count, nullptr);
}

std::shared_ptr<const trace> find_or_trace(traces& known, const fused_argument* arguments, int argument_count,
                                           const traced_body& body, int result_count) {
    constexpr std::size_t most_traces = 64;
    {
        const std::lock_guard lock(traces_mutex);
        for (const std::shared_ptr<const trace>& each : known.made)
            if (fits(*each, arguments, argument_count)) return each;
    }
    std::shared_ptr<const trace> made = tracer(arguments, argument_count).run(body, result_count);
    const std::lock_guard lock(traces_mutex);
    if (known.made.size() == most_traces) known.made.erase(known.made.begin());
    known.made.push_back(made);
    return made;
}

void forget(traces& known, const std::shared_ptr<const trace>& which) {
    const std::lock_guard lock(traces_mutex);
    known.made.erase(std::remove(known.made.begin(), known.made.end(), which), known.made.end());
}

}  // namespace

void evaluate_fused(traces& known, const fused_argument* arguments, int argument_count, const traced_body& body,
                    output* results, int result_count) {
    for (int i = 0; i < argument_count; ++i)
        if (shape_of_argument(arguments[i]).size() == 0)
            return run_once(arguments, argument_count, body, results, result_count);
    const std::shared_ptr<const trace> found = find_or_trace(known, arguments, argument_count, body, result_count);
    if (found->has_scans) return run_once(arguments, argument_count, body, results, result_count);
    try {
        run(*found, arguments, results);
    } catch (const rows_no_longer_kept&) {
        forget(known, found);
        run(*find_or_trace(known, arguments, argument_count, body, result_count), arguments, results);
    }
}

}  // namespace kiln::inline v0_1::detail
