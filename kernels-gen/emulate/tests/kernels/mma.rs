//! The tensor-core products against the matrix product.

use limbforge_emulate::Schedule;
use limbforge_needs::needs;
use proptest::prelude::*;

use crate::{build, kernel};

/// A (16 x 32, rows) and B (32 x 8, columns) as bytes in memory; D as words in rows of 8.
const BODY: &str = "const unsigned g = threadIdx.x / 4, t = threadIdx.x % 4;
  const unsigned fa[4] = {a[8 * g + t], a[8 * (g + 8) + t], a[8 * g + t + 4], a[8 * (g + 8) + t + 4]};
  const unsigned fb[2] = {b[8 * g + t], b[8 * g + t + 4]};
  int d[4] = {1, 2, 3, 4};
  MULTIPLY
  out[8 * g + 2 * t] = d[0];
  out[8 * g + 2 * t + 1] = d[1];
  out[8 * (g + 8) + 2 * t] = d[2];
  out[8 * (g + 8) + 2 * t + 1] = d[3];";

/// As one product, and as the four small ones of its quarters.
const PRODUCTS: [&str; 2] = [
    "limbforge_emulate::mma_u8<16, 32>(d, fa, fb);",
    "for (unsigned row = 0; row < 2; row++) {
    int sums[2] = {d[2 * row], d[2 * row + 1]};
    for (unsigned half = 0; half < 2; half++) limbforge_emulate::mma_u8<8, 16>(sums, {fa[2 * half + row]}, {fb[half]});
    d[2 * row] = sums[0], d[2 * row + 1] = sums[1];
  }",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[needs(cxx)]
    #[test]
    fn products_of_bytes_are_exact(a in prop::collection::vec(any::<u8>(), 512), b in prop::collection::vec(any::<u8>(), 256)) {
        for product in PRODUCTS {
            let body = BODY.replace("MULTIPLY", product);
            let mma = build(&kernel(&["a", "b"], 32, 0, &body));
            let found = mma.run(&[&a, &b], 512, 1, Schedule::Random(2)).unwrap();
            for (i, word) in found.chunks(4).enumerate() {
                let (row, column) = (i / 8, i % 8);
                let dot: u32 = (0..32).map(|k| u32::from(a[32 * row + k]) * u32::from(b[32 * column + k])).sum();
                let start = [[1, 2], [3, 4]][row / 8][column % 2];
                prop_assert_eq!(word, (dot + start).to_le_bytes(), "{} row {}, column {}", product, row, column);
            }
        }
    }
}
