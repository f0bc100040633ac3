// The steps of plan/segments.hpp: what elements come to by segments.
#include <capture/segments.hpp>
#include <plan/policy/segments.hpp>
#include <run/array_stage.hpp>
#include <run/segment_rows.hpp>

#include <plan/nest/print.hpp>

#include <iterator>

namespace kiln::inline v0_1::detail {

namespace {

class segment_stage final : public array_stage {
public:
    segment_stage(plan::segment_plan plan, const stage::segments& by) : plan_(std::move(plan)) {
        operand_leaves = {by.numbers_leaf};
        if (by.values_leaf >= 0) operand_leaves.push_back(by.values_leaf);
        if (plan_.words) temporaries = {8 * plan_.words};
    }

    [[nodiscard]] int step_count() const override { return static_cast<int>(plan_.steps.size()); }

    [[nodiscard]] step_launch launch(int step) const override {
        const plan::segment_step& of = at(step);
        step_launch out{{.segments = &of},
                        of.over_elements() ? of.elements : of.count,
                        plan::block_count(of),
                        plan::threads_per_block(of)};
        out.bytes_read = plan::bytes_read(of);
        out.bytes_written = plan::bytes_written(of);
        return out;
    }

    void fill(int step, const step_memory& memory, step_parameters& into) const override {
        const plan::segment_step& of = at(step);
        into.add(memory.results.front());
        into.add(plan::ends_in_counters(of) ? memory.counters()
                 : plan_.words              ? memory.temporary(0)
                                            : memory.results.front());
        into.add(memory.operands.front());
        into.add(memory.operands.size() > 1 ? memory.operands[1] : nullptr);
        into.add(of.elements);
        into.add(of.count);
        into.add(plan::block_count(of) * plan::segment_threads * plan::segment_vector(of));
        into.add(of.copies);
        into.add(of.setting);
        into.add(of.low);
        into.add(of.high);
        into.add((of.high - of.low) / static_cast<double>(of.count));
        static_assert(std::size(plan::segment_signature) == 12);
        if (of.in_sectors) into.add(memory.temporary(0) + 8 * plan::words_of_rows(of));
    }

    [[nodiscard]] plan::kernel_signature takes(int step) const override {
        plan::kernel_signature out(std::begin(plan::segment_signature), std::end(plan::segment_signature));
        if (at(step).in_sectors) out.push_back(plan::segment_magnitudes);
        return out;
    }
    /// Nothing of a step's arithmetic may be contracted or approximate: its integers decide.
    [[nodiscard]] options wanted() const override {
        options out = current_options();
        out.fma = false;
        out.fast_math = false;
        return out;
    }
    [[nodiscard]] std::string name(int step) const override { return plan::segment_name(at(step)); }
    [[nodiscard]] std::string text(int step) const override { return plan::segment_text(at(step)); }
    [[nodiscard]] emit::source source(int step) const override {
        return emit::emit(plan::segment_nest(at(step)), text(step));
    }
    [[nodiscard]] std::string nest(int step) const override { return plan::nest::print(plan::segment_nest(at(step))); }
    [[nodiscard]] const char* why_cut() const override { return "what follows needs all words of the segments"; }

private:
    [[nodiscard]] const plan::segment_step& at(int step) const { return plan_.steps[static_cast<std::size_t>(step)]; }

    plan::segment_plan plan_;
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage&, const stage::segments& by, const backend::device& on) {
    const bool any_order = current_options().fast_math;
    plan::segment_plan plan = plan::plan_segments(by.by, by.elements, by.numbers, by.values, on.target(), any_order);
    const std::int64_t inside = by.by.inside;
    if (!plan.steps.back().any_order && inside > 1 && on.target().kind == plan::frame::cuda &&
        are_put_in_order(by.elements / inside, inside, by.by.count / inside, by.values))
        return plan_segment_rows(by);
    return std::make_unique<segment_stage>(std::move(plan), by);
}

}  // namespace kiln::inline v0_1::detail
