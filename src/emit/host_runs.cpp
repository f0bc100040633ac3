#include <emit/host_runs.hpp>

#include <plan/host_order.hpp>
#include <text/format.hpp>

namespace kiln::emit {

// Unrolled, comparisons become branches before the compiler looks for vectors: a max of 2048 floats then takes 1470 ns in
// place of 190 (EPYC, Zen 4, g++ 12). That no lane is another's partner in the same round is said, for a compiler finds it out by
// tests of its own, and has the loop twice: a seventh of what it takes for a user's function of floats.
std::string lanes_of(const run_text& of) {
    const std::string rest = !of.append_rest.empty()
                                 ? of.append_rest
                                 : text::format("for (int j = 0; i < count; ++i, ++j) lane[j] = {}(lane[j], {});",
                                                of.append, of.element("i"));
    return text::format(
        "    {1} lane[{0}];\n"
        "    for (int j = 0; j < {0}; ++j) lane[j] = {2};\n"
        "    long long i = 0;\n"
        "    for (; i + {0} <= count; i += {0}) {{\n"
        "        #pragma GCC unroll 1\n"
        "        for (int j = 0; j < {0}; ++j) lane[j] = {3}(lane[j], {4});\n"
        "    }}\n"
        "    {6}\n"
        "    for (int apart = {0} / 2; apart > 0; apart /= 2) {{\n"
        "        #pragma GCC ivdep\n"
        "        for (int j = 0; j < apart; ++j) lane[j] = {5}(lane[j], lane[j + apart]);\n"
        "    }}\n",
        plan::host_order::lanes, of.accumulator, of.identity, of.append, of.element("i + j"), of.combine, rest);
}

}  // namespace kiln::emit
