// Program and class of call to kernels: what is cut where, and how wide each thread's accesses are.
#include <support/rooms.hpp>

#include <plan/byte_tables.hpp>
#include <plan/layout.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

namespace k = kiln;
using k::plan::access;

namespace {

template <class T>
int width_of(const k::array<T>& x) {
    return tests::schedule({}, k::array_leaf<T>(x) + T(1)).kernels.at(0).elements_per_thread;
}

/// Every value that a kernel reads from memory was stored there by an earlier one, or is an array of the call.
void check_memory(const k::plan::schedule& made) {
    const int arrays = static_cast<int>(made.program.arrays.size());
    std::set<int> written;
    for (const k::plan::kernel& kernel : made.kernels) {
        for (const k::plan::operand& input : kernel.inputs)
            CHECK((input.memory < arrays || written.count(input.memory)));
        for (const k::plan::operand& output : kernel.outputs) {
            CHECK(output.memory >= arrays);
            written.insert(output.memory);
        }
    }
    for (int output = 0; output < static_cast<int>(made.program.outputs.size()); ++output)
        CHECK(written.count(arrays + output));
}

}  // namespace

TEST_CASE(
    "an expression is one kernel fused, and one per operator unfused, conversions with the operator that needs them") {
    const k::array<std::int32_t> i = k::ones<std::int32_t>({8});
    const k::array<double> x = k::ones<double>({8});
    const auto e = k::sqrt(x * i) + i;
    const k::plan::schedule fused = tests::schedule({}, e);
    REQUIRE(fused.kernels.size() == 1);
    CHECK(fused.temporaries.empty());
    check_memory(fused);
    const k::plan::schedule unfused = tests::schedule({.fuse = false, .outputs = {}}, e);
    CHECK(unfused.kernels.size() == 3);
    CHECK(unfused.temporaries.size() >= 2);
    check_memory(unfused);
}

TEST_CASE("a complex128 is one access of 16 bytes where it is aligned, and two where not") {
    using C = std::complex<double>;
    const k::array<C> z = k::ones<C>({64});
    const k::plan::kernel aligned = tests::schedule({}, z + C(1)).kernels.at(0);
    CHECK(aligned.elements_per_thread == 1);
    CHECK(aligned.vectorised);
    std::vector<double> memory(2 * 64 + 2);
    auto* const odd =
        reinterpret_cast<C*>(memory.data() + (reinterpret_cast<std::uintptr_t>(memory.data()) % 16 ? 0 : 1));
    const k::array_ref<C> user = k::wrap(odd, {64});
    const k::plan::kernel misaligned = tests::schedule({}, user + C(1)).kernels.at(0);
    CHECK(misaligned.elements_per_thread == 1);
    CHECK(!misaligned.vectorised);
}

TEST_CASE("bodies of one byte are looked up where computing them takes longer, and a block has enough of them") {
    const auto is_table = [](const auto& e) { return tests::schedule({}, e).kernels.at(0).has_byte_table; };
    const k::array<std::uint8_t> x = k::ones<std::uint8_t>({1000}), other = k::ones<std::uint8_t>({1000});
    const auto gamma = [](const auto& of) { return k::cast<std::uint8_t>(k::pow(k::cast<float>(of), 0.45f) * 255.0f); };
    CHECK(is_table(gamma(x)));
    CHECK(is_table(gamma(x(k::range(1, 900)))));
    CHECK(is_table(k::pow(k::cast<float>(x), 0.45f)));
    CHECK(is_table(gamma(k::array<bool>(k::ones<bool>({1000})))));
    CHECK_FALSE(is_table(x + std::uint8_t(1)));
    CHECK_FALSE(is_table(k::cast<std::uint8_t>(k::rint(k::cast<float>(x) * 1.2f + 10.0f))));
    CHECK_FALSE(is_table(k::pow(k::cast<float>(x), k::cast<float>(other))));
    CHECK_FALSE(is_table(k::pow(k::cast<float>(x), k::cast<float>(k::index(0)))));
    CHECK_FALSE(is_table(k::pow(k::cast<double>(x), 0.45)));  // two of a thread
    CHECK_FALSE(is_table(gamma(k::array<std::int16_t>(k::ones<std::int16_t>({1000})))));
}

TEST_CASE("on the CPU bodies of one byte are looked up where vectors would take longer") {
    const auto is_table = [](const auto& e) {
        return tests::first_stage_schedule(k::plan::host_target, e).kernels.at(0).has_byte_table;
    };
    const k::array<std::uint8_t> x = k::ones<std::uint8_t>({1000}), other = k::ones<std::uint8_t>({1000});
    CHECK(is_table(k::cast<std::uint8_t>(k::pow(k::cast<float>(x), 0.45f) * 255.0f)));
    CHECK(is_table(k::exp(k::cast<double>(x(k::range(1, 900))))));
    CHECK_FALSE(is_table(x + std::uint8_t(1)));
    CHECK_FALSE(is_table(k::cast<std::uint8_t>(k::rint(k::cast<float>(x) * 1.2f + 10.0f))));
    CHECK_FALSE(is_table(k::pow(k::cast<float>(x), k::cast<float>(other))));
    CHECK_FALSE(is_table(k::sum(k::exp(k::cast<float>(x)))));  // computed a piece at a time
    CHECK_FALSE(is_table(k::exp(k::cast<float>(k::array<std::int16_t>(k::ones<std::int16_t>({1000}))))));
    k::plan::target interpreted = k::plan::interpreting_target;
    CHECK_FALSE(tests::first_stage_schedule(interpreted, k::exp(k::cast<float>(x))).kernels.at(0).has_byte_table);
}

TEST_CASE("on the CPU what one array of 16 bits gives is looked up where vectors would take longer") {
    const auto is_table = [](const auto& e) {
        const k::plan::schedule made = tests::first_stage_schedule(k::plan::host_target, e);
        return k::plan::gains_from_large_table(made.program, made.kernels.at(0));
    };
    const k::array<k::float16> x = k::ones<k::float16>({1000}), other = k::ones<k::float16>({1000});
    CHECK(is_table(k::exp(x)));
    CHECK(is_table(x / (1 + k::exp(-x))));
    CHECK(is_table(k::exp(k::cast<double>(k::array<std::uint16_t>(k::ones<std::uint16_t>({1000}))))));
    // Where vectors round, nine steps of float16 take as long as looking up, and thirteen of bfloat16.
    const k::array<k::bfloat16> b = k::ones<k::bfloat16>({1000});
    const auto steps = [](const auto& of, int count) {
        using T = typename std::decay_t<decltype(of)>::value_type;
        k::expr<T> out = of;
        for (int i = 0; i < count; ++i) out = i % 2 ? k::expr<T>(out + T(0.25f)) : k::expr<T>(out * of);
        return out;
    };
    CHECK_FALSE(is_table(steps(x, 8)));
    CHECK(is_table(steps(x, 9)));
    CHECK_FALSE(is_table(steps(b, 12)));
    CHECK(is_table(steps(b, 13)));
    // Elements one by one, three and five.
    CHECK_FALSE(is_table(k::round(x * 2)));
    CHECK(is_table(k::round(x * 2 + 1)));
    CHECK_FALSE(is_table(x + x));
    CHECK_FALSE(is_table(k::cast<float>(x) * 2.0f));
    CHECK_FALSE(is_table(k::exp(x) + other));
    CHECK_FALSE(is_table(k::exp(x) + k::cast<k::float16>(k::index(0))));
    CHECK_FALSE(is_table(k::exp(x(k::range(0, 1000, 2)))));
    CHECK_FALSE(is_table(k::exp(k::array<float>(k::ones<float>({1000})))));
    CHECK_FALSE(is_table(k::sum(k::exp(x))));
}

TEST_CASE("16 bytes per thread and access: 4 floats, 2 doubles, 16 bytes; of mixed widths, no more than one store") {
    CHECK(width_of(k::array<k::float16>(k::ones<k::float16>({64}))) == 8);
    CHECK(width_of(k::array<std::int16_t>(k::ones<std::int16_t>({64}))) == 8);
    CHECK(width_of(k::array<std::complex<float>>(k::ones<std::complex<float>>({64}))) == 2);
    CHECK(width_of(k::array<float>(k::ones<float>({64}))) == 4);
    CHECK(width_of(k::array<double>(k::ones<double>({64}))) == 2);
    CHECK(width_of(k::array<std::uint8_t>(k::ones<std::uint8_t>({64}))) == 16);
    const k::array<std::uint8_t> u = k::ones<std::uint8_t>({64});
    const k::array<double> d = k::ones<double>({64});
    CHECK(tests::schedule({}, u + d).kernels.at(0).elements_per_thread == 2);
    CHECK(tests::schedule({}, k::cast<float>(d)).kernels.at(0).elements_per_thread == 4);
    CHECK(tests::schedule({}, k::cast<float>(u)).kernels.at(0).elements_per_thread == 4);
    CHECK(tests::schedule({.on = k::plan::host_target, .outputs = {}}, u + d).kernels.at(0).elements_per_thread == 1);
}

TEST_CASE("a stencil's left and right are read lane by lane beside its vectors, in several rows at once") {
    using k::boundary::clamp;
    const k::array<float> m = k::ones<float>({64, 64});
    const auto kernel_of = [](const auto& e) { return tests::schedule({}, e).kernels.at(0); };
    const auto up_and_down = k::shift(m, {1, 0}, clamp) + k::shift(m, {-1, 0}, clamp);
    const k::plan::kernel cross = kernel_of(up_and_down + k::shift(m, {0, 1}, clamp) + k::shift(m, {0, -1}, clamp) - m);
    CHECK(cross.vectorised);
    CHECK(cross.elements_per_thread == 4);
    CHECK(cross.mapping == k::plan::thread_mapping::rows);
    CHECK(cross.rows_per_thread == 4);
    CHECK(std::count_if(cross.inputs.begin(), cross.inputs.end(),
                        [&](const k::plan::operand& each) { return cross.by_lane(each); }) == 2);
    CHECK(kernel_of(up_and_down).rows_per_thread == 4);

    // More lanes than vectors; one axis, whose end is no whole vector; long bodies.
    CHECK_FALSE(kernel_of(k::shift(m, {0, 1}, clamp) + 1.0f).vectorised);
    const k::array<float> line = k::ones<float>({64});
    CHECK_FALSE(kernel_of(k::shift(line, {1}, clamp) - line).vectorised);
    const auto difference = k::shift(m, {0, 1}, clamp) - m;
    const auto fifth = difference * m * m * m * m;
    const auto many = fifth * fifth * m + fifth * m * m + fifth * fifth * fifth * m * m * m * m * m;
    CHECK(kernel_of(many).rows_per_thread == 1);
}

TEST_CASE("misalignment narrows the access, and strides make neighbouring threads of neighbouring elements") {
    const k::array<float> x = k::ones<float>({64});
    const auto width = [](const auto& leaf) {
        const k::plan::kernel kernel = tests::schedule({}, leaf + 1.0f).kernels.at(0);
        return kernel.vectorised ? kernel.elements_per_thread : 1;
    };
    CHECK(width(k::array_leaf<float>(x(k::range(1, 64)))) == 1);
    CHECK(width(k::array_leaf<float>(x(k::range(2, 64)))) == 2);
    CHECK(width(k::array_leaf<float>(x(k::range(4, 64)))) == 4);
    const k::plan::kernel strided =
        tests::schedule({}, k::array_leaf<float>(x(k::range(0, 64, 2))) + 1.0f).kernels.at(0);
    CHECK_FALSE(strided.vectorised);
    CHECK(strided.elements_per_thread == 4);
    CHECK(strided.has_layout());
    CHECK(strided.inputs.at(0).how == access::strided);
    CHECK(strided.outputs.at(0).how == access::contiguous);
}

TEST_CASE("each array is one input and each scalar one parameter, however often they stand") {
    const k::array<float> x = k::ones<float>({8});
    const float a = 3.0f;
    const auto scaled = x * a;
    const k::plan::kernel kernel = tests::schedule({}, scaled + scaled * x + x).kernels.at(0);
    CHECK(kernel.inputs.size() == 1);
    CHECK(kernel.scalars.size() == 1);
    CHECK(kernel.outputs.size() == 1);
    CHECK(tests::schedule({}, x + k::arange<float>(8)).kernels.at(0).inputs.at(0).is_position);
}

TEST_CASE("an output that is an input's memory is marked, so that no pointer is __restrict__") {
    k::array<float> x = k::ones<float>({8});
    const k::array<float> y = k::ones<float>({8});
    CHECK(tests::schedule({.outputs = {tests::into(x)}}, x + 1.0f).kernels.at(0).aliased);
    CHECK_FALSE(tests::schedule({.outputs = {tests::into(x)}}, y + 1.0f).kernels.at(0).aliased);
}

TEST_CASE("a kernel never has more parameters than the device takes, and nothing is lost at the cuts") {
    k::detail::graph g;
    std::vector<k::array<float>> arrays;
    tests::call call;
    call.outputs.resize(1);
    int sum = -1;
    for (int i = 0; i < 1000; ++i) {
        arrays.push_back(k::array<float>(k::ones<float>({8})));
        call.leaves.push_back({arrays.back().kiln_node().get(), 0, k::detail::leaf_kind::array, 0});
        const int leaf = k::detail::add_array(g, k::element_type::float32);
        sum = sum < 0 ? leaf : k::detail::add_operation(g, k::operation::add, k::element_type::float32, sum, leaf);
    }
    k::detail::add_output(g, sum, k::element_type::float32);
    call.bind(k::plan::frame::cuda);
    const k::plan::schedule made =
        k::plan::partition(k::lower::lower(g, call.kind().numbers()).code, call.kind(), k::plan::cuda_target);
    CHECK(made.kernels.size() >= 3);
    int steps = 0;
    for (const k::plan::kernel& kernel : made.kernels) {
        const auto parameters = kernel.inputs.size() + kernel.outputs.size() + kernel.scalars.size();
        CHECK(parameters <= static_cast<std::size_t>(k::plan::cuda_target.max_parameters));
        CHECK(kernel.first_step == steps);
        steps = kernel.last_step;
    }
    CHECK(steps == 999);
    check_memory(made);
}

TEST_CASE("blocks cover every element") {
    const k::array<float> x = k::ones<float>({8});
    const tests::call call = tests::bind({}, x + 1.0f);
    k::plan::kernel kernel;
    kernel.elements_per_thread = 4;
    const auto blocks = [&](std::int64_t elements) {
        call.bound->element_count = elements;
        return k::plan::block_count(kernel, *call.bound);
    };
    CHECK(blocks(1) == 1);
    CHECK(blocks(1024) == 1);
    CHECK(blocks(1025) == 2);
    CHECK(blocks(std::int64_t{1} << 40) == (std::int64_t{1} << 30));
    kernel.threads_per_block = 0;
    CHECK(blocks(1025) == 0);
}

TEST_CASE("blocks of rows and of tiles cover their axes, whole or in part") {
    const k::array<float> m = k::ones<float>({70, 1500});
    const auto flipped = k::flip(k::array_leaf<float>(m), k::axis(1)) + 1.0f;
    const tests::call by_rows = tests::bind({}, flipped);
    const k::plan::kernel rows = tests::schedule({}, flipped).kernels.at(0);
    CHECK(rows.mapping == k::plan::thread_mapping::rows);
    CHECK(k::plan::block_count(rows, *by_rows.bound) == (1500 + 255) / 256 * ((70 + 7) / 8));
    const auto sum = k::transpose(k::array_leaf<float>(m)) + 1.0f;
    const tests::call by_tiles = tests::bind({}, sum);
    const k::plan::kernel tiles = tests::schedule({}, sum).kernels.at(0);
    CHECK(tiles.mapping == k::plan::thread_mapping::tiles);
    CHECK(k::plan::block_count(tiles, *by_tiles.bound) == (1500 + 63) / 64 * ((70 + 63) / 64));
}

TEST_CASE("division by multiplication is exact for every kind of divisor, up to 2^31") {
    std::vector<std::uint32_t> divisors = {
        1, 2, 3, 5, 6, 7, 9, 10, 641, 1000, 65535, 65536, 65537, 0x7fffffff, 0x7ffffffe, 0x40000000, 0x40000001};
    std::uint32_t state = 12345;
    for (int i = 0; i < 2000; ++i) divisors.push_back((state = state * 1664525u + 1013904223u) >> (1 + i % 30) | 1u);
    for (const std::uint32_t divisor : divisors) {
        if (divisor >= 0x80000000u) continue;
        const std::uint64_t made = k::plan::fast_divisor(divisor);
        const auto multiplier = static_cast<std::uint32_t>(made);
        const int shift = static_cast<int>(made >> 32);
        for (std::uint32_t near : {0u, 1u, divisor - 1, divisor, divisor + 1, 0x7fffffffu,
                                   0x7fffffffu / divisor * divisor, 0x7fffffffu / divisor * divisor - 1, state}) {
            near &= 0x7fffffffu;
            const auto high = static_cast<std::uint32_t>(static_cast<std::uint64_t>(near) * multiplier >> 32);
            REQUIRE((static_cast<std::uint32_t>(high + near) >> shift) == near / divisor);
        }
    }
}

TEST_CASE("the host takes squares that fit the first cache where neighbours are along another axis") {
    const auto side_of = [](const auto& e) {
        const k::plan::kernel made = tests::schedule({.on = k::plan::host_target, .outputs = {}}, e).kernels.at(0);
        CHECK((made.mapping == k::plan::thread_mapping::tiles) == (made.tile_side > 0));
        return made.tile_side;
    };
    const k::array<float> f = k::ones<float>({100, 100});
    const k::array<double> d = k::ones<double>({100, 100});
    const k::array<std::complex<double>> c = k::ones<std::complex<double>>({100, 100});
    CHECK(side_of(f + k::transpose(f)) == 64);
    CHECK(side_of(d + k::transpose(d)) == 32);
    CHECK(side_of(k::transpose(f) * k::transpose(d)) == 32);
    CHECK(side_of(c + k::transpose(c)) == 32);
    CHECK(side_of(k::transpose(f)) == 64);
    CHECK(side_of(f + f(k::range(0, 1), k::all)) == 0);
    const k::array<float> narrow = k::ones<float>({100, 31});
    CHECK(side_of(k::transpose(narrow)) == 0);

    const auto call = tests::bind({}, f + k::transpose(f));
    const k::plan::kernel tiles =
        tests::schedule({.on = k::plan::host_target, .outputs = {}}, f + k::transpose(f)).kernels.at(0);
    CHECK(k::plan::block_count(tiles, *call.bound) == 2 * 2);
}

TEST_CASE("the host takes short rows many at a time where it can say beforehand what they read") {
    const auto are_short = [](const auto& e) {
        return tests::schedule({.on = k::plan::host_target, .outputs = {}}, e).kernels.at(0).short_rows;
    };
    const auto of = [](std::int64_t columns) { return k::array<float>(k::ones<float>({100, columns})); };
    const k::array<float> column = k::ones<float>({100, 1});
    CHECK(are_short(of(3) * column));
    CHECK(are_short(of(32) * column));
    CHECK_FALSE(are_short(of(33) * column));
    CHECK_FALSE(are_short(of(3) * of(3)));
    const k::array<std::int32_t> index = k::zeros<std::int32_t>({100});
    CHECK_FALSE(are_short(of(3) * k::take(column, index, k::axis(0))));
    // Five columns of 16 bytes an element: their buffers would not be in the caches.
    const auto wide = [] { return k::array<std::complex<double>>(k::ones<std::complex<double>>({100, 1})); };
    const k::array<std::complex<double>> z = k::ones<std::complex<double>>({100, 3});
    CHECK(are_short(z + wide() + wide() + wide() + wide()));
    CHECK_FALSE(are_short(z + wide() + wide() + wide() + wide() + wide()));
    CHECK_FALSE(tests::schedule({}, of(3) * column).kernels.at(0).short_rows);
}

TEST_CASE(
    "on CUDA a thread takes four rows of bytes that no vector divides, where rows are few elements beside others' "
    "one") {
    const auto rows = [](const auto& e) {
        const k::plan::kernel only = tests::schedule({}, e).kernels.at(0);
        return only.row_extent > 0 ? only.rows_per_thread : 0;
    };
    const auto bytes = [](std::int64_t n) { return k::array<std::uint8_t>(k::ones<std::uint8_t>({100, n})); };
    const auto floats = [](std::int64_t n) { return k::array<float>(k::ones<float>({100, n})); };
    CHECK(rows(bytes(3) * bytes(1)) == 4);
    CHECK(rows(bytes(3) * k::array<std::uint8_t>(k::ones<std::uint8_t>({3}))) == 4);
    CHECK(rows(bytes(7) > bytes(1)) == 4);
    CHECK(rows(k::cast<float>(bytes(3)) * floats(1)) == 4);
    CHECK(rows(k::cast<float>(bytes(2)) * floats(1)) == 4);
    CHECK(rows(k::cast<k::float16>(floats(3) * floats(1))) == 4);
    // Vectors divide them, or all is one row; what is wider moves well as it is; long bodies are long to compile.
    CHECK(rows(bytes(4) * bytes(1)) == 0);
    CHECK(rows(bytes(9) * bytes(1)) == 0);
    CHECK(rows(bytes(3) * bytes(3)) == 0);
    CHECK(rows(floats(3) * floats(1)) == 0);
    CHECK(rows(k::cast<double>(bytes(3)) * k::array<double>(k::ones<double>({100, 1}))) == 0);
    const auto t = [](const auto& x) { return k::sin(x) / k::exp(x) + k::atan(x) / k::log(x); };
    CHECK(rows(t(t(t(k::cast<float>(bytes(7)) * floats(1))))) == 0);
    // Not at a multiple of four bytes.
    const k::array<std::uint8_t> longer = k::ones<std::uint8_t>({301});
    CHECK(rows(k::reshape(longer(k::range(1, 301)), {100, 3}) * bytes(1)) == 0);
    CHECK(rows(bytes(6)(k::all, k::range(0, 3)) * bytes(3)) == 4);
}

TEST_CASE("the host knows how short a row is where an operand has one element of 4 or 8 bytes for each") {
    const auto known = [](const auto& e) {
        return tests::schedule({.on = k::plan::host_target, .outputs = {}}, e).kernels.at(0).row_extent;
    };
    const auto of = [](std::int64_t columns) { return k::array<float>(k::ones<float>({100, columns})); };
    const k::array<float> column = k::ones<float>({100, 1});
    CHECK(known(of(2) * column) == 2);
    CHECK(known(of(5) * column) == 5);
    CHECK(known(column + of(8)(k::range(0, 1), k::all)) == 8);
    CHECK(known(of(9) * column) == 0);
    CHECK(known(of(5) * of(5)(k::range(0, 1), k::all)) == 0);
    CHECK(known(of(5) * k::array<double>(k::ones<double>({100, 1}))) == 5);
    CHECK(known(of(5) * k::array<std::int16_t>(k::ones<std::int16_t>({100, 1}))) == 0);
    // Every second element of another array's: no vector has them.
    CHECK(known(of(5) * k::array<float>(k::ones<float>({100, 2}))(k::all, k::range(0, 1))) == 0);
    CHECK(known(of(5) * k::index(0)) == 0);
    CHECK(tests::schedule({}, of(5) * column).kernels.at(0).row_extent == 0);
}

TEST_CASE("bags of a table's rows: a thread looks up once for its four columns, if rows are whole fours") {
    const auto kernel_of = [](std::int64_t columns, int over) {
        const k::array<k::float16> table = k::ones<k::float16>({500, columns});
        const k::array<std::int64_t> ids = k::zeros<std::int64_t>({4000, 7});
        return tests::first_stage_schedule(k::plan::cuda_target_of(90),
                                           k::sum(k::take(table, ids, k::axis(0)), k::axis(over)))
            .kernels.at(0);
    };
    CHECK(kernel_of(128, 1).vectorised);
    CHECK(kernel_of(128, 1).elements_per_thread == 4);
    CHECK_FALSE(kernel_of(127, 1).vectorised);
    CHECK_FALSE(kernel_of(128, 2).vectorised);
}
