//! Every shipped kernel through NVIDIA's compiler, which needs no GPU: no warning, nothing spilled, no stack, and quickly.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::common::{
    CYCLIC_FORWARD, LIMBS, NEGACYCLIC_INVERSE, POLY, nvrtc, shipped, shipped_programs, shipped_transforms,
    unsigned,
};
use limbforge_gpu::{Arch, Cache, CacheKey, Compiled, Image, Nvrtc, Source, Target};
use limbforge_kernels_gen::ntt::{Form, TransformPlan, render_transform};
use limbforge_kernels_gen::tensor::{MulTensorSpec, Phases, TensorPlan, render_mul_tensor};
use limbforge_kernels_gen::{
    InputSpec, KernelSpec, LaunchKernel, Limits, Product, Program, ProgramSpec, Target as CompiledBy, render,
};
use limbforge_limb::{IntType, Layout};
use limbforge_needs::needs;

/// What a user waits at most for a kernel that was never compiled.
const LONGEST: Duration = Duration::from_secs(2);

/// The same of a kernel of transforms, which is as many as there are primes.
const LONGEST_TRANSFORMS: Duration = Duration::from_secs(10);

/// Bytes that a thread of a kernel of transforms, or of one that puts residues together, may spill: it has as many registers
/// as leave room for the blocks that were measured to be fastest. Most spill nothing or up to 24 bytes, a cyclic one of 2048 points 164; the
/// second kernel of Poly at 2^18 bits, with three blocks of 256 threads, the most: it reads a spectrum beside two operands. Its outer
/// pass backward written out took what it reads from 168 bytes to 324, and Poly from 13.99 to 14.14 ms.
const MOST_SPILLED: u32 = 324;

/// The same of operations within a warp, outside of the loops of their steps: so many registers leave room for the blocks that hide what
/// the steps wait for.
const MOST_SPILLED_WITHIN_WARP: u32 = 160;

/// The same of powers: modulo even numbers there are more numbers at once than registers for four blocks (docs/powmod.md).
const MOST_SPILLED_POWERS: u32 = 288;

/// What a user waits at most for a kernel of operations within a warp.
const LONGEST_WITHIN_WARP: Duration = Duration::from_secs(5);

fn within_warp(spec: &KernelSpec) -> bool {
    spec.dag.nodes().iter().any(|node| node.op.is_within_warp())
}

/// A kernel's source, what it is called here, and what it takes at most.
struct Rendered {
    name: String,
    source: String,
    /// To compile.
    longest: Duration,
    /// Bytes of a thread.
    most_spilled: u32,
    /// Bytes of a table that a thread keeps in local memory.
    table: u32,
}

impl Rendered {
    fn expression(spec: &KernelSpec, limits: &Limits) -> Self {
        let kernel = render(spec, limits).unwrap_or_else(|error| panic!("{spec}: {error}"));
        let has = |op: &str| spec.dag.nodes().iter().any(|node| node.op.to_string() == op);
        // Powers of the base: templates/powmod.cuh.
        let window = (1..6).find(|w| spec.ty.bits() <= (w * (w + 1)) << w).unwrap_or(6);
        Self {
            name: spec.to_string(),
            source: kernel.source,
            longest: if within_warp(spec) { LONGEST_WITHIN_WARP } else { LONGEST },
            most_spilled: match within_warp(spec) {
                true if has("powmod") => MOST_SPILLED_POWERS,
                true => MOST_SPILLED_WITHIN_WARP,
                false => 0,
            },
            table: if has("powmod") || has("is_strong_probable_prime") {
                (4 * spec.mapping.run_words) << window
            } else {
                0
            },
        }
    }

    fn program(program: &Program, limits: &Limits) -> impl Iterator<Item = Self> {
        program.kernels.iter().map(|spec| {
            let kernel = spec.render(limits).unwrap();
            let longest = if matches!(spec, LaunchKernel::MulNtt(_)) { LONGEST_TRANSFORMS } else { LONGEST };
            let name = spec.to_string();
            Self { name, source: kernel.source, longest, most_spilled: MOST_SPILLED, table: 0 }
        })
    }

    fn transform(plan: &TransformPlan, limits: &Limits) -> impl Iterator<Item = Self> {
        render_transform(plan, limits).unwrap().into_iter().zip(&plan.launches).map(|(rendered, launch)| {
            Self {
                name: format!("{:?} {launch:?}", plan.spec),
                source: rendered.kernel.source,
                longest: LONGEST,
                most_spilled: 0,
                table: 0,
            }
        })
    }

    fn compile(&self, nvrtc: &Nvrtc, arch: &str) -> Compiled {
        let target = Target::Cubin(arch.parse().unwrap());
        let options = ["--ptxas-options=-v".to_owned()];
        nvrtc
            .compile(&self.source, target, &options)
            .unwrap_or_else(|error| panic!("{} for {arch}: {error}", self.name))
    }
}

/// Held by tests that compile on all cores, so that none is measured beside another.
static ALONE: Mutex<()> = Mutex::new(());

/// What the smallest kernel takes where the limits above were set, an Intel Xeon of the Sapphire Rapids class.
const REFERENCE: Duration = Duration::from_millis(40);

/// How many times slower than there this machine is; 1 if it is faster.
fn slower_than_reference(nvrtc: &Nvrtc) -> f64 {
    let smallest = Rendered::expression(&unsigned("a", 32, LIMBS[0], Layout::InstanceMajor), &Limits::SM_90);
    (best_of_three(nvrtc, &smallest, "sm_90").as_secs_f64() / REFERENCE.as_secs_f64()).max(1.0)
}

fn best_of_three(nvrtc: &Nvrtc, kernel: &Rendered, arch: &str) -> Duration {
    (0..3).map(|_| timed(|| kernel.compile(nvrtc, arch)).1).min().unwrap()
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
fn faults(kernel: &Rendered, arch: &str, compiled: &Compiled) -> Option<String> {
    let log = &compiled.log;
    // Of products by warpgroups the compiler says so if it lets none run beside other instructions.
    let clean = !log.to_lowercase().contains("warning")
        && !log.contains("serialized")
        && number_before(log, " bytes stack frame") <= kernel.most_spilled + kernel.table
        && [" bytes spill stores", " bytes spill loads"]
            .iter()
            .all(|what| number_before(log, what) <= kernel.most_spilled)
        && log.matches("Compiling entry function").count() == 1
        && matches!(&compiled.image, Image::Cubin(bytes) if bytes.starts_with(b"\x7fELF"));
    (!clean).then(|| {
        format!(
            "{} for {arch}: expected one kernel, no warning, no more than {} bytes of stack and spilled; found:\n{log}",
            kernel.name, kernel.most_spilled
        )
    })
}

/// The faults that `work` finds in the items, on all cores.
fn in_parallel<'t, T: Sync>(items: &'t [T], work: impl Fn(&'t T) -> Option<String> + Sync) -> Vec<String> {
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

/// The shipped kernels without those that differ from another only in the name of the limb: its size matters to interleaved
/// batches alone once the words of an instance are the same.
fn distinct() -> Vec<Rendered> {
    let mut seen = HashSet::new();
    let mut kernels = vec![];
    for spec in shipped() {
        let kernel = Rendered::expression(&spec, &Limits::SM_90);
        let named = |line: &&str| line.starts_with("// limbforge kernel:") || line.contains("LIMB_WORDS = ");
        let lines: Vec<&str> = kernel.source.lines().filter(|line| !named(line)).collect();
        if spec.output == Layout::Interleaved || seen.insert(lines.join("\n")) {
            kernels.push(kernel);
        }
    }
    kernels.extend(shipped_programs().iter().flat_map(|program| Rendered::program(program, &Limits::SM_90)));
    kernels.extend(shipped_transforms().iter().flat_map(|plan| Rendered::transform(plan, &Limits::SM_90)));
    kernels
}

/// Compiles all for an architecture each; what is wrong with any, or takes too long.
fn faults_of_all(nvrtc: &Nvrtc, kernels: &[(Rendered, &str)]) -> Vec<String> {
    let _alone = ALONE.lock();
    let slower = slower_than_reference(nvrtc);
    let begin = Instant::now();
    let slow = Mutex::new(vec![]);
    let mut faults = in_parallel(kernels, |kernel| {
        let (compiled, taken) = timed(|| kernel.0.compile(nvrtc, kernel.1));
        if taken > kernel.0.longest.mul_f64(slower) {
            slow.lock().unwrap().push(kernel);
        }
        faults(&kernel.0, kernel.1, &compiled)
    });
    eprintln!("{} kernels in {:.1?}; speed 1 / {slower:.2}", kernels.len(), begin.elapsed());
    // Beside others a kernel takes longer: what seems slow is measured again, alone.
    for (kernel, arch) in slow.into_inner().unwrap() {
        let (taken, longest) = (best_of_three(nvrtc, kernel, arch), kernel.longest.mul_f64(slower));
        if taken > longest {
            faults.push(format!("{} for {arch} took {taken:.2?}; expected at most {longest:?}", kernel.name));
        }
    }
    faults
}

#[needs(nvrtc)]
#[test]
fn shipped_kernels_for_sm_90_spill_nothing_and_compile_quickly() {
    let nvrtc = nvrtc();
    let kernels: Vec<_> = distinct().into_iter().map(|kernel| (kernel, "sm_90")).collect();
    let faults = faults_of_all(&nvrtc, &kernels);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// What a user waits at most for a kernel that an earlier process has compiled, before the driver loads it.
const LONGEST_CACHED: Duration = Duration::from_millis(10);

/// From the specification to the machine code of the largest kernels, as in a new process: rendered, and found on the disk.
#[needs(nvrtc)]
#[test]
fn kernels_that_were_compiled_before_come_quickly() {
    let nvrtc = nvrtc();
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("compiles-cache");
    let target = Target::Cubin(Arch::new(9, 0));
    for text in [POLY, "mul_wide(a, b)", crate::common::SUMS[7]] {
        drop(std::fs::remove_dir_all(&folder));
        let spec = unsigned(text, crate::common::WIDEST_PRODUCT, LIMBS[0], Layout::InstanceMajor);
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

/// Bytes that a product on tensor cores may spill: addresses, read once for several instances. As many registers as the warps that
/// were measured fastest leave.
const MOST_SPILLED_TENSOR: u32 = 64;

/// Bytes that squares on tensor cores may spill and keep on the stack: the fewest registers for three blocks of a
/// multiprocessor were measured faster than two blocks without.
const MOST_SPILLED_SQUARES: u32 = 256;

/// The product on tensor cores at powers of two, between them, and with loads of one and two words.
const TENSOR_BITS: [u32; 12] =
    [131, 512, 1000, 2048, 4096, 5000, 8192, 16_384, 24_000, 32_768, 65_536, 131_072];

fn tensor_kernel(bits: u32, form: Form, square: bool, limits: &Limits) -> Rendered {
    tensor_kernel_to(if form == Form::Low { bits } else { 2 * bits }, bits, form, square, limits)
}

/// With a result of so many bits.
fn tensor_kernel_to(to: u32, bits: u32, form: Form, square: bool, limits: &Limits) -> Rendered {
    let ty = IntType::unsigned(bits.into()).unwrap();
    let limb = LIMBS[0];
    let plan = TensorPlan::new(limb.instance_words(ty), form, limits).unwrap();
    let names: &[&str] = if square { &["a"] } else { &["a", "b"] };
    let input = |name: &&str| InputSpec::integers(name, Layout::InstanceMajor, false);
    let inputs: Vec<InputSpec> = names.iter().map(input).collect();
    let phases = Phases::product(inputs.len());
    let result = IntType::unsigned(to.into()).unwrap();
    let spec =
        MulTensorSpec { ty, result, limb, inputs, phases, plan, unless: None, target: CompiledBy::Cuda };
    let source = render_mul_tensor(&spec, limits).unwrap().source;
    Rendered { name: spec.to_string(), source, longest: LONGEST, most_spilled: MOST_SPILLED_TENSOR, table: 0 }
}

#[needs(nvrtc)]
#[test]
fn products_on_tensor_cores_compile_and_spill_little() {
    let nvrtc = nvrtc();
    let mut kernels = vec![];
    for bits in TENSOR_BITS {
        for form in [Form::Low, Form::Wide] {
            kernels.extend([false, true].map(|square| {
                // Wide ones take nearly the whole time that others do when the machine has nothing else to do.
                let kernel = tensor_kernel(bits, form, square, &Limits::SM_90);
                let longest = if bits >= 1 << 15 { 2 * LONGEST } else { LONGEST };
                (Rendered { longest, ..kernel }, "sm_90")
            }));
        }
    }
    for bits in [512, 2048, 3072, 8192, 16_384, 32_768] {
        kernels.push((tensor_kernel_to(bits, bits, Form::Wide, false, &Limits::SM_90), "sm_90"));
    }
    for bits in [49_152, 61_568, 65_536] {
        let kernel = tensor_kernel(bits, Form::Low, false, &Limits::SM_90A);
        assert!(kernel.source.contains("wgmma.mma_async"), "{}", kernel.name);
        kernels.push((kernel, "sm_90a"));
    }
    let others = [
        ("sm_75", Limits::SM_75),
        ("sm_80", Limits::SM_80),
        ("sm_89", Limits::SM_89),
        ("sm_100", Limits::SM_100),
    ];
    for (bits, (arch, limits)) in
        [131, 3000, 10_000, 65_536].into_iter().flat_map(|bits| others.map(|arch| (bits, arch)))
    {
        // Four instructions to a matrix product take the compiler long, where transforms are faster anyway.
        if arch == "sm_75" && bits > 1 << 15 {
            continue;
        }
        let kernel = tensor_kernel(bits, Form::Low, false, &limits);
        // Sixteen tiles together were measured on sm_90; the compiler takes longer for older ones.
        kernels.push((Rendered { longest: 2 * LONGEST, ..kernel }, arch));
    }
    let faults = faults_of_all(&nvrtc, &kernels);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Squares and sums of products, in one kernel each. Where every phase has instructions of its own, they take longer.
#[needs(nvrtc)]
#[test]
fn sums_of_products_on_tensor_cores_compile() {
    const SUMS: [&str; 4] = ["a*a", POLY, "a*b + c*d + e*f", "((((a*b + c)*b + c)*b + c)*b - 3*c)*b + c"];
    let nvrtc = nvrtc();
    let program = |text, bits| crate::common::program_of(Product::Tensor, text, bits);
    let mut kernels = vec![];
    for (text, bits) in
        SUMS.into_iter().flat_map(|text| [131, 3000, 8192, 24_576, 32_768, 65_536].map(|bits| (text, bits)))
    {
        let program = program(text, bits);
        assert_eq!(program.launches.len(), 1, "{text} {bits}");
        let rendered = Rendered::program(&program, &Limits::SM_90);
        kernels.extend(rendered.map(|kernel| {
            (Rendered { most_spilled: MOST_SPILLED_SQUARES, longest: 2 * LONGEST, ..kernel }, "sm_90")
        }));
    }
    let faults = faults_of_all(&nvrtc, &kernels);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Divisions by an inverse, of every form and of the widths that they are meant for; for other architectures the narrowest.
#[needs(nvrtc)]
#[test]
fn divisions_by_an_inverse_compile_and_spill_nothing() {
    let nvrtc = nvrtc();
    let mut seen = HashSet::new();
    let mut kernels = vec![];
    let mut add = |text: &str, ty: &str, layout, limits: &Limits, arch| {
        let dag = crate::common::dag(text);
        let inputs = crate::common::inputs(&dag, layout);
        let (ty, target) = (ty.parse().unwrap(), CompiledBy::Cuda);
        let (limb, product) = (LIMBS[1], Product::Classical);
        let spec = ProgramSpec { dag, ty, limb, inputs, output: layout, product, target };
        let program = Program::new(&spec, limits).unwrap();
        let rendered =
            Rendered::program(&program, limits).filter(|kernel| seen.insert((kernel.name.clone(), arch)));
        kernels.extend(rendered.map(|kernel| {
            // What products spill is their plans' matter; those for sm_75 have four instructions to a matrix product.
            let of_product = kernel.name.starts_with("mul_") || kernel.name.contains("residues");
            let is_seed = kernel.name.contains("= div ");
            let most_spilled = match (of_product, is_seed) {
                (true, _) => MOST_SPILLED,
                (_, true) => MOST_SPILLED_WITHIN_WARP,
                _ => 0,
            };
            let longest = if arch == "sm_75" { 2 * LONGEST } else { kernel.longest };
            (Rendered { most_spilled, longest, ..kernel }, arch)
        }));
    };
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    for ty in ["u36864", "u262144"] {
        add("a / b + a % b", ty, major, &Limits::SM_90, "sm_90");
    }
    let all = "(a / b ^ a % b) + (div_euclid(a, b) ^ rem_euclid(a, b)) + (div_exact(a, b) ^ divisible(a, b))";
    add(all, "i40000", major, &Limits::SM_90, "sm_90");
    add("a / b", "i40000", interleaved, &Limits::SM_90, "sm_90");
    for (arch, limits) in [("sm_75", Limits::SM_75), ("sm_80", Limits::SM_80), ("sm_100", Limits::SM_100)] {
        add("a / b", "u36864", major, &limits, arch);
    }
    let faults = faults_of_all(&nvrtc, &kernels);
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Together these use every template, each in its variants for lanes, warps, runs, staging and interleaving, and for each
/// class of primes.
fn of_every_template(limits: &Limits) -> Vec<Rendered> {
    let all = "select(a < b, mulhi(a, b) - (a*b >> 9), min(a, b) + (a << 40)) ^ ~b";
    let (major, interleaved) = (Layout::InstanceMajor, Layout::Interleaved);
    let bits = "insert(a << b, rotl(a, b), clz(a), popcount(b)) ^ mask(ctz(b))";
    let far = "insert(insert(a, b, a, b), a, -1099511627776, b) ^ insert(a, b, a, 9223372036854775812)";
    let specs = [
        unsigned(bits, 131, LIMBS[0], major),
        unsigned(far, 131, LIMBS[0], major),
        crate::common::planned(far, "i64".parse().unwrap(), LIMBS[1], interleaved),
        crate::common::planned("insert(a, b, a, b)", "i5000".parse().unwrap(), LIMBS[1], major),
        crate::common::planned(bits, "i5000".parse().unwrap(), LIMBS[1], major),
        unsigned(all, 131, LIMBS[0], major),
        unsigned(all, 512, LIMBS[1], interleaved),
        unsigned(all, 5000, LIMBS[2], major),
        unsigned(crate::common::SUMS[7], 1 << 18, LIMBS[0], major),
        unsigned(POLY, 2048, LIMBS[1], major),
        unsigned("mul_wide(a, b)", 4096, LIMBS[1], major),
        crate::common::planned("mul_wide(a + b, b)", "i1000".parse().unwrap(), LIMBS[0], major),
        unsigned("a / b - a % b", 16_384, LIMBS[0], major),
        crate::common::planned("rem_euclid(a, b)", "i131".parse().unwrap(), LIMBS[0], interleaved),
        crate::common::planned("sqr_wide(a)", "i5000".parse().unwrap(), LIMBS[2], interleaved),
        unsigned("mul_wide(gcd(a, b), b)", 250, LIMBS[0], major),
    ];
    let within_warp = crate::common::NUMBER_THEORY.map(|text| unsigned(text, 250, LIMBS[0], major));
    let program = crate::common::program("mulhi(a, b)", 1 << 14);
    let transforms = crate::common::TRANSFORM_PRIMES
        .map(|(p, _)| crate::common::transform(p, 1 << 10, NEGACYCLIC_INVERSE));
    let tiles = crate::common::transform(crate::common::TRANSFORM_PRIMES[0].0, 1 << 16, CYCLIC_FORWARD);
    // 3 * 2^30 + 1.
    let three = crate::common::transform(3_221_225_473, 3 << 10, CYCLIC_FORWARD);
    let mut kernels: Vec<_> =
        specs.iter().chain(&within_warp).map(|spec| Rendered::expression(spec, limits)).collect();
    kernels.extend(Rendered::program(&program, limits));
    kernels
        .extend(transforms.iter().chain([&tiles, &three]).flat_map(|plan| Rendered::transform(plan, limits)));
    kernels
}

#[needs(nvrtc)]
#[test]
fn every_template_compiles_from_the_oldest_to_the_newest_architecture() {
    let nvrtc = nvrtc();
    let _alone = ALONE.lock();
    // sm_80 differs from sm_90 in the space of a block alone, which products and divisions by an inverse ask for; theirs are above.
    let archs = [("sm_75", Limits::SM_75), ("sm_90", Limits::SM_90), ("sm_100", Limits::SM_100)];
    let pairs: Vec<_> = archs
        .iter()
        .flat_map(|(arch, limits)| of_every_template(limits).into_iter().map(move |kernel| (kernel, *arch)))
        .collect();
    let faults = in_parallel(&pairs, |(kernel, arch)| faults(kernel, arch, &kernel.compile(&nvrtc, arch)));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    for template in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/templates")).unwrap() {
        let name = template.unwrap().file_name().into_string().unwrap();
        let used = |kernel: &Rendered| kernel.source.contains(&format!("// {name}: "));
        // The kernel's own template has no name in it, the twin of ptx.cuh is for C++ compilers, and kernels of tensor
        // cores, of divisions by an inverse, of polynomials and of sorting have tests of their own.
        let apart = ["mul_tensor", "ptx_wgmma", "div_newton", "unless", "poly", "sort", "scan"]
            .iter()
            .any(|prefix| name.starts_with(prefix));
        let other = name.ends_with(".j2") || name.ends_with("_twin.cuh") || apart;
        assert!(
            other || pairs.iter().any(|(kernel, _)| used(kernel)),
            "{name} is compiled by no kernel of this test"
        );
    }
}

/// Wide products of what runs within a warp did not: a result of twice the words went out as one of once.
#[needs(nvrtc)]
#[test]
fn wide_products_of_operations_within_a_warp_compile() {
    let nvrtc = nvrtc();
    let _alone = ALONE.lock();
    let texts = ["mul_wide(gcd(a, b), c)", "sqr_wide(isqrt(a))", "mul_wide(jacobi(mulhi(9, c), c | 1), c)"];
    for (text, broadcast) in texts.into_iter().flat_map(|text| [(text, false), (text, true)]) {
        for (bits, layout) in
            [(131, Layout::InstanceMajor), (512, Layout::InstanceMajor), (512, Layout::Interleaved)]
        {
            let mut spec = unsigned(text, bits, LIMBS[1], layout);
            if let Some(last) = spec.inputs.last_mut() {
                last.broadcast = broadcast;
            }
            Rendered::expression(&spec, &Limits::SM_90).compile(&nvrtc, "sm_90");
        }
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
