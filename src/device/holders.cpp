#include <device/holders.hpp>

#include <process/fork.hpp>
#include <text/format.hpp>

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace kiln::backend {

using kiln::detail::array_node;
using kiln::detail::known_device;

namespace {

constexpr std::size_t most_told = 6;

constinit std::mutex listing;
constinit const array_node* first_holder = nullptr;
const process::fork_participant held{process::fork_order::memory, [] { listing.lock(); }, [] { listing.unlock(); }};

struct held_alike {
    std::string what;
    std::size_t count = 0;
    std::size_t bytes = 0;  // of all
};

/// The largest first.
std::vector<held_alike> held_on(const known_device& on) {
    std::map<std::string, held_alike> alike;
    {
        const std::lock_guard lock(listing);
        for (const array_node* each = first_holder; each; each = each->next_holder) {
            if (each->device != &on) continue;
            std::string what = text::format("{} {}", info(each->type).name, to_string(each->extents));
            held_alike& of = alike[what];
            of.what = std::move(what);
            ++of.count;
            of.bytes += each->allocated_bytes;
        }
    }
    std::vector<held_alike> out;
    for (auto& [what, each] : alike) out.push_back(std::move(each));
    std::sort(out.begin(), out.end(), [](const held_alike& a, const held_alike& b) { return a.bytes > b.bytes; });
    return out;
}

}  // namespace

void note_holder(const array_node& owner) noexcept {
    const std::lock_guard lock(listing);
    owner.next_holder = first_holder;
    owner.previous_holder = nullptr;
    if (first_holder) first_holder->previous_holder = &owner;
    first_holder = &owner;
}

void forget_holder(const array_node& owner) noexcept {
    const std::lock_guard lock(listing);
    (owner.previous_holder ? owner.previous_holder->next_holder : first_holder) = owner.next_holder;
    if (owner.next_holder) owner.next_holder->previous_holder = owner.previous_holder;
}

std::string holders_of(const known_device& on) {
    const std::vector<held_alike> all = held_on(on);
    if (all.empty()) return "";
    std::size_t bytes = 0;
    for (const held_alike& each : all) bytes += each.bytes;
    std::string out = text::format(" Arrays of 1 MiB and more hold {} bytes:", bytes);
    for (std::size_t i = 0; i < std::min(all.size(), most_told); ++i)
        out += text::format("{} {} of {}, {} bytes", i ? ";" : "", all[i].count, all[i].what, all[i].bytes);
    if (all.size() > most_told) out += text::format("; {} other shapes", all.size() - most_told);
    return out + '.';
}

}  // namespace kiln::backend
