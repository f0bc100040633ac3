// kiln/format: formatters for who uses fmt: fmt::print("{}\n{}\n", x, k::explain(e)).
#pragma once

#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/print.hpp>
#include <kiln/shape.hpp>

#include <fmt/format.h>

#define KILN_FORMATTER(type)                                                             \
    template <>                                                                          \
    struct fmt::formatter<type> : fmt::formatter<std::string> {                          \
        template <class Context>                                                         \
        auto format(const type& value, Context& context) const {                         \
            return fmt::formatter<std::string>::format(kiln::to_string(value), context); \
        }                                                                                \
    };
KILN_FORMATTER(kiln::shape)
KILN_FORMATTER(kiln::device)
KILN_FORMATTER(kiln::element_type)
KILN_FORMATTER(kiln::memory_use_info)
KILN_FORMATTER(kiln::counters)
KILN_FORMATTER(kiln::explanation)
#undef KILN_FORMATTER

/// Arrays and expressions, as k::to_string writes them.
template <kiln::expression E>
struct fmt::formatter<E> : fmt::formatter<std::string> {
    template <class Context>
    auto format(const E& value, Context& context) const {
        return fmt::formatter<std::string>::format(kiln::to_string(value), context);
    }
};
