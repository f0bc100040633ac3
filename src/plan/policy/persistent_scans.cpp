// Scans of rows that stay on chip: to the bit what a scan of such rows by itself (plan/row_scans.hpp) makes. There a row's groups of
// neighbours have a lane each; here a thread has several of them, and takes those of its own from its registers and the others by shuffles.
#include <plan/policy/persistent_rows.hpp>

#include <plan/row_scans.hpp>
#include <text/format.hpp>

namespace kiln::plan {

using lower::step;
using nest::value;
namespace types = nest::types;

namespace {

/// Groups of one row, each of neighbouring elements of one thread, as what they come to: how one reaches those some groups before it.
class groups_of_row {
public:
    /// `lanes` neighbouring threads have `items` items each, of `in_item` groups.
    groups_of_row(nest::builder& to, value thread, value lane, int lanes, int items, int in_item, int set)
        : to_(to), thread_(thread), lane_(lane), lanes_(lanes), items_(items), in_item_(in_item), set_(set) {
        of_ = to.own("groups", types::accumulators(set), count());
    }

    /// Of a thread.
    [[nodiscard]] int count() const { return items_ * in_item_; }
    [[nodiscard]] value of(int group) { return to_.at(of_, group); }

    /// What the group `apart` before each of the thread's comes to, and whether there is one: no value where there never is.
    struct before {
        value is_there;  // no value where there always is
        value other;
    };
    std::vector<before> all_before(int apart) {
        std::vector<before> out;
        for (int item = 0; item < items_; ++item)
            for (int group = 0; group < in_item_; ++group) {
                const int back = apart < in_item_ ? group < apart : apart / in_item_;  // lanes
                const int there = apart < in_item_ ? (group - apart + in_item_) % in_item_ : group;
                out.push_back(before_of(item, there, back));
            }
        shuffled_.clear();
        return out;
    }

    /// Each becomes what it and all groups before it come to: of one, two, four groups and so on.
    void scan() {
        for (int apart = 1; apart < lanes_ * count(); apart *= 2) {
            const std::vector<before> all = all_before(apart);
            for (int group = 0; group < count(); ++group)
                when_there(all[static_cast<std::size_t>(group)],
                           [&](value other) { to_.assign(of(group), to_.combine(other, of(group))); });
        }
    }

    template <class Then>
    void when_there(const before& which, Then then) {
        if (!which.other.is_there()) return;
        if (which.is_there.is_there()) to_.when(which.is_there, [&] { then(which.other); });
        else then(which.other);
    }

private:
    /// Group `there` of the item so many lanes before this thread's: of one round of lanes more, the item before.
    before before_of(int item, int there, int back) {
        const int items_back = back / lanes_;
        const int lanes_back = back % lanes_;
        const auto held = [&](int of_item) {
            return to_.let("held", types::accumulators(set_), of(of_item * in_item_ + there));
        };
        item -= items_back;
        if (lanes_back == 0) return item < 0 ? before{} : before{{}, held(item)};
        if (item < 0) return {};
        const value near = from_lane(item, there, lanes_back);
        if (item == 0) return {lane_ >= lanes_back, near};
        const value far = from_lane(item - 1, there, lanes_back);
        const value other = to_.variable("other", types::accumulators(set_), far);
        to_.when(lane_ >= lanes_back, [&] { to_.assign(other, near); });
        return {{}, other};
    }

    value from_lane(int item, int there, int lanes_back) {
        const auto key = static_cast<std::size_t>(item * in_item_ + there);
        if (shuffled_.size() <= key) shuffled_.resize(static_cast<std::size_t>(count()));
        value& out = shuffled_[key];
        if (out.is_there()) return out;
        const value first = thread_ & (warp - lanes_);
        const value source = to_.let("source", types::small, first + ((lane_ - lanes_back) & (lanes_ - 1)));
        return out = to_.let("shuffled", to_.shuffle(of(static_cast<int>(key)), source));
    }

    nest::builder& to_;
    const value thread_, lane_;
    const int lanes_, items_, in_item_, set_;
    nest::id of_ = nest::none;
    std::vector<value> shuffled_;  // of the thread's groups, in one step
};

}  // namespace

void persistent_rows_policy::set_scans() {
    scan_sets_.assign(phases_.phase.size(), -1);
    std::size_t number = 0;
    each_step([&](const step& each, value_id, int) { number += each.code == operation::reduce && !each.scans; });
    each_step([&](const step& each, value_id result, int) {
        if (!each.scans) return;
        reduction_set set{.members = {}, .suffix = text::format("_scan{}", number), .finishes = false};
        set.members.push_back({number++, {each.reduces, each.operands, each.result}});
        scan_sets_[at(result)] = to_.set(std::move(set));
    });
}

bool persistent_rows_policy::scans(int phase) const {
    bool out = false;
    each_scan(phase, [&](const step&, value_id) { out = true; });
    return out;
}

std::size_t persistent_rows_policy::scan_number(value_id scan) {
    return to_.made().sets[static_cast<std::size_t>(scan_set(scan))].members.front().number;
}

void persistent_rows_policy::begin_scan(value_id scan) {
    const int set = scan_set(scan);
    const int count = of_.items_per_thread * width();
    kept_[at(scan)] = to_.own("row_" + name_of(scan), types::accumulators(set), count);
    to_.unrolled("e", count, [&](value e) { to_.assign(to_.at(kept_[at(scan)], e), to_.identity(set)); });
}

void persistent_rows_policy::scan_row(value_id scan) {
    const int set = scan_set(scan);
    const int neighbours = scan_neighbours(program_.type_of(scan), width());
    const int count = of_.items_per_thread * width();
    const auto element = [&](int number) { return to_.at(kept_[at(scan)], number); };
    const auto append = [&](value before, int number) {
        to_.assign(element(number), to_.combine(before, element(number)));
    };
    if (of_.threads_per_output == 1) {
        append(to_.identity(set), 0);
        for (int number = 1; number < count; ++number) append(element(number - 1), number);
        return;
    }
    groups_of_row groups(to_, threads_.thread, threads_.lane, of_.threads_per_output, of_.items_per_thread,
                         width() / neighbours, set);
    for (int group = 0; group < groups.count(); ++group) {
        const int first = group * neighbours;
        for (int number = first + 1; number < first + neighbours; ++number) append(element(number - 1), number);
        to_.assign(groups.of(group), element(first + neighbours - 1));
    }
    groups.scan();
    const std::vector<groups_of_row::before> all = groups.all_before(1);
    for (int group = 0; group < groups.count(); ++group) {
        const value ahead = to_.variable("ahead", types::accumulators(set), to_.identity(set));
        groups.when_there(all[static_cast<std::size_t>(group)],
                          [&](value other) { to_.assign(ahead, to_.combine(ahead, other)); });
        for (int number = group * neighbours; number < (group + 1) * neighbours; ++number) append(ahead, number);
    }
}

}  // namespace kiln::plan
