__device__ __forceinline__ float user0_reduction(float a, float b)
{
#line 1 "reduction"
return fabsf(a) < fabsf(b) ? b : a;
}

#line 1 "the kernel"

#line 1 "powers.h"

#

__device__ __forceinline__ float user_sixth(float a) { return a * a * a * a * a * a; }

__device__ __forceinline__ float user0_lennard_jones(float r)
{
#line 1 "lennard_jones"
#
return 4 * (pow(1 / r, 12.0f) - user_sixth(1 / r));
}
