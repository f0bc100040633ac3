#include <capture/reduction_table.hpp>
#include <process/fork.hpp>
#include <process/immortal.hpp>

#include <capture/function_table.hpp>
#include <capture/term.hpp>

#include <kiln/function.hpp>
#include <kiln/user_reduction.hpp>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>

namespace kiln::inline v0_1::detail {

namespace {

struct reduction_table {
    std::mutex mutex;
    std::deque<reduction_definition> reductions;  // a deque's elements stay where they are
};

constinit process::immortal<reduction_table> known_reductions;

const process::fork_participant reductions_held{process::fork_order::tables, [] { known_reductions().mutex.lock(); },
                                                [] { known_reductions().mutex.unlock(); }};

}  // namespace

const reduction_definition& reduction_at(std::uint64_t number) {
    reduction_table& all = known_reductions();
    const std::lock_guard lock(all.mutex);
    return all.reductions.at(static_cast<std::size_t>(number) - 1);
}

const char* name_of(reduction_kind what, std::uint64_t definition) {
    if (what == reduction_kind::user) return function_at(reduction_at(definition).function).name.c_str();
    return info(what).name;
}

std::uint64_t define_reduction(std::string_view name, element_type type, const void* identity, std::string_view left,
                               std::string_view right, std::string_view body, std::initializer_list<header> headers) {
    const element_type types[] = {type, type};
    reduction_definition made;
    made.function = define_function(name, type, types, 2, {left, right}, body, headers);
    std::memcpy(made.identity, identity, static_cast<std::size_t>(bytes_of(type)));
    reduction_table& all = known_reductions();
    const std::lock_guard lock(all.mutex);
    const auto found = std::find(all.reductions.begin(), all.reductions.end(), made);
    if (found == all.reductions.end()) {
        all.reductions.push_back(made);
        return all.reductions.size();
    }
    return static_cast<std::uint64_t>(found - all.reductions.begin()) + 1;
}

handle<term> make_user_reduction_term(std::uint64_t number, handle<term> of, const axis_list& over, bool keep) {
    const element_type type = of.get()->type;
    handle<term> made = make_reduction_term(reduction_kind::user, type, std::move(of), over, keep);
    made.get()->bits[0] = number;
    return made;
}

}  // namespace kiln::inline v0_1::detail
