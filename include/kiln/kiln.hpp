// kiln: lazy array expressions, fused into one kernel that is compiled while the program runs and kept for the next run.
#pragma once

#ifdef __FAST_MATH__
#error "kiln promises the same bits fused or not: build without -ffast-math and its parts"
#endif

// Before the others: what the compiler says of a type that is none of kiln's is then said from here, and not through six files.
#include <kiln/element_type.hpp>

#include <kiln/advise.hpp>
#include <kiln/allocator.hpp>
#include <kiln/array.hpp>
#include <kiln/assume.hpp>
#include <kiln/constant.hpp>
#include <kiln/cost.hpp>
#include <kiln/device.hpp>
#include <kiln/dlpack.hpp>
#include <kiln/error.hpp>
#include <kiln/evaluate.hpp>
#include <kiln/expr.hpp>
#include <kiln/forward.hpp>
#include <kiln/function.hpp>
#include <kiln/fuse.hpp>
#include <kiln/generators.hpp>
#include <kiln/graph.hpp>
#include <kiln/host_array.hpp>
#include <kiln/interop.hpp>
#include <kiln/matmul.hpp>
#include <kiln/npy.hpp>
#include <kiln/operations.hpp>
#include <kiln/options.hpp>
#include <kiln/print.hpp>
#include <kiln/profile.hpp>
#include <kiln/progress.hpp>
#include <kiln/put.hpp>
#include <kiln/random.hpp>
#include <kiln/rates.hpp>
#include <kiln/reductions.hpp>
#include <kiln/scans.hpp>
#include <kiln/segments.hpp>
#include <kiln/shape.hpp>
#include <kiln/sort.hpp>
#include <kiln/stream.hpp>
#include <kiln/to.hpp>
#include <kiln/user_reduction.hpp>
#include <kiln/version.hpp>
#include <kiln/view_functions.hpp>
#include <kiln/views.hpp>
