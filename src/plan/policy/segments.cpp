// Words are integers, and combined atomically: no order of threads is in the result. A warp goes through the elements together, a
// vector for each of its threads; where neighbours are of one segment, as sorted elements are, they come together before they
// go to the table.
#include <plan/policy/segments.hpp>

#include <plan/nest/builder.hpp>
#include <text/format.hpp>

#include <functional>
#include <limits>

namespace kiln::plan {

namespace {

using nest::builder;
using nest::combining;
using nest::runner;
using nest::value;

class segment_policy {
public:
    explicit segment_policy(const segment_step& of)
        : of_(of), to_(segment_name(of), threads_per_block(of), /*wide=*/true) {
        const bool is_result_word = of.pass == segment_pass::number || of.pass == segment_pass::sum;
        const nest::type word = nest::types::element(of.any_order ? of.values
                                                     : of.narrow  ? element_type::int32
                                                                  : element_type::int64);
        const auto memory = [&](int number, const char* name, nest::type is, bool written) {
            return to_.memory_parameter(segment_signature[number], name, is, written);
        };
        const auto number = [&](int which, const char* name, nest::type is) {
            return to_.number_parameter(segment_signature[which], name, is);
        };
        result_ = memory(0, "result", is_result_word ? word : nest::types::element(of.values), true);
        table_ = ends_in_counters(of) ? memory(1, "counters", nest::types::element(element_type::uint32), true)
                                      : memory(1, "words", word, true);
        numbers_ = memory(2, "numbers", nest::types::element(of.numbers), false);
        values_ = memory(3, "values", nest::types::element(of.values), false);
        to_.made().memories[static_cast<std::size_t>(table_)].of_many_blocks = of.over_elements();
        count_elements_ = number(4, "element_count", nest::types::word);
        count_ = number(5, "count", nest::types::word);
        stride_ = number(6, "stride", nest::types::word);
        copies_ = number(7, "copy_count", nest::types::word);
        setting_ = number(8, "setting", nest::types::word);
        const nest::type real = nest::types::element(element_type::float64);
        low_ = number(9, "low", real);
        high_ = number(10, "high", real);
        width_ = number(11, "width", real);
        if (!of.in_sectors) return;
        magnitudes_ = to_.memory_parameter(segment_magnitudes, "magnitudes", nest::types::element(element_type::int32),
                                           of.pass == segment_pass::magnitude);
        to_.made().memories[static_cast<std::size_t>(magnitudes_)].of_many_blocks = of.pass == segment_pass::magnitude;
    }

    nest::tree run() {
        if (of_.over_elements()) elements();
        else segments();
        return to_.finish();
    }

private:
    // --- A thread for each segment ---

    void segments() {
        const value block = to_.loop_of(runner::grid, "block");
        const value thread = to_.loop_of(runner::thread, "thread", threads_per_block(of_));
        const value s = to_.let("s", nest::types::word, block * threads_per_block(of_) + thread);
        to_.when(s >= count_, [&] { to_.end(); });
        if (of_.pass == segment_pass::clear)
            return to_.assign(to_.at(table_, s), of_.narrow ? to_.convert(setting_, held_type()) : setting_);
        const nest::type made = nest::types::element(of_.values);
        const std::string suffix = std::string("_") + info(of_.values).suffix;
        const bool is_float = kind_of(of_.values) == element_kind::floating;
        if (of_.pass == segment_pass::total) {
            const value at = place_of_segment(s);
            const value rests = of_.has_rests() ? word_at(place_of_rest(at)) : to_.constant(0, nest::types::word);
            to_.assign(to_.at(result_, s), to_.piece("segment_total" + suffix, made,
                                                     {magnitude_at(at), word_at(place_of_part(at)), rests, setting_}));
        } else if (is_float || of_.values == element_type::uint64) {
            to_.assign(to_.at(result_, s), to_.piece("segment_extreme" + suffix, made, {word_at(s)}));
        } else {
            to_.assign(to_.at(result_, s), to_.convert(word_at(s), made));
        }
    }

    // --- Elements: a warp takes so many together ---

    [[nodiscard]] int vector() const { return segment_vector(of_); }
    [[nodiscard]] bool counts() const { return of_.pass == segment_pass::number; }
    [[nodiscard]] bool is_plain() const { return counts_plainly(of_); }
    [[nodiscard]] bool has_rests() const { return of_.pass == segment_pass::parts && of_.has_rests(); }
    [[nodiscard]] combining how() const {
        switch (of_.pass) {
            case segment_pass::least: return combining::least;
            case segment_pass::greatest:
            case segment_pass::magnitude: return combining::greatest;
            default: return combining::sum;
        }
    }
    [[nodiscard]] value nothing() {
        if (of_.any_order) return to_.constant(0, held_type());
        const bool is_extreme = of_.pass == segment_pass::least || of_.pass == segment_pass::greatest;
        return is_extreme ? setting_ : to_.constant(0, nest::types::word);
    }
    /// Of a word in a block's table, and in a thread.
    [[nodiscard]] bool is_narrow() const {
        return of_.narrow || (of_.shared && counts()) ||
               ((of_.shared || of_.in_sectors) && of_.pass == segment_pass::magnitude);
    }
    /// Of a block's table.
    [[nodiscard]] nest::type entry_type() const {
        if (counts()) return nest::types::element(element_type::uint32);
        return nest::types::element(is_narrow() ? element_type::int32 : element_type::int64);
    }
    /// Of a segment's number once it is known to be one.
    [[nodiscard]] nest::type number_type() const { return of_.shared ? nest::types::small : nest::types::word; }
    [[nodiscard]] nest::type held_type() const {
        if (of_.any_order) return nest::types::element(of_.values);
        return is_narrow() ? nest::types::small : nest::types::word;
    }

    void elements() {
        const value block = block_ = to_.loop_of(runner::grid, "block");
        if (of_.shared) {
            const nest::type word = entry_type();
            const int room = is_narrow() ? segment_counters : has_rests() ? segment_words / 2 : segment_words;
            mine_ = to_.shared("table", word, room);
            if (has_rests()) my_rests_ = to_.shared("rests", word, room);
        }
        warp_ = to_.loop_of(runner::thread, "warp", segment_threads / warp);
        lane_ = to_.loop_of(runner::thread, "lane", warp);
        if (is_plain() && (!of_.by_bins || of_.by_floats))
            to_.resident(2);  // few registers do, and more loads are underway
        // The same of magnitudes of rows, of which few change a word: of (4M, 3) floats in 100,000 segments an H200 takes 56 us by hand, and
        // 79 by one block.
        if (of_.inside > 1 && of_.pass == segment_pass::magnitude && !of_.shared) to_.resident(2);
        thread_ = to_.let("thread", warp_ * warp + lane_);
        if (of_.by_floats) {
            bins_ = to_.let("bins", to_.convert(count_, bin_type()));
            low_float_ = to_.let("low_float", to_.convert(low_, float_type()));
            rate_ =
                to_.let("rate", to_.convert(to_.piece("bin_rate", real_type(), {low_, high_, count_}), float_type()));
            clearance_ = to_.let("clearance", to_.piece("bin_clearance", float_type(), {low_, high_, width_, count_}));
        } else if (of_.by_bins) {
            rate_ = to_.let("rate", to_.piece("bin_rate", real_type(), {low_, high_, count_}));
            margin_ = to_.let("margin", to_.piece("bin_margin", real_type(), {low_, high_, width_, count_}));
        }
        if (of_.shared) clear_table();
        if (of_.inside > 1) {
            values_of_rows();
            if (of_.shared) hand_over();
            return;
        }
        const value first = to_.let("first", nest::types::word, (block * segment_threads + warp_ * warp) * vector());
        to_.when(
            are_aligned(),
            [&] {
                const value whole = to_.let("whole", count_elements_ / vector() * vector());
                if (is_plain() && vector() > 1) count_pairs(first, whole);
                else rounds(first, whole, vector(), stride_, [&](value at, value is_in) { take(at, is_in, vector()); });
                const value rest = to_.let("rest", nest::types::word, whole + warp_ * warp);
                // Fewer than a vector has are left: for the first warp of the first block.
                to_.when(block == 0 && warp_ == 0, [&] {
                    rounds(rest, count_elements_, 1, to_.constant(warp, nest::types::word),
                           [&](value at, value is_in) { take(at, is_in, 1); });
                });
            },
            [&] {
                const value one = to_.let("one", nest::types::word, block * segment_threads + warp_ * warp);
                rounds(one, count_elements_, 1, stride_ / vector(), [&](value at, value is_in) { take(at, is_in, 1); });
            });
        if (of_.shared) hand_over();
    }

    [[nodiscard]] value are_aligned() {
        const auto aligned = [&](nest::id of, element_type type) {
            return to_.is_aligned(of, to_.constant(0), vector() * bytes_of(type));
        };
        const value numbers = aligned(numbers_, of_.numbers);
        return of_.reads_values() ? numbers && aligned(values_, of_.values) : numbers;
    }

    /// Of each warp's elements, `of_thread` of each thread.
    template <class Take>
    void rounds(value first, value end, int of_thread, value stride, Take take) {
        to_.loop(
            runner::serial, "x", first, end, stride,
            [&](value x) {
                const value at = to_.let("at", nest::types::word, x + lane_ * of_thread);
                take(at, at < end);
            },
            /*written_out=*/1, nest::types::word);
    }

    /// Values of rows that have one number: neighbouring threads are on neighbouring values, so that those of a row find their
    /// words in the same sectors, and each takes several, a warp's threads apart, all of which it looks at before the first is combined.
    void values_of_rows() {
        const auto inside = static_cast<int>(of_.inside);
        const value known = to_.let("known", nest::types::word, count_ / inside);
        const value first =
            to_.let("first", nest::types::word, (block_ * segment_threads + warp_ * warp) * values_of_thread);
        const value stride = to_.let("step", nest::types::word, stride_ / vector() * values_of_thread);
        to_.loop(
            runner::serial, "x", first, count_elements_, stride,
            [&](value x) {
                const nest::id segments = to_.own("segment", number_type(), values_of_thread);
                const nest::id elements = to_.own("element", nest::types::element(of_.values), values_of_thread);
                // Read before anything is asked, so that all of it is underway at once; past the end, the last one.
                to_.unrolled("k", values_of_thread, [&](value k) {
                    const value at = to_.let("at", nest::types::word, x + k * warp + lane_);
                    const value place =
                        to_.let("place", nest::types::word, to_.select(at < count_elements_, at, count_elements_ - 1));
                    const value row = to_.let("row", nest::types::word, place / inside);
                    const value number = to_.let("number", nest::types::word, segment_of(to_.at(numbers_, row)));
                    to_.assign(to_.at(elements, k), to_.at(values_, place));
                    const value s = to_.let("s", number * row_pitch(of_) + (place - row * inside));
                    const value is_there = to_.let("is_there", at < count_elements_ && number >= 0 && number < known);
                    to_.assign(to_.at(segments, k),
                               to_.select(is_there, to_.convert(s, number_type()), to_.constant(-1, number_type())));
                });
                combine_each(segments, elements);
            },
            /*written_out=*/1, nest::types::word);
    }

    void combine_each(nest::id segments, nest::id elements) {
        const nest::id words = to_.own("word", held_type(), values_of_thread);
        const nest::id rests = has_rests() ? to_.own("rest", held_type(), values_of_thread) : nest::none;
        // What is read of none's is not used: no load waits for a question.
        to_.unrolled("k", values_of_thread, [&](value k) {
            const value segment = to_.at(segments, k);
            const value s = to_.let("s", to_.select(segment >= 0, segment, to_.constant(0, number_type())));
            const auto element = [&](value which) { return to_.at(elements, which); };
            if (has_rests()) assign_parts(to_.at(words, k), to_.at(rests, k), element(k), s);
            else to_.assign(to_.at(words, k), word_of(element, k, s));
        });
        to_.unrolled("k", values_of_thread, [&](value k) {
            const value s = to_.at(segments, k);
            to_.when(s >= 0, [&] {
                to_.atomic(how(), in_table(s), to_.at(words, k));
                if (has_rests()) to_.atomic(how(), rest_in_table(s), to_.at(rests, k));
            });
        });
    }

    void take(value at, value is_in, int count) {
        if (is_plain()) return to_.when(is_in, [&] { count_each(loaded(numbers_, of_.numbers, at, count), count); });
        const nest::id segments = to_.own("segment", number_type(), count);
        const nest::id words = to_.own("word", held_type(), count);
        const nest::id rests = has_rests() ? to_.own("rest", held_type(), count) : nest::none;
        to_.unrolled("k", count, [&](value k) { to_.assign(to_.at(segments, k), -1); });
        to_.when(is_in, [&] {
            const auto number = loaded(numbers_, of_.numbers, at, count);
            const auto element = of_.reads_values() ? loaded(values_, of_.values, at, count) : number;
            to_.unrolled("k", count, [&](value k) {
                const value s = to_.let("s", nest::types::word, segment_of(number(k)));
                to_.when(s >= 0 && s < count_, [&] {
                    to_.assign(to_.at(segments, k), to_.convert(s, number_type()));
                    if (has_rests()) assign_parts(to_.at(words, k), to_.at(rests, k), element(k), s);
                    else to_.assign(to_.at(words, k), word_of(element, k, s));
                });
            });
        });
        combine(segments, words, rests, count);
    }

    /// An instruction for each element.
    void count_each(const std::function<value(value)>& number, int count) {
        const bool is_small = !of_.by_bins && bytes_of(of_.numbers) < 4;
        to_.unrolled("k", count, [&](value k) {
            const value s = is_small ? to_.let("s", to_.convert(number(k), nest::types::small))
                                     : to_.let("s", segment_of(number(k)));
            const auto add = [&] { to_.atomic(combining::sum, to_.at(mine_, place(s)), 1); };
            if (of_.all_inside) add();
            else if (of_.by_floats) to_.when(s < bins_, add);
            else to_.when(s >= 0 && s < count_, add);
        });
    }

    /// Of two vectors, so that both are underway (67 million bytes, H200, written by hand: 21.0 us in place of 22.2).
    void count_pairs(value first, value whole) {
        to_.loop(
            runner::serial, "x", first, whole, stride_ * 2,
            [&](value x) {
                const value at = to_.let("at", nest::types::word, x + lane_ * vector());
                const value next = to_.let("next", nest::types::word, at + stride_);
                to_.when(
                    next < whole,
                    [&] {
                        const auto one = loaded(numbers_, of_.numbers, at, vector());
                        const auto other = loaded(numbers_, of_.numbers, next, vector());
                        count_each(one, vector());
                        count_each(other, vector());
                    },
                    [&] {
                        to_.when(at < whole,
                                 [&] { count_each(loaded(numbers_, of_.numbers, at, vector()), vector()); });
                    });
            },
            /*written_out=*/1, nest::types::word);
    }

    /// Neighbours of one segment, then those of a warp, then the table's.
    void combine(nest::id segments, nest::id words, nest::id rests, int count) {
        const value held = to_.variable("held", number_type(), to_.at(segments, 0));
        const value word =
            to_.variable("sum", held_type(), to_.select(held >= 0, to_.at(words, 0), to_.constant(0, held_type())));
        const value rest = has_rests()
                               ? to_.variable("sum_of_rests", held_type(), to_.select(held >= 0, to_.at(rests, 0), 0))
                               : value();
        for (int k = 1; k < count; ++k) {
            const value next = to_.at(segments, k);
            to_.when(next >= 0, [&] {
                to_.when(
                    next == held,
                    [&] {
                        to_.assign(word, both(word, to_.at(words, k)));
                        if (has_rests()) to_.assign(rest, rest + to_.at(rests, k));
                    },
                    [&] {
                        to_.when(held >= 0, [&] { put(held, word, rest); });
                        to_.assign(held, next);
                        to_.assign(word, to_.at(words, k));
                        if (has_rests()) to_.assign(rest, to_.at(rests, k));
                    });
            });
        }
        const value is_there = to_.let("is_there", held >= 0);
        to_.atomic_of_wave(how(), in_table(held), word, is_there);
        if (has_rests()) to_.atomic_of_wave(how(), rest_in_table(held), rest, is_there);
    }

    void put(value s, value word, value rest) {
        to_.atomic(how(), in_table(s), word);
        if (has_rests()) to_.atomic(how(), rest_in_table(s), rest);
    }

    [[nodiscard]] value both(value a, value b) {
        if (how() == combining::sum) return a + b;
        return to_.select(how() == combining::least ? a < b : a > b, a, b);
    }

    // --- An element's segment and word ---

    /// What is there from `at` on, element by element.
    [[nodiscard]] std::function<value(value)> loaded(nest::id memory, element_type type, value at, int count) {
        if (count == 1) {
            const value one = to_.let("loaded", to_.at(memory, at));
            return [one](value) { return one; };
        }
        const value all = to_.let("loaded", to_.at(memory, at, nest::types::vector(type, count)));
        return [this, all](value k) { return to_.lane(all, k); };
    }

    [[nodiscard]] static nest::type real_type() { return nest::types::element(element_type::float64); }
    [[nodiscard]] value real(value element, element_type of) {
        if (kind_of(of) == element_kind::floating)
            return to_.piece("segment_real", nest::types::element(element_type::float64), {element});
        return to_.convert(element, nest::types::element(element_type::float64));
    }

    [[nodiscard]] static nest::type bin_type() { return nest::types::element(element_type::uint32); }
    [[nodiscard]] static nest::type float_type() { return nest::types::element(element_type::float32); }
    [[nodiscard]] value segment_of(value number) {
        if (of_.by_floats) {
            const bool is_float = kind_of(of_.numbers) == element_kind::floating;
            const value one = to_.convert(is_float ? real(number, of_.numbers) : number, float_type());
            return to_.piece("bin_of_float", bin_type(),
                             {one, low_float_, rate_, clearance_, low_, high_, width_, bins_});
        }
        if (!of_.by_bins) return to_.convert(number, nest::types::word);
        return to_.piece("bin_of", nest::types::word,
                         {real(number, of_.numbers), low_, high_, width_, count_, rate_, margin_});
    }

    [[nodiscard]] value word_of(const std::function<value(value)>& element, value k, value s) {
        const auto piece = [&](const char* name, std::initializer_list<value> of) {
            return to_.piece(name, nest::types::word, of);
        };
        const bool is_float = kind_of(of_.values) == element_kind::floating;
        switch (of_.pass) {
            case segment_pass::number: return to_.constant(1, held_type());
            case segment_pass::magnitude:
                if (of_.in_sectors) return to_.piece("segment_small_magnitude", held_type(), {element(k)});
                return to_.convert(piece("segment_magnitude", {real(element(k), of_.values)}), held_type());
            case segment_pass::parts:
                if (of_.in_sectors) return piece("segment_small_part", {element(k), to_.at(magnitudes_, s), setting_});
                return piece("segment_part", {real(element(k), of_.values), word_at(s), setting_});
            case segment_pass::least:
            case segment_pass::greatest:
                if (is_float)
                    return piece(of_.pass == segment_pass::least ? "segment_ordered_least" : "segment_ordered_greatest",
                                 {real(element(k), of_.values)});
                if (of_.values == element_type::uint64) return piece("segment_signed", {element(k)});
                break;
            default: break;
        }
        return to_.convert(element(k), held_type());
    }

    void assign_parts(value part, value rest, value element, value s) {
        const value magnitude = to_.let("magnitude", magnitude_at(s));
        to_.assign(part, to_.piece("segment_part", nest::types::word, {element, magnitude, setting_}));
        to_.assign(rest, to_.piece("segment_rest", nest::types::word, {element, magnitude, setting_}));
    }

    // --- Tables ---

    [[nodiscard]] value word_at(value place) { return to_.convert(to_.at(table_, place), nest::types::word); }
    /// Of the words of all segments, parts come after magnitudes, unless these have a memory of their own, and rests after parts.
    [[nodiscard]] value place_of_part(value s) { return of_.in_sectors ? s : count_ + s; }
    [[nodiscard]] value place_of_rest(value s) {
        const auto inside = static_cast<int>(of_.inside);
        return of_.in_sectors ? count_ / inside * row_pitch(of_) + s : count_ * 2 + s;
    }
    [[nodiscard]] value place_of_all(value s) { return of_.pass == segment_pass::parts ? place_of_part(s) : s; }
    /// Where rows are apart.
    [[nodiscard]] value place_of_segment(value s) {
        if (row_pitch(of_) == of_.inside) return s;
        const auto inside = static_cast<int>(of_.inside);
        const value row = to_.let("row", nest::types::word, s / inside);
        return to_.let("place", nest::types::word, row * row_pitch(of_) + (s - row * inside));
    }
    [[nodiscard]] value magnitude_at(value place) {
        return of_.in_sectors ? to_.convert(to_.at(magnitudes_, place), nest::types::word) : word_at(place);
    }
    /// Neighbouring threads are at different copies: of 32 each has its own bank.
    [[nodiscard]] value place(value s) {
        return to_.convert(s, nest::types::small) * to_.convert(copies_, nest::types::small) +
               (lane_ & (to_.convert(copies_, nest::types::small) - 1));
    }
    [[nodiscard]] value in_table(value s) {
        if (of_.shared) return to_.at(mine_, place(s));
        if (of_.in_sectors && of_.pass == segment_pass::magnitude) return to_.at(magnitudes_, s);
        return to_.at(table_, place_of_all(s));
    }
    [[nodiscard]] value rest_in_table(value s) {
        return of_.shared ? to_.at(my_rests_, place(s)) : to_.at(table_, place_of_rest(s));
    }

    template <class Each>
    void each_of(value end, Each each) {
        to_.loop(runner::serial, "i", to_.convert(thread_, nest::types::word), end, segment_threads, each,
                 /*written_out=*/1, nest::types::word);
    }

    void clear_table() {
        each_of(count_ * copies_, [&](value i) {
            to_.assign(to_.at(mine_, i), nothing());
            if (has_rests()) to_.assign(to_.at(my_rests_, i), nothing());
        });
        to_.barrier();
    }

    /// Each segment's copies come together, and those that have something go to all segments' words.
    void hand_over() {
        to_.barrier();
        const auto over = [&](nest::id from, const std::function<value(value)>& to) {
            each_of(count_, [&](value s) {
                const value sum = to_.variable("all", nest::types::word, nothing());
                to_.loop(
                    runner::serial, "copy", 0, copies_, 1,
                    [&](value copy) {
                        // Neighbouring threads at different copies, too.
                        const value at = s * copies_ + ((copy + thread_) & (copies_ - 1));
                        const value one = to_.let("one", to_.convert(to_.at(from, at), nest::types::word));
                        to_.assign(sum, both(sum, one));
                    },
                    /*written_out=*/1, nest::types::word);
                to_.when(!(sum == nothing()), [&] { to_.atomic(how(), to(s), sum); });
            });
        };
        if (ends_in_counters(of_)) {
            over(mine_, [&](value s) { return to_.at(table_, s); });
            return finish_in_last_block();
        }
        over(mine_, [&](value s) { return to_.at(table_, place_of_all(s)); });
        if (has_rests()) over(my_rests_, [&](value s) { return to_.at(table_, count_ * 2 + s); });
    }

    /// The counters are left as they were found: all 0.
    void finish_in_last_block() {
        to_.barrier();
        const value is_last = to_.at(to_.shared("is_last", nest::types::boolean, 1), 0);
        const value blocks = stride_ / (segment_threads * vector());
        to_.when(thread_ == 0,
                 [&] { to_.assign(is_last, to_.count_block(table_, to_.constant(segment_block_counter), blocks)); });
        to_.barrier();
        to_.when(!is_last, [&] { to_.end(); });
        each_of(count_, [&](value s) {
            to_.assign(to_.at(result_, s), to_.convert(to_.at(table_, s), nest::types::element(element_type::int64)));
            to_.assign(to_.at(table_, s), 0);
        });
        to_.when(thread_ == 0, [&] { to_.assign(to_.at(table_, segment_block_counter), 0); });
    }

    static constexpr int values_of_thread = 4;  // of rows

    const segment_step& of_;
    builder to_;
    nest::id result_ = nest::none, table_ = nest::none, numbers_ = nest::none, values_ = nest::none;
    nest::id mine_ = nest::none, my_rests_ = nest::none, magnitudes_ = nest::none;
    value count_elements_, count_, stride_, copies_, setting_, low_, high_, width_;
    value block_, warp_, lane_, thread_, rate_, margin_;
    value bins_, low_float_, clearance_;  // by floats
};

const char* name_of(segment_pass pass) {
    static constexpr const char* names[] = {"clear", "histogram", "sum",   "magnitude", "parts",
                                            "min",   "max",       "total", "result"};
    return names[static_cast<int>(pass)];
}

}  // namespace

bool ends_in_counters(const segment_step& of) {
    return of.pass == segment_pass::number && of.shared && of.count <= segment_block_counter &&
           of.elements <= std::int64_t{std::numeric_limits<std::uint32_t>::max()};
}

bool counts_plainly(const segment_step& of) { return of.pass == segment_pass::number && of.shared && of.copies >= 4; }

std::string segment_name(const segment_step& of) {
    std::string out = std::string("kiln_segment_") + name_of(of.pass);
    if (of.pass == segment_pass::clear) return of.narrow ? out + "_narrow" : out;
    if (of.over_elements()) {
        out += std::string("_") + info(of.numbers).suffix;
        if (of.by_bins) out += of.by_floats ? "_float_bins" : "_bins";
    }
    if (of.pass != segment_pass::number) out += std::string("_") + info(of.values).suffix;
    if ((of.over_elements() || of.in_sectors) && of.inside > 1) out += text::format("_rows{}", of.inside);
    if (of.shared) out += of.all_inside ? "_shared_inside" : "_shared";
    if (ends_in_counters(of)) out += "_counters";
    if (of.narrow) out += "_narrow";
    if (of.any_order) out += "_any_order";
    if (of.shared && of.pass == segment_pass::number && !counts_plainly(of)) out += "_merged";
    return out;
}

std::string segment_text(const segment_step& of) {
    if (of.pass == segment_pass::clear) return "segments: words without elements";
    return text::format("segments: {} of {}", name_of(of.pass),
                        info(of.pass == segment_pass::number ? of.numbers : of.values).name);
}

nest::tree segment_nest(const segment_step& of) { return segment_policy(of).run(); }

}  // namespace kiln::plan
