// Random programs: fused, one kernel per operator, and by the oracle, all the same to the last bit.
// KILN_FUZZ_CASES=5000 runs as many, each time others; a failure is shrunk and printed with what reproduces it.
#include <support/check.hpp>
#include <support/device_under_test.hpp>
#include <support/poison.hpp>
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

/// Mostly the program's whole shape.
rc::Gen<std::uint8_t> any_shape_byte() {
    return rc::gen::weightedOneOf<std::uint8_t>({{2, rc::gen::just(std::uint8_t{0})}, {1, any_byte()}});
}

rc::Gen<tests::raw_program> any_program() {
    using namespace tests;
    const auto array = rc::gen::build<raw_array>(
        rc::gen::set(&raw_array::type, any_byte()), rc::gen::set(&raw_array::seed, any_byte()),
        rc::gen::set(&raw_array::shape, any_shape_byte()), rc::gen::set(&raw_array::slices, any_slices()));
    const auto scalar = rc::gen::build<raw_scalar>(rc::gen::set(&raw_scalar::type, any_byte()),
                                                   rc::gen::set(&raw_scalar::value, any_byte()));
    const auto step =
        rc::gen::build<raw_step>(rc::gen::set(&raw_step::code, any_byte()), rc::gen::set(&raw_step::a, any_byte()),
                                 rc::gen::set(&raw_step::b, any_byte()), rc::gen::set(&raw_step::c, any_byte()));
    const auto target = rc::gen::build<raw_target>(
        rc::gen::set(&raw_target::kind, any_byte()), rc::gen::set(&raw_target::choice, any_byte()),
        rc::gen::set(&raw_target::more, any_byte()), rc::gen::set(&raw_target::slices, any_slices()));
    const auto extent = rc::gen::resize(100, rc::gen::inRange<std::uint16_t>(0, 2000));
    return rc::gen::build<raw_program>(rc::gen::set(&raw_program::extents, several<std::uint16_t>(extent, 1, 3)),
                                       rc::gen::set(&raw_program::arrays, several(array, 1, 4)),
                                       rc::gen::set(&raw_program::scalars, several(scalar, 0, 2)),
                                       rc::gen::set(&raw_program::steps, several(step, 1, 9)),
                                       rc::gen::set(&raw_program::target, target));
}

/// Writes into a slice of a larger array, whose other elements must stay as they are.
template <class T>
std::vector<T> run_into_slice(const k::expr<T>& e, const k::shape& extents, const tests::raw_target& target) {
    const tests::cut part = tests::make_cut(extents, target.slices);
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

/// What an array holds where a mask writes: the same as the poison elsewhere.
template <class T>
std::vector<T> before_mask(const k::shape& extents) {
    return tests::ordinary_values<T>(static_cast<std::size_t>(extents.size()), 7);
}

template <class T>
std::vector<T> run(const k::expr<T>& e, const tests::built_program& program, const tests::raw_target& target) {
    const k::shape& extents = program.outputs.front().extents;
    switch (tests::kind_of_target(target)) {
        case tests::target_kind::slice:
            if (!target.slices.empty() && extents.rank() > 0) return run_into_slice(e, extents, target);
            break;
        case tests::target_kind::mask: {
            k::array<T> y = k::from_host<T>(before_mask<T>(extents), extents);
            y(std::get<k::expr<bool>>(program.mask.kiln_side)) = e;
            return y.to_host();
        }
        case tests::target_kind::reused: {
            k::array<T> y = tests::poisoned<T>(extents, 0xab);
            y = e;
            return y.to_host();
        }
        case tests::target_kind::fresh: break;
    }
    tests::poison_free_memory<T>(extents, 0x54);
    return k::array<T>(e).to_host();
}

template <class T>
std::vector<T> expected_of(const tests::built_program& program, const tests::raw_target& target,
                           const oracle::library& measured) {
    const tests::pair_of_values& result = program.outputs.front();
    const auto count = static_cast<std::size_t>(result.extents.size());
    oracle::tree root = result.oracle_side;
    if (tests::kind_of_target(target) == tests::target_kind::mask)
        root = oracle::operation(oracle::op::where, {tests::spread(program.mask, result.extents), root,
                                                     oracle::elements(before_mask<T>(result.extents))});
    return tests::typed<T>(oracle::evaluate(root, count, measured));
}

void check_one_output(const tests::built_program& program, const tests::raw_target& target,
                      const oracle::library& measured) {
    std::visit(
        [&]<class T>(const k::expr<T>& e) {
            RC_ASSERT(k::shape_of(e) == program.outputs.front().extents);
            const std::vector<T> fused = run(e, program, target);
            {
                const k::scoped_options off({.fuse = false});
                RC_ASSERT(tests::difference(run(e, program, target), fused) == "");
            }
            RC_ASSERT(tests::difference(fused, expected_of<T>(program, target, measured)) == "");
        },
        program.outputs.front().kiln_side);
}

}  // namespace

TEST_CASE("random programs give the same bits fused, unfused and by the oracle") {
    const auto measured = tests::measured_library();
    std::int64_t programs = 0;
    CHECK(rc::check("fused, unfused and the oracle agree", [&] {
        const tests::raw_program raw = *any_program();
        const tests::built_program program = tests::build(raw);
        ++programs;
        if (program.outputs.size() == 1) check_one_output(program, raw.target, measured);
        else RC_ASSERT(tests::differences_of(program.outputs, measured) == "");
    }));
    MESSAGE(programs, " random programs");
}
