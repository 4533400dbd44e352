//! Sums, differences and products of values over a prime field, value by value.

use limbforge_field::DynField;
use rayon::prelude::*;

/// An operation on two values of a prime field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elementwise {
    /// a + b.
    Add,
    /// a - b.
    Sub,
    /// a b: of transforms of two polynomials, the transform of their product.
    Mul,
}

impl Elementwise {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Add, Self::Sub, Self::Mul];

    /// The name, as in `mul`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Sub => "sub",
            Self::Mul => "mul",
        }
    }

    /// The results for residues in `0..p`, on all cores; `b` is repeated as often as `a` is longer.
    ///
    /// ```
    /// use limbforge_algos::transform::elementwise::Elementwise;
    /// use limbforge_field::DynField;
    ///
    /// let field = DynField::new(97)?;
    /// assert_eq!(Elementwise::Mul.of(&field, &[1, 2, 50, 60], &[2, 96]), [2, 95, 3, 37]);
    /// # Ok::<(), limbforge_field::FieldError>(())
    /// ```
    #[must_use]
    pub fn of(self, field: &DynField, a: &[u64], b: &[u64]) -> Vec<u64> {
        let one = |(i, a): (usize, &u64)| {
            let (a, b) = (field.element(*a), field.element(b[i % b.len()]));
            field.value(match self {
                Self::Add => field.add(a, b),
                Self::Sub => field.sub(a, b),
                Self::Mul => field.mul(a, b),
            })
        };
        a.par_iter().enumerate().with_min_len(1 << 10).map(one).collect()
    }
}
