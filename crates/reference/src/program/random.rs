//! Random integers and the number of the instance.

use limbforge_algos::program::text::syntax::{Expression, ExpressionKind};
use limbforge_limb::IntType;
use limbforge_testing::expr::in_type;
use num_bigint::BigInt;

use super::class::int;
use super::value::{Value, elementwise};
use super::{Run, Stopped};

impl Run<'_> {
    /// `random(type, seed, counter)`
    pub(super) fn random(&mut self, operands: &[Expression]) -> Result<Value, Stopped> {
        let [ty, seed, counter] = operands else { panic!("three operands, found {operands:?}") };
        let ExpressionKind::Name(word) = &*ty.kind else { panic!("expected a type, found {ty:?}") };
        let ty: IntType = word.parse().unwrap_or_else(|error| panic!("{error}"));
        let values = [self.evaluate(seed, None)?, self.evaluate(counter, None)?];
        elementwise(&values, &mut |values| {
            let numbers = values[0].number().zip(values[1].number()).filter(|_| !self.is_survey());
            Ok(Value::int(ty, numbers.map(|(seed, counter)| in_type(&bits(ty, &seed, &counter), ty))))
        })
    }

    /// `instance`
    pub(super) fn number_of_instance(&self) -> Value {
        let number = (!self.is_survey()).then(|| self.instance.into());
        Value::int(int(64, false), number)
    }
}

/// So many bits of Philox4x32-10, of a block of 128 bits after the other.
fn bits(ty: IntType, seed: &BigInt, counter: &BigInt) -> BigInt {
    let word = |x: &BigInt, i: u32| u64::try_from((x >> (32 * i)) & BigInt::from(u32::MAX)).unwrap_or(0);
    let mut all = BigInt::from(0);
    for block in 0..ty.bits().div_ceil(128) {
        let counter = [word(counter, 0), word(counter, 1), block.into(), 0];
        for (i, random) in philox(counter, [word(seed, 0), word(seed, 1)]).into_iter().enumerate() {
            all += BigInt::from(random) << (128 * block as usize + 32 * i);
        }
    }
    all
}

fn philox([mut a, mut b, mut c, mut d]: [u64; 4], [mut k, mut l]: [u64; 2]) -> [u64; 4] {
    let low = 0xffff_ffff;
    for _ in 0..10 {
        let (x, y) = (0xd251_1f53 * a, 0xcd9e_8d57 * c);
        (a, b, c, d) = (y >> 32 ^ b ^ k, y & low, x >> 32 ^ d ^ l, x & low);
        (k, l) = ((k + 0x9e37_79b9) & low, (l + 0xbb67_ae85) & low);
    }
    [a, b, c, d]
}
