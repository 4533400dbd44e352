//! Programs with loops: one kernel of each, whole and in slices.

use limbforge::limb::IntType;

use super::{Case, CliError, Task};
use crate::gpu_commands::selftest::types::int_type;

/// A program over integers of one type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TapeCase {
    pub(crate) text: &'static str,
    /// The type of the inputs that have none in the text.
    pub(crate) ty: IntType,
}

/// Names and texts: residues, powers, loops over counts, bits, digits and conditions, branches, arrays, and
/// failures of every kind.
const TEXTS: [(&str, &str); 12] = [
    (
        "squarings",
        "in x, n\nin t: u8\nvar y = x mod n\nrepeat t { y = sqr(y) }\nout y, inverse = 1 / y, j = jacobi(y)",
    ),
    ("power", "in b, e, n\nout p = b ** e mod n, fermat = 2 ** (n - 1) mod n == 1"),
    (
        "bits",
        "in b, e, n\nlet x = b mod n\nvar y = 1 mod n\nfor bit in bits(e) { y = sqr(y)\nif bit { y = y * x } }\nout y",
    ),
    (
        "digits",
        "in b, e, n\nlet powers = [b ** k mod n for k in 0 .. 16]\nvar r = 1 mod n\nfor digit in digits(e, 4) {\n\
         repeat 4 { r = sqr(r) }\nr = r * powers[digit]\n}\nout r",
    ),
    (
        "gcd",
        "in a, b\nvar (x, y, rounds) = (a, b, 0)\nwhile y != 0 limit 40 {\n(x, y) = (y, x % y)\nrounds = rounds + 1\n}\n\
         out x, rounds",
    ),
    ("quotients", "in a, b\nrequire a != b\nout q = a / b, r = a % b, root = isqrt(a)"),
    (
        "two loops",
        "in a, n\nin t: u8\nvar s = a\nrepeat t { s = s + (s >> 3) }\nvar y = s mod n\nrepeat t { y = y * s }\nout y, s",
    ),
    ("index", "in a\nin k: u8\nlet t = [a, a + 1, a - 1, a ^ 5]\nout x = t[k % 6]"),
    (
        "quotients of arrays",
        "in a, b, n\nlet x = [a, b, a + b, 1] mod n\nvar y = [b + 3, 5, a + 1, 2] mod n\nrepeat 3 { y = x / y + 1 }\nout y",
    ),
    (
        "random",
        "in a\nin k: u8\nlet x = random(u131, a, 32*instance + k)\nvar s = 0\nfor i in 0 .. 9 { s = s + random(u64, k, i) }\n\
         out x, s, y = random(i300, 5, a), instance",
    ),
    (
        "lists",
        "in x, n\nin t: u8\nlist found: (u64, mod n, u32, bool) at most 2**40\nvar y = [x, x + 1] mod n\nfor i in 0 .. t { y = sqr(y) + 1\n\
         emit found(instance + i, y, element, i > 9) where int(y) % 4 == 0 }\nlist ends: u8 at most 2**40\nemit ends(t) where t > 99\nout y",
    ),
    ("constants", "in x\nlet n = 2**61 - 1\nvar y = x mod n\nfor i in 0 .. 20 { y = sqr(y) + i }\nout y"),
];

/// Of one lane with several paddings, and of 2 to 8 lanes.
const WIDTHS: [u32; 10] = [64, 77, 128, 256, 500, 512, 768, 1024, 2048, 4096];

impl TapeCase {
    fn case(self, name: &'static str) -> Case {
        Case {
            name: format!("programs {name} {}", self.ty),
            key: ["programs", "u64", name],
            size: self.ty.bits(),
            task: Task::Tape(self),
        }
    }
}

/// Each program in each width. Small: in two of them.
pub(crate) fn cases(small: bool) -> Result<Vec<Case>, CliError> {
    let mut cases = vec![];
    for (i, (name, text)) in TEXTS.into_iter().enumerate() {
        for bits in if small {
            vec![WIDTHS[i % WIDTHS.len()], WIDTHS[(i + 5) % WIDTHS.len()]]
        } else {
            WIDTHS.to_vec()
        } {
            cases.push(TapeCase { text, ty: int_type(bits, false)? }.case(name));
        }
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use limbforge::prelude::*;
    use limbforge_kernels_gen::program::{TapeInput, TapeSpec, render};
    use limbforge_kernels_gen::{LimbKind, Limits, Target};

    use super::*;

    #[test]
    fn all_render_where_they_must() {
        for case in cases(true).unwrap() {
            let Task::Tape(TapeCase { text, ty }) = case.task else { unreachable!() };
            let program = Program::parse(text).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            let types: Vec<_> =
                program.inputs().filter(|(_, known)| known.is_none()).map(|(name, _)| (name, ty)).collect();
            let program = program.typed(&types).unwrap_or_else(|error| panic!("{}: {error}", case.name));
            let (limb, output) = (LimbKind::of::<u64>(), Layout::InstanceMajor);
            let input = TapeInput { limb, layout: output, one_for_all: false };
            let inputs = vec![input; program.inputs().len()];
            let spec = TapeSpec {
                program: &program,
                inputs,
                limb,
                output,
                instances: None,
                target: Target::Cuda,
                emission: None,
            };
            render(&spec, &Limits::SM_90).unwrap_or_else(|error| panic!("{}: {error}", case.name));
        }
    }
}
