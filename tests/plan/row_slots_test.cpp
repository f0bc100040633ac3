// How long rows are divided between registers and shared memory, on every architecture.
#include <plan/narrow_elements.hpp>
#include <plan/nest/check.hpp>
#include <plan/nest/dynamic_shared.hpp>
#include <plan/policy/policies.hpp>
#include <plan/reduction.hpp>
#include <plan/row_slots.hpp>
#include <support/rooms.hpp>

#include <doctest/doctest.h>

#include <algorithm>

namespace {

namespace k = kiln;
namespace plan = kiln::plan;

template <class E>
plan::kernel only_kernel(int architecture, const E& e) {
    const plan::target on = plan::cuda_target_of(architecture);
    const plan::schedule made = tests::first_stage_schedule(on, e);
    REQUIRE(made.kernels.size() == 1);
    const plan::kernel only = made.kernels.front();
    const plan::nest::tree nest = plan::nest_of(made.program, only);
    CHECK(why_wrong(nest, on) == "");
    CHECK(dynamic_shared_bytes(nest) == only.dynamic_shared_bytes);
    return only;
}

template <class E>
auto softmax(const E& m) {
    const auto e = k::exp(m - k::max(m, k::axis(1), k::keep_dims));
    return e / k::sum(e, k::axis(1), k::keep_dims);
}

}  // namespace

TEST_CASE("long rows: as many blocks as there is room for, the rest of each row in shared memory") {
    const plan::target hopper = plan::cuda_target_of(90);
    const auto check = [](const std::optional<plan::row_division>& got, int in_registers, int resident) {
        REQUIRE(got);
        CHECK(got->in_registers == in_registers);
        CHECK(got->resident == resident);
    };
    check(plan::divide_row(16, 512, 4, 4, hopper), 8, 2);
    check(plan::divide_row(16, 512, 8, 8, hopper), 8, 1);
    check(plan::divide_row(16, 256, 4, 4, hopper), 8, 4);
    check(plan::divide_row(16, 1024, 4, 4, hopper), 8, 1);
    check(plan::divide_row(25, 1024, 4, 4, hopper), 11, 1);
    CHECK(!plan::divide_row(26, 1024, 4, 4, hopper));
    CHECK(!plan::divide_row(25, 1024, 8, 8, hopper));
    check(plan::divide_row(16, 512, 4, 4, plan::cuda_target_of(80)), 8, 2);
    check(plan::divide_row(16, 512, 4, 4, plan::cuda_target_of(89)), 11, 2);
    // Without copies in the background, what registers have room for.
    check(plan::divide_row(16, 512, 4, 4, plan::cuda_target_of(75)), 16, 1);
    CHECK(!plan::divide_row(20, 1024, 4, 4, plan::cuda_target_of(75)));
}

TEST_CASE("long rows: threads and items by length; the order is of the length alone") {
    const auto sizes = [](std::int64_t count, std::int64_t extent) {
        return plan::sizes_of_reduction(k::shape{count, extent}, 0b10);
    };
    CHECK(sizes(1000, 8192).threads_per_output == 256);
    CHECK(sizes(1000, 8193).threads_per_output == 512);
    CHECK(sizes(1000, 32768).threads_per_output == 512);
    CHECK(sizes(1000, 32769).threads_per_output == 1024);
    CHECK(sizes(1000, 16384).items_per_thread() == 8);
    CHECK(sizes(1000, 16385).items_per_thread() == 12);
    CHECK(sizes(1000, 32768).items_per_thread() == 16);
    CHECK(sizes(1000, 49153).items_per_thread() == 14);
    CHECK(sizes(1000, 57345).items_per_thread() == 16);
    CHECK(sizes(1000, 102400).items_per_thread() == 25);
    CHECK(sizes(264, 102400).splits == 1);
    CHECK(sizes(264, 102401).splits > 1);
    CHECK(sizes(263, 102400).splits > 1);
    const plan::target hopper = plan::cuda_target_of(90);
    CHECK(plan::row_fits(sizes(264, 102400), 4, hopper));
    CHECK(!plan::row_fits(sizes(2000, 102401), 4, hopper));
    CHECK(!plan::row_fits(sizes(1000, 65536), 8, hopper));
    CHECK(plan::row_fits(sizes(1000, 49152), 8, hopper));
}

TEST_CASE("rows and columns have few items more than they need, and those before the last are in all of a class") {
    const auto items = [](std::int64_t extent) {
        return plan::sizes_of_reduction(k::shape{1000, extent}, 0b10).items_per_thread();
    };
    CHECK(items(256) == 4);  // of half as many threads
    CHECK(items(257) == 3);
    CHECK(items(769) == 7);
    CHECK(items(1021) == 8);
    CHECK(items(4097) == 5);
    CHECK(items(8192) == 8);
    for (const int each : {2, 3, 4, 5, 6, 7, 8}) CHECK(plan::whole_items_of_row(each) == each - 1);
    CHECK(plan::whole_items_of_row(1) == 0);
    CHECK(plan::whole_items_of_row(12) == 8);
    const auto items_of_column = [](std::int64_t extent) {
        return plan::sizes_of_reduction(k::shape{8, extent, 200000}, 0b10).items_per_thread();
    };
    CHECK(items_of_column(19) == 10);
    CHECK(items_of_column(16) == 8);
    CHECK(plan::whole_items_of_column(10) == 8);
    // Of all lengths, each thread has those that are said to be whole, and none has more than there are.
    for (std::int64_t extent = 2; extent < 3000; ++extent) {
        const plan::reduction_sizes row = plan::sizes_of_reduction(k::shape{1000, extent}, 0b10);
        const std::int64_t of_all = row.threads_per_output * row.vector_width;
        REQUIRE(plan::whole_items_of_row(row.items_per_thread()) * of_all < extent);
        REQUIRE(row.items_per_thread() * of_all >= extent);
        const plan::reduction_sizes column = plan::sizes_of_reduction(k::shape{8, extent, 20000}, 0b10);
        REQUIRE(plan::whole_items_of_column(column.items_per_thread()) * column.threads_per_output < extent);
    }
}

TEST_CASE("long rows: what is kept is what later phases need, or what they can compute it from once more") {
    const k::scoped_device here(k::cpu);
    const auto floats = [](std::int64_t extent) { return k::array<float>(k::ones<float>({132, extent})); };
    const k::array<float> x = floats(30000);
    plan::kernel got = only_kernel(90, softmax(x));
    CHECK(got.resident == 2);
    CHECK(got.items_in_registers == 8);
    CHECK(!got.recomputes);
    CHECK(got.dynamic_shared_bytes == 8 * 512 * 16);
    CHECK(only_kernel(75, softmax(x)).dynamic_shared_bytes == 0);
    // Of the elements and of their exponentials, which are both needed last, there is room for one.
    const auto e = k::exp(x - k::max(x, k::axis(1), k::keep_dims));
    got = only_kernel(90, e / k::sum(e, k::axis(1), k::keep_dims) * x);
    CHECK(got.recomputes);
    CHECK(got.resident == 2);
    CHECK(got.dynamic_shared_bytes == 8 * 512 * 16);
    // Of rows that are shorter, of both.
    const k::array<float> shorter = floats(20000);
    const auto of_shorter = k::exp(shorter - k::max(shorter, k::axis(1), k::keep_dims));
    got = only_kernel(90, of_shorter / k::sum(of_shorter, k::axis(1), k::keep_dims) * shorter);
    CHECK(!got.recomputes);
    CHECK(got.resident == 2);
    const k::array<k::float16> halves = k::ones<k::float16>({132, 30001});
    only_kernel(90, softmax(k::cast<float>(halves)));
    only_kernel(90, softmax(halves));
    only_kernel(80, softmax(k::array<double>(k::ones<double>({132, 16400}))));
    only_kernel(89, softmax(floats(33000)));
    only_kernel(90, softmax(floats(16384)));
}

TEST_CASE(
    "long rows that begin anywhere: narrow ones lie in slots as in memory, others in slots of lanes that take "
    "neighbours") {
    const k::scoped_device here(k::cpu);
    const auto halves = [](std::int64_t n) {
        return k::cast<float>(k::array<k::float16>(k::ones<k::float16>({132, n})));
    };
    const auto floats = [](std::int64_t n) { return k::array<float>(k::ones<float>({132, n})); };
    plan::kernel got = only_kernel(90, softmax(halves(50257)));
    CHECK(got.has_neighbour_lanes);
    CHECK(got.shares_slots);
    CHECK(got.items_in_registers == 0);
    CHECK(got.resident == 2);
    CHECK(got.dynamic_shared_bytes == (14 * 4096 + 16) * 2);
    // States take the registers of one of two blocks.
    const auto rows = halves(33331);
    CHECK(only_kernel(90, rows / k::sqrt(k::var(rows, k::axis(1), k::keep_dims))).resident == 1);
    CHECK(only_kernel(90, softmax(halves(16001))).resident == 4);
    CHECK(only_kernel(90, softmax(halves(65535))).resident == 1);
    // Without copies in the background.
    CHECK(!only_kernel(75, softmax(halves(12001))).shares_slots);
    got = only_kernel(90, softmax(floats(24001)));
    CHECK(got.has_neighbour_lanes);
    CHECK(!got.shares_slots);
    CHECK(got.items_in_registers < got.items_per_thread);
    CHECK(!only_kernel(90, softmax(floats(24000))).has_neighbour_lanes);
    CHECK(!only_kernel(90, softmax(floats(12001))).has_neighbour_lanes);
    CHECK(only_kernel(90, softmax(floats(12001) + floats(12001) * k::array<float>(k::ones<float>({132, 12001}))))
              .has_neighbour_lanes);
    // Read again, because what all rows share has no cache beside slots.
    const auto weights = k::array<float>(k::ones<float>({50257}));
    const auto many = floats(50257);
    const plan::schedule made = tests::first_stage_schedule(
        plan::cuda_target_of(90), many * k::sum(many * many, k::axis(1), k::keep_dims) * weights);
    CHECK(!made.kernels.front().persistent_rows);
}

TEST_CASE("rows of 16-bit floats: what is cheap to make again of an element is, where that takes less to keep") {
    const k::scoped_device here(k::cpu);
    const auto made_again = [](const auto& e) {
        const plan::schedule made = tests::first_stage_schedule(plan::cuda_target_of(90), e);
        REQUIRE(made.kernels.size() == 1);
        const plan::row_phases phases = plan::narrow_phases_of(made.program, made.kernels.front());
        return std::count(phases.made_again.begin(), phases.made_again.end(), true);
    };
    const auto over = k::axis(1);
    const k::array<k::float16> x = k::ones<k::float16>({200, 1000});
    const k::array<k::float16> weights = k::ones<k::float16>({1000});
    const k::array<std::int32_t> ids = k::ones<std::int32_t>({300});
    const k::expr<float> in = k::cast<float>(x);
    const auto norm = [&](const auto& of) { return of * k::rsqrt(k::mean(of * of, over, k::keep_dims)); };
    CHECK(made_again(norm(in)) == 1);
    CHECK(made_again(norm(in - k::mean(in, over, k::keep_dims))) == 2);
    CHECK(made_again(norm(k::cast<float>(x * weights))) == 1);
    CHECK(made_again(norm(k::cast<float>(k::take(x, ids, k::axis(0))))) == 1);
    // Exponentials could take its place; of two of them as much is kept as of their sum; what is read in place; other types.
    CHECK(made_again(softmax(in)) == 0);
    CHECK(made_again(norm(in + k::cast<float>(k::flip(x)))) == 0);
    CHECK(made_again(norm(in * k::cast<float>(weights))) == 0);
    CHECK(made_again(k::cast<float>(weights) * k::sum(in * k::cast<float>(weights), over, k::keep_dims)) == 0);
    CHECK(made_again(x - k::mean(x, over, k::keep_dims)) == 0);
    CHECK(made_again(norm(k::cast<double>(x))) == 0);
    CHECK(made_again(norm(k::cast<float>(k::ones<std::int16_t>({200, 1000})))) == 0);
    CHECK(made_again(norm(k::array<float>(k::ones<float>({200, 1000})))) == 0);
    // Of long rows two blocks are at once on a multiprocessor with all of a row in registers.
    const k::array<k::float16> long_rows = k::ones<k::float16>({200, 32000});
    const plan::kernel got =
        only_kernel(90, norm(k::cast<float>(long_rows)) * k::array<float>(k::ones<float>({32000})));
    CHECK(got.resident == 2);
    CHECK(got.items_in_registers == got.items_per_thread);
}
