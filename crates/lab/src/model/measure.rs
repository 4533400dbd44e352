//! Measured times beside predicted ones: the programs on a GPU, compared with the CPU before they are timed.

use limbforge::algos::model::{Application, Choice, Machine, Refinement};
use limbforge_cli::error::CliError;
use limbforge_cli::gpu::kernels::Gpu;
use limbforge_cli::gpu::programs::{
    expected, key_words, polynomial, program, random_keys, skipped_words, sorted_words, terms, with_common,
    words,
};
use limbforge_field::DynField;
use limbforge_gpu::{DeviceBuffer, LoadedProgram, Timings};
use limbforge_kernels_gen::SpecError;
use limbforge_kernels_gen::poly::{PolyNewtonSpec, PolyNttSpec};
use rayon::prelude::*;

use super::prediction::Fit;

/// Runs before the measured ones, and those.
const WARMUP: usize = 2;
const REPEATS: usize = 9;

/// Terms of the common factor of polynomials whose greatest common divisor is measured.
const COMMON_TERMS: u64 = 11;

/// An application's operands, and the expected result.
pub(super) struct Measurement<'g> {
    gpu: &'g Gpu,
    field: DynField,
    application: Application,
    operands: Vec<Vec<u32>>,
    expected: Vec<u32>,
    /// Words before the compared ones.
    skipped: usize,
}

impl<'g> Measurement<'g> {
    /// None for sorting keys of other than 32 or 64 bits.
    pub(super) fn new(
        gpu: &'g Gpu,
        field: DynField,
        application: Application,
    ) -> Result<Option<Self>, CliError> {
        let ([a, b], skipped) = match application {
            Application::RadixSort { n, bits: bits @ (32 | 64) } => {
                let keys = random_keys(n, bits, n);
                let operands = vec![key_words(&keys, bits)];
                let expected = sorted_words(keys, bits);
                return Ok(Some(Self { gpu, field, application, operands, expected, skipped: 0 }));
            }
            Application::RadixSort { .. } => return Ok(None),
            Application::Multiplication { n, m } | Application::Division { n, m } => {
                ([polynomial(field, n, 1), polynomial(field, m, 2)], skipped_words(&application, field))
            }
            Application::Gcd { n, m } => {
                let common = polynomial(field, m.min(COMMON_TERMS), 3);
                (with_common(field, [n, m], &common), 0)
            }
        };
        let operands = vec![words(field, &a), words(field, &b)];
        let expected = expected(&application, field, &a, &b)?;
        Ok(Some(Self { gpu, field, application, operands, expected, skipped }))
    }

    /// Median milliseconds with each parameter; None where it has no kernel. Programs are compiled on all
    /// cores at once.
    pub(super) fn milliseconds(&self, choices: &[Choice]) -> Result<Vec<Option<f64>>, CliError> {
        let loaded: Vec<Option<LoadedProgram>> =
            choices.par_iter().map(|choice| self.load(choice)).collect::<Result<_, _>>()?;
        let time = |(choice, poly): (&Choice, Option<LoadedProgram>)| {
            let what = format!("{} with s = {}", self.application, choice.s);
            poly.map(|poly| self.run(&poly, &what)).transpose()
        };
        choices.iter().zip(loaded).map(time).collect()
    }

    fn load(&self, choice: &Choice) -> Result<Option<LoadedProgram>, CliError> {
        match program(&self.application, &self.field, choice.s, choice.threads, &self.gpu.limits) {
            Ok(program) => Ok(Some(self.gpu.load_planned(&program)?)),
            Err(SpecError::Mapping { .. } | SpecError::SharedMemory { .. } | SpecError::Threads { .. }) => {
                Ok(None)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Milliseconds of a product by transforms, or of a division by Newton's inverse; None for other
    /// applications and for fields without such transforms.
    pub(super) fn transforms_milliseconds(&self) -> Result<Option<f64>, CliError> {
        let (field, limits) = (&self.field, &self.gpu.limits);
        let program = match self.application {
            Application::Multiplication { n, m } => {
                PolyNttSpec::new(field, terms(n), terms(m)).ok().map(|spec| spec.program(limits))
            }
            Application::Division { n, m } => {
                PolyNewtonSpec::new(field, terms(n), terms(m)).ok().map(|spec| spec.program(limits))
            }
            Application::Gcd { .. } | Application::RadixSort { .. } => None,
        };
        let Some(program) = program.transpose()? else { return Ok(None) };
        let poly = self.gpu.load_planned(&program)?;
        self.run(&poly, &format!("{} by transforms", self.application)).map(Some)
    }

    fn run(&self, poly: &LoadedProgram, what: &str) -> Result<f64, CliError> {
        let (device, result_bytes) = (&self.gpu.device, poly.footprint().outputs[0]);
        let inputs = self.operands.iter().map(|operand| device.upload(operand));
        let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
        let inputs: Vec<&DeviceBuffer> = inputs.iter().collect();
        let scratch = device.scratch(poly, 1)?;
        let mut output = device.alloc(result_bytes)?;
        device.run_program(poly, &inputs, &scratch, &mut output, 1)?;
        let mut found = vec![0_u32; result_bytes as usize / 4];
        output.copy_to(&mut found)?;
        if found.get(self.skipped..) != Some(&self.expected) {
            return Err(CliError::BenchDiffers { spec: what.to_owned(), instance: 0 });
        }
        let work = || device.run_program(poly, &inputs, &scratch, &mut output, 1);
        let Timings { median_ms, .. } = device.time(WARMUP, REPEATS, work)?;
        Ok(median_ms)
    }
}

/// The machine and the refinement that explain the measured milliseconds of an application best, by the
/// paper's bound and by the refined times; errors as those of [`Machine::fitted`] and [`Refinement::fitted`].
pub(super) fn fits(
    machine: &Machine,
    application: &Application,
    measured: &[(Choice, f64)],
) -> (Fit<Machine>, Fit<Refinement>) {
    // For applications whose s does not determine it.
    let threads = measured.first().map_or(1, |(choice, _)| choice.threads);
    let parameters = || measured.iter().map(|(choice, _)| choice.s);
    let bound = || {
        let times: Vec<_> = measured.iter().map(|(choice, ms)| (choice.measures, 1e-3 * ms)).collect();
        let fitted = machine.fitted(&times)?;
        let best = application.best(parameters(), threads, &fitted)?.s;
        Ok((fitted, best))
    };
    let refined = || {
        let times: Vec<_> = measured.iter().map(|(choice, ms)| (choice.counts, 1e-3 * ms)).collect();
        let fitted = machine.refinement().fitted(&times)?;
        let best = application.best_refined(parameters(), threads, &machine.with_refinement(fitted)?)?.s;
        Ok((fitted, best))
    };
    (bound(), refined())
}

#[cfg(test)]
mod tests {
    use limbforge::algos::model::ModelError;

    use super::*;

    /// The fit recovers the machine from times by the formulas.
    #[test]
    fn a_fit() {
        let machine = Machine::new(30.0, 1 << 15, 100, 1e-9).unwrap();
        let gcd = Application::Gcd { n: 5000, m: 4000 };
        let choices = gcd.choices(gcd.parameters(), 256, &machine).unwrap();
        let measured: Vec<_> = choices.iter().map(|&choice| (choice, 1e3 * choice.seconds)).collect();
        let (found, best) = fits(&machine, &gcd, &measured).0.unwrap();
        assert!((found.transfer() - 30.0).abs() < 1e-3);
        assert_eq!(best, gcd.best(gcd.parameters(), 256, &machine).unwrap().s);
        assert_eq!(
            fits(&machine, &gcd, &measured[..1]).0.unwrap_err(),
            ModelError::Measurements { found: 1 }
        );
        let measured: Vec<_> = choices.iter().map(|&choice| (choice, 1e3 * choice.refined_seconds)).collect();
        let (found, best) = fits(&machine, &gcd, &measured).1.unwrap();
        assert!((found.launch / machine.refinement().launch - 1.0).abs() < 1e-3);
        assert_eq!(best, gcd.best_refined(gcd.parameters(), 256, &machine).unwrap().s);
    }
}
