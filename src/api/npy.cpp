// k::load_npy, k::save_npy: an array's elements go between a file and the device in parts, so that the host never holds them all.
#include <api/copies.hpp>
#include <api/make_whole.hpp>
#include <api/npy_elements.hpp>
#include <api/npy_header.hpp>
#include <api/whole_file.hpp>
#include <capture/viewed.hpp>
#include <device/arrays.hpp>
#include <device/devices.hpp>
#include <device/recording/while_recording.hpp>
#include <device/stream_order.hpp>
#include <record/tally.hpp>
#include <text/format.hpp>

#include <kiln/npy.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

namespace kiln::inline v0_1 {

namespace detail {

namespace {

constexpr std::int64_t part_bytes = 8 << 20;

/// Throws file_error where `read` throws another error, of what it read.
template <class Read>
auto named_after(const std::string& path, Read&& read) {
    try {
        return read();
    } catch (const file_error&) {
        throw;
    } catch (const std::runtime_error& trouble) {
        constexpr std::string_view who = "kiln: ";
        std::string_view said = trouble.what();
        if (said.starts_with(who)) said.remove_prefix(who.size());
        throw file_error(text::format("kiln: {}: {}", path, said));
    }
}

/// Leaves the file at its first element.
npy_description describe(const input_file& file) {
    return named_after(file.path(), [&] {
        std::string begin(npy_prefix::most_bytes, '\0');
        begin.resize(file.read_up_to(begin.data(), begin.size()));
        const npy_prefix prefix = parse_npy_prefix(begin);
        std::string text = begin.substr(prefix.bytes);
        const std::size_t had = std::min(text.size(), prefix.header_bytes);
        text.resize(prefix.header_bytes);
        file.read(text.data() + had, text.size() - had);
        const npy_header header = parse_npy_header(text);
        return npy_description{header.type, header.extents, header.column_major, header.big_endian,
                               static_cast<std::int64_t>(prefix.bytes + prefix.header_bytes)};
    });
}

/// Elements as a file has them to elements as a device has them.
void make_native(std::byte* elements, std::int64_t bytes, const npy_description& from) {
    if (from.type == element_type::boolean)  // kernels rely on 0 and 1
        std::transform(elements, elements + bytes, elements,
                       [](std::byte each) { return std::byte(each != std::byte()); });
    if (!from.big_endian) return;
    const int word = bytes_of(component_of(from.type));
    for (std::byte* end = elements + bytes; elements != end; elements += word) std::reverse(elements, elements + word);
}

std::string shown(element_type type) { return info(type).name; }

}  // namespace

void require_npy_type(const char* who, const std::string& path, const npy_description& header, element_type wanted) {
    if (header.type == wanted) return;
    throw type_error(text::format("kiln: {}: {} holds {} of shape {}, not {}", who, path, shown(header.type),
                                  to_string(header.shape), shown(wanted)));
}

void require_npy_size(const std::string& path, const npy_description& header, std::int64_t file_bytes) {
    const std::int64_t bytes = header.shape.size() * bytes_of(header.type);
    const std::int64_t there = file_bytes - header.data_offset;
    if (there >= bytes) return;
    throw file_error(text::format("kiln: {} is truncated: its {} elements of shape {} take {} bytes, and {} are there",
                                  path, shown(header.type), to_string(header.shape), bytes, there));
}

handle<array_node> load_npy(const std::string& path, element_type wanted) {
    backend::refuse_while_recording("load_npy()");
    const input_file file(path);
    const npy_description header = describe(file);
    require_npy_type("load_npy", path, header, wanted);
    const std::int64_t bytes = header.shape.size() * bytes_of(header.type);
    if (file.has_size()) require_npy_size(path, header, file.size());

    backend::device& on = backend::current_device();
    shape stored = header.shape;
    if (header.column_major) {
        std::int64_t extents[max_rank];
        std::reverse_copy(stored.begin(), stored.end(), extents);
        stored = shape(extents, stored.rank());
    }
    handle<array_node> made = backend::make_owner(on, header.type, stored, on.current_stream());
    std::vector<std::byte> part(static_cast<std::size_t>(std::min(bytes, part_bytes)));
    if (bytes) record::this_thread().add(record::counter::synchronizations, 1);
    for (std::int64_t done = 0; done < bytes; done += part_bytes) {
        const std::int64_t now = std::min(part_bytes, bytes - done);
        file.read(part.data(), static_cast<std::size_t>(now));
        make_native(part.data(), now, header);
        on.copy_from_host(made.get()->data + done, part.data(), static_cast<std::size_t>(now));
    }
    if (!header.column_major || stored.rank() < 2) return made;
    return copy_of(viewed(made, reversed_axes(stored)));
}

void save_npy(const std::string& path, const array_node* node) {
    backend::refuse_while_recording("save_npy()");
    const std::int64_t bytes = node->extents.size() * bytes_of(node->type);
    output_file file(path);
    const std::string header = npy_header_of(node->type, node->extents);
    file.expect(header.size() + static_cast<std::size_t>(bytes));
    file.write(header.data(), header.size());
    if (bytes) {
        make_whole(*node);
        backend::device& on = backend::device_at(*node->device);
        backend::before_read(on, *node, on.current_stream());
        record::this_thread().add(record::counter::synchronizations, 1);
        std::vector<std::byte> part(static_cast<std::size_t>(std::min(bytes, part_bytes)));
        for (std::int64_t done = 0; done < bytes; done += part_bytes) {
            const auto now = static_cast<std::size_t>(std::min(part_bytes, bytes - done));
            on.copy_to_host(part.data(), node->data + done, now);
            file.write(part.data(), now);
        }
    }
    file.publish();
}

}  // namespace detail

npy_description describe_npy(const std::string& path) { return detail::describe(detail::input_file(path)); }

}  // namespace kiln::inline v0_1
