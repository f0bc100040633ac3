// A function's arguments, while it is called for its expression.
#include <stage/stages.hpp>

#include <stage/stand_in.hpp>

namespace kiln::stage {

using namespace kiln::detail;

namespace {

/// Threads count the numbers that they capture each by itself, and a function may hold an expression of another thread: what
/// stands for a number has one that no thread comes to.
constexpr std::uint32_t first_stand_in = std::uint32_t{1} << 31;

}  // namespace

handle<term> arguments::add_array(element_type type, const shape& extents, detail::known_device* device) {
    handle<array_node> node = stand_in(type, extents);
    node.get()->device = device;
    arrays_[node.get()] = count_++;
    kept_.push_back(make_array_term(std::move(node), type));
    return kept_.back();
}

handle<term> arguments::add_number(element_type type, const void* value) {
    captures_[count_] = next_capture();
    return make_scalar_term(type, value, first_stand_in + static_cast<std::uint32_t>(count_++));
}

int arguments::array(const array_node& node) const {
    const auto found = arrays_.find(&node.storage());
    return found == arrays_.end() ? -1 : found->second;
}

int arguments::number(std::uint32_t capture) const {
    return capture < first_stand_in ? -1 : static_cast<int>(capture - first_stand_in);
}

}  // namespace kiln::stage
