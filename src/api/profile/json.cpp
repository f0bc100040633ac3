// A profile as JSON: all events, all fields, and each source once.
#include <api/profile/event_json.hpp>
#include <api/profile/texts.hpp>
#include <record/profile.hpp>
#include <text/format.hpp>

#include <kiln/profile.hpp>
#include <kiln/version.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

namespace kiln::inline v0_1 {

namespace {

/// Thousands of launches have one kernel's source.
class source_list {
public:
    std::optional<std::size_t> place_of(const profile_event& of) {
        if (!of.source) return {};
        const auto [place, is_new] = places_.try_emplace(*of.source, places_.size());
        if (is_new) json_ += (json_.empty() ? "\n" : ",\n") + detail::json_text(*of.source);
        return place->second;
    }
    [[nodiscard]] const std::string& json() const { return json_; }

private:
    std::unordered_map<std::string, std::size_t> places_;
    std::string json_;
};

}  // namespace

void profile::write_json(const std::string& path) const {
    detail::require_name(path, "write_json");
    source_list sources;
    std::string rows;
    for (const profile_event& each : events())
        rows += (rows.empty() ? "\n" : ",\n") + detail::whole_event_json(each, sources.place_of(each));
    detail::write_whole(
        path, text::format("{{\"kiln\": \"{}.{}.{}\", \"wall_ns\": {}, \"sources\": [{}], \"events\": [{}\n]}}\n",
                           KILN_VERSION_MAJOR, KILN_VERSION_MINOR, KILN_VERSION_PATCH, data_->wall_ns(), sources.json(),
                           rows));
}

}  // namespace kiln::inline v0_1
