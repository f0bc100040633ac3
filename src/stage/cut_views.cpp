#include <stage/cut_views.hpp>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

/// Terms that one kernel may come to by what its views see. Source: 1,000 additions compile in 1.4 s.
constexpr int most_terms = 1000;
constexpr int most_steps = 16;  // kernels have half as many again for views of views

/// Who looks at a term.
struct onlookers {
    int views = 0;
    bool is_used = false;  // as it is, too, by what may itself be seen again
    std::int64_t elements = 0;
    std::int64_t seen_elements = 0;  // by all views together
};

/// What there is of a term once views have been seen through, down to what is cut.
struct amount {
    int terms = 0;  // no more than most_terms are counted
    int steps = 0;  // on the way to an element of the leaf that is farthest (capture/index_map.hpp)
};

class counter {
public:
    explicit counter(const std::unordered_set<const term*>& cut) : cut_(cut) {}

    /// Of what a view sees, once those that it needs were counted.
    amount below(const term& root) {
        term_table met;
        std::vector<const term*> waiting{&root};
        amount out;
        while (!waiting.empty() && out.terms <= most_terms) {
            const term* const each = waiting.back();
            waiting.pop_back();
            if (met.find(each)) continue;
            met.insert(each, met.size());
            ++out.terms;
            if (each->what == term::kind::reduced || (each != &root && cut_.count(each))) continue;
            const int steps = steps_to_elements(*each);
            out.steps = std::max(out.steps, steps);
            if (each->what == term::kind::viewed) {
                const term* subject = each;
                while (subject->what == term::kind::viewed) {
                    if (subject->arg_count > 1) waiting.push_back(subject->args[1].get());
                    subject = subject->args[0].get();
                }
                if (const auto seen = amounts_.find(subject); seen != amounts_.end() && !cut_.count(subject)) {
                    out.terms += seen->second.terms;
                    out.steps = std::max(out.steps, seen->second.steps + steps);
                }
                continue;
            }
            for (int i = 0; i < each->arg_count; ++i) waiting.push_back(each->args[i].get());
        }
        return amounts_[&root] = out;
    }

private:
    const std::unordered_set<const term*>& cut_;
    std::unordered_map<const term*, amount> amounts_;
};

}  // namespace

bool is_view_of_terms(const term& of) { return of.what == term::kind::viewed && !stops_views(*of.args[0].get()); }

std::vector<const term*> cut_views(const std::vector<handle<term>>& roots) {
    std::unordered_map<const term*, onlookers> seen;
    std::vector<const term*> subjects;  // each after those that it needs
    std::vector<const term*> staged;
    std::unordered_set<const term*> in_free_positions;  // made of positions along an axis of whatever they meet
    term_table met;
    const auto visit = [&](const term& each) {
        if (each.has_stages) staged.push_back(&each);
        const auto is_free = [&](const handle<term>& arg) { return in_free_positions.count(arg.get()) > 0; };
        if (each.what == term::kind::free_position ||
            (!stops_views(each) && std::any_of(each.args, each.args + each.arg_count, is_free)))
            in_free_positions.insert(&each);
        if (!is_view_of_terms(each)) return;
        onlookers& of = seen[each.args[0].get()];
        if (of.views++ == 0) subjects.push_back(each.args[0].get());
        of.elements = each.view->from.size();
        of.seen_elements += each.view->to.size();
    };
    for (const handle<term>& root : roots)
        each_term(
            root.get(), met, [](const term&) { return false; }, visit);

    const auto use = [&seen](const term* of) {
        if (const auto found = seen.find(of); found != seen.end()) found->second.is_used = true;
    };
    for (const term* const each : staged)
        for (int i = is_view_of_terms(*each) ? 1 : 0; i < each->arg_count; ++i) use(each->args[i].get());
    for (const handle<term>& root : roots) use(root.get());

    std::unordered_set<const term*> cut;
    counter terms(cut);
    std::vector<const term*> out;
    for (const term* const subject : subjects) {
        const onlookers& of = seen.at(subject);
        const amount seen_through = terms.below(*subject);
        // As it is, it has positions of what it meets; an array would have its own.
        if (of.is_used && in_free_positions.count(subject)) continue;
        const bool is_seen_again = of.views > 1 || of.is_used;
        // Where views see a few of its elements, the others are not computed.
        const bool pays = of.is_used || of.seen_elements >= of.elements;
        if (seen_through.terms <= most_terms && seen_through.steps <= most_steps && !(is_seen_again && pays)) continue;
        cut.insert(subject);
        out.push_back(subject);
    }
    return out;
}

}  // namespace kiln::stage
