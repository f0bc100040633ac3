// std::cout << x and k::to_string(x): what is shown of an array comes to the host, and becomes text there.
#include <api/array_text.hpp>
#include <api/make_whole.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <record/tally.hpp>
#include <text/format.hpp>

#include <kiln/print.hpp>

#include <ostream>
#include <vector>

namespace kiln::inline v0_1 {

namespace detail {

namespace {

/// The shown elements of an array, run by run: axes that are shown whole, innermost, are one.
class shown_download {
public:
    shown_download(backend::device& on, const array_node& node, const print_options& options, std::byte* to)
        : on_(on), node_(node), edge_(options.edge_items), shown_(shown_shape(node.extents, options)), to_(to) {}

    void run() { copy(0, 0); }

private:
    [[nodiscard]] bool is_whole_from(int axis) const {
        while (axis < shown_.rank() && shown_[axis] == node_.extents[axis]) ++axis;
        return axis == shown_.rank();
    }

    void copy(int axis, std::int64_t first) {
        if (is_whole_from(axis)) {
            std::int64_t count = 1;
            for (; axis < shown_.rank(); ++axis) count *= shown_[axis];
            return copy_run(first, count);
        }
        const std::int64_t stride = node_.strides[axis];
        const std::int64_t skipped = node_.extents[axis] - shown_[axis];
        if (axis + 1 == shown_.rank()) {
            copy_run(first, edge_);
            return copy_run(first + (skipped + edge_) * stride, edge_);
        }
        for (std::int64_t i = 0; i < shown_[axis]; ++i) copy(axis + 1, first + (i < edge_ ? i : i + skipped) * stride);
    }

    void copy_run(std::int64_t first, std::int64_t count) {
        const std::int64_t size = bytes_of(node_.type);
        on_.copy_to_host(to_, node_.data + first * size, static_cast<std::size_t>(count * size));
        to_ += count * size;
    }

    backend::device& on_;
    const array_node& node_;
    const std::int64_t edge_;
    const shape shown_;
    std::byte* to_;
};

void require_meaning(const print_options& options) {
    if (options.precision >= 0 && options.precision <= 100 && options.threshold >= 0 && options.edge_items >= 1 &&
        options.line_width >= 1)
        return;
    throw error(
        text::format("kiln: to_string: precision {} (0 to 100), threshold {} (at least 0), edge_items {} (at least 1), "
                     "line_width {} (at least 1)",
                     options.precision, options.threshold, options.edge_items, options.line_width));
}

}  // namespace

std::string text_of(const array_node* node, const print_options& options) {
    require_meaning(options);
    const shape shown = shown_shape(node->extents, options);
    std::vector<std::byte> elements(static_cast<std::size_t>(shown.size() * bytes_of(node->type)));
    if (shown == node->extents) {
        download(node, elements.data(), shown.size(), "printing an array");
    } else {
        backend::refuse_while_recording("printing an array");
        backend::device& on = backend::device_at(*node->device);
        make_whole(*node);
        backend::before_read(on, *node, on.current_stream());
        record::this_thread().add(record::counter::synchronizations, 1);
        shown_download(on, *node, options, elements.data()).run();
    }
    return array_text(node->type, node->extents, elements.data(), options);
}

void write(std::ostream& to, const std::string& text) {
    to.write(text.data(), static_cast<std::streamsize>(text.size()));
}

std::string summary_of(const array_node* node) {
    return text::format("{} {} on {}", info(node->type).name, to_string(node->extents), to_string(device_of(node)));
}

}  // namespace detail

std::ostream& operator<<(std::ostream& to, const shape& extents) {
    detail::write(to, to_string(extents));
    return to;
}

}  // namespace kiln::inline v0_1
