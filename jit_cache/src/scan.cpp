// jit_cache/scan: the entries of a folder, read and checked, for the inspection tool.
// in: a path   out: entries, broken files, or why the folder cannot be read   knows nothing of: stores, threads
#include <jit_cache/folder.hpp>

#include "directory.hpp"
#include "entry_file.hpp"
#include "names.hpp"

#include <algorithm>
#include <cerrno>

namespace jit_cache {

namespace {

void scan_file(const file_descriptor& shard, const std::string& name, const std::filesystem::path& file, depth how,
               scan_result& result) {
    file_reading found =
        how == depth::whole ? read_entry(shard, name, access::inspect) : read_description(shard, name, access::inspect);
    switch (found.state) {
        case file_state::absent: return;  // deleted between the listing and now
        case file_state::newer: ++result.newer_format_count; return;
        case file_state::broken: result.broken.push_back({file, std::move(found.why), true}); return;
        case file_state::foreign:
        case file_state::untrusted:
        case file_state::failed: result.broken.push_back({file, std::move(found.why), false}); return;
        case file_state::good: break;
    }
    const hash128 hash = name_of(name);
    if (found.content.stored_key.name() != hash) {
        result.broken.push_back({file, "it holds the entry of another key", true});
        return;
    }
    entry_info info;
    info.file = file;
    info.name = hash;
    info.file_bytes = found.file_bytes;
    info.last_used_unix_s = found.last_used_unix_s;
    info.entry_key = std::move(found.content.stored_key);
    info.facts = std::move(found.content.value.facts);
    info.payload_bytes = found.payload_bytes;
    result.entries.push_back(std::move(info));
}

}  // namespace

scan_result scan(const std::filesystem::path& directory, depth how, std::string_view prefix) {
    scan_result result;
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) {
        result.trouble = root.trouble;
        return result;
    }
    const std::filesystem::path in = directory / format_folder;
    for (const std::string& shard_name : shards_in(root.folder)) {
        if (!shard_name.starts_with(prefix.substr(0, shard_name.size()))) continue;
        const opened_folder shard = open_shard(root.folder, shard_name, access::inspect);
        if (!shard.folder) {
            if (shard.error != ENOENT) result.broken.push_back({in / shard_name, shard.trouble, false});
            continue;
        }
        for (const std::string& name : names_in(shard.folder)) {
            if (!is_entry_name(name) || !name.starts_with(prefix)) continue;
            if (name.starts_with(shard_name)) {
                scan_file(shard.folder, name, in / shard_name / name, how, result);
            } else {
                result.broken.push_back({in / shard_name / name, "it is in another shard's folder", false});
            }
        }
    }
    // Equal times in the order of names: two runs over the same folder print the same.
    std::sort(result.entries.begin(), result.entries.end(), [](const entry_info& left, const entry_info& right) {
        if (left.last_used_unix_s != right.last_used_unix_s) return left.last_used_unix_s > right.last_used_unix_s;
        return left.file < right.file;
    });
    std::sort(result.broken.begin(), result.broken.end(),
              [](const broken_file& left, const broken_file& right) { return left.file < right.file; });
    return result;
}

std::optional<whole_entry> read_whole(const std::filesystem::path& directory, hash128 name) {
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) return std::nullopt;
    const std::string digits = to_hex(name);
    const opened_folder shard = open_shard(root.folder, std::string_view(digits).substr(0, 2), access::inspect);
    if (!shard.folder) return std::nullopt;
    file_reading read = read_entry(shard.folder, digits, access::inspect);
    if (read.state != file_state::good || read.content.stored_key.name() != name) return std::nullopt;
    return whole_entry{std::move(read.content.stored_key), std::move(read.content.value)};
}

}  // namespace jit_cache
