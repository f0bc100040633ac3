// What evaluations cost: launches, compiles, bytes, allocations; and what explain() says before they are paid.
#include <support/allocations.hpp>
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <chrono>

namespace k = kiln;

namespace {

template <class Action>
k::counters spent_on(Action action) {
    const k::counters before = k::counters::now();
    action();
    return k::counters::now() - before;
}

/// The best of several runs, in microseconds.
template <class Action>
double microseconds(Action action) {
    double best = 1e30;
    for (int run = 0; run < 20; ++run) {
        const auto start = std::chrono::steady_clock::now();
        action();
        k::synchronize();
        best =
            std::min(best, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace

TEST_CASE("x + x + x + x + x is one launch fused, and four with fuse = false, of the same bits") {
    const std::vector<float> values = tests::ordinary_values<float>(10'007);
    const k::array<float> x = k::from_host<float>(values);
    const auto e = x + x + x + x + x;
    k::array<float> fused;
    k::array<float> unfused;
    CHECK(spent_on([&] { fused = e; }).launches == 1);
    {
        const k::scoped_options off({.fuse = false});
        CHECK_FALSE(k::current_options().fuse);
        CHECK(spent_on([&] { unfused = e; }).launches == 4);
    }
    CHECK(k::current_options().fuse);
    CHECK_SAME(unfused.to_host(), fused.to_host());
    std::vector<float> expected;
    for (const float v : values) expected.push_back(v + v + v + v + v);
    CHECK_SAME(fused.to_host(), expected);
}

TEST_CASE("bytes are counted from the operands: one load of x, one store of y") {
    const k::array<float> x = k::ones<float>({1000});
    const k::counters fused = spent_on([&] { k::array<float> y = x + x + x + x + x; });
    CHECK(fused.bytes_read == 4000);
    CHECK(fused.bytes_written == 4000);
    const k::scoped_options off({.fuse = false});
    const k::counters unfused = spent_on([&] { k::array<float> y = x + x + x + x + x; });
    CHECK(unfused.bytes_read == 7 * 4000);  // x once, then a temporary and x three times
    CHECK(unfused.bytes_written == 4 * 4000);
}

TEST_CASE("1,000 sizes and 1,000 scalars are at most one compile") {
    const k::counters spent = spent_on([&] {
        for (std::int64_t size = 1; size <= 1000; ++size) {
            const k::array<float> x = k::full<float>({size}, 0.5f);
            k::array<float> y = x * static_cast<float>(size) + 0.125f / (1.0f + x);
            if (size % 100 == 0) REQUIRE(y.to_host().back() == 0.5f * static_cast<float>(size) + 0.125f / 1.5f);
        }
    });
    CHECK(spent.launches == 2000);
    CHECK(spent.compiles <= 2);  // the fill's kernel and the expression's
    CHECK(spent.compiles + spent.disk_hits <= 2);
    if (!tests::device().compiles) CHECK(spent.compiles == 0);
}

TEST_CASE("the shape's rank is in no key either: (6,), (2, 3) and (1, 2, 3) are one kernel") {
    const auto evaluate = [](const k::shape& extents) {
        const k::array<double> x = k::full<double>(extents, 3.0);
        return k::array<double>(x * x / 7.0 - x).to_host();
    };
    const std::vector<double> expected(6, 9.0 / 7.0 - 3.0);
    CHECK_SAME(evaluate({6}), expected);
    const k::counters spent = spent_on([&] {
        CHECK_SAME(evaluate({2, 3}), expected);
        CHECK_SAME(evaluate({1, 2, 3}), expected);
    });
    CHECK(spent.compiles + spent.disk_hits == 0);
}

TEST_CASE("a warm call into an existing array allocates nothing, and into a new one its node alone") {
    const k::array<float> x = k::ones<float>({1000});
    const k::array<float> z = k::full<float>({1000}, 3.0f);
    const auto e = x * 2.0f + k::sqrt(z) - x / z;
    k::array<float> y = e;
    y = e;
    std::int64_t before = tests::allocation_count();
    for (int i = 0; i < 10; ++i) y = e;
    CHECK(tests::allocation_count() == before);
    before = tests::allocation_count();
    for (int i = 0; i < 10; ++i) y = x * 2.0f + k::sqrt(z) - x / z;
    CHECK(tests::allocation_count() == before);
    before = tests::allocation_count();
    for (int i = 0; i < 10; ++i) const k::array<float> fresh = e;
    CHECK(tests::allocation_count() - before <= 10);
}

TEST_CASE("a warm call of slices allocates their nodes alone, of an expr nothing") {
    k::array<float> x = k::ones<float>({100, 10});
    k::array<float> y = k::ones<float>({50, 10});
    const k::range even(0, 100, 2);
    for (int i = 0; i < 2; ++i) y = x(even) * 2.0f;
    std::int64_t before = tests::allocation_count();
    y = x(even) * 2.0f;
    CHECK(tests::allocation_count() - before <= 1);

    const k::expr<float> e = y * 2.0f + y;
    k::array<float> z = e;
    z = e;
    before = tests::allocation_count();
    z = e;
    CHECK(tests::allocation_count() == before);

    const k::host_array<float> elsewhere({10});  // what reads host arrays is looked for from here on
    z = e;
    before = tests::allocation_count();
    z = e;
    CHECK(tests::allocation_count() == before);
}

TEST_CASE("the second call of an expression looks for nothing and compiles nothing") {
    const k::array<double> x = k::full<double>({77}, 1.25);
    k::array<double> y = x * x * x - 0.0625;
    y = x * x * x - 0.0625;
    const k::counters spent = spent_on([&] { y = x * x * x - 0.0625; });
    CHECK(spent.launches == 1);
    CHECK(spent.memory_hits == 1);
    CHECK(spent.compiles == 0);
    CHECK(spent.misses == 0);
    CHECK(spent.lower_ns == 0);
    CHECK(spent.plan_ns == 0);
    CHECK(spent.emit_ns == 0);
    CHECK(spent.compile_ns == 0);
    CHECK(spent.load_ns == 0);
    CHECK(spent.launch_ns > 0);
}

TEST_CASE("making an expression launches nothing and allocates nothing") {
    const k::array<float> x = k::ones<float>({10});
    const std::int64_t before = tests::allocation_count();
    const k::counters spent = spent_on([&] {
        const auto e = x + x * 2.0f - k::sqrt(x);
        const auto copy = e;
    });
    CHECK(tests::allocation_count() == before);
    CHECK(spent.launches == 0);
}

TEST_CASE("explain says what eval would do, and does nothing of it") {
    const k::array<float> x = k::ones<float>({1000});
    const auto e = x + x + x + x + x;
    k::explanation plan;
    const k::counters spent = spent_on([&] { plan = k::explain(e); });
    CHECK(spent.launches == 0);
    CHECK(spent.compiles == 0);
    REQUIRE(plan.kernels.size() == 1);
    const k::kernel_explanation& kernel = plan.kernels[0];
    CHECK(plan.temporary_bytes == 0);
    CHECK(kernel.bytes_read == 4000);
    CHECK(kernel.bytes_written == 4000);
    CHECK(kernel.operation_count == 4000);
    CHECK(kernel.name.starts_with("kiln_add4_f32"));
    CHECK(kernel.expression == "x0 + x0 + x0 + x0 + x0");
    CHECK(kernel.target == k::current_device().describe().target);
    const std::string stores = kernel.target.starts_with("sm_") ? "y0[first, 4 at once] = v_y0" : "y0[i] = body(x0[i])";
    CHECK_MESSAGE(kernel.nest.find(stores) != std::string::npos, kernel.nest);
    if (tests::device().compiles) {
        CHECK(kernel.source.find("extern \"C\"") != std::string::npos);
        CHECK(kernel.source.find(kernel.name) != std::string::npos);
        CHECK(kernel.cache_key.size() == 32);
        CHECK(kernel.origin != k::kernel_origin::interpreter);
        const k::array<float> y = e;
        CHECK(k::explain(e).kernels.at(0).origin == k::kernel_origin::memory);
        CHECK(k::explain(e).kernels.at(0).cache_key == kernel.cache_key);
    } else {
        CHECK(kernel.source.empty());
        CHECK(kernel.cache_key.empty());
        CHECK(kernel.origin == k::kernel_origin::interpreter);
    }
    if (tests::device().plans_cuda) {
        CHECK(kernel.elements_per_thread == 4);
        CHECK(kernel.threads_per_block == 256);
        CHECK(kernel.block_count == 1);
    }
    CHECK(k::to_string(plan).find("x0 + x0") != std::string::npos);
}

TEST_CASE("explain of an unfused expression lists its kernels and the bytes of its temporaries") {
    const k::array<double> x = k::ones<double>({100});
    const k::scoped_options off({.fuse = false});
    const k::explanation plan = k::explain(k::sqrt(x * x + 1.0));
    REQUIRE(plan.kernels.size() == 3);
    CHECK(plan.temporary_bytes == 2 * 800);
    for (const k::kernel_explanation& kernel : plan.kernels) {
        CHECK(kernel.bytes_written == 800);
        CHECK(kernel.operation_count == 100);
    }
}

TEST_CASE("explain of no elements has no kernels, and of shapes that differ throws") {
    const k::array<float> none = k::zeros<float>({0, 3});
    CHECK(k::explain(none + none).kernels.empty());
    const k::array<float> x = k::zeros<float>({2});
    CHECK_THROWS_AS(k::explain(x + k::zeros<float>({3})), k::shape_error);
}

TEST_CASE("explain of a scan and of a sort on the CPU says that they are built in, whether it compiles or not") {
    if (tests::device().plans_cuda) return;
    const k::array<float> x = k::eval(k::ones<float>({4, 5}));
    for (const k::explanation& plan : {k::explain(k::cumsum(x, k::axis(1))), k::explain(k::sort(x))}) {
        REQUIRE(plan.kernels.size() == 1);
        CHECK(plan.kernels[0].origin == k::kernel_origin::built_in);
        CHECK(k::to_string(plan).find("built in; reads 80 bytes") != std::string::npos);
    }
}

TEST_CASE("the interpreter never compiles") {
    if (tests::device().compiles) return;
    CHECK(k::counters::now().compiles == 0);
    CHECK(k::counters::now().misses == 0);
}

TEST_CASE("waits of the host for the device are counted, and evaluating does not wait") {
    const k::array<float> x = k::ones<float>({1000});
    CHECK(spent_on([&] { const k::array<float> y = x + x * 2.0f; }).synchronizations == 0);
    CHECK(spent_on([&] { static_cast<void>(x.to_host()); }).synchronizations == 1);
    CHECK(spent_on([&] { x.wait(); }).synchronizations == 1);
    CHECK(spent_on([&] { k::synchronize(); }).synchronizations == 1);
}

TEST_CASE("copying from the host waits for the device, and is counted") {
    const std::vector<float> values(10);
    CHECK(spent_on([&] { k::from_host(values); }).synchronizations == 1);
}

TEST_CASE("the result of a reduction is used in the next expression without a wait, and in a thousand after it") {
    k::array<float> x = k::ones<float>({1000});
    const k::counters spent = spent_on([&] {
        for (int step = 0; step < 1000; ++step) {
            const k::array<float> total = k::sum(x);
            x = x / total * 1000.0f;
        }
        x = x - k::mean(x, k::axis(0)) + k::norm(x) * 0.0f;
    });
    CHECK(spent.synchronizations == 0);
    CHECK(spent.launches >= 2000);
    CHECK(spent_on([&] { static_cast<void>(k::array<float>(k::sum(x)).item()); }).synchronizations == 1);
}

TEST_CASE("counters print every counter by name") {
    const std::string text = k::to_string(k::counters::now());
    for (const char* const name : {"launches", "compiles", "bytes_read", "bytes_written"})
        CHECK(text.find(name) != std::string::npos);
}

TEST_CASE("fused against unfused, for the record") {
    const k::array<float> x = k::ones<float>({4'000'000});
    k::array<float> y = k::zeros<float>({4'000'000});
    const auto e = x + x + x + x + x;
    const double fused = microseconds([&] { y = e; });
    const k::scoped_options off({.fuse = false});
    const double unfused = microseconds([&] { y = e; });
    MESSAGE("x + x + x + x + x on 4,000,000 floats: fused ", fused, " us, unfused ", unfused, " us");
}
