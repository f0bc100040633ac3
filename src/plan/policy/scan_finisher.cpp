#include <plan/policy/scan_finisher.hpp>

#include <plan/policy/part_of_body.hpp>

#include <algorithm>
#include <map>
#include <string>

namespace kiln::plan {

using lower::value_id;
using nest::value;
namespace types = nest::types;

scan_finisher::scan_finisher(nest::builder& to, const scan_step& of, nest::id result)
    : to_(to), of_(of), finish_(of.totals_only ? nullptr : of.finish.get()), results_{result} {
    if (!finish_) return;
    const kernel& all = finish_->steps->all;
    for (const parameter& each : signature_of(*finish_)) {
        const auto index = static_cast<std::size_t>(each.index);
        const std::string number = std::to_string(each.index);
        if (each.what == role::input || each.what == role::position) besides_.resize(index + 1);
        switch (each.what) {
            case role::output:
                results_.push_back(
                    to.memory_parameter(each, "to" + number, types::element(all.outputs[index].type), true));
                break;
            case role::input:
                besides_[index].memory = to.memory_parameter(each, "beside" + number, type_of(index), false);
                to.made().memories.back().stays = true;
                break;
            case role::position:
                besides_[index].first = to.number_parameter(each, "first" + number, types::position);
                break;
            case role::scan_beside_outer:
                besides_[index].outer = to.number_parameter(each, "outer_stride" + number, types::word);
                break;
            case role::scan_beside_count:
                besides_[index].count = to.number_parameter(each, "stride" + number, types::word);
                break;
            case role::scan_beside_inner:
                besides_[index].inner = to.number_parameter(each, "inner_stride" + number, types::word);
                break;
            case role::scalar:
                scalars_.push_back(to.number_parameter(
                    each, "s" + number, types::element(finish_->steps->program.type_of(all.scalars[index]))));
                break;
            default: break;  // the scan's
        }
    }
    std::vector<value_id> wanted;
    for (const operand& each : all.outputs) wanted.push_back(each.value);
    made_ = part_of_body(finish_->steps->program, all, "finished", wanted);
    if (!made_.outputs.empty()) body_ = to.body(made_);
}

int scan_finisher::bytes_along() const {
    constexpr int of_register = 4;
    int out = 0;
    for (std::size_t i = 0; i < besides_.size(); ++i)
        if (changes(i)) out += std::max(of_register, bytes_of(finish_->beside(i).type));
    return out;
}

void scan_finisher::begin_line(value o, value i) {
    for (std::size_t beside = 0; beside < besides_.size(); ++beside) {
        array_beside& each = besides_[beside];
        const std::string number = std::to_string(beside);
        const value first = o * each.outer;
        each.base = to_.let("base" + number, i.is_there() ? first + i * each.inner : first);
        if (!changes(beside)) each.stayed = to_.let("stayed" + number, element(beside, each.base));
    }
}

value scan_finisher::element(std::size_t i, value place) {
    const array_beside& each = besides_[i];
    if (!finish_->beside(i).is_position) return to_.at(each.memory, place);
    return each.first + to_.convert(place, types::position);
}

value scan_finisher::place(std::size_t i, value place_in_line) {
    const array_beside& each = besides_[i];
    const bool are_neighbours = finish_->walk(i) == beside_walk::neighbour;
    return each.base + (are_neighbours ? place_in_line : place_in_line * each.count);
}

scan_finisher::elements scan_finisher::room(int count) {
    elements out(besides_.size(), nest::none);
    for (std::size_t i = 0; i < besides_.size(); ++i)
        if (changes(i)) out[i] = to_.own("loaded" + std::to_string(i), type_of(i), count);
    return out;
}

void scan_finisher::load(const elements& to, value number, value place_in_line) {
    for (std::size_t i = 0; i < besides_.size(); ++i)
        if (changes(i)) to_.assign(to_.at(to[i], number), element(i, place(i, place_in_line)));
}

void scan_finisher::take(const elements& to, const elements& from, int count) {
    if (reads_along())
        to_.unrolled("u", count, [&](value u) {
            for (std::size_t i = 0; i < besides_.size(); ++i)
                if (changes(i)) to_.assign(to_.at(to[i], u), to_.at(from[i], u));
        });
}

void scan_finisher::load_vector(const elements& to, value first, value place_in_line, int lanes) {
    for (std::size_t i = 0; i < besides_.size(); ++i) {
        if (!changes(i)) continue;
        if (!moves_in_vectors(i)) {
            to_.unrolled("k", lanes, [&](value k) {
                to_.assign(to_.at(to[i], first + k), element(i, place(i, place_in_line + k)));
            });
            continue;
        }
        const nest::type moved = types::vector(finish_->beside(i).type, lanes);
        const value read =
            to_.let("read" + std::to_string(i), to_.at(besides_[i].memory, place(i, place_in_line), moved));
        to_.unrolled("k", lanes, [&](value k) { to_.assign(to_.at(to[i], first + k), to_.lane(read, k)); });
    }
}

value scan_finisher::are_aligned(value place_in_line, int lanes) {
    value out;
    for (std::size_t i = 0; i < besides_.size(); ++i) {
        if (!moves_in_vectors(i)) continue;
        const int bytes = std::min(16, bytes_of(finish_->beside(i).type) * lanes);
        const value each = to_.is_aligned(besides_[i].memory, place(i, place_in_line), bytes);
        out = out.is_there() ? out && each : each;
    }
    return out;
}

std::vector<value> scan_finisher::results_of(value scanned, const elements& loaded, value number) {
    if (!finish_) return {scanned};
    const kernel& all = finish_->steps->all;
    std::map<value_id, value> known{{all.inputs.front().value, scanned}};
    for (std::size_t i = 0; i < besides_.size(); ++i)
        known[finish_->beside(i).value] = changes(i) ? to_.at(loaded[i], number) : besides_[i].stayed;
    for (std::size_t i = 0; i < scalars_.size(); ++i) known[all.scalars[i]] = scalars_[i];
    if (body_ >= 0) {
        std::vector<value> read, made;
        for (const value_id each : made_.inputs) read.push_back(known.at(each));
        for (const value_id each : made_.outputs)
            made.push_back(to_.variable("t", types::element(finish_->steps->program.type_of(each))));
        to_.compute(read, made, body_);
        for (std::size_t i = 0; i < made.size(); ++i) known[made_.outputs[i]] = made[i];
    }
    std::vector<value> out;
    for (const operand& each : all.outputs) out.push_back(known.at(each.value));
    return out;
}

}  // namespace kiln::plan
