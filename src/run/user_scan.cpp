#include <run/user_scan.hpp>

#include <run/bind_call.hpp>

#include <variant>

namespace kiln::inline v0_1::detail {

std::shared_ptr<const backend::loaded_kernel> combining_kernel(backend::device& on, run_time_cache& cache,
                                                               const stage::stage& of, const std::vector<leaf>& leaves,
                                                               build_function build, const char* label) {
    std::vector<output> outputs = of.outputs;
    plan::bindings call(leaves.data(), static_cast<int>(leaves.size()), outputs.data(), 1);
    bind_call(call, [&]() -> const graph& { return cache.described; });
    if (const executable* const known = find(cache.executables, call.kind)) return known->kernels.back().loaded;
    made_executable made = build(on, cache.described, call.kind, label);
    const executable* const kept = add(cache.executables, std::move(made.executable_));
    publish(made.pending);
    return kept->kernels.back().loaded;
}

std::shared_ptr<const backend::loaded_kernel> user_scan_kernel(backend::known_device& where, run_time_cache& cache,
                                                               const stage::stage& of, const std::vector<leaf>& leaves,
                                                               build_function build, const char* label) {
    backend::device& on = backend::device_at(where);
    const auto* const scan = std::get_if<stage::scan>(&of.over_arrays);
    if (!scan || !scan->definition || on.target().kind == plan::frame::cuda) return nullptr;
    return combining_kernel(on, cache, of, leaves, build, label);
}

}  // namespace kiln::inline v0_1::detail
