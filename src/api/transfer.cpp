// What waits for the device, and what hands its memory out.
#include <api/copies.hpp>
#include <api/make_whole.hpp>
#include <device/arrays.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <plan/partial_sums.hpp>
#include <record/tally.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>
#include <kiln/device.hpp>

namespace kiln::inline v0_1 {

device_info current_device() { return launch::current_device().describe(); }

void synchronize() {
    launch::refuse_while_recording("synchronize()");
    record::this_thread().add(record::counter::synchronizations, 1);
    launch::current_device().synchronize();
}

void use_stream(void* stream) { launch::current_device().use_stream(stream); }

namespace detail {

handle<array_node> make_uninitialised(element_type type, const shape& extents) {
    launch::device& on = launch::current_device();
    return launch::make_owner(on, type, extents, on.current_stream());
}

handle<array_node> upload(const void* elements, element_type type, const shape& extents) {
    launch::refuse_while_recording("from_host()");
    launch::device& on = launch::current_device();
    handle<array_node> made = launch::make_owner(on, type, extents, on.current_stream());
    if (!made.get()->allocated_bytes) return made;
    record::this_thread().add(record::counter::synchronizations, 1);
    on.copy_from_host(made.get()->data, elements, made.get()->allocated_bytes);
    return made;
}

void download(const array_node* node, void* elements, std::int64_t element_count, const char* asked_by) {
    launch::refuse_while_recording(asked_by);
    if (node->extents.size() != element_count)
        throw shape_error(text::format("kiln: copy_to: {} elements do not take shape {}, which has {}", element_count,
                                       to_string(node->extents), node->extents.size()));
    if (!node->data) return;
    if (plan::is_partial(*node)) {
        record::this_thread().add(record::counter::synchronizations, 1);
        return download_sum(node->storage(), elements);
    }
    make_whole(*node);
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.copy_to_host(elements, node->data,
                    static_cast<std::size_t>(element_count) * static_cast<std::size_t>(bytes_of(node->type)));
}

void wait_for(const array_node* node) {
    launch::refuse_while_recording("wait()");
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.synchronize();
}

const void* device_pointer(const array_node* node) {
    launch::refuse_while_recording("data()");
    make_whole(*node);
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    return node->data;
}

void* device_pointer(handle<array_node>& node) {
    launch::refuse_while_recording("data()");
    launch::device& on = launch::current_device();
    if (node.get()->references.load(std::memory_order_acquire) != 1) {
        // Who gets this pointer may write; the arrays that share the buffer keep their values.
        node = copy_of(node);
    }
    make_whole(*node.get());
    launch::before_write(on, *node.get(), on.current_stream());
    return node.get()->data;
}

}  // namespace detail
}  // namespace kiln::inline v0_1
