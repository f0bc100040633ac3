// kiln/forward: kiln's types by name, for headers that pass them on and do not look into them. Declarations of your own would
// miss the inline namespace of the version.
#pragma once

#include <kiln/element_type.hpp>

namespace kiln::inline v0_1 {

template <element T>
class array;
template <element T>
class expr;
template <element T>
class host_array;
template <element T>
class view;
template <class Target, class M>
struct masked;
template <element R, element... Ps>
class user_function;
template <element T>
class user_reduction;

class axis_list;
class device;
class graph;
class scoped_device;
class scoped_options;
class shape;
struct axis;
struct counters;
struct device_info;
struct explanation;
struct options;
struct range;

class error;
class shape_error;
class type_error;
class compile_error;
class device_error;
class out_of_memory;

}  // namespace kiln::inline v0_1
