// Slices as targets, and memory that the user owns: overlap, sharing, reading at evaluation.
#include <support/check.hpp>
#include <support/values.hpp>

#include <kiln/kiln.hpp>

#include <cstring>

namespace k = kiln;

namespace {

using ints = std::vector<std::int32_t>;

k::array<std::int32_t> counted(std::int64_t count) {
    return k::from_host<std::int32_t>(k::array<std::int32_t>(k::arange<std::int32_t>(count)).to_host());
}

constexpr std::int64_t open = k::range::open;

}  // namespace

TEST_CASE("a slice that is written while other arrays share the buffer leaves them their values") {
    k::array<std::int32_t> x = counted(5);
    const k::array<std::int32_t> copy = x;
    const auto e = x + 0;
    const auto slice = x(k::range(0, 2));
    x(k::range(1, 3)) = -1;
    CHECK_SAME(x.to_host(), ints{0, -1, -1, 3, 4});
    CHECK_SAME(copy.to_host(), ints{0, 1, 2, 3, 4});
    CHECK_SAME(k::array<std::int32_t>(e).to_host(), ints{0, 1, 2, 3, 4});
    CHECK_SAME(slice.to_host(), ints{0, 1});
}

TEST_CASE("a slice of an array that nobody shares is written in place, without a copy of the rest") {
    k::array<std::int32_t> x = counted(1000);
    const void* const before = static_cast<const k::array<std::int32_t>&>(x).data();
    const k::counters start = k::counters::now();
    x(k::range(0, 10)) = 7;
    CHECK(static_cast<const void*>(static_cast<const k::array<std::int32_t>&>(x).data()) == before);
    const k::counters spent = k::counters::now() - start;
    CHECK(spent.launches == 1);
    CHECK(spent.bytes_written == 40);
}

TEST_CASE("y(range(0, 10)) = y(range(5, 15)) reads the old values: it overlaps itself") {
    k::array<std::int32_t> y = counted(20);
    y(k::range(0, 10)) = y(k::range(5, 15));
    CHECK_SAME(y.to_host(), ints{5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19});
    y = counted(20);
    y(k::range(5, 15)) = y(k::range(0, 10));
    CHECK_SAME(y.to_host(), ints{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 18, 19});
    y = counted(20);
    y(k::range(1, 20)) = y(k::range(0, 19)) + y(k::range(1, 20));
    ints expected = {0};
    for (std::int32_t i = 1; i < 20; ++i) expected.push_back(i + i - 1);
    CHECK_SAME(y.to_host(), expected);
}

TEST_CASE("a slice and a mask take +=, in place, and touch nothing else") {
    k::array<std::int32_t> x = counted(6);
    const void* const memory = static_cast<const k::array<std::int32_t>&>(x).data();
    const k::counters start = k::counters::now();
    x(k::range(1, 3)) += 10;
    CHECK((k::counters::now() - start).bytes_written == 8);
    x(k::range(open, open, -2)) *= x(k::range(0, 3));
    CHECK_SAME(x.to_host(), ints{0, 132, 12, 33, 4, 0});
    x(x > 20) -= 20;
    CHECK(static_cast<const void*>(static_cast<const k::array<std::int32_t>&>(x).data()) == memory);
    CHECK_SAME(x.to_host(), ints{0, 112, 12, 13, 4, 0});
    const k::array<std::int32_t> copy = x;
    x(k::range(0, 2)) <<= 1;
    x(k::range(3, 4)) %= 5;
    CHECK_SAME(x.to_host(), ints{0, 224, 12, 3, 4, 0});
    CHECK_SAME(copy.to_host(), ints{0, 112, 12, 13, 4, 0});
    CHECK(x(2).item() == 12);
    CHECK(x(k::range(1, 4)).size() == 3);
    CHECK_THROWS_AS(x(k::range(0, 2)) += k::ones<std::int32_t>({3}), k::shape_error);
    CHECK_THROWS_AS(static_cast<void>(x(k::range(0, 2)).item()), k::shape_error);
    CHECK_SAME(x.to_host(), ints{0, 224, 12, 3, 4, 0});
}

TEST_CASE("a slice reversed onto itself is reversed") {
    for (const std::int64_t count : {1, 2, 5, 1000, 10007}) {
        k::array<std::int32_t> x = counted(count);
        x(k::range(0, count)) = x(k::range(open, open, -1));
        ints expected;
        for (std::int64_t i = count; i-- > 0;) expected.push_back(static_cast<std::int32_t>(i));
        CHECK_SAME(x.to_host(), expected);
        x(k::range(open, open, -1)) = x(k::range(open, open, -1)) * 2;
        for (std::int32_t& each : expected) each *= 2;
        CHECK_SAME(x.to_host(), expected);
    }
}

TEST_CASE("a large overlapping shift is right when many threads take part") {
    constexpr std::int64_t count = 3'000'000;
    k::array<std::int32_t> x = counted(count);
    x(k::range(0, count - 1)) = x(k::range(1, count)) + 0;
    x(k::range(1, count)) = x(k::range(0, count - 1));
    const ints got = x.to_host();
    ints expected(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int32_t>(i);
    expected[0] = 1;
    CHECK_SAME(got, expected);
}

TEST_CASE("rows and columns of one array are exchanged through slices") {
    k::array<std::int32_t> x = k::from_host<std::int32_t>({1, 2, 3, 4, 5, 6}, {3, 2});
    x(k::all, k::range(0, 1)) = x(k::range(open, open, -1), k::range(1, 2));
    CHECK_SAME(x.to_host(), ints{6, 2, 4, 4, 2, 6});
    x(k::range(0, 2)) = x(k::range(1, 3));
    CHECK_SAME(x.to_host(), ints{4, 4, 2, 6, 2, 6});
    x(k::range(0, 3, 2), k::all) = x(k::range(0, 3, 2), k::all) * 10;
    CHECK_SAME(x.to_host(), ints{40, 40, 2, 6, 20, 60});
}

TEST_CASE("a slice on the left and a stored slice on the right may be of one array") {
    k::array<std::int32_t> x = counted(6);
    const auto head = x(k::range(0, 3));
    x(k::range(1, 4)) = head + head;
    CHECK_SAME(x.to_host(), ints{0, 0, 2, 4, 4, 5});
    CHECK_SAME(head.to_host(), ints{0, 1, 2});
}

TEST_CASE("unfused, overlapping and in-place assignments are the same") {
    const k::scoped_options off({.fuse = false});
    k::array<std::int32_t> y = counted(20);
    y(k::range(0, 10)) = y(k::range(5, 15)) * 2 + y(k::range(0, 10));
    ints expected;
    for (std::int32_t i = 0; i < 20; ++i) expected.push_back(i < 10 ? (i + 5) * 2 + i : i);
    CHECK_SAME(y.to_host(), expected);
    y = y * y + y;
    for (std::int32_t& each : expected) each = each * each + each;
    CHECK_SAME(y.to_host(), expected);
}

TEST_CASE("wrapped memory is read when the expression is evaluated") {
    ints memory = {1, 2, 3};
    const auto w = k::wrap(memory.data(), {3});
    const auto e = w * 10;
    memory = {4, 5, 6};
    CHECK_SAME(k::array<std::int32_t>(e).to_host(), ints{40, 50, 60});
    memory[0] = 7;
    CHECK_SAME(k::array<std::int32_t>(e).to_host(), ints{70, 50, 60});
}

TEST_CASE("wrapped memory is written through, and keeps nothing alive") {
    ints memory = {1, 2, 3, 4};
    {
        const auto w = k::wrap(memory.data(), {2, 2});
        w = w + w;
        k::synchronize();
        CHECK_SAME(memory, ints{2, 4, 6, 8});
        w = 5;
        k::synchronize();
        CHECK_SAME(memory, ints{5, 5, 5, 5});
        w = k::from_host<std::int32_t>({1, 2, 3, 4}, {2, 2}) - 1;
        k::synchronize();
    }
    CHECK_SAME(memory, ints{0, 1, 2, 3});
    const k::array<std::int32_t> copy = k::wrap(static_cast<const std::int32_t*>(memory.data()), {4});
    memory.assign(4, 9);
    CHECK_SAME(copy.to_host(), ints{0, 1, 2, 3});
}

TEST_CASE("wrapped ranges that overlap go through a temporary") {
    for (const std::size_t shift : {1u, 2u, 7u, 100u}) {
        ints memory(1000);
        for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::int32_t>(i);
        const auto count = static_cast<std::int64_t>(memory.size() - shift);
        k::wrap(memory.data() + shift, {count}) = k::wrap(memory.data(), {count}) + 0;
        k::synchronize();
        ints expected(memory.size());
        for (std::size_t i = 0; i < memory.size(); ++i)
            expected[i] = static_cast<std::int32_t>(i < shift ? i : i - shift);
        CHECK_SAME(memory, expected);
    }
}

TEST_CASE("wrapped memory of an array of kiln's is its memory") {
    k::array<std::int32_t> x = counted(8);
    const auto w = k::wrap(x.data(), {8});
    w = w * 2;
    CHECK_SAME(x.to_host(), ints{0, 2, 4, 6, 8, 10, 12, 14});
    x = w + 1;
    CHECK_SAME(x.to_host(), ints{1, 3, 5, 7, 9, 11, 13, 15});
}

TEST_CASE("an array's memory wrapped at another offset is read before it is overwritten") {
    k::array<std::int32_t> x = counted(8);
    const auto shifted = k::wrap(x.data() + 1, {7});
    k::wrap(x.data(), {7}) = shifted + 0;
    CHECK_SAME(x.to_host(), ints{1, 2, 3, 4, 5, 6, 7, 7});
}

TEST_CASE(
    "an array that is assigned from its own memory, wrapped as narrower elements, is not overwritten while it is "
    "read") {
    constexpr std::int64_t count = 100'000;
    k::array<std::int32_t> x = counted(count) * 77'777;
    const ints before = x.to_host();
    const auto bytes = k::wrap(reinterpret_cast<std::uint8_t*>(x.data()), {count});
    x = bytes + 0;
    std::vector<std::uint8_t> expected_bytes(static_cast<std::size_t>(count));
    std::memcpy(expected_bytes.data(), before.data(), expected_bytes.size());
    CHECK_SAME(x.to_host(), ints(expected_bytes.begin(), expected_bytes.end()));
}

TEST_CASE("memory wrapped as another type is read before it is overwritten") {
    std::vector<std::int64_t> memory = {1, 2, 3, 4};
    const auto wide = k::wrap(memory.data(), {4});
    auto* const halves = reinterpret_cast<std::uint8_t*>(memory.data());
    k::wrap(halves, {4}) = k::cast<std::uint8_t>(wide * 7);
    k::synchronize();
    CHECK(halves[0] == 7);
    CHECK(halves[1] == 14);
    CHECK(halves[2] == 21);
    CHECK(halves[3] == 28);
    CHECK(memory[1] == 2);
}
