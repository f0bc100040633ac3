// device/cpu/cpu_device: its modes, its memory, its kernels; compiled and interpreted ones bit for bit.
#include <device/hand_made.hpp>
#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/device_under_test.hpp>
#include <support/operations.hpp>
#include <support/values.hpp>

#include <device/cpu/cpu_device.hpp>
#include <emit/source.hpp>
#include <kiln/kiln.hpp>

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace tests;
using kiln::type_of;
using kiln::backend::device;
using kiln::backend::launch_arguments;
using kiln::backend::loaded_kernel;
using kiln::backend::make_cpu_device;

std::unique_ptr<device> make_device(const char* mode, const char* threads = nullptr) {
    const changed_variable cpu("KILN_CPU", mode);
    const changed_variable count("KILN_CPU_THREADS", threads);
    return make_cpu_device();
}

void launch(kiln::backend::device& on, const loaded_kernel& kernel, hand_packed& parameters, std::int64_t count) {
    launch_arguments arguments;
    arguments.parameters = parameters.slots();
    arguments.element_count = count;
    on.launch(kernel, arguments);
}

std::unique_ptr<loaded_kernel> compiled(kiln::backend::device& on, const hand_made& made) {
    const kiln::emit::source source = kiln::emit::emit(made.code, made.kernel, kiln::plan::frame::host);
    return on.load(on.toolchain()->compile(source).bytes, source.name, made.code, made.kernel);
}

const std::string doubling_source = R"(
extern "C" void doubling(void* const* parameters, long long begin, long long end, const void* const* library)
{
    float* const y = *static_cast<float* const*>(parameters[0]);
    const float* const x = *static_cast<const float* const*>(parameters[1]);
    (void)library;
    for (long long i = begin; i < end; ++i) y[i] = x[i] + x[i];
}
)";

hand_made doubling() {
    hand_made made;
    const value_id x = made.array(element_type::float32);
    made.output(made.step(operation::add, element_type::float32, {x, x}));
    return made;
}

void check_doubles(kiln::backend::device& on, const loaded_kernel& kernel, std::size_t count) {
    const std::vector<float> values = ordinary_values<float>(count);
    std::vector<float> expected(count), got(count);
    for (std::size_t i = 0; i < count; ++i) expected[i] = values[i] + values[i];
    const std::size_t bytes = count * sizeof(float);
    std::byte* const x = on.allocate(bytes);
    std::byte* const y = on.allocate(bytes);
    on.copy_from_host(x, values.data(), bytes);
    hand_packed parameters;
    parameters.pointer(y);
    parameters.pointer(x);
    parameters.count(static_cast<std::int64_t>(count));
    launch(on, kernel, parameters, static_cast<std::int64_t>(count));
    on.copy_to_host(got.data(), y, bytes);
    on.deallocate(x, bytes, 1);
    on.deallocate(y, bytes, 1);
    CHECK_SAME(got, expected);
}

}  // namespace

TEST_CASE("the CPU says what it is and how many threads it takes") {
    const auto on = make_device("interpret", "3");
    const kiln::device_info info = on->describe();
    CHECK(!info.name.empty());
    CHECK(!info.is_cuda);
    CHECK(!info.compiles);
    CHECK_EQ(info.unit_count, 3);
    CHECK(on->toolchain() == nullptr);
    CHECK(on->target().kind == kiln::plan::frame::host);
    CHECK_EQ(on->current_stream(), 0);
}

TEST_CASE("a mode or a thread count that is none is refused by its value") {
    CHECK_THROWS_WITH_AS(make_device("jit"), "kiln: KILN_CPU=jit is neither compile (the default) nor interpret",
                         kiln::device_error);
    for (const char* count : {"0", "-2", "four", "4x", "100000"}) {
        CAPTURE(count);
        CHECK_THROWS_AS(make_device("interpret", count), kiln::device_error);
    }
}

TEST_CASE("a source written by hand is compiled, loaded and launched") {
    const auto on = make_device("compile");
    if (!on->toolchain()) return;
    const hand_made made = doubling();
    const std::string bytes = on->toolchain()->compile({"doubling", doubling_source}).bytes;
    CHECK(on->load(bytes, "tripling", made.code, made.kernel) == nullptr);
    CHECK(on->load("no shared object", "doubling", made.code, made.kernel) == nullptr);
    const auto kernel = on->load(bytes, "doubling", made.code, made.kernel);
    REQUIRE(kernel);
    for (const std::size_t count : {1u, 1000u, 1000003u}) check_doubles(*on, *kernel, count);
}

TEST_CASE("the interpreter computes small and large arrays, on one thread and on many") {
    const hand_made made = doubling();
    for (const char* threads : {"1", "2", "5"}) {
        const auto on = make_device("interpret", threads);
        const auto kernel = on->interpret(made.code, made.kernel);
        for (const std::size_t count : {1u, 63u, 1000u, 1000003u}) check_doubles(*on, *kernel, count);
    }
}

TEST_CASE("an output larger than the caches is streamed and right") {
    const hand_made made = doubling();
    const auto on = make_device("interpret", "2");
    check_doubles(*on, *on->interpret(made.code, made.kernel), std::size_t{20} << 20);
}

TEST_CASE("an absurd size is out of memory and harms nothing") {
    const auto on = make_device("interpret");
    CHECK_THROWS_AS(on->allocate(std::size_t{1} << 60), kiln::out_of_memory);
    std::byte* const block = on->allocate(100);
    on->deallocate(block, 100, 1);
    CHECK_EQ(on->allocate(100), block);
    on->deallocate(block, 100, 1);
}

namespace {

/// Outputs of a kernel, as raw bytes: NaNs are held to their bits too.
std::vector<std::vector<std::byte>> outputs_of(kiln::backend::device& on, const loaded_kernel& kernel,
                                               const hand_made& made, const std::vector<std::vector<std::byte>>& inputs,
                                               std::int64_t count) {
    std::vector<std::vector<std::byte>> outputs;
    for (const kiln::plan::operand& each : made.kernel.outputs)
        outputs.emplace_back(static_cast<std::size_t>(count * kiln::bytes_of(each.type)));
    hand_packed parameters;
    for (const std::vector<std::byte>& each : outputs) parameters.pointer(each.data());
    for (const std::vector<std::byte>& each : inputs) parameters.pointer(each.data());
    parameters.count(count);
    launch(on, kernel, parameters, count);
    return outputs;
}

template <class T>
std::vector<std::byte> bytes_of_elements(const std::vector<T>& values, std::size_t count) {
    std::vector<std::byte> bytes(count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i) {
        const T element = values[i % values.size()];
        __builtin_memcpy(bytes.data() + i * sizeof(T), &element, sizeof(T));
    }
    return bytes;
}

bool is_same(const std::vector<std::byte>& left, const std::vector<std::byte>& right, element_type type) {
    // Which NaN comes out of two is the processor's choice by operand order, and compilers swap operands.
    const auto same = [&]<class T>(T) {
        for (std::size_t i = 0; i < left.size() / sizeof(T); ++i) {
            T a;
            T b;
            __builtin_memcpy(&a, left.data() + i * sizeof(T), sizeof(T));
            __builtin_memcpy(&b, right.data() + i * sizeof(T), sizeof(T));
            if (!same_bits(a, b)) return false;
        }
        return true;
    };
    if (type == element_type::float32) return same(float{});
    if (type == element_type::float64) return same(double{});
    if (type == element_type::float16) return same(kiln::float16{});
    if (type == element_type::bfloat16) return same(kiln::bfloat16{});
    if (type == element_type::complex64) return same(std::complex<float>{});
    if (type == element_type::complex128) return same(std::complex<double>{});
    return left == right;
}

}  // namespace

TEST_CASE_TEMPLATE("compiled and interpreted kernels give the same bits for every operation", T, KILN_TEST_TYPES,
                   KILN_TEST_COMPLEX) {
    const auto on = make_device("compile");
    if (!on->toolchain()) return;
    const pairs<T> p = all_pairs(special_values<T>());
    constexpr std::size_t count = 5000;
    hand_made made;
    const value_id a = made.array(type_of<T>);
    const value_id b = made.array(type_of<T>);
    const value_id condition = made.array(element_type::boolean);
    for (int code = 0; code < static_cast<int>(operation::cast); ++code) {
        const auto what = static_cast<operation>(code);
        const kiln::detail::operation_info& info = kiln::detail::operations[code];
        if (kiln::detail::operand_type(what, type_of<T>) != type_of<T>) continue;
        if (kiln::kind_of(type_of<T>) == kiln::element_kind::floating && !kiln::detail::takes_floats(what)) continue;
        if (!kiln::detail::has_meaning(what, type_of<T>)) continue;
        if (info.rule == kiln::type_rule::scaled) {
            if (!std::is_floating_point_v<T>) continue;
            const value_id number = made.cast(type_of<T>, kiln::complex_of(type_of<T>), a);
            made.output(number);
            made.output(made.step(what, type_of<T>, {number, b}));
            continue;
        }
        if (info.arity == 1) made.output(made.step(what, type_of<T>, {a}));
        else if (info.arity == 2) made.output(made.step(what, type_of<T>, {a, b}));
        else if (info.rule == kiln::type_rule::conditional) made.output(made.step(what, type_of<T>, {condition, a, b}));
        else made.output(made.step(what, type_of<T>, {a, b, a}));
    }
    for (int to = is_complex<T> ? static_cast<int>(element_type::complex64) : 0; to < kiln::element_type_count; ++to)
        made.output(made.cast(type_of<T>, static_cast<element_type>(to), a));

    const auto fast = compiled(*on, made);
    REQUIRE(fast);
    const auto slow = on->interpret(made.code, made.kernel);
    std::vector<T> more = ordinary_values<T>(count, 11);
    std::vector<T> left = p.left;
    std::vector<T> right = p.right;
    left.insert(left.end(), more.begin(), more.end());
    more = ordinary_values<T>(count, 12);
    right.insert(right.end(), more.begin(), more.end());
    const std::vector<std::vector<std::byte>> inputs = {bytes_of_elements(left, count), bytes_of_elements(right, count),
                                                        bytes_of_elements(ordinary_values<bool>(count), count)};
    const auto of_compiled = outputs_of(*on, *fast, made, inputs, count);
    const auto of_interpreted = outputs_of(*on, *slow, made, inputs, count);
    for (std::size_t i = 0; i < of_compiled.size(); ++i) {
        const kiln::lower::step& step = made.code.steps[i];
        const std::string name = kiln::detail::operations[static_cast<int>(step.code)].name;
        CAPTURE(name);
        CAPTURE(i);
        CHECK(is_same(of_compiled[i], of_interpreted[i], step.result));
    }
}

// --- messages on stderr, each in a process of its own ----------------------------------------------------------------

TEST_CASE("child: two CPU devices without a compiler, and a kernel" * doctest::skip()) {
    const auto first = make_cpu_device();
    const auto second = make_cpu_device();
    const hand_made made = doubling();
    for (kiln::backend::device* const each : {first.get(), second.get()}) {
        CHECK(!each->describe().compiles);
        if (!each->toolchain()) continue;  // it is to interpret
        CHECK_FALSE(each->toolchain()->is_there());
        CHECK(each->toolchain()->fingerprint() == "no C++ compiler");
    }
    check_doubles(*second, *second->interpret(made.code, made.kernel), 1000);
    // What is said, is said where something is to be compiled.
    kiln::array<float> x = kiln::full<float>({4}, 1.0f);
    x = x + x;
    x = x * x;
    CHECK(x.to_host() == std::vector<float>(4, 4.0f));
}

namespace {

/// An evaluation whose kernels need compiled code where there is a compiler; whether it is right.
using first_evaluation = bool (*)(const kiln::array<float>& x, const kiln::array<int>& n);
constexpr first_evaluation first_evaluations[] = {
    [](const auto& x, const auto&) { return kiln::sum(x * x).item() == 1250.0f; },
    [](const auto& x, const auto&) { return kiln::dot(x, x).item() == 1250.0f; },
    [](const auto&, const auto& n) { return kiln::mean(n).item() == 3.0; },
    [](const auto& x, const auto&) { return kiln::sum(kiln::where(x > 0.0f, x, 1.0f)).item() == 2500.0f; },
    [](const auto& x, const auto&) {
        const kiln::array<float> rows = kiln::mean(kiln::reshape(x * 2.0f, {50, 100}), kiln::axis(1));
        return rows.to_host() == std::vector<float>(50, 1.0f);
    },
    [](const auto& x, const auto&) {
        const auto [squares, most] = kiln::eval(kiln::sum(x * x), kiln::max(x - 1.0f));
        return squares.item() == 1250.0f && most.item() == -0.5f;
    },
    [](const auto& x, const auto&) {
        kiln::prepare(kiln::sum(x * x));
        return kiln::sum(x * x).item() == 1250.0f;
    },
    [](const auto& x, const auto&) {
        const kiln::array<float> rows = kiln::reshape(x, {50, 100});
        const auto e = kiln::exp(rows - kiln::max(rows, kiln::axis(1), kiln::keep_dims));
        return kiln::array<float>(e / kiln::sum(e, kiln::axis(1), kiln::keep_dims)).to_host() ==
               std::vector<float>(5000, 0.01f);
    },
};

}  // namespace

TEST_CASE("child: the first reduction of a process" * doctest::skip()) {
    const kiln::array<float> x = kiln::full<float>({5000}, 0.5f);
    const kiln::array<int> n = kiln::full<int>({5000}, 3);
    CHECK(first_evaluations[std::atoi(std::getenv("KILN_TEST_WHICH"))](x, n));
}

TEST_CASE("without a compiler, or with one that fails, the first reduction of a process is interpreted") {
    if (!tests::device().compiles) return;  // there is none either way
    for (std::size_t which = 0; which < std::size(first_evaluations); ++which)
        for (const char* const compiler : {"/nonexistent", "/bin/false"}) {
            const std::string number = std::to_string(which);
            CAPTURE(number);
            CAPTURE(compiler);
            const tests::temporary_folder folder;
            const child_result ended =
                run_child("child: the first reduction of a process", {{"KILN_DEVICE", "cpu"},
                                                                      {"KILN_CPU", nullptr},
                                                                      {"KILN_CXX", compiler},
                                                                      {"KILN_CACHE_DIR", folder.path().c_str()},
                                                                      {"KILN_TEST_WHICH", number.c_str()},
                                                                      {"KILN_TEST_QUIET", "1"}});
            CAPTURE(ended.output);
            CHECK_EQ(ended.exit_status, 0);
        }
}

TEST_CASE("without a compiler the CPU interprets, and says once what it looked for") {
    const char* const child = "child: two CPU devices without a compiler, and a kernel";
    const tests::temporary_folder folder;
    const std::string program = folder.path() + "/no program";
    std::ofstream(program) << "a text";
    const child_result text =
        run_child(child, {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", program.c_str()}, {"KILN_TEST_QUIET", "1"}});
    CAPTURE(text.output);
    CHECK_EQ(text.exit_status, 0);
    CHECK_EQ(occurrences(text.output, "no program, which is no program that may be started"), 1);

    const child_result named =
        run_child(child, {{"KILN_DEVICE", "cpu"}, {"KILN_CXX", "no-such-compiler"}, {"KILN_TEST_QUIET", "1"}});
    CAPTURE(named.output);
    CHECK_EQ(named.exit_status, 0);
    CHECK_EQ(occurrences(named.output, "kiln: no C++ compiler found"), 1);
    CHECK_EQ(occurrences(named.output, "KILN_CXX=no-such-compiler"), 1);

    const child_result none = run_child(child, {{"KILN_DEVICE", "cpu"},
                                                {"KILN_CXX", nullptr},
                                                {"CXX", nullptr},
                                                {"PATH", "/no/such/folder"},
                                                {"KILN_TEST_QUIET", "1"}});
    CAPTURE(none.output);
    CHECK_EQ(none.exit_status, 0);
    CHECK_EQ(occurrences(none.output, "c++, g++, clang++ in PATH=/no/such/folder"), 1);

    const child_result asked =
        run_child(child, {{"KILN_DEVICE", "cpu"}, {"KILN_CPU", "interpret"}, {"KILN_TEST_QUIET", "1"}});
    CHECK_EQ(asked.exit_status, 0);
    CHECK_EQ(occurrences(asked.output, "kiln: no C++ compiler"), 0);
}
