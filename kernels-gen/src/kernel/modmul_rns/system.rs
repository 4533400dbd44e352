//! The residue number system of a width, made once for all programs of that width.

use std::sync::{Arc, Mutex, PoisonError};

use limbforge_algos::modmul_rns::{LARGEST_BITS, LEAST_BITS, Plan, Purpose};

use crate::invariant::broken_invariant;

/// Systems that are kept: the last ones that were used.
const KEPT: usize = 8;

static SYSTEMS: Mutex<Vec<System>> = Mutex::new(vec![]);

/// The proved plan of a width, for a modulus of each instance: that of powers, or that of tests of primality.
#[derive(Clone, Debug)]
pub(crate) struct System(Arc<Plan>);

impl System {
    /// Whether there is a system for numbers of so many bits.
    pub(crate) const fn exists(bits: u32) -> bool {
        LEAST_BITS <= bits && bits <= LARGEST_BITS
    }

    /// The system for numbers of so many bits, for which there must be one.
    pub(crate) fn of_bits(bits: u32) -> Self {
        Self::of(bits, Purpose::Powers)
    }

    /// The system for tests of primality of numbers of so many bits, for which there must be one.
    pub(crate) fn for_tests(bits: u32) -> Self {
        Self::of(bits, Purpose::Tests)
    }

    /// The system for sequences of products of sums of numbers of so many bits, for which there must be one.
    pub(crate) fn for_sequences(bits: u32) -> Self {
        Self::of(bits, Purpose::Sequences)
    }

    fn of(bits: u32, purpose: Purpose) -> Self {
        if let Some(known) = Self::known(bits, purpose) {
            return known;
        }
        // Not under the lock: another thread may make it at the same time, which is the same system.
        let plan = match purpose {
            Purpose::Powers => Plan::each(bits),
            Purpose::Tests => Plan::for_tests(bits),
            Purpose::Sequences => Plan::for_sequences(bits),
        };
        let plan = plan.unwrap_or_else(|error| broken_invariant(&error.to_string()));
        let system = Self(Arc::new(plan));
        let mut kept = SYSTEMS.lock().unwrap_or_else(PoisonError::into_inner);
        kept.truncate(KEPT - 1);
        kept.insert(0, system.clone());
        system
    }

    /// The system if it is kept; it is then the last one that was used.
    fn known(bits: u32, purpose: Purpose) -> Option<Self> {
        let mut kept = SYSTEMS.lock().unwrap_or_else(PoisonError::into_inner);
        let is_it = |plan: &Plan| plan.bits == bits && plan.purpose == purpose;
        let at = kept.iter().position(|system| is_it(&system.0))?;
        kept[..=at].rotate_right(1);
        kept.first().cloned()
    }

    pub(crate) fn plan(&self) -> &Plan {
        &self.0
    }

    /// k.
    pub(crate) fn residues(&self) -> u32 {
        self.0.residues() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_width_is_planned_once_while_it_is_among_the_last_ones() {
        let first = System::of_bits(100);
        assert!(Arc::ptr_eq(&first.0, &System::of_bits(100).0));
        let tests = System::for_tests(100);
        let purposes = [tests.plan().purpose, System::of_bits(100).plan().purpose];
        assert_eq!(purposes, [Purpose::Tests, Purpose::Powers]);
        assert_eq!(System::for_sequences(100).plan().purpose, Purpose::Sequences);
        assert!(Arc::ptr_eq(&tests.0, &System::for_tests(100).0));
        for bits in 33..33 + 2 * KEPT as u32 {
            assert_eq!(System::of_bits(bits).plan().bits, bits);
            assert!(System::known(bits, Purpose::Powers).is_some());
        }
        assert!(SYSTEMS.lock().unwrap().len() <= KEPT);
    }
}
