//! Random programs on the CPU against the oracle: types, results, failures and their places.

use limbforge_algos::cpu::program::{Completed, Runner};
use limbforge_algos::program::{Program, Rows};
use limbforge_limb::{Batch, Layout};
use limbforge_reference::program::{Expected, Output, Reading, Stopped};
use limbforge_reference::sample;
use limbforge_reference::samples::SAMPLES;
use limbforge_testing::program::{Case, Input, integers, seeded, types};

/// Programs that are drawn; all of `LIMBFORGE_LONG` are more.
const PROGRAMS: u64 = 1000;

/// The results of the CPU, of an undisturbed run or of one that is cut after so many rounds again and again, and
/// goes on from its state.
fn on_cpu(program: &Program, case: &Case, rounds: Option<u64>) -> Expected {
    let typed = program
        .typed(&types(&case.inputs))
        .unwrap_or_else(|error| panic!("{}", error.report(program.text())));
    let batch = |input: &Input| {
        let batch = Batch::from_bigints(input.ty, Layout::InstanceMajor, &input.values);
        batch.unwrap_or_else(|error| panic!("{}: {error}", input.name))
    };
    let inputs: Vec<Batch<u64>> = case.inputs.iter().map(batch).collect();
    let run = Runner::new(&typed, inputs.clone(), case.instances);
    let mut run = run.unwrap_or_else(|error| panic!("{error}"));
    while !run.is_done() {
        run.advance(rounds.unwrap_or(u64::MAX));
        if rounds.is_some() {
            let resumed = Runner::from_state(&typed, inputs.clone(), case.instances, &run.state());
            run = resumed.unwrap_or_else(|error| panic!("{error}"));
        }
    }
    let completed = run.complete().unwrap_or_else(|error| panic!("{error}"));
    let Completed { results, failures, lists } = completed;
    let results = typed.results().iter().zip(results);
    let results = results.map(|(output, batch)| {
        assert_eq!(output.ty, batch.ty());
        Output { name: output.name.clone(), ty: output.ty, values: batch.to_bigints() }
    });
    let failures = failures.into_iter();
    let failures =
        failures.map(|failure| (failure.instance, Stopped { mark: failure.why.mark(), place: failure.span }));
    let rows = |list: &Rows| {
        let columns = list.columns().unwrap_or_else(|error| panic!("{error}"));
        let columns: Vec<_> = columns.iter().map(Batch::to_bigints).collect();
        let row = |(i, &instance): (usize, &u64)| {
            (instance as usize, columns.iter().map(|column| column[i].clone()).collect())
        };
        list.instances().iter().enumerate().map(row).collect()
    };
    let lists = lists.iter().map(rows).collect();
    Expected { results: results.collect(), failures: failures.collect(), lists }
}

fn check(seed: u64, case: &Case) {
    let _shown = Shown(seed, &case.text);
    let program = Program::parse(&case.text).unwrap_or_else(|error| panic!("{error}"));
    let expected = Reading::new(program.tree(), &types(&case.inputs))
        .batch(case.instances, |instance| integers(&case.inputs, instance));
    for rounds in [None, Some(1 + seed % 3)] {
        let found = on_cpu(&program, case, rounds);
        assert_eq!(found, expected, "cut after {rounds:?} rounds");
    }
}

/// A program that is shown where a test panics.
struct Shown<'c>(u64, &'c str);

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("LIMBFORGE_SEED={}:\n{}", self.0, self.1);
        }
    }
}

#[test]
fn random_programs() {
    let programs = if sample::is_long() { 20 * PROGRAMS } else { PROGRAMS };
    for seed in sample::seed()..sample::seed() + programs {
        check(seed, &seeded(seed, 5));
    }
}

#[test]
fn samples() {
    for sample in SAMPLES {
        for case in (sample.cases)() {
            let text = sample.text.to_owned();
            check(0, &Case { text, instances: case.instances, inputs: case.inputs });
        }
    }
}

/// Operands for programs of inputs `a` and `b` of 16 bits, `n` of 12 bits: small ones, all of them.
fn small(text: &str, one_for_all: bool) -> Case {
    let operands: Vec<[u32; 3]> = [0, 1, 2, 7, 65535]
        .into_iter()
        .flat_map(|a| [0, 3, 99].map(|b| (a, b)))
        .flat_map(|(a, b)| [0, 1, 8, 9, 4095].map(|n| [a, b, n]))
        .collect();
    let column = |i: usize, name, ty: &str| Input {
        name,
        ty: ty.parse().unwrap_or_else(|error| panic!("{error}")),
        elements: 1,
        values: operands
            .iter()
            .map(|row| row[i].into())
            .take(if one_for_all { 1 } else { usize::MAX })
            .collect(),
    };
    let inputs = vec![column(0, "a", "u16"), column(1, "b", "u16"), column(2, "n", "u12")];
    Case { text: format!("in a, b, n\n{text}"), instances: operands.len(), inputs }
}

/// Moduli that are bad ones, where and when they are met.
#[test]
fn moduli() {
    let programs = [
        "out x = a mod n",
        // In a loop that makes no round for some instances, after a check of its own and without one.
        "var x = 0\nrepeat a & 1 { x = int(b mod n) + int(a mod n) }\nout x",
        "var x = 0\nfor i in bits(a) { if i { x = int(sqr(b mod n) + a) } }\nout x",
        // Before and after other failures.
        "let q = b / a\nlet x = q mod n\nout x",
        "let x = a mod n\nlet q = b / a\nout x, q",
        "let x = (b / a) % 5 mod n\nout x",
        // A modulus by another name, and as an operand of a function.
        "let m = n\nlet x = a mod m\nlet y = b mod n\nout s = x + y",
        "fn f(x, m) = x * x mod m\nout x = f(a, n), y = f(b, n)",
        "fn f(x, m) = x * x mod m\nout x = f(a, n), y = f(b, n + 1)",
        "let m = n | 1\nlet x = 1 / (a mod m)\nout x",
        // Variables that become residues, before and after the modulus is computed.
        "var x = 1\nrepeat 3 { x = x * (a mod n) }\nout x",
        "let m = n | 1\nvar x = 1\nrepeat 3 { x = x * (a mod m) }\nout x",
        "var x: mod n = 5\nif a > 2 { x = x / b }\nout x",
        // Powers, of 0 too, and by negative numbers.
        "let x = a mod n\nout p = x ** b, q = x ** 0, r = x ** -1, s = x ** -b",
        "let x = a mod n\nout p = x ** i20(b), j = jacobi(x), q = x / 8, r = x == b",
        "out p = 2 ** (a - 1) mod n, q = (a, b) mod n",
        "let t = [a, b, 3] mod n\nout t, u = t / [b, 1, a], v = t[a]",
    ];
    for text in programs {
        for one_for_all in [false, true] {
            check(0, &small(text, one_for_all));
        }
    }
}

/// Arms, loops, indices and conversions at their edges.
#[test]
fn edges() {
    let programs = [
        "var x = 0\nfor i in a .. b { if x < 5 { x = x + 1 } }\nout x",
        "var x = a\nwhile x != b limit 3 { x = x + 1 }\nout x",
        "var x = a\nwhile x < 3 or b / x > 2 limit 9 { x = x + 1 }\nout x",
        "var t: [u16; 3] = a\nt[b] = 7\nout t, u = t[a]",
        "var t = [1, 2, 3]\nfor i in 0 .. 3 { t[i] = t[2 - i] + a }\nout t, s = t[0] + t[1]",
        "let t = [a + k for k in 0 .. 4]\nvar s = 0\nfor x in t after 1 { s = 2*s + x }\nout s",
        "require a != 0 and b / a < 100\nout q = b / a",
        "let c = a < b\nlet (x, y) = swap(c, (a, b), (b, n))\nout x, y",
        "out x = (if a < b { if n > 3 { 1 } else { a } } else { b }), y = select(a == b, 0, 7)",
        "out x = u4(a) + (a < b), y = i17(a) - b, z = u64(a) * b, w = i8(a) >> b, v = a << (b - 1)",
        "var d: u16 = 0\nfor x in digits(a, 4) { d = 16*d + x }\nout d, l = bit_length(a), t = bit(a, b), m = mask(3) & a",
        "out e = 2**70 / 3**40, f = u128(2**70 - 1), g = -7 / 2, h = (-7) % 4",
        "let x = a - b\nlet y = isqrt(i16(x))\nlet z = div_exact(b, 3)\nout y, z",
        "fn g((x, y), c) {\n    var z = 0\n    if c { z = x / y }\n    (z, x)\n}\nlet (u, v) = g((a, b), n > 8)\nout u, v",
    ];
    for text in programs {
        for one_for_all in [false, true] {
            check(0, &small(text, one_for_all));
        }
    }
}
