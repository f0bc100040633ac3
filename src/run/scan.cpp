// The steps of plan/scan.hpp: partial results along an axis.
#include <plan/policy/scan.hpp>
#include <run/array_stage.hpp>

#include <plan/nest/print.hpp>

#include <iterator>

namespace kiln::inline v0_1::detail {

namespace {

class scan_stage final : public array_stage {
public:
    explicit scan_stage(plan::scan_plan plan, bool takes_operand) : plan_(std::move(plan)) {
        in_place = takes_operand ? 0 : -1;
        temporaries = plan_.temporaries;
    }

    [[nodiscard]] int step_count() const override { return static_cast<int>(plan_.steps.size()); }

    [[nodiscard]] step_launch launch(int step) const override {
        const plan::scan_step& of = at(step);
        const std::int64_t totals = of.outer * of.parts() * of.inner;
        step_launch out{{.scan = &of}, of.element_count(), plan::block_count(of), plan::threads_per_block(of)};
        const bool reads_offsets = of.offsets >= 0 && !of.in_one_pass();
        if (of.mapping != plan::scan_mapping::clear)
            out.bytes_read =
                bytes_of(of.operand_type()) * of.element_count() + (reads_offsets ? bytes_of(of.type) * totals : 0);
        out.bytes_written =
            of.totals_only ? bytes_of(of.type) * totals : bytes_of(of.result_type()) * of.element_count();
        return out;
    }

    void fill(int step, const step_memory& memory, step_parameters& into) const override {
        const plan::scan_step& of = at(step);
        for (const plan::parameter& each : plan::scan_signature) switch (each.what) {
                case plan::role::scan_result: into.add(address(memory, of.to)); break;
                case plan::role::scan_operand: into.add(address(memory, of.from) - before_first(of)); break;
                case plan::role::scan_offsets: into.add(address(memory, of.offsets)); break;
                case plan::role::scan_outer: into.add(of.outer); break;
                case plan::role::scan_count: into.add(of.count); break;
                case plan::role::scan_inner: into.add(of.inner); break;
                case plan::role::scan_part: into.add(of.part); break;
                default: into.add(of.parts()); break;
            }
    }

    [[nodiscard]] plan::kernel_signature takes() const override {
        return {std::begin(plan::scan_signature), std::end(plan::scan_signature)};
    }
    [[nodiscard]] std::string name(int step) const override { return plan::scan_name(at(step)); }
    /// Two users may give one name to what they combine.
    [[nodiscard]] std::string key(int step) const override {
        return name(step) + (at(step).definition ? std::to_string(at(step).definition) : std::string());
    }
    [[nodiscard]] std::string text(int step) const override {
        if (at(step).mapping == plan::scan_mapping::clear) return plan::scan_text(at(step));
        return plan::scan_expression(at(step)) + (at(step).totals_only ? ": totals of parts" : "");
    }
    [[nodiscard]] emit::source source(int step) const override {
        return emit::emit(plan::scan_nest(at(step)), plan::scan_text(at(step)));
    }
    [[nodiscard]] std::string nest(int step) const override { return plan::nest::print(plan::scan_nest(at(step))); }
    [[nodiscard]] const char* why_cut() const override { return "parts need what those before them come to"; }

private:
    [[nodiscard]] const plan::scan_step& at(int step) const { return plan_.steps[static_cast<std::size_t>(step)]; }

    /// A view from the last element to the first begins at the last: by how many bytes that is after the array's first.
    static std::int64_t before_first(const plan::scan_step& of) {
        return of.reads.backward ? (of.count - 1) * of.inner * bytes_of(of.operand_type()) : 0;
    }

    static std::byte* address(const step_memory& memory, int number) {
        if (number < 0) return nullptr;
        if (number == 2 && memory.operands.size() > 1) return memory.operands[1];  // offsets that are known
        return number == 0   ? memory.operands.front()
               : number == 1 ? memory.results.front()
                             : memory.temporary(static_cast<std::size_t>(number) - 2);
    }

    plan::scan_plan plan_;
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::scan& scan, const backend::device& on) {
    return std::make_unique<scan_stage>(plan::plan_scan(of.results.front().extents, scan.axis, scan.what, scan.type,
                                                        on.target(), scan.definition, scan.reads, scan.writes),
                                        scan.in_place);
}

void launch_scan_step(backend::device& on, const plan::scan_step& step, std::byte* from, std::byte* to,
                      std::byte* offsets, const char* label) {
    const scan_stage only({{step}, {}}, /*takes_operand=*/false);
    const int stream = on.current_stream();
    step_memory memory(on, {}, stream);
    memory.operands = {from, offsets};
    memory.results = {to};
    launch_step(on, *find_step(on, only, 0, label), only, 0, memory, stream);
}

}  // namespace kiln::inline v0_1::detail
