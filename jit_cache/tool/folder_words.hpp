// kiln-cache/folder_words: what is wrong with a folder, said the same way by every command.
// in: what a scan found   out: JSON, complaints, an exit code   knows nothing of: entries that are whole
#pragma once

#include "output.hpp"

#include <jit_cache/folder.hpp>

#include <string>
#include <vector>

namespace kiln_cache {

/// "/folder: why it cannot be read"; empty: it can.
[[nodiscard]] std::string scan_trouble(const request& asked, const jit_cache::scan_result& scanned);

/// "damaged", "foreign", "unreadable".
[[nodiscard]] const char* fault_name(jit_cache::file_fault fault);

[[nodiscard]] json broken_json(const std::vector<jit_cache::broken_file>& broken);

/// Names the first few on stderr, each with what is wrong with it, and counts the rest.
void complain_of(const std::vector<jit_cache::broken_file>& broken);

/// Says on stderr what is wrong with the folder, the first few files by name; the exit code that follows from it.
int complain_of(const request& asked, const jit_cache::scan_result& scanned);

}  // namespace kiln_cache
