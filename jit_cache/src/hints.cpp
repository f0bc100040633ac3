// jit_cache/hints: a file of two tables of names. By its source's bits a name has a slot for the one stored last and one for
// the one evicted last, side by side, so that one read brings both; by its family's bits one for the one stored last.
#include "hints.hpp"

#include "bytes.hpp"
#include "note_file.hpp"

#include <jit_cache/folder.hpp>
#include <jit_cache/write_signals.hpp>

namespace jit_cache {

namespace {

constexpr std::size_t name_bytes = 16;
// What falls on a stranger's slot costs a listing: in a folder of 20,000 entries of as many sources, every second miss.
constexpr std::uint64_t slots = 32'768;

constexpr hash128 nothing{};

constexpr std::uint64_t family_of(hash128 name) { return name.high >> 32; }
constexpr std::uint64_t source_of(hash128 name) { return name.high & 0xffffffffU; }

constexpr std::uint64_t stored_of_source_at(hash128 name) { return source_of(name) % slots * 2 * name_bytes; }
constexpr std::uint64_t evicted_of_source_at(hash128 name) { return stored_of_source_at(name) + name_bytes; }
constexpr std::uint64_t stored_of_family_at(hash128 name) { return (2 * slots + family_of(name) % slots) * name_bytes; }

std::string bytes_of(hash128 name) {
    std::string bytes;
    put_u64(bytes, name.low);
    put_u64(bytes, name.high);
    return bytes;
}

/// `bytes` is what was read: none beyond the end of the file, where nothing was ever written.
hash128 name_in(std::string_view bytes, std::size_t offset = 0) {
    if (bytes.empty()) return nothing;
    return {.high = get_u64(bytes, offset + 8), .low = get_u64(bytes, offset)};
}

hash128 name_at(const file_descriptor& note, std::uint64_t offset) {
    return name_in(read_at(note, offset, name_bytes));
}

bool forget(const file_descriptor& note, std::uint64_t offset, hash128 name) {
    return name_at(note, offset) != name || write_at(note, offset, bytes_of(nothing));
}

}  // namespace

hints read_hints(const file_descriptor& store_folder, hash128 name) {
    hints result;
    const std::string path = std::string(format_folder) + '/' + hints_file;
    const file_descriptor note = open_note(store_folder, path.c_str());
    if (!note) return result;
    const std::string of_source = read_at(note, stored_of_source_at(name), 2 * name_bytes);
    if (of_source.empty()) return result;  // nothing was ever written, or it is no file
    result.evicted = name_in(of_source, name_bytes) == name;
    if (result.evicted) return result;
    const hash128 same_source = name_in(of_source);
    if (same_source.high == name.high) {
        result.nearest = same_source;
        return result;
    }
    const hash128 same_family = name_at(note, stored_of_family_at(name));
    if (same_family == nothing) result.none_is_stored = true;
    // A stranger in the source's slot may have taken the place of a nearer relative than this one.
    else if (family_of(same_family) == family_of(name) && same_source == nothing) result.nearest = same_family;
    return result;
}

void remember_stored(const file_descriptor& root, const std::vector<hash128>& names) {
    if (names.empty()) return;
    const file_descriptor note = open_note_to_write(root, hints_file);
    if (!note) return;
    const write_signals_held_back held_back;
    for (const hash128 name : names) {
        if (!write_at(note, stored_of_source_at(name), bytes_of(name))) return;
        if (!forget(note, evicted_of_source_at(name), name)) return;
        if (!write_at(note, stored_of_family_at(name), bytes_of(name))) return;
    }
}

void remember_evicted(const file_descriptor& root, const std::vector<hash128>& names) {
    if (names.empty()) return;
    const file_descriptor note = open_note_to_write(root, hints_file);
    if (!note) return;
    const write_signals_held_back held_back;
    for (const hash128 name : names) {
        if (!write_at(note, evicted_of_source_at(name), bytes_of(name))) return;
        // Else the tables would fill with names that are gone, and every miss would end in a listing.
        if (!forget(note, stored_of_source_at(name), name)) return;
        if (!forget(note, stored_of_family_at(name), name)) return;
    }
}

}  // namespace jit_cache
