// mul_tensor_square.cuh: the coefficients of a square, in which products of two different digits occur twice.
//
// In tile M, products with a digit below 64M are added up once and doubled: steps tau < 2M, and the lower
// digits of step 2M. The others are products of digits from 64M on, steps 2M to 2M + 3 with zeros below: 2M +
// 5 steps instead of 4M + 4. Digit 64M is where Toeplitz fragment 2M begins in its first column less 18, and
// data 2M in its first row.

static_assert(QUADS && FIRST == 0 && !WIDE && !PAIRED, "squares are laid out as quads, in whole groups");

// The parts of the fragments of steps 2M to 2M + 3 at or above digit 64M.
struct Upper {
  unsigned toeplitz[2];  // bytes, of step 2M
  int data;              // pairs of words from that digit to the lane's, in step 2M

  __device__ __forceinline__ explicit Upper(unsigned lane) {
    const int g = (int)lane / 4, t = (int)lane % 4;
#pragma unroll
    for (int h = 0; h < 2; h++) {
      const int last = 4 * (g / 2) + g % 2 - 10 + 8 * t + 4 * h;
      toeplitz[h] = last >= 3 ? 0xffffffffu : last == 2 ? 0x00ffffffu : 0;
    }
    data = 2 * g + 1 - t;
  }

  // Data of step 2M + tau without digits below.
  __device__ __forceinline__ void mask(unsigned (&to)[4], const unsigned (&from)[4], int tau) const {
    const int pairs = data - 4 * tau;
    to[0] = pairs >= 0 ? from[0] : 0;
    to[1] = pairs >= 0 ? from[1] : 0;
    to[2] = pairs > 0 ? from[2] : pairs == 0 ? from[2] & 0xffff0000u : 0;
    to[3] = pairs >= 0 ? from[3] : 0;
  }
};

// Step 2M + tau of tile M, tau from 0 to 3: before the first one the sums are doubled.
__device__ __forceinline__ void add_middle(unsigned (&sums)[4], const unsigned (&data)[4], const unsigned (&toeplitz)[2], int tau, const Upper& upper) {
  unsigned above[4];
  upper.mask(above, data, tau);
  if (tau > 0) {
    mma_u8(sums, above, toeplitz);
    return;
  }
  const unsigned below[2] = {toeplitz[0] & ~upper.toeplitz[0], toeplitz[1] & ~upper.toeplitz[1]};
  mma_u8(sums, data, below);
#pragma unroll
  for (unsigned k = 0; k < 4; k++) sums[k] *= 2;
  const unsigned rest[2] = {toeplitz[0] & upper.toeplitz[0], toeplitz[1] & upper.toeplitz[1]};
  mma_u8(sums, above, rest);
}

// Tiles 0 to COUNT - 1.
template <unsigned COUNT>
__device__ __forceinline__ void square_first(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], const Fragments& from, const Upper& upper, unsigned lane) {
#pragma unroll
  for (unsigned i = 0; i < 4 * COUNT; i++) {
    unsigned data[4];
    from.load_data(data, i);
    if (i < 2 * COUNT + 2) from.load_toeplitz(ring[i], i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) {
      const int tau = (int)i - 4 * (int)(COUNT - 1 - j), middle = tau - 2 * (int)j;
      if (tau < 0 || middle > 3) continue;
      if (j == 0 || middle < 0) mma_u8(sums[j], data, ring[tau]);
      else add_middle(sums[j], data, ring[tau], middle, upper);
    }
  }
}

// STEPS steps before the middle of any tile, the ring's next place at PLACE.
template <unsigned COUNT, unsigned STEPS, unsigned PLACE, bool TRIANGLE>
__device__ __forceinline__ void square_steps(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], Fragments& from, unsigned lane) {
  constexpr unsigned RING = 4 * COUNT;
#pragma unroll
  for (unsigned i = 0; i < STEPS; i++) {
    unsigned data[4];
    from.load_data(data, i);
    from.load_toeplitz(ring[(PLACE + i) % RING], i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) {
      const unsigned later = 4 * (COUNT - 1 - j);
      if (!TRIANGLE || i >= later) mma_u8(sums[j], data, ring[(PLACE + i + RING - later) % RING]);
    }
  }
  from.move_steps(STEPS);
}

// The steps from the top tile's middle on to the end of the lowest one's.
template <unsigned COUNT, unsigned PLACE>
__device__ __forceinline__ void square_last(unsigned (&sums)[COUNT][4], unsigned (&ring)[4 * COUNT][2], const Fragments& from, const Upper& upper, unsigned lane) {
  constexpr unsigned RING = 4 * COUNT;
#pragma unroll
  for (unsigned i = 0; i < 2 * COUNT + 2; i++) {
    unsigned data[4];
    from.load_data(data, i);
    if (i < 4) from.load_toeplitz(ring[(PLACE + i) % RING], i);
#pragma unroll
    for (unsigned j = 0; j < COUNT; j++) {
      const unsigned below = COUNT - 1 - j, at = (PLACE + i + RING - 4 * below) % RING;
      const int middle = (int)i - 2 * (int)below;
      if (middle < 0) mma_u8(sums[j], data, ring[at]);
      else if (middle <= 3) add_middle(sums[j], data, ring[at], middle, upper);
    }
  }
}

// The coefficients of a square's COUNT tiles from `first`, a multiple of COUNT, on: into sums that are zero.
template <unsigned COUNT>
__device__ __forceinline__ void square_group(unsigned (&sums)[COUNT][4], Fragments from, unsigned first, unsigned lane) {
  unsigned ring[4 * COUNT][2];
  const Upper upper(lane);
  from.move_data((int)(first + COUNT - 1));
  if (GROUPS == 1 || first == 0) {
    square_first(sums, ring, from, upper, lane);
    return;
  }
  constexpr unsigned BEGIN = 4 * COUNT - 2;
  square_steps<COUNT, BEGIN, 0, true>(sums, ring, from, lane);
  unsigned halves = first / COUNT - 1;
#pragma unroll 1
  for (; halves > 1; halves -= 2) square_steps<COUNT, 4 * COUNT, BEGIN, false>(sums, ring, from, lane);
  if (GROUPS > 2 && halves) {
    square_steps<COUNT, 2 * COUNT, BEGIN, false>(sums, ring, from, lane);
    // Half a round further: back to where the next place is a constant.
#pragma unroll
    for (unsigned i = 0; i < 2 * COUNT; i++) {
#pragma unroll
      for (unsigned k = 0; k < 2; k++) {
        const unsigned other = ring[i + 2 * COUNT][k];
        ring[i + 2 * COUNT][k] = ring[i][k];
        ring[i][k] = other;
      }
    }
  }
  square_last<COUNT, BEGIN>(sums, ring, from, upper, lane);
}
