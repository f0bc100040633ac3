#include <plan/host_order.hpp>

#include <doctest/doctest.h>

using kiln::shape;
using kiln::plan::host_row_fits;

TEST_CASE("host rows: those of the innermost axes fit, up to 64 KiB of them") {
    CHECK(host_row_fits(shape{10, 100}, 0b10, 4));
    CHECK(host_row_fits(shape{10, 16384}, 0b10, 4));
    CHECK(!host_row_fits(shape{10, 16385}, 0b10, 4));
    CHECK(!host_row_fits(shape{10, 16384}, 0b10, 8));
    CHECK(host_row_fits(shape{10, 8192}, 0b10, 8));
    CHECK(host_row_fits(shape{4, 10, 100}, 0b110, 4));
    CHECK(host_row_fits(shape{10, 100}, 0b11, 4));
}

TEST_CASE(
    "host rows: columns, short rows of several axes or without others beside them, and axes with others between them "
    "do not fit") {
    CHECK(!host_row_fits(shape{100, 10}, 0b01, 4));
    CHECK(!host_row_fits(shape{10, 1}, 0b10, 4));
    CHECK(host_row_fits(shape{10, 2}, 0b10, 4));
    CHECK(!host_row_fits(shape{32}, 0b1, 4));
    CHECK(host_row_fits(shape{33}, 0b1, 4));
    CHECK(!host_row_fits(shape{10, 4, 8}, 0b110, 4));
    CHECK(host_row_fits(shape{10, 3, 11}, 0b110, 4));
    CHECK(!host_row_fits(shape{4, 10, 100}, 0b101, 4));
    CHECK(!host_row_fits(shape{}, 0, 4));
}

TEST_CASE("host rows: axes of extent 1 are between no others") {
    CHECK(host_row_fits(shape{4, 1, 100}, 0b100, 4));
    CHECK(host_row_fits(shape{4, 100, 1}, 0b010, 4));
    CHECK(host_row_fits(shape{4, 1, 100}, 0b110, 4));
}

TEST_CASE("host rows: no row is of more than one part, whatever its bytes") {
    CHECK(host_row_fits(shape{2, 65536}, 0b10, 1));
    CHECK(!host_row_fits(shape{2, 65537}, 0b10, 0));
}
