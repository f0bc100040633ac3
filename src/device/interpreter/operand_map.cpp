#include <device/interpreter/operand_map.hpp>

#include <algorithm>
#include <bit>
#include <cstring>

namespace kiln::backend {

namespace {

using plan::access;
using step_kind = kiln::detail::index_step::kind;

constexpr int most_steps = 64;

std::int64_t step_value(step_kind how, std::int64_t v, std::int64_t extent) {
    switch (how) {
        case step_kind::wrap: return v < extent ? v : v - extent;
        case step_kind::clamp: return v < 0 ? 0 : v < extent ? v : extent - 1;
        case step_kind::mirror: {
            const std::int64_t from_first = v < 0 ? -v : v;
            return from_first < extent ? from_first : 2 * (extent - 1) - from_first;
        }
        case step_kind::divide: return v / extent;
        case step_kind::outside: return v < 0 || v >= extent;
        case step_kind::lookup: {
            const std::int64_t from_first = v < 0 ? v + extent : v;
            return from_first < 0 ? 0 : from_first < extent ? from_first : extent - 1;
        }
    }
    return 0;
}

/// The next element's coordinates, row-major.
void advance(std::int64_t* coordinates, const walk& at) {
    for (int axis = at.rank; axis-- > 0;) {
        if (++coordinates[axis] < at.extents[axis]) return;
        coordinates[axis] = 0;
    }
}

}  // namespace

std::int64_t operand_map::linear(const plan::linear_plan& form, const std::int64_t* coordinates,
                                 const std::int64_t* steps) const {
    std::int64_t sum = form.offset_word < 0 ? 0 : layout_[form.offset_word];
    int word = form.axis_word;
    for (int axis = 0; axis < rank_; ++axis)
        if (form.axes >> axis & 1) sum += coordinates[axis] * (form.unit_axes >> axis & 1 ? 1 : layout_[word++]);
    for (const plan::linear_plan::step_word& each : form.steps)
        sum += steps[each.step] * (each.word < 0 ? 1 : layout_[each.word]);
    return sum;
}

std::int64_t operand_map::address(const std::int64_t* coordinates, const std::int64_t* lookups) const {
    std::int64_t values[most_steps];
    for (std::size_t i = 0; i < of_.steps.size(); ++i) {
        const plan::step_plan& step = of_.steps[i];
        const std::int64_t input =
            step.how == step_kind::lookup ? lookups[step.lookup] : linear(step.input, coordinates, values);
        values[i] = step_value(step.how, input, layout_[step.extent_word]);
    }
    return linear(of_.address, coordinates, values);
}

/// move(offset in the block, address of the first, stride, length): pieces of rows in which one stride walks the operand.
template <class Move>
void operand_map::each_piece(const walk& at, std::int64_t count, Move move) const {
    std::int64_t coordinates[max_rank];
    std::copy_n(at.coordinates, at.rank, coordinates);
    const int inner = at.rank - 1;
    // Steps that change along the row leave pieces of one element.
    const bool whole_rows = of_.steps.empty() || of_.how != access::strided;
    // The inner axis is the last that has a word.
    const bool has_word = (of_.address.axes & ~of_.address.unit_axes) >> inner & 1;
    const std::int64_t stride =
        has_word ? layout_[of_.address.axis_word +
                           std::popcount(static_cast<unsigned>(of_.address.axes & ~of_.address.unit_axes)) - 1]
                 : of_.address.axes >> inner & 1;
    for (std::int64_t done = 0; done < count;) {
        const std::int64_t length = whole_rows ? std::min(count - done, at.extents[inner] - coordinates[inner]) : 1;
        move(done, address(coordinates), stride, length);
        done += length;
        coordinates[inner] += length - 1;
        advance(coordinates, at);
    }
}

void operand_map::load(void* to, const std::byte* memory, int bytes, const walk& at, std::int64_t count) const {
    by_width(bytes, [&]<class T>(T) {
        auto* const out = static_cast<T*>(to);
        const auto* const in = reinterpret_cast<const T*>(memory);
        each_piece(at, count, [=](std::int64_t done, std::int64_t address, std::int64_t stride, std::int64_t length) {
            const T* const first = in + address;
            if (stride == 1) std::memcpy(out + done, first, static_cast<std::size_t>(length) * sizeof(T));
            else
                for (std::int64_t i = 0; i < length; ++i) out[done + i] = first[i * stride];
        });
    });
}

void operand_map::positions(std::int64_t* to, std::int64_t first, const walk& at, std::int64_t count) const {
    each_piece(at, count, [=](std::int64_t done, std::int64_t address, std::int64_t stride, std::int64_t length) {
        for (std::int64_t i = 0; i < length; ++i) to[done + i] = first + address + i * stride;
    });
}

template <class Use>
void operand_map::each_address(const walk& at, const std::int64_t* const* lookups, std::int64_t count, Use use) const {
    std::int64_t coordinates[max_rank];
    std::copy_n(at.coordinates, at.rank, coordinates);
    int lookup_count = 0;
    for (const plan::step_plan& step : of_.steps) lookup_count = std::max(lookup_count, step.lookup + 1);
    for (std::int64_t i = 0; i < count; ++i) {
        std::int64_t values[max_rank];
        for (int l = 0; l < lookup_count; ++l) values[l] = lookups[l][i];
        use(i, coordinates, address(coordinates, values));
        advance(coordinates, at);
    }
}

void operand_map::store(std::byte* memory, const void* from, int bytes, const walk& at, std::int64_t count) const {
    by_width(bytes, [&]<class T>(T) {
        const auto* const in = static_cast<const T*>(from);
        auto* const out = reinterpret_cast<T*>(memory);
        each_address(at, nullptr, count, [&](std::int64_t i, const std::int64_t* coordinates, std::int64_t address) {
            for (int axis = 0; axis < rank_; ++axis)
                if ((of_.guarded_axes >> axis & 1) && coordinates[axis] != 0) return;
            out[address] = in[i];
        });
    });
}

void operand_map::gather(void* to, const std::byte* memory, int bytes, const walk& at,
                         const std::int64_t* const* lookups, std::int64_t count) const {
    by_width(bytes, [&]<class T>(T) {
        auto* const out = static_cast<T*>(to);
        const auto* const in = reinterpret_cast<const T*>(memory);
        each_address(at, lookups, count,
                     [&](std::int64_t i, const std::int64_t*, std::int64_t address) { out[i] = in[address]; });
    });
}

void operand_map::gather_positions(std::int64_t* to, std::int64_t first, const walk& at,
                                   const std::int64_t* const* lookups, std::int64_t count) const {
    each_address(at, lookups, count,
                 [&](std::int64_t i, const std::int64_t*, std::int64_t address) { to[i] = first + address; });
}

}  // namespace kiln::backend
