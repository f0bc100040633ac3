// expect: give the matrix a name first
#include <kiln/kiln.hpp>
namespace k = kiln;

struct matrix {  // with the members that Eigen's have
    using Scalar = float;
    using PlainObject = matrix;
    static constexpr bool IsVectorAtCompileTime = false;
    float* data();
    int rows();
    int cols();
    int rowStride();
    int colStride();
};

matrix made();
auto doubled() { return k::wrap(made()); }
