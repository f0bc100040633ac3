// What tests of host arrays share: a device of which kiln may take little, and the same expression in chunks and in one piece.
#pragma once

#include <support/changed_variable.hpp>
#include <support/check.hpp>
#include <support/child.hpp>
#include <support/far_device.hpp>

#include <kiln/host_array.hpp>
#include <kiln/kiln.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tests::in_chunks {

namespace k = kiln;

template <class T>
std::vector<T> noise(std::int64_t count, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<T> out(static_cast<std::size_t>(count));
    for (T& each : out) {
        const auto draw = static_cast<double>(random() % 20001) / 100.0 - 100.0;
        each = static_cast<T>(draw);
    }
    if constexpr (std::is_floating_point_v<T>) {
        const T odd[] = {std::numeric_limits<T>::quiet_NaN(), -T{0}, std::numeric_limits<T>::infinity(), T{1e-40f}};
        for (std::size_t i = 0; i < out.size(); i += 997) out[i] = odd[i / 997 % 4];
    }
    return out;
}

template <class T>
k::host_array<T> host(const std::vector<T>& elements, const k::shape& extents) {
    return k::host_array<T>(std::span<const T>(elements), extents);
}

template <class T>
std::vector<T> elements_of(const k::host_array<T>& of) {
    if constexpr (std::is_same_v<T, bool>) return std::vector<bool>(of.elements().begin(), of.elements().end());
    return {of.elements().begin(), of.elements().end()};
}

/// The thread is on the far device, of which kiln may take so much.
struct on_little {
    explicit on_little(const char* bytes) : here(far_device()), limit("KILN_DEVICE_MEMORY", bytes) {
        k::trim_memory();
        (void)most_bytes_on_far_device();
        (void)bytes_to_far_device();
        (void)bytes_from_far_device();
    }
    k::scoped_device here;
    changed_variable limit;
};

inline std::string said_by(auto&& call) {
    try {
        call();
    } catch (const k::error& thrown) {
        return thrown.what();
    }
    return "nothing";
}

inline bool has(const std::string& said, const std::string& words) { return said.find(words) != std::string::npos; }

struct in_a_folder {
    temporary_folder folder;
    [[nodiscard]] std::string path(const char* name) const { return folder.path() + "/" + name; }
};

/// The same expression of host arrays, by chunks, and of arrays, in one piece.
template <class T, class Make>
void check_same(const char* memory, const std::vector<std::pair<std::vector<T>, k::shape>>& operands, Make make,
                int line = __builtin_LINE()) {
    CAPTURE(line);
    std::vector<k::host_array<T>> hosts;
    for (const auto& [elements, extents] : operands) hosts.push_back(host(elements, extents));
    const k::scoped_device here(far_device());
    const auto expected = [&] {
        std::vector<k::array<T>> arrays;
        for (const auto& [elements, extents] : operands) arrays.push_back(k::from_host(elements, extents));
        return std::pair(k::eval(make(arrays)).shape(), k::eval(make(arrays)).to_host());
    }();
    using result = typename decltype(expected.second)::value_type;
    {
        const on_little to_host(memory);
        k::host_array<result> chunked;
        chunked = make(hosts);
        CHECK((chunked.shape() == expected.first));
        CHECK_SAME(elements_of(chunked), expected.second);
        CHECK(most_bytes_on_far_device() <= std::stoll(memory) * 1024);
    }
    const std::string with_result =
        std::to_string(std::stoll(memory) +
                       static_cast<long long>(expected.second.size() * sizeof(result) / 1024 + 1)) +
        "K";
    const on_little to_device(with_result.c_str());
    const auto chunked = k::eval(make(hosts));
    CHECK(chunked.device() == far_device());
    CHECK((chunked.shape() == expected.first));
    CHECK_SAME(chunked.to_host(), expected.second);
}

}  // namespace tests::in_chunks
