//! Products modulo numbers, each with its own: a product and a division.

use core::array::from_fn;

use super::lanes::WIDTH;
use super::{Divider, Eight, Multiplier, Path};

/// Memory of products modulo numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Residues {
    multiplier: Multiplier,
    divider: Divider,
    products: Vec<u64>,
}

impl Residues {
    /// Writes `a * b mod m`, in the words of the results, for moduli that are not 0.
    pub(crate) fn multiply(
        &mut self,
        path: Path,
        results: [&mut [u64]; WIDTH],
        a: [&[u64]; WIDTH],
        b: [&[u64]; WIDTH],
        moduli: [&[u64]; WIDTH],
    ) {
        let words = (0..WIDTH).map(|lane| a[lane].len() + b[lane].len()).max().unwrap_or(0);
        self.products.resize(WIDTH * words, 0);
        let mut products = self.products.chunks_exact_mut(words.max(1));
        let factors = if a == b { Eight::Squares(a) } else { Eight::Pairs(a, b) };
        self.multiplier.run(path, from_fn(|_| products.next().unwrap_or_default()), factors);
        let mut products = self.products.chunks_exact(words.max(1));
        let products = from_fn(|_| products.next().unwrap_or_default());
        self.divider.run(path, from_fn(|_| Default::default()), results, products, moduli);
    }
}
