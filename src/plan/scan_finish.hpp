// kiln/plan/scan_finish: what a scan's kernel makes of its values before it stores them: the steps after the scan, for one value at a time,
// with what arrays beside have at the same index. A kernel of their own would read and write all elements once more.
// in: the graph of those steps   out: steps as kernels have them, and parameters   knows nothing of: text, which thread has which value
#pragma once

#include <capture/graph.hpp>
#include <capture/scan_beside.hpp>
#include <plan/kernel_signature.hpp>
#include <plan/schedule.hpp>

#include <kiln/options.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace kiln::plan {

/// Of one graph. Lives until the process ends, like the code that is made of it.
struct finishing_steps {
    lower::program program;
    kernel all;  // of its inputs the first are the scan's values
    std::vector<int> slots_of_inputs;
    std::vector<int> slots_of_scalars;
    std::uint64_t number = 0;  // no other's
};

/// `value_slot`: where the scan's values stand. `numbers`: lower/lower.hpp.
finishing_steps make_finishing_steps(const detail::graph& described, const std::vector<int>& numbers, int value_slot,
                                     const options& wanted);

/// How an array's element changes along a line.
enum class beside_walk : std::uint8_t {
    stays,      // it is one for all of the line
    neighbour,  // the next of the line is the next in memory
    strides,
};

/// The steps of one scan, whose shape says where arrays beside have their elements.
struct scan_finish {
    const finishing_steps* steps = nullptr;
    std::vector<detail::scan_beside> besides;  // of each input but the first

    [[nodiscard]] const operand& beside(std::size_t i) const { return steps->all.inputs[i + 1]; }
    [[nodiscard]] beside_walk walk(std::size_t i) const {
        const std::int64_t stride = besides[i].count;
        return stride == 0 ? beside_walk::stays : stride == 1 ? beside_walk::neighbour : beside_walk::strides;
    }
};

/// After scan_signature: of each output but the first an address; of each array beside an address (of positions the first) and its three
/// strides; the numbers.
kernel_signature signature_of(const scan_finish& of);

/// "_then2_f32_sn": how many steps, which results, how arrays walk.
std::string name_of(const scan_finish& of);

}  // namespace kiln::plan
