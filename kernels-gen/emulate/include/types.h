// types.h: vector types with the alignment that 16-byte accesses rely on.
#pragma once

#define LIMBFORGE_VECTOR2(type, scalar, align) \
  struct alignas(align) type { scalar x, y; };  \
  inline type make_##type(scalar x, scalar y) { return type{x, y}; }
#define LIMBFORGE_VECTOR3(type, scalar) \
  struct type { scalar x, y, z; };       \
  inline type make_##type(scalar x, scalar y, scalar z) { return type{x, y, z}; }
#define LIMBFORGE_VECTOR4(type, scalar, align)       \
  struct alignas(align) type { scalar x, y, z, w; };  \
  inline type make_##type(scalar x, scalar y, scalar z, scalar w) { return type{x, y, z, w}; }

LIMBFORGE_VECTOR2(uchar2, unsigned char, 2)
LIMBFORGE_VECTOR4(uchar4, unsigned char, 4)
LIMBFORGE_VECTOR2(int2, int, 8)
LIMBFORGE_VECTOR3(int3, int)
LIMBFORGE_VECTOR4(int4, int, 16)
LIMBFORGE_VECTOR2(uint2, unsigned, 8)
LIMBFORGE_VECTOR3(uint3, unsigned)
LIMBFORGE_VECTOR4(uint4, unsigned, 16)
LIMBFORGE_VECTOR2(longlong2, long long, 16)
LIMBFORGE_VECTOR2(ulonglong2, unsigned long long, 16)
LIMBFORGE_VECTOR4(ulonglong4, unsigned long long, 16)

#undef LIMBFORGE_VECTOR2
#undef LIMBFORGE_VECTOR3
#undef LIMBFORGE_VECTOR4

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
