//! Differences between results.

use limbforge::{limb::convert, prelude::*};

use limbforge_cli::gpu::batch::POISON;

/// How the result, or the margin's poison, differs.
pub(super) fn difference<B: Base>(
    expected: &Batch<B>,
    found: &[B],
    named: &[(&str, &Batch<B>)],
) -> Option<String> {
    let Some((result, margin)) = found.split_at_checked(expected.limbs().len()) else {
        return Some(format!("{} limbs of {}", found.len(), expected.limbs().len()));
    };
    let poison = B::from_le_bytes(&[POISON; 16]);
    if margin.iter().any(|&limb| limb != poison) {
        return Some("the kernel has written behind its result".to_owned());
    }
    if result == expected.limbs() {
        return None;
    }
    let (instances, m) = (expected.instances(), expected.limbs_per_instance());
    let at = |i: usize, j: usize| result[expected.layout().index(instances, m, i, j)];
    let differs = |&i: &usize| (0..m).any(|j| at(i, j) != expected.limb(i, j));
    let wrong: Vec<usize> = (0..instances).filter(differs).collect();
    let &first = wrong.first()?;
    let limbs: Vec<B> = (0..m).map(|j| at(first, j)).collect();
    let mut text = format!(
        "{} of {instances} instances differ, the first is {first}: expected {}, found {}",
        wrong.len(),
        hex(&expected.instance(first)),
        hex(&limbs)
    );
    for (name, batch) in named {
        text += &format!(", {name} = {}", hex(&batch.instance(first.min(batch.instances() - 1))));
    }
    Some(text)
}

/// In hexadecimal, shortened in the middle if it is long.
fn hex<B: Base>(limbs: &[B]) -> String {
    let text = convert::to_biguint(limbs).to_str_radix(16);
    match text.len() {
        ..=72 => format!("0x{text}"),
        len => format!("0x{}...{} ({len} digits)", &text[..32], &text[len - 32..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_named() {
        let ty = IntType::unsigned(60).unwrap();
        let poison = u32::from_le_bytes([POISON; 4]);
        for layout in [Layout::InstanceMajor, Layout::Interleaved] {
            let mut expected = Batch::<u32>::zeros(ty, layout, 3).unwrap();
            expected.set_instance(1, &[5, 0x17]);
            let mut found = expected.limbs().to_vec();
            found.extend([poison; 4]);
            let named = [("a", &expected)];
            assert_eq!(difference(&expected, &found, &named), None);
            found[layout.index(3, 2, 1, 0)] = 6;
            let text = "1 of 3 instances differ, the first is 1: expected 0x1700000005, found 0x1700000006, \
                        a = 0x1700000005";
            assert_eq!(difference(&expected, &found, &named).as_deref(), Some(text));
            found[8] = 0;
            let text = "the kernel has written behind its result";
            assert_eq!(difference(&expected, &found, &named).as_deref(), Some(text));
            assert_eq!(difference(&expected, &found[..5], &named).as_deref(), Some("5 limbs of 6"));
        }
        assert_eq!(hex(&[u64::MAX; 8]), format!("0x{0}...{0} (128 digits)", "f".repeat(32)));
        assert_eq!(hex(&[0_u64; 2]), "0x0");
    }
}
