#include <device/cpu/element_source.hpp>
#include <device/cpu/host_reducer.hpp>
#include <device/cpu/host_reduction.hpp>
#include <device/cpu/pooling.hpp>
#include <device/cpu/reduced_axes.hpp>
#include <device/cpu/streaming_store.hpp>
#include <plan/ceil_div.hpp>
#include <plan/host_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

namespace kiln::backend {

namespace {

using plan::ceil_div;

constexpr std::int64_t block_columns = plan::host_order::columns;

/// Bytes of an array from which on memory is asked for what is added up next. Intel's prefetchers stop at a page's end. An EPYC's (Zen 4, 5)
/// do not, and of arrays in the third cache it loses: one core reads 28 GB/s for 42. Past that, of arrays that are added up where they are,
/// it gains: two cores (Zen 5, 32 MiB) take 290 us for 370 of 32 MiB, 490 for 650 of 45 (of products 335 for 315).
std::int64_t least_asked_for(bool in_place, int thread_count) {
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
#if defined(__x86_64__)
    if (__builtin_cpu_is("intel")) return std::int64_t{4} << 20;  // less is in a cache
    const std::int64_t caches = in_place && __builtin_cpu_is("amd") ? last_cache_bytes(thread_count) : 0;
    return caches > 0 ? caches : never;
#else
    return never;  // not measured
#endif
}

class reduction_run {
public:
    reduction_run(const cpu_kernel& elements, const launch_arguments& arguments, thread_pool& threads)
        : elements_(elements), arguments_(arguments), threads_(threads), of_(*arguments.reduced) {
        for (std::size_t i = 0; i < elements.reduced().size(); ++i) reducers_.push_back(&elements.reducer(i));
        block_ = of_.along_rows ? 1 : std::min(of_.inner, block_columns);
        const plan::host_parts parts = plan::host_parts_of(of_.along_rows, of_.inner, of_.reduced);
        steps_ = parts.steps;
        steps_of_part_ = parts.steps_of_part;
        parts_ = ceil_div(steps_, steps_of_part_);
        for (const host_reducer* each : reducers_)
            if (!of_.along_rows) rows_at_once_ = std::max(rows_at_once_, each->rows_at_once());
        if (!of_.along_rows) block_ = columns_of_unit();
        blocks_ = of_.along_rows ? of_.kept : of_.kept / of_.inner * ceil_div(of_.inner, block_);
        in_place_ = elements.reduces_arrays() && rows_at_once_ == 1;
        static const std::int64_t least_asked_for_of[] = {least_asked_for(false, threads.thread_count()),
                                                          least_asked_for(true, threads.thread_count())};
        least_asked_for_ = least_asked_for_of[in_place_ ? 1 : 0];
        if (parts_ > 1)
            for (const host_reducer* each : reducers_)
                partial_.emplace_back(static_cast<std::size_t>(of_.kept * parts_ * each->accumulator_bytes()));
    }

    void run() {
        if (parts_ == 1)
            if (const std::optional<pooling> pooled = pooling_of(of_)) return pool(*pooled);
        const std::int64_t unit = std::max<std::int64_t>(1, of_.kept * of_.reduced / (blocks_ * parts_));
        const std::int64_t grain = std::max<std::int64_t>(1, least_elements / unit);
        threads_.parallel_for_pieces(
            blocks_ * parts_, grain,
            [this](std::int64_t begin, std::int64_t end) {
                element_source source(elements_, arguments_, std::max(piece_elements, rows_at_once_ * block_),
                                      in_place_, of_.kept * of_.reduced, least_asked_for_);
                if (of_.along_rows) rows(source, begin, end);
                else columns(source, begin, end);
            },
            1);
        if (parts_ > 1) combine_parts();
    }

private:
    static constexpr std::int64_t least_elements = std::int64_t{1} << 15;  // that are worth a thread
    using accumulators = std::vector<std::vector<std::byte>>;

    /// Columns that a unit goes down side by side: as many as make a piece of a row, which comes from memory in longer runs than
    /// `block_columns`, while every thread has a few units. Each column's order is the same: which part a row is of is said before. A sum of
    /// products of 2048 x 2048 floats takes one core of an EPYC (Zen 4) 2.7 ms by 1024 columns, and 1.9 by 2048.
    [[nodiscard]] std::int64_t columns_of_unit() const {
        constexpr std::int64_t units_of_thread = 4;
        const std::int64_t wide = std::min(of_.inner, piece_elements);
        const std::int64_t units = of_.kept / of_.inner * ceil_div(of_.inner, wide) * parts_;
        return rows_at_once_ == 1 && units >= units_of_thread * threads_.thread_count() ? wide : block_;
    }

    [[nodiscard]] accumulators make_accumulators(std::int64_t count) const {
        accumulators out;
        for (const host_reducer* each : reducers_) {
            out.emplace_back(static_cast<std::size_t>(count * each->accumulator_bytes()));
            each->clear(out.back().data(), count);
        }
        return out;
    }

    [[nodiscard]] std::byte* result(std::size_t output) const {
        return *static_cast<std::byte**>(arguments_.parameters[elements_.output_parameter(output)]);
    }

    /// What a unit came to: values [first, first + count).
    void leave(accumulators& made, std::int64_t first, std::int64_t count, std::int64_t part) {
        for (std::size_t i = 0; i < reducers_.size(); ++i) {
            if (parts_ == 1) {
                reducers_[i]->finish(made[i].data(), count, of_.reduced,
                                     result(i) + first * bytes_of(elements_.reduced()[i].result));
            } else {
                const std::int64_t bytes = reducers_[i]->accumulator_bytes();
                std::copy_n(made[i].data(), count * bytes, partial_[i].data() + (part * of_.kept + first) * bytes);
            }
        }
    }

    // Rows: a unit is a part of one value's pieces. Short rows are computed several at a time.
    void rows(element_source& source, std::int64_t begin, std::int64_t end) {
        const bool are_neighbours = of_.outer_reduced.empty() && parts_ == 1;
        const std::int64_t together = are_neighbours ? std::max<std::int64_t>(1, piece_elements / of_.inner) : 1;
        for (std::int64_t unit = begin; unit < end;) {
            if (elements_.adds_up()) {
                added_up_part(source, unit / parts_, unit % parts_);
                ++unit;
            } else if (together > 1) {
                const std::int64_t count = std::min(together, end - unit);
                short_rows(source, unit, count);
                unit += count;
            } else {
                row_part(source, unit / parts_, unit % parts_);
                ++unit;
            }
        }
    }

    void short_rows(element_source& source, std::int64_t first, std::int64_t count) {
        source.compute(first * of_.inner, count * of_.inner);
        accumulators made = make_accumulators(count);
        for (std::size_t i = 0; i < reducers_.size(); ++i)
            reducers_[i]->take_rows(made[i].data(), source.values(i), count, of_.inner);
        leave(made, first, count, 0);
    }

    /// By a kernel that adds up: its rows are of neighbours alone, and a part is one range.
    void added_up_part(element_source& source, std::int64_t value, std::int64_t part) {
        const std::int64_t part_elements = steps_of_part_ * piece_elements;
        const std::int64_t from = part * part_elements;
        accumulators made = make_accumulators(1);
        source.add_up(place_of(of_.outer_kept, value) + from, std::min(part_elements, of_.inner - from), made);
        leave(made, value, 1, part);
    }

    void row_part(element_source& source, std::int64_t value, std::int64_t part) {
        const std::int64_t pieces_of_row = ceil_div(of_.inner, piece_elements);
        const std::int64_t base = place_of(of_.outer_kept, value);
        accumulators made = make_accumulators(1);
        const std::int64_t last = std::min(steps_, (part + 1) * steps_of_part_);
        for (std::int64_t step = part * steps_of_part_; step < last; ++step) {
            const std::int64_t row = step / pieces_of_row;
            const std::int64_t from = step % pieces_of_row * piece_elements;
            const std::int64_t count = std::min(piece_elements, of_.inner - from);
            const std::int64_t begin = base + place_of(of_.outer_reduced, row) + from;
            const std::int64_t first = row * of_.inner + from;
            source.compute(begin, count);
            const std::optional<wanted_elements> next = source.wanted(begin + count, count);
            for (std::size_t i = 0; i < reducers_.size(); ++i)
                if (i == 0 && next)
                    reducers_[i]->take_run_asking(made[i].data(), source.values(i), count, first, *next);
                else reducers_[i]->take_run(made[i].data(), source.values(i), count, first);
        }
        leave(made, value, 1, part);
    }

    // Windows: a unit is of values whose elements lie side by side.
    void pool(const pooling& windows) {
        const std::int64_t units = windows.unit_count();
        const std::int64_t unit = std::max<std::int64_t>(1, of_.kept * of_.reduced / units);
        threads_.parallel_for_pieces(
            units, ceil_div(least_elements, unit),
            [&](std::int64_t begin, std::int64_t end) {
                element_source source(elements_, arguments_, piece_elements, in_place_, of_.kept * of_.reduced,
                                      least_asked_for_);
                const std::int64_t values = windows.blocks_of_unit * windows.values_of_unit;
                accumulators made = make_accumulators(values);
                neighbouring_lines short_lines(windows);
                for (std::int64_t number = begin; number < end; ++number) {
                    if (number > begin)
                        for (std::size_t i = 0; i < reducers_.size(); ++i) reducers_[i]->clear(made[i].data(), values);
                    const pooling::unit each = windows.unit_at(number);
                    pooled_unit(source, windows, each, short_lines, made);
                    leave(made, each.value, each.blocks * each.values, 0);
                }
            },
            1);
    }

    void pooled_unit(element_source& source, const pooling& windows, const pooling::unit& unit,
                     neighbouring_lines& short_lines, accumulators& made) {
        const std::int64_t outer = windows.outer_lines();
        for (std::int64_t row = 0; row < outer; ++row) {
            const std::int64_t begin = unit.begin + place_of(windows.outer_reduced, row);
            const std::int64_t first = row * windows.lines;
            if (!windows.has_whole_blocks) {
                for (std::int64_t line = 0; line < windows.lines; ++line) {
                    source.compute(begin + line * windows.line_elements(), unit.values * windows.run);
                    take_lines(source, windows, 0, {0, unit.values}, first + line, 1, made);
                }
                continue;
            }
            source.compute(begin, unit.blocks * windows.block_elements());
            if (windows.has_short_lines()) take_short_lines(source, windows, unit, short_lines, first, made);
            else
                for (std::int64_t block = 0; block < unit.blocks; ++block)
                    take_lines(source, windows, block * windows.block_elements(), {block * unit.values, unit.values},
                               first, windows.lines, made);
        }
    }

    struct value_range {
        std::int64_t first, count;
    };

    /// Lines that follow each other from the source's element `place` on; `number`: the first one's, of all of these values.
    void take_lines(const element_source& source, const pooling& windows, std::int64_t place, value_range values,
                    std::int64_t number, std::int64_t lines, accumulators& made) {
        for (std::size_t i = 0; i < reducers_.size(); ++i) {
            const std::int64_t bytes = bytes_of(elements_.reduced()[i].accumulated);
            take_lines(i, windows, source.values(i) + place * bytes, values, number, lines, made);
        }
    }

    /// Of blocks, the lines of one number at once.
    void take_short_lines(const element_source& source, const pooling& windows, const pooling::unit& unit,
                          neighbouring_lines& short_lines, std::int64_t number, accumulators& made) {
        for (std::int64_t line = 0; line < windows.lines; ++line)
            for (std::size_t i = 0; i < reducers_.size(); ++i) {
                const int bytes = bytes_of(elements_.reduced()[i].accumulated);
                const std::byte* const from = short_lines.of(source.values(i), line, unit.blocks, bytes);
                take_lines(i, windows, from, {0, unit.blocks * unit.values}, number + line, 1, made);
            }
    }

    void take_lines(std::size_t output, const pooling& windows, const std::byte* from, value_range values,
                    std::int64_t number, std::int64_t lines, accumulators& made) {
        const host_reducer& by = *reducers_[output];
        std::byte* const into = made[output].data() + values.first * by.accumulator_bytes();
        if (!windows.of_rows) return by.take_each(into, from, values.count, lines, number);
        const std::int64_t bytes = values.count * windows.run * bytes_of(elements_.reduced()[output].accumulated);
        for (std::int64_t line = 0; line < lines; ++line)
            by.take_rows_from(into, from + line * bytes, values.count, windows.run, (number + line) * windows.run);
    }

    // Columns: a unit is a part of what a block of neighbouring values is of. Of few columns, several rows are computed at
    // a time where they are neighbours.
    void columns(element_source& source, std::int64_t begin, std::int64_t end) {
        for (std::int64_t unit = begin; unit < end; ++unit) column_part(source, unit / parts_, unit % parts_);
    }

    void column_part(element_source& source, std::int64_t block, std::int64_t part) {
        const std::int64_t blocks_of_row = ceil_div(of_.inner, block_);
        const std::int64_t outer = block / blocks_of_row;
        const std::int64_t from = block % blocks_of_row * block_;
        const std::int64_t count = std::min(block_, of_.inner - from);
        const std::int64_t base = place_of(of_.outer_kept, outer) + from;
        accumulators made = make_accumulators(count);
        const std::int64_t last = std::min(steps_, (part + 1) * steps_of_part_);
        for (std::int64_t step = part * steps_of_part_; step < last;) {
            std::int64_t together = 1;
            if (count == of_.inner)
                together = std::min({std::max<std::int64_t>(1, piece_elements / count), last - step,
                                     of_.beside_inner() - step % of_.beside_inner()});
            if (together > 1 || rows_at_once_ == 1) {
                source.compute(base + place_of(of_.outer_reduced, step), together * count);
            } else {
                together = std::min(rows_at_once_, last - step);
                for (std::int64_t row = 0; row < together; ++row)
                    source.compute(base + place_of(of_.outer_reduced, step + row), count, row * count);
            }
            for (std::size_t i = 0; i < reducers_.size(); ++i)
                reducers_[i]->take_each(made[i].data(), source.values(i), count, together, step);
            step += together;
        }
        leave(made, outer * of_.inner + from, count, part);
    }

    /// Parts are combined in pairs, neighbours first.
    void combine_parts() {
        threads_.parallel_for(of_.kept, std::max<std::int64_t>(1, 4096 / parts_),
                              [this](std::int64_t begin, std::int64_t end) {
                                  for (std::size_t i = 0; i < reducers_.size(); ++i) {
                                      const std::int64_t bytes = reducers_[i]->accumulator_bytes();
                                      const auto part = [&](std::int64_t number) {
                                          return partial_[i].data() + (number * of_.kept + begin) * bytes;
                                      };
                                      for (std::int64_t apart = 1; apart < parts_; apart *= 2)
                                          for (std::int64_t left = 0; left + apart < parts_; left += 2 * apart)
                                              reducers_[i]->merge(part(left), part(left + apart), end - begin);
                                      reducers_[i]->finish(part(0), end - begin, of_.reduced,
                                                           result(i) + begin * bytes_of(elements_.reduced()[i].result));
                                  }
                              });
    }

    const cpu_kernel& elements_;
    const launch_arguments& arguments_;
    thread_pool& threads_;
    const reduced_axes of_;
    std::vector<const host_reducer*> reducers_;
    std::int64_t block_ = 1;         // values of a unit
    std::int64_t rows_at_once_ = 1;  // of columns, computed before they are taken
    bool in_place_ = false;          // rows are read where they are
    std::int64_t least_asked_for_ = 0;
    std::int64_t blocks_ = 1;
    std::int64_t steps_ = 1;  // pieces, or rows of columns, that a value is of
    std::int64_t steps_of_part_ = 1;
    std::int64_t parts_ = 1;
    accumulators partial_;  // by part, then value
};

}  // namespace

void reduce_on_host(const cpu_kernel& elements, const launch_arguments& arguments, thread_pool& threads) {
    reduction_run(elements, arguments, threads).run();
}

}  // namespace kiln::backend
