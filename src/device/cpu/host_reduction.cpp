#include <device/cpu/host_reducer.hpp>
#include <device/cpu/host_reduction.hpp>
#include <device/cpu/streaming_store.hpp>
#include <plan/ceil_div.hpp>
#include <plan/host_parts.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace kiln::backend {

namespace {

using plan::ceil_div;

constexpr std::int64_t piece_elements = plan::host_order::piece;  // computed at once
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

struct axis_walk {
    std::int64_t extent;
    std::int64_t stride;
};

/// Where element `number` of these axes, row-major, is among all elements.
std::int64_t place_of(const std::vector<axis_walk>& axes, std::int64_t number) {
    std::int64_t place = 0;
    for (std::size_t i = axes.size(); i-- > 0;) {
        place += number % axes[i].extent * axes[i].stride;
        number /= axes[i].extent;
    }
    return place;
}

/// The iteration as values and what they are of.
struct division {
    explicit division(const reduced_iteration& of) {
        std::int64_t stride = 1;
        bool is_inner = true;
        for (int axis = of.extents->rank(); axis-- > 0;) {
            const std::int64_t extent = (*of.extents)[axis];
            if (extent == 1) continue;
            const bool goes = of.axes >> axis & 1;
            (goes ? reduced : kept) *= extent;
            if (stride == 1) along_rows = goes;
            is_inner = is_inner && goes == along_rows;
            if (is_inner) {
                inner *= extent;
            } else {
                std::vector<axis_walk>& outer = goes ? outer_reduced : outer_kept;
                outer.insert(outer.begin(), {extent, stride});
                if (beside_inner == 0) beside_inner = extent;
            }
            stride *= extent;
        }
    }

    std::int64_t kept = 1;
    std::int64_t reduced = 1;
    std::int64_t inner = 1;  // neighbours that belong to one value, or to as many values
    bool along_rows = true;
    std::int64_t beside_inner = 0;  // extent of the axis next to them: of columns a reduced one; 0: there is none
    std::vector<axis_walk> outer_kept;
    std::vector<axis_walk> outer_reduced;
};

/// Computes elements into buffers, one for each output. Those that are an array's as they are stay where they are.
class element_source {
public:
    /// `most`: elements that there is room for. `in_place`: of kernels that reduce arrays. `total`: of all calls together. `least_asked_for`:
    /// bytes.
    element_source(const cpu_kernel& elements, const launch_arguments& arguments, std::int64_t most, bool in_place,
                   std::int64_t total, std::int64_t least_asked_for)
        : elements_(elements),
          parameters_(arguments.parameters, arguments.parameters + elements.parameters().size()),
          total_(total) {
        find_asked_for(least_asked_for);
        const std::vector<plan::reduced_output>& outputs = elements.reduced();
        if (in_place) {
            for (std::size_t i = 0; i < outputs.size(); ++i)
                arrays_.push_back(*static_cast<std::byte* const*>(parameters_[elements.array_parameter(i)]));
            places_.resize(outputs.size());
            return;
        }
        pointers_.resize(outputs.size());
        for (std::size_t i = 0; i < outputs.size(); ++i) parameters_[elements.output_parameter(i)] = &pointers_[i];
        if (elements.adds_up()) return;
        for (const plan::reduced_output& each : outputs)
            buffers_.push_back(std::make_unique_for_overwrite<std::byte[]>(
                static_cast<std::size_t>(most * bytes_of(each.accumulated)) + 64));
    }

    /// Elements [begin, begin + count), behind the first `place` of the buffers; in place, these alone.
    void compute(std::int64_t begin, std::int64_t count, std::int64_t place = 0) {
        for (std::size_t i = 0; i < arrays_.size(); ++i)
            places_[i] = arrays_[i] + begin * bytes_of(elements_.reduced()[i].accumulated);
        if (!arrays_.empty()) return;
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            const std::int64_t offset = (begin - place) * bytes_of(elements_.reduced()[i].accumulated);
            pointers_[i] = reinterpret_cast<std::uintptr_t>(values(i)) - static_cast<std::uintptr_t>(offset);
        }
        elements_.run(parameters_.data(), begin, begin + count, stores::cached);
    }

    /// The same elements, of kernels that add up: to an accumulator of each output.
    void add_up(std::int64_t begin, std::int64_t count, std::vector<std::vector<std::byte>>& to) {
        for (std::size_t i = 0; i < to.size(); ++i) pointers_[i] = reinterpret_cast<std::uintptr_t>(to[i].data());
        elements_.run(parameters_.data(), begin, begin + count, stores::cached);
    }

    /// Elements from `begin` on, of the arrays that they are made of; none, where there are no `count` more, or all are in a cache.
    [[nodiscard]] std::optional<wanted_elements> wanted(std::int64_t begin, std::int64_t count) const {
        if (asked_for_.of[0].bytes == 0 || begin + count > total_) return {};
        wanted_elements out = asked_for_;
        for (wanted_elements::array& each : out.of) each.first += begin * each.bytes;
        return out;
    }

    [[nodiscard]] const std::byte* values(std::size_t output) {
        if (!arrays_.empty()) return places_[output];
        const auto start = reinterpret_cast<std::uintptr_t>(buffers_[output].get());
        return buffers_[output].get() + (64 - start % 64) % 64;
    }

private:
    void find_asked_for(std::int64_t least) {
        constexpr std::int64_t most_bytes = 16;  // of an element
        if (total_ < least / most_bytes) return;
        std::size_t count = 0;
        for (const auto& [parameter, bytes] : elements_.arrays_in_order())
            if (total_ * bytes >= least && count < std::size(asked_for_.of))
                asked_for_.of[count++] = {*static_cast<const std::byte* const*>(parameters_[parameter]), bytes};
    }

    const cpu_kernel& elements_;
    std::vector<void*> parameters_;
    std::int64_t total_;
    wanted_elements asked_for_ = {};  // from the arrays' first elements on
    std::vector<std::uintptr_t> pointers_;
    std::vector<std::unique_ptr<std::byte[]>> buffers_;
    std::vector<const std::byte*> arrays_;  // of each output, whose elements nobody computes; empty: somebody does
    std::vector<const std::byte*> places_;  // of the elements at hand
};

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
        const std::int64_t unit = std::max<std::int64_t>(1, of_.kept * of_.reduced / (blocks_ * parts_));
        const std::int64_t grain = std::max<std::int64_t>(1, (std::int64_t{1} << 15) / unit);
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
            if (count == of_.inner && of_.beside_inner > 0)
                together = std::min({std::max<std::int64_t>(1, piece_elements / count), last - step,
                                     of_.beside_inner - step % of_.beside_inner});
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
    const division of_;
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
