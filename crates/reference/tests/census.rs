//! How often random programs have what is hard: loops within loops, branches, arrays, two widths, and moduli
//! near powers of two, 1 and even.

use limbforge_testing::program::{Case, seeded};
use num_bigint::BigInt;

/// Programs that are drawn.
const PROGRAMS: u64 = 500;

/// The most loops around each other.
fn loops_within(text: &str) -> usize {
    let (mut open, mut most) = (vec![], 0);
    for line in text.lines().map(str::trim) {
        if line.starts_with('}') {
            open.pop();
        }
        if line.ends_with('{') {
            open.push(["repeat ", "for ", "while "].iter().any(|word| line.starts_with(word)));
            most = most.max(open.iter().filter(|is_loop| **is_loop).count());
        }
    }
    most
}

/// The moduli among the inputs.
fn moduli(case: &Case) -> Vec<&BigInt> {
    let is_modulus = |name: &str| {
        let words: Vec<&str> = case.text.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        words.windows(2).any(|pair| pair == ["mod", name])
    };
    case.inputs.iter().filter(|input| is_modulus(input.name)).flat_map(|input| &input.values).collect()
}

fn is_near_a_power(n: &BigInt) -> bool {
    let magnitude = n.magnitude();
    let bits = magnitude.bits();
    let distance = |k: u64| BigInt::from(magnitude.clone()) - (BigInt::from(1) << k);
    // Small numbers are all near.
    bits > 12 && [bits - 1, bits].iter().any(|&k| distance(k).magnitude().bits() <= 6)
}

#[test]
fn what_is_hard_is_drawn_often() {
    let one = BigInt::from(1);
    let mut counts = [0_u64; 9];
    for seed in 0..PROGRAMS {
        let case = seeded(seed, 5);
        let (text, moduli) = (&case.text, moduli(&case));
        let mut widths: Vec<u32> = case.inputs.iter().map(|input| input.ty.bits()).collect();
        widths.sort_unstable();
        widths.dedup();
        let has = [
            loops_within(text) >= 1,
            loops_within(text) >= 2,
            text.contains("if "),
            text.contains('['),
            widths.len() >= 2,
            !moduli.is_empty(),
            moduli.iter().any(|n| is_near_a_power(n)),
            moduli.contains(&&one),
            moduli.iter().any(|n| !n.bit(0)),
        ];
        counts.iter_mut().zip(has).for_each(|(count, has)| *count += u64::from(has));
    }
    let names = [
        "a loop",
        "loops within loops",
        "a branch",
        "an array",
        "two widths",
        "a modulus",
        "a modulus near a power of two",
        "the modulus 1",
        "an even modulus",
    ];
    for (name, count) in names.into_iter().zip(counts) {
        println!("{name}: {count} of {PROGRAMS} programs");
        assert!(count >= PROGRAMS / 20, "{name}: only {count} of {PROGRAMS} programs");
    }
}
