// The nests of reductions whose elements come in chunks, run without text: of chunks that end anywhere, each value is made of its elements
// in the order in which the kernel of all of them takes them.
#include "planned_nests.hpp"
#include "run_nest.hpp"

#include <plan/policy/resumed.hpp>
#include <support/rooms.hpp>

#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

namespace {

namespace k = kiln;
using k::plan::resumed_step;
using tests::device_memory;

/// As tests::sums::tell_order has it.
class orders : public tests::terms {
public:
    std::int64_t identity(const k::plan::reduced_output&) override { return 0; }
    tests::known combine(const k::plan::reduced_output&, const tests::known& a, const tests::known& b) override {
        if (a.value == 0 || b.value == 0) return {a.value + b.value};
        return {(a.value * 7919 + b.value * 104'729 + (a.value ^ b.value) * 31) % 1'000'003 + 1};
    }
    std::int64_t finish(const k::plan::reduced_output&, const tests::known& a, std::int64_t) override {
        return a.value;
    }
};

/// Another launch: nobody has been anywhere.
void forget_visits(device_memory& of) {
    device_memory fresh(of.elements.size());
    fresh.elements = std::move(of.elements);
    fresh.accumulators = std::move(of.accumulators);
    of = std::move(fresh);
}

class resumed_run {
public:
    resumed_run(const k::plan::resumed_order& order, std::int64_t most)
        : order_(order),
          turns_(k::plan::splits_of_chunk(order, most)),
          lanes_(static_cast<std::size_t>(order.kept * turns_ * order.lanes())),
          splits_(static_cast<std::size_t>(order.kept * order.splits)),
          results_(static_cast<std::size_t>(order.kept)) {}

    void take(const std::vector<std::int64_t>& elements, std::int64_t begin, std::int64_t count) {
        device_memory chunk(static_cast<std::size_t>(order_.kept * count));
        for (std::int64_t value = 0; value < order_.kept; ++value)
            for (std::int64_t i = 0; i < count; ++i) {
                const std::int64_t to = order_.along_rows ? value * count + i : i * order_.kept + value;
                const std::int64_t from =
                    order_.along_rows ? value * order_.reduced + begin + i : (begin + i) * order_.kept + value;
                chunk.elements[static_cast<std::size_t>(to)] = elements[static_cast<std::size_t>(from)];
            }
        resumed_step step;
        step.begin = begin;
        step.count = count;
        step.first_split = begin / order_.part;
        step.split_count = (begin + count - 1) / order_.part + 1 - step.first_split;
        launch(step, &chunk);
        step.what = resumed_step::kind::close;
        const bool ends = begin + count == order_.reduced;
        step.split_count = (ends ? order_.splits : (begin + count) / order_.part) - step.first_split;
        if (step.split_count > 0) launch(step, nullptr);
    }
    std::vector<std::int64_t> finished() {
        resumed_step step;
        step.what = resumed_step::kind::end;
        launch(step, nullptr);
        return results_.elements;
    }

private:
    void launch(resumed_step step, device_memory* elements) {
        step.of = {k::detail::reduction_kind::sum, k::element_type::int64, k::element_type::int64};
        step.order = order_;
        step.turns = turns_;
        for (device_memory* each : {&lanes_, &splits_, &results_}) forget_visits(*each);
        tests::nest_call call;
        call.blocks = k::plan::block_count(step);
        call.numbers = {order_.kept,      order_.reduced,   order_.part,   step.begin, step.count,
                        step.first_split, step.split_count, order_.splits, turns_};
        call.memories = {elements, &lanes_, &splits_, &results_};
        run_nest(k::plan::resumed_nest(step), call, made_of_);
    }

    const k::plan::resumed_order order_;
    const std::int64_t turns_;
    device_memory lanes_, splits_, results_;
    orders made_of_;
};

/// All of it by one kernel.
template <class E>
std::vector<std::int64_t> orders_of_whole(const E& e) {
    return tests::orders_of(e, [](k::plan::schedule& made, const auto&) {
        k::plan::kernel& kernel = made.kernels.front();
        kernel.ends_in_partial_sums = false;  // its last block adds them up
        kernel.signature = k::plan::signature_of(made.program, kernel);
    });
}

}  // namespace

TEST_CASE("nests: a reduction that takes its elements in chunks takes them in the order of all of them") {
    const k::scoped_device here(k::cpu);
    std::mt19937 random(29);
    const auto up_to = [&](std::int64_t most) { return std::uniform_int_distribution<std::int64_t>(1, most)(random); };
    const auto check = [&](const k::shape& extents, int axis) {
        CAPTURE(extents);
        CAPTURE(axis);
        std::vector<std::int64_t> elements(static_cast<std::size_t>(extents.size()));
        for (std::int64_t& each : elements) each = up_to(999'999);
        const k::array<std::int64_t> x = k::from_host(elements, extents);
        const k::plan::resumed_order order = k::plan::order_of_reduction(extents, static_cast<std::uint8_t>(1 << axis));
        const std::vector<std::int64_t> whole = orders_of_whole(k::sum(x, k::axis(axis)));
        for (const std::int64_t most : {order.reduced, up_to(order.reduced), order.reduced / 3 + 1}) {
            resumed_run run(order, most);
            for (std::int64_t begin = 0; begin < order.reduced; begin += most)
                run.take(elements, begin, std::min(most, order.reduced - begin));
            CHECK(run.finished() == whole);
        }
    };
    for (int round = 0; round < 3; ++round) {
        check({1, up_to(40'000)}, 1);
        check({up_to(5), up_to(9'000)}, 1);
        check({up_to(400), up_to(70)}, 1);
        check({up_to(3'000), up_to(7)}, 0);
        check({up_to(900), 32 + up_to(40)}, 0);
    }
}
