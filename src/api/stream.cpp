// k::stream and what puts a thread on one.
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/user_streams.hpp>
#include <record/tally.hpp>

#include <kiln/array.hpp>
#include <kiln/stream.hpp>

namespace kiln::inline v0_1 {

namespace {

backend::device& device_of(const device& on) { return backend::device_at(detail::access::known(on)); }

}  // namespace

stream::stream(const kiln::device& on, int priority) : on_(on) {
    if (backend::user_streams* const streams = device_of(on).streams()) native_ = streams->make(priority);
}

stream::~stream() {
    if (!native_) return;
    // After a fork(), and when the program ends, there may be no device any more that could be asked.
    try {
        if (backend::user_streams* const streams = device_of(on_).streams()) streams->destroy(native_);
    } catch (const error&) {
    }
}

void stream::wait_for(void* event) const {
    if (native_) device_of(on_).streams()->wait_for(native_, event);
}

void stream::record(void* event) const {
    if (native_) device_of(on_).streams()->record(native_, event);
}

void stream::synchronize() const {
    backend::refuse_while_recording("synchronize()");
    record::this_thread().add(record::counter::synchronizations, 1);
    if (native_) device_of(on_).streams()->synchronize(native_);
}

scoped_stream::scoped_stream(const stream& on) : on_(on.device()) {
    backend::device& there = device_of(on_);
    if (const backend::user_streams* const streams = there.streams()) previous_ = streams->current();
    there.use_stream(on.native());
}

scoped_stream::~scoped_stream() {
    try {
        device_of(on_).use_stream(previous_);
    } catch (const error&) {  // the stream before is in use no more: it was there when this began
    }
}

}  // namespace kiln::inline v0_1
