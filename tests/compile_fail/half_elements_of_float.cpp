// expect: of another type's, k::cast<T>(k::from_host(elements, shape))
#include <kiln/kiln.hpp>
namespace k = kiln;

auto halves(const std::vector<float>& elements) { return k::from_host<k::float16>(elements); }
