//! The table of operators and functions: complete, and true.

use std::collections::{BTreeSet, HashMap};

use limbforge_algos::cpu::{Why, eval_checked};
use limbforge_algos::expr::{Dag, Example, Expr, Syntax, operations};
use limbforge_limb::{Base, Batch, IntType, Layout};
use limbforge_testing::expr::evaluate_checked;
use num_bigint::BigInt;

#[test]
fn rows_are_whole() {
    let names: Vec<(&str, Syntax)> = operations().map(|row| (row.name, row.syntax)).collect();
    for (i, row) in operations().enumerate() {
        assert!(!names[..i].contains(&names[i]), "{} has two rows", row.name);
        assert!(!row.examples.is_empty() && row.summary.len() < 90, "{}", row.name);
        assert!(!row.summary.ends_with('.') && !row.group.is_empty() && !row.page.is_empty(), "{}", row.name);
        // The first example is one of the operation, and has a value.
        assert!(
            row.examples[0].text.contains(row.name) && !row.examples[0].value.starts_with('!'),
            "{}",
            row.name
        );
        Expr::parse(&row.signature().replace("exponent", if row.name == "**" { "3" } else { "exponent" }))
            .unwrap();
    }
    // Every mark of a row has an example, and every reason a row.
    let reasons: BTreeSet<Why> =
        operations().flat_map(|row| row.failures.iter().map(|(why, _)| *why)).collect();
    assert_eq!(reasons.len(), 10, "{reasons:?}");
    for why in reasons {
        let mark = format!("!{}", why.mark());
        assert!(operations().any(|row| row.examples.iter().any(|example| example.value == mark)), "{mark}");
    }
}

/// The value as an example writes it, by the CPU backend.
fn value<B: Base>(dag: &Dag, ty: IntType) -> String {
    // A batch of no use sets type and number of instances.
    let unused = Batch::<B>::zeros(ty, Layout::InstanceMajor, 1).unwrap();
    let result = eval_checked(dag, &[("unused", &unused)]).unwrap();
    match result.failures.first() {
        Some(failure) => format!("!{}", failure.why.mark()),
        None => result.values.to_bigints()[0].to_string(),
    }
}

fn by_oracle(dag: &Dag, ty: IntType) -> String {
    match evaluate_checked(dag, &HashMap::new(), ty) {
        Err(failed) => format!("!{}", failed[0].1.mark()),
        Ok(residue) => {
            let (result, value) = (dag.result_type(ty).unwrap(), BigInt::from(residue));
            let negative = result.is_signed() && value.bit(u64::from(result.bits()) - 1);
            if negative { value - (BigInt::from(1) << result.bits()) } else { value }.to_string()
        }
    }
}

#[test]
fn every_example_is_true() {
    for row in operations() {
        for example @ Example { text, ty, value: expected, .. } in row.examples {
            let dag = Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}")).to_dag();
            let ty: IntType = ty.parse().unwrap();
            assert_eq!(value::<u64>(&dag, ty), *expected, "{example}");
            assert_eq!(value::<u32>(&dag, ty), *expected, "{example}, limbs of 32 bits");
            assert_eq!(value::<u128>(&dag, ty), *expected, "{example}, limbs of 128 bits");
            assert_eq!(by_oracle(&dag, ty), *expected, "{example}, oracle");
        }
    }
}

/// Triples of numbers at the edges of the definitions, by every function; kernels have the same ones.
#[test]
fn values_at_the_edges_equal_the_oracle() {
    let names = ["a", "b", "c", "d"];
    for ty in ["u64", "i64", "i131", "u8", "i8"] {
        let ty: IntType = ty.parse().unwrap();
        let modulus = BigInt::from(1) << ty.bits();
        let numbers = [-4, -1, 0, 1, 2, 15].map(|value| match ty.is_signed() {
            true => BigInt::from(value),
            false => (BigInt::from(value) + &modulus) % &modulus,
        });
        let rows: Vec<[BigInt; 4]> = (0..6 * 6 * 6)
            .map(|i| [i % 6, i / 6 % 6, i / 36, (i + i / 36) % 6].map(|k: usize| numbers[k].clone()))
            .collect();
        let batches: Vec<Batch<u32>> = (0..4)
            .map(|k| {
                let column: Vec<BigInt> = rows.iter().map(|row| row[k].clone()).collect();
                Batch::from_bigints(ty, Layout::InstanceMajor, &column).unwrap()
            })
            .collect();
        let inputs: Vec<(&str, &Batch<u32>)> = names.into_iter().zip(&batches).collect();
        // Wide products have no edges, and powers no operation.
        let all = operations().filter_map(|row| row.op.as_ref()).filter(|op| !op.is_wide());
        for op in all {
            let args = names[..op.arity()].iter().map(|name| Expr::input(name)).collect();
            let dag = Expr::operation(op.clone(), args).to_dag();
            let found = eval_checked(&dag, &inputs).unwrap();
            let values = found.values.to_biguints();
            for (i, row) in rows.iter().enumerate() {
                let variables = names.into_iter().zip(row.iter().cloned()).collect();
                let why =
                    found.failures.iter().find(|failure| failure.instance == i).map(|failure| failure.why);
                let found = why.map_or_else(|| Ok(values[i].clone()), Err);
                let expected = evaluate_checked(&dag, &variables, ty).map_err(|failed| failed[0].1);
                assert_eq!(found, expected, "{op} of {ty} with {row:?}");
            }
        }
    }
}
