#include <api/kept_stages.hpp>

#include <capture/mixed.hpp>
#include <capture/same_terms.hpp>
#include <device/arrays.hpp>
#include <evaluate.hpp>
#include <process/thread_state.hpp>

#include <kiln/options.hpp>

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace kiln::inline v0_1::detail {

namespace {

/// What stands for an array of a shape is a place of its own, aligned as allocations are.
bool may_stand_in(const array_node& storage) {
    constexpr std::uintptr_t alignment = 64;
    return storage.owned == ownership::owner && storage.device && storage.contiguous && !storage.map &&
           storage.extents.size() > 0 && std::bit_cast<std::uintptr_t>(storage.data) % alignment == 0;
}

/// Of two arrays, or views of some: whether plans see no difference.
bool same_layout(const array_node& left, const array_node& right) {
    const array_node& one = left.storage();
    const array_node& other = right.storage();
    return left.type == right.type && left.owned == right.owned && left.contiguous == right.contiguous &&
           left.extents == right.extents && left.data - one.data == right.data - other.data &&
           std::equal(left.strides, left.strides + left.extents.rank(), right.strides) &&
           (left.map && right.map ? *left.map == *right.map : left.map == right.map) && one.type == other.type &&
           one.device == other.device && one.extents == other.extents;
}

/// What a thread has met; the last ones.
struct stages_of_thread {
    static constexpr std::size_t most = 64;

    std::vector<std::shared_ptr<const kept_stages>> kept;
    std::vector<std::uint64_t> met_once;  // by their hashes
};

template <class T>
void add_last(std::vector<T>& to, T added) {
    if (to.size() == stages_of_thread::most) to.erase(to.begin());
    to.push_back(std::move(added));
}

std::shared_ptr<const kept_stages> make(const met_expression& met, const output* outputs, int output_count) {
    stage::arguments places;
    std::vector<handle<term>> roots = met.of_places(places);
    stage_sequence stages = stages_of(roots.data(), output_count, outputs, places);
    auto made = std::make_shared<kept_stages>(kept_stages{std::move(roots),
                                                          {},
                                                          &backend::current_known(),
                                                          thread_options.fuse,
                                                          thread_options.library,
                                                          std::move(stages)});
    return made->of.take(made->roots.data(), output_count) ? made : nullptr;
}

}  // namespace

bool met_expression::take(const handle<term>* roots, int root_count) {
    numbers_.clear();
    terms_.clear();
    roots_.clear();
    arguments_.clear();
    captures_.clear();
    hash_ = 0;
    bool all = true;
    for (int i = 0; i < root_count; ++i) {
        each_term(
            roots[i].get(), numbers_, [&](const term&) { return !all; },
            [&](const term& each) { all = all && add(each); });
        if (!all) return false;
        roots_.push_back(*numbers_.find(roots[i].get()));
        hash_ = mixed(hash_, static_cast<std::uint64_t>(roots_.back()));
    }
    return true;
}

bool met_expression::add(const term& of) {
    met added{&of, {}, -1};
    for (int i = 0; i < of.arg_count; ++i) added.args[i] = *numbers_.find(of.args[i].get());
    hash_ = mixed(hash_, static_cast<std::uint64_t>(of.what) | static_cast<std::uint64_t>(of.code) << 8 |
                             static_cast<std::uint64_t>(of.type) << 24 | static_cast<std::uint64_t>(of.reduces) << 32);
    for (int i = 0; i < of.arg_count; ++i) hash_ = mixed(hash_, static_cast<std::uint64_t>(added.args[i]));
    if (of.what == term::kind::array) {
        if (!may_stand_in(of.node.get()->storage())) return false;
        added.argument = argument_of(of.node.get()->storage());
        for (const std::int64_t extent : of.node.get()->extents)
            hash_ = mixed(hash_, static_cast<std::uint64_t>(extent));
    } else if (of.what == term::kind::scalar) {
        added.argument = argument_of(of);
    } else {
        hash_ = mixed(hash_, of.bits[0]);
    }
    terms_.push_back(added);
    return true;
}

int met_expression::argument_of(const array_node& storage) {
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (arguments_[i].array == &storage) return static_cast<int>(i);
    arguments_.push_back({&storage, storage.type, nullptr});
    captures_.push_back(0);
    return static_cast<int>(arguments_.size()) - 1;
}

/// A number that was written once is one argument, wherever it stands.
int met_expression::argument_of(const term& number) {
    for (std::size_t i = 0; i < arguments_.size(); ++i)
        if (number.capture != 0 && captures_[i] == number.capture && arguments_[i].type == number.type)
            return static_cast<int>(i);
    arguments_.push_back({nullptr, number.type, number.bits});
    captures_.push_back(number.capture);
    return static_cast<int>(arguments_.size()) - 1;
}

bool met_expression::is_like(const met_expression& other) const {
    if (hash_ != other.hash_ || roots_ != other.roots_ || terms_.size() != other.terms_.size()) return false;
    for (std::size_t i = 0; i < terms_.size(); ++i) {
        const met& one = terms_[i];
        const met& two = other.terms_[i];
        if (one.argument != two.argument || !std::equal(one.args, one.args + one.of->arg_count, two.args)) return false;
        if (one.of->what != two.of->what || one.of->type != two.of->type) return false;
        switch (one.of->what) {
            case term::kind::array:
                if (!same_layout(*one.of->node.get(), *two.of->node.get())) return false;
                break;
            case term::kind::scalar: break;
            default:
                if (!same_alone(*one.of, *two.of)) return false;
        }
    }
    return true;
}

std::vector<handle<term>> met_expression::of_places(stage::arguments& places) const {
    std::vector<handle<term>> arguments;
    for (const fused_argument& each : arguments_)
        arguments.push_back(each.array ? places.add_array(each.type, each.array->extents, each.array->device)
                                       : places.add_number(each.type, each.number));
    std::vector<handle<term>> made;
    std::unordered_map<const array_node*, handle<array_node>> views;  // of those of the expression
    for (const met& each : terms_) {
        if (each.argument < 0) {
            int next = 0;
            made.push_back(copy_with_operands(
                *each.of, [&](const handle<term>&) { return made[static_cast<std::size_t>(each.args[next++])]; }));
            continue;
        }
        // A term of its own, as it was, or the walk would have other numbers; but of the same view where it was the same.
        const term& whole = *arguments[static_cast<std::size_t>(each.argument)].get();
        const array_node* const node = each.of->node.get();
        if (!node || node == &node->storage()) {
            made.push_back(copy_without_operands(whole));
            continue;
        }
        handle<array_node>& view = views[node];
        if (!view) view = backend::moved_view(*node, whole.node);
        made.push_back(make_array_term(view, each.of->type));
    }
    std::vector<handle<term>> roots;
    for (const int root : roots_) roots.push_back(made[static_cast<std::size_t>(root)]);
    return roots;
}

std::shared_ptr<const kept_stages> find_stages(const met_expression& met, const output* outputs, int output_count) {
    auto& mine = process::thread_state<stages_of_thread, kept_stages>();
    const auto fits = [&](const std::shared_ptr<const kept_stages>& each) {
        return each->on == &backend::current_known() && each->fused == thread_options.fuse &&
               each->by_library == thread_options.library && each->of.is_like(met);
    };
    const auto found = std::find_if(mine.kept.begin(), mine.kept.end(), fits);
    if (found != mine.kept.end()) return *found;
    if (std::find(mine.met_once.begin(), mine.met_once.end(), met.hash()) == mine.met_once.end()) {
        add_last(mine.met_once, met.hash());
        return nullptr;
    }
    std::shared_ptr<const kept_stages> made = make(met, outputs, output_count);
    if (made) add_last(mine.kept, made);
    return made;
}

void forget_stages(const kept_stages& which) {
    auto& mine = process::thread_state<stages_of_thread, kept_stages>();
    std::erase_if(mine.kept, [&](const std::shared_ptr<const kept_stages>& each) { return each.get() == &which; });
}

}  // namespace kiln::inline v0_1::detail
