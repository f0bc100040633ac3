// Random programs with reductions and cumulative sums among their steps: fused and unfused the same to the last bit, each
// reduction what loops say within the bound that is stated for it, and all that is made of one right to the bit again.
// KILN_FUZZ_CASES=5000 runs as many, each time others; a failure is shrunk and printed with what reproduces it.
#include <support/check.hpp>
#include <support/cubin_device.hpp>
#include <support/device_under_test.hpp>
#include <support/poison.hpp>
#include <values/random_reductions.hpp>

#include <rapidcheck.h>

namespace k = kiln;

namespace {

using tests::raw_reducing_step;

template <class T>
rc::Gen<std::vector<T>> several(rc::Gen<T> each, std::size_t least, std::size_t most) {
    return rc::gen::mapcat(rc::gen::inRange(least, most + 1),
                           [each](std::size_t count) { return rc::gen::container<std::vector<T>>(count, each); });
}

rc::Gen<std::uint8_t> any_byte() { return rc::gen::resize(100, rc::gen::arbitrary<std::uint8_t>()); }

rc::Gen<tests::raw_step> any_step() {
    using tests::raw_step;
    return rc::gen::build<raw_step>(rc::gen::set(&raw_step::code, any_byte()), rc::gen::set(&raw_step::a, any_byte()),
                                    rc::gen::set(&raw_step::b, any_byte()), rc::gen::set(&raw_step::c, any_byte()));
}

rc::Gen<tests::raw_reductions> any_program() {
    using namespace tests;
    const auto slice =
        rc::gen::build<raw_axis>(rc::gen::set(&raw_axis::step, any_byte()), rc::gen::set(&raw_axis::begin, any_byte()));
    const auto slices = rc::gen::weightedOneOf<std::vector<raw_axis>>(
        {{2, rc::gen::just(std::vector<raw_axis>{})}, {1, several(slice, 1, 4)}});
    const auto shape = rc::gen::weightedOneOf<std::uint8_t>({{2, rc::gen::just(std::uint8_t{0})}, {1, any_byte()}});
    const auto array = rc::gen::build<raw_array>(
        rc::gen::set(&raw_array::type, any_byte()), rc::gen::set(&raw_array::seed, any_byte()),
        rc::gen::set(&raw_array::shape, shape), rc::gen::set(&raw_array::slices, slices),
        // The first that fails is shrunk to: the numbers that are easiest to read.
        rc::gen::set(&raw_array::values, rc::gen::element<std::uint8_t>(1, 2, 3, 0)));
    const auto operands = rc::gen::build<raw_program>(rc::gen::set(&raw_program::arrays, several(array, 1, 3)),
                                                      rc::gen::set(&raw_program::steps, several(any_step(), 0, 3)));
    const auto form = rc::gen::weightedElement<std::uint8_t>({{4, 0}, {3, 1}, {1, 2}, {2, 3}});
    const auto axes = rc::gen::weightedOneOf<std::uint8_t>({{1, rc::gen::just(std::uint8_t{0})}, {4, any_byte()}});
    const auto step = rc::gen::build<raw_reducing_step>(
        rc::gen::set(&raw_reducing_step::form, form), rc::gen::set(&raw_reducing_step::what, any_byte()),
        rc::gen::set(&raw_reducing_step::axes, axes), rc::gen::set(&raw_reducing_step::keep, any_byte()),
        rc::gen::set(&raw_reducing_step::step, any_step()));
    const auto extent = rc::gen::resize(100, rc::gen::inRange<std::uint16_t>(0, 16000));
    return rc::gen::build<raw_reductions>(rc::gen::set(&raw_reductions::extents, several(extent, 1, 4)),
                                          rc::gen::set(&raw_reductions::operands, operands),
                                          rc::gen::set(&raw_reductions::steps, several(step, 1, 4)),
                                          rc::gen::set(&raw_reductions::outputs, any_byte()));
}

/// Of the operand's elements: what each value may be, and of a scan each element, row-major.
std::vector<oracle::expectation> expected_of(const tests::reduction_of& of, const oracle::library& measured) {
    const auto count = static_cast<std::size_t>(of.operand.extents.size());
    const std::vector<oracle::value> elements = oracle::evaluate(of.operand.oracle_side, count, measured);
    const oracle::type type = of.operand.oracle_side->of;
    std::vector<oracle::expectation> out(of.cumulates ? count : 0);
    for (const std::vector<std::int64_t>& part : of.parts) {
        std::vector<oracle::value> met;
        for (const std::int64_t i : part) met.push_back(elements[static_cast<std::size_t>(i)]);
        if (!of.cumulates) {
            out.push_back(oracle::reduced(of.what, type, met));
            continue;
        }
        const std::vector<oracle::expectation> line = oracle::cumulated(of.what, type, met);
        for (std::size_t i = 0; i < part.size(); ++i) out[static_cast<std::size_t>(part[i])] = line[i];
    }
    return out;
}

/// Where kernels are compiled for a GPU that is not there: those that only it has, of reductions and of rows that it keeps.
void compile_for_gpu(const std::vector<tests::pair_of_values>& outputs) {
    const tests::compiling_only compiling;
    if (tests::cubins_wanted()) tests::prepare_all(outputs);
}

oracle::tree measure(const tests::reduction_of& of, const oracle::library& measured) {
    if (of.of_nothing()) {
        const auto evaluated = [&] { static_cast<void>(tests::eval_all({of.result})); };
        RC_ASSERT_THROWS_AS(evaluated(), k::shape_error);
        const k::scoped_options off({.fuse = false});
        RC_ASSERT_THROWS_AS(evaluated(), k::shape_error);
        return nullptr;
    }
    const tests::array_handles made = tests::eval_all({of.result});
    return std::visit(
        [&]<class T>(const k::expr<T>& e) {
            const std::string shape = k::to_string(of.result.extents);
            RC_ASSERT(k::to_string(k::shape_of(e)) == shape);
            const auto result = k::detail::access::make<k::array<T>>(made.front());
            RC_ASSERT(k::to_string(result.shape()) == shape);
            const std::vector<oracle::value> got = oracle::from_all(result.to_host());
            const std::vector<oracle::expectation> expected = expected_of(of, measured);
            RC_ASSERT(got.size() == expected.size());
            std::string wrong;
            for (std::size_t i = 0; i < got.size() && wrong.empty(); ++i)
                if (!expected[i].holds(got[i]))
                    wrong = of.result.text + ": element " + std::to_string(i) + " is " + oracle::to_string(got[i]) +
                            " instead of " + oracle::to_string(expected[i]);
            RC_ASSERT(wrong == "");
            tests::compared_elements += static_cast<std::int64_t>(got.size());
            compile_for_gpu({of.result});
            return oracle::elements(oracle::type_for<T>, got);
        },
        of.result.kiln_side);
}

/// Into an array whose memory it may take.
void check_reused(const tests::pair_of_values& output) {
    std::visit(
        [&]<class T>(const k::expr<T>& e) {
            k::array<T> reused = tests::poisoned<T>(output.extents, 0xab);
            reused = e;
            RC_ASSERT(tests::difference(reused.to_host(), k::array<T>(e).to_host()) == "");
        },
        output.kiln_side);
}

}  // namespace

TEST_CASE("random programs of reductions: fused, unfused, and by loops") {
    const auto library = tests::measured_library();
    // A program is some ten kernels: of the cases that are asked for, as many as take no more time than the element-wise ones.
    const std::int64_t every = tests::cubins_wanted() ? 3 : tests::device().compiles ? 2 : 1;
    std::int64_t asked = 0, programs = 0;
    bool failed = false;
    CHECK(rc::check("fused, unfused and loops agree", [&] {
        const tests::raw_reductions raw = *any_program();
        if (!failed && asked++ % every != 0) return;  // what a failure is shrunk to is always run
        ++programs;
        try {
            const auto outputs =
                tests::build(raw, [&](const tests::reduction_of& each) { return measure(each, library); });
            RC_ASSERT(tests::differences_of(outputs, library) == "");
            if (outputs.size() == 1) check_reused(outputs.front());
            compile_for_gpu(outputs);
        } catch (...) {
            failed = true;
            throw;
        }
    }));
    MESSAGE(programs, " random programs of reductions");
}
