#include <run/call_memory.hpp>

#include <device/arrays.hpp>
#include <device/memory.hpp>
#include <device/stream_order.hpp>
#include <plan/reduction.hpp>
#include <record/tally.hpp>
#include <run/partial_sums.hpp>

namespace kiln::inline v0_1::detail {

call_memory::call_memory(backend::device& on, const plan::call_values& call, const executable& with, output* outputs,
                         int stream)
    : on_(on),
      call_(call),
      outputs_(outputs),
      stream_(stream),
      host_is_apart_(!backend::reaches_host(on)),
      fresh_(outputs),
      addresses_(static_cast<std::size_t>(call.array_count + call.output_count) + with.temporaries.size() + 2) {
    try {
        place(with);
    } catch (...) {
        release_temporaries();
        throw;
    }
}

void call_memory::place(const executable& with) {
    std::byte** next = addresses_.data();
    for (int i = 0; i < call_.array_count; ++i, ++next) {
        const array_node& array = *call_.arrays[static_cast<std::size_t>(i)];
        if (is_apart(array)) [[unlikely]] {
            stage(array, i);
        } else {
            backend::before_read(on_, array, stream_);
            *next = array.data;
        }
    }
    for (int i = 0; i < call_.output_count; ++i) place_output(i, with);
    int memory = call_.array_count + call_.output_count;
    for (const element_type type : with.temporaries) add_temporary(bytes_of_all(type), memory++);
    if (const plan::kernel& last = with.kernels.back().plan; last.last_block_finalizes()) {
        workspace_ = memory;
        add_temporary(static_cast<std::size_t>(plan::workspace_bytes(last, call_.sizes)), memory);
        *at(memory + 1) = on_.counters(stream_);
    }
}

namespace {

/// How many, where the output is a sum that ends in them.
std::int32_t partial_sums_of(const plan::call_values& call, const plan::kernel& last, int i) {
    if (!last.ends_in_partial_sums || last.stores_elements(static_cast<std::size_t>(i))) return 0;
    return static_cast<std::int32_t>(call.sizes.splits);
}

}  // namespace

void call_memory::place_output(int i, const executable& with) {
    const element_type type = with.output_types[static_cast<std::size_t>(i)];
    const int memory = call_.array_count + i;
    array_node* const target = outputs_[i].target;
    if (!call_.reused) {
        const std::int32_t parts = partial_sums_of(call_, with.kernels.back().plan, i);
        fresh_.add(parts ? make_partial_sums(on_, type, call_.output_shape(i), parts, stream_)
                         : backend::make_owner(on_, type, call_.output_shape(i), stream_));
        *at(memory) = outputs_[i].written->data;
        return;
    }
    outputs_[i].written = target;
    if (is_apart(*target)) {
        stage_target(*target, memory);
    } else {
        backend::before_write(on_, *target, stream_);
        *at(memory) = target->data;
    }
}

void call_memory::release_temporaries() noexcept {
    for (const temporary& each : temporaries_)
        backend::deallocate(on_, each.memory, each.bytes, backend::used_on(stream_));
}

void call_memory::add_temporary(std::size_t bytes, int memory) {
    temporaries_.reserve(temporaries_.size() + 1);  // before the allocation, so that it cannot be lost
    temporaries_.push_back({backend::allocate(on_, bytes), bytes});
    *at(memory) = temporaries_.back().memory;
}

// Of a view of nothing an element is read, and not used: any memory will do that lives as long as the kernel runs.
void call_memory::place_nothing(int memory) {
    alignas(16) static constexpr std::byte zeros[16]{};
    std::byte* const of_device = on_.counters(stream_);
    *at(memory) = of_device ? of_device : const_cast<std::byte*>(zeros);
}

// All of the user's memory, whatever part of it the operand is.
void call_memory::stage(const array_node& host, int memory) {
    const array_node& whole = host.storage();
    if (whole.extents.size() == 0) return;
    if (!whole.data) return place_nothing(memory);
    const byte_range range = bytes_between(whole);
    add_temporary(range.size(), memory);
    record::this_thread().add(record::counter::synchronizations, 1);
    on_.copy_from_host(*at(memory), range.begin, range.size());
    *at(memory) += host.data - range.begin;
}

// What lies between the elements goes there and back again.
void call_memory::stage_target(const array_node& target, int memory) {
    const byte_range range = bytes_between(target);
    add_temporary(range.size(), memory);
    if (!target.contiguous) {
        record::this_thread().add(record::counter::synchronizations, 1);
        on_.copy_from_host(*at(memory), range.begin, range.size());
    }
    *at(memory) += target.data - range.begin;
}

void call_memory::copy_to_host_target() {
    const array_node& target = *outputs_[0].target;
    const byte_range range = bytes_between(target);
    record::this_thread().add(record::counter::synchronizations, 1);
    on_.copy_to_host(range.begin, *at(call_.array_count) - (target.data - range.begin), range.size());
}

void place_divisors(const parameter_places& of, const plan::call_values& call, std::uint64_t* multipliers,
                    void** parameters) {
    for (const parameter_places::divisor& each : of.divisors) {
        *multipliers = plan::multiplier_of(each.type, call.leaves[each.number].bits);
        parameters[each.parameter] = multipliers++;
    }
}

kernel_arguments::kernel_arguments(const kernel_executable& of, const plan::call_values& call, call_memory& memory,
                                   record::tally& counts)
    : kernel_(of.plan),
      call_(call),
      parameters_(of.plan.signature.size()),
      layout_(static_cast<std::size_t>(kernel_.layout_words)) {
    if (kernel_.reduces()) reduced_ = {call.iteration, call.reduced_axes};
    const parameter_places& places = of.places;
    const auto put = [this](int parameter, void* value) { parameters_[static_cast<std::size_t>(parameter)] = value; };
    for (const parameter_places::placed& each : places.operands) put(each.parameter, memory.at(each.number));
    for (const parameter_places::placed& each : places.scalars) {
        const leaf& scalar = call.leaves[each.number];
        put(each.parameter, const_cast<void*>(scalar.object ? scalar.object : &scalar.bits));
    }
    place_divisors(places, call, multipliers_, parameters_.data());
    if (places.workspace >= 0) put(places.workspace, memory.workspace());
    if (places.counters >= 0) put(places.counters, memory.counters());
    if (places.element_count >= 0) put(places.element_count, const_cast<std::int64_t*>(&call.element_count));
    if (places.turned >= 0) put(places.turned, counts.turned());
    if (places.layout >= 0) {
        plan::fill_layout(kernel_, call, layout_.data());
        put(places.layout, layout_.data());
    }
}

}  // namespace kiln::inline v0_1::detail
