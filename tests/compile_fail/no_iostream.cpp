// expect: 'cout'
// Whoever prints includes <iostream>, whose static objects nobody else pays for.
#include <kiln/kiln.hpp>
namespace k = kiln;

void printed(const k::array<float>& x) { std::cout << x; }
