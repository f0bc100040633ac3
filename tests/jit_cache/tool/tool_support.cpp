// tests/jit_cache/tool/tool_support: runs the program, fills folders, compares them.
#include "tool_support.hpp"

#include "entry.hpp"

#include <jit_cache/printable.hpp>

#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <sstream>

namespace support {

namespace {

void collect_names(const json& value, std::vector<std::string>& names) {
    if (value.is_object())
        for (const auto& [name, below] : value.items()) names.push_back(name);
    if (value.is_structured())
        for (const json& below : value) collect_names(below, names);
}

}  // namespace

finished tool(const fs::path& directory, std::vector<std::string> words, const std::vector<std::string>& environment) {
    words.insert(words.begin(), {tool_path(), "--dir", directory.string()});
    return run(words, environment);
}

json tool_json(const fs::path& directory, std::vector<std::string> words, int exit_code,
               const std::vector<std::string>& environment) {
    words.emplace_back("--json");
    const finished ended = tool(directory, words, environment);
    CHECK(ended.exit_code == exit_code);
    const json parsed = json::parse(ended.output, nullptr, false);
    REQUIRE(parsed.is_object());
    return parsed;
}

void put(const fs::path& directory, const jit_cache::key& key, const jit_cache::artifact& value) {
    warnings said;
    jit_cache::store store(settings_for(directory, said));
    store.publish(key, std::make_shared<jit_cache::artifact>(value));
    store.flush();
    REQUIRE(said.count() == 0);
}

void write_entry(const fs::path& directory, const jit_cache::key& key, const jit_cache::artifact& value) {
    const fs::path file = path_of(directory, key);
    const ::mode_t before = ::umask(077);
    fs::create_directories(file.parent_path());
    overwrite(file, jit_cache::pack_entry(key, value));
    ::umask(before);
}

std::string name_of(const jit_cache::key& key) { return jit_cache::to_hex(key.name()); }

fs::path path_of(const fs::path& directory, const jit_cache::key& key) {
    const std::string name = name_of(key);
    return root_of(directory) / name.substr(0, 2) / name;
}

jit_cache::key key_for(const std::string& expression, const std::string& source, const std::string& target) {
    jit_cache::key key;
    key.add("expression", expression).add("source", source).add("target", target);
    key.add("compiler", "/opt/cuda/lib/libnvrtc.so.13.0.88 109338064 bytes").add("options", "--fmad=false");
    return key.add("generator", "kiln 31");
}

jit_cache::artifact full_artifact(const std::string& label) {
    return {.payload = std::string(2048, 'b'),
            .facts = {{.name = "label", .value = label},
                      {.name = "kernel", .value = "kiln_add4_f32_v4"},
                      {.name = "compile_ms", .value = "31.25"},
                      {.name = "registers", .value = "18"},
                      {.name = "shared_bytes", .value = "1024"},
                      {.name = "spill_bytes", .value = "0"},
                      {.name = "created", .value = "1700000000"}},
            .extras = {{.name = "ptx", .value = ".version 9.0\n.target sm_90\n"}}};
}

bool holds(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::vector<std::string> field_names(const json& value) {
    std::vector<std::string> names;
    collect_names(value, names);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

bool is_harmless(const std::string& text) { return jit_cache::printable(text, jit_cache::lines::many) == text; }

snapshot snapshot_of(const fs::path& folder) {
    snapshot all;
    std::error_code error;
    for (fs::recursive_directory_iterator each(folder, error), end; !error && each != end; each.increment(error)) {
        struct ::stat status {};
        REQUIRE(::lstat(each->path().c_str(), &status) == 0);
        std::ostringstream seen;
        seen << status.st_ino << ' ' << std::oct << status.st_mode << std::dec << ' ' << status.st_uid << ' '
             << status.st_size << ' ' << status.st_mtim.tv_sec << '.' << status.st_mtim.tv_nsec << ' '
             << status.st_ctim.tv_sec << '.' << status.st_ctim.tv_nsec << ' ';
        if (S_ISREG(status.st_mode) && status.st_size < (1 << 24))
            seen << std::hash<std::string>()(contents(each->path()));
        if (S_ISLNK(status.st_mode)) seen << fs::read_symlink(each->path()).string();
        all[each->path().string()] = seen.str();
    }
    return all;
}

void write_script(const fs::path& file, const std::string& text) {
    overwrite(file, text);
    fs::permissions(file, fs::perms::owner_all);
}

}  // namespace support
