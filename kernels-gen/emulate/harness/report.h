// report.h: how the program ends when something is wrong: one report on stderr and an exit code per kind of fault.
#pragma once

#include <stdio.h>
#include <unistd.h>

#include "../include/emulate.h"

namespace limbforge_emulate {

// The codes that the Rust side tells apart; ASan ends with `memory` too.
enum class Fault { divergence = 83, memory = 84, misuse = 85, time = 86, undefined = 87, job = 88 };

// Where the program is: `block 3, thread 17`, or nothing outside of blocks.
inline void print_place() {
  if (here != nullptr) fprintf(stderr, "block %u, thread %u: ", launch.block.x, here->thread.x);
}

// Ends without destructors and without leaving the fiber's stack.
[[noreturn]] inline void end(Fault fault) {
  fflush(stderr);
  _exit(static_cast<int>(fault));
}

void misuse(const char* what, int line, const char* why) {
  print_place();
  fprintf(stderr, "%s at line %d %s\n", what, line, why);
  end(Fault::misuse);
}

}  // namespace limbforge_emulate
