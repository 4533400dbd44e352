// modmul_rns_group_moduli.cuh: where the constants of each modulus lie that a warpgroup reads. docs/modmul_rns.md.
//
// A team is a warpgroup and has TEAM_INSTANCES = 8 NT instances, a column each. Lane 4 g + t of warp w has residue
// 4 w + g / 2 of each unit of 16 residues, of instance 2 t + g % 2 of each of NT tiles of 8. The constants of these lie
// together, so that a thread loads vectors: unit by unit, base 1 first. The last instance stands for those that the last
// team lacks.

constexpr unsigned TEAM_INSTANCES = 8 * NT;
constexpr unsigned V = NT;                             // residues of a thread in a unit
constexpr unsigned UNITS = (KR + 15) / 16;             // of a base
constexpr unsigned PADDED = 16 * UNITS;                // residues of a base, with the rest of the last unit
constexpr unsigned MODULUS_WORDS = 2 * PADDED;         // of an instance
constexpr unsigned UNIT_MODULI = 16 * TEAM_INSTANCES;  // of a unit of a team

// The place of a residue of a team's instance of this number; those of base 2 follow PADDED residues of base 1.
__device__ __forceinline__ unsigned modulus_place(unsigned instance, unsigned residue) {
  const unsigned warp = residue % 16 / 4, g = residue % 4 * 2 + instance % 2, t = instance % 8 / 2;
  return residue / 16 * UNIT_MODULI + (32 * warp + 4 * g + t) * V + instance / 8;
}
