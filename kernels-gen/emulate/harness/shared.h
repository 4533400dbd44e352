// shared.h: shared memory, fresh for each block.
//
// __shared__ variables are thread_local, so they lie in the program's TLS image, where no other variables are. Filling the
// image fills them all, wherever they were declared.
#pragma once

#ifdef __linux__
#include <link.h>
#endif

#include "buffers.h"

namespace limbforge_emulate {

struct Image {
  unsigned char* begin;
  size_t bytes;
};

// The TLS image; at least the dynamic shared memory, which is all that is found where the image cannot be.
inline Image shared_image() {
  Image image{program.shared(), program.shared_bytes + program.shared_guard};
  // clang links its ASan into the program, and that one's variables lie there too.
#if defined(__linux__) && !(defined(LIMBFORGE_ASAN) && defined(__clang__))
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        // The first object is the program.
        for (int i = 0; i < info->dlpi_phnum; i++)
          if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data != nullptr) {
            Image found{static_cast<unsigned char*>(info->dlpi_tls_data), info->dlpi_phdr[i].p_memsz};
            Image& dynamic = *static_cast<Image*>(data);
            if (found.begin <= dynamic.begin && dynamic.begin + dynamic.bytes <= found.begin + found.bytes) dynamic = found;
          }
        return 1;
      },
      &image);
#endif
  return image;
}

inline void poison_shared(const Image& image) {
  unsigned char* guard = program.shared() + program.shared_bytes;
  allow(guard, program.shared_guard);
  memset(image.begin, poison, image.bytes);
  forbid(guard, program.shared_guard);
}

// Ends with a report if the block wrote behind its dynamic shared memory.
inline void check_shared() {
  if (asan) return;
  const unsigned char* guard = program.shared() + program.shared_bytes;
  const unsigned char* at = touched(guard, guard + program.shared_guard);
  if (at == nullptr) return;
  fprintf(stderr, "block %u wrote to byte %td of the dynamic shared memory, which has %llu bytes\n", launch.block.x,
          at - program.shared(), program.shared_bytes);
  end(Fault::memory);
}

}  // namespace limbforge_emulate
