// tests/jit_cache/tool/tool_support: kiln-cache as a program, over folders that a test has filled.
// in: words, keys   out: what it printed and how it ended   knows nothing of: doctest's cases
#pragma once

#include "support.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace support {

using nlohmann::json;

/// The path of the program under test.
[[nodiscard]] std::string tool_path();
/// The root of the sources of this build, without a slash at the end.
[[nodiscard]] std::string source_folder();

/// kiln-cache --dir `directory` `words`...
[[nodiscard]] finished tool(const fs::path& directory, std::vector<std::string> words,
                            const std::vector<std::string>& environment = {});

/// The same with --json: what it printed, checked to be one object, after its exit code was checked.
[[nodiscard]] json tool_json(const fs::path& directory, std::vector<std::string> words, int exit_code = 0,
                             const std::vector<std::string>& environment = {});

/// Publishes an entry as a program does.
void put(const fs::path& directory, const jit_cache::key& key, const jit_cache::artifact& value);
/// Writes an entry's file without a store: some 20 us each.
void write_entry(const fs::path& directory, const jit_cache::key& key, const jit_cache::artifact& value);

[[nodiscard]] std::string name_of(const jit_cache::key& key);
[[nodiscard]] fs::path path_of(const fs::path& directory, const jit_cache::key& key);

/// A key such as kiln's, of that expression, source and target.
[[nodiscard]] jit_cache::key key_for(const std::string& expression, const std::string& source,
                                     const std::string& target = "sm_90");
/// With every fact that kiln writes.
[[nodiscard]] jit_cache::artifact full_artifact(const std::string& label = "five x");

[[nodiscard]] bool holds(std::string_view text, std::string_view part);
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

/// The names of an object's fields, and of the objects below it, each once.
[[nodiscard]] std::vector<std::string> field_names(const json& value);

/// Whether all of it is UTF-8 without control characters but line feeds and tabs.
[[nodiscard]] bool is_harmless(const std::string& text);

/// Everything that a look could have changed: names, kinds, sizes, times, modes, bytes.
using snapshot = std::map<std::string, std::string>;
[[nodiscard]] snapshot snapshot_of(const fs::path& folder);

/// An executable script, private to the user.
void write_script(const fs::path& file, const std::string& text);

}  // namespace support
