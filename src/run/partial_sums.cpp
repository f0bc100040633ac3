#include <run/partial_sums.hpp>

#include <capture/term.hpp>
#include <device/arrays.hpp>
#include <device/cpu/host_reducer.hpp>
#include <device/devices.hpp>
#include <device/recording/recording.hpp>
#include <device/stream_order.hpp>
#include <plan/partial_sums.hpp>
#include <process/fork.hpp>

#include <kiln/evaluate.hpp>

#include <complex>
#include <cstring>
#include <mutex>
#include <vector>

namespace kiln::inline v0_1::detail {

namespace {

/// The place of the sum itself, as memory that belongs to nobody: no part of it is read, and `of` is what streams are put
/// in order by.
void set_place_of(const array_node& of, array_node& place) {
    place.type = of.type;
    place.owned = ownership::device_user;
    place.device = of.device;
    place.extents = of.extents;
    set_contiguous_strides(place);
    place.data = of.data;
}

constinit std::mutex one_at_a_time;
const process::fork_participant held{process::fork_order::partial_sums, [] { one_at_a_time.lock(); },
                                     [] { one_at_a_time.unlock(); }};

}  // namespace

handle<array_node> make_partial_sums(backend::device& on, element_type type, const shape& extents, std::int32_t count,
                                     int stream) {
    const std::size_t bytes =
        plan::partial_sums_offset + static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes_of(type));
    handle<array_node> made =
        backend::make_owner(on, element_type::uint8, shape{static_cast<std::int64_t>(bytes)}, stream);
    array_node& node = *made.get();
    node.type = type;
    node.extents = extents;
    set_contiguous_strides(node);
    plan::set_partial(node, count);
    return made;
}

void finalize(const array_node& sum, evaluate_function evaluate) {
    if (!plan::is_partial(sum)) return;
    const std::lock_guard lock(one_at_a_time);
    if (!plan::is_partial(sum)) return;
    const backend::outside_of_recording outside(sum);
    backend::device& on = backend::device_at(*sum.device);
    backend::before_write(on, sum, on.current_stream());
    array_node place;
    set_place_of(sum, place);
    output into{output::place::through, false, &place};
    evaluate(make_array_term(share(sum), sum.type), into, "finalize", purpose::launch);
    plan::set_finalized(sum);
}

void finalize_operands(const plan::call_values& call, evaluate_function evaluate) {
    for (int i = 0; i < call.array_count; ++i) {
        const array_node& read = *call.arrays[static_cast<std::size_t>(i)];
        if (read.owned != ownership::host_user && !plan::finalizes(call, read)) finalize(read.storage(), evaluate);
    }
}

void download_sum(const array_node& of, void* to) {
    backend::device& on = backend::device_at(*of.device);
    backend::before_read(on, of, on.current_stream());
    const std::int32_t count = plan::partial_count(of);
    std::vector<std::byte> partial_sums(static_cast<std::size_t>(count) * static_cast<std::size_t>(bytes_of(of.type)));
    on.copy_to_host(partial_sums.data(), of.data + plan::partial_sums_offset, partial_sums.size());
    backend::add_up_partial_sums(of.type, partial_sums.data(), count, to);
}

}  // namespace kiln::inline v0_1::detail
