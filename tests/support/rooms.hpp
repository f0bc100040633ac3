// tests/support/rooms: walks an expression through the rooms one by one, as evaluate() does, without running it.
// in: expressions   out: graph, program, schedule, source   launches nothing
#pragma once

#include <emit/source.hpp>
#include <lower/lower.hpp>
#include <plan/bind.hpp>
#include <plan/operands.hpp>
#include <plan/partition.hpp>
#include <plan/row_limits.hpp>
#include <plan/target.hpp>
#include <stage/stages.hpp>

#include <kiln/kiln.hpp>

#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace tests {

/// The graph of some static expressions (arrays and slices among them), each stored as its own type.
template <class... Es>
kiln::detail::graph graph_of(const Es&...) {
    kiln::detail::graph out;
    kiln::detail::expression_cache_of<kiln::value_t<Es>...>::template value<kiln::detail::captured_t<Es>...>.describe(
        out);
    return out;
}

/// While it lives, a call's arrays seem to be on a device of that kind, on which nothing runs.
class seemingly_on {
public:
    seemingly_on(kiln::plan::frame device, const kiln::plan::bindings& call) : device_(device) {
        for (int i = 0; i < call.leaf_count; ++i)
            if (call.leaves[i].kind == kiln::detail::leaf_kind::array)
                move(static_cast<const kiln::detail::array_node*>(call.leaves[i].object));
        for (int i = 0; i < call.output_count; ++i) move(call.outputs[i].target);
    }
    ~seemingly_on() {
        for (auto each = moved_.rbegin(); each != moved_.rend(); ++each) each->first->device = each->second;
    }
    seemingly_on(const seemingly_on&) = delete;
    seemingly_on& operator=(const seemingly_on&) = delete;

    static kiln::detail::known_device& cuda() {
        static kiln::detail::known_device device(kiln::device_kind::cuda, 0, 0, 0);
        return device;
    }
    static kiln::detail::known_device& host() {
        static kiln::detail::known_device device(kiln::device_kind::cpu, 0, 0, kiln::plan::calls_of_host);
        return device;
    }

private:
    void move(const kiln::detail::array_node* node) {
        if (!node || !node->device) return;
        moved_.emplace_back(const_cast<kiln::detail::array_node*>(node), node->device);
        moved_.back().first->device = device_ == kiln::plan::frame::cuda ? &cuda() : &host();
    }

    const kiln::plan::frame device_;
    std::vector<std::pair<kiln::detail::array_node*, kiln::detail::known_device*>> moved_;
};

/// Binds a call for a device of that kind, wherever its arrays are.
inline void bind_as_on(kiln::plan::frame device, kiln::plan::bindings& call, const kiln::options& wanted = {}) {
    const seemingly_on there(device, call);
    kiln::plan::bind(call, kiln::plan::salt_of(wanted),
                     device == kiln::plan::frame::cuda ? seemingly_on::cuda : seemingly_on::host);
}

/// One call, bound: new outputs unless some are given. Borrows from the expressions.
struct call {
    std::vector<kiln::detail::leaf> leaves;
    std::vector<kiln::detail::output> outputs;
    std::unique_ptr<kiln::plan::bindings> bound;

    /// Leaves and outputs are in place: binds them.
    void bind(kiln::plan::frame device, const kiln::options& wanted = {}) {
        bound = std::make_unique<kiln::plan::bindings>(leaves.data(), static_cast<int>(leaves.size()), outputs.data(),
                                                       static_cast<int>(outputs.size()));
        bind_as_on(device, *bound, wanted);
    }
    [[nodiscard]] const kiln::plan::call_class& kind() const { return bound->kind; }
};

/// What is left of a call once all but its class is gone: planning needs no more.
inline kiln::plan::call_class class_alone(call of) {
    const kiln::plan::call_class kind = of.kind();
    std::memset(static_cast<void*>(of.leaves.data()), 0xa5, of.leaves.size() * sizeof(kiln::detail::leaf));
    of.leaves.clear();
    of.outputs.clear();
    of.bound.reset();
    return kind;
}

template <class E>
kiln::detail::leaf* collect(const E& e, kiln::detail::leaf* out) {
    if constexpr (requires { e.collect(out); }) return e.collect(out);
    else return *out = {e.kiln_node().get(), 0, kiln::detail::leaf_kind::array, 0}, out + 1;
}

template <class... Es>
call bind_for(kiln::plan::frame device, const kiln::options& wanted, const std::vector<kiln::detail::output>& outputs,
              const Es&... es) {
    call out;
    out.leaves.resize((static_cast<std::size_t>(kiln::detail::captured_t<Es>::leaf_count) + ...));
    kiln::detail::leaf* next = out.leaves.data();
    ((next = collect(es, next)), ...);
    out.outputs = outputs;
    out.outputs.resize(sizeof...(Es));
    out.bind(device, wanted);
    return out;
}
template <class... Es>
call bind_for(kiln::plan::frame device, const std::vector<kiln::detail::output>& outputs, const Es&... es) {
    return bind_for(device, kiln::options{}, outputs, es...);
}
template <class... Es>
call bind(const std::vector<kiln::detail::output>& outputs, const Es&... es) {
    return bind_for(kiln::plan::frame::cuda, outputs, es...);
}

template <class... Es>
kiln::lower::lowered lowered(const Es&... es) {
    const call bound = bind({}, es...);
    return kiln::lower::lower(graph_of(es...), bound.kind().numbers(), bound.kind().baked(),
                              kiln::plan::looked_up(bound.kind()));
}

struct how {
    kiln::plan::target on = kiln::plan::cuda_target;
    bool fuse = true;
    std::vector<kiln::detail::output> outputs;
    bool portable = false;
};

template <class... Es>
kiln::plan::schedule schedule(const how& as, const Es&... es) {
    kiln::options wanted;
    wanted.fuse = as.fuse;
    wanted.portable = as.portable;
    const kiln::plan::call_class kind = class_alone(bind_for(as.on.kind, wanted, as.outputs, es...));
    return kiln::plan::partition(
        kiln::lower::lower(graph_of(es...), kind.numbers(), kind.baked(), kiln::plan::looked_up(kind)).code, kind,
        as.on);
}

/// The source of each kernel.
template <class... Es>
std::vector<kiln::emit::source> sources(const how& as, const Es&... es) {
    const kiln::plan::schedule made = schedule(as, es...);
    std::vector<kiln::emit::source> out;
    for (const kiln::plan::kernel& kernel : made.kernels)
        out.push_back(kiln::emit::emit(made.program, kernel, as.on.kind));
    return out;
}

/// The plan of all stages of some expressions that a device of this kind would run, of any kind: reductions and scans too.
template <class... Es>
kiln::stage::stages stages_of(const kiln::plan::target& on, const Es&... es) {
    const std::vector<kiln::detail::handle<kiln::detail::term>> roots = {kiln::expr<kiln::value_t<Es>>(es).erase()...};
    const std::vector<kiln::detail::output> wanted(roots.size());
    return kiln::stage::make_stages(roots.data(), static_cast<int>(roots.size()), wanted.data(),
                                    kiln::plan::row_limits(on, /*fuse=*/true));
}

/// The kernels of the first of them.
template <class... Es>
kiln::plan::schedule first_stage_schedule(const kiln::plan::target& on, const Es&... es) {
    const kiln::stage::stages planned = stages_of(on, es...);
    const kiln::stage::stage& first = planned.list.front();
    call bound{first.leaves, first.outputs, nullptr};
    bound.bind(on.kind);
    const kiln::plan::call_class kind = class_alone(std::move(bound));
    return kiln::plan::partition(
        kiln::lower::lower(first.described, kind.numbers(), kind.baked(), kiln::plan::looked_up(kind)).code, kind, on);
}

/// The source of each kernel of the first of them.
template <class... Es>
std::vector<kiln::emit::source> first_stage_sources(const kiln::plan::target& on, const Es&... es) {
    const kiln::plan::schedule made = first_stage_schedule(on, es...);
    std::vector<kiln::emit::source> out;
    for (const kiln::plan::kernel& kernel : made.kernels)
        out.push_back(kiln::emit::emit(made.program, kernel, on.kind));
    return out;
}

/// Assigning a temporary expression to x.
template <class T>
kiln::detail::output into(const kiln::array<T>& x) {
    return {kiln::detail::output::place::reuse, true, x.kiln_node().get()};
}

/// Writing through a slice, or into memory of the user's.
template <class View>
kiln::detail::output through(const View& part) {
    return {kiln::detail::output::place::through, true, part.kiln_node().get()};
}

}  // namespace tests
