// jit_cache/pack: many entries in one file, in the order of their names.
// in: a folder, names   out: a file; and back   knows nothing of: stores, what entries hold
#include <jit_cache/folder.hpp>
#include <jit_cache/write_signals.hpp>

#include "directory.hpp"
#include "entry.hpp"
#include "entry_file.hpp"
#include "hints.hpp"
#include "names.hpp"
#include "pack_bytes.hpp"
#include "temporary_name.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>

namespace jit_cache {

namespace {

pack_result failed(const std::filesystem::path& file, const std::string& why) {
    pack_result result;
    result.trouble = file.string() + ": " + why;
    return result;
}

/// The file's name stands for the new bytes or for what it stood for before.
int replace_file(const std::filesystem::path& file, std::string_view bytes) {
    const std::filesystem::path temporary = file.parent_path() / temporary_name();
    file_descriptor out(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!out) return errno;
    int error = 0;
    {
        const write_signals_held_back held_back;
        error = write_fully(out, bytes);
    }
    if (!out.close() && error == 0) error = errno;
    if (error == 0 && ::rename(temporary.c_str(), file.c_str()) != 0) error = errno;
    if (error != 0) ::unlink(temporary.c_str());
    return error;
}

int read_file(const std::filesystem::path& file, std::string& bytes) {
    const file_descriptor in(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
    struct ::stat status {};
    if (!in || ::fstat(in.get(), &status) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return EINVAL;
    if (static_cast<std::uint64_t>(status.st_size) > largest_pack_bytes) return EFBIG;
    bytes.resize(static_cast<std::size_t>(status.st_size));
    for (std::size_t done = 0; done < bytes.size();) {
        const ::ssize_t count = ::read(in.get(), bytes.data() + done, bytes.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        if (count == 0) {
            bytes.resize(done);
            break;
        }
        done += static_cast<std::size_t>(count);
    }
    return 0;
}

/// The folders above `directory` that are not there, the topmost first.
std::vector<std::filesystem::path> missing_above(const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> missing;
    std::error_code error;
    std::filesystem::path here = std::filesystem::absolute(directory, error);
    if (!here.has_filename()) here = here.parent_path();  // "kernels/"
    while (here.has_relative_path() && !std::filesystem::exists(here = here.parent_path(), error))
        missing.insert(missing.begin(), here);
    return missing;
}

/// An entry as whoever runs it may have it: one that others could have written would be trusted where it is unpacked.
file_reading trusted_entry(const file_descriptor& root, const std::string& name) {
    file_reading found = inspect_entry(root, name);
    if (found.state != file_state::good) return found;
    const opened_folder shard = open_shard(root, std::string_view(name).substr(0, 2), access::read_only);
    const std::string& why = shard.distrusted ? shard.trouble : found.ignored_because;
    if (why.empty()) return found;
    file_reading untrusted;
    untrusted.state = file_state::untrusted;
    untrusted.why = why;
    return untrusted;
}

}  // namespace

pack_result pack(const std::filesystem::path& directory, const std::vector<hash128>& needed,
                 const std::filesystem::path& file, const std::vector<hash128>& others) {
    pack_result result;
    std::map<std::string, bool> wanted;  // by name: whether it is needed
    for (const hash128 one : others) wanted[to_hex(one)] = false;
    for (const hash128 one : needed) wanted[to_hex(one)] = true;
    if (wanted.empty()) {
        scan_result all = scan(directory, depth::described);
        if (!all.trouble.empty()) return failed(directory, all.trouble);
        for (const entry_info& one : all.entries) wanted[to_hex(one.name)] = false;
        result.left_out = std::move(all.broken);
    }

    const opened_folder root = open_root(directory, access::read_only);
    if (root.distrusted) return failed(directory, root.trouble + "; whoever unpacks a kernel runs it");
    std::vector<std::string> entries;
    std::uint64_t entries_bytes = 0;
    for (const auto& [name, is_needed] : wanted) {
        file_reading one = root.folder ? trusted_entry(root.folder, name) : file_reading{};
        if (one.state != file_state::good) {
            if (is_needed)
                return failed(directory, "the entry " + name + " is gone, damaged or not to be trusted" +
                                             (one.why.empty() ? "" : ": " + one.why));
            // Gone since it was listed, or replaced by a newer kiln's: not damaged.
            if (one.state == file_state::absent || one.state == file_state::newer) continue;
            result.left_out.push_back(
                {directory / format_folder / name.substr(0, 2) / name, std::move(one.why), fault_of(one.state)});
            continue;
        }
        entries.push_back(pack_entry(one.content.stored_key, one.content.value));
        entries_bytes += entries.back().size();
        if (entries_bytes > largest_pack_bytes)
            return failed(file, "it would be larger than 4 GiB; pack fewer entries");
    }
    const std::string bytes = pack_of(entries);
    result.entries = entries.size();
    result.file_bytes = bytes.size();
    if (const int error = replace_file(file, bytes); error != 0) return failed(file, error_text(error));
    return result;
}

pack_contents read_pack(const std::filesystem::path& file) {
    pack_contents result;
    std::string bytes;
    std::vector<std::string_view> entries;
    if (const int error = read_file(file, bytes); error != 0) {
        result.trouble = error_text(error);
    } else {
        result.trouble = split_pack(bytes, entries);
    }
    result.file_bytes = bytes.size();
    for (std::size_t i = 0; i < entries.size() && result.trouble.empty(); ++i) {
        unpacked one = unpack_entry(entries[i]);
        if (one.state == entry_state::newer) {
            ++result.newer_format_count;
        } else if (one.state != entry_state::good) {
            result.trouble = "entry " + std::to_string(i + 1) + ": " + one.why;
        } else {
            result.entries.push_back({.file = {},
                                      .name = one.content.stored_key.name(),
                                      .file_bytes = entries[i].size(),
                                      .last_used_unix_s = 0,
                                      .entry_key = std::move(one.content.stored_key),
                                      .facts = std::move(one.content.value.facts),
                                      .payload_bytes = one.content.value.payload.size(),
                                      .ignored_because = {}});
        }
    }
    if (!result.trouble.empty()) result.trouble.insert(0, file.string() + ": ");
    return result;
}

pack_result unpack(const std::filesystem::path& file, const std::filesystem::path& directory, readable_by readers,
                   const unpack_progress& progress) {
    std::string bytes;
    if (const int error = read_file(file, bytes); error != 0) return failed(file, error_text(error));
    std::vector<std::string_view> entries;
    if (const std::string why = split_pack(bytes, entries); !why.empty()) return failed(file, why);
    std::vector<unpacked> checked;
    for (const std::string_view each : entries) {
        checked.push_back(unpack_entry(each));
        const entry_state state = checked.back().state;
        if (state != entry_state::good && state != entry_state::newer)
            return failed(file, "entry " + std::to_string(checked.size()) + ": " + checked.back().why);
    }

    const bool for_all = readers == readable_by::all;
    const auto above = for_all ? missing_above(directory) : std::vector<std::filesystem::path>();
    const opened_folder root = open_root(directory, access::write);
    if (!root.folder) return failed(directory, root.trouble);
    for (const std::filesystem::path& each : above)
        if (::chmod(each.c_str(), 0755) != 0) return failed(each, error_text(errno));
    if (for_all && (::chmod(directory.c_str(), 0755) != 0 || ::fchmodat(root.folder.get(), ".", 0755, 0) != 0))
        return failed(directory, error_text(errno));
    pack_result result;
    result.file_bytes = bytes.size();
    std::vector<hash128> stored;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (progress) progress(i, entries.size());
        if (checked[i].state == entry_state::newer) {
            ++result.skipped;
            continue;
        }
        const std::string name = to_hex(checked[i].content.stored_key.name());
        const opened_folder shard = open_shard(root.folder, std::string_view(name).substr(0, 2), access::write);
        if (!shard.folder) return failed(directory, shard.trouble);
        if (for_all && ::fchmodat(shard.folder.get(), ".", 0755, 0) != 0) return failed(directory, error_text(errno));
        const file_reading present = read_entry(shard.folder, name, access::read);
        if (present.state == file_state::newer || present.state == file_state::failed ||
            (present.state == file_state::good && present.content.stored_key == checked[i].content.stored_key)) {
            ++result.skipped;
            continue;
        }
        const published outcome = publish_entry(shard.folder, name, entries[i]);
        if (outcome.error != 0) return failed(directory, outcome.trouble);
        if (for_all && ::fchmodat(shard.folder.get(), name.c_str(), 0644, 0) != 0)
            return failed(directory, error_text(errno));
        stored.push_back(checked[i].content.stored_key.name());
    }
    if (progress) progress(entries.size(), entries.size());
    result.entries = stored.size();
    remember_stored(root.folder, stored);
    if (for_all) [[maybe_unused]]
        const int ignored = ::fchmodat(root.folder.get(), hints_file, 0644, 0);
    return result;
}

}  // namespace jit_cache
