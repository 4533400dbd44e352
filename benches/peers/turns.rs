//! limbforge and both libraries in turn.

use std::hint::black_box;

use limbforge::prelude::*;
use num_bigint::BigUint;
use serde_json::{Value, json};

use crate::calls::{self, Library};
use crate::operation::{Kind, Operation};
use crate::{Failure, Options};

/// Turns of a case.
const TURNS: std::ops::RangeInclusive<u32> = 5..=400;
/// Seconds of a case in which further turns begin.
const SECONDS: f64 = 0.5;

/// Compares the results of all three, then returns the least times of an instance in nanoseconds.
pub(crate) fn measure(
    operation: Operation,
    kind: Kind,
    width: u32,
    options: &Options,
) -> Result<Value, Failure> {
    let ty = IntType::unsigned(1 << width)?;
    let operands = operation.operands(kind, ty.bits());
    let [a, b, c] =
        operands.each_ref().map(|numbers| Batch::from_biguints(ty, Layout::InstanceMajor, numbers));
    let (a, b, c): (Batch<u64>, _, _) = (a?, b?, c?);
    let (engine, expr) = (Engine::cpu(), Expr::parse(operation.expression())?);
    let all = [("a", &a), ("b", &b), ("c", &c)];
    let inputs: Vec<_> = all.into_iter().filter(|(name, _)| operation.has(name)).collect();
    let mut result = engine.eval(&expr, &inputs)?;

    let limbs = a.limbs().len() / a.instances();
    let mut peers = calls::Batch::new([a.limbs(), b.limbs(), c.limbs()], limbs).ok_or("memory is short")?;
    for library in Library::ALL {
        peers.run(library, operation);
        compare(operation, library, &operands, &result, &peers.results(library, operation))?;
    }

    let mut least = [f64::INFINITY; 3];
    let (start, mut turns) = (calls::seconds(), 0);
    while turns < *TURNS.start()
        || turns < *TURNS.end() && calls::seconds() - start < SECONDS * options.patience
    {
        turns += 1;
        let begin = calls::seconds();
        engine.eval_into(&expr, &inputs, black_box(&mut result))?;
        let own = calls::seconds();
        peers.run(Library::Flint, operation);
        let flint = calls::seconds();
        peers.run(Library::Gmp, operation);
        let gmp = calls::seconds();
        let times = [own - begin, flint - own, gmp - flint];
        least.iter_mut().zip(times).for_each(|(least, time)| *least = least.min(time));
    }
    let [own, flint, gmp] = least.map(|seconds| rounded(seconds * 1e9 / a.instances() as f64));
    Ok(json!({
        "operation": operation.name(), "operands": kind.name(), "bits": ty.bits(), "instances": a.instances(),
        "turns": turns, "limbforge": own, "FLINT": flint, "GMP": gmp,
    }))
}

/// To four digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap_or(value)
}

/// The error names the first instance that differs.
fn compare(
    operation: Operation,
    library: Library,
    operands: &[Vec<BigUint>; 3],
    own: &Batch<u64>,
    found: &[u64],
) -> Result<(), Failure> {
    let limbs = found.len() / own.instances();
    let halves = |&limb: &u64| [limb as u32, (limb >> 32) as u32];
    for (i, (own, found)) in own.to_biguints().into_iter().zip(found.chunks(limbs)).enumerate() {
        let found = BigUint::new(found.iter().flat_map(halves).collect());
        if own != found {
            let [a, b, c] = operands.each_ref().map(|numbers| &numbers[i]);
            let text = operation.expression();
            let name = library.name();
            return Err(format!("{text} of {a:x}, {b:x}, {c:x} is {own:x}, by {name} {found:x}").into());
        }
    }
    Ok(())
}
