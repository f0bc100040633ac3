#include <emit/address.hpp>
#include <emit/block_body.hpp>
#include <emit/cuda_nest.hpp>
#include <emit/helpers.hpp>
#include <emit/host_nest.hpp>
#include <emit/reduction_text.hpp>
#include <emit/row_moves.hpp>
#include <emit/user_reduction.hpp>
#include <plan/compile_weight.hpp>
#include <plan/float_vectors.hpp>
#include <plan/nest/check.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/policy/policies.hpp>
#include <plan/strips.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <cassert>
#include <utility>

namespace kiln::emit {

namespace {

std::string function(const char* head, const std::string& name, const std::string& parameters,
                     const std::string& steps) {
    return text::format("{}void {}({})\n{{\n{}}}\n\n", head, name, parameters, steps);
}

/// Rows that stay on chip may be reduced as they are: then nothing is computed.
bool has_one_body(const plan::nest::tree& nest, const plan::kernel& of) {
    return nest.bodies.empty() && !of.persistent_rows && of.nested_extent == 0 && !of.crossed;
}

/// What stands before a body. A loop that calls one has no vectors, and g++ calls what is long and stands in several loops: of float16,
/// twenty steps took fifteen times as long as ten.
constexpr const char* body_head(plan::frame on) {
    return on == plan::frame::cuda ? function_head(on) : "static inline __attribute__((always_inline)) ";
}

/// All of a kernel's steps as one function, "body".
std::string body_function(const body& all, plan::frame frame, const char* last_parameter = "") {
    return all.before + function(body_head(frame), "body", all.parameters + last_parameter, all.steps);
}

/// One that is called for what it makes, and not put where it is called.
std::string called_function(const lower::program& program, const plan::nest::body& of, const value_names& names,
                            const std::string& parameters, const std::string& steps) {
    std::string members, made;
    for (std::size_t i = 0; i < of.outputs.size(); ++i) {
        members += text::format(" {} y{};", spelling(program.type_of(of.outputs[i])), i);
        made += (i ? ", " : "") + names(of.outputs[i]);
    }
    return text::format(
        "struct {0}_made {{{1} }};\n\n"
        "static __device__ __noinline__ {0}_made {0}_called({2})\n{{\n{3}    return {{{4}}};\n}}\n\n",
        of.name, members, parameters, steps, made);
}

/// Whether a nest's body is called: one that is a part of a row alone may be made for nothing.
bool is_computed(const plan::nest::tree& nest, std::size_t number) {
    return std::any_of(nest.statements.begin(), nest.statements.end(), [number](const plan::nest::statement& each) {
        return each.what == plan::nest::statement::kind::compute && static_cast<std::size_t>(each.body) == number;
    });
}

bool is_compute(const plan::nest::statement& of) { return of.what == plan::nest::statement::kind::compute; }

bool computes_blocks(const plan::nest::tree& nest) {
    return std::any_of(nest.statements.begin(), nest.statements.end(),
                       [](const plan::nest::statement& each) { return is_compute(each) && each.of_block; });
}

bool computes_elements(const plan::nest::tree& nest) {
    return std::any_of(nest.statements.begin(), nest.statements.end(),
                       [](const plan::nest::statement& each) { return is_compute(each) && !each.of_block; });
}

/// The functions that a nest's elements are computed by, where they are several.
std::string body_functions(const lower::program& program, const plan::kernel& of, const plan::nest::tree& nest,
                           const value_names& names, plan::frame frame, const char* last_parameter = "") {
    std::string out;
    for (std::size_t number = 0; number < nest.bodies.size(); ++number) {
        if (frame == plan::frame::host && !is_computed(nest, number)) continue;
        const plan::nest::body& each = nest.bodies[number];
        std::string parameters, arguments;
        for (const lower::value_id input : each.inputs) {
            parameters += input_parameter(program, of, names, input) + ", ";
            arguments += (arguments.empty() ? "" : ", ") + names(input);
        }
        body made;
        add_steps(made, program, of, names, each.steps, each.outputs, frame, each.name,
                  [&](int step) { return step_line(program, of, names, step, frame); });
        if (plan::gathers(program, each)) parameters += position_parameters(of, frame) + ", ";
        const bool has_fast_steps = !made.fast_steps.empty();
        const bool is_called = each.is_called || (each.is_rare && has_fast_steps);
        if (is_called) {
            made.before +=
                called_function(program, each, names, parameters.substr(0, parameters.size() - 2), made.steps);
            made.steps = text::format("    const {0}_made made = {0}_called({1});\n", each.name, arguments);
        }
        for (std::size_t i = 0; i < each.outputs.size(); ++i) {
            parameters += text::format("{}& y{}, ", spelling(program.type_of(each.outputs[i])), i);
            const std::string result = result_line(i, names(each.outputs[i]), program.type_of(each.outputs[i]), frame);
            made.steps += is_called ? text::format("    y{0} = made.y{0};\n", i) : result;
            made.fast_steps += result;
        }
        parameters.resize(parameters.size() - 2);
        out += made.before + function(body_head(frame), each.name, parameters + last_parameter, made.steps);
        if (nest.tests_bodies && has_fast_steps)
            out +=
                function(function_head(frame), "fast_" + each.name, parameters + ", bool& in_range", made.fast_steps);
    }
    return out;
}

std::string whole_text(const lower::program& program, const plan::kernel& of, const std::string& code) {
    return text::format("// {}\n", expression_text(program, of)) + typedefs_for(code) + "\n" + code;
}

std::string cuda_text(const lower::program& program, const plan::kernel& of, const std::string& name) {
    constexpr plan::frame frame = plan::frame::cuda;
    const plan::nest::tree nest = plan::nest_of(program, of);
    assert(why_wrong(nest, plan::cuda_target_of(90)).empty());
    assert(dynamic_shared_bytes(nest) == of.dynamic_shared_bytes);
    const cuda_nest printed = print_cuda(nest, name);
    const value_names names(program, of);
    std::string bodies;
    if (has_one_body(nest, of)) {
        const body all = make_steps(program, of, names, frame, nest.tests_bodies);
        bodies = body_function(all, frame);
        if (nest.tests_bodies)
            bodies += function(function_head(frame), "fast_body", all.parameters + ", bool& in_range", all.fast_steps);
    } else {
        bodies = body_functions(program, of, nest, names, frame);
    }
    const std::string called = user_functions(names, frame) + reduction_functions(names, nest.sets, frame);
    const std::string own = bodies + printed.kernel;
    std::string out = helpers_for(bodies + called + printed.helpers, frame,
                                  {.heavy = plan::rolls_lanes(program, of), .portable = program.portable}) +
                      called + printed.definitions + "\n";
    if (of.has_layout()) out += text::format("struct layout {{ long long word[{}]; }};\n\n", of.layout_words);
    if (const std::string used = address_text(of, frame).functions(own); !used.empty()) out += used + "\n";
    return whole_text(program, of, out + own);
}

/// The functions of the library that a host kernel's steps call.
std::string library_of(const body& all, const std::string& users) {
    return library_functions(helpers_for(all.parameters + all.steps + users, plan::frame::host) + all.steps);
}

// g++ orders steps before they have registers only where it is told to: as they stand, one vector's chain comes after the other's.
constexpr const char* schedules_first =
    "#if defined(__GNUC__) && !defined(__clang__)\n"
    "#pragma GCC optimize(\"schedule-insns\")\n"
    "#endif\n";

std::string host_text(const lower::program& program, const plan::kernel& of, const std::string& name) {
    constexpr plan::frame frame = plan::frame::host;
    const value_names names(program, of);
    const std::string users = user_functions(names, frame);
    const body all = make_steps(program, of, names, frame);
    const bool calls_library = !library_of(all, users + library_calls(of, program)).empty();
    const char* const last = calls_library ? ", const void* const* library" : "";
    const plan::nest::tree nest = plan::host_nest_of(program, of, calls_library);
    std::string bodies = has_one_body(nest, of) ? body_function(all, frame, last)
                                                : body_functions(program, of, nest, names, frame, last);
    const bool has_blocks = computes_blocks(nest);
    if (has_blocks) bodies = (computes_elements(nest) ? bodies : std::string()) + block_body(program, of, names);
    const std::string reductions = (of.reduces_by_itself() ? std::string() : host_reducers(names, program, of)) +
                                   reduction_functions(names, nest.sets, frame, of.persistent_rows);
    const host_nest printed = print_host(nest, name, calls_library, of.persistent_rows);
    const std::string called = users + reductions + row_functions(of.row_extent, printed.kernel);
    const std::string own = bodies + printed.kernel;
    const std::string blocks = block_functions(printed.kernel);
    const std::string helpers = helpers_for(bodies + called + printed.helpers + blocks, frame);
    const bool weaves = has_blocks ? !plan::is_of_bytes(of) : plan::weaves_chains(program, of, calls_library);
    const char* const woven = weaves ? schedules_first : "";
    return whole_text(program, of,
                      woven + library_functions(helpers + called + bodies) + helpers + blocks + called +
                          address_text(of, frame).functions(own) + own);
}

/// Whether users' functions may loop or branch, where all passes may pay: what stands in a comment counts, too. What is chosen of two by a
/// condition takes up to 1.2 times as long with the passes of a walk.
bool may_branch(const std::string& users) {
    bool found = false;
    for_each_word(users, [&found](std::string_view word) {
        for (const std::string_view each : {"for", "while", "do", "goto", "if", "switch"})
            found = found || word == each;
    });
    for (const std::string_view each : {"?", "&&", "||"}) found = found || users.find(each) != std::string::npos;
    return found;
}

/// Whether lanes are converted in vectors as wide as there are (user_reduction.cpp): what was stored in halves of them has to reach the cache first.
bool reduces_halves(const plan::kernel& of) {
    return std::any_of(of.reduced.begin(), of.reduced.end(), [](const plan::reduced_output& each) {
        return each.definition != 0 && each.accumulated == element_type::float16;
    });
}

}  // namespace

source emit(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    const std::string name = kernel_name(program, kernel);
    const bool is_cuda = frame == plan::frame::cuda;
    source out{name, is_cuda ? cuda_text(program, kernel, name) : host_text(program, kernel, name),
               typed_expression_text(program, kernel), kernel.last_step - kernel.first_step};
    if (is_cuda) return out;
    const std::string users = user_functions(value_names(program, kernel), frame);
    if (!may_branch(users)) out.loops = plan::loops_of(program, kernel);
    if (users.empty()) out.vectors = plan::vectors_of(program, kernel);
    else if (reduces_halves(kernel)) out.vectors = plan::loop_vectors::widest;
    return out;
}

plan::nest::tree nest_of(const lower::program& program, const plan::kernel& kernel, plan::frame frame) {
    if (frame == plan::frame::cuda) return plan::nest_of(program, kernel);
    const value_names names(program, kernel);
    const std::string library = library_of(make_steps(program, kernel, names, frame),
                                           user_functions(names, frame) + library_calls(kernel, program));
    return plan::host_nest_of(program, kernel, !library.empty());
}

source emit(const plan::nest::tree& of, std::string expression, const element_steps* steps) {
    assert(why_wrong(of, plan::cuda_target_of(90)).empty());
    const cuda_nest printed = print_cuda(of, of.name);
    plan::kernel combines;  // for the names of the users' functions
    for (const plan::reduction_set& set : of.sets)
        for (const plan::reduction_set::member& each : set.members) combines.reduced.push_back(each.of);
    const value_names names(lower::program(), combines);
    const std::string reductions =
        user_functions(names, plan::frame::cuda) + reduction_functions(names, of.sets, plan::frame::cuda);
    std::string bodies;
    if (steps)
        bodies =
            body_functions(steps->program, steps->all, of, value_names(steps->program, steps->all), plan::frame::cuda);
    // Types of helpers' own that nothing but a memory may mention.
    std::string types;
    for (const plan::nest::memory& each : of.memories)
        if (each.is.what == plan::nest::type::kind::element) types += text::format(" {} ", spelling(each.is.of));
    const std::string helpers = helpers_for(bodies + printed.helpers + types + printed.definitions + reductions,
                                            plan::frame::cuda, {.portable = steps && steps->program.portable});
    const std::string all = helpers + reductions + printed.definitions + "\n" + bodies + printed.kernel;
    source out{of.name, {}, std::move(expression)};
    out.dynamic_shared_bytes = plan::nest::dynamic_shared_bytes(of);
    out.text = text::format("// {}\n", out.expression) + typedefs_for(all) + "\n" + all;
    return out;
}

}  // namespace kiln::emit
