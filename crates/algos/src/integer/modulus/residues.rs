//! Common operations of residues of both kinds of moduli: sums, differences, conversion to words and back.

use core::cmp::Ordering;

use limbforge_limb::slice::{add, cmp, sub};

/// `out = a + b mod m` for residues.
pub(crate) fn sum(out: &mut [u64], a: &[u64], b: &[u64], modulus: &[u64]) {
    let over = add::add(out, a, b, false);
    if over || cmp::cmp(out, modulus) != Ordering::Less {
        sub::sub_assign(out, modulus, false);
    }
}

/// `out = a - b mod m` for residues.
pub(crate) fn difference(out: &mut [u64], a: &[u64], b: &[u64], modulus: &[u64]) {
    if sub::sub(out, a, b, false) {
        add::add_assign(out, modulus, false);
    }
}

/// A word as n words.
pub(super) fn small(word: u64, n: usize) -> Vec<u64> {
    let mut words = vec![0; n];
    words[0] = word;
    words
}

/// `limbs`, `add`, `sub` and `on_pair` of a modulus with the fields `modulus` and `len`.
macro_rules! methods {
    ($Context:ident) => {
        impl<B: Base> $Context<B> {
            /// M, the limbs of the modulus as it was given and of residues.
            #[must_use]
            pub const fn limbs(&self) -> usize {
                self.len
            }

            /// `out = a + b mod m`.
            ///
            /// # Panics
            /// Unless all have M limbs.
            pub fn add(&self, out: &mut [B], a: &[B], b: &[B]) {
                self.on_pair(out, a, b, |out, a, b| {
                    $crate::integer::modulus::residues::sum(out, a, b, &self.modulus);
                });
            }

            /// `out = a - b mod m`.
            ///
            /// # Panics
            /// Unless all have M limbs.
            pub fn sub(&self, out: &mut [B], a: &[B], b: &[B]) {
                self.on_pair(out, a, b, |out, a, b| {
                    $crate::integer::modulus::residues::difference(out, a, b, &self.modulus);
                });
            }

            /// Runs `operation` on the words of the residues, as many as the modulus has.
            fn on_pair(
                &self,
                out: &mut [B],
                a: &[B],
                b: &[B],
                operation: impl FnOnce(&mut [u64], &[u64], &[u64]),
            ) {
                let lens = [out.len(), a.len(), b.len()];
                assert!(lens.into_iter().all(|len| len == self.len), "the limbs of the modulus");
                let n = self.modulus.len();
                let (a, b) = ($crate::integer::modulus::packed(a), $crate::integer::modulus::packed(b));
                let mut words = vec![0; n];
                operation(&mut words, &a[..n], &b[..n]);
                $crate::integer::modulus::unpack(out, words);
            }
        }
    };
}

pub(super) use methods;
