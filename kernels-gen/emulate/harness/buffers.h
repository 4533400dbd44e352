// buffers.h: the kernel's buffers, each between zones that must not be touched.
//
//   no access, 1 MiB | filler up to a page | the buffer, to the next 16 bytes | no access, 1 MiB
//
// An access to the outer zones ends the program at once, a write to the filler is found after the block. Under ASan the
// filler is forbidden to the byte.
#pragma once

#include <string.h>
#include <sys/mman.h>

#include "asan.h"
#include "program.h"
#include "report.h"

namespace limbforge_emulate {

constexpr size_t zone = 1 << 20;
// Fresh memory that nobody wrote.
constexpr unsigned char poison = 0xa5;

struct Buffer {
  const char* name;
  unsigned char* begin;
  size_t bytes;
  // The accessible pages.
  unsigned char* pages;
  size_t page_bytes;

  unsigned char* end() const { return begin + bytes; }
  unsigned char* pages_end() const { return pages + page_bytes; }
};

constexpr unsigned max_buffers = 64;
inline Buffer placed[max_buffers];

// Gives the buffer its place; false if there is no memory.
inline bool place(Buffer& buffer, const char* name, size_t bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), padded = (bytes + 15) / 16 * 16;
  buffer.name = name;
  buffer.bytes = bytes;
  buffer.page_bytes = (padded + page) / page * page;
  void* at = mmap(nullptr, buffer.page_bytes + 2 * zone, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at == MAP_FAILED) return false;
  buffer.pages = static_cast<unsigned char*>(at) + zone;
  if (mprotect(buffer.pages, buffer.page_bytes, PROT_READ | PROT_WRITE) != 0) return false;
  memset(buffer.pages, poison, buffer.page_bytes);
  buffer.begin = buffer.pages_end() - padded;
  forbid(buffer.pages, static_cast<size_t>(buffer.begin - buffer.pages));
  forbid(buffer.end(), static_cast<size_t>(buffer.pages_end() - buffer.end()));
  return true;
}

// The first byte that is not as it was filled, or null.
inline const unsigned char* touched(const unsigned char* from, const unsigned char* to) {
  for (; from < to; from++)
    if (*from != poison) return from;
  return nullptr;
}

// Ends with a report if the kernel wrote around one of the buffers.
inline void check_around(const Buffer& buffer) {
  if (asan) return;
  const unsigned char* at = touched(buffer.pages, buffer.begin);
  if (at == nullptr) at = touched(buffer.end(), buffer.pages_end());
  if (at == nullptr) return;
  fprintf(stderr, "block %u wrote to byte %td of `%s`, which has %zu bytes\n", launch.block.x, at - buffer.begin,
          buffer.name, buffer.bytes);
  end(Fault::memory);
}

// Says which buffer an address is in or near.
inline void print_address(const unsigned char* at) {
  for (unsigned i = 0; i < program.buffer_count; i++) {
    const Buffer& buffer = placed[i];
    if (buffer.begin == nullptr || at < buffer.pages - zone || at >= buffer.pages_end() + zone) continue;
    const bool inside = at >= buffer.begin && at < buffer.end();
    fprintf(stderr, "%s byte %td of `%s`, which has %zu bytes\n", inside ? "write to the read-only" : "access to",
            at - buffer.begin, buffer.name, buffer.bytes);
    return;
  }
  fprintf(stderr, "access to address %p, which is in no buffer (null, a stack that overflowed, or misaligned)\n",
          static_cast<const void*>(at));
}

}  // namespace limbforge_emulate
