// kiln-cache/commands: what each subcommand prints.
// in: a folder and how to print   out: text on stdout, complaints on stderr, an exit code   knows nothing of: argv
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kiln_cache {

enum exit_code : int {
    fine = 0,
    found_wanting = 1,  // KEY not found or ambiguous; broken entries; a folder that cannot be read or emptied
    usage = 2
};

struct request {
    std::filesystem::path directory;
    bool json = false;
};

int list(const request& asked);
int show(const request& asked, const std::string& key_prefix, bool source);
int stats(const request& asked);
int clear(const request& asked);
int collect(const request& asked, std::uint64_t max_bytes, std::uint64_t max_entries);

}  // namespace kiln_cache
