#include <stage/scan_ends.hpp>

#include <capture/scan_beside.hpp>

#include <algorithm>
#include <unordered_set>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

bool is_cast(const term& of) { return of.what == term::kind::operation && of.code == operation::cast; }

/// Whether a view is of the same elements, along the axis from the last to the first.
bool is_flip(const term& of, int axis) {
    if (of.what != term::kind::viewed || of.arg_count != 1) return false;
    const view_spec& by = *of.view;
    if (by.how != view_spec::kind::affine || !(by.from == by.to)) return false;
    for (int each = 0; each < by.from.rank(); ++each) {
        const bool turns = each == axis;
        if (by.to_axis[each] != each) return false;
        if (by.from[each] == 1) continue;
        if (by.step[each] != (turns ? -1 : 1) || by.start[each] != (turns ? by.from[each] - 1 : 0)) return false;
    }
    return true;
}

/// Who reads terms, of a graph.
class readers {
public:
    explicit readers(const std::vector<handle<term>>& roots) : roots_(roots) {}

    /// The one that reads a term, which is no root; none: nullptr.
    [[nodiscard]] const term* only_reader(const term& of) const {
        if (is_root(of)) return nullptr;
        const std::vector<const term*> all = all_readers(of);
        return all.size() == 1 ? all.front() : nullptr;
    }
    [[nodiscard]] bool is_viewed(const term& of) const {
        const std::vector<const term*> all = all_readers(of);
        return std::any_of(all.begin(), all.end(), [](const term* each) { return each->what == term::kind::viewed; });
    }

private:
    [[nodiscard]] bool is_root(const term& of) const {
        return std::any_of(roots_.begin(), roots_.end(), [&](const auto& root) { return root.get() == &of; });
    }
    [[nodiscard]] std::vector<const term*> all_readers(const term& of) const {
        std::vector<const term*> out;
        term_table seen;
        const auto reads = [&](const term& each) {
            return std::any_of(each.args, each.args + each.arg_count,
                               [&](const handle<term>& arg) { return arg.get() == &of; });
        };
        for (const handle<term>& root : roots_)
            each_term(
                root.get(), seen, [](const term& each) { return !each.has_stages; },
                [&](const term& each) {
                    if (reads(each)) out.push_back(&each);
                });
        return out;
    }

    const std::vector<handle<term>>& roots_;
};

/// Each takes registers of all threads, or parameters; those of which a line has many elements are read ahead.
constexpr int most_arrays_beside = 6;
constexpr int most_bytes_along = 16;
constexpr int most_numbers = 8;
constexpr int most_operations = 64;
constexpr std::size_t most_results = 3;

}  // namespace

std::vector<const term*> made_of_elements(const term& scanned, const std::vector<handle<term>>& roots) {
    std::unordered_set<const term*> made{&scanned};
    bool is_seen_whole = false;
    term_table seen;
    for (const handle<term>& root : roots)
        each_term(
            root.get(), seen, [&](const term& each) { return !each.has_stages || &each == &scanned; },
            [&](const term& each) {
                const auto is_made = [&](const handle<term>& arg) { return made.count(arg.get()) > 0; };
                if (std::none_of(each.args, each.args + each.arg_count, is_made)) return;
                made.insert(&each);
                is_seen_whole = is_seen_whole || each.what != term::kind::operation || each.code == operation::call;
            });
    std::vector<const term*> out;
    for (const handle<term>& root : roots)
        if (made.count(root.get()) && std::find(out.begin(), out.end(), root.get()) == out.end())
            out.push_back(root.get());
    const bool is_all = out.size() == 1 && out.front() == &scanned;
    return is_seen_whole || is_all || out.size() > most_results ? std::vector<const term*>() : out;
}

bool may_finish(const std::vector<handle<term>>& stored, const array_node& value, const shape& of, int axis,
                bool reads_host) {
    bool may = true;
    std::unordered_set<const array_node*> arrays;
    int numbers = 0, operations = 0, bytes_along = 0;
    const auto is_beside = [&](const array_node& node) {
        const auto how = beside_scan(node, of, axis);
        if (how && how->count != 0) bytes_along += std::max(4, bytes_of(node.type));
        return how && (reads_host || node.owned != ownership::host_user);
    };
    const auto look = [&](const term& each) {
        switch (each.what) {
            case term::kind::array:
            case term::kind::position:
                if (each.node.get() == &value) break;
                if (arrays.insert(each.node.get()).second) may = may && is_beside(*each.node.get());
                break;
            case term::kind::scalar:
                may = may && bytes_of(each.type) <= 8;
                ++numbers;
                break;
            case term::kind::operation:
                may = may && each.code != operation::call;
                ++operations;
                break;
            case term::kind::full:
            case term::kind::constant: break;
            default: may = false;
        }
    };
    term_table seen;
    for (const handle<term>& each : stored) {
        each_term(
            each.get(), seen, [](const term&) { return false; }, look);
        may = may && !each.get()->has_stages && broadcast_leaves(each) == of;
    }
    return may && arrays.size() <= most_arrays_beside && bytes_along <= most_bytes_along && numbers <= most_numbers &&
           operations <= most_operations;
}

scan_operand uncast_operand(const handle<term>& of, element_type type) {
    const term& made = *of.get();
    const handle<term>& from = made.type == type && is_cast(made) ? made.args[0] : of;
    if (!is_plain_cast(from.get()->type, type)) return {of, {}};
    return {from, {.type = from.get()->type}};
}

bool is_backward(const array_node& node, const shape& of, int axis) noexcept {
    if (node.map || !(node.extents == of)) return false;
    std::int64_t stride = 1;
    for (int each = of.rank(); each-- > 0; stride *= of[each])
        if (of[each] > 1 && node.strides[each] != (each == axis ? -stride : stride)) return false;
    return of[axis] > 1;
}

scan_result written_result(const term& scan, int axis, const std::vector<handle<term>>& roots) {
    const readers of(roots);
    scan_result out{&scan, {}};
    const term* next = of.only_reader(scan);
    for (; next && is_flip(*next, axis); next = of.only_reader(*next)) out = {next, {.backward = !out.how.backward}};
    // Seen through a view, a cast is none of an array, but of the elements that are seen.
    if (next && is_cast(*next) && is_plain_cast(scan.type, next->type) && !of.is_viewed(*next)) {
        out.of = next;
        out.how.type = next->type;
    }
    return out;
}

}  // namespace kiln::stage
