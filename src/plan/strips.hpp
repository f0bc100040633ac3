// kiln/plan/strips: a body of an element with functions of the library in it, as phases over a strip of elements: loops of what vector
// units do, and between them the functions, each called once for all of the strip. A function that is called for each element would
// make the whole loop one of single elements.
// in: a host kernel's body   out: its phases   knows nothing of: loops, where operands are
#pragma once

#include <plan/nest/nest.hpp>
#include <plan/schedule.hpp>

#include <string>
#include <vector>

namespace kiln::plan {

/// What is buffered of one value; of many values it is still in the first cache.
inline constexpr int strip_elements = 256;

struct strip_function {
    std::string name;  // "exp_f32"
    std::vector<lower::value_id> arguments;
    lower::value_id result = -1;
};

struct strip_phase {
    nest::body elements;  // first: each element by itself, from inputs of the whole and what is buffered; to buffers
    std::vector<strip_function> functions;  // then: from inputs of the whole and buffers to buffers
};

struct strips {
    std::vector<strip_phase> phases;  // the last has no functions: its outputs are those of the whole
    std::vector<int> last_read;       // by value: the last phase that reads it from a buffer; -1: it has none
};

/// Whether a step is a function that is called for a strip.
bool is_strip_function(const lower::step& of);
bool is_called_for_strips(operation code, element_type operands);

/// Whether a body finds elements by positions.
bool gathers(const lower::program& program, const nest::body& of);

/// A kernel's numbers, and its inputs that are the same for all elements of a strip; `along`: the axes that those differ in, as bits.
std::vector<lower::value_id> values_all_along(const kernel& of, unsigned along);

/// The body's steps, inputs and outputs, in phases; none where no function is called for a strip, or a phase is too long.
/// `all_along`: inputs that are the same for all elements.
strips strips_of(const lower::program& program, const nest::body& whole, const std::vector<lower::value_id>& all_along);

}  // namespace kiln::plan
