#include <lower/lower.hpp>

#include <lower/order.hpp>

#include <capture/function_table.hpp>

#include <algorithm>
#include <cstdint>
#include <unordered_map>

namespace kiln::lower {

namespace {

using detail::graph;

struct step_hash {
    std::size_t operator()(const step& of) const noexcept {
        std::uint64_t hash = static_cast<std::uint64_t>(of.code) << 16 | static_cast<std::uint64_t>(of.operands) << 8 |
                             static_cast<std::uint64_t>(of.result) | of.function << 24 |
                             static_cast<std::uint64_t>(of.reduces) << 56;
        for (const value_id arg : of.args) hash = (hash ^ static_cast<std::uint64_t>(arg + 1)) * 0x9e3779b97f4a7c15u;
        return hash ^ hash >> 29;
    }
};

class builder {
public:
    builder(const graph& from, const std::vector<int>& leaf_numbers, const std::vector<std::uint64_t>& baked,
            const std::vector<bool>& looked_up)
        : from_(from), leaf_numbers_(leaf_numbers), baked_(baked), looked_up_(looked_up) {}

    lowered run() {
        number_leaves();
        for (std::size_t i = 0; i < from_.nodes.size(); ++i) value_of_.push_back(lower_node(from_.nodes[i]));
        for (const graph::output& output : from_.outputs)
            code().outputs.push_back(converted(value_of_[static_cast<std::size_t>(output.node)], output.as));
        code().stored = from_.outputs;
        drop_dead_steps();
        constexpr std::size_t few = 64;  // which people read in the order that they wrote
        if (code().steps.size() > few) put_values_near_their_uses(code());
        return std::move(result_);
    }

private:
    program& code() { return result_.code; }

    // Values are numbered arrays, scalars, constants, steps; so the leaves are counted before the first step.
    void number_leaves() {
        for (const graph::node& node : from_.nodes) {
            if (node.kind == graph::node_kind::scalar) {
                number_scalar(node);
            } else if (node.kind == graph::node_kind::array || node.kind == graph::node_kind::position) {
                const auto number = static_cast<std::size_t>(number_at(node.slot));
                if (number >= code().arrays.size()) {
                    code().arrays.resize(number + 1);
                    code().is_position.resize(number + 1);
                }
                code().arrays[number] = node.type;
                code().is_position[number] = node.kind == graph::node_kind::position;
            } else if (node.kind == graph::node_kind::constant && constant_number(node) < 0) {
                code().constants.push_back({node.type, node.bits});
            }
        }
    }

    int number_at(int slot) const { return leaf_numbers_[static_cast<std::size_t>(slot)]; }

    void number_scalar(const graph::node& node) {
        const int is_copy_of = -2 - number_at(node.slot);
        if (is_copy_of >= 0) {
            const int earlier = scalar_at_.at(is_copy_of);
            if (code().scalars[static_cast<std::size_t>(earlier)] == node.type) {
                scalar_at_[node.slot] = earlier;
                return;
            }
        }
        scalar_at_[node.slot] = static_cast<int>(code().scalars.size());
        code().scalars.push_back(node.type);
        result_.scalar_slots.push_back(node.slot);
    }

    int constant_number(const graph::node& node) {
        const std::vector<constant>& known = code().constants;
        const auto found = std::find(known.begin(), known.end(), constant{node.type, node.bits});
        return found == known.end() ? -1 : static_cast<int>(found - known.begin());
    }

    value_id lower_node(const graph::node& node) {
        switch (node.kind) {
            case graph::node_kind::array:
            case graph::node_kind::position: return number_at(node.slot);
            case graph::node_kind::scalar: return code().scalar_value(scalar_at_.at(node.slot));
            case graph::node_kind::constant: return code().constant_value(constant_number(node));
            case graph::node_kind::full: return value_of_[static_cast<std::size_t>(node.args[0])];
            case graph::node_kind::gather: return lower_gather(node);
            case graph::node_kind::reduced: return lower_reduced(node);
            case graph::node_kind::operation: break;
        }
        return node.code == operation::call ? lower_call(node) : lower_operation(node);
    }

    value_id lower_call(const graph::node& node) {
        const std::uint64_t function = baked_[static_cast<std::size_t>(node.slot)];
        const detail::function_definition& called = detail::function_at(function);
        const std::vector<element_type>& parameters = called.parameter_types;
        if (called.assumes) {
            const value_id value = converted(value_of_[static_cast<std::size_t>(node.args[0])], parameters[0]);
            const assumption said{value, called.assumes->low, called.assumes->high};
            std::vector<assumption>& known = code().assumptions;
            if (std::find(known.begin(), known.end(), said) == known.end()) known.push_back(said);
            return value;
        }
        step made{.code = operation::call,
                  .operands = node.type,
                  .result = node.type,
                  .arity = static_cast<std::int8_t>(parameters.size()),
                  .function = function};
        for (int i = 0; i < made.arity; ++i)
            made.args[i] =
                converted(value_of_[static_cast<std::size_t>(node.args[i])], parameters[static_cast<std::size_t>(i)]);
        return append(made);
    }

    value_id lower_operation(const graph::node& node) {
        detail::operand_list args;
        const int arity = detail::operations[static_cast<int>(node.code)].arity;
        for (int i = 0; i < arity; ++i) args[i] = value_of_[static_cast<std::size_t>(node.args[i])];

        if (node.code == operation::cast) return cast(args[0], node.type, /*conversion=*/false);

        // The first operand of `where` is a condition and has no say in the type.
        const int first = detail::operations[static_cast<int>(node.code)].rule == type_rule::conditional ? 1 : 0;
        element_type met = code().type_of(args[first]);
        for (int i = first + 1; i < arity; ++i) met = promote(met, code().type_of(args[i]));
        const element_type operands = detail::operand_type(node.code, met);

        if (const int real = real_operand(node.code, operands, args); real >= 0)
            return append(
                {.code = node.code == operation::mul ? operation::scale : operation::scale_down,
                 .operands = component_of(operands),
                 .result = node.type,
                 .arity = 2,
                 .args = {converted(args[1 - real], operands), converted(args[real], component_of(operands))}});

        step made{
            .code = node.code, .operands = operands, .result = node.type, .arity = static_cast<std::int8_t>(arity)};
        for (int i = 0; i < arity; ++i) made.args[i] = converted(args[i], i < first ? element_type::boolean : operands);
        return append(made);
    }

    /// Which operand of a product or quotient of complex numbers is real: a factor, or the divisor. -1: none.
    int real_operand(operation of, element_type operands, const detail::operand_list& args) {
        if (kind_of(operands) != element_kind::complex || (of != operation::mul && of != operation::div)) return -1;
        const auto is_real = [&](int i) { return kind_of(code().type_of(args[i])) != element_kind::complex; };
        if (is_real(1)) return 1;
        return of == operation::mul && is_real(0) ? 0 : -1;
    }

    value_id lower_gather(const graph::node& node) {
        const value_id array = value_of_[static_cast<std::size_t>(node.args[0])];
        if (!looked_up_.empty() && !looked_up_[static_cast<std::size_t>(array)]) return array;
        step made{.code = operation::gather, .operands = node.type, .result = node.type};
        for (const int arg : node.args)
            if (arg >= 0) made.args[made.arity++] = value_of_[static_cast<std::size_t>(arg)];
        return append(made);
    }

    value_id lower_reduced(const graph::node& node) {
        const value_id row = value_of_[static_cast<std::size_t>(node.args[0])];
        const element_type accumulated =
            node.scans ? node.type : detail::accumulated_type(node.reduces, code().type_of(row));
        return append({.code = operation::reduce,
                       .operands = accumulated,
                       .result = node.type,
                       .arity = 1,
                       .args = {converted(row, accumulated)},
                       .reduces = node.reduces,
                       .scans = node.scans});
    }

    value_id converted(value_id value, element_type to) {
        return code().type_of(value) == to ? value : cast(value, to, /*conversion=*/true);
    }

    value_id cast(value_id value, element_type to, bool conversion) {
        const element_type from = code().type_of(value);
        if (from == to) return value;
        return append({.code = operation::cast,
                       .operands = from,
                       .result = to,
                       .arity = 1,
                       .conversion = conversion,
                       .args = {value}});
    }

    // An equal step is the same value: every operation is a pure function of its operands' bits.
    value_id append(step made) {
        step key = made;
        key.conversion = false;
        const auto [found, is_new] = known_.try_emplace(key, code().step_value(static_cast<int>(code().steps.size())));
        if (is_new) code().steps.push_back(made);
        return found->second;
    }

    void drop_dead_steps() {
        const value_id first = code().first_step_value();
        std::vector<bool> live(code().steps.size(), false);
        const auto mark = [&](value_id value) {
            if (value >= first) live[static_cast<std::size_t>(value - first)] = true;
        };
        for (const value_id output : code().outputs) mark(output);
        for (std::size_t i = code().steps.size(); i-- > 0;)
            if (live[i])
                for (const value_id arg : code().steps[i].args) mark(arg);

        std::vector<value_id> renumbered(code().steps.size());
        std::vector<step> kept;
        const auto rename = [&](value_id& value) {
            if (value >= first) value = renumbered[static_cast<std::size_t>(value - first)];
        };
        for (std::size_t i = 0; i < code().steps.size(); ++i) {
            if (!live[i]) continue;
            renumbered[i] = first + static_cast<value_id>(kept.size());
            kept.push_back(code().steps[i]);
            for (value_id& arg : kept.back().args) rename(arg);
        }
        for (value_id& output : code().outputs) rename(output);
        std::erase_if(code().assumptions, [&](const assumption& each) {
            return each.value >= first && !live[static_cast<std::size_t>(each.value - first)];
        });
        for (assumption& each : code().assumptions) rename(each.value);
        code().steps = std::move(kept);
    }

    const graph& from_;
    const std::vector<int>& leaf_numbers_;
    const std::vector<std::uint64_t>& baked_;
    const std::vector<bool>& looked_up_;
    lowered result_;
    std::vector<value_id> value_of_;          // of each graph node
    std::unordered_map<int, int> scalar_at_;  // by slot: which scalar of the program
    std::unordered_map<step, value_id, step_hash> known_;
};

}  // namespace

lowered lower(const detail::graph& graph, const std::vector<int>& leaf_numbers, const std::vector<std::uint64_t>& baked,
              const std::vector<bool>& looked_up) {
    return builder(graph, leaf_numbers, baked, looked_up).run();
}

}  // namespace kiln::lower
