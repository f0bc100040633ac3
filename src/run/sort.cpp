// The steps of plan/sort.hpp: rows in order.
#include <emit/sort_text.hpp>
#include <run/array_stage.hpp>

#include <iterator>

namespace kiln::inline v0_1::detail {

namespace {

class sort_stage final : public array_stage {
public:
    sort_stage(plan::sort_plan plan, const stage::sort& of)
        : plan_(std::move(plan)), values_(of.values), positions_(of.positions) {
        if (of.in_place && plan::sorts_in_place(plan_)) in_place = values_;
        temporaries = plan_.temporaries;
    }

    [[nodiscard]] int step_count() const override { return static_cast<int>(plan_.steps.size()); }

    [[nodiscard]] step_launch launch(int step) const override {
        const plan::sort_step& of = at(step);
        const plan::sort_tile tile = plan::tile_of(of);
        return {{.sort = &of}, of.element_count(),   plan::block_count(of),  tile.threads,
                tile.elements, plan::bytes_read(of), plan::bytes_written(of)};
    }

    void fill(int step, const step_memory& memory, step_parameters& into) const override {
        const plan::sort_step& of = at(step);
        for (const int number : {of.to, of.from, of.places_to, of.places_from, of.counts, of.states})
            into.add(address(memory, number));
        into.add(of.rows);
        into.add(of.count);
        into.add(std::int64_t{of.digit});
        into.add(of.kept);
        into.add(of.parts);
        static_assert(std::size(plan::sort_signature) == 11);
    }

    [[nodiscard]] plan::kernel_signature takes(int) const override {
        return {std::begin(plan::sort_signature), std::end(plan::sort_signature)};
    }
    [[nodiscard]] std::string name(int step) const override { return emit::sort_name(at(step)); }
    [[nodiscard]] std::string text(int step) const override {
        if (of_first()) return "topk(x0)";
        return at(step).has_places ? "argsort(x0)" : "sort(x0)";
    }
    [[nodiscard]] emit::source source(int step) const override { return emit::sort_source(at(step)); }
    [[nodiscard]] std::string nest(int) const override { return {}; }
    [[nodiscard]] const char* why_cut() const override {
        return of_first() ? "the first of a row are selected" : "a row is sorted digit by digit";
    }

private:
    /// Whether only the first elements of each row in order are wanted.
    [[nodiscard]] bool of_first() const { return at(0).kept < at(0).count; }
    [[nodiscard]] const plan::sort_step& at(int step) const { return plan_.steps[static_cast<std::size_t>(step)]; }

    [[nodiscard]] std::byte* address(const step_memory& memory, int number) const {
        switch (number) {
            case -1: return nullptr;
            case 0: return memory.operands.front();
            case 1: return result(memory, values_);
            case 2: return result(memory, positions_);
            default: return memory.temporary(static_cast<std::size_t>(number) - 3);
        }
    }
    static std::byte* result(const step_memory& memory, int number) {
        return number < 0 ? nullptr : memory.results[static_cast<std::size_t>(number)];
    }

    plan::sort_plan plan_;
    int values_;
    int positions_;
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::sort& sort, const backend::device& on) {
    const shape& extents = of.results.front().extents;
    const std::int64_t results = sort.kept ? sort.kept : sort.count;  // of a row
    const plan::sort_task task{.type = sort.type,
                               .descending = sort.descending,
                               .values = sort.values >= 0,
                               .positions = sort.positions >= 0,
                               .rows = extents.size() / results,
                               .count = sort.count,
                               .kept = sort.kept};
    return std::make_unique<sort_stage>(plan::plan_sort(task, on.target()), sort);
}

}  // namespace kiln::inline v0_1::detail
