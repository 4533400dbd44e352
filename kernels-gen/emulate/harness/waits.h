// waits.h: the threads of a block, what each waits for, and the report when none can go on.
#pragma once

#include "fiber.h"
#include "report.h"

namespace limbforge_emulate {

constexpr unsigned max_threads = 1024;

enum class State { ready, at_barrier, at_collective, at_change, exited };

struct Thread : Place {
  Fiber fiber;
  State state;
  // What it waits at.
  const char* what;
  int line;
  unsigned mask;
  void* data;
  Combine combine;
  // Its predicate, then the count of true ones.
  int votes;
};

Launch launch;
const Place* here = nullptr;

inline Thread threads[max_threads];
inline unsigned thread_count;

// Prints `lanes 0-3,7` of a mask.
inline void print_lanes(unsigned mask) {
  fprintf(stderr, (mask & (mask - 1)) == 0 ? "lane " : "lanes ");
  const char* comma = "";
  for (unsigned lane = 0; lane < 32;) {
    unsigned end = lane;
    while (end < 32 && mask >> end & 1) end++;
    if (end == lane) {
      lane++;
      continue;
    }
    fprintf(stderr, end - lane == 1 ? "%s%u" : "%s%u-%u", comma, lane, end - 1);
    comma = ",";
    lane = end;
  }
}

inline bool same_wait(const Thread& a, const Thread& b) {
  if (a.state != b.state) return false;
  return a.state == State::exited ||
         (a.what == b.what && a.line == b.line && a.mask == b.mask && a.combine == b.combine);
}

// Says of a warp what each lane waits for.
inline void print_warp(unsigned warp) {
  fprintf(stderr, "  block %u, warp %u:", launch.block.x, warp);
  const Thread* lanes = threads + 32 * warp;
  for (unsigned told = 0; told != ~0u;) {
    const unsigned first = static_cast<unsigned>(__builtin_ctz(~told));
    unsigned group = 0;
    for (unsigned lane = 0; lane < 32; lane++)
      if (same_wait(lanes[lane], lanes[first])) group |= 1u << lane;
    fputs(told == 0 ? " " : "; ", stderr);
    print_lanes(group);
    const Thread& like = lanes[first];
    if (like.state == State::exited) fputs(" exited", stderr);
    if (like.state == State::at_barrier || like.state == State::at_change)
      fprintf(stderr, " at %s, line %d", like.what, like.line);
    if (like.state == State::at_collective)
      fprintf(stderr, " at %s, line %d, mask 0x%08x", like.what, like.line, like.mask);
    told |= group;
  }
  fputc('\n', stderr);
}

// All threads wait or have exited, and no one can go on.
[[noreturn]] inline void report_divergence() {
  fprintf(stderr, "the threads of a block wait for each other at different places:\n");
  constexpr unsigned shown = 8;
  for (unsigned warp = 0; warp < thread_count / 32 && warp < shown; warp++) print_warp(warp);
  if (thread_count / 32 > shown) fprintf(stderr, "  and %u more warps\n", thread_count / 32 - shown);
  end(Fault::divergence);
}

}  // namespace limbforge_emulate
