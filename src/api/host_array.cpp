// k::host_array: memory of the host's that expressions read and write in chunks; k::open_npy, k::create_npy.
#include <api/npy_elements.hpp>
#include <api/npy_header.hpp>
#include <api/whole_file.hpp>
#include <capture/term.hpp>
#include <capture/viewed.hpp>
#include <device/recording/while_recording.hpp>
#include <streamed/evaluate_streamed.hpp>
#include <streamed/host_memory.hpp>
#include <text/format.hpp>

#include <kiln/host_array.hpp>

#include <cstring>
#include <memory>

namespace kiln::inline v0_1::detail {

handle<array_node> make_host_array(element_type type, const shape& extents) {
    return streamed::make_host_array(type, extents);
}

handle<array_node> host_array_over(const handle<array_node>& reference) { return streamed::host_array_over(reference); }

namespace {

/// The elements of a .npy file where they lie; `who`: open_npy or edit_npy, which `maps` it.
handle<array_node> mapped_npy(const char* who, const std::string& path, element_type wanted,
                              streamed::mapped_file (*maps)(const std::string&)) {
    const npy_description header = describe_npy(path);
    // A bool is 0 or 1; what a byte of a file is nobody knows before it is read.
    const bool bools_as_bytes =
        header.type == element_type::boolean && (wanted == element_type::uint8 || wanted == element_type::int8);
    if (!bools_as_bytes) require_npy_type(who, path, header, wanted);
    const auto refuse = [&](const std::string& why) {
        return type_error(text::format("kiln: {}: {} holds {} of shape {} {}", who, path, info(header.type).name,
                                       to_string(header.shape), why));
    };
    if (wanted == element_type::boolean)
        throw refuse(
            text::format("whose bytes could be any: {}<std::uint8_t>(path) takes them, != 0 makes them bool", who));
    if (header.big_endian && bytes_of(component_of(header.type)) > 1)
        throw refuse("in the other byte order, which load_npy turns around");
    if (header.data_offset % bytes_of(component_of(header.type)))
        throw refuse("that do not begin where such elements lie; load_npy reads them");
    auto file = std::make_unique<streamed::mapped_file>(maps(path));
    require_npy_size(path, header, file->size());
    return streamed::host_array_in(std::move(file), header.data_offset, wanted, header.shape, header.column_major);
}

}  // namespace

handle<array_node> open_npy(const std::string& path, element_type wanted) {
    return mapped_npy("open_npy", path, wanted, streamed::mapped_file::open);
}

handle<array_node> edit_npy(const std::string& path, element_type wanted) {
    return mapped_npy("edit_npy", path, wanted, streamed::mapped_file::edit);
}

handle<array_node> create_npy(const std::string& path, element_type type, const shape& extents) {
    const std::string header = npy_header_of(type, extents);
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(extents.size(), static_cast<std::int64_t>(bytes_of(type)), &bytes) ||
        __builtin_add_overflow(bytes, static_cast<std::int64_t>(header.size()), &bytes))
        throw file_error(text::format("kiln: create_npy: {} of shape {} are larger than any file", info(type).name,
                                      to_string(extents)));
    auto file = std::make_unique<streamed::mapped_file>(streamed::mapped_file::create(end_of_links(path), bytes));
    std::memcpy(file->data(), header.data(), header.size());
    return streamed::host_array_in(std::move(file), static_cast<std::int64_t>(header.size()), type, extents,
                                   /*column_major=*/false);
}

namespace {

void require_writable(const array_node& node, const char* how_to_read = "") {
    if (const streamed::mapped_file* const file = streamed::file_of(node); file && !file->is_writable())
        throw file_error(
            text::format("kiln: host_array: {} was opened to be read{}; edit_npy<T>(path) opens it to be written",
                         file->path(), how_to_read));
}

}  // namespace

void* host_elements_of(const array_node* node, bool to_write) {
    if (!node->contiguous)
        throw shape_error(text::format("kiln: host_array: elements of shape {} are not row-major in memory; clone() is",
                                       to_string(node->extents)));
    if (to_write) require_writable(*node, ", as by std::as_const(x).data() or elements()");
    if (const streamed::mapped_file* const file = streamed::file_of(*node)) file->check();
    return node->data;
}

void require_own_host_memory(const array_node* node, const shape& wanted) {
    const streamed::host_memory* const memory = streamed::host_memory_of(*node);
    if (!memory || (!memory->file && !memory->of_user)) return;
    const std::string what = memory->file ? memory->file->path() : "memory that k::wrap refers to";
    throw shape_error(
        text::format("kiln: host_array: an expression of shape {} is not written into {}, which has shape {}, and "
                     "would leave it as it is; "
                     "y(k::all) = e broadcasts to its shape{}, and a host_array of its own takes any",
                     to_string(wanted), what, to_string(node->extents),
                     memory->file ? ", create_npy(path, shape) makes a file of the expression's" : ""));
}

void evaluate_into_host(const handle<array_node>& target, const handle<term>& given, const char* label) {
    backend::refuse_while_recording("assigning to a host_array");
    const shape extents = broadcast_leaves(given);
    handle<term> root = given;
    if (!(extents == target.get()->extents)) {
        require_broadcast(extents, target.get()->extents, "assigning to a part");
        root = seen_through(given, broadcast(extents, target.get()->extents));
    }
    require_writable(*target.get());
    if (target.get()->extents.size() > 0) require_own_elements(target.get());
    output into{output::place::through, false, target.get()};
    if (streamed::is_streamed(&root, 1, &into)) return evaluate(&root, &into, 1, label);
    evaluate_through(nullptr, target, root, label);
}

void flush_host_array(const array_node* node) {
    if (const streamed::mapped_file* const file = streamed::file_of(*node)) file->flush();
}

handle<term> filled(const shape& extents, element_type type, const void* value) {
    return make_full_term(extents, make_scalar_term(type, value, /*capture=*/0));
}

}  // namespace kiln::inline v0_1::detail
