// fiber.h: stacks that run in turns on one OS thread.
//
// On x86-64 a switch saves six registers; elsewhere it is swapcontext, which also makes two system calls.
#pragma once

#include <stdint.h>
#include <sys/mman.h>

#if defined(__x86_64__) && defined(__ELF__) && !defined(LIMBFORGE_UCONTEXT)
#define LIMBFORGE_SWITCH 1
#else
#include <ucontext.h>
#endif

#include "asan.h"

namespace limbforge_emulate {

constexpr size_t stack_bytes = 256 << 10;
// Not accessible: the end of a stack that overflows. ASan's frames are large, so it is wider than a page.
constexpr size_t stack_guard = 64 << 10;

struct Fiber {
#ifdef LIMBFORGE_SWITCH
  void* top = nullptr;
#else
  ucontext_t context;
#endif
  void* fake = nullptr;
  const void* bottom = nullptr;
  size_t bytes = 0;
};

#ifdef LIMBFORGE_SWITCH
extern "C" void limbforge_switch(void** save, void* load);
asm(R"(
.text
.type limbforge_switch, @function
.globl limbforge_switch
limbforge_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size limbforge_switch, .-limbforge_switch
)");
#endif

// Address space for `count` stacks, taken only where it is touched; null if there is none.
inline unsigned char* reserve_stacks(size_t count) {
  const size_t each = stack_guard + stack_bytes;
  void* at = mmap(nullptr, count * each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  for (size_t i = 0; i < count; i++)
    if (mprotect(static_cast<unsigned char*>(at) + i * each, stack_guard, PROT_NONE) != 0) return nullptr;
  return static_cast<unsigned char*>(at);
}

// Makes the fiber start `entry`, which must not return, at the next switch to it.
inline void prepare(Fiber& fiber, unsigned char* stacks, size_t index, void (*entry)()) {
  unsigned char* bottom = stacks + index * (stack_guard + stack_bytes) + stack_guard;
  allow(bottom, stack_bytes);
  fiber.bottom = bottom;
  fiber.bytes = stack_bytes;
  fiber.fake = nullptr;
#ifdef LIMBFORGE_SWITCH
  // Six registers, the address that `ret` takes, and a null return address that ends backtraces and aligns the stack.
  uint64_t* top = reinterpret_cast<uint64_t*>(bottom + stack_bytes) - 8;
  for (int i = 0; i < 8; i++) top[i] = 0;
  top[6] = reinterpret_cast<uint64_t>(entry);
  fiber.top = top;
#else
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = bottom;
  fiber.context.uc_stack.ss_size = stack_bytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, entry, 0);
#endif
}

// Goes on with `to`; returns when somebody switches back to `from`. `ended`: nobody will.
__attribute__((noinline)) inline void switch_to(Fiber& from, Fiber& to, bool ended = false) {
  before_switch(ended ? nullptr : &from.fake, to.bottom, to.bytes);
#ifdef LIMBFORGE_SWITCH
  limbforge_switch(&from.top, to.top);
#else
  swapcontext(&from.context, &to.context);
#endif
  after_switch(from.fake, nullptr, nullptr);
}

}  // namespace limbforge_emulate
