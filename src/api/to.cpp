// k::to: a copy of an array on another device, in order with what either is asked to do.
#include <api/make_whole.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <record/tally.hpp>
#include <run/tracing.hpp>

#include <kiln/to.hpp>

namespace kiln::inline v0_1::detail {

handle<array_node> on_device(known_device& there, const handle<array_node>& of) {
    const array_node& from = *of.get();
    const leaf read{&from, 0, leaf_kind::array, 0};
    if (is_tracing) require_memory(&read, 1);
    if (from.device == &there) return of;
    backend::refuse_while_recording("to()");
    backend::device& source = backend::device_at(*from.device);
    backend::device& target = backend::device_at(there);
    handle<array_node> made = backend::make_owner(target, from.type, from.extents, target.current_stream());
    if (!from.data) return made;
    make_whole(from);
    backend::before_read(source, from, source.current_stream());
    if (backend::reaches_host(source) || backend::reaches_host(target))
        record::this_thread().add(record::counter::synchronizations, 1);
    backend::copy_between(target, made.get()->data, source, from.data, made.get()->allocated_bytes);
    return made;
}

}  // namespace kiln::inline v0_1::detail
