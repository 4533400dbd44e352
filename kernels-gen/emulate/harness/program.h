// program.h: what the harness knows about the one kernel that it is linked with.
#pragma once

namespace limbforge_emulate {

struct Program {
  // Names of the buffers: inputs, the results, then the marks of instances without one if the kernel has them.
  const char* const* buffers;
  unsigned long long buffer_count;
  // Calls the entry point for the fiber that runs.
  void (*enter)(void* const* buffers, unsigned long long instances);
  // Address of this OS thread's dynamic shared memory; `shared_guard` bytes follow its `shared_bytes`.
  unsigned char* (*shared)();
  unsigned long long shared_bytes, shared_guard;
};
extern const Program program;

}  // namespace limbforge_emulate
