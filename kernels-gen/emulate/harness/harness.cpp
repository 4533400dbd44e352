// harness.cpp: reads a job from stdin, runs the kernel's grid block by block, writes the results to stdout.
//
// The job is a header of 64-bit words in the machine's byte order, then the bytes of each input. Marks, which follow the results,
// are zero before the kernel runs.

#include "block.h"
#include "buffers.h"
#include "shared.h"
#include "signals.h"

namespace limbforge_emulate {

struct Job {
  uint64_t threads, blocks, instances, order, seed, limit_ms, buffer_count, results, marked, zeroed;
};

static void read_all(void* to, size_t bytes) {
  for (unsigned char* at = static_cast<unsigned char*>(to); bytes > 0;) {
    const ssize_t got = read(0, at, bytes);
    if (got <= 0) {
      fprintf(stderr, "the job ends early: %zu bytes are missing\n", bytes);
      end(Fault::job);
    }
    at += got;
    bytes -= static_cast<size_t>(got);
  }
}

static void write_all(const unsigned char* from, size_t bytes) {
  while (bytes > 0) {
    const ssize_t put = write(1, from, bytes);
    if (put <= 0) {
      fprintf(stderr, "the result cannot be written: %zu bytes are left\n", bytes);
      end(Fault::job);
    }
    from += put;
    bytes -= static_cast<size_t>(put);
  }
}

static void need(bool condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "%s\n", what);
  end(Fault::job);
}

static void run() {
  Job job;
  read_all(&job, sizeof job);
  need(job.buffer_count == program.buffer_count && job.buffer_count <= max_buffers, "the job has other buffers");
  need(job.threads > 0 && job.threads <= max_threads && job.threads % 32 == 0, "the job has an impossible block");
  watch(job.limit_ms);

  uint64_t sizes[max_buffers];
  read_all(sizes, job.buffer_count * sizeof sizes[0]);
  void* pointers[max_buffers];
  const unsigned count = static_cast<unsigned>(job.buffer_count);
  const unsigned marked = job.marked ? 1 : 0;
  need(job.results > 0 && job.results + marked <= count, "the job has other results");
  const unsigned result = count - marked - static_cast<unsigned>(job.results);
  for (unsigned i = 0; i < count; i++) {
    need(place(placed[i], program.buffers[i], sizes[i]), "there is no memory for the buffers");
    pointers[i] = placed[i].begin;
    // Marks and counters begin as zeros.
    if (i >= result && i + marked + job.zeroed >= count) memset(placed[i].begin, 0, sizes[i]);
    if (i >= result) continue;
    read_all(placed[i].begin, sizes[i]);
    mprotect(placed[i].pages, placed[i].page_bytes, PROT_READ);
  }

  unsigned char* stacks = reserve_stacks(job.threads);
  need(stacks != nullptr, "there is no memory for the stacks");
  const Image image = shared_image();
  buffers = pointers;
  instances = job.instances;
  thread_count = static_cast<unsigned>(job.threads);
  schedule = {static_cast<Schedule::Order>(job.order), job.seed, {}};
  launch.block_size = dim3(thread_count);
  launch.grid_size = dim3(static_cast<unsigned>(job.blocks));
  for (unsigned block = 0; block < launch.grid_size.x; block++) {
    launch.block = {block, 0, 0};
    poison_shared(image);
    run_block(stacks);
    check_shared();
    for (unsigned i = result; i < count; i++) check_around(placed[i]);
  }
  for (unsigned i = result; i < count; i++) write_all(placed[i].begin, placed[i].bytes);
}

}  // namespace limbforge_emulate

#ifdef LIMBFORGE_ASAN
// The sanitizers say what happened and call these, which say where.
static void say_where() {
  if (limbforge_emulate::here == nullptr) return;
  limbforge_emulate::print_place();
  fprintf(stderr, "see the sanitizer's report\n");
}
extern "C" void __ubsan_on_report() { say_where(); }
#endif

int main() {
#ifdef LIMBFORGE_ASAN
  __sanitizer_set_death_callback(say_where);
#endif
  limbforge_emulate::run();
  _exit(0);
}
