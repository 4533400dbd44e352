// modmul_rns_moduli.cuh: where the constants of each modulus lie, one of each residue of both bases.
// docs/modmul_rns.md.
//
// A team has GROUP columns of residues, COLUMNS for each of its instances. Lane 4 g + t of its warps has residue g
// of each unit of 8 residues, of 2 NT columns and so of OWN instances. The constants of these lie together, so that
// the lane loads vectors: unit by unit, base 1 first, OWN words of each lane. The last instance stands for those
// that the last team lacks.

constexpr unsigned GROUP = 8 * NT;                     // columns of a team
constexpr unsigned TEAM_INSTANCES = GROUP / COLUMNS;
constexpr unsigned TILE_INSTANCES = 8 / COLUMNS;       // of a tile of 8 columns
constexpr unsigned PAIR = 2 / COLUMNS;                 // of a lane's two columns of a tile
constexpr unsigned OWN = PAIR * NT;                    // of a lane
constexpr unsigned PADDED = (KR + 7) / 8 * 8;          // residues of a base, with the rest of the last unit
constexpr unsigned MODULUS_WORDS = 2 * PADDED;         // of an instance
constexpr unsigned UNIT_MODULI = 8 * TEAM_INSTANCES;   // of a unit of a team

// The place of a residue of a team's instance of this number; those of base 2 follow PADDED residues of base 1.
__device__ __forceinline__ unsigned modulus_place(unsigned instance, unsigned residue) {
  const unsigned lane = residue % 8 * 4 + instance % TILE_INSTANCES / PAIR;
  return residue / 8 * UNIT_MODULI + lane * OWN + instance / TILE_INSTANCES * PAIR + instance % PAIR;
}
