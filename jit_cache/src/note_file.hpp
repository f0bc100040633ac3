// jit_cache/note_file: small files beside the entries, of a fixed size, that many processes write to: what was counted,
// what was evicted. They are hints: one that is damaged, missing or cannot be written changes nothing but what is told.
// in: an open root, a name   out: an open file that may be read or written, or none   knows nothing of: what is in it
#pragma once

#include "directory.hpp"
#include "file_descriptor.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jit_cache {

/// For reading. Whose it is, nobody asks: whoever may put a file into a trusted folder may say what they like in it, and what
/// is no regular file cannot be read at an offset.
[[nodiscard]] file_descriptor open_note(const file_descriptor& folder, const char* name);

/// For writing as well; made where it is missing. A regular file of one's own, else closed.
[[nodiscard]] file_descriptor open_note_to_write(const file_descriptor& root, const char* name);

/// Waits for nobody: tries a few times within some milliseconds. Released when the file is closed. True where the file
/// system has no locks: two writers then lose a note at worst.
[[nodiscard]] bool lock_note(const file_descriptor& note);

/// All `count` bytes at `offset`, or an empty string.
[[nodiscard]] std::string read_at(const file_descriptor& note, std::uint64_t offset, std::size_t count);
/// Under write_signals_held_back.
bool write_at(const file_descriptor& note, std::uint64_t offset, std::string_view bytes);

}  // namespace jit_cache
