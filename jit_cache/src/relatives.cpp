// jit_cache/relatives: one folder's names, filtered by their first digits, then by their keys.
#include "relatives.hpp"

#include "evicted_names.hpp"

#include <algorithm>
#include <cstdlib>

namespace jit_cache {

namespace {

constexpr std::size_t family_digits = 8;
constexpr std::size_t member_digits = 16;

// An expression may have hundreds of kernels; those of the same source, which come first, say more.
constexpr std::size_t most_keys_read = 6;

// What a person reads in one line. Sources are longer.
constexpr std::size_t longest_value = 300;

std::vector<std::string> names_like(const file_descriptor& shard, std::string_view digits, std::size_t compared) {
    std::vector<std::string> names = names_in(shard);
    std::erase_if(names, [&](const std::string& name) {
        return !is_entry_name(name) || !name.starts_with(digits.substr(0, compared)) || name == digits;
    });
    return names;
}

std::string shown(std::string_view value) { return value.size() <= longest_value ? std::string(value) : std::string(); }

std::string_view fact_of(const artifact& of, std::string_view name) {
    for (const fact& one : of.facts)
        if (one.name == name) return one.value;
    return {};
}

long long created(const relative& one) {
    return std::atoll(std::string(fact_of(one.content.value, "created")).c_str());
}

}  // namespace

std::vector<field_difference> differences_between(const key& stored, const key& wanted) {
    std::vector<field_difference> differences;
    for (const auto& [name, value] : wanted.fields()) {
        const std::optional<std::string_view> there = stored.field(name);
        if (there && *there == value) continue;
        differences.push_back(
            {.field = std::string(name), .stored = there ? shown(*there) : std::string(), .wanted = shown(value)});
    }
    return differences;
}

miss explain_miss(const file_descriptor& root, const key& wanted, hash128 name, access how) {
    miss result;
    if (was_evicted(root, name, how)) {
        result.why = miss_reason::evicted;
        return result;
    }
    const std::string digits = to_hex(name);
    const opened_folder shard = open_shard(root, std::string_view(digits).substr(0, 2), how);
    if (!shard.folder) return result;
    std::vector<std::string> names = names_like(shard.folder, digits, family_digits);
    // Those of the same source first.
    std::stable_partition(names.begin(), names.end(), [&](const std::string& one) {
        return one.compare(0, member_digits, digits, 0, member_digits) == 0;
    });
    names.resize(std::min(names.size(), most_keys_read));
    for (const std::string& one : names) {
        const file_reading read = read_description(shard.folder, one, how);
        if (read.state != file_state::good) continue;
        std::vector<field_difference> differences = differences_between(read.content.stored_key, wanted);
        if (result.why == miss_reason::other_fields && differences.size() >= result.differences.size()) continue;
        result.why = miss_reason::other_fields;
        result.differences = std::move(differences);
    }
    return result;
}

std::vector<relative> relatives_but_for(const file_descriptor& root, const key& wanted, hash128 name,
                                        std::string_view free_field, access how) {
    std::vector<relative> found;
    const std::string digits = to_hex(name);
    const opened_folder shard = open_shard(root, std::string_view(digits).substr(0, 2), how);
    if (!shard.folder) return found;
    for (std::string& one : names_like(shard.folder, digits, member_digits)) {
        file_reading read = read_entry(shard.folder, one, how);
        if (read.state != file_state::good) continue;
        const std::vector<field_difference> differences = differences_between(read.content.stored_key, wanted);
        if (differences.size() == 1 && differences.front().field == free_field)
            found.push_back({std::move(one), std::move(read.content)});
    }
    std::sort(found.begin(), found.end(), [](const relative& left, const relative& right) {
        const long long a = created(left);
        const long long b = created(right);
        return a != b ? a > b : left.name > right.name;
    });
    return found;
}

}  // namespace jit_cache
