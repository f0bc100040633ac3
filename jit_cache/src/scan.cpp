// jit_cache/scan: every entry of a folder, read and checked, for the inspection tool.
// in: a path   out: entries, broken files, or why the folder cannot be read   knows nothing of: stores, threads
#include <jit_cache/store.hpp>

#include "directory.hpp"
#include "entry_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>

namespace jit_cache {

namespace {

hash128 parse_name(std::string_view name) {
    hash128 hash;
    std::from_chars(name.data(), name.data() + 16, hash.high, 16);
    std::from_chars(name.data() + 16, name.data() + 32, hash.low, 16);
    return hash;
}

void scan_file(const file_descriptor& shard, const std::string& name, const std::filesystem::path& file,
               scan_result& result) {
    file_reading found = read_entry(shard, name, access::inspect);
    switch (found.state) {
        case file_state::absent: return;  // deleted between the listing and now
        case file_state::newer: ++result.newer_format_count; return;
        case file_state::broken:
        case file_state::failed: result.broken.emplace_back(file, std::move(found.why)); return;
        case file_state::good: break;
    }
    const hash128 hash = parse_name(name);
    if (found.content.stored_key.hash() != hash) {
        result.broken.emplace_back(file, "it holds the entry of another key");
        return;
    }
    entry_info info;
    info.file = file;
    info.name = hash;
    info.file_bytes = found.file_bytes;
    info.last_used_unix_s = found.last_used_unix_s;
    info.entry_key = std::move(found.content.stored_key);
    info.facts = std::move(found.content.value.facts);
    info.payload_bytes = found.content.value.payload.size();
    result.entries.push_back(std::move(info));
}

}  // namespace

scan_result scan(const std::filesystem::path& directory) {
    scan_result result;
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) {
        result.trouble = root.trouble;
        return result;
    }
    for (const std::string& shard_name : names_in(root.folder)) {
        if (!is_shard_name(shard_name)) continue;
        const opened_folder shard = open_shard(root.folder, shard_name, access::inspect);
        if (!shard.folder) {
            if (shard.error != ENOENT) result.broken.emplace_back(directory / shard_name, shard.trouble);
            continue;
        }
        for (const std::string& name : names_in(shard.folder)) {
            if (!is_entry_name(name)) continue;
            if (name.starts_with(shard_name)) {
                scan_file(shard.folder, name, directory / shard_name / name, result);
            } else {
                result.broken.emplace_back(directory / shard_name / name, "it is in another shard's folder");
            }
        }
    }
    // Equal times in the order of names: two runs over the same folder print the same.
    std::sort(result.entries.begin(), result.entries.end(), [](const entry_info& left, const entry_info& right) {
        if (left.last_used_unix_s != right.last_used_unix_s) return left.last_used_unix_s > right.last_used_unix_s;
        return left.file < right.file;
    });
    std::sort(result.broken.begin(), result.broken.end());
    return result;
}

}  // namespace jit_cache
