//! Every shipped kernel through NVIDIA's compiler, which needs no GPU: no warning, nothing spilled, no stack, and quickly.

#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

mod common;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use common::{LIMBS, POLY, shipped, unsigned};
use limbforge_gpu::{Arch, Cache, CacheKey, Compiled, Image, Nvrtc, NvrtcError, Source, Target};
use limbforge_kernels_gen::tensor::{MulTensorSpec, TensorPlan, render_mul_tensor};
use limbforge_kernels_gen::{InputSpec, Kernel, KernelSpec, Limits, Target as CompiledBy, render};
use limbforge_limb::{IntType, Layout};

/// What a user waits at most for a kernel that was never compiled.
const LONGEST: Duration = Duration::from_secs(2);

/// nvrtc; without it this prints that the test is skipped, unless the environment variable `LIMBFORGE_REQUIRE_NVRTC` is set.
fn nvrtc() -> Option<Nvrtc> {
    match Nvrtc::find(None) {
        Ok(nvrtc) => Some(nvrtc),
        Err(error @ NvrtcError::Missing { .. }) if std::env::var_os("LIMBFORGE_REQUIRE_NVRTC").is_none() => {
            eprintln!("skipped: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

fn compile(nvrtc: &Nvrtc, spec: &KernelSpec, arch: &str) -> Compiled {
    let kernel = render(spec, &Limits::SM_90).unwrap_or_else(|error| panic!("{spec}: {error}"));
    let target = Target::Cubin(arch.parse().unwrap());
    let options = ["--ptxas-options=-v".to_owned()];
    nvrtc
        .compile(&kernel.source, target, &options)
        .unwrap_or_else(|error| panic!("{spec} for {arch}: {error}"))
}

/// How long `work` takes with a core of its own: what this thread was given of one if the system tells, so that a busy
/// machine does not count, else the time that went by.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let busy = || {
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().map(Duration::from_nanos).ok()
    };
    let (before, begin) = (busy(), Instant::now());
    let made = work();
    let gone = begin.elapsed();
    (made, before.zip(busy()).and_then(|(before, after)| after.checked_sub(before)).unwrap_or(gone))
}

/// The number in front of `what` in what ptxas says of the kernel, which it must say once.
fn number_before(log: &str, what: &str) -> u32 {
    let places: Vec<_> = log.match_indices(what).collect();
    assert_eq!(places.len(), 1, "expected `{what}` once in the compiler's log:\n{log}");
    let before = log[..places[0].0].trim_end();
    before.rsplit(|c: char| !c.is_ascii_digit()).next().and_then(|digits| digits.parse().ok()).unwrap()
}

/// What is wrong with a compiled kernel.
fn faults(spec: &dyn std::fmt::Display, arch: &str, compiled: &Compiled) -> Option<String> {
    let log = &compiled.log;
    let clean = !log.to_lowercase().contains("warning")
        && [" bytes stack frame", " bytes spill stores", " bytes spill loads"]
            .iter()
            .all(|what| number_before(log, what) == 0)
        && log.matches("Compiling entry function").count() == 1
        && matches!(&compiled.image, Image::Cubin(bytes) if bytes.starts_with(b"\x7fELF"));
    (!clean).then(|| {
        format!(
            "{spec} for {arch}: expected one kernel, no warning, no stack, nothing spilled; found:\n{log}"
        )
    })
}

/// The faults that `work` finds in the items, on all cores.
fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Option<String> + Sync) -> Vec<String> {
    let (next, found) = (AtomicUsize::new(0), Mutex::new(vec![]));
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let fault = work(item);
                    found.lock().unwrap().extend(fault);
                }
            });
        }
    });
    found.into_inner().unwrap()
}

/// The shipped specifications without those whose kernels differ from another's only in the name of the limb: its size
/// matters to interleaved batches alone once the words of an instance are the same.
fn distinct() -> Vec<KernelSpec> {
    let mut seen = HashSet::new();
    let mut specs = shipped();
    specs.retain(|spec| {
        let source = render(spec, &Limits::SM_90).unwrap_or_else(|error| panic!("{spec}: {error}")).source;
        let named = |line: &&str| line.starts_with("// limbforge kernel:") || line.contains("LIMB_WORDS = ");
        let lines: Vec<&str> = source.lines().filter(|line| !named(line)).collect();
        spec.output == Layout::Interleaved || seen.insert(lines.join("\n"))
    });
    specs
}

#[test]
fn shipped_kernels_for_sm_90_spill_nothing_and_compile_quickly() {
    let Some(nvrtc) = nvrtc() else { return };
    let specs = distinct();
    let slowest = Mutex::new((Duration::ZERO, String::new()));
    let begin = Instant::now();
    let faults = in_parallel(&specs, |spec| {
        let (compiled, taken) = timed(|| compile(&nvrtc, spec, "sm_90"));
        let mut slowest = slowest.lock().unwrap();
        if taken > slowest.0 {
            *slowest = (taken, spec.to_string());
        }
        faults(spec, "sm_90", &compiled)
    });
    let (taken, spec) = slowest.into_inner().unwrap();
    eprintln!("{} kernels in {:.1?}; the slowest took {taken:.2?}: {spec}", specs.len(), begin.elapsed());
    assert!(taken <= LONGEST, "{spec} took {taken:.2?}; expected at most {LONGEST:?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// What a user waits at most for a kernel that an earlier process has compiled, before the driver loads it.
const LONGEST_CACHED: Duration = Duration::from_millis(10);

/// From the specification to the machine code of the largest kernels, as in a new process: rendered, and found on the disk.
#[test]
fn kernels_that_were_compiled_before_come_quickly() {
    let Some(nvrtc) = nvrtc() else { return };
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiles-cache");
    let target = Target::Cubin(Arch::new(9, 0));
    for text in [POLY, "mul_wide(a, b)", common::SUMS[7]] {
        drop(std::fs::remove_dir_all(&folder));
        let spec = unsigned(text, common::WIDEST_PRODUCT, LIMBS[0], Layout::InstanceMajor);
        let mut bytes = (0, 0);
        let mut lookup = |expected| {
            let (found, taken) = timed(|| {
                let kernel = render(&spec, &Limits::SM_90).unwrap();
                let key = CacheKey::new(&kernel.source, target, &[], nvrtc.version());
                bytes.0 = kernel.source.len();
                let compile = || nvrtc.compile(&kernel.source, target, &[]);
                Cache::new(Some(folder.clone())).get_or_compile(&key, compile).unwrap()
            });
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

/// The product on tensor cores at powers of two, between them, and with loads of one and two words.
const TENSOR_BITS: [u32; 17] = [
    131, 512, 1000, 1024, 2048, 3000, 4096, 5000, 8192, 10_000, 16_384, 24_000, 32_768, 50_000, 65_536,
    70_000, 131_072,
];

fn tensor_kernel(bits: u32, square: bool, limits: &Limits) -> (String, Kernel) {
    let ty = IntType::unsigned(bits.into()).unwrap();
    let limb = LIMBS[0];
    let plan = TensorPlan::new(limb.instance_words(ty), limits).unwrap();
    let names: &[&str] = if square { &["a"] } else { &["a", "b"] };
    let input = |name: &&str| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs = names.iter().map(input).collect();
    let spec = MulTensorSpec { ty, limb, inputs, plan, target: CompiledBy::Cuda };
    (spec.to_string(), render_mul_tensor(&spec, limits).unwrap())
}

#[test]
fn products_on_tensor_cores_compile_and_spill_nothing() {
    let Some(nvrtc) = nvrtc() else { return };
    let mut cases: Vec<(u32, bool, &str, Limits)> = vec![];
    for bits in TENSOR_BITS {
        cases.push((bits, false, "sm_90", Limits::SM_90));
        cases.push((bits, true, "sm_90", Limits::SM_90));
    }
    for bits in [131, 3000, 10_000, 65_536] {
        cases.push((bits, false, "sm_80", Limits::SM_80));
        cases.push((bits, false, "sm_89", Limits::SM_89));
        cases.push((bits, false, "sm_100", Limits::SM_100));
    }
    let faults = in_parallel(&cases, |(bits, square, arch, limits)| {
        let (spec, kernel) = tensor_kernel(*bits, *square, limits);
        let (compiled, taken) = timed(|| {
            let target = Target::Cubin(arch.parse().unwrap());
            nvrtc
                .compile(&kernel.source, target, &["--ptxas-options=-v".to_owned()])
                .unwrap_or_else(|error| panic!("{spec} for {arch}: {error}"))
        });
        assert!(taken <= LONGEST, "{spec} for {arch} took {taken:.2?}; expected at most {LONGEST:?}");
        faults(&spec, arch, &compiled)
    });
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Together these use every template, each in its variants for lanes, warps, runs, staging and interleaving.
#[test]
fn every_template_compiles_for_every_architecture() {
    let Some(nvrtc) = nvrtc() else { return };
    let all = "select(a < b, mulhi(a, b) - (a*b >> 9), min(a, b) + (a << 40)) ^ ~b";
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    let specs = [
        unsigned(all, 131, LIMBS[0], major),
        unsigned(all, 512, LIMBS[1], interleaved),
        unsigned(all, 5000, LIMBS[2], major),
        unsigned(common::SUMS[7], 1 << 18, LIMBS[0], major),
        unsigned(POLY, 2048, LIMBS[1], major),
        unsigned("mul_wide(a, b)", 4096, LIMBS[1], major),
        common::planned("mul_wide(a + b, b)", "i1000".parse().unwrap(), LIMBS[0], major),
        common::planned("sqr_wide(a)", "i5000".parse().unwrap(), LIMBS[2], interleaved),
    ];
    let archs = ["sm_75", "sm_80", "sm_90", "sm_100"];
    let pairs: Vec<_> = specs.iter().flat_map(|spec| archs.map(|arch| (spec, arch))).collect();
    let faults = in_parallel(&pairs, |(spec, arch)| faults(*spec, arch, &compile(&nvrtc, spec, arch)));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    for template in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
        let name = template.unwrap().file_name().into_string().unwrap();
        let used = |spec: &KernelSpec| {
            render(spec, &Limits::SM_90).unwrap().source.contains(&format!("// {name}: "))
        };
        // The kernel's own template has no name in it, the twin of ptx.cuh is for C++ compilers, and kernels of tensor
        // cores have a test of their own.
        let other = name.ends_with(".j2") || name == "ptx_twin.cuh" || name.starts_with("mul_tensor");
        assert!(other || specs.iter().any(used), "{name} is compiled by no specification of this test");
    }
}

#[test]
fn architectures_are_those_of_this_nvrtc() {
    let Some(nvrtc) = nvrtc() else { return };
    for number in [75, 80, 90, 100] {
        assert!(
            nvrtc.architectures().contains(&number),
            "{} knows no {}",
            nvrtc.version(),
            Arch::from_number(number)
        );
    }
}
