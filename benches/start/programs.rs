//! Each sample program, over inputs that take no time.

use std::ffi::OsString;
use std::fs;

use super::{Outcome, Start};

/// A program, its text, and its inputs as the program limbforge takes them.
const SAMPLES: [(&str, &str, &str); 8] = [
    ("cfrac.lf", include_str!("../../examples/programs/cfrac.lf"), "D=7"),
    ("ecm.lf", include_str!("../../examples/programs/ecm.lf"), "N=1000003 s=lcm:10 sigma=7..8"),
    ("isqrt.lf", include_str!("../../examples/programs/isqrt.lf"), "a=561"),
    ("modexp.lf", include_str!("../../examples/programs/modexp.lf"), "b=3 e=5 n=7"),
    (
        "pm1.lf",
        include_str!("../../examples/programs/pm1.lf"),
        "N=0x1168257d13 s=lcm:10 first=prime:11 gaps=gaps:11..100",
    ),
    ("prp.lf", include_str!("../../examples/programs/prp.lf"), "n=561"),
    ("rho.lf", include_str!("../../examples/programs/rho.lf"), "N=1000730021 c=1"),
    ("vdf.lf", include_str!("../../examples/programs/vdf.lf"), "N=1000003 x=3 t=100"),
];

/// Measures all of them.
pub(super) fn measure(start: &Start) -> Outcome {
    for (name, text, inputs) in SAMPLES {
        fs::write(start.path(name), text)?;
        let fixed = ["run", name, "--backend", "gpu", "--bits", &start.bits];
        let inputs = inputs.split(' ').flat_map(|input| ["--in", input]);
        start.measure(name, &fixed.into_iter().chain(inputs).map(OsString::from).collect::<Vec<_>>())?;
    }
    Ok(())
}
