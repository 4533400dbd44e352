//! Expressions: text, operators, normal form, and the schedule made from them.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use limbforge_algos::cpu::{Schedule, Source};
use limbforge_algos::expr::{Expr, Op, ParseExprError};
use limbforge_limb::IntType;
use limbforge_testing::expr::expression;
use proptest::prelude::*;

fn dag(text: &str) -> String {
    Expr::parse(text).unwrap().to_dag().to_string()
}

fn error(text: &str) -> (usize, String, String) {
    let ParseExprError { column, expected, found } = Expr::parse(text).unwrap_err();
    (column, expected, found)
}

#[test]
fn precedence_is_that_of_the_grammar() {
    for (text, explicit) in [
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("a + b << 3", "(a + b) << 3"),
        ("a & b << 3", "a & (b << 3)"),
        ("a | b ^ c & d", "a | (b ^ (c & d))"),
        ("a + 1 < b | c", "(a + 1) < (b | c)"),
        ("-a * b", "(-a) * b"),
        ("a / b * c % d", "((a / b) * c) % d"),
        ("a + b / c", "a + (b / c)"),
        ("a % b << 3", "(a % b) << 3"),
        ("~-~a", "~(-(~a))"),
        ("a >> 3 << 2", "(a >> 3) << 2"),
        ("a << b & c", "(a << b) & c"),
        ("a + b >> -c << d", "((a + b) >> (-c)) << d"),
        ("a > b", "b < a"),
        ("a >= b", "b <= a"),
    ] {
        assert_eq!(dag(text), dag(explicit), "{text}");
    }
}

#[test]
fn equal_subexpressions_are_one_node() {
    assert_eq!(dag("(a*a + b)*(b*b + b) + a*b").matches(';').count() + 1, 9);
    assert_eq!(dag("a * b + b * a"), "%0 = input a; %1 = input b; %2 = mul %0, %1; %3 = add %2, %2");
    assert_eq!(dag("a * a"), dag("sqr(a)"));
    assert_eq!(dag("(mul_wide(a, a))"), dag("sqr_wide(a)"));
    assert_eq!(dag("mul_wide(b, a) "), "%0 = input b; %1 = input a; %2 = mul_wide %0, %1");
    assert_eq!(dag("0xff + 0Xff"), dag("255 + 255"));
    assert_ne!(dag("a - b"), dag("b - a"));
    assert_ne!(dag("a / b"), dag("b / a"));
    assert_eq!(dag("div_euclid(a, b) + rem_euclid(a, b) + div_exact(a, b) + divisible(a, b)"), {
        let (a, b) = (Expr::input("a"), Expr::input("b"));
        (a.div_euclid(&b) + a.rem_euclid(&b) + a.div_exact(&b) + a.divisible(&b)).to_dag().to_string()
    });
    assert_eq!(dag("a / 3 % b"), (Expr::input("a") / 3 % Expr::input("b")).to_dag().to_string());
    let (a, b) = (Expr::input("a"), Expr::input("b"));
    let built = a.mul_high(&b).select(&(&a << 3), &!(&b - 1));
    assert_eq!(built.to_dag().to_string(), dag("select(mulhi(a, b), a << 3, ~(b - 1))"));
}

/// Constant amounts are part of the operation, whichever way they are written.
#[test]
fn amounts_that_are_constants_are_folded() {
    for (text, folded) in [
        ("shl(a, 5)", "%0 = input a; %1 = shl[5] %0"),
        ("shr(a, 5)", "%0 = input a; %1 = shr[5] %0"),
        ("a << -5", "%0 = input a; %1 = shr[5] %0"),
        ("shr(a, -5)", "%0 = input a; %1 = shl[5] %0"),
        ("a >> (7)", "%0 = input a; %1 = shr[7] %0"),
        ("shl(a, 4294967296)", "%0 = input a; %1 = shl[4294967295] %0"),
        ("a << b", "%0 = input a; %1 = input b; %2 = shl %0, %1"),
        ("rotl(a, 3)", "%0 = input a; %1 = rotl[3] %0"),
        ("rotr(a, 3)", "%0 = input a; %1 = rotl[-3] %0"),
        ("rotr(a, b)", "%0 = input a; %1 = input b; %2 = rotr[_] %0, %1"),
        ("mask(-7)", "%0 = mask[-7]"),
        ("mask_high(7)", "%0 = mask[-7]"),
        ("mask_high(a)", "%0 = input a; %1 = mask_high[_] %0"),
        ("extract(a, 3, 8)", "%0 = input a; %1 = extract[3, 8] %0"),
        ("extract(a, b, 8)", "%0 = input a; %1 = input b; %2 = extract[_, 8] %0, %1"),
        ("extract(a, 3, b)", "%0 = input a; %1 = input b; %2 = extract[3, _] %0, %1"),
        ("insert(a, b, c, a)", "%0 = input a; %1 = input b; %2 = input c; %3 = insert[_, _] %0, %1, %2, %0"),
        ("insert(a, b, 4, c)", "%0 = input a; %1 = input b; %2 = input c; %3 = insert[4, _] %0, %1, %2"),
        ("insert(a, 9, -4, 2)", "%0 = input a; %1 = literal 0x9; %2 = insert[-4, 2] %0, %1"),
    ] {
        assert_eq!(dag(text), folded, "{text}");
    }
    let (a, b) = (Expr::input("a"), Expr::input("b"));
    assert_eq!((&a << &b).to_dag().to_string(), dag("a << b"));
    assert_eq!((a.clone() >> b.clone()).to_dag().to_string(), dag("shr(a, b)"));
    let built =
        a.rotl(&b).insert(&a.popcount(), &3.into(), &(a.clz() - b.ctz())).extract(&b.mask(), &6.into());
    assert_eq!(
        built.to_dag().to_string(),
        dag("extract(insert(rotl(a, b), popcount(a), 3, clz(a) - ctz(b)), mask(b), 6)")
    );
    let again = Expr::operation(Op::Rotl(limbforge_algos::expr::Amount::Constant(3.into())), vec![a]);
    assert_eq!(again.to_dag().to_string(), dag("rotl(a, 3)"));
}

#[test]
fn errors_say_where_and_what() {
    let operand = "a number, a variable, a function or `(`";
    let end = "the end of the expression";
    for (text, column, expected, found) in [
        ("", 1, operand, end),
        ("a +", 4, operand, end),
        ("a + * b", 5, operand, "`*`"),
        ("(a + b", 7, "an operator or `)`", end),
        ("a + b)", 6, "an operator or the end", "`)`"),
        ("a b", 3, "an operator or the end", "`b`"),
        ("a << 2 + b", 8, "parentheses around the shift, as in (a << 1) + b", "`+`"),
        ("a << b + c", 8, "parentheses around the shift, as in (a << 1) + b", "`+`"),
        ("a << ", 6, operand, end),
        ("extract(a, 3)", 13, "`,` (extract takes 3 operands: a, start, length)", "`)`"),
        ("min(a)", 6, "`,` (min takes 2 operands: a, b)", "`)`"),
        ("gcd(a)", 6, "`,` (gcd takes 2 operands: a, b)", "`)`"),
        ("gcd()", 5, "an operand (gcd takes 2 operands: a, b)", "`)`"),
        ("gcd(a, )", 8, "an operand (gcd takes 2 operands: a, b)", "`)`"),
        ("isqrt(a, b)", 8, "`)` (isqrt takes 1 operand: a)", "`,`"),
        ("min(a, b, c)", 9, "`)` (min takes 2 operands: a, b)", "`,`"),
        ("sqr a", 5, "`(`", "`a`"),
        ("12ab", 1, "a number (decimal, or hexadecimal after 0x)", "`12ab`"),
        ("0x", 1, "a number (decimal, or hexadecimal after 0x)", "`0x`"),
        ("a + é", 5, operand, "`\\u{e9}`"),
        ("é", 1, operand, "`\\u{e9}`"),
        ("a / ", 5, operand, end),
        ("a ? b", 3, "an operator or the end", "`?`"),
        ("a << 2 / b", 8, "parentheses around the shift, as in (a << 1) + b", "`/`"),
        ("div_exact(a)", 12, "`,` (div_exact takes 2 operands: a, b)", "`)`"),
        ("a = b", 3, "an operator or the end", "`=`"),
    ] {
        assert_eq!(error(text), (column, expected.to_owned(), found.to_owned()), "{text}");
    }
    let narrow = "an operand of N bits (a wide product has 2N and must be the whole expression; `*` and `mulhi` are its halves)";
    for (text, column, name) in [
        ("mul_wide(a, b) + 1", 1, "`mul_wide`"),
        ("a + -(sqr_wide(b))", 7, "`sqr_wide`"),
        ("mul_wide(a, mul_wide(a, b))", 13, "`mul_wide`"),
        ("sqr_wide(sqr_wide(a))", 10, "`sqr_wide`"),
        ("mul_wide(a, b) < b", 1, "`mul_wide`"),
        ("(mul_wide(a, b)) >> 3", 2, "`mul_wide`"),
    ] {
        assert_eq!(error(text), (column, narrow.to_owned(), name.to_owned()), "{text}");
    }
    assert_eq!(error("a < b < c").0, 7);
    assert_eq!(error("f(a)").0, 2);
    assert_eq!(Expr::parse_with_inputs("a + x", &["a", "b"]).unwrap_err().column, 5);
}

#[test]
fn names_that_are_no_function_have_others_beside_them() {
    for (text, begin) in [
        (
            "divmod(a, b)",
            "an operator (`divmod` is no function: did you mean `a / b` and `a % b`? All are sqr, mulhi,",
        ),
        (
            "xgcd(a, b)",
            "an operator (`xgcd` is no function: did you mean `xgcd_x(a, b)` and `xgcd_y(a, b)`? All are sqr,",
        ),
        ("1 + mulmd(a, b, c)", "an operator (`mulmd` is no function: did you mean `mulmod`? All are sqr,"),
        ("frobnicate(a)", "an operator (`frobnicate` is no function: sqr, mulhi,"),
    ] {
        let expected = error(text).1;
        assert!(expected.starts_with(begin), "{text}: {expected}");
    }
    let error = Expr::parse_with_inputs("a + div_rem(a, b)", &["a", "b"]).unwrap_err();
    let begin = "a variable (a, b) or a function (did you mean `a / b` and `a % b`? All are sqr, mulhi,";
    assert!(error.expected.starts_with(begin) && error.column == 5, "{error}");
}

/// What an expression is called is an expression of the same value, and mostly the text itself.
#[test]
fn values_are_called_by_their_expressions() {
    let describe = |text: &str| {
        let dag = Expr::parse(text).unwrap().to_dag();
        dag.describe(dag.ids().next_back().unwrap())
    };
    for text in [
        "a",
        "5",
        "-5",
        "a - a",
        "a - (b - c)",
        "a - b - c",
        "-(a + b) * ~c",
        "(a | b) ^ c & -a",
        "a | b ^ a & c",
        "a / b % c",
        "a / (b % c)",
        "(a < b) + (a == b)",
        "(a << 3) + 1",
        "(a + b) << 3",
        "a << b",
        "(a >> (b - 1)) << 7",
        "select(a < b, a, b)",
        "powmod(a, -5, b)",
        "gcd(a + b, lcm(b, c))",
        "rotl(a, 3)",
        "rotr(a, b)",
        "extract(a, 3, b)",
        "insert(a, b, 4, c)",
        "insert(a, b, c, -4)",
        "mask(-7)",
        "mulhi(a, b) & 0x123456789abcdef0123456789",
    ] {
        assert_eq!(describe(text), text);
    }
    for (text, expected) in
        [("a * a", "sqr(a)"), ("a > b", "b < a"), ("shl(a, -2)", "a >> 2"), ("0x10 + a", "16 + a")]
    {
        assert_eq!(describe(text), expected);
    }
    // Long ones have room for some levels, and those of equal values, of which there are many, take no time.
    let doubled = (0..200_000).fold(Expr::input("a"), |sum, _| (&sum + &sum) & 7);
    let dag = doubled.to_dag();
    let text = dag.describe(dag.ids().next_back().unwrap());
    assert_eq!(text, "7 & (7 & (7 & ...) + (7 & ...)) + (7 & (7 & ...) + (7 & ...))");
    assert_eq!(describe(&format!("0x{}", "12".repeat(40))), "0x12121212...");
    let long = "x".repeat(100);
    assert_eq!(describe(&format!("{long} - {long}")), format!("{long} - {long}"));
}

#[test]
fn depth_is_an_error_and_length_is_not() {
    let nested = format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000));
    assert!(error(&nested).1.starts_with("at most"));
    assert!(error(&"-".repeat(100_000)).1.starts_with("at most"));
    assert!(error(&"a << (".repeat(100_000)).1.starts_with("at most"));
    assert!(error(&"mask(".repeat(100_000)).1.starts_with("at most"));
    // A long sum is a deep graph: building, lowering and dropping it must not recurse.
    let long = Expr::parse(&["a"; 200_000].join("+")).unwrap();
    assert_eq!(long.to_dag().nodes().len(), 200_000);
    let doubled = (0..200_000).fold(Expr::input("a"), |sum, _| &sum + &sum);
    assert_eq!(doubled.to_dag().nodes().len(), 200_001);
}

proptest! {
    /// No step overwrites what it or a later step still reads, and a step reads only what was written.
    #[test]
    fn schedules_keep_values_until_their_last_use(expr in expression(IntType::unsigned(64).unwrap())) {
        let dag = expr.to_dag();
        let schedule = Schedule::new(&dag);
        let mut held: Vec<Option<usize>> = vec![None; schedule.buffers()];
        let mut of_node = vec![None; dag.nodes().len()];
        let computed = (0..dag.nodes().len()).filter(|&i| !matches!(dag.nodes()[i].op, Op::Input(_) | Op::Literal(_)));
        for (node, step) in computed.zip(schedule.steps()) {
            for (arg, source) in dag.nodes()[node].args.iter().zip(&step.args) {
                if let Source::Buffer(buffer) = *source {
                    prop_assert_eq!(held[buffer], Some(arg.index()));
                    prop_assert_eq!(of_node[arg.index()], Some(buffer));
                    prop_assert_ne!(Some(buffer), step.into);
                }
            }
            match step.into {
                Some(into) => (held[into], of_node[node]) = (Some(node), Some(into)),
                None => prop_assert_eq!(node + 1, dag.nodes().len()),
            }
        }
    }
}
