//! Texts of several assignments: each value is that of the expression in which names are replaced by hand, and
//! every error has its place in the whole text.

use limbforge_algos::expr::{Dag, Expr};

/// The values of a text as one graph with as many roots as different values.
fn dag(text: &str) -> Dag {
    let named = Expr::parse_all(text).unwrap_or_else(|error| panic!("{}", error.report(text)));
    Dag::of_all(&named.into_iter().map(|(_, expr)| expr).collect::<Vec<_>>())
}

fn dag_of(texts: &[String]) -> Dag {
    Dag::of_all(&texts.iter().map(|text| Expr::parse(text).unwrap()).collect::<Vec<_>>())
}

/// Random assignments whose values are written out beside them.
#[test]
fn names_stand_for_their_values() {
    let forms = ["# + @", "# * # - @", "gcd(#, @)", "-# ** 2", "select(# < @, @, 7)", "(# << 3) / @", "~#"];
    let mut state = 1_u64;
    let mut below = |most: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % most
    };
    for case in 0..200 {
        let (mut text, mut values) = (String::new(), vec![]);
        for number in 0..1 + below(8) {
            let mut operand = || match below(values.len() + 2) {
                0 => ("a".to_owned(), "a".to_owned()),
                1 => ("b".to_owned(), "b".to_owned()),
                place => (format!("t{}", place - 2), format!("({})", values[place - 2])),
            };
            let ((left, left_value), (right, right_value)) = (operand(), operand());
            let form = forms[below(forms.len())];
            text += &format!("t{number} = {}", form.replace('#', &left).replace('@', &right));
            text += ["; ", "\n", " ;\r\n\n", ";;"][below(4)];
            values.push(form.replace('#', &left_value).replace('@', &right_value));
        }
        assert_eq!(dag(&text), dag_of(&values), "case {case}: {text}");
    }
}

#[test]
fn lines_go_on_in_parentheses_and_names_are_used_or_not() {
    let text = "\n s = (a\n  + b) ; d=s*s\n\nq = mulmod(d,\n a, b);";
    let parsed = Expr::parse_all_with_warnings(text, Some(&["a", "b"])).unwrap();
    let found: Vec<_> = parsed.assignments.iter().map(|one| (&*one.name, one.is_used)).collect();
    assert_eq!(found, [("s", true), ("d", true), ("q", false)]);
    assert_eq!(&text[parsed.assignments[1].span.clone()], "d=s*s");
    let expected = ["a + b", "(a + b) * (a + b)", "mulmod((a + b)**2, a, b)"].map(str::to_owned);
    assert_eq!(dag(text), dag_of(&expected));
}

/// Constants keep their meaning behind a name: amounts need not fit the type, exponents are numbers.
#[test]
fn constants_behind_names() {
    let text = "n = 300; r = rotl(a, n); p = a ** n; x = 2 ** 3; y = x ** 2 + n";
    let expected = ["300", "rotl(a, 300)", "a ** 300", "8", "64 + 300"].map(str::to_owned);
    assert_eq!(dag(text), dag_of(&expected));
}

#[test]
fn wide_products_are_results_alone() {
    assert_eq!(dag("w = mul_wide(a, b); v = w"), dag_of(&["mul_wide(a, b)".to_owned()]));
    let text = "w = mul_wide(a, b); x = w + 1";
    let error = Expr::parse_all(text).unwrap_err();
    assert_eq!((error.column, &text[error.span.clone()]), (25, "w"));
}

#[test]
fn warnings_have_their_places_in_the_text() {
    let parsed = Expr::parse_all_with_warnings("p = 2^61 - 1\nq = a ^ 3", None).unwrap();
    assert_eq!(parsed.warnings.iter().map(|warning| warning.column).collect::<Vec<_>>(), [6, 20]);
}

#[test]
fn errors_have_their_places_in_the_text() {
    let cases = [
        ("", "column 1: expected an assignment, as in q = a / b, found the end of the expression"),
        (
            "q = a / b; r = a %",
            "column 19: expected a number, a variable, a function or `(`, found the end of the expression",
        ),
        ("q = a\nr = q + )\ns = b", "column 15: expected a number, a variable, a function or `(`, found `)`"),
        ("q = a; q = b", "column 8: expected a new name, found `q`: `q` is assigned twice"),
        (
            "q = r; r = a",
            "column 5: unknown variable `r`: a name has a value after its assignment: move that before this one",
        ),
        (
            "q = q + 1",
            "column 5: unknown variable `q`: a name has a value after its assignment: move that before this one",
        ),
        ("gcd = a", "column 1: expected a name that is not a function, found `gcd`: `gcd` is a function"),
        (
            "q = a; b",
            "column 9: expected `=`, found the end of the expression: each assignment is NAME = EXPR, as in q = a / b",
        ),
        (
            "a + 1\nq = a",
            "column 3: expected `=`, found `+`: each assignment is NAME = EXPR, as in q = a / b",
        ),
        ("q = a; 3 = b", "column 8: expected an assignment, as in q = a / b, found `3`"),
        (
            "q = a; r == q",
            "column 10: expected `=`, found `==`: each assignment is NAME = EXPR, as in q = a / b",
        ),
        ("q = a = b", "column 7: expected an operator or the end, found `=`: `==` compares"),
        (
            "q = a; r = q(2)",
            "column 13: expected an operator or the end, found `(`: `q` is a variable; write q * (...) for a product",
        ),
        ("q = a; r = gdc(q, 2)", "column 12: unknown function `gdc`: did you mean `gcd`?"),
        (
            "q = (a; r = b",
            "column 7: expected an operator or `)`, found the end of the expression: the `(` of column 5 is open",
        ),
        ("é = a; q = b", "column 1: expected an assignment, as in q = a / b, found `\\u{e9}`"),
        ("q = a; r = é", "column 12: expected a number, a variable, a function or `(`, found `\\u{e9}`"),
    ];
    for (text, expected) in cases {
        assert_eq!(Expr::parse_all(text).unwrap_err().to_string(), expected, "{text}");
    }
    let text = "total = a + b\nd = totl * 2";
    let error = Expr::parse_all_with_warnings(text, Some(&["a", "b"])).unwrap_err();
    let report = "unknown variable `totl`\n  d = totl * 2\n      ^^^^ did you mean `total`?";
    assert_eq!(error.report(text).to_string(), report);
}

#[test]
fn texts_with_assignments() {
    for text in ["q = a", "a + 1\nq = a", " q=a;", "q = (a == b)", "; q = a"] {
        assert!(Expr::has_assignments(text), "{text}");
    }
    for text in ["a == b", "a <= b", "a + b", "a != b", "", "(q = a)", "a + b = c", "a\n== b", "3 = a"] {
        assert!(!Expr::has_assignments(text), "{text}");
    }
}
