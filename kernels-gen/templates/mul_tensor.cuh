// mul_tensor.cuh: low and wide products, and sums of products, by matrices of bytes on tensor cores.
// docs/mul_tensor.md; in Rust: limbforge_algos::block::mul_tensor.
//
// Digits are bytes. Tile M is 128 digits of the product, one m16n8 accumulator: row g + 8r and column 2t + e
// hold digit 128M + 16g + 2r + 4t + e, so lane 4g + t has the four coefficients of word 32M + lane. Slot k of
// step tau multiplies b[128M + phi(row) - 18 - 32tau + k] and a[psi(column) + 18 + 32tau - k]. The data (b)
// depends on mu = 4M - tau only, the Toeplitz matrix (a) on tau only: KM tiles are computed together, mu
// counts down, each step loads one data fragment and one Toeplitz fragment, and a ring of registers keeps the
// last 4 KM - 3 Toeplitz fragments.
//
// The slots of STRETCH steps (the interleave along k) are assigned to the threads together: thread t has
// 8 STRETCH consecutive slots, for each step two words of four bytes, its halves. A thread therefore reads
// consecutive words. psi mod 4 is 0 or 1: two copies of a with reversed bytes, one of them shifted by a byte,
// hold all Toeplitz words; four copies (COPIES) hold all pairs of them at even places. Rows with r = 0 need b
// shifted by two bytes. These fragments are built from words and the ones below, of which a stretch reads one
// more than it has slots for, or prebuilt in shared memory (QUADS).
//
// A square of one or two tiles has one copy of its lower half, and its data in order (ONE_COPY;
// mul_tensor_half.cuh).

constexpr unsigned LANES = 32;
constexpr unsigned TILE = 32;                                            // words of a tile
// Padded words of an instance. A wide product has one more tile, of zeros, below its upper half.
constexpr unsigned SLOT_WORDS = PAIRED ? TILE / 2 : (TILES + (WIDE ? 1 : 0)) * TILE;
constexpr unsigned GROUPS = (TILES + KM - 1) / KM;                       // groups of tiles that are computed together
constexpr unsigned FIRST = TILES % KM;                                   // tiles of the first group, or 0 for KM
static_assert(!WIDE || FIRST == 0, "the halves of a wide product are whole groups");
constexpr unsigned OUT_W = HIGH ? BITS / 32 + W : RESULT_W;              // words of the product up to the last that is stored
constexpr unsigned OUT_GROUPS = WIDE ? (OUT_W + KM * TILE - 1) / (KM * TILE) : GROUPS;  // of the product
// With 16 tiles of one product at once, code that keeps the registers of a stage is a tenth faster (measured
// at 2^14 bits).
constexpr bool KEEPS_STAGE = TILES == 16 && KM == 16 && PLACED <= 2;

// Both factors' words are in order.
constexpr bool ONE_COPY = COPIES == 1;
static_assert(!ONE_COPY || (THREAD_WORDS % 2 == 1 && 4 * HALF + 13 <= 16 * THREAD_WORDS), "slots reach all digits of a lower half");

// Shared memory of an instance in words: areas of Toeplitz form, the copies each after 8 zeros; then areas of
// data, each after DATA_ZEROS.
constexpr unsigned TOEPLITZ_ZEROS = 8;
// Copies begin in different banks.
constexpr unsigned COPY = SLOT_WORDS + (ONE_COPY ? 8 : COPIES == 4 ? (V == 4 ? 8 : 40) : PAIRED ? 32 : STRETCH == 4 ? 12 : 16);
constexpr unsigned TOEPLITZ_AREA = COPIES * COPY;
// Without prebuilt fragments each of four planes holds every fourth word. Neighbouring planes, and instances
// that are stored together, use different banks.
constexpr unsigned DATA_ZEROS = QUADS ? 72 : ONE_COPY ? 4 * THREAD_WORDS : PAIRED ? 4 : 8;  // of each plane
constexpr unsigned PLANE = (SLOT_WORDS / 4 + DATA_ZEROS + 7) / 16 * 16 + 8;
constexpr unsigned DATA_AREA = QUADS ? DATA_ZEROS + SLOT_WORDS / 16 * 36 : ONE_COPY ? DATA_ZEROS + SLOT_WORDS : 4 * PLANE;
constexpr unsigned DATA = TOEPLITZ_AREAS * TOEPLITZ_AREA + DATA_ZEROS;   // the words of the first data area
constexpr unsigned SLOT_END = DATA - DATA_ZEROS + DATA_AREAS * DATA_AREA;
constexpr unsigned SLOT = QUADS || ONE_COPY || SLOT_WORDS > 64 ? SLOT_END
                        : PAIRED ? SLOT_END / 32 * 32 + 44
                        : (SLOT_END + SLOT_WORDS / 4 - 1) / (SLOT_WORDS / 2) * (SLOT_WORDS / 2) + SLOT_WORDS / 4;
static_assert(SLOT == SLOT_SIZE, "the plan knows the size of a slot");

// Vectors of a stage, which the warps of an instance load before they multiply.
constexpr unsigned STAGE_VECTORS = STAGE_INSTANCES * W / V;
constexpr unsigned LOADS = (STAGE_VECTORS + LANES * TEAM - 1) / (LANES * TEAM);  // vectors of a lane
constexpr unsigned BATCH = PREFETCH || LOADS * V < 16 ? LOADS : 16 / V;          // of them in flight

constexpr unsigned FULL_WORDS = BITS / 32;
constexpr unsigned TOP_MASK = (1u << (BITS % 32)) - 1;

// A value that stays in its register. The compiler would recompute it for every instance to save registers:
// with few tiles that is a large part of all instructions; with many tiles registers are scarce.
__device__ __forceinline__ unsigned held(unsigned x) { return TILES <= 4 ? __shfl_sync(0xffffffffu, x, (int)(threadIdx.x % LANES)) : x; }

// The address of a word of shared memory, held in a register.
__device__ __forceinline__ const unsigned* held_at(const unsigned* shared, unsigned word) { return (const unsigned*)((const char*)shared + held(4 * word)); }

template <unsigned N>
struct Vector {
  unsigned w[N];
};

// Words are read once and bypass the caches.
__device__ __forceinline__ Vector<V> load_vector(const unsigned* at) {
  Vector<V> x;
  if constexpr (V == 4) {
    const uint4 four = __ldcs((const uint4*)at);
    x.w[0] = four.x, x.w[1] = four.y, x.w[2] = four.z, x.w[3] = four.w;
  } else if constexpr (V == 2) {
    const uint2 two = __ldcs((const uint2*)at);
    x.w[0] = two.x, x.w[1] = two.y;
  } else {
    x.w[0] = __ldcs(at);
  }
  return x;
}

template <unsigned N>
__device__ __forceinline__ void put(unsigned* to, const Vector<N>& x) {
  if constexpr (N == 4) *(uint4*)to = make_uint4(x.w[0], x.w[1], x.w[2], x.w[3]);
  else if constexpr (N == 2) *(uint2*)to = make_uint2(x.w[0], x.w[1]);
  else *to = x.w[0];
}

// The two words before a vector.
struct Before {
  unsigned last, second;
};

// They come from the lane below, for lane 0 from the last lane of the vectors before.
__device__ __forceinline__ unsigned from_below(unsigned word, unsigned& kept, unsigned lane) {
  const unsigned below = __shfl_sync(0xffffffffu, word, (int)(lane - 1));
  const unsigned result = lane == 0 ? kept : below;
  kept = below;
  return result;
}

// The words before vector x of a stage that its forms need.
template <bool LAST, bool SECOND>
__device__ __forceinline__ Before words_before(const Vector<V>& x, bool first, Before& kept, unsigned lane) {
  Before words = {0, 0};
  if constexpr (LAST) words.last = from_below(x.w[V - 1], kept.last, lane);
  if constexpr (SECOND) words.second = from_below(V > 1 ? x.w[V - 2] : words.last, kept.second, lane);
  if (first) words = {0, 0};
  return words;
}

// The place of the fragment of words 2z and 2z + 1. Eight lanes that store every other one use different
// banks.
__device__ __forceinline__ constexpr unsigned quad(unsigned z) { return 4 * (z + z / 8); }

// Clears everything; the zeros before the copies and the data stay, for wide products also those above.
__device__ __forceinline__ void put_zeros(unsigned* slots, unsigned thread) {
  static_assert(SLOT % 4 == 0, "slots are whole vectors");
  for (unsigned i = thread; i < STAGE_INSTANCES * SLOT / 4; i += LANES * TEAM) ((uint4*)slots)[i] = make_uint4(0, 0, 0, 0);
}

// Stores words o, o + 1, ... of a value, from a tile on, in a Toeplitz area. Copy 0 of two, or 3 of four, has
// the words with reversed bytes, the other one (2 of four) the same a byte earlier; copies 1 and 0 of four
// have these a word later.
template <unsigned N>
__device__ __forceinline__ void put_toeplitz(unsigned* area, unsigned tile, unsigned o, const Vector<N>& x, const Before& before) {
  Vector<N> reversed, moved;
#pragma unroll
  for (unsigned v = 0; v < N; v++) {
    reversed.w[v] = __byte_perm(x.w[v], 0, 0x0123);
    moved.w[v] = __byte_perm(v ? x.w[v - 1] : before.last, x.w[v], 0x3456);
  }
  unsigned* const to = area + TOEPLITZ_ZEROS + tile * TILE + o;
  [[maybe_unused]] const unsigned first = tile * TILE + o;
  if constexpr (ONE_COPY) {
    put(to, reversed);
  } else if constexpr (COPIES == 2) {
    put(to, reversed);
    put(to + COPY, moved);
    // The top byte, shifted into the next word.
    if (WIDE && first + N == W) to[COPY + N] = __byte_perm(x.w[N - 1], 0, 0x3456);
  } else {
    put(to + 3 * COPY, reversed);
    put(to + 2 * COPY, moved);
    if constexpr (N == 4) {
      *(uint4*)(to + COPY) = make_uint4(__byte_perm(before.last, 0, 0x0123), reversed.w[0], reversed.w[1], reversed.w[2]);
      *(uint4*)to = make_uint4(__byte_perm(before.second, before.last, 0x3456), moved.w[0], moved.w[1], moved.w[2]);
    } else {
      if (first == 0) to[COPY] = to[0] = 0;
#pragma unroll
      for (unsigned v = 0; v < N; v++) {
        // A word later, the next copy's zeros would follow; they are not read.
        if (first + v + 1 == SLOT_WORDS) break;
        to[COPY + 1 + v] = reversed.w[v];
        to[1 + v] = moved.w[v];
      }
    }
  }
}

// Stores words o, o + 1, ... of a value, from a tile on, in a data area: in planes, or as prebuilt fragments
// (shifted odd word, odd word, shifted even word, even word), shifted by two bytes.
template <unsigned N>
__device__ __forceinline__ void put_data(unsigned* area, unsigned tile, unsigned o, const Vector<N>& x, const Before& before) {
  unsigned* const data = area + tile * (QUADS ? 72 : TILE / 4);
  if constexpr (QUADS) {
    Vector<N> moved;
#pragma unroll
    for (unsigned v = 0; v < N; v++) moved.w[v] = __byte_perm(v ? x.w[v - 1] : before.last, x.w[v], 0x5432);
    if constexpr (N == 1) {
      *(uint2*)(data + quad(o / 2) + (o % 2 ? 0 : 2)) = make_uint2(moved.w[0], x.w[0]);
    } else {
#pragma unroll
      for (unsigned v = 0; v < N; v += 2)
        *(uint4*)(data + quad((o + v) / 2)) = make_uint4(moved.w[v + 1], x.w[v + 1], moved.w[v], x.w[v]);
    }
    // The two top bytes, shifted into the next word.
    if (WIDE && tile * TILE + o + N == W) area[quad(W / 2) + (W % 2 ? 0 : 2)] = __byte_perm(x.w[N - 1], 0, 0x5432);
  } else if constexpr (ONE_COPY) {
    put(data + o, x);
  } else {
    unsigned* const to = data + o % 4 * PLANE + o / 4;
#pragma unroll
    for (unsigned v = 0; v < N; v++) to[v * PLANE] = x.w[v];
  }
}

// The place of a lane's fragments.
struct Fragments {
  const unsigned* data[2];  // prebuilt fragments of even and odd steps; or the first and the other two of four planes from the top down
  const unsigned* toeplitz;

  __device__ __forceinline__ Fragments(const unsigned* shared, unsigned slot, unsigned lane) {
    const unsigned g = lane / 4, t = lane % 4;
    if constexpr (QUADS) {
      // A step is four fragments down. Fragment 0 of the number is fragment 16 after the zeros.
      const unsigned z = 2 * g + 17 - t;
      data[0] = held_at(shared, slot + DATA - DATA_ZEROS + quad(z));
      data[1] = held_at(shared, slot + DATA - DATA_ZEROS + quad(z - 4));
    } else if constexpr (ONE_COPY) {
      data[0] = data[1] = held_at(shared, slot + DATA + 4 * g + 3 - THREAD_WORDS * t);
    } else {
      // Its first word is 4 row + 3 - 2 STRETCH t: the last of four words, or the one two below.
      const unsigned row = PAIRED ? g % 4 : g, other = PAIRED ? g / 4 * SLOT : 0;
      const unsigned top = slot + DATA + row + other - STRETCH * t / 2, below = STRETCH * t % 2;
      data[0] = held_at(shared, top - below * 2 * PLANE);
      data[1] = STRETCH % 2 ? held_at(shared, top + below * (2 * PLANE - 1)) : data[0];
    }
    if constexpr (ONE_COPY) {
      toeplitz = held_at(shared, slot + TOEPLITZ_ZEROS + g / 2 + THREAD_WORDS * t - 3);
    } else if constexpr (COPIES == 4) {
      const unsigned column = 4 * (g / 2) + g % 2, copy = g % 4;
      toeplitz = held_at(shared, slot + copy * COPY + TOEPLITZ_ZEROS + (copy < 3 ? 2 : 0) + 2 * ((column + 11) / 8) + 2 * t - 6);
    } else {
      toeplitz = held_at(shared, slot + (g % 2 ? 0 : COPY) + TOEPLITZ_ZEROS + g / 2 + 2 * STRETCH * t - 3);
    }
  }

  // Word k of a stretch of planes, counted downwards.
  __device__ __forceinline__ unsigned plane_word(unsigned k) const { return data[k % 4 / 2][(int)((3 - k % 4) * PLANE) - (int)(k / 4)]; }

  // The data of step i after the pointers.
  __device__ __forceinline__ void load_data(unsigned (&to)[4], unsigned i) const {
    if constexpr (QUADS) {
      const uint4 four = *(const uint4*)(data[i % 2] - 36 * (i / 2));
      to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    } else {
      // The compiler loads a word that two steps of a stretch share once.
      const unsigned k = i / STRETCH * 8 * STRETCH + i % STRETCH * 2;
      to[1] = plane_word(k), to[3] = plane_word(k + 1);
      to[0] = __byte_perm(to[3], to[1], 0x5432), to[2] = __byte_perm(plane_word(k + 2), to[3], 0x5432);
    }
  }

  __device__ __forceinline__ void load_toeplitz(unsigned (&to)[2], unsigned i) const {
    const unsigned* const at = toeplitz + i / STRETCH * 8 * STRETCH + i % STRETCH * 2;
    if constexpr (COPIES == 4) {
      const uint2 two = *(const uint2*)at;
      to[0] = two.x, to[1] = two.y;
    } else {
      to[0] = at[0], to[1] = at[1];
    }
  }

  // Moves to the factors of a product.
  __device__ __forceinline__ Fragments of_areas(unsigned toeplitz_area, unsigned data_area) const {
    Fragments moved = *this;
#pragma unroll
    for (unsigned k = 0; k < 2; k++) moved.data[k] += data_area * DATA_AREA;
    moved.toeplitz += toeplitz_area * TOEPLITZ_AREA;
    return moved;
  }

  // Moves to another instance.
  __device__ __forceinline__ Fragments of_instance(unsigned instance) const {
    Fragments moved = *this;
#pragma unroll
    for (unsigned k = 0; k < 2; k++) moved.data[k] += instance * SLOT;
    moved.toeplitz += instance * SLOT;
    return moved;
  }

  // Moves by an even number of steps, with prebuilt fragments.
  __device__ __forceinline__ void move_steps(unsigned steps) {
#pragma unroll
    for (unsigned k = 0; k < 2; k++) data[k] -= 36 * (steps / 2);
    toeplitz += 8 * steps;
  }

  // Moves to the data of `tiles` tiles above or below.
  __device__ __forceinline__ void move_data(int tiles) {
#pragma unroll
    for (unsigned k = 0; k < 2; k++) data[k] += (QUADS ? 72 : 8) * tiles;
  }
};

// Whether the Toeplitz fragment of step tau has digits of its factor, the lower half of some squares. The
// lowest digit of the fragment, that of thread 0 in column 0, is -13 in step 0.
constexpr bool has_digits(unsigned tau) { return HALF == 0 || 32 * (tau / STRETCH * STRETCH) + 8 * (tau % STRETCH) < 4 * HALF + 13; }

// Steps of COUNT tiles. The first ones, TRIANGLE, start the lower tiles one after the other; the LAST ones
// end with the lowest data, and the top tile of the number skips TOP_SKIP of them.
template <unsigned COUNT, unsigned STEPS, bool TRIANGLE, bool LAST>
__device__ __forceinline__ void multiply(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], const Fragments& from) {
  constexpr unsigned RING = 4 * COUNT, SKIP = LAST ? TOP_SKIP : 0;
#pragma unroll
  for (unsigned i = 0; i < (COUNT == 1 ? STEPS - SKIP : STEPS); i++) {
    unsigned data[4];
    from.load_data(data, i);
    if (i + SKIP < STEPS && has_digits(i)) from.load_toeplitz(ring[i], i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) {
      const unsigned later = 4 * (COUNT - 1 - j);
      if ((!TRIANGLE || i >= later) && !(j == COUNT - 1 && i + SKIP >= STEPS) && has_digits(i - later)) mma_u8(sums[j], data, ring[(i + RING - later) % RING]);
    }
  }
}

// The steps of COUNT tiles of the upper half before those that are whole: the ring is filled, and the last
// four steps are the first ones with data.
template <unsigned COUNT>
__device__ __forceinline__ void multiply_begin(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], const Fragments& from) {
  constexpr unsigned RING = 4 * COUNT;
#pragma unroll
  for (unsigned i = 0; i < RING; i++) from.load_toeplitz(ring[i], i);
#pragma unroll
  for (unsigned i = RING - 4; i < RING; i++) {
    unsigned data[4];
    from.load_data(data, i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) mma_u8(sums[j], data, ring[i - 4 * (COUNT - 1 - j)]);
  }
}

// The steps after those: only the first Toeplitz fragments are left, and the upper tiles end one after the
// other.
template <unsigned COUNT>
__device__ __forceinline__ void multiply_end(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], const Fragments& from) {
  constexpr unsigned RING = 4 * COUNT;
  from.load_toeplitz(ring[0], 0);
#pragma unroll
  for (unsigned i = 0; i <= RING - 4; i++) {
    unsigned data[4];
    from.load_data(data, i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) {
      const unsigned later = 4 * (COUNT - 1 - j);
      if (i <= later) mma_u8(sums[j], data, ring[(i + RING - later) % RING]);
    }
  }
}

// The same of a wide product.
template <unsigned COUNT>
__device__ __forceinline__ void multiply_wide(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], Fragments from, unsigned first, unsigned lane) {
  const bool upper = first >= TILES;
  const unsigned above = upper ? (first - TILES) / COUNT : 0;
  from.move_data((int)(upper ? TILES + COUNT - 1 : first + COUNT - 1));
  from.toeplitz += 32 * COUNT * above;
  if (upper) multiply_begin(sums, ring, from);
  else multiply<COUNT, 4 * COUNT, true, false>(sums, ring, from);
  unsigned whole = upper ? GROUPS - 1 - above : first / COUNT;
#pragma unroll 1
  for (; whole > 0; whole--) {
    from.move_data(-(int)COUNT);
    from.toeplitz += 32 * COUNT;
    multiply<COUNT, 4 * COUNT, false, false>(sums, ring, from);
  }
  if (upper) {
    from.move_data(-(int)COUNT);
    from.toeplitz += 32 * COUNT;
    multiply_end(sums, ring, from);
  }
}

// Two instances in one tile, the first in the rows below 4, the second in those above. One data fragment
// serves both; each has its own Toeplitz fragments and sums, half of which are used.
template <unsigned COUNT>
__device__ __forceinline__ void multiply_two(unsigned (&sums)[COUNT][4], const Fragments& from, unsigned lane) {
  unsigned lower[4] = {0, 0, 0, 0}, upper[4] = {0, 0, 0, 0};
#pragma unroll
  for (unsigned i = 0; i < 2 - TOP_SKIP; i++) {
    unsigned data[4], toeplitz[2];
    from.load_data(data, i);
    from.load_toeplitz(toeplitz, i);
    mma_u8(lower, data, toeplitz);
    from.of_instance(1).load_toeplitz(toeplitz, i);
    mma_u8(upper, data, toeplitz);
  }
#pragma unroll
  for (unsigned k = 0; k < 4; k++) sums[0][k] += lane < LANES / 2 ? lower[k] : upper[k];
}

// Adds the coefficients of a product, COUNT tiles from `first` on.
template <unsigned COUNT>
__device__ __forceinline__ void multiply_group(unsigned (&sums)[COUNT][4], Fragments from, unsigned first, unsigned lane) {
  if constexpr (PAIRED) {
    multiply_two(sums, from, lane);
    return;
  }
  unsigned ring[4 * COUNT][2];
  if constexpr (WIDE) {
    multiply_wide(sums, ring, from, first, lane);
    return;
  }
  from.move_data((int)(first + COUNT - 1));
  multiply<COUNT, 4 * COUNT, true, GROUPS == 1>(sums, ring, from);
  if constexpr (GROUPS > 1) {
#pragma unroll 1
    for (; first >= KM; first -= KM) {
      from.move_data(-(int)COUNT);
      from.toeplitz += 32 * COUNT;
      multiply<COUNT, 4 * COUNT, false, false>(sums, ring, from);
    }
    if constexpr (FIRST > 0 && COUNT == KM) {
      from.move_data(-(int)COUNT);
      from.toeplitz += 32 * COUNT;
      multiply<COUNT, 4 * FIRST, false, false>(sums, ring, from);
    }
  }
}

// The four coefficients of a word: the word, and its carry.
__device__ __forceinline__ void join(const unsigned (&sums)[4], unsigned& low, unsigned& high) {
  if constexpr (MOST_PRODUCTS * 4 * W <= 256) {
    // 256 * 255^2 * 257 + 2^16 < 2^32.
    const unsigned x = sums[0] + (sums[1] << 8), y = sums[2] + (sums[3] << 8) + (x >> 16);
    low = __byte_perm(x, y, 0x5410);
    high = y >> 16;
  } else {
    const unsigned x = sums[1] + (sums[0] >> 8), y = sums[2] + (x >> 8), z = sums[3] + (y >> 8);
    low = __byte_perm(__byte_perm(sums[0], x, 0x0040), __byte_perm(y, z, 0x0040), 0x5410);
    high = z >> 8;
  }
}

// The carry of a tile into the next one.
struct Carry {
  unsigned above;  // of its last word, in lane 0
  unsigned bit;
};

// The words of a tile: one ballot step.
__device__ __forceinline__ unsigned resolve(unsigned low, unsigned high, Carry& carry, unsigned lane) {
  const unsigned in = from_below(high, carry.above, lane);
  unsigned word = low + in;
  const unsigned generates = __ballot_sync(0xffffffffu, word < in), passes = __ballot_sync(0xffffffffu, word == 0xffffffffu);
  // No lane generates and propagates.
  const unsigned long long sum = (unsigned long long)(generates | passes) + generates + carry.bit;
  carry.bit = (unsigned)(sum >> 32);
  if ((((unsigned)sum ^ passes) >> lane) & 1) word++;
  return word;
}

// A word of the result: its bits above BITS are zero.
__device__ __forceinline__ unsigned fit(unsigned word, unsigned value) {
  if (BITS % 32 == 0 && FULL_WORDS == RESULT_W) return value;
  return word < FULL_WORDS ? value : word == FULL_WORDS ? value & TOP_MASK : 0;
}

// Word `word` of the result, which lies at `to`.
__device__ __forceinline__ void store(unsigned* to, unsigned word, unsigned value) {
  constexpr bool WHOLE = WIDE ? OUT_GROUPS * KM * TILE == RESULT_W : W % TILE == 0;
  if (WHOLE || word < RESULT_W) __stcs(to, fit(word, value));
}
