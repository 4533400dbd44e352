// asan.h: what AddressSanitizer has to be told, as no-ops when it is off.
#pragma once

#include <stddef.h>

#if defined(__SANITIZE_ADDRESS__)
#define LIMBFORGE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMBFORGE_ASAN 1
#endif
#endif

#ifdef LIMBFORGE_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
namespace limbforge_emulate {
constexpr bool asan = true;
inline void forbid(void* at, size_t bytes) { __asan_poison_memory_region(at, bytes); }
inline void allow(void* at, size_t bytes) { __asan_unpoison_memory_region(at, bytes); }
inline void before_switch(void** fake, const void* bottom, size_t bytes) {
  __sanitizer_start_switch_fiber(fake, bottom, bytes);
}
inline void after_switch(void* fake, const void** bottom, size_t* bytes) {
  __sanitizer_finish_switch_fiber(fake, bottom, bytes);
}
}  // namespace limbforge_emulate
#else
namespace limbforge_emulate {
constexpr bool asan = false;
inline void forbid(void*, size_t) {}
inline void allow(void*, size_t) {}
inline void before_switch(void**, const void*, size_t) {}
inline void after_switch(void*, const void**, size_t*) {}
}  // namespace limbforge_emulate
#endif
