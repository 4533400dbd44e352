//! Polynomials and sorts: every program of the model, and products and quotients by transforms.

use limbforge::{algos::model::Application, field::DynField};
use limbforge_kernels_gen::poly::{PolyNewtonSpec, PolyNttSpec};
use limbforge_kernels_gen::{Limits, Program};

use super::{Case, CliError, Task};
use limbforge_cli::gpu::programs::{program, terms};

/// A program of one size.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProgramCase {
    pub(crate) application: Application,
    /// The field of polynomials; sorts have none.
    pub(crate) prime: u64,
    /// s and threads of a block; none of products and quotients by transforms.
    plain: Option<(u64, u64)>,
}

/// Without a spare bit, with one, tiny, of 33 bits, special and general of 64 bits.
const PRIMES: [u64; 7] =
    [4_294_967_291, 2_013_265_921, 3, 97, 4_295_688_193, 0xffff_ffff_0000_0001, 18_446_744_073_709_551_557];

/// Those over which there are transforms.
const PRIMES_OF_TRANSFORMS: [u64; 2] = [2_013_265_921, 0xffff_ffff_0000_0001];

impl ProgramCase {
    pub(crate) fn field(&self) -> Result<DynField, CliError> {
        DynField::new(self.prime).map_err(|error| CliError::Field(error.to_string()))
    }

    pub(crate) fn program(&self, limits: &Limits) -> Result<Program, CliError> {
        let field = self.field()?;
        Ok(match (self.plain, self.application) {
            (None, Application::Multiplication { n, m }) => {
                PolyNttSpec::new(&field, terms(n), terms(m))?.program(limits)?
            }
            (None, Application::Division { n, m }) => {
                PolyNewtonSpec::new(&field, terms(n), terms(m))?.program(limits)?
            }
            (plain, application) => {
                let (s, threads) = plain.unwrap_or((1, 32));
                program(&application, &field, s, threads, limits)?
            }
        })
    }
}

impl From<ProgramCase> for Case {
    fn from(case: ProgramCase) -> Self {
        let ProgramCase { application, prime, plain } = case;
        let (family, bits, n, operands) = match application {
            Application::Multiplication { n, m } => ("poly-mul", None, n, format!("{prime} n={n} m={m}")),
            Application::Division { n, m } => ("poly-divrem", None, n, format!("{prime} n={n} m={m}")),
            Application::Gcd { n, m } => ("poly-gcd", None, n, format!("{prime} n={n} m={m}")),
            Application::RadixSort { n, bits } => ("sort", Some(bits), n, format!("n={n} bits={bits}")),
        };
        let algorithm = match (plain, application) {
            (None, Application::Division { .. }) => "newton",
            (None, _) => "ntt",
            (_, Application::Multiplication { .. }) => "plain",
            (_, Application::RadixSort { .. }) => "radix",
            (Some((1, _)), _) => "naive",
            _ => "optimised",
        };
        let word = if bits.map_or(prime >> 32 == 0, |bits| bits == 32) { "u32" } else { "u64" };
        let threads = plain.map_or_else(String::new, |(s, threads)| format!(" s={s} threads={threads}"));
        Self {
            name: format!("{family} {word} {algorithm} {operands}{threads}"),
            key: [family, word, algorithm],
            size: terms(n),
            task: Task::Program(case),
        }
    }
}

/// Sizes n and m, s and threads: those of one prime are taken in turns.
const SIZES: [(u64, u64, u64, u64); 7] = [
    (1, 1, 1, 32),
    (70, 31, 4, 32),
    (257, 256, 16, 64),
    (300, 1, 1, 64),
    (1000, 999, 64, 192),
    (500, 120, 120, 384),
    (611, 400, 1, 256),
];

/// Sizes n and m: with and without steps of the inverse; quotients longer and shorter than divisors.
const SIZES_OF_NEWTON: [(u64, u64); 4] = [(70, 31), (2, 2), (700, 131), (3000, 1400)];

/// Most coefficients of a thread: with 64 a kernel takes nvrtc 4 seconds, else a tenth of one.
const MOST_OF_PRODUCT: u64 = 16;

/// The largest of all, once.
const LARGEST_PRODUCT: ProgramCase = ProgramCase {
    application: Application::Multiplication { n: 1000, m: 999 },
    prime: PRIMES[6],
    plain: Some((64, 192)),
};

/// Every prime with every application and three of the sizes, or two: primes differ in few constants.
pub(super) fn cases(small: bool) -> Vec<ProgramCase> {
    let mut cases = if small { vec![] } else { vec![LARGEST_PRODUCT] };
    for (i, prime) in PRIMES.into_iter().enumerate() {
        let turns = [i, i + 3, i + 5].map(|turn| SIZES[turn % SIZES.len()]);
        for (n, m, s, threads) in turns.into_iter().take(if small { 2 } else { 3 }) {
            let all = [
                Application::Multiplication { n, m },
                Application::Division { n, m },
                Application::Gcd { n, m },
            ];
            cases.extend(all.map(|application| {
                let is_product = matches!(application, Application::Multiplication { .. });
                let s = if is_product { s.min(MOST_OF_PRODUCT) } else { s };
                ProgramCase { application, prime, plain: Some((s, threads)) }
            }));
        }
    }
    for prime in PRIMES_OF_TRANSFORMS {
        let case = |application| ProgramCase { application, prime, plain: None };
        let sizes = SIZES.iter().take(if small { 2 } else { SIZES.len() });
        cases.extend(sizes.map(|&(n, m, ..)| case(Application::Multiplication { n, m })));
        let sizes = &SIZES_OF_NEWTON[..if small { 1 } else { SIZES_OF_NEWTON.len() }];
        cases.extend(sizes.iter().map(|&(n, m)| case(Application::Division { n, m })));
    }
    for bits in [32, 64] {
        let sizes = [(1, 8, 32), (1000, 11, 32), (5003, 5, 64), (100_003, 12, 256)];
        cases.extend(sizes.into_iter().take(if small { 2 } else { 4 }).map(|(n, s, threads)| {
            let application = Application::RadixSort { n, bits };
            ProgramCase { application, prime: PRIMES[0], plain: Some((s, threads)) }
        }));
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_render_where_they_must() {
        for case in cases(false) {
            let case = Case::from(case);
            assert!(case.program(&Limits::SM_90).is_ok(), "{}", case.name);
            if let Err(error) = case.program(&Limits::SM_75) {
                assert!(
                    matches!(&error, CliError::Spec(error) if case.may_refuse(error)),
                    "{}: {error}",
                    case.name
                );
            }
        }
        assert_eq!((cases(true).len(), cases(false).len()), (2 * 21 + 6 + 4, 1 + 7 * 9 + 22 + 8));
    }
}
