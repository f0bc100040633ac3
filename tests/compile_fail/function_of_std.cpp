// expect: sqrt
// most lines: 60
// 51 with g++ 12: the candidates of <cmath> and <complex>, whose first line names std::sqrt and the array. An array that a
// compiler would take for a double (by a deleted conversion, 9 lines) would be ambiguous where a program overloads a function
// for double and for k::array<float> and calls it with an expression.
#include <kiln/kiln.hpp>
namespace k = kiln;

k::array<float> root(const k::array<float>& x) { return std::sqrt(x); }
