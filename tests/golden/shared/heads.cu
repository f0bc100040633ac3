extern "C" __global__ void __launch_bounds__(256)
kiln_add4_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add_mul_lt_f64_v2(double* __restrict__ y0, bool* __restrict__ y1, const u8* __restrict__ x0, const u8* __restrict__ x1, const double* __restrict__ x2, const double s0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add3_mul_f32_v4_window(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const float* __restrict__ x3, const float* __restrict__ x4, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add_f32(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add_c128(c128* __restrict__ y0, const c128* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_add_f32_v4_wide(float* __restrict__ y0, const i64 index0, const float s0, const long long count)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_exp_add_f16_v8(f16* __restrict__ y0, const f16* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast4_div_mul_add_rint_u8_v16(u8* __restrict__ y0, const u8* __restrict__ x0, const u8* __restrict__ x1, const u8* __restrict__ x2, const float s0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_div_pow_mul_rint_u8_v16(u8* __restrict__ y0, const u8* __restrict__ x0, const float s0, const float s1, const float s2, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_gt2_cast2_add_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const float s0, const float s1, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add4_div4_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const float s0, const float s1, const float s2, const float s3, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sqrt2_mul2_add_reciprocal_abs_div_f32_v4(float* __restrict__ y0, float* __restrict__ y1, float* __restrict__ y2, const float* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sqrt_reciprocal_mul2_square_div_rsqrt_add_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_floor_mod3_f16_v8(f16* __restrict__ y0, const f16* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_random_f32_f32_v4(float* __restrict__ y0, const i64 index0, const u64 s0, const unsigned int count)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_abs_scale_c128_v1(c128* __restrict__ y0, const c128* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_c64_v2(c64* __restrict__ y0, const c64* __restrict__ x0, const c64 s0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_div2_rem_add_shift_left_popcount_min_cast_i32_v4(int* __restrict__ y0, int* __restrict__ y1, u8* __restrict__ y2, const int* __restrict__ x0, const float* __restrict__ x1, const int s0, const float s1, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_div2_floor_mod_floor_divide_sub_rem_cast_i32_v2(int* __restrict__ y0, i64* __restrict__ y1, u32* __restrict__ y2, const int* __restrict__ x0, const i64* __restrict__ x1, const int s0, const int s1, const int s2, const i64 s3, const u32 s4, const i64 d0, const i64 d1, const i64 d2, const i64 d3, const i64 d4, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_floor_divide_sigmoid_mul_sin_add_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_random_normal_f64_v2(double* __restrict__ y0, const i64 index0, const u64 s0, const unsigned int count)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_add_f32_v4_inplace(float* y0, const float* x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[8]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_add2_exp_f32_v2_axes2_rows(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[11]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_add_f32_v4_axes2_rows(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[14]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_add_exp_f32_axes2_rows(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_eq5_where5_add4_sub_f32_stencil_axes2_rows(float* __restrict__ y0, const i64 index0, const float* __restrict__ x0, const i64 index1, const float* __restrict__ x1, const i64 index2, const float* __restrict__ x2, const i64 index3, const float* __restrict__ x3, const i64 index4, const float* __restrict__ x4, const float* __restrict__ x5, const float s0, const float s1, const float s2, const float s3, const float s4, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[17]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_eq_where_sub_exp_f32_axes2(float* __restrict__ y0, const i64 index0, const float* __restrict__ x0, const float* __restrict__ x1, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[10]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_exp_f32_axes3(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_add_f32_axes2_tile64(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_f16_axes2_tile64(f16* __restrict__ y0, const f16* __restrict__ x0, const f16 s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[13]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_mul_f32_axes3_tile64(float* __restrict__ y0, const u8* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[4]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_take_mul_f32_axes1(float* __restrict__ y0, const int* __restrict__ x0, const float* __restrict__ x1, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_take_f32_axes2(float* __restrict__ y0, const int* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_exp_f32_axes1(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_add_f32_v2_axes2_rows(float* __restrict__ y0, float* __restrict__ y1, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[5]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_ge_where_f32_v2_axes2(float* __restrict__ y0, const i64 index0, const i64 index1, const float* __restrict__ x0, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_ge_where_f32_v4_axes2_wide(float* __restrict__ y0, const i64 index0, const i64 index1, const float s0, const float s1, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_f32_axes1(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_add_f32_axes2(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_mul_f32_v4_axes2(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_min_f16_v4_axes2(f16* __restrict__ y0, const f16* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_max_bf16_v4_axes2(bf16* __restrict__ y0, const bf16* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mean_c64_axes2(c64* __restrict__ y0, const c64* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_max_f32_v4_axes1(float* __restrict__ y0, const float* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_max_f16_v4_axes1(f16* __restrict__ y0, f16* __restrict__ y1, const f16* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_min_of_mul20_add20_cast_bf16_v4_axes1(bf16* __restrict__ y0, const float* __restrict__ x0, const float s0, const float s1, const float s2, const float s3, const float s4, const float s5, const float s6, const float s7, const float s8, const float s9, const float s10, const float s11, const float s12, const float s13, const float s14, const float s15, const float s16, const float s17, const float s18, const float s19, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_f32_v4_axes2(float* __restrict__ y0, const float* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(352)
kiln_prod_c64_axes2(c64* __restrict__ y0, const c64* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_mul_f32_axes3_contraction32x64(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(64)
kiln_sum_of_sub_mul_f32_axes3_contraction32x32(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[15]; };

extern "C" __global__ void __launch_bounds__(256)
kiln_sub_mul_sum_sqrt_f32_axes3_persistent16(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512)
kiln_sum_of_mul_f32_axes3_contraction32x32(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128, 4)
kiln_mul_dot_add_tanh_f32_axes3_contraction64x64(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 1)
kiln_sum_of_mul_f32_axes3_contraction64x64(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128, 4)
kiln_dot_of_mul_f32_axes3_contraction64x64(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128, 4)
kiln_dot_of_mul_f32_axes3_contraction256x8(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128, 3)
kiln_dot_of_mul_f32_axes3_contraction64x128(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_dot_of_cast2_mul_f16_axes3_contraction128x64(f16* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_dot_of_cast2_mul_bf16_axes3_contraction128x128(bf16* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_dot_of_cast2_mul_bf16_axes3_contraction128x256(bf16* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_cast2_mul_dot_add_max_f16_axes3_contraction128x64(f16* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1, const f16* __restrict__ x2, const f16 s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_mul_dot_add_bf16_axes3_contraction128x256(bf16* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1, const bf16* __restrict__ x2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_mul_dot_add_tanh_bf16_axes3_contraction128x256(bf16* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1, const bf16* __restrict__ x2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_max_cast2_mul_dot_f16_axes3_contraction128x64(f16* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1, const f16 s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_mul2_dot_bf16_axes3_contraction128x256(bf16* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1, const bf16 s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128(int* __restrict__ y0, const u32* __restrict__ x0, const u32* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_sum_of_bit_and_popcount_i32_axes3_contraction128x128_mirrored(int* __restrict__ y0, const u32* __restrict__ x0, const u32* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 4)
kiln_sum_of_sub_square_add_div_f32_v4_axes2_values2(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float s0, const float s1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512, 1)
kiln_sum_of_sub_square_rsqrt_sqrt_div2_add3_f32_v4_axes2_values4_lanes(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float s0, const float s1, const float s2, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512, 1)
kiln_sum_sum_max_of_sub_rsqrt_sqrt_f32_v4_axes2_values4_lane_tiles(float* __restrict__ y0, float* __restrict__ y1, float* __restrict__ y2, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512, 1)
kiln_sum_sum_sum_of_sub_mul3_sqrt_reciprocal_f32_v4_axes2_values4_lane_tiles(float* __restrict__ y0, float* __restrict__ y1, float* __restrict__ y2, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_cast_mul_f32_v4_axes2_values4(float* __restrict__ y0, const u8* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_div_mul_sub_f32_v3_axes2(float* __restrict__ y0, const u8* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_mul_sum_rint_f32_v4_axes2_persistent4_values4(float* __restrict__ y0, const u8* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_variance_deviation_f16_v4_axes1(f16* __restrict__ y0, f16* __restrict__ y1, const f16* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 4)
kiln_logsumexp_f32_v4_axes1(float* __restrict__ y0, const float* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_squares_about_mean_squares_about_mean_of_imag_real_f64_v4_axes1(double* __restrict__ y0, double* __restrict__ y1, const c64* __restrict__ x0, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_argmax_i64_v4_free32_axes2(i64* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_argmin_of_square_i64_v4_free32_axes2(i64* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_argmin_of_sub_square_sum_i64_v4_axes3_values2_nested8(i64* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(64, 4)
kiln_mean_of_mul2_sum_sigmoid_sub_f32_v4_axes2_crossed(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, accumulators* workspace, u32* counters, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_add2_f64_v4_axes2(double* __restrict__ y0, double* __restrict__ y1, const double* __restrict__ x0, const double s0, const double s1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_mul_f32_v4_axes1_partial_sums(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mul_f32_v4_axes1(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ partial_sums_of_x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_mul_f32_v4_axes2(float* __restrict__ y0, const float* __restrict__ x0, const float* __restrict__ partial_sums_of_x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_f32_axes2(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_of_cast_add_f32_axes1_wide(float* __restrict__ y0, const i64 index0, const float s0, accumulators* workspace, u32* counters, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_reduction_f32_v4_axes2(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_max_sub_exp_sum_div_f32_v4_axes2_persistent16(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast2_mean_sub_mul_f16_axes2_persistent32(f16* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512, 2)
kiln_cast3_max_sub_mul_f16_axes2_persistent48(f16* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512, 4)
kiln_cast2_max_sub_f16_axes2_persistent48(f16* __restrict__ y0, const f16* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_mean2_sub_square_add_rsqrt_mul2_f32_axes2_persistent32(float* __restrict__ y0, const f16* __restrict__ x0, const float* __restrict__ x1, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cast_min_sub_sqrt_add_reciprocal_f32_axes2_persistent32(float* __restrict__ y0, float* __restrict__ y1, const f16* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

struct layout { long long word[12]; };

extern "C" __global__ void __launch_bounds__(256, 2)
kiln_max_sub_exp_sum_div_f32_v4_axes3_persistent_columns16(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 2) __cluster_dims__(8)
kiln_mean2_sub_square_sqrt_div_f32_v1_axes2_persistent_columns64_cluster8(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(512) __cluster_dims__(8)
kiln_sum_div_f32_axes2_persistent_columns8_cluster8x2(float* __restrict__ y0, const float* __restrict__ x0, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_lt_where_max_sub_exp_sum_div_mul_f32_v4_axes2_persistent32(float* __restrict__ y0, const i64 index0, const i64* __restrict__ x0, const float* __restrict__ x1, const float* __restrict__ x2, const float s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sub2_cast_take_mean_f32_v4_axes2_persistent24(float* __restrict__ y0, const int* __restrict__ x0, const float* __restrict__ x1, const int s0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_max_isfinite_where_sub_exp_sum_log_add_f64_v4_axes2_persistent12(double* __restrict__ y0, const double* __restrict__ x0, const __grid_constant__ layout at, const unsigned int turned)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_random_f32_mul_sub2_cumsum_exp_mean_max_f32_v4_axes2_persistent16(float* __restrict__ y0, const i64 index0, const u64 s0, const float s1, const float s2, const float s3, const float s4, const __grid_constant__ layout at)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128)
kiln_reversed_tiles(float* __restrict__ y0, const float* __restrict__ x0, const long long tiles)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128) __cluster_dims__(4)
kiln_next_block(int* __restrict__ y0, const int* __restrict__ x0)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128) __cluster_dims__(4)
kiln_sent_to_next_block(int* __restrict__ y0, const int* __restrict__ x0)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_tile_f16(float* __restrict__ y0, const f16* __restrict__ x0, const f16* __restrict__ x1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_tile_bf16(float* __restrict__ y0, const bf16* __restrict__ x0, const bf16* __restrict__ x1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_tile_s8(int* __restrict__ y0, const i8* __restrict__ x0, const i8* __restrict__ x1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_tile_b1(int* __restrict__ y0, const u32* __restrict__ x0, const u32* __restrict__ x1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_columns(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_column_totals(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_rows(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(96)
kiln_cumsum_f32_3_warp_rows(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_row_totals(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_3_round_rows(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(288, 5)
kiln_cumsum_f32_few_row_parts(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(288, 5)
kiln_cumsum_f32_row_parts(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 5)
kiln_cumsum_f32_served_row_parts(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_cumsum_f32_256x32_level1_panels(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_cumsum_f32_256x32_level2_panels(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_256_lines(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_walked_rows(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_scan_clear(float* __restrict__ to, const float* __restrict__ from, const float* __restrict__ offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(96)
kiln_cumsum_f32_128x96_level1_panels(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_before_columns(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(864, 1)
kiln_cumsum_f32_5x32_narrow_panels(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(864, 1)
kiln_cumsum_f32_of_f16_reversed_5x32_narrow_panels(float* to, const f16* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_of_f16_reversed_256_lines_to_bf16(bf16* to, const f16* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(288, 4)
kiln_cumsum_i64_of_i16_few_row_parts_to_f64_reversed(double* to, const i16* from, published<i64>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(288, 4)
kiln_cumsum_i64_of_reversed_few_row_parts_to_reversed(i64* to, const i64* from, published<i64>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_rows_then2_f32_nn(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(288, 5)
kiln_cumsum_f32_few_row_parts_then2_f32_nn(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_columns_then2_f32_sl(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_cumsum_f32_256x32_level1_panels_then2_f32_sl(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024, 1)
kiln_cumsum_f32_5x32_narrow_panels_then2_f32_sl(float* to, const float* from, published<float>* states, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_cumsum_f32_256_lines_then2_f32_sl(float* to, const float* from, const float* offsets, const long long outer, const long long count, const long long inner, const long long part, const long long parts, const float* __restrict__ beside0, const long long outer_stride0, const long long stride0, const long long inner_stride0, const float* __restrict__ beside1, const long long outer_stride1, const long long stride1, const long long inner_stride1)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_sum_f32_row256_taken(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, float* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_sum_f32_row256_closed(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, float* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_mean_f32_row256_ended(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, float* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(32)
kiln_argmax_f32_to_i64_column8_taken(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, i64* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_variance_f32_column8_closed(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, float* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_logsumexp_f32_column8_stored(const float* __restrict__ elements, accumulators* __restrict__ lanes, accumulators* __restrict__ known, float* __restrict__ to, const long long kept, const long long reduced, const long long part, const long long begin, const long long count, const long long first_split, const long long split_count, const long long splits, const long long turns)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024, 2)
kiln_segment_histogram_u8_shared_inside_counters(i64* __restrict__ result, u32* counters, const u8* __restrict__ numbers, const i64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024, 2)
kiln_segment_histogram_f32_float_bins_shared_counters(i64* __restrict__ result, u32* counters, const float* __restrict__ numbers, const i64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_histogram_f64_bins_shared_counters(i64* __restrict__ result, u32* counters, const double* __restrict__ numbers, const i64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_clear(i64* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const i64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_magnitude_i32_f32_shared(float* __restrict__ result, i64* words, const int* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_parts_i32_f32_shared(float* __restrict__ result, i64* words, const int* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_total_f32(float* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_magnitude_i64_f64_shared(double* __restrict__ result, i64* words, const i64* __restrict__ numbers, const double* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_parts_i64_f64(double* __restrict__ result, i64* words, const i64* __restrict__ numbers, const double* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_total_f64(double* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const double* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024, 2)
kiln_segment_magnitude_i32_f32_rows3(float* __restrict__ result, i64* words, const int* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width, int* magnitudes)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_parts_i32_f32_rows3(float* __restrict__ result, i64* words, const int* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width, const int* __restrict__ magnitudes)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_total_f32_rows3(float* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width, const int* __restrict__ magnitudes)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_clear_narrow(i64* __restrict__ result, int* __restrict__ words, const i64* __restrict__ numbers, const i64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_sum_i32_f32_rows3_any_order(float* __restrict__ result, float* words, const int* __restrict__ numbers, const float* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_min_i64_f16_rows3_shared(f16* __restrict__ result, i64* words, const i64* __restrict__ numbers, const f16* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_result_f16(f16* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const f16* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_sum_i32_f64_any_order(double* __restrict__ result, double* words, const int* __restrict__ numbers, const double* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_min_i32_bf16_shared(bf16* __restrict__ result, i64* words, const int* __restrict__ numbers, const bf16* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_result_bf16(bf16* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const bf16* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_max_i32_u64_shared(u64* __restrict__ result, i64* words, const int* __restrict__ numbers, const u64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_segment_result_u64(u64* __restrict__ result, i64* __restrict__ words, const i64* __restrict__ numbers, const u64* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_max_i64_i32_narrow(int* __restrict__ result, int* words, const i64* __restrict__ numbers, const int* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024)
kiln_segment_min_i32_i32_narrow(int* __restrict__ result, int* words, const int* __restrict__ numbers, const int* __restrict__ values, const long long element_count, const long long count, const long long stride, const long long copy_count, const long long setting, const double low, const double high, const double width)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128) kiln_sort_f32_network1x4(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(64) kiln_sort_f32_rows256(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(64) kiln_sort_f32_select64x64(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(384) kiln_sort_clear4(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(384) kiln_sort_f32_count(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(384, 2) kiln_sort_f32_pass(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(128) kiln_argsort_f32_network32x16(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_argsort_f32_select1024x256(u32* to, const u32* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(384, 2) kiln_argsort_i8_pass_descending_wide(u8* to, const u8* from, void* places_to, const void* places_from, u32* tickets, void* states, const i64 rows, const i64 n, const i64 digit, const i64 kept, const i64 parts)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_clear(i64* result, i64* words, const int* numbers, const int* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(1024) kiln_segment_rows_rank_i32_shared(i64* result, i64* words, const int* numbers, const int* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_place(i64* result, i64* words, const int* numbers, const int* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_order_i32(i64* result, i64* words, const int* numbers, const int* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 3) kiln_segment_rows_sum_f32_16x4_8(float* result, i64* words, const int* numbers, const float* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_magnitudes_sum_f32_16x4(float* result, i64* words, const int* numbers, const float* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_words_sum_f32_16x4(float* result, i64* words, const int* numbers, const float* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256) kiln_segment_rows_finish_sum_f32_16x4(float* result, i64* words, const int* numbers, const float* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 3) kiln_segment_rows_max_bf16_16x4_1(bf16* result, i64* words, const int* numbers, const bf16* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 3) kiln_segment_rows_sum_f64_32x2_1(double* result, i64* words, const int* numbers, const double* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 3) kiln_segment_rows_sum_i32_16x4_1(i64* result, i64* words, const int* numbers, const int* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256, 3) kiln_segment_rows_max_u64_32x2_1(u64* result, i64* words, const int* numbers, const u64* values, int* places, const i64 row_count, const i64 segments, const i64 parts, const i64 inside, const i64 setting)
{
    wait_for_earlier_kernels();

extern "C" __global__ void __launch_bounds__(256)
kiln_lennard_jones_f32_v4(float* __restrict__ y0, const float* __restrict__ x0, const unsigned int count, const unsigned int turned)
{
    wait_for_earlier_kernels();
