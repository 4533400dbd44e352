// schedule.h: which of the threads that can run is next.
//
// A kernel whose result depends on it has a race. The fixed orders let the first or the last thread run as far ahead as it
// can; the random one draws again after every switch.
#pragma once

#include <stdint.h>

namespace limbforge_emulate {

struct Schedule {
  enum Order : uint64_t { ascending, descending, random };

  Order order;
  // Of the generator of random orders (splitmix64).
  uint64_t state;
  // One bit for each thread that can run.
  uint64_t ready[16];

  void add(unsigned thread) { ready[thread / 64] |= uint64_t(1) << (thread % 64); }
  void remove(unsigned thread) { ready[thread / 64] &= ~(uint64_t(1) << (thread % 64)); }

  // Of the warp whose first thread this is.
  uint32_t ready_lanes(unsigned thread) const { return static_cast<uint32_t>(ready[thread / 64] >> (thread % 64)); }

  unsigned count() const {
    unsigned count = 0;
    for (uint64_t word : ready) count += static_cast<unsigned>(__builtin_popcountll(word));
    return count;
  }
  bool none_ready() const {
    uint64_t any = 0;
    for (uint64_t word : ready) any |= word;
    return any == 0;
  }

  uint64_t draw() {
    uint64_t z = state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
  }

  // At least one thread must be ready.
  unsigned next() {
    if (order == descending)
      for (unsigned i = 16; i-- > 0;)
        if (ready[i] != 0) return 64 * i + 63 - static_cast<unsigned>(__builtin_clzll(ready[i]));
    uint64_t skip = order == random ? draw() % count() : 0;
    for (unsigned i = 0;; i++) {
      uint64_t word = ready[i];
      const uint64_t set = static_cast<uint64_t>(__builtin_popcountll(word));
      if (skip >= set) {
        skip -= set;
        continue;
      }
      for (; skip > 0; skip--) word &= word - 1;
      return 64 * i + static_cast<unsigned>(__builtin_ctzll(word));
    }
  }
};

}  // namespace limbforge_emulate
