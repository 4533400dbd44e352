use super::*;

#[test]
fn numbers_as_people_write_them() {
    for (text, value) in [
        ("3221225473", "3221225473"),
        (" 3 * 2^30 + 1 ", "3221225473"),
        ("0xc000_0001", "3221225473"),
        ("3_221_225_473", "3221225473"),
        ("2**61-1", "2305843009213693951"),
        ("2 ^ 3 ^ 2", "512"),
        ("2**3**2", "512"),
        ("(2^3)^2", "64"),
        ("2*3+4*5-6", "20"),
        ("10-3-2", "5"),
        ("10-(3-2)", "9"),
        ("-1+2^4", "15"),
        ("(-2)^2", "4"),
        ("-2^2+5", "1"),
        ("0^0", "1"),
        ("1^99999999999999999999", "1"),
        ("(0-1)^99999999999999999998", "1"),
        ("(0-1)^99999999999999999999+2", "1"),
        ("2^64", "18446744073709551616"),
        ("(2^31-1)*(2^61-1)", "4951760154835678088235319297"),
    ] {
        assert_eq!(evaluate(text).map(|value| value.to_string()), Ok(value.to_owned()), "{text}");
    }
    assert_eq!(evaluate("2^131071").unwrap().bits(), MAX_BITS);
}

#[test]
fn other_texts_say_what_was_expected_and_where() {
    for (text, why) in [
        ("", "column 1: expected a number or `(`, found the end"),
        ("seven", "column 1: expected a number or `(`, found `s`"),
        ("3.5", "column 2: expected an operator + - * ^ **, or the end, found `.`"),
        ("2^", "column 3: expected a number or `(`, found the end"),
        ("2^61-", "column 6: expected a number or `(`, found the end"),
        ("2 3", "column 3: expected an operator"),
        ("(2^61", "column 6: expected `)`, found the end"),
        ("2***3", "column 4: expected a number"),
        ("0x", "column 1: expected a number"),
        ("0xg", "column 1: expected a number"),
        ("_", "column 1: expected a number"),
        ("2^-1", "column 3: expected a number or `(`, found `-`"),
        ("2^(0-1)", "column 3: expected an exponent that is not negative"),
        ("3-7", "expected a number that is not negative, found -4"),
        ("2^131072", "at most 131072 bits"),
        ("2^2^2^2^2^2", "at most 131072 bits"),
        ("9^9^9^9^9", "at most 131072 bits"),
        ("2^100000*2^100000", "at most 131072 bits"),
        ("é", "column 1: expected a number or `(`, found `é`"),
    ] {
        let found = evaluate(text).unwrap_err();
        assert!(found.contains(why), "`{text}`: `{why}` is not in `{found}`");
    }
    let deep = "(".repeat(100_000);
    let why = "column 102: expected at most 100 parentheses and powers within each other";
    assert_eq!(evaluate(&deep).unwrap_err(), why);
    assert!(evaluate(&"2^".repeat(100_000)).unwrap_err().contains("at most 100 parentheses"));
    assert!(evaluate(&"9".repeat(100_000)).unwrap_err().contains("at most 131072 bits"));
}
