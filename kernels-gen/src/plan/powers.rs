//! The batches for which powers by products of matrices are faster: in residue number systems, `docs/modmul_rns.md`, or by
//! folds, `docs/modmul_fold.md`.

use core::fmt;

use limbforge_algos::expr::Op;
use limbforge_limb::Layout;

use super::planner::Planner;
use crate::kernel::modmul_fold;
use crate::kernel::modmul_rns::{Shape, System};
use crate::pipeline::{Product, ProgramSpec};
use crate::spec::{Limits, SpecError};

/// The architecture on which both were measured.
pub(super) const MEASURED: u32 = 90;

/// (bits, rate over the classical one) of whole waves on an H200.
pub(super) type Gains = &'static [(u32, f64)];

/// Powers of full-length exponents with a modulus each, by warps: `benches/results/h200/powmod-rns.jsonl`.
const POWERS: Gains = &[(1024, 1.38), (2048, 2.06), (3072, 3.11), (4096, 2.60), (8192, 2.26)];

/// The same by warpgroups, where the kernels have them; at 1792 bits the gain of warps at 1024 bits, times that of
/// warpgroups over warps at 1800.
const POWERS_OF_WARPGROUPS: Gains =
    &[(1792, 1.65), (2048, 2.24), (3072, 3.88), (4096, 3.17), (5000, 4.83), (6000, 4.50), (8192, 2.98)];

/// Tests of operands of which some have long runs of squares: `benches/results/h200/primality-rns.jsonl`.
const STRONG_TESTS: Gains = &[(1024, 1.08), (2048, 1.24)];

/// Tests of primes: `benches/results/h200/primality-rns.jsonl`. Of random odd numbers they gain more.
const PRIMES: Gains = &[(1024, 1.65), (2048, 2.44), (3072, 2.37), (4096, 3.02)];

/// Powers of full-length exponents modulo one number, by folds: `benches/results/h200/powmod-fold.jsonl`.
const FOLDS: Gains = &[
    (192, 1.90),
    (256, 1.31),
    (384, 1.59),
    (512, 1.78),
    (640, 1.99),
    (768, 2.09),
    (896, 2.76),
    (1024, 2.26),
    (1152, 4.95),
    (1280, 4.16),
    (1408, 3.49),
    (1536, 2.94),
];

/// The row of an operation that runs in a residue number system, by warpgroups or by warps.
const fn gains(op: &Op, warpgroups: bool) -> Option<Gains> {
    match op {
        Op::PowMod => Some(if warpgroups { POWERS_OF_WARPGROUPS } else { POWERS }),
        Op::IsStrongProbablePrime => Some(STRONG_TESTS),
        // Chains of products are by warps.
        Op::IsPrime => Some(if warpgroups { &[] } else { PRIMES }),
        _ => None,
    }
}

/// Exponents below this share of the width take as long to enter and leave the system as they gain.
const SHORT: u32 = 4;

/// A program whose powers are faster by products of matrices, and from how many instances on.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixPowers {
    /// The same specification with [`Product::Rns`], [`Product::RnsWarps`] or [`Product::Fold`].
    pub spec: ProgramSpec,
    /// Instances that a multiprocessor has at once. Fewer take as long.
    pub wave: u64,
    /// Rate over that of the classical product, for whole waves.
    pub gain: f64,
    /// The operands that are exponents, if all exponents are operands.
    pub exponents: Option<Vec<usize>>,
}

impl Planner {
    /// The programs with their powers in residue number systems, by warpgroups and by warps, and by folds, those that were
    /// measured at this width and on this architecture, if no exponent is a short constant.
    ///
    /// ```
    /// use limbforge_algos::expr::Expr;
    /// use limbforge_kernels_gen::{InputSpec, LimbKind, Limits, Planner, Product, ProgramSpec, Target};
    /// use limbforge_limb::{IntType, Layout};
    ///
    /// let dag = Expr::parse("powmod(a, e, m)")?.to_dag();
    /// let output = Layout::InstanceMajor;
    /// let inputs = dag.inputs().map(|name| InputSpec::integers(name, output, false)).collect();
    /// let (ty, limb) = (IntType::unsigned(2048)?, LimbKind::of::<u64>());
    /// let (product, target) = (Product::Auto, Target::Cuda);
    /// let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
    /// let powers = Planner::new(90).matrix_powers(&spec, &Limits::SM_90A)?;
    /// let [by_warpgroups, by_warps] = &powers[..] else { panic!("measured at 2048 bits") };
    /// // An H200 has 132 multiprocessors with 128 instances each: 16896 take as long as 8000.
    /// assert!(by_warps.pays(16_896, 132) && !by_warps.pays(8000, 132));
    /// // Warpgroups have 288 of them, and are faster where that many come.
    /// assert!(by_warpgroups.pays(38_016, 132) && !by_warpgroups.pays(16_896, 132));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SpecError::SharedMemory`] if no block fits the limits.
    pub fn matrix_powers(&self, spec: &ProgramSpec, limits: &Limits) -> Result<Vec<MatrixPowers>, SpecError> {
        if self.device().arch != MEASURED {
            return Ok(vec![]);
        }
        let mut layouts = spec.inputs.iter().map(|input| input.layout).chain([spec.output]);
        // Batches that cannot be cut would have tables of powers of all instances.
        if layouts.any(|layout| layout == Layout::Interleaved) {
            return Ok(vec![]);
        }
        if spec.product != Product::Auto || spec.ty.is_signed() || !System::exists(spec.ty.bits()) {
            return Ok(vec![]);
        }
        let nodes = spec.dag.nodes();
        let powers = || nodes.iter().filter(|node| matches!(node.op, Op::PowMod));
        let exponents: Vec<&Op> = powers().map(|node| &nodes[node.args[1].index()].op).collect();
        let is_short =
            |op: &&Op| matches!(op, Op::Literal(value) if value.bits() < (spec.ty.bits() / SHORT).into());
        if exponents.iter().any(is_short) {
            return Ok(vec![]);
        }
        let operand = |op: &&Op| match op {
            Op::Input(name) => spec.inputs.iter().position(|input| *input.name == **name),
            _ => None,
        };
        let is_for_all = |op: &Op| match op {
            Op::Input(name) => spec.inputs.iter().any(|input| *input.name == **name && input.broadcast),
            Op::Literal(_) => true,
            _ => false,
        };
        let one_modulus = powers().all(|node| is_for_all(&nodes[node.args[2].index()].op));
        let exponents: Option<Vec<usize>> = exponents.iter().map(operand).collect();
        let system = System::of_bits(spec.ty.bits());
        let shape = |warpgroups| system.power_shape(one_modulus, &Limits { warpgroups, ..*limits });
        let (best, by_warps) = (shape(limits.warpgroups)?, shape(false)?);
        let forms = [best].into_iter().chain((best != by_warps).then_some(by_warps));
        let by_residues = |shape: Shape| {
            let gain = gain_of(spec, shape.warpgroups)?;
            let product = if shape == best { Product::Rns } else { Product::RnsWarps };
            let spec = ProgramSpec { product, ..spec.clone() };
            Some(MatrixPowers { spec, wave: shape.instances().into(), gain, exponents: exponents.clone() })
        };
        let powers: Vec<MatrixPowers> = forms.filter_map(by_residues).collect();
        let folds = if one_modulus { self.powers_by_folds(spec, limits, &exponents)? } else { None };
        Ok(powers.into_iter().chain(folds).collect())
    }

    /// The program with all its powers by folds.
    fn powers_by_folds(
        &self,
        spec: &ProgramSpec,
        limits: &Limits,
        exponents: &Option<Vec<usize>>,
    ) -> Result<Option<MatrixPowers>, SpecError> {
        let words = spec.limb.instance_words(spec.ty);
        let has_test =
            spec.dag.nodes().iter().any(|node| matches!(node.op, Op::IsPrime | Op::IsStrongProbablePrime));
        let has_power = spec.dag.nodes().iter().any(|node| node.op == Op::PowMod);
        let gain = gain(FOLDS, spec.ty.bits()).filter(|_| has_power && !has_test);
        let (Some(gain), Some(shape)) = (gain, modmul_fold::Shape::new(words, limits)) else {
            return Ok(None);
        };
        let (wave, spec) =
            (shape?.instances().into(), ProgramSpec { product: Product::Fold, ..spec.clone() });
        Ok(Some(MatrixPowers { spec, wave, gain, exponents: exponents.clone() }))
    }
}

impl MatrixPowers {
    /// Whether they are faster for so many instances on a GPU of so many multiprocessors.
    #[must_use]
    pub fn pays(&self, instances: u64, multiprocessors: u32) -> bool {
        instances > 0 && instances as f64 >= self.time(instances, multiprocessors)
    }

    /// How long they take: how many instances the classical product serves meanwhile.
    #[must_use]
    pub fn time(&self, instances: u64, multiprocessors: u32) -> f64 {
        let wave = (self.wave * u64::from(multiprocessors)).max(1);
        instances.div_ceil(wave).saturating_mul(wave) as f64 / self.gain
    }

    /// Whether they are faster for exponents of so many bits on average.
    #[must_use]
    pub fn pays_for_exponents(&self, bits: u64) -> bool {
        bits >= u64::from(self.spec.ty.bits() / SHORT)
    }
}

/// The line of `limbforge plan --explain`.
impl fmt::Display for MatrixPowers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { spec, wave, gain, .. } = self;
        let how = if spec.product == Product::Fold { "by folds" } else { "in residue number systems" };
        let (least, bits) = (*wave as f64 / gain, spec.ty.bits() / SHORT);
        writeln!(
            f,
            "{}: powers {how}, {gain:.2} times as fast (measured): chosen from {least:.0} instances a \
             multiprocessor on, if exponents have {bits} bits or more and waves of {wave} instances a multiprocessor are full \
             enough",
            spec.product
        )
    }
}

/// The smallest gain of the operations that would run in a residue number system; None if one was not measured.
fn gain_of(spec: &ProgramSpec, warpgroups: bool) -> Option<f64> {
    let rows = spec.dag.nodes().iter().filter_map(|node| gains(&node.op, warpgroups));
    rows.map(|row| gain(row, spec.ty.bits())).reduce(|least, next| Some(least?.min(next?))).flatten()
}

/// The smaller gain of the measured widths on both sides; None outside of them.
pub(super) fn gain(gains: Gains, bits: u32) -> Option<f64> {
    let below = gains.iter().rev().find(|(measured, _)| *measured <= bits)?;
    let above = gains.iter().find(|(measured, _)| *measured >= bits)?;
    Some(below.1.min(above.1))
}

#[cfg(test)]
mod tests {
    use limbforge_algos::expr::Expr;
    use limbforge_limb::IntType;

    use super::*;
    use crate::spec::{InputSpec, LimbKind, Target};

    fn powers(text: &str, ty: IntType, arch: u32) -> Vec<MatrixPowers> {
        let dag = Expr::parse(text).unwrap().to_dag();
        let output = Layout::InstanceMajor;
        let inputs = dag.inputs().map(|name| InputSpec::integers(name, output, false)).collect();
        let (limb, product, target) = (LimbKind::of::<u32>(), Product::Auto, Target::Cuda);
        let spec = ProgramSpec { dag, ty, limb, inputs, output, product, target };
        Planner::new(arch).matrix_powers(&spec, &Limits::SM_90A).unwrap()
    }

    #[test]
    fn powers_of_measured_widths_and_long_exponents_have_residues() {
        let unsigned = |bits| IntType::unsigned(bits).unwrap();
        let found = |text, ty, arch| !powers(text, ty, arch).is_empty();
        for bits in [1024, 1537, 3000, 4096, 8192] {
            assert!(found("powmod(a, b, c | 1) + a", unsigned(bits), 90), "{bits}");
            assert!(!found("powmod(a, 65537, c)", unsigned(bits), 90), "{bits}");
            assert!(!found("powmod(a, b, c)", IntType::signed(bits).unwrap(), 90), "{bits}");
            assert!(!found("powmod(a, b, c)", unsigned(bits), 80), "{bits}");
            assert!(!found("mulmod(a, b, c)", unsigned(bits), 90), "{bits}");
            assert_eq!(found("is_prime(c)", unsigned(bits), 90), bits <= 4096, "{bits}");
            // Strong tests were not measured above, which keeps powers beside them as they are, too.
            for text in ["is_strong_probable_prime(c, a)", "powmod(a, b, c) + is_strong_probable_prime(c, a)"]
            {
                assert_eq!(found(text, unsigned(bits), 90), bits <= 2048, "{text} {bits}");
            }
        }
        assert!(
            !found("powmod(a, b, c)", unsigned(1023), 90) && !found("powmod(a, b, c)", unsigned(8193), 90)
        );
        assert_eq!(powers("powmod(a, e, c)", unsigned(2048), 90)[0].exponents, Some(vec![1]));
        assert_eq!(powers("powmod(a, e + 1, c)", unsigned(2048), 90)[0].exponents, None);
    }

    #[test]
    fn warps_have_smaller_waves_than_warpgroups() {
        let forms = |bits| {
            let found = powers("powmod(a, b, c)", IntType::unsigned(bits).unwrap(), 90);
            found
                .into_iter()
                .map(|powers| (powers.spec.product, powers.wave, powers.gain))
                .collect::<Vec<_>>()
        };
        assert_eq!(forms(1024), [(Product::Rns, 256, 1.38)]);
        assert_eq!(forms(1800), [(Product::Rns, 288, 1.65), (Product::RnsWarps, 128, 1.38)]);
        assert_eq!(forms(3072), [(Product::Rns, 192, 3.88), (Product::RnsWarps, 144, 3.11)]);
        assert_eq!(forms(8192), [(Product::Rns, 64, 2.98), (Product::RnsWarps, 64, 2.26)]);
    }

    #[test]
    fn one_modulus_for_all_instances_is_folded_where_that_is_faster() {
        let forms = |text, bits| {
            let found = powers(text, IntType::unsigned(bits).unwrap(), 90);
            found
                .into_iter()
                .map(|powers| (powers.spec.product, powers.wave, powers.gain))
                .collect::<Vec<_>>()
        };
        assert_eq!(forms("powmod(a, b, 1000003)", 512), [(Product::Fold, 512, 1.78)]);
        assert_eq!(
            forms("powmod(a, b, 1000003)", 1024),
            [(Product::Rns, 256, 1.38), (Product::Fold, 384, 2.26)]
        );
        assert_eq!(forms("powmod(a, b, 1000003)", 1000), [(Product::Fold, 384, 2.26)]);
        for bits in [128, 2048] {
            assert!(
                forms("powmod(a, b, 1000003)", bits).iter().all(|form| form.0 != Product::Fold),
                "{bits}"
            );
        }
        // A modulus of each instance, and a test of primality beside.
        assert_eq!(forms("powmod(a, b, c)", 512), []);
        assert_eq!(forms("powmod(a, b, 1000003) + is_prime(a)", 512), []);
    }

    #[test]
    fn waves_that_are_not_full_pay_only_for_their_gain() {
        let powers = powers("powmod(a, b, c)", IntType::unsigned(1024).unwrap(), 90).remove(0);
        assert_eq!((powers.wave, powers.gain), (256, 1.38));
        let paying: Vec<u64> = [0, 1, 185, 186, 256, 257, 371, 372, 513, 557, 10_000]
            .into_iter()
            .filter(|instances| powers.pays(*instances, 1))
            .collect();
        assert_eq!(paying, [186, 256, 372, 557, 10_000]);
        assert!(powers.pays_for_exponents(256) && !powers.pays_for_exponents(255));
        assert!(powers.to_string().contains("from 186 instances a multiprocessor on"), "{powers}");
    }
}
