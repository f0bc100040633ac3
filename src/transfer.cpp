// What waits for the device, and what hands its memory out.
#include <capture/term.hpp>
#include <launch/arrays.hpp>
#include <launch/stream_order.hpp>
#include <record/tally.hpp>

#include <kiln/array.hpp>
#include <kiln/device.hpp>

#include <fmt/format.h>

namespace kiln {

device_info current_device() { return launch::current_device().describe(); }

void synchronize() {
    record::this_thread().add(record::counter::synchronizations, 1);
    launch::current_device().synchronize();
}

void use_stream(void* stream) { launch::current_device().use_stream(stream); }

namespace detail {

void download(const array_node* node, void* elements, std::int64_t element_count) {
    if (node->extents.size() != element_count)
        throw shape_error(fmt::format("kiln: copy_to: {} elements do not take shape {}, which has {}", element_count,
                                      to_string(node->extents), node->extents.size()));
    if (!node->data) return;
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.copy_to_host(elements, node->data,
                    static_cast<std::size_t>(element_count) * static_cast<std::size_t>(bytes_of(node->type)));
}

void wait_for(const array_node* node) {
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    record::this_thread().add(record::counter::synchronizations, 1);
    on.synchronize();
}

const void* device_pointer(const array_node* node) {
    launch::device& on = launch::current_device();
    launch::before_read(on, *node, on.current_stream());
    return node->data;
}

void* device_pointer(handle<array_node>& node) {
    launch::device& on = launch::current_device();
    if (node.get()->references.load(std::memory_order_acquire) != 1) {
        // Who gets this pointer may write; the arrays that share the buffer keep their values.
        const handle<term> root = make_array_term(node, node.get()->type);
        output own;
        evaluate(&root, &own, 1, "copy");
        node = handle<array_node>(own.written);
    }
    launch::before_write(on, *node.get(), on.current_stream());
    return node.get()->data;
}

}  // namespace detail
}  // namespace kiln
