//! Polynomials over prime fields, pair by pair.

use limbforge_algos::poly::{PolyError, PolyRing};
use limbforge_algos::transform::context::Context;
use limbforge_field::DynField;
use rayon::prelude::*;

use super::gpu::Gpu;
use super::{Engine, EngineError};

/// A polynomial as the methods of an [`Engine`] take and give it: coefficients from low to high.
/// `Vec<C::Element>` is one over the field C, and [`Poly<F>`](limbforge_algos::poly::Poly) over the field F
/// of its type.
pub trait Coefficients<E>: AsRef<[E]> + From<Vec<E>> + Send + Sync {}

impl<E, P: AsRef<[E]> + From<Vec<E>> + Send + Sync> Coefficients<E> for P {}

/// What is computed of a pair.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    Mul,
    DivRem,
    Gcd,
}

/// A result of every operation: a product or gcd, or a quotient and a remainder.
type Found<C> = [Vec<<C as Context>::Element>; 2];

/// Operands that go together: as many of both, or one of either for all of the other.
struct Pairs<'a, C: Context, P> {
    ring: &'a PolyRing<C>,
    a: &'a [P],
    b: &'a [P],
    count: usize,
}

impl Engine {
    /// The products of polynomials over the ring's field, pair by pair. A slice of one polynomial is used for
    /// all of the other.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let ring = PolyRing::new(DynField::new(97)?);
    /// let a = [ring.from_integers(&[1, 1]), ring.from_integers(&[96, 1])];
    /// let products = Engine::auto().poly_mul(&ring, &a, &[ring.from_integers(&[1, 1])])?;
    /// assert_eq!(ring.to_integers(&products[0]), [1, 2, 1]);
    /// assert_eq!(ring.to_integers(&products[1]), [96, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::PolyCounts`] if neither slice has as many polynomials as the other, or one; of
    /// [`Engine::gpu`] alone, [`EngineError::Spec`] if there is no kernel for the sizes and
    /// [`EngineError::Gpu`] if it fails.
    pub fn poly_mul<C: Context, P: Coefficients<C::Element>>(
        &self,
        ring: &PolyRing<C>,
        a: &[P],
        b: &[P],
    ) -> Result<Vec<P>, EngineError> {
        let found = self.poly(Operation::Mul, &Pairs::new(ring, a, b)?)?;
        Ok(found.into_iter().map(|[product, _]| product.into()).collect())
    }

    /// Quotient and remainder of the polynomials of `a` by those of `b`, pair by pair: `a = q b + r`, r of a
    /// degree below that of b. A slice of one polynomial is used for all of the other.
    ///
    /// ```
    /// use limbforge::field::presets::BabyBear;
    /// use limbforge::prelude::*;
    ///
    /// let a = [Poly::<BabyBear>::from_integers(&[3, 3, 1])]; // (x + 1)(x + 2) + 1
    /// let b = [Poly::from_integers(&[1, 1])];
    /// let (q, r) = &Engine::auto().poly_div_rem(&Poly::<BabyBear>::ring(), &a, &b)?[0];
    /// assert_eq!((q.to_integers(), r.to_integers()), (vec![2, 1], vec![1]));
    /// # Ok::<(), EngineError>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Poly`] naming the first pair whose divisor is 0, and those of
    /// [`poly_mul`](Self::poly_mul).
    pub fn poly_div_rem<C: Context, P: Coefficients<C::Element>>(
        &self,
        ring: &PolyRing<C>,
        a: &[P],
        b: &[P],
    ) -> Result<Vec<(P, P)>, EngineError> {
        let pairs = Pairs::new(ring, a, b)?;
        if let Some(pair) = (0..pairs.count).find(|&i| pairs.at(i)[1].is_empty()) {
            return Err(EngineError::Poly { pair, source: PolyError::ZeroDivisor });
        }
        let found = self.poly(Operation::DivRem, &pairs)?;
        Ok(found.into_iter().map(|[quotient, remainder]| (quotient.into(), remainder.into())).collect())
    }

    /// The monic greatest common divisors of polynomials over the ring's field, pair by pair; 0 for two
    /// polynomials 0. A slice of one polynomial is used for all of the other.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let ring = PolyRing::new(DynField::new(97)?);
    /// let (a, b) = ([ring.from_integers(&[2, 3, 1])], [ring.from_integers(&[3, 4, 1])]);
    /// assert_eq!(ring.to_integers(&Engine::auto().poly_gcd(&ring, &a, &b)?[0]), [1, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`poly_mul`](Self::poly_mul).
    pub fn poly_gcd<C: Context, P: Coefficients<C::Element>>(
        &self,
        ring: &PolyRing<C>,
        a: &[P],
        b: &[P],
    ) -> Result<Vec<P>, EngineError> {
        let found = self.poly(Operation::Gcd, &Pairs::new(ring, a, b)?)?;
        Ok(found.into_iter().map(|[divisor, _]| divisor.into()).collect())
    }

    fn poly<C: Context, P: Coefficients<C::Element>>(
        &self,
        operation: Operation,
        pairs: &Pairs<'_, C, P>,
    ) -> Result<Vec<Found<C>>, EngineError> {
        let on_cpu = |_: &mut ()| pairs.on_cpu(operation);
        self.backend.run(&mut (), |gpu, ()| pairs.on_gpu(operation, gpu), on_cpu)
    }
}

impl<'a, C: Context, P: Coefficients<C::Element>> Pairs<'a, C, P> {
    fn new(ring: &'a PolyRing<C>, a: &'a [P], b: &'a [P]) -> Result<Self, EngineError> {
        let count = match (a.len(), b.len()) {
            (1, count) | (count, 1) => count,
            (a, b) if a == b => a,
            (a, b) => return Err(EngineError::PolyCounts { a, b }),
        };
        Ok(Self { ring, a, b, count })
    }

    /// The coefficients of a pair, without zeros above the leading one.
    fn at(&self, i: usize) -> [&'a [C::Element]; 2] {
        [self.a, self.b].map(|all| self.ring.trimmed(all[if all.len() == 1 { 0 } else { i }].as_ref()))
    }

    fn one_on_cpu(&self, operation: Operation, i: usize) -> Result<Found<C>, EngineError> {
        let [a, b] = self.at(i);
        Ok(match operation {
            Operation::Mul => [self.ring.mul(a, b), vec![]],
            Operation::Gcd => [self.ring.gcd(a, b), vec![]],
            Operation::DivRem => {
                let (quotient, remainder) =
                    self.ring.div_rem(a, b).map_err(|source| EngineError::Poly { pair: i, source })?;
                [quotient, remainder]
            }
        })
    }

    fn on_cpu(&self, operation: Operation) -> Result<Vec<Found<C>>, EngineError> {
        (0..self.count).into_par_iter().map(|i| self.one_on_cpu(operation, i)).collect()
    }

    /// What needs no program is computed by the CPU.
    fn on_gpu(&self, operation: Operation, gpu: &Gpu) -> Result<Vec<Found<C>>, EngineError> {
        // Any root will do: the kernels choose their own.
        let Ok(field) = DynField::new(self.ring.field().modulus()) else { return self.on_cpu(operation) };
        let lengths: Vec<[usize; 2]> = (0..self.count).map(|i| self.at(i).map(<[_]>::len)).collect();
        let pair = |i: usize| self.at(i).map(|coefficients| self.ring.to_integers(coefficients));
        let found = gpu.poly(&field, operation, &lengths, pair)?;
        let results = found.into_par_iter().enumerate().map(|(i, found)| match found {
            Some(results) => Ok(results.map(|residues| self.ring.from_integers(&residues))),
            None => self.one_on_cpu(operation, i),
        });
        results.collect()
    }
}
