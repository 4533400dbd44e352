//! Primality above 2^64, with proofs: by a factor, by the test of Lucas and Lehmer for 2^q - 1, by Proth's
//! theorem for k*2^n + 1 with k < 2^n, else by the test of Baillie, Pomerance, Selfridge and Wagstaff, which
//! proves composites only.

use limbforge::algos::integer::jacobi::jacobi;
use limbforge::algos::integer::modulus::Montgomery;
use limbforge::algos::integer::{Scratch, primality};
use limbforge_field::primality::is_prime;
use num_bigint::BigUint;

/// Trial division is by primes below this.
const TRIAL_LIMIT: u32 = 1 << 16;

/// The result of the tests of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// 2^q - 1 is prime if element q - 2 of the sequence 4, s^2 - 2 is 0.
    LucasLehmer { q: u64, is_prime: bool },
    /// A prime k*2^n + 1 with k < 2^n and a^((p-1)/2) = -1.
    Proth { a: u32, n: u64 },
    /// It passes the test of Baillie, Pomerance, Selfridge and Wagstaff.
    Probable,
    /// A composite number with this factor.
    Factor(u32),
    /// 2^q - 1 with a composite q is a multiple of 2^divisor - 1.
    Exponent { q: u64, divisor: u64 },
    /// A composite number: it fails the test of Baillie, Pomerance, Selfridge and Wagstaff.
    Fails,
    /// A composite number that passes this test, as none is known to: a^((p-1)/2) contradicts the Jacobi
    /// symbol.
    Euler { a: u32 },
}

impl Verdict {
    /// Tests a number above 2^64.
    pub(super) fn of(number: &BigUint) -> Self {
        if number.trailing_ones() == number.bits() {
            return mersenne(number.bits());
        }
        if let Some(factor) = small_factor(number) {
            return Self::Factor(factor);
        }
        let words = number.to_u64_digits();
        if !primality::is_prime(&words, &mut Scratch::default()) {
            return Self::Fails;
        }
        let n = (number - 1_u32).trailing_zeros().unwrap_or(0);
        // k < 2^n: the number has fewer than 2 n + 1 bits.
        if number.bits() <= 2 * n { proth(number, n) } else { Self::Probable }
    }
}

fn small_factor(number: &BigUint) -> Option<u32> {
    let primes: Vec<u32> = (2..TRIAL_LIMIT).filter(|&p| is_prime(p.into())).collect();
    // One remainder by a product of four primes, below 2^64, serves all of them.
    primes.chunks(4).find_map(|group| {
        let product: u64 = group.iter().map(|&p| u64::from(p)).product();
        let rest = u64::try_from(number % product).ok()?;
        group.iter().copied().find(|&p| rest.is_multiple_of(p.into()))
    })
}

fn mersenne(q: u64) -> Verdict {
    if let Some(divisor) = (2..q).take_while(|d| d * d <= q).find(|&d| q.is_multiple_of(d)) {
        return Verdict::Exponent { q, divisor };
    }
    let p = (BigUint::from(1_u32) << q) - 1_u32;
    let mut s = BigUint::from(4_u32);
    for _ in 0..q - 2 {
        // s^2 - 2, never negative, modulo 2^q - 1, where 2^q = 1.
        s = &s * &s + &p - 2_u32;
        while s > p {
            s = (&s & &p) + (&s >> q);
        }
    }
    Verdict::LucasLehmer { q, is_prime: s == p || s == BigUint::ZERO }
}

/// Proth (1878): p = k*2^n + 1 with k < 2^n is prime if a^((p-1)/2) = -1 for some a. If p is prime, every a
/// without a square root modulo p is such an a, and the Jacobi symbol finds one. The number has passed the
/// test of Baillie, Pomerance, Selfridge and Wagstaff.
fn proth(p: &BigUint, n: u64) -> Verdict {
    let words = p.to_u64_digits();
    let mut scratch = Scratch::default();
    let has_no_root = |a: &u32| jacobi(&[u64::from(*a)], &words, &mut scratch) == Ok(-1);
    // Only squares have no such a, and they do not pass. Other numbers have a small one.
    let (Some(a), Ok(ring)) = ((3..TRIAL_LIMIT).find(has_no_root), Montgomery::new(&words)) else {
        return Verdict::Probable;
    };
    let [mut base, mut power] = [(); 2].map(|()| vec![0; words.len()]);
    ring.enter(&mut base, &[a.into()], &mut scratch);
    ring.pow(&mut power, &base, &(p >> 1_u32).to_u64_digits(), &mut scratch);
    ring.leave(&mut base, &power, &mut scratch);
    // The last word of p - 1 is that of p without its lowest bit.
    if base[1..] == words[1..] && base[0] == words[0] - 1 {
        Verdict::Proth { a, n }
    } else {
        Verdict::Euler { a }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::evaluate;

    fn verdict(text: &str) -> Verdict {
        Verdict::of(&evaluate(text).unwrap())
    }

    /// Exponents from OEIS A000043.
    #[test]
    fn mersenne_numbers() {
        const PRIMES: [u64; 12] = [89, 107, 127, 521, 607, 1279, 2203, 2281, 3217, 4253, 4423, 9689];
        for q in (65..700).chain(PRIMES) {
            let is_prime =
                matches!(verdict(&format!("2^{q}-1")), Verdict::LucasLehmer { is_prime: true, .. });
            assert_eq!(is_prime, PRIMES.contains(&q), "{q}");
        }
        assert_eq!(verdict("2^67-1"), Verdict::LucasLehmer { q: 67, is_prime: false });
        assert_eq!(verdict("2^143-1"), Verdict::Exponent { q: 143, divisor: 11 });
    }

    /// Exponents from OEIS A002253 (3*2^n + 1) and A002254 (5*2^n + 1).
    #[test]
    fn numbers_of_proth() {
        const OF_3: [u64; 9] = [66, 189, 201, 209, 276, 353, 408, 438, 534];
        const OF_5: [u64; 7] = [75, 85, 127, 1947, 3313, 4687, 5947];
        for (k, exponents, most) in [(3, &OF_3[..], 540), (5, &OF_5[..], 200)] {
            for n in 63..most {
                let verdict = verdict(&format!("{k}*2^{n}+1"));
                let is_prime = matches!(verdict, Verdict::Proth { n: of, .. } if of == n);
                assert_eq!(is_prime, exponents.contains(&n), "{k}*2^{n}+1: {verdict:?}");
            }
        }
        // Fermat's numbers above 2^64 that are known are composite.
        for m in 6..11 {
            assert!(
                !matches!(verdict(&format!("2^2^{m}+1")), Verdict::Proth { .. } | Verdict::Probable),
                "{m}"
            );
        }
        // k = 2^n and k = 2^n + 1 are not below 2^n.
        assert!(!matches!(verdict("(2^40+15)*2^40+1"), Verdict::Proth { .. }));
    }

    #[test]
    fn other_numbers() {
        assert_eq!(verdict("10^100+267"), Verdict::Probable);
        for (text, factor) in [("2^64", 2), ("3*2^70", 2), ("65521*(2^89-1)", 65_521)] {
            assert_eq!(verdict(text), Verdict::Factor(factor), "{text}");
        }
        // The least factor, 2424833, is too large to be looked for.
        assert_eq!(verdict("2^2^9+1"), Verdict::Fails);
        assert_eq!(verdict("(2^89-1)^2"), Verdict::Fails);
        assert_eq!(verdict("(2^61-1)*(2^89-1)"), Verdict::Fails);
    }

    /// The challenges RSA-100 and RSA-129, and their published factors.
    #[test]
    fn rsa_numbers() {
        const RSA_100: &str = "1522605027922533360535618378132637429718068114961380688657908494580122963258952897654000350692006139";
        const RSA_129: &str = "114381625757888867669235779976146612010218296721242362562561842935706935245733897830597123563958705058989075147599290026879543541";
        for (number, factors) in [
            (
                RSA_100,
                [
                    "37975227936943673922808872755445627854565536638199",
                    "40094690950920881030683735292761468389214899724061",
                ],
            ),
            (
                RSA_129,
                [
                    "3490529510847650949147849619903898133417764638493387843990820577",
                    "32769132993266709549961988190834461413177642967992942539798288533",
                ],
            ),
        ] {
            assert_eq!(evaluate(number), evaluate(&factors.join("*")));
            assert_eq!(verdict(number), Verdict::Fails);
            assert_eq!(factors.map(verdict), [Verdict::Probable, Verdict::Probable]);
        }
    }
}
