//! Inline assembly: no statement reads a factor that it has written.
//!
//! A word that a statement of several instructions writes before it has read its other inputs must be "+&r"
//! or "=&r". With "+r" the compiler may hold it in the register of an input that it knows to be equal. The
//! emulator has C++ in place of these statements and cannot find that; nvrtc's PTX shows it.

use std::collections::HashSet;

use limbforge_gpu::{Image, Target};
use limbforge_kernels_gen::{Limits, render};
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{LIMBS, nvrtc, unsigned};

/// Constants much shorter than the type: their words, and those of sums that begin at 0, are equal.
const WITH_CONSTANTS: [&str; 16] = [
    "a * 0x10001",
    "mulhi(a, 0xffffffff)",
    "mul_wide(a, 0x7fffffffffffffffffffffff)",
    "from_mont(a, 0x7fffffffffffffffffffffff)",
    "to_mont(a, 0x1ffffffffffff)",
    "mont_mul(a, 5, 0xffffffff)",
    "mont_reduce(a, b, 0xffffffff)",
    "mulmod(a, 3, 0xffffffff)",
    "powmod(3, a, 0xffffffff)",
    "powmod(a, 65537, b)",
    "modinv(3, a)",
    "a / 0xffffffff",
    "div_wide(5, a, 0xffffffff)",
    "root(a, 3)",
    "is_strong_probable_prime(a, 2)",
    "xgcd_x(a, 0xffffffff)",
];

/// The instructions of a multiplication whose factor an earlier one of the same statement has written.
fn overwritten(ptx: &str) -> Vec<String> {
    let statements = ptx.split("// begin inline asm").skip(1);
    let statements = statements.filter_map(|rest| rest.split("// end inline asm").next());
    let mut found = vec![];
    for statement in statements {
        let mut written = HashSet::new();
        for instruction in statement.split(';').map(|text| text.trim_matches(['{', '}', '\n', '\t', ' '])) {
            let Some((name, operands)) = instruction.split_once(char::is_whitespace) else { continue };
            let operands: Vec<&str> = operands.split(',').map(str::trim).collect();
            let factors = operands.get(1..3).filter(|_| name.starts_with("mad"));
            if factors.is_some_and(|factors| factors.iter().any(|factor| written.contains(factor))) {
                found.push(instruction.to_owned());
            }
            written.insert(operands[0]);
        }
    }
    found
}

#[test]
fn a_factor_that_was_written_is_found() {
    let ptx = "// begin inline asm\nmad.lo.cc.u32 %r1, %r2, %r3, %r1;\n\tmadc.hi.cc.u32 %r4, %r1, %r3, %r4;\n// end inline asm";
    assert_eq!(overwritten(ptx), ["madc.hi.cc.u32 %r4, %r1, %r3, %r4"]);
    assert!(overwritten(&ptx.replace("%r4, %r1, %r3", "%r4, %r2, %r3")).is_empty());
}

#[needs(nvrtc)]
#[test]
fn no_factor_is_written_before_it_is_read() {
    let nvrtc = nvrtc();
    let mut multiplications = 0;
    for text in WITH_CONSTANTS {
        for (bits, limb) in sample(text, [(116, LIMBS[0]), (300, LIMBS[1])], 1) {
            let kernel = render(&unsigned(text, bits, limb, Layout::InstanceMajor), &Limits::SM_90).unwrap();
            let compiled = nvrtc.compile(&kernel.source, Target::Ptx("sm_90".parse().unwrap()), &[]).unwrap();
            let Image::Ptx(ptx) = compiled.image else { panic!("expected PTX") };
            multiplications += ptx.matches("mad.lo.cc").count() + ptx.matches("madc.lo.cc").count();
            assert_eq!(overwritten(&ptx), [""; 0], "{text}, {bits} bits");
        }
    }
    assert!(multiplications > 200, "{multiplications}: is the assembly marked otherwise?");
}
