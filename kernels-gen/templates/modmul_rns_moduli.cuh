// modmul_rns_moduli.cuh: where the constants of each modulus lie, one of each residue of both bases.
// docs/modmul_rns.md.
//
// A team has GROUP instances. Lane 4 g + t of its warps has residue g of each unit of 8 residues, of 2 NT
// instances. Their constants lie together, so that the lane loads vectors: unit by unit, base 1 first, 2 NT
// words of each lane. The last instance stands for those that the last team lacks.

constexpr unsigned GROUP = 8 * NT;                     // instances of a team
constexpr unsigned PADDED = (KR + 7) / 8 * 8;          // residues of a base, with the rest of the last unit
constexpr unsigned MODULUS_WORDS = 2 * PADDED;         // of an instance
constexpr unsigned UNIT_MODULI = 8 * GROUP;            // of a unit of a team

// The place of a residue of a team's instance `column`; those of base 2 follow PADDED residues of base 1.
__device__ __forceinline__ unsigned modulus_place(unsigned column, unsigned residue) {
  const unsigned lane = residue % 8 * 4 + column % 8 / 2;
  return residue / 8 * UNIT_MODULI + lane * (2 * NT) + column / 8 * 2 + column % 2;
}
