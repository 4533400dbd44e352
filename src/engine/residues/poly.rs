//! Resident polynomials: residues one behind the other, as many terms for each polynomial.

use core::ops::Range;

use limbforge_algos::poly::PolyRing;
use limbforge_field::DynField;
use rayon::prelude::*;

use super::DeviceResidues;
use super::compute::same_field;
use crate::engine::error::ResidueError;
use crate::engine::poly::Operation;
use crate::engine::{Engine, EngineError};

impl Engine {
    /// The products of polynomials that lie one behind the other, coefficients from low to high, all of `a`
    /// with `n` terms and all of `b` with `m`: as many products of n + m - 1 terms, beside them. They are not
    /// waited for.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(97)?);
    /// let a = engine.upload_residues(&field, &[1_u32, 1, 96, 1])?; // x + 1, x - 1
    /// let b = engine.upload_residues(&field, &[1_u32, 1, 1, 1])?; // x + 1, x + 1
    /// let products = engine.poly_mul_residues((&a, 2), (&b, 2))?;
    /// assert_eq!(products.download::<u32>()?, [1, 2, 1, 96, 0, 1]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Residues`] for operands of different fields, or that are not as many polynomials of
    /// these terms; [`EngineError::OtherDevice`] for operands that lie apart or elsewhere; of
    /// [`Engine::gpu`] alone, [`EngineError::Spec`] if there is no kernel for the sizes;
    /// [`EngineError::Gpu`].
    pub fn poly_mul_residues(
        &self,
        a: (&DeviceResidues, usize),
        b: (&DeviceResidues, usize),
    ) -> Result<DeviceResidues, EngineError> {
        self.poly_rows(Operation::Mul, a, b)
    }

    /// The monic greatest common divisors of polynomials that lie as those of
    /// [`poly_mul_residues`](Self::poly_mul_residues) do: as many terms each as the longer operand has, zeros
    /// above the leading one; 0 for two polynomials 0. They are not waited for.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(97)?);
    /// let a = engine.upload_residues(&field, &[2_u32, 3, 1])?; // (x + 1) (x + 2)
    /// let b = engine.upload_residues(&field, &[3_u32, 4, 1])?; // (x + 1) (x + 3)
    /// assert_eq!(engine.poly_gcd_residues((&a, 3), (&b, 3))?.download::<u32>()?, [1, 1, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Those of [`poly_mul_residues`](Self::poly_mul_residues).
    pub fn poly_gcd_residues(
        &self,
        a: (&DeviceResidues, usize),
        b: (&DeviceResidues, usize),
    ) -> Result<DeviceResidues, EngineError> {
        self.poly_rows(Operation::Gcd, a, b)
    }

    /// Quotients and remainders of polynomials that lie as those of
    /// [`poly_mul_residues`](Self::poly_mul_residues) do, n - m + 1 terms and m - 1 terms each. Divisors have a
    /// leading coefficient, their last term, that is not 0: these coefficients alone are waited for.
    ///
    /// ```
    /// use limbforge::field::DynField;
    /// use limbforge::prelude::*;
    ///
    /// let (engine, field) = (Engine::auto(), DynField::new(97)?);
    /// let a = engine.upload_residues(&field, &[3_u32, 3, 1])?; // (x + 1) (x + 2) + 1
    /// let b = engine.upload_residues(&field, &[1_u32, 1])?;
    /// let (quotient, remainder) = engine.poly_div_rem_residues((&a, 3), (&b, 2))?;
    /// assert_eq!((quotient.download::<u32>()?, remainder.download::<u32>()?), (vec![2, 1], vec![1]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EngineError::Residues`] for a leading coefficient 0 and for n below m, too, and those of
    /// [`poly_mul_residues`](Self::poly_mul_residues).
    pub fn poly_div_rem_residues(
        &self,
        (a, n): (&DeviceResidues, usize),
        (b, m): (&DeviceResidues, usize),
    ) -> Result<(DeviceResidues, DeviceResidues), EngineError> {
        pairs((a, n), (b, m))?;
        if n < m {
            return Err(ResidueError::ShortDividends { n, m }.into());
        }
        let leading = self.part(b, m, m - 1..m)?.download::<u64>()?;
        if let Some(pair) = leading.iter().position(|&leading| leading == 0) {
            return Err(ResidueError::LeadingCoefficient { pair, m }.into());
        }
        let both = self.poly_rows(Operation::DivRem, (a, n), (b, m))?;
        let [remainder, quotient] = [2..m + 1, m + 1..n + 2].map(|part| self.part(&both, n + 2, part));
        Ok((quotient?, remainder?))
    }

    /// The results of pairs: products, gcds, or for a division two values, the remainder and the quotient.
    fn poly_rows(
        &self,
        operation: Operation,
        (a, n): (&DeviceResidues, usize),
        (b, m): (&DeviceResidues, usize),
    ) -> Result<DeviceResidues, EngineError> {
        let (field, count) = (a.field, pairs((a, n), (b, m))?);
        let terms = match operation {
            Operation::Mul => n + m - 1,
            Operation::Gcd => n.max(m),
            Operation::DivRem => n + 2,
        };
        self.compute(
            [a, b],
            count * terms,
            |[a, b]| a.poly_rows(&field, operation, b, [n, m], count),
            |[a, b]| {
                let pairs: Vec<[&[u64]; 2]> = a.chunks(n).zip(b.chunks(m)).map(|(a, b)| [a, b]).collect();
                let found = pairs.into_par_iter().map(|pair| one(field, operation, pair, terms));
                Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
            },
        )
    }

    /// Neighbouring values of each row of so many.
    fn part(
        &self,
        values: &DeviceResidues,
        row: usize,
        part: Range<usize>,
    ) -> Result<DeviceResidues, EngineError> {
        let count = values.count / row;
        if part.is_empty() {
            return self.upload_residues::<u64>(&values.field, &[]);
        }
        self.compute(
            [values; 2],
            count * part.len(),
            |[of, _]| of.part(&values.field, row, part.clone(), count),
            |[values, _]| Ok(values.chunks(row).flat_map(|row| row[part.clone()].to_vec()).collect()),
        )
    }
}

/// The number of pairs.
fn pairs((a, n): (&DeviceResidues, usize), (b, m): (&DeviceResidues, usize)) -> Result<usize, ResidueError> {
    same_field(a, b)?;
    let (a, b) = (a.count, b.count);
    let whole = n > 0 && m > 0 && a.is_multiple_of(n) && b.is_multiple_of(m);
    if whole && a / n == b / m {
        return Ok(a / n);
    }
    Err(ResidueError::Polynomials { a, a_terms: n, b, b_terms: m })
}

/// The result of a pair, of so many values.
fn one(
    field: DynField,
    operation: Operation,
    pair: [&[u64]; 2],
    terms: usize,
) -> Result<Vec<u64>, EngineError> {
    let ring = PolyRing::new(field);
    let m = pair[1].len();
    let [a, b] = pair.map(|values| ring.from_integers(values));
    let mut found = match operation {
        Operation::Mul => ring.to_integers(&ring.mul(&a, &b)),
        Operation::Gcd => ring.to_integers(&ring.gcd(&a, &b)),
        Operation::DivRem => {
            let divided = ring.div_rem(&a, &b);
            let (quotient, remainder) = divided.map_err(|source| EngineError::Poly { pair: 0, source })?;
            let mut remainder = ring.to_integers(&remainder);
            remainder.resize(m - 1, 0);
            [vec![0; 2], remainder, ring.to_integers(&quotient)].concat()
        }
    };
    // The ring drops zeros above the leading coefficients.
    found.resize(terms, 0);
    Ok(found)
}
