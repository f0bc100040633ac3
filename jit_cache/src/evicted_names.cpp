// jit_cache/evicted_names: slot (name's last bits) of a file of 4096 times 16 bytes.
#include "evicted_names.hpp"

#include "bytes.hpp"
#include "note_file.hpp"

namespace jit_cache {

namespace {

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
    const file_descriptor note = open_note(root, evicted_note, wanted);
    return note && read_at(note, offset_of(name), slot_bytes) == bytes_of(name);
}

void remember_evicted(const file_descriptor& root, const std::vector<hash128>& names) {
    if (names.empty()) return;
    const file_descriptor note = open_note_to_write(root, evicted_note);
    if (!note) return;
    // All slots in one write: a cleaning may take thousands of entries. Two sweepers at once lose a note at worst.
    std::string slots = read_at(note, 0, slot_count * slot_bytes);
    slots.resize(slot_count * slot_bytes, '\0');
    for (const hash128 name : names) slots.replace(offset_of(name), slot_bytes, bytes_of(name));
    write_at(note, 0, slots);
}

void forget_evicted(const file_descriptor& root, hash128 name) {
    if (!was_evicted(root, name, access::read)) return;
    if (const file_descriptor note = open_note_to_write(root, evicted_note))
        write_at(note, offset_of(name), std::string(slot_bytes, '\0'));
}

}  // namespace jit_cache
