// Rows of elements of two bytes that begin anywhere, of which a warp has one or several: those of a block begin and end with a whole vector
// together, whatever their length. They come and go in vectors by way of shared memory, in which they lie as in the device's. Of rows of 257
// float16 an H100 takes 87 us for softmax and 96 for RMS norm in place of 116 and 126 by vectors that each row shares with those beside it
// (policy/skewed_rows.hpp); a copy takes 56. Rows of a whole warp, whose elements are stored, are its lanes' to take (plan/neighbour_rows.hpp):
// softmax of rows of 769 takes an H200 83 us so, 94 by blocks.
#include <plan/policy/persistent_rows.hpp>

#include <algorithm>

namespace kiln::plan {

namespace types = nest::types;

namespace {

constexpr int vector_bytes = 16;
constexpr int element_bytes = 2;
constexpr int vector_elements = vector_bytes / element_bytes;

bool is_of_blocks(const operand& of, element_type type) {
    return of.type == type && of.how == access::contiguous && of.steps.empty() && !of.gathered;
}

}  // namespace

bool persistent_rows_policy::moves_by_blocks() const {
    if (of_.threads_per_output > warp || of_.vectorised || has_slots() || of_.gathers() || of_.aliased ||
        of_.has_neighbour_lanes)
        return false;
    if (of_.alignment % vector_bytes != 0 || of_.reduced_axes != 1U << (of_.rank - 1)) return false;
    if (threads_.outputs_per_block() % vector_elements != 0) return false;
    const std::optional<element_type> type = type_of_blocks();
    if (!type || bytes_of(*type) != element_bytes) return false;
    for (const operand& each : of_.inputs)
        if (is_of_block(each) && (!is_of_blocks(each, *type) || phase_of(each.value) > 0)) return false;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (of_.stores_elements(i) && !is_of_blocks(of_.outputs[i], *type)) return false;
    constexpr int most_elements = 28;  // of a thread
    return inputs_of_blocks() * of_.items_in_registers * width() <= most_elements &&
           block_tile_count() * block_elements() * element_bytes <= most_tile_bytes;
}

/// Whether each row has elements of its own, which its threads hold.
bool persistent_rows_policy::is_of_block(const operand& input) const {
    return is_moved(input) && !read_in_place(of_, input);
}

/// That of the first of them; of no other are tiles.
std::optional<element_type> persistent_rows_policy::type_of_blocks() const {
    for (const operand& each : of_.inputs)
        if (is_of_block(each)) return each.type;
    return {};
}

int persistent_rows_policy::inputs_of_blocks() const {
    return static_cast<int>(
        std::count_if(of_.inputs.begin(), of_.inputs.end(), [this](const operand& each) { return is_of_block(each); }));
}

/// One for each of those, or for each output, which come into the places of these.
int persistent_rows_policy::block_tile_count() const {
    int outputs = 0;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i) outputs += of_.stores_elements(i);
    return std::max(inputs_of_blocks(), outputs);
}

/// Each vector of the block's rows, by the thread that moves it.
template <class Each>
void persistent_rows_policy::each_block_vector(Each each) {
    const int threads = of_.threads_per_block;
    const int rounds = static_cast<int>(ceil_div(block_elements(), threads * vector_elements));
    to_.unrolled("j", rounds, [&](value j) {
        const value number = to_.let("number", types::small, (j * threads + threads_.thread) * vector_elements);
        each(number);
    });
}

/// Where the thread's first element is in the block's rows; past the last row, in that. Its others are known distances behind it, which loads
/// and stores have in themselves: layer norm of 261124 rows of 257 takes an H100 109 us in place of 122, an H200 103 and 118.
nest::value persistent_rows_policy::first_in_block() {
    const value row = threads_.which - threads_.group * threads_.outputs_per_block();
    const value row_of_block = to_.let("row_of_block", types::small, row * threads_.reduced);
    return to_.let("first_in_block", types::small, row_of_block + threads_.lane * width());
}

/// Where the element k of its vector u is.
nest::value persistent_rows_policy::in_block(value u, value k) {
    return first_in_block_ + (u * (of_.threads_per_output * width()) + k);
}

void persistent_rows_policy::load_blocks(const std::vector<source>& sources) {
    if (sources.empty()) return;
    const value first_row = to_.let("first_row", types::number, threads_.group * threads_.outputs_per_block());
    const value rows = to_.least(threads_.kept - first_row, threads_.outputs_per_block());
    of_block_ = to_.let("of_block", types::small, rows * threads_.reduced);
    first_of_block_ = to_.let("first_of_block", types::number, first_row * threads_.reduced);
    each_block_vector([&](value number) {
        to_.when(number < of_block_, [&] {
            for (std::size_t i = 0; i < sources.size(); ++i) {
                const nest::type vector = types::vector(of_.inputs[sources[i].input].type, vector_elements);
                to_.copy_async(to_.at(block_tiles_[i], number, vector),
                               to_.at(operands_.memory_of_input(sources[i].input), first_of_block_ + number, vector),
                               to_.least(of_block_ - number, vector_elements));
            }
        });
    });
    to_.commit_copies();
    to_.wait_copies(0);
    to_.barrier();
    first_in_block_ = first_in_block();
    // A row that is not there is no other's, which stores its results in the place of its elements.
    to_.when(
        threads_.is_there,
        [&] {
            each_element(in_registers(), [&](value u, value k, value) {
                for (std::size_t i = 0; i < sources.size(); ++i)
                    to_.assign(kept(sources[i].kept, u, k), to_.at(block_tiles_[i], in_block(u, k)));
            });
        },
        [&] {
            each_element(in_registers(), [&](value u, value k, value) {
                for (const source& each : sources)
                    to_.assign(kept(each.kept, u, k),
                               to_.make(nest::operation::zeros, type_of(each.kept), {}, {}, {}, 1));
            });
        });
}

/// A thread's row is where it was read, and no other thread's.
void persistent_rows_policy::store_blocks(const work& of, items which) {
    std::vector<nest::id> tiles(of_.outputs.size(), nest::none);
    std::size_t number_of_output = 0;
    for (std::size_t i = 0; i < of_.outputs.size(); ++i)
        if (of_.stores_elements(i)) tiles[i] = block_tiles_[number_of_output++];
    // What is the same for all rows comes element by element where these are few (RMS norm of rows of 251 70 us, 74 in vectors; of 769 74 and 71).
    constexpr int few_items = 4;
    std::map<value_id, skewed_row> read;
    if (of_.items_in_registers > few_items) read = skewed_in_place(of, which);
    each_item(which, [&](value u) {
        const value vector = to_.let("vector", types::number, first_of(u));
        const at_hand vectors = read_skewed(read, u, vector);
        const std::vector<nest::id> made = make_item(of, which, u, vector, vectors);
        to_.when(threads_.is_there, [&] {
            each_element_of(which, u, vector, [&](value k, value) {
                for (const std::size_t i : of.stored) to_.assign(to_.at(tiles[i], in_block(u, k)), to_.at(made[i], k));
            });
        });
    });
    to_.barrier();
    each_block_vector([&](value number) {
        for (const std::size_t i : of.stored) {
            const nest::id memory = operands_.memory_of_output(i);
            const nest::type vector = types::vector(of_.outputs[i].type, vector_elements);
            to_.when(
                number + vector_elements <= of_block_,
                [&] { to_.assign(to_.at(memory, first_of_block_ + number, vector), to_.at(tiles[i], number, vector)); },
                [&] {
                    to_.loop(nest::runner::serial, "rest", number, of_block_, 1, [&](value rest) {
                        to_.assign(to_.at(memory, first_of_block_ + rest), to_.at(tiles[i], rest));
                    });
                });
        }
    });
}

/// A compiler that is not told how many blocks there are to be takes up to 90 registers for a thread of rows of 1021 (RMS norm 79 us in place
/// of 64).
void persistent_rows_policy::make_block_tiles() {
    constexpr int registers = 64 * 1024;  // of a multiprocessor
    constexpr int most_threads = 2048;
    constexpr int granularity = 8;
    constexpr int besides = 20;  // of a thread, beside its elements
    constexpr int in_place = 8;  // where it reads what is the same for all rows
    const bool reads_in_place = std::any_of(of_.inputs.begin(), of_.inputs.end(), [this](const operand& each) {
        return !is_of_block(each) && each.how != access::uniform;
    });
    const int wanted =
        besides + inputs_of_blocks() * of_.items_in_registers * width() + (reads_in_place ? in_place : 0);
    const int of_thread = static_cast<int>(ceil_div(wanted, granularity)) * granularity;
    to_.resident(std::min(registers / of_thread, most_threads) / of_.threads_per_block);
    for (int i = 0; i < block_tile_count(); ++i)
        block_tiles_.push_back(to_.shared("rows", types::element(*type_of_blocks()), block_elements(), vector_bytes));
}

}  // namespace kiln::plan
