// signals.h: reports for what ends a program from outside: an access to a forbidden page, and the time limit.
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/time.h>

#include "buffers.h"

namespace limbforge_emulate {

inline void on_fault(int signal, siginfo_t* info, void*) {
  print_place();
  if (signal == SIGSEGV || signal == SIGBUS) {
    print_address(static_cast<const unsigned char*>(info->si_addr));
    end(Fault::memory);
  }
  fprintf(stderr, signal == SIGFPE ? "division by zero\n" : "signal %d\n", signal);
  end(Fault::undefined);
}

inline void on_time(int) {
  print_place();
  fprintf(stderr, "the time limit passed here\n");
  end(Fault::time);
}

// Handlers run on a stack of their own: the fiber's may be what overflowed.
inline void watch(uint64_t limit_ms) {
  static unsigned char stack[64 << 10];
  stack_t other = {};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  sigaltstack(&other, nullptr);

  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = on_fault;
  const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
  for (int signal : signals) sigaction(signal, &action, nullptr);

  struct sigaction alarm = {};
  alarm.sa_flags = SA_ONSTACK;
  alarm.sa_handler = on_time;
  sigaction(SIGALRM, &alarm, nullptr);
  itimerval timer = {};
  timer.it_value.tv_sec = static_cast<time_t>(limit_ms / 1000);
  timer.it_value.tv_usec = static_cast<suseconds_t>(limit_ms % 1000 * 1000);
  setitimer(ITIMER_REAL, &timer, nullptr);
}

}  // namespace limbforge_emulate
