// Host arrays: operands and results that are streamed to a device of little memory, chunk by chunk. What is compared is always the same
// expression of arrays of that device, evaluated in one piece: every bit.
#include <streamed/in_chunks.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace k = kiln;
using namespace tests::in_chunks;

TEST_CASE("host arrays: memory, values and what they are made of") {
    k::host_array<float> none;
    CHECK_FALSE(none.has_value());
    CHECK(has(said_by([&] { (void)none.shape(); }), "without a value"));
    k::host_array<float> x = host<float>({1, 2, 3, 4, 5, 6}, {2, 3});
    CHECK((x.shape() == k::shape{2, 3}));
    CHECK(reinterpret_cast<std::uintptr_t>(x.data()) % 64 == 0);
    CHECK(said_by([] { (void)host<float>({1, 2}, {3}); }) == "kiln: host_array: 2 elements do not fill shape (3,)");

    const k::array<float> y = x * 2 + 1;
    CHECK(y.to_host() == std::vector<float>{3, 5, 7, 9, 11, 13});
    CHECK(k::sum(x).item() == 21);
    CHECK(x(1).to_host() == std::vector<float>{4, 5, 6});
    CHECK(k::array<float>(k::transpose(x)).to_host() == std::vector<float>{1, 4, 2, 5, 3, 6});

    k::host_array<float> z;
    z = x + y;
    CHECK(elements_of(z) == std::vector<float>{4, 7, 10, 13, 16, 19});
    const float* const before = z.data();
    z = z * 2;
    CHECK(z.data() == before);
    z = 1.5f;
    CHECK(elements_of(z) == std::vector<float>(6, 1.5f));
    z = k::sum(x, k::axis(0));
    CHECK(elements_of(z) == std::vector<float>{5, 7, 9});
    z(z > 6.0f) += 0.5f;
    z(z < 6.0f) *= z + 1.0f;
    CHECK(elements_of(z) == std::vector<float>{30, 7.5f, 9.5f});
    const k::host_array<float> copy = x.clone();
    k::host_array<float> other({2, 3});
    other = copy;
    CHECK(elements_of(other) == std::vector<float>{1, 2, 3, 4, 5, 6});
    x.data()[0] = 100;
    CHECK(copy.data()[0] == 1);
    const k::host_array<float> moved = std::move(x);
    CHECK(moved.data()[0] == 100);

    std::vector<double> mine{1, 2, 3, 4};
    k::host_array<double> over(k::wrap(mine.data(), {4}));
    over = over * over;
    CHECK(mine == std::vector<double>{1, 4, 9, 16});
    CHECK(k::array<double>(k::host_array<double>(k::shape{0}) + 1.0).size() == 0);
}

#if defined(__linux__) && defined(SYS_get_mempolicy)
TEST_CASE("host arrays: memory that a device copies comes from the node that is nearest to it") {
    constexpr unsigned long of_address = 2;  // MPOL_F_ADDR
    constexpr int preferred = 1;             // MPOL_PREFERRED
    constexpr unsigned long bits = 1024;
    const auto policy_of = [](const void* memory, unsigned long* nodes) {
        int mode = -1;
        return ::syscall(SYS_get_mempolicy, &mode, nodes, bits, memory, of_address) == 0 ? mode : -1;
    };
    unsigned long nodes[bits / (8 * sizeof(unsigned long))] = {};
    if (policy_of(nodes, nodes) < 0) return;  // a kernel without nodes, or a sandbox
    const k::scoped_device here(tests::far_device());
    const k::host_array<float> x(k::shape{3 << 20});
    CHECK(policy_of(x.data(), nodes) == preferred);
    CHECK(nodes[0] == 1);  // node 0
}
#endif

TEST_CASE("host arrays: 50 MB of operands go through a device of which kiln may take 1 MB") {
    const on_little here("1M");
    constexpr std::int64_t count = 6'250'001;
    const std::vector<float> left = noise<float>(count, 1);
    const std::vector<float> right = noise<float>(count, 2);
    const k::host_array<float> x = host(left, {count});
    const k::host_array<float> y = host(right, {count});
    k::host_array<float> z({count});
    z = k::sqrt(k::abs(x)) * y - x / 3.0f;
    CHECK(tests::most_bytes_on_far_device() <= 1 << 20);
    CHECK(tests::most_bytes_on_far_device() == 0);
    CHECK(tests::bytes_to_far_device() == 2 * 4 * count);
    CHECK(tests::bytes_from_far_device() == 4 * count);
    std::vector<float> expected;
    {
        const tests::changed_variable all("KILN_DEVICE_MEMORY", nullptr);
        const k::array<float> a = k::from_host(left);
        const k::array<float> b = k::from_host(right);
        expected = k::array<float>(k::sqrt(k::abs(a)) * b - a / 3.0f).to_host();
    }
    CHECK_SAME(elements_of(z), expected);
}

TEST_CASE("host arrays: all chunks are of one kernel") {
    const on_little here("256K");
    const std::vector<float> values = noise<float>(1'000'003, 3);
    const k::host_array<float> x = host(values, {1'000'003});
    k::host_array<float> z({1'000'003});
    const std::int64_t before = tests::kernels_of_far_device();
    z = x - x * x * x + 0.25f;  // which no other test has
    CHECK(tests::kernels_of_far_device() - before == 1);
    z = x - x * x * x + 0.5f;
    CHECK(tests::kernels_of_far_device() - before == 1);
}

TEST_CASE("host arrays: broadcasting, views, generators and broadcast operands are those of one piece") {
    const std::vector<float> m = noise<float>(301 * 257, 4);
    const std::vector<float> row = noise<float>(257, 5);
    const std::vector<float> column = noise<float>(301, 6);
    const std::vector<std::pair<std::vector<float>, k::shape>> operands = {
        {m, {301, 257}}, {row, {257}}, {column, {301, 1}}, {row, {1, 257}}};
    const char* const little = "700K";
    check_same<float>(little, operands, [](const auto& of) { return of[0] * of[1] + of[2] - of[3]; });
    check_same<float>(little, operands, [](const auto& of) { return of[1] + of[2]; });
    check_same<float>(little, operands, [](const auto& of) { return k::transpose(of[0]) + of[1](k::all, k::newaxis); });
    check_same<float>(little, operands, [](const auto& of) { return k::flip(of[0], k::axis(0)) - of[0]; });
    check_same<float>(little, operands,
                      [](const auto& of) { return of[0](k::range(5, 300, 3), k::range(1, 200)) * 2.0f; });
    check_same<float>(little, operands, [](const auto& of) {
        return of[0] + k::cast<float>(k::index(k::axis(0))) * 0.5f + k::cast<float>(k::index(k::axis(1)));
    });
    check_same<float>(little, operands, [](const auto& of) {
        return of[0] + k::reshape(k::cast<float>(k::arange<int>(301 * 257)), {301, 257});
    });
    check_same<float>(little, operands, [](const auto& of) {
        return of[0] + k::random::uniform<float>({301, 257}, 7);
    });
    check_same<float>(little, operands, [](const auto& of) { return of[0] + k::full<float>({301, 257}, 0.125f); });
    check_same<float>(little, operands, [](const auto& of) { return k::roll(of[0], 3, k::axis(1)) + of[0]; });
    check_same<float>(little, operands, [](const auto& of) { return k::roll(of[0], 3, k::axis(0)) + of[0]; });
}

TEST_CASE("host arrays: an expression that reads what it writes, at the same positions and at others") {
    const on_little here("64K");
    std::vector<float> values = noise<float>(50'000, 9);
    for (float& each : values)
        if (!std::isfinite(each)) each = 1;
    k::host_array<float> x = host(values, {50'000});
    x = x * 2.0f;
    for (std::size_t i = 0; i < values.size(); ++i) values[i] *= 2;
    CHECK_SAME(elements_of(x), values);
    x = k::flip(x, k::axis(0)) * 1.0f;
    std::reverse(values.begin(), values.end());
    CHECK_SAME(elements_of(x), values);
    const tests::changed_variable more("KILN_DEVICE_MEMORY", "1M");
    x = x - k::max(x);
    const float most = *std::max_element(values.begin(), values.end());
    for (float& each : values) each -= most;
    CHECK_SAME(elements_of(x), values);
}

TEST_CASE("host arrays: memory of the user's, misaligned for vectors, with gaps, beside arrays of the device") {
    const on_little here("200K");
    std::vector<float> memory = noise<float>(40'000 + 3, 10);
    const k::host_array<float> odd(k::wrap(memory.data() + 3, {200, 100}, {200, 2}));
    const k::host_array<float> column(k::wrap(memory.data() + 1, {100, 200}, k::column_major));
    k::host_array<float> sum;
    sum = odd + k::transpose(column);
    std::vector<float> expected;
    for (int i = 0; i < 200; ++i)
        for (int j = 0; j < 100; ++j)
            expected.push_back(memory[static_cast<std::size_t>(3 + i * 200 + j * 2)] +
                               memory[static_cast<std::size_t>(1 + i * 100 + j)]);
    CHECK_SAME(elements_of(sum), expected);

    const k::array<float> row = k::cast<float>(k::arange<int>(100));
    CHECK(row.device() == tests::far_device());
    k::host_array<float> by_row;
    by_row = odd * row;
    for (int i = 0; i < 200; ++i)
        for (int j = 0; j < 100; ++j)
            expected[static_cast<std::size_t>(i * 100 + j)] =
                memory[static_cast<std::size_t>(3 + i * 200 + j * 2)] * static_cast<float>(j);
    CHECK_SAME(elements_of(by_row), expected);

    // Into memory with gaps, whose other elements stay.
    std::vector<float> target(400, 7.0f);
    k::host_array<float> every_second(k::wrap(target.data(), {200}, {2}));
    every_second = k::cast<float>(k::arange<int>(200));
    CHECK(target[1] == 7);
    CHECK(target[398] == 199);
    CHECK(has(said_by([&] { (void)every_second.data(); }), "not row-major"));
}

TEST_CASE_FIXTURE(in_a_folder,
                  "host arrays: parts of one are written into, and what is there is changed in its place") {
    for (const bool in_a_file : {false, true}) {
        const on_little here("64K");
        k::host_array<float> y =
            in_a_file ? k::create_npy<float>(path("y.npy"), {300, 100}) : k::host_array<float>({300, 100});
        y = 0.0f;
        y += k::cast<float>(k::index(k::axis(0)));
        const float* const before = y.data();
        y += 1;
        y *= k::host_array<float>(k::cast<float>(k::arange<int>(100)));
        CHECK(y.data() == before);
        const auto at = [&](int row, int column) { return y.data()[row * 100 + column]; };
        CHECK(at(7, 3) == 24);
        y(k::range(10, 20)) = -1.0f;
        y(k::range(20, 30), 5) = k::cast<float>(k::arange<int>(10));
        y(299) -= y(298);
        CHECK(at(9, 2) == 20);
        CHECK(at(15, 99) == -1);
        CHECK(at(20, 2) == 42);
        CHECK(at(27, 5) == 7);
        CHECK(at(299, 4) == 4);
        y(y > 1000.0f) = 0.0f;
        y(y < 0.0f) = k::cast<float>(k::index(k::axis(1)));
        CHECK(at(298, 99) == 0);
        CHECK(at(12, 34) == 34);
        y(k::all) = k::cast<float>(k::arange<int>(100));
        CHECK(at(150, 60) == 60);
        y(k::all, 60)(k::range(5, 7)) = y(k::all, 60)(k::range(0, 2)) * 2.0f;
        y(k::range(8, 10))(1)(k::range(59, 61)) = -3.0f;
        y(k::range(8, 10))(1)(k::range(60, 100))(k::range(0, 1)) += 1.0f;
        CHECK(at(5, 60) == 120);
        CHECK(at(6, 60) == 120);
        CHECK(at(7, 60) == 60);
        CHECK(at(9, 59) == -3);
        CHECK(at(9, 60) == -2);
        CHECK(at(8, 60) == 60);
        y(k::all, 1)(k::range(0, 2)) = y(k::all, 2)(k::range(0, 2));  // of one type: no copy of the slice itself
        CHECK(at(0, 1) == 2);
        CHECK(at(1, 1) == 2);
        CHECK(at(2, 1) == 1);
        const k::host_array<float>& read = y;
        CHECK(read(k::range(9, 11))(0)(k::range(59, 61)).to_host() == std::vector<float>{-3, -2});
        y(k::range(0, 299)) = y(k::range(1, 300)) + 1.0f;
        CHECK(at(298, 60) == 61);
        CHECK(
            has(said_by([&] { y(k::range(0, 3)) = k::host_array<float>(k::shape{7}) + 1.0f; }), "assigning to a part"));
        CHECK(y.data() == before);
    }
}

TEST_CASE("host arrays: one element, none, and rank 0") {
    const on_little here("64K");
    const k::host_array<float> one = host<float>({3}, {1});
    const k::host_array<float> point = host<float>({4}, {});
    const k::host_array<float> none(k::shape{0, 5});
    k::host_array<float> result;
    result = one * 2.0f + point;
    CHECK(elements_of(result) == std::vector<float>{10});
    CHECK((point * point).item() == 16);
    result = none + 1.0f;
    CHECK((result.shape() == k::shape{0, 5}));
    CHECK(k::sum(none).item() == 0);
    CHECK((k::array<float>(none + one).shape() == k::shape{0, 5}));
}

TEST_CASE("host arrays: what has no room, and what cannot be cut, says what it needs and why") {
    const std::vector<float> values = noise<float>(100'000, 11);
    const k::host_array<float> x = host(values, {100'000});
    const k::host_array<float> wide = host(values, {1, 100'000});
    const on_little here("100K");
    const std::string said = said_by([&] { k::host_array<float> y(k::sort(x)); });
    CAPTURE(said);
    CHECK(has(said, "KILN_DEVICE_MEMORY=100K"));
    CHECK(has(said, "a sort is along that axis of shape (100000,)"));
    CHECK(has(said, "takes 18"));
    CHECK(has(said_by([&] { (void)k::array<float>(x + 1.0f); }), "cannot be cut"));  // the result alone is larger
    {
        const tests::changed_variable none("KILN_DEVICE_MEMORY", "much");
        CHECK(said_by([&] { k::host_array<float> y(x + 1.0f); }) ==
              "kiln: KILN_DEVICE_MEMORY=much is no number of bytes, such as 512M, 1.5G or 1T");
    }
    // A sort inside an expression.
    CHECK(has(said_by([&] { k::host_array<float> y(k::sort(x) + 1.0f); }),
              "a sort is along that axis of shape (100000,)"));
    k::host_array<float> y;
    y = x + 1.0f;  // and goes on
    CHECK(y.data()[5] == values[5] + 1.0f);
}

TEST_CASE("host arrays: explain says how an expression is cut, and what goes each way") {
    const on_little here("1M");
    const k::host_array<float> x(k::shape{1'000'000});
    k::chunk_explanation chunks = k::explain(k::cast<std::int8_t>(x + 1.0f)).chunks;
    CHECK(chunks.axis == -1);  // the result alone takes nearly all
    CHECK(has(chunks.why_whole, "one position of axis 0 takes"));
    const tests::changed_variable more("KILN_DEVICE_MEMORY", "2M");
    const k::explanation all = k::explain(k::cast<std::int8_t>(x + 1.0f));
    chunks = all.chunks;
    CHECK(chunks.axis == 0);
    CHECK(chunks.count == (1'000'000 + chunks.positions - 1) / chunks.positions);
    CHECK(chunks.positions % 256 == 0);
    CHECK(chunks.bytes_in == 4'000'000);
    CHECK(chunks.bytes_out == 1'000'000);
    CHECK(chunks.device_bytes <= 2 << 20);
    CHECK(has(to_string(all),
              "chunks of " + std::to_string(chunks.positions) + " positions along axis 0; 4000000 bytes in"));
    k::explanation one = all;  // such as that of an array of a file that is rolled, on a CPU
    one.chunks.count = 1;
    CHECK(has(to_string(one), "in 1 chunk of " + std::to_string(chunks.positions) + " positions along axis 0"));
    const k::array<std::int8_t> made = k::cast<std::int8_t>(x + 1.0f);
    CHECK(tests::bytes_to_far_device() == chunks.bytes_in);

    const tests::changed_variable for_three("KILN_DEVICE_MEMORY",
                                            "3M");  // chunks of that size, which are under way at once
    chunks = k::explain(k::sum(x * x)).chunks;
    CHECK(chunks.axis == 0);
    CHECK(chunks.positions % 65536 == 0);
    CHECK(chunks.bytes_in == 4'000'000);
    CHECK(chunks.bytes_out == 4);
    for (const k::chunk_explanation& each : {k::explain(k::var(x)).chunks, k::explain(k::logsumexp(x * x)).chunks,
                                             k::explain(k::argmax(x)).chunks, k::explain(k::prod(x)).chunks}) {
        CHECK(each.axis == 0);
        CHECK(each.count > 2);
    }
    {
        const tests::changed_variable result_too("KILN_DEVICE_MEMORY", "6M");
        chunks = k::explain(k::cumsum(x, k::axis(0))).chunks;
        CHECK(chunks.axis == 0);
        CHECK(chunks.count > 2);
        CHECK(chunks.bytes_in == 8'000'000);  // once for what parts come to
        CHECK(has(k::explain(k::cumsum(x, k::axis(0)) * x).chunks.why_whole, "scans go to the host's memory first"));
    }
    const k::scoped_device on_the_cpu(k::cpu);
    CHECK(k::explain(x + 1.0f).chunks.count == 0);  // read where it is
}

namespace {

/// Of operands (rows, columns), (columns,), (rows, 1), (1, columns): the same expression for the same draws.
k::expr<float> random_expression(std::mt19937& random, const std::vector<k::expr<float>>& operands, int depth,
                                 bool scans) {
    const auto draw = [&](unsigned below) { return static_cast<int>(random() % below); };
    if (depth == 0) return operands[static_cast<std::size_t>(draw(static_cast<unsigned>(operands.size())))];
    const k::expr<float> a = random_expression(random, operands, depth - 1, scans);
    switch (draw(scans ? 15 : 13)) {
        case 0: return a + random_expression(random, operands, depth - 1, scans);
        case 1: return a * random_expression(random, operands, depth - 1, scans) - 0.5f;
        case 2: return k::where(a > 1.0f, a, random_expression(random, operands, depth - 1, scans));
        case 3: return k::min(a, random_expression(random, operands, depth - 1, scans));
        case 4: return a + k::cast<float>(k::index(k::axis(0))) - k::cast<float>(k::index(k::axis(-1)));
        case 5: return a - k::max(operands[0] + a, k::axis(1), k::keep_dims);
        case 6: return k::sum(operands[0] * a, k::axis(1), k::keep_dims) + a;
        case 7: return a * 0.001f + k::mean(operands[0] + a, k::axis(0));
        case 8: return a + k::sum(a * a);
        case 9: return a - k::stddev(operands[0] * 2.0f - a, k::axis(0), k::keep_dims);
        case 10: return k::logsumexp(operands[0] * a, k::axes(0, 1)) + a;
        case 11: return a * k::cast<float>(k::argmax(operands[0] - a, k::axis(0)));
        case 12: return k::min(operands[0] - a, k::axis(0)) + k::prod(operands[0] + a, k::axis(1), k::keep_dims);
        case 13: return k::cumsum(operands[0] + a, k::axis(1));
        default: return k::cumsum(operands[0] + a, k::axis(0)) * 0.5f;
    }
}

}  // namespace

TEST_CASE_FIXTURE(in_a_folder, "host arrays: random expressions of any size have the bits of one piece") {
    std::mt19937 random(20);
    for (int round = 0; round < 40; ++round) {
        const std::int64_t rows = 1 + random() % (round % 3 ? 400 : 3000);
        const std::int64_t columns = 1 + random() % (round % 3 ? 300 : 40);
        CAPTURE(round);
        CAPTURE(rows);
        CAPTURE(columns);
        const auto seed = static_cast<unsigned>(random());
        const bool in_files = round % 2;
        const k::scoped_device here(in_files ? k::cpu : tests::far_device());
        const k::shape shapes[] = {{rows, columns}, {columns}, {rows, 1}, {1, columns}};
        std::vector<k::host_array<float>> hosts;
        std::vector<k::expr<float>> of_hosts;
        std::vector<k::expr<float>> of_arrays;
        for (int i = 0; i < 4; ++i) {
            std::vector<float> values = noise<float>(shapes[i].size(), seed + static_cast<unsigned>(i));
            const std::string name = path(std::to_string(i).c_str());
            if (in_files) k::save_npy(name, k::from_host(values, shapes[i]));
            hosts.push_back(in_files ? k::open_npy<float>(name) : host(values, shapes[i]));
            of_hosts.emplace_back(hosts.back());
            of_arrays.emplace_back(k::from_host(values, shapes[i]));
        }
        std::mt19937 first(seed);
        std::mt19937 second(seed);
        const int depth = 1 + static_cast<int>(random() % 3);
        const k::array<float> whole = random_expression(first, of_arrays, depth, in_files);
        const std::vector<float> expected = whole.to_host();
        of_arrays.clear();
        const std::string memory = std::to_string(48 + random() % 2000) + "K";
        CAPTURE(memory);
        const k::expr<float> chunked = random_expression(second, of_hosts, depth, in_files);
        k::host_array<float> result;
        try {
            const tests::changed_variable little("KILN_DEVICE_MEMORY", memory.c_str());
            result = chunked;
        } catch (const k::error& too_little) {
            CHECK(has(too_little.what(), "cannot be cut into chunks that fit"));
            result = chunked;
        }
        CHECK_SAME(elements_of(result), expected);
    }
}

TEST_CASE("host arrays: a profile has each chunk's copies and kernels") {
    const on_little here("1M");
    const std::vector<float> values = noise<float>(500'000, 14);
    const k::host_array<float> x = host(values, {500'000});
    k::host_array<float> y({500'000});
    const k::profile seen;
    y = x * 3.0f;
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernels = 0;
    for (const k::profile_event& each : seen.events()) {
        kernels += each.what == k::profiled::kernel;
        if (each.what != k::profiled::copy) continue;
        in += each.bytes_written;
        out += each.bytes_read;
    }
    CHECK(in == 2'000'000);
    CHECK(out == 2'000'000);
    CHECK(kernels > 8);
    CHECK(kernels < 30);
}
