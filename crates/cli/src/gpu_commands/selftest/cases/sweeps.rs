//! The widths, limbs, signs, mappings and layouts that meet each family of expressions.

use limbforge::{algos::expr::Op, limb::Layout};

use super::evaluations::{Family, Method, has};
use super::{Case, CliError, families};
use crate::gpu_commands::selftest::types::LIMBS;
use limbforge_cli::{gpu::kernels::Threads, gpu::operands::Places};

const MAJOR: Places = places(Layout::InstanceMajor, Layout::InstanceMajor, false);
const MAJOR_BROADCAST: Places = places(Layout::InstanceMajor, Layout::InstanceMajor, true);
const INTERLEAVED: Places = places(Layout::Interleaved, Layout::Interleaved, false);
const TO_INTERLEAVED: Places = places(Layout::InstanceMajor, Layout::Interleaved, false);
const TO_INTERLEAVED_BROADCAST: Places = places(Layout::InstanceMajor, Layout::Interleaved, true);
const TO_MAJOR_BROADCAST: Places = places(Layout::Interleaved, Layout::InstanceMajor, true);

const fn places(inputs: Layout, output: Layout, broadcast_last: bool) -> Places {
    Places { inputs, output, broadcast_last }
}

/// The widest products, and divisions among other operations, in one kernel.
const WIDEST_PRODUCT: u32 = 1 << 16;
const WIDEST_DIVISION: u32 = 1 << 15;

/// The widths of few cases with products by transforms or on tensor cores.
const SMALL_WIDTHS: [u32; 4] = [131, 512, 1000, 2048];

/// Each family meets every limb, width and sign with the planned mapping, and every limb at some widths with
/// other mappings, layouts and broadcast operands. Operations within a warp compile slowly: each width meets
/// one limb.
pub(super) fn kernels(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 4] = [INTERLEAVED, MAJOR_BROADCAST, TO_MAJOR_BROADCAST, TO_INTERLEAVED];
    const THREADS: [Threads; 3] = [Threads::Limbs(3, 2), Threads::Limbs(1, 3), Threads::Limbs(5, 1)];
    let powers = (5..=18).map(|log2| 1 << log2);
    let widths =
        if small { vec![131, 512, 2048] } else { powers.chain([131, 1000, 5000, 100_000]).collect() };
    let mixed: &[u32] = if small { &[131, 1000] } else { &[32, 131, 512, 1000, 2048, 5000, 16384] };
    let mut cases = vec![];
    for family in families::KERNELS {
        let dag = family.dag()?;
        let in_warp = has(&dag, Op::is_within_warp);
        let widest = match (in_warp, has(&dag, Op::is_product)) {
            (true, _) => WIDEST_DIVISION,
            (_, true) => WIDEST_PRODUCT,
            _ => 1 << 18,
        };
        for (l, limb) in LIMBS.into_iter().enumerate() {
            let runs = |width: &usize| !in_warp || small || (l + width).is_multiple_of(3);
            let mut add = |bits, is_signed, threads, places| {
                cases.push(family.case((bits, is_signed), limb, Method::Kernel(threads), places)?);
                Ok::<_, CliError>(())
            };
            for (w, &bits) in widths.iter().enumerate().filter(|(w, bits)| **bits <= widest && runs(w)) {
                // Where the sign does not matter, every other width has one.
                let sign = (w + l) % 2 == 1;
                add(bits, sign, Threads::Planned, MAJOR)?;
                if family.signs && !small {
                    add(bits, !sign, Threads::Planned, MAJOR)?;
                }
            }
            for (w, &bits) in mixed.iter().enumerate().filter(|(w, _)| runs(w)) {
                let sign = (w + l) % 2 == 0;
                add(bits, sign, THREADS[(w + l) % 3], MAJOR)?;
                let places = PLACES[(w + l) % 4];
                if small {
                    add(bits, sign, Threads::Limbs(2, 3), places)?;
                    continue;
                }
                add(bits, !sign, THREADS[(w + l + 1) % 3], places)?;
                // The interleaved layout is not meant for wide integers.
                for places in PLACES.into_iter().filter(|places| bits <= 2048 || places.broadcast_last) {
                    add(bits, sign, Threads::Planned, places)?;
                }
            }
        }
    }
    Ok(cases)
}

/// The cases of the family at place `f` of its list: limbs and layouts take turns.
fn by_turns(
    (f, family): (usize, Family),
    method: Method,
    widths: impl Iterator<Item = u32>,
    is_signed: impl Fn(usize, u32) -> bool,
    places: &[Places],
) -> Result<Vec<Case>, CliError> {
    let case = |(i, bits)| {
        let (limb, places) = (LIMBS[(i + f) % 3], places[(i + f / 2) % places.len()]);
        family.case((bits, is_signed(i, bits)), limb, method, places)
    };
    widths.enumerate().map(case).collect()
}

/// Products by transforms: every other width meets each form, so that neighbouring forms meet all.
pub(super) fn transforms(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 4] = [MAJOR, MAJOR_BROADCAST, INTERLEAVED, TO_MAJOR_BROADCAST];
    // At even places, and at odd ones: narrow and wide, powers of two and others.
    const WIDTHS: [u32; 16] = [
        512, 1024, 131, 2048, 4096, 1000, 8192, 16_384, 5000, 32_768, 65_536, 131_072, 100_000, 262_144,
        524_288, 1_048_576,
    ];
    let all: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let mut cases = vec![];
    for (f, (family, widest, widest_signed)) in families::TRANSFORMS.into_iter().enumerate() {
        let widths = all.iter().copied().skip(f % 2).step_by(2).filter(|bits| *bits <= widest);
        // Four turns of the places have both signs, three have all limbs.
        let is_signed = |i, bits| (i + i / 4 + f) % 2 == 1 && bits <= widest_signed;
        cases.extend(by_turns((f, family), Method::Transforms, widths, is_signed, &PLACES)?);
    }
    Ok(cases)
}

/// Products on tensor cores: every width meets each family, wide and high products up to half the widest.
pub(super) fn tensor(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 4] = [MAJOR, MAJOR_BROADCAST, INTERLEAVED, TO_INTERLEAVED_BROADCAST];
    // From two instances to a tile up to several warps and warpgroups to an instance; whole and partial
    // tiles.
    const WIDTHS: [u32; 24] = [
        32, 131, 512, 544, 1000, 1024, 1500, 1536, 2048, 3000, 4096, 5000, 8192, 10_000, 12_288, 14_000,
        16_384, 24_000, 32_768, 33_000, 49_152, 50_000, 65_536, 100_000,
    ];
    let all: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let mut cases = vec![];
    for (f, family) in families::TENSOR.into_iter().enumerate() {
        let widths = all.iter().copied().filter(|&bits| !family.signs || bits <= 1 << 16);
        let is_signed = |i, _| (i + i / 4 + f) % 2 == 1;
        cases.extend(by_turns((f, family), Method::Tensor, widths, is_signed, &PLACES)?);
    }
    Ok(cases)
}

/// Powers of unsigned numbers in residue number systems: every width meets each family. From all rows in shared
/// memory to a ring of rounds, and digit sums of each size.
pub(super) fn powers(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 4] = [MAJOR, MAJOR_BROADCAST, INTERLEAVED, TO_INTERLEAVED_BROADCAST];
    const WIDTHS: [u32; 12] = [32, 131, 512, 1000, 1024, 1537, 2048, 3000, 3072, 4096, 6000, 8192];
    let widths: &[u32] = if small { &SMALL_WIDTHS } else { &WIDTHS };
    let mut cases = vec![];
    for family in families::POWERS.into_iter().enumerate() {
        cases.extend(by_turns(family, Method::Rns, widths.iter().copied(), |_, _| false, &PLACES)?);
    }
    Ok(cases)
}

/// Powers by folds: every width meets each family. From one unit of rows to six.
pub(super) fn folds(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 3] = [MAJOR_BROADCAST, TO_MAJOR_BROADCAST, TO_INTERLEAVED_BROADCAST];
    const WIDTHS: [u32; 9] = [32, 131, 256, 512, 768, 1000, 1024, 1280, 1536];
    const SMALL: [u32; 3] = [131, 512, 1000];
    let widths: &[u32] = if small { &SMALL } else { &WIDTHS };
    let mut cases = vec![];
    for family in families::FOLDS.into_iter().enumerate() {
        cases.extend(by_turns(family, Method::Fold, widths.iter().copied(), |_, _| false, &PLACES)?);
    }
    Ok(cases)
}

/// Operations within a warp at the widest type that they take, once each, as they compile slowly.
pub(super) fn widest(small: bool) -> Result<Vec<Case>, CliError> {
    let families = families::WIDEST.into_iter().enumerate().filter(|_| !small);
    let case = |(f, family): (usize, Family)| {
        family.case((1 << 16, f % 2 == 1), LIMBS[f % 3], Method::Kernel(Threads::Planned), MAJOR)
    };
    families.map(case).collect()
}

/// Divisions of wide integers and modular products, in programs of several kernels.
pub(super) fn division(small: bool) -> Result<Vec<Case>, CliError> {
    const PLACES: [Places; 3] = [MAJOR, MAJOR_BROADCAST, INTERLEAVED];
    const MODULAR: [u32; 8] = [512, 1000, 2048, 5000, 8192, 10_000, 16_384, 32_768];
    const WIDTHS: [u32; 7] = [33_000, 40_000, 50_000, 65_536, 100_000, 1 << 17, 1 << 18];
    let (modular, widths) = if small { (&MODULAR[..1], &WIDTHS[1..2]) } else { (&MODULAR[..], &WIDTHS[..]) };
    let sweep = |family, widths: &[u32], is_signed: &dyn Fn(usize, u32) -> bool| {
        by_turns(family, Method::Tensor, widths.iter().copied(), is_signed, &PLACES)
    };
    let mut cases = sweep((0, families::MODULAR), modular, &|_, _| false)?;
    for (f, family) in families::DIVISIONS.into_iter().enumerate() {
        cases.extend(sweep((f, family), widths, &|i, _| (i + f) % 2 == 1)?);
    }
    Ok(cases)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::{Evaluation, Task};
    use super::*;

    fn evaluation(case: &Case) -> &Evaluation {
        let Task::Evaluation(evaluation) = &case.task else { unreachable!("{}", case.name) };
        evaluation
    }

    #[test]
    fn every_form_of_product_meets_every_limb_sign_and_layout() {
        let all = transforms(false).unwrap();
        assert!((50..=62).contains(&all.len()), "{} programs", all.len());
        for (family, widest, _) in families::TRANSFORMS {
            let mine = || all.iter().filter(|case| case.key[0] == family.name);
            let limbs: HashSet<_> = mine().map(|case| case.key[1]).collect();
            let signs: HashSet<_> = mine().map(|case| evaluation(case).ty.is_signed()).collect();
            let places = mine().map(|case| evaluation(case).places);
            let inputs: HashSet<_> =
                places.map(|places| (places.inputs as u8, places.broadcast_last)).collect();
            assert_eq!((limbs.len(), signs.len(), inputs.len()), (3, 2, 4), "{}", family.name);
            assert!(mine().any(|case| case.size == widest), "{}", family.name);
        }
        let widths: HashSet<_> = all.iter().map(|case| case.size).collect();
        assert_eq!(widths.len(), 16);
        assert!(all.iter().filter(|case| case.size > 1 << 18).count() <= 5);
        let small = transforms(true).unwrap();
        assert!(small.len() == 2 * families::TRANSFORMS.len() && small.iter().all(|case| case.size <= 2048));
    }
}
