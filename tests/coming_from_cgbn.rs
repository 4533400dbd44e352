//! The page for those who come from CGBN: what it says computes what CGBN's function computes.

use std::collections::BTreeSet;

use limbforge::prelude::*;
use num_bigint::BigUint;

const PAGE: &str = include_str!("../docs/coming-from-cgbn.md");

/// The code in a cell of a table.
fn code(cell: &str) -> impl Iterator<Item = String> {
    cell.split('`').skip(1).step_by(2).map(|code| code.replace("\\|", "|"))
}

/// (the functions of CGBN, the expressions) of each row.
fn rows() -> Vec<(Vec<String>, Vec<String>)> {
    let lines = PAGE.lines().take_while(|line| !line.starts_with("## Memory"));
    let rows = lines.filter(|line| line.starts_with("| `cgbn_")).map(|line| {
        let line = line.replace("\\|", "\u{1}");
        let cells: Vec<String> = line.split('|').map(|cell| cell.replace('\u{1}', "\\|")).collect();
        (code(&cells[1]).collect(), code(&cells[2]).collect())
    });
    rows.collect()
}

#[test]
fn every_expression_of_the_page_parses() {
    let rows = rows();
    let expressions: Vec<&String> = rows.iter().flat_map(|(_, expressions)| expressions).collect();
    assert!(expressions.len() > 60, "{}", expressions.len());
    for text in expressions {
        Expr::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn no_function_has_two_rows() {
    let names: Vec<String> = rows().into_iter().flat_map(|(functions, _)| functions).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
}

/// The value of the expression that the page has for a function of CGBN, for numbers of 96 bits.
fn value(function: &str, variables: &[(&str, u128)]) -> Result<u128, Box<dyn std::error::Error>> {
    let found =
        rows().into_iter().find(|(functions, _)| functions.iter().any(|call| call.starts_with(function)));
    let (_, expressions) = found.ok_or_else(|| format!("no row of {function}"))?;
    let expr = Expr::parse(&expressions[0])?;
    let ty = IntType::unsigned(96)?;
    let batches: Vec<(&str, Batch<u32>)> = variables
        .iter()
        .map(|&(name, value)| {
            Ok((name, Batch::from_biguints(ty, Layout::InstanceMajor, &[BigUint::from(value)])?))
        })
        .collect::<Result<_, BatchError>>()?;
    let inputs: Vec<(&str, &Batch<u32>)> = batches.iter().map(|(name, batch)| (*name, batch)).collect();
    Ok(u128::try_from(&Engine::cpu().eval(&expr, &inputs)?.to_biguints()[0])?)
}

/// What CGBN's documentation says of its functions on bits, on one number by the operations of u128.
#[test]
fn functions_on_bits_are_those_of_cgbn() -> Result<(), Box<dyn std::error::Error>> {
    let ones = (1_u128 << 96) - 1;
    let (a, b) = (0x8123_4567_89ab_cdef_0fed_cba9_u128, 0x7fff_ffff_0000_0001_8000_0000_u128);
    let choose = 0xff00_ff00_ff00_ff00_ff00_ff00_u128;
    let at = |name, values: &[(&str, u128)]| value(name, values);
    for n in [0, 1, 31, 32, 33, 64, 95] {
        let an = [("a", a), ("n", n)];
        assert_eq!(at("cgbn_shift_left(", &an)?, a << n & ones);
        assert_eq!(at("cgbn_shift_right(", &an)?, a >> n);
        assert_eq!(at("cgbn_rotate_left(", &an)?, (a << n | a >> (96 - n)) & ones);
        assert_eq!(at("cgbn_rotate_right(", &an)?, (a >> n | a << (96 - n)) & ones);
        let mask = (1 << n) - 1;
        assert_eq!(at("cgbn_bitwise_mask_copy(", &[("n", n)])?, mask);
        assert_eq!(at("cgbn_bitwise_mask_and(", &an)?, a & mask);
        assert_eq!(at("cgbn_bitwise_mask_ior(", &an)?, a | mask);
        assert_eq!(at("cgbn_bitwise_mask_xor(", &an)?, a ^ mask);
        let choice = [("clear", a), ("set", b), ("n", n)];
        assert_eq!(at("cgbn_bitwise_mask_select(", &choice)?, a & !mask | b & mask);
        let field = [("a", a), ("b", b), ("k", b), ("start", n), ("len", 13)];
        let without = |names: &[&str]| -> Vec<(&str, u128)> {
            field.into_iter().filter(|(name, _)| !names.contains(name)).collect()
        };
        assert_eq!(at("cgbn_extract_bits(", &without(&["b", "k"]))?, a >> n & 0x1fff);
        assert_eq!(at("cgbn_extract_bits_ui32(", &without(&["b", "k"]))?, a >> n & 0x1fff);
        let replaced = (a & !(0x1fff << n) | (b & 0x1fff) << n) & ones;
        assert_eq!(at("cgbn_insert_bits(", &without(&["k"]))?, replaced);
        assert_eq!(at("cgbn_insert_bits_ui32(", &without(&["b"]))?, replaced);
    }
    let choice = [("clear", a), ("set", b), ("choose", choose)];
    assert_eq!(at("cgbn_bitwise_select(", &choice)?, a & !choose | b & choose);
    for (a, ones, above, below) in [(0, 0, 96, 96), (a, a.count_ones(), 0, 0), (b, b.count_ones(), 1, 31)] {
        assert_eq!(at("cgbn_pop_count(", &[("a", a)])?, ones.into());
        assert_eq!(at("cgbn_clz(", &[("a", a)])?, above);
        assert_eq!(at("cgbn_ctz(", &[("a", a)])?, below);
    }
    Ok(())
}
