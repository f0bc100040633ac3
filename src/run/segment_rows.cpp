// The steps of plan/segment_rows.hpp: rows in the order of their segments.
#include <run/segment_rows.hpp>

#include <emit/segment_rows_text.hpp>

#include <iterator>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

class segment_row_stage final : public array_stage {
public:
    segment_row_stage(plan::segment_row_plan plan, const stage::segments& by) : plan_(std::move(plan)) {
        operand_leaves = {by.numbers_leaf, by.values_leaf};
        temporaries = {8 * plan_.words, 4 * plan_.places};
    }

    [[nodiscard]] int step_count() const override { return static_cast<int>(plan_.steps.size()); }

    [[nodiscard]] step_launch launch(int step) const override {
        const plan::segment_row_step& of = at(step);
        step_launch out{{.segment_rows = &of}, of.rows * of.inside, plan::block_count(of), plan::threads_per_block(of)};
        out.bytes_read = plan::bytes_read(of);
        out.bytes_written = plan::bytes_written(of);
        return out;
    }

    void fill(int step, const step_memory& memory, step_parameters& into) const override {
        const plan::segment_row_step& of = at(step);
        into.add(memory.results.front());
        into.add(memory.temporary(0));
        into.add(memory.operands[0]);
        into.add(memory.operands[1]);
        into.add(memory.temporary(1));
        into.add(of.rows);
        into.add(of.segments);
        into.add(plan::most_parts(of));
        into.add(of.inside);
        into.add(of.setting);
        static_assert(std::size(plan::segment_row_signature) == 10);
    }

    [[nodiscard]] plan::kernel_signature takes(int) const override {
        return {std::begin(plan::segment_row_signature), std::end(plan::segment_row_signature)};
    }
    /// As of elements that are told apart one by one: their integers decide.
    [[nodiscard]] options wanted() const override {
        options out = current_options();
        out.fma = false;
        out.fast_math = false;
        return out;
    }
    [[nodiscard]] std::string name(int step) const override { return emit::segment_rows_name(at(step)); }
    [[nodiscard]] std::string text(int step) const override { return emit::segment_rows_text(at(step)); }
    [[nodiscard]] emit::source source(int step) const override { return emit::segment_rows_source(at(step)); }
    [[nodiscard]] std::string nest(int) const override { return {}; }
    [[nodiscard]] const char* why_cut() const override { return "what follows needs all rows in their places"; }

private:
    [[nodiscard]] const plan::segment_row_step& at(int step) const {
        return plan_.steps[static_cast<std::size_t>(step)];
    }

    plan::segment_row_plan plan_;
};

}  // namespace

std::unique_ptr<array_stage> plan_segment_rows(const stage::segments& by) {
    return std::make_unique<segment_row_stage>(plan::plan_segment_rows(by.by, by.elements, by.numbers, by.values), by);
}

}  // namespace kiln::inline v0_1::detail
