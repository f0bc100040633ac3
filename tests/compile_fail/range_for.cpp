// expect: elements_are_on_the_device_and_to_host_copies_them
#include <kiln/kiln.hpp>
namespace k = kiln;

float total(const k::array<float>& x) {
    float out = 0;
    for (const float each : x) out += each;
    return out;
}
