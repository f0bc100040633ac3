// jit_cache/relatives: one folder's names, filtered by their first digits, then by their keys.
#include "relatives.hpp"

#include "differences.hpp"
#include "hints.hpp"

#include <jit_cache/folder.hpp>

#include <algorithm>
#include <cstdlib>

namespace jit_cache {

namespace {

constexpr std::size_t family_digits = 8;
constexpr std::size_t member_digits = 16;

// An expression may have hundreds of kernels; those of the same source, which come first, say more.
constexpr std::size_t most_keys_read = 6;

std::vector<std::string> names_like(const file_descriptor& shard, std::string_view digits, std::size_t compared) {
    std::vector<std::string> names = names_in(shard);
    std::erase_if(names, [&](const std::string& name) {
        return !is_entry_name(name) || !name.starts_with(digits.substr(0, compared)) || name == digits;
    });
    return names;
}

std::string_view fact_of(const artifact& of, std::string_view name) {
    for (const fact& one : of.facts)
        if (one.name == name) return one.value;
    return {};
}

long long created(const relative& one) {
    return std::atoll(std::string(fact_of(one.content.value, "created")).c_str());
}

}  // namespace

explanation explain_miss(const file_descriptor& store_folder, hash128 name, access how) {
    explanation result;
    const hints known = read_hints(store_folder, name);
    if (known.evicted) result.why = miss_reason::evicted;
    if (known.evicted || known.none_is_stored) return result;
    if (known.nearest && known.nearest != name) {
        result.relatives = {to_hex(*known.nearest)};
    } else {
        const std::string digits = to_hex(name);
        const std::string path = std::string(format_folder) + '/' + digits.substr(0, 2);
        const opened_folder shard = open_shard(store_folder, path, how);
        if (!shard.folder) return result;
        result.relatives = names_like(shard.folder, digits, family_digits);
        // Those of the same source first.
        std::stable_partition(result.relatives.begin(), result.relatives.end(), [&](const std::string& one) {
            return one.compare(0, member_digits, digits, 0, member_digits) == 0;
        });
        result.relatives.resize(std::min(result.relatives.size(), most_keys_read));
    }
    if (!result.relatives.empty()) result.why = miss_reason::other_fields;
    return result;
}

std::vector<field_difference> fewest_differences(const file_descriptor& shard,
                                                 const std::vector<std::string>& relatives, const key& wanted,
                                                 access how) {
    std::vector<field_difference> fewest;
    for (const std::string& one : relatives) {
        const file_reading read = read_description(shard, one, how);
        if (read.state != file_state::good) continue;
        std::vector<field_difference> differences = differences_between(read.content.stored_key, wanted);
        if (fewest.empty() || differences.size() < fewest.size()) fewest = std::move(differences);
    }
    return fewest;
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
