// Random programs: fused, one kernel per operator, and by the oracle, all the same to the last bit.
// KILN_FUZZ_CASES=5000 runs as many, each time others; a failure is shrunk and printed with what reproduces it.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/values.hpp>
#include <values/random_program.hpp>

#include <rapidcheck.h>

namespace k = kiln;

namespace {

template <class T>
rc::Gen<std::vector<T>> several(rc::Gen<T> each, std::size_t least, std::size_t most) {
    return rc::gen::mapcat(rc::gen::inRange(least, most + 1),
                           [each](std::size_t count) { return rc::gen::container<std::vector<T>>(count, each); });
}

rc::Gen<std::uint8_t> any_byte() { return rc::gen::resize(100, rc::gen::arbitrary<std::uint8_t>()); }

rc::Gen<std::vector<tests::raw_axis>> any_slices() {
    using tests::raw_axis;
    const auto axis =
        rc::gen::build<raw_axis>(rc::gen::set(&raw_axis::step, any_byte()), rc::gen::set(&raw_axis::begin, any_byte()));
    return rc::gen::weightedOneOf<std::vector<raw_axis>>(
        {{2, rc::gen::just(std::vector<raw_axis>{})}, {1, several(axis, 1, 3)}});
}

rc::Gen<tests::raw_program> any_program() {
    using namespace tests;
    const auto array = rc::gen::build<raw_array>(rc::gen::set(&raw_array::type, any_byte()),
                                                 rc::gen::set(&raw_array::seed, any_byte()),
                                                 rc::gen::set(&raw_array::slices, any_slices()));
    const auto scalar = rc::gen::build<raw_scalar>(rc::gen::set(&raw_scalar::type, any_byte()),
                                                   rc::gen::set(&raw_scalar::value, any_byte()));
    const auto step =
        rc::gen::build<raw_step>(rc::gen::set(&raw_step::code, any_byte()), rc::gen::set(&raw_step::a, any_byte()),
                                 rc::gen::set(&raw_step::b, any_byte()), rc::gen::set(&raw_step::c, any_byte()));
    const auto extent = rc::gen::resize(100, rc::gen::inRange<std::uint16_t>(0, 2000));
    return rc::gen::build<raw_program>(rc::gen::set(&raw_program::extents, several<std::uint16_t>(extent, 1, 3)),
                                       rc::gen::set(&raw_program::arrays, several(array, 1, 4)),
                                       rc::gen::set(&raw_program::scalars, several(scalar, 0, 2)),
                                       rc::gen::set(&raw_program::steps, several(step, 1, 9)),
                                       rc::gen::set(&raw_program::target, any_slices()));
}

/// Evaluates into a new array, or into a slice of one whose other elements must stay as they are.
template <class T>
std::vector<T> run(const k::expr<T>& e, const k::shape& extents, const std::vector<tests::raw_axis>& target) {
    if (target.empty()) return k::array<T>(e).to_host();
    const tests::cut part = tests::make_cut(extents, target);
    const std::vector<T> before = tests::ordinary_values<T>(static_cast<std::size_t>(part.whole.size()), 99);
    k::array<T> whole = k::from_host<T>(before, part.whole);
    tests::sliced(whole, part.slices) = e;
    const std::vector<T> after = whole.to_host();
    std::vector<T> written;
    std::vector<T> outside = after;
    for (const std::int64_t at : part.positions) {
        written.push_back(after[static_cast<std::size_t>(at)]);
        outside[static_cast<std::size_t>(at)] = before[static_cast<std::size_t>(at)];
    }
    RC_ASSERT(tests::difference(outside, before) == "");
    return written;
}

}  // namespace

TEST_CASE("random programs give the same bits fused, unfused and by the oracle") {
    const auto measured = tests::measured_library();
    std::int64_t programs = 0;
    CHECK(rc::check("fused, unfused and the oracle agree", [&] {
        const tests::raw_program raw = *any_program();
        const tests::built_program program = tests::build(raw);
        ++programs;
        std::visit(
            [&]<class T>(const k::expr<T>& e) {
                const std::vector<T> fused = run(e, program.extents, raw.target);
                {
                    const k::scoped_options off({.fuse = false});
                    RC_ASSERT(tests::difference(run(e, program.extents, raw.target), fused) == "");
                }
                const auto count = static_cast<std::size_t>(program.extents.size());
                const std::vector<T> expected =
                    tests::typed<T>(oracle::evaluate(program.result.oracle_side, count, measured));
                RC_ASSERT(tests::difference(fused, expected) == "");
            },
            program.result.kiln_side);
    }));
    MESSAGE(programs, " random programs");
}
