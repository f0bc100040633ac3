#include <support/instances.hpp>

KILN_TEST_ENGINES()
#define KILN_ELEMENT_TYPE(name, type, ...) KILN_TEST_INSTANCES(, type)
#include <kiln/element_type.def>
