#include <plan/free_rows.hpp>

#include <plan/compile_weight.hpp>
#include <plan/operands.hpp>
#include <plan/reduction.hpp>

#include <algorithm>

namespace kiln::plan {

namespace {

/// Whether its elements along a row are neighbours, or one.
bool is_along_rows(const operand& of) {
    return of.how != access::strided && !of.gathered && !of.is_partial && !of.is_position;
}

/// Of a row: those of its order have 16 elements each, and what they make of their accumulators would take as long as those.
int threads_of_row(const reduction_class& division, int widest) {
    constexpr int least = 4;       // which read lines together
    constexpr int long_row = 256;  // threads of the order
    const int threads = division.threads_per_output;
    const int fewer = widest == 1 && threads >= long_row ? 8 : 4;
    const bool are_many = division.many_values && !division.splits;
    return are_many ? std::max(threads / fewer, std::min(threads, least)) : threads;
}

bool adds_integers(const reduced_output& of) {
    return of.what == detail::reduction_kind::sum && kind_of(of.accumulated) == element_kind::integer;
}

bool is_free(const reduced_output& of) { return of.is_free_of_order() || adds_integers(of); }

bool calls_functions(const lower::program& program, const kernel& of) {
    for (int i = of.first_step; i < of.last_step; ++i)
        if (const operation code = program.steps[static_cast<std::size_t>(i)].code;
            is_function(code) || detail::is_draw(code))
            return true;
    return false;
}

}  // namespace

bool choose_free_rows(kernel& into, const lower::program& program, const iteration_class& call, int alignment,
                      const target& on) {
    constexpr int most_steps = 8;         // of a body, which stands in the text once for each element of a vector
    constexpr int most_bytes = 64;        // of a thread, on their way at once
    constexpr int most_written_out = 32;  // elements
    const reduction_class& division = call.division;
    const bool are_rows = division.vector_width > 1 && into.reduced_axes >> (call.rank - 1) & 1 &&
                          !into.persistent_rows && into.rows_per_thread == 1 && !into.values_in_lanes;
    if (!are_rows || into.last_step - into.first_step > most_steps || calls_functions(program, into)) return false;
    bool adds = false;
    for (std::size_t i = 0; i < into.reduced.size(); ++i) {
        if (into.stores_elements(i) || !is_free(into.reduced[i])) return false;
        adds = adds || adds_integers(into.reduced[i]);
    }
    int widest = 0;
    int vectors = 0;
    for (const operand& each : into.inputs) {
        if (!is_along_rows(each)) return false;
        if (each.how == access::uniform) continue;
        widest = std::max(widest, bytes_of(each.type));
        ++vectors;
    }
    if (vectors == 0) return false;
    const int width = std::max(reduction_sizes::widest, on.vector_bytes / widest);
    const bool are_whole = call.row_multiple % width == 0 && alignment >= std::min(widest * width, on.vector_bytes);
    // Where rows begin anywhere, bytes are added up so, too: of (50000, 5003) an H200 takes 69 us so, in the order of floats 165.
    if (adds && (are_whole || widest > 1 || division.splits)) return false;
    // Of two arrays one might begin elsewhere than the other.
    if (!are_whole && (vectors > 1 || into.reduced_axes != 1 << (call.rank - 1))) return false;
    into.free_rows = true;
    into.skewed = !are_whole;
    into.vectorised = true;
    into.vector_width = width;
    into.elements_per_thread = width;
    into.threads_per_output = threads_of_row(division, widest);
    if (into.threads_per_output != division.threads_per_output) into.threads_per_block = row_threads;
    const int in_flight = std::min(most_bytes / (width * widest), most_written_out / width);
    into.loads_in_flight = std::clamp(in_flight, 1, division.loads_in_flight);
    return true;
}

}  // namespace kiln::plan
