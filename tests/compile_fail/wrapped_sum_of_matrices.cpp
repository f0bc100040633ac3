// expect: evaluate the expression into one
#include <kiln/kiln.hpp>
namespace k = kiln;

struct sum_of_matrices {  // with the members that Eigen's have
    using PlainObject = int;
    int rows() const;
    int cols() const;
};

sum_of_matrices made();
auto doubled() { return k::wrap(made()); }
