#include <capture/equal_reductions.hpp>

#include <capture/mixed.hpp>

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace kiln::inline v0_1::detail {

namespace {

bool same_axes(const axis_list& left, const axis_list& right) {
    return left.all() == right.all() && std::equal(left.begin(), left.end(), right.begin(), right.end());
}

bool same_reduction(const term& left, const term& right) {
    return left.reduces == right.reduces && left.bits[0] == right.bits[0] && left.scans == right.scans &&
           left.segments == right.segments && left.sorts == right.sorts && same_axes(left.over, right.over);
}

/// But for their operands.
bool same_value(const term& left, const term& right) {
    if (left.what != right.what || left.type != right.type || left.arg_count != right.arg_count ||
        left.bits[0] != right.bits[0] || left.bits[1] != right.bits[1])
        return false;
    switch (left.what) {
        case term::kind::array:
        case term::kind::position: return same_view(*left.node.get(), *right.node.get());
        case term::kind::free_position: return left.along == right.along;
        case term::kind::scalar: return left.capture != 0 && left.capture == right.capture;
        case term::kind::full: return left.extents == right.extents;
        case term::kind::constant:
        case term::kind::gather: return true;
        case term::kind::operation: return left.code == right.code;
        case term::kind::viewed: return *left.view == *right.view;
        case term::kind::reduced: return left.keeps_axes == right.keeps_axes && same_reduction(left, right);
    }
    return false;
}

/// Of reductions the same whether they keep their axes or not.
std::uint64_t hash_alone(const term& of) {
    std::uint64_t hash = mixed(
        0, static_cast<std::uint64_t>(of.what) | static_cast<std::uint64_t>(of.code) << 8 |
               static_cast<std::uint64_t>(of.type) << 24 | static_cast<std::uint64_t>(of.reduces) << 32 |
               static_cast<std::uint64_t>(of.scans) << 40 | static_cast<std::uint64_t>(of.sorts.what) << 41 |
               static_cast<std::uint64_t>(of.sorts.descending) << 43 | static_cast<std::uint64_t>(of.sorts.kept) << 44);
    hash = mixed(mixed(hash, of.bits[0]), of.capture);
    hash = mixed(hash, static_cast<std::uint64_t>(of.segments.count));
    if (of.node) hash = mixed(hash, std::bit_cast<std::uintptr_t>(of.node.get()->data));
    for (const int axis : of.over) hash = mixed(hash, static_cast<std::uint64_t>(axis));
    return hash;
}

/// Of each term of a walk, by its number, the first that is equal to it. Operands come before what is made of them, so
/// that theirs are known.
class first_equals {
public:
    explicit first_equals(const term_table& numbers) : numbers_(numbers) {}

    /// Takes in the walk's next term.
    void add(const term& of) {
        std::uint64_t hash = hash_alone(of);
        for (int i = 0; i < of.arg_count; ++i)
            hash = mixed(hash, static_cast<std::uint64_t>(at(*of.args[i].get()).first));
        const int number = static_cast<int>(known_.size());
        known_.push_back({&of, hash, number});
        if (2 * known_.size() > slots_.size()) grow();
        int& slot = find(known_.back());
        if (slot == none) slot = number;
        known_.back().first = slot;
    }

    [[nodiscard]] const term* of(const term& each) const { return known_[static_cast<std::size_t>(at(each).first)].of; }

private:
    struct known {
        const term* of;
        std::uint64_t hash;
        int first;
    };
    static constexpr int none = -1;

    [[nodiscard]] const known& at(const term& of) const {
        return known_[static_cast<std::size_t>(*numbers_.find(&of))];
    }

    [[nodiscard]] bool same(const known& left, const known& right) const {
        if (left.hash != right.hash || !same_value(*left.of, *right.of)) return false;
        for (int i = 0; i < left.of->arg_count; ++i)
            if (at(*left.of->args[i].get()).first != at(*right.of->args[i].get()).first) return false;
        return true;
    }

    /// Where the first that is equal to it stands, or belongs.
    int& find(const known& wanted) {
        std::size_t i = wanted.hash & (slots_.size() - 1);
        while (slots_[i] != none && !same(known_[static_cast<std::size_t>(slots_[i])], wanted))
            i = (i + 1) & (slots_.size() - 1);
        return slots_[i];
    }

    void grow() {
        slots_.assign(slots_.empty() ? 64 : 2 * slots_.size(), none);
        for (std::size_t i = 0; i + 1 < known_.size(); ++i)  // the last one has no place yet
            if (known_[i].first == static_cast<int>(i)) find(known_[i]) = known_[i].first;
    }

    const term_table& numbers_;
    std::vector<known> known_;
    std::vector<int> slots_;  // numbers of terms that are no other's equals, by hash
};

}  // namespace

bool may_be_equal(const std::vector<const term*>& reduced) {
    if (reduced.size() < 2) return false;
    std::vector<std::uint64_t> seen;
    seen.reserve(reduced.size());
    for (const term* const each : reduced) seen.push_back(mixed(hash_alone(*each), hash_alone(*each->args[0].get())));
    std::sort(seen.begin(), seen.end());
    return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
}

std::vector<handle<term>> with_equal_reductions_once(const std::vector<handle<term>>& roots) {
    term_table seen;
    first_equals first(seen);
    std::unordered_map<const term*, handle<term>> copies;
    const auto first_equal = [&](const handle<term>& of) {
        const term* const known = first.of(*of.get());
        const auto copy = copies.find(known);
        return copy == copies.end() ? share(known) : copy->second;
    };
    std::vector<handle<term>> out;
    for (const handle<term>& root : roots) {
        each_term(
            root.get(), seen, [](const term&) { return false; },
            [&](const term& of) {
                first.add(of);
                if (!of.has_stages || first.of(of) != &of) return;
                // Others stay as they are: lower/ knows.
                const auto instead_of = [&](const handle<term>& arg) {
                    return arg.get()->has_stages || of.what == term::kind::reduced ? first_equal(arg) : arg;
                };
                const bool stays = std::all_of(of.args, of.args + of.arg_count, [&](const handle<term>& arg) {
                    return instead_of(arg).get() == arg.get();
                });
                if (!stays) copies.emplace(&of, copy_with_operands(of, instead_of));
            });
        out.push_back(first_equal(root));
    }
    return out;
}

bool same_values(const term& left, const term& right) {
    return left.args[0].get() == right.args[0].get() && left.args[1].get() == right.args[1].get() &&
           same_reduction(left, right);
}

}  // namespace kiln::inline v0_1::detail
