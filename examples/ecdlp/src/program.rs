//! Texts of the programs for a curve.

use limbforge::num_bigint::BigUint;
use limbforge::prelude::{Program, ProgramError};

use crate::curve::Curve;
use crate::error::broken_invariant;
use crate::setting::{Setting, Sizes};

const WALK: &str = include_str!("../programs/walk.lf");
const WALK_UP_TO_SIGN: &str = include_str!("../programs/walk_negation.lf");
const STARTS: &str = include_str!("../programs/starts.lf");

/// The text with other values of constants, and integers of so many bits in place of 131.
fn with_constants(text: &str, bits: u32, constants: &[(&str, String)]) -> String {
    let mut text = text.replace("u131", &format!("u{bits}"));
    for (name, value) in constants {
        let head = format!("const {name} = ");
        let Some(start) = text.find(&head) else {
            broken_invariant("a program without one of its constants")
        };
        let start = start + head.len();
        let end = text[start..].find([' ', '\n']).map_or(text.len(), |length| start + length);
        text.replace_range(start..end, value);
    }
    text
}

fn hex(number: &BigUint) -> String {
    format!("{number:#x}")
}

/// The text of the walk.
#[must_use]
pub fn walk_text(curve: &Curve, setting: &Setting, sizes: &Sizes) -> String {
    let rows = (sizes.walks() as f64) * sizes.segment(setting) as f64;
    // Twice as many rows as are expected. Short cycles of distinguished points have more.
    let rows = rows / 2_f64.powi(setting.distinguished_bits as i32);
    let most = (2.0 * rows).min(2_f64.powi(40)) as u64 + (1 << 20);
    let constants = [
        ("p", hex(&curve.p)),
        ("a", hex(&curve.a)),
        ("K", sizes.points.to_string()),
        ("R", setting.table_size().to_string()),
        ("MASK", format!("{:#x}", setting.mask())),
        ("MOST", most.to_string()),
    ];
    let text = if setting.negation { WALK_UP_TO_SIGN } else { WALK };
    with_constants(&text.replace("key(", &format!("{}(", curve.key_function())), curve.bits(), &constants)
}

/// The text of the program that computes where walks start.
#[must_use]
pub fn starts_text(curve: &Curve, sizes: &Sizes) -> String {
    with_constants(STARTS, curve.bits(), &[("p", hex(&curve.p)), ("K", sizes.points.to_string())])
}

/// The program of a text.
///
/// # Errors
/// [`ProgramError`] for a text that is none.
pub fn parsed(text: &str) -> Result<Program, ProgramError> {
    Program::parse(text)
}
