// Bytes: how it is reached and how many steps its map has (in_parts: partial sums, and nothing more); unless contiguous the
// axes of its address and those of them that count by 1; if strided, its unit axis, or how its vectors lie, and its known stride; if it has a map the address's steps, and
// of each step its kind, then which lookup it is, or axes and steps of its input. After them all, perhaps what stencil.hpp
// wrote, and what row_window.hpp did; where the call reduces, what row_sets.hpp did.
#include <plan/operands.hpp>
#include <plan/row_sets.hpp>
#include <plan/row_window.hpp>
#include <plan/stencil.hpp>

#include <text/format.hpp>

#include <kiln/error.hpp>

#include <cstring>
#include <utility>

#include <algorithm>

namespace kiln::plan {

namespace {

using detail::index_step;

constexpr std::size_t most_map_steps = 32;  // of one operand's map: their masks have 32 bits
constexpr std::uint8_t in_parts = 0xff;

/// Which coefficients are not 0, and which are 1.
std::uint64_t masks_of(const std::vector<std::int64_t>& coefficients) {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i)
        out |= std::uint64_t{coefficients[i] != 0} << i | std::uint64_t{coefficients[i] == 1} << (i + most_map_steps);
    return out;
}

/// In place of a unit axis, which no operand with a map has.
constexpr std::int8_t code_of(row_block how) { return static_cast<std::int8_t>(-1 - static_cast<int>(how)); }

/// The bytes of a class, from some of them on.
class byte_reader {
public:
    explicit byte_reader(const std::uint8_t* next) : next_(next) {}

    template <class T>
    T take() {
        T out;
        std::memcpy(&out, next_, sizeof out);
        next_ += sizeof out;
        return out;
    }

    [[nodiscard]] const std::uint8_t* next() const { return next_; }

private:
    const std::uint8_t* next_;
};

void read_axes(byte_reader& from, linear_plan& to) {
    to.axes = from.take<std::uint8_t>();
    to.unit_axes = from.take<std::uint8_t>();
}

void read_steps(byte_reader& from, linear_plan& to) {
    const auto masks = from.take<std::uint64_t>();
    for (std::size_t i = 0; i < most_map_steps; ++i)
        if (masks >> i & 1) to.steps.push_back({static_cast<int>(i), masks >> (i + most_map_steps) & 1 ? -1 : 0});
}

operand read_operand(byte_reader& from) {
    operand out;
    const auto first = from.take<std::uint8_t>();
    out.is_partial = first == in_parts;
    out.how = out.is_partial ? access::uniform : static_cast<access>(first & 3);
    if (out.is_partial || out.how == access::contiguous) return out;
    read_axes(from, out.address);
    if (out.how == access::strided) {
        out.unit_axis = from.take<std::int8_t>();
        for (const row_block each :
             {row_block::neighbours, row_block::one, row_block::pairs, row_block::alternating, row_block::twos})
            if (out.unit_axis == code_of(each)) out.block = each, out.unit_axis = -1;
        out.address.known_inner = from.take<std::int8_t>();
    }
    const int steps = first >> 2;
    if (steps == 0) return out;
    read_steps(from, out.address);
    for (int i = 0; i < steps; ++i) {
        step_plan made;
        made.how = from.take<index_step::kind>();
        if (made.how == index_step::kind::lookup) {
            made.lookup = from.take<std::uint8_t>();
            out.gathered = true;
        } else {
            read_axes(from, made.input);
            read_steps(from, made.input);
        }
        out.steps.push_back(std::move(made));
    }
    return out;
}

}  // namespace

std::uint8_t* write_operand(bindings& call, const reach& of, access how, row_block blocks, int known_stride,
                            std::uint8_t* next) {
    const auto put = [&next](const auto value) {
        std::memcpy(next, &value, sizeof value);
        next += sizeof value;
    };
    const std::size_t steps = of.map ? of.map->steps.size() : 0;
    if (steps > most_map_steps)
        throw error(text::format("kiln: a view made of more than {} steps; evaluate part of it first", most_map_steps));
    next = call.kind.make_room(next, 16 + 16 * steps);
    if (how == access::partial_sums) {
        put(in_parts);
        return next;
    }
    put(static_cast<std::uint8_t>(static_cast<int>(how) | static_cast<int>(steps) << 2));
    if (how == access::contiguous) return next;
    put(axes_in(call, of, of.strides));
    put(unit_axes_in(call, of, of.strides));
    if (how == access::strided) {
        put(blocks == row_block::none ? unit_axis_of(call, of, how) : code_of(blocks));
        put(static_cast<std::int8_t>(known_stride));
    }
    if (!steps) return next;
    put(masks_of(of.map->address));
    for (const index_step& step : of.map->steps) {
        put(step.how);
        if (step.how == index_step::kind::lookup) {
            put(static_cast<std::uint8_t>(step.lookup));
        } else {
            put(axes_in(call, of, step.input.axis));
            put(unit_axes_in(call, of, step.input.axis));
            put(masks_of(step.input.steps));
        }
    }
    return next;
}

std::vector<operand> operands_of(const call_class& call) {
    const int arrays = call.array_count();
    std::vector<operand> out(static_cast<std::size_t>(arrays + call.output_count()));
    const iteration_class iteration = call.iteration();
    byte_reader from(call.memory_bytes());
    for (int memory = 0; memory < static_cast<int>(out.size()); ++memory) {
        operand& made = out[static_cast<std::size_t>(memory)];
        if (!call.all_contiguous()) made = read_operand(from);
        made.memory = memory;
        // What is smaller than the iteration is stored once.
        if (memory >= arrays && made.how != access::contiguous && !iteration.reduces)
            made.guarded_axes = static_cast<std::uint8_t>(~made.address.axes & ((1 << iteration.rank) - 1));
    }
    if (!call.all_contiguous()) {
        std::vector<operand*> read;
        for (int array = 0; array < arrays; ++array) read.push_back(&out[static_cast<std::size_t>(array)]);
        if (iteration.reduces) read_row_sets(from.next(), read);
        else read_row_groups(read_stencils(from.next(), iteration.rank, read), read);
    }
    return out;
}

std::vector<bool> looked_up(const call_class& call) {
    std::vector<bool> out;
    const std::vector<operand> all = operands_of(call);
    for (int array = 0; array < call.array_count(); ++array)
        out.push_back(all[static_cast<std::size_t>(array)].gathered);
    return out;
}

bool all_contiguous(const kernel& of) {
    for (const auto* operands : {&of.outputs, &of.inputs})
        for (const operand& each : *operands)
            if (each.how != access::contiguous) return false;
    return true;
}

int widest_of(const std::vector<operand>& operands) {
    int widest = 0;
    for (const operand& each : operands)
        if (!each.is_position) widest = std::max(widest, bytes_of(each.type));
    return widest;
}

}  // namespace kiln::plan
