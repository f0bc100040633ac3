#include <device/cpu/host_scan_finish.hpp>

#include <device/interpreter/blocks.hpp>
#include <device/interpreter/interpreter.hpp>
#include <plan/scan.hpp>

#include <cstdint>
#include <cstring>
#include <vector>

namespace kiln::backend {

namespace {

class finish_of_call {
public:
    finish_of_call(const plan::scan_step& step, const launch_arguments& arguments)
        : step_(step), finish_(*step.finish), takes_(plan::signature_of(finish_)), arguments_(arguments) {}

    void run(std::byte* values) {
        plan::kernel all = finish_.steps->all;
        for (plan::operand& each : all.inputs) each.is_position = false;
        all.signature = plan::signature_of(finish_.steps->program, all);
        std::vector<std::vector<std::byte>> besides;
        std::vector<std::byte*> memories;
        for (std::size_t i = 0; i < all.outputs.size(); ++i)
            memories.push_back(i ? at<std::byte*>(plan::role::output, i) : at<std::byte*>(plan::role::scan_result));
        memories.push_back(values);
        for (std::size_t i = 0; i < finish_.besides.size(); ++i) {
            besides.push_back(broadcast(i));
            memories.push_back(besides.back().data());
        }
        std::int64_t count = step_.element_count();
        std::vector<void*> parameters;
        for (std::byte*& each : memories) parameters.push_back(&each);
        for (std::size_t i = 0; i < all.scalars.size(); ++i) parameters.push_back(place(plan::role::scalar, i));
        parameters.push_back(&count);
        interpreted_kernel(finish_.steps->program, all, blocks_for_this_processor())
            .run(parameters.data(), 0, count, stores::cached);
    }

private:
    [[nodiscard]] void* place(plan::role what, std::size_t index) const {
        return arguments_.parameters[plan::find_parameter(takes_, what, static_cast<int>(index))];
    }
    template <class T>
    [[nodiscard]] T at(plan::role what, std::size_t index = 0) const {
        T out;
        std::memcpy(&out, place(what, index), sizeof out);
        return out;
    }

    /// An element for each value.
    [[nodiscard]] std::vector<std::byte> broadcast(std::size_t i) const {
        const plan::operand& of = finish_.beside(i);
        const auto bytes = static_cast<std::size_t>(bytes_of(of.type));
        std::vector<std::byte> out(static_cast<std::size_t>(step_.element_count()) * bytes);
        const std::int64_t strides[] = {at<std::int64_t>(plan::role::scan_beside_outer, i),
                                        at<std::int64_t>(plan::role::scan_beside_count, i),
                                        at<std::int64_t>(plan::role::scan_beside_inner, i)};
        std::byte* next = out.data();
        for (std::int64_t o = 0; o < step_.outer; ++o)
            for (std::int64_t x = 0; x < step_.count; ++x)
                for (std::int64_t j = 0; j < step_.inner; ++j, next += bytes) {
                    const std::int64_t from = o * strides[0] + x * strides[1] + j * strides[2];
                    if (of.is_position) {
                        const std::int64_t position = at<std::int64_t>(plan::role::position, i) + from;
                        std::memcpy(next, &position, bytes);
                    } else {
                        std::memcpy(next, at<const std::byte*>(plan::role::input, i) + from * bytes_of(of.type), bytes);
                    }
                }
        return out;
    }

    const plan::scan_step& step_;
    const plan::scan_finish& finish_;
    const plan::kernel_signature takes_;
    const launch_arguments& arguments_;
};

}  // namespace

void finish_scan_on_host(const plan::scan_step& step, std::byte* values, const launch_arguments& arguments) {
    finish_of_call(step, arguments).run(values);
}

}  // namespace kiln::backend
