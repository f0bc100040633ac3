#include "gpu_rows.hpp"

#include <utility>

namespace kiln::bench {

namespace {

std::int64_t doubles_for(double bytes) { return static_cast<std::int64_t>(bytes / 2 / sizeof(double)) + 1; }

/// By compiling them once more: kiln keeps the figure in its store only.
std::string registers_of(const gpu_program& measured) {
    std::string out;
    for (const kernel_explanation& each : measured.plan.kernels) {
        if (each.source.empty()) continue;
        const emit::source source{each.name, each.source};
        const compile::binary made = measured.compile ? measured.compile(source) : gpu_toolchain().compile(source);
        for (const auto& [name, value] : made.facts)
            if (name == "registers") out += (out.empty() ? "" : " + ") + value;
    }
    return out.empty() ? out : out + " registers";
}

}  // namespace

gpu_rows::gpu_rows(report& out, const gpu_stream& stream, double most_bytes, int rounds)
    : out_(out),
      stream_(stream),
      rounds_(rounds),
      copy_from_(zeros<double>({doubles_for(most_bytes)})),
      copy_to_(zeros<double>({doubles_for(most_bytes)})) {}

// Small copies take turns over the whole memory: repeated in one place they would be served by the L2 cache.
void gpu_rows::copy(std::size_t bytes, int call) {
    const std::size_t whole = static_cast<std::size_t>(copy_from_.size()) * sizeof(double);
    const std::size_t places = std::max<std::size_t>(1, whole / bytes);
    const std::size_t at = static_cast<std::size_t>(call) % places * (bytes / 512 * 512);
    stream_.copy(reinterpret_cast<char*>(copy_to_.data()) + at,
                 reinterpret_cast<const char*>(std::as_const(copy_from_).data()) + at, bytes);
}

// The one ahead of the start mark keeps the device busy until the others are queued: the host's part is not timed. Calls
// are numbered on from round to round, so that they go around all the memory there is.
std::function<double()> gpu_rows::timed(std::function<void(int)> once, int group) {
    return [this, once = std::move(once), group, call = 0]() mutable {
        once(call++);
        watch_.start(stream_);
        for (int i = 0; i < group; ++i) once(call++);
        return watch_.stop(stream_) / group;
    };
}

summary gpu_rows::add(const gpu_program& measured) {
    measured.once(0);  // compiles
    const counters before = counters::now();
    measured.once(1);
    most_launches_ = std::max(most_launches_, (counters::now() - before).launches);

    const auto half = static_cast<std::size_t>(measured.bytes / 2);
    std::vector<contender> contenders(2);
    contenders[0].measure = timed([this, half](int call) { copy(half, call); }, measured.group);
    contenders[1].measure = timed(measured.once, measured.group);
    for (const by_hand& each : measured.hand_written)
        contenders.emplace_back().measure = timed(each.once, measured.group);
    take_turns(contenders, rounds_);
    compiles_ += (counters::now() - before).compiles;

    const bool against_copy = measured.against == gpu_program::measure::copy || measured.hand_written.empty();
    const contender& copied = contenders[0];
    const contender& kiln = contenders[1];
    const contender* best = nullptr;
    if (!measured.hand_written.empty()) {
        best = &fastest(std::span(contenders).subspan(2));
        const by_hand& winner = measured.hand_written[static_cast<std::size_t>(best - &contenders[2])];
        out_.add({.what = text::format("  by hand: {}", winner.what),
                  .value = summarize(best->values),
                  .unit = "us",
                  .compared = ratio(*best, copied),
                  .compared_with = "x the copy",
                  .remark = text::format("{} registers", winner.registers)});
    }
    const summary judged = ratio(kiln, against_copy ? copied : *best);
    const double gb_per_s = measured.bytes / summarize(kiln.values).median * 1e-3;
    std::string remark = text::format("{:.0f} GB/s", gb_per_s);
    if (const std::string registers = registers_of(measured); !registers.empty()) remark += ", " + registers;
    out_.add({.what = measured.what,
              .value = summarize(kiln.values),
              .unit = "us",
              .compared = judged,
              .compared_with = against_copy ? "x the copy" : "x by hand",
              .must_be = limit{limit::side::at_most, measured.at_most, limit::subject::ratio},
              .remark = remark,
              .quiet = measured.quiet});
    return judged;
}

void gpu_rows::add_recompilations(std::int64_t count) {
    const auto figure_of = static_cast<double>(count);
    out_.add({.what = "compiled for other sizes and scalars",
              .value = {figure_of, figure_of, figure_of},
              .unit = "kernels",
              .must_be = limit{limit::side::at_most, 0}});
}

bool gpu_rows::finish() {
    const auto launches = static_cast<double>(most_launches_);
    const auto compiles = static_cast<double>(compiles_);
    out_.add({.what = "kernels per program, at most",
              .value = {launches, launches, launches},
              .unit = "kernels",
              .must_be = limit{limit::side::at_most, 1}});
    out_.add({.what = "compiled by calls after the first",
              .value = {compiles, compiles, compiles},
              .unit = "kernels",
              .must_be = limit{limit::side::at_most, 0}});
    return right_;
}

void gpu_rows::wrong(const std::string& what, std::int64_t element) {
    out_.note(text::format("WRONG RESULT: {}, element {}: its figures mean nothing", what, element));
    right_ = false;
}

}  // namespace kiln::bench
