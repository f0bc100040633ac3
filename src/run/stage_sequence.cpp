#include <run/stage_sequence.hpp>

#include <capture/reduced.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <plan/row_limits.hpp>
#include <process/thread_state.hpp>
#include <stage/stand_in.hpp>

#include <cstring>

namespace kiln::inline v0_1::detail {

void drop_axes(array_node& of, const shape& wanted) {
    of.extents = wanted;
    set_contiguous_strides(of);
}

stage_sequence::stage_sequence(stage::stages of, known_device& device) : plan(std::move(of)), on(&device) {
    for (const stage::stage& each : plan.list) caches.push_back(&find_run_time_cache(each.described));
}

stage_sequence stages_of(const handle<term>* roots, int root_count, const output* wanted, const stage::arguments& of) {
    backend::known_device& on = stage::device_of(roots, root_count, wanted, backend::current_known);
    backend::device& device = backend::device_at(on);
    auto kernels = plan::row_limits(device.target(), thread_options.fuse);
    if (thread_options.library) kernels.multiplies = [&](const stage::product& how) { return device.multiplies(how); };
    return stage_sequence(stage::make_stages(roots, root_count, wanted, kernels, of), on);
}

stage_results::stage_results(const stage::stages& plan, const fused_argument* arguments)
    : progress_(static_cast<std::int64_t>(plan.list.size())),
      plan_(plan),
      arguments_(arguments),
      kept_(process::thread_state<kept, stage_results>()) {
    kept_.results.resize(static_cast<std::size_t>(plan.result_count));
}

stage_results::~stage_results() {
    kept_.results.clear();
    kept_.views.clear();
}

std::vector<leaf>& stage_results::leaves_of(const stage::stage& each) {
    begin_stage();
    kept_.leaves.assign(each.leaves.begin(), each.leaves.end());
    kept_.views.clear();
    for (const stage::source& from : each.moving) {
        leaf& out = kept_.leaves[from.leaf];
        const auto index = static_cast<std::size_t>(from.index);
        if (from.from == stage::source::kind::number) {
            const fused_argument& number = arguments_[index];
            if (bytes_of(number.type) > 8) out.object = number.number;
            else std::memcpy(&out.bits, number.number, static_cast<std::size_t>(bytes_of(number.type)));
            continue;
        }
        const array_node* base =
            from.from == stage::source::kind::argument ? arguments_[index].array : kept_.results[index].get();
        if (from.is_view && from.first != from.leaf) {
            base = static_cast<const array_node*>(kept_.leaves[from.first].object);
        } else if (from.is_view) {
            kept_.views.push_back(backend::moved_view(*static_cast<const array_node*>(out.object), share(*base)));
            base = kept_.views.back().get();
        }
        out.object = base;
    }
    return kept_.leaves;
}

std::vector<output>& stage_results::outputs_of(const stage::stage& each, const output* roots) {
    kept_.outputs = each.outputs;
    for (std::size_t i = 0; i < each.results.size(); ++i) {
        if (each.results[i].root < 0) continue;
        const output& wanted = roots[each.results[i].root];
        kept_.outputs[i].where = wanted.where;
        kept_.outputs[i].target = wanted.target;
        kept_.outputs[i].discount_leaves = wanted.discount_leaves;
    }
    return kept_.outputs;
}

void stage_results::put_outputs(const stage::stage& each, purpose why) {
    for (std::size_t i = 0; i < each.results.size(); ++i) {
        handle<array_node>& result = kept_.results[static_cast<std::size_t>(each.first_result) + i];
        if (why != purpose::launch) {
            result = stage::stand_in(each.results[i].type, each.results[i].extents);
            continue;
        }
        const output& made = kept_.outputs[i];
        if (made.written == made.target) {
            result = handle<array_node>();  // it is where the caller wants it, who has it already
        } else {
            result = handle<array_node>(made.written);
            if (made.reduces) drop_axes(*made.written, each.results[i].extents);
        }
    }
}

void stage_results::put(const stage::stage& each, handle<array_node> result, int number) {
    kept_.results[static_cast<std::size_t>(each.first_result + number)] = std::move(result);
}

void stage_results::hand_out(output* roots) {
    for (std::size_t i = 0; i < plan_.roots.size(); ++i) {
        const stage::stages::root& from = plan_.roots[i];
        if (from.array) {
            roots[i].written = handle<array_node>(from.array).release();
        } else if (handle<array_node>& result = kept_.results[static_cast<std::size_t>(from.result)]) {
            roots[i].written = handle<array_node>(result).release();
            if (from.is_reshaped) drop_axes(*roots[i].written, from.extents);
        } else {
            roots[i].written = roots[i].target;
        }
    }
}

}  // namespace kiln::inline v0_1::detail
