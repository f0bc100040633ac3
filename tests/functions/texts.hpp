// tests/functions/texts: the float32 functions as the library has them, of this checkout.
#pragma once

#include "../../src/device/cpu/float32_texts.hpp"
