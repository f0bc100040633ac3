// jit_cache/differences: the wanted key's fields, one after the other.
#include "differences.hpp"

#include "bytes.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace jit_cache {

namespace {

// A compiler's options, of which a person reads those that differ. Sources are longer.
constexpr std::size_t longest_value = 4000;

std::string shown(std::string_view value) { return value.size() <= longest_value ? std::string(value) : std::string(); }

}  // namespace

std::vector<field_difference> differences_between(const key& stored, const key& wanted) {
    std::vector<std::pair<std::string_view, std::string_view>> fields;
    static_cast<void>(for_each_field(stored.bytes(), [&](std::string_view name, std::string_view value) {
        fields.emplace_back(name, value);
        return true;
    }));
    std::vector<field_difference> differences;
    std::size_t position = 0;
    static_cast<void>(for_each_field(wanted.bytes(), [&](std::string_view name, std::string_view value) {
        // A name may stand twice: then the one in the same place is meant.
        std::optional<std::string_view> there = stored.field(name);
        if (position < fields.size() && fields[position].first == name) there = fields[position].second;
        ++position;
        if (!there || *there != value)
            differences.push_back(
                {.field = std::string(name), .stored = there ? shown(*there) : std::string(), .wanted = shown(value)});
        return true;
    }));
    return differences;
}

}  // namespace jit_cache
