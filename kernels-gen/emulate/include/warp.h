// warp.h: barriers, votes and shuffles.
//
// `line` is the line of the call: lanes meet only at the same one. A shuffle from a lane outside the mask, of which CUDA
// leaves the value undefined, is an error.
#pragma once

inline void __syncthreads(int line = __builtin_LINE()) { limbforge_emulate::meet_block("__syncthreads", line, false); }
inline int __syncthreads_count(int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::meet_block("__syncthreads_count", line, predicate != 0);
}
inline int __syncthreads_or(int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::meet_block("__syncthreads_or", line, predicate != 0) != 0;
}
inline int __syncthreads_and(int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::meet_block("__syncthreads_and", line, predicate == 0) == 0;
}

namespace limbforge_emulate {

struct Vote {
  bool predicate;
  unsigned ballot;
};

inline unsigned vote(const char* what, int line, unsigned mask, bool predicate) {
  Vote mine{predicate, 0};
  meet_warp(what, line, mask, &mine, [](void* const data[32], unsigned mask) {
    unsigned ballot = 0;
    for (unsigned lane = 0; lane < 32; lane++)
      if (mask >> lane & 1 && static_cast<Vote*>(data[lane])->predicate) ballot |= 1u << lane;
    for (unsigned lane = 0; lane < 32; lane++)
      if (mask >> lane & 1) static_cast<Vote*>(data[lane])->ballot = ballot;
  });
  return mine.ballot;
}

// What a lane gives and which lane it reads.
template <class T> struct Shuffle {
  T value;
  unsigned source;
  T result;
};

template <class T>
inline T shuffle(const char* what, int line, unsigned mask, T value, unsigned source) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a shuffle moves 32 or 64 bits");
  if (source != here->lane && (mask >> source & 1) == 0) misuse(what, line, "reads a lane outside its mask");
  Shuffle<T> mine{value, source, T()};
  meet_warp(what, line, mask, &mine, [](void* const data[32], unsigned mask) {
    for (unsigned lane = 0; lane < 32; lane++)
      if (mask >> lane & 1) {
        Shuffle<T>& to = *static_cast<Shuffle<T>*>(data[lane]);
        to.result = static_cast<Shuffle<T>*>(data[to.source])->value;
      }
  });
  return mine.result;
}

// First lane of the segment of `width` lanes that the lane is in. Checks the distance too: the GPU takes it modulo 32.
inline unsigned segment(const char* what, int line, int width, unsigned distance = 0) {
  if (distance > 31) misuse(what, line, "has a distance of more than 31 lanes");
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) misuse(what, line, "has a width that is no power of two to 32");
  return here->lane & ~(unsigned)(width - 1);
}

}  // namespace limbforge_emulate

inline void __syncwarp(unsigned mask = 0xffffffffu, int line = __builtin_LINE()) {
  limbforge_emulate::meet_warp("__syncwarp", line, mask, nullptr, [](void* const*, unsigned) {});
}
inline unsigned __ballot_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::vote("__ballot_sync", line, mask, predicate != 0);
}
inline int __any_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::vote("__any_sync", line, mask, predicate != 0) != 0;
}
inline int __all_sync(unsigned mask, int predicate, int line = __builtin_LINE()) {
  return limbforge_emulate::vote("__all_sync", line, mask, predicate != 0) == mask;
}

template <class T>
inline T __shfl_sync(unsigned mask, T value, int lane, int width = 32, int line = __builtin_LINE()) {
  const unsigned first = limbforge_emulate::segment("__shfl_sync", line, width);
  return limbforge_emulate::shuffle("__shfl_sync", line, mask, value, first + ((unsigned)lane & (unsigned)(width - 1)));
}

// A lane whose source lies outside its segment reads itself; likewise below.
template <class T>
inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
  const unsigned first = limbforge_emulate::segment("__shfl_up_sync", line, width, delta);
  const unsigned lane = limbforge_emulate::here->lane;
  return limbforge_emulate::shuffle("__shfl_up_sync", line, mask, value, delta > lane - first ? lane : lane - delta);
}
template <class T>
inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, int line = __builtin_LINE()) {
  const unsigned first = limbforge_emulate::segment("__shfl_down_sync", line, width, delta);
  const unsigned lane = limbforge_emulate::here->lane;
  const unsigned room = first + (unsigned)width - 1 - lane;
  return limbforge_emulate::shuffle("__shfl_down_sync", line, mask, value, delta > room ? lane : lane + delta);
}

// May read an earlier segment, but no later one.
template <class T>
inline T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32, int line = __builtin_LINE()) {
  const unsigned first = limbforge_emulate::segment("__shfl_xor_sync", line, width, (unsigned)lane_mask);
  const unsigned lane = limbforge_emulate::here->lane;
  const unsigned source = lane ^ (unsigned)lane_mask;
  return limbforge_emulate::shuffle("__shfl_xor_sync", line, mask, value, source >= first + (unsigned)width ? lane : source);
}
