// memory.h: loads and stores with cache hints, and atomics. Hints have no meaning here; a fiber is never interrupted
// within an atomic.
#pragma once

template <class T> inline T __ldg(const T* at) { return *at; }
template <class T> inline T __ldca(const T* at) { return *at; }
template <class T> inline T __ldcg(const T* at) { return *at; }
template <class T> inline T __ldcs(const T* at) { return *at; }
template <class T> inline T __ldlu(const T* at) { return *at; }
template <class T> inline void __stwb(T* at, T value) { *at = value; }
template <class T> inline void __stcg(T* at, T value) { *at = value; }
template <class T> inline void __stcs(T* at, T value) { *at = value; }
template <class T> inline void __stwt(T* at, T value) { *at = value; }

// Each returns the word as it was. Only unsigned words: a sum wraps.
#define LIMBFORGE_ATOMIC(name, type, result)    \
  inline type name(type* at, type value) {      \
    const type old = *at;                       \
    *at = result;                               \
    return old;                                 \
  }
#define LIMBFORGE_ATOMICS(type)                              \
  LIMBFORGE_ATOMIC(atomicAdd, type, old + value)             \
  LIMBFORGE_ATOMIC(atomicOr, type, old | value)              \
  LIMBFORGE_ATOMIC(atomicAnd, type, old & value)             \
  LIMBFORGE_ATOMIC(atomicXor, type, old ^ value)             \
  LIMBFORGE_ATOMIC(atomicMin, type, value < old ? value : old) \
  LIMBFORGE_ATOMIC(atomicMax, type, old < value ? value : old) \
  LIMBFORGE_ATOMIC(atomicExch, type, value)                  \
  inline type atomicCAS(type* at, type expected, type value) { \
    const type old = *at;                                    \
    if (old == expected) *at = value;                        \
    return old;                                              \
  }
LIMBFORGE_ATOMICS(unsigned)
LIMBFORGE_ATOMICS(unsigned long long)
#undef LIMBFORGE_ATOMICS
#undef LIMBFORGE_ATOMIC
