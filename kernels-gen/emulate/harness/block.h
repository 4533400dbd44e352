// block.h: runs one block: who is next, and where threads meet.
#pragma once

#include "fiber.h"
#include "program.h"
#include "schedule.h"
#include "waits.h"

namespace limbforge_emulate {

inline unsigned at_barrier;
// Threads that wait at each barrier of a part of the block.
inline unsigned at_group[16];
inline Fiber outside;
inline Schedule schedule;
inline void* const* buffers;
inline unsigned long long instances;

inline Thread& self() { return *static_cast<Thread*>(const_cast<Place*>(here)); }

// Runs another thread, or goes on if it is this one's turn again.
inline void give_way() {
  Thread& from = self();
  const bool ended = from.state == State::exited;
  if (schedule.none_ready()) {
    bool all_exited = true;
    for (unsigned i = 0; i < thread_count; i++) all_exited &= threads[i].state == State::exited;
    if (!all_exited) report_divergence();
    here = nullptr;
    switch_to(from.fiber, outside, true);
  }
  Thread& to = threads[schedule.next()];
  if (&to == &from) return;
  here = &to;
  switch_to(from.fiber, to.fiber, ended);
}

inline void wake(Thread& thread) {
  thread.state = State::ready;
  schedule.add(static_cast<unsigned>(&thread - threads));
}

inline void wait(State state, const char* what, int line) {
  Thread& thread = self();
  thread.state = state;
  thread.what = what;
  thread.line = line;
  schedule.remove(static_cast<unsigned>(&thread - threads));
}

void meet_warp(const char* what, int line, unsigned mask, void* data, Combine combine) {
  Thread& mine = self();
  if ((mask >> mine.lane & 1) == 0) misuse(what, line, "is called by a lane that its mask does not name");
  mine.mask = mask;
  mine.data = data;
  mine.combine = combine;
  wait(State::at_collective, what, line);
  Thread* lanes = &mine - mine.lane;
  void* all[32] = {};
  // Most arrivals are not the last one.
  bool complete = (schedule.ready_lanes(lanes->thread.x) & mask) == 0;
  for (unsigned lane = 0; lane < 32 && complete; lane++) {
    if ((mask >> lane & 1) == 0) continue;
    complete &= same_wait(lanes[lane], mine);
    all[lane] = lanes[lane].data;
  }
  if (complete) {
    combine(all, mask);
    for (unsigned lane = 0; lane < 32; lane++)
      if (mask >> lane & 1) wake(lanes[lane]);
  }
  give_way();
}

int meet_block(const char* what, int line, bool predicate) {
  Thread& mine = self();
  mine.votes = predicate;
  mine.mask = 0;
  mine.combine = nullptr;
  wait(State::at_barrier, what, line);
  at_barrier++;
  if (at_barrier == thread_count) {
    int votes = 0;
    for (unsigned i = 0; i < thread_count; i++) {
      if (!same_wait(threads[i], mine)) report_divergence();
      votes += threads[i].votes;
    }
    at_barrier = 0;
    for (unsigned i = 0; i < thread_count; i++) {
      threads[i].votes = votes;
      wake(threads[i]);
    }
  }
  give_way();
  return mine.votes;
}

void meet_group(const char* what, int line, unsigned barrier, unsigned count) {
  if (barrier == 0 || barrier > 15) misuse(what, line, "has a number that is not from 1 to 15");
  if (count == 0 || count % 32 != 0 || count > thread_count) misuse(what, line, "is for no whole warps of the block");
  Thread& mine = self();
  mine.mask = barrier;
  mine.combine = nullptr;
  wait(State::at_barrier, what, line);
  if (++at_group[barrier] == count) {
    at_group[barrier] = 0;
    for (unsigned i = 0; i < thread_count; i++) {
      if (threads[i].state != State::at_barrier || threads[i].mask != barrier) continue;
      if (!same_wait(threads[i], mine)) report_divergence();
      // Not `mine`, whose state changes what the others are compared with.
      if (&threads[i] != &mine) wake(threads[i]);
    }
    wake(mine);
  }
  give_way();
}

void meet_change(const char* what, int line) {
  self().mask = 0;
  self().combine = nullptr;
  wait(State::at_change, what, line);
  give_way();
}

void tell_change() {
  for (unsigned i = 0; i < thread_count; i++)
    if (threads[i].state == State::at_change) wake(threads[i]);
}

inline void fiber_main() {
  // The very first fiber comes from outside, and learns that stack's place for the switch back.
  const void* bottom = nullptr;
  size_t bytes = 0;
  after_switch(nullptr, &bottom, &bytes);
  if (outside.bottom == nullptr) {
    outside.bottom = bottom;
    outside.bytes = bytes;
  }
  program.enter(buffers, instances);
  wait(State::exited, "", 0);
  give_way();
}

// Runs all threads of a block to their end.
inline void run_block(unsigned char* stacks) {
  at_barrier = 0;
  for (unsigned& waiting : at_group) waiting = 0;
  for (unsigned i = 0; i < thread_count; i++) {
    Thread& thread = threads[i];
    thread.thread = {i, 0, 0};
    thread.lane = i % 32;
    prepare(thread.fiber, stacks, i, fiber_main);
    wake(thread);
  }
  Thread& first = threads[schedule.next()];
  here = &first;
  switch_to(outside, first.fiber);
}

}  // namespace limbforge_emulate
