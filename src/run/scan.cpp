// The steps of plan/scan.hpp: partial results along an axis.
#include <plan/policy/scan.hpp>
#include <run/array_stage.hpp>

#include <plan/nest/print.hpp>
#include <run/run_time_caches.hpp>
#include <text/format.hpp>

#include <iterator>
#include <utility>

namespace kiln::inline v0_1::detail {

/// The steps that scans go on with, of one graph: of other leaves that are one array, or one number, they are others.
struct known_finish {
    std::vector<int> numbers;
    int value_leaf = -1;
    options wanted;
    plan::finishing_steps steps;
    const known_finish* next = nullptr;
};

namespace {

/// What is at each leaf, as lower/lower.hpp wants it.
std::vector<int> numbers_of(const std::vector<leaf>& leaves, std::size_t count) {
    std::vector<int> out(count, -1);
    int arrays = 0;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const leaf& each = leaves[slot];
        const auto is_same = [&](const leaf& other) {
            if (other.kind != each.kind) return false;
            if (each.kind == leaf_kind::array) return other.object == each.object;
            return each.capture != 0 && other.capture == each.capture && other.bits == each.bits;
        };
        std::size_t first = 0;
        while (first < slot && !is_same(leaves[first])) ++first;
        if (each.kind == leaf_kind::array) out[slot] = first < slot ? out[first] : arrays++;
        else if (each.kind == leaf_kind::scalar && first < slot) out[slot] = -2 - static_cast<int>(first);
    }
    return out;
}

/// Found, or made and kept for good, as the graph is.
const plan::finishing_steps& find_finishing_steps(const stage::stage& of, int value_leaf, const options& wanted) {
    run_time_cache& cache = find_run_time_cache(of.described);
    const std::vector<int> numbers = numbers_of(of.leaves, static_cast<std::size_t>(of.described.slot_count));
    const auto is_it = [&](const known_finish& each) {
        return each.value_leaf == value_leaf && each.wanted.portable == wanted.portable &&
               each.wanted.fast_math == wanted.fast_math && each.numbers == numbers;
    };
    const known_finish* known = cache.finishes.load(std::memory_order_acquire);
    while (known && !is_it(*known)) known = known->next;
    if (known) return known->steps;
    auto made = std::make_unique<known_finish>();
    made->steps = plan::make_finishing_steps(of.described, numbers, value_leaf, wanted);
    made->numbers = numbers;
    made->value_leaf = value_leaf;
    made->wanted = wanted;
    known_finish* const added = made.release();
    added->next = cache.finishes.load(std::memory_order_relaxed);
    while (!cache.finishes.compare_exchange_weak(added->next, added, std::memory_order_release,
                                                 std::memory_order_relaxed)) {
    }
    return added->steps;
}

std::shared_ptr<const plan::scan_finish> finish_of(const stage::stage& of, const stage::scan& scan) {
    if (scan.value_leaf < 0) return nullptr;
    plan::scan_finish out{&find_finishing_steps(of, scan.value_leaf, current_options()), {}};
    const std::vector<int>& slots = out.steps->slots_of_inputs;
    for (std::size_t i = 1; i < slots.size(); ++i) {
        const leaf& read = of.leaves[static_cast<std::size_t>(slots[i])];
        out.besides.push_back(
            *beside_scan(*static_cast<const array_node*>(read.object), of.results.front().extents, scan.axis));
    }
    return std::make_shared<const plan::scan_finish>(std::move(out));
}

class scan_stage final : public array_stage {
public:
    scan_stage(plan::scan_plan plan, const stage::stage& of, const stage::scan& scan)
        : scan_stage(std::move(plan), scan.in_place) {
        const plan::scan_finish* const finish = plan_.steps.back().finish.get();
        operand_leaves = {scan.operand_leaf};
        if (!finish) return;
        const std::vector<int>& inputs = finish->steps->slots_of_inputs;
        operand_leaves.insert(operand_leaves.end(), inputs.begin() + 1, inputs.end());
        number_leaves = finish->steps->slots_of_scalars;
        for (std::size_t i = 0; i < finish->besides.size(); ++i) {
            if (finish->beside(i).is_position) continue;
            const leaf& read = of.leaves[static_cast<std::size_t>(inputs[i + 1])];
            bytes_beside_ +=
                static_cast<const array_node*>(read.object)->extents.size() * bytes_of(finish->beside(i).type);
        }
    }
    /// `knows_offsets`: they are the second operand.
    scan_stage(plan::scan_plan plan, bool takes_operand, bool knows_offsets = false)
        : plan_(std::move(plan)), knows_offsets_(knows_offsets) {
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
        if (!of.finish) return out;
        out.bytes_read += bytes_beside_;
        const std::vector<plan::operand>& results = of.finish->steps->all.outputs;
        for (std::size_t i = 1; i < results.size(); ++i)
            out.bytes_written += bytes_of(results[i].type) * of.element_count();
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
        if (of.finish) fill(*of.finish, memory, into);
    }

    [[nodiscard]] plan::kernel_signature takes(int step) const override {
        if (at(step).finish) return plan::signature_of(*at(step).finish);
        return {std::begin(plan::scan_signature), std::end(plan::scan_signature)};
    }
    [[nodiscard]] std::string name(int step) const override { return plan::scan_name(at(step)); }
    /// Two users may give one name to what they combine.
    [[nodiscard]] std::string key(int step) const override {
        const plan::scan_step& of = at(step);
        if (of.finish) return text::format("{} {}", name(step), of.finish->steps->number);
        return name(step) + (of.definition ? std::to_string(of.definition) : std::string());
    }
    [[nodiscard]] std::string text(int step) const override {
        const plan::scan_step& of = at(step);
        if (of.mapping == plan::scan_mapping::clear) return plan::scan_text(of);
        if (of.finish)
            return text::format("{} of x0 = {}",
                                emit::expression_text(of.finish->steps->program, of.finish->steps->all),
                                plan::scan_expression(of, "x"));
        return plan::scan_expression(of) + (of.totals_only ? ": totals of parts" : "");
    }
    [[nodiscard]] emit::source source(int step) const override {
        const plan::scan_step& of = at(step);
        if (!of.finish) return emit::emit(plan::scan_nest(of), plan::scan_text(of));
        const emit::element_steps steps{of.finish->steps->program, of.finish->steps->all};
        return emit::emit(plan::scan_nest(of), text(step), &steps);
    }
    [[nodiscard]] std::string nest(int step) const override { return plan::nest::print(plan::scan_nest(at(step))); }
    [[nodiscard]] const char* why_cut() const override { return "parts need what those before them come to"; }

private:
    [[nodiscard]] const plan::scan_step& at(int step) const { return plan_.steps[static_cast<std::size_t>(step)]; }

    /// A view from the last element to the first begins at the last: by how many bytes that is after the array's first.
    static std::int64_t before_first(const plan::scan_step& of) {
        return of.reads.backward ? (of.count - 1) * of.inner * bytes_of(of.operand_type()) : 0;
    }

    /// After the scan's: plan::signature_of.
    static void fill(const plan::scan_finish& of, const step_memory& memory, step_parameters& into) {
        for (std::size_t i = 1; i < memory.results.size(); ++i) into.add(memory.results[i]);
        for (std::size_t i = 0; i < of.besides.size(); ++i) {
            into.add(memory.operands[i + 1]);
            for (const std::int64_t stride : {of.besides[i].outer, of.besides[i].count, of.besides[i].inner})
                into.add(stride);
        }
        for (const std::uint64_t number : memory.numbers) into.add(number);
    }

    [[nodiscard]] std::byte* address(const step_memory& memory, int number) const {
        if (number < 0) return nullptr;
        if (number == 2 && knows_offsets_) return memory.operands[1];
        return number == 0   ? memory.operands.front()
               : number == 1 ? memory.results.front()
                             : memory.temporary(static_cast<std::size_t>(number) - 2);
    }

    plan::scan_plan plan_;
    bool knows_offsets_ = false;
    std::int64_t bytes_beside_ = 0;  // what is read for what is made of values
};

}  // namespace

std::unique_ptr<array_stage> plan_steps(const stage::stage& of, const stage::scan& scan, const backend::device& on) {
    plan::scan_plan plan = plan::plan_scan(of.results.front().extents, scan.axis, scan.what, scan.type, on.target(),
                                           scan.definition, scan.reads, scan.writes, finish_of(of, scan));
    return std::make_unique<scan_stage>(std::move(plan), of, scan);
}

void launch_scan_step(backend::device& on, const plan::scan_step& step, std::byte* from, std::byte* to,
                      std::byte* offsets, const char* label) {
    const scan_stage only({{step}, {}}, /*takes_operand=*/false, /*knows_offsets=*/true);
    const int stream = on.current_stream();
    step_memory memory(on, {}, stream);
    memory.operands = {from, offsets};
    memory.results = {to};
    launch_step(on, *find_step(on, only, 0, label), only, 0, memory, stream);
}

}  // namespace kiln::inline v0_1::detail
