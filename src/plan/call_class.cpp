#include <plan/call_class.hpp>

#include <plan/planes.hpp>
#include <plan/reduction.hpp>

#include <algorithm>
#include <bit>

namespace kiln::plan {

namespace {

int log2_of(int power_of_two) { return std::countr_zero(static_cast<unsigned>(power_of_two)); }

/// Their place among those that are known: in four bits, of columns in five.
int code_of_items(const reduction_class& of) {
    const auto place_among = [&of](auto& known) {
        return static_cast<int>(std::find(std::begin(known), std::end(known), of.items_per_thread) - std::begin(known));
    };
    return of.vector_width == 1 ? place_among(column_items_known) : place_among(items_known);
}
static_assert(std::size(items_known) <= 16 && std::size(column_items_known) <= 32);

/// In three bits: 0, or the power of two.
int code_of_copied(int bytes) { return bytes == 0 ? 0 : 1 + log2_of(bytes); }
int copied_of_code(int code) { return code == 0 ? 0 : 1 << (code - 1); }

/// In three bits: mirrored ones are after those that are not.
int code_of_tiles(const reduction_class& of) { return of.mirrored ? of.tiles + 3 : of.tiles; }
bool is_mirrored_code(int code) { return code > most_tiles; }
static_assert(least_mirrored_tiles + 3 > most_tiles && most_tiles + 3 < 8);

/// Where kernels depend on items_per_thread: elsewhere one serves rows of any length.
bool knows_items(const iteration_class& of) {
    return (of.persistent_rows && !of.of_values) || (of.division.tall_axes && of.division.vector_width > 1);
}

/// Of columns that stay on chip: their splits in six bits, of which no panel has as many; the fifth bit of the items' code; and whether all
/// threads have so many.
constexpr int most_panel_splits = 63;
int byte_of_panel(const reduction_class& of) {
    return std::min(of.cluster, most_panel_splits) | (code_of_items(of) >> 4) << 6 | of.whole_items << 7;
}

/// Whether there may be: columns of values that one thread each makes.
bool has_narrow_tiles(const reduction_class& of) {
    return of.tall_axes && of.vector_width == 1 && of.threads_per_output == 1;
}

bool has_tiles_of_rows(const reduction_class& of) { return of.tall_axes && of.vector_width > 1; }

bool is_panel(const iteration_class& of) {
    return of.persistent_rows && !of.of_values && of.division.vector_width == 1;
}

}  // namespace

call_class::call_class(const call_class& other)
    : leaf_count_(other.leaf_count_),
      output_count_(other.output_count_),
      word_count_(other.word_count_),
      words_(other.word_count_ + 1) {
    std::memcpy(words_.data(), other.words_.data(), word_count_ * sizeof(std::uint64_t));
    words_[word_count_] = 0;  // where an iteration_class would begin
}

options call_class::wanted() const noexcept {
    return std::bit_cast<options>(static_cast<std::uint8_t>(words_[0] & 0b1111u));
}

std::int32_t call_class::number_at(int slot) const noexcept {
    const std::uint8_t* const numbers = bytes() + sizeof(std::uint64_t);
    if (leaf_count_ <= most_short_slots) return static_cast<std::int8_t>(numbers[slot]);
    std::int32_t number = 0;
    std::memcpy(&number, numbers + 4 * slot, sizeof number);
    return number;
}

std::vector<int> call_class::numbers() const {
    std::vector<int> out;
    for (int slot = 0; slot < leaf_count_; ++slot) {
        const std::int32_t number = number_at(slot);
        out.push_back(number <= copied ? -2 - (copied - number) : std::max(number, no_number));
    }
    return out;
}

std::vector<std::uint64_t> call_class::baked() const {
    std::vector<std::uint64_t> out(static_cast<std::size_t>(leaf_count_));
    const std::uint8_t* next = after_slots();
    for (int slot = 0; slot < leaf_count_; ++slot) {
        if (number_at(slot) != is_baked) continue;
        std::memcpy(&out[static_cast<std::size_t>(slot)], next, sizeof(std::uint64_t));
        next += sizeof(std::uint64_t);
    }
    return out;
}

int call_class::array_count() const noexcept {
    std::int32_t last = no_number;
    for (int slot = 0; slot < leaf_count_; ++slot) last = std::max(last, number_at(slot));
    return last + 1;
}

const std::uint8_t* call_class::iteration_bytes() const noexcept {
    const std::uint8_t* out = after_slots();
    for (int slot = 0; slot < leaf_count_; ++slot)
        if (number_at(slot) == is_baked) out += sizeof(std::uint64_t);
    return out;
}

std::uint8_t* call_class::make_room(std::uint8_t* next, std::size_t count) {
    const auto used = static_cast<std::size_t>(next - bytes());
    words_.grow((used + count + 16 + 7) / 8, (used + 7) / 8);
    return bytes() + used;
}

// The rank, which is never 0, tells an iteration_class from the zeros after the last byte.
std::uint8_t* call_class::write_iteration(std::uint8_t* next, const iteration_class& of, frame device) noexcept {
    static_assert(most_planes < 1 << 3);
    int rest = of.long_rows ? of.planes : static_cast<int>(of.skewed_rows);
    if (of.reduces) {
        const bool fills_lanes = device == frame::host ? of.division.rows_of_part : of.division.lane_values > 0;
        rest = of.persistent_rows | fills_lanes << 1 | (of.nested || of.of_values) << 2;  // no row that stays is nested
    }
    *next++ = static_cast<std::uint8_t>(of.rank | of.reduces << 4 | rest << 5);
    *next++ =
        static_cast<std::uint8_t>(of.row_multiple | of.narrow_operands << 5 | of.short_rows << 6 | of.long_rows << 7);
    if (of.short_rows) *next++ = static_cast<std::uint8_t>(of.known_row);
    if (!of.reduces) return next;
    *next++ = of.reduced_axes;
    if (device == frame::host) {
        *next++ = of.division.tall_axes;
        return next;
    }
    const reduction_class& division = of.division;
    *next++ = static_cast<std::uint8_t>(log2_of(division.threads_per_output) | division.vector_width << 4 |
                                        division.splits << 7);
    *next++ = static_cast<std::uint8_t>(division.outputs_per_block - 1);
    *next++ = static_cast<std::uint8_t>(log2_of(division.loads_in_flight) | division.ends_in_partial_sums << 2 |
                                        (knows_items(of) ? code_of_items(division) & 15 : division.long_parts) << 3 |
                                        division.many_values << 7);
    *next++ = division.tall_axes;
    // No row that is interleaved is a column, or as long as rows that values of lanes share; and few columns have no tall axes.
    *next++ = static_cast<std::uint8_t>(is_panel(of)                 ? byte_of_panel(division)
                                        : division.lane_values > 0   ? division.lane_values
                                        : has_narrow_tiles(division) ? division.narrow_columns | division.few_terms << 7
                                        : division.vector_width == 1 ? division.few_columns
                                        : has_tiles_of_rows(division) ? division.whole_items
                                                                      : division.known_row);
    *next++ = static_cast<std::uint8_t>(code_of_copied(division.copied_bytes) | division.whole_fours << 3 |
                                        division.whole_rounds << 4 | code_of_tiles(division) << 5);
    *next++ = static_cast<std::uint8_t>(division.small_side);
    return next;
}

iteration_class call_class::iteration() const noexcept {
    iteration_class out;
    if (all_contiguous()) return out;
    const std::uint8_t* next = iteration_bytes();
    out.rank = *next & 15;
    out.reduces = *next >> 4 & 1;
    const int rest = *next++ >> 5;
    out.persistent_rows = out.reduces && (rest & 1);
    const bool fills_lanes = rest >> 1 & 1;
    out.nested = out.reduces && !out.persistent_rows && (rest >> 2 & 1);
    out.of_values = out.persistent_rows && (rest >> 2 & 1);
    out.row_multiple = *next & 31;
    out.narrow_operands = *next >> 5 & 1;
    out.short_rows = *next >> 6 & 1;
    out.long_rows = *next++ >> 7 & 1;
    out.planes = out.long_rows && !out.reduces ? rest : 0;
    out.skewed_rows = !out.long_rows && !out.reduces && rest;
    if (out.short_rows) out.known_row = *next++;
    if (!out.reduces) return out;
    out.reduced_axes = *next++;
    if (device() == frame::host) {
        out.division.tall_axes = *next++;
        out.division.rows_of_part = fills_lanes;
        return out;
    }
    out.division.threads_per_output = 1 << (*next & 15);
    out.division.vector_width = *next >> 4 & 7;
    out.division.splits = *next++ >> 7 & 1;
    out.division.outputs_per_block = *next++ + 1;
    out.division.loads_in_flight = 1 << (*next & 3);
    out.division.ends_in_partial_sums = *next >> 2 & 1;
    const int code = *next >> 3 & 15;
    out.division.items_per_thread = out.division.vector_width == 1 ? 1 : items_known[code];
    out.division.many_values = *next++ >> 7;
    out.division.tall_axes = *next++;
    if (!knows_items(out)) {
        out.division.long_parts = code > 0;
        out.division.items_per_thread = 1;
    }
    if (is_panel(out)) {
        out.division.items_per_thread = column_items_known[code | (*next >> 6 & 1) << 4];
        out.division.cluster = *next & most_panel_splits;
        out.division.whole_items = *next++ >> 7;
    } else if (fills_lanes) {
        out.division.lane_values = *next++;
    } else if (has_narrow_tiles(out.division)) {
        out.division.narrow_columns = *next & 127;
        out.division.few_terms = *next++ >> 7;
    } else if (out.division.vector_width == 1) {
        out.division.few_columns = *next++;
    } else if (has_tiles_of_rows(out.division)) {
        out.division.whole_items = *next++;
    } else {
        out.division.known_row = *next++;
    }
    out.division.copied_bytes = copied_of_code(*next & 7);
    out.division.whole_fours = *next >> 3 & 1;
    out.division.whole_rounds = *next >> 4 & 1;
    const int tiles = *next++ >> 5;
    out.division.mirrored = is_mirrored_code(tiles);
    out.division.tiles = out.division.mirrored ? tiles - 3 : tiles;
    out.division.small_side = *next++;
    return out;
}

namespace {

std::ptrdiff_t size_of(const iteration_class& of, frame device) {
    std::uint8_t written[call_class::iteration_size];
    return call_class::write_iteration(written, of, device) - written;
}

}  // namespace

bool call_class::is_of_row(int output) const noexcept {
    return iteration_bytes()[size_of(iteration(), device()) + output] != 0;
}

const std::uint8_t* call_class::memory_bytes() const noexcept {
    const iteration_class of = iteration();
    return iteration_bytes() + size_of(of, device()) + (of.persistent_rows ? output_count_ : 0);
}

}  // namespace kiln::plan
