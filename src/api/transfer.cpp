// What waits for an array's device, and what hands its memory out.
#include <api/copies.hpp>
#include <api/make_whole.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <plan/partial_sums.hpp>
#include <record/tally.hpp>
#include <stage/stages.hpp>
#include <text/format.hpp>

#include <kiln/array.hpp>

namespace kiln::inline v0_1 {

namespace detail {

handle<array_node> make_uninitialised(element_type type, const shape& extents) {
    backend::device& on = backend::current_device();
    return backend::make_owner(on, type, extents, on.current_stream());
}

handle<array_node> upload(const void* elements, element_type type, const shape& extents) {
    backend::refuse_while_recording("from_host()");
    backend::device& on = backend::current_device();
    handle<array_node> made = backend::make_owner(on, type, extents, on.current_stream());
    if (!made.get()->allocated_bytes) return made;
    record::this_thread().add(record::counter::synchronizations, 1);
    on.copy_from_host(made.get()->data, elements, made.get()->allocated_bytes);
    return made;
}

void download(const array_node* node, void* elements, std::int64_t element_count, const char* asked_by) {
    backend::refuse_while_recording(asked_by);
    if (node->extents.size() != element_count)
        throw shape_error(text::format("kiln: copy_to: {} elements do not take shape {}, which has {}", element_count,
                                       to_string(node->extents), node->extents.size()));
    if (!node->data) return;
    if (plan::is_partial(*node)) {
        record::this_thread().add(record::counter::synchronizations, 1);
        return download_sum(node->storage(), elements);
    }
    make_whole(*node);
    backend::device& on = backend::device_at(*node->device);
    backend::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.copy_to_host(elements, node->data,
                    static_cast<std::size_t>(element_count) * static_cast<std::size_t>(bytes_of(node->type)));
}

void wait_for(const array_node* node) {
    backend::refuse_while_recording("wait()");
    backend::device& on = backend::device_at(*node->device);
    backend::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.synchronize();
}

device device_of(const array_node* node) {
    // What stands for an array while a function is looked at has no device: it is computed where the function is
    // called.
    return access::make<device>(node->device ? node->device : &backend::current_known());
}

device device_of(const handle<term>* roots, int root_count) {
    const std::vector<output> wanted(static_cast<std::size_t>(root_count));
    return access::make<device>(&stage::device_of(roots, root_count, wanted.data(), backend::current_known));
}

const void* device_pointer(const array_node* node) {
    backend::refuse_while_recording("data()");
    make_whole(*node);
    backend::device& on = backend::device_at(*node->device);
    backend::before_read(on, *node, on.current_stream());
    return node->data;
}

void* device_pointer(handle<array_node>& node) {
    backend::refuse_while_recording("data()");
    backend::device& on = backend::device_at(*node.get()->device);
    if (node.get()->references.load(std::memory_order_acquire) != 1) {
        // Who gets this pointer may write; the arrays that share the buffer keep their values.
        node = copy_of(node);
    }
    make_whole(*node.get());
    backend::before_write(on, *node.get(), on.current_stream());
    return node.get()->data;
}

}  // namespace detail
}  // namespace kiln::inline v0_1
