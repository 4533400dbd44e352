//! Save files of GMP-ECM: what stage 1 leaves of each curve, for its stage 2.
//!
//! The format is that of GMP-ECM 7, documented in its README ("How to save/resume a residue") and read by its
//! `resume.c`: fields `NAME=VALUE;` on a line for each curve. The checksum is the product of B1, sigma, N, X and
//! PARAM + 1 modulo 4294967291, the largest prime below 2^32.

use limbforge::algos::program::TypedProgram;
use limbforge::prelude::*;
use num_bigint::BigUint;
use rayon::prelude::*;

use super::arguments::RunArguments;
use super::spec::Source;
use super::usage;
use crate::error::CliError;
use crate::output::Output;

/// The modulus of checksums.
const CHECKSUM_MODULUS: u64 = 4_294_967_291;

/// The curves of GMP-ECM that the GPU takes: d = (a + 2) / 4 = sigma / 2^32, P = (2 : 1).
const PARAM: u64 = 3;

/// A save file that gets a line for each curve.
pub(super) struct SaveFile {
    output: Output,
    bound: u64,
}

/// The same, with the numbers and the curves.
pub(super) struct SaveCurves {
    file: SaveFile,
    n: Vec<BigUint>,
    sigma: Vec<BigUint>,
}

impl SaveFile {
    /// Opens the file, if there is to be one.
    pub(super) fn create(program: &TypedProgram, arguments: &RunArguments) -> Result<Option<Self>, CliError> {
        let Some(path) = &arguments.save_ecm else { return Ok(None) };
        let is_input = |name: &&str| program.inputs().iter().any(|input| *input.name == **name);
        let is_result = |name: &&str| program.results().iter().any(|result| *result.name == **name);
        if let Some(missing) = ["N", "sigma"].iter().find(|name| !is_input(name)) {
            return Err(usage(format!(
                "`--save-ecm` needs the input `{missing}`, which the program does not have"
            )));
        }
        if let Some(missing) = ["X", "Z"].iter().find(|name| !is_result(name)) {
            return Err(usage(format!(
                "`--save-ecm` needs the result `{missing}`, which the program does not have"
            )));
        }
        let lcm = arguments.inputs.iter().find_map(|input| match input.source {
            Source::Lcm(bound) => Some(bound),
            _ => None,
        });
        let expected = "`--save-ecm` needs B1, which no input lcm:B says: expected --b1 B1";
        let bound = arguments.b1.or(lcm).ok_or_else(|| usage(expected.to_owned()))?;
        Ok(Some(Self { output: Output::create(Some(path))?, bound }))
    }

    /// Takes the numbers and the curves from the inputs of a run.
    pub(super) fn with_inputs(self, session: &Session<u64>) -> Result<SaveCurves, CliError> {
        let numbers = |name: &str| session.input(name).map(Batch::to_biguints).unwrap_or_default();
        Ok(SaveCurves { file: self, n: numbers("N"), sigma: numbers("sigma") })
    }
}

impl SaveCurves {
    /// Writes a line for each curve that has a residue. One that has found a factor, so that Z has no inverse, or
    /// has failed, has none.
    pub(super) fn write(self, run: &ProgramRun<u64>) -> Result<(), CliError> {
        let Self { file: SaveFile { mut output, bound }, n, sigma } = self;
        let result = |name: &str| run.result(name).map(Batch::to_biguints).unwrap_or_default();
        let (x, z) = (result("X"), result("Z"));
        let of = |all: &[BigUint], i: usize| all.get(if all.len() == 1 { 0 } else { i }).cloned();
        let has_failed =
            |i: usize| run.failures().binary_search_by_key(&i, |failure| failure.instance).is_ok();
        let line = |i: usize| {
            let (n, sigma) = (of(&n, i)?, of(&sigma, i)?);
            let x = x.get(i)? * z.get(i)?.modinv(&n)? % &n;
            (!has_failed(i)).then(|| line(&n, &sigma, &x, bound))
        };
        let lines: Vec<Option<String>> = (0..run.instances()).into_par_iter().map(line).collect();
        let without = lines.iter().filter(|line| line.is_none()).count();
        for line in lines.into_iter().flatten() {
            output.write(line.as_bytes())?;
        }
        output.finish()?;
        if without > 0 {
            eprintln!("curves without a line in the save file, as stage 1 has found a factor: {without}");
        }
        Ok(())
    }
}

fn line(n: &BigUint, sigma: &BigUint, x: &BigUint, bound: u64) -> String {
    let checksum = checksum([&bound.into(), sigma, n, x, &(PARAM + 1).into()]);
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "METHOD=ECM; PARAM={PARAM}; SIGMA={sigma}; B1={bound}; N={n}; X=0x{x:x}; CHECKSUM={checksum}; \
         PROGRAM=limbforge {version}; X0=0x0; Y0=0x0;\n"
    )
}

fn checksum<'n>(factors: impl IntoIterator<Item = &'n BigUint>) -> u64 {
    let residue = |factor: &BigUint| u64::try_from(factor % CHECKSUM_MODULUS).unwrap_or_default();
    // Residues have 32 bits.
    factors.into_iter().fold(1, |product, factor| product * residue(factor) % CHECKSUM_MODULUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of GMP-ECM 7.0.5: `ecm -param 3 -sigma 3:9829216 -save FILE 1000 0`.
    #[test]
    fn the_checksum_is_that_of_gmp_ecm() {
        let number = |text: &str, radix| BigUint::parse_bytes(text.as_bytes(), radix).unwrap();
        let n = "6739340742871578950138504155124653739612188365650969529085872576177285318559556786703601108033240997\
                 229916897506925207756232687";
        let x = "1c7b49851242528b5e75695e30bfb388c505bf076427715ca2c187117ef1b4fc2320ed8f3f13d0b66859f0d20f7f74d0f2a8f4\
                 ba16";
        let line = line(&number(n, 10), &9_829_216_u32.into(), &number(x, 16), 1000);
        assert!(line.contains("; CHECKSUM=377937013;"), "{line}");
        assert!(line.starts_with("METHOD=ECM; PARAM=3; SIGMA=9829216; B1=1000; N=67393"), "{line}");
    }
}
