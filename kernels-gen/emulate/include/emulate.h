// emulate.h: makes CUDA C++ compile with a plain C++17 compiler and gives it its meaning on the CPU.
//
// Each CUDA thread is a fiber. Fibers switch only where threads meet: at barriers and warp collectives. The header
// includes no system header, so that it costs no compile time and a kernel finds no more names than nvrtc gives it.
#pragma once

// Lets a kernel choose plain C++ where it would use PTX.
#define LIMBFORGE_EMULATE 1

// Every function is a device function.
#define __global__
#define __device__
#define __host__
#define __launch_bounds__(...)
// Only a hint: forced inlining of unrolled code costs compile time and changes no result.
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __align__(bytes) alignas(bytes)
#define __constant__
// One copy for each OS thread, and all fibers of a block run on one. Unlike `static` it may follow `extern`.
#define __shared__ thread_local

#include "types.h"

namespace limbforge_emulate {

// Position of the fiber that runs.
struct Place {
  uint3 thread;
  unsigned lane;
};
extern const Place* here;

// Position of the block that runs, and the launch.
struct Launch {
  uint3 block;
  dim3 block_size, grid_size;
};
extern Launch launch;

// What the lanes of a warp do together once all of them have arrived: data[lane] is what the lane came with, for every
// lane of the mask.
using Combine = void (*)(void* const data[32], unsigned mask);

// Waits until all lanes of `mask` wait at the same collective, same line and same mask; the last one to arrive combines.
void meet_warp(const char* what, int line, unsigned mask, void* data, Combine combine);

// Waits for all threads of the block; how many of them came with a true predicate.
int meet_block(const char* what, int line, bool predicate);

// Waits for `count` threads of the block at the same barrier, of number 1 to 15.
void meet_group(const char* what, int line, unsigned barrier, unsigned count);

// Waits until a thread has told of a change of memory, after which the caller looks again.
void meet_change(const char* what, int line);
void tell_change();

// Ends the program with a report about the thread that runs.
[[noreturn]] void misuse(const char* what, int line, const char* why);

}  // namespace limbforge_emulate

#define threadIdx (limbforge_emulate::here->thread)
#define blockIdx (limbforge_emulate::launch.block)
#define blockDim (limbforge_emulate::launch.block_size)
#define gridDim (limbforge_emulate::launch.grid_size)

constexpr int warpSize = 32;

// An assumption that does not hold is an error here; on the GPU it is undefined behaviour.
#define __builtin_assume(condition) \
  ((condition) ? (void)0 : limbforge_emulate::misuse("__builtin_assume", __LINE__, "does not hold: " #condition))

[[noreturn]] inline void __trap(int line = __builtin_LINE()) {
  limbforge_emulate::misuse("__trap", line, "was called");
}

// Fibers switch at collectives only and run on one OS thread: memory is sequentially consistent.
inline void __threadfence_block() {}
inline void __threadfence() {}

#include "bits.h"
#include "memory.h"
#include "warp.h"
#include "mma.h"
