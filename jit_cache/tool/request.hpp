// kiln-cache/request: what the command line can ask for, as values.
// in: nothing   out: one struct per command   knows nothing of: argv, what is printed
#pragma once

#include <jit_cache/folder.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kiln_cache {

enum exit_code : int {
    fine = 0,
    found_wanting = 1,  // what was asked for is not there, or not as it should be; a folder or file that cannot be used
    usage = 2
};

/// What every command is told.
struct request {
    jit_cache::named_directory folder;  // an empty path: nothing names one
    bool json = false;
};

enum class sort_key : std::uint8_t { used, size, compile };

struct list_request {
    sort_key sort = sort_key::used;
    std::string filter;
    std::optional<std::size_t> limit;
};

enum class view : std::uint8_t { summary, facts, source, ptx, sass };

struct show_request {
    std::string key;
    view what = view::summary;
};

struct why_request {
    std::string key;
    std::string other;  // empty: the key's nearest relatives
};

/// A bound and who set it: "--max-size", "KILN_CACHE_MAX_SIZE", "default".
struct bound {
    std::uint64_t value = 0;
    std::string set_by = "default";
};

struct stats_request {
    bool verbose = false;
    bound max_bytes;
    bound max_entries;
};

struct verify_request {
    bool repair = false;
};

struct gc_request {
    bool dry_run = false;
    bound max_bytes;
    bound max_entries;
};

struct clear_request {
    bool dry_run = false;
};

struct remove_request {
    bool dry_run = false;
    std::vector<std::string> keys;
};

struct pack_request {
    std::filesystem::path file;
    std::vector<std::string> keys;
    std::string filter;
};

struct unpack_request {
    std::filesystem::path file;
    bool for_all = false;
    bool list = false;
};

}  // namespace kiln_cache
