// kiln-cache/doctor_settings: the table of the environment against the environment.
#include "doctor.hpp"

#include "environment.hpp"

#include <jit_cache/printable.hpp>
#include <jit_cache/trust.hpp>

#include <fmt/format.h>

namespace kiln_cache {

namespace trust = jit_cache::trust;
using jit_cache::printable;

void check_settings(report& into) {
    json list = json::array();
    for (const setting& one : all_settings()) {
        const std::string name(one.name);
        const std::string value = trust::environment(name.c_str());
        const bool is_ignored = trust::is_ignored(name.c_str());
        const std::string why = value.empty() ? "" : why_not_taken(one, value);
        const std::string unset = without_backticks(one.unset);
        list.push_back({{"name", name},
                        {"value", value.empty() ? json(nullptr) : json(printable(value))},
                        {"from", value.empty() ? "default" : "environment"},
                        {"default", unset},
                        {"meaning", without_backticks(one.meaning)},
                        {"ignored", is_ignored},
                        {"wrong", why.empty() ? json(nullptr) : json(why)}});
        if (is_ignored) {
            into.line(name, "ignored: this program runs with raised privileges");
        } else if (value.empty()) {
            into.line(name, "unset: " + unset);
        } else {
            into.line(name, "= " + printable(value));
        }
        if (!why.empty()) into.wrong(fmt::format("{}={} {}", name, printable(value), why));
    }
    into.data()["settings"] = std::move(list);
    json unread = json::array();
    for (const std::string& name : unread_variables()) {
        unread.push_back(printable(name));
        into.line(printable(name), "is set, and no variable that kiln reads");
    }
    into.data()["unread"] = std::move(unread);
    into.data()["raised_privileges"] = trust::has_raised_privileges();
}

}  // namespace kiln_cache
