//! The distinct operands of a benchmark.

use limbforge::{algos::expr::Dag, limb::IntType, prelude::*};

use super::operands::{Operands, Places};
use crate::error::CliError;

/// Every shape of integer in every relation to its neighbour, twice.
const STRUCTURED: usize = 112;

/// The least number of distinct instances, and their bits; the others repeat them.
const TILE_INSTANCES: usize = 5 * STRUCTURED;
const TILE_BITS: usize = 1 << 24;

/// The names of operands in measured expressions.
pub const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

/// Oancea and Watt's polynomial.
pub const POLY: &str = "(a*a + b)*(b*b + b) + a*b";

/// The width of a division's second operand, in that of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Divisors {
    /// As wide as the first one.
    #[default]
    Full,
    Half,
    /// One limb.
    Limb,
}

/// Distinct instances: few are structured, the others uniform, so that times are those of random integers.
#[derive(Debug)]
pub struct Tile<B> {
    /// By [`NAMES`].
    pub(super) batches: Vec<Batch<B>>,
    second: Divisors,
    /// The second operand at full width.
    full_second: Option<Batch<B>>,
    /// The operand that all instances share, by its number.
    pub(super) shared: Option<(usize, Batch<B>)>,
}

impl<B: Base> Tile<B> {
    /// The first `operands` operands, for batches of this many instances.
    pub fn new(ty: IntType, instances: u64, operands: usize) -> Result<Self, CliError> {
        let most = usize::try_from(instances).unwrap_or(usize::MAX);
        let count = (TILE_BITS / ty.bits() as usize).max(TILE_INSTANCES).min(most);
        let mut source = Operands::new(u64::from(ty.bits()));
        let batches = source.batches::<B>(ty, operands, count, Places::default());
        let mut batches = batches.map_err(EvalError::from)?;
        for batch in &mut batches {
            source.uniform(batch, STRUCTURED);
        }
        let full_second = batches.get(1).cloned();
        Ok(Self { batches, second: Divisors::Full, full_second, shared: None })
    }

    /// Cuts the second operand down to this width; false if it has it.
    pub fn set_second(&mut self, second: Divisors) -> bool {
        let Some(mut divisors) = self.full_second.clone().filter(|_| self.second != second) else {
            return false;
        };
        let kept = match second {
            Divisors::Full => divisors.limbs_per_instance(),
            Divisors::Half => divisors.limbs_per_instance().div_ceil(2),
            Divisors::Limb => 1,
        };
        for i in 0..divisors.instances() {
            let mut limbs = divisors.instance(i);
            limbs[kept..].fill(B::ZERO);
            divisors.set_instance(i, &limbs);
        }
        self.batches[1] = divisors;
        self.second = second;
        true
    }

    /// Lets all instances share an operand, its last instance, which is random; or none.
    pub fn set_shared(&mut self, operand: Option<&str>) -> Result<(), CliError> {
        self.shared = None;
        if let Some(number) = operand.and_then(number) {
            let all = &self.batches[number];
            let mut batch = Batch::zeros(all.ty(), all.layout(), 1).map_err(EvalError::from)?;
            batch.set_instance(0, &all.instance(all.instances() - 1));
            self.shared = Some((number, batch));
        }
        Ok(())
    }

    /// The operands of an expression, by their names.
    pub fn named(&self, dag: &Dag) -> Vec<(&'static str, &Batch<B>)> {
        let batch = |i: usize| match &self.shared {
            Some((number, one)) if *number == i => Some(one),
            _ => self.batches.get(i),
        };
        dag.inputs().filter_map(number).filter_map(|i| Some((NAMES[i], batch(i)?))).collect()
    }
}

/// The limbs of a tile, repeated up to this many instances.
pub fn repeated<B: Base>(tile: &Batch<B>, instances: usize) -> Vec<B> {
    let len = instances.saturating_mul(tile.limbs_per_instance());
    let mut limbs = Vec::with_capacity(len);
    while limbs.len() < len {
        limbs.extend_from_slice(&tile.limbs()[..tile.limbs().len().min(len - limbs.len())]);
    }
    limbs
}

/// The number of operands up to the last one that an expression takes; None if it takes one of another name.
pub fn operand_count(dag: &Dag) -> Option<usize> {
    dag.inputs().try_fold(0, |most: usize, name| Some(most.max(number(name)? + 1)))
}

/// An operand's number.
pub(super) fn number(name: &str) -> Option<usize> {
    NAMES.iter().position(|other| *other == name)
}

/// Instances of a batch of this many bits, at least 64.
pub fn instances(ty: IntType, batch_bits: u64) -> u64 {
    (batch_bits / u64::from(ty.bits())).max(64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_have_the_names_of_letters() {
        let count = |text: &str| operand_count(&Expr::parse(text).unwrap().to_dag());
        assert_eq!((count("a*b"), count("a*a"), count("b + d")), (Some(2), Some(1), Some(4)));
        assert_eq!((count("a*b + c*d + e*f"), count("a*g"), count("3")), (Some(6), None, Some(0)));
    }

    #[test]
    fn tiles_are_structured_first_and_random_after_that() {
        let tile = |bits, instances| {
            let ty = IntType::unsigned(bits).unwrap();
            Tile::<u64>::new(ty, instances, 3).unwrap().batches
        };
        let all = tile(512, 1 << 20);
        let [a, b, _] = &*all else { panic!("{} operands", all.len()) };
        assert_eq!((a.instances(), b.instances()), (1 << 15, 1 << 15));
        let ones = |batch: &Batch<u64>, range: std::ops::Range<usize>| {
            range.filter(|&i| batch.instance(i) == [u64::MAX; 8]).count()
        };
        assert!(ones(a, 0..STRUCTURED) >= 16 && ones(a, STRUCTURED..a.instances()) == 0);
        assert_ne!(a, b);
        assert_eq!((tile(1 << 18, 1 << 20)[0].instances(), tile(512, 64)[1].instances()), (560, 64));
        assert_eq!(repeated(&all[0], (1 << 15) + 1)[1 << 18..], all[0].instance(0));
    }
}
