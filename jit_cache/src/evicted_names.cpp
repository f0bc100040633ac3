// jit_cache/evicted_names: slot (name's last bits) of a file of 4096 times 16 bytes.
#include "evicted_names.hpp"

#include "bytes.hpp"
#include "note_file.hpp"

namespace jit_cache {

namespace {

constexpr const char* file_name = "evicted";
constexpr std::uint64_t slot_count = 4096;
constexpr std::size_t slot_bytes = 16;

std::uint64_t offset_of(hash128 name) { return name.low % slot_count * slot_bytes; }

std::string bytes_of(hash128 name) {
    std::string bytes;
    put_u64(bytes, name.low);
    put_u64(bytes, name.high);
    return bytes;
}

}  // namespace

bool was_evicted(const file_descriptor& root, hash128 name, access wanted) {
    const file_descriptor note = open_note(root, file_name, wanted);
    return note && read_at(note, offset_of(name), slot_bytes) == bytes_of(name);
}

void remember_evicted(const file_descriptor& root, const std::vector<hash128>& names) {
    if (names.empty()) return;
    const file_descriptor note = open_note_to_write(root, file_name);
    if (!note) return;
    for (const hash128 name : names)
        if (!write_at(note, offset_of(name), bytes_of(name))) return;
}

void forget_evicted(const file_descriptor& root, hash128 name) {
    if (!was_evicted(root, name, access::read)) return;
    if (const file_descriptor note = open_note_to_write(root, file_name))
        write_at(note, offset_of(name), std::string(slot_bytes, '\0'));
}

}  // namespace jit_cache
