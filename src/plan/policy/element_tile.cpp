#include <plan/policy/element_tile.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

using nest::value;

namespace {

constexpr int most_bytes = 16;  // that move at once

/// The operands of each group: of one type, as many as move at once.
std::vector<std::vector<std::size_t>> groups_of(const kernel& of, const std::function<bool(std::size_t)>& is_in) {
    std::vector<std::vector<std::size_t>> out;
    for (std::size_t i = 0; i < of.inputs.size(); ++i) {
        if (!is_in(i)) continue;
        const element_type type = of.inputs[i].type;
        const auto most = static_cast<std::size_t>(std::max(1, most_bytes / bytes_of(type)));
        const auto with_room = std::find_if(out.begin(), out.end(), [&](const std::vector<std::size_t>& each) {
            return of.inputs[each.front()].type == type && each.size() < most;
        });
        if (with_room != out.end()) with_room->push_back(i);
        else out.push_back({i});
    }
    return out;
}

nest::type type_of(const kernel& of, const std::vector<std::size_t>& group) {
    const element_type type = of.inputs[group.front()].type;
    const auto lanes = static_cast<int>(std::bit_ceil(group.size()));
    return lanes == 1 ? nest::types::element(type) : nest::types::vector(type, lanes);
}

}  // namespace

int tile_bytes(const kernel& of, const std::function<bool(std::size_t)>& is_in) {
    int out = 0;
    for (const std::vector<std::size_t>& each : groups_of(of, is_in))
        out += bytes_of(of.inputs[each.front()].type) * static_cast<int>(std::bit_ceil(each.size()));
    return out;
}

element_tile::element_tile(nest::builder& to, const kernel& of, const std::function<bool(std::size_t)>& is_in)
    : to_(to) {
    for (std::vector<std::size_t>& each : groups_of(of, is_in)) groups_.push_back({type_of(of, each), std::move(each)});
}

void element_tile::declare(int positions) {
    for (group& each : groups_) each.tile = to_.shared("tile", each.is, positions);
}

void element_tile::load(value position) {
    for (group& each : groups_) each.own = to_.let("of_row", each.is, to_.at(each.tile, position));
}

void element_tile::begin() {
    for (group& each : groups_) each.own = to_.variable("of_row", each.is);
}

void element_tile::take(value position) {
    for (const group& each : groups_) to_.assign(each.own, to_.at(each.tile, position));
}

void element_tile::fetch(const std::function<value(std::size_t)>& element) {
    for (const group& each : groups_)
        for (std::size_t i = 0; i < each.inputs.size(); ++i) to_.assign(lane(each, i), element(each.inputs[i]));
}

void element_tile::store(value position) {
    for (const group& each : groups_) to_.assign(to_.at(each.tile, position), each.own);
}

value element_tile::element(std::size_t input) {
    for (const group& each : groups_) {
        const auto found = std::find(each.inputs.begin(), each.inputs.end(), input);
        if (found != each.inputs.end()) return lane(each, static_cast<std::size_t>(found - each.inputs.begin()));
    }
    return {};
}

value element_tile::lane(const group& of, std::size_t number) {
    return of.inputs.size() == 1 ? of.own : to_.lane(of.own, number);
}

}  // namespace kiln::plan
