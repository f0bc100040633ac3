// Eigen's matrices in kiln's expressions, read and written where they lie.
#include <kiln/kiln.hpp>

#include <Eigen/Dense>

namespace k = kiln;

int main() {
    const Eigen::MatrixXf a = Eigen::MatrixXf::Random(100, 30);  // column-major, as Eigen's are
    Eigen::MatrixXf b(100, 30);
    k::wrap(b) = k::exp(k::wrap(a)) / k::sum(k::exp(k::wrap(a)), k::axis(1), k::keep_dims);  // a softmax of each row
    k::synchronize();
    const Eigen::VectorXf sums = b.rowwise().sum();
    return (sums.array() - 1).abs().maxCoeff() < 1e-5f ? 0 : 1;
}
