#include <call_memory.hpp>

#include <launch/arrays.hpp>
#include <launch/stream_order.hpp>

namespace kiln::detail {

call_memory::call_memory(launch::device& on, const plan::bindings& call, const recipe& with, const output* outputs,
                         int output_count, int stream)
    : on_(on),
      call_(call),
      outputs_(outputs),
      output_count_(output_count),
      stream_(stream),
      addresses_(static_cast<std::size_t>(call.array_count + output_count) + with.temporaries.size()),
      fresh_(static_cast<std::size_t>(output_count)) {
    for (int i = 0; i < output_count; ++i) fresh_[static_cast<std::size_t>(i)] = nullptr;
    try {
        place(with);
    } catch (...) {
        release();
        throw;
    }
}

void call_memory::place(const recipe& with) {
    for (int i = 0; i < call_.array_count; ++i) {
        const array_node& array = *call_.arrays[static_cast<std::size_t>(i)];
        if (array.owned == ownership::host_user) {
            stage(array, i);
        } else {
            launch::before_read(on_, array, stream_);
            *at(i) = array.data;
        }
    }
    for (int i = 0; i < output_count_; ++i) {
        const int memory = call_.array_count + i;
        const auto index = static_cast<std::size_t>(i);
        if (!call_.reused[index]) {
            fresh_[index] = launch::make_owner(on_, with.output_types[index], *call_.iteration, stream_).release();
            *at(memory) = fresh_[index]->data;
        } else if (outputs_[i].target->owned == ownership::host_user) {
            add_temporary(bytes_of_all(with.output_types[index]), memory);
        } else {
            launch::before_write(on_, *outputs_[i].target, stream_);
            *at(memory) = outputs_[i].target->data;
        }
    }
    int memory = call_.array_count + output_count_;
    for (const element_type type : with.temporaries) add_temporary(bytes_of_all(type), memory++);
}

void call_memory::release() noexcept {
    for (const temporary& each : temporaries_) on_.deallocate(each.memory, each.bytes, launch::stream_bit(stream_));
    for (array_node* const each : fresh_)
        if (each) destroy(each);
}

void call_memory::add_temporary(std::size_t bytes, int memory) {
    temporaries_.reserve(temporaries_.size() + 1);  // before the allocation, so that it cannot be lost
    temporaries_.push_back({on_.allocate(bytes), bytes});
    *at(memory) = temporaries_.back().memory;
}

void call_memory::stage(const array_node& host, int memory) {
    const std::size_t bytes = bytes_of_all(host.type);
    add_temporary(bytes, memory);
    on_.copy_from_host(*at(memory), host.data, bytes);
}

const array_node* call_memory::node(int memory) const noexcept {
    if (memory < call_.array_count) return call_.arrays[static_cast<std::size_t>(memory)];
    return outputs_[memory - call_.array_count].target;
}

void call_memory::hand_over(output* outputs, int output_count) {
    for (int i = 0; i < output_count; ++i) {
        array_node*& fresh = fresh_[static_cast<std::size_t>(i)];
        outputs[i].written = fresh ? fresh : outputs[i].target;
        if (!fresh && outputs[i].target->owned == ownership::host_user)
            on_.copy_to_host(outputs[i].target->data, *at(call_.array_count + i), bytes_of_all(outputs[i].target->type));
        fresh = nullptr;
    }
}

void make_empty_outputs(launch::device& on, const plan::bindings& call, const graph& described, output* outputs) {
    for (std::size_t i = 0; i < described.outputs.size(); ++i)
        outputs[i].written =
            call.reused[i] ? outputs[i].target
                           : launch::make_owner(on, described.outputs[i].as, *call.iteration, on.current_stream()).release();
}

kernel_arguments::kernel_arguments(const kernel_recipe& of, const plan::bindings& call, const leaf* leaves, call_memory& memory)
    : kernel_(of.plan),
      call_(call),
      parameters_(kernel_.outputs.size() + kernel_.inputs.size() + of.scalar_slots.size() + 1),
      layout_(static_cast<std::size_t>(of.strided.empty() ? 0 : plan::layout_words(kernel_.rank, static_cast<int>(of.strided.size())))) {
    std::size_t next = 0;
    for (const plan::operand& each : kernel_.outputs) parameters_[next++] = memory.at(each.memory);
    for (const plan::operand& each : kernel_.inputs) parameters_[next++] = memory.at(each.memory);
    for (const int slot : of.scalar_slots) parameters_[next++] = const_cast<std::uint64_t*>(&leaves[slot].bits);
    if (of.strided.empty()) {
        parameters_[next] = const_cast<std::int64_t*>(&call.element_count);
    } else {
        write_layout(of, memory);
        parameters_[next] = layout_.data();
    }
}

void kernel_arguments::write_layout(const kernel_recipe& of, const call_memory& memory) {
    const auto word = [this](int i) -> std::int64_t& { return layout_[static_cast<std::size_t>(i)]; };
    const int rank = kernel_.rank;
    word(0) = call_.element_count;
    for (int axis = 0; axis < rank; ++axis) {
        word(plan::layout_extent(axis)) = call_.extents[axis];
        word(plan::layout_divisor(rank, axis)) =
            kernel_.wide_index ? 0 : static_cast<std::int64_t>(plan::fast_divisor(static_cast<std::uint32_t>(call_.extents[axis])));
    }
    for (std::size_t i = 0; i < of.strided.size(); ++i) {
        const array_node& node = *memory.node(of.strided[i]);
        for (int axis = 0; axis < rank; ++axis) {
            const int inner = call_.inner_axis[axis];
            word(plan::layout_stride(rank, static_cast<int>(i), axis)) = inner < 0 ? 0 : node.strides[inner];
        }
    }
}

}  // namespace kiln::detail
