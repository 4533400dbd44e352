//! Expressions: text, operators, normal form, and the schedule made from them.

use limbforge_algos::cpu::{Schedule, Source, Target};
use limbforge_algos::expr::{Dag, Expr, Op, ParseErrorKind, ParseExprError};
use limbforge_limb::IntType;
use limbforge_testing::expr::expression;
use proptest::prelude::*;

fn dag(text: &str) -> String {
    Expr::parse(text).unwrap().to_dag().to_string()
}

fn error(text: &str) -> (usize, String, String) {
    let ParseExprError { column, expected, found, .. } = Expr::parse(text).unwrap_err();
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
    assert_eq!(
        dag(
            "div_euclid(a, b) + rem_euclid(a, b) + div_exact(a, b) + divisible(a, b) + div_floor(a, b) + rem_floor(a, b)"
        ),
        {
            let (a, b) = (Expr::input("a"), Expr::input("b"));
            (a.div_euclid(&b)
                + a.rem_euclid(&b)
                + a.div_exact(&b)
                + a.divisible(&b)
                + a.div_floor(&b)
                + a.rem_floor(&b))
            .to_dag()
            .to_string()
        }
    );
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
        ("extract(a, 3)", 1, "3 operands of `extract`", "2"),
        ("min(a)", 1, "2 operands of `min`", "1"),
        ("1 + gcd(a)", 5, "2 operands of `gcd`", "1"),
        ("gcd()", 1, "2 operands of `gcd`", "0"),
        ("gcd(a, )", 8, "an operand", "`)`"),
        ("gcd(, a)", 5, "an operand", "`,`"),
        ("gcd(a b)", 7, "`,` or `)`", "`b`"),
        ("isqrt(a, b)", 1, "1 operand of `isqrt`", "2"),
        ("min(a, b, c)", 1, "2 operands of `min`", "3"),
        ("sqr a", 5, "`(`", "`a`"),
        ("12ab", 1, "a number (decimal, or hexadecimal after 0x)", "`12ab`"),
        ("0x", 1, "a number (decimal, or hexadecimal after 0x)", "`0x`"),
        ("a + é", 5, operand, "`\\u{e9}`"),
        ("é", 1, operand, "`\\u{e9}`"),
        ("a / ", 5, operand, end),
        ("a ? b", 3, "an operator or the end", "`?`"),
        ("a << 2 / b", 8, "parentheses around the shift, as in (a << 1) + b", "`/`"),
        ("div_exact(a)", 1, "2 operands of `div_exact`", "1"),
        ("a ** b", 6, "a number from 0 to 4294967295 as exponent", "a value"),
        ("a ** (1 + 1)", 6, "a number from 0 to 4294967295 as exponent", "a value"),
        ("a ** -1", 6, "a number from 0 to 4294967295 as exponent", "a negative number"),
        ("a ** 4294967296", 6, "a number from 0 to 4294967295 as exponent", "`4294967296`"),
        ("a ** ", 6, operand, end),
        ("** 2", 1, operand, "`**`"),
        ("1 + 2**16777217", 5, "a number of at most 16777216 bits", "more"),
        ("a = b", 3, "an operator or the end", "`=`"),
    ] {
        assert_eq!(error(text), (column, expected.to_owned(), found.to_owned()), "{text}");
    }
    let narrow = "an operand of N bits";
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
    assert_eq!(error("1 + f(a)"), (5, "a function".to_owned(), "`f`".to_owned()));
    assert_eq!(Expr::parse_with_inputs("a + x", &["a", "b"]).unwrap_err().column, 5);
}

/// (kind, the report), for the inputs `a` and `numbers`.
fn report(text: &str) -> (ParseErrorKind, String) {
    let error = Expr::parse_with_inputs(text, &["a", "numbers"]).unwrap_err();
    assert_eq!(error.to_string().lines().count(), 1, "{error}");
    (error.kind, error.report(text).to_string())
}

fn expect_reports(expected: &[(&str, ParseErrorKind, &str)]) {
    for (text, kind, expected) in expected {
        assert_eq!(report(text), (*kind, (*expected).to_owned()), "{text}");
    }
}

#[test]
fn reports_of_names_suggest_others() {
    use ParseErrorKind::{UnknownFunction, UnknownVariable};
    expect_reports(&[
        (
            "gcdd(a, b) + 1",
            UnknownFunction,
            "unknown function `gcdd`\n  gcdd(a, b) + 1\n  ^^^^ did you mean `gcd`?",
        ),
        (
            "1 + mulmd(a, a, 3)",
            UnknownFunction,
            "unknown function `mulmd`\n  1 + mulmd(a, a, 3)\n      ^^^^^ did you mean `mulmod`?",
        ),
        (
            "divmod(a, 2)",
            UnknownFunction,
            "unknown function `divmod`\n  divmod(a, 2)\n  ^^^^^^ did you mean `a / b` and `a % b`?",
        ),
        ("frobnicate(a)", UnknownFunction, "unknown function `frobnicate`\n  frobnicate(a)\n  ^^^^^^^^^^"),
        (
            "a * number",
            UnknownVariable,
            "unknown variable `number`\n  a * number\n      ^^^^^^ did you mean `numbers`?",
        ),
        ("A + 1", UnknownVariable, "unknown variable `A`\n  A + 1\n  ^ did you mean `a`?"),
        ("x", UnknownVariable, "unknown variable `x`\n  x\n  ^ the inputs are a, numbers"),
    ]);
    let none = Expr::parse_with_inputs("x", &[]).unwrap_err();
    assert_eq!(none.to_string(), "column 1: unknown variable `x`: no inputs are given");
}

#[test]
fn reports_of_operands_say_what_an_operation_takes() {
    use ParseErrorKind::{Exponent, Operands, WideOperand};
    expect_reports(&[
        (
            "a + gcd(a) * 2",
            Operands,
            "expected 2 operands of `gcd`, found 1\n  a + gcd(a) * 2\n      ^^^^^^ gcd(a, b)",
        ),
        (
            "a**numbers",
            Exponent,
            "expected a number from 0 to 4294967295 as exponent, found a value\n  a**numbers\n     ^^^^^^^ powmod(a, exponent, m) takes an exponent that is a value",
        ),
        (
            "mul_wide(a, a) + 1",
            WideOperand,
            "expected an operand of N bits, found `mul_wide`\n  mul_wide(a, a) + 1\n  ^^^^^^^^ a wide product must be the whole expression; `*` and `mulhi` are its halves",
        ),
        (
            "a +\n\tgcd(a) +\n a",
            Operands,
            "expected 2 operands of `gcd`, found 1\n   gcd(a) +\n   ^^^^^^ gcd(a, b)",
        ),
    ]);
}

#[test]
fn reports_of_syntax_have_at_most_one_hint() {
    use ParseErrorKind::Syntax;
    expect_reports(&[
        ("gcd a", Syntax, "expected `(`, found `a`\n  gcd a\n      ^ gcd(a, b)"),
        (
            "a(a + 1)",
            Syntax,
            "expected an operator or the end, found `(`\n  a(a + 1)\n   ^ `a` is a variable; write a * (...) for a product",
        ),
        (
            "(a + (1 << 2)",
            Syntax,
            "expected an operator or `)`, found the end of the expression\n  (a + (1 << 2)\n               ^ the `(` of column 1 is open",
        ),
        (
            "a == 2a",
            Syntax,
            "expected a number (decimal, or hexadecimal after 0x), found `2a`\n  a == 2a\n       ^^ write 2*a for a product",
        ),
        ("a = 2", Syntax, "expected an operator or the end, found `=`\n  a = 2\n    ^ `==` compares"),
        (
            "a mod 7",
            Syntax,
            "expected an operator or the end, found `mod`\n  a mod 7\n    ^^^ `a % b` has the sign of a, `rem_euclid(a, b)` is 0 or more",
        ),
        (
            "a ? 1 : 2",
            Syntax,
            "expected an operator or the end, found `?`\n  a ? 1 : 2\n    ^ `select(condition, then, otherwise)` chooses",
        ),
        ("a'", Syntax, "expected an operator or the end, found `'`\n  a'\n   ^"),
        (
            "a && 1",
            Syntax,
            "expected a number, a variable, a function or `(`, found `&`\n  a && 1\n     ^ `&` and `|` act bit by bit; comparisons are 1 or 0",
        ),
        (
            "a // 3",
            Syntax,
            "expected a number, a variable, a function or `(`, found `/`\n  a // 3\n     ^ `/` rounds towards 0, `div_floor(a, b)` down",
        ),
        (
            "a & / 3",
            Syntax,
            "expected a number, a variable, a function or `(`, found `/`\n  a & / 3\n      ^",
        ),
        ("é + a", Syntax, "expected a number, a variable, a function or `(`, found `\\u{e9}`\n  é + a\n  ^"),
        (
            "",
            Syntax,
            "expected a number, a variable, a function or `(`, found the end of the expression\n  \n  ^",
        ),
    ]);
}

#[test]
fn reports_of_long_lines_are_cut_around_the_place() {
    let long = format!("{} + gdc(a, a) + {}", ["a"; 100].join(" + "), ["a"; 100].join(" + "));
    let (_, shown) = report(&long);
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines[1].starts_with("  ...") && lines[1].ends_with("...") && lines[1].len() < 82, "{shown}");
    let at = lines[2].find('^').unwrap();
    assert_eq!(&lines[1][at..at + 3], "gdc", "{shown}");
}

#[test]
fn types_are_reported_with_the_place() {
    for (text, ty, place) in [
        ("(a << 300) + 300", "u8", "  (a << 300) + 300\n               ^^^ "),
        ("rotl(a, 300) - 300", "u8", "  rotl(a, 300) - 300\n                 ^^^ "),
        ("-128 + 128", "i8", "  -128 + 128\n         ^^^ "),
        ("a + 2**8", "u8", "  a + 2**8\n      ^^^^ "),
        (" sqr_wide(a) ", "u16777216", "   sqr_wide(a) \n   ^^^^^^^^^^^ "),
    ] {
        let parsed = Expr::parse_with_warnings(text, None).unwrap();
        let error = parsed.expr.to_dag().result_type(ty.parse().unwrap()).unwrap_err();
        let report = parsed.report(text, &error).to_string();
        assert!(report.contains(&format!("\n{place}expected")), "{report}");
    }
}

#[test]
fn powers_are_squares_and_products() {
    for (text, expected) in [
        ("a**1", "a"),
        ("a**2", "sqr(a)"),
        ("a**3", "sqr(a) * a"),
        ("a**5", "sqr(sqr(a)) * a"),
        ("a**6", "sqr(sqr(a) * a)"),
        ("a**0", "a == a"),
        ("(a + b)**0", "(a + b) == (a + b)"),
        ("5**0", "1"),
        ("-a**2", "-(sqr(a))"),
        ("~a**2", "~(sqr(a))"),
        ("(-a)**2", "sqr(-a)"),
        ("a**2**3", "sqr(sqr(sqr(a)))"),
        ("a**(3)", "sqr(a) * a"),
        ("2 * a**3 + 1", "2 * (sqr(a) * a) + 1"),
        ("a << 2**3", "a << 8"),
        ("a ** 2 ** 1 % b", "sqr(a) % b"),
        ("2**10", "1024"),
        ("2**61 - 1", "2305843009213693952 - 1"),
        ("(-2)**3", "-8"),
        ("-2**63", "-9223372036854775808"),
        ("1**4294967295 + 0**4294967295", "1 + 0"),
        ("gcd(a, b)**2", "sqr(gcd(a, b))"),
    ] {
        assert_eq!(dag(text), dag(expected), "{text}");
    }
    // Powers of one number share their squares: 2 nodes for a, a^2, then a^3, a^6, and the sum.
    assert_eq!(Expr::parse("a**3 + a**6").unwrap().to_dag().nodes().len(), 5);
    assert_eq!(Expr::parse("a**4294967295").unwrap().to_dag().nodes().len(), 1 + 62);
    // Text and graph go round.
    for text in ["a**3", "a**7 - b**2", "-a**5"] {
        let dag = Expr::parse(text).unwrap().to_dag();
        let described = dag.describe(dag.ids().next_back().unwrap());
        assert_eq!(dag, Expr::parse(&described).unwrap().to_dag(), "{text}: {described}");
    }
    // A power of a number is that number, in no type less.
    let too_wide = Expr::parse("2**64").unwrap().to_dag().result_type(IntType::unsigned(64).unwrap());
    assert!(too_wide.unwrap_err().to_string().contains("it needs 65 bits"));
    assert!(Expr::parse("-2**63").unwrap().to_dag().result_type(IntType::signed(64).unwrap()).is_ok());
}

#[test]
fn warnings_where_a_power_was_meant() {
    for (text, columns) in [
        ("2^61 - 1", &[2][..]),
        ("a^2 + b ^ 3", &[2, 9]),
        ("(a + 1)^2", &[8]),
        ("2 ^ 1", &[3]),
        ("a ^ 1", &[]),
        ("a ^ 0", &[]),
        ("a ^ 0xff", &[]),
        ("0xff ^ 1", &[]),
        ("a ^ b", &[]),
        ("2 ^ a", &[]),
        ("a ^ 18446744073709551615", &[]),
        ("a ^ -2", &[]),
        ("a ^ (2)", &[]),
    ] {
        let parsed = Expr::parse_with_warnings(text, None).unwrap();
        let found: Vec<usize> = parsed.warnings.iter().map(|warning| warning.column).collect();
        assert_eq!(found, columns, "{text}");
        assert_eq!(parsed.expr.to_dag(), Expr::parse(text).unwrap().to_dag(), "{text}");
    }
    let text = "1 + 2^61";
    let warning = &Expr::parse_with_warnings(text, None).unwrap().warnings[0];
    let expected =
        "^ is exclusive or; write ** for powers\n  1 + 2^61\n       ^ `**61` is the power, `^ 0x3d` the bits";
    assert_eq!(warning.report(text).to_string(), expected);
}

/// The name of an expression parses to an expression of the same value, and mostly is the text itself.
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
    /// No step overwrites what it or a later step still reads, a step reads only what was written, and every
    /// result is left once.
    #[test]
    fn schedules_keep_values_until_their_last_use(
        exprs in prop::collection::vec(expression(IntType::unsigned(64).unwrap()), 1..4),
    ) {
        let dag = Dag::of_all(&exprs);
        let schedule = Schedule::new(&dag);
        let mut held: Vec<Option<usize>> = vec![None; schedule.buffers];
        let mut left: Vec<usize> = schedule.copies.iter().map(|(result, _)| *result).collect();
        let is_leaf = |op: &Op| matches!(op, Op::Input(_) | Op::Literal(_));
        let mut computed = dag.nodes().iter().filter(|node| is_leaf(&node.op)).count();
        for step in &schedule.steps {
            let outputs: Vec<_> = [Some(&step.output), step.remainder.as_ref()].into_iter().flatten().collect();
            for (arg, source) in dag.nodes()[step.output.node.index()].args.iter().zip(&step.args) {
                prop_assert_eq!(is_leaf(&dag.nodes()[arg.index()].op), !matches!(source, Source::Buffer(_)));
                if let Source::Buffer(buffer) = *source {
                    prop_assert_eq!(held[buffer], Some(arg.index()));
                    prop_assert!(outputs.iter().all(|output| output.into != Target::Buffer(buffer)));
                }
            }
            for output in outputs {
                computed += 1;
                match output.into {
                    Target::Buffer(into) => held[into] = Some(output.node.index()),
                    Target::Result(result) => {
                        prop_assert_eq!(dag.roots()[result], output.node);
                        left.push(result);
                    }
                }
            }
        }
        for (result, source) in &schedule.copies {
            if let Source::Buffer(buffer) = *source {
                prop_assert_eq!(held[buffer], Some(dag.roots()[*result].index()));
            }
        }
        left.sort_unstable();
        prop_assert_eq!(left, (0..dag.roots().len()).collect::<Vec<_>>());
        prop_assert_eq!(computed, dag.nodes().len());
    }
}
