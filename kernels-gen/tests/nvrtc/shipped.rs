//! Every shipped kernel: no warning, nothing spilled, no stack, and quickly.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, Instant};

use limbforge_gpu::{Arch, Cache, CacheKey, Image, Source, Target};
use limbforge_kernels_gen::{Limits, render};
use limbforge_limb::Layout;
use limbforge_needs::needs;
use limbforge_reference::sample::sample;

use crate::common::{self, LIMBS, POLY, nvrtc, shipped, shipped_programs, shipped_transforms, unsigned};
use crate::measured::check_all;
use crate::rendered::Rendered;

/// Of each expression, product by transforms and prime some widths, layouts and limbs: all of them in a long
/// run.
fn some_shipped() -> Vec<Rendered> {
    let mut families: BTreeMap<String, Vec<Rendered>> = BTreeMap::new();
    let mut seen = HashSet::new();
    for spec in shipped() {
        let kernel = Rendered::expression(&spec, &Limits::SM_90);
        // Kernels may differ only in the name of the limb: its size matters to interleaved batches alone once
        // the words of an instance are the same.
        let named = |line: &&str| line.starts_with("// limbforge kernel:") || line.contains("LIMB_WORDS = ");
        let lines: Vec<&str> = kernel.source.lines().filter(|line| !named(line)).collect();
        if spec.output == Layout::Interleaved || seen.insert(lines.join("\n")) {
            families.entry(spec.dag.to_string()).or_default().push(kernel);
        }
    }
    for program in shipped_programs() {
        families
            .entry("products by transforms".to_owned())
            .or_default()
            .extend(Rendered::program(&program, &Limits::SM_90));
    }
    for plan in shipped_transforms() {
        let of_prime = families.entry(format!("transforms modulo {}", plan.spec.modulus())).or_default();
        of_prime.extend(Rendered::transform(&plan, &Limits::SM_90));
    }
    families.into_iter().flat_map(|(name, kernels)| sample(&name, kernels, 2)).collect()
}

#[needs(nvrtc)]
#[test]
fn shipped_kernels_for_sm_90_spill_nothing_and_compile_quickly() {
    let nvrtc = nvrtc();
    let kernels: Vec<_> = some_shipped().into_iter().map(|kernel| (kernel, "sm_90")).collect();
    check_all(&nvrtc, &kernels);
}

/// What a user waits at most for a kernel that an earlier process has compiled, before the driver loads it.
const LONGEST_CACHED: Duration = Duration::from_millis(10);

/// From the specification to the machine code of the largest kernels, as in a new process: rendered, and
/// found on the disk.
#[needs(nvrtc)]
#[test]
fn kernels_that_were_compiled_before_come_quickly() {
    let nvrtc = nvrtc();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiles-cache");
    let target = Target::Cubin(Arch::new(9, 0));
    for text in [POLY, "mul_wide(a, b)", common::SUMS[7]] {
        drop(std::fs::remove_dir_all(&folder));
        let spec = unsigned(text, common::WIDEST_PRODUCT, LIMBS[0], Layout::InstanceMajor);
        let mut bytes = (0, 0);
        let mut lookup = |expected| {
            let begin = Instant::now();
            let kernel = render(&spec, &Limits::SM_90).unwrap();
            let key = CacheKey::new(&kernel.source, target, &[], nvrtc.version());
            bytes.0 = kernel.source.len();
            let compile = || nvrtc.compile(&kernel.source, target, &[]);
            let found = Cache::new(Some(folder.clone())).get_or_compile(&key, compile).unwrap();
            let taken = begin.elapsed();
            assert_eq!(found.source, expected, "{spec}");
            let Image::Cubin(code) = &*found.image else { panic!("{spec}: expected machine code") };
            bytes.1 = code.len();
            taken
        };
        let first = lookup(Source::Compiler);
        let mut times: Vec<Duration> = (0..9).map(|_| lookup(Source::Disk)).collect();
        times.sort_unstable();
        let again = times[times.len() / 2];
        eprintln!(
            "compiled in {first:.2?}, again in {again:.2?}; {bytes:?} bytes of source and code: {text}"
        );
        assert!(again <= LONGEST_CACHED, "{spec} took {again:.2?}; expected at most {LONGEST_CACHED:?}");
    }
}

#[needs(nvrtc)]
#[test]
fn architectures_are_those_of_this_nvrtc() {
    let nvrtc = nvrtc();
    for number in [75, 80, 90, 100] {
        assert!(
            nvrtc.architectures().contains(&number),
            "{} knows no {}",
            nvrtc.version(),
            Arch::from_number(number)
        );
    }
}
