#include "kiln_side.hpp"

#include <complex>

namespace kiln::bench {

namespace {

template <class T>
constexpr const char* name_of() {
    if constexpr (std::same_as<T, float>) return "float32";
    else if constexpr (std::same_as<T, double>) return "float64";
    else if constexpr (std::same_as<T, float16>) return "float16";
    else if constexpr (std::same_as<T, bfloat16>) return "bfloat16";
    else if constexpr (std::same_as<T, std::uint8_t>) return "uint8";
    else if constexpr (std::same_as<T, std::int64_t>) return "int64";
    else return "complex64";
}

std::string list_of(const shape& extents) {
    std::string out;
    for (const std::int64_t each : extents) out += (out.empty() ? "" : ",") + std::to_string(each);
    return out.empty() ? "-" : out;
}

template <class T>
std::vector<double> numbers(const std::vector<T>& elements) {
    if constexpr (std::same_as<T, std::complex<float>>) {
        std::vector<double> out;
        for (const T& each : elements) out.insert(out.end(), {each.real(), each.imag()});
        return out;
    } else {
        return std::vector<double>(elements.begin(), elements.end());
    }
}

}  // namespace

template <class T>
output output_of(std::function<const array<T>&()> get) {
    output out;
    out.describe = [get] { return std::string(name_of<T>()) + " " + list_of(get().shape()); };
    out.read = [get](int axis, std::int64_t begin, std::int64_t end) {
        const array<T>& all_of_it = get();
        if (all_of_it.rank() == 0) return numbers(all_of_it.to_host());
        std::vector<index_item> items(static_cast<std::size_t>(all_of_it.rank()), all);
        items[static_cast<std::size_t>(axis)] = range(begin, end);
        return numbers(slice(all_of_it, items).to_host());
    };
    out.mean = [get] {
        // Not of zeros and ones that cancel: magnitudes.
        return array<double>(kiln::mean(cast<double>(kiln::abs(get())))).item();
    };
    return out;
}

template output output_of<float>(std::function<const array<float>&()>);
template output output_of<double>(std::function<const array<double>&()>);
template output output_of<float16>(std::function<const array<float16>&()>);
template output output_of<bfloat16>(std::function<const array<bfloat16>&()>);
template output output_of<std::uint8_t>(std::function<const array<std::uint8_t>&()>);
template output output_of<std::int64_t>(std::function<const array<std::int64_t>&()>);
template output output_of<std::complex<float>>(std::function<const array<std::complex<float>>&()>);

}  // namespace kiln::bench
