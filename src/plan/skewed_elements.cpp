#include <plan/skewed_elements.hpp>

#include <plan/compile_weight.hpp>
#include <plan/operands.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// Whether its elements along a row are neighbours, or one.
bool is_plain(const operand& of) { return of.how != access::strided && !of.gathered && !of.is_partial; }

}  // namespace

bool choose_skewed_elements(kernel& into, const lower::program& program, const call_class& call,
                            const iteration_class& iteration, const target& on) {
    constexpr int widest = 2;  // of wider elements the first cache brings together what a warp asks for
    // The body stands in the kernel once for each element of a vector, and once more.
    constexpr int most_steps = 256;
    // Of one axis, what is not contiguous needs a row's words in the layout.
    const bool may_be = into.rank > 1 ? iteration.long_rows || iteration.skewed_rows : all_contiguous(into);
    if (into.aliased || into.gathers() || into.outputs.size() != 1 || !may_be) return false;
    const operand& output = into.outputs.front();
    const int bytes = bytes_of(output.type);
    if (bytes > widest || output.how != access::contiguous || output.guarded_axes) return false;
    int vectors = 0;
    for (const operand& each : into.inputs) {
        // What is read for several rows at once is left to threads that have them.
        if (!is_plain(each) || each.row_group > 0) return false;
        if (each.is_position || each.how == access::uniform) continue;
        if (bytes_of(each.type) != bytes) return false;
        ++vectors;
    }
    const int width = on.vector_bytes / bytes;
    if (vectors == 0 || (call.alignment() >= on.vector_bytes && into.rank == 1)) return false;
    if ((into.last_step - into.first_step) * width > most_steps) return false;
    for (int i = into.first_step; i < into.last_step; ++i)
        if (const operation code = program.steps[static_cast<std::size_t>(i)].code;
            is_function(code) || detail::is_draw(code))
            return false;
    into.skewed = true;
    into.elements_per_thread = width;
    if (into.rank > 1) into.mapping = thread_mapping::rows;
    return true;
}

}  // namespace kiln::plan
