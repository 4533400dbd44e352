//! Measured times beside predicted ones: the programs on a GPU, compared with the CPU before they are timed.

use limbforge::algos::model::{Application, Choice, Machine, ModelError, Refinement};
use limbforge::algos::poly::PolyRing;
use limbforge_field::{DynElement, DynField};
use limbforge_gpu::{DeviceBuffer, LoadedPoly, Timings};
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::poly::{
    PolyDivPlan, PolyDivSpec, PolyGcdPlan, PolyGcdSpec, PolyMulPlan, PolyMulSpec, PolyNttSpec, PolyProgram,
};
use limbforge_kernels_gen::sort::SortSpec;
use rayon::prelude::*;

use crate::error::CliError;
use crate::kernels::Gpu;

/// Runs before the measured ones, and those.
const WARMUP: usize = 2;
const REPEATS: usize = 9;

/// Terms of the common factor of polynomials whose greatest common divisor is measured.
const COMMON_TERMS: u64 = 11;

/// An application's operands, and what the GPU has to find.
pub(super) struct Measurement<'g> {
    gpu: &'g Gpu,
    field: DynField,
    application: Application,
    operands: Vec<Vec<u32>>,
    expected: Vec<u32>,
    /// Words before those that are compared.
    skipped: usize,
}

impl<'g> Measurement<'g> {
    /// Of an application; None for sorting keys of other than 32 or 64 bits.
    pub(super) fn new(
        gpu: &'g Gpu,
        field: DynField,
        application: Application,
    ) -> Result<Option<Self>, CliError> {
        let ring = PolyRing::new(field);
        let mut skipped = 0;
        let ([a, b], expected) = match application {
            Application::RadixSort { n, bits: bits @ (32 | 64) } => {
                let (operands, expected) = keys(n, bits);
                return Ok(Some(Self { gpu, field, application, operands, expected, skipped }));
            }
            Application::RadixSort { .. } => return Ok(None),
            Application::Multiplication { n, m } => {
                let (a, b) = (polynomial(field, n, 1), polynomial(field, m, 2));
                let product = padded(ring.mul(&a, &b), n + m - 1);
                ([a, b], product)
            }
            Application::Division { n, m } => {
                let (a, b) = (polynomial(field, n, 1), polynomial(field, m, 2));
                let (quotient, remainder) =
                    ring.div_rem(&a, &b).map_err(|error| CliError::Field(error.to_string()))?;
                skipped = 2 * residue_words(field);
                ([a, b], [padded(remainder, m - 1), padded(quotient, n - m + 1)].concat())
            }
            Application::Gcd { n, m } => {
                let common = polynomial(field, m.min(COMMON_TERMS), 3);
                let with_common = |terms: u64, seed| {
                    ring.mul(&polynomial(field, terms + 1 - common.len() as u64, seed), &common)
                };
                let (a, b) = (with_common(n, 4), with_common(m, 5));
                let divisor = padded(ring.gcd(&a, &b), n);
                ([a, b], divisor)
            }
        };
        let operands = vec![words(field, &a), words(field, &b)];
        let expected = words(field, &expected);
        Ok(Some(Self { gpu, field, application, operands, expected, skipped }))
    }

    /// The medians of the milliseconds with each parameter, or None where there is no kernel for it. Programs are compiled on
    /// all cores at once and run one after the other.
    pub(super) fn milliseconds(&self, choices: &[Choice]) -> Result<Vec<Option<f64>>, CliError> {
        let loaded: Vec<Option<LoadedPoly>> =
            choices.par_iter().map(|choice| self.load(choice)).collect::<Result<_, _>>()?;
        let time = |(choice, poly): (&Choice, Option<LoadedPoly>)| {
            let what = format!("{} with s = {}", self.application, choice.s);
            poly.map(|poly| self.run(&poly, &what)).transpose()
        };
        choices.iter().zip(loaded).map(time).collect()
    }

    fn load(&self, choice: &Choice) -> Result<Option<LoadedPoly>, CliError> {
        match self.program(choice) {
            Ok(program) => Ok(Some(self.gpu.device.load_poly(&self.gpu.compiler, &program)?)),
            Err(SpecError::Mapping { .. } | SpecError::SharedMemory { .. } | SpecError::Threads { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The same of the product by transforms; None for other applications, or if the field has none.
    pub(super) fn transforms_milliseconds(&self) -> Result<Option<f64>, CliError> {
        let Application::Multiplication { n, m } = self.application else { return Ok(None) };
        let Ok(spec) = PolyNttSpec::new(&self.field, terms(n), terms(m)) else { return Ok(None) };
        let program = spec.program(&self.gpu.limits)?;
        let poly = self.gpu.device.load_poly(&self.gpu.compiler, &program)?;
        self.run(&poly, &format!("{} by transforms", self.application)).map(Some)
    }

    fn program(&self, choice: &Choice) -> Result<PolyProgram, SpecError> {
        let limits = &self.gpu.limits;
        let s = terms(choice.s);
        let threads = terms(choice.threads).next_multiple_of(32);
        match self.application {
            Application::Multiplication { n, m } => {
                let spec = PolyMulSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                PolyMulPlan::new(spec)?.program(limits)
            }
            Application::Division { n, m } => {
                let spec = PolyDivSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                Ok(PolyDivPlan::render(spec, limits)?.program())
            }
            Application::Gcd { n, m } => {
                let spec = PolyGcdSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                Ok(PolyGcdPlan::render(spec, limits)?.program())
            }
            Application::RadixSort { n, bits } => {
                SortSpec::new(terms(n), terms(bits), s, threads)?.program(limits)
            }
        }
    }

    fn run(&self, poly: &LoadedPoly, what: &str) -> Result<f64, CliError> {
        let (device, result_words) = (&self.gpu.device, poly.program().result_words);
        let inputs = self.operands.iter().map(|operand| device.upload(operand));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<&DeviceBuffer> = inputs.iter().collect();
        let scratch = device.poly_scratch(poly, 1)?;
        let mut output = device.alloc(4 * result_words)?;
        device.run_poly(poly, &inputs, &scratch, &mut output, 1)?;
        let mut found = vec![0_u32; result_words as usize];
        output.copy_to(&mut found)?;
        if found.get(self.skipped..) != Some(&self.expected) {
            return Err(CliError::BenchDiffers { spec: what.to_owned(), instance: 0 });
        }
        let work = || device.run_poly(poly, &inputs, &scratch, &mut output, 1);
        let Timings { median_ms, .. } = device.time(WARMUP, REPEATS, work)?;
        Ok(median_ms)
    }
}

/// The machine that explains the measured milliseconds of an application best by the paper's bound, and the parameter that it prefers.
///
/// # Errors
/// As [`Machine::fitted`]: an error tells that no U above 1 explains them.
pub(super) fn fitted(
    machine: &Machine,
    application: &Application,
    measured: &[(Choice, f64)],
) -> Result<(Machine, u64), ModelError> {
    let times: Vec<_> = measured.iter().map(|(choice, ms)| (choice.measures, 1e-3 * ms)).collect();
    let fitted = machine.fitted(&times)?;
    let (threads, parameters) = parameters(measured);
    let best = application.best(parameters, threads, &fitted)?;
    Ok((fitted, best.s))
}

/// The same by the refined times.
///
/// # Errors
/// As [`Refinement::fitted`].
pub(super) fn fitted_refinement(
    machine: &Machine,
    application: &Application,
    measured: &[(Choice, f64)],
) -> Result<(Refinement, u64), ModelError> {
    let times: Vec<_> = measured.iter().map(|(choice, ms)| (choice.counts, 1e-3 * ms)).collect();
    let fitted = machine.refinement().fitted(&times)?;
    let (threads, parameters) = parameters(measured);
    let best = application.best_refined(parameters, threads, &machine.with_refinement(fitted)?)?;
    Ok((fitted, best.s))
}

/// Threads of a block where s does not say it, and the parameters.
fn parameters(measured: &[(Choice, f64)]) -> (u64, impl Iterator<Item = u64>) {
    let threads = measured.first().map_or(1, |(choice, _)| choice.threads);
    (threads, measured.iter().map(|(choice, _)| choice.s))
}

/// Sizes that kernels cannot have are refused by their specification.
fn terms(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX >> 1)
}

fn residue_words(field: DynField) -> usize {
    if field.modulus() >> 32 == 0 { 1 } else { 2 }
}

/// Any keys, and the same in order, as words of 32 bits.
fn keys(n: u64, bits: u64) -> (Vec<Vec<u32>>, Vec<u32>) {
    let mut state = n;
    let mut keys: Vec<u64> = (0..n).map(|_| random(&mut state) >> (64 - bits)).collect();
    let words = |keys: &[u64]| -> Vec<u32> {
        let words = |&key: &u64| [key as u32, (key >> 32) as u32].into_iter().take(bits as usize / 32);
        keys.iter().flat_map(words).collect()
    };
    let operands = vec![words(&keys)];
    keys.sort_unstable();
    (operands, words(&keys))
}

/// A word that looks random.
const fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    *state ^ *state >> 31
}

/// Any coefficients, the highest one not 0.
fn polynomial(field: DynField, terms: u64, seed: u64) -> Vec<DynElement> {
    let mut state = seed;
    let mut coefficients: Vec<DynElement> = (0..terms).map(|_| field.element(random(&mut state))).collect();
    if let Some(last) = coefficients.last_mut().filter(|last| last.is_zero()) {
        *last = field.one();
    }
    coefficients
}

fn padded(mut a: Vec<DynElement>, terms: u64) -> Vec<DynElement> {
    a.resize(terms as usize, DynElement::ZERO);
    a
}

fn words(field: DynField, a: &[DynElement]) -> Vec<u32> {
    let words = residue_words(field);
    let value = |&x: &DynElement| {
        let value = field.value(x);
        [value as u32, (value >> 32) as u32].into_iter().take(words)
    };
    a.iter().flat_map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands() {
        let (operands, expected) = keys(1000, 32);
        assert!(expected.is_sorted() && operands[0] != expected && operands[0].len() == 1000);
        let (operands, expected) = keys(10, 64);
        let mut pairs: Vec<_> = operands[0].chunks(2).map(|pair| (pair[1], pair[0])).collect();
        pairs.sort_unstable();
        assert!(expected.chunks(2).map(|pair| (pair[1], pair[0])).eq(pairs));
        for p in [3, 2_013_265_921, 18_446_744_073_709_551_557] {
            let field = DynField::new(p).unwrap();
            for terms in [1, 2, 40] {
                let a = polynomial(field, terms, 1);
                assert!(a.len() == terms as usize && a.last().is_some_and(|last| !last.is_zero()));
                let wide = padded(a, 50);
                assert_eq!(words(field, &wide).len(), 50 * residue_words(field));
            }
        }
    }

    /// A machine that takes what the formulas say is found again.
    #[test]
    fn a_fit() {
        let machine = Machine::new(30.0, 1 << 15, 100, 1e-9).unwrap();
        let gcd = Application::Gcd { n: 5000, m: 4000 };
        let choices = gcd.choices(gcd.parameters(), 256, &machine).unwrap();
        let measured: Vec<_> = choices.iter().map(|&choice| (choice, 1e3 * choice.seconds)).collect();
        let (found, best) = fitted(&machine, &gcd, &measured).unwrap();
        assert!((found.transfer() - 30.0).abs() < 1e-3);
        assert_eq!(best, gcd.best(gcd.parameters(), 256, &machine).unwrap().s);
        assert_eq!(
            fitted(&machine, &gcd, &measured[..1]).unwrap_err(),
            ModelError::Measurements { found: 1 }
        );
        let measured: Vec<_> = choices.iter().map(|&choice| (choice, 1e3 * choice.refined_seconds)).collect();
        let (found, best) = fitted_refinement(&machine, &gcd, &measured).unwrap();
        assert!((found.launch / machine.refinement().launch - 1.0).abs() < 1e-3);
        assert_eq!(best, gcd.best_refined(gcd.parameters(), 256, &machine).unwrap().s);
    }
}
