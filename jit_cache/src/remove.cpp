// jit_cache/remove: deletes single entries, after a look at whose they are.
// in: a folder, names   out: what was deleted   knows nothing of: bounds, stores
#include <jit_cache/folder.hpp>

#include "directory.hpp"
#include "entry_file.hpp"
#include "names.hpp"

#include <unistd.h>

namespace jit_cache {

bool remove(const std::filesystem::path& directory, hash128 name) {
    const opened_folder root = open_root(directory, access::inspect);
    if (!root.folder) return false;
    const std::string digits = to_hex(name);
    const opened_folder shard = open_shard(root.folder, std::string_view(digits).substr(0, 2), access::inspect);
    if (!shard.folder) return false;
    const file_state state = probe_entry(shard.folder, digits).state;
    if (state != file_state::good && state != file_state::broken) return false;
    return ::unlinkat(shard.folder.get(), digits.c_str(), 0) == 0;
}

std::uint64_t remove_broken(const std::filesystem::path& directory, const scan_result& scanned) {
    std::uint64_t count = 0;
    for (const broken_file& each : scanned.broken) {
        const std::string name = each.file.filename().string();
        if (each.fault == file_fault::damaged && is_entry_name(name) && remove(directory, name_of(name))) ++count;
    }
    return count;
}

}  // namespace jit_cache
