// kiln/lower/value_list: lists of values, each in them once. Of few values: they are looked through.
#pragma once

#include <lower/program.hpp>

#include <algorithm>
#include <vector>

namespace kiln::lower {

inline bool holds(const std::vector<value_id>& values, value_id value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

inline void add_once(std::vector<value_id>& to, value_id value) {
    if (!holds(to, value)) to.push_back(value);
}

}  // namespace kiln::lower
