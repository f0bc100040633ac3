// Kernels with persistent rows: each thread holds its elements of a row in registers, from the first reduction over it to
// what is stored, so that a row is read once and written once. Which value is computed in which phase is said in
// plan/row_phases.hpp; who adds up what, and in which order, in plan/reduction.hpp, as for reductions alone.
#include <emit/cuda_values.hpp>
#include <emit/cuda_vectors.hpp>
#include <emit/reduction_text.hpp>
#include <plan/row_phases.hpp>

namespace kiln::emit {

namespace {

using lower::step;
using lower::value_id;
using plan::access;
using plan::operand;

class row_writer : value_threads {
public:
    explicit row_writer(const cuda_parts& of)
        : value_threads(of), phases_(plan::phases_of(of.program)), reductions_(plan::reductions_of_rows(of.program)) {}

    [[nodiscard]] std::string functions() const {
        std::string out;
        for (const reduction_set& each : reductions_) out += block_reduce_function(/*for_all=*/true, each.suffix);
        return out;
    }

    [[nodiscard]] std::string lines() const {
        std::string out;
        if (kernel.threads_per_output > 1)
            for (const reduction_set& each : reductions_)
                out += text::format("    __shared__ accumulators{0} shared{0}[{1}];\n", each.suffix,
                                    shared_accumulators());
        out += whose() + row_steps(0);
        for (int phase = 0; phase < phases_.count; ++phase) out += loads(phase) + round(phase) + results(phase);
        return out + stores();
    }

private:
    [[nodiscard]] int phase_of(value_id value) const { return phases_.phase[static_cast<std::size_t>(value)]; }
    [[nodiscard]] bool of_row(value_id value) const { return phases_.of_row[static_cast<std::size_t>(value)]; }
    [[nodiscard]] bool is_kept(value_id value) const { return phases_.kept[static_cast<std::size_t>(value)]; }
    [[nodiscard]] const reduction_set* reduced_after(int phase) const {
        const auto at = static_cast<std::size_t>(phase);
        return at < reductions_.size() ? &reductions_[at] : nullptr;
    }
    /// A thread's elements of a row.
    [[nodiscard]] int count() const { return kernel.items_per_thread * kernel.vector_width; }
    [[nodiscard]] std::string kept_name(value_id value) const { return "row_" + parts.names(value); }

    template <class Visit>
    void each_step(Visit visit) const {
        for (int i = 0; i < static_cast<int>(parts.program.steps.size()); ++i)
            visit(parts.program.steps[static_cast<std::size_t>(i)], parts.program.step_value(i));
    }

    [[nodiscard]] std::string step_line(const step& of, value_id value, const std::string& indent) const {
        return text::format("{}const {} {} = {};\n", indent, spelling(of.result), parts.names(value),
                            step_text(parts.program, parts.names, of, plan::frame::cuda));
    }

    /// What is one for each row, once the reductions that it is made of are there.
    [[nodiscard]] std::string row_steps(int phase) const {
        std::string out;
        each_step([&](const step& each, value_id value) {
            if (each.code != operation::reduce && of_row(value) && phase_of(value) == phase)
                out += step_line(each, value, "    ");
        });
        return out;
    }

    /// A loop over the thread's vectors, `inside` with "first" and "u". The threads of a row are in step: none leaves early.
    [[nodiscard]] std::string each_vector(const std::string& inside, bool whole) const {
        return text::format(
                   "    #pragma unroll\n    for (int u = 0; u < {}; ++u) {{\n"
                   "        const {} {} = (lane + u * {}) * {};\n",
                   kernel.items_per_thread, number(), whole ? "first" : "vector_begin", kernel.threads_per_output,
                   kernel.vector_width) +
               (whole ? "        if (first < end) {\n" + inside + "        }\n    }\n" : inside + "    }\n");
    }

    /// Without vectors, by elements: `inside` with "first" and "k".
    [[nodiscard]] std::string each_element(const std::string& inside) const {
        return each_vector(
            text::format("        #pragma unroll\n        for (int k = 0; k < {}; ++k) {{\n"
                         "            const {} first = vector_begin + k;\n            if (first < end) {{\n{}"
                         "            }}\n        }}\n",
                         kernel.vector_width, number(), inside),
            false);
    }

    /// Not held in registers, but read where it is needed: what is the same all along a row, what is the same in all rows, which the
    /// caches have, and positions. Two such arrays held for 8192 columns are 64 registers a thread, and half of the threads.
    [[nodiscard]] bool read_in_place(const operand& of) const {
        if (!kernel.vectorised) return false;
        std::uint8_t along_row = 0;
        for (const int axis : reduced_axes) along_row |= static_cast<std::uint8_t>(1 << axis);
        const bool of_all_rows =
            of.how != access::contiguous && of.steps.empty() && (of.address.axes & ~along_row) == 0;
        return of.is_position || of.how == access::uniform || of_all_rows;
    }

    [[nodiscard]] bool loaded_in(const operand& of, int phase) const {
        return !read_in_place(of) && phase_of(of.value) == phase;
    }

    [[nodiscard]] std::string addresses(int phase, const std::string& indent) const {
        bool any = false;
        for (const operand& each : kernel.inputs)
            any = any || (loaded_in(each, phase) && each.how == access::contiguous);
        return element_positions(any, indent) +
               parts.input_addresses(indent, [&](const operand& each) { return loaded_in(each, phase); });
    }

    /// Vectors, or single values, of what a phase reads in place.
    [[nodiscard]] std::string loads_in_place(int phase, const std::string& indent) const {
        const std::vector<bool> needed = plan::needed_in(phase, parts.program, kernel, phases_);
        const auto wanted = [&](const operand& each) {
            return read_in_place(each) && needed[static_cast<std::size_t>(each.value)];
        };
        std::string out = parts.input_addresses(indent, wanted);
        for (const operand& each : kernel.inputs) {
            if (!wanted(each)) continue;
            const std::string name = parts.names(each.value);
            const std::string at = place(each, name);
            if (each.is_position)
                out += text::format("{0}const {1} v_{2} = {2} + {3};\n", indent, spelling(each.type), name, at);
            else if (each.how == access::uniform)
                out += text::format("{0}const {1} v_{2} = {2}[{3}];\n", indent, spelling(each.type), name, at);
            else
                out += text::format("{0}const {1} v_{2} = load_{1}({2} + {3});\n", indent,
                                    vector_type(each.type, kernel.elements_per_thread), name, at);
        }
        return out;
    }

    [[nodiscard]] std::string element_in_place(const operand& of) const {
        const std::string name = parts.names(of.value);
        const char* const which = of.how == access::uniform ? "" : of.is_position ? " + k" : ".v[k]";
        return text::format("const {} {} = v_{}{};\n", spelling(of.type), name, name, which);
    }

    /// What a phase needs of memory, before its first calculation.
    [[nodiscard]] std::string loads(int phase) const {
        std::string declared;
        std::string loaded;
        const std::string in = kernel.vectorised ? "            " : "                ";
        for (const operand& each : kernel.inputs) {
            if (!loaded_in(each, phase)) continue;
            const std::string name = parts.names(each.value);
            const std::string at = place(each, name);
            declared += text::format("    {} {}[{}];\n", spelling(each.type), kept_name(each.value), count());
            const std::string to = text::format("{}[u * {} + k]", kept_name(each.value), kernel.vector_width);
            if (!kernel.vectorised) {
                loaded += text::format("{}{} = {};\n", in, to, element_text(each, name, at));
                continue;
            }
            loaded += text::format(
                "{0}const {1} v_{2} = load_{1}({2} + {3});\n{0}#pragma unroll\n{0}for (int k = 0; k < {4}; ++k) {5} = "
                "v_{2}.v[k];\n",
                in, vector_type(each.type, kernel.elements_per_thread), name, at, kernel.vector_width, to);
        }
        if (loaded.empty()) return {};
        const std::string inside = addresses(phase, in) + loaded;
        return declared + (kernel.vectorised ? each_vector(inside, true) : each_element(inside));
    }

    /// The steps of one element.
    [[nodiscard]] std::string element(int phase, const std::string& indent) const {
        std::string out;
        const auto name_kept = [&](value_id value) {
            out += text::format("{}const {} {} = {}[u * {} + k];\n", indent, spelling(parts.program.type_of(value)),
                                parts.names(value), kept_name(value), kernel.vector_width);
        };
        const std::vector<bool> needed = plan::needed_in(phase, parts.program, kernel, phases_);
        for (const operand& each : kernel.inputs) {
            if (!needed[static_cast<std::size_t>(each.value)]) continue;
            if (read_in_place(each)) out += indent + element_in_place(each);
            else name_kept(each.value);
        }
        each_step([&](const step& each, value_id value) {
            if (of_row(value)) return;
            if (phase_of(value) < phase && needed[static_cast<std::size_t>(value)]) name_kept(value);
            if (phase_of(value) != phase) return;
            out += step_line(each, value, indent);
            if (is_kept(value))
                out += text::format("{}{}[u * {} + k] = {};\n", indent, kept_name(value), kernel.vector_width,
                                    parts.names(value));
        });
        return out + appended(phase, indent) + element_stores(phase, indent);
    }

    [[nodiscard]] bool stored_in(std::size_t output, int phase) const {
        return kernel.stores_elements(output) && phase_of(kernel.outputs[output].value) == phase;
    }

    /// The element into the reductions over its phase.
    [[nodiscard]] std::string appended(int phase, const std::string& indent) const {
        const reduction_set* const set = reduced_after(phase);
        if (!set) return {};
        std::string out = text::format("{}accumulators{} one;", indent, set->suffix);
        std::size_t number = 0;
        each_step([&](const step& each, value_id value) {
            if (each.code != operation::reduce) return;
            const std::size_t mine = number++;
            if (phase_of(value) != phase + 1) return;
            const bool finds = detail::info(each.reduces).result == detail::reduced_to::position;
            out += text::format(fmt::runtime(finds ? " one.s{0}.value = {1}; one.s{0}.at = {2};" : " one.s{0} = {1};"),
                                mine, parts.names(each.args[0]), kernel.vectorised ? "first + k" : "first");
        });
        return out + text::format("\n{0}part{1}[k] = {2}(part{1}[k], one);\n", indent, set->suffix, append_name(*set));
    }

    [[nodiscard]] std::string element_stores(int phase, const std::string& indent) const {
        std::string out;
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
            if (!stored_in(i, phase)) continue;
            const std::string value = parts.names(kernel.outputs[i].value);
            out += kernel.vectorised ? text::format("{}v_y{}.v[k] = {};\n", indent, i, value)
                                     : text::format("{}if (is_there) y{}[i] = {};\n", indent, i, value);
        }
        return out;
    }

    /// The calculations of a phase.
    [[nodiscard]] std::string round(int phase) const {
        std::string out;
        each_step([&](const step& each, value_id value) {
            if (is_kept(value) && phase_of(value) == phase)
                out += text::format("    {} {}[{}];\n", spelling(each.result), kept_name(value), count());
        });
        if (const reduction_set* const set = reduced_after(phase))
            out += text::format(
                "    accumulators{0} part{0}[{1}];\n    #pragma unroll\n"
                "    for (int k = 0; k < {1}; ++k) part{0}[k] = identity{0}();\n",
                set->suffix, kernel.vector_width);
        if (!reduced_after(phase) && element(phase, "").empty()) return {};
        bool stores_any = false;
        std::string before;
        std::string after;
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i) {
            if (!stored_in(i, phase)) continue;
            stores_any = true;
            if (!kernel.vectorised) continue;
            before += text::format("            {} v_y{};\n",
                                   vector_type(kernel.outputs[i].type, kernel.elements_per_thread), i);
            after += text::format("            if (is_there) store(y{0} + i, v_y{0});\n", i);
        }
        const std::string in = "                ";
        if (!kernel.vectorised)
            return out + each_element((stores_any ? element_positions(true, in) : "") + element(phase, in));
        const std::string in_place = loads_in_place(phase, "            ");
        const std::string where =
            stores_any || !in_place.empty() ? element_positions(stores_any, "            ") : std::string();
        return out + each_vector(where + in_place + before +
                                     text::format("            #pragma unroll\n"
                                                  "            for (int k = 0; k < {}; ++k) {{\n{}            }}\n",
                                                  kernel.vector_width, element(phase, in)) +
                                     after,
                                 true);
    }

    /// What the reductions over a phase's elements come to, for every thread of the row.
    [[nodiscard]] std::string results(int phase) const {
        const reduction_set* const set = reduced_after(phase);
        if (!set) return {};
        std::string out = text::format(
            "    accumulators{0} mine{0} = combine(combine(part{0}[0], part{0}[1]), combine(part{0}[2], "
            "part{0}[3]));\n",
            set->suffix);
        if (kernel.threads_per_output > 1)
            out += text::format("    mine{0} = block_reduce(mine{0}, shared{0}, lane);\n", set->suffix);
        std::size_t number = 0;
        each_step([&](const step& each, value_id value) {
            if (each.code != operation::reduce) return;
            const std::size_t mine = number++;
            if (phase_of(value) == phase + 1)
                out += text::format("    const {} {} = finish_{}(mine{}.s{}, reduced);\n", spelling(each.result),
                                    parts.names(value), mine, set->suffix, mine);
        });
        return out + row_steps(phase + 1);
    }

    /// What is stored once for each row.
    [[nodiscard]] std::string stores() const {
        std::string out;
        for (std::size_t i = 0; i < kernel.outputs.size(); ++i)
            if (!kernel.stores_elements(i))
                out += text::format("        y{}[value] = {};\n", i, parts.names(kernel.outputs[i].value));
        return out.empty() ? out : text::format("    if (lane == 0 && is_there) {{\n{}    }}\n", out);
    }

    const plan::row_phases phases_;
    const std::vector<reduction_set> reductions_;
};

}  // namespace

element_threads write_persistent_row_threads(const cuda_parts& parts) {
    const row_writer writer(parts);
    return {writer.functions(), writer.lines()};
}

}  // namespace kiln::emit
