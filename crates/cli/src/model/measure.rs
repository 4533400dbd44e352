//! Measured times beside predicted ones: the programs of polynomials on a GPU, compared with the CPU before they are timed.

use limbforge::algos::model::{Application, Choice, Machine};
use limbforge::algos::poly::PolyRing;
use limbforge_field::{DynElement, DynField};
use limbforge_gpu::Timings;
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::poly::{
    PolyDivPlan, PolyDivSpec, PolyGcdPlan, PolyGcdSpec, PolyMulPlan, PolyMulSpec, PolyNttSpec, PolyProgram,
};

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
    operands: [Vec<u32>; 2],
    expected: Vec<u32>,
    /// Words before those that are compared.
    skipped: usize,
}

impl<'g> Measurement<'g> {
    /// Of an application on polynomials; None for sorting, which has no kernel.
    pub(super) fn new(
        gpu: &'g Gpu,
        field: DynField,
        application: Application,
    ) -> Result<Option<Self>, CliError> {
        let (n, m) = match application {
            Application::Multiplication { n, m }
            | Application::Division { n, m }
            | Application::Gcd { n, m } => (n, m),
            Application::RadixSort { .. } => return Ok(None),
        };
        let ring = PolyRing::new(field);
        let (mut a, mut b) = (polynomial(field, n, 1), polynomial(field, m, 2));
        let mut skipped = 0;
        let expected = match application {
            Application::Division { .. } => {
                let failed = |error: limbforge::algos::poly::PolyError| CliError::Field(error.to_string());
                let (quotient, remainder) = ring.div_rem(&a, &b).map_err(failed)?;
                skipped = 2 * residue_words(field);
                [padded(remainder, m - 1), padded(quotient, n - m + 1)].concat()
            }
            Application::Gcd { .. } => {
                let common = polynomial(field, m.min(COMMON_TERMS), 3);
                let rest = |terms: u64| terms + 1 - common.len() as u64;
                a = ring.mul(&polynomial(field, rest(n), 4), &common);
                b = ring.mul(&polynomial(field, rest(m), 5), &common);
                padded(ring.gcd(&a, &b), n)
            }
            _ => padded(ring.mul(&a, &b), n + m - 1),
        };
        let operands = [&a, &b].map(|a| words(field, a));
        let expected = words(field, &expected);
        Ok(Some(Self { gpu, field, application, operands, expected, skipped }))
    }

    /// The median of the milliseconds with this parameter, or None if there is no kernel for it.
    pub(super) fn milliseconds(&self, choice: &Choice) -> Result<Option<f64>, CliError> {
        match self.program(choice) {
            Ok(Some(program)) => {
                self.run(&program, &format!("{} with s = {}", self.application, choice.s)).map(Some)
            }
            Ok(None)
            | Err(SpecError::Mapping { .. } | SpecError::SharedMemory { .. } | SpecError::Threads { .. }) => {
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
        self.run(&program, &format!("{} by transforms", self.application)).map(Some)
    }

    fn program(&self, choice: &Choice) -> Result<Option<PolyProgram>, SpecError> {
        let limits = &self.gpu.limits;
        let s = terms(choice.s);
        let threads = terms(choice.threads).next_multiple_of(32);
        Ok(match self.application {
            Application::Multiplication { n, m } => {
                let spec = PolyMulSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                Some(PolyMulPlan::new(spec)?.program(limits)?)
            }
            Application::Division { n, m } => {
                let spec = PolyDivSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                Some(PolyDivPlan::render(spec, limits)?.program())
            }
            Application::Gcd { n, m } => {
                let spec = PolyGcdSpec::new(&self.field, terms(n), terms(m), s, threads)?;
                Some(PolyGcdPlan::render(spec, limits)?.program())
            }
            Application::RadixSort { .. } => None,
        })
    }

    fn run(&self, program: &PolyProgram, what: &str) -> Result<f64, CliError> {
        let device = &self.gpu.device;
        let poly = device.load_poly(&self.gpu.compiler, program)?;
        let [a, b] = [device.upload(&self.operands[0])?, device.upload(&self.operands[1])?];
        let scratch = device.poly_scratch(&poly, 1)?;
        let mut output = device.alloc(4 * program.result_words)?;
        device.run_poly(&poly, &[&a, &b], &scratch, &mut output, 1)?;
        let mut found = vec![0_u32; program.result_words as usize];
        output.copy_to(&mut found)?;
        if found.get(self.skipped..) != Some(&self.expected) {
            return Err(CliError::BenchDiffers { spec: what.to_owned(), instance: 0 });
        }
        let work = || device.run_poly(&poly, &[&a, &b], &scratch, &mut output, 1);
        let Timings { median_ms, .. } = device.time(WARMUP, REPEATS, work)?;
        Ok(median_ms)
    }
}

/// The machine that explains the measured milliseconds of an application best, and the parameter that it prefers, if two or
/// more parameters are measured and they tell.
pub(super) fn fitted(
    machine: &Machine,
    application: &Application,
    measured: &[(Choice, f64)],
) -> Option<(Machine, u64)> {
    let times: Vec<_> = measured.iter().map(|(choice, ms)| (choice.measures, 1e-3 * ms)).collect();
    let fitted = machine.fitted(&times).ok()?;
    let threads = measured.first()?.0.threads;
    let best = application.best(measured.iter().map(|(choice, _)| choice.s), threads, &fitted).ok()?;
    Some((fitted, best.s))
}

/// Sizes that kernels cannot have are refused by their specification.
fn terms(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX >> 1)
}

fn residue_words(field: DynField) -> usize {
    if field.modulus() >> 32 == 0 { 1 } else { 2 }
}

/// Any coefficients, the highest one not 0.
fn polynomial(field: DynField, terms: u64, seed: u64) -> Vec<DynElement> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        field.element(state ^ state >> 31)
    };
    let mut coefficients: Vec<DynElement> = (0..terms).map(|_| next()).collect();
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
