//! Products and squares.

use num_bigint::BigInt;

use super::check;

#[test]
fn products_of_any_count_limb_and_type() {
    let by = |text: &str, of: fn(&BigInt, &BigInt) -> BigInt, types: &[&str]| {
        for ty in types {
            for count in [1, 5, 8, 13, 40] {
                check::<u64>(text, ty, count, |a, b| Ok(of(a, b)));
            }
            check::<u32>(text, ty, 21, |a, b| Ok(of(a, b)));
            check::<u128>(text, ty, 21, |a, b| Ok(of(a, b)));
        }
    };
    by("a * b", |a, b| a * b, &["u832", "u1024", "i1041", "u1300", "i2048"]);
    by("sqr(a)", |a, _| a * a, &["u512", "i519", "u1024", "i1111"]);
    by("mul_wide(a, b)", |a, b| a * b, &["u512", "i521", "u1000", "i2048"]);
    by("sqr_wide(a)", |a, _| a * a, &["u256", "i256", "i320", "u333", "u447", "i1024"]);
    for ty in ["u704", "i768", "u1023", "i1040", "i2048"] {
        let bits = ty[1..].parse::<u32>().unwrap();
        for count in [5, 8, 13] {
            check::<u64>("mulhi(a, b)", ty, count, |a, b| Ok((a * b) >> bits));
            check::<u32>("mulhi(a, b)", ty, count, |a, b| Ok((a * b) >> bits));
        }
    }
}
