#include <run/resumed.hpp>

#include <device/arrays.hpp>
#include <device/stream_order.hpp>
#include <plan/host_division.hpp>
#include <plan/nest/print.hpp>
#include <plan/policy/resumed.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace kiln::inline v0_1::detail {

namespace {

/// One step, as those of an array's stage are launched.
class resumed_launch final : public array_stage {
public:
    resumed_launch(const plan::resumed_step& of, const backend::resumed_chunk* on_host) : of_(of), on_host_(on_host) {}

    [[nodiscard]] int step_count() const override { return 1; }
    [[nodiscard]] step_launch launch(int) const override {
        step_launch out{{.resumed = on_host_},
                        of_.order.kept * std::max<std::int64_t>(1, of_.count),
                        plan::block_count(of_),
                        plan::block_threads(of_)};
        const std::int64_t known = plan::resumed_accumulator_bytes(of_.of);
        const std::int64_t lanes = of_.order.kept * of_.split_count * of_.order.lanes() * known;
        switch (of_.what) {
            case plan::resumed_step::kind::take:
                out.bytes_read = of_.order.kept * of_.count * bytes_of(of_.of.accumulated);
                out.bytes_written = lanes;
                break;
            case plan::resumed_step::kind::close:
                out.bytes_read = lanes;
                out.bytes_written = of_.order.kept * of_.split_count * known;
                break;
            case plan::resumed_step::kind::end:
                out.bytes_read = of_.order.kept * of_.order.splits * known;
                out.bytes_written = of_.order.kept * bytes_of(of_.of.result);
                break;
        }
        return out;
    }

    void fill(int, const step_memory& memory, step_parameters& into) const override {
        into.add(memory.operands.front());
        for (std::byte* const each : memory.results) into.add(each);
        for (const std::int64_t number : {of_.order.kept, of_.order.reduced, of_.order.part, of_.begin, of_.count,
                                          of_.first_split, of_.split_count, of_.order.splits, of_.turns})
            into.add(number);
    }

    [[nodiscard]] plan::kernel_signature takes(int) const override {
        return {std::begin(plan::resumed_signature), std::end(plan::resumed_signature)};
    }
    [[nodiscard]] std::string name(int) const override { return plan::resumed_name(of_); }
    /// Two users may give one name to what they combine.
    [[nodiscard]] std::string key(int step) const override {
        return name(step) + (of_.of.definition ? std::to_string(of_.of.definition) : std::string());
    }
    [[nodiscard]] std::string text(int) const override { return plan::resumed_text(of_); }
    [[nodiscard]] emit::source source(int) const override {
        return emit::emit(plan::resumed_nest(of_), plan::resumed_text(of_));
    }
    [[nodiscard]] std::string nest(int) const override { return plan::nest::print(plan::resumed_nest(of_)); }
    [[nodiscard]] const char* why_cut() const override { return "elements come in chunks"; }

private:
    const plan::resumed_step& of_;
    const backend::resumed_chunk* const on_host_;
};

plan::resumed_order order_of(const shape& whole, std::uint8_t axes, std::int64_t values) {
    plan::resumed_order out = plan::order_of_reduction(whole, axes);
    out.kept = values;
    return out;
}

backend::host_resumed_sizes host_sizes(const shape& whole, std::uint8_t axes, std::int64_t values, element_type type) {
    const plan::host_division of(whole, axes);
    return {of.along_rows, values, of.reduced, of.inner, of.steps_of_part, bytes_of(type)};
}

}  // namespace

resumed_reduction::resumed_reduction(backend::device& on, const plan::reduced_output& of, const shape& whole,
                                     std::uint8_t axes, std::int64_t values, std::int64_t most, step_kernel combines,
                                     const char* label)
    : on_(on),
      of_(of),
      label_(label),
      stream_(on.current_stream()),
      combines_(std::move(combines)),
      order_(order_of(whole, axes, values)),
      turns_(plan::splits_of_chunk(order_, most)) {
    if (!on.target().reduces) {
        host_.emplace(host_sizes(whole, axes, values, of.accumulated));
        return;
    }
    const std::int64_t known = plan::resumed_accumulator_bytes(of);
    const auto memory = [&](std::int64_t count) {
        return backend::make_owner(on, element_type::uint8, {order_.kept * count * known}, stream_);
    };
    lanes_ = memory(turns_ * order_.lanes());
    splits_ = memory(order_.splits);
}

std::int64_t resumed_reduction::bytes(const plan::target& on, const plan::reduced_output& of, const shape& whole,
                                      std::uint8_t axes, std::int64_t values, std::int64_t most) {
    return on.reduces ? plan::resumed_bytes(of, order_of(whole, axes, values), most) : 0;
}

void resumed_reduction::launch(plan::resumed_step step, const array_node* elements, std::byte* results) {
    step.of = of_;
    step.order = order_;
    step.turns = turns_;
    const resumed_launch how(step, nullptr);
    const step_kernel kernel = find_step(on_, how, 0, label_);
    step_memory memory(on_, {}, stream_);
    memory.operands = {elements ? elements->data : nullptr};
    memory.results = {lanes_.get()->data, splits_.get()->data, results};
    launch_step(on_, *kernel, how, 0, memory, stream_);
}

void resumed_reduction::launch_on_host(const backend::resumed_chunk& next) {
    plan::resumed_step step;
    step.what = next.elements ? plan::resumed_step::kind::take : plan::resumed_step::kind::end;
    step.of = of_;
    step.order = order_;
    step.count = next.count;
    const resumed_launch how(step, &next);
    const step_kernel kernel = combines_ ? combines_ : find_step(on_, how, 0, label_);
    step_memory memory(on_, {}, stream_);
    memory.operands = {nullptr};
    memory.results = {nullptr, nullptr, nullptr};
    launch_step(on_, *kernel, how, 0, memory, stream_);
}

void resumed_reduction::take(const array_node& elements, std::int64_t begin, std::int64_t count) {
    backend::before_read(on_, elements, stream_);
    if (host_) {
        return launch_on_host({.state = &*host_,
                               .by_user = combines_ != nullptr,
                               .of = &of_,
                               .elements = elements.data,
                               .begin = begin,
                               .count = count});
    }
    plan::resumed_step step;
    step.begin = begin;
    step.count = count;
    step.first_split = begin / order_.part;
    step.split_count = (begin + count - 1) / order_.part + 1 - step.first_split;
    launch(step, &elements, nullptr);
    const bool ends = begin + count == order_.reduced;
    step.what = plan::resumed_step::kind::close;
    step.split_count = (ends ? order_.splits : (begin + count) / order_.part) - step.first_split;
    if (step.split_count > 0) launch(step, nullptr, nullptr);
}

handle<array_node> resumed_reduction::finished(const shape& extents) {
    handle<array_node> made = backend::make_owner(on_, of_.result, extents, stream_);
    std::byte* const results = made.get()->data;
    if (host_) {
        launch_on_host({.state = &*host_, .by_user = combines_ != nullptr, .of = &of_, .results = results});
    } else {
        plan::resumed_step step;
        step.what = plan::resumed_step::kind::end;
        launch(step, nullptr, results);
    }
    return made;
}

}  // namespace kiln::inline v0_1::detail
