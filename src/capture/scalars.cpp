#include <text/format.hpp>

#include <kiln/expression.hpp>
#include <kiln/generators.hpp>

#include <cmath>

namespace kiln::inline v0_1::detail {

thread_local constinit std::uint32_t last_capture = 0;

namespace {

/// A C++ type that has the number and all values of an array of `type`, or as many of these as an integer can.
const char* type_for_both(element_type type, bool negative, std::uint64_t magnitude) {
    if (!negative && magnitude > static_cast<std::uint64_t>(INT64_MAX)) return "std::uint64_t";
    const std::uint64_t most_of_int = static_cast<std::uint64_t>(INT32_MAX) + (negative ? 1 : 0);
    return bytes_of(type) < 4 && magnitude <= most_of_int ? "int" : "std::int64_t";
}

}  // namespace

void throw_scalar_out_of_range(element_type type, bool negative, std::uint64_t magnitude) {
    throw type_error(
        text::format("kiln: {}{} does not fit {}, the type of the array that it meets or fills; make that array wider, "
                     "as k::cast<{}>(x) does",
                     negative ? "-" : "", magnitude, info(type).name, type_for_both(type, negative, magnitude)));
}

std::int64_t arange_count(double start, double stop, double step) {
    if (!(step < 0 || step > 0)) throw shape_error(text::format("kiln: arange: a step of {} never arrives", step));
    const double count = std::ceil((stop - start) / step);
    if (std::isnan(count) || count >= 0x1p63)
        throw shape_error(text::format("kiln: arange: from {} to {} by {} is no countable range", start, stop, step));
    return count < 0 ? 0 : static_cast<std::int64_t>(count);
}

std::int64_t arange_count(std::uint64_t distance, std::uint64_t step) {
    if (step == 0) throw shape_error("kiln: arange: a step of 0 never arrives");
    if (distance == 0) return 0;
    const std::uint64_t count = (distance - 1) / step + 1;
    if (count > static_cast<std::uint64_t>(INT64_MAX)) throw shape_error("kiln: arange: more than 2^63-1 elements");
    return static_cast<std::int64_t>(count);
}

}  // namespace kiln::inline v0_1::detail
